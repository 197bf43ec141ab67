"""How much of the long tables of references is compared: a part in every run, all on request."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

EVERY_ROW = bool(os.environ.get("PAYTABLES_EVERY_ROW"))
"""Set to compare all; takes about four minutes more."""


def sample(rows: Sequence[T], one_in: int) -> Sequence[T]:
    """The first of each so many rows, or all of them."""
    return rows if EVERY_ROW else rows[::one_in]
