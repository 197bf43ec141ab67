"""The one unit that all live split hands share when the dealer has a blackjack.

Under `busted_plus_one` the round loses one unit more to a dealer blackjack unless every hand is
dead: busted, or a split ace-ten that pushes as a blackjack. That needs the joint law of all split
hands. The orders in which one hand dies are a polynomial in its cards; hands multiply, and a
composition E of all dead hands has probability product of falling(c_j, E_j) / falling(n, |E|).
The sum over products of two polynomials factors into low and high card values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import comb

import numpy as np

from odds.dealer import FloatArray, falling_table
from odds.hands import EYE, IntArray, composition_keys, lattice
from odds.pairs import PairCards, endings
from odds.reach import Reach
from odds.rules import Rules

_LOW = 5


@dataclass(frozen=True, slots=True)
class _Polynomial:
    """Orders by composition: [m, 10] cards drawn and [m] orders of drawing them."""

    cards: IntArray
    orders: FloatArray

    def times(self, other: _Polynomial) -> _Polynomial:
        cards = (self.cards[:, None, :] + other.cards[None, :, :]).reshape(-1, 10)
        return _collect(cards, np.outer(self.orders, other.orders).ravel())


_ONE = _Polynomial(np.zeros((1, 10), dtype=np.int64), np.ones(1))


def _collect(cards: IntArray, orders: FloatArray) -> _Polynomial:
    _, first, group = np.unique(composition_keys(cards), return_index=True, return_inverse=True)
    totals = np.zeros(len(first))
    np.add.at(totals, group, orders)
    return _Polynomial(cards[first], totals)


def _deaths(rules: Rules, value: int, reached: Reach, up: int, tally: int) -> _Polynomial:
    """How one hand dies: tally 0 from one pair card, tally 1 with a pair card as its second."""
    lat = lattice()
    held = (tally + 1) * EYE[value - 1]
    cards, orders = [np.empty((0, 10), dtype=np.int64)], [np.empty(0)]
    for hands, counted in (
        (reached.hits, reached.hit_orders),
        (reached.doubles, reached.entry_orders),
    ):
        for j in range(10):
            busts = (lat.successor[hands, j] < 0) & (counted[:, tally, up] > 0)
            cards.append(lat.counts[hands[busts]] + EYE[j] - held)
            orders.append(counted[busts, tally, up])
    if rules.split_ace_ten == "blackjack" and value in (1, 10) and tally == 0:
        at = np.flatnonzero(reached.stands == lat.of(1, 10))
        cards.append(lat.counts[reached.stands[at]] - held)
        orders.append(reached.stand_orders[at, 0, up])
    return _collect(np.concatenate(cards), np.concatenate(orders))


@dataclass(frozen=True, slots=True)
class _Grids:
    """A polynomial by low and high card values.

    Attributes:
        low: [l, 5] distinct parts of the values A to 5.
        high: [h, 5] distinct parts of the values 6 to T.
        by_size: Number of cards to the low and high parts that occur, and orders over their grid.
    """

    low: IntArray
    high: IntArray
    by_size: dict[int, tuple[IntArray, IntArray, FloatArray]]


def _grids(polynomial: _Polynomial) -> _Grids:
    parts, places = [], []
    for columns in (slice(_LOW), slice(_LOW, 10)):
        cards = polynomial.cards[:, columns]
        keys = composition_keys(cards)
        _, first, place = np.unique(keys, return_index=True, return_inverse=True)
        parts.append(cards[first])
        places.append(place)
    by_size = {}
    sizes = polynomial.cards.sum(axis=1)
    for size in np.unique(sizes):
        here = sizes == size
        low, row = np.unique(places[0][here], return_inverse=True)
        high, column = np.unique(places[1][here], return_inverse=True)
        orders = np.zeros((len(low), len(high)))
        orders[row, column] = polynomial.orders[here]
        by_size[int(size)] = (low, high, orders)
    return _Grids(parts[0], parts[1], by_size)


def _expected(shoe: IntArray, one: _Grids, two: _Grids) -> float:
    """Sum over pairs of terms of the probability of drawing both, in their orders."""
    deal = falling_table(int(shoe.sum()), max(one.by_size) + max(two.by_size))
    low = _products(shoe[:_LOW], one.low, two.low)
    high = _products(shoe[_LOW:], one.high, two.high)
    total = 0.0
    for size, (rows, columns, orders) in one.by_size.items():
        for other_size, (other_rows, other_columns, other_orders) in two.by_size.items():
            if (odds := deal[size + other_size]) > 0:
                joint = orders.T @ (low[np.ix_(rows, other_rows)] @ other_orders)
                total += float((joint * high[np.ix_(columns, other_columns)]).sum()) / odds
    return total


def _products(shoe: IntArray, first: IntArray, second: IntArray) -> FloatArray:
    """[a, b] products of falling factorials of the cards of both classes."""
    table = np.ones((len(first), len(second)))
    for j, count in enumerate(shoe):
        falling = falling_table(int(count), int(first[:, j].max() + second[:, j].max()))
        table *= falling[first[:, j, None] + second[None, :, j]]
    return table


def shared_loss(
    rules: Rules,
    shoe: IntArray,
    value: int,
    pairs: Sequence[PairCards],
    reached: Mapping[int, Reach],
) -> FloatArray:
    """[10] chance, by upcard, of a dealer blackjack that meets at least one live split hand.

    Args:
        rules: The table; upcards under which the dealer peeks give 0.
        shoe: Ten counts before the deal.
        value: Card value of the pair.
        pairs: The cases of `odds.pairs.pair_cards`.
        reached: How split hands are played, by the number of hands when they are.
    """
    loss = np.zeros(10)
    max_hands = max(reached)
    for up, hole in ((0, 9), (9, 0)):
        left = shoe - 2 * EYE[value - 1] - EYE[up]
        if rules.peeks_under(up + 1) or (left < 0).any():
            continue
        size = int(left.sum())
        loss[up] = left[hole] / size
        products: dict[tuple[tuple[int, int], ...], tuple[_Grids, _Grids]] = {}
        kinds = {id(reach): reach for reach in reached.values()}
        deaths = {
            (kind, tally): _deaths(rules, value, reach, up, tally)
            for kind, reach in kinds.items()
            for tally in (0, 1)
        }
        for (factors, out), orders in _terms(max_hands, reached).items():
            if any(not len(deaths[factor].orders) for factor in factors):
                continue
            rest = left - out * EYE[value - 1] - EYE[hole]
            drawn = sum(float(case.weight[up] * case.draws(size, out)[up]) for case in pairs)
            if drawn == 0 or (rest < 0).any():
                continue
            if factors not in products:
                one, two = _ONE, _ONE
                for i, factor in enumerate(factors):
                    if i % 2:
                        two = two.times(deaths[factor])
                    else:
                        one = one.times(deaths[factor])
                products[factors] = _grids(one), _grids(two)
            blackjack = (rest[hole] + 1) / (size - out)
            loss[up] -= orders * drawn * blackjack * _expected(rest, *products[factors])
    return loss


def _terms(
    max_hands: int, reached: Mapping[int, Reach]
) -> dict[tuple[tuple[tuple[int, int], ...], int], int]:
    """The endings as sums of products of free hands.

    Below the most hands a second card does not pair: that is all hands less those where it does.

    Returns:
        (Factors: how the hand is played and its tally; further pair cards drawn) to coefficient.
    """
    terms: dict[tuple[tuple[tuple[int, int], ...], int], int] = {}
    for ending, orders in endings(max_hands).items():
        splits = sum(count for _, count in ending) - 2
        barred = [range(count + 1) if hands < max_hands else (0,) for hands, count in ending]
        for paired in product(*barred):
            coefficient = orders
            factors: list[tuple[int, int]] = []
            for (hands, count), pairing in zip(ending, paired, strict=True):
                coefficient *= (-1) ** pairing * comb(count, pairing)
                kind = id(reached[hands])
                factors += [(kind, 0)] * (count - pairing) + [(kind, 1)] * pairing
            key = tuple(sorted(factors)), splits + sum(paired)
            terms[key] = terms.get(key, 0) + coefficient
    return terms
