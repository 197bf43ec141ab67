"""Classes of cards that no condition of a bet can tell apart, and the symmetry of the suits.

A bet on totals cannot tell a jack of hearts from a king of clubs: it is counted over ten classes of
cards instead of 52. A class is a set of ranks with a set of suits. Suits that the conditions only
compare with each other may be renamed, so only one deal of each orbit is looked at.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from odds.cards import Rank, Suit
from odds.sidebets.syntax import Call
from odds.sidebets.vocabulary import RankNeed, SuitNeed

Permutation = tuple[int, int, int, int]
ALL_SUITS = 0b1111
"""The mask of all four suits; bit s stands for suit s."""

_COLOUR = [int(suit.colour.value == "red") for suit in Suit]
_RANK_KEYS: dict[RankNeed, Callable[[Rank], int]] = {
    RankNeed.NOTHING: lambda rank: 0,
    RankNeed.NATURAL: lambda rank: {1: 1, 10: 10}.get(rank.points, 0),
    RankNeed.VALUE: lambda rank: rank.points,
    RankNeed.RANK: int,
}


@dataclass(frozen=True, slots=True)
class Partition:
    """Card classes of one card of the deal: each is a class of ranks with a class of suits.

    Attributes:
        ranks: For each of the 13 ranks, the lowest rank of its class.
        suits: The suit classes as masks.
    """

    ranks: tuple[int, ...] = (0,) * 13
    suits: tuple[int, ...] = (ALL_SUITS,)

    def join(self, other: Partition) -> Partition:
        """The coarsest partition that is at least as fine as both."""
        masks = {a & b for a in self.suits for b in other.suits} - {0}
        return Partition(
            _by_key([(a, b) for a, b in zip(self.ranks, other.ranks, strict=True)]),
            tuple(sorted(masks, key=_lowest_suit)),
        )

    @property
    def size(self) -> int:
        """The number of classes."""
        return len(set(self.ranks)) * len(self.suits)

    @property
    def representatives(self) -> tuple[int, ...]:
        """The lowest rank of each class of ranks."""
        return tuple(sorted(set(self.ranks)))


def _by_key(keys: Sequence[Hashable]) -> tuple[int, ...]:
    return tuple(keys.index(key) for key in keys)


def _lowest_suit(mask: int) -> int:
    return (mask & -mask).bit_length() - 1


def _suit_masks(keys: Sequence[Hashable]) -> tuple[int, ...]:
    masks = {key: sum(1 << s for s in range(4) if keys[s] == key) for key in keys}
    return tuple(sorted(masks.values(), key=_lowest_suit))


def value_partition() -> Partition:
    """The ten blackjack values."""
    return Partition(_by_key([rank.points for rank in Rank]))


def natural_partition() -> Partition:
    """Aces, ten-valued cards and the others."""
    return Partition(_by_key([_RANK_KEYS[RankNeed.NATURAL](rank) for rank in Rank]))


@lru_cache(maxsize=1024)
def needs_of(calls: tuple[Call, ...]) -> Partition:
    """The partition that these calls need for a card that all of them look at."""
    partition = rank_needs_of(calls)
    return Partition(partition.ranks, suit_needs_of(calls))


@lru_cache(maxsize=1024)
def rank_needs_of(calls: tuple[Call, ...]) -> Partition:
    """As `needs_of`, ranks only."""
    level = max((call.function.rank_need for call in calls), default=RankNeed.NOTHING)
    patterns = dict.fromkeys(pattern.ranks for call in calls for pattern in call.patterns)
    keys = [(_RANK_KEYS[level](rank), tuple(p[rank] for p in patterns)) for rank in Rank]
    return Partition(_by_key(keys))


@lru_cache(maxsize=1024)
def suit_needs_of(calls: tuple[Call, ...]) -> tuple[int, ...]:
    """The suit classes that these calls need, as masks."""
    level = max((call.function.suit_need for call in calls), default=SuitNeed.NOTHING)
    patterns = dict.fromkeys(pattern.suits for call in calls for pattern in call.patterns)
    by_level = {
        SuitNeed.NOTHING: [0] * 4,
        SuitNeed.COLOUR: _COLOUR,
        SuitNeed.SUIT: [0, 1, 2, 3],
    }[level]
    return _suit_masks([(by_level[s], tuple(p[s] for p in patterns)) for s in range(4)])


def depends_on_suits(call: Call) -> bool:
    """Whether a call can see suits at all."""
    return len(suit_needs_of((call,))) > 1


def suit_symmetries(calls: Iterable[Call], base: Sequence[int]) -> frozenset[Permutation]:
    """The renamings of suits that change neither any of the calls nor the pack.

    Args:
        calls: Every call of the bet.
        base: 52 counts of the pack, by card number.
    """
    calls = tuple(calls)
    masks = {pattern.suits for call in calls for pattern in call.patterns}
    colours = any(call.function.suit_need is SuitNeed.COLOUR for call in calls)
    kept: list[Permutation] = []
    for moved in itertools.permutations(range(4)):
        to = (moved[0], moved[1], moved[2], moved[3])
        same_masks = all(mask[s] == mask[to[s]] for mask in masks for s in range(4))
        same_colours = len({(_COLOUR[s], _COLOUR[to[s]]) for s in range(4)}) == 2
        same_pack = all(base[4 * r + s] == base[4 * r + to[s]] for r in range(13) for s in range(4))
        if same_masks and same_pack and (same_colours or not colours):
            kept.append(to)
    return frozenset(kept)


@lru_cache(maxsize=4096)
def suit_orbits(
    group: frozenset[Permutation], classes: tuple[int, ...]
) -> tuple[tuple[int, int, frozenset[Permutation]], ...]:
    """One suit class of each orbit of the group.

    Returns:
        (mask, size of the orbit, the renamings that keep the class) of each orbit.

    Example:
        >>> everything = suit_symmetries((), [1] * 52)
        >>> [(mask, size, len(rest)) for mask, size, rest in suit_orbits(everything, (1, 2, 4, 8))]
        [(1, 4, 6)]
    """
    left = list(classes)
    orbits: list[tuple[int, int, frozenset[Permutation]]] = []
    while left:
        mask = left[0]
        images = {_image(mask, to) for to in group}
        orbits.append(
            (mask, len(images), frozenset(to for to in group if _image(mask, to) == mask))
        )
        left = [other for other in left if other not in images]
    return tuple(orbits)


def _image(mask: int, to: Permutation) -> int:
    return sum(1 << to[s] for s in range(4) if mask >> s & 1)
