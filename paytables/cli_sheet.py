"""The command `sheet`: the PAR sheet of a side bet or a table, in one or several formats."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from odds.errors import InputError
from odds.rules import parse_fraction
from paytables.bets import BetFile, find_bet, load_catalog, parse_bet
from paytables.cli_options import parse_decks, parse_pays
from paytables.presets import TablePreset, load_preset, parse_preset, preset_names
from paytables.rule_fields import parse_rules
from paytables.shoe_text import parse_shoe
from paytables.toml_text import parse_toml, read_text

if TYPE_CHECKING:
    from paytables.sheets.model import Sheet

BET, GAME, BOTH = "Side bets only", "Tables only", "Of the sheet"


def register(app: typer.Typer) -> None:
    """Add the command `sheet` to the application."""
    from paytables.cli import rule_options  # that module registers this one

    app.command("sheet")(rule_options(sheet_command))


def sheet_command(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="A bet of the catalogue, or a preset of a table."),
    ] = None,
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write to FILE: .xlsx, .pdf, .md or .json; may be repeated. Else Markdown is "
            "printed.",
        ),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--file", metavar="TOML", help="A bet or a table of your own."),
    ] = None,
    as_bet: Annotated[
        bool, typer.Option("--bet", help="NAME is a side bet, where a table has it as well.")
    ] = False,
    as_game: Annotated[
        bool, typer.Option("--game", help="NAME is a table, where a side bet has it as well.")
    ] = False,
    date: Annotated[
        str | None,
        typer.Option(
            help="The sheet's date; today in UTC (or SOURCE_DATE_EPOCH).",
            metavar="YYYY-MM-DD",
            rich_help_panel=BOTH,
        ),
    ] = None,
    version: Annotated[
        str,
        typer.Option(help="The design's version.", metavar="TEXT", rich_help_panel=BOTH),
    ] = "1",
    max_bet: Annotated[
        str | None,
        typer.Option(
            "--max-bet",
            help="The largest bet, for the exposure; 100, or the stake of a meter.",
            metavar="AMOUNT",
            rich_help_panel=BOTH,
        ),
    ] = None,
    seats: Annotated[
        int, typer.Option(help="How many can bet.", metavar="N", rich_help_panel=BOTH)
    ] = 7,
    rounds: Annotated[
        int,
        typer.Option(
            help="Rounds of the simulated cross-check; 0 for none.",
            metavar="N",
            rich_help_panel=BOTH,
        ),
    ] = 4_000_000,
    seed: Annotated[
        int, typer.Option(help="Seed of the simulation.", metavar="N", rich_help_panel=BOTH)
    ] = 1,
    shoe: Annotated[
        str | None,
        typer.Option(
            help="A shoe instead of --decks: A=23,2=24,...,T=96. A rank left out has none.",
            metavar="COUNTS",
            rich_help_panel=BOTH,
        ),
    ] = None,
    variant: Annotated[
        str | None,
        typer.Option(help="Which of the bet's paytables.", metavar="V", rich_help_panel=BET),
    ] = None,
    pay: Annotated[
        list[str] | None,
        typer.Option(
            "--pay",
            metavar="TIER=PAY",
            help="Another pay for a tier; may be repeated.",
            rich_help_panel=BET,
        ),
    ] = None,
    meter: Annotated[
        str | None,
        typer.Option(help="The meter, in currency.", metavar="AMOUNT", rich_help_panel=BET),
    ] = None,
    cap: Annotated[
        str | None,
        typer.Option(
            help="The most one bet wins in a round, in currency.",
            metavar="AMOUNT",
            rich_help_panel=BET,
        ),
    ] = None,
    strategy: Annotated[
        str | None,
        typer.Option(
            help="How split hands are played: CDZ-, CDP1 or CDP.",
            metavar="NAME",
            rich_help_panel=GAME,
        ),
    ] = None,
    exact: Annotated[
        bool,
        typer.Option(
            "--exact", help="Also the expected value as a fraction.", rich_help_panel=GAME
        ),
    ] = False,
    effects: Annotated[
        bool,
        typer.Option(
            "--effects/--no-effects",
            help="Work out every single rule change (the longest part).",
            rich_help_panel=GAME,
        ),
    ] = True,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON Schema of the .json format.")
    ] = False,
    *,
    changes: Mapping[str, object],
) -> None:
    """The PAR sheet of a side bet or a table: xlsx, PDF, Markdown or JSON."""
    from paytables.cli import progress_bar
    from paytables.sheets.write import check_outputs, render, write

    if schema:
        from paytables.sheets.schema import schema_text

        sys.stdout.write(schema_text())
        return
    found = _find(name, file, as_bet=as_bet, as_game=as_game)
    paths = output or []
    check_outputs(paths)
    cards = None if shoe is None else parse_shoe(shoe)
    if cards is not None and "decks" in changes:
        raise InputError("decks", changes["decks"], "left out where --shoe is given")
    day = date if date is not None else default_date()
    limit = None if max_bet is None else parse_fraction("max_bet", max_bet)
    made: Sheet
    with progress_bar() as tell:
        if isinstance(found, BetFile):
            _left_out("a side bet", strategy=strategy, exact=exact, no_effects=not effects)
            _left_out("a side bet", **{k: v for k, v in changes.items() if k != "decks"})
            from paytables.sheets.bet_sheet import bet_sheet

            paytable = found.paytable(variant)
            if pay:
                paytable = paytable.with_pays(parse_pays(pay))
            made = bet_sheet(
                paytable,
                _one_number_of_decks(changes.get("decks")),
                date=day,
                shoe=cards,
                version=version,
                max_bet=limit,
                seats=seats,
                cap=cap,
                meter=meter,
                rounds=rounds,
                seed=seed,
                progress=tell,
            )
        else:
            _left_out("a table", variant=variant, pay=pay, meter=meter, cap=cap)
            from paytables.sheets.game_sheet import MAXIMUM_BET, game_sheet

            made = game_sheet(
                found,
                parse_rules(changes, found.rules),
                date=day,
                shoe=cards,
                version=version,
                strategy=strategy or "CDZ-",
                max_bet=MAXIMUM_BET if limit is None else limit,
                seats=seats,
                rounds=rounds,
                seed=seed,
                effects=effects,
                exact=exact,
                progress=tell,
            )
    if not paths:
        sys.stdout.write(render(made, "md").decode())
        return
    try:
        write(made, paths)
    except ImportError as error:  # the writer's message names the extra to install
        raise InputError(
            "output", ", ".join(map(str, paths)), f"another format ({error})"
        ) from None
    for path in paths:
        sys.stdout.write(f"Written: {path}\n")
    if any(path.suffix.lower() == ".pdf" for path in paths):
        from paytables.sheets.document import missing_signs

        if lacking := missing_signs(made):
            sys.stderr.write(
                f"A font of the PDF has no sign for {' '.join(lacking)}: there is a placeholder. "
                "The other formats have every sign.\n"
            )


def default_date() -> str:
    """Today in UTC, or the day of SOURCE_DATE_EPOCH where a build sets it.

    Raises:
        InputError: SOURCE_DATE_EPOCH is no number of seconds.
    """
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch is None:
        return datetime.now(UTC).date().isoformat()
    try:
        return datetime.fromtimestamp(int(epoch), UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        raise InputError("SOURCE_DATE_EPOCH", epoch, "a number of seconds since 1970") from None


def _find(
    name: str | None, file: Path | None, *, as_bet: bool, as_game: bool
) -> BetFile | TablePreset:
    """The bet or table that the command names."""
    if (name is None) == (file is None):
        raise InputError("name", name or "", "a bet or a table, or --file, and not both")
    if as_bet and as_game:
        raise InputError("bet", "--bet --game", "one of the two")
    if file is not None:
        text = read_text(file)
        if as_game or (not as_bet and "rules" in parse_toml(text, file.name)):
            return parse_preset(text, file.name)
        return parse_bet(text, file.name)
    assert name is not None
    table, bet = name.lower() in preset_names(), _bet_or_none(name)
    if table and bet is not None and not (as_bet or as_game):
        raise InputError(
            "name", name, "given with --bet or --game: there are a side bet and a table of it"
        )
    if as_bet or (bet is not None and not as_game):
        return find_bet(name)
    if as_game or table or name.lower().endswith(".toml"):
        return load_preset(name)
    names = [*("-".join(bet.lower().split()) for bet in load_catalog()), *preset_names()]
    close = get_close_matches(name.lower().replace(" ", "-"), names, n=1, cutoff=0.5)
    allowed = "a bet that `paytables bets` lists, or a table that `paytables rules` lists"
    raise InputError("name", name[:60], allowed + "".join(f"; nearest is '{n}'" for n in close))


def _bet_or_none(name: str) -> BetFile | None:
    try:
        return find_bet(name)
    except InputError:
        return None


def _one_number_of_decks(text: object) -> int | None:
    if text is None:
        return None
    decks = parse_decks(str(text))
    if len(decks) != 1:
        raise InputError("decks", text, "one number of decks: a sheet is about one shoe")
    return decks[0]


def _left_out(kind: str, **given: object) -> None:
    """Refuse options that say nothing about what the sheet is for."""
    for name, value in given.items():
        if value:
            raise InputError(name, value, f"left out for {kind}")
