"""In how many orders, and with what probability, a strategy reaches each hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from odds.dealer import FloatArray, falling_table
from odds.hands import IntArray, lattice
from odds.strategy import Action


@dataclass(frozen=True, slots=True)
class Reach:
    """In how many orders hands are reached and finished, in separate tallies.

    Attributes:
        stands: [t] hands that stand or are finished doubled hands.
        stand_orders: [t, tallies, 10] orders of reaching and standing.
        double_orders: [t, tallies, 10] orders of reaching as a finished doubled hand.
        doubles: [d] hands that are doubled.
        entry_orders: [d, tallies, 10] orders of reaching and doubling.
        hits: [h] hands that are hit.
        hit_orders: [h, tallies, 10] orders of reaching and hitting.
    """

    stands: IntArray
    stand_orders: FloatArray
    double_orders: FloatArray
    doubles: IntArray
    entry_orders: FloatArray
    hits: IntArray
    hit_orders: FloatArray

    def decided(self, tally: int) -> FloatArray:
        """[n, 10] orders in which every hand of the lattice comes to a decision."""
        orders = np.zeros((lattice().size, 10))
        orders[self.hits] += self.hit_orders[:, tally]
        orders[self.doubles] += self.entry_orders[:, tally]
        orders[self.stands] += self.stand_orders[:, tally]
        return orders


def reach(starts: IntArray, start_orders: FloatArray, decisions: NDArray[np.int8]) -> Reach:
    """Count the orders of play from some hands under fixed decisions.

    Args:
        starts: [k] starting hands; one of a single card takes its second without a decision.
        start_orders: [k, tallies, 10] orders that each starting hand brings, by upcard.
        decisions: [n, 10] action columns.
    """
    lat = lattice()
    shape = (lat.size + 1, *start_orders.shape[1:])  # the last row stands for "no such hand"
    at, hitting, doubling, doubled = (np.zeros(shape) for _ in range(4))
    at[starts] = start_orders
    live = np.zeros(lat.size, dtype=bool)
    live[starts] = True
    ended = np.zeros(lat.size, dtype=bool)
    for size in range(1, 21):
        hands = lat.by_cards[size][live[lat.by_cards[size]]]
        if not len(hands):
            continue
        act = decisions[hands][:, None, :]
        here = at[hands]
        hitting[hands] = here * ((act == Action.HIT.column) | (size == 1))
        doubling[hands] = here * ((act == Action.DOUBLE.column) & (size > 1))
        for source, target, mark in ((hitting, at, live), (doubling, doubled, ended)):
            after = np.unique(lat.successor[hands[source[hands].any(axis=(1, 2))]])
            after = after[after >= 0]
            target[after] += source[lat.predecessor[after]].sum(axis=1)
            mark[after] = True
    live[lat.by_cards[1]] = False
    reached = np.flatnonzero(live | ended)
    hits = np.concatenate((starts[lat.cards[starts] == 1], np.flatnonzero(live)))
    standing = at[reached] - hitting[reached] - doubling[reached]
    finished = (standing + doubled[reached]).any(axis=(1, 2))
    stands = reached[finished]
    doubles = reached[doubling[reached].any(axis=(1, 2))]
    hits = hits[hitting[hits].any(axis=(1, 2))]
    return Reach(
        stands, standing[finished], doubled[stands], doubles, doubling[doubles], hits, hitting[hits]
    )


def path_odds(shoes: IntArray, hands: IntArray, known: IntArray) -> FloatArray:
    """Probability of one given order of drawing each hand, the upcard being out of the shoe.

    Args:
        shoes: [..., 10] counts of one or more shoes with the known cards already out.
        hands: [m] hands.
        known: Ten counts of the cards that each hand starts with.

    Returns:
        [..., m, 10] by shoe, hand and upcard; 0 where it cannot happen.
    """
    drawn = lattice().counts[hands] - known
    odds = np.ones((*shoes.shape[:-1], len(hands)))
    for j in range(10):
        odds *= falling_table(shoes[..., j], int(drawn[:, j].max(initial=0)))[..., drawn[:, j]]
    # the upcard takes one of its rank: falling(c - 1, k) = falling(c, k) * (c - k) / c
    keep = (shoes[..., None, :] - drawn).clip(min=0) / np.maximum(shoes, 1)[..., None, :]
    sizes = drawn.sum(axis=1)
    deal = falling_table(shoes.sum(axis=-1) - 1, int(sizes.max(initial=0)))[..., sizes]
    odds = np.divide(odds, deal, out=np.zeros_like(odds), where=deal > 0)
    result: FloatArray = odds[..., None] * keep
    return result
