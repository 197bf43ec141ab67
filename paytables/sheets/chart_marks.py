"""Stars on the cells of a strategy chart that have hands better played otherwise."""

from __future__ import annotations

from paytables.sheets.game_model import ChartGrid, ChartLine, StrategyChart

STAR = "*"


def row_of(hand: str) -> str:
    """The row of the chart that a two-card hand belongs to.

    Example:
        >>> row_of("10,2"), row_of("A,7"), row_of("8,8")
        ('12', 'A,7', '8,8')
    """
    first, second = hand.split(",")
    if first == second or "A" in (first, second):
        return hand
    return str(int(first) + int(second))


def marked_grids(chart: StrategyChart) -> tuple[ChartGrid, ...]:
    """The grids with a star after the code of every cell that has an exception."""
    found = {(row_of(exception.hand), exception.upcard) for exception in chart.exceptions}

    def marked(line: ChartLine) -> ChartLine:
        codes = (
            code + STAR if code and (line.hand, upcard) in found else code
            for code, upcard in zip(line.codes, chart.upcards, strict=True)
        )
        return ChartLine(hand=line.hand, codes=tuple(codes))

    return tuple(
        ChartGrid(title=grid.title, rows=tuple(marked(line) for line in grid.rows))
        for grid in chart.grids
    )
