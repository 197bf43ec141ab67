"""The counting engine: a side bet and a pack in, exact odds of every tier out.

All deals that the conditions can tell apart are looked at once (`odds.sidebets.deals`); each falls
into an outcome, and the number of ways to deal an outcome is a polynomial in the number of decks.
From then on any deck count is an evaluation of that polynomial in integers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from odds.cards import ALL_CARDS, Card
from odds.errors import InputError
from odds.shoe import MAX_DECKS, Shoe
from odds.sidebets.bet import SideBet
from odds.sidebets.dealer_hand import DealerNeeds, finished_hands
from odds.sidebets.deals import (
    MAX_ROWS,
    Cells,
    Column,
    Integers,
    Masks,
    Table,
    blocks_of,
    class_size,
    first_cards,
    too_many_deals,
)
from odds.sidebets.decisions import StrategyTable
from odds.sidebets.evaluation import Deals, dealt_only
from odds.sidebets.grouping import equal_rows, sums_by_kind
from odds.sidebets.partition import ALL_SUITS, suit_symmetries
from odds.sidebets.polynomial import Factor, Polynomial, Products, add
from odds.sidebets.results import BetCounts, BetOdds, ExampleDeal, Hits
from odds.sidebets.vocabulary import SUIT_OF_MASK

STANDARD_PACK = Shoe.decks(1)
_CHUNK = 400_000
_EXAMPLES = 3
_PREVIOUS = 64  # more than the cards of any deal: codes a factor as size index * 64 + cards gone
_NO_FACTOR = np.iinfo(np.uint16).max  # one more is 0, the least, when rows are packed

Codes = npt.NDArray[np.uint16]


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
    if bet.plan.draw == "by strategy" and strategy is None:
        raise InputError("strategy", None, "a table of decisions: this bet's cards depend on it")
    return _count(bet, pack, strategy if bet.plan.draw == "by strategy" else None)


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
    return _Counter(bet, pack, strategy).count()


class _Counter:
    """One count of one bet."""

    def __init__(self, bet: SideBet, pack: Shoe, strategy: StrategyTable | None) -> None:
        self.bet = bet
        self.strategy = strategy
        self.pack = pack
        base = pack.counts
        calls = tuple(dict.fromkeys(bet.calls()))
        group = suit_symmetries(calls, base)
        plan = bet.plan
        follows = any(z == "next" for call in calls for cards in call.cards for z, _ in cards.parts)
        by_strategy = follows and plan.draw == "by strategy"
        peeks = by_strategy and strategy is not None and bool(strategy.peeks_under)
        needs = None
        if plan.finished:
            conditional = follows and plan.draw != "always"
            needs = DealerNeeds.of(bet, with_up=conditional, with_hole=conditional)
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
        if self.first.size * (self.dealer.size if self.dealer else 1) > MAX_ROWS:
            raise too_many_deals()
        self.sizes, self.size_index = _size_index(self.columns, base)

    def count(self) -> BetCounts:
        tiers = self.bet.tiers
        holds = np.zeros(len(tiers), dtype=np.int64)
        hidden: list[dict[str, None]] = [{} for _ in tiers]
        examples: list[list[ExampleDeal]] = [[] for _ in range(len(tiers) + 1)]
        ways: dict[Hits, dict[tuple[int, ...], int]] = {}
        rows = 0
        for ranks, masks, weights, factors in self.chunks():
            seen = Deals(self.bet, self.columns, ranks, masks)
            dealt = dealt_only(seen, self.columns, self.strategy)
            if self.bet.plan.draw != "always":
                ranks, masks = np.where(dealt, ranks, np.int8(-1)), masks * dealt
                seen = Deals(self.bet, self.columns, ranks, masks)
            if self.bet.given is not None:
                known = seen.truth(self.bet.given)
                seen = Deals(self.bet, self.columns, ranks[:, known], masks[:, known])
                factors, weights = factors[:, known], weights[known]
            rows += seen.size
            hits = self.settle(seen, holds, hidden)
            self.collect_examples(seen, hits, factors, examples)
            _collect(ways, hits, factors, weights)
        return self.finish(ways, rows, holds, hidden, examples)

    def chunks(self) -> Iterator[tuple[Cells, Masks, Integers, Codes]]:
        """All deals, first cards combined with dealer hands, in pieces of bounded size.

        Yields:
            Ranks, masks, weights, and for each card its factor as one code, sorted.
        """
        first, dealer = self.first, self.dealer
        step = _CHUNK if dealer is None else max(1, _CHUNK // dealer.size)
        own = self.gone(first.ranks, first.masks, 0)
        if dealer is not None:
            hand_ranks, hand_masks = _finest_first(dealer)
            hand_gone = self.gone(hand_ranks, hand_masks, len(first.ranks))
        for start in range(0, first.size, step):
            piece = slice(start, start + step)
            ranks, masks, weights = (
                first.ranks[:, piece],
                first.masks[:, piece],
                first.weights[piece],
            )
            codes = self.codes(ranks, masks, own[:, piece], 0)
            if dealer is None:
                yield ranks, masks, weights, _sorted(codes)
                continue
            many, repeat = dealer.size, len(weights)
            ranks, masks = np.repeat(ranks, many, axis=1), np.repeat(masks, many, axis=1)
            all_ranks = np.vstack([ranks, np.tile(dealer.ranks, repeat)])
            all_masks = np.vstack([masks, np.tile(dealer.masks, repeat)])
            hands = np.tile(hand_ranks, repeat), np.tile(hand_masks, repeat)
            gone = np.tile(hand_gone, repeat)
            for j in range(len(hand_ranks)):
                gone[j] += self.inside(ranks, masks, hands[0][j], hands[1][j], len(ranks) + j)
            codes = np.vstack(
                [np.repeat(codes, many, axis=1), self.codes(*hands, gone, len(ranks))]
            )
            weights = np.repeat(weights, many) * np.tile(dealer.weights, repeat)
            yield all_ranks, all_masks, weights, _sorted(codes)

    def inside(self, ranks: Cells, masks: Masks, rank: Cells, mask: Masks, column: int) -> Codes:
        """How many of these cards are in the class of one card of the given column."""
        lowest = np.array([*self.columns[column].partition.ranks, -2], dtype=np.int8)
        found = np.zeros(len(rank), dtype=np.uint16)
        for i in range(len(ranks)):
            found += (lowest[ranks[i]] == rank) & ((masks[i] & ~mask) == 0)
        return found

    def gone(self, ranks: Cells, masks: Masks, start: int) -> Codes:
        """For each card of a table the cards of its class among those before it in the table."""
        counts = [
            self.inside(ranks[:j], masks[:j], ranks[j], masks[j], start + j)
            for j in range(len(ranks))
        ]
        return np.array(counts, dtype=np.uint16).reshape(ranks.shape)

    def codes(self, ranks: Cells, masks: Masks, gone: Codes, start: int) -> Codes:
        """Class size and cards gone of each card as one code."""
        codes = np.full(ranks.shape, _NO_FACTOR, dtype=np.uint16)
        for j in range(len(ranks)):
            index = self.size_index[start + j][ranks[j], masks[j]]
            code = index * np.uint16(_PREVIOUS) + gone[j]
            codes[j] = np.where(ranks[j] >= 0, code, _NO_FACTOR)
        return codes

    def settle(
        self, deals: Deals, holds: npt.NDArray[np.int64], hidden: list[dict[str, None]]
    ) -> npt.NDArray[np.uint8]:
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
                holds[i] += int(here.sum())
                if group in self.bet.cumulative:
                    times = 1 if tier.times is None else np.minimum(deals.amount(tier.times), 255)
                    hits[i] = here * times
                    continue
                for name, earlier in taken:
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
        hits: npt.NDArray[np.uint8],
        factors: Codes,
        examples: list[list[ExampleDeal]],
    ) -> None:
        """Keep a few deals for each tier, spread over those there are."""
        for i, found in enumerate(examples):
            if len(found) >= _EXAMPLES:
                continue
            rows = np.flatnonzero(hits[i] if i < len(hits) else ~hits.any(axis=0))
            spread = np.unique(np.linspace(0, len(rows) - 1, 12).astype(np.int64))[: len(rows)]
            likely = [r for r in rows[spread] if self.possible(factors[:, r], MAX_DECKS)]
            for row in likely[:: max(1, len(likely) // _EXAMPLES)][: _EXAMPLES - len(found)]:
                found.append(self.example(deals, int(row)))

    def possible(self, codes: Codes, decks: int) -> bool:
        """Whether a deal with these factors can be dealt from so many packs."""
        return all(size * decks > gone for size, gone in self.factors(codes))

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

    def factors(self, codes: Iterable[int]) -> tuple[Factor, ...]:
        """The factors that a row of codes stands for."""
        return tuple(
            (self.sizes[int(code) // _PREVIOUS], int(code) % _PREVIOUS)
            for code in codes
            if code != _NO_FACTOR
        )

    def finish(
        self,
        ways: dict[Hits, dict[tuple[int, ...], int]],
        rows: int,
        holds: npt.NDArray[np.int64],
        hidden: list[dict[str, None]],
        examples: list[list[ExampleDeal]],
    ) -> BetCounts:
        longest = len(self.columns)
        products = Products(self.pack.size, longest)
        polynomials: dict[Hits, Polynomial] = {}
        for hits, by_factors in ways.items():
            total: list[int] = [0] * (longest + 1)
            for codes, number in by_factors.items():
                for power, coefficient in enumerate(products.of(self.factors(codes))):
                    total[power] += number * coefficient
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
            longest,
            rows,
            tuple(int(number) for number in holds),
            tuple(tuple(names) for names in hidden),
            tuple(tuple(found) for found in examples),
        )


def _looks_at_dealer(bet: SideBet) -> bool:
    zones = {z for call in bet.calls() for cards in call.cards for z, _ in cards.parts}
    drawn = "next" in zones and bet.plan.draw != "always"
    return drawn or not zones.isdisjoint({"up", "hole", "dealer"})


def _place(column: Column) -> tuple[int, int]:
    zone, position = column.slot
    order = ("player", "player2", "player3", "player4", "player5", "next", "up", "hole", "dealer")
    return order.index(zone), position


def _size_index(
    columns: Sequence[Column], base: Sequence[int]
) -> tuple[list[int], list[npt.NDArray[np.uint16]]]:
    """The different class sizes, and for each column which one a (rank, mask) has."""
    tables = []
    for column in columns:
        table = np.zeros((13, 16), dtype=np.int64)
        for rank in column.partition.representatives:
            for mask in range(1, 16):
                table[rank, mask] = class_size(base, column.partition, rank, mask)
        tables.append(table)
    sizes = sorted({int(size) for table in tables for size in np.unique(table)})
    return sizes, [np.searchsorted(sizes, table).astype(np.uint16) for table in tables]


def _collect(
    ways: dict[Hits, dict[tuple[int, ...], int]],
    hits: npt.NDArray[np.uint8],
    factors: Codes,
    weights: Integers,
) -> None:
    """Add the weights of a batch by outcome and factors."""
    if not len(weights):
        return
    index, kind = equal_rows([*hits, *(factors + np.uint16(1))])
    sums = sums_by_kind(kind, len(index), weights)
    outcomes, codes = hits[:, index].T.tolist(), factors[:, index].T.tolist()
    for outcome, code, number in zip(outcomes, codes, sums.tolist(), strict=True):
        by_factors = ways.setdefault(tuple(outcome), {})
        key = tuple(code)
        by_factors[key] = by_factors.get(key, 0) + number


def _finest_first(dealer: Table) -> tuple[Cells, Masks]:
    """A dealer's cards with the finest suit classes first, so that the others follow from them."""
    if (dealer.masks[dealer.ranks >= 0] == ALL_SUITS).all():
        return dealer.ranks, dealer.masks
    order = np.argsort(
        np.bitwise_count(dealer.masks) + 8 * (dealer.ranks < 0), axis=0, kind="stable"
    )
    return np.take_along_axis(dealer.ranks, order, 0), np.take_along_axis(dealer.masks, order, 0)


def _sorted(codes: Codes) -> Codes:
    """Each deal's codes in rising order, by exchanges of whole rows."""
    for last in range(len(codes) - 1, 0, -1):
        for i in range(last):
            low, high = np.minimum(codes[i], codes[i + 1]), np.maximum(codes[i], codes[i + 1])
            codes[i], codes[i + 1] = low, high
    return codes
