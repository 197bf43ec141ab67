"""A chart by total of the user's own: typed, changed cell by cell or uploaded, and priced."""

from __future__ import annotations

from typing import Any

import streamlit as st

from odds.chart import CHART_UPCARDS
from odds.errors import InputError
from odds.total_strategy import TOTAL_CODES, TotalStrategy
from paytables.chart_style import CODE_STYLES, edge_change, percent, value_name
from paytables.toml_text import MAX_FILE_BYTES
from paytables.ui import code_grid, grids
from paytables.ui.analysis import engine_lock
from paytables.ui.asked import kept
from paytables.ui.table_form import TableChoice, explain
from paytables.ui.table_link import CHART, MAX_CHART
from paytables.ways import chart_edge, chart_toml, parse_chart

MAX_STEPS = 50
"""Texts that can be had back."""

# the text itself is under `CHART`, with the entries of the table, so that it is kept as they are
_LAST, _PAST, _GOOD, _NOTE, _ASKED = (
    f"own-chart-{name}" for name in ("last", "past", "good", "note", "asked")
)
_EXAMPLE = """[hard]
"4-11" = "H H H H H H H H H H"
"12-16" = "S S S S S H H H H H"
"17-21" = "S S S S S S S S S S"
[soft]
"12-17" = "H H H H H H H H H H"
"18-21" = "S S S S S S S S S S"
[pairs]
A = "P P P P P P P P P P"
8 = "P P P P P P P P P P"
"""


def own_chart(choice: TableChoice, edge: float, best: TotalStrategy | None) -> None:
    """Draw the part.

    Args:
        choice: The table.
        edge: The house edge under the strategy of the page.
        best: The best chart by total, where it is known.
    """
    st.html(code_grid.STYLE)
    with st.expander("A chart of your own", key="own-chart-part", icon=":material/grid_on:"):
        _buttons(best)
        left, right = st.columns([2, 3], gap="medium")
        with left:
            st.text_area(
                "The chart as text",
                key=CHART,
                height=420,
                max_chars=MAX_CHART,
                placeholder=_EXAMPLE,
                on_change=_typed,
                help="The format of `paytables play --chart`: a row of ten codes for the upcards "
                "2 to 10 and ace. "
                + " ".join(f"**{code}** {look.meaning}." for code, look in CODE_STYLES.items()),
            )
            text: str = st.session_state[CHART]
            st.session_state[_LAST] = text
            chart = _read(text)
            if chart is None:
                return
            _price(choice, chart, edge)
            _cell_form(chart)
        with right:
            st.html(grids.legend(code_grid.codes_in(chart), starred=False))
            for grid in code_grid.grids_of(chart, best).values():
                st.html(grid)
            if best is not None:
                st.caption("Cells with a frame differ from the best chart by total.")


def _buttons(best: TotalStrategy | None) -> None:
    note = st.session_state.pop(_NOTE, None)
    if note is not None:
        st.error(note, icon=":material/error:")
    past = st.session_state.setdefault(_PAST, [])
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        st.button(
            "Start from the best chart",
            icon=":material/grid_on:",
            key="own-chart-begin",
            disabled=best is None,
            help="Compute how people play first." if best is None else None,
            on_click=_set,
            args=(None if best is None else chart_toml(best),),
        )
        st.button(
            "Undo",
            icon=":material/undo:",
            key="own-chart-undo",
            disabled=not past,
            on_click=_undo,
            help=f"{len(past)} changes of the text can be undone",
        )
        st.download_button(
            "Download",
            st.session_state[CHART],
            file_name="chart.toml",
            mime="application/toml",
            icon=":material/download:",
            key="own-chart-download",
            disabled=not st.session_state[CHART],
            on_click="ignore",
            help="`paytables play --chart` reads it.",
        )
        with st.popover("Open a file", icon=":material/upload_file:"):
            st.file_uploader(
                "A chart as TOML",
                type="toml",
                key="own-chart-upload",
                on_change=_upload,
                max_upload_size=1,
                help=f"At most {MAX_FILE_BYTES // 1000} kB. Undo brings the text of before back.",
            )


def _read(text: str) -> TotalStrategy | None:
    """The chart in the text, or the last one that could be read; what is wrong is told."""
    if not text.strip():
        st.session_state.pop(_GOOD, None)
        return None
    try:
        chart = parse_chart(text, "your chart")
    except InputError as error:
        good: TotalStrategy | None = st.session_state.get(_GOOD)
        st.error(
            f"{explain(error)}."
            + ("" if good is None else " What is shown is the last chart that could be read."),
            icon=":material/edit_note:",
        )
        return good
    st.session_state[_GOOD] = chart
    return chart


def _price(choice: TableChoice, chart: TotalStrategy, edge: float) -> None:
    key = ("own-chart", choice.rules, choice.shoe, chart_toml(chart))
    found: float | None = kept().get(key)
    asked = st.session_state.pop(_ASKED, False)
    if found is None and asked:
        with engine_lock():
            found = chart_edge(choice.rules, chart, choice.shoe)
        kept().put(key, found)
    if found is None:
        st.caption("Not priced for this table yet.")
        st.button(
            "Price this chart", icon=":material/calculate:", key="own-chart-price", on_click=_ask
        )
        return
    st.metric(
        "House edge by this chart",
        percent(found),
        delta=f"{edge_change(found - edge)} points against {choice.strategy}",
        delta_color="off",
        delta_arrow="off",
        border=True,
        help=f"When every hand, split hands too, is played by the chart: {found!r}, float64, "
        "insurance apart.",
    )


def _rows() -> dict[str, tuple[str, int]]:
    return {label: (section, key) for section, key, label in code_grid.cell_names()}


def _cell_form(chart: TotalStrategy) -> None:
    rows = _rows()
    st.markdown("**Change a cell**")
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        label = st.selectbox("Hand", list(rows), key="own-chart-row", width=150)
        up = st.selectbox(
            "Upcard", CHART_UPCARDS, format_func=value_name, key="own-chart-up", width=100
        )
        section, key = rows[label]
        now = code_grid.row_of(chart, section, key)[up]
        codes = list(CODE_STYLES) if section == "pairs" else list(TOTAL_CODES)
        code_key = f"own-chart-code-{section}-{key}-{up}-{now}"
        code = st.selectbox(
            "Play",
            codes,
            index=codes.index(now),
            format_func=lambda code: f"{code} · {CODE_STYLES[code].meaning}",
            key=code_key,
            width=260,
        )
        st.button(
            "Change",
            icon=":material/check:",
            key="own-chart-change",
            disabled=code == now,
            on_click=_change,
            args=(code_key,),
        )


def _change(code_key: str) -> None:
    # the entries of now: the text or the cell may have been changed just before the click
    state = st.session_state
    section, key = _rows()[state["own-chart-row"]]
    up, code = state["own-chart-up"], state[code_key]
    try:
        chart = parse_chart(state[CHART], "your chart")
        parts: dict[str, Any] = {
            name: dict(getattr(chart, name)) for name in ("hard", "soft", "pairs")
        }
        parts[section][key] = {**parts[section][key], up: code}
        _set(chart_toml(TotalStrategy(chart.name, **parts)))
    except InputError as error:
        state[_NOTE] = f"The cell was not changed: {explain(error)}. The text is as it was."


def _ask() -> None:
    st.session_state[_ASKED] = True


def _remember(text: str) -> None:
    past: list[str] = st.session_state.setdefault(_PAST, [])
    st.session_state[_PAST] = [*past, text][-MAX_STEPS:]


def _typed() -> None:
    _remember(st.session_state.get(_LAST, ""))
    _ask()


def _set(text: str) -> None:
    if text != st.session_state[CHART]:
        _remember(st.session_state[CHART])
        st.session_state[CHART] = text
    _ask()


def _undo() -> None:
    past = st.session_state[_PAST]
    if past:
        st.session_state[CHART] = past[-1]
        st.session_state[_PAST] = past[:-1]
        _ask()


def _upload() -> None:
    file = st.session_state["own-chart-upload"]
    if file is None:
        return
    try:
        _set(text_of_file(file.getvalue()))
    except InputError as error:
        st.session_state[_NOTE] = (
            f"{file.name[:60]} was not opened: {explain(error)}. The chart is as it was."
        )


def text_of_file(data: bytes) -> str:
    """The text of an uploaded chart; one too long to be kept is written anew without comments.

    Raises:
        InputError: It is too large, not in UTF-8, or no chart.
    """
    if len(data) > MAX_FILE_BYTES:
        raise InputError("chart", f"{len(data):,} bytes", f"a file of at most {MAX_FILE_BYTES:,}")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError("chart", "not UTF-8", "a text file in UTF-8") from None
    chart = parse_chart(text, "chart")
    return text if len(text) <= MAX_CHART else chart_toml(chart)
