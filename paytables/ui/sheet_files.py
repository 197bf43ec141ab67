"""The files of a PAR sheet, made in a process of their own; no Streamlit, see `computations`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from odds.rules import Rules
from odds.shoe import Shoe
from paytables.model import Paytable
from paytables.presets import TablePreset
from paytables.sheets.bet_sheet import bet_sheet
from paytables.sheets.game_sheet import MAXIMUM_BET, game_sheet
from paytables.sheets.model import Sheet
from paytables.sheets.write import FORMATS, Format, render

Progress = Callable[[float, str], None]
Files = Mapping[Format, bytes]


@dataclass(frozen=True, slots=True)
class Options:
    """What is asked for on the form of a sheet; the command `paytables sheet` has the same.

    Attributes:
        day: The sheet's date.
        version: The design's version.
        max_bet: The largest bet in currency; None for the usual one.
        seats: How many can bet.
        rounds: Rounds of the simulated cross-check.
        effects: Whether a table's sheet has the effect of every rule.
        exact: Whether it has the expected value as a fraction.
    """

    day: date
    version: str
    max_bet: Fraction | None
    seats: int
    rounds: int
    effects: bool = True
    exact: bool = False


def bet_files(
    paytable: Paytable, decks: int, shoe: Shoe | None, options: Options, *, progress: Progress
) -> Files:
    """The sheet of a side bet in every format.

    Raises:
        InputError: See `paytables.sheets.bet_sheet.bet_sheet`.
    """
    sheet = bet_sheet(
        paytable,
        None if shoe is not None else decks,
        date=options.day,
        shoe=shoe,
        version=options.version,
        max_bet=options.max_bet,
        seats=options.seats,
        rounds=options.rounds,
        progress=lambda done, what: progress(0.6 * done, what),
    )
    return _files(sheet, 0.6, progress)


def game_files(
    preset: TablePreset,
    rules: Rules,
    shoe: Shoe | None,
    strategy: str,
    options: Options,
    *,
    progress: Progress,
) -> Files:
    """The sheet of a table in every format.

    Raises:
        InputError: See `paytables.sheets.game_sheet.game_sheet`.
    """
    sheet = game_sheet(
        preset,
        rules,
        date=options.day,
        shoe=shoe,
        version=options.version,
        strategy=strategy,
        max_bet=MAXIMUM_BET if options.max_bet is None else options.max_bet,
        seats=options.seats,
        rounds=options.rounds,
        effects=options.effects,
        exact=options.exact,
        progress=lambda done, what: progress(0.9 * done, what),
    )
    return _files(sheet, 0.9, progress)


def _files(sheet: Sheet, done: float, progress: Progress) -> Files:
    files: dict[Format, bytes] = {}
    for i, form in enumerate(FORMATS):
        progress(done + (1 - done) * i / len(FORMATS), f"writing {form}")
        files[form] = render(sheet, form)
    return files
