"""What a sheet was made from: canonical inputs and their hash, date, software, the command.

Nothing here looks at a clock: the date is an input like any other.
"""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Mapping, Sequence
from datetime import date
from importlib.metadata import PackageNotFoundError, version

from odds.cards import RANK_NAMES
from odds.errors import InputError
from odds.shoe import Shoe
from paytables.sheets.figures import DIGITS, Identity, RoundingPolicy

DISTRIBUTION = "blackjack-paytables"
MOST_VERSION = 40
FIRST_YEAR = 1900
"""Workbooks know no earlier dates, and readers of PDF files misread them."""


def software() -> str:
    """The program and its version."""
    try:
        return f"{DISTRIBUTION} {version(DISTRIBUTION)}"
    except PackageNotFoundError:  # run from a copy that was never installed
        return f"{DISTRIBUTION} (not installed, version unknown)"


def canonical(inputs: Mapping[str, object]) -> str:
    """The inputs as one JSON text with sorted keys and no spaces, ASCII only.

    Example:
        >>> canonical({"decks": 8, "bet": {"name": "Sweet 16"}})
        '{"bet":{"name":"Sweet 16"},"decks":8}'
    """
    return json.dumps(inputs, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def checked_date(value: str | date) -> str:
    """A date as ``YYYY-MM-DD``.

    Raises:
        InputError: It is none, or before 1900.
    """
    if isinstance(value, date):
        value = date(value.year, value.month, value.day).isoformat()
    try:
        read = date.fromisoformat(value)
    except (TypeError, ValueError):
        read = None
    if read is None or read.isoformat() != value or read.year < FIRST_YEAR:
        raise InputError("date", value, f"a date such as 2026-11-30, from {FIRST_YEAR} on")
    return value


def checked_version(value: str) -> str:
    """The version of a design, a short text in one line.

    Raises:
        InputError: It is empty or too long, or has control characters or broken ones.
    """
    text = " ".join(value.split())
    if not 1 <= len(text) <= MOST_VERSION or not text.isprintable():
        allowed = f"1 to {MOST_VERSION} printable characters"
        raise InputError("version", value[:MOST_VERSION], allowed)
    return text


def command_of(arguments: Sequence[str], options: Mapping[str, object]) -> str:
    """The command that makes a sheet again; options that are None are left out.

    Example:
        >>> command_of(["sweet-16"], {"decks": 8, "shoe": None, "seed": 1})
        'paytables sheet sweet-16 --decks 8 --seed 1'
    """
    words = ["paytables", "sheet", *arguments]
    for name, value in options.items():
        if value is not None:
            words += [f"--{name}", str(value)]
    return shlex.join(words)


def shoe_option(shoe: Shoe) -> str | None:
    """A shoe as ``--shoe`` takes it, by rank; None where its suits are not even.

    Example:
        >>> shoe_option(Shoe.from_ranks({"A": 4, "T": 1}))
        'A=4,T=1,J=0'
    """
    counts = dict(zip(RANK_NAMES, shoe.by_rank, strict=True))
    if Shoe.from_ranks(counts) != shoe:
        return None
    parts = [f"{rank}={count}" for rank, count in counts.items() if count or rank == "J"]
    return ",".join(parts)  # J is named, so that T is not read as all ten-valued cards


def identity_of(
    *,
    name: str,
    variant: str = "",
    version: str,
    day: str,
    inputs: Mapping[str, object],
    command: str,
    source: str = "",
) -> Identity:
    """The identity of a sheet; the hash is over the canonical inputs."""
    text = canonical(inputs)
    return Identity(
        name=name,
        variant=variant,
        version=version,
        date=day,
        software=software(),
        inputs=text,
        inputs_sha256=hashlib.sha256(text.encode()).hexdigest(),
        command=command,
        source=source,
    )


def rounding_policy(*further: str) -> RoundingPolicy:
    """The policy that every sheet follows."""
    return RoundingPolicy(
        digits=DIGITS,
        text=(
            "Nothing is rounded before the last step: figures are computed from whole numbers of "
            "deals and fractions, or in float64 where said, and rounded once when written.",
            f"Decimals beside a fraction are rounded to {DIGITS} significant digits, half to even. "
            "The fraction is the figure; its decimal is for reading.",
            *further,
            f"Other figures in float64 are kept with {DIGITS} significant digits, half to even.",
            "Percentages in running text and tables are rounded to the digits shown, half to even, "
            "from the fraction or from those digits.",
        ),
    )
