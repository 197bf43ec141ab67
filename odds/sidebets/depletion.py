"""A bet's exact expectation from any depleted shoe, in one pass over its deals.

`odds.sidebets.counting` counts a bet for any number of packs at once. Here the deals are kept as
products of class sizes instead, so that thousands of depleted shoes can be put into the same sum:
for a simulation in float64, or for one shoe in integers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from odds.errors import InputError
from odds.shoe import Shoe
from odds.sidebets.bet import SideBet
from odds.sidebets.counting import STANDARD_PACK, Counter
from odds.sidebets.deals import Column
from odds.sidebets.decisions import StrategyTable
from odds.sidebets.factors import NO_FACTOR, Codes, Factors
from odds.sidebets.grouping import equal_rows
from odds.sidebets.results import Hits

Net = Callable[[Hits], Fraction]
"""The net result in units of an outcome, from how often each tier counts."""
Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.integer]

Members = npt.NDArray[np.int64]

_GONE = 64  # as in `odds.sidebets.factors`: a code is the class times this, plus the cards gone
_SAFE = 1 << 62
_LIMB = (1 << 20) - 1
_CHUNK = 2_000_000


@dataclass(frozen=True, slots=True)
class _Rows:
    """Deals of one length, each a product of (size of a class - cards gone) over its cards.

    Attributes:
        members: How often each of the 52 card types is in each class, shape (classes, 52).
        classes: The class of each card, shape (cards, deals).
        gone: The cards gone from it, same shape.
        values: What each product counts for in the expectation, in units of `DepletedBet.unit`.
        weights: What it counts for in the probability that the bet is offered.
    """

    members: Members
    classes: npt.NDArray[np.int64]
    gone: npt.NDArray[np.int64]
    values: npt.NDArray[np.int64]
    weights: npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class DepletedBet:
    """A bet's expectation as a function of the cards that are left.

    Attributes:
        base: Net result of the deals that are left out of the sums.
        unit: What an integer value stands for.
        longest: The cards of the longest deal; a shoe must have as many.
        given: Whether the bet is offered only after some of its cards are known.
    """

    base: Fraction
    unit: Fraction
    longest: int
    given: bool
    _rows: tuple[_Rows, ...]

    @property
    def size(self) -> int:
        """How many factors one evaluation multiplies."""
        return sum(rows.classes.size for rows in self._rows)

    def alike(self) -> tuple[int, ...]:
        """For each of the 52 card types the first that no deal tells from it."""
        if not self._rows:
            return (0,) * 52  # every deal ends the same
        used = np.vstack([rows.members for rows in self._rows])
        columns = [tuple(column) for column in used.T]
        return tuple(columns.index(column) for column in columns)

    def exact(self, shoe: Shoe) -> tuple[Fraction, Fraction]:
        """The expected net result and the probability that the bet is offered, exact.

        Args:
            shoe: What is left to be dealt.

        Returns:
            Expected net in units given that the bet is offered (0 if it cannot be), and the
            probability that it is: 1 without a condition on known cards.

        Raises:
            InputError: The shoe has fewer cards than the longest deal.
        """
        if shoe.size < self.longest:
            raise InputError("shoe", shoe.size, f"{self.longest} cards or more for this bet")
        value = weight = Fraction(0)
        for rows in self._rows:
            sizes = rows.members @ np.array(shoe.counts, dtype=np.int64)
            total = math.perm(shoe.size, len(rows.classes))
            kind = np.int64 if shoe.size ** len(rows.classes) < _SAFE else np.object_
            ways = np.ones(len(rows.values), dtype=kind)
            for classes, gone in zip(rows.classes, rows.gone, strict=True):
                ways = ways * (sizes[classes] - gone).astype(kind)
            value += Fraction(_sum_of_products(ways, rows.values), total)
            if self.given:
                weight += Fraction(_sum_of_products(ways, rows.weights), total)
        if not self.given:
            return self.base + value * self.unit, Fraction(1)
        return (value * self.unit / weight if weight else Fraction(0)), weight

    def per_round(self, counts: Counts) -> tuple[Floats, Floats]:
        """Expected net result of a round in which the bet is made if it is offered, in float64.

        Args:
            counts: Cards left of each of the 52 types, shape (shoes, 52).

        Returns:
            Units per round and the probability that the bet is offered, each of shape (shoes,);
            their quotient is the player's edge.
        """
        found = np.full(len(counts), float(self.base))
        offered = np.full(len(counts), float(not self.given))
        left = counts.sum(axis=1).astype(np.float64)
        for rows in self._rows:
            sizes = (rows.members @ counts.T).astype(np.float64)
            total = np.prod([left - i for i in range(len(rows.classes))], axis=0)
            sums = [rows.values.astype(np.float64) * float(self.unit)]
            sums += [rows.weights.astype(np.float64)] if self.given else []
            step = max(1, _CHUNK // max(1, len(rows.values)))
            for start in range(0, len(counts), step):
                piece = slice(start, start + step)
                ways = sizes[:, piece][rows.classes[0]] - rows.gone[0][:, None]
                for classes, gone in zip(rows.classes[1:], rows.gone[1:], strict=True):
                    ways *= sizes[:, piece][classes] - gone[:, None]
                # A deal longer than the shoe has 0 ways out of 0.
                of_all = np.array(sums) @ ways / np.maximum(total[piece], 1.0)
                found[piece] += of_all[0]
                if self.given:
                    offered[piece] += of_all[1]
        return found, offered


def deplete(
    bet: SideBet,
    net: Net,
    pack: Shoe = STANDARD_PACK,
    strategy: StrategyTable | None = None,
) -> DepletedBet:
    """Look at all deals of a bet once, for any shoe that has cards of the pack's types.

    Args:
        bet: The side bet.
        net: The net result of an outcome, in units.
        pack: The card types there are; how many of each does not matter.
        strategy: What the main game's strategy does, where the cards depend on it. The same
            decisions are kept for every shoe.

    Raises:
        InputError: The bet looks at too many deals, a strategy is missing, or the dealer does not
            always play out.

    Example:
        >>> bet = SideBet.parse({"pair": "pair(player)"})
        >>> paired = deplete(bet, lambda hits: Fraction(11 if hits[0] else -1))
        >>> paired.exact(Shoe.decks(1).remove("AS"))
        (Fraction(-5, 17), Fraction(1, 1))
    """
    if bet.plan.plays != "always":
        raise InputError("plays", bet.plan.plays, "always, to follow the bet through a shoe")
    if bet.plan.needs_strategy and strategy is None:
        raise InputError("strategy", None, "a table of decisions: this bet's cards depend on it")
    counter = Counter(bet, pack, strategy if bet.plan.needs_strategy else None, symmetric=False)
    factors = _ClassFactors(counter.columns)
    counter.factors = factors
    given = bet.given is not None
    base = Fraction(0) if given else net((0,) * len(bet.tiers))
    nets: dict[Hits, Fraction] = {}
    codes: list[Codes] = []
    kinds: list[tuple[npt.NDArray[np.int64], list[Hits]]] = []
    weights: list[npt.NDArray[np.int64]] = []
    for deals, weight, code in counter.deals():
        hits = counter.settle(deals)
        if not deals.size:
            continue
        first, kind = equal_rows(list(hits))
        outcomes = [tuple(int(n) for n in hits[:, i]) for i in first]
        for outcome in outcomes:
            nets.setdefault(outcome, net(outcome) - base)
        counted = np.array([given or nets[outcome] != 0 for outcome in outcomes])[kind]
        codes.append(code[:, counted])
        kinds.append((kind[counted], outcomes))
        weights.append(weight[counted])
    unit = Fraction(1, math.lcm(*(value.denominator for value in nets.values())))
    scale = {outcome: int(value / unit) for outcome, value in nets.items()}
    values = [
        weight * np.array([scale[o] for o in outcomes], dtype=np.int64)[kind]
        for weight, (kind, outcomes) in zip(weights, kinds, strict=True)
    ]
    rows = _by_length(
        np.concatenate(codes, axis=1) if codes else np.zeros((0, 0), dtype=np.uint16),
        np.concatenate(values) if values else np.zeros(0, dtype=np.int64),
        np.concatenate(weights) if weights else np.zeros(0, dtype=np.int64),
        factors.members(),
    )
    return DepletedBet(base, unit, counter.longest, given, rows)


def _sum_of_products(ways: npt.NDArray[Any], numbers: npt.NDArray[np.int64]) -> int:
    """The exact sum of ways times numbers."""
    if ways.dtype == np.object_:
        return int((ways * numbers).sum())
    total = 0
    for high, left in _limbs(ways):
        for low, right in _limbs(numbers):
            total += int(left @ right) << (high + low)
    return total


def _limbs(numbers: npt.NDArray[np.int64]) -> Iterator[tuple[int, npt.NDArray[np.int64]]]:
    """Integers cut into pieces of 20 bits: a sum of four million products fits into 63."""
    sign, rest, shift = np.sign(numbers), np.abs(numbers), 0
    while rest.any():
        yield shift, sign * (rest & _LIMB)
        rest = rest >> 20
        shift += 20


def _by_length(
    codes: Codes,
    values: npt.NDArray[np.int64],
    weights: npt.NDArray[np.int64],
    members: Members,
) -> tuple[_Rows, ...]:
    """Deals with the same factors, or all but one the same, merged; by the number of cards."""
    lengths = (codes != NO_FACTOR).sum(axis=0)
    found = []
    for length in np.unique(lengths):
        own = lengths == length
        cards = codes[:length, own]
        if length == 0:
            first, kind = np.zeros(1, np.int64), np.zeros(int(own.sum()), np.int64)
        else:
            first, kind = equal_rows(list(cards.astype(np.int64)))
        merged = cards[:, first].astype(np.int64)
        sums = [np.zeros(len(first), dtype=np.int64) for _ in range(2)]
        np.add.at(sums[0], kind, values[own])
        np.add.at(sums[1], kind, weights[own])
        found.append(_merged(_Rows(members, merged // _GONE, merged % _GONE, *sums)))
    return tuple(found)


def _merged(rows: _Rows) -> _Rows:
    """Deals that differ in the class of one card alone become one.

    Their products differ in one factor, size less cards gone, and the sum of such factors is one of
    the same form: that of all their classes together.
    """
    members, classes, gone = rows.members, rows.classes, rows.gone
    values, weights = rows.values, rows.weights
    for card in range(len(classes)):
        others = [i for i in range(len(classes)) if i != card]
        same = [*classes[others], *gone[others], values - values.min(initial=0), weights]
        first, kind = equal_rows(same)
        if len(first) == len(kind):
            continue
        order = np.lexsort((classes[card], kind))
        starts = np.searchsorted(kind[order], np.arange(len(first)))
        joined = np.full((int(np.bincount(kind).max()), len(first)), len(members))
        joined[np.arange(len(kind)) - starts[kind[order]], kind[order]] = classes[card][order]
        some, which = equal_rows(list(joined))
        padded = np.vstack([members, np.zeros((1, 52), dtype=np.int64)])
        every = np.vstack([members, padded[joined[:, some]].sum(axis=0)])
        taken = np.add.reduceat(gone[card][order], starts)
        classes, gone = classes[:, first], gone[:, first]
        classes[card], gone[card] = len(members) + which, taken
        members, values, weights = every, values[first], weights[first]
    used, renamed = np.unique(classes, return_inverse=True)
    return _Rows(members[used], renamed.reshape(classes.shape), gone, values, weights)


class _ClassFactors(Factors):
    """Factors whose codes name the class of cards instead of its size."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self.columns = tuple(columns)
        self._known: dict[tuple[bool, ...], int] = {}
        self._index = [self._classes_of(column) for column in columns]

    def _classes_of(self, column: Column) -> npt.NDArray[np.uint16]:
        table = np.zeros((13, 16), dtype=np.uint16)
        for rank in column.partition.representatives:
            for mask in range(1, 16):
                members = tuple(
                    column.partition.ranks[card // 4] == rank and bool(mask >> card % 4 & 1)
                    for card in range(52)
                )
                table[rank, mask] = self._known.setdefault(members, len(self._known))
        return table

    def members(self) -> Members:
        """Which card types each class has, shape (classes, 52)."""
        return np.array(list(self._known), dtype=np.int64).reshape(-1, 52)
