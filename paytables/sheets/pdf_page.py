"""A PDF document in the house style: pages with header and footer, headings, text, pictures."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Literal

from paytables.plot_style import (
    ACCENT,
    FAINT,
    INK,
    MUTED,
    PANEL,
    PRINT_DPI,
    Plot,
    font_file,
    printable,
)
from paytables.sheets.figures import Identity

try:
    from fpdf import FPDF, FPDF_VERSION
    from fpdf.enums import MethodReturnValue, WrapMode
    from matplotlib.ft2font import FT2Font
except ImportError as error:  # pragma: no cover - the extra is installed where tests run
    raise ImportError('a PDF needs fpdf2: pip install "blackjack-paytables[sheets]"') from error

SANS, MONO = "DejaVu", "DejaVuMono"
MARGIN, TOP, BOTTOM = 18.0, 20.0, 18.0
WIDTH = 210.0 - 2 * MARGIN
"""Width of the text in millimetres."""
BODY, SMALL, TINY = 8.8, 7.6, 6.8
_HEADINGS = {1: (19.0, 9.5, 0.0, 2.0), 2: (13.0, 7.0, 6.0, 1.8), 3: (9.8, 5.5, 3.2, 1.0)}
"""By level: size in points, line height, room above and below in millimetres."""


def line_height(size: float) -> float:
    """Millimetres from line to line of a size in points."""
    return 0.49 * size


def shown(text: str) -> str:
    r"""The text as the font of the page has it; a tab is a space.

    Example:
        >>> shown("two\tsevens 七")
        'two sevens �'
    """
    return printable(text.replace("\t", " "))


def shown_fixed(text: str) -> str:
    """The same for text in fixed width, whose font has fewer signs.

    Example:
        >>> shown("שבע"), shown_fixed("שבע 7")
        ('שבע', '��� 7')
    """
    signs = _fixed_signs()
    return "".join(
        sign if ord(sign) in signs or sign == "\n" else "\N{REPLACEMENT CHARACTER}"
        for sign in text.expandtabs(4)
    )


@cache
def _fixed_signs() -> frozenset[int]:
    return frozenset(FT2Font(str(_mono_file())).get_charmap())


def _mono_file() -> Path:
    return font_file().with_name("DejaVuSansMono.ttf")


class Pdf(FPDF):
    """A PAR sheet as PDF: searchable text, its font embedded, bookmarks, fixed dates.

    Args:
        identity: What it is about.
        kind: What the document is called.
    """

    def __init__(self, identity: Identity, kind: str) -> None:
        super().__init__("portrait", "mm", "A4")
        self.identity, self.kind = identity, kind
        for style in ("", "B"):
            self.add_font(SANS, style, font_file(bold=style == "B"))
        self.add_font(MONO, "", _mono_file())
        self.set_margins(MARGIN, TOP, MARGIN)
        self.set_auto_page_break(True, BOTTOM)
        self.c_margin = 0.0  # cells have no padding of their own
        self.set_title(f"{kind}: {identity.title}")
        self.set_subject(f"{kind}, inputs SHA-256 {identity.inputs_sha256}")
        self.set_author(identity.software)
        self.set_creator(identity.software)
        self.set_producer(f"fpdf2 {FPDF_VERSION}")
        self.set_keywords("PAR sheet, blackjack, house edge")
        self.set_lang("en-GB")
        self.set_creation_date(datetime.fromisoformat(identity.date).replace(tzinfo=UTC))
        self.set_display_mode("fullwidth", "continuous")
        self.add_page()

    def header(self) -> None:
        """The title over every page but the first."""
        if self.page_no() == 1:
            self.set_fill_color(ACCENT)
            self.rect(0, 0, 210.0, 3.0, "F")
        else:
            self.face(TINY, MUTED)
            self.set_xy(MARGIN, 10)
            self.cell(WIDTH / 2, 4, shown(f"{self.kind}: {self.identity.title}"))
            self.cell(WIDTH / 2, 4, self.identity.date, align="R")
            self.set_draw_color(FAINT)
            self.set_line_width(0.2)
            self.line(MARGIN, 15, MARGIN + WIDTH, 15)
        self.set_xy(MARGIN, TOP)

    def footer(self) -> None:
        """What made the sheet, and the page."""
        self.set_y(-13)
        self.face(TINY, MUTED)
        made = f"{self.identity.software}   inputs SHA-256 {self.identity.inputs_sha256[:16]}…"
        self.cell(WIDTH * 0.8, 4, shown(made))
        # the number of pages is put in at the end and is narrower than what stands for it
        spare = self.get_string_width("{nb}") - self.get_string_width("0")
        self.cell(WIDTH * 0.2 + spare, 4, f"page {self.page_no()} of {{nb}}", align="R")

    def face(
        self, size: float, colour: str = INK, style: Literal["", "B"] = "", family: str = SANS
    ) -> None:
        """Set the font and the colour of text."""
        self.set_font(family, style, size)
        self.set_text_color(colour)

    @property
    def room(self) -> float:
        """Millimetres left on the page."""
        return float(self.h - BOTTOM - self.get_y())

    def need(self, height: float) -> None:
        """Begin a new page unless so many millimetres are left."""
        if self.room < height and self.get_y() > TOP + 1:
            self.add_page()

    def gap(self, height: float) -> None:
        """Room, but not at the top of a page."""
        if self.get_y() > TOP + 1:
            self.set_y(self.get_y() + height)

    def heading(self, text: str, level: int, follows: float) -> None:
        """A heading with its bookmark.

        Args:
            text: The text.
            level: 1 to 3.
            follows: Millimetres that must fit on the page under it.
        """
        size, height, above, below = _HEADINGS[level]
        self.need(above + height + below + follows)
        self.gap(above)
        if level > 1:
            self.start_section(shown(text), level - 2, strict=False)
        self.face(size, ACCENT if level == 2 else INK, "B")
        self.multi_cell(WIDTH, height, shown(text), align="L", new_x="LMARGIN", new_y="NEXT")
        if level == 2:
            self.set_draw_color(ACCENT)
            self.set_line_width(0.35)
            self.line(MARGIN, self.get_y() + 0.2, MARGIN + WIDTH, self.get_y() + 0.2)
        self.set_y(self.get_y() + below)

    def lines(self, text: str, width: float) -> list[str]:
        """The lines of a text in the font that is set."""
        found = self.multi_cell(
            width, 1, text, align="L", dry_run=True, output=MethodReturnValue.LINES
        )
        assert isinstance(found, list)
        return found

    def text_block(self, text: str, *, size: float = BODY, colour: str = INK) -> None:
        """Running text."""
        self.face(size, colour)
        ready, step = shown(text), line_height(size)
        self.need(min(len(self.lines(ready, WIDTH)), 5) * step)
        self.face(size, colour)  # a new page has set its own
        self.multi_cell(WIDTH, step, ready, align="L", new_x="LMARGIN", new_y="NEXT")
        self.set_y(self.get_y() + 1.6)

    def bullets(self, items: tuple[str, ...], numbered: bool) -> None:
        """A list."""
        height = line_height(BODY)
        for number, item in enumerate(items, start=1):
            self.face(BODY)
            text = shown(item)
            lines = self.lines(text, WIDTH - 7)
            self.need(min(len(lines), 3) * height)
            self.face(BODY, ACCENT, "B")
            self.cell(7, height, f"{number}." if numbered else "•", align="C")
            self.face(BODY)
            self.multi_cell(WIDTH - 7, height, text, align="L", new_x="LMARGIN", new_y="NEXT")
            self.set_y(self.get_y() + 0.8)
        self.set_y(self.get_y() + 0.8)

    def verbatim(self, text: str) -> None:
        """Text in fixed width on a panel, broken where the line ends."""
        self.face(TINY, INK, family=MONO)
        self.set_fill_color(PANEL)
        self.multi_cell(
            WIDTH,
            line_height(TINY) + 0.3,
            shown_fixed(text.rstrip()),
            align="L",
            fill=True,
            wrapmode=WrapMode.CHAR,
            padding=2,
            new_x="LMARGIN",
            new_y="NEXT",
        )
        self.set_y(self.get_y() + 2)

    def picture(self, figure: Plot) -> None:
        """A figure over the width of the text, with its alternative text."""
        height = picture_height(figure)
        self.need(height)
        data = io.BytesIO(figure.png(PRINT_DPI))
        top = self.get_y()
        self.image(data, x=MARGIN, y=top, w=WIDTH, h=height, alt_text=figure.alt)
        self.set_xy(MARGIN, top + height + 2.5)


def picture_height(figure: Plot) -> float:
    """The height of a figure on the page in millimetres."""
    return float(WIDTH * figure.get_figheight() / figure.get_figwidth())
