"""The ingredients of the main game modulo a prime: integer twins of the float64 formulas."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from odds.dealer import DealerTable, FloatArray
from odds.hands import IntArray, composition_keys, lattice
from odds.rules import Rules

LARGEST_PRIME = 2**26
"""Primes are below this, so that a product of two residues is exact in float64."""

_CHUNK = 256


def primes_below(limit: int) -> Iterator[int]:
    """Primes in descending order.

    Example:
        >>> from itertools import islice
        >>> list(islice(primes_below(2**31), 2))
        [2147483647, 2147483629]
    """
    small = np.ones(int(limit**0.5) + 2, dtype=bool)
    small[:2] = False
    for i in range(2, int(len(small) ** 0.5) + 1):
        if small[i]:
            small[i * i :: i] = False
    divisors = np.flatnonzero(small)
    for number in range(limit - 1, 2, -1):
        if (number % divisors[divisors < number]).all():
            yield number


class Residues:
    """The game's ingredients modulo one prime, for one shoe.

    Args:
        rules: The table.
        dealer: Shoe and dealer rule (its float64 totals are not used).
        prime: A prime below `LARGEST_PRIME` and above the size of the shoe.
    """

    def __init__(self, rules: Rules, dealer: DealerTable, prime: int) -> None:
        self.rules, self.dealer, self.prime = rules, dealer, prime
        self.shoe = dealer.values
        self.size = int(self.shoe.sum())
        inverses = [0, 1]
        for i in range(2, self.size + 1):
            inverses.append((prime - (prime // i) * inverses[prime % i]) % prime)
        self.inverse = np.array(inverses, dtype=np.int64)
        self._orders = dealer.hands.orders
        self._keys: IntArray = np.empty(0, dtype=np.int64)
        self._totals: IntArray = np.empty((0, 10, 5), dtype=np.int64)

    def fraction(self, value: Fraction) -> int:
        """The residue of a fraction."""
        return value.numerator * pow(value.denominator, -1, self.prime) % self.prime

    def product(self, *factors: IntArray | int) -> IntArray:
        """Product of arrays of residues."""
        result: IntArray = np.asarray(factors[0], dtype=np.int64) % self.prime
        for factor in factors[1:]:
            result = result * (np.asarray(factor, dtype=np.int64) % self.prime) % self.prime
        return result

    def falling(self, start: IntArray | int, length: int, inverse: bool = False) -> IntArray:
        """[..., length + 1] falling factorials, or their inverses (0 where there is none)."""
        starts = np.asarray(start, dtype=np.int64)[..., None]
        factors = (starts - np.arange(length)).clip(min=0)
        if inverse:
            factors = self.inverse[factors]
        table = np.ones((*starts.shape[:-1], length + 1), dtype=np.int64)
        for i in range(length):
            table[..., i + 1] = table[..., i] * factors[..., i] % self.prime
        return table

    def path(self, shoe: IntArray, hands: IntArray, known: IntArray) -> IntArray:
        """[m, 10] as `odds.reach.path_odds`."""
        drawn = lattice().counts[hands] - known
        odds = np.ones(len(hands), dtype=np.int64)
        for j in range(10):
            table = self.falling(int(shoe[j]), int(drawn[:, j].max(initial=0)))
            odds = odds * table[drawn[:, j]] % self.prime
        sizes = drawn.sum(axis=1)
        deal = self.falling(int(shoe.sum()) - 1, int(sizes.max(initial=0)), inverse=True)
        keep = self.product((shoe - drawn).clip(min=0), self.inverse[shoe.clip(min=0)])
        return self.product((odds * deal[sizes] % self.prime)[:, None], keep)

    def blackjack(self, removed: IntArray) -> IntArray:
        """[m, 10] as `odds.play.blackjack_odds`."""
        left = self.shoe - removed
        inverse = self.inverse[(left.sum(axis=1) - 1).clip(min=0)]
        odds = np.zeros((len(removed), 10), dtype=np.int64)
        odds[:, 0] = left[:, 9].clip(min=0) * inverse % self.prime
        odds[:, 9] = left[:, 0].clip(min=0) * inverse % self.prime
        return odds

    def stand(self, removed: IntArray, hands: IntArray, split: bool) -> IntArray:
        """[m, 10] as `odds.play.stand_odds`."""
        mine = lattice().total[hands]
        rank = np.arange(17, 22)
        cost = np.where(rank > mine[:, None], 2, np.where(rank == mine[:, None], 1, 0))
        ace_ten = (lattice().cards[hands] == 2) & (mine == 21)
        if split and self.rules.split_ace_ten != "21":
            cost[ace_ten] = 0
        lost = (self.totals(removed) * cost[:, None, :]).sum(axis=2)
        value: IntArray = (1 - self.blackjack(removed) - lost) % self.prime
        if split and self.rules.split_ace_ten == "blackjack":
            pays = self.fraction(self.rules.blackjack_pays)
            value[ace_ten] = value[ace_ten] * pays % self.prime
        return value

    def totals(self, removed: IntArray) -> IntArray:
        """[m, 10, 5] as `DealerTable.given`."""
        keys = composition_keys(removed)
        order = np.argsort(self._keys)
        at = np.searchsorted(self._keys, keys, sorter=order).clip(max=max(len(order) - 1, 0))
        known = self._keys[order[at]] == keys if len(order) else np.zeros(len(keys), dtype=bool)
        if not known.all():
            new, first = np.unique(keys[~known], return_index=True)
            self._keys = np.concatenate((self._keys, new))
            computed = self._compute(removed[~known][first])
            self._totals = np.concatenate((self._totals, computed))
            order = np.argsort(self._keys)
            at = np.searchsorted(self._keys, keys, sorter=order)
        found: IntArray = self._totals[order[at]]
        return found

    def _compute(self, removed: IntArray) -> IntArray:
        hands, prime = self.dealer.hands, self.prime
        left = self.shoe - removed
        sizes = left.sum(axis=1)
        lengths = hands.counts.sum(axis=1)
        columns = np.lexsort((lengths, hands.total))  # runs of equal total and length
        counts = hands.counts[columns]
        orders = hands.orders[columns]
        runs = np.stack([hands.total, lengths])[:, columns]
        starts = np.flatnonzero(np.r_[True, (np.diff(runs) != 0).any(axis=0)]).tolist()
        stops = [*starts[1:], len(columns)]
        parts = [self._products(left, counts, slice(i, i + 5)) for i in (0, 5)]
        out = np.zeros((len(removed), 10, 5), dtype=np.int64)
        for start in range(0, len(removed), _CHUNK):
            rows = slice(start, start + _CHUNK)
            low, high = (table.take(of_row[rows], axis=0) for table, of_row in parts)
            deal = self.falling(sizes[rows], int(lengths.max()), inverse=True)
            weight = self._reduced(low, high)  # sums over orders stay below 2^53: exact in float64
            for begin, end in zip(starts, stops, strict=True):
                total, length = runs[:, begin]
                summed = (weight[:, begin:end] @ orders[begin:end]).astype(np.int64) % prime
                out[rows, :, total - 17] += summed * deal[:, length, None] % prime
        # the dealer's hand was counted with its upcard: divide by the chance of that
        chance = self.product(sizes[:, None], self.inverse[left.clip(min=0)])
        totals: IntArray = out % prime * chance[:, :, None] % prime
        return totals

    def _products(
        self, left: IntArray, dealt: IntArray, part: slice
    ) -> tuple[FloatArray, IntArray]:
        cards, taken = left[:, part], dealt[:, part]
        _, first, of_row = np.unique(
            composition_keys(self.shoe[part] - cards), return_index=True, return_inverse=True
        )
        _, dealt_first, of_dealt = np.unique(
            composition_keys(taken), return_index=True, return_inverse=True
        )
        table = np.ones((len(first), len(dealt_first)))
        for j in range(5):
            falling = self.falling(cards[first, j], int(taken[:, j].max())).astype(np.float64)
            table = self._reduced(table, falling.take(taken[dealt_first, j], axis=1))
        return table.take(of_dealt, axis=1), of_row

    def _reduced(self, one: FloatArray, two: FloatArray) -> FloatArray:
        """The product of two arrays of residues in float64, which it overwrites.

        A product is below 2^52 and so exact. Where its quotient by the prime is rounded up, what
        is left is a residue less the prime.
        """
        one *= two
        np.floor(np.multiply(one, 1.0 / self.prime, out=two), out=two)
        two *= self.prime
        one -= two
        return one
