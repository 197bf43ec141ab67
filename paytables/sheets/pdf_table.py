"""Tables of a PDF: columns as wide as their text asks, headings again on every page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from paytables.chart_style import CODE_STYLES
from paytables.plot_style import ACCENT, FAINT, INK, MUTED, PANEL
from paytables.sheets.blocks import Align, Table
from paytables.sheets.pdf_page import MARGIN, SMALL, WIDTH, Pdf, line_height, shown

_PAD = 1.3
"""Millimetres on the left and right of a cell, and half above and below it."""
_ALIGN: dict[Align, str] = {"left": "L", "right": "R", "center": "C"}
_LONGEST_WORD = 42.0
"""Millimetres that a word gets where not all fit; longer ones, as fractions, are then broken."""
_MOST_MORE = 9.0
"""Millimetres that a column of numbers gets at most beyond what it needs."""
_KEEP = 70.0
"""A table up to so many millimetres tall is kept on one page."""


@dataclass
class Layout:
    """A table made ready for a page: font size, column widths, and the lines of every cell.

    Attributes:
        pdf: The document.
        table: The table, of texts that the font can print.
        size: The size of its text in points.
        longest: The longest word in millimetres that is not broken.
        width: The width of the whole table in millimetres.
    """

    pdf: Pdf
    table: Table
    size: float = SMALL
    longest: float = WIDTH
    width: float = WIDTH

    @classmethod
    def of(cls, pdf: Pdf, table: Table) -> Layout:
        """The layout with the largest size that no word must be broken for, if there is one."""
        ready = Table(
            tuple(shown(title) for title in table.header),
            tuple(tuple(shown(cell) for cell in row) for row in table.rows),
            table.align,
            table.codes,
            table.bold_last,
        )
        for longest in (100.0, _LONGEST_WORD):
            for size in (SMALL, SMALL - 0.6, SMALL - 1.2):
                layout = cls(pdf, ready, size, longest)
                if sum(layout._least) <= WIDTH:
                    return layout
        return layout

    def _rows(self) -> list[tuple[str, ...]]:
        return [self.table.header, *self.table.rows] if self.table.header else [*self.table.rows]

    def _bold(self, row: int) -> bool:
        """Whether a row of `_rows` is set in bold."""
        first = bool(self.table.header) and row == 0
        return first or (self.table.bold_last and row == len(self._rows()) - 1)

    def _wide(self, text: str, bold: bool) -> float:
        self.pdf.face(self.size, style="B" if bold else "")
        return float(self.pdf.get_string_width(text))

    def indent(self, col: int) -> float:
        """Room before a column of words on the right of one of numbers."""
        words = self.table.align[col] == "left"
        return 3.0 if words and col and self.table.align[col - 1] != "left" else 0.0

    @cached_property
    def _natural(self) -> list[float]:
        """The width of each column without a break."""
        return [
            max(
                self._wide(line, self._bold(i))
                for i, row in enumerate(self._rows())
                for line in (row[col].split("\n") or [""])
            )
            + 2 * _PAD
            + 0.2
            + self.indent(col)
            for col in range(len(self.table.align))
        ]

    @cached_property
    def _least(self) -> list[float]:
        """The width of each column at which no word is broken, long ones apart."""
        least = []
        for col in range(len(self.table.align)):
            words = [
                (word, self._bold(i))
                for i, row in enumerate(self._rows())
                for word in row[col].split()
            ]
            longest = max((self._wide(word, bold) for word, bold in words), default=0.0)
            least.append(min(longest, self.longest) + 2 * _PAD + 0.2 + self.indent(col))
        return least

    @cached_property
    def widths(self) -> list[float]:
        """The width of each column."""
        natural, least = self._natural, self._least
        spare = self.width - sum(natural)
        if spare >= 0:
            if not self.table.header:  # names and values: the values take the rest
                return [natural[0], *natural[1:-1], natural[-1] + spare]
            more = min(spare / len(natural), _MOST_MORE)
            words = [align == "left" for align in self.table.align]
            rest = (spare - more * len(natural)) / max(1, sum(words))
            return [w + more + rest * text for w, text in zip(natural, words, strict=True)]
        room = self.width - sum(least)
        if room < 0:
            return [w * self.width / sum(least) for w in least]
        asked = [n - m for n, m in zip(natural, least, strict=True)]
        # square roots: a column with very much text does not take all the room from the others
        shares = [a**0.5 for a in asked]
        widths = list(least)
        while room > 1e-6 and any(shares):
            total, used = sum(shares), 0.0
            for i, share in enumerate(shares):
                more = min(room * share / total, natural[i] - widths[i])
                widths[i] += more
                used += more
                if natural[i] - widths[i] < 1e-6:
                    shares[i] = 0.0
            room -= used
            if used < 1e-6:
                break
        return widths

    @cached_property
    def cells(self) -> list[list[list[str]]]:
        """The lines of every cell of every row, the header first."""
        found = []
        for i, row in enumerate(self._rows()):
            self.pdf.face(self.size, style="B" if self._bold(i) else "")
            found.append(
                [
                    self.pdf.lines(cell, self._inside(col)) if cell else []
                    for col, cell in enumerate(row)
                ]
            )
        return found

    def _inside(self, col: int) -> float:
        """The width that the text of a column has."""
        return self.widths[col] - self.indent(col) - 2 * _PAD + 0.1

    def height(self, row: int) -> float:
        """The height of a row in millimetres."""
        most = max((len(lines) for lines in self.cells[row]), default=1)
        return max(1, most) * line_height(self.size) + _PAD

    @property
    def total(self) -> float:
        """The height of the whole table."""
        return sum(self.height(row) for row in range(len(self.cells)))

    @property
    def start(self) -> float:
        """The height that must fit on a page for the table to begin there."""
        if self.total <= _KEEP:
            return self.total
        return sum(self.height(row) for row in range(min(4, len(self.cells))))


def draw_table(layout: Layout) -> None:
    """Draw a table from the current place; it may go on over pages."""
    pdf, headed = layout.pdf, bool(layout.table.header)
    pdf.need(layout.start)
    last = len(layout.cells) - 1
    if headed:
        _row(layout, 0)
    for row in range(1 if headed else 0, last + 1):
        # the sum is not left alone on the next page
        together = layout.height(row)
        if row == last - 1 and layout.table.bold_last:
            together += layout.height(last)
        if pdf.room < together and pdf.get_y() > 30:
            pdf.add_page()
            if headed:
                _row(layout, 0)
        _row(layout, row)
    pdf.set_xy(MARGIN, pdf.get_y() + 2.6)


def _row(layout: Layout, row: int) -> None:
    pdf, table = layout.pdf, layout.table
    height, top, step = layout.height(row), pdf.get_y(), line_height(layout.size)
    right = MARGIN + sum(layout.widths)
    head = bool(table.header) and row == 0
    last = table.bold_last and row == len(layout.cells) - 1
    if head:
        pdf.set_fill_color(PANEL)
        pdf.rect(MARGIN, top, right - MARGIN, height, "F")
    pdf.set_line_width(0.3 if head or last else 0.15)
    pdf.set_draw_color(ACCENT if head or last else FAINT)
    pdf.line(MARGIN, top + height, right, top + height)
    if last:
        pdf.line(MARGIN, top, right, top)
    left = MARGIN
    for col, lines in enumerate(layout.cells[row]):
        width, text, indent = layout.widths[col], table.align[col], layout.indent(col)
        name = not table.header and col == 0
        pdf.face(layout.size, MUTED if name else INK, "B" if layout._bold(row) else "")
        # headings stand on the line of the row, texts hang from the top
        start = height - _PAD / 2 - len(lines) * step if head else _PAD / 2
        for number, line in enumerate(lines):
            pdf.set_xy(left + _PAD + indent, top + start + number * step)
            pdf.cell(width - 2 * _PAD - indent, step, line, align=_ALIGN[text])
        left += width
    pdf.set_xy(MARGIN, top + height)


_CELL, _ROW, _HAND = 6.5, 5.1, 13.0
"""Millimetres: width and height of a cell of a chart, width of the column of hands."""


@dataclass(frozen=True, slots=True)
class Charts:
    """The grids of a strategy chart, in two columns.

    Attributes:
        grids: Title and table; the first on the left, the others on the right.
        legend: Codes and their meaning, under the first.
    """

    grids: tuple[tuple[str, Table], ...]
    legend: tuple[tuple[str, ...], ...] = ()

    @property
    def height(self) -> float:
        """In millimetres."""
        heights = [_chart_height(table) for _, table in self.grids]
        left = sum(heights[:1]) + (3.0 + _ROW * len(self.legend) if self.legend else 0.0)
        return max(left, sum(heights[1:]))


def _chart_height(table: Table) -> float:
    return 6.0 + _ROW * (len(table.rows) + 1) + 3.0


def draw_charts(pdf: Pdf, charts: Charts) -> None:
    """Draw the grids in colour, with the codes as text."""
    pdf.need(charts.height)
    top = pdf.get_y()
    below = [top, top]
    for number, (title, table) in enumerate(charts.grids):
        side = min(number, 1)
        _chart(pdf, title, table, MARGIN + side * (WIDTH / 2 + 2.0), below[side])
        below[side] += _chart_height(table)
    for number, (code, meaning) in enumerate(charts.legend):
        above = below[0] + 3.0 + number * _ROW
        _code(pdf, code, MARGIN + 2, above, _CELL + 2)
        pdf.face(SMALL)
        pdf.set_xy(MARGIN + _CELL + 6.5, above)
        pdf.cell(60, _ROW, shown(meaning))
    pdf.set_xy(MARGIN, top + charts.height + 1)


def _code(pdf: Pdf, code: str, x: float, y: float, width: float) -> None:
    """One code in its colours."""
    look = CODE_STYLES.get(code.rstrip("*"))
    if look is not None:
        pdf.set_fill_color(look.background)
        pdf.rect(x + 0.2, y + 0.2, width - 0.4, _ROW - 0.4, "F")
    pdf.face(SMALL - 0.4, look.ink if look else INK, "B")
    pdf.set_xy(x, y)
    pdf.cell(width, _ROW, shown(code), align="C")


def _chart(pdf: Pdf, title: str, table: Table, left: float, top: float) -> None:
    pdf.face(SMALL + 1, INK, "B")
    pdf.set_xy(left, top)
    pdf.cell(60, 5, shown(title))
    for row, cells in enumerate([table.header, *table.rows]):
        above = top + 6.0 + row * _ROW
        for col, text in enumerate(cells):
            x = left + (_HAND + (col - 1) * _CELL if col else 0.0)
            if row and col:
                _code(pdf, text, x, above, _CELL)
                continue
            pdf.face(SMALL - 0.2, INK if row else MUTED)
            pdf.set_xy(x, above)
            pdf.cell(_CELL if col else _HAND - 2, _ROW, shown(text), align="C" if col else "R")


def draw_panel(pdf: Pdf, table: Table) -> None:
    """The figures at a glance: names and values on a panel, the first one large."""
    layout = Layout(pdf, table, SMALL + 0.8)
    top, height = pdf.get_y(), 0.0
    sizes = [SMALL + 4.4 if row == 0 else SMALL + 0.8 for row in range(len(table.rows))]
    names = layout._natural[0] + 3
    blocks = []
    for (name, value), size in zip(table.rows, sizes, strict=True):
        pdf.face(size, INK, "B" if size > SMALL + 1 else "")
        lines = pdf.lines(shown(value), WIDTH - names - 6)
        blocks.append((shown(name), lines, size))
        height += len(lines) * line_height(size) + 0.9
    pdf.set_fill_color(PANEL)
    pdf.rect(MARGIN, top, WIDTH, height + 5, "F")
    pdf.set_fill_color(ACCENT)
    pdf.rect(MARGIN, top, 1.2, height + 5, "F")
    y = top + 2.5
    for name, lines, size in blocks:
        step = line_height(size)
        pdf.face(SMALL + 0.8, MUTED)
        pdf.set_xy(MARGIN + 4, y)
        pdf.cell(names, step, name)
        pdf.face(size, INK, "B" if size > SMALL + 1 else "")
        for number, line in enumerate(lines):
            pdf.set_xy(MARGIN + 4 + names, y + number * step)
            pdf.cell(WIDTH - names - 6, step, line)
        y += len(lines) * step + 0.9
    pdf.set_xy(MARGIN, top + height + 5 + 4)
