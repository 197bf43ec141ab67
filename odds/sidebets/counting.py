"""The counting engine: a side bet and a pack in, exact odds of every tier out.

All deals that the conditions can tell apart are looked at once (`odds.sidebets.deals`); each falls
into an outcome, and the number of ways to deal an outcome is a polynomial in the number of decks.
From then on any deck count is an evaluation of that polynomial in integers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from odds.cards import ALL_CARDS, Card
from odds.errors import InputError
from odds.shoe import MAX_DECKS, Shoe
from odds.sidebets.bet import SideBet
from odds.sidebets.dead_rounds import dead_hands, dead_table
from odds.sidebets.dealer_hand import DealerNeeds, finished_hands
from odds.sidebets.deals import (
    MAX_ROWS,
    MAX_WORK,
    Column,
    Integers,
    Table,
    blocks_of,
    first_cards,
    too_many_deals,
)
from odds.sidebets.decisions import StrategyTable
from odds.sidebets.evaluation import Deals, dealt_only
from odds.sidebets.factors import Codes, Factors
from odds.sidebets.grouping import equal_rows, sums_by_kind
from odds.sidebets.partition import suit_symmetries
from odds.sidebets.polynomial import Factor, Polynomial, Products, add
from odds.sidebets.results import BetCounts, BetOdds, ExampleDeal, Hits
from odds.sidebets.syntax import Call
from odds.sidebets.vocabulary import SUIT_OF_MASK

STANDARD_PACK = Shoe.decks(1)
_EXAMPLES = 3
Hits8 = npt.NDArray[np.uint8]
Ways = dict[Hits, dict[tuple[Factor, ...], int]]
"""For each outcome the number of arrangements with each set of factors."""


def count_bet(
    bet: SideBet, pack: Shoe = STANDARD_PACK, strategy: StrategyTable | None = None
) -> BetCounts:
    """Count a bet once for any number of packs.

    Args:
        bet: The side bet.
        pack: One pack, such as the standard 52 cards or 48 without the tens.
        strategy: What the main game's strategy does; needed where the plan draws by strategy. The
            counts are exact for this table of decisions, whatever the number of decks.

    Raises:
        InputError: The bet looks at too many deals, or a strategy is missing.

    Example:
        >>> counts = count_bet(SideBet.parse({"pair": "pair(player)"}))
        >>> counts.at(6).tier("pair").probability, counts.at(8).tier("pair").probability
        (Fraction(23, 311), Fraction(31, 415))
    """
    if bet.plan.needs_strategy and strategy is None:
        raise InputError("strategy", None, "a table of decisions: this bet's cards depend on it")
    return _count(bet, pack, strategy if bet.plan.needs_strategy else None)


def bet_odds(
    bet: SideBet,
    decks: int | None = None,
    shoe: Shoe | None = None,
    strategy: StrategyTable | None = None,
) -> BetOdds:
    """Exact odds of a bet for a number of decks or for any shoe.

    Raises:
        InputError: Neither or both of decks and shoe, or see `count_bet`.

    Example:
        >>> suited = SideBet.parse({"suited": "suited(player)"})
        >>> bet_odds(suited, decks=1).nothing
        Fraction(13, 17)
        >>> bet_odds(suited, shoe=Shoe.decks(1).remove("AS")).nothing
        Fraction(13, 17)
    """
    if (decks is None) == (shoe is None):
        raise InputError("decks", decks, "a number of decks or a shoe, and not both")
    if shoe is None:
        return count_bet(bet, STANDARD_PACK, strategy).at(decks if decks is not None else 0)
    if (packs := shoe.full_decks) is not None and packs <= MAX_DECKS:
        return count_bet(bet, STANDARD_PACK, strategy).at(packs)
    return count_bet(bet, shoe, strategy).at(1)


@lru_cache(maxsize=256)
def _count(bet: SideBet, pack: Shoe, strategy: StrategyTable | None) -> BetCounts:
    return Counter(bet, pack, strategy).count()


class Counter:
    """One count of one bet.

    Args:
        bet: The side bet.
        pack: One pack.
        strategy: What the main game's strategy does, where the plan needs it.
        symmetric: Look at one deal only of those that differ by names of suits.
    """

    def __init__(
        self, bet: SideBet, pack: Shoe, strategy: StrategyTable | None, *, symmetric: bool = True
    ) -> None:
        self.bet = bet
        self.strategy = strategy
        self.pack = pack
        base = pack.counts
        calls = tuple(dict.fromkeys(bet.calls()))
        group = suit_symmetries(calls, base) if symmetric else frozenset({(0, 1, 2, 3)})
        plan = bet.plan
        follows = any(z == "next" for call in calls for cards in call.cards for z, _ in cards.parts)
        by_strategy = follows and plan.draw == "by strategy"
        peeks = by_strategy and strategy is not None and bool(strategy.peeks_under)
        needs = None
        if plan.finished:
            alone_too = plan.plays != "always" or (follows and plan.draw != "always")
            needs = DealerNeeds.of(bet, with_up=alone_too, with_hole=alone_too)
        self.blocks = blocks_of(bet, peeks, needs.partition if needs else None)
        # Suits may be renamed in one of the two tables only, since a renaming moves both.
        both = needs is not None and len(needs.partition.suits) > 1 and bool(self.blocks)
        alone = frozenset({(0, 1, 2, 3)}) if both else group
        self.first = first_cards(self.blocks, base, alone)
        self.dealer: Table | None = None
        if needs is not None and _looks_at_dealer(bet):
            self.dealer = finished_hands(bet, needs, base, alone)
        self.columns: tuple[Column, ...] = self.first.columns
        if self.dealer is not None:
            self.columns += self.dealer.columns
        deals = self.first.size * (self.dealer.size if self.dealer else 1)
        if deals > MAX_ROWS or deals * sum(map(_work, calls)) > MAX_WORK:
            raise too_many_deals()
        self.factors = Factors(self.columns, base)
        self.longest = len(self.columns)

    def count(self) -> BetCounts:
        """The counts of every outcome, with what the diagnosis needs."""
        tiers = self.bet.tiers
        holds = np.zeros(len(tiers), dtype=np.int64)
        hidden: list[dict[str, None]] = [{} for _ in tiers]
        examples: list[list[ExampleDeal]] = [[] for _ in range(len(tiers) + 1)]
        ways: Ways = {}
        rows = 0
        for seen, weights, codes in self.deals():
            rows += seen.size
            hits = self.settle(seen, holds, hidden)
            self.collect_examples(seen, hits, codes, examples)
            _collect(ways, self.factors, hits, codes, weights)
        if self.bet.plan.plays != "always" and self.dealer is not None:
            self.leave_out_dead_rounds(ways, self.dealer)
        return self.finish(ways, rows, holds, hidden, examples)

    def deals(self) -> Iterator[tuple[Deals, Integers, Codes]]:
        """All deals in which the bet can be made, in batches, with their weights and factors."""
        for ranks, masks, weights, codes in self.factors.batches(self.first, self.dealer):
            seen = Deals(self.bet, self.columns, ranks, masks)
            dealt = dealt_only(seen, self.columns, self.strategy)
            if self.bet.plan.draw != "always":
                ranks, masks = np.where(dealt, ranks, np.int8(-1)), masks * dealt
                seen = Deals(self.bet, self.columns, ranks, masks)
            if self.bet.given is not None:
                known = seen.truth(self.bet.given)
                seen = Deals(self.bet, self.columns, ranks[:, known], masks[:, known])
                codes, weights = codes[:, known], weights[known]
            yield seen, weights, codes

    def leave_out_dead_rounds(self, ways: Ways, dealer: Table) -> None:
        """Where the round is over before the dealer draws, count the first two cards instead."""
        assert self.strategy is not None
        for up in range(1, 11):
            dead = dead_hands(
                self.strategy,
                up,
                split_rounds_are_dead=self.bet.plan.plays == "if live, split rounds dead",
            )
            hands, played, shown = self.changed_by_playing(dealer, up)
            if not dead or not hands.size:
                continue
            players = dead_table(dead)
            columns = (*dealer.columns, *players.columns)
            self.longest = max(self.longest, len(columns))
            factors = Factors(columns, self.pack.counts)
            start = 0
            for _, _, weights, codes in factors.batches(hands, players):
                piece = slice(start, start := start + len(weights) // players.size)
                for hits, sign in ((played, -1), (shown, 1)):
                    repeated = np.repeat(hits[:, piece], players.size, axis=1)
                    _collect(ways, factors, repeated, codes, sign * weights)

    def changed_by_playing(self, dealer: Table, up: int) -> tuple[Table, Hits8, Hits8]:
        """The dealer hands with this upcard whose outcome is another if only two cards are shown.

        Returns:
            The hands (those that hold the same cards merged), and the hits of each when it is
            played out and when it is not.
        """
        own = np.minimum(dealer.ranks[0] + 1, 10) == up
        ranks, masks, weights = dealer.ranks[:, own], dealer.masks[:, own], dealer.weights[own]
        deals = Deals(self.bet, dealer.columns, ranks, masks)
        two_ranks, two_masks = ranks.copy(), masks.copy()
        two_ranks[2:], two_masks[2:] = -1, 0
        played = self.settle(deals)
        shown = self.settle(Deals(self.bet, dealer.columns, two_ranks, two_masks))
        known = (played != shown).any(axis=0)
        if self.bet.given is not None:
            known &= deals.truth(self.bet.given)
        cards = np.sort(ranks[:, known].astype(np.int16) * 16 + masks[:, known], axis=0)[::-1]
        played, shown = played[:, known], shown[:, known]
        index, kind = equal_rows([*(cards + np.int16(16)), *played, *shown])
        merged = Table(
            dealer.columns,
            (cards[:, index] >> 4).astype(np.int8),
            (cards[:, index] & 15).astype(np.uint8),
            sums_by_kind(kind, len(index), weights[known]),
        )
        return merged, played[:, index], shown[:, index]

    def settle(
        self,
        deals: Deals,
        holds: Integers | None = None,
        hidden: Sequence[dict[str, None]] = (),
    ) -> Hits8:
        """How often each tier counts, by precedence within each group: shape (tiers, deals)."""
        tiers = self.bet.tiers
        hits = np.zeros((len(tiers), deals.size), dtype=np.uint8)
        for group in self.bet.groups:
            taken: list[tuple[str, npt.NDArray[np.bool_]]] = []
            free = np.ones(deals.size, dtype=np.bool_)
            for i, tier in enumerate(tiers):
                if tier.group != group:
                    continue
                here = deals.truth(tier.when)
                if holds is not None:
                    holds[i] += int(here.sum())
                if group in self.bet.cumulative:
                    times = 1 if tier.times is None else np.minimum(deals.amount(tier.times), 255)
                    hits[i] = here * times
                    continue
                for name, earlier in taken if hidden else ():
                    if (here & earlier).any():
                        hidden[i][name] = None
                own = here & free
                hits[i] = own
                taken.append((tier.name, own))
                free &= ~here
        return hits

    def collect_examples(
        self,
        deals: Deals,
        hits: Hits8,
        codes: Codes,
        examples: list[list[ExampleDeal]],
    ) -> None:
        """Keep a few deals for each tier, spread over those there are."""
        for i, found in enumerate(examples):
            if len(found) >= _EXAMPLES:
                continue
            rows = np.flatnonzero(hits[i] if i < len(hits) else ~hits.any(axis=0))
            spread = np.unique(np.linspace(0, len(rows) - 1, 12).astype(np.int64))[: len(rows)]
            likely = [r for r in rows[spread] if self.possible(codes[:, r], MAX_DECKS)]
            for row in likely[:: max(1, len(likely) // _EXAMPLES)][: _EXAMPLES - len(found)]:
                found.append(self.example(deals, int(row)))

    def possible(self, codes: Codes, decks: int) -> bool:
        """Whether a deal with these factors can be dealt from so many packs."""
        return all(size * decks > gone for size, gone in self.factors.of(codes))

    def example(self, deals: Deals, row: int) -> ExampleDeal:
        """One deal as cards by place; where a suit cannot matter, suits are dealt in turn."""
        places: dict[str, list[Card]] = {}
        order = sorted(range(len(self.columns)), key=lambda i: _place(self.columns[i]))
        for turn, i in enumerate(order):
            rank, suit = int(deals.ranks[i, row]), int(SUIT_OF_MASK[deals.masks[i, row]])
            if rank >= 0:
                suit = suit if 0 <= suit < 4 else turn % 4
                places.setdefault(self.columns[i].slot[0], []).append(ALL_CARDS[4 * rank + suit])
        return tuple((place, tuple(cards)) for place, cards in places.items())

    def finish(
        self,
        ways: Ways,
        rows: int,
        holds: npt.NDArray[np.int64],
        hidden: list[dict[str, None]],
        examples: list[list[ExampleDeal]],
    ) -> BetCounts:
        """The counts as polynomials in the number of packs."""
        products = Products(self.pack.size, self.longest)
        polynomials: dict[Hits, Polynomial] = {}
        for hits, by_factors in ways.items():
            total: list[int] = [0] * (self.longest + 1)
            for factors, number in by_factors.items():
                for power, coefficient in enumerate(products.of(factors)):
                    total[power] += number * coefficient
            if any(total):
                polynomials[hits] = tuple(total)
        everything = products.total()
        if self.bet.given is not None:
            everything = (0,)
            for polynomial in polynomials.values():
                everything = add(everything, polynomial)
        return BetCounts(
            self.bet,
            self.pack,
            polynomials,
            everything,
            math.prod(math.factorial(len(block.slots)) for block in self.blocks),
            self.longest,
            rows,
            tuple(int(number) for number in holds),
            tuple(tuple(names) for names in hidden),
            tuple(tuple(found) for found in examples),
        )


def _work(call: Call) -> int:
    """How many passes over the deals a call takes, roughly."""
    patterns = len(call.patterns)
    return 2**patterns if call.function.name in ("has", "exactly") else 1 + patterns


def _looks_at_dealer(bet: SideBet) -> bool:
    zones = {z for call in bet.calls() for cards in call.cards for z, _ in cards.parts}
    drawn = "next" in zones and bet.plan.draw != "always"
    return drawn or not zones.isdisjoint({"up", "hole", "dealer"})


def _place(column: Column) -> tuple[int, int]:
    zone, position = column.slot
    order = ("player", "player2", "player3", "player4", "player5", "next", "up", "hole", "dealer")
    return order.index(zone), position


def _collect(
    ways: Ways,
    factors: Factors,
    hits: Hits8,
    codes: Codes,
    weights: Integers,
) -> None:
    """Add the weights of a batch by outcome and factors."""
    if not len(weights):
        return
    index, kind = equal_rows([*hits, *(codes + np.uint16(1))])  # no factor becomes 0, the least
    sums = sums_by_kind(kind, len(index), weights)
    outcomes, rows = hits[:, index].T.tolist(), codes[:, index].T.tolist()
    for outcome, row, number in zip(outcomes, rows, sums.tolist(), strict=True):
        by_factors = ways.setdefault(tuple(outcome), {})
        key = factors.of(row)
        by_factors[key] = by_factors.get(key, 0) + number
