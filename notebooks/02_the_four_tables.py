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
# # The four source tables
#
# Four texts describe four blackjack tables. Each was written for players or dealers, none for a
# mathematician, and each leaves something open: how many decks, what a blackjack pays, whether the
# dealer looks for a blackjack before the players act.
#
# This notebook takes the texts one by one. For each it gives the house edge under the reading that
# this package takes, the edge under **every other reading**, one at a time, and the exact odds of
# the side bets that go with the table. What a careless sentence costs is the difference between
# two edges.

# %%
import json
from pathlib import Path

import pandas as pd
from IPython.display import Markdown

from odds import Action, analyze
from odds.simulate import simulate
from paytables.bets import load_paytable
from paytables.frames import to_pandas
from paytables.metrics import by_decks, evaluate, meter_result, shared_meter
from paytables.plot_style import GAIN, INK, LOSS, MUTED, Plot, axes, bars, name_axes, percent_ticks
from paytables.plots import plot
from paytables.presets import load_preset
from paytables.readings import price_readings
from paytables.symbolic import formulas

pd.set_option("display.precision", 5)
pd.set_option("display.max_colwidth", 120)
DATA = Path("../tests/data")  # published figures, and values from another program

# %% [markdown]
# A small helper does the same for each table: analyse it, and price every reading.

# %%
presets, games, prices = {}, {}, {}


def price(name):
    """Analyse a table and price each of its other readings."""
    presets[name] = load_preset(name)
    games[name] = analyze(presets[name].rules)
    prices[name] = price_readings(presets[name], presets[name].rules)


def readings(name):
    """Bars: the edge of every other reading, less that of the reading taken."""
    edge = games[name].house_edge
    known = [found for found in prices[name] if abs(found.house_edge - edge) > 1e-12]
    known.sort(key=lambda found: found.house_edge)
    points = [100 * (found.house_edge - edge) for found in known]
    labels = [f"{found.assumption.topic}: {found.reading.reading}" for found in known]
    labels = [text if len(text) <= 78 else f"{text[:76]}…" for text in labels]
    title = f"{presets[name].title}: what each other reading does to {100 * edge:.4f} %"
    listed = "; ".join(f"{text} {p:+.4f}" for text, p in zip(labels, points, strict=True))
    figure = Plot(width=8.6, height=0.9 + 0.36 * len(points), alt=f"{title}: {listed}.")
    note = "change of the house edge in percentage points; one reading at a time"
    colours = [GAIN if point < 0 else LOSS for point in points]
    bars(figure, title, note, labels, points, [f"{p:+.4f}" for p in points], colours)
    return figure


# %% [markdown]
# ## 1. The Sweet 16 table
#
# A live table. Here is how its text is read, and everything that the text leaves open:

# %%
price("sweet16")
presets["sweet16"]

# %%
games["sweet16"]

# %%
readings("sweet16")

# %% [markdown]
# One open point towers over the rest: what a blackjack pays. The text never says; it does say that
# a player with a blackjack may take *even money* against an ace. That offer makes sense only where
# a blackjack pays more than 1 to 1, which is the reason for reading it as 3 to 2.
#
# ### Its side bet
#
# Sweet 16 wins if the player's first two cards add up to 16. The text says on what the pays
# depend, not what they are; the pays below are those of the cited page.

# %%
sweet = evaluate(load_paytable("Sweet 16"), decks=8)
sweet

# %% [markdown]
# The table of card values is missing from the text. An ace and a five are 16 only if the ace
# counts 11; with the ace as 1 the best tier of the cited paytable could never be hit. So the
# paytable settles how the ace is read.
#
# Since the decks are not named either, here are all the possibilities. The bet hardly cares:

# %%
plot(by_decks(load_paytable("Sweet 16"), [4, 5, 6, 7, 8]), now=8)

# %% [markdown]
# The reason is in the closed form. The number of decks $d$ enters only through the cards that are
# left for the second card:

# %%
forms = formulas(load_paytable("Sweet 16"))
forms.edge

# %% [markdown]
# ## 2. The Super Sevens and Perfect Pairs table
#
# A casino's rule book, of which only chapters 13 and 14 are at hand: the dealer's draw and the
# side bets. How hands are split, doubled and paid was in the missing chapters.

# %%
price("super-sevens")
presets["super-sevens"]

# %%
games["super-sevens"]

# %%
readings("super-sevens")

# %%
tens = {games["super-sevens"].hand([10, 10], up).best for up in range(1, 11)}
Markdown(f"With two tens the best play is always to **{' or '.join(map(str, tens))}**.")

# %% [markdown]
# So one reading does nothing at all: whether a ten and a jack are a pair. Points that do nothing
# are left out of the picture.
#
# ### Super Sevens
#
# The first card must be a seven; the second and the third raise the award. But is there a third
# card? A player who stands on two cards never sees one, and a dealer's blackjack may end the
# round. Three readings, six and eight decks:

# %%
sevens = {
    variant: by_decks(load_paytable("Super Sevens", variant), [6, 8])
    for variant in (
        "third card guaranteed",
        "no card after a dealer blackjack",
        "rules 14.4 and 14.5, as the table plays",
    )
}
guaranteed, _, as_played = sevens.values()
assert all(guaranteed[decks].edge == as_played[decks].edge for decks in (6, 8))
best = {games["super-sevens"].hand([7, 7], up).best for up in range(1, 11)}
assert best == {Action.SPLIT, Action.HIT}
pd.DataFrame(
    {
        (f"{decks} decks", kind): {
            variant: float(found[decks].edge) if kind == "house edge" else str(found[decks].edge)
            for variant, found in sevens.items()
        }
        for decks in (6, 8)
        for kind in ("house edge", "exact")
    }
)

# %% [markdown]
# The first and the last agree to the last digit, and there is a reason: rule 14.5 lets the next
# card settle the bet after a split, the best play of two sevens is always to split or to hit them,
# and at this table no dealer's blackjack comes before the third card. So the text may be taken as
# "the third card is always dealt". The middle row is how the bet stands at tables with a peek.

# %%
plot(sevens["third card guaranteed"][6])

# %%
top = sevens["third card guaranteed"][6].tiers[0]
Markdown(
    f"The top award of 5,000 to 1 comes once in **{float(top.one_in):,.0f}** bets and gives back "
    f"{float(top.contribution):.2%} of all that is staked."
)

# %% [markdown]
# ### Perfect Pairs
#
# Rule 14.8 is as clear as a rule can be, and its pays are in the text: 30, 10 and 5 to 1. Only the
# decks are missing, and this time they matter.

# %%
pairs = by_decks(load_paytable("Perfect Pairs", "30/10/5"), range(4, 9))
plot(pairs, now=6)

# %%
pairs[6]

# %% [markdown]
# ## 3. The Greektown table
#
# A casino in Detroit. The text is a leaflet for players, and a good one, but it does not name the
# decks; and one sentence reaches farther than its author may have meant: *"A two card 21 wins over
# a multi-card [...] 21 in all circumstances."*

# %%
price("greektown")
presets["greektown"]

# %%
games["greektown"]

# %%
readings("greektown")

# %% [markdown]
# The sentence on the two-card 21 is read literally here: an ace and a ten after a split beat a
# dealer's 21 of three or more cards. How that compares with a plain 21 and with a blackjack can be
# seen in the picture. The reading "under an ace only; a blackjack takes the original bet" costs
# nothing: whether the dealer looks before or after, a blackjack then takes the same.
#
# ### Its bonus bets
#
# BET PLAYER and BET DEALER pay 15 to 1 for a blackjack of the player or the dealer. Who bets both
# also wins a meter if the own blackjack is the ace and jack of spades. The meter is not in the
# text, so the edge is a line:

# %%
bonus = evaluate(load_paytable("Bet Player and Bet Dealer"), decks=6, meter=0)
meter = meter_result(bonus)
meter

# %%
plot(meter)

# %% [markdown]
# *"All meter pay off is aggregate in case of duplicate"*: two players with the ace and jack of
# spades share one meter. It happens, but rarely:

# %%
shared = shared_meter(load_paytable("Bet Player and Bet Dealer"), "meter", hands=4, decks=6)
Markdown(
    f"With four hands betting, the meter is won once in **{float(1 / shared.any_winner):,.0f}** "
    f"rounds, and a winner gets {float(shared.expected_share):.4%} of it on average. Without the "
    f"meter, each of the two bets has an edge of {float(meter.base_edge):.2%}."
)

# %% [markdown]
# ## 4. The six-deck game
#
# A game dealt by a computer, reshuffled for every round. Its text is the most exact of the four in
# what it says, and the most surprising in what it does not: no pay for a blackjack, no moment at
# which the house looks at its hidden card, and a surrender that gives half back "at the end of the
# game", apparently even when the house has a blackjack.

# %%
price("six-deck-h17")
presets["six-deck-h17"]

# %%
games["six-deck-h17"]

# %%
readings("six-deck-h17")

# %% [markdown]
# Surrendering *before* a house blackjack is known ("early surrender") is worth a lot: the picture
# shows what it costs to come too late. A good player of this game gives up hands that would be
# played on elsewhere, against an ace even a hard 5:

# %%
plot(games["six-deck-h17"])

# %%
gives_up = {}
for name in ("six-deck-h17", "sweet16"):
    hands = to_pandas(games[name])
    gives_up[name] = hands.loc[hands["best"] == "surrender", "probability"].sum()
Markdown(
    f"It is given up in **{gives_up['six-deck-h17']:.1%}** of all rounds. At the Sweet 16 table, "
    f"whose surrender is late, it is {gives_up['sweet16']:.1%}."
)

# %% [markdown]
# The insurance bet of this text is always half the ante, without odds. At the usual 2 to 1, with
# nothing known but the ace, its edge is

# %%
evaluate(load_paytable("Insurance"), decks=6)

# %% [markdown]
# ## Are these numbers right?
#
# Three checks that share no formula with the analyzer.
#
# **Another program.** Eric Farmer's combinatorial analyzer gives values for two of these games in
# one of their readings: Greektown with a split ace-ten as a plain 21, and the Super Sevens table
# with eight decks.

# %%
rows = []
for name, reading, file in (
    ("greektown", "A plain 21, as at most tables", "hands_c_6d_S17_DAS_spl3_CDZ"),
    ("super-sevens", "Eight decks", "hands_b_8d_S17_DAS_spl3_ENHC_CDZ"),
):
    theirs = -json.loads((DATA / f"{file}.json").read_text())["overall_ev"]
    ours = next(p.house_edge for p in prices[name] if p.reading.reading == reading)
    assert abs(ours - theirs) < 1e-12
    figures = {"ours": f"{ours:.12f}", "theirs": f"{theirs:.12f}"}
    rows.append({"table": presets[name].title, "reading": reading, **figures})
pd.DataFrame(rows).set_index("table")

# %% [markdown]
# **Published edges** of the side bets, to the digits printed (sources in
# `tests/data/side_bets.json`):

# %%
published = json.loads((DATA / "side_bets.json").read_text())
wanted = {
    ("Sweet 16 (TCSJohnHuxley)", "160/16/12/6"): ("Sweet 16", None),
    ("Super Sevens", "standard"): ("Super Sevens", "third card guaranteed"),
    ("Super Sevens", "standard 5000/500/100/50/3"): ("Super Sevens", "third card guaranteed"),
    ("Perfect Pairs", "B 30/10/5"): ("Perfect Pairs", "30/10/5"),
    ("Bonus Blackjack v1 (Riverside; Greektown-type)", "15:1 single side"): (
        "Bet Player and Bet Dealer",
        "Bet Player",
    ),
}
rows = []
for bet in published:
    for variant in bet["variants"]:
        ours = wanted.get((bet["name"], variant["label"]))
        if ours is not None:
            edge = evaluate(load_paytable(*ours), variant["decks"]).edge
            printed = variant["published_house_edge"]
            digits = len(str(printed).partition(".")[2])
            assert abs(float(edge) - printed) <= 0.5 * 10**-digits
            rows.append(
                {
                    "bet": ours[0],
                    "decks": variant["decks"],
                    "printed": f"{printed:.{digits}f}",
                    "exact": str(edge),
                    "as a decimal": float(edge),
                }
            )
pd.DataFrame(rows).set_index(["bet", "decks"]).sort_index()

# %% [markdown]
# **A simulation.** Two million rounds at each table, dealt card by card; the decisions are those
# of the strategy, the odds are not looked at. The bars are 95 % intervals.

# %%
ORDER = ["sweet16", "super-sevens", "greektown", "six-deck-h17"]
seen = {name: simulate(games[name], 2_000_000, seed=16) for name in ORDER}
figure = Plot(height=2.6, alt="Simulated house edges of the four tables with their intervals.")
ax = axes(
    figure,
    "Simulated and computed house edge",
    "% of the initial bet; ring: computed, dot and bar: simulated with its 95 % interval",
)
for row, name in enumerate(ORDER):
    mean, error = -100 * seen[name].mean, 196 * seen[name].mean_standard_error
    ax.plot([mean - error, mean + error], [row, row], color=MUTED, linewidth=1.6)
    ax.plot([mean], [row], "o", color=MUTED, markersize=5)
    ax.plot(
        [100 * games[name].house_edge],
        [row],
        "o",
        markersize=10,
        markerfacecolor="none",
        markeredgecolor=LOSS,
        markeredgewidth=1.6,
    )
ax.set_yticks(range(4), labels=[presets[name].title for name in ORDER])
ax.invert_yaxis()
ax.grid(axis="x", color="#dbe3de", linewidth=0.6)
percent_ticks(ax, "x")
figure

# %%
off = {
    name: (games[name].house_edge + seen[name].mean) / seen[name].mean_standard_error
    for name in ORDER
}
assert all(abs(errors) < 3 for errors in off.values())
Markdown(
    "Off by "
    + ", ".join(f"{abs(errors):.1f} ({presets[name].title})" for name, errors in off.items())
    + " standard errors."
)

# %% [markdown]
# ## What the texts are worth
#
# One picture of all four: the edge under the reading taken, and the whole range of edges that one
# other reading can give.

# %%
figure = Plot(height=3.0, alt="Range of the house edge of the four tables over all readings.")
ax = axes(
    figure,
    "What four texts leave open",
    "house edge, %; ring: the reading taken, dots: every other reading, one at a time",
)
for row, name in enumerate(ORDER):
    edges = [100 * found.house_edge for found in prices[name]]
    ax.plot([min(edges), max(edges)], [row, row], color="#dbe3de", linewidth=6, zorder=1)
    ax.plot(edges, [row] * len(edges), "o", color=INK, markersize=4, alpha=0.75)
    ax.plot(
        [100 * games[name].house_edge],
        [row],
        "o",
        markersize=11,
        markerfacecolor="none",
        markeredgecolor=LOSS,
        markeredgewidth=2,
    )
ax.axvline(0, color=INK, linewidth=0.8)
ax.set_yticks(range(4), labels=[presets[name].title for name in ORDER])
ax.set_ylim(3.6, -0.6)
percent_ticks(ax, "x")
name_axes(ax, x="house edge")
figure

# %%
frame = pd.concat({name: to_pandas(prices[name]) for name in ORDER}, names=["table"])
frame["change"] = frame["house_edge"] - frame.index.get_level_values("table").map(
    {name: games[name].house_edge for name in ORDER}
)
frame["change"].groupby("table").agg(["count", "min", "max"]).loc[ORDER]

# %%
dearest = frame["change"].abs().groupby("table").idxmax()
below = int((frame["house_edge"] < 0).sum())
listed = "\n".join(
    f"* **{presets[name].title}**: {games[name].house_edge:.4%} as read; the dearest open point is "
    f"“{dearest[name][1]}” ({dearest[name][2].rstrip('.').lower()}), worth "
    f"{100 * frame.loc[dearest[name], 'change']:+.2f} points."
    for name in ORDER
)
Markdown(
    f"""
{listed}

{len(frame)} other readings in all; under {below} of them the *player* has the edge. A regulator
who reads one line of a rule text should read the one on what a blackjack pays.

`paytables game NAME --assumptions` prints the same tables on the command line.
"""
)
