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
# # First steps
#
# A casino game has a price. The player never sees it: it is hidden in the rules and the pays. This
# notebook finds the price of a blackjack table and of a side bet, shows how the table should be
# played, and hands the numbers over to pandas. It needs no knowledge of blackjack beyond "come
# nearer to 21 than the dealer", and takes a few seconds to run.
#
# Everything here is *computed*, not simulated: all the ways in which the cards can fall are
# counted.

# %%
import numpy as np
import pandas as pd
from IPython.display import Markdown
from matplotlib.colors import LinearSegmentedColormap

from odds import Action, Rules, analyze
from paytables.bets import load_paytable
from paytables.frames import to_pandas
from paytables.metrics import by_decks, evaluate
from paytables.plot_style import GAIN, INK, LOSS, MUTED, Plot, axes, name_axes
from paytables.plots import plot
from paytables.rule_effects import rule_effects

pd.set_option("display.precision", 4)

# %% [markdown]
# ## The price of a table
#
# Rules in, odds out. `Rules()` is a common table; whatever differs is named. Here the player may
# also give up half the bet after seeing the first cards (*late surrender*).

# %%
table = analyze(Rules(decks=6, surrender="late"))
table

# %% [markdown]
# The **house edge** is what the player loses on average for each unit of the first bet, if every
# decision is the best one. The small print under the table says what is counted: that is part of
# the number. The **element of risk** divides the same loss by *all* the money that goes on the
# table, doubled and split bets included.
#
# What does that mean for an evening?

# %%
bet, rounds = 10, 80 * 4  # ten dollars a round, eighty rounds an hour, four hours
loss = table.house_edge * bet * rounds
Markdown(
    f"At {bet} dollars a round and {rounds} rounds, a player who makes no mistake pays the house "
    f"**{loss:.2f} dollars** on average, out of {bet * rounds:,} dollars of first bets."
)

# %% [markdown]
# ## How to play
#
# The edge belongs to a strategy: the best one. `plot` draws any result; of an analysed game it
# draws the chart that one would carry to the table. Rows are the player's hand, columns the
# dealer's upcard.

# %%
plot(table)

# %% [markdown]
# ## One hand
#
# The chart shows what is best, not by how much. Take the most disliked hand of all, a ten and a
# six against the dealer's ten.

# %%
sixteen = table.hand([10, 6], upcard=10)
sixteen

# %% [markdown]
# All the actions are bad; surrender is the least bad. A stiff 16 depends on what the dealer shows.
# Below a line is an action's value in units of the bet, given that the dealer has no blackjack:

# %%
UPCARDS = table.chart().upcards
NAMES = ["A" if up == 1 else str(up) for up in UPCARDS]
LOOK = {
    Action.STAND: ("#c99700", "o"),
    Action.HIT: ("#d9653b", "s"),
    Action.SURRENDER: (MUTED, "^"),
}

hands = [table.hand([10, 6], up) for up in UPCARDS]
figure = Plot(
    height=3.4, alt="Value of standing, hitting and surrendering 10,6 against every upcard."
)
ax = axes(figure, "Ten and six: the best of a bad lot", "expected net result, units of the bet")
for action, (colour, marker) in LOOK.items():
    values = [hand.values[action] for hand in hands]
    ax.plot(NAMES, values, color=colour, marker=marker, markersize=5, label=action.value)
ax.legend(frameon=False, fontsize=8.5, labelcolor=INK)
ax.grid(axis="y", color="#dbe3de", linewidth=0.6)
name_axes(ax, x="dealer's upcard")
figure

# %%
gap = {
    name: hand.values[Action.HIT] - hand.values[Action.STAND]
    for name, hand in zip(NAMES, hands, strict=True)
}
first_hit = next(name for name in NAMES if gap[name] > 0)
Markdown(
    f"Standing wins only when the dealer busts, so it is better against the weak upcards and loses "
    f"its lead from {first_hit} on. Against a ten, hitting is worth {gap['10']:.4f} units more "
    f"than standing: the old quarrel over 16 against 10 is about {gap['10']:.1%} of a bet."
)

# %% [markdown]
# ## Where the money is won and lost
#
# Every pair of first cards against every upcard is one row of a DataFrame. `to_pandas` takes every
# result of this package; the columns are explained in its docstring.

# %%
frame = to_pandas(table)
shown = ["probability", "best", "expected_value", "stand", "hit", "double", "split", "surrender"]
frame.loc[(["A,10", "8,8", "10,6"], ["6", "10"]), shown].sort_index()

# %% [markdown]
# Weighing each row's value by its probability gives back the value of the whole game, which is a
# good check on both:

# %%
together = (frame["probability"] * frame["expected_value"]).sum()
f"sum of the rows {together:+.9f}, whole game {table.expected_value:+.9f}"

# %% [markdown]
# The same numbers as a map: the player's first two cards by total, the dealer's upcard, and the
# value of the best play. Green deals make money, orange ones lose it.

# %%
frame["kind"] = np.where(
    frame["natural"],
    "blackjack",
    np.where(frame["soft"], "soft ", "") + frame["total"].astype(str),
)
frame["weighted"] = frame["probability"] * frame["expected_value"]
sums = frame.reset_index().groupby(["kind", "upcard"])[["weighted", "probability"]].sum()
worth = (sums["weighted"] / sums["probability"]).unstack()[NAMES]
kinds = [str(n) for n in range(4, 21)] + [f"soft {n}" for n in range(12, 21)] + ["blackjack"]
worth = worth.loc[kinds]

figure = Plot(
    height=6.2, alt="Map of the value of the best play for every total against every upcard."
)
ax = axes(
    figure,
    "A map of blackjack",
    "expected net result of the best play, % of the bet, dealer blackjacks included",
)
colours = LinearSegmentedColormap.from_list("worth", [LOSS, "#f7e3da", "white", "#d9efe6", GAIN])
ax.pcolormesh(worth, cmap=colours, vmin=-0.7, vmax=0.7, edgecolor="white", linewidth=0.8)
for y, row in enumerate(worth.to_numpy()):
    for x, value in enumerate(row):
        ax.text(
            x + 0.5,
            y + 0.5,
            f"{100 * value:+.0f}".replace("-", "−"),
            ha="center",
            va="center",
            fontsize=7.5,
            color=INK,
        )
ax.set_xticks(np.arange(10) + 0.5, labels=NAMES)
ax.set_yticks(np.arange(len(kinds)) + 0.5, labels=kinds)
ax.invert_yaxis()
name_axes(ax, x="dealer's upcard", y="player's first two cards")
figure

# %%
gains = frame.loc[frame["expected_value"] > 0]
naturals = frame.loc[frame["natural"]]
Markdown(
    f"The player has the better of it in **{gains['probability'].sum():.1%}** of all deals. "
    f"Blackjacks alone, {naturals['probability'].sum():.2%} of deals, bring "
    f"{naturals['weighted'].sum():+.2%} of a bet a round; rounds against a ten or an ace bring "
    f"{frame.loc[(slice(None), ['10', 'A']), 'weighted'].sum():+.2%}."
)

# %% [markdown]
# ## What a rule is worth
#
# Casinos cannot change the cards, but they change the rules. Each bar is the edge of the same
# table with one rule changed and the best strategy found anew, less the edge above.

# %%
effects = rule_effects(
    table.rules, only=["decks", "hit_soft_17", "blackjack_pays", "double_after_split", "surrender"]
)
plot(effects)

# %%
by_label = {effect.label: effect for effect in effects.effects}
short = by_label["Blackjack pays 6:5"]
others = [effect for effect in effects.effects if effect.rule != "blackjack_pays"]
worst = max(others, key=lambda effect: effect.difference)
Markdown(
    f"Paying blackjacks 6 to 5 instead of 3 to 2 looks like small change. It costs the player "
    f"{100 * short.difference:.2f} points and makes the edge "
    f"**{short.house_edge / table.house_edge:.1f} times** what it was. The dearest change in the "
    f"picture that leaves blackjacks alone is “{worst.label}”, with "
    f"{100 * worst.difference:.2f} points."
)

# %% [markdown]
# ## A side bet
#
# Side bets are settled on a few cards and need no strategy, so their odds are exact fractions.
# *Perfect Pairs* pays if the player's first two cards are a pair: 25 to 1 for the same card twice
# (two queens of spades), 12 to 1 for one colour, 6 to 1 for a red and a black card.

# %%
pairs = evaluate(load_paytable("Perfect Pairs", "25/12/6"), decks=8)
pairs

# %% [markdown]
# One tier can be checked in the head. Whatever the first card is, 415 cards are left in eight
# decks, and 7 of them are the same card again: 7/415. That is what the table says. All the rest is
# the same kind of counting.

# %%
plot(pairs)

# %% [markdown]
# The number of decks matters, since fewer decks hold fewer pairs:

# %%
pairs_by_decks = by_decks(load_paytable("Perfect Pairs", "25/12/6"), decks=range(1, 9))
plot(pairs_by_decks, now=8)

# %%
to_pandas(pairs_by_decks)[["house_edge", "house_edge_exact", "hit_frequency", "standard_deviation"]]

# %% [markdown]
# ## What we have seen

# %%
Markdown(
    f"""
* The six-deck table costs **{table.house_edge:.3%}** of the first bet, if every play is the best.
* Perfect Pairs costs **{float(pairs.edge):.3%}** of its stake on eight decks, exactly {pairs.edge}:
  {float(pairs.edge) / table.house_edge:.0f} times as much, and no skill lowers it.
* On one deck the same paytable costs {float(pairs_by_decks[1].edge):.1%}: a paytable has no edge of
  its own, only one for a number of decks.

Next: `02_the_four_tables` reads real rule texts, and shows what an unclear sentence costs.
"""
)
