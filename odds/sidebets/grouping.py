"""Equal rows of an integer array, found by packing them into single integers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
_LIMIT = 1 << 62


def equal_rows(columns: Sequence[npt.NDArray[np.integer]]) -> tuple[Integers, Integers]:
    """Find the rows that are equal in every column.

    Args:
        columns: Non-negative integers, one array of shape (rows,) a column.

    Returns:
        For each different row the index of one row that is like it, and for each row the number of
        its kind.

    Example:
        >>> first, kind = equal_rows([np.array([3, 1, 3]), np.array([0, 2, 0])])
        >>> first.tolist(), kind.tolist()
        ([1, 0], [1, 0, 1])
    """
    key = np.zeros(len(columns[0]), dtype=np.int64)
    span = 1
    for column in columns:
        width = int(column.max(initial=0)) + 1
        if span * width > _LIMIT:
            unique, key = np.unique(key, return_inverse=True)
            span = len(unique)
        key = key * width + column
        span *= width
    if span <= 4 * len(key) + 1024:  # few enough: count instead of sorting
        first = np.full(span, -1, dtype=np.int64)
        first[key[::-1]] = np.arange(len(key) - 1, -1, -1)
        present = first >= 0
        kind = np.cumsum(present)[key] - 1
        return first[present], kind
    _, index, inverse = np.unique(key, return_index=True, return_inverse=True)
    return index.astype(np.int64), inverse.reshape(-1).astype(np.int64)


def sums_by_kind(kind: Integers, number: int, weights: Integers) -> Integers:
    """The sum of the weights of each kind of row, in integers."""
    sums = np.zeros(number, dtype=np.int64)
    np.add.at(sums, kind, weights)
    return sums
