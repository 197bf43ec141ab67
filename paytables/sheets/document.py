"""A sheet as a PDF document: the blocks that Markdown prints too, with pictures and colour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from paytables.plot_style import MUTED, Plot
from paytables.sheets.blocks import (
    Block,
    Bullets,
    Figure,
    Heading,
    Paragraph,
    Table,
    Verbatim,
)
from paytables.sheets.layout import sheet_blocks
from paytables.sheets.model import Sheet
from paytables.sheets.pdf_page import (
    BODY,
    SMALL,
    Pdf,
    line_height,
    picture_height,
    shown,
    shown_fixed,
)
from paytables.sheets.pdf_table import Charts, Layout, draw_charts, draw_panel, draw_table
from paytables.sheets.pictures import picture


@dataclass(frozen=True, slots=True)
class Panel:
    """The figures at a glance."""

    table: Table


Item: TypeAlias = Block | Charts | Panel | Plot | Layout


def to_bytes(sheet: Sheet) -> bytes:
    """The sheet as PDF; the same sheet gives the same bytes.

    Raises:
        ImportError: fpdf2 or matplotlib is not installed; the message names the extra.

    Example:
        >>> from paytables.bets import load_paytable
        >>> from paytables.sheets.bet_sheet import bet_sheet
        >>> sheet = bet_sheet(load_paytable("Sweet 16"), 8, date="2026-11-30", rounds=0)
        >>> to_bytes(sheet)[:4]
        b'%PDF'
    """
    pdf = Pdf(sheet.identity, "PAR sheet")
    items = [_ready(pdf, sheet, item) for item in grouped(sheet_blocks(sheet))]
    shown = [item for item in items if item is not None]
    for number, item in enumerate(shown):
        _draw(pdf, item, shown[number + 1 :])
    return bytes(pdf.output())


def missing_signs(sheet: Sheet) -> str:
    """The signs of a sheet that a font of the pages lacks, where they show a placeholder.

    Example:
        >>> from paytables.bets import parse_bet
        >>> from paytables.sheets.bet_sheet import bet_sheet
        >>> bet = parse_bet('''name = "七七"
        ... [[tiers]]
        ... name = "pair"
        ... when = "pair(player)"
        ... pays = 11''')
        >>> missing_signs(bet_sheet(bet.paytable(), 6, date="2026-11-30", rounds=0))
        '七'
    """
    signs = sorted(set(sheet.model_dump_json()))
    return "".join(sign for sign in signs if shown_fixed(shown(sign)) != sign)


def grouped(blocks: Sequence[Block]) -> Iterator[Item]:
    """The blocks as the page shows them: grids side by side, the first table as a panel.

    The picture of the strategy is left out: the grids are drawn in colour, as text.
    """
    grids: list[tuple[str, Table]] = []
    panel = False
    for number, block in enumerate(blocks):
        after = blocks[number + 1] if number + 1 < len(blocks) else None
        if isinstance(after, Table) and after.codes and isinstance(block, Heading):
            continue
        if isinstance(block, Table) and block.codes:
            title = blocks[number - 1]
            grids.append((title.text if isinstance(title, Heading) else "", block))
            continue
        if grids:
            legend = isinstance(block, Table) and block.header[:1] == ("Code",)
            yield Charts(tuple(grids), block.rows if isinstance(block, Table) and legend else ())
            grids = []
            if legend:
                continue
        if isinstance(block, Figure) and block.name == "strategy chart":
            continue
        if isinstance(block, Table) and not block.header and not panel:
            panel = True
            yield Panel(block)
        else:
            yield block
    if grids:
        yield Charts(tuple(grids))


def _ready(pdf: Pdf, sheet: Sheet, item: Item) -> Item | None:
    """The item with what takes time done once: pictures drawn, tables laid out."""
    if isinstance(item, Figure):
        return picture(sheet, item.name)
    if isinstance(item, Table):
        return Layout.of(pdf, item) if item.rows else None
    return item


def _start(item: Item) -> float:
    """Millimetres that must fit on a page for an item to begin there."""
    match item:
        case Layout():
            return item.start
        case Plot():
            return picture_height(item)
        case Charts():
            return item.height
        case Heading():
            return 14.0
        case _:
            return 3 * line_height(BODY)


def _draw(pdf: Pdf, item: Item, after: Sequence[Item]) -> None:
    match item:
        case Heading():
            follows = 0.0
            for following in after[:3]:  # a heading stays with what it is about
                follows += _start(following)
                if not isinstance(following, (Heading, Paragraph)):
                    break
            pdf.heading(item.text, item.level, follows)
        case Paragraph():
            small = item.small
            pdf.text_block(
                item.text, size=SMALL if small else BODY, **({"colour": MUTED} if small else {})
            )
        case Bullets():
            pdf.bullets(item.items, item.numbered)
        case Verbatim():
            pdf.verbatim(item.text)
        case Panel():
            draw_panel(pdf, item.table)
        case Charts():
            draw_charts(pdf, item)
        case Layout():
            draw_table(item)
        case Plot():
            pdf.picture(item)
