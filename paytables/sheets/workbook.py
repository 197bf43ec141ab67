"""A sheet as an Excel workbook with live formulas: change a pay, and the figures follow."""

from __future__ import annotations

from paytables.sheets.model import BetSheet, Sheet
from paytables.sheets.workbook_bet import BetBook, exact_page, outcomes_page, paytable_page
from paytables.sheets.workbook_common import cross_check_page, rtp_page, rules_page, words_page
from paytables.sheets.workbook_figures import (
    decks_page,
    exposure_page,
    meter_page,
    sensitivity_page,
    summary_page,
)
from paytables.sheets.workbook_game import game_book
from paytables.sheets.workbook_style import Book


def to_bytes(sheet: Sheet) -> bytes:
    """The sheet as xlsx; the same sheet gives the same bytes.

    In a bet's workbook the pays (and the meter, the limits, the steps) are input cells; the rest of
    the cells is locked, without a password. Every formula has its value written beside it.

    Raises:
        ImportError: xlsxwriter is not installed; the message names the extra.

    Example:
        >>> from paytables.bets import load_paytable
        >>> from paytables.sheets.bet_sheet import bet_sheet
        >>> sheet = bet_sheet(load_paytable("Sweet 16"), 8, date="2026-11-30", rounds=0)
        >>> to_bytes(sheet)[:2]
        b'PK'
    """
    return (
        bet_book(sheet).to_bytes() if isinstance(sheet, BetSheet) else game_book(sheet).to_bytes()
    )


def bet_book(sheet: BetSheet) -> Book:
    """The workbook of a bet, ready to be written."""
    made = BetBook(sheet)
    paytable_page(made)
    outcomes_page(made)
    exact_page(made)
    decks_page(made)
    sensitivity_page(made)
    rtp_page(
        made.book,
        sheet.rtp_intervals,
        rtp=float(sheet.totals.rtp.value),
        variance=float(sheet.totals.variance.value),
        stake=float(sheet.totals.stake.value),
        changed="inputs_changed",
    )
    exposure_page(made)
    meter_page(made)
    cross_check_page(made.book, sheet.simulation)
    rules_page(made.book, sheet)
    words_page(
        made.book,
        sheet,
        conditions=[
            (tier.title, tier.condition + (f"; times {tier.times}" if tier.times else ""))
            for tier in sheet.tiers
        ],
        glossary=sheet.rules.glossary,
        bet_file=sheet.rules.bet_file,
    )
    summary_page(made)
    return made.book
