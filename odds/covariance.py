"""Covariance of two seats' results at one table, exactly for the analysed strategy.

A seat's net result is a sum over its hands. What a hand is worth in expectation is a sum over
terms: known cards that are out of the shoe, the number of orders in which they are drawn, and a
result for each outcome of the dealer. A hand that must not pair is one that is free less one that
paired, and a busted hand is one that exists less the ways in which it lives, so terms need no
busted hands and no siblings (see `odds.joint` and `odds.split`); only the one unit that all live
split hands may share against a dealer blackjack needs them all. Two seats multiply: their cards
add up, and the chance of a term is the same for every order of all cards,

    product over values of falling(c_j, U_j + D_j) / falling(n, |U| + |D|),

with U the cards of both terms, and D the dealer's cards in order, the upcard first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from math import perm, sqrt

import numpy as np

from odds.all_hands import (
    Polynomial,
    deaths,
    expected,
    split_product,
    split_reaches,
    ways_of_playing,
)
from odds.dealer import FloatArray
from odds.game import GameOdds, Progress, check_shoe
from odds.hands import EYE, IntArray, composition_keys, lattice
from odds.joint import States, states
from odds.outcomes import ENDS_OF_STATES, net_results, round_outcomes
from odds.pairs import draw_weights, histories
from odds.play import losses, without_splits
from odds.reach import Reach, reach
from odds.rules import MAX_SPLIT_HANDS, Rules
from odds.strategy import Action
from odds.upcard_law import DEALER_BLACKJACK, HALVES, OUTCOMES, UpcardLaw, distinct, upcard_law

_ROWS = 64  # terms at a time, to keep working arrays small


@dataclass(frozen=True, slots=True)
class TableSpread:
    """How the results of seats at one table spread, in units of a seat's initial bet; float64.

    All seats bet one unit and play by the analysed strategy, on their own cards only.

    Attributes:
        mean: Expected net result of one seat.
        variance: Variance of one seat's net result.
        covariance: Covariance of the net results of two seats against one dealer.

    Example:
        >>> spread = TableSpread(mean=-0.004, variance=1.3, covariance=0.48)
        >>> round(spread.table_variance(3), 6)
        6.78
    """

    mean: float
    variance: float
    covariance: float

    @property
    def correlation(self) -> float:
        """Correlation of two seats' net results."""
        return self.covariance / self.variance

    def table_variance(self, seats: int) -> float:
        """Variance of the sum of so many seats' results: n Var + n (n - 1) Cov."""
        return seats * self.variance + seats * (seats - 1) * self.covariance

    def table_standard_deviation(self, seats: int) -> float:
        """Standard deviation of the sum of so many seats' results."""
        return sqrt(self.table_variance(seats))


def table_spread(odds: GameOdds, progress: Progress | None = None) -> TableSpread:
    """Variance of one seat and covariance of two.

    Args:
        odds: An analysed game.
        progress: Called with (fraction done, what); raising cancels.

    Raises:
        InputError: The shoe is too small for two seats.
    """
    report = progress or (lambda done, what: None)
    covariance = seat_covariance(odds, lambda done, what: report(0.6 * done, what))
    spread = round_outcomes(odds, lambda done, what: report(0.6 + 0.4 * done, what))
    return TableSpread(spread.mean, spread.variance, covariance)


def seat_covariance(odds: GameOdds, progress: Progress | None = None) -> float:
    """Covariance of the net results of two seats against one dealer.

    Six decks take a few seconds without splits and about fifteen with resplits to four.

    Args:
        odds: An analysed game.
        progress: Called with (fraction done, what); raising cancels.

    Raises:
        InputError: The shoe is too small for two seats.

    Example:
        >>> from odds.game import analyze
        >>> from odds.rules import Rules
        >>> odds = analyze(Rules(decks=6, max_split_hands=1, max_split_hands_aces=1))
        >>> round(seat_covariance(odds), 6)
        0.450724
    """
    rules = odds.rules
    check_shoe(rules, odds.shoe, seats=2)
    report = progress or (lambda done, what: None)
    parts = list(_parts(odds))
    total = 0.0
    for i, up in enumerate(odds.upcard_probability):
        report(i / len(odds.upcard_probability), f"two seats against upcard {up}")
        seat = _Seat.of(parts, up - 1)
        if _shares(rules, up - 1):
            total += _shared_unit(odds, up, seat)
        law = upcard_law(odds.shoe.by_value, odds.rules.hit_soft_17, up - 1)
        for alike, one in seat.items():
            for other_alike, two in seat.items():
                if other_alike >= alike:
                    share = _alike_tens(odds, up, alike, other_alike)
                    both = 1.0 + (other_alike > alike)
                    total += both * share * _product(law, one, two)
    report(1.0, "done")
    return total - odds.expected_value**2


@dataclass(frozen=True, slots=True)
class _Part:
    """Terms of a seat's net result.

    Attributes:
        alike: How many ten-valued cards must be of one rank; 0 where ranks do not matter.
        cards: [m, 10] cards that are out.
        worth: [m, 10, OUTCOMES] orders times net result, by upcard and outcome of the dealer.
    """

    alike: int
    cards: IntArray
    worth: FloatArray


@dataclass(frozen=True, slots=True)
class _Seat:
    """Terms of a seat's net result against one upcard, each set of cards once.

    Attributes:
        cards: [m, 10] cards that are out.
        worth: [m, OUTCOMES] orders times net result.
    """

    cards: IntArray
    worth: FloatArray

    @staticmethod
    def of(parts: list[_Part], up: int) -> dict[int, _Seat]:
        """The terms against an upcard, by how many tens must be of one rank."""
        seats = {}
        for alike in sorted({part.alike for part in parts}):
            some = [part for part in parts if part.alike == alike]
            cards = np.concatenate([part.cards for part in some])
            worth = np.concatenate([part.worth[:, up] for part in some])
            there = worth.any(axis=1)
            cards, worth = cards[there], worth[there]
            if not len(cards):
                continue
            keys, first, group = np.unique(
                composition_keys(cards), return_index=True, return_inverse=True
            )
            summed = np.zeros((len(keys), OUTCOMES))
            np.add.at(summed, group, worth)
            seats[alike] = _Seat(cards[first], summed)
        return seats


def _worth(odds: GameOdds, found: States, split: bool) -> FloatArray:
    """[tallies, m, 10, OUTCOMES] orders times net result of the states of a hand."""
    nets = np.stack([net_results(odds.rules, up, split) for up in range(10)])
    of_state = np.einsum("es,ueo->suo", ENDS_OF_STATES, nets)
    worth: FloatArray = np.einsum("mstu,suo->tmuo", found.orders, of_state, optimize=True)
    return worth


def _parts(odds: GameOdds) -> Iterator[_Part]:
    yield from _unsplit_parts(odds)
    for value, chance in odds._split_chance.items():
        if chance.any():
            yield from _split_parts(odds, value)
    natural = np.zeros((1, 10, OUTCOMES))
    natural[..., :DEALER_BLACKJACK] = 2.0 * float(odds.rules.blackjack_pays)
    yield _Part(0, lattice().counts[[lattice().of(1, 10)]], natural)


def _by_rank(odds: GameOdds, value: int) -> bool:
    return value == 10 and odds.rules.split_by == "rank"


def _unsplit_parts(odds: GameOdds) -> Iterator[_Part]:
    starts, orders = odds._unsplit
    if 10 in odds._split_chance and _by_rank(odds, 10):
        # two tens are played whole but for those of one rank, which are split
        taken = odds._split_chance[10] > 0
        tens = starts == lattice().of(10, 10)
        alike = np.zeros_like(orders)
        alike[tens] = -1.0 * taken
        orders = orders.copy()
        orders[tens] = np.where(taken, 1.0, orders[tens])
        orders = np.concatenate((orders, alike), axis=1)
    decisions = without_splits(odds.strategy.first, odds._play.values)
    reached = reach(starts, orders, decisions)
    gives_up = decisions[reached.stands] == Action.SURRENDER.column
    surrendered = reached.stand_orders * gives_up[:, None, :]
    plain = replace(reached, stand_orders=reached.stand_orders - surrendered)
    found = states(odds.rules, plain, starts, orders, split=False)
    # a surrendered hand is settled by itself: it does not bust, nor does it go on
    for tally, worth in enumerate(_worth(odds, found, split=False)):
        yield _Part(2 * tally, lattice().counts[found.hands], worth)
    if gives_up.any():
        yield from _surrendered_parts(odds, reached, surrendered)


def _surrendered_parts(odds: GameOdds, reached: Reach, orders: FloatArray) -> Iterator[_Part]:
    """Half a unit lost, in place of the bust that a hand without an end would be."""
    rules = odds.rules
    peeked = np.array([rules.peeks_under(up) for up in range(1, 11)])
    late = (rules.surrender == "late") | ((lattice().cards[reached.stands] > 2)[:, None] & peeked)
    net = np.full((len(reached.stands), 10, OUTCOMES), -0.5)
    net[..., DEALER_BLACKJACK] -= 0.5 * late
    bust = np.stack([net_results(rules, up, split=False)[-2] for up in range(10)])
    for tally in range(orders.shape[1]):
        worth = orders[:, tally, :, None] * (net - bust)
        yield _Part(2 * tally, lattice().counts[reached.stands], worth)


def _split_parts(odds: GameOdds, value: int) -> Iterator[_Part]:
    rules, max_hands = odds.rules, odds.rules.split_hands(value)
    by_rank = _by_rank(odds, value)
    taken = (odds._split_chance[value] > 0)[:, None]
    starts = np.array([lattice().of(value), lattice().of(value, value)])
    orders = np.repeat(np.eye(2)[:, :, None], 10, axis=2)
    card = EYE[value - 1]
    reached = split_reaches(odds.strategy, value, max_hands)
    kinds = ways_of_playing(reached)
    known = {}
    for kind in set(kinds.values()):
        found = states(rules, reached[kind], starts, orders, split=True)
        known[kind] = found.hands, _worth(odds, found, split=True)
    for hands, tallies in histories(max_hands).items():
        played, worth = known[kinds[hands]]
        for number, (free, paired) in draw_weights(tallies).items():
            cards = lattice().counts[played] + (number + 1) * card
            for out, tally, weight in ((2 + number, 0, free), (3 + number, 1, -paired)):
                if weight:
                    yield _Part(out * by_rank, cards, weight * taken * worth[tally])
    unit = np.zeros((1, 10, OUTCOMES))  # a round that loses one unit, all hands together
    shared = [_shares(rules, up) for up in range(10)]
    unit[0, :, DEALER_BLACKJACK] = -losses(rules, split=True).refund - shared
    yield _Part(2 * by_rank, 2 * card[None, :], taken * unit)


def _shares(rules: Rules, up: int) -> bool:
    """Whether live split hands share one unit against a dealer blackjack with this upcard."""
    takes = rules.dealer_blackjack_takes == "busted_plus_one"
    return takes and up in (0, 9) and not rules.peeks_under(up + 1)


def _shared_unit(odds: GameOdds, up: int, seat: dict[int, _Seat]) -> float:
    """Expected product of two results with a blackjack, which it takes out of the terms.

    A split seat loses the shared unit but where all hands are dead, and that needs them all.
    """
    hole = 9 - (up - 1)
    values = odds._dealer.values
    shoe = values - EYE[up - 1] - EYE[hole]
    if (shoe < 0).any():
        return 0.0
    lost: dict[int, list[Polynomial]] = defaultdict(list)
    for alike, terms in seat.items():
        lost[alike].append(Polynomial(terms.cards, terms.worth[:, DEALER_BLACKJACK].copy()))
        terms.worth[:, DEALER_BLACKJACK] = 0.0
    for value, chance in odds._split_chance.items():
        if chance[up - 1]:
            for alike, dead in _all_dead(odds, value, up - 1):
                lost[alike].append(dead)
    total = 0.0
    sums = {alike: parts[0].plus(*parts[1:]) for alike, parts in lost.items()}
    for alike, one in sums.items():
        for other_alike, two in sums.items():
            share = _alike_tens(odds, up, alike, other_alike)
            total += share * expected(shoe, one, two) if share else 0.0
    size = int(values.sum())
    return total * float(values[up - 1] * (values - EYE[up - 1])[hole]) / (size * (size - 1))


def _all_dead(odds: GameOdds, value: int, up: int) -> Iterator[tuple[int, Polynomial]]:
    """How all hands of a split round die: tens that are alike, and orders by all of the cards."""
    rules, card = odds.rules, EYE[value - 1]
    reached = split_reaches(odds.strategy, value, rules.split_hands(value))
    dead = {
        (kind, tally): deaths(value, reached[kind], up, tally, rules.split_ace_ten == "blackjack")
        for kind in set(ways_of_playing(reached).values())
        for tally in (0, 1)
    }
    most = 2 * MAX_SPLIT_HANDS
    if not _by_rank(odds, value):
        for one, two in split_product(reached, dead, value, [1.0] * most):
            yield 0, one.times(two).scaled(1.0, 2 * card)
        return
    for drawn in range(most):
        pairing = [float(number == drawn) for number in range(most)]
        for one, two in split_product(reached, dead, value, pairing):
            yield 2 + drawn, one.times(two).scaled(1.0, 2 * card)


def _alike_tens(odds: GameOdds, up: int, one: int, two: int) -> float:
    """The chance that ``one`` given tens are of one rank, and ``two`` others of one as well."""
    groups = [number for number in (one, two) if number]
    if not groups:
        return 1.0
    upcard = [1] if up == 10 else []
    ranks = odds.shoe.by_rank[9:]
    ways = 0
    for chosen in product(range(4), repeat=len(groups) + len(upcard)):
        drawn = [0] * 4
        for rank, number in zip(chosen, groups + upcard, strict=True):
            drawn[rank] += number
        way = 1
        for count, number in zip(ranks, drawn, strict=True):
            way *= perm(count, number)
        ways += way
    return ways / max(perm(sum(ranks), sum(groups) + len(upcard)), 1)


class _Sums:
    """The sums of the rows of [a, k] and [b, k] counts, each sum once.

    Attributes:
        cards: [s, k] the sums.
    """

    def __init__(self, one: IntArray, two: IntArray) -> None:
        (first, self._first_of), (second, self._second_of) = distinct(one), distinct(two)
        both = (first[:, None, :] + second[None, :, :]).reshape(-1, one.shape[1])
        self.cards, of_pair = distinct(both)
        self._table = of_pair.reshape(len(first), len(second))

    def places(self, rows: slice, others: slice) -> IntArray:
        """The place of the sum of each of some rows of one and of two."""
        table: IntArray = self._table[self._first_of[rows]][:, self._second_of[others]]
        return table


def _product(law: UpcardLaw, one: _Seat, two: _Seat) -> float:
    """Sum over pairs of terms of the product of their results, times its chance."""
    low, high = (_Sums(one.cards[:, half], two.cards[:, half]) for half in HALVES)
    same, columns = one is two, len(high.cards)
    blocks = []
    for start in range(0, len(one.cards), _ROWS):
        rows = slice(start, min(start + _ROWS, len(one.cards)))
        blocks.append((rows, slice(start if same else 0, len(two.cards))))

    def grid(block: tuple[slice, slice]) -> IntArray:
        return low.places(*block) * columns + high.places(*block)

    used = np.zeros(len(low.cards) * columns, dtype=np.bool_)
    for block in blocks:
        used[grid(block)] = True
    cells = np.flatnonzero(used)
    place = np.zeros(len(used), dtype=np.int32)
    place[cells] = np.arange(len(cells))
    weights = law.weights(
        np.concatenate((low.cards[cells // columns], high.cards[cells % columns]), axis=1)
    )
    outcomes = np.flatnonzero(weights.any(axis=0))
    weights = np.ascontiguousarray(weights[:, outcomes])
    total = 0.0
    for rows, others in blocks:
        met = weights.take(place[grid((rows, others))], axis=0)
        left, right = one.worth[rows][:, outcomes], two.worth[others][:, outcomes]
        if same:  # pairs of terms of two blocks stand for both orders
            right[rows.stop - rows.start :] *= 2.0
        total += float((left * np.einsum("rjo,jo->ro", met, right)).sum())
    return total
