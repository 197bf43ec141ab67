"""A chart by total as colour grids, with the cells marked that differ from another chart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

import streamlit as st

from odds.chart import CHART_UPCARDS
from odds.total_strategy import HARD_TOTALS, SOFT_TOTALS, TotalStrategy
from paytables.chart_style import CODE_STYLES, value_name

Row = Mapping[int, str]

STYLE = """<style>
.pt-grid td.pt-differs-cell{box-shadow:inset 0 0 0 2px currentColor}
.st-key-own-chart textarea{font:.78rem/1.5 ui-monospace,"DejaVu Sans Mono",monospace!important;
  white-space:pre!important;overflow-x:auto}
</style>"""

# rows that a chart usually leaves out, shown only where they say something else
_USUAL = {("hard", 4): "H", ("hard", 20): "S", ("hard", 21): "S", ("soft", 12): "H"}
_USUAL[("soft", 21)] = "S"


def cell_names() -> Iterator[tuple[str, int, str]]:
    """(Section, key, label) of every row of a chart, in the order in which it is printed.

    A label says the whole: ``hard 16``, ``A,7`` or ``pair 8,8``.
    """
    for total in reversed(HARD_TOTALS):
        yield "hard", total, f"hard {total}"
    for total in reversed(SOFT_TOTALS):
        yield "soft", total, f"A,{total - 11}" if total > 12 else "A,A not split"
    for value in (1, 10, 9, 8, 7, 6, 5, 4, 3, 2):
        yield "pairs", value, f"pair {value_name(value)},{value_name(value)}"


def row_of(chart: TotalStrategy, section: str, key: int) -> Row:
    """A row of the chart: upcard value to code."""
    rows: Mapping[int, Row] = getattr(chart, section)
    return rows[key]


def grids_of(chart: TotalStrategy, other: TotalStrategy | None = None) -> dict[str, str]:
    """The grids ``hard``, ``soft`` and ``pairs``; cells that differ from ``other`` are outlined."""
    bodies: dict[str, list[str]] = {"hard": [], "soft": [], "pairs": []}
    for section, key, label in cell_names():
        row = row_of(chart, section, key)
        usual = _USUAL.get((section, key))
        if usual is not None and set(row.values()) == {usual}:
            continue
        cells = []
        for up in CHART_UPCARDS:
            tip, kind = f"{label} against {value_name(up)}: {_meaning(row[up])}", ""
            if other is not None and (theirs := row_of(other, section, key)[up]) != row[up]:
                tip += f"\nthe best chart: {_meaning(theirs)}"
                kind = " pt-differs-cell"
            shown = escape(tip, quote=True)
            cells.append(
                f'<td class="pt-{row[up]}{kind}" data-tip="{shown}" aria-label="{shown}">'
                f"{row[up]}</td>"
            )
        head = label.removeprefix("hard ").removeprefix("pair ")
        bodies[section].append(f'<tr><th scope="row">{head}</th>{"".join(cells)}</tr>')
    return {
        section: _grid(title, bodies[section])
        for section, title in (
            ("hard", "Hard totals"),
            ("soft", "Soft totals"),
            ("pairs", "Pairs"),
        )
    }


def codes_in(chart: TotalStrategy) -> list[str]:
    """The codes that the chart has, in legend order."""
    rows = (row for part in (chart.hard, chart.soft, chart.pairs) for row in part.values())
    used = {code for row in rows for code in row.values()}
    return [code for code in CODE_STYLES if code in used]


def _meaning(code: str) -> str:
    return CODE_STYLES[code].meaning


def _grid(title: str, rows: list[str]) -> str:
    head = "".join(f'<th scope="col">{value_name(up)}</th>' for up in CHART_UPCARDS)
    return (
        f'<table class="pt-grid"><caption>{title}</caption><thead><tr><th scope="row"></th>{head}'
        f"</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )


def show(parts: Mapping[str, str]) -> None:
    """Put the three grids on the page."""
    left, right = st.columns(2, gap="medium")
    left.html(parts["hard"])
    right.html(parts["soft"])
    right.html(parts["pairs"])
