"""Values of stand, hit, double and surrender over the whole lattice of hands, in float64.

All values are unconditional: a dealer blackjack is one of the outcomes, and where the dealer peeks
it costs one unit whatever the player would have done. Such values are an increasing function of
those given no dealer blackjack, so the best action is the same, while the cards still in the shoe
stay equally likely.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, reduce

import numpy as np
from numpy.typing import NDArray

from odds.dealer import DealerTable, FloatArray
from odds.hands import EYE, BoolArray, IntArray, lattice
from odds.rules import Rules
from odds.strategy import NO_DECISION, Action


@dataclass(frozen=True, slots=True)
class Loss:
    """What a dealer blackjack does to one hand, for each upcard.

    Attributes:
        live: [10] units that a live hand with a single bet loses.
        live_doubled: [10] units that a live doubled hand loses.
        refund: [10] of the two units of a busted doubled hand, those that come back.
    """

    live: FloatArray
    live_doubled: FloatArray
    refund: FloatArray


@lru_cache(maxsize=64)
def losses(rules: Rules, split: bool) -> Loss:
    """The losses of an unsplit hand, or of one hand among split ones.

    A round that loses one unit in total to a dealer blackjack (peek, or original bet only) is
    booked on split hands as one unit each, which shifts all actions alike and is put right by
    `odds.split`. The one unit for all live hands of `busted_plus_one` belongs to the round.
    """
    one = np.array([rules.peeks_under(up) or rules.dealer_blackjack_takes == "original"
                    for up in range(1, 11)], dtype=np.float64)  # fmt: skip
    everything = (1.0 - one) * (rules.dealer_blackjack_takes == "all")
    shared = 1.0 - one - everything
    return Loss(
        live=one + everything + (0.0 if split else 1.0) * shared,
        live_doubled=one + 2.0 * everything + (0.0 if split else 1.0) * shared,
        refund=one,
    )


@dataclass(frozen=True, slots=True)
class Legal:
    """Which hands may hit, double and surrender (stand always may). [n] each."""

    hit: BoolArray
    double: BoolArray
    surrender: BoolArray


@lru_cache(maxsize=256)
def legal_actions(rules: Rules, split_pair: int | None = None) -> Legal:
    """The legal actions of every hand of two or more cards.

    Args:
        rules: The table.
        split_pair: The card value of the pair that was split, or None for an unsplit hand.
    """
    hands = lattice()
    free = (hands.cards >= 2) & (hands.cards < (rules.max_cards or 99))
    if rules.stand_on_21:
        free &= hands.total != 21
    doubled = [[rules.may_double_total(t, soft) for soft in (False, True)] for t in range(22)]
    can_total = np.array(doubled)[hands.total, hands.soft.astype(np.int64)]
    double = free & can_total & ((hands.cards == 2) | rules.double_any_cards)
    if not rules.double_two_card_21:
        double &= (hands.cards != 2) | (hands.total != 21)
    hit = free.copy()
    if split_pair is None:
        surrender = free & (rules.surrender != "none")
        surrender &= (hands.cards == 2) | rules.surrender_any_cards
    else:
        surrender = np.zeros(hands.size, dtype=bool)
        double &= rules.double_after_split
        if split_pair == 1:
            hit &= rules.hit_split_aces
            double &= rules.double_split_aces
    return Legal(hit, double, surrender)


def card_odds(values: IntArray, hands: IntArray) -> FloatArray:
    """Probability of the next card, [hands, 10 cards, 10 upcards], the upcard being out too."""
    left = values - lattice().counts[hands]
    size = left.sum(axis=1) - 1
    odds = (left[:, :, None] - EYE).clip(min=0) / np.maximum(size, 1)[:, None, None]
    return np.asarray(odds, dtype=np.float64)


def blackjack_odds(values: IntArray, removed: IntArray) -> FloatArray:
    """Probability of a dealer blackjack, [m, 10 upcards], with [m, 10] cards removed."""
    left = values - removed
    size = np.maximum(left.sum(axis=1) - 1, 1)
    odds = np.zeros((len(removed), 10))
    odds[:, 0] = left[:, 9].clip(min=0) / size
    odds[:, 9] = left[:, 0].clip(min=0) / size
    return odds


def stand_odds(
    rules: Rules, totals: FloatArray, blackjack: FloatArray, hands: IntArray
) -> FloatArray:
    """Expected win of standing less that of losing, a dealer blackjack counting nothing.

    An ace and a ten count as they do after a split (`Rules.split_ace_ten`).

    Args:
        rules: The table.
        totals: [..., m, 10, 5] dealer totals (`DealerTable.totals`) for each hand and upcard.
        blackjack: [..., m, 10] probability of a dealer blackjack.
        hands: [m] the hands.

    Returns:
        [..., m, 10] in units of the bet on the hand.
    """
    mine = lattice().total[hands]
    # a win counts 1, a push 0, a loss -1: so 1, less 1 for a push, less 2 for a loss
    rank = np.arange(17, 22)
    cost = np.where(rank > mine[:, None], 2.0, np.where(rank == mine[:, None], 1.0, 0.0))
    ace_ten = (lattice().cards[hands] == 2) & (mine == 21)
    if rules.split_ace_ten != "21":
        cost[ace_ten] = 0.0
    value: FloatArray = 1.0 - blackjack - np.einsum("...mut,mt->...mu", totals, cost)
    if rules.split_ace_ten == "blackjack":
        value[..., ace_ten, :] *= float(rules.blackjack_pays)
    return value


@dataclass(frozen=True, slots=True)
class PlayValues:
    """Unconditional values of every hand and upcard, in units of the bet on the hand.

    Attributes:
        values: [n, 10, 5] by action column; NaN where the action is illegal or the hand cannot
            be held. Splitting is not known here and is NaN throughout.
        best: [n, 10] the largest of them, NaN where the hand cannot be held.
        blackjack: [n, 10] probability of a dealer blackjack given the hand and the upcard.
    """

    values: FloatArray
    best: FloatArray
    blackjack: FloatArray


def possible_hands(values: IntArray) -> BoolArray:
    """[n, 10] whether hand and upcard can both come from this shoe, a card being left."""
    left = values - lattice().counts
    held = (left >= 0).all(axis=1) & (left.sum(axis=1) >= 2)
    return np.asarray(held[:, None] & (left > 0), dtype=np.bool_)


def surrender_values(rules: Rules, blackjack: FloatArray) -> FloatArray:
    """[n, 10] value of surrender; NaN against an upcard where it is not offered."""
    late = -0.5 - 0.5 * blackjack
    if rules.surrender == "late":
        return late
    early = np.full_like(late, -0.5)
    peeked = np.array([rules.peeks_under(up) for up in range(1, 11)])
    after_peek = (lattice().cards > 2)[:, None] & peeked
    early = np.where(after_peek, late, early)
    if rules.surrender == "early_not_ace":
        early[:, 0] = np.nan
    return early


def solve(
    rules: Rules, dealer: DealerTable, decisions: NDArray[np.int8] | None = None
) -> PlayValues:
    """Value every unsplit hand by backward induction over its hard total.

    An ace and a ten is valued as after a split, not as the natural that it is.

    Args:
        rules: The table.
        dealer: The dealer's totals for the shoe.
        decisions: [n, 10] action columns to follow after this one; the best action where None,
            or where the table has no legal decision.
    """
    lat = lattice()
    shoe = dealer.values
    legal = legal_actions(rules)
    loss = losses(rules, split=False)
    possible = possible_hands(shoe)
    wanted = possible.any(axis=1) & (lat.cards >= 2)
    values = np.full((lat.size, 10, len(Action)), np.nan)
    best = np.full((lat.size, 10), np.nan)
    blackjack = blackjack_odds(shoe, lat.counts)
    hands = np.flatnonzero(wanted)
    net = np.zeros((lat.size, 10))
    net[hands] = stand_odds(rules, dealer.given(lat.counts[hands]), blackjack[hands], hands)
    surrender = surrender_values(rules, blackjack) if legal.surrender.any() else None
    live = net - loss.live * blackjack
    doubled = 2.0 * net - loss.live_doubled * blackjack
    if rules.split_ace_ten == "blackjack":
        ace_ten = lat.of(1, 10)  # pushes a dealer blackjack
        live[ace_ten] = net[ace_ten] - loss.refund * blackjack[ace_ten]
    stand, hit, double, _, give_up = range(len(Action))
    for hard in range(21, 1, -1):
        layer = lat.by_hard[hard]
        idx = np.arange(layer.start, layer.stop)[wanted[layer]]
        if not len(idx):
            continue
        odds = card_odds(shoe, idx)
        after = lat.successor[idx]
        stays = (after >= 0)[:, :, None] & (odds > 0)
        odds = np.where(stays, odds, 0.0)
        values[idx, :, stand] = live[idx]
        bust = 1.0 - odds.sum(axis=1)
        later = (odds * np.nan_to_num(best[after])).sum(axis=1)
        may = legal.hit[idx]
        values[idx[may], :, hit] = (later - bust)[may]
        may = legal.double[idx]
        if may.any():
            good = (odds * doubled[after]).sum(axis=1)
            # the chance of a blackjack is a martingale: what it is over the busts is the rest
            back = loss.refund * (blackjack[idx] - (odds * blackjack[after]).sum(axis=1))
            values[idx[may], :, double] = (good - 2.0 * bust + back)[may]
        if surrender is not None:
            may = legal.surrender[idx]
            values[idx[may], :, give_up] = surrender[idx[may]]
        values[idx] = np.where(possible[idx][:, :, None], values[idx], np.nan)
        best[idx] = best_of(values[idx])
        if decisions is not None:
            best[idx] = follow(values[idx], decisions[idx])
    return PlayValues(values, best, blackjack)


def follow(values: FloatArray, decisions: NDArray[np.int8]) -> FloatArray:
    """[m, 10] the value of the decided action, or the best where that is not to be had."""
    column = decisions.clip(min=0)[..., None].astype(np.int64)
    decided: FloatArray = np.take_along_axis(values, column, axis=-1)[..., 0]
    return np.where((decisions < 0) | np.isnan(decided), best_of(values), decided)


def best_of(values: FloatArray) -> FloatArray:
    """[...] the highest of [..., actions] values, NaN where there is none."""
    # action by action: NumPy reduces a short last axis slowly
    best: FloatArray = reduce(np.fmax, np.moveaxis(values, -1, 0))
    return best


TIE = 1e-13
"""Values nearer than this are a tie, which the first action in column order wins."""


def decide(values: FloatArray, scale: FloatArray | float = 1.0) -> NDArray[np.int8]:
    """The column of the best action, `NO_DECISION` where there is none.

    Args:
        values: [..., actions] values, NaN for an illegal action.
        scale: [...] what a value of one unit is multiplied by, for telling ties.
    """
    margin = np.broadcast_to(TIE * np.abs(scale), values.shape[:-1])
    best = np.full(values.shape[:-1], -np.inf)
    chosen = np.full(values.shape[:-1], NO_DECISION, dtype=np.int8)
    for column in range(values.shape[-1]):
        better = values[..., column] > best + margin  # never so for NaN
        best[better] = values[better, column]
        chosen[better] = column
    return chosen


def without_splits(first: NDArray[np.int8], values: FloatArray) -> NDArray[np.int8]:
    """[n, 10] decisions that play a pair whole, as is best, where it would be split."""
    return np.where(first == Action.SPLIT.column, decide(values), first)
