"""The look and words of a strategy chart, shared by the terminal and the app."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from odds.strategy import Action, Chart, ChartCell


@dataclass(frozen=True, slots=True)
class CodeStyle:
    """How a chart code is shown.

    Attributes:
        background: Colour of the cell, light enough for dark text on either theme.
        ink: Colour of its text; at least 7 to 1 against the background.
        meaning: What the code says.
    """

    background: str
    ink: str
    meaning: str


# Hues are told apart under the common colour-blindnesses by lightness as well; the letter in
# every cell says the same without any colour.
CODE_STYLES: dict[str, CodeStyle] = {
    "H": CodeStyle("#f4a79d", "#47120b", "hit"),
    "S": CodeStyle("#f6dc7c", "#3d3000", "stand"),
    "Dh": CodeStyle("#8ccbf7", "#062a45", "double, else hit"),
    "Ds": CodeStyle("#bfc4fb", "#1b2065", "double, else stand"),
    "P": CodeStyle("#93d8a4", "#0c3519", "split"),
    "Rh": CodeStyle("#e3dfda", "#3a3330", "surrender, else hit"),
    "Rs": CodeStyle("#cfc8d6", "#332a3d", "surrender, else stand"),
    "Rp": CodeStyle("#c9dccb", "#24382a", "surrender, else split"),
}
"""Chart codes in legend order."""

ACTION_CODES: dict[Action, str] = {
    Action.HIT: "H",
    Action.STAND: "S",
    Action.DOUBLE: "Dh",
    Action.SPLIT: "P",
    Action.SURRENDER: "Rh",
}
"""The chart code whose colour an action takes where it stands alone."""


def value_name(value: int) -> str:
    """A card value as people write it: A, 2, ..., 9, 10.

    Example:
        >>> value_name(1), value_name(10)
        ('A', '10')
    """
    return "A" if value == 1 else str(value)


def hand_name(cards: tuple[int, ...]) -> str:
    """A hand as people write it, ace first and then from the highest card.

    Example:
        >>> hand_name((10, 1)), hand_name((6, 10))
        ('A,10', '10,6')
    """
    order = sorted(cards, key=lambda value: (value != 1, -value))
    return ",".join(value_name(value) for value in order)


@dataclass(frozen=True, slots=True)
class Section:
    """One of the three grids of a chart: its title and rows from top to bottom."""

    title: str
    rows: tuple[tuple[str, Mapping[int, ChartCell]], ...]


def sections(chart: Chart) -> Iterator[Section]:
    """Hard totals, soft totals and pairs, strongest hands first, with row labels."""
    hard = [(str(total), chart.hard[total]) for total in sorted(chart.hard, reverse=True)]
    soft = [(f"A,{total - 11}", chart.soft[total]) for total in sorted(chart.soft, reverse=True)]
    order = sorted(chart.pairs, key=lambda value: 11 if value == 1 else value, reverse=True)
    pairs = [(f"{value_name(v)},{value_name(v)}", chart.pairs[v]) for v in order]
    yield Section("Hard totals", tuple(hard))
    yield Section("Soft totals", tuple(soft))
    yield Section("Pairs", tuple(pairs))


def codes_used(chart: Chart) -> list[str]:
    """The codes that occur in a chart, in legend order."""
    used = {
        cell.code for section in sections(chart) for _, row in section.rows for cell in row.values()
    }
    return [code for code in CODE_STYLES if code in used] + sorted(used - set(CODE_STYLES))


def percent(value: float, digits: int = 4) -> str:
    """A share as a percentage.

    Example:
        >>> percent(0.0040287)
        '0.4029 %'
    """
    return f"{100 * value:.{digits}f} %"


def edge_change(change: float) -> str:
    """A change of the edge in percentage points, honest about what float64 can tell.

    Example:
        >>> edge_change(0.00125), edge_change(-3e-9), edge_change(2e-15)
        ('+0.1250', '-3e-07', 'none')
    """
    points = 100 * change
    if abs(points) < 1e-10:
        return "none"
    return f"{points:+.4f}" if abs(points) >= 5e-5 else f"{points:+.0e}"
