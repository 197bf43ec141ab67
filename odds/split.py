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

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from odds.dealer import DealerTable, FloatArray
from odds.hands import IntArray, lattice
from odds.pairs import PairCards, histories
from odds.play import (
    EYE,
    blackjack_odds,
    decide,
    legal_actions,
    losses,
    possible_hands,
    stand_odds,
)
from odds.reach import Reach, path_odds, reach
from odds.rules import Rules
from odds.shared_loss import shared_loss
from odds.strategy import Action, Strategy


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
        start = np.array([lattice().of(self.value), lattice().of(self.value, self.value)])
        orders = np.repeat(np.eye(2)[:, :, None], 10, axis=2)
        needed = [np.empty((0, 10), dtype=np.int64)]
        found: dict[int, Reach] = {}
        for hands in histories(self.max_hands):
            decisions = strategy.for_split(self.value, hands)
            if id(decisions) not in found:
                found[id(decisions)] = reach(start, orders, decisions)
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
        if self.rules.dealer_blackjack_takes == "busted_plus_one":
            value -= shared_loss(
                self.rules, self.dealer.values, self.value, self.pairs, self._reached
            )
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
