"""The optimum and the three regimes of split hands, on top of the rounds of `tests.oracle`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from math import factorial
from typing import Any

from odds.rules import Rules
from tests.oracle import (
    BLACKJACK,
    BUST,
    Context,
    Counts,
    Hand,
    Policy,
    Rounds,
    Sums,
    Value,
    add,
    is_ace_ten,
    most_hands,
    score,
    settle,
    total_of,
)

State = tuple[Counts, Hand, int, int, Hand]  # left, dealer, hands waiting, hands, current hand
Belief = dict[tuple[Counts, Hand], int]  # cards left and dealer's cards, in how many ways
Best = tuple[str, ...]  # the best actions: one, unless some are exactly equally good
Cell = tuple[int, Hand]  # number of hands and hand: where a split hand decides
MANY = 16


def best_of(nets: Mapping[str, int]) -> Best:
    top = max(nets.values())
    return tuple(action for action, net in nets.items() if net == top)


def hand_objective(rules: Rules, points: int, bet: int, dealer: int) -> Fraction:
    """What CDP1 and CDP maximise in one split hand."""
    if dealer != BLACKJACK:
        return settle(rules, ((points, bet),), dealer)
    if points == BLACKJACK or rules.dealer_blackjack_takes == "original":
        return Fraction(0)
    if rules.dealer_blackjack_takes == "all" or points == BUST:
        return Fraction(-bet)
    return Fraction(0)


@dataclass(frozen=True)
class Start:
    """Every action of a two-card hand, dealer blackjacks included.

    `splits` holds the values that the split can have, by how one chooses among equally good
    actions of the split hands; or nothing if there are too many ways.
    """

    ways: int
    actions: dict[str, Value]
    splits: tuple[Value, ...]


class Oracle(Rounds):
    """The best play and its values, by trying every action."""

    def __init__(self, rules: Rules, shoe: Mapping[int, int]) -> None:
        super().__init__(rules, shoe)
        self.ties = 0  # hands with equally good actions that differ in the units bet
        self._best: dict[tuple[Hand, int], Sums] = {}
        self._zero: dict[tuple[Hand, int, tuple[str, ...]], Best] = {}
        self._single: dict[tuple[Hand, int, int], tuple[int, Best]] = {}
        self._plans: dict[tuple[int, int], dict[int, dict[Hand, Best]]] = {}
        self._objectives: dict[tuple[Counts, Hand, int, int], int] = {}
        self._goal: dict[tuple[int, int, int], int] = {}

    # The unsplit game: over all the player knows, which is the own cards, the upcard, and that a
    # dealer who peeks has no blackjack

    def action_sums(self, hand: Hand, upcard: int, action: str, split: bool = False) -> Sums:
        """An action and the best unsplit play after it, over the orders of all unseen cards.

        The first unseen card is the hole card. Where the dealer peeks, orders with a dealer
        blackjack count nothing: the player knows that they are not the case. `split` tells what
        an ace and a ten mean.
        """
        left = self.without(self.full, *hand, upcard)
        if action == "stand":
            return self._final(left, upcard, hand, 1, split)
        if action == "surrender":
            orders, blackjacks = factorial(sum(left)), self.blackjack_orders(left, upcard)
            if self.peeks(upcard):
                orders, blackjacks = orders - blackjacks, 0
            whole = blackjacks if self.rules.surrender == "late" else 0
            return -self.chip // 2 * (orders + whole), orders
        net = units = 0
        for card, count, rest in self.draws(left):
            longer = add(hand, card)
            if action == "double" or total_of(longer)[0] > 21:
                sums = self._final(rest, upcard, longer, 2 if action == "double" else 1, split)
            else:
                sums = self.best_sums(longer, upcard)
            net += count * sums[0]
            units += count * sums[1]
        return net, units

    def _final(self, left: Counts, upcard: int, hand: Hand, bet: int, split: bool) -> Sums:
        done = ((score(self.rules, hand, split), bet),)
        net = orders = 0
        for points, ways in self.endings(left, (upcard,), done).items():
            if points != BLACKJACK or not self.peeks(upcard):
                net += ways * self._chips(done, points)
                orders += ways
        return net, bet * orders

    def unsplit_best(self, hand: Hand, upcard: int) -> Best:
        """The best of the legal actions but splitting, after a peek."""
        legal = [action for action in self.legal(hand, upcard) if action != "split"]
        return best_of({action: self.action_sums(hand, upcard, action)[0] for action in legal})

    def best_sums(self, hand: Hand, upcard: int) -> Sums:
        key = hand, upcard
        if key not in self._best:
            best = {self.action_sums(hand, upcard, a) for a in self.unsplit_best(hand, upcard)}
            self.ties += len(best) > 1
            self._best[key] = min(best)
        return self._best[key]

    def peeked_value(self, hand: Hand, upcard: int, action: str) -> Fraction:
        """An unsplit action's value after the peek, if the dealer peeks under this upcard."""
        left = self.without(self.full, *hand, upcard)
        orders = factorial(sum(left))
        if self.peeks(upcard):
            orders -= self.blackjack_orders(left, upcard)
        return Fraction(self.action_sums(hand, upcard, action)[0], self.chip * orders)

    # The regimes: what the best actions of a split hand are

    def best_in_split(self, regime: str, pair: int, upcard: int, cell: Cell) -> Best:
        """The best actions of a hand of this pair, at this number of hands."""
        number, hand = cell
        if regime == "CDZ-":
            legal = self.legal(hand, upcard, pair)
            key = hand, upcard, legal
            if key not in self._zero:
                self._zero[key] = best_of(
                    {a: self.action_sums(hand, upcard, a, split=True)[0] for a in legal}
                )
            return self._zero[key]
        if regime == "CDP1":
            return self._single_best(hand, upcard, pair)[1]
        if (pair, upcard) not in self._plans:
            self._plans[pair, upcard] = self.plan_by_hands(pair, upcard)
        return self._plans[pair, upcard][number][hand]

    def policy(
        self,
        regime: str,
        pair: int,
        upcard: int,
        changes: Mapping[Cell, str] | None = None,
        tied: dict[Cell, Best] | None = None,
    ) -> Policy:
        """How hands from this pair are played in a regime, but for these changes.

        Puts the cells that it is asked for, and that have several best actions, into `tied`.
        """

        def choose(context: Context) -> str:
            # Only CDP asks for the number of hands.
            cell = (context.hands if regime == "CDP" else 0), context.hand
            if changes and cell in changes:
                return changes[cell]
            best = self.best_in_split(regime, pair, upcard, cell)
            if tied is not None and len(best) > 1:
                tied[cell] = best
            return best[0]

        return choose

    def splits(self, regime: str, pair: int, upcard: int) -> Iterator[Sums]:
        """The split under every choice among equally good actions that makes a difference."""
        open_choices: list[dict[Cell, str]] = [{}]
        while open_choices:
            changes = open_choices.pop()
            tied: dict[Cell, Best] = {}
            policy = self.policy(regime, pair, upcard, changes, tied)
            sums = self.start_sums(policy, (pair, pair), upcard, "split")
            if not tied:
                yield sums
            elif regime == "CDP" and self.total_is_sum_of_objectives(upcard):
                last = self.policy(regime, pair, upcard, {c: best[-1] for c, best in tied.items()})
                self.ties += self.start_sums(last, (pair, pair), upcard, "split") != sums
                yield sums
            else:
                cell = min(tied)
                open_choices += [{**changes, cell: action} for action in tied[cell]]

    def total_is_sum_of_objectives(self, upcard: int) -> bool:
        """Whether the split is worth the sum of its hands' objectives and a constant, so that it
        does not matter which of several best actions CDP takes.
        """
        return self.peeks(upcard) or self.rules.dealer_blackjack_takes != "busted_plus_one"

    def _objective(self, left: Counts, dealer: Hand, hand: Hand, bet: int) -> int:
        key = left, dealer, score(self.rules, hand, split=True), bet
        if key not in self._objectives:
            done = (key[2:],)
            self._objectives[key] = sum(
                ways * self._objective_chips(key[2], bet, ending)
                for ending, ways in self.endings(left, dealer, done).items()
                if ending != BLACKJACK or not self.peeks(dealer[0])
            )
        return self._objectives[key]

    def _objective_chips(self, points: int, bet: int, dealer: int) -> int:
        key = points, bet, dealer
        if key not in self._goal:
            self._goal[key] = int(self.chip * hand_objective(self.rules, *key))
        return self._goal[key]

    def _try(
        self, hand: Hand, left: Counts, dealer: Hand, action: str, go_on: Callable[..., int]
    ) -> int:
        """The objective of one split hand with one action now and `go_on(hand, left)` after it."""
        if action == "stand":
            return self._objective(left, dealer, hand, 1)
        net = 0
        for card, count, rest in self.draws(left):
            longer = add(hand, card)
            if action == "double":
                net += count * self._objective(rest, dealer, longer, 2)
            elif total_of(longer)[0] > 21:
                net += count * self._objective(rest, dealer, longer, 1)
            else:
                net += count * go_on(longer, rest)
        return net

    def _single_best(self, hand: Hand, upcard: int, pair: int) -> tuple[int, Best]:
        """The best play of one split hand when one other pair card is known to be out."""
        key = hand, upcard, pair
        if key not in self._single:
            left = self.without(self.full, *hand, pair, upcard)
            nets = {
                action: self._try(
                    hand,
                    left,
                    (upcard,),
                    action,
                    lambda longer, _: self._single_best(longer, upcard, pair)[0],
                )
                for action in self.legal(hand, upcard, pair)
            }
            self._single[key] = max(nets.values()), best_of(nets)
        return self._single[key]

    def reached(self, pair: int, upcard: int, policy: Policy) -> dict[int, dict[Hand, Belief]]:
        """By number of hands: each two-card hand about to be played, and in how many ways it is
        reached with which cards left and which dealer's cards, if all hands follow the policy.
        """
        most = most_hands(self.rules, pair)
        result: dict[int, dict[Hand, Belief]] = {
            number: defaultdict(lambda: defaultdict(int)) for number in range(2, most + 1)
        }
        layers: dict[int, dict[State, int]] = defaultdict(lambda: defaultdict(int))

        def reach(ways: int, *state: Any) -> None:
            layers[sum(state[0])][state] += ways

        left = self.without(self.full, pair, pair, upcard)
        if self.peeks(upcard):
            for hole, count, rest in self.draws(left):
                if not is_ace_ten((upcard, hole)):
                    reach(count, rest, (upcard, hole), 2, 2, ())
        else:
            reach(1, left, (upcard,), 2, 2, ())
        for size in range(sum(left), -1, -1):
            for (left, dealer, waiting, hands, hand), ways in list(layers[size].items()):
                if not hand:
                    continue
                busted = total_of(hand)[0] > 21
                choice = "" if busted else self._decide(policy, hand, upcard, pair, hands)
                if busted or choice == "stand":
                    reach(ways, left, dealer, waiting, hands, ())
                    continue
                for card, count, rest in self.draws(left):
                    kept = () if choice == "double" else add(hand, card)
                    reach(ways * count, rest, dealer, waiting, hands, kept)
            for (left, dealer, waiting, hands, hand), ways in list(layers[size].items()):
                if hand or waiting == 0:
                    continue
                for card, count, rest in self.draws(left):
                    if card == pair and hands < most:
                        reach(ways * count, rest, dealer, waiting + 1, hands + 1, ())
                    else:
                        dealt = add((pair,), card)
                        result[hands][dealt][rest, dealer] += ways * count
                        reach(ways * count, rest, dealer, waiting - 1, hands, dealt)
        return result

    def plan_by_hands(
        self, pair: int, upcard: int, others: Policy | None = None
    ) -> dict[int, dict[Hand, Best]]:
        """CDP: for each number of hands the decisions that are best for the hands played then.

        The belief of a hand is over the cards left (which know of the other hands), and each
        decision is the best for it. What the other hands do does not change that belief, so any
        policy of theirs will do; the tests check that, and the result against changes of it.
        """
        plans: dict[int, dict[Hand, Best]] = {}
        others = others or self.policy("CDP1", pair, upcard)
        for number, dealt in self.reached(pair, upcard, others).items():
            beliefs: dict[Hand, Belief] = dict(dealt)
            order = sorted(beliefs)
            for hand in order:  # grows by each hand with one more card, if it may be hit
                if "hit" not in self.legal(hand, upcard, pair):
                    continue
                for (left, dealer), ways in beliefs[hand].items():
                    for card, count, rest in self.draws(left):
                        longer = add(hand, card)
                        if total_of(longer)[0] > 21:
                            continue
                        if longer not in beliefs:
                            beliefs[longer] = defaultdict(int)
                            order.append(longer)
                        beliefs[longer][rest, dealer] += ways * count
            plans[number] = self._plan(pair, upcard, beliefs)
        return plans

    def _plan(self, pair: int, upcard: int, beliefs: Mapping[Hand, Belief]) -> dict[Hand, Best]:
        plan: dict[Hand, Best] = {}
        memo: dict[tuple[Hand, Counts, Hand], int] = {}

        def value(hand: Hand, left: Counts, dealer: Hand, action: str) -> int:
            return self._try(
                hand, left, dealer, action, lambda longer, rest: follow(longer, rest, dealer)
            )

        def follow(hand: Hand, left: Counts, dealer: Hand) -> int:
            key = hand, left, dealer
            if key not in memo:
                memo[key] = value(hand, left, dealer, plan[hand][0])
            return memo[key]

        for hand in sorted(beliefs, key=len, reverse=True):
            nets = {
                action: sum(
                    ways * value(hand, left, dealer, action)
                    for (left, dealer), ways in beliefs[hand].items()
                )
                for action in self.legal(hand, upcard, pair)
            }
            plan[hand] = best_of(nets)
        return plan

    # The whole game

    def start(self, regime: str, hand: Hand, upcard: int, ways: int = 1) -> Start:
        """Every legal action of a start."""
        left = self.without(self.full, *hand, upcard)
        orders = factorial(sum(left))
        blackjacks = self.blackjack_orders(left, upcard) if self.peeks(upcard) else 0
        actions: dict[str, Value] = {}
        splits: tuple[Value, ...] = ()
        for action in self.legal(hand, upcard):
            if action == "split":
                found = islice(self.splits(regime, hand[0], upcard), MANY + 1)
                values = [self._value(sums, 3) for sums in found]
                actions[action] = values[0]
                splits = () if len(values) > MANY else tuple(set(values))
            elif action == "surrender" and self.rules.surrender != "late":
                actions[action] = self._value((-self.chip // 2 * orders, orders), 3)
            else:
                net, units = self.action_sums(hand, upcard, action)
                net -= 0 if is_ace_ten(hand) else self.chip * blackjacks
                actions[action] = self._value((net, units + blackjacks), 3)
        return Start(ways, actions, splits)

    def all_starts(self, regime: str) -> dict[tuple[Hand, int], Start]:
        """Every legal action of every start."""
        return {
            (hand, upcard): self.start(regime, hand, upcard, ways)
            for hand, upcard, ways in self.starts()
        }

    def best_policy(self, regime: str) -> Policy:
        """A whole strategy: the best first action, then the best play."""
        first: dict[tuple[Hand, int], str] = {}

        def choose(context: Context) -> str:
            hand, upcard, pair = context.hand, context.upcard, context.split_of
            if pair is not None:
                return self.policy(regime, pair, upcard)(context)
            if len(hand) > 2:
                return self.unsplit_best(hand, upcard)[0]
            if (hand, upcard) not in first:
                actions = self.start(regime, hand, upcard).actions
                first[hand, upcard] = max(actions, key=lambda action: actions[action].net)
            return first[hand, upcard]

        return choose
