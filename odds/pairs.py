"""What can happen while a pair is split and resplit: histories, and the cards that pair."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import comb

import numpy as np

from odds.dealer import FloatArray
from odds.hands import EYE, IntArray
from odds.rules import SplitBy


@lru_cache(maxsize=8)
def histories(max_hands: int) -> dict[int, dict[tuple[int, int], tuple[int, int]]]:
    """How often a hand is played after each history.

    Returns:
        Number of hands when the hand is played, to (further pair cards drawn, other cards drawn)
        to (hands whose own second card must not pair, hands whose second card is free), summed
        over the orders of the draws.

    Example:
        >>> histories(2)
        {2: {(0, 0): (0, 2)}}
        >>> histories(3)
        {2: {(0, 0): (1, 0), (0, 1): (1, 0)}, 3: {(1, 0): (0, 3), (1, 1): (0, 2)}}
    """
    counted: dict[int, dict[tuple[int, int], list[int]]] = defaultdict(dict)

    def draw(hands: int, waiting: int, others: int) -> None:
        if not waiting:
            return
        tally = counted[hands].setdefault((hands - 2, others), [0, 0])
        if hands == max_hands:
            tally[1] += waiting
            return
        tally[0] += 1
        draw(hands, waiting - 1, others + 1)
        draw(hands + 1, waiting + 1, others)

    draw(2, 2, 0)
    return {
        hands: {history: (tally[0], tally[1]) for history, tally in sorted(tallies.items())}
        for hands, tallies in sorted(counted.items())
    }


def draw_weights(
    tallies: Mapping[tuple[int, int], tuple[int, int]],
) -> dict[int, tuple[int, int]]:
    """Weights of free hands, and of those whose second card pairs, after a history.

    Draws that must not pair are expanded: each is any draw less one that pairs.

    Args:
        tallies: What `histories` has for one number of hands.

    Returns:
        Number of further pair cards known to be out, to (weight of a free hand, weight to take
        away of a hand whose second card is one pair card more).

    Example:
        >>> draw_weights(histories(3)[2])
        {0: (2, 2), 1: (-1, -1)}
    """
    weights: dict[int, tuple[int, int]] = {}
    for (drawn, others), (barred, free) in tallies.items():
        for i in range(others + 1):
            sign = (-1) ** i * comb(others, i)
            plain, paired = weights.get(drawn + i, (0, 0))
            weights[drawn + i] = plain + sign * (barred + free), paired + sign * barred
    return weights


@lru_cache(maxsize=8)
def endings(max_hands: int) -> dict[tuple[tuple[int, int], ...], int]:
    """The ways in which splitting can end.

    Returns:
        (Number of hands when played, how many hands are played then), for each number that
        occurs, to in how many orders of the draws.

    Example:
        >>> endings(3)
        {((2, 2),): 1, ((2, 1), (3, 2)): 1, ((3, 3),): 1}
    """
    counted: dict[tuple[tuple[int, int], ...], int] = defaultdict(int)

    def draw(hands: int, waiting: int, played: dict[int, int]) -> None:
        if hands == max_hands:
            played = {**played, hands: waiting}
            waiting = 0
        if not waiting:
            counted[tuple(sorted(played.items()))] += 1
            return
        draw(hands, waiting - 1, {**played, hands: played.get(hands, 0) + 1})
        draw(hands + 1, waiting + 1, played)

    draw(2, 2, {})
    return dict(counted)


@dataclass(frozen=True, slots=True)
class PairCards:
    """How many pair cards are left once two of them and the upcard are out, [10] by upcard.

    Attributes:
        parts: The chance of this case is ``parts / whole``.
        whole: One integer for all upcards.
        count: Cards that pair.
        among: Cards of the pair's value, the pairing ones included.
    """

    parts: IntArray
    whole: int
    count: IntArray
    among: IntArray

    @property
    def weight(self) -> FloatArray:
        """The chance of this case."""
        weight: FloatArray = self.parts / self.whole
        return weight

    def draws(self, size: int, number: int) -> FloatArray:
        """The chance that ``number`` given draws from ``size`` cards all pair."""
        odds = np.ones(10)
        for i in range(number):
            odds *= (self.count - i).clip(min=0) / max(size - i, 1)
        return odds

    def share(self, drawn: int) -> FloatArray:
        """The chance that a card of the pair's value pairs, after ``drawn`` more pair cards."""
        left, among = (self.count - drawn).clip(min=0), self.among - drawn
        share: FloatArray = np.divide(left, among, out=np.zeros(10), where=among > 0)
        return share


@lru_cache(maxsize=256)
def pair_cards(split_by: SplitBy, by_rank: tuple[int, ...], value: int) -> tuple[PairCards, ...]:
    """The cases of what pairs with a pair of this value; their weights sum to 1.

    Pairs by rank differ among the tens: the case depends on the rank of the pair and on whether
    the upcard is of the same rank.

    Args:
        split_by: Whether pairs agree in value or in rank.
        by_rank: Thirteen counts of the shoe, A to K.
        value: Card value of the pair.
    """
    ranks = by_rank[9:] if value == 10 else (by_rank[value - 1],)
    total, up = sum(ranks), EYE[value - 1]
    among = total - 2 - up
    if split_by == "value" or value < 10:
        return (PairCards(np.ones(10, dtype=np.int64), 1, among, among),)
    others = max(total - 2, 1)
    whole = sum(count * (count - 1) for count in ranks) * others
    cases = []
    for count in ranks:
        if count >= 2:
            pairs, same = count * (count - 1), count - 2
            left = np.full(10, same, dtype=np.int64)
            cases.append(PairCards(pairs * (others - up * same), whole, left, among))
            cases.append(PairCards(pairs * up * same, whole, left - up, among))
    return tuple(cases)


@lru_cache(maxsize=256)
def split_terms(
    split_by: SplitBy, by_rank: tuple[int, ...], value: int, max_hands: int
) -> dict[int, dict[int, tuple[FloatArray, FloatArray]]]:
    """Coefficients of F(j) and G(j) (see `odds.split`) in the total of all split hands.

    Returns:
        Number of hands when the hand is played, to j, to [10] coefficient of F and of G.
    """
    size = sum(by_rank) - 3
    cases = pair_cards(split_by, by_rank, value)
    terms: dict[int, dict[int, tuple[FloatArray, FloatArray]]] = {}
    for hands, counted in histories(max_hands).items():
        found = terms.setdefault(hands, {})
        for (drawn, others), (barred, free) in counted.items():
            for i in range(others + 1):
                more = drawn + i
                sign = (-1) ** i * comb(others, i)
                plain, pairing = found.get(2 + more, (np.zeros(10), np.zeros(10)))
                for case in cases:
                    odds = sign * case.weight * case.draws(size, more)
                    plain = plain + (barred + free) * odds
                    pairing = pairing - barred * odds * case.share(more)
                if plain.any() or pairing.any():
                    found[2 + more] = (plain, pairing)
    return terms
