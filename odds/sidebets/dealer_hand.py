"""Every finished hand of a dealer, merged as far as the conditions of a bet allow.

The hand is dealt card by card; after each, hands that hold the same cards are merged unless a
condition looks at the order. Suits are told apart only while they can still change the result:
once two suits differ, a bet on suited busts needs no further suits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from odds.cards import Rank
from odds.sidebets.bet import SideBet
from odds.sidebets.deals import (
    MAX_ROWS,
    Cells,
    Column,
    Integers,
    Masks,
    Table,
    class_size,
    too_many_deals,
)
from odds.sidebets.grouping import equal_rows, sums_by_kind
from odds.sidebets.partition import (
    ALL_SUITS,
    Partition,
    Permutation,
    depends_on_suits,
    rank_needs_of,
    suit_needs_of,
    suit_orbits,
    value_partition,
)
from odds.sidebets.syntax import Call
from odds.sidebets.vocabulary import Arguments, Batch

_POINTS = np.array([rank.points for rank in Rank], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class DealerNeeds:
    """What the conditions need to know of a finished dealer hand.

    Attributes:
        partition: The finest classes needed.
        up: The upcard is looked at by itself.
        hole: The hole card is looked at by itself.
        last: The last card is looked at by itself.
        ordered: The order of all cards matters.
        suits: Calls that look at suits (those of the last card only apart).
        last_suits: Suit classes needed for the last card alone.
    """

    partition: Partition
    up: bool
    hole: bool
    last: bool
    ordered: bool
    suits: tuple[Call, ...]
    last_suits: tuple[int, ...]

    @classmethod
    def of(cls, bet: SideBet, *, with_up: bool, with_hole: bool) -> DealerNeeds:
        """The needs of a bet; `with_up` and `with_hole` add what a draw by strategy needs."""
        touching = [
            call
            for call in bet.calls()
            if any(
                zone in ("up", "hole", "dealer") for cards in call.cards for zone, _ in cards.parts
            )
        ]
        parts = [part for call in touching for cards in call.cards for part in cards.parts]
        last_only = [
            call
            for call in touching
            if all(
                zone not in ("up", "hole") and (zone != "dealer" or position == -1)
                for cards in call.cards
                for zone, position in cards.parts
            )
        ]
        suits = tuple(c for c in touching if depends_on_suits(c) and c not in last_only)
        last_suits = suit_needs_of(tuple(dict.fromkeys(last_only)))
        if suits:  # one chain of ever coarser classes: the last card's needs hold from the start
            suits += tuple(c for c in last_only if depends_on_suits(c))
        ranks = rank_needs_of(tuple(dict.fromkeys(touching))).join(value_partition())
        finest = Partition(ranks.ranks, suit_needs_of(tuple(dict.fromkeys(suits)))).join(
            Partition(suits=last_suits)
        )
        return cls(
            partition=finest,
            up=with_up or any(zone == "up" or part == ("dealer", 1) for part in parts
                              for zone in part[:1]),
            hole=with_hole or any(zone == "hole" or part == ("dealer", 2) for part in parts
                                  for zone in part[:1]),
            last=any(part == ("dealer", -1) for part in parts),
            ordered=any(c.function.ordered for c in touching)
            or any(zone == "dealer" and (position or 0) > 2 for zone, position in parts),
            suits=tuple(dict.fromkeys(suits)),
            last_suits=last_suits if not suits else (ALL_SUITS,),
        )  # fmt: skip


def finished_hands(
    bet: SideBet, needs: DealerNeeds, base: Sequence[int], group: frozenset[Permutation]
) -> Table:
    """All finished dealer hands, from an unlimited pack (the counting leaves out the impossible).

    Raises:
        InputError: There are too many hands.
    """
    width = 0
    ranks: Cells = np.zeros((0, 1), dtype=np.int8)
    masks: Masks = np.zeros((0, 1), dtype=np.uint8)
    weights = np.ones(1, dtype=np.int64)
    nodes = np.zeros(1, dtype=np.int64)
    groups = [group]
    finished: list[tuple[Cells, Masks, Integers]] = []
    while len(weights):
        alive = _alive(needs.suits, ranks, masks)
        pieces = []
        first, kind = equal_rows(list(alive)) if len(alive) else (np.zeros(1, np.int64), None)
        for number, like in enumerate(first):
            rows = np.arange(len(weights)) if kind is None else np.flatnonzero(kind == number)
            live = tuple(call for i, call in enumerate(needs.suits) if alive[i, like])
            pieces.append(
                _deal_one(rows, nodes, groups, needs.partition, suit_needs_of(live), base)
            )
        at, rank_column, mask_column, sizes, nodes = (
            np.concatenate(columns) for columns in zip(*pieces, strict=True)
        )
        ranks = np.vstack([ranks[:, at], rank_column])
        masks = np.vstack([masks[:, at], mask_column])
        weights = weights[at] * sizes
        width += 1
        done = _stands(ranks, bet.plan.hit_soft_17) if width >= 2 else np.zeros(len(at), np.bool_)
        ended = ranks[:, done], masks[:, done], weights[done]
        if len(needs.last_suits) > 1:
            ended = _with_last_suits(*ended, needs.last_suits)
        finished.append(_merge(*ended, needs, keep_last=needs.last)[:3])
        ranks, masks, weights, nodes = _merge(
            ranks[:, ~done], masks[:, ~done], weights[~done], needs, nodes[~done]
        )
        if len(weights) > MAX_ROWS:
            raise too_many_deals()
    return _table(finished, needs.partition)


def _alive(calls: Sequence[Call], ranks: Cells, masks: Masks) -> npt.NDArray[np.uint8]:
    """For each call and deal, whether further suits can still change the result of the call."""
    alive = np.ones((len(calls), ranks.shape[1]), dtype=np.uint8)
    if not len(ranks):
        return alive
    batch = Batch(ranks, masks)
    for i, call in enumerate(calls):
        parts = [part for cards in call.cards for part in cards.parts]
        if len(call.cards) > 1 or ("dealer", None) not in parts:
            continue
        result = call.function.evaluate(Arguments((batch,), call.patterns, call.option))
        if call.function.settled is not None:
            alive[i] = result != call.function.settled
        elif call.function.name == "leading" and parts == [("dealer", None)]:
            alive[i] = result == len(ranks)
    return alive


def _deal_one(
    rows: npt.NDArray[np.intp],
    nodes: Integers,
    groups: list[frozenset[Permutation]],
    partition: Partition,
    suit_classes: tuple[int, ...],
    base: Sequence[int],
) -> tuple[npt.NDArray[np.generic], ...]:
    """Each row with every next class of card: (row, rank, mask, orbit size, node)."""
    now = Partition(partition.ranks, suit_classes)
    parts: list[tuple[npt.NDArray[np.intp], int, int, int, int]] = []
    for node in np.unique(nodes[rows]):
        at_node = rows[nodes[rows] == node]
        for mask, size, rest in suit_orbits(groups[node], suit_classes):
            if rest not in groups:
                groups.append(rest)
            parts += [
                (at_node, rank, mask, size, groups.index(rest))
                for rank in partition.representatives
                if class_size(base, now, rank, mask)
            ]
    lengths = [len(part[0]) for part in parts]
    return (
        np.concatenate([part[0] for part in parts]),
        np.repeat(np.array([part[1] for part in parts], np.int8), lengths),
        np.repeat(np.array([part[2] for part in parts], np.uint8), lengths),
        np.repeat(np.array([part[3] for part in parts], np.int64), lengths),
        np.repeat(np.array([part[4] for part in parts], np.int64), lengths),
    )


def _stands(ranks: Cells, hit_soft_17: bool) -> npt.NDArray[np.bool_]:
    hard = _POINTS[ranks].sum(axis=0)
    soft = (ranks == 0).any(axis=0) & (hard <= 11)
    total = hard + 10 * soft
    done: npt.NDArray[np.bool_] = total >= 17
    if hit_soft_17:
        done &= ~(soft & (total == 17))
    return done


def _with_last_suits(
    ranks: Cells,
    masks: Masks,
    weights: Integers,
    suit_classes: tuple[int, ...],
) -> tuple[Cells, Masks, Integers]:
    """Finished hands with the suit class of the last card told apart."""
    times = len(suit_classes)
    masks = np.repeat(masks, times, axis=1)
    masks[-1] = np.tile(np.array(suit_classes, dtype=np.uint8), len(weights))
    return np.repeat(ranks, times, axis=1), masks, np.repeat(weights, times)


def _merge(
    ranks: Cells,
    masks: Masks,
    weights: Integers,
    needs: DealerNeeds,
    nodes: Integers | None = None,
    *,
    keep_last: bool = False,
) -> tuple[Cells, Masks, Integers, Integers]:
    """Rows that hold the same cards become one; cards looked at by themselves stay in place."""
    if nodes is None:
        nodes = np.zeros(len(weights), dtype=np.int64)
    width = len(ranks)
    if needs.ordered or width < 2 or not len(weights):
        return ranks, masks, weights, nodes
    codes = ranks.astype(np.int16) * 16 + masks
    fixed = [i for i, own in ((0, needs.up), (1, needs.hole)) if own]
    fixed += [width - 1] if keep_last and width - 1 not in fixed else []
    free = [i for i in range(width) if i not in fixed]
    codes[free] = np.sort(codes[free], axis=0)
    index, kind = equal_rows([nodes, *codes])
    merged = codes[:, index]
    return (
        (merged >> 4).astype(np.int8),
        (merged & 15).astype(np.uint8),
        sums_by_kind(kind, len(index), weights),
        nodes[index],
    )


def _table(
    finished: Sequence[tuple[Cells, Masks, Integers]],
    partition: Partition,
) -> Table:
    kept = [part for part in finished if len(part[2])]
    width = max(len(ranks) for ranks, _, _ in kept)
    weights = np.concatenate([part[2] for part in kept])
    ranks = np.full((width, len(weights)), -1, dtype=np.int8)
    masks = np.zeros(ranks.shape, dtype=np.uint8)
    start = 0
    for part_ranks, part_masks, part_weights in kept:
        stop = start + len(part_weights)
        ranks[: len(part_ranks), start:stop] = part_ranks
        masks[: len(part_masks), start:stop] = part_masks
        start = stop
    columns = tuple(Column(("dealer", i + 1), partition) for i in range(width))
    return Table(columns, ranks, masks, weights)
