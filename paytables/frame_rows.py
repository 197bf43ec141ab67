"""Rows into a DataFrame, exact numbers kept; pandas is imported only here, and only when used."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd  # type: ignore[import-untyped,unused-ignore]

Row = dict[str, object]


def frame(rows: Iterable[Row], index: str | Sequence[str], definition: str) -> pd.DataFrame:
    """A frame of rows with some columns as the index; fractions stay what they are."""
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError(
            'to_pandas needs pandas: pip install "blackjack-paytables[notebooks]"'
        ) from error
    listed = list(rows)
    names = list(listed[0]) if listed else []
    columns: dict[str, Any] = {}
    for name in names:
        values = [row[name] for row in listed]
        mixed = any(isinstance(value, (Fraction, tuple)) for value in values)
        columns[name] = pd.Series(values, dtype=object) if mixed else pd.Series(values)
    made = pd.DataFrame(columns)
    if listed:
        made = made.set_index(index if isinstance(index, str) else list(index))
    made.attrs["definition"] = definition
    return made


def exact(name: str, value: Fraction | None) -> Row:
    """A number as a float and, beside it, as the fraction it is."""
    return {name: float("nan") if value is None else float(value), f"{name}_exact": value}
