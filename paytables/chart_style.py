"""The look and words of a strategy chart, shared by the terminal and the app."""

from __future__ import annotations

from dataclasses import dataclass

from odds.cards import hand_name, value_name
from odds.chart import Section, sections
from odds.html import CODE_COLOURS
from odds.strategy import Action, Chart

__all__ = [
    "ACTION_CODES",
    "CODE_STYLES",
    "CodeStyle",
    "Section",
    "codes_used",
    "edge_change",
    "hand_name",
    "percent",
    "sections",
    "value_name",
]


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


CODE_STYLES: dict[str, CodeStyle] = {
    code: CodeStyle(*CODE_COLOURS[code], meaning)
    for code, meaning in {
        "H": "hit",
        "S": "stand",
        "Dh": "double, else hit",
        "Ds": "double, else stand",
        "P": "split",
        "Rh": "surrender, else hit",
        "Rs": "surrender, else stand",
        "Rp": "surrender, else split",
    }.items()
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
