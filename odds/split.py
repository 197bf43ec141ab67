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

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from odds.dealer import DealerTable, FloatArray
from odds.hands import EYE, BoolArray, IntArray, lattice
from odds.pairs import pair_cards, split_terms
from odds.play import (
    best_of,
    blackjack_odds,
    decide,
    follow,
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
        hands: Expected number of hands; one where the dealer peeks and has a blackjack.
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
        by_rank: Thirteen counts of the shoe, A to K.
    """

    def __init__(
        self, rules: Rules, dealer: DealerTable, value: int, by_rank: tuple[int, ...]
    ) -> None:
        self.rules, self.dealer, self.value = rules, dealer, value
        self.max_hands = rules.split_hands(value)
        self.card = EYE[value - 1]
        self.pairs = pair_cards(rules.split_by, by_rank, value)
        self._terms = split_terms(rules.split_by, by_rank, value, self.max_hands)
        self._known_paths: dict[int, tuple[IntArray, list[FloatArray]]] = {}
        self._reached: dict[int, Reach] = {}

    @cached_property
    def _wanted(self) -> BoolArray:
        """[n] the hands that a split hand can become."""
        lat = lattice()
        possible = possible_hands(self.dealer.values).any(axis=1)
        return np.asarray(possible & (lat.cards >= 2) & (lat.counts[:, self.value - 1] > 0))

    def optimise(self, hands: int | None) -> NDArray[np.int8]:
        """Best decisions of split hands.

        Args:
            hands: The number of hands when the hand is played (CDP), or None for one split hand
                with two pair cards out and its next cards drawn freely (CDP1).
        """
        terms = {2: np.ones(10)}
        if hands is not None:
            terms = {out: plain for out, (plain, _) in self._terms[hands].items()}
        return decide(*self._values(terms))

    def worth(self, strategy: Strategy, choices: Callable[[FloatArray], FloatArray]) -> FloatArray:
        """[n, 10, choices] worth of each choice over all split hands, per split round.

        The chance of reaching the hand is included; actions that follow are the strategy's.

        Args:
            strategy: How split hands are played.
            choices: From [n, 10, actions] values, NaN where illegal, to those of the choices.
        """
        self.prepare(strategy)
        worth: FloatArray | float = 0.0
        for hands, reached in self._reached.items():
            decisions = strategy.for_split(self.value, hands)
            for tally in (0, 1):
                terms = {out: pair[tally] for out, pair in self._terms[hands].items()}
                if not any(weight.any() for weight in terms.values()):
                    continue
                values, _ = self._values(terms, decisions)
                worth = worth + reached.decided(tally)[..., None] * choices(values)
        return np.asarray(worth)

    def _values(
        self, terms: dict[int, FloatArray], decisions: NDArray[np.int8] | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Values of a split hand's actions for one order of its cards, and that order's chance.

        Args:
            terms: Number of pair cards out to [10] weight.
            decisions: What follows an action; the best where None.

        Returns:
            [n, 10, actions] values and [n, 10] chances, both weighted.
        """
        lat = lattice()
        legal = legal_actions(self.rules, self.value)
        loss = losses(self.rules, split=True)
        wanted = self._wanted
        total, live, doubled, blackjack = sums = [np.zeros((lat.size, 10)) for _ in range(4)]
        for out, weight in terms.items():
            some, parts = self._paths(out)
            for summed, part in zip(sums, parts, strict=True):
                summed[some] += weight * part
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
            best[idx] = best_of(values[idx])
            if decisions is not None:
                best[idx] = follow(values[idx], decisions[idx])
        return values, total

    def _paths(self, out: int) -> tuple[IntArray, list[FloatArray]]:
        """Hands that can be held with ``out`` pair cards out, and one order's worth of each.

        Returns:
            [m] hands, and [m, 10] each: the chance of drawing the hand in one order, and that
            times the worth of it live, the worth of it finished as a doubled hand, and the chance
            of a dealer blackjack.
        """
        if out in self._known_paths:
            return self._known_paths[out]
        lat, loss = lattice(), losses(self.rules, split=True)
        extra = (out - 1) * self.card
        shoe = self.dealer.values - out * self.card
        hands = np.flatnonzero(self._wanted)
        some = hands[(lat.counts[hands] + extra <= self.dealer.values).all(axis=1)]
        if shoe[self.value - 1] < 0:
            some = some[:0]
        path = path_odds(shoe, some, self.card)
        removed = lat.counts[some] + extra
        chance = blackjack_odds(self.dealer.values, removed)
        net = stand_odds(self.rules, self.dealer.given(removed), chance, some)
        lost = np.broadcast_to(loss.live, chance.shape).copy()
        if self.rules.split_ace_ten == "blackjack":
            lost[some == lat.of(1, 10)] = loss.refund
        doubled = 2.0 * net - loss.live_doubled * chance
        parts = [path, path * (net - lost * chance), path * doubled, path * chance]
        self._known_paths[out] = some, parts
        return some, parts

    def prepare(self, strategy: Strategy) -> IntArray:
        """Fix the strategy; returns the [m, 10] removals whose dealer totals will be needed."""
        self._reached.clear()
        start = np.array([lattice().of(self.value), lattice().of(self.value, self.value)])
        orders = np.repeat(np.eye(2)[:, :, None], 10, axis=2)
        found: dict[int, Reach] = {}
        for hands in self._terms:
            decisions = strategy.for_split(self.value, hands)
            if id(decisions) not in found:
                found[id(decisions)] = reach(start, orders, decisions)
            self._reached[hands] = found[id(decisions)]
        removed = [self._removals(reached).reshape(-1, 10) for reached in found.values()]
        needed = np.concatenate(removed)
        return needed[(needed <= self.dealer.values).all(axis=1)]

    def _outs(self, reached: Reach) -> IntArray:
        """Numbers of pair cards that are out in some term with these decisions, ascending."""
        numbers = [hands for hands, played in self._reached.items() if played is reached]
        return np.array(sorted({out for hands in numbers for out in self._terms[hands]}))

    def _removals(self, reached: Reach) -> IntArray:
        """[outs, stands, 10] the finished hands with the pair cards that are out."""
        extra = (self._outs(reached)[:, None] - 1) * self.card
        removed: IntArray = lattice().counts[reached.stands] + extra[:, None, :]
        return removed

    def odds(self) -> SplitOdds:
        """The worth of splitting under the strategy given to `prepare`."""
        sums = np.zeros((3, 10))
        known: dict[int, dict[int, FloatArray]] = {}
        for hands, reached in self._reached.items():
            if id(reached) not in known:
                outs = self._outs(reached)
                results = self._results(reached, outs)
                known[id(reached)] = dict(zip(outs.tolist(), results, strict=True))
            for out, (plain, pairing) in self._terms[hands].items():
                free, paired = np.moveaxis(known[id(reached)][out], 1, 0)
                sums += plain * free + pairing * paired
        blackjack = blackjack_odds(self.dealer.values, 2 * self.card[None, :])[0]
        peeked = np.array([self.rules.peeks_under(up) for up in range(1, 11)])
        value = sums[0] - losses(self.rules, split=True).refund * blackjack
        if self.rules.dealer_blackjack_takes == "busted_plus_one":
            value -= shared_loss(
                self.rules, self.dealer.values, self.value, self.pairs, self._reached
            )
        hands = sums[2] + peeked * blackjack
        return SplitOdds(value, sums[1] + hands, hands)

    def _results(self, reached: Reach, outs: IntArray) -> FloatArray:
        """[outs, 3, 2, 10] result, doubles and hands of F(out) and G(out).

        The result books nothing for a dealer blackjack that costs the round one unit.
        """
        rules, lat = self.rules, lattice()
        shoes = self.dealer.values - outs[:, None] * self.card
        peeked = np.array([rules.peeks_under(up) for up in range(1, 11)])
        loss = losses(rules, split=True)
        one, everything = loss.refund, loss.live - loss.refund
        left = shoes[:, self.value - 1, None] - self.card
        second = left.clip(min=0) / np.maximum(shoes.sum(axis=1) - 1, 1)[:, None]
        mass = np.stack([np.ones_like(second), second], axis=1)  # [outs, tallies, 10]
        starts = (outs[:, None] + [0, 1])[:, :, None] * self.card
        start_blackjack = mass * self._blackjack(starts)

        removed = self._removals(reached)
        fits = (removed <= self.dealer.values).all(axis=2)
        totals = np.zeros((*fits.shape, 10, 5))
        totals[fits] = self.dealer.given(removed[fits])
        chance = self._blackjack(removed)
        net = stand_odds(rules, totals, chance, reached.stands)
        path = path_odds(shoes, reached.stands, self.card)
        lost = np.broadcast_to(everything, net.shape[1:]).copy()
        if rules.split_ace_ten == "blackjack":
            lost[reached.stands == lat.of(1, 10)] = 0.0

        def over_hands(orders: FloatArray, weight: FloatArray) -> FloatArray:
            """[outs, tallies, 10] sum over hands of orders [m, tallies, 10] by [outs, m, 10]."""
            summed: FloatArray = np.einsum("mtu,omu->otu", orders, weight)
            return summed

        single = over_hands(reached.stand_orders, path)
        double = over_hands(reached.double_orders, path)
        met = path * chance
        result = over_hands(reached.stand_orders, path * net - lost * met)
        result += 2.0 * over_hands(reached.double_orders, path * net - everything * met)
        path = path_odds(shoes, reached.doubles, self.card)
        at_entry = lat.counts[reached.doubles] + (outs[:, None, None] - 1) * self.card
        entered = over_hands(reached.entry_orders, path)
        entered_blackjack = over_hands(reached.entry_orders, path * self._blackjack(at_entry))
        bust, bust_doubled = mass - single - entered, entered - double
        refund = start_blackjack - over_hands(reached.stand_orders, met) - entered_blackjack
        refund_doubled = entered_blackjack - over_hands(reached.double_orders, met)
        result -= bust + 2.0 * bust_doubled - one * (refund + 2.0 * refund_doubled)
        doubles, hands = entered - peeked * entered_blackjack, mass - peeked * start_blackjack
        return np.stack([result, doubles, hands], axis=1)

    def _blackjack(self, removed: IntArray) -> FloatArray:
        """[..., 10] chance of a dealer blackjack by upcard, with [..., 10] cards removed."""
        flat = blackjack_odds(self.dealer.values, removed.reshape(-1, 10))
        return flat.reshape(removed.shape)
