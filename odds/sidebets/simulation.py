"""Side bets dealt card by card from a shuffled shoe: a cross-check of the counting engine.

Nothing is counted here. Each round draws cards without replacement, hides the next cards that a
strategy would not draw, plays the dealer's hand out, and reads the tiers' conditions off the cards
on the table. With the counting engine this shares the meaning of the conditions
(`odds.sidebets.vocabulary`) and nothing of deals, classes, multiplicities or polynomials.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from odds.errors import InputError
from odds.shoe import Shoe
from odds.sidebets.bet import DealPlan, SideBet, Slot
from odds.sidebets.deals import Column, slots_of
from odds.sidebets.decisions import StrategyTable
from odds.sidebets.evaluation import Deals
from odds.sidebets.grouping import equal_rows
from odds.sidebets.language import MAX_DEALER_CARDS, PLAYER_HANDS
from odds.sidebets.partition import Partition
from odds.sidebets.results import Hits

BATCH = 1 << 17
"""Rounds that are dealt at once; part of what a seed means."""
MOST_ROUNDS = 10**9
GENERATOR = "PCG64 as in NumPy; 32 bits of its raw output a card, scaled by multiplication"
"""A place in the shoe is uniform but for less than one part in a million."""
_NOT_TAKEN = np.int32(2**31 - 1)
_GROUPED_CARDS = 3

Places = npt.NDArray[np.int32]
Faces = npt.NDArray[np.int8]
Rows = npt.NDArray[np.intp]
Bools = npt.NDArray[np.bool_]
Keys = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SimulatedBet:
    """What came in simulated rounds.

    Attributes:
        bet: The side bet.
        shoe: What each round was dealt from.
        seed: Seed of the generator.
        dealt: Rounds dealt.
        rounds: Rounds among them in which the bet could be made (`SideBet.given`).
        outcomes: How often each tier counted, to the number of rounds, in rising order.
    """

    bet: SideBet
    shoe: Shoe
    seed: int
    dealt: int
    rounds: int
    outcomes: dict[Hits, int]

    def observed(self, tier: str) -> int:
        """The rounds in which a tier counted at least once.

        Raises:
            InputError: There is no such tier.
        """
        names = [rule.name for rule in self.bet.tiers]
        if tier not in names:
            raise InputError("tier", tier, f"one of {', '.join(names)}")
        i = names.index(tier)
        return sum(number for hits, number in self.outcomes.items() if hits[i])

    @property
    def nothing(self) -> int:
        """The rounds in which no tier was hit."""
        return sum(number for hits, number in self.outcomes.items() if not any(hits))

    def mean(self, net: Callable[[Hits], Fraction]) -> Fraction:
        """The mean of a net result over the rounds.

        Raises:
            InputError: There was no round in which the bet could be made.
        """
        if not self.rounds:
            raise InputError("rounds", self.dealt, "more, so that the bet can be made in some")
        total = sum((n * net(hits) for hits, n in self.outcomes.items()), Fraction(0))
        return total / self.rounds


def simulate_bet(
    bet: SideBet,
    shoe: Shoe,
    rounds: int,
    seed: int,
    strategy: StrategyTable | None = None,
    progress: Callable[[float, str], None] | None = None,
) -> SimulatedBet:
    """Deal rounds and see which tiers they hit.

    Every round is dealt from the full shoe. Rounds in which the bet cannot be made are dealt and
    left out. The same arguments give the same result on every machine and version of NumPy.

    Args:
        bet: The side bet.
        shoe: What each round is dealt from.
        rounds: Rounds to deal, 1 to 10^9.
        seed: Seed of the generator, 0 or more.
        strategy: The decisions that the cards depend on, where `DealPlan.needs_strategy`.
        progress: Called with (fraction done, what); raising cancels.

    Raises:
        InputError: Rounds or seed out of range, no strategy where one is needed, or a shoe with
            too few cards for a round.

    Example:
        >>> bet = SideBet.parse({"pair": "pair(player)"})
        >>> found = simulate_bet(bet, Shoe.decks(8), 100_000, seed=1)
        >>> found.rounds, abs(found.observed("pair") / 100_000 - 31 / 415) < 0.003
        (100000, True)
    """
    for name, value, low, high in (("rounds", rounds, 1, MOST_ROUNDS), ("seed", seed, 0, 2**63)):
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise InputError(name, value, f"a whole number from {low} to {high}")
    if bet.plan.needs_strategy and strategy is None:
        raise InputError("strategy", None, "a table of decisions, as the cards depend on it")
    bits = np.random.PCG64(seed)
    found: Counter[Hits] = Counter()
    for start in range(0, rounds, BATCH):
        if progress is not None:
            progress(start / rounds, "dealing rounds")
        size = min(BATCH, rounds - start)
        _count(bet, _deal(bet, _Shoe(shoe, size, bits), strategy), found)
    if progress is not None:
        progress(1.0, "done")
    return SimulatedBet(bet, shoe, seed, rounds, found.total(), dict(sorted(found.items())))


class _Shoe:
    """As many full shoes as rounds, each dealt from the top: `taken` has the places drawn."""

    def __init__(self, shoe: Shoe, size: int, bits: np.random.PCG64) -> None:
        self.faces = np.repeat(np.arange(52, dtype=np.int8), shoe.counts)
        self.left = np.full(size, shoe.size, dtype=np.uint64)
        self.taken = np.zeros((0, size), dtype=np.int32)
        self.size = size
        self.bits = bits

    def draw(self, rows: Rows | None = None) -> Faces:
        """The next card of each of these rounds, as its number 0 to 51."""
        size = self.size if rows is None else len(rows)
        left = self.left if rows is None else self.left[rows]
        if size and not left.min():
            raise InputError(
                "shoe",
                len(self.faces),
                "cards enough to simulate every hand to its end (or no simulated rounds: 0)",
            )
        raw = np.asarray(self.bits.random_raw((size + 1) // 2))
        halves = np.concatenate([raw & np.uint64(2**32 - 1), raw >> np.uint64(32)])[:size]
        # a uniform place among those left: 32 bits times their number, without the low half
        place = ((halves * left) >> np.uint64(32)).astype(np.int32)
        # places drawn before, in rising order, are stepped over
        before = self.taken if rows is None else self.taken[:, rows]
        for drawn in before:
            place += place >= drawn
        later = place.copy()
        after = np.empty((len(before) + 1, size), dtype=np.int32)
        for i, drawn in enumerate(before):
            np.minimum(drawn, later, out=after[i])
            later = np.maximum(drawn, later)
        after[-1] = later
        if rows is None:
            self.taken = after
            self.left -= np.uint64(1)
        else:
            grown = np.vstack([self.taken, np.full((1, self.size), _NOT_TAKEN)])
            grown[:, rows] = after
            self.taken = grown
            self.left[rows] -= np.uint64(1)
        return self.faces[place]


def _deal(bet: SideBet, shoe: _Shoe, strategy: StrategyTable | None) -> dict[Slot, Faces]:
    """Deal a round: every slot's card number, -1 where no card was dealt."""
    plan = bet.plan
    named = {zone for call in bet.calls() for cards in call.cards for zone, _ in cards.parts}
    dealt: dict[Slot, Faces] = {}
    hands = [hand for hand in PLAYER_HANDS if hand == "player" or hand in named]
    for position in (1, 2):  # one card to each, the dealer last, twice
        for hand in hands:
            dealt[hand, position] = shoe.draw()
        dealt["up" if position == 1 else "hole", 1] = shoe.draw()
    live = None
    if plan.plays != "always":
        assert strategy is not None
        live = _play_hand(dealt, shoe, strategy, plan.plays == "if live, split rounds live")
    elif plan.next_cards:
        _deal_next(dealt, shoe, plan, strategy)
    if plan.finished:
        _play_dealer(dealt, shoe, plan.hit_soft_17, live)
    return dealt


def _values(faces: Faces) -> npt.NDArray[np.int64]:
    """Blackjack values of cards, 0 where there is none."""
    values: npt.NDArray[np.int64] = np.minimum(faces.astype(np.int64) // 4 + 1, 10)
    return np.where(faces < 0, 0, values)


class _Decisions:
    """A strategy table that is asked for many hands at once.

    A hand's key is the sum of 23 to the power of (value - 1) over its cards: how many it has of
    each value, in base 23.
    """

    def __init__(self, strategy: StrategyTable) -> None:
        codes = {"hit": 1, "double": 2, "split": 3, "surrender": 4}
        table = {
            sum(23 ** (value - 1) for value in cards) * 11 + up: codes.get(action, 0)
            for (cards, up), action in strategy.entries
        }
        self.keys = np.array(sorted(table), dtype=np.int64)
        self.codes = np.array([table[int(key)] for key in self.keys], dtype=np.int8)

    def of(self, hands: Keys, up: npt.NDArray[np.int64]) -> npt.NDArray[np.int8]:
        """0 to stand (as a hand that is not listed does), 1 hit, 2 double, 3 split, 4 surrender."""
        wanted = hands * 11 + up
        if not len(self.keys):
            return np.zeros(len(wanted), dtype=np.int8)
        at = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        return np.where(self.keys[at] == wanted, self.codes[at], np.int8(0))


def _card_keys(faces: Faces) -> Keys:
    powers = np.array([0, *(23**i for i in range(10))], dtype=np.int64)
    return powers[_values(faces)]


def _is_natural(first: Faces, second: Faces) -> Bools:
    low, high = np.sort([_values(first), _values(second)], axis=0)
    return np.asarray((low == 1) & (high == 10))


def _deal_next(
    dealt: dict[Slot, Faces], shoe: _Shoe, plan: DealPlan, strategy: StrategyTable | None
) -> None:
    """Deal the further cards of the player's hand, as far as the plan says."""
    going = np.arange(shoe.size)
    up = _values(dealt["up", 1])
    if plan.draw != "always":
        peeked = frozenset((1, 10)) if strategy is None else strategy.peeks_under
        over = _is_natural(dealt["up", 1], dealt["hole", 1]) & np.isin(up, sorted(peeked))
        going = np.flatnonzero(~over)
    decisions = _Decisions(strategy) if plan.draw == "by strategy" and strategy else None
    hands = _card_keys(dealt["player", 1]) + _card_keys(dealt["player", 2])
    for position in range(1, plan.next_cards + 1):
        again = going
        if decisions is not None:
            actions = decisions.of(hands[going], up[going])
            again = going[actions == 1]
            going = going[(actions >= 1) & (actions <= 3)]
        card = np.full(shoe.size, -1, dtype=np.int8)
        everyone = len(going) == shoe.size
        card[going] = shoe.draw(None if everyone else going)
        hands += _card_keys(card)
        dealt["next", position] = card
        going = again


def _play_hand(
    dealt: dict[Slot, Faces], shoe: _Shoe, strategy: StrategyTable, split_lives: bool
) -> Bools:
    """Play the player's hand by the strategy; whether the dealer still has to play for it."""
    decisions = _Decisions(strategy)
    up = _values(dealt["up", 1])
    hands = _card_keys(dealt["player", 1]) + _card_keys(dealt["player", 2])
    total = _values(dealt["player", 1]) + _values(dealt["player", 2])
    live = ~_is_natural(dealt["player", 1], dealt["player", 2])
    going = np.flatnonzero(live)
    while len(going):
        actions = decisions.of(hands[going], up[going])
        live[going[actions == 4]] = False
        if not split_lives:
            live[going[actions == 3]] = False
        drawing = going[(actions == 1) | (actions == 2)]
        hitting = actions[(actions == 1) | (actions == 2)] == 1
        card = shoe.draw(drawing)
        hands[drawing] += _card_keys(card)
        total[drawing] += _values(card)
        busted = total[drawing] > 21
        live[drawing[busted]] = False
        going = drawing[hitting & ~busted]
    return live


def _play_dealer(
    dealt: dict[Slot, Faces], shoe: _Shoe, hit_soft_17: bool, live: Bools | None
) -> None:
    """Draw the dealer's further cards; only in live rounds, where given."""
    first, second = dealt.pop(("up", 1)), dealt.pop(("hole", 1))
    dealt["dealer", 1], dealt["dealer", 2] = first, second
    hard = _values(first) + _values(second)
    ace = (first // 4 == 0) | (second // 4 == 0)
    going = np.arange(shoe.size) if live is None else np.flatnonzero(live)
    for position in range(3, MAX_DEALER_CARDS + 2):
        soft = ace[going] & (hard[going] <= 11)
        total = hard[going] + 10 * soft
        going = going[(total < 17) | (hit_soft_17 & soft & (total == 17))]
        if not len(going):
            break
        card = np.full(shoe.size, -1, dtype=np.int8)
        card[going] = shoe.draw(going)
        hard[going] += _values(card[going])
        ace[going] |= card[going] // 4 == 0
        dealt["dealer", position] = card


def _count(bet: SideBet, dealt: dict[Slot, Faces], found: Counter[Hits]) -> None:
    """Add what the deals hit to the counts."""
    named = {
        slot for call in bet.calls() for cards in call.cards for slot in slots_of(cards, bet.plan)
    }
    slots = list(dealt) if bet.plan.finished else [slot for slot in dealt if slot in named]
    faces = np.stack([dealt[slot] for slot in slots])
    weights = np.ones(faces.shape[1], dtype=np.int64)
    if len(slots) <= _GROUPED_CARDS:  # few different deals: each is looked at once
        index, kind = equal_rows([*(faces + np.int8(1))])
        faces, weights = faces[:, index], np.bincount(kind, minlength=len(index))
    ranks = np.where(faces < 0, np.int8(-1), faces // 4).astype(np.int8)
    masks = np.where(faces < 0, 0, 1 << (faces % 4)).astype(np.uint8)
    deals = Deals(bet, [Column(slot, Partition()) for slot in slots], ranks, masks)
    hits = _settle(bet, deals)
    if bet.given is not None:
        known = deals.truth(bet.given)
        hits, weights = hits[:, known], weights[known]
    if not len(weights):
        return
    index, kind = equal_rows([*hits])
    numbers = np.bincount(kind, weights=weights, minlength=len(index))
    for column, number in zip(hits[:, index].T.tolist(), numbers.tolist(), strict=True):
        found[tuple(column)] += int(number)


def _settle(bet: SideBet, deals: Deals) -> npt.NDArray[np.int64]:
    """How often each tier counts, shape (tiers, deals): as a dealer reads the paytable."""
    hits = np.zeros((len(bet.tiers), deals.size), dtype=np.int64)
    paid = {group: np.zeros(deals.size, dtype=np.bool_) for group in bet.groups}
    for i, tier in enumerate(bet.tiers):
        holds = deals.truth(tier.when)
        if tier.group in bet.cumulative:
            hits[i] = holds * (1 if tier.times is None else deals.amount(tier.times))
        else:
            hits[i] = holds & ~paid[tier.group]
            paid[tier.group] |= holds
    return hits
