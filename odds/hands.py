"""The lattice of player hands: every multiset of card values with a hard total of at most 21."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

EYE = np.eye(10, dtype=np.int64)
"""Row ``v - 1``: one card of value ``v``."""

_KEY_BITS = 6
_KEY_WEIGHTS = np.int64(1) << (_KEY_BITS * np.arange(10, dtype=np.int64))


def composition_keys(counts: NDArray[np.integer]) -> IntArray:
    """One integer for each multiset of card values, equal exactly when the multisets are.

    Args:
        counts: [..., k] counts of up to ten values, each below 64.
    """
    keys: IntArray = counts.astype(np.int64) @ _KEY_WEIGHTS[: counts.shape[-1]]
    return keys


@dataclass(frozen=True, slots=True)
class HandLattice:
    """All hands that are not bust, the empty one included, in the order of their hard totals.

    With ``n`` hands:

    Attributes:
        counts: [n, 10] how many cards of each value.
        cards: [n] the number of cards.
        hard: [n] total with every ace as 1.
        total: [n] the total that counts: an ace is 11 where that does not bust.
        soft: [n] whether an ace counts 11.
        successor: [n, 10] the hand after one more card of that value, or -1 for a bust.
        predecessor: [n, 10] the hand before such a card, or -1 if it holds none.
        by_hard: Hard total to the range of hands with it (the order is by hard total).
        by_cards: Number of cards to the hands with it, in increasing order.
    """

    counts: IntArray
    cards: IntArray
    hard: IntArray
    total: IntArray
    soft: BoolArray
    successor: IntArray
    predecessor: IntArray
    by_hard: tuple[slice, ...]
    by_cards: tuple[IntArray, ...]
    keys: IntArray

    @property
    def size(self) -> int:
        """The number of hands."""
        return len(self.cards)

    def index(self, counts: tuple[int, ...]) -> int:
        """The hand with these ten counts, or -1 if it is bust."""
        if sum((i + 1) * count for i, count in enumerate(counts)) > 21:
            return -1
        hand = 0
        for i, count in enumerate(counts):
            for _ in range(count):
                hand = int(self.successor[hand, i])
        return hand

    def of(self, *values: int) -> int:
        """The hand that holds these card values, or -1 if it is bust.

        Example:
            >>> int(lattice().total[lattice().of(1, 7)])
            18
        """
        return self.index(tuple(values.count(value) for value in range(1, 11)))


def _compositions(total: int, largest: int) -> list[tuple[int, ...]]:
    """Counts of the values 1..largest whose sum is the total."""
    if largest == 1:
        return [(total,)]
    return [
        (*rest, count)
        for count in range(total // largest + 1)
        for rest in _compositions(total - count * largest, largest - 1)
    ]


@lru_cache(maxsize=1)
def lattice() -> HandLattice:
    """The lattice, built once: 3,083 hands.

    Example:
        >>> lattice().size
        3083
    """
    rows = [counts for total in range(22) for counts in _compositions(total, 10)]
    counts = np.array(rows, dtype=np.int64)
    hard = counts @ np.arange(1, 11)
    soft = (counts[:, 0] > 0) & (hard <= 11)
    index = {row: i for i, row in enumerate(rows)}
    successor = np.full((len(rows), 10), -1, dtype=np.int64)
    predecessor = np.full((len(rows), 10), -1, dtype=np.int64)
    for i, row in enumerate(rows):
        for value in range(10):
            after = index.get((*row[:value], row[value] + 1, *row[value + 1 :]), -1)
            successor[i, value] = after
            if after >= 0:
                predecessor[after, value] = i
    cards = counts.sum(axis=1)
    starts = np.searchsorted(hard, np.arange(23))
    return HandLattice(
        counts=counts,
        cards=cards,
        hard=hard,
        total=hard + 10 * soft,
        soft=soft,
        successor=successor,
        predecessor=predecessor,
        by_hard=tuple(slice(int(starts[t]), int(starts[t + 1])) for t in range(22)),
        by_cards=tuple(np.flatnonzero(cards == n) for n in range(22)),
        keys=composition_keys(counts),
    )
