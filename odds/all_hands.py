"""Expectations over all hands of a split round at once: a product of one factor for each hand.

A factor is a polynomial: for every composition of cards that a hand may draw, the number of orders
in which it does so (a death, a double, ...), or a constant. Hands multiply, and a product E of
compositions has probability product of falling(c_j, E_j) / falling(n, |E|) in one order. Summed
over pairs of terms of two polynomials, that factors into low and high card values, so that two
hands are multiplied out and the rest is matrix products.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import comb

import numpy as np

from odds.dealer import FloatArray, falling_table
from odds.hands import EYE, IntArray, composition_keys, lattice
from odds.pairs import PairCards, endings, histories
from odds.reach import Reach, reach
from odds.rules import MAX_SPLIT_HANDS
from odds.strategy import Strategy
from odds.upcard_law import HALVES, distinct, fallings

_TERMS = 2_000_000  # terms of a product to collect at a time, for the memory


@dataclass(frozen=True, slots=True)
class Polynomial:
    """Orders by composition: [m, 10] cards drawn, each row once, and [m] orders of drawing them.

    Orders may be negative, or weighted.

    Example:
        >>> hand = Polynomial.of(EYE[:2], np.array([1.0, 2.0]))
        >>> squared = hand.times(hand)
        >>> squared.cards[:, :2].tolist(), squared.orders.tolist()
        ([[2, 0], [1, 1], [0, 2]], [1.0, 4.0, 4.0])
    """

    cards: IntArray
    orders: FloatArray

    @staticmethod
    def of(cards: IntArray, orders: FloatArray) -> Polynomial:
        """From rows that may come several times."""
        keys = composition_keys(cards)
        _, first, group = np.unique(keys, return_index=True, return_inverse=True)
        totals = np.bincount(group, weights=orders, minlength=len(first)).astype(np.float64)
        return Polynomial(cards[first], totals)

    def times(self, other: Polynomial) -> Polynomial:
        """The product: cards add up, orders multiply."""
        parts = []
        rows = max(_TERMS // max(len(other.orders), 1), 1)
        for start in range(0, len(self.orders), rows):
            some = slice(start, start + rows)
            cards = (self.cards[some, None, :] + other.cards[None, :, :]).reshape(-1, 10)
            parts.append(Polynomial.of(cards, np.outer(self.orders[some], other.orders).ravel()))
        return parts[0].plus(*parts[1:]) if parts else self

    def plus(self, *others: Polynomial) -> Polynomial:
        """The sum: orders of the same composition add up."""
        if not others:
            return self
        every = (self, *others)
        return Polynomial.of(
            np.concatenate([one.cards for one in every]),
            np.concatenate([one.orders for one in every]),
        )

    def scaled(self, factor: float, cards: IntArray) -> Polynomial:
        """All orders times a factor, with ten counts of further cards in each composition."""
        return Polynomial(self.cards + cards, self.orders * factor)


def constant(value: float) -> Polynomial:
    """A polynomial that draws no cards."""
    return Polynomial(np.zeros((1, 10), dtype=np.int64), np.array([value]))


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


def _grids(polynomial: Polynomial) -> _Grids:
    parts, places = [], []
    for half in HALVES:
        part, place = distinct(polynomial.cards[:, half])
        parts.append(part)
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


def expected(shoe: IntArray, first: Polynomial, second: Polynomial) -> float:
    """Sum over pairs of terms of the probability of drawing both from the shoe, in their orders.

    Args:
        shoe: Ten counts.
        first: A polynomial.
        second: Another.

    Example:
        >>> ace, any_card = Polynomial.of(EYE[:1], np.ones(1)), Polynomial.of(EYE, np.ones(10))
        >>> round(expected(np.full(10, 4), ace, any_card), 6)
        0.1
    """
    if not len(first.orders) or not len(second.orders):
        return 0.0
    one, two = _grids(first), _grids(second)
    deal = falling_table(int(shoe.sum()), max(one.by_size) + max(two.by_size))
    low = fallings(shoe[HALVES[0]], one.low, two.low)
    high = fallings(shoe[HALVES[1]], one.high, two.high)
    total = 0.0
    for size, (rows, columns, orders) in one.by_size.items():
        for other_size, (other_rows, other_columns, other_orders) in two.by_size.items():
            if (odds := deal[size + other_size]) > 0:
                joint = orders.T @ (low[np.ix_(rows, other_rows)] @ other_orders)
                total += float((joint * high[np.ix_(columns, other_columns)]).sum() / odds)
    return total


Factor = tuple[int, int]
"""How a hand is played (the least number of hands at which it is played so), and whether its
second card pairs (1) or may be any card (0)."""


def split_reaches(strategy: Strategy, value: int, max_hands: int) -> dict[int, Reach]:
    """How split hands are played, by the number of hands when they are.

    From one pair card in tally 0, from two in tally 1. One object for all numbers of hands with
    the same decisions.

    Args:
        strategy: The decisions.
        value: Card value of the pair.
        max_hands: The most hands.
    """
    starts = np.array([lattice().of(value), lattice().of(value, value)])
    orders = np.repeat(np.eye(2)[:, :, None], 10, axis=2)
    found: dict[int, Reach] = {}
    reached = {}
    for hands in histories(max_hands):
        decisions = strategy.for_split(value, hands)
        if id(decisions) not in found:
            found[id(decisions)] = reach(starts, orders, decisions)
        reached[hands] = found[id(decisions)]
    return reached


def ways_of_playing(reached: Mapping[int, Reach]) -> dict[int, int]:
    """Number of hands when a hand is played, to the least one at which it is played so."""
    return {
        hands: min(other for other, same in reached.items() if same is played)
        for hands, played in reached.items()
    }


def deaths(
    value: int, reached: Reach, up: int, tally: int, ace_ten: bool, per_unit: float = 0.0
) -> Polynomial:
    """How one split hand dies, by the cards it draws beyond its pair card or cards.

    Args:
        value: Card value of the pair.
        reached: How it is played.
        up: Upcard value less 1.
        tally: 1 if its second card is a pair card, else 0.
        ace_ten: Whether an ace and a ten counts as dead, being settled by itself.
        per_unit: Orders are weighted by one plus this for each busted unit.
    """
    lat = lattice()
    held = (tally + 1) * EYE[value - 1]
    cards, orders = [np.empty((0, 10), dtype=np.int64)], [np.empty(0)]
    for hands, counted, units in (
        (reached.hits, reached.hit_orders, 1),
        (reached.doubles, reached.entry_orders, 2),
    ):
        for j in range(10):
            busts = (lat.successor[hands, j] < 0) & (counted[:, tally, up] > 0)
            cards.append(lat.counts[hands[busts]] + EYE[j] - held)
            orders.append(counted[busts, tally, up] * (1.0 + per_unit * units))
    if ace_ten and value in (1, 10) and tally == 0:
        at = np.flatnonzero(reached.stands == lat.of(1, 10))
        cards.append(lat.counts[reached.stands[at]] - held)
        orders.append(reached.stand_orders[at, 0, up])
    return Polynomial.of(np.concatenate(cards), np.concatenate(orders))


def alike(cases: Sequence[PairCards], up: int) -> list[float]:
    """The chance that 0, 1, ... further cards of the pair's value all pair.

    Args:
        cases: Of `odds.pairs.pair_cards`.
        up: Upcard value less 1.
    """
    chances = []
    for number in range(2 * MAX_SPLIT_HANDS):  # more than any term of `split_terms` has
        chance = 0.0
        for case in cases:
            odds = float(case.weight[up])
            for drawn in range(number):
                odds *= float(case.share(drawn)[up])
            chance += odds
        chances.append(chance)
    return chances


def split_terms(
    max_hands: int, kind_at: Mapping[int, int]
) -> dict[tuple[tuple[Factor, ...], int], int]:
    """The ways in which splitting can end, as sums of products of free hands.

    Below the most hands a second card does not pair: that is all hands less those where it does.

    Args:
        max_hands: The most hands.
        kind_at: Number of hands when a hand is played to its way of playing.

    Returns:
        (Factors, further pair cards drawn) to coefficient.
    """
    terms: dict[tuple[tuple[Factor, ...], int], int] = {}
    for ending, orders in endings(max_hands).items():
        splits = sum(count for _, count in ending) - 2
        barred = [range(count + 1) if hands < max_hands else (0,) for hands, count in ending]
        for paired in product(*barred):
            coefficient = orders
            factors: list[Factor] = []
            for (hands, count), pairing in zip(ending, paired, strict=True):
                coefficient *= (-1) ** pairing * comb(count, pairing)
                kind = kind_at[hands]
                factors += [(kind, 0)] * (count - pairing) + [(kind, 1)] * pairing
            # those of the most hands first: most endings have two of them in common
            factors.sort(key=lambda factor: (-factor[0], factor[1]))
            key = tuple(factors), splits + sum(paired)
            terms[key] = terms.get(key, 0) + coefficient
    return terms


def split_product(
    reached: Mapping[int, Reach],
    hands: Mapping[Factor, Polynomial],
    value: int,
    pairing: Sequence[float],
) -> list[tuple[Polynomial, Polynomial]]:
    """The product over all hands of a split round, as a sum of products of two polynomials.

    Args:
        reached: How split hands are played, by the number of hands when they are.
        hands: The factor of a hand: cards beyond its pair card or cards.
        value: Card value of the pair.
        pairing: The chance that so many further cards of the pair's value all pair.

    Returns:
        Pairs of polynomials in the cards beyond the two of the pair.
    """
    seconds: dict[tuple[Factor, ...], list[Polynomial]] = {}
    products: dict[tuple[Factor, ...], Polynomial] = {(): constant(1.0)}

    def multiplied(factors: tuple[Factor, ...]) -> Polynomial:
        if factors not in products:
            products[factors] = multiplied(factors[:-1]).times(hands[factors[-1]])
        return products[factors]

    for (factors, drawn), coefficient in split_terms(
        max(reached), ways_of_playing(reached)
    ).items():
        if coefficient and pairing[drawn] and all(len(hands[one].orders) for one in factors):
            second = multiplied(factors[2:])
            second = second.scaled(coefficient * pairing[drawn], drawn * EYE[value - 1])
            seconds.setdefault(factors[:2], []).append(second)
    return [(multiplied(factors), parts[0].plus(*parts[1:])) for factors, parts in seconds.items()]
