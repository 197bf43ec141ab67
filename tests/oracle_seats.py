"""Whole rounds of one or two seats on tiny shoes, every order of the cards, in integers.

Goes on from `tests.oracle`: where that sums up values, this lists how a seat's hands can end, so
that squares, products and numbers of cards can be taken. Shares with the package the fields of
`Rules`, and the decisions of an analysed game, which are looked up hand by hand.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import factorial

import numpy as np
from numpy.typing import NDArray

from odds.game import GameOdds
from odds.hands import lattice
from odds.play import legal_actions
from odds.rules import Rules
from odds.strategy import ACTIONS, Action, Strategy
from tests.oracle import (
    BLACKJACK,
    BUST,
    Context,
    Counts,
    Done,
    Hand,
    Rounds,
    add,
    is_ace_ten,
    most_hands,
    score,
    settle,
    total_of,
    worth,
)

SURRENDERED = -1  # a score
Ways = dict[tuple[Done, Counts], int]  # how hands end and the cards left, to orders of the draws


def random_strategy(rules: Rules, seed: int) -> Strategy:
    """Decisions at random, tens split wherever they may be."""
    source = random.Random(seed)

    def table(pair: int | None) -> NDArray[np.int8]:
        legal = legal_actions(rules, pair)
        may = {
            Action.HIT.column: legal.hit,
            Action.DOUBLE.column: legal.double,
            Action.SURRENDER.column: legal.surrender,
        }
        decisions = np.zeros((len(legal.hit), 10), dtype=np.int8)
        for hand in range(len(legal.hit)):
            choices = [0, *(column for column, allowed in may.items() if allowed[hand])]
            decisions[hand] = source.choices(choices, k=10)
        return decisions

    first = table(None)
    if rules.surrender == "early_not_ace":
        first[first[:, 0] == Action.SURRENDER.column, 0] = 0
    split = {}
    for value in range(1, 11):
        if rules.split_hands(value) > 1:
            first[lattice().of(value, value)] = Action.SPLIT.column
            for hands in range(2, rules.split_hands(value) + 1):
                split[value, hands] = table(value)
    return Strategy("at random", first, split)


@dataclass
class Sums:
    """Sums over all orders of the cards, of one seat unless it says otherwise."""

    orders: int = 0
    net: Fraction = Fraction(0)
    square: Fraction = Fraction(0)
    other: Fraction = Fraction(0)  # net result of the second seat
    product: Fraction = Fraction(0)  # net result of one seat times that of the other
    hands: int = 0
    doubles: int = 0
    with_double: int = 0
    splits: int = 0
    surrenders: int = 0
    naturals: int = 0
    player_cards: int = 0  # of all seats
    dealer_cards: int = 0

    def __post_init__(self) -> None:
        self.distribution: dict[Fraction, int] = defaultdict(int)

    def mean(self, name: str) -> Fraction:
        return Fraction(getattr(self, name)) / self.orders

    @property
    def variance(self) -> Fraction:
        return self.mean("square") - self.mean("net") ** 2

    @property
    def covariance(self) -> Fraction:
        return self.mean("product") - self.mean("net") * self.mean("other")


class Seats(Rounds):
    """All rounds of so many seats that play by the decisions of an analysed game."""

    def __init__(self, odds: GameOdds, shoe: Mapping[int, int], seats: int) -> None:
        super().__init__(odds.rules, shoe)
        self.odds, self.seats = odds, seats
        self._played: dict[tuple[Counts, Hand, int, Hand], Ways] = {}
        self._drawn: dict[tuple[Counts, Hand], dict[tuple[int, int], int]] = {}

    def policy(self, context: Context) -> str:
        values = tuple(map(worth, context.hand))
        index = lattice().of(*values)
        if context.split_of is not None:
            table = self.odds.strategy.for_split(worth(context.split_of), context.hands)
            return ACTIONS[table[index, worth(context.upcard) - 1]].value
        action = ACTIONS[self.odds.strategy.first[index, worth(context.upcard) - 1]].value
        if action == "split" and "split" not in context.legal:  # tens of two ranks
            return self.odds.hand(values, worth(context.upcard), same_rank=False).best.value
        return action

    def play(self, left: Counts, hand: Hand, dealer: Hand) -> Ways:
        """How a seat's hand ends, with an upcard and perhaps a hole card that nobody sees."""
        key = left, hand, dealer[0], dealer[1:]
        if key not in self._played:
            self._played[key] = self._play(left, hand, dealer[0])
        return self._played[key]

    def _play(self, left: Counts, hand: Hand, up: int) -> Ways:
        choice = self._decide(self.policy, hand, up, None, 1)
        if choice == "split":
            return self._split(left, hand[0], up)
        return self._hand(left, hand, up, choice, None, 1)

    def _hand(
        self, left: Counts, hand: Hand, up: int, choice: str, pair: int | None, hands: int
    ) -> Ways:
        if choice == "surrender":
            return {(((SURRENDERED, 1),), left): 1}
        if choice == "stand":
            return {(((score(self.rules, hand, pair is not None), 1),), left): 1}
        ways: Ways = defaultdict(int)
        for card, count, rest in self.draws(left):
            longer = add(hand, card)
            if choice == "double":
                ways[((score(self.rules, longer, pair is not None), 2),), rest] += count
            elif total_of(longer)[0] > 21:
                ways[((BUST, 1),), rest] += count
            else:
                after = self._decide(self.policy, longer, up, pair, hands)
                for ended, number in self._hand(rest, longer, up, after, pair, hands).items():
                    ways[ended] += count * number
        return dict(ways)

    def _split(self, left: Counts, pair: int, up: int) -> Ways:
        most = most_hands(self.rules, pair)
        finished: Ways = defaultdict(int)
        going = {((), left, 2, 2): 1}  # hands done, cards left, hands waiting, hands in all
        while going:
            (done, rest, waiting, hands), ways = going.popitem()
            if not waiting:
                finished[done, rest] += ways
                continue
            following: dict[tuple[Done, Counts, int, int], int] = defaultdict(int)
            for card, count, after in self.draws(rest):
                if card == pair and hands < most:
                    following[done, after, waiting + 1, hands + 1] += count
                    continue
                hand = add((pair,), card)
                choice = self._decide(self.policy, hand, up, pair, hands)
                ended = self._hand(after, hand, up, choice, pair, hands)
                for (one, cards), number in ended.items():
                    following[tuple(sorted(done + one)), cards, waiting - 1, hands] += (
                        count * number
                    )
            for state, number in following.items():
                going[state] = going.get(state, 0) + ways * number
        return dict(finished)

    def dealer_draws(self, counts: Counts, cards: Hand) -> dict[tuple[int, int], int]:
        """Dealer's score and number of cards, in how many orders of the cards left."""
        key = counts, tuple(sorted(cards))
        if key not in self._drawn:
            total, soft = total_of(tuple(sorted(cards)))
            ended: dict[tuple[int, int], int] = defaultdict(int)
            stands = total > 17 or (total == 17 and not (soft and self.rules.hit_soft_17))
            if len(cards) >= 2 and (stands or is_ace_ten(cards)):
                points = BLACKJACK if is_ace_ten(cards) else BUST if total > 21 else total
                ended[points, len(cards)] = factorial(sum(counts))
            else:
                for card, count, rest in self.draws(counts):
                    for state, ways in self.dealer_draws(rest, (*cards, card)).items():
                        ended[state] += count * ways
            self._drawn[key] = dict(ended)
        return self._drawn[key]

    def net(self, done: Done, dealer: int) -> Fraction:
        if done[0][0] == SURRENDERED:
            whole = dealer == BLACKJACK and self.rules.surrender == "late"
            return Fraction(-1) if whole else Fraction(-1, 2)
        return settle(self.rules, done, dealer)

    def _starts(self) -> Iterator[tuple[tuple[Hand, ...], Hand, Counts, int]]:
        """Hands, the dealer's cards so far, the cards left, and ways of dealing it."""
        deals: dict[tuple[tuple[Hand, ...], Hand, Counts], int] = {((), (), self.full): 1}
        for _ in range(self.seats):
            dealt: dict[tuple[tuple[Hand, ...], Hand, Counts], int] = defaultdict(int)
            for (hands, _, left), ways in deals.items():
                for first, one, rest in self.draws(left):
                    for second, two, others in self.draws(rest):
                        hand = add((first,), second)
                        dealt[(*hands, hand), (), others] += ways * one * two
            deals = dealt
        for (hands, _, left), ways in deals.items():
            for up, one, rest in self.draws(left):
                if not self.peeks(up):
                    yield hands, (up,), rest, ways * one
                    continue
                for hole, two, others in self.draws(rest):
                    yield hands, (up, hole), others, ways * one * two

    @cached_property
    def sums(self) -> Sums:
        """Everything there is to sum, over all orders of all cards."""
        sums = Sums()
        for hands, dealer, left, ways in self._starts():
            if len(dealer) == 2 and is_ace_ten(dealer):
                dones = tuple(self._peeked(hand, dealer[0]) for hand in hands)
                self._add(sums, dones, (BLACKJACK, 2), ways * factorial(sum(left)), 2 * len(hands))
                continue
            ended: dict[tuple[tuple[Done, ...], Counts], int] = {((), left): ways}
            for hand in hands:
                following: dict[tuple[tuple[Done, ...], Counts], int] = defaultdict(int)
                for (dones, rest), number in ended.items():
                    for (done, after), more in self.play(rest, hand, dealer).items():
                        following[(*dones, done), after] += number * more
                ended = following
            for (dones, rest), number in ended.items():
                cards = sum(self.full) - sum(rest) - len(dealer)
                for state, orders in self._finish(rest, dealer, dones).items():
                    self._add(sums, dones, state, number * orders, cards)
        assert sums.orders == factorial(sum(self.full))
        return sums

    def _peeked(self, hand: Hand, up: int) -> Done:
        """A hand that a peek ends: it surrendered before, pushes, or loses its bet."""
        if is_ace_ten(hand):
            return ((BLACKJACK, 1),)
        early = self.rules.surrender != "late"
        if early and self._decide(self.policy, hand, up, None, 1) == "surrender":
            return ((SURRENDERED, 1),)
        return ((17, 1),)

    def _finish(
        self, left: Counts, dealer: Hand, dones: tuple[Done, ...]
    ) -> dict[tuple[int, int], int]:
        """The dealer's score and cards; two cards where no result depends on the total."""
        if any(16 <= points <= 21 for done in dones for points, _ in done):
            return self.dealer_draws(left, dealer)
        orders = factorial(sum(left))
        blackjacks = self.blackjack_orders(left, dealer[0]) if len(dealer) == 1 else 0
        return {(BLACKJACK, 2): blackjacks, (BUST, 2): orders - blackjacks}

    def _add(
        self, sums: Sums, dones: tuple[Done, ...], dealer: tuple[int, int], orders: int, cards: int
    ) -> None:
        nets = [self.net(done, dealer[0]) for done in dones]
        first, bets = dones[0], [bet for _, bet in dones[0]]
        sums.orders += orders
        sums.net += orders * nets[0]
        sums.other += orders * nets[-1]
        sums.square += orders * nets[0] ** 2
        sums.product += orders * nets[0] * nets[-1]
        sums.distribution[nets[0]] += orders
        sums.hands += orders * len(bets)
        sums.doubles += orders * bets.count(2)
        sums.with_double += orders * (2 in bets)
        sums.splits += orders * (len(bets) > 1)
        sums.surrenders += orders * (first == ((SURRENDERED, 1),))
        sums.naturals += orders * (first == ((BLACKJACK, 1),) and len(bets) == 1)
        sums.player_cards += orders * cards
        sums.dealer_cards += orders * dealer[1]
