"""A slow twin of the analyzer: whole rounds on tiny shoes, dealt card by card, in integers.

Shares nothing with the package but the fields of `Rules`. Everything is a sum over all orders of
the cards that are left: a state with m cards left stands for m! equally likely orders, drawing a
card of which there are n leads to n times the sum of the state without it, and a finished round
with m cards left counts m! times. Sums divided by the number of orders are exact Fractions.

A card is 1 (ace) to 9, and 10 to 13 for the four ranks that are worth ten. Where pairs are split
by value the ranks of tens are the same to everybody and are merged.

Order of a round: the player's two cards, the upcard, the hole card where the dealer peeks under
this upcard, early surrender, the peek, the hands one after another (a split hand gets its second
card when its turn comes, and is split again whenever it may), the dealer's cards once at the end,
the settlement. A hole card that nobody looks at is drawn when it is turned up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import factorial

from odds.rules import Rules

Counts = tuple[int, ...]  # cards left, one count for each kind of card in the shoe
Hand = tuple[int, ...]  # cards in ascending order
Done = tuple[tuple[int, int], ...]  # (score, bet) of the finished hands
Sums = tuple[int, int]  # net result in chips, and units put on the table, over all orders

BUST, STIFF, BEATS_21, BLACKJACK = 0, 16, 22, 23  # scores; 17 to 21 are their own


@dataclass(frozen=True)
class Context:
    """What a policy may look at when it decides."""

    hand: Hand
    upcard: int
    split_of: int | None  # the pair card, if this is a split hand
    hands: int  # how many hands the player has so far
    legal: tuple[str, ...]


Policy = Callable[[Context], str]


def always(action: str) -> Policy:
    """This action wherever it is legal."""
    return lambda context: action if action in context.legal else "stand"


def mixed(context: Context) -> str:
    """A policy that uses every action, and minds the number of hands."""
    total, soft = total_of(context.hand)
    wish = "stand"
    if "split" in context.legal:
        wish = "split"
    elif total < 17:
        wish = "surrender" if context.upcard == 10 else "hit"
    elif soft and total < 20:
        wish = "double"
    elif context.hands == 2 and total == 17:
        wish = "hit"
    return wish if wish in context.legal else "stand"


@dataclass(frozen=True)
class Value:
    """An exact expectation over the orders of the unseen cards."""

    net: Fraction  # net result, units of the initial bet
    action: Fraction  # units put on the table


def worth(card: int) -> int:
    return min(card, 10)


@cache
def total_of(hand: Hand) -> tuple[int, bool]:
    """The best total, and whether an ace counts as eleven in it."""
    hard = sum(worth(card) for card in hand)
    soft = 1 in hand and hard + 10 <= 21
    return (hard + 10 if soft else hard), soft


@cache
def is_ace_ten(hand: Hand) -> bool:
    return len(hand) == 2 and sorted(map(worth, hand)) == [1, 10]


def add(hand: Hand, card: int) -> Hand:
    return tuple(sorted((*hand, card)))


def legal_actions(
    rules: Rules, hand: Hand, upcard: int, split_of: int | None = None
) -> tuple[str, ...]:
    """The legal actions of a hand; a split hand that must be split again does not get here."""
    total, soft = total_of(hand)
    if split_of is None and is_ace_ten(hand):
        return ("stand",)
    if rules.stand_on_21 and total == 21:
        return ("stand",)
    if rules.max_cards is not None and len(hand) >= rules.max_cards:
        return ("stand",)
    actions = ["stand"]
    if split_of != 1 or rules.hit_split_aces:
        actions.append("hit")
    if (
        (len(hand) == 2 or rules.double_any_cards)
        and (not soft or rules.double_soft)
        and (rules.double_on is None or total in rules.double_on)
        and (split_of is None or rules.double_after_split)
        and (split_of != 1 or rules.double_split_aces)
        and (not is_ace_ten(hand) or rules.double_two_card_21)
    ):
        actions.append("double")
    if split_of is None:
        if (
            rules.surrender != "none"
            and not (rules.surrender == "early_not_ace" and upcard == 1)
            and (len(hand) == 2 or rules.surrender_any_cards)
        ):
            actions.append("surrender")
        if len(hand) == 2 and hand[0] == hand[1] and most_hands(rules, hand[0]) > 1:
            actions.append("split")
    return tuple(actions)


def most_hands(rules: Rules, pair: int) -> int:
    return rules.max_split_hands_aces if pair == 1 else rules.max_split_hands


def score(rules: Rules, hand: Hand, split: bool) -> int:
    """What a finished hand is worth against the dealer."""
    total, _ = total_of(hand)
    if total > 21:
        return BUST
    if is_ace_ten(hand):
        if not split or rules.split_ace_ten == "blackjack":
            return BLACKJACK
        return 21 if rules.split_ace_ten == "21" else BEATS_21
    return max(total, STIFF)


def settle(rules: Rules, done: Done, dealer: int) -> Fraction:
    """The net result of a round from the (score, bet) of every hand and the dealer's score."""
    if dealer == BLACKJACK:
        losing = [(points, bet) for points, bet in done if points != BLACKJACK]
        if rules.dealer_blackjack_takes == "all":
            return Fraction(-sum(bet for _, bet in losing))
        if rules.dealer_blackjack_takes == "original":
            return Fraction(-1 if losing or len(done) > 1 else 0)  # split blackjacks save nothing
        busted = sum(bet for points, bet in losing if points == BUST)
        return Fraction(-busted - any(points != BUST for points, _ in losing))
    result = Fraction(0)
    for points, bet in done:
        if points == BLACKJACK:
            result += rules.blackjack_pays * bet
        elif points == BUST or points < dealer:
            result -= bet
        elif points > dealer:  # a dealer's bust scores 0
            result += bet
    return result


class Rounds:
    """Exact values of the rounds dealt from one tiny shoe under one rule set."""

    def __init__(self, rules: Rules, shoe: Mapping[int, int]) -> None:
        merged: dict[int, int] = defaultdict(int)
        for card, count in shoe.items():
            merged[card if rules.split_by == "rank" else worth(card)] += count
        self.rules = rules
        self.kinds = tuple(sorted(card for card, count in merged.items() if count))
        self.index = {card: i for i, card in enumerate(self.kinds)}
        self.full: Counts = tuple(merged[card] for card in self.kinds)
        self.chip = 2 * rules.blackjack_pays.denominator  # chips in a unit: all results are whole
        self._dealer: dict[tuple[Counts, int, bool, int], dict[int, int]] = {}
        self._legal: dict[tuple[Hand, int, int | None], tuple[str, ...]] = {}
        self._settled: dict[tuple[Done, int], int] = {}

    # The shoe

    def without(self, counts: Counts, *cards: int) -> Counts:
        left = list(counts)
        for card in cards:
            left[self.index[card]] -= 1
            if left[self.index[card]] < 0:
                raise ValueError(f"no card {card} left")
        return tuple(left)

    def draws(self, counts: Counts) -> Iterator[tuple[int, int, Counts]]:
        """Every card that may come next: the card, how many there are, the rest."""
        for i, count in enumerate(counts):
            if count:
                yield self.kinds[i], count, (*counts[:i], count - 1, *counts[i + 1 :])

    def _chips(self, done: Done, dealer: int) -> int:
        key = done, dealer
        if key not in self._settled:
            chips = settle(self.rules, done, dealer) * self.chip
            assert chips.denominator == 1
            self._settled[key] = chips.numerator
        return self._settled[key]

    def legal(self, hand: Hand, upcard: int, split_of: int | None = None) -> tuple[str, ...]:
        key = hand, upcard, split_of
        if key not in self._legal:
            self._legal[key] = legal_actions(self.rules, hand, upcard, split_of)
        return self._legal[key]

    # The dealer

    def peeks(self, upcard: int) -> bool:
        if self.rules.peek == "none":
            return False
        return upcard == 1 or (worth(upcard) == 10 and self.rules.peek == "ace_ten")

    def dealer_orders(self, counts: Counts, cards: Hand) -> dict[int, int]:
        """In how many orders of the cards left a dealer with these cards ends with each score."""
        key = counts, sum(map(worth, cards)), 1 in cards, min(len(cards), 3)
        if key not in self._dealer:
            total, soft = total_of(cards)
            orders: dict[int, int] = defaultdict(int)
            if is_ace_ten(cards):
                orders[BLACKJACK] = factorial(sum(counts))
            elif total > 21:
                orders[BUST] = factorial(sum(counts))
            elif total > 17 or (total == 17 and not (soft and self.rules.hit_soft_17)):
                orders[total] = factorial(sum(counts))
            else:
                if not any(counts):
                    raise ValueError("the shoe ran out of cards")
                for card, count, rest in self.draws(counts):
                    for points, ways in self.dealer_orders(rest, (*cards, card)).items():
                        orders[points] += count * ways
            self._dealer[key] = dict(orders)
        return self._dealer[key]

    def blackjack_orders(self, counts: Counts, upcard: int) -> int:
        """In how many orders the first card gives the dealer a blackjack."""
        return sum(
            count * factorial(sum(rest))
            for card, count, rest in self.draws(counts)
            if is_ace_ten((upcard, card))
        )

    def endings(self, counts: Counts, dealer: Hand, done: Done) -> dict[int, int]:
        """The dealer's scores after all hands are played, in how many orders each.

        With every hand busted the dealer does not draw, but shows whether it is a blackjack.
        """
        if any(points != BUST for points, _ in done):
            return self.dealer_orders(counts, dealer)
        if len(dealer) == 1 and not any(counts):
            raise ValueError("the shoe ran out of cards")
        orders = factorial(sum(counts))
        blackjacks = self.blackjack_orders(counts, dealer[0]) if len(dealer) == 1 else 0
        return {BLACKJACK: blackjacks, BUST: orders - blackjacks}

    # Play under a given policy

    def _decide(
        self, policy: Policy, hand: Hand, upcard: int, split_of: int | None, hands: int
    ) -> str:
        legal = self.legal(hand, upcard, split_of)
        if len(legal) == 1:
            return legal[0]
        choice = policy(Context(hand, upcard, split_of, hands, legal))
        if choice not in legal:
            raise ValueError(f"{choice} is not legal with {hand}")
        return choice

    def split_sums(self, policy: Policy, pair: int, upcard: int, hole: int | None) -> Sums:
        """A round in which the pair is split, from the split on."""
        rules, most = self.rules, most_hands(self.rules, pair)
        dealer = (upcard,) if hole is None else (upcard, hole)
        known = (pair, pair, *dealer)
        memo: dict[object, Sums] = {}

        def next_hand(left: Counts, done: Done, waiting: int, hands: int) -> Sums:
            """The next of the waiting hands, a single pair card each, gets its second card."""
            key = left, done, waiting, hands
            if key not in memo:
                net = action = 0
                if waiting == 0:
                    for points, ways in self.endings(left, dealer, done).items():
                        net += ways * self._chips(done, points)
                    action = factorial(sum(left)) * sum(bet for _, bet in done)
                else:
                    for card, count, rest in self.draws(left):
                        if card == pair and hands < most:
                            sums = next_hand(rest, done, waiting + 1, hands + 1)
                        else:
                            sums = play(rest, done, waiting - 1, hands, add((pair,), card))
                        net += count * sums[0]
                        action += count * sums[1]
                memo[key] = net, action
            return memo[key]

        def finish(
            left: Counts, done: Done, waiting: int, hands: int, hand: Hand, bet: int
        ) -> Sums:
            finished = (*done, (score(rules, hand, split=True), bet))
            return next_hand(left, tuple(sorted(finished)), waiting, hands)

        def play(left: Counts, done: Done, waiting: int, hands: int, hand: Hand) -> Sums:
            """The current hand decides."""
            key = left, done, waiting, hands, hand
            if key not in memo:
                choice = self._decide(policy, hand, upcard, pair, hands)
                if choice == "stand":
                    memo[key] = finish(left, done, waiting, hands, hand, 1)
                else:
                    net = action = 0
                    for card, count, rest in self.draws(left):
                        longer = add(hand, card)
                        if choice == "double":
                            sums = finish(rest, done, waiting, hands, longer, 2)
                        elif total_of(longer)[0] > 21:
                            sums = finish(rest, done, waiting, hands, longer, 1)
                        else:
                            sums = play(rest, done, waiting, hands, longer)
                        net += count * sums[0]
                        action += count * sums[1]
                    memo[key] = net, action
            return memo[key]

        return next_hand(self.without(self.full, *known), (), 2, 2)

    def _unsplit_sums(
        self, policy: Policy, hand: Hand, upcard: int, hole: int | None, first: str | None = None
    ) -> Sums:
        """A hand that is not split, played on with this choice now and the policy after it."""
        dealer = (upcard,) if hole is None else (upcard, hole)
        left = self.without(self.full, *hand, *dealer)
        orders = factorial(sum(left))
        choice = first or self._decide(policy, hand, upcard, None, 1)
        if choice == "surrender":
            whole = 0  # an early surrender in front of an unseen card saves half in every case
            if self.rules.surrender == "late" and hole is None:
                whole = self.blackjack_orders(left, upcard)
            return -self.chip // 2 * (orders + whole), orders
        if choice == "stand":
            return self._end(left, dealer, hand, 1)
        net = action = 0
        for card, count, rest in self.draws(left):
            longer = add(hand, card)
            if choice == "double" or total_of(longer)[0] > 21:
                sums = self._end(rest, dealer, longer, 2 if choice == "double" else 1)
            else:
                sums = self._unsplit_sums(policy, longer, upcard, hole)
            net += count * sums[0]
            action += count * sums[1]
        return net, action

    def _end(self, left: Counts, dealer: Hand, hand: Hand, bet: int) -> Sums:
        done = ((score(self.rules, hand, split=False), bet),)
        chips = sum(
            ways * self._chips(done, points)
            for points, ways in self.endings(left, dealer, done).items()
        )
        return chips, bet * factorial(sum(left))

    def start_sums(self, policy: Policy, hand: Hand, upcard: int, first: str | None = None) -> Sums:
        """A start, dealer blackjacks included, with this first action or the policy's."""
        left = self.without(self.full, *hand, upcard)
        choice = first or self._decide(policy, hand, upcard, None, 1)
        if not self.peeks(upcard):
            if choice == "split":
                return self.split_sums(policy, hand[0], upcard, None)
            return self._unsplit_sums(policy, hand, upcard, None, choice)
        if choice == "surrender" and self.rules.surrender != "late":
            return -self.chip // 2 * factorial(sum(left)), factorial(sum(left))
        net = action = 0
        for hole, count, rest in self.draws(left):
            if is_ace_ten((upcard, hole)):
                lost = 0 if is_ace_ten(hand) else -self.chip
                sums = lost * factorial(sum(rest)), factorial(sum(rest))
            elif choice == "split":
                sums = self.split_sums(policy, hand[0], upcard, hole)
            else:
                sums = self._unsplit_sums(policy, hand, upcard, hole, choice)
            net += count * sums[0]
            action += count * sums[1]
        return net, action

    def _value(self, sums: Sums, cards: int) -> Value:
        orders = factorial(sum(self.full) - cards)
        return Value(Fraction(sums[0], self.chip * orders), Fraction(sums[1], orders))

    def start_value(
        self, policy: Policy, hand: Sequence[int], upcard: int, first: str | None = None
    ) -> Value:
        """The value of a two-card hand against an upcard, dealer blackjacks included."""
        cards = tuple(sorted(hand))
        return self._value(self.start_sums(policy, cards, upcard, first), 3)

    def starts(self) -> Iterator[tuple[Hand, int, int]]:
        """Every two-card hand and upcard, and in how many ways they are dealt in this order."""
        ways: dict[tuple[Hand, int], int] = defaultdict(int)
        for first, one, rest in self.draws(self.full):
            for second, two, others in self.draws(rest):
                for upcard, three, _ in self.draws(others):
                    ways[add((first,), second), upcard] += one * two * three
        for (hand, upcard), number in sorted(ways.items()):
            yield hand, upcard, number

    def round_value(self, policy: Policy) -> Value:
        """The value of the whole game under a policy, from the first card on."""
        net = action = 0
        for hand, upcard, ways in self.starts():
            sums = self.start_sums(policy, hand, upcard)
            net += ways * sums[0]
            action += ways * sums[1]
        return self._value((net, action), 0)
