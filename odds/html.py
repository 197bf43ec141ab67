"""HTML for notebooks: what a result shows where it is the last line of a cell.

Only plain tables and inline colours, so that it reads the same in the light and the dark theme,
with an untrusted notebook's style sheets taken out, and on pages that show notebooks. Every text
is escaped: names come from files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, TypeAlias

from odds.cards import hand_name, value_name

if TYPE_CHECKING:
    from odds.game import GameOdds, HandOdds
    from odds.strategy import Chart

CODE_COLOURS: dict[str, tuple[str, str]] = {
    "H": ("#f4a79d", "#47120b"),
    "S": ("#f6dc7c", "#3d3000"),
    "Dh": ("#8ccbf7", "#062a45"),
    "Ds": ("#bfc4fb", "#1b2065"),
    "P": ("#93d8a4", "#0c3519"),
    "Rh": ("#e3dfda", "#3a3330"),
    "Rs": ("#cfc8d6", "#332a3d"),
    "Rp": ("#c9dccb", "#24382a"),
}
"""Chart code to the colours of its cell and ink. Hues are told apart under the common
colour-blindnesses by lightness as well; ink is at least 7 to 1 against the cell."""

FLOAT64 = "float64, error below 1e-12"
MOST_DIGITS = 24

Cell: TypeAlias = str | int | float | Fraction | None


def text(value: Cell) -> str:
    """A cell's text: whole numbers with separators, fractions short of `MOST_DIGITS` whole.

    Example:
        >>> text(86320), text(Fraction(4, 83)), text(-0.5), text(None)
        ('86,320', '4/83', '-0.5', '')
    """
    if value is None:
        return ""
    if isinstance(value, (bool, str)):
        return str(value)
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, Fraction):
        if value.denominator == 1:
            return f"{value.numerator:,}"
        whole = str(value)
        return whole if len(whole) <= MOST_DIGITS else f"{float(value):.12g}…"
    return f"{value:.6g}"


def percent(value: float | Fraction, digits: int = 4) -> str:
    """A share as a percentage.

    Example:
        >>> percent(Fraction(4, 83))
        '4.8193 %'
    """
    return f"{100 * float(value):.{digits}f} %"


def table(heads: Sequence[str], rows: Iterable[Sequence[Cell]], words: Iterable[int] = (0,)) -> str:
    """A table; all cells are escaped.

    Args:
        heads: One for each column.
        rows: Cells, as many as heads.
        words: The columns that hold words: they are set to the left.

    Example:
        >>> table(["tier", "pays"], [["<b>", Fraction(5, 2)]]).count("&lt;b&gt;")
        1
    """
    left = frozenset(words)
    look = [' style="text-align:left"' if i in left else "" for i in range(len(heads))]
    head = "".join(f"<th{look[i]}>{escape(name)}</th>" for i, name in enumerate(heads))
    body = "".join(
        "<tr>" + "".join(f"<td{look[i]}>{_cell(cell)}</td>" for i, cell in enumerate(row)) + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: Cell) -> str:
    return escape(text(value)).replace(" %", "&nbsp;%")


def facts(figures: Mapping[str, Cell]) -> str:
    """Headline figures as a table of one row."""
    return table(list(figures), [list(figures.values())], ())


def report(title: str, *parts: str, note: str) -> str:
    """A title, tables (HTML already), and the definition under which the figures hold."""
    return (
        f"<div><strong>{escape(title)}</strong>{''.join(parts)}"
        f"<div><small>{escape(note)}</small></div></div>"
    )


def game(odds: GameOdds) -> str:
    """The figures of an analysed game, and its values by upcard."""
    from odds.chart import CHART_UPCARDS

    upcards = [up for up in CHART_UPCARDS if up in odds.value_by_upcard]
    totals = {up: odds.dealer_totals(up) for up in upcards}
    rows = {
        "chance": [percent(odds.upcard_probability[up], 2) for up in upcards],
        "expected value": [f"{odds.value_by_upcard[up]:+.4f}" for up in upcards],
        "dealer busts": [percent(totals[up]["bust"], 2) for up in upcards],
        "dealer blackjack": [percent(totals[up]["blackjack"], 2) for up in upcards],
    }
    return report(
        f"Blackjack from {odds.shoe}: {odds.rules}",
        facts(
            {
                "house edge": percent(odds.house_edge, 6),
                "expected value": f"{odds.expected_value:+.9f}",
                "element of risk": percent(odds.element_of_risk, 6),
                "average action": f"{odds.average_action:.6f}",
            }
            | (
                {"exact expected value": odds.exact_expected_value}
                if odds.exact_expected_value is not None
                else {}
            )
        ),
        table(["upcard", *map(value_name, upcards)], [[name, *row] for name, row in rows.items()]),
        note=f"Per unit of the initial bet, dealer blackjacks included, insurance not; {FLOAT64}. "
        f"Strategy {odds.regime}: {odds.regime_text}. The dealer's odds are from the shoe less the "
        "upcard.",
    )


def hand(odds: HandOdds) -> str:
    """Every action of a hand, best first."""
    ranked = sorted(odds.values, key=lambda action: (action is not odds.best, -odds.values[action]))
    best = odds.values[odds.best]
    rows: list[list[Cell]] = []
    for action in ranked:
        row: list[Cell] = [action.value, f"{odds.values[action]:+.6f}"]
        if odds.conditional:
            row.append(f"{odds.unconditional[action]:+.6f}")
        rows.append([*row, "best" if action is odds.best else f"{odds.values[action] - best:+.6f}"])
    given = ["given no dealer blackjack", "dealer blackjacks included"]
    dealer = [name for name in odds.dealer if odds.dealer[name]]
    kind = "natural" if odds.natural else f"{'soft' if odds.soft else 'hard'} {odds.total}"
    more: dict[str, Cell] = {}
    if odds.probability is not None:
        more["dealt"] = percent(odds.probability)
    if odds.insurance is not None:
        more["insurance, per unit of it"] = f"{odds.insurance:+.6f}"
    if odds.even_money is not None:
        more["even money gains"] = f"{odds.even_money:+.6f}"
    return report(
        f"{hand_name(odds.cards)} against {value_name(odds.upcard)}: {kind}",
        table(["action", *(given if odds.conditional else given[1:]), "against the best"], rows),
        table(
            ["", *more, *(f"dealer {name}" for name in dealer)],
            [["odds", *more.values(), *(percent(odds.dealer[name], 2) for name in dealer)]],
        ),
        note="Expected net result in units of the initial bet, later decisions by the strategy of "
        f"the analysis it is from; {FLOAT64}. The dealer's odds are given this hand"
        + (", before the peek." if odds.conditional else "."),
    )


def chart(drawn: Chart) -> str:
    """The three grids of a strategy chart in colour."""
    from odds.chart import CODES, sections

    grids, used, starred = [], set(), False
    for section in sections(drawn):
        head = "".join(f"<th>{value_name(up)}</th>" for up in drawn.upcards)
        rows = []
        for label, row in section.rows:
            cells = []
            for up in drawn.upcards:
                cell = row.get(up)
                if cell is None:
                    cells.append("<td></td>")
                    continue
                used.add(cell.code)
                starred = starred or bool(cell.exceptions)
                star = "*" if cell.exceptions else ""
                cells.append(f"<td{_colours(cell.code)}>{escape(cell.code)}{star}</td>")
            rows.append(f"<tr><th>{escape(label)}</th>{''.join(cells)}</tr>")
        grids.append(
            f'<div style="margin-right:1.5em"><strong>{escape(section.title)}</strong>'
            f"<table><thead><tr><th></th>{head}</tr></thead><tbody>{''.join(rows)}</tbody>"
            "</table></div>"
        )
    legend = "".join(
        f"<span{_colours(code)}>&nbsp;{escape(code)}&nbsp;</span> {escape(CODES[code])} &nbsp; "
        for code in CODES
        if code in used
    )
    star = "* some two-card hands of the cell are better played otherwise. " if starred else ""
    return (
        f'<div><div style="display:flex;flex-wrap:wrap;align-items:flex-start">{"".join(grids)}'
        f"</div><small>{legend}<br>{star}The best play of two-card hands on average over each "
        "cell, under the rules, shoe and regime of the analysis it is from.</small></div>"
    )


def _colours(code: str) -> str:
    if code not in CODE_COLOURS:
        return ""
    cell, ink = CODE_COLOURS[code]
    return f' style="background-color:{cell};color:{ink};text-align:center"'
