"""What the commands have in common: the bet they name, options that hold a list, tables, JSON."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.table import Table

from odds.errors import InputError
from odds.shoe import MAX_DECKS
from paytables.bets import BetFile, find_bet, read_bet

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def chosen_bet(name: str | None, file: Path | None) -> BetFile:
    """The side bet of a command: of the catalogue by its name, or from a file.

    Raises:
        InputError: Both or neither are given; or see `find_bet` and `read_bet`.
    """
    if (name is None) == (file is None):
        raise InputError("bet", name or "", "a name of the catalogue or --file, and not both")
    return read_bet(file) if file is not None else find_bet(name or "")


def parse_decks(text: str) -> tuple[int, ...]:
    """Read deck counts such as ``6``, ``1-8`` or ``2,6,8``.

    Raises:
        InputError: A part is no number from 1 to 12, or a range that does not rise.

    Example:
        >>> parse_decks("1-3,8")
        (1, 2, 3, 8)
    """
    allowed = f"whole numbers from 1 to {MAX_DECKS}, such as 6, 1-8 or 2,6,8"
    decks: list[int] = []
    for part in text.replace(" ", "").split(","):
        match = re.fullmatch(r"(\d{1,2})(?:-(\d{1,2}))?", part)
        if not match:
            raise InputError("decks", text, allowed)
        low, high = int(match[1]), int(match[2] or match[1])
        if not 1 <= low <= high <= MAX_DECKS:
            raise InputError("decks", text, allowed)
        decks += range(low, high + 1)
    return tuple(dict.fromkeys(decks))


def named(texts: Sequence[str], option: str, allowed: str) -> dict[str, str]:
    """Read options of the form NAME=VALUE, each name once.

    Raises:
        InputError: One has another form, or a name comes twice.

    Example:
        >>> named(["sweet=150", "easy=5/2"], "pay", "a tier and what it pays")
        {'sweet': '150', 'easy': '5/2'}
    """
    found: dict[str, str] = {}
    for text in texts:
        name, sign, value = (part.strip() for part in text.rpartition("="))
        if not sign or not name or not value:
            raise InputError(option, text, allowed)
        if name in found:
            raise InputError(option, text, f"given once for {name!r}, which has {found[name]!r}")
        found[name] = value
    return found


def parse_pays(texts: Sequence[str]) -> dict[str, str]:
    """Read the pays of ``--pay TIER=PAY``.

    Raises:
        InputError: See `named`.
    """
    return named(texts, "pay", "a tier and what it pays, such as sweet=150 or easy=5/2")


def column_table(*columns: str) -> Table:
    """A plain table; a column name that starts with > is right-aligned."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="dim")
    for column in columns:
        right = column.startswith(">")
        table.add_column(
            column.lstrip(">"), justify="right" if right else "left", no_wrap=right, overflow="fold"
        )
    return table


def print_json(value: object) -> None:
    """Print a value as JSON."""
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=False) + "\n")
