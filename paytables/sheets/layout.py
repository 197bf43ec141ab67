"""A sheet of either kind as a list of blocks: what Markdown and PDF print, in this order."""

from __future__ import annotations

from paytables.sheets.bet_blocks import bet_blocks
from paytables.sheets.blocks import Block
from paytables.sheets.game_blocks import game_blocks
from paytables.sheets.model import BetSheet, Sheet


def sheet_blocks(sheet: Sheet) -> list[Block]:
    """The blocks of a sheet.

    Example:
        >>> from paytables.bets import load_paytable
        >>> from paytables.sheets.bet_sheet import bet_sheet
        >>> sheet = bet_sheet(load_paytable("Any Pair"), date="2026-11-30", rounds=0)
        >>> sheet_blocks(sheet)[0]
        Heading(text='PAR sheet: Any Pair, 25/8', level=1)
    """
    if isinstance(sheet, BetSheet):
        return bet_blocks(sheet)
    return game_blocks(sheet)
