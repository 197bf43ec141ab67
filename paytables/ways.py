"""Ways of playing one game, with the house edge under each; charts of one's own as text."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from odds.basic_strategy import BasicStrategy, insurance_cost, weak_strategies
from odds.errors import InputError
from odds.game import analyze
from odds.rules import Rules
from odds.shoe import Shoe
from odds.total_strategy import TotalStrategy
from paytables.toml_text import parse_toml, read_text


class Way(NamedTuple):
    """A way of playing.

    Attributes:
        name: What it is called.
        text: What it is.
        house_edge: The edge under it, float64, per unit of the initial bet; what insurance costs
            is in it only where the way insures.
    """

    name: str
    text: str
    house_edge: float


def ways_of_playing(
    rules: Rules, found: BasicStrategy, own: TotalStrategy | None = None, shoe: Shoe | None = None
) -> list[Way]:
    """The house edge under the best play, the best chart and common weak ones, the best first.

    Args:
        rules: The table.
        found: Its best chart by total.
        own: A chart to list with them.
        shoe: The cards that ``found`` is for; a fresh shoe if None.

    Example:
        >>> from odds.basic_strategy import basic_strategy
        >>> game = Rules(decks=1, max_split_hands=1, max_split_hands_aces=1)
        >>> [way.name for way in ways_of_playing(game, basic_strategy(game))][:2]
        ['CDZ-', 'basic']
    """
    edge = found.odds.house_edge
    ways = [
        Way("CDZ-", "best play by the cards of the hand", edge - found.cost),
        Way("basic", "the best chart by total: no single cell can be improved", edge),
    ]
    if rules.insurance:
        text = "the best chart by total, and insurance for half the bet whenever it is offered"
        ways.append(Way("always-insure", text, edge + insurance_cost(found.odds)))
    charts = dict(weak_strategies(rules, found.chart))
    if rules.surrender == "none":
        del charts["no-surrender"]
    if own is not None:
        charts[own.name] = ("the chart given", own)
    for name, (text, chart) in charts.items():
        ways.append(Way(name, text, chart_edge(rules, chart, shoe)))
    return sorted(ways, key=lambda way: way.house_edge)


def chart_edge(rules: Rules, chart: TotalStrategy, shoe: Shoe | None = None) -> float:
    """The house edge when every hand is played by the chart; float64, insurance apart.

    Args:
        rules: The table.
        chart: The chart; what it wants and the rules forbid is replaced as its codes say.
        shoe: The cards; a fresh shoe if None.
    """
    return analyze(rules, shoe, chart.decisions(rules)).house_edge


def parse_chart(text: str, name: str = "chart") -> TotalStrategy:
    r"""A chart by total from TOML with the tables ``hard``, ``soft`` and ``pairs``.

    Args:
        text: The TOML text; rows are as `TotalStrategy.parse` takes them.
        name: What to call the chart, and its errors.

    Raises:
        InputError: No TOML, too large, or a bad chart.

    Example:
        >>> rows = ('"4-11" = "H H H H H H H H H H"', '"12-21" = "S S S S S S S S S S"')
        >>> text = "\n".join(("[hard]", *rows, "[soft]", *rows[1:]))
        >>> parse_chart(text, "stands on stiff").hard[12][7]
        'S'
    """
    table = parse_toml(text, name)
    if not all(isinstance(section, dict) for section in table.values()):
        raise InputError("chart", name, "the tables hard, soft and pairs only")
    return TotalStrategy.parse(name, table)


def read_chart(path: Path) -> TotalStrategy:
    """A chart by total from a file; see `parse_chart`.

    Raises:
        InputError: No such file, no TOML, too large, or a bad chart.
    """
    return parse_chart(read_text(path, "chart"), f"chart {path.name}")


def chart_toml(chart: TotalStrategy) -> str:
    """The chart as text that `parse_chart` reads."""
    lines = ["# codes for the upcards 2 3 4 5 6 7 8 9 10 A"]
    for section, rows in chart.rows().items():
        lines += ["", f"[{section}]", *(f'{key} = "{row}"' for key, row in rows.items())]
    return "\n".join(lines) + "\n"
