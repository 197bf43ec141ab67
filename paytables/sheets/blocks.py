"""A sheet as a list of neutral blocks, which Markdown and PDF lay out alike.

Figures are named, not drawn: a writer that can show pictures draws them from the sheet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Align: TypeAlias = Literal["left", "right", "center"]
FigureName: TypeAlias = Literal[
    "returns", "edge by decks", "edge by meter", "rtp intervals", "distribution", "strategy chart"
]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading.

    Attributes:
        text: The text.
        level: 1 for the title, 2 for a section, 3 for a part of it.
    """

    text: str
    level: int = 2


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text.

    Attributes:
        text: The text.
        small: A definition or remark that may be set smaller.
    """

    text: str
    small: bool = False


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list.

    Attributes:
        items: Its points.
        numbered: Whether their order matters.
    """

    items: tuple[str, ...]
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table of texts.

    Attributes:
        header: Column titles; empty for a table of names and values.
        rows: Rows as long as `align`.
        align: How each column is aligned.
        codes: Whether the cells are codes of a strategy chart (but for the first column).
        bold_last: Whether the last row is a sum.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    align: tuple[Align, ...]
    codes: bool = False
    bold_last: bool = False


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Text in fixed width that is kept as it is: a file, a command, a hash."""

    text: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A place for a picture.

    Attributes:
        name: Which picture of the sheet.
        caption: What it shows, in words that stand for it where there are no pictures.
    """

    name: FigureName
    caption: str


Block: TypeAlias = Heading | Paragraph | Bullets | Table | Verbatim | Figure
