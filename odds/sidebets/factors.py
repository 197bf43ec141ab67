"""From classes of deals to factors: the class size of each card, and the cards gone from the class.

The number of ways to deal a class is the product of (size * decks - gone) over its cards, so deals
with the same factors are counted together. A factor is coded as one small integer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from odds.sidebets.deals import Cells, Column, Integers, Masks, Table, class_size
from odds.sidebets.partition import ALL_SUITS
from odds.sidebets.polynomial import Factor

Codes = npt.NDArray[np.uint16]

NO_FACTOR = np.iinfo(np.uint16).max
"""The code where there is no card."""

_CHUNK = 400_000
_GONE = 64  # more than the cards of any deal: a factor's code is size index * 64 + cards gone


class Factors:
    """The factors of deals whose cards are these columns.

    Args:
        columns: The cards; the classes of each must be at least as fine as those of all that follow
            it, since only then is the number of cards left in a class known from the cards before.
        base: 52 counts of the pack.
    """

    def __init__(self, columns: Sequence[Column], base: Sequence[int]) -> None:
        self.columns = tuple(columns)
        tables = [_class_sizes(column, base) for column in columns]
        self.sizes = sorted({int(size) for table in tables for size in np.unique(table)})
        self._index = [np.searchsorted(self.sizes, table).astype(np.uint16) for table in tables]

    def of(self, codes: Iterable[int]) -> tuple[Factor, ...]:
        """The factors that a deal's codes stand for."""
        return tuple(
            (self.sizes[int(code) // _GONE], int(code) % _GONE)
            for code in codes
            if code != NO_FACTOR
        )

    def batches(
        self, first: Table, second: Table | None
    ) -> Iterator[tuple[Cells, Masks, Integers, Codes]]:
        """All deals, each of the first table with each of the second, in pieces of bounded size.

        Yields:
            Ranks, masks, weights, and for each card its factor's code, sorted by code.
        """
        own_ranks, own_masks = _finest_first(first)
        own = self._codes(own_ranks, own_masks, self._gone(own_ranks, own_masks, 0), 0)
        if second is None:
            for start in range(0, first.size, _CHUNK):
                piece = slice(start, start + _CHUNK)
                codes = _sorted(own[:, piece].copy())
                yield first.ranks[:, piece], first.masks[:, piece], first.weights[piece], codes
            return
        many, offset = second.size, len(first.ranks)
        ranks, masks = _finest_first(second)
        gone = self._gone(ranks, masks, offset)
        step = max(1, _CHUNK // many)
        for start in range(0, first.size, step):
            piece = slice(start, start + step)
            repeat = len(first.weights[piece])
            before = np.repeat(own_ranks[:, piece], many, axis=1)
            before_masks = np.repeat(own_masks[:, piece], many, axis=1)
            after, after_masks = np.tile(ranks, repeat), np.tile(masks, repeat)
            all_gone = np.tile(gone, repeat)
            for j in range(len(ranks)):
                all_gone[j] += self._inside(
                    before, before_masks, after[j], after_masks[j], offset + j
                )
            pair = [
                np.repeat(own[:, piece], many, axis=1),
                self._codes(after, after_masks, all_gone, offset),
            ]
            yield (
                np.vstack(
                    [np.repeat(first.ranks[:, piece], many, 1), np.tile(second.ranks, repeat)]
                ),
                np.vstack(
                    [np.repeat(first.masks[:, piece], many, 1), np.tile(second.masks, repeat)]
                ),
                np.repeat(first.weights[piece], many) * np.tile(second.weights, repeat),
                _sorted(np.vstack(pair)),
            )

    def _inside(self, ranks: Cells, masks: Masks, rank: Cells, mask: Masks, column: int) -> Codes:
        """How many of these cards are in the class of one card of the given column."""
        lowest = np.array([*self.columns[column].partition.ranks, -2], dtype=np.int8)
        found = np.zeros(len(rank), dtype=np.uint16)
        for i in range(len(ranks)):
            found += (lowest[ranks[i]] == rank) & ((masks[i] & ~mask) == 0)
        return found

    def _gone(self, ranks: Cells, masks: Masks, start: int) -> Codes:
        """For each card of a table the cards of its class among those before it in the table."""
        counts = [
            self._inside(ranks[:j], masks[:j], ranks[j], masks[j], start + j)
            for j in range(len(ranks))
        ]
        return np.array(counts, dtype=np.uint16).reshape(ranks.shape)

    def _codes(self, ranks: Cells, masks: Masks, gone: Codes, start: int) -> Codes:
        codes = np.full(ranks.shape, NO_FACTOR, dtype=np.uint16)
        for j in range(len(ranks)):
            code = self._index[start + j][ranks[j], masks[j]] * np.uint16(_GONE) + gone[j]
            codes[j] = np.where(ranks[j] >= 0, code, NO_FACTOR)
        return codes


def _class_sizes(column: Column, base: Sequence[int]) -> Integers:
    table = np.zeros((13, 16), dtype=np.int64)
    for rank in column.partition.representatives:
        for mask in range(1, 16):
            table[rank, mask] = class_size(base, column.partition, rank, mask)
    return table


def _finest_first(table: Table) -> tuple[Cells, Masks]:
    """A dealer's cards with the finest suit classes first, so that the others follow from them."""
    is_dealer = bool(table.columns) and table.columns[0].slot[0] == "dealer"
    if not is_dealer or (table.masks[table.ranks >= 0] == ALL_SUITS).all():
        return table.ranks, table.masks
    order = np.argsort(np.bitwise_count(table.masks) + 8 * (table.ranks < 0), axis=0, kind="stable")
    return np.take_along_axis(table.ranks, order, 0), np.take_along_axis(table.masks, order, 0)


def _sorted(codes: Codes) -> Codes:
    """Each deal's codes in rising order, by exchanges of whole rows."""
    for last in range(len(codes) - 1, 0, -1):
        for i in range(last):
            low, high = np.minimum(codes[i], codes[i + 1]), np.maximum(codes[i], codes[i + 1])
            codes[i], codes[i + 1] = low, high
    return codes
