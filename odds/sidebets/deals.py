"""The deals that a bet can tell apart, with their multiplicities: first cards and drawn cards.

A `Table` has one row per card and one column per class of deals. Its multiplicity counts the
arrangements that were merged into it (the order of interchangeable cards, renamed suits), not the
cards of a class: that depends on the pack and is left to `odds.sidebets.counting`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np
import numpy.typing as npt

from odds.errors import InputError
from odds.sidebets.bet import DealPlan, SideBet, Slot
from odds.sidebets.language import PLAYER_HANDS
from odds.sidebets.partition import (
    ALL_SUITS,
    Partition,
    Permutation,
    natural_partition,
    needs_of,
    suit_orbits,
    value_partition,
)
from odds.sidebets.syntax import Call, Cards

MAX_ROWS = 5_000_000
"""The most deals that are looked at; a bet that needs more is refused."""

MAX_WORK = 500_000_000
"""The most deals times function calls; a bet that needs more is refused."""

DEALER_SLOTS = ("up", "hole")
Integers = npt.NDArray[np.int64]
Cells = npt.NDArray[np.int8]
Masks = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Column:
    """One card of the deal: where it lies and into which classes it falls."""

    slot: Slot
    partition: Partition


@dataclass(frozen=True, slots=True)
class Table:
    """Classes of deals.

    Attributes:
        columns: What each column is.
        ranks: Lowest rank of the class of ranks, shape (cards, deals), -1 where there is no card.
        masks: Suits of the class as a mask, same shape, 0 where there is no card.
        weights: Arrangements merged into the deal, shape (deals,).
    """

    columns: tuple[Column, ...]
    ranks: Cells
    masks: Masks
    weights: Integers

    @property
    def size(self) -> int:
        """The number of classes of deals."""
        return len(self.weights)


def slots_of(cards: Cards, plan: DealPlan) -> tuple[Slot, ...]:
    """The slots that an argument names, in order; a finished dealer hand is ``("dealer", 0)``."""
    slots: list[Slot] = []
    for zone, position in cards.parts:
        if zone == "dealer" and position in (None, 1, 2) and not plan.finished:
            slots += [("up", 1), ("hole", 1)] if position is None else [
                (DEALER_SLOTS[position - 1], 1)
            ]  # fmt: skip
        elif zone == "dealer":
            slots.append(("dealer", position or 0))
        elif position is not None:
            slots.append((zone, position))
        else:
            size = {"up": 1, "hole": 1, "next": plan.next_cards}.get(zone, 2)
            slots += [(zone, i) for i in range(1, size + 1)]
    return tuple(slots)


def _positional(call: Call, cards: Cards) -> bool:
    """Whether the order of these cards matters to the call."""
    return call.function.ordered or any(
        position is not None and zone in (*PLAYER_HANDS, "next") for zone, position in cards.parts
    )


@dataclass(frozen=True, slots=True)
class Block:
    """Cards that every condition treats alike, counted without regard to their order."""

    slots: tuple[Slot, ...]
    partition: Partition


def blocks_of(bet: SideBet, peeks: bool, dealer_partition: Partition | None) -> tuple[Block, ...]:
    """The first and drawn cards that matter, grouped where they are interchangeable.

    Args:
        bet: The side bet.
        peeks: Whether a strategy-dependent draw also depends on a dealer blackjack.
        dealer_partition: What a finished dealer hand needs to know of the other cards, or None.

    Returns:
        Blocks in the order of counting, each at least as fine as all that follow: only then is the
        number of cards left in a class known from the cards before.
    """
    seen: dict[Slot, list[object]] = {}
    calls: dict[Slot, list[Call]] = {}
    for number, call in enumerate(bet.calls()):
        for which, cards in enumerate(call.cards):
            ordered = _positional(call, cards)
            for place, slot in enumerate(slots_of(cards, bet.plan)):
                seen.setdefault(slot, []).append((number, which, place if ordered else None))
                calls.setdefault(slot, []).append(call)
    extra = _draw_needs(bet.plan, peeks, drawn=any(zone == "next" for zone, _ in seen))
    for slot in extra:
        seen.setdefault(slot, []).append(slot[0])
    for slot in seen:
        if slot[0] == "next":  # whether it is dealt depends on its place
            seen[slot].append(slot)
    groups: dict[tuple[object, ...], list[Slot]] = {}
    for slot, signature in seen.items():
        if not (bet.plan.finished and slot[0] in (*DEALER_SLOTS, "dealer")):
            groups.setdefault(tuple(signature), []).append(slot)
    blocks = [
        Block(
            tuple(sorted(slots)),
            needs_of(tuple(dict.fromkeys(calls.get(slots[0], ())))).join(
                extra.get(slots[0], Partition())
            ),
        )
        for slots in groups.values()
    ]
    blocks.sort(key=lambda block: (-block.partition.size, block.slots))
    refined: list[Block] = []
    floor = dealer_partition or Partition()
    for block in reversed(blocks):
        floor = floor.join(block.partition)
        refined.append(Block(block.slots, floor))
    return tuple(reversed(refined))


def _draw_needs(plan: DealPlan, peeks: bool, *, drawn: bool) -> dict[Slot, Partition]:
    """What must be known to tell whether the next cards are dealt."""
    if not drawn or plan.draw == "always":
        return {}
    needs: dict[Slot, Partition] = {}
    if plan.draw == "by strategy":
        for i in (1, 2):
            needs["player", i] = value_partition()
        needs["up", 1] = value_partition()
        for i in range(1, plan.next_cards):
            needs["next", i] = value_partition()
        if peeks:
            needs["hole", 1] = natural_partition()
    else:
        needs = {("up", 1): natural_partition(), ("hole", 1): natural_partition()}
    return needs


def count_rows(blocks: Sequence[Block], base: Sequence[int], group: frozenset[Permutation]) -> int:
    """At least as many deals as `first_cards` looks at, without looking at them."""
    rows = 1
    nodes = {group: 1}
    for block in blocks:
        ranks = sum(
            class_size(base, block.partition, rank, ALL_SUITS) > 0
            for rank in block.partition.representatives
        )
        suits = tuple(
            mask
            for mask in block.partition.suits
            if any(count and mask >> i % 4 & 1 for i, count in enumerate(base))
        )
        rows *= comb(ranks + len(block.slots) - 1, len(block.slots))
        for _ in block.slots:
            following: dict[frozenset[Permutation], int] = {}
            for node, number in nodes.items():
                for _, _, rest in suit_orbits(node, suits):
                    following[rest] = following.get(rest, 0) + number
            nodes = following
    return rows * sum(nodes.values())


def first_cards(
    blocks: Sequence[Block], base: Sequence[int], group: frozenset[Permutation]
) -> Table:
    """All classes of deals of these blocks from a pack.

    Args:
        blocks: As `blocks_of` gives them.
        base: 52 counts of the pack; classes without a card are left out.
        group: The renamings of suits that change nothing (`suit_symmetries`).

    Raises:
        InputError: There are too many deals.
    """
    if count_rows(blocks, base, group) > MAX_ROWS:
        raise too_many_deals()
    columns = [Column(slot, block.partition) for block in blocks for slot in block.slots]
    ranks: Cells = np.zeros((0, 1), dtype=np.int8)
    masks: Masks = np.zeros((0, 1), dtype=np.uint8)
    weights = np.ones(1, dtype=np.int64)
    groups = [group]
    nodes = np.zeros(1, dtype=np.int64)
    for block in blocks:
        previous = np.full(len(weights), -1, dtype=np.int8)
        runs = np.zeros(len(weights), dtype=np.int64)
        for place in range(1, len(block.slots) + 1):
            parts: list[tuple[npt.NDArray[np.intp], int, int, int, int]] = []
            for node in np.unique(nodes):
                rows = np.flatnonzero(nodes == node)
                for mask, size, rest in suit_orbits(groups[node], block.partition.suits):
                    if rest not in groups:
                        groups.append(rest)
                    for rank in block.partition.representatives:
                        if class_size(base, block.partition, rank, mask):
                            fitting = rows[previous[rows] <= rank]
                            parts.append((fitting, rank, mask, size, groups.index(rest)))
            lengths = [len(part[0]) for part in parts]
            at = np.concatenate([part[0] for part in parts]) if parts else np.zeros(0, np.intp)
            rank_column = np.repeat(np.array([p[1] for p in parts], np.int8), lengths)
            mask_column = np.repeat(np.array([p[2] for p in parts], np.uint8), lengths)
            sizes = np.repeat(np.array([p[3] for p in parts], np.int64), lengths)
            nodes = np.repeat(np.array([p[4] for p in parts], np.int64), lengths)
            runs = np.where(previous[at] == rank_column, runs[at] + 1, 1)
            # The multinomial coefficient of the ranks, one card at a time: always whole.
            weights = weights[at] * place // runs * sizes
            ranks = np.vstack([ranks[:, at], rank_column])
            masks = np.vstack([masks[:, at], mask_column])
            previous = rank_column
    return Table(tuple(columns), ranks, masks, weights)


def too_many_deals() -> InputError:
    """The error for a bet that looks at too many cards in too much detail."""
    allowed = (
        f"conditions that tell at most {MAX_ROWS:,} deals apart: look at fewer cards, or in less "
        "detail (totals and blackjacks need less than ranks and suits), or call fewer functions"
    )
    return InputError("conditions", "too many different deals", allowed)


def class_size(base: Sequence[int], partition: Partition, rank: int, mask: int) -> int:
    """How many cards of the pack are in the class of a (lowest) rank and a suit mask."""
    return sum(
        base[4 * r + s]
        for r in range(13)
        if partition.ranks[r] == rank
        for s in range(4)
        if mask >> s & 1
    )
