"""Effects of removal of the main game: what each card out of the shoe does, and counts."""

from __future__ import annotations

import altair as alt
import streamlit as st

from paytables.chart_style import value_name
from paytables.ui import bet_tables, computations, counting_jobs, counting_view
from paytables.ui.asked import computed
from paytables.ui.bet_charts import GAIN, LOSS
from paytables.ui.swings import signed
from paytables.ui.table_form import TableChoice, explain
from paytables.vulnerability import Vulnerability

_PLAYED = {True: "its own best strategy", False: "the strategy of the full shoe"}
_ORDER = (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)


def removal(choice: TableChoice) -> None:
    """Draw the tab."""
    st.markdown(
        "What one card less of each value does to the player's expectation, and how well a count "
        "of integer tags tracks it: how much the game is worth to a counter."
    )
    reoptimise: bool = st.radio(
        "The shoe without the card is played by",
        list(_PLAYED),
        format_func=_PLAYED.__getitem__,
        horizontal=True,
        key="removal-played",
        persist_state="session",
    )
    found: computations.Removal | None = computed(
        "main-removal",
        "Compute the effects",
        "Effects of removal",
        computations.removal,
        choice.rules,
        choice.shoe,
        reoptimise,
        explain=explain,
    )
    if found is not None:
        _show(found)
    _counter(choice)


def _counter(choice: TableChoice) -> None:
    st.markdown(
        "**A counter at this table**: flat bets of one unit at the trigger, nothing below, the "
        "strategy of the full shoe."
    )
    asked = counting_view.form("main-counting", suits=False)
    if choice.shoe is not None:
        st.caption("For whole decks; cards out of the shoe and custom counts are not part of it.")
    title = choice.preset.title
    found: Vulnerability | None = computed(
        "main-counting",
        "Compute the vulnerability",
        "Counting",
        counting_jobs.of_game,
        choice.rules,
        title if choice.rules == choice.preset.rules else f"{title}, changed",
        asked.system,
        asked.level,
        asked.cards,
        explain=explain,
    )
    if found is not None:
        counting_view.show(found, effects=False)


def _show(found: computations.Removal) -> None:
    left, right = st.columns(2, gap="medium")
    with left:
        _chart(found)
    with right:
        _tables(found)
    size = sum(found.effects.counts.values())
    st.caption(
        f"From a shoe of {size} cards whose expectation is {found.effects.base:+.8f}, under CDZ- "
        "decisions; float64, error below 1e-12. The betting correlation is that of tags and "
        "effects over the cards of the shoe; 1 would be a perfect count. “Best to ±2” has the "
        "highest one of all balanced tags up to 2 that rise with the effect."
    )


def _values(found: computations.Removal) -> list[int]:
    return [value for value in _ORDER if value in found.effects.effects]


def _chart(found: computations.Removal) -> None:
    rows = [
        {"card": value_name(value), "points": 100 * found.effects.effects[value]}
        for value in _values(found)
    ]
    chart = (
        alt.Chart(
            alt.InlineData(values=rows),
            height=300,
            title="Effect of one such card less, points",
        )
        .mark_bar(cornerRadius=2)
        .encode(
            x=alt.X("card:N", sort=None, title=None, axis=alt.Axis(labelAngle=0)),
            y=alt.Y("points:Q", title=None),
            # gains of the player in the colour of gains: green lowers the house edge
            color=alt.condition(alt.datum.points > 0, alt.value(GAIN), alt.value(LOSS)),
            tooltip=["card:N", alt.Tooltip("points:Q", format="+.6f")],
        )
    )
    words = ", ".join(f"{row['card']} {row['points']:+.4f}" for row in rows)
    st.altair_chart(chart, alt=f"Bars: effect of removing each card, in percent: {words}.")


def _tables(found: computations.Removal) -> None:
    names = list(found.counts)
    rows = [
        (
            value_name(value),
            signed(f"{100 * found.effects.effects[value]:+.5f}"),
            *(_tag(found.counts[name].tags[value]) for name in names),
        )
        for value in _values(found)
    ]
    correlation = (f"{found.counts[name].correlation:.4f}" for name in names)
    rows.append(("betting correlation", "", *correlation))
    balanced = ("yes" if found.counts[name].balanced else "no" for name in names)
    rows.append(("balanced", "", *balanced))
    st.html(
        bet_tables.rows_table(
            "Effects of removal, percentage points, and tags", ("card", "effect", *names), rows
        )
    )


def _tag(tag: int) -> str:
    return signed(f"{tag:+d}") if tag else "0"
