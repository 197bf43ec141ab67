"""The dealer's final totals for every upcard and any set of removed cards, in float64.

A dealer's finished hand is a multiset of values; the number of orders in which it can be dealt
under the dealer's rule, by first card, is a fixed integer. From a shoe with counts c, its
probability is orders x product of falling(c_j, D_j) / falling(n, |D|). The product is a small
table over the low values times one over the high values, so the table for thousands of removals
is a few gathers and one matrix product for each final total.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from odds.hands import IntArray, composition_keys

FloatArray = NDArray[np.float64]

TOTALS = (17, 18, 19, 20, 21)
_LOW = 5  # values A-5 make the low table, 6-T the high one
_CHUNK = 256  # rows at a time, to keep the working array small


@dataclass(frozen=True, slots=True)
class DealerHands:
    """The finished dealer hands that are neither bust nor a blackjack, in order of final total.

    With ``d`` hands:

    Attributes:
        counts: [d, 10] how many cards of each value.
        total: [d] final total, 17 to 21.
        orders: [d, 10] the number of orders of dealing it with a first card of each value.
    """

    counts: IntArray
    total: IntArray
    orders: FloatArray


def _stands(counts: tuple[int, ...], hit_soft_17: bool) -> int:
    """The final total of a dealer hand, or 0 if the dealer must draw."""
    total = sum((i + 1) * count for i, count in enumerate(counts))
    soft = counts[0] > 0 and total <= 11
    total += 10 * soft
    return total if total > 17 or (total == 17 and not (soft and hit_soft_17)) else 0


@lru_cache(maxsize=2)
def dealer_hands(hit_soft_17: bool) -> DealerHands:
    """The finished hands under S17 or H17.

    Example:
        >>> len(dealer_hands(hit_soft_17=False).total)
        1676
    """
    finished: dict[tuple[int, ...], list[int]] = {}
    layer = {tuple(int(i == up) for i in range(10)): [int(i == up) for i in range(10)]
             for up in range(10)}  # fmt: skip
    while layer:
        following: dict[tuple[int, ...], list[int]] = {}
        for counts, orders in layer.items():
            for value in range(10):
                after = (*counts[:value], counts[value] + 1, *counts[value + 1 :])
                total = _stands(after, hit_soft_17)
                if total > 21 or (total == 21 and sum(after) == 2):
                    continue
                target = finished if total else following
                so_far = target.setdefault(after, [0] * 10)
                target[after] = [a + b for a, b in zip(so_far, orders, strict=True)]
        layer = following
    ordered = sorted(finished, key=lambda counts: _stands(counts, hit_soft_17))
    return DealerHands(
        counts=np.array(ordered, dtype=np.int64),
        total=np.array([_stands(counts, hit_soft_17) for counts in ordered]),
        orders=np.array([finished[counts] for counts in ordered], dtype=np.float64),
    )


def falling_table(start: int | IntArray, length: int) -> FloatArray:
    """The falling factorials start * (start - 1) * ... with 0 to ``length`` factors.

    Args:
        start: One start, or an array of them.
        length: The most factors.

    Returns:
        [..., length + 1] falling factorials.

    Example:
        >>> falling_table(3, 4)
        array([1., 3., 6., 6., 0.])
    """
    starts = np.asarray(start, dtype=np.float64)[..., None]
    table = np.ones((*starts.shape[:-1], length + 1))
    np.cumprod((starts - np.arange(length)).clip(min=0.0), axis=-1, out=table[..., 1:])
    return table


class DealerTable:
    """Final totals of the dealer from one shoe under one dealer rule, computed on demand.

    Rows are kept, so that a second rule set on the same shoe finds them ready.

    Args:
        values: Ten counts of the shoe before any card is dealt, A to T.
        hit_soft_17: The dealer's rule.

    Attributes:
        totals: [rows, 10 upcards, 5] probability of each final total 17 to 21 (no blackjack),
            given the upcard and that the row's cards are out of the shoe. The rest is a bust or,
            with an ace or ten, a blackjack. 0 where the upcard is not to be had.
    """

    def __init__(self, values: tuple[int, ...], hit_soft_17: bool) -> None:
        self.values = np.array(values, dtype=np.int64)
        self.hands = dealer_hands(hit_soft_17)
        self.totals: FloatArray = np.empty((0, 10, 5))
        self._lock = Lock()
        self._keys: IntArray = np.empty(0, dtype=np.int64)  # sorted
        self._rows: IntArray = np.empty(0, dtype=np.int64)  # row of each sorted key
        counts = self.hands.counts
        self._low, self._low_of = _prefixes(counts[:, :_LOW])
        self._high, self._high_of = _prefixes(counts[:, _LOW:])
        self._size_of = counts.sum(axis=1)
        bounds = np.searchsorted(self.hands.total, (*TOTALS, 22))
        self._by_total = [slice(int(a), int(b)) for a, b in pairwise(bounds)]

    def rows(self, removed: IntArray) -> IntArray:
        """The rows for these removals, computing those that are new.

        Args:
            removed: [m, 10] counts taken out of the shoe, the upcard not among them; each within
                the shoe.

        Returns:
            [m] indices into `totals`.
        """
        with self._lock:  # a table is shared by all analyses of a shoe
            return self._rows_of(removed)

    def _rows_of(self, removed: IntArray) -> IntArray:
        keys = composition_keys(removed)
        unique, first = np.unique(keys, return_index=True)
        at = np.searchsorted(self._keys, unique)
        known = np.zeros(len(unique), dtype=bool)
        inside = at < len(self._keys)
        known[inside] = self._keys[at[inside]] == unique[inside]
        if not known.all():
            new = removed[first[~known]]
            start = len(self.totals)
            self.totals = np.concatenate((self.totals, self._compute(new)))
            self._rows = np.insert(self._rows, at[~known], np.arange(start, start + len(new)))
            self._keys = np.insert(self._keys, at[~known], unique[~known])
        found: IntArray = self._rows[np.searchsorted(self._keys, keys)]
        return found

    def given(self, removed: IntArray) -> FloatArray:
        """[m, 10, 5] the `totals` for these [m, 10] removals."""
        rows = self.rows(removed)  # first: it may replace `totals`
        return self.totals[rows]

    def _compute(self, removed: IntArray) -> FloatArray:
        """[m, 10, 5] totals for these [m, 10] removals, computed anew."""
        left = self.values - removed
        size = left.sum(axis=1)
        high_first, high_of = _classes(removed[:, _LOW:])
        high = _products(left[high_first, _LOW:], self._high)[:, self._high_of]
        low_keys = composition_keys(removed[:, :_LOW])
        out = np.empty((len(removed), 10, 5))
        buffers = np.empty((3, _CHUNK, len(self._size_of)))
        for number in np.unique(size).tolist():
            deal = falling_table(number, int(self._size_of.max()))[self._size_of]
            chance = np.divide(1.0, deal, out=np.zeros_like(deal), where=deal > 0)
            orders = self.hands.orders * chance[:, None]
            alike = np.flatnonzero(size == number)
            alike = alike[np.argsort(low_keys[alike])]  # a chunk then has few low classes
            for start in range(0, len(alike), _CHUNK):
                rows = alike[start : start + _CHUNK]
                weight, other, spread = buffers[:, : len(rows)]
                first, low_of = _classes(removed[rows, :_LOW])
                low = _products(left[rows[first], :_LOW], self._low)
                low.take(self._low_of, axis=1, out=spread[: len(low)], mode="clip")
                spread.take(low_of, axis=0, out=weight, mode="clip")
                high.take(high_of[rows], axis=0, out=other, mode="clip")
                weight *= other
                for i, part in enumerate(self._by_total):
                    out[rows, :, i] = weight[:, part] @ orders[part]
        # the dealer's hand was counted with its upcard: divide by the chance of that
        upcard = left / np.maximum(size, 1)[:, None]
        fits = (left > 0) & (left.min(axis=1) >= 0)[:, None]
        inverse = np.divide(1.0, upcard, out=np.zeros_like(upcard), where=fits)
        out *= inverse[:, :, None]
        return out


def _classes(rows: IntArray) -> tuple[IntArray, IntArray]:
    """The [c] first rows of each class of equal rows, and the [m] class of each row."""
    _, first, of_row = np.unique(composition_keys(rows), return_index=True, return_inverse=True)
    return first, of_row


_Steps = list[tuple[IntArray, IntArray]]


def _prefixes(dealt: IntArray) -> tuple[_Steps, IntArray]:
    """The distinct rows of [d, k] counts, grown value by value.

    Returns:
        For each value the [p] index of a row's prefix in the step before and the [p] count added;
        and the [d] place of each row in the last step.
    """
    steps: _Steps = []
    before = np.zeros(len(dealt), dtype=np.int64)
    for j in range(dealt.shape[1]):
        pairs = np.stack([before, dealt[:, j]], axis=1)
        distinct, before = np.unique(pairs, axis=0, return_inverse=True)
        steps.append((distinct[:, 0], distinct[:, 1]))
    return steps, before


def _products(left: IntArray, steps: _Steps) -> FloatArray:
    """[c, p] products of falling factorials of [c, k] cards left by the rows of the steps."""
    table = np.ones((len(left), 1))
    for j, (before, count) in enumerate(steps):
        table = table.take(before, axis=1)
        table *= falling_table(left[:, j], int(count.max())).take(count, axis=1)
    return table
