"""Splitting and resplitting, exactly, for strategies that forget the cards of sibling hands.

Hands are played one after the other. When the second card of a hand is due, it either pairs (the
pair is split again while the number of hands is below the maximum) or the hand is played out. A
history is therefore a string of pair cards and other cards. By exchangeability the expected result
of the hand that is played after a history needs no sibling's cards, only that so many other draws
were pair cards and so many were not; "was not" is one minus "was", so everything follows from

    F(j): the result of a hand that starts with one pair card when j pair cards are out, and
    G(j): the part of F(j) in which its second card is a pair card too.

The strategy enters through the number of orders in which each hand can be reached, which depends
neither on the shoe nor on j.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from odds.dealer import DealerTable, FloatArray, falling_table
from odds.hands import IntArray, lattice
from odds.play import (
    EYE,
    blackjack_odds,
    decide,
    legal_actions,
    losses,
    possible_hands,
    stand_odds,
)
from odds.rules import Rules
from odds.strategy import Action, Strategy


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


@dataclass(frozen=True, slots=True)
class Reach:
    """In how many orders split hands are finished, from one pair card and from a pair.

    Attributes:
        stands: [t] hands that stand or are finished doubled hands.
        stand_orders: [t, 2, 10] orders of reaching and standing (start with p, with p p).
        double_orders: [t, 2, 10] orders of reaching as a finished doubled hand.
        doubles: [d] hands that are doubled.
        entry_orders: [d, 2, 10] orders of reaching and doubling.
    """

    stands: IntArray
    stand_orders: FloatArray
    double_orders: FloatArray
    doubles: IntArray
    entry_orders: FloatArray


def reach(starts: list[int], decisions: NDArray[np.int8]) -> Reach:
    """Count the orders from each starting hand (one order each) under fixed decisions.

    Args:
        starts: Starting hands; a hand of one card takes its second card without a decision.
        decisions: [n, 10] action columns.
    """
    start_orders = np.zeros((len(starts), len(starts), 10))
    start_orders[np.arange(len(starts)), np.arange(len(starts))] = 1.0
    return reach_from(np.array(starts), start_orders, decisions)


def reach_from(starts: IntArray, start_orders: FloatArray, decisions: NDArray[np.int8]) -> Reach:
    """As `reach`, from [k] starting hands that carry [k, s, 10] orders in s separate tallies."""
    lat = lattice()
    tallies = start_orders.shape[1]
    shape = (lat.size + 1, tallies, 10)  # the last row stands for "no such hand"
    at, hitting, doubling, doubled = (np.zeros(shape) for _ in range(4))
    np.add.at(at, starts, start_orders)
    live = np.zeros(lat.size, dtype=bool)
    live[starts] = True
    for size in range(1, 21):
        hands = lat.by_cards[size][live[lat.by_cards[size]]]
        if not len(hands):
            continue
        act = decisions[hands][:, None, :]
        here = at[hands]
        hitting[hands] = here * ((act == Action.HIT.column) | (size == 1))
        doubling[hands] = here * ((act == Action.DOUBLE.column) & (size > 1))
        goes_on = hitting[hands].any(axis=(1, 2))
        ends = doubling[hands].any(axis=(1, 2))
        for some, source, target in ((goes_on, hitting, at), (ends, doubling, doubled)):
            after = np.unique(lat.successor[hands[some]])
            after = after[after >= 0]
            if len(after):
                target[after] += source[lat.predecessor[after]].sum(axis=1)
                if target is at:
                    live[after] = True
    standing = at[:-1] - hitting[:-1] - doubling[:-1]
    stands = np.flatnonzero((standing + doubled[:-1]).any(axis=(1, 2)))
    doubles = np.flatnonzero(doubling[:-1].any(axis=(1, 2)))
    return Reach(stands, standing[stands], doubled[stands], doubles, doubling[doubles])


def path_odds(shoe: IntArray, hands: IntArray, known: IntArray) -> FloatArray:
    """Probability of one given order of drawing each hand, the upcard being out of the shoe.

    Args:
        shoe: Ten counts with the known cards already out.
        hands: [m] hands.
        known: Ten counts of the cards that each hand starts with.

    Returns:
        [m, 10] by upcard; 0 where it cannot happen.
    """
    drawn = lattice().counts[hands] - known
    odds = np.ones(len(hands))
    for j in range(10):
        odds *= falling_table(int(shoe[j]), int(drawn[:, j].max(initial=0)))[drawn[:, j]]
    # the upcard takes one of its rank: falling(c - 1, k) = falling(c, k) * (c - k) / c
    keep = (shoe - drawn).clip(min=0) / np.maximum(shoe, 1)
    sizes = drawn.sum(axis=1)
    deal = falling_table(int(shoe.sum()) - 1, int(sizes.max(initial=0)))[sizes]
    odds = np.divide(odds, deal, out=np.zeros_like(odds), where=deal > 0)
    result: FloatArray = odds[:, None] * keep
    return result


@dataclass(frozen=True, slots=True)
class PairCards:
    """How many pair cards are left once two of them and the upcard are out, [10] by upcard.

    Attributes:
        weight: The chance of this case.
        count: Cards that pair.
        among: Cards of the pair's value, the pairing ones included.
    """

    weight: FloatArray
    count: IntArray
    among: IntArray

    def draws(self, size: int, number: int) -> FloatArray:
        """The chance that ``number`` given draws from ``size`` cards all pair."""
        odds = np.ones(10)
        for i in range(number):
            odds *= (self.count - i).clip(min=0) / max(size - i, 1)
        return odds

    def share(self, drawn: int) -> FloatArray:
        """The chance that a card of the pair's value pairs, after ``drawn`` more pair cards."""
        left, among = (self.count - drawn).clip(min=0), self.among - drawn
        return np.divide(left, among, out=np.zeros(10), where=among > 0)


def pair_cards(rules: Rules, by_rank: tuple[int, ...], value: int) -> list[PairCards]:
    """The cases of what pairs with a pair of this value; their weights sum to 1.

    Pairs by rank differ among the tens: the case depends on the rank of the pair and on whether
    the upcard is of the same rank.

    Args:
        rules: The table.
        by_rank: Thirteen counts of the shoe, A to K.
        value: Card value of the pair.
    """
    ranks = by_rank[9:] if value == 10 else (by_rank[value - 1],)
    total, up = sum(ranks), EYE[value - 1]
    if rules.split_by == "value" or value < 10:
        left = total - 2 - up
        return [PairCards(np.ones(10), left, left)]
    pairs = sum(count * (count - 1) for count in ranks)
    cases = []
    for count in ranks:
        if count < 2:
            continue
        chance = count * (count - 1) / pairs
        same = (count - 2) / max(total - 2, 1)
        among = total - 2 - up
        cases.append(PairCards(chance * (1 - up * same), np.full(10, count - 2), among))
        cases.append(PairCards(chance * up * same, count - 2 - up, among))
    return cases


@dataclass(frozen=True, slots=True)
class SplitOdds:
    """What a split is worth, [10] by upcard, in units of the initial bet.

    Attributes:
        value: Unconditional expected result of the whole round.
        action: Expected units put on the table, the initial one included.
        hands: Expected number of hands.
    """

    value: FloatArray
    action: FloatArray
    hands: FloatArray


class SplitAnalyzer:
    """Values splits of one pair value from one shoe.

    Args:
        rules: The table.
        dealer: The dealer's totals for the shoe.
        value: Card value of the pair.
        pairs: The cases of `pair_cards`.
    """

    def __init__(
        self, rules: Rules, dealer: DealerTable, value: int, pairs: list[PairCards]
    ) -> None:
        self.rules, self.dealer, self.value, self.pairs = rules, dealer, value, pairs
        self.max_hands = rules.split_hands(value)
        self.card = EYE[value - 1]
        self._reached: dict[int, Reach] = {}
        self._known: dict[tuple[int, int], FloatArray] = {}

    def optimise(self, hands: int | None) -> NDArray[np.int8]:
        """Best decisions of split hands.

        Args:
            hands: The number of hands when the hand is played (CDP), or None for one split hand
                with two pair cards out and its next cards drawn freely (CDP1).
        """
        if hands is None:
            return self._induction({2: np.ones(10)})
        return self._induction({out: plain for out, (plain, _) in self._terms(hands).items()})

    def _terms(self, hands: int) -> dict[int, tuple[FloatArray, FloatArray]]:
        """Coefficients of F(j) and G(j) in the total of the hands played at this number."""
        terms: dict[int, tuple[FloatArray, FloatArray]] = {}
        size = int(self.dealer.values.sum()) - 3
        for (drawn, others), (barred, free) in histories(self.max_hands)[hands].items():
            for i in range(others + 1):
                more = drawn + i
                sign = (-1) ** i * comb(others, i)
                plain, pairing = terms.get(2 + more, (np.zeros(10), np.zeros(10)))
                for case in self.pairs:
                    odds = sign * case.weight * case.draws(size, more)
                    plain = plain + (barred + free) * odds
                    pairing = pairing - barred * odds * case.share(more)
                if plain.any() or pairing.any():
                    terms[2 + more] = (plain, pairing)
        return terms

    def _induction(self, terms: dict[int, FloatArray]) -> NDArray[np.int8]:
        lat = lattice()
        legal = legal_actions(self.rules, self.value)
        loss = losses(self.rules, split=True)
        holds = lat.counts[:, self.value - 1] > 0
        wanted = holds & (lat.cards >= 2) & possible_hands(self.dealer.values).any(axis=1)
        total, live, doubled, blackjack = (np.zeros((lat.size, 10)) for _ in range(4))
        hands = np.flatnonzero(wanted)
        for out, weight in terms.items():
            extra = (out - 1) * self.card
            shoe = self.dealer.values - out * self.card
            some = hands[(lat.counts[hands] + extra <= self.dealer.values).all(axis=1)]
            if not len(some) or shoe[self.value - 1] < 0:
                continue
            path = weight * path_odds(shoe, some, self.card)
            removed = lat.counts[some] + extra
            chance = blackjack_odds(self.dealer.values, removed)
            totals = self.dealer.given(removed)
            net = stand_odds(self.rules, totals, chance, some)
            lost = np.broadcast_to(loss.live, chance.shape).copy()
            if self.rules.split_ace_ten == "blackjack":
                lost[some == lat.of(1, 10)] = loss.refund
            total[some] += path
            blackjack[some] += path * chance
            live[some] += path * (net - lost * chance)
            doubled[some] += path * (2.0 * net - loss.live_doubled * chance)
        values = np.full((lat.size, 10, len(Action)), np.nan)
        best = np.zeros((lat.size, 10))
        for hard in range(21, 1, -1):
            layer = lat.by_hard[hard]
            idx = np.arange(layer.start, layer.stop)[wanted[layer]]
            if not len(idx):
                continue
            after = lat.successor[idx]
            stays = (after >= 0)[:, :, None]
            bust = total[idx] - np.where(stays, total[after], 0.0).sum(axis=1)
            later = np.where(stays, best[after], 0.0).sum(axis=1)
            good = np.where(stays, doubled[after], 0.0).sum(axis=1)
            kept = np.where(stays, blackjack[after], 0.0).sum(axis=1)
            back = loss.refund * (blackjack[idx] - kept)
            values[idx, :, Action.STAND.column] = live[idx]
            may = legal.hit[idx]
            values[idx[may], :, Action.HIT.column] = (later - bust)[may]
            may = legal.double[idx]
            values[idx[may], :, Action.DOUBLE.column] = (good - 2.0 * bust + back)[may]
            best[idx] = np.fmax.reduce(values[idx], axis=2)
        return decide(values)

    def prepare(self, strategy: Strategy) -> IntArray:
        """Fix the strategy; returns the [m, 10] removals whose dealer totals will be needed."""
        self._reached.clear()
        self._known.clear()
        start = [lattice().of(self.value), lattice().of(self.value, self.value)]
        needed = [np.empty((0, 10), dtype=np.int64)]
        found: dict[int, Reach] = {}
        for hands in histories(self.max_hands):
            decisions = strategy.for_split(self.value, hands)
            if id(decisions) not in found:
                found[id(decisions)] = reach(start, decisions)
            self._reached[hands] = found[id(decisions)]
            for out in self._terms(hands):
                removed = lattice().counts[self._reached[hands].stands] + (out - 1) * self.card
                needed.append(removed[(removed <= self.dealer.values).all(axis=1)])
        return np.concatenate(needed)

    def odds(self) -> SplitOdds:
        """The worth of splitting under the strategy given to `prepare`."""
        sums = np.zeros((3, 10))
        for hands, reached in self._reached.items():
            for out, (plain, pairing) in self._terms(hands).items():
                key = (id(reached), out)
                if key not in self._known:
                    self._known[key] = self._results(reached, out)
                results = self._known[key]
                sums += plain * results[:, 0] + pairing * results[:, 1]
        blackjack = blackjack_odds(self.dealer.values, 2 * self.card[None, :])[0]
        peeked = np.array([self.rules.peeks_under(up) for up in range(1, 11)])
        value = sums[0] - losses(self.rules, split=True).refund * blackjack
        return SplitOdds(value, sums[1] + sums[2] + peeked * blackjack, sums[2])

    def _results(self, reached: Reach, out: int) -> FloatArray:
        """[3, 2, 10] result, doubles and hands of F(out) and G(out).

        The result books nothing for a dealer blackjack that costs the round one unit.
        """
        rules, shoe = self.rules, self.dealer.values - out * self.card
        if shoe[self.value - 1] < 0:
            return np.zeros((3, 2, 10))
        extra = (out - 1) * self.card
        peeked = np.array([rules.peeks_under(up) for up in range(1, 11)])
        loss = losses(rules, split=True)
        one, everything = loss.refund, loss.live - loss.refund
        second = (shoe[self.value - 1] - self.card).clip(min=0) / max(int(shoe.sum()) - 1, 1)
        mass = np.stack([np.ones(10), second])
        starts = np.stack([out * self.card, (out + 1) * self.card])
        start_blackjack = mass * blackjack_odds(self.dealer.values, starts)

        lat = lattice()
        removed = lat.counts[reached.stands] + extra
        fits = (removed <= self.dealer.values).all(axis=1)
        hands, removed = reached.stands[fits], removed[fits]
        path = path_odds(shoe, hands, self.card)[:, None, :]
        single = path * reached.stand_orders[fits]
        double = path * reached.double_orders[fits]
        chance = blackjack_odds(self.dealer.values, removed)[:, None, :]
        totals = self.dealer.given(removed)
        net = stand_odds(rules, totals, chance[:, 0], hands)[:, None, :]
        lost = np.broadcast_to(everything, net.shape).copy()
        if rules.split_ace_ten == "blackjack":
            lost[hands == lat.of(1, 10)] = 0.0
        result = (single * (net - lost * chance)).sum(axis=0)
        result += (double * 2.0 * (net - everything * chance)).sum(axis=0)

        entry = path_odds(shoe, reached.doubles, self.card)[:, None, :] * reached.entry_orders
        removed = lat.counts[reached.doubles] + extra
        at_entry = blackjack_odds(self.dealer.values, removed)[:, None, :]
        entered, entered_blackjack = entry.sum(axis=0), (entry * at_entry).sum(axis=0)
        bust = mass - single.sum(axis=0) - entered
        bust_doubled = entered - double.sum(axis=0)
        refund = start_blackjack - (single * chance).sum(axis=0) - entered_blackjack
        refund_doubled = entered_blackjack - (double * chance).sum(axis=0)
        result -= bust + 2.0 * bust_doubled - one * (refund + 2.0 * refund_doubled)
        return np.stack(
            [result, entered - peeked * entered_blackjack, mass - peeked * start_blackjack]
        )
