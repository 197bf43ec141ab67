"""The `paytables` command: exact odds of a table on the command line."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import io
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Column

from odds.cards import parse_value, parse_values
from odds.errors import InputError
from odds.game import GameOdds, HandOdds, analyze
from odds.rules import Rules
from odds.shoe import Shoe
from paytables import readings, terminal
from paytables.presets import TablePreset, load_preset, preset_names
from paytables.rule_fields import RuleField, parse_rules, rule_fields, show_rules
from paytables.shoe_text import parse_shoe, remove_seen

app = typer.Typer(
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    help="Exact blackjack odds and paytables.",
)

# Typer either carries click's errors inside or imports them; this name works for both.
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]


@contextmanager
def progress_bar(wait: float = 0.7) -> Iterator[Callable[[float, str], None]]:
    """A progress bar on stderr that appears once the work has taken `wait` seconds."""
    console = Console(stderr=True)
    bar = Progress(
        TextColumn("{task.description}", table_column=Column(no_wrap=True, max_width=44)),
        BarColumn(),
        TextColumn("{task.percentage:3.0f} %"),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    task = bar.add_task("", total=1.0)
    started = time.monotonic()
    shown = False

    def tell(done: float, what: str) -> None:
        nonlocal shown
        if not shown and time.monotonic() - started > wait:
            bar.start()
            shown = True
        bar.update(task, completed=done, description=what)

    try:
        yield tell
    finally:
        if shown:
            bar.stop()


def _option(field: RuleField) -> tuple[object, object]:
    """The type and typer option for a field of `Rules`; every one may be left out."""
    flag = f"--{field.name.replace('_', '-')}"
    text = field.text.replace("`", "")
    if field.kind == "flag":
        names = "--h17/--s17" if field.name == "hit_soft_17" else f"{flag}/--no-{flag[2:]}"
        return bool | None, typer.Option(names, help=text, rich_help_panel=field.group)
    help_text = f"{text} Allowed: {field.allowed}."
    metavar = {"choice": "WORD", "pays": "FRACTION", "totals": "TOTALS"}.get(field.kind, "N")
    option = typer.Option(flag, help=help_text, metavar=metavar, rich_help_panel=field.group)
    return str | None, option


def rule_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command one option for every field of `Rules`.

    The command's last parameter is `changes`, a mapping of the fields that were given.
    """
    own = list(inspect.signature(command, eval_str=True).parameters.values())[:-1]
    names = [field.name for field in rule_fields()]

    def wrapped(**given: Any) -> None:
        changes = {name: given.pop(name) for name in names}
        command(**given, changes={k: v for k, v in changes.items() if v is not None})

    added = []
    for field in rule_fields():
        kind, option = _option(field)
        added.append(
            inspect.Parameter(
                field.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=None,
                annotation=Annotated[kind, option],
            )
        )
    keyword = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own]
    wrapped.__signature__ = inspect.Signature(keyword + added)  # type: ignore[attr-defined]
    wrapped.__annotations__ = {p.name: p.annotation for p in keyword + added}
    wrapped.__doc__ = command.__doc__
    return wrapped


@app.command("game")
@rule_options
def game(
    preset: Annotated[
        str, typer.Argument(metavar="PRESET", help="A preset's name, or the path of a .toml file.")
    ],
    strategy: Annotated[
        str, typer.Option(help="How split hands are played: CDZ-, CDP1 or CDP.", metavar="NAME")
    ] = "CDZ-",
    hand: Annotated[
        str | None,
        typer.Option(help="Show every action of this hand: 8,8 or A,7.", metavar="CARDS"),
    ] = None,
    up: Annotated[
        str | None, typer.Option(help="The upcard for --hand: A, 2 to 9, T.", metavar="CARD")
    ] = None,
    same_rank: Annotated[
        bool | None,
        typer.Option(
            "--same-rank/--other-rank",
            help="Whether two tens in --hand are of one rank, where pairs are split by rank.",
        ),
    ] = None,
    shoe: Annotated[
        str | None,
        typer.Option(
            help="A custom shoe instead of --decks: A=23,2=24,...,T=96. A rank left out has none.",
            metavar="COUNTS",
        ),
    ] = None,
    seen: Annotated[
        str | None,
        typer.Option(help="Cards that have left the shoe: A,10,6.", metavar="CARDS"),
    ] = None,
    assumptions: Annotated[
        bool,
        typer.Option("--assumptions", help="The edge under every other reading of the text."),
    ] = False,
    exact: Annotated[
        bool,
        typer.Option("--exact", help="Also the whole game's expected value as a fraction."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    *,
    changes: Mapping[str, object],
) -> None:
    """The exact house edge, strategy chart and odds of a table."""
    table = load_preset(preset)
    rules = parse_rules(changes, table.rules)
    cards = _parse_hand(hand, up)
    used = _parse_shoe_options(rules, shoe, seen, decks_given="decks" in changes)
    with progress_bar() as tell:
        share = 1 / (1 + sum(1 for _ in table.readings())) if assumptions else 1.0
        odds = analyze(
            rules, used, strategy, lambda done, what: tell(done * share, what), exact=exact
        )
        asked = odds.hand(*cards, same_rank=same_rank) if cards else None
        priced = None
        if assumptions:
            priced = readings.price_readings(
                table,
                rules,
                used,
                odds.regime,
                progress=lambda done, what: tell(share + done * (1 - share), what),
            )
    if as_json:
        sys.stdout.write(json.dumps(_as_json(table, odds, asked, priced), indent=2) + "\n")
        return
    _print_game(table, odds, asked, priced)


def _parse_hand(hand: str | None, up: str | None) -> tuple[tuple[int, ...], int] | None:
    if (hand is None) != (up is None):
        given, missing = ("hand", "up") if up is None else ("up", "hand")
        raise InputError(missing, None, f"given together with --{given}")
    return (parse_values(hand), parse_value(up)) if hand is not None and up is not None else None


def _parse_shoe_options(
    rules: Rules, shoe: str | None, seen: str | None, *, decks_given: bool
) -> Shoe | None:
    if shoe is not None and decks_given:
        raise InputError("decks", rules.decks, "left out where --shoe is given")
    used = parse_shoe(shoe) if shoe is not None else None
    if seen is not None:
        used = remove_seen(used if used is not None else Shoe.decks(rules.decks), seen)
    return used


def _print_game(
    table: TablePreset,
    odds: GameOdds,
    hand: HandOdds | None,
    priced: Sequence[readings.ReadingResult] | None,
) -> None:
    console = Console(highlight=False)
    title = table.title if odds.rules == table.rules else f"{table.title}, changed"
    parts = [terminal.header(title, odds.rules, odds), terminal.summary(odds)]
    if hand is not None:
        parts.append(terminal.hand_report(hand, odds.rules))
    if priced is not None:
        parts.append(terminal.readings_table(table, odds.house_edge, priced))
    if hand is None and priced is None:
        parts += [terminal.upcard_table(odds), terminal.chart(odds)]
    terminal.print_all(console, *parts)


def _as_json(
    table: TablePreset,
    odds: GameOdds,
    hand: HandOdds | None,
    priced: Sequence[readings.ReadingResult] | None,
) -> dict[str, object]:
    found: dict[str, object] = {
        "preset": table.name,
        "title": table.title,
        "rules_as_text": show_rules(odds.rules),
        **odds.to_dict(),
    }
    if hand is not None:
        found["hand"] = hand_dict(hand)
    if priced is not None:
        found["readings"] = [
            {
                "topic": result.assumption.topic,
                "taken": result.assumption.reading,
                "reading": result.reading.reading,
                "change": result.reading.change,
                "house_edge": result.house_edge,
                "difference": None
                if result.house_edge is None
                else result.house_edge - odds.house_edge,
                "problem": result.problem,
            }
            for result in priced
        ]
    return found


def hand_dict(hand: HandOdds) -> dict[str, object]:
    """A hand's odds, ready for JSON."""
    return {
        "cards": list(hand.cards),
        "upcard": hand.upcard,
        "total": hand.total,
        "soft": hand.soft,
        "natural": hand.natural,
        "same_rank": hand.same_rank,
        "probability": hand.probability,
        "dealer_blackjack": hand.dealer_blackjack,
        "conditional": hand.conditional,
        "values": {action.value: value for action, value in hand.values.items()},
        "unconditional": {action.value: value for action, value in hand.unconditional.items()},
        "best": hand.best.value,
        "second_best": None if hand.second_best is None else hand.second_best.value,
        "cost_of_second_best": hand.cost_of_second_best,
        "insurance": hand.insurance,
        "even_money": hand.even_money,
        "dealer": dict(hand.dealer),
    }


@app.command("rules")
def rules_command(
    preset: Annotated[
        str | None,
        typer.Argument(metavar="PRESET", help="A preset's name, or the path of a .toml file."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """The presets and every rule with its allowed values; or the rules of one preset."""
    console = Console(highlight=False)
    if preset is not None:
        table = load_preset(preset)
        if as_json:
            sys.stdout.write(json.dumps(_preset_dict(table), indent=2) + "\n")
        else:
            console.print(terminal.preset_report(table))
        return
    tables = [load_preset(name) for name in preset_names()]
    if as_json:
        listed = {
            "presets": {table.name: table.title for table in tables},
            "rules": {
                field.name: {
                    "allowed": field.allowed,
                    "default": field.show(field.default),
                    "text": field.text,
                }
                for field in rule_fields()
            },
        }
        sys.stdout.write(json.dumps(listed, indent=2) + "\n")
        return
    terminal.print_all(console, terminal.presets_table(tables), terminal.fields_table())


def _preset_dict(table: TablePreset) -> dict[str, object]:
    return {
        "name": table.name,
        "title": table.title,
        "source": table.source,
        "rules": show_rules(table.rules),
        "notes": list(table.notes),
        "assumptions": [assumption.model_dump(mode="json") for assumption in table.assumptions],
    }


def _register_more() -> None:
    """Add the commands that live in files of their own."""
    for name in ("cli_bets", "cli_play", "cli_count", "cli_design", "cli_sheet"):
        if importlib.util.find_spec(f"paytables.{name}") is not None:
            importlib.import_module(f"paytables.{name}").register(app)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and exit: 0 done, 2 bad input (one line on stderr), 130 interrupted."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # suits and boxes on a terminal without UTF-8
    try:
        code = app(given or ["--help"], prog_name="paytables", standalone_mode=False)
        sys.stdout.flush()
    except InputError as error:
        code = _fail(str(error))
    except _UsageError as error:
        message = getattr(error, "format_message", error.__str__)()
        code = _fail(f"{message} (paytables --help shows what there is)")
    except (typer.Abort, KeyboardInterrupt):
        code = 130
    except BrokenPipeError:
        # The reader has left (as `| head` does); closing stderr keeps Python from saying so.
        sys.stderr.close()
        code = 141
    except OSError as error:
        code = _fail(f"the output cannot be written ({error.strerror})")
        os._exit(1)  # Python would try the same output again on its way out
    sys.exit(code if isinstance(code, int) else 0)


def _fail(message: str) -> int:
    print(f"paytables: {' '.join(message.split())}", file=sys.stderr)
    return 2


_register_more()
