"""The look of the workbook, and a page that is written from the top down.

Every cell is written by its kind: a text is never taken for a formula, a formula has the value that
it had when written, so that a reader that does not recalculate shows the right figure.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from paytables.sheets.figures import Identity

try:
    import xlsxwriter  # type: ignore[import-untyped]
    from xlsxwriter.utility import (  # type: ignore[import-untyped]
        xl_range_abs,
        xl_rowcol_to_cell,
    )
except ImportError as error:  # pragma: no cover - the extra is installed where tests run
    raise ImportError(
        'the workbook needs xlsxwriter: pip install "blackjack-paytables[sheets]"'
    ) from error

INK, MUTED, FAINT, PANEL, ACCENT = "#17211c", "#5a6760", "#dde5e0", "#eef3f0", "#0b6e4f"
INPUT, INPUT_INK = "#fff6d6", "#1f3f8f"
GOOD, BAD = ("#d9f2e3", "#0a5a3c"), ("#fbdcd2", "#8a2a0b")
EXACT_INTEGER = 2**53
"""Above it a cell's float64 cannot hold every whole number."""
FONT = "Arial"
LINE = 15
"""The height of a row in points."""
TALLEST = 405
"""Excel's rows are not taller than 409 points; the text of a cell may be longer than one shows."""
LONGEST = 32_000
"""A cell takes 32,767 characters."""
_NARROW = 1.1  # characters of running text in the width of a digit
PERCENT, PERCENT_6, PROBABILITY = "0.0000%", "0.000000%", "0.0000000000"
PAYS, NUMBER, EIGHT = "#,##0.####", "#,##0.0000", "#,##0.00000000"
CHANGE = "+0.000000%;-0.000000%;0.000000%"
WHOLE, LARGE, MONEY = "#,##0", "0.000000000E+00", "#,##0.00"

Value: TypeAlias = float | int | str | bool


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: title, number format (text without one), width in characters."""

    title: str
    form: str = ""
    width: float = 14


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula and the value it had when the workbook was written."""

    text: str
    value: Value


Cell: TypeAlias = Value | Formula | None


class Book:
    """A workbook in memory; the same calls give the same bytes.

    Args:
        identity: What it is about.
        kind: What the document is called.
    """

    def __init__(self, identity: Identity, kind: str) -> None:
        self._stream = io.BytesIO()
        self.identity = identity
        self._book = xlsxwriter.Workbook(
            self._stream,
            {
                "in_memory": True,
                "strings_to_formulas": False,
                "strings_to_numbers": False,
                "strings_to_urls": False,
            },
        )
        self._formats: dict[tuple[tuple[str, Any], ...], Any] = {}
        self._book.set_properties(
            {
                "title": f"{kind}: {identity.title}",
                "subject": kind,
                "author": identity.software,
                "comments": f"Inputs SHA-256 {identity.inputs_sha256}",
                "created": datetime.fromisoformat(identity.date),
            }
        )
        self._book.set_size(2400, 1500)
        self._book.set_calc_mode("auto")

    def style(self, **properties: Any) -> Any:
        """A cell format, in the font of the book, made once."""
        key = tuple(sorted(properties.items()))
        if key not in self._formats:
            look = {"font_name": FONT, "font_size": 10, "font_color": INK, "valign": "vcenter"}
            self._formats[key] = self._book.add_format(look | properties)
        return self._formats[key]

    def difference(self, **properties: Any) -> Any:
        """A format that changes only what it names, for conditions."""
        return self._book.add_format(properties)

    def name(self, name: str, page: Page, row: int, col: int) -> None:
        """Name a cell, for formulas and for people."""
        self._book.define_name(name, f"={page.at(row, col)}")

    def page(self, name: str, tab: str = FAINT) -> Page:
        """A new worksheet."""
        return Page(self, self._book.add_worksheet(name), name, tab)

    def chart(self, kind: str, subtype: str | None = None) -> Any:
        """A chart that follows the cells."""
        options = {"type": kind} | ({"subtype": subtype} if subtype else {})
        return self._book.add_chart(options)

    def to_bytes(self) -> bytes:
        """The file."""
        self._book.close()
        return self._stream.getvalue()


class Page:
    """A worksheet, protected without a password but for its input cells.

    Attributes:
        row: The next free row, from 0.
    """

    def __init__(self, book: Book, sheet: Any, name: str, tab: str) -> None:
        self.book, self.sheet, self.name, self.row = book, sheet, name, 0
        self._widths: list[float] = []
        identity = book.identity
        sheet.hide_gridlines(2)
        sheet.set_default_row(LINE)
        sheet.set_tab_color(tab)
        sheet.set_landscape()
        sheet.set_paper(9)
        sheet.fit_to_pages(1, 0)
        sheet.set_margins(left=0.5, right=0.5, top=0.7, bottom=0.7)
        plain = identity.title.replace("&", "&&")
        sheet.set_header(f"&L&8{plain}&R&8{name}")
        sheet.set_footer(
            f"&L&8{identity.software}, inputs SHA-256 {identity.inputs_sha256[:16]}"
            "&R&8page &P of &N"
        )
        sheet.protect(
            "",
            {"format_columns": True, "format_rows": True, "select_locked_cells": True},
        )

    def at(self, row: int, col: int) -> str:
        """A cell's absolute address with the name of the sheet."""
        return f"'{self.name}'!{xl_rowcol_to_cell(row, col, True, True)}"

    def here(self, row: int, col: int, *, fixed: bool = False) -> str:
        """A cell's address on this sheet."""
        return str(xl_rowcol_to_cell(row, col, fixed, fixed))

    def range(self, first: int, col: int, last: int, last_col: int | None = None) -> str:
        """An absolute range with the name of the sheet."""
        end = col if last_col is None else last_col
        return f"'{self.name}'!{xl_range_abs(first, col, last, end)}"

    def widths(self, widths: Sequence[float]) -> None:
        """Set the widths of the first columns, in characters."""
        self._widths = list(widths)
        for col, width in enumerate(widths):
            self.sheet.set_column(col, col, width)

    def title(self, title: str, *notes: str) -> None:
        """The title of the page and small print under it."""
        self.sheet.set_row(self.row, 24)
        self._text(self.row, 0, title, self.book.style(bold=True, font_size=15))
        self.row += 1
        for note in notes:
            self.note(note)
        self.row += 1

    def heading(self, text: str, *notes: str) -> None:
        """A heading within the page."""
        self._text(self.row, 0, text, self.book.style(bold=True, font_size=12, font_color=ACCENT))
        self.row += 1
        for note in notes:
            self.note(note)

    def header(self, columns: Sequence[Column], *, freeze: bool = False) -> None:
        """The head of a table; with ``freeze`` it stays in view and is printed on every page."""
        self.tall(*((c.title, 0.8 * w) for c, w in zip(columns, self._widths, strict=False)))
        for col, column in enumerate(columns):
            look = {"align": "right"} if column.form else {"align": "left", "indent": min(col, 1)}
            style = self.book.style(
                bold=True,
                bg_color=PANEL,
                bottom=2,
                bottom_color=ACCENT,
                text_wrap=True,
                valign="bottom",
                **look,
            )
            self._text(self.row, col, column.title, style)
        if freeze:
            self.sheet.freeze_panes(self.row + 1, 1)
            self.sheet.repeat_rows(self.row)
        self.row += 1

    def put(self, row: int, col: int, cell: Cell, form: str = "", **look: Any) -> None:
        """Write one cell by its kind.

        Args:
            row: Row from 0.
            col: Column from 0.
            cell: What is in it.
            form: Number format.
            look: More properties of its format.
        """
        style: dict[str, Any] = {"bottom": 1, "bottom_color": FAINT} | look
        if isinstance(cell, str) and col and "align" not in style:
            style["indent"] = 1  # clear of a number on the left
        if isinstance(cell, Formula):
            side = "left" if isinstance(cell.value, str) else "right"
            style = {"num_format": form, "align": side} | style
            self.sheet.write_formula(
                row, col, f"={cell.text}", self.book.style(**style), cell.value
            )
        elif isinstance(cell, bool):
            self.sheet.write_boolean(row, col, cell, self.book.style(**style))
        elif isinstance(cell, (int, float)):
            self.sheet.write_number(
                row, col, cell, self.book.style(**{"num_format": form, "align": "right"} | style)
            )
        elif cell:
            self._text(row, col, cell, self.book.style(**style))
        else:
            self.sheet.write_blank(row, col, None, self.book.style(**style))

    def _text(self, row: int, col: int, text: str, look: Any) -> None:
        self.sheet.write_string(row, col, text, look)

    def input(
        self, row: int, col: int, value: float | None, form: str, low: float, high: float
    ) -> None:
        """An unlocked cell for a number in a range."""
        look = {
            "bg_color": INPUT,
            "font_color": INPUT_INK,
            "border": 1,
            "border_color": "#d8c27a",
            "locked": False,
            "bold": True,
        }
        self.put(row, col, value, form, num_format=form, align="right", **look)
        self.sheet.data_validation(
            row,
            col,
            row,
            col,
            {
                "validate": "decimal",
                "criteria": "between",
                "minimum": low,
                "maximum": high,
                "ignore_blank": True,
                "error_title": "Not in range",
                "error_message": f"A number from {low:,.10g} to {high:,.10g}.",
            },
        )

    def line(self, cells: Sequence[Cell], columns: Sequence[Column], **look: Any) -> None:
        """A row of a table."""
        for col, (cell, column) in enumerate(zip(cells, columns, strict=True)):
            self.put(self.row, col, cell, column.form, **look)
        self.row += 1

    def pairs(self, rows: Sequence[tuple[str, Cell, str]]) -> None:
        """Rows of a name, a value and its number format; those without a value are left out."""
        for label, value, form in rows:
            if value is not None:
                self.put(self.row, 0, label)
                self.put(self.row, 1, value, form, align="right")
                self.row += 1

    def texts(self, rows: Sequence[Sequence[str]], width: float, *, wrap: bool = True) -> None:
        """Rows of names and a last text, which is wrapped at a width in characters.

        Rows without a last text are left out.
        """
        for *names, text in rows:
            if text:
                if wrap:
                    self.tall((text, width))
                for col, name in enumerate(names):
                    look = {"font_color": MUTED} if col == 0 else {}
                    self.put(self.row, col, name, valign="top", text_wrap=wrap, **look)
                self.put(self.row, len(names), text, text_wrap=wrap, valign="top")
                self.row += 1

    def tall(self, *texts: tuple[str, float]) -> None:
        """Make the next row as tall as texts need that are wrapped at so many characters."""
        lines = max(lines_of(text, width) for text, width in texts)
        self.sheet.set_row(self.row, min(LINE * lines, TALLEST))

    def note(self, text: str) -> None:
        """Small print."""
        self._text(self.row, 0, text, self.book.style(font_color=MUTED))
        self.row += 1

    def paragraph(self, text: str, columns: int, width: float, **look: Any) -> None:
        """Running text over several columns that together are so many characters wide."""
        style = self.book.style(text_wrap=True, **({"valign": "top"} | look))
        self.sheet.merge_range(self.row, 0, self.row, columns - 1, "", style)
        self._text(self.row, 0, text, style)
        self.tall((text, width))
        self.row += 1

    def flag(self, row: int, col: int, text: str, *, good: bool = True) -> None:
        """Colour a cell green where it says the text (unless not ``good``), red otherwise."""
        for criteria, (back, ink) in (("==", GOOD), ("!=", BAD)):
            if criteria == "!=" or good:
                colours = {"bg_color": back, "font_color": ink}
                self.sheet.conditional_format(
                    row,
                    col,
                    row,
                    col,
                    {
                        "type": "cell",
                        "criteria": criteria,
                        "value": f'"{text}"',
                        "format": self.book.difference(**colours),
                    },
                )

    def signs(self, first: int, col: int, last: int) -> None:
        """Colour the numbers of a column that cost the player orange, those that help green."""
        for criteria, limit, (back, ink) in ((">", 5e-13, BAD), ("<", -5e-13, GOOD)):
            self.sheet.conditional_format(
                first,
                col,
                last,
                col,
                {
                    "type": "cell",
                    "criteria": criteria,
                    "value": limit,
                    "format": self.book.difference(bg_color=back, font_color=ink),
                },
            )

    def grey_if(self, first: int, col: int, last: int, last_col: int, formula: str) -> None:
        """Grey a block out where a formula holds."""
        self.sheet.conditional_format(
            first,
            col,
            last,
            last_col,
            {
                "type": "formula",
                "criteria": f"={formula}",
                "format": self.book.difference(font_color="#9aa5a0", italic=True),
            },
        )


def lines_of(text: str, width: float) -> int:
    r"""How many lines a text takes in so many characters, breaks of its own included.

    Example:
        >>> lines_of("one two three", 8), lines_of("a\nb", 8)
        (2, 2)
    """
    room = max(1, int(_NARROW * width))
    return sum(max(1, -(-len(line) // room)) for line in text.split("\n"))


def pieces(text: str) -> list[str]:
    """The text in pieces that a cell takes; put together they are the text.

    Example:
        >>> [len(piece) for piece in pieces("x" * 70_000)]
        [32000, 32000, 6000]
    """
    return [text[i : i + LONGEST] for i in range(0, len(text), LONGEST)]


def whole(value: int) -> tuple[float | int, str]:
    """A whole number for a cell, and as exact text where a cell cannot hold it.

    Example:
        >>> whole(86320), whole(2**53 + 1)
        ((86320, ''), (9007199254740992.0, '9007199254740993'))
    """
    return (value, "") if value <= EXACT_INTEGER else (float(value), str(value))
