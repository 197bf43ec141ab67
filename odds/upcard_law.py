"""Chances of drawing sets of cards together with the dealer's outcome, against one upcard.

A set of cards U, drawn in one order, and a dealer's finished hand D, in one order and the upcard
first, have the probability product of falling(c_j, U_j + D_j) / falling(n, |U| + |D|). That factors
into low and high card values, so the sum over the dealer's hands is one matrix product over the
low parts and a short sum over the few high ones.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from odds.dealer import TOTALS, FloatArray, dealer_hands, falling_table
from odds.hands import EYE, IntArray, composition_keys

OUTCOMES = 7  # dealer: 17, 18, 19, 20, 21, bust, blackjack
DEALER_BUST, DEALER_BLACKJACK = 5, 6
HALVES = slice(5), slice(5, 10)
"""Low and high card values: A to 5, 6 to T."""

_ROWS = 256  # sets at a time, to keep working arrays small
_LARGE = 10_000  # entries of a table


class UpcardLaw:
    """Weights of sets of cards with the dealer's outcome, against one upcard.

    Args:
        values: Ten counts of the shoe before the deal.
        hit_soft_17: The dealer's rule.
        up: Upcard value less 1.
    """

    def __init__(self, values: tuple[int, ...], hit_soft_17: bool, up: int) -> None:
        self.shoe, self.up = np.array(values, dtype=np.int64), up
        self.size = int(self.shoe.sum())
        hands = dealer_hands(hit_soft_17)
        some = hands.orders[:, up] > 0
        cards = hands.counts[some]
        self._sizes, self._total = cards.sum(axis=1), hands.total[some] - TOTALS[0]
        self._orders = hands.orders[some, up]
        (self._low, self._low_of), (self._high, self._high_of) = (
            distinct(cards[:, half]) for half in HALVES
        )

    def weights(self, cards: IntArray) -> FloatArray:
        """Chances of drawing the cards, in one order, and the upcard, with each outcome.

        Args:
            cards: [m, 10] counts.

        Returns:
            [m, OUTCOMES] chances; 0 where the shoe has not so many cards.
        """
        law = np.zeros((len(cards), OUTCOMES))
        (low, low_of), (high, high_of) = (distinct(cards[:, half]) for half in HALVES)
        low_table = fallings(self.shoe[HALVES[0]], low, self._low)
        high_table = fallings(self.shoe[HALVES[1]], high, self._high)
        sizes = cards.sum(axis=1)
        for size in np.unique(sizes).tolist():
            alike = np.flatnonzero(sizes == size)
            lows, place = np.unique(low_of[alike], return_inverse=True)
            of_low = (low_table[lows] @ self._by_parts(size)).reshape(len(lows), -1, len(TOTALS))
            for start in range(0, len(alike), _ROWS):
                rows = alike[start : start + _ROWS]
                of_rows = of_low[place[start : start + _ROWS]]
                weight = high_table[high_of[rows]]
                law[rows, : len(TOTALS)] = np.matmul(weight[:, None, :], of_rows)[:, 0]
        dealt = EYE[self.up]
        law[:, DEALER_BUST] = self._chance(cards + dealt, sizes + 1)
        hole = {0: 9, 9: 0}.get(self.up)
        if hole is not None:
            law[:, DEALER_BLACKJACK] = self._chance(cards + dealt + EYE[hole], sizes + 2)
        law[:, DEALER_BUST] -= law[:, :5].sum(axis=1) + law[:, DEALER_BLACKJACK]
        return law

    def _by_parts(self, size: int) -> FloatArray:
        """[low parts, high parts * totals] orders of the dealer's hands after so many cards."""
        deal = falling_table(self.size, size + int(self._sizes.max(initial=0)))
        chance = np.divide(1.0, deal, out=np.zeros_like(deal), where=deal > 0)
        orders = np.zeros((len(self._low), len(self._high), len(TOTALS)))
        orders[self._low_of, self._high_of, self._total] = self._orders * chance[self._sizes + size]
        return orders.reshape(len(self._low), -1)

    def _chance(self, cards: IntArray, sizes: IntArray) -> FloatArray:
        deal = falling_table(self.size, int(sizes.max(initial=0)))[sizes]
        ways = fallings(self.shoe, cards, np.zeros((1, 10), dtype=np.int64))[:, 0]
        chance: FloatArray = np.divide(ways, deal, out=np.zeros_like(ways), where=deal > 0)
        return chance


@lru_cache(maxsize=40)
def upcard_law(values: tuple[int, ...], hit_soft_17: bool, up: int) -> UpcardLaw:
    """The law for a shoe, a dealer rule and an upcard, kept.

    Example:
        >>> law = upcard_law((24,) * 9 + (96,), False, 0)
        >>> no_cards = np.zeros((1, 10), dtype=np.int64)
        >>> round(float(law.weights(no_cards)[0, DEALER_BLACKJACK] * 13), 6)  # given an ace
        0.308682
    """
    return UpcardLaw(values, hit_soft_17, up)


def fallings(shoe: IntArray, first: IntArray, second: IntArray) -> FloatArray:
    """[a, b] products of falling factorials of the cards of [a, k] and [b, k] rows together."""
    table = np.ones((len(first), len(second)))
    columns = len(shoe)
    if columns > 2 and table.size > _LARGE:  # by two parts, of which there are fewer
        for part in (slice(columns // 2), slice(columns // 2, columns)):
            (some, of_first), (others, of_second) = (
                distinct(first[:, part]),
                distinct(second[:, part]),
            )
            table *= (
                fallings(shoe[part], some, others).take(of_second, axis=1).take(of_first, axis=0)
            )
        return table
    for j, count in enumerate(shoe):
        most = int(first[:, j].max(initial=0) + second[:, j].max(initial=0))
        falling = falling_table(int(count), most)
        table *= falling[first[:, j, None] + second[None, :, j]]
    return table


def distinct(cards: IntArray) -> tuple[IntArray, IntArray]:
    """The [d, k] distinct rows of [m, k] counts, and the [m] place of each row among them."""
    _, first, of_row = np.unique(composition_keys(cards), return_index=True, return_inverse=True)
    return cards[first], of_row
