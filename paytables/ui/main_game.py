"""The main game page: edge, strategy charts, upcards, hand inspector, readings of the text."""

from __future__ import annotations

from typing import Any

import altair as alt
import streamlit as st

from odds.cards import parse_values
from odds.errors import InputError
from odds.game import HandOdds
from paytables.chart_style import (
    codes_used,
    hand_name,
    percent,
    sections,
    value_name,
)
from paytables.presets import TablePreset
from paytables.readings import ReadingResult, price_readings
from paytables.rule_fields import summarize_rules
from paytables.ui import bet_tables, grids
from paytables.ui.analysis import GameView, edge_of, game_view, hand_odds, progress_bar
from paytables.ui.effects import effects
from paytables.ui.exact_value import exact_fraction
from paytables.ui.par_sheet import game_sheet
from paytables.ui.players import players
from paytables.ui.removal import removal
from paytables.ui.swings import swings
from paytables.ui.table_form import TableChoice, explain, table_form

_UPCARDS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)
_TOTALS = ["17", "18", "19", "20", "21", "blackjack", "bust"]
# one hue from light to dark for totals that rise, apart from it what ends the hand at once
_TOTAL_COLOURS = ["#cfe3f5", "#9cc5e8", "#649fd6", "#3576b8", "#1d5088", "#e0a526", "#8a938f"]
_GAIN, _LOSS = "#1f9d6b", "#d9653b"


def page() -> None:
    """Draw the page."""
    choice = table_form()
    st.html(grids.style(dark=st.context.theme.type == "dark") + bet_tables.style())
    st.title(choice.preset.title, anchor=False)
    # Fixed places: the tabs below would start anew if what stands above them came and went.
    problem, progress = st.container(), st.empty()
    if choice.problem is not None:
        problem.error(
            f"{explain(choice.problem)}. Nothing is lost: the figures below are those of the last "
            "rules that fit together.",
            icon=":material/error:",
        )
    try:
        view = game_view(choice.rules, choice.shoe, choice.strategy, progress)
    except InputError as error:
        problem.error(explain(error), icon=":material/error:")
        return
    _summary(choice, view)
    _more(choice)
    strategy, upcards, hand, swing, people, single, cards, readings = st.tabs(
        [
            "Strategy",
            "Where the edge comes from",
            "Hand inspector",
            "How a round swings",
            "How people play",
            "Effect of each rule",
            "Effects of removal",
            "Readings of the rule text",
        ],
        key="main-game-tabs",
    )
    with strategy:
        _strategy(view)
    with upcards:
        _sources(view)
    with hand:
        _inspector(choice, view)
    with swing:
        swings(choice)
    with people:
        players(choice, view.odds.house_edge)
    with single:
        effects(choice)
    with cards:
        removal(choice)
    with readings:
        _readings(choice, view)


def _more(choice: TableChoice) -> None:
    row = st.container(horizontal=True, gap="small", key="main-game-toolbar")
    with row.popover("Exact fraction", icon=":material/function:"):
        exact_fraction(choice)
    with row.popover("PAR sheet", icon=":material/description:"):
        game_sheet(choice)


def _summary(choice: TableChoice, view: GameView) -> None:
    odds = view.odds
    parts = summarize_rules(choice.rules)
    if odds.shoe.full_decks is None:
        parts[0] = f"{odds.shoe.size} cards left of {parts[0]}"
    st.caption(" · ".join(parts))
    edge, value, risk, action = st.columns(4)
    edge.metric(
        "House edge",
        percent(odds.house_edge),
        border=True,
        help=f"Minus the expected value, per unit of the initial bet: {odds.house_edge!r}. "
        "Dealer blackjacks are included, insurance is not.",
    )
    value.metric(
        "Expected value",
        f"{odds.expected_value:+.8f}",
        border=True,
        help=f"Net result of a round in units of the initial bet: {odds.expected_value!r}",
    )
    risk.metric(
        "Element of risk",
        percent(odds.element_of_risk),
        border=True,
        help="House edge per unit of all bets made, doubles and splits included.",
    )
    action.metric(
        "Average action",
        f"{odds.average_action:.6f}",
        border=True,
        help="Units bet in a round on average: the initial bet, doubles and splits.",
    )
    st.caption(
        f"**{odds.regime}**: {odds.regime_text}. Counts, rules and pays are exact; probabilities "
        "and values are float64 with an error below 1e-12."
    )


def _strategy(view: GameView) -> None:
    hard, soft, pairs = (
        grids.chart_grid(section, view.chart.upcards, view.exceptions)
        for section in sections(view.chart)
    )
    st.html(grids.legend(codes_used(view.chart), starred=bool(view.exceptions)))
    left, right = st.columns(2, gap="medium")
    left.html(hard)
    right.html(soft)
    right.html(pairs)
    with left:
        if view.exceptions:
            listed = [
                f"{hand_name(cards)} v {value_name(up)} **{best.value}**"
                for (cards, up), best in view.exceptions.items()
            ]
            st.caption("\\* Hands that play differently from their cell: " + ", ".join(listed))
        st.caption(
            "Point at a cell for the value of each action: the mean over its two-card hands, "
            "given no dealer blackjack where the dealer has peeked."
        )


def _sources(view: GameView) -> None:
    odds = view.odds
    ups = [up for up in _UPCARDS if up in odds.upcard_probability]
    by_upcard = [
        {
            "upcard": value_name(up),
            "chance": odds.upcard_probability[up],
            "value": odds.value_by_upcard[up],
            "part": odds.upcard_probability[up] * odds.value_by_upcard[up],
        }
        for up in ups
    ]
    by_action = [
        {"first decision": p.name, "share": p.share, "part": p.expected_value} for p in view.parts
    ]
    left, right = st.columns(2, gap="medium")
    with left:
        st.vega_lite_chart(
            _bars(by_upcard, "upcard", "upcard", [value_name(up) for up in ups]),
            alt="Bars: what each upcard adds to the expected value of a round, in percent.",
        )
    with right:
        names = [part.name for part in view.parts]
        st.vega_lite_chart(
            _bars(by_action, "first decision", "first decision", names),
            alt="Bars: what the hands of each first decision add to the expected value.",
        )
    st.caption(
        "Each row of bars adds up to the expected value of a round, "
        f"{100 * odds.expected_value:+.4f} % of the bet."
    )
    _dealer_table(view, ups)


# These charts are Vega-Lite as it is: altair checks every object against its schema, which at each
# rerun took as long as all the rest of the page.
def _bars(rows: list[dict[str, Any]], field: str, title: str, order: list[str]) -> dict[str, Any]:
    return {
        "data": {"values": [{**row, "percent": 100 * row["part"]} for row in rows]},
        "height": 230,
        "title": f"Expected value by {title}, % of the bet",
        "mark": {"type": "bar", "cornerRadius": 2},
        "encoding": {
            "x": _names(field, order),
            "y": {"field": "percent", "type": "quantitative", "title": None},
            "color": {
                "condition": {"test": "datum.percent > 0", "value": _GAIN},
                "value": _LOSS,
            },
            "tooltip": [_shown(field), _shown("percent", "+.5f")],
        },
    }


def _names(field: str, order: list[str]) -> dict[str, Any]:
    axis = {"labelAngle": 0}
    return {"field": field, "type": "nominal", "sort": order, "title": None, "axis": axis}


def _shown(field: str, format: str = "") -> dict[str, Any]:
    """A line of a tooltip."""
    if not format:
        return {"field": field, "type": "nominal"}
    return {"field": field, "type": "quantitative", "format": format}


def _dealer_table(view: GameView, ups: list[int]) -> None:
    odds = view.odds
    rows = [
        {
            "upcard": value_name(up),
            "chance": 100 * odds.upcard_probability[up],
            "player's value": odds.value_by_upcard[up],
            **{total: 100 * view.dealer[up].get(total, 0.0) for total in _TOTALS},
        }
        for up in ups
    ]
    stacked = [
        {"upcard": row["upcard"], "total": total, "chance": row[total], "order": number}
        for row in rows
        for number, total in enumerate(_TOTALS)
    ]
    chart = {
        "data": {"values": stacked},
        "height": 360,
        "title": "Where the dealer ends, by upcard, %",
        "mark": {"type": "bar"},
        "encoding": {
            "y": {
                "field": "upcard",
                "type": "nominal",
                "sort": [value_name(up) for up in ups],
                "title": None,
                "axis": {"labelOverlap": False},
            },
            "x": {
                "field": "chance",
                "type": "quantitative",
                "stack": "zero",
                "title": None,
                "scale": {"domain": [0, 100]},
            },
            "color": {
                "field": "total",
                "type": "nominal",
                "scale": {"domain": _TOTALS, "range": _TOTAL_COLOURS},
                "legend": {"orient": "top", "title": None},
            },
            "order": {"field": "order", "type": "quantitative"},
            "tooltip": [_shown("upcard"), _shown("total"), _shown("chance", ".4f")],
        },
    }
    st.vega_lite_chart(
        chart, alt="Stacked bars: chance of each final total of the dealer by upcard."
    )
    formats = {
        name: st.column_config.NumberColumn(format="%+.6f" if name == "player's value" else "%.4f")
        for name in rows[0]
        if name != "upcard"
    }
    st.dataframe(
        rows,
        hide_index=True,
        column_config=formats,
        alt="By upcard: its chance, the player's value, and the dealer's final totals in percent.",
    )
    st.caption("Chances in %. The dealer's totals are those with only the upcard out of the shoe.")


def _inspector(choice: TableChoice, view: GameView) -> None:
    left, middle, right = st.columns([2, 1, 2], vertical_alignment="bottom")
    typed = left.text_input(
        "Hand",
        "8,8",
        key="hand-cards",
        help="Card values separated by commas, as 8,8 or A,7 or 10,2,4. An ace is A; T, J, Q and "
        "K are tens.",
    )
    ups = [up for up in _UPCARDS if up in view.odds.upcard_probability]
    upcard = middle.selectbox(
        "Upcard",
        ups,
        index=len(ups) - 2 if len(ups) > 1 else 0,
        format_func=value_name,
        key="hand-up",
    )
    try:
        cards = parse_values(typed)
        same_rank = None
        if sorted(cards) == [10, 10] and choice.rules.split_by == "rank":
            same_rank = right.toggle("Two tens of the same rank", True, key="hand-same-rank")
        hand = hand_odds(view, cards, upcard, same_rank)
    except InputError as error:
        st.error(explain(error), icon=":material/error:")
        return
    kind = "blackjack" if hand.natural else f"{'soft' if hand.soft else 'hard'} {hand.total}"
    st.html(grids.cards_row(cards, upcard))
    table, facts = st.columns([3, 2], gap="medium")
    with table:
        st.html(grids.action_table(hand))
        st.caption(
            f"{kind.capitalize()}. "
            + (
                "The dealer has peeked: the first column is given no dealer blackjack."
                if hand.conditional
                else "No peek under this upcard: a dealer blackjack is included."
            )
        )
    with facts:
        _facts(hand, choice)
    chart = {
        "data": {"values": [{"total": t, "chance": 100 * c} for t, c in hand.dealer.items()]},
        "height": 200,
        "title": "The dealer's final total given this hand, %",
        "mark": {"type": "bar", "cornerRadius": 2, "color": "#3576b8"},
        "encoding": {
            "x": _names("total", _TOTALS),
            "y": {"field": "chance", "type": "quantitative", "title": None},
            "tooltip": [_shown("total"), _shown("chance", ".5f")],
        },
    }
    st.vega_lite_chart(chart, alt="Bars: chance of each final total of the dealer given this hand.")


def _facts(hand: HandOdds, choice: TableChoice) -> None:
    if hand.second_best is not None and hand.cost_of_second_best is not None:
        st.metric(
            f"Second best: {hand.second_best.value}",
            f"−{hand.cost_of_second_best:.6f}",
            help="What it costs to play it instead, in units of the bet.",
        )
    lines = []
    if hand.probability:
        lines.append(
            f"Dealt with this upcard in {percent(hand.probability)} of rounds, "
            f"1 in {1 / hand.probability:,.0f}."
        )
    if hand.dealer_blackjack > 0:
        lines.append(f"The dealer has blackjack in {percent(hand.dealer_blackjack)} of them.")
    if hand.insurance is not None:
        lines.append(f"Insurance: {hand.insurance:+.6f} per unit of insurance.")
    if hand.even_money is not None:
        lines.append(f"Even money against waiting: {hand.even_money:+.6f}.")
    if not choice.rules.insurance and hand.upcard == 1:
        lines.append("Insurance is not offered.")
    st.markdown("  \n".join(lines))


def _readings(choice: TableChoice, view: GameView) -> None:
    preset = choice.preset
    key = (preset.name, choice.rules, choice.shoe, choice.strategy)
    number = sum(1 for _ in preset.readings())
    st.markdown(
        f"The text of this table ({preset.source}) leaves {len(preset.assumptions)} things open. "
        f"Each has a reading that is taken (●); {number} other readings (○) can be priced."
    )
    asked = st.button("Price every reading", type="primary", icon=":material/calculate:")
    place = st.empty()
    if asked:
        with progress_bar(place, "Pricing the readings") as tell:
            results = price_readings(
                preset, choice.rules, choice.shoe, choice.strategy, progress=tell, edge=edge_of
            )
        st.session_state["priced"] = (key, results)
    priced: list[ReadingResult] | None = None
    if "priced" in st.session_state:
        known_key, known = st.session_state["priced"]
        priced = known if known_key == key else None
        if priced is None:
            st.caption("The table has changed since its readings were priced.")
    if priced is not None:
        _readings_chart(priced, view.odds.house_edge)
    _assumptions(preset, view.odds.house_edge, priced)
    if preset.notes:
        with st.expander("Also in the text, without effect on the edge"):
            st.markdown("\n".join(f"- {note}" for note in preset.notes))


def _readings_chart(priced: list[ReadingResult], base: float) -> None:
    rows = [
        {
            "reading": f"{result.assumption.topic}: {result.reading.reading}",
            "change": 100 * (result.house_edge - base),
            "edge": 100 * result.house_edge,
        }
        for result in priced
        if result.house_edge is not None
    ]
    bars = alt.Chart(
        alt.InlineData(values=rows), title="Change of the house edge by reading, percentage points"
    )
    chart = bars.mark_bar(cornerRadius=2, height=11).encode(
        y=alt.Y("reading:N", sort="x", title=None, axis=alt.Axis(labelLimit=260)),
        x=alt.X("change:Q", title=None),
        color=alt.condition(alt.datum.change > 0, alt.value(_LOSS), alt.value(_GAIN)),
        tooltip=[
            "reading:N",
            alt.Tooltip("edge:Q", title="house edge, %", format=".5f"),
            alt.Tooltip("change:Q", format="+.5f"),
        ],
    )
    st.altair_chart(chart, alt="Bars: how each other reading changes the house edge.")


def _assumptions(preset: TablePreset, base: float, priced: list[ReadingResult] | None) -> None:
    columns = st.columns(2, gap="medium")
    for number, assumption in enumerate(preset.assumptions):
        with columns[number % 2].container(border=True):
            st.markdown(f"**{assumption.topic}**")
            st.caption(assumption.gap)
            st.html(grids.readings_rows(assumption, base, priced))
            if assumption.remark:
                st.caption(f"*{assumption.remark}*")
