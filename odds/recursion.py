"""The definition of the main game: a plain memoised recursion over shoe states, in integers.

A shoe of n cards lies in one of n! orders, all equally likely, and cards come off its top. So
every quantity here is a *total over all orders of the cards that are left*::

    total(left) = sum over kinds of (cards of that kind left) x total(left without one of it)

and the total divided by n! is the expected value. A card nobody has seen may be any card of what
is left, so the dealer's hole card is drawn last, after the player's cards.

A shoe state holds one count for each *kind* of card: ten kinds A, 2, ..., 9, T, or eleven where
the tens of one rank are told from the others; kind ``i`` is worth ``min(i + 1, 10)``. Results
count a dealer blackjack, so that under a peek it costs 1 unit whatever the player would have done;
`given_no_blackjack` turns them into conditional ones.

This module is slow and meant to be read; `odds.game` is meant to be used.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from math import factorial, prod
from operator import mul
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar

from odds.errors import InputError
from odds.recursion_rules import (
    RESULTS,
    Finished,
    Hand,
    legal_actions,
    own_result,
    round_result,
    score,
    surrender_result,
    with_card,
)
from odds.rules import Rules
from odds.shoe import Shoe
from odds.strategy import Action, check_regime

Counts: TypeAlias = tuple[int, ...]
P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S")

orders = cache(factorial)


def memoised(method: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """Keep a method's results in its instance, so that they are freed together with it."""

    def look_up(self: S, /, *args: P.args, **kwargs: P.kwargs) -> R:
        known: dict[Any, R] = self.__dict__.setdefault(f"known_{method.__name__}", {})
        if args not in known:
            known[args] = method(self, *args, **kwargs)
        return known[args]

    look_up.__doc__ = method.__doc__
    return look_up


# ---------------------------------------------------------------- the shoe


def draws(left: Counts) -> Iterator[tuple[int, int, int, Counts]]:
    """What may come next: the kind, its value, how many of it there are, the shoe without one."""
    for kind, count in enumerate(left):
        if count:
            yield kind, min(kind + 1, 10), count, (*left[:kind], count - 1, *left[kind + 1 :])
    if not any(left):
        raise InputError("shoe", "no card left", "a shoe that no round can run out of")


def by_value(counts: Counts) -> Counts:
    """Ten counts by value from a shoe state."""
    return (*counts[:9], sum(counts[9:]))


def without(counts: Counts, *kinds: int) -> Counts:
    """The shoe state less a card of each of these kinds."""
    left = list(counts)
    for kind in kinds:
        if not 0 <= kind < len(left) or not left[kind]:
            raise InputError("card value", min(kind + 1, 10), "a card that is in the shoe")
        left[kind] -= 1
    return tuple(left)


# ---------------------------------------------------------------- the dealer


def dealer_result(hard: int, ace: bool, cards: int, hit_soft_17: bool) -> str | None:
    """One of RESULTS for a dealer's hand, None if it draws; ``hard`` counts every ace as 1."""
    soft = ace and hard <= 11
    total = hard + 10 * soft
    if total == 21 and cards == 2:
        return "blackjack"
    if total < 17 or (total == 17 and soft and hit_soft_17):
        return None
    return str(total) if total <= 21 else "bust"


@lru_cache(maxsize=1 << 16)
def dealer_orders(
    left: Counts, hard: int, ace: bool, cards: int, hit_soft_17: bool
) -> tuple[int, ...]:
    """How many orders of the ten-count shoe ``left`` give each of RESULTS to a dealer who draws."""
    ways = [0] * len(RESULTS)
    for _, value, count, rest in draws(left):
        # Beyond two cards their number does not matter.
        hand = (hard + value, ace or value == 1, min(cards + 1, 3), hit_soft_17)
        if (result := dealer_result(*hand)) is not None:
            ways[RESULTS.index(result)] += count * orders(sum(rest))
        else:
            for i, number in enumerate(dealer_orders(rest, *hand)):
                ways[i] += count * number
    return tuple(ways)


# ---------------------------------------------------------------- hands never split


class Table:
    """Rules, a full shoe and an upcard by value: the totals of every hand that is never split.

    Totals are integers, in units of ``1 / unit`` of the initial bet.
    """

    def __init__(self, rules: Rules, shoe: Shoe, upcard: int) -> None:
        self.rules, self.shoe, self.upcard = rules, shoe, upcard
        self.left = without(shoe.by_value, upcard - 1)
        self.unit = 2 * rules.blackjack_pays.denominator

    @memoised
    def pays(self, hands: tuple[Finished, ...], own: bool) -> tuple[int, ...]:
        """The result of these hands for each of RESULTS; `own` makes it one split hand's part."""
        if own:
            return self.units(own_result(self.rules, self.upcard, hands[0], d) for d in RESULTS)
        return self.units(round_result(self.rules, self.upcard, hands, d) for d in RESULTS)

    def units(self, results: Iterable[Fraction]) -> tuple[int, ...]:
        """Results as integers."""
        return tuple(int(result * self.unit) for result in results)

    def settle(self, left: Counts, *hands: Finished, own: bool = False) -> int:
        """The total when every hand is finished and the dealer draws from ``left``."""
        return self.against_dealer(by_value(left), self.pays(tuple(sorted(hands)), own))

    def against_dealer(self, left: Counts, pays: tuple[int, ...]) -> int:
        """The total when ``pays`` is won for each of RESULTS."""
        if len(set(pays[:-1])) == 1:  # bust, surrendered or a natural: is there a blackjack?
            needed = 11 - self.upcard if self.upcard in (1, 10) else None
            return sum(
                count * orders(sum(rest)) * pays[-1 if value == needed else 0]
                for _, value, count, rest in draws(left)
            )
        state = (left, self.upcard, self.upcard == 1, 1, self.rules.hit_soft_17)
        return sum(map(mul, dealer_orders(*state), pays))

    @memoised
    def total(self, hand: Hand, action: Action, split: int | None = None) -> int:
        """The total of an action (not a split), then the best play of a hand never split.

        Args:
            hand: Card values in ascending order.
            action: The first action.
            split: Gives ace-ten the score of a hand split from this value, and nothing else.
        """
        left = without(self.left, *(value - 1 for value in hand))
        if action is Action.STAND:
            return self.settle(left, (score(self.rules, hand, split), 1))
        if action is Action.SURRENDER:
            results = (surrender_result(self.rules, hand, self.upcard, d) for d in RESULTS)
            return self.against_dealer(left, self.units(results))
        total = 0
        for _, value, count, rest in draws(left):
            longer = with_card(hand, value)
            if action is Action.DOUBLE or sum(longer) > 21:
                bet = 2 if action is Action.DOUBLE else 1
                total += count * self.settle(rest, (score(self.rules, longer), bet))
            else:
                legal = legal_actions(self.rules, longer, self.upcard)
                total += count * max(self.total(longer, then) for then in legal)
        return total


# ---------------------------------------------------------------- split hands


class SplitPlay:
    """A pair that is split: its hands are played one after the other, then the dealer draws.

    Args:
        table: The table.
        card: The value of the pair's cards.
        regime: `CDZ-`, `CDP1` or `CDP`, see `odds.strategy.REGIMES`.

    Attributes:
        pair: The kind of card that makes a pair again.
        starts: The ways that a pair and an upcard of these values may be dealt and split, each
            with the shoe that they leave. There is more than one where tens have ranks.
    """

    def __init__(self, table: Table, card: int, regime: str) -> None:
        self.table, self.rules, self.card, self.regime = table, table.rules, card, regime
        self.limit = self.rules.split_hands(card)
        values = table.shoe.by_value
        self.pair, self.starts = card - 1, {without(table.left, card - 1, card - 1): 1}
        if card == 10 and self.rules.split_by == "rank":
            self.pair, self.starts = 10, Counter()
            for own in table.shoe.by_rank[9:]:
                counts = (*values[:9], values[9] - own, own)
                for up in (9, 10) if table.upcard == 10 else (table.upcard - 1,):
                    ways = own * (own - 1) * (counts[up] - (2 if up == 10 else 0))
                    if ways > 0:
                        self.starts[without(counts, up, 10, 10)] += ways
        self.met: defaultdict[tuple[int, Hand], Counter[Counts]] = defaultdict(Counter)
        for left, ways in self.starts.items():
            if (
                regime == "CDP1"
            ):  # as if there were one hand, and the number of hands did not matter
                for _, value, count, rest in draws(left):
                    self.met[0, with_card((card,), value)][rest] += ways * count
            elif regime == "CDP":
                self.meet(left, 1, 2, ways)

    def total(self) -> Fraction:
        """The mean total of the round over all orders of the shoe less the pair and the upcard."""
        total = sum(w * self.play(left, (self.card,), 1, 2, ()) for left, w in self.starts.items())
        return Fraction(total, sum(self.starts.values()))

    @memoised
    def play(
        self, left: Counts, hand: Hand, waiting: int, hands: int, done: tuple[Finished, ...]
    ) -> int:
        """The total of the round from here on.

        Args:
            left: The shoe.
            hand: The hand in play; of one card if its second card comes now.
            waiting: Hands of one card to be played after it.
            hands: How many hands the pair has become.
            done: The finished hands.
        """
        total = 0
        if len(hand) == 1:
            for kind, value, count, rest in draws(left):
                if kind == self.pair and hands < self.limit:
                    total += count * self.play(rest, hand, waiting + 1, hands + 1, done)
                else:
                    total += count * self.play(rest, with_card(hand, value), waiting, hands, done)
            return total
        action = self.decide(hand, hands)
        if action is Action.STAND or sum(hand) > 21:
            return self.finish(left, hand, 1, waiting, hands, done)
        for _, value, count, rest in draws(left):
            longer = with_card(hand, value)
            if action is Action.DOUBLE:
                total += count * self.finish(rest, longer, 2, waiting, hands, done)
            else:
                total += count * self.play(rest, longer, waiting, hands, done)
        return total

    def finish(
        self,
        left: Counts,
        hand: Hand,
        bet: int,
        waiting: int,
        hands: int,
        done: tuple[Finished, ...],
    ) -> int:
        """Put a hand aside and play the next one, or let the dealer draw after the last."""
        done = tuple(sorted((*done, (score(self.rules, hand, self.card), bet))))
        if waiting:
            return self.play(left, (self.card,), waiting - 1, hands, done)
        return self.table.settle(left, *done)

    @memoised
    def decide(self, hand: Hand, hands: int) -> Action:
        """The regime's action for a split hand when the pair has become so many hands.

        Of equally good ones it is the first of stand, hit and double: siblings feel the choice.
        """
        if sum(hand) > 21:
            return Action.STAND
        legal = legal_actions(self.rules, hand, self.table.upcard, self.card)
        if self.regime == "CDZ-":
            return max(legal, key=lambda action: self.table.total(hand, action, self.card))
        number = hands if self.regime == "CDP" else 0
        return max(legal, key=lambda action: self.worth(number, hand, action))

    # CDP1 and CDP: a decision is the best one on average over the shoes that the hand may meet.

    def meet(self, left: Counts, waiting: int, hands: int, ways: int) -> None:
        """Deal second cards, every hand standing on two, and note the shoe that each one meets.

        The other hands may stand here because unseen cards are alike: those that they would draw
        are for this hand no other than the cards further down.
        """
        for kind, value, count, rest in draws(left):
            if kind == self.pair and hands < self.limit:
                self.meet(rest, waiting + 1, hands + 1, ways * count)
            else:
                self.met[hands, with_card((self.card,), value)][rest] += ways * count
                if waiting:
                    self.meet(rest, waiting - 1, hands, ways * count)

    @memoised
    def meets(self, number: int, hand: Hand) -> Counter[Counts]:
        """The shoes that a hand meets, up to a factor: any order of its cards will do."""
        if len(hand) == 2:
            return self.met[number, hand]
        # Any order but one that has a pair first, which would have been split again.
        last = self.card if hand.count(self.card) > 1 else next(c for c in hand if c != self.card)
        shorter = list(hand)
        shorter.remove(last)
        shoes: Counter[Counts] = Counter()
        for left, ways in self.meets(number, tuple(shorter)).items():
            for _, value, count, rest in draws(left):
                if value == last:
                    shoes[rest] += ways * count
        return shoes

    @memoised
    def worth(self, number: int, hand: Hand, action: Action) -> Fraction:
        """The expected own part of a split hand: this action, then the best ones."""
        total, all_ways = Fraction(0), 0
        for left, ways in self.meets(number, hand).items():
            all_ways += ways * orders(sum(left))
            if action is Action.STAND:
                finished = (score(self.rules, hand, self.card), 1)
                total += ways * self.table.settle(left, finished, own=True)
                continue
            for _, value, count, rest in draws(left):
                longer = with_card(hand, value)
                if action is Action.DOUBLE or sum(longer) > 21:
                    finished = (score(self.rules, longer), 2 if action is Action.DOUBLE else 1)
                    total += ways * count * self.table.settle(rest, finished, own=True)
                else:
                    then = self.decide(longer, number)
                    total += ways * count * orders(sum(rest)) * self.worth(number, longer, then)
        return total / all_ways


# ---------------------------------------------------------------- what the module offers

table_of = lru_cache(maxsize=16)(Table)


def hand_of(cards: Sequence[int]) -> Hand:
    """The hand, if it is one that a player may hold."""
    if len(cards) < 2 or sum(cards) > 21:
        raise InputError("cards", tuple(cards), "two or more cards of at most 21 in all")
    return tuple(sorted(cards))


def dealer_distribution(rules: Rules, left: Sequence[int], upcard: int) -> dict[str, Fraction]:
    """The law of the dealer's final result.

    Args:
        rules: The rules; only `hit_soft_17` matters.
        left: The cards that the dealer draws from, ten counts by value.
        upcard: The value of the card that the dealer holds, 1 to 10; it is not among ``left``.

    Returns:
        Probability by result: "17" to "21", "bust" and "blackjack".

    Example:
        A ten is up; an eight and two tens are left: 18 with one chance in three, else 20.

        >>> law = dealer_distribution(Rules(), (0, 0, 0, 0, 0, 0, 0, 1, 0, 2), 10)
        >>> {result: str(chance) for result, chance in law.items() if chance}
        {'18': '1/3', '20': '2/3'}
    """
    ways = dealer_orders(tuple(left), upcard, upcard == 1, 1, rules.hit_soft_17)
    return {d: Fraction(way, orders(sum(left))) for d, way in zip(RESULTS, ways, strict=True)}


def action_value(
    rules: Rules,
    shoe: Shoe,
    cards: Sequence[int],
    upcard: int,
    action: Action,
    regime: str = "CDZ-",
) -> Fraction:
    """The expected result of an action and the best play after it, dealer blackjacks included.

    Args:
        rules: The rules.
        shoe: The full shoe, as it was before the hand and the upcard came off it.
        cards: The player's cards by value, 1 to 10.
        upcard: The dealer's upcard by value.
        action: What is done, legal or not. With ``split_by="rank"`` a split of tens is one of two
            tens of the same rank, averaged over the ranks that they and the upcard may have.
        regime: How split hands are played, see `odds.strategy.REGIMES`.

    Raises:
        InputError: A card is not in the shoe, or the round can run out of cards.

    Example:
        Two tens against a ten: the dealer's second card is an eight, a nine (20 wins) or a ten.

        >>> shoe = Shoe.from_values((0, 0, 0, 0, 0, 0, 0, 1, 1, 4))
        >>> action_value(Rules(), shoe, (10, 10), 10, Action.STAND)
        Fraction(2, 3)
    """
    table, hand = table_of(rules, shoe, upcard), hand_of(cards)
    if action is not Action.SPLIT:
        return Fraction(table.total(hand, action), table.unit * orders(shoe.size - 1 - len(hand)))
    if len(hand) != 2 or hand[0] != hand[1]:
        raise InputError("cards", hand, "two cards of one value, to be split")
    total = SplitPlay(table, hand[0], check_regime(regime)).total()
    return total / (table.unit * orders(shoe.size - 3))


def hand_values(
    rules: Rules,
    shoe: Shoe,
    cards: Sequence[int],
    upcard: int,
    regime: str = "CDZ-",
    same_rank: bool = True,
) -> dict[Action, Fraction]:
    """`action_value` of each legal action of a hand that is not split yet.

    Args:
        rules: The rules.
        shoe: The full shoe.
        cards: The player's cards by value.
        upcard: The dealer's upcard by value.
        regime: How split hands are played.
        same_rank: Whether two cards of one value are of one rank too.
    """
    legal = legal_actions(rules, hand_of(cards), upcard)
    if not same_rank and rules.split_by == "rank" and Action.SPLIT in legal:
        legal.remove(Action.SPLIT)
    return {a: action_value(rules, shoe, cards, upcard, a, regime) for a in legal}


def given_no_blackjack(value: Fraction, shoe: Shoe, cards: Sequence[int], upcard: int) -> Fraction:
    """A value after a peek that found no blackjack, from one that counts a blackjack as -1.

    Args:
        value: The value with dealer blackjacks (which a natural pushes).
        shoe: The full shoe.
        cards: The player's cards by value.
        upcard: The dealer's upcard by value.

    Example:
        >>> shoe = Shoe.from_values((1, 0, 0, 0, 0, 0, 0, 0, 1, 4))
        >>> value = action_value(Rules(), shoe, (10, 10), 10, Action.STAND)
        >>> value, given_no_blackjack(value, shoe, (10, 10), 10)
        (Fraction(0, 1), Fraction(1, 2))
    """
    left = without(shoe.by_value, upcard - 1, *(card - 1 for card in cards))
    blackjack = Fraction({1: left[9], 10: left[0]}.get(upcard, 0), sum(left))
    lost = 0 if tuple(sorted(cards)) == (1, 10) else 1
    return (value + blackjack * lost) / (1 - blackjack)


def game_value(rules: Rules, shoe: Shoe, regime: str = "CDZ-") -> Fraction:
    """The expected net result of a round per unit of the initial bet: minus the house edge.

    Args:
        rules: The rules; `decks` is not used.
        shoe: The full shoe; of few cards, if this is to end.
        regime: How split hands are played, see `odds.strategy.REGIMES`.

    Example:
        Nines and tens only: without splitting nobody draws, and neither side is ahead.

        >>> shoe = Shoe.from_values((0, 0, 0, 0, 0, 0, 0, 0, 4, 16))
        >>> str(game_value(Rules(max_split_hands=1, max_split_hands_aces=1), shoe))
        '0'
    """
    value, counts = Fraction(0), shoe.by_value
    same_rank_ways = sum(tens * (tens - 1) for tens in shoe.by_rank[9:])
    for _, upcard, ups, left in draws(counts):
        deals: Counter[Hand] = Counter()
        for _, one, ones, rest in draws(left):
            for _, two, twos, _ in draws(rest):
                deals[with_card((one,), two)] += ups * ones * twos
        for hand, ways in deals.items():
            same = Fraction(1)
            if hand == (10, 10) and rules.split_by == "rank":
                same = Fraction(same_rank_ways, counts[9] * (counts[9] - 1))
            for same_rank, share in ((True, same), (False, 1 - same)):
                if share:
                    values = hand_values(rules, shoe, hand, upcard, regime, same_rank)
                    value += ways * share * max(values.values())
    return value / prod(range(shoe.size - 2, shoe.size + 1))
