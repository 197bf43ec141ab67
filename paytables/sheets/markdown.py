"""A sheet as Markdown (GitHub's tables); it has no pictures, the tables say the same."""

from __future__ import annotations

from collections.abc import Sequence

from paytables.sheets.blocks import (
    Align,
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

_RULES: dict[Align, str] = {"left": ":--", "right": "--:", "center": ":-:"}


def to_bytes(sheet: Sheet) -> bytes:
    """The sheet as a Markdown file, UTF-8."""
    return to_markdown(sheet_blocks(sheet)).encode()


def to_markdown(blocks: Sequence[Block]) -> str:
    r"""Blocks as Markdown.

    Example:
        >>> print(to_markdown([Heading("Odds"), Table(("a", "b"), (("x|y", "2"),),
        ...                                           ("left", "right"))]), end="")
        ## Odds
        <BLANKLINE>
        | a | b |
        | :-- | --: |
        | x\|y | 2 |
    """
    parts = [text for block in blocks if (text := _block(block))]
    return "\n\n".join(parts) + "\n"


def _block(block: Block) -> str:
    match block:
        case Heading():
            return f"{'#' * block.level} {_plain(block.text)}"
        case Paragraph():
            return f"<sub>{_plain(block.text)}</sub>" if block.small else _plain(block.text)
        case Bullets():
            marks = [f"{i}." if block.numbered else "-" for i in range(1, len(block.items) + 1)]
            return "\n".join(
                f"{mark} {_plain(item)}" for mark, item in zip(marks, block.items, strict=True)
            )
        case Table():
            return _table(block)
        case Verbatim():
            fence = "`" * max(3, 1 + _longest_run(block.text))
            return f"{fence}\n{block.text.rstrip()}\n{fence}"
        case Figure():
            return ""


def _table(table: Table) -> str:
    header = [_cell(title) for title in table.header or ("",) * len(table.align)]
    lines = [_row(header), _row([_RULES[align] for align in table.align])]
    for i, row in enumerate(table.rows):
        cells = [_cell(cell) for cell in row]
        if table.bold_last and i == len(table.rows) - 1:
            cells = [f"**{cell}**" if cell else "" for cell in cells]
        elif not table.header:
            cells[0] = f"**{cells[0]}**"
        lines.append(_row(cells))
    return "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    for sign in "\\*_<>#`[]~&$":  # the first one first
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())


def _cell(text: str) -> str:
    return _plain(text).replace("|", "\\|")


def _longest_run(text: str) -> int:
    longest = run = 0
    for sign in text:
        run = run + 1 if sign == "`" else 0
        longest = max(longest, run)
    return longest
