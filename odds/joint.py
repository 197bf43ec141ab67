"""The joint law of the final states of one or two split hands and the dealer.

A hand that is not bust ends in one of seven standings (16 or less, 17 to 21, split ace-ten that is
more than 21) with one or two bets. Two further states make complements possible: that a hand is
doubled at all, and that it exists. The chance that a hand busts, alone or with anything known of
its sibling, follows from these without enumerating busted hands.

With a strategy that forgets siblings, the chance that two hands end as h and g is the number of
orders of h times that of g times one falling-factorial weight of the cards of both. So the joint
law is a quadratic form in the orders, with a kernel that only depends on the union of the cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from odds.dealer import DealerTable, FloatArray, dealer_hands, falling_table
from odds.hands import EYE, BoolArray, IntArray, composition_keys, lattice
from odds.reach import Reach
from odds.rules import Rules
from odds.upcard_law import DEALER_BUST, OUTCOMES, upcard_law

STANDINGS = 7  # 16 or less, 17, 18, 19, 20, 21, split ace-ten above 21
DOUBLED = 2 * STANDINGS  # state: the hand is doubled (whatever comes of it)
EXISTS = DOUBLED + 1  # state: the hand exists
STATES = DOUBLED + 2


@lru_cache(maxsize=64)
def results(rules: Rules, split: bool) -> FloatArray:
    """[DOUBLED, OUTCOMES] net result of one hand in units of the initial bet, no dealer blackjack.

    The column of the dealer's blackjack is 0; see `odds.outcomes`.
    """
    table = np.zeros((DOUBLED, OUTCOMES))
    for standing in range(STANDINGS):
        for outcome in range(DEALER_BUST + 1):
            if outcome == DEALER_BUST or standing == 6:
                result = 1.0
            else:
                result = float(np.sign(standing + 16 - (outcome + 17)))
            if standing == 6 and rules.split_ace_ten == "blackjack" and split:
                result = float(rules.blackjack_pays)
            table[standing, outcome] = result
            table[standing + STANDINGS, outcome] = 2.0 * result
    return table


def _standing(rules: Rules, hands: IntArray, split: bool) -> IntArray:
    lat = lattice()
    standing = (lat.total[hands] - 16).clip(min=0)
    if split and rules.split_ace_ten != "21":
        standing[hands == lat.of(1, 10)] = 6
    return standing


@dataclass(frozen=True, slots=True)
class States:
    """The hands through which states are reached under one way of playing.

    Attributes:
        hands: [m] lattice hands, each once.
        orders: [m, STATES, tallies, 10] orders of reaching the state with these cards.
    """

    hands: IntArray
    orders: FloatArray


def states(
    rules: Rules, reached: Reach, starts: IntArray, orders: FloatArray, split: bool
) -> States:
    """Collect the states of a hand from what its strategy reaches.

    Args:
        rules: The table.
        reached: The orders of play.
        starts: [k] starting hands.
        orders: [k, tallies, 10] orders that each starting hand brings.
        split: Whether it is a split hand.
    """
    hands = np.unique(np.concatenate((reached.stands, reached.doubles, starts)))
    found = np.zeros((len(hands), STATES, *orders.shape[1:]))
    at = np.searchsorted(hands, reached.stands)
    standing = _standing(rules, reached.stands, split)
    found[at, standing] += reached.stand_orders
    plain = _standing(rules, reached.stands, False)  # a doubled hand has three cards
    found[at, plain + STANDINGS] += reached.double_orders
    found[np.searchsorted(hands, reached.doubles), DOUBLED] += reached.entry_orders
    found[np.searchsorted(hands, starts), EXISTS] += orders
    return States(hands, found)


def union_weight(shoe: IntArray, cards: IntArray) -> FloatArray:
    """[m, 10] chance of drawing [m, 10] cards in one given order, by upcard (which is out)."""
    odds = np.ones(len(cards))
    for j in range(10):
        odds *= falling_table(int(shoe[j]), int(cards[:, j].max(initial=0)))[cards[:, j]]
    sizes = cards.sum(axis=1)
    deal = falling_table(int(shoe.sum()) - 1, int(sizes.max(initial=0)))[sizes]
    odds = np.divide(odds, deal, out=np.zeros_like(odds), where=deal > 0)
    keep = (shoe - cards).clip(min=0) / np.maximum(shoe, 1)
    weight: FloatArray = odds[:, None] * keep
    return weight


def one_hand_law(dealer: DealerTable, one: States, value: int = 1, extra: int = 0) -> FloatArray:
    """[STATES, tallies, 10, OUTCOMES] law of one hand with ``extra`` cards of a value out besides.

    Includes the chance of drawing all cards, the starting and the extra ones too, in order, the
    upcard being out.
    """
    law = np.zeros((*one.orders.shape[1:], OUTCOMES))
    for up in np.flatnonzero(one.orders.any(axis=(0, 1, 2))).tolist():
        rows = one.orders[..., up].any(axis=(1, 2))
        cards = lattice().counts[one.hands[rows]] + extra * EYE[value - 1]
        kernel = _given_upcard(dealer, up, cards)
        law[..., up, :] = np.einsum("msa,md->sad", one.orders[rows, ..., up], kernel)
    return law


def _given_upcard(dealer: DealerTable, up: int, cards: IntArray) -> FloatArray:
    """[m, OUTCOMES] chance of drawing [m, 10] cards in one order, and of the dealer's outcome."""
    if not dealer.values[up]:
        return np.zeros((len(cards), OUTCOMES))
    hit_soft_17 = dealer.hands is dealer_hands(True)
    law = upcard_law(tuple(dealer.values.tolist()), hit_soft_17, up)
    scale = float(dealer.values.sum() / dealer.values[up])
    return law.weights(cards) * scale


class TwoHands:
    """The joint law of two hands.

    Args:
        dealer: The dealer's totals for the shoe.
        one: The states of a hand.
        two: The states of its sibling.
        upcards: [10] the upcards for which the law is wanted.
    """

    def __init__(self, dealer: DealerTable, one: States, two: States, upcards: BoolArray) -> None:
        self.dealer, self.one, self.two = dealer, one, two
        self._live = {
            int(up): (
                np.flatnonzero(one.orders[..., up].any(axis=(1, 2))),
                np.flatnonzero(two.orders[..., up].any(axis=(1, 2))),
            )
            for up in np.flatnonzero(upcards)
        }

    def laws(self, value: int, extras: tuple[int, ...]) -> FloatArray:
        """[extras, STATES, tallies, STATES, tallies, 10, OUTCOMES], weighted as in `one_hand_law`.

        Upcards that are not wanted are 0.
        """
        counts = lattice().counts
        shape = *self.one.orders.shape[1:3], *self.two.orders.shape[1:3]
        laws = np.zeros((len(extras), *shape, 10, OUTCOMES))
        for up, (rows, columns) in self._live.items():
            first, second = counts[self.one.hands[rows]], counts[self.two.hands[columns]]
            keys = composition_keys(first)[:, None] + composition_keys(second)
            _, at, union = np.unique(keys, return_index=True, return_inverse=True)
            union = union.reshape(keys.shape)
            cards = first[at // len(columns)] + second[at % len(columns)]
            left = self.one.orders[rows, :, :, up].reshape(len(rows), -1)
            right = self.two.orders[columns, :, :, up].reshape(len(columns), -1)
            more = np.array(extras)[:, None, None] * EYE[value - 1]
            kernels = _given_upcard(self.dealer, up, (cards + more).reshape(-1, 10))
            for k, kernel in enumerate(kernels.reshape(len(extras), len(cards), OUTCOMES)):
                for outcome in np.flatnonzero(kernel.any(axis=0)):
                    column = np.ascontiguousarray(kernel[:, outcome])
                    form = left.T @ (column.take(union) @ right)
                    laws[k, ..., up, outcome] = form.reshape(shape)
        return laws


def pair_chance(dealer: DealerTable, value: int, number: int) -> FloatArray:
    """[10] weight of ``number`` cards of one value drawn in order, by upcard."""
    chance: FloatArray = union_weight(dealer.values, number * EYE[value - 1][None, :])[0]
    return chance
