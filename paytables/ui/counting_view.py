"""How far counting can beat a bet or a table: form, figures, charts and tables."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import Any

import altair as alt
import streamlit as st

from odds.counting_system import Kind, system_names
from paytables.count_report import rows_of_cards
from paytables.ui import bet_tables
from paytables.ui.bet_charts import GAIN, LINE, LOSS
from paytables.ui.swings import signed
from paytables.vulnerability import (
    CARDS_PER_ROUND,
    Vulnerability,
    VulnerabilityRow,
    interval,
)

_BEST = "best tags of level"
_KINDS: dict[Kind, str] = {"value": "each value", "rank": "each rank", "card": "each card"}
_LEAST_SHARE = 1e-3
_WHO = {"this count": LINE, "best linear count": "#7f6bb5", "perfect play": LOSS}


@dataclass(frozen=True, slots=True)
class Counting:
    """With what is counted.

    Attributes:
        system: The name of a well-known system, or None for the best tags.
        level: The largest of the best tags.
        by: What has a tag of its own among the best tags.
        cards: Cards dealt in a round.
    """

    system: str | None
    level: int
    by: Kind
    cards: float


def form(part: str, *, suits: bool) -> Counting:
    """What to count with; the main game knows no suits."""
    best = [f"{_BEST} {level}" for level in (1, 2, 3, 4)]
    named = [name for name in system_names() if suits or name != "red-black"]
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        chosen: str = st.selectbox(
            "Count with",
            [*best, *named],
            index=2,
            key=f"{part}-system",
            persist_state="session",
            width=210,
            help="The best tags are those whole numbers up to the level whose correlation with the "
            "effects of removal is highest; the others are well-known systems.",
        )
        kind: Kind = "value"
        if suits:
            kind = st.selectbox(
                "Best tags for",
                list(_KINDS),
                index=1,
                format_func=_KINDS.__getitem__,
                key=f"{part}-by",
                persist_state="session",
                width=150,
                disabled=chosen not in best,
            )
        cards = st.number_input(
            "Cards dealt in a round",
            2.0,
            50.0,
            CARDS_PER_ROUND,
            0.1,
            format="%.1f",
            key=f"{part}-cards",
            persist_state="session",
            width=180,
            help="All hands together; 5.4 is one player against the dealer.",
        )
    if chosen in best:
        return Counting(None, best.index(chosen) + 1, kind, cards)
    return Counting(chosen, 3, kind, cards)


def show(found: Vulnerability, *, effects: bool = True) -> None:
    """Draw a result, with the effects of removal or without."""
    _figures(found)
    if found.used is None:
        st.info(
            "Every card has the same effect, 0: no sum of tags tells anything about this bet. Only "
            "knowing more of the cards left than a sum could beat it.",
            icon=":material/info:",
        )
    if effects:
        left, right = st.columns([2, 3], gap="medium")
        with left:
            _effects_chart(found)
        right.html(_effects_table(found))
    left, right = st.columns(2, gap="medium")
    with left:
        _units_chart(found)
    with right:
        _true_counts(found)
    st.html(_places(found))
    with st.expander("What the figures mean"):
        st.markdown("\n".join(f"- {bet_tables.plain(line)}" for line in found.definitions()))


def points(value: float, digits: int = 4) -> str:
    """A signed edge in percent.

    Example:
        >>> points(-0.0123)
        '−1.2300 %'
    """
    return signed(f"{100 * value:+.{digits}f} %")


def _figures(found: Vulnerability) -> None:
    with st.container(horizontal=True, gap="small", key="counting-figures"):
        st.metric(
            "Player's edge off the top",
            points(found.expected),
            border=True,
            help="From the full shoe"
            + ("" if found.offered == 1 else f", when offered: {found.offered:.4%} of rounds")
            + ".",
        )
        if found.used is None:
            return
        st.metric(
            "Betting correlation",
            f"{found.used.correlation:.4f}",
            border=True,
            help=f"Of the tags {found.used.system} with the effects of removal over the cards of "
            "the shoe; 1 would be a perfect count.",
        )
        st.metric(
            "Edge per true count",
            points(found.edge_per_true_count, 3),
            border=True,
            help="By the linear estimate from the effects.",
        )
        middle = _usual(found.rows)
        if middle.betting is not None:
            st.metric(
                "Units per 100 rounds",
                f"{100 * middle.betting.gain:.3f}",
                border=True,
                help=f"Won by a counter with flat bets of one unit, {middle.behind} cards cut off.",
            )


def _usual(rows: tuple[VulnerabilityRow, ...]) -> VulnerabilityRow:
    """The row with about three quarters of the shoe dealt."""
    return min(rows, key=lambda row: abs(row.dealt - 0.75))


def _effects_chart(found: Vulnerability) -> None:
    rows = [
        {"card": names, "points": 100 * (found.effects[cards[0]] or 0.0)}
        for names, cards in rows_of_cards(found)
    ]
    chart = (
        alt.Chart(
            alt.InlineData(values=rows),
            height=60 + 22 * len(rows),
            title="Effect of removing one card, points",
        )
        .mark_bar(cornerRadius=2)
        .encode(
            y=alt.Y("card:N", sort=None, title=None, axis=alt.Axis(labelOverlap=False)),
            x=alt.X("points:Q", title=None),
            color=alt.condition(alt.datum.points > 0, alt.value(GAIN), alt.value(LOSS)),
            tooltip=["card:N", alt.Tooltip("points:Q", format="+.6f")],
        )
    )
    words = ", ".join(f"{row['card']} {row['points']:+.4f}" for row in rows)
    st.altair_chart(chart, alt=f"Bars: change of the player's edge without one card: {words}.")


def _effects_table(found: Vulnerability) -> str:
    exact = None if found.exact_effects is None else found.exact_effects.effects
    heads = ["card", "cards", "effect"] + (["exact"] if exact else [])
    heads += [
        scored.system.name.replace("best of ", "")
        + (" *" if found.used and scored.system == found.used.system else "")
        for scored in found.systems
    ]
    lines = []
    for names, cards in rows_of_cards(found):
        first = cards[0]
        number = sum(found.counts_of_cards[i] for i in cards)
        cell = [escape(names), f"{number}", points(found.effects[first] or 0.0)]
        if exact:
            cell.append(bet_tables.fraction(exact[first] or Fraction(0), 18))
        cell += [_tag(scored.system.tags[first]) for scored in found.systems]
        lines.append(cell)
    last = ["betting correlation", "", "", *([""] if exact else [])]
    lines.append([*last, *(f"{scored.correlation:.4f}" for scored in found.systems)])
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in heads)
    body = "".join(
        "<tr>" + "".join(f"<td>{cell}</td>" for cell in line) + "</tr>" for line in lines
    )
    return (
        '<div class="pt-scroll"><table class="pt-table"><caption>Effects of removal and tags'
        f"</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _tag(tag: int) -> str:
    return signed(f"{tag:+d}") if tag else "0"


def _units_chart(found: Vulnerability) -> None:
    """Units per 100 rounds by place of the cut card: the counter and the ceilings."""
    rows: list[dict[str, Any]] = []
    for row in found.rows:
        place = f"{row.behind} cards"
        gains = [("this count", row.betting.gain if row.betting else None)]
        if row.ceilings is not None:
            gains.append(("best linear count", row.ceilings.linear.gain))
            if row.ceilings.perfect is not None:
                gains.append(("perfect play", row.ceilings.perfect.gain))
        rows += [
            {"cut off": place, "who": who, "units": 100 * gain}
            for who, gain in gains
            if gain is not None
        ]
    shown = [who for who in _WHO if any(row["who"] == who for row in rows)]
    chart = (
        alt.Chart(
            alt.InlineData(values=rows),
            height=300,
            title="Units won per 100 rounds, by what is cut off",
        )
        .mark_bar(cornerRadius=2)
        .encode(
            x=alt.X("cut off:N", sort=None, title=None, axis=alt.Axis(labelAngle=0)),
            xOffset=alt.XOffset("who:N", sort=None),
            y=alt.Y("units:Q", title=None),
            color=alt.Color(
                "who:N",
                sort=None,
                scale=alt.Scale(domain=shown, range=[_WHO[who] for who in shown]),
                legend=alt.Legend(orient="top", title=None),
            ),
            tooltip=["cut off:N", "who:N", alt.Tooltip("units:Q", format=".4f")],
        )
    )
    words = ", ".join(f"{row['who']} {row['cut off']} {row['units']:.3f}" for row in rows)
    st.altair_chart(chart, alt=f"Bars: units won per 100 rounds by cards cut off: {words}.")


def _true_counts(found: Vulnerability) -> None:
    rows = [
        {"true count": f"{each.true_count:+g}", "edge": 100 * each.edge, "share": 100 * each.share}
        for each in found.true_counts
        if each.share >= _LEAST_SHARE
    ]
    if not rows:
        return
    place = found.rows[0].behind
    chart = (
        alt.Chart(
            alt.InlineData(values=rows),
            height=300,
            title=f"Player's edge by true count, % ({place} cards cut off)",
        )
        .mark_bar(cornerRadius=2)
        .encode(
            x=alt.X("true count:N", sort=None, title=None),
            y=alt.Y("edge:Q", title=None),
            color=alt.condition(alt.datum.edge > 0, alt.value(GAIN), alt.value(LOSS)),
            tooltip=[
                "true count:N",
                alt.Tooltip("edge:Q", title="edge, %", format="+.4f"),
                alt.Tooltip("share:Q", title="% of rounds", format=".3f"),
            ],
        )
    )
    words = ", ".join(f"{row['true count']} {row['edge']:+.2f} %" for row in rows)
    st.altair_chart(chart, alt=f"Bars: the player's edge at each true count: {words}.")


def _places(found: Vulnerability) -> str:
    heads = ["cut off", "dealt", "trigger", "bets", "average edge", "units per 100 rounds"]
    simulated = any(row.ceilings is not None for row in found.rows)
    perfect = any(row.ceilings is not None and row.ceilings.perfect for row in found.rows)
    heads += ["best linear count"] if simulated else []
    heads += ["perfect play"] if perfect else []
    lines = []
    for row in found.rows:
        line = [f"{row.behind} cards", bet_tables.percent(row.dealt, 1), *_betting(row)]
        if simulated:
            tops = row.ceilings
            line.append("" if tops is None else _plus_minus(tops.linear.gain, tops.linear.error))
            if perfect:
                best = None if tops is None else tops.perfect
                line.append("" if best is None else _plus_minus(best.gain, best.error))
        lines.append(line)
    name = "" if found.used is None else f", counting with {found.used.system.name}"
    kind = "linear estimate" if found.exactness == "linear" else "exact"
    return bet_tables.rows_table(
        f"Vulnerability{name}: flat bets of one unit ({kind}); ceilings simulated, ± 95 %",
        heads,
        lines,
    )


def _betting(row: VulnerabilityRow) -> list[str]:
    betting = row.betting
    if betting is None:
        return ["", "", "", ""]
    if betting.trigger is None and betting.lower is None:
        return ["never", bet_tables.percent(0, 2), "", "0.000"]
    trigger = [] if betting.trigger is None else [f"≥ {betting.trigger:+g}"]
    trigger += [] if betting.lower is None else [f"< {betting.lower:+g}"]
    return [
        signed(" or ".join(trigger)),
        bet_tables.percent(betting.share, 2),
        points(betting.edge, 3),
        f"{100 * betting.gain:.3f}",
    ]


def _plus_minus(gain: float, error: float) -> str:
    return f"{100 * gain:.3f} ± {100 * interval(error):.3f}"
