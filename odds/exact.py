"""The expected value of the main game as an exact fraction.

A strategy's expected value is a sum of integers over falling(n, K), with n the cards of the shoe
and K the most cards that any term deals. It is computed modulo some primes below 2^26 with the
formulas of `odds.game` and `odds.split`, put together by the Chinese remainder theorem, and
divided by the known denominator; one prime more than needed checks the result. The strategy is
the one found in float64, with decisions closer than `CLOSE` decided again by exact values.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb, lcm, log2, perm

import numpy as np
from numpy.typing import NDArray

from odds.dealer import DealerTable
from odds.hands import EYE, IntArray, lattice
from odds.pairs import histories, pair_cards
from odds.play import losses
from odds.reach import Reach, reach
from odds.residues import LARGEST_PRIME, Residues, primes_below
from odds.rules import Rules
from odds.shoe import Shoe
from odds.strategy import Action, Strategy

CLOSE = 1e-9
"""Float64 values nearer than this are compared exactly."""

_NONE = np.zeros(10, dtype=np.int64)
_LONGEST_DEALER_HAND = 12


Progress = Callable[[float, str], None]


class ExactGame:
    """Exact values of one game under fixed decisions.

    Args:
        rules: The table.
        shoe: The cards.
        dealer: Shoe by value and dealer rule.
        progress: Called with (fraction done, what); raising cancels.
    """

    def __init__(
        self, rules: Rules, shoe: Shoe, dealer: DealerTable, progress: Progress | None = None
    ) -> None:
        self.rules, self.shoe, self.dealer = rules, shoe, dealer
        self._report = progress or (lambda done, what: None)
        self.up_counts = np.array(shoe.by_value, dtype=np.int64)
        self.residues: list[Residues] = []
        self._primes = primes_below(LARGEST_PRIME)

    def _fraction(self, most_cards: int, value: Callable[[Residues], int]) -> Fraction:
        """Put together a value whose denominator divides falling(n, most_cards), and some."""
        size = self.shoe.size
        denominator = perm(size, min(most_cards, size)) * lcm(
            2 * self.rules.blackjack_pays.denominator, 2
        )
        bound = 64 * denominator  # a round wins or loses less than 16 units; twice for the sign
        modulus, combined, i = 1, 0, 0
        while modulus <= bound:
            self._report(log2(modulus) / (log2(bound) + 32), f"exact value, prime {i + 1}")
            field = self._field(i)
            residue = value(field) * (denominator % field.prime) % field.prime
            step = (residue - combined) * pow(modulus, -1, field.prime) % field.prime
            combined += modulus * step
            modulus *= field.prime
            i += 1
        numerator = combined if combined <= modulus // 2 else combined - modulus
        check = self._field(i)
        if (value(check) * (denominator % check.prime) - numerator) % check.prime:
            raise ArithmeticError("the exact value is not over the expected denominator")
        return Fraction(numerator, denominator)

    def _field(self, i: int) -> Residues:
        while len(self.residues) <= i:
            prime = next(self._primes)
            self.residues.append(Residues(self.rules, self.dealer, prime))
        return self.residues[i]

    def hand_value(
        self, hand: int, up: int, decisions: NDArray[np.int8], action: Action
    ) -> Fraction:
        """Exact value of an action with an unsplit hand, later decisions being given.

        Args:
            hand: Index in the lattice.
            up: Upcard value less 1.
            decisions: [n, 10] action columns.
            action: Any but a split.
        """
        known = lattice().counts[hand]
        chosen = decisions.copy()
        chosen[hand, up] = action.column
        orders = np.zeros((1, 10), dtype=np.int64)
        orders[0, up] = 1
        return self._fraction(
            int(known.sum()) + 21 + _LONGEST_DEALER_HAND,
            lambda field: int(self._unsplit(field, np.array([hand]), orders, chosen, known)[up]),
        )

    def split_value(self, value: int, up: int, strategy: Strategy) -> Fraction:
        """Exact value of splitting a pair of this card value, in units of the initial bet."""
        return self._fraction(
            30 + _LONGEST_DEALER_HAND,
            lambda field: int(self._split(field, value, strategy)[up]),
        )

    def value(self, strategy: Strategy, plain: NDArray[np.int8]) -> Fraction:
        """Exact expected value of a round.

        Args:
            strategy: All decisions.
            plain: [n, 10] decisions of pairs that are not split (two unlike tens).
        """
        return self._fraction(
            30 + _LONGEST_DEALER_HAND, lambda field: self._round(field, strategy, plain)
        )

    def _round(self, field: Residues, strategy: Strategy, plain: NDArray[np.int8]) -> int:
        rules, lat, first = self.rules, lattice(), strategy.first
        starts = lat.by_cards[2][(lat.counts[lat.by_cards[2]] <= self.up_counts).all(axis=1)]
        natural = lat.of(1, 10)
        starts = starts[starts != natural]
        orders = np.where(lat.counts[starts].max(axis=1) == 2, 1, 2)[:, None].repeat(10, axis=1)
        total = np.zeros(10, dtype=np.int64)
        path = field.path(self.up_counts, starts, _NONE)
        for value in range(1, 11):
            at = np.flatnonzero(starts == lat.of(value, value))
            splits = first[lat.of(value, value)] == Action.SPLIT.column
            if not len(at) or not splits.any():
                continue
            worth = self._split(field, value, strategy)
            taken = np.where(splits, path[at[0]], 0)
            orders[at[0], splits] = 0
            if value == 10 and rules.split_by == "rank":
                ranks = self.shoe.by_rank[9:]
                like = Fraction(sum(r * (r - 1) for r in ranks), sum(ranks) * (sum(ranks) - 1))
                once = np.where(splits, 1, 0)[None, :]
                kept = self._unsplit(field, starts[at], once, plain, _NONE)
                total += field.product(kept, field.fraction(1 - like))
                taken = field.product(taken, field.fraction(like))
            total += field.product(taken, worth)
        total += self._unsplit(field, starts, orders, plain, _NONE)
        if (lat.counts[natural] <= self.up_counts).all():
            chance = 2 * field.path(self.up_counts, np.array([natural]), _NONE)[0]
            blackjack = field.blackjack(lat.counts[natural][None, :])[0]
            total += field.product(chance, field.fraction(rules.blackjack_pays), 1 - blackjack)
        upcards = field.product(self.up_counts, field.inverse[field.size])
        return int(field.product(total, upcards).sum()) % field.prime

    def _unsplit(
        self,
        field: Residues,
        starts: IntArray,
        orders: IntArray,
        decisions: NDArray[np.int8],
        known: IntArray,
    ) -> IntArray:
        """[10] result from some starting hands, the twin of `odds.play.solve`."""
        rules, lat = self.rules, lattice()
        loss = losses(rules, split=False)
        live, live_doubled, refund = (
            part.astype(np.int64) for part in (loss.live, loss.live_doubled, loss.refund)
        )
        reached = reach(starts, orders[:, None, :].astype(np.float64), decisions)
        shoe = self.up_counts - known
        fits = (lat.counts[reached.stands] <= self.up_counts).all(axis=1)
        stands = reached.stands[fits]
        path = field.path(shoe, stands, known)
        counted = field.product(reached.stand_orders[fits, 0].astype(np.int64), path)
        gives_up = decisions[stands] == Action.SURRENDER.column
        single, given_up = np.where(gives_up, 0, counted), np.where(gives_up, counted, 0)
        double = field.product(reached.double_orders[fits, 0].astype(np.int64), path)
        removed = lat.counts[stands]
        blackjack = field.blackjack(removed)
        net = field.stand(removed, stands, split=False)
        result = field.product(single, net - live * blackjack).sum(axis=0)
        result += field.product(double, 2 * net - live_doubled * blackjack).sum(axis=0)
        peeked = np.array([rules.peeks_under(up) for up in range(1, 11)])
        late = (rules.surrender == "late") | ((lat.cards[stands] > 2)[:, None] & peeked)
        half = field.fraction(Fraction(1, 2))
        result -= field.product(given_up, half, 1 + np.where(late, blackjack, 0)).sum(axis=0)

        entry = field.product(
            reached.entry_orders[:, 0].astype(np.int64), field.path(shoe, reached.doubles, known)
        )
        at_entry = field.blackjack(lat.counts[reached.doubles])
        mass = field.product(orders, field.path(shoe, starts, known)).sum(axis=0)
        bust = mass - single.sum(axis=0) - given_up.sum(axis=0) - entry.sum(axis=0)
        bust_doubled = entry.sum(axis=0) - double.sum(axis=0)
        back = field.product(entry, at_entry).sum(axis=0)
        back = back - field.product(double, blackjack).sum(axis=0)
        lost_units = bust + 2 * bust_doubled - refund * (back % field.prime)
        return field.product(result - lost_units)

    def _split(self, field: Residues, value: int, strategy: Strategy) -> IntArray:
        """[10] result of a split, the twin of `odds.split.SplitAnalyzer.odds`."""
        size = field.size - 3
        cases = pair_cards(self.rules.split_by, self.shoe.by_rank, value)
        total = np.zeros(10, dtype=np.int64)
        known: dict[tuple[int, int], IntArray] = {}
        played: dict[int, Reach] = {}
        starts = np.array([lattice().of(value), lattice().of(value, value)])
        tallies = np.repeat(np.eye(2)[:, :, None], 10, axis=2)
        for hands, histories_of in histories(self.rules.split_hands(value)).items():
            decisions = strategy.for_split(value, hands)
            if id(decisions) not in played:
                played[id(decisions)] = reach(starts, tallies, decisions)
            for (drawn, others), (barred, free) in histories_of.items():
                for i in range(others + 1):
                    more = drawn + i
                    sign = (-1) ** i * comb(others, i)
                    key = id(decisions), 2 + more
                    if key not in known:
                        known[key] = self._part(field, value, played[id(decisions)], 2 + more)
                    open_hand, paired = known[key]
                    for case in cases:
                        chance = field.product(case.parts, pow(case.whole, -1, field.prime))
                        for k in range(more):
                            left = (case.count - k).clip(min=0)
                            chance = field.product(chance, left, field.inverse[max(size - k, 0)])
                        left, among = case.count - more, case.among - more
                        share = field.product(left.clip(min=0), field.inverse[among.clip(min=0)])
                        total += field.product(sign * (barred + free), chance, open_hand)
                        total -= field.product(sign * barred, chance, share, paired)
        blackjack = field.blackjack(2 * EYE[value - 1][None, :])[0]
        refund = losses(self.rules, split=True).refund.astype(np.int64)
        return field.product(total - refund * blackjack)

    def _part(self, field: Residues, value: int, reached: Reach, out: int) -> IntArray:
        """[2, 10] F(out) and G(out) of `odds.split`."""
        rules, lat, card = self.rules, lattice(), EYE[value - 1]
        shoe = self.up_counts - out * card
        if shoe[value - 1] < 0:
            return np.zeros((2, 10), dtype=np.int64)
        loss = losses(rules, split=True)
        one = loss.refund.astype(np.int64)
        everything = loss.live.astype(np.int64) - one
        extra = (out - 1) * card
        removed = lat.counts[reached.stands] + extra
        fits = (removed <= self.up_counts).all(axis=1)
        hands, removed = reached.stands[fits], removed[fits]
        path = field.path(shoe, hands, card)[:, None, :]
        single = field.product(reached.stand_orders[fits].astype(np.int64), path)
        double = field.product(reached.double_orders[fits].astype(np.int64), path)
        blackjack = field.blackjack(removed)[:, None, :]
        net = field.stand(removed, hands, split=True)[:, None, :]
        lost: IntArray = np.broadcast_to(everything, net.shape).astype(np.int64)
        if rules.split_ace_ten == "blackjack":
            lost[hands == lat.of(1, 10)] = 0
        result = field.product(single, net - lost * blackjack).sum(axis=0)
        result += field.product(double, 2 * (net - everything * blackjack)).sum(axis=0)
        entry_path = field.path(shoe, reached.doubles, card)[:, None, :]
        entry = field.product(reached.entry_orders.astype(np.int64), entry_path)
        at_entry = field.blackjack(lat.counts[reached.doubles] + extra)[:, None, :]
        size = field.inverse[max(int(shoe.sum()) - 1, 0)]
        second = field.product((shoe[value - 1] - card).clip(min=0), size)
        mass: IntArray = np.stack([np.ones_like(second), second])
        starts = np.stack([out * card, (out + 1) * card])
        met = field.product(mass, field.blackjack(starts))
        entered = entry.sum(axis=0)
        entered_blackjack = field.product(entry, at_entry).sum(axis=0)
        bust = mass - single.sum(axis=0) - entered
        bust_doubled = entered - double.sum(axis=0)
        refund = met - field.product(single, blackjack).sum(axis=0) - entered_blackjack
        refund_doubled = entered_blackjack - field.product(double, blackjack).sum(axis=0)
        lost_units = bust + 2 * bust_doubled - one * ((refund + 2 * refund_doubled) % field.prime)
        return field.product(result - lost_units)
