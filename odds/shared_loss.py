"""The one unit that all live split hands share when the dealer has a blackjack.

Under `busted_plus_one` the round loses one unit more to a dealer blackjack unless every hand is
dead: busted, or a split ace-ten that pushes as a blackjack. That needs the joint law of all split
hands, which `odds.all_hands` gives from the orders in which one hand dies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from odds.all_hands import (
    Polynomial,
    alike,
    deaths,
    expected,
    split_product,
    ways_of_playing,
)
from odds.dealer import FloatArray
from odds.hands import EYE, IntArray
from odds.pairs import PairCards
from odds.reach import Reach
from odds.rules import Rules


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
    for up, hole in ((0, 9), (9, 0)):
        left = shoe - 2 * EYE[value - 1] - EYE[up]
        if rules.peeks_under(up + 1) or (left < 0).any():
            continue
        loss[up] = left[hole] / left.sum()
        loss[up] -= all_dead(rules, shoe, value, pairs, reached, up)
    return loss


def all_dead(
    rules: Rules,
    shoe: IntArray,
    value: int,
    pairs: Sequence[PairCards],
    reached: Mapping[int, Reach],
    up: int,
    per_unit: float = 0.0,
) -> float:
    """Chance of a dealer blackjack, given pair and upcard, that meets dead hands only.

    Args:
        rules: The table.
        shoe: Ten counts before the deal.
        value: Card value of the pair.
        pairs: The cases of `odds.pairs.pair_cards`.
        reached: How split hands are played, by the number of hands when they are.
        up: Upcard value less 1, an ace or a ten.
        per_unit: Each hand is weighted by one plus this for each busted unit.
    """
    hole = Polynomial(EYE[[9 - up]], np.ones(1))
    left = shoe - 2 * EYE[value - 1] - EYE[up]
    ace_ten = rules.split_ace_ten == "blackjack"
    dead = {
        (kind, tally): deaths(value, reached[kind], up, tally, ace_ten, per_unit)
        for kind in set(ways_of_playing(reached).values())
        for tally in (0, 1)
    }
    products = split_product(reached, dead, value, alike(pairs, up))
    return sum(expected(left, first.times(hole), second) for first, second in products)
