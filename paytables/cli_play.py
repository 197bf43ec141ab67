"""Commands on how a round spreads and on how people play: `spread` and `play`."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from odds.basic_strategy import BasicStrategy, basic_strategy
from odds.chart import CHART_UPCARDS, CODES
from odds.covariance import TableSpread, seat_covariance
from odds.errors import InputError
from odds.game import GameOdds, Progress, analyze, check_shoe
from odds.outcomes import RoundOutcomes, round_outcomes
from odds.round_cards import RoundCards, round_cards
from odds.rules import Rules
from odds.simulate import MAX_SEATS
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
        seats: Annotated[
            int,
            typer.Option(
                help="Hands dealt at the table, 1 to 7, one unit on each: covariance and the "
                "table's standard deviation.",
                metavar="NUMBER",
            ),
        ] = 1,
        as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
        *,
        changes: Mapping[str, object],
    ) -> None:
        """Standard deviation, distribution and cards of a round; covariance of several hands."""
        if not 1 <= seats <= MAX_SEATS:
            raise InputError("seats", seats, f"a whole number from 1 to {MAX_SEATS}")
        table = load_preset(preset)
        rules = parse_rules(changes, table.rules)
        with progress_bar() as tell:
            odds = analyze(rules, None, strategy)
            found = round_spread(odds, seats, tell)
        if as_json:
            sys.stdout.write(json.dumps(spread_dict(odds, found), indent=2) + "\n")
            return
        terminal.print_all(
            Console(highlight=False),
            terminal.header(table.title, rules, odds),
            spread_report(found),
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


@dataclass(frozen=True, slots=True)
class RoundSpread:
    """What `spread` shows.

    Attributes:
        outcomes: Variance, shares and, where it is known, the distribution.
        cards: Average numbers of cards with one player.
        seats: Hands dealt at the table.
        table: Covariance of two of them; None with one.
    """

    outcomes: RoundOutcomes
    cards: RoundCards
    seats: int
    table: TableSpread | None


def round_spread(odds: GameOdds, seats: int, tell: Progress) -> RoundSpread:
    """Work out what `spread` shows; up to half a minute with resplits to four.

    Raises:
        InputError: The shoe is too small for so many seats.
    """
    check_shoe(odds.rules, odds.shoe, seats)
    parts = (0.3, 0.6, 1.0) if seats > 1 else (0.4, 1.0, 1.0)

    def part(low: float, high: float) -> Progress:
        return lambda done, what: tell(low + (high - low) * done, what)

    outcomes = round_outcomes(odds, part(0.0, parts[0]))
    cards = round_cards(odds, part(parts[0], parts[1]))
    table = None
    if seats > 1:
        covariance = seat_covariance(odds, part(parts[1], parts[2]))
        table = TableSpread(outcomes.mean, outcomes.variance, covariance)
    return RoundSpread(outcomes, cards, seats, table)


def spread_report(found: RoundSpread) -> Group:
    """Standard deviation, shares, cards and, where it is known, the distribution."""
    outcomes, cards = found.outcomes, found.cards
    rows = [
        ("Standard deviation", f"{outcomes.standard_deviation:.9f}", "of one round's net result"),
        ("Variance", f"{outcomes.variance:.9f}", "units of the initial bet, squared"),
        ("Naturals", percent(outcomes.natural, 4), "of rounds: the player has an ace and a ten"),
        ("Splits", percent(outcomes.split, 4), "of rounds"),
        ("Doubles", percent(outcomes.double, 4), "of rounds have a doubled hand or several"),
        ("Surrenders", percent(outcomes.surrender, 4), "of rounds"),
        ("Doubled hands", f"{outcomes.doubles:.6f}", "expected in a round"),
        ("Hands", f"{outcomes.hands:.6f}", "expected in a round, after splitting"),
        ("Cards per round", f"{cards.cards_per_round:.6f}", "one player's and the dealer's"),
        ("  the player's", f"{cards.player_cards:.6f}", f"{cards.cards_per_hand:.6f} in a hand"),
        (
            "  the dealer's",
            f"{cards.dealer_cards:.6f}",
            "more than two only where a hand's result depends on the dealer's total; "
            f"{cards.dealer_cards_drawn_out:.6f} if the dealer always drew out",
        ),
    ]
    if found.table is not None:
        seats, table = found.seats, found.table
        deviation = table.table_standard_deviation(seats)
        text = f"of the sum over {seats} hands of one unit each against one dealer"
        rows += [
            ("Covariance", f"{table.covariance:.9f}", "of two hands' net results in a round"),
            ("Correlation", f"{table.correlation:.6f}", "of the same: covariance / variance"),
            (
                f"Variance of {seats} hands",
                f"{table.table_variance(seats):.9f}",
                f"{seats} x variance + {seats} x {seats - 1} x covariance",
            ),
            (f"SD of {seats} hands", f"{deviation:.9f}", text),
        ]
    shown = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    shown.add_column(no_wrap=True)
    shown.add_column(justify="right", style="bold", no_wrap=True)
    shown.add_column(style="dim")
    for row in rows:
        shown.add_row(*row)
    if outcomes.distribution is None:
        note = (
            "The distribution needs the joint law of up to four split hands and is given only "
            "where a pair becomes two hands at most; the figures above hold for any number."
        )
        return Group(shown, Text(note, style="dim"))
    law = terminal.plain_table("Net result of a round, insurance apart")
    law.add_column("net, units", justify="right")
    law.add_column("probability", justify="right")
    for net, chance in outcomes.distribution.items():
        law.add_row(f"{float(net):+g}" if net else "0", f"{chance:.12f}")
    return Group(shown, Text(), law)


def spread_dict(odds: GameOdds, found: RoundSpread) -> dict[str, object]:
    """The same, ready for JSON."""
    outcomes, cards, table = found.outcomes, found.cards, found.table
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
        "double": outcomes.double,
        "surrender": outcomes.surrender,
        "doubled_hands": outcomes.doubles,
        "hands": outcomes.hands,
        "cards": {
            "per_round": cards.cards_per_round,
            "per_hand": cards.cards_per_hand,
            "player": cards.player_cards,
            "dealer": cards.dealer_cards,
            "dealer_drawn_out": cards.dealer_cards_drawn_out,
        },
        "seats": found.seats,
        "covariance": None if table is None else table.covariance,
        "table_variance": None if table is None else table.table_variance(found.seats),
        "table_standard_deviation": None
        if table is None
        else table.table_standard_deviation(found.seats),
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
