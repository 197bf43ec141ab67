"""A sheet as a list of neutral blocks, which Markdown and PDF lay out alike.

Figures are named, not drawn: a writer that can show pictures draws them from the sheet.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from paytables.sheets import show
from paytables.sheets.figures import Identity, RoundingPolicy, RtpLine, Term

Align: TypeAlias = Literal["left", "right", "center"]
FigureName: TypeAlias = Literal[
    "returns",
    "edge by decks",
    "edge by meter",
    "rtp intervals",
    "distribution",
    "strategy chart",
    "rule effects",
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


def names_and_values(*pairs: tuple[str, str]) -> Table:
    """A table of names and values; those without a value are left out."""
    return Table((), tuple(pair for pair in pairs if pair[1]), ("left", "left"))


def identity_blocks(identity: Identity) -> Iterator[Block]:
    """What a sheet is about."""
    yield Heading("Identity")
    yield names_and_values(
        ("Name", identity.name),
        ("Variant", identity.variant),
        ("Version of the design", identity.version),
        ("Date", identity.date),
        ("Software", identity.software),
        ("SHA-256 of the inputs", identity.inputs_sha256),
        ("Source", identity.source),
    )


def rtp_blocks(lines: Sequence[RtpLine], exactly: str) -> Iterator[Block]:
    """The RTP of so many rounds.

    Args:
        lines: The intervals.
        exactly: What the ends beside the normal ones are.
    """
    if not lines:
        return
    yield Heading("RTP after many rounds")
    rows = []
    for line in lines:
        ends, valid = "not known", "not known"
        if line.low is not None and line.high is not None:
            ends = f"{show.percent(line.low)} to {show.percent(line.high)}"
        if line.normal_valid is not None and line.normal_error is not None:
            error = show.percent(line.normal_error, 2)
            valid = f"{'yes' if line.normal_valid else 'NO'} (error {error})"
        rows.append(
            (
                f"{line.rounds:,}",
                ends,
                f"{show.percent(line.normal_low)} to {show.percent(line.normal_high)}",
                valid,
                line.method,
            )
        )
    confidence = show.percent(lines[0].confidence, 0)
    yield Table(
        ("Rounds", f"{confidence} interval", "Normal approximation", "Normal valid", "Method"),
        tuple(rows),
        ("right", "right", "right", "left", "left"),
    )
    yield Paragraph(
        f"The actual RTP of so many independent rounds of one bet lies in the interval with a "
        f"probability of {confidence}, as much left out below as above; its ends are quantiles "
        f"{exactly}. The normal approximation (RTP ± z SD/√N) is called valid where its error at "
        "each end is estimated to be at most 0.5 % in probability.",
        small=True,
    )
    yield Figure("rtp intervals", "The interval of the actual RTP by the number of rounds.")


def definition_blocks(definitions: Sequence[Term], rounding: RoundingPolicy) -> Iterator[Block]:
    """What the words mean, and how figures are rounded."""
    yield Heading("Definitions")
    yield Table((), tuple((term.written, term.meaning) for term in definitions), ("left", "left"))
    yield Heading("Rounding policy")
    yield Bullets(rounding.text)


def in_lines(command: str, width: int = 84) -> str:
    r"""A command of the shell over several lines, no word broken, to be copied as it stands.

    Example:
        >>> print(in_lines("paytables sheet sweet-16 --decks 8 --seed 1", width=26))
        paytables sheet sweet-16 \
          --decks 8 --seed 1
    """
    lines = [""]
    for word in shlex.split(command):
        word = shlex.quote(word)
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".lstrip()
    return " \\\n  ".join(lines)


def input_blocks(identity: Identity) -> Iterator[Block]:
    """What the sheet was made from, and how to make it again."""
    yield Heading("Inputs")
    if identity.command:
        yield Paragraph("The same sheet, byte for byte, comes from the same software with:")
        yield Verbatim(in_lines(identity.command))
    yield Paragraph(f"SHA-256 of the text below: {identity.inputs_sha256}")
    yield Verbatim(identity.inputs)
