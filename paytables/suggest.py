"""The nearest known name to one that is not known."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches


def nearest(name: str, known: Sequence[str]) -> str:
    """What to say is allowed in place of an unknown name: the nearest one, then all.

    Example:
        >>> nearest("sweet61", ["greektown", "sweet16"])
        "one of greektown, sweet16; nearest is 'sweet16'"
    """
    listed = f"one of {', '.join(known)}"
    close = get_close_matches(name.lower(), known, n=1, cutoff=0.5)
    return f"{listed}; nearest is '{close[0]}'" if close else listed
