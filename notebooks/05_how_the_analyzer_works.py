# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # How the analyzer works
#
# `analyze` finds the house edge of a blackjack game, with every decision, in a fraction of a
# second and to twelve digits. This notebook builds the way there: from a recursion that is
# obviously right and hopelessly slow, by four ideas, each with a small check against the step
# before.
#
# The ideas: **count orders, not probabilities**; **forget the order** in which a hand was drawn;
# the dealer as **one matrix product**; split hands **by linearity**. At the end the same answer
# comes out as an exact fraction, from nothing but remainders.

# %%
from collections import Counter
from fractions import Fraction
from math import factorial, perm, prod

import numpy as np
import pandas as pd
from IPython.display import Markdown
from matplotlib.colors import LinearSegmentedColormap

from odds import Action, Rules, Shoe, analyze
from odds.dealer import dealer_hands
from odds.hands import lattice
from odds.pairs import histories
from odds.recursion import action_value, dealer_distribution, game_value
from odds.residues import primes_below
from paytables.plot_style import GAIN, INK, LINE, LOSS, MUTED, Plot, axes, name_axes, percent_ticks

ROW = "#dbe3de"

# %% [markdown]
# ## 1. The plain recursion
#
# A shoe of $n$ cards lies in one of $n!$ orders, all equally likely. Everything we want to know is
# a sum over those orders, and a sum over orders can be taken card by card:
#
# $$\text{total}(\text{left}) = \sum_{\text{kinds}} (\text{cards of that kind left}) \times
# \text{total}(\text{left without one of it})$$
#
# Divide by $n!$ and it is an expected value. No probability, no rounding: whole numbers only.
#
# The smallest example that is worth doing by hand: the dealer shows a ten, and an eight and two
# tens are left. The next card decides, since 18 and 20 both stand.

# %%
law = dealer_distribution(Rules(), (0, 0, 0, 0, 0, 0, 0, 1, 0, 2), 10)
{result: str(chance) for result, chance in law.items() if chance}

# %% [markdown]
# `odds/recursion.py` plays the whole game in this way: the player takes the larger of the totals
# of the legal actions, the dealer follows the rule. Here it solves a shoe of 26 cards, half a
# pack, in which pairs may not be split:

# %%
SMALL = Shoe.from_values((2,) * 9 + (8,))
NO_SPLITS = Rules(max_split_hands=1, max_split_hands_aces=1)
slow = game_value(NO_SPLITS, SMALL)
fast = analyze(NO_SPLITS, SMALL)
assert abs(float(slow) - fast.expected_value) < 1e-15
Markdown(
    f"The recursion gives **{slow}** of a bet, in lowest terms. `analyze` gives "
    f"{fast.expected_value:+.15f}, which is the same to the fifteenth digit."
)

# %% [markdown]
# This is the *definition* of the game, and the tests come back to it again and again. But it
# visits every shoe that can be left over, and their number explodes with the size of the shoe.
#
# ## 2. Forget the order: the lattice of hands
#
# The first idea is as old as combinatorics. A player who holds 2, 3 and 8 holds 13, whatever came
# first. So a hand is a *multiset* of card values, ten small numbers. How many are there that are
# not bust? Count the ways of drawing them, too:

# %%
lat = lattice()
drawings = [
    factorial(int(cards)) // prod(map(factorial, map(int, counts)))
    for cards, counts in zip(lat.cards, lat.counts, strict=True)
]
Markdown(
    f"**{lat.size:,}** hands (the empty one included) stand for {sum(drawings):,} ways of drawing "
    "them, for any number of decks. One table of that size, worked through from the highest total "
    "to the lowest, replaces the whole tree of draws."
)

# %% [markdown]
# The lattice as a picture: every bubble is a number of cards and a hard total; its size is the
# number of hands there, its colour how many of these the best play hits against a dealer's ten
# (six decks). Drawing a card means stepping to the right and up.

# %%
game = analyze(Rules(decks=6))
hands = []
for index in np.flatnonzero(lat.cards >= 2):
    cards = np.repeat(np.arange(1, 11), lat.counts[index])
    found = game.hand(cards.tolist(), 10)
    if not found.natural:
        hands.append((index, found))

bubbles = {}
for index, found in hands:
    place = int(lat.cards[index]), int(lat.hard[index])
    more = bubbles.setdefault(place, [0, 0])
    more[0] += 1
    more[1] += found.values.get(Action.HIT, -1.0) > found.values[Action.STAND]

figure = Plot(
    width=7.6, height=4.6, alt="Lattice of player hands by number of cards and hard total."
)
ax = axes(
    figure,
    f"{lat.size:,} hands",
    "size: how many; colour: how they are played against a ten; blue draws, amber stands",
)
points = ax.scatter(
    [cards for cards, _ in bubbles],
    [hard for _, hard in bubbles],
    s=[5 + 2.6 * number for number, _ in bubbles.values()],
    c=[drawn / number for number, drawn in bubbles.values()],
    cmap=LinearSegmentedColormap.from_list("drawn", ["#e0a03c", "#efe7d3", LINE]),
    vmin=0,
    vmax=1,
    edgecolors="white",
    linewidths=0.6,
)
ax.axhline(21.5, color=LOSS, linewidth=1)
ax.text(20.4, 21.7, "bust", color=LOSS, fontsize=8.5, ha="right", va="bottom")
ax.set_xticks(range(2, 22))
ax.set_yticks(range(2, 23, 2))
ax.grid(color=ROW, linewidth=0.5)
name_axes(ax, x="cards in the hand", y="hard total (every ace as 1)")
figure

# %% [markdown]
# Inside a bubble some hands may hit and others stand: the cards that a hand holds are gone from
# the shoe. How much does that matter? Every dot below is one hand; what it would gain by a hit,
# against a ten:

# %%
gains = [
    (found, found.values[Action.HIT] - found.values[Action.STAND])
    for _, found in hands
    if Action.HIT in found.values and found.total >= 12
]
rng = np.random.default_rng(21)
figure = Plot(
    width=8.4, height=4.2, alt="Gain of hitting over standing for every hand against a ten."
)
figure.title(
    "The cost of a hit",
    "value of hitting less that of standing, units of the bet, given no dealer blackjack",
)
wide, close = figure.subplots(1, 2, width_ratios=(3, 2))
for soft, colour, name in ((False, LINE, "hard"), (True, GAIN, "soft")):
    chosen = [(found.total, gain) for found, gain in gains if found.soft is soft]
    places, values = np.array(chosen).T
    places += (0.18 if soft else -0.18) + rng.uniform(-0.11, 0.11, len(chosen))
    wide.scatter(places, values, s=5, color=colour, alpha=0.5, label=name)
wide.legend(frameon=False, fontsize=8.5, labelcolor=INK, markerscale=2)
wide.set_xticks(range(12, 21))
name_axes(wide, x="total")
sixteens = {f.cards: gain for f, gain in gains if f.total == 16 and not f.soft}
places = np.array([len(cards) for cards in sixteens]) + rng.uniform(-0.25, 0.25, len(sixteens))
close.scatter(places, list(sixteens.values()), s=9, color=LINE, alpha=0.6)
close.set_xticks(range(2, 17, 2))
name_axes(close, x="cards in a hard 16")
for ax in (wide, close):
    ax.axhline(0, color=INK, linewidth=0.8)
    ax.set_axisbelow(True)
    ax.grid(axis="y", color=ROW, linewidth=0.5)
    ax.tick_params(length=0, labelsize=8.5, labelcolor=INK)
    for side in ("top", "right", "left", "bottom"):
        ax.spines[side].set_visible(False)
figure

# %%
signs = {}
for found, gain in gains:
    signs.setdefault((found.total, found.soft), set()).add(gain > 0)
assert [kind for kind, both in signs.items() if len(both) == 2] == [(16, False)]

stands = sum(gain < 0 for gain in sixteens.values())
least, most = min(sixteens, key=sixteens.get), max(sixteens, key=sixteens.get)
Markdown(
    f"Only hard 16 straddles the line. Of its {len(sixteens)} hands, **{stands}** are better off "
    f"standing against a ten, the others hit. The gain ranges from {sixteens[least]:+.4f} with "
    f"{','.join(map(str, least))} to {sixteens[most]:+.4f} with {','.join(map(str, most))}. That "
    "is why the analyzer decides by the cards of a hand and not by its total."
)

# %% [markdown]
# ## 3. The dealer as one matrix product
#
# The dealer has no choice, so the dealer's finished hands are a fixed list, for ever. Each comes
# with the number of *orders* in which the rule can deal it from a given upcard; a shoe only weighs
# them:
#
# $$P(D \mid \text{shoe}) = \text{orders}(D) \; \frac{\prod_j c_j (c_j - 1) \cdots (c_j - D_j + 1)}
# {n (n - 1) \cdots (n - |D| + 1)}$$

# %%
finished = dealer_hands(hit_soft_17=False)
Markdown(
    f"Under S17 there are **{len(finished.total):,}** finished hands from 17 to 21 (no blackjack), "
    f"which stand for {int(finished.orders.sum()):,} orders; under H17 "
    f"{len(dealer_hands(hit_soft_17=True).total):,} and "
    f"{int(dealer_hands(hit_soft_17=True).orders.sum()):,}."
)

# %% [markdown]
# Now take away what the player holds, for *all* hands at once. The product of falling factorials
# is a table [player hands × dealer hands]; times the table of orders [dealer hands × upcards] it
# gives every player hand against every upcard. For two-card hands that is ten lines:

# %%
shoe = np.array(Shoe.decks(6).by_value)
starts = lat.by_cards[2]
left = shoe - lat.counts[starts]  # [player hands, 10]
size = left[0].sum()

weights = np.ones((len(starts), len(finished.total)))
for j in range(10):
    falling = np.array([[perm(int(c), k) for k in range(22)] for c in left[:, j]], dtype=float)
    weights *= falling[:, finished.counts[:, j]]
weights /= np.array([float(perm(int(size), int(n))) for n in finished.counts.sum(axis=1)])

totals = np.stack(
    [
        weights[:, finished.total == total] @ finished.orders[finished.total == total]
        for total in range(17, 22)
    ],
    axis=-1,
)  # [player hands, upcards, totals 17 to 21]
totals /= (left / size)[:, :, None]  # given the upcard

hand = int(np.flatnonzero(starts == lat.of(6, 10))[0])
theirs = [game.hand([6, 10], 10).dealer[str(total)] for total in range(17, 22)]
assert np.abs(totals[hand, 9] - theirs).max() < 1e-14
Markdown(
    "For 10,6 against a ten the product says "
    + ", ".join(f"{t}: {p:.4%}" for t, p in zip(range(17, 22), totals[hand, 9], strict=True))
    + f", and `analyze` the same to 14 digits. {weights.shape[0]} × {weights.shape[1]:,} weights "
    "for the two-card hands; the analyzer does all of them at once, splitting the weights into a "
    "table for the low cards and one for the high cards, since most are shared."
)

# %% [markdown]
# With it, questions about the dealer cost nothing. Where does the dealer end?

# %%
UPCARDS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 1]
NAMES = ["A" if up == 1 else str(up) for up in UPCARDS]
SHADES = {
    "17": "#d7e6f5",
    "18": "#b3d0ec",
    "19": "#86b3de",
    "20": "#5790c8",
    "21": LINE,
    "blackjack": "#1d3f63",
    "bust": LOSS,
}
ends = {up: game.dealer_totals(up) for up in UPCARDS}
figure = Plot(height=3.8, alt="Dealer's final totals by upcard as stacked bars.")
ax = axes(
    figure,
    "Where the dealer ends",
    "% of rounds by upcard, six decks, S17; the upcard alone is out of the shoe",
)
base = np.zeros(10)
for key, shade in SHADES.items():
    parts = np.array([100 * ends[up][key] for up in UPCARDS])
    ax.bar(NAMES, parts, bottom=base, color=shade, width=0.82, label=key, edgecolor="white")
    if key == "bust":
        for x, (low, part) in enumerate(zip(base, parts, strict=True)):
            ax.text(
                x,
                low + part / 2,
                f"{part:.1f}",
                ha="center",
                va="center",
                fontsize=8,
                color="white",
            )
    base += parts
ax.legend(frameon=False, fontsize=8.5, labelcolor=INK, loc="center left", bbox_to_anchor=(1.0, 0.5))
ax.set_ylim(0, 100)
percent_ticks(ax, "y")
name_axes(ax, x="dealer's upcard")
figure

# %% [markdown]
# And what does a single card do that is gone? One deck, since there one card counts for most:

# %%
deck = Shoe.decks(1)
bust = {}
for up in UPCARDS:
    counts = list(deck.by_value)
    counts[up - 1] -= 1
    bust[up, None] = dealer_distribution(Rules(), counts, up)["bust"]
    for gone in UPCARDS:
        less = counts.copy()
        less[gone - 1] -= 1
        bust[up, gone] = dealer_distribution(Rules(), less, up)["bust"]
change = np.array(
    [[100 * float(bust[up, gone] - bust[up, None]) for up in UPCARDS] for gone in UPCARDS]
)
figure = Plot(height=4.0, alt="Change of the dealer's bust chance by upcard and removed card.")
ax = axes(
    figure,
    "One card gone",
    "change of the dealer's chance to bust, percentage points; one deck, S17, exact fractions",
)
ax.pcolormesh(change, cmap="PRGn", vmin=-3, vmax=3, edgecolor="white", linewidth=0.8)
for y, row in enumerate(change):
    for x, value in enumerate(row):
        text = f"{value:+.1f}".replace("-", "−") if abs(value) >= 0.05 else "0"
        ax.text(x + 0.5, y + 0.5, text, ha="center", va="center", fontsize=8, color=INK)
ax.set_xticks(np.arange(10) + 0.5, labels=NAMES)
ax.set_yticks(np.arange(10) + 0.5, labels=NAMES)
ax.invert_yaxis()
name_axes(ax, x="dealer's upcard", y="card that is gone")
figure

# %% [markdown]
# Against the weak upcards a ten that is gone keeps the dealer from busting, and a four or a five
# that is gone helps the dealer to bust. Why is the picture not the same in every column? A dealer
# with a nine or a ten up seldom needs a third card.
#
# ## 4. Splits by linearity
#
# Split hands are the hard part. Two eights are split; the first draws an eight and is split again;
# each hand is played out before the next gets its second card. There may be four hands in the end,
# each with cards that are gone for the others.
#
# Two remarks make it easy.
#
# *Cards that nobody looks at do not matter.* A split hand is played by its own cards, so a card
# that a sibling has drawn is, for this hand, no other than a card still in the shoe. Only what is
# *known* of siblings counts: that they drew a pair card, or that they did not.
#
# *What is known not to be is one minus what is.* If $X$ is this hand's result and $p$ means "the
# sibling's next card is a pair card",
#
# $$E[X] = P(p) \, E[X \mid p] + P(\text{not } p) \, E[X \mid \text{not } p]$$
#
# so $E[X \mid \text{not } p]$ follows from $E[X]$, where nothing is known and nothing is removed,
# and $E[X \mid p]$, where one more pair card is gone. No other card need ever be removed.
#
# Check it by brute force. A hand starts with an eight, takes one card and stands, against a ten,
# in a shoe of 21 cards with five eights; the sibling's card was seen not to be an eight.

# %%
EIGHTS = Shoe.from_values((2, 0, 2, 0, 2, 0, 2, 5, 0, 8))
left = list(EIGHTS.by_value)
for value in (8, 8, 10):
    left[value - 1] -= 1


SCORE = {str(total): total for total in range(17, 22)} | {"bust": 0, "blackjack": 22}


def one_card_then_stand(left):
    """Exact mean result of an eight that takes one card from ``left`` and stands against a ten."""
    mean = Fraction(0)
    for value, count in enumerate(left, start=1):
        if count:
            rest = [c - (i + 1 == value) for i, c in enumerate(left)]
            total = 19 if value == 1 else 8 + value
            for result, chance in dealer_distribution(Rules(), rest, 10).items():
                dealer = SCORE[result]
                mean += Fraction(count, sum(left)) * chance * ((total > dealer) - (total < dealer))
    return mean


def less(left, value):
    return [c - (i + 1 == value) for i, c in enumerate(left)]


others = [value for value in range(1, 11) if value != 8 and left[value - 1]]
seen = sum(left) - left[7]
brute = sum(Fraction(left[v - 1], seen) * one_card_then_stand(less(left, v)) for v in others)
p = Fraction(left[7], sum(left))
linear = (one_card_then_stand(left) - p * one_card_then_stand(less(left, 8))) / (1 - p)
assert brute == linear
Markdown(
    f"Removing each of the {len(others)} other values in turn: {float(brute):+.12f}. By linearity, "
    f"from two numbers: {float(linear):+.12f}. As fractions they are **equal**: {linear}."
)

# %% [markdown]
# What is left is bookkeeping: after which *histories* of pair cards and others is a hand played,
# and how often? For at most three hands (`barred`: hands whose own second card must not pair;
# `free`: hands that may keep a pair because there are enough hands already):

# %%
pd.DataFrame(
    [
        {
            "hands so far": hands,
            "pair cards drawn": drawn,
            "others drawn": other,
            "barred": b,
            "free": f,
        }
        for hands, tallies in histories(3).items()
        for (drawn, other), (b, f) in tallies.items()
    ]
)

# %% [markdown]
# The check that counts is against the recursion, which follows every card of every hand. Two
# eights against a ten, from the same shoe, for two, three and four hands:

# %%
rows = []
for limit in (2, 3, 4):
    rules = Rules(max_split_hands=limit)
    exact = action_value(rules, EIGHTS, (8, 8), 10, Action.SPLIT)
    quick = analyze(rules, EIGHTS).hand([8, 8], 10).unconditional[Action.SPLIT]
    assert abs(float(exact) - quick) < 1e-14
    rows.append(
        {
            "hands at most": limit,
            "recursion, exact": str(exact),
            "as a decimal": f"{float(exact):+.14f}",
            "analyze": f"{quick:+.14f}",
        }
    )
pd.DataFrame(rows).set_index("hands at most")

# %% [markdown]
# ## 5. The last digit: an exact fraction from remainders
#
# Float64 is enough to play and to plan with. For a certificate one wants the fraction itself. Its
# numbers are too long for fast arithmetic; but their *remainders* modulo a prime below $2^{31}$
# are not, and all the formulas above are sums, products and quotients, which work modulo a prime
# just as well. The Chinese remainder theorem puts the pieces together.
#
# In miniature: the dealer's chance to bust with a six up, from one deck. Its denominator divides a
# product known beforehand, so the numerator is a whole number; pretend that we only ever see it
# modulo primes.

# %%
chance = dealer_distribution(Rules(), less(deck.by_value, 6), 6)["bust"]
denominator = perm(51, 12)
numerator = int(chance * denominator)  # what is to be found
modulus, combined, steps = 1, 0, []
for prime in primes_below(2**31):
    remainder = numerator % prime
    combined += modulus * ((remainder - combined) * pow(modulus, -1, prime) % prime)
    modulus *= prime
    steps.append({"prime": prime, "remainder": remainder, "known so far": str(combined)})
    if modulus > denominator:
        break
assert combined == numerator
pd.DataFrame(steps, index=pd.RangeIndex(1, len(steps) + 1, name="step"))

# %%
Markdown(
    f"After {len(steps)} primes the numerator is there, {combined:,}, and the chance is {chance} = "
    f"{float(chance):.10f}. One more prime checks it: {numerator % 998244353} = "
    f"{combined % 998244353} modulo 998,244,353."
)

# %% [markdown]
# `analyze(..., exact=True)` does that for the whole game, splits included:

# %%
single = analyze(Rules(decks=1, max_split_hands=2), exact=True)
exact = single.exact_expected_value
error = float(Fraction(single.expected_value) - exact)
assert abs(error) < 1e-15
Markdown(
    f"One deck, S17, pairs split once: the player's expectation is **{exact}**, "
    f"{float(exact):+.15f} of a bet. The player has the edge by a hair. Float64 was off by less "
    "than $10^{-15}$ of a bet."
)

# %% [markdown]
# ## 6. From tree to table
#
# How much smaller did the problem become?

# %%
sequences = Counter()
stack = [(0, False, 0)]
while stack:  # every order of cards that the dealer can draw, S17
    hard, ace, cards = stack.pop()
    for value in range(1, 11):
        after, has_ace = hard + value, ace or value == 1
        total = after + 10 * (has_ace and after <= 11)
        if total >= 17 and cards + 1 >= 2:
            sequences["bust" if total > 21 else "stands"] += 1
        else:
            stack.append((after, has_ace, cards + 1))
sizes = {
    "orders of a 52-card deck": factorial(52),
    "orders of drawing a hand that is not bust": sum(drawings),
    "dealer's orders of play, S17": sum(sequences.values()),
    "hands in the lattice": lat.size,
    "dealer's finished hands, 17 to 21": len(finished.total),
}
figure = Plot(
    height=2.6, alt="Sizes of the problem: " + "; ".join(f"{k} {v:.3g}" for k, v in sizes.items())
)
ax = axes(figure, "From tree to table", "how many there are; logarithmic")
colours = [MUTED, LOSS, LOSS, GAIN, GAIN]
ax.barh(range(5), [float(size) for size in sizes.values()], color=colours, height=0.66)
ax.set_xscale("log")
ax.set_xlim(1, 1e80)
ax.set_yticks(range(5), labels=list(sizes))
ax.invert_yaxis()
for y, value in enumerate(sizes.values()):
    text = f"{value:,}" if value < 1e9 else f"{value:.2e}"
    ax.text(3.0 * value, y, text, va="center", fontsize=8.5, color=INK)
ax.set_xticks([])
figure

# %% [markdown]
# ## What to take home

# %%
Markdown(
    f"""
* The game is **defined** by a recursion over whole numbers. It is kept in the package to be read,
  and everything faster is tested against it: here {slow} against {fast.expected_value:+.15f}.
* {sum(drawings):,} ways of drawing a hand become {lat.size:,} hands. {sum(sequences.values()):,}
  ways in which the dealer may play become a list of {len(finished.total):,} hands that do not bust,
  made once; the odds of all hands against all upcards are then one matrix product.
* Splits need no simulation and no approximation: only pair cards are ever removed, and “was not a
  pair card” is one minus “was”.
* The same formulas modulo primes give the exact fraction, as a proof of the last digit.

Where to read on: `odds/recursion.py` (the definition), `odds/hands.py`, `odds/dealer.py`,
`odds/play.py`, `odds/split.py`, `odds/exact.py`; the method for splits is explained at the top of
`odds/split.py`.
"""
)
