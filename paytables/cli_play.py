"""Commands on how a round spreads and on how people play: `spread` and `play`."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from odds.basic_strategy import BasicStrategy, basic_strategy
from odds.chart import CHART_UPCARDS, CODES
from odds.errors import InputError
from odds.game import GameOdds, analyze
from odds.outcomes import RoundOutcomes, round_outcomes
from odds.rules import Rules
from odds.total_strategy import TotalStrategy
from paytables import terminal
from paytables.chart_style import CODE_STYLES, percent
from paytables.presets import load_preset
from paytables.rule_fields import parse_rules
from paytables.ways import Way, chart_toml, read_chart, ways_of_playing

PresetArgument = Annotated[
    str, typer.Argument(metavar="PRESET", help="A preset's name, or the path of a .toml file.")
]


def register(app: typer.Typer) -> None:
    """Add the commands to the app."""
    from paytables.cli import progress_bar, rule_options

    @app.command("spread")
    @rule_options
    def spread(
        preset: PresetArgument,
        strategy: Annotated[str, typer.Option(help="CDZ-, CDP1 or CDP.", metavar="NAME")] = "CDZ-",
        as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
        *,
        changes: Mapping[str, object],
    ) -> None:
        """Standard deviation and distribution of a round's net result."""
        table = load_preset(preset)
        rules = parse_rules(changes, table.rules)
        with progress_bar() as tell:
            odds = analyze(rules, None, strategy)
            outcomes = round_outcomes(odds, tell)
        if as_json:
            sys.stdout.write(json.dumps(spread_dict(odds, outcomes), indent=2) + "\n")
            return
        terminal.print_all(
            Console(highlight=False),
            terminal.header(table.title, rules, odds),
            spread_report(outcomes),
        )

    @app.command("play")
    @rule_options
    def play(
        preset: PresetArgument,
        chart: Annotated[
            Path | None,
            typer.Option(help="A .toml file with a chart by total of your own.", metavar="FILE"),
        ] = None,
        save: Annotated[
            Path | None,
            typer.Option(help="Write the best chart by total to this .toml file.", metavar="FILE"),
        ] = None,
        as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
        *,
        changes: Mapping[str, object],
    ) -> None:
        """The best strategy by total, and the edge against common ways of playing."""
        table = load_preset(preset)
        rules = parse_rules(changes, table.rules)
        own = None if chart is None else read_chart(chart)
        if save is not None and (save.is_dir() or not save.parent.is_dir()):
            raise InputError("save", str(save), "a file in a folder that exists")
        with progress_bar() as tell:
            found = basic_strategy(rules, progress=tell)
            ways = ways_of_playing(rules, found, own)
        if save is not None:
            _write(save, chart_toml(found.chart))
        if as_json:
            sys.stdout.write(json.dumps(play_dict(rules, found, ways), indent=2) + "\n")
            return
        terminal.print_all(
            Console(highlight=False),
            terminal.header(table.title, rules, found.odds),
            play_table(ways),
            chart_table(found.chart if own is None else own),
        )


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError("save", str(path), f"a file to write to ({error.strerror})") from None


def play_table(ways: list[Way]) -> Table:
    """House edges by way of playing."""
    table = terminal.plain_table("House edge by how people play")
    table.add_column("play", style="bold", no_wrap=True)
    table.add_column("house edge", justify="right", no_wrap=True)
    table.add_column("costs", justify="right", no_wrap=True)
    table.add_column("what it is", style="dim")
    for name, text, edge in ways:
        table.add_row(Text(name), percent(edge, 4), percent(edge - ways[0][2], 4), text)
    return table


def chart_table(chart: TotalStrategy) -> Group:
    """The chart by total in colour."""
    parts: list[RenderableType] = []
    for section, rows in chart.rows().items():
        table = terminal.plain_table(escape(f"{section.capitalize()}, {chart.name}"))
        table.add_column("", style="bold")
        for up in CHART_UPCARDS:
            table.add_column("A" if up == 1 else str(up), justify="center")
        order = list(reversed(rows))
        order.sort(key=lambda name: name != "A")  # the pair of aces first
        for key in order:
            row = rows[key]
            cells = []
            for code in row.split():
                look = CODE_STYLES[code]
                cells.append(Text(f"{code:^4}", style=f"bold {look.ink} on {look.background}"))
            table.add_row(key, *cells)
        parts.append(table)
    used = {code for rows in chart.rows().values() for row in rows.values() for code in row.split()}
    return Group(*parts, terminal.legend([code for code in CODES if code in used]))


def spread_report(outcomes: RoundOutcomes) -> Group:
    """Standard deviation, shares and, where it is known, the distribution."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column()
    table.add_column(justify="right", style="bold")
    table.add_column(style="dim")
    for name, value, text in (
        ("Standard deviation", f"{outcomes.standard_deviation:.9f}", "of one round's net result"),
        ("Variance", f"{outcomes.variance:.9f}", "units of the initial bet, squared"),
        ("Naturals", percent(outcomes.natural, 4), "of rounds: the player has an ace and a ten"),
        ("Splits", percent(outcomes.split, 4), "of rounds"),
        ("Surrenders", percent(outcomes.surrender, 4), "of rounds"),
        ("Doubled hands", f"{outcomes.doubles:.6f}", "expected in a round"),
        ("Hands", f"{outcomes.hands:.6f}", "expected in a round, after splitting"),
    ):
        table.add_row(name, value, text)
    if outcomes.distribution is None:
        note = (
            "The distribution needs the joint law of up to four split hands and is given only "
            "where a pair becomes two hands at most; the variance above is exact for any number."
        )
        return Group(table, Text(note, style="dim"))
    law = terminal.plain_table("Net result of a round, insurance apart")
    law.add_column("net, units", justify="right")
    law.add_column("probability", justify="right")
    for net, chance in outcomes.distribution.items():
        law.add_row(f"{float(net):+g}" if net else "0", f"{chance:.12f}")
    return Group(table, law)


def spread_dict(odds: GameOdds, outcomes: RoundOutcomes) -> dict[str, object]:
    """The same, ready for JSON."""
    law = outcomes.distribution
    return {
        "rules": odds.rules.differences(),
        "regime": odds.regime,
        "exactness": "float64, error below 1e-12",
        "unit": "initial bet; dealer blackjacks included, insurance not",
        "expected_value": outcomes.mean,
        "variance": outcomes.variance,
        "standard_deviation": outcomes.standard_deviation,
        "natural": outcomes.natural,
        "split": outcomes.split,
        "surrender": outcomes.surrender,
        "doubled_hands": outcomes.doubles,
        "hands": outcomes.hands,
        "distribution": None if law is None else {str(net): chance for net, chance in law.items()},
    }


def play_dict(rules: Rules, found: BasicStrategy, ways: list[Way]) -> dict[str, object]:
    """The ways of playing and the best chart, ready for JSON."""
    return {
        "rules": rules.differences(),
        "exactness": "float64, error below 1e-12",
        "unit": "initial bet; dealer blackjacks included, insurance only where named",
        "ways": [{"name": n, "what": text, "house_edge": edge} for n, text, edge in ways],
        "chart": found.chart.rows(),
        "best_single_change": found.best_single_change,
    }
