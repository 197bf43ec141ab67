"""Counting systems: a tag for every card, how well tags track effects, and the best tags.

A counter adds up the tags of the cards as they leave the shoe. The betting correlation is the
correlation, over the cards of the whole shoe, between the tags and the effects of removal (Griffin,
The Theory of Blackjack, chapter 4); the insurance correlation is the same for the insurance bet.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from odds.cards import ALL_CARDS, RANK_NAMES, SUIT_SIGNS, Rank
from odds.errors import InputError
from odds.removal import correlation
from odds.shoe import Shoe
from odds.sidebets.vocabulary import parse_pattern

MAX_TAG = 20
MAX_LEVEL = 4
_MOST_SEQUENCES = 250_000
_WORTH_UNBALANCED = 0.02
_MOST_UNBALANCED = 0.35

Kind = Literal["value", "rank", "card"]

_BY_VALUE: dict[str, tuple[int, ...]] = {
    "hi-lo": (-1, 1, 1, 1, 1, 1, 0, 0, 0, -1),
    "ko": (-1, 1, 1, 1, 1, 1, 1, 0, 0, -1),
    "hi-opt-1": (0, 0, 1, 1, 1, 1, 0, 0, 0, -1),
    "hi-opt-2": (0, 1, 1, 2, 2, 1, 1, 0, 0, -2),
    "omega-2": (0, 1, 1, 2, 2, 2, 1, 0, -1, -2),
    "zen": (-1, 1, 1, 2, 2, 2, 1, 0, 0, -2),
    "halves": (-2, 1, 2, 2, 3, 2, 1, 0, -1, -2),
    "tens": (4, 4, 4, 4, 4, 4, 4, 4, 4, -9),
}
"""Well-known systems by value, A, 2, ..., 9, T; ``halves`` is Wong's count doubled."""


@dataclass(frozen=True, slots=True)
class CountingSystem:
    """A tag for each of the 52 card types.

    Attributes:
        name: What it is called.
        tags: 52 whole numbers by card number, added up as cards leave the shoe.

    Example:
        >>> hi_lo = CountingSystem.named("hi-lo")
        >>> hi_lo.balanced(Shoe.decks(6)), str(hi_lo)
        (True, 'A -1, 2 3 4 5 6 +1, 7 8 9 0, T J Q K -1')
    """

    name: str
    tags: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.tags) != 52:
            raise InputError("tags", len(self.tags), "52 tags, one a card type")
        if not any(self.tags):
            raise InputError("tags", "all 0", "at least one tag other than 0")
        for tag in self.tags:
            if abs(tag) > MAX_TAG:
                raise InputError("tag", tag, f"a whole number from -{MAX_TAG} to {MAX_TAG}")

    @classmethod
    def named(cls, name: str) -> CountingSystem:
        """One of the well-known systems.

        Raises:
            InputError: There is no such system.
        """
        wanted = name.strip().lower().replace(" ", "-").replace("_", "-")
        if wanted == "red-black":
            return cls("red-black", tuple(1 if card.colour.value == "red" else -1 for card in _ALL))
        if wanted not in _BY_VALUE:
            raise InputError("tags", name, f"one of {', '.join(system_names())}")
        return cls.by_value(wanted, _BY_VALUE[wanted])

    @classmethod
    def by_value(cls, name: str, tags: Sequence[int]) -> CountingSystem:
        """A system from ten tags, for A, 2, ..., 9, T.

        Raises:
            InputError: Not ten tags, or a tag is too large.
        """
        if len(tags) != 10:
            raise InputError("tags", list(tags), "ten tags, for A, 2, ..., 9, T")
        return cls(name, tuple(tags[card.value - 1] for card in _ALL))

    @classmethod
    def parse(cls, text: str) -> CountingSystem:
        """Read a system: a name, ten or thirteen tags, or tags by card.

        Ten tags are those of A, 2, ..., 9, T; thirteen those of A, 2, ..., K. By card, what is not
        named is 0 and later names win: ``A=-1,T=-1,5=2``, ``red=1,black=-1``, ``Q=-1,QH=-3``. T or
        10 stands for every ten-valued card unless J, Q or K is named too.

        Raises:
            InputError: The text is none of these.

        Example:
            >>> CountingSystem.parse("T=-9,A=4,5=4").tags[4 * 12], CountingSystem.parse("zen").name
            (-9, 'zen')
        """
        cleaned = text.strip()
        if "=" in cleaned:
            return cls(cleaned, _tags_by_card(cleaned))
        if any(letter.isalpha() for letter in cleaned):
            return cls.named(cleaned)
        parts = cleaned.replace(",", " ").split()
        names = ", ".join(system_names())
        allowed = f"ten or thirteen whole numbers, tags by card (A=-1,5=2), or one of {names}"
        if len(parts) not in (10, 13) or not all(_is_whole(part) for part in parts):
            raise InputError("tags", text[:80], allowed)
        tags = [int(part) for part in parts]
        if len(tags) == 10:
            return cls.by_value(cleaned, tags)
        return cls(cleaned, tuple(tags[card.rank] for card in _ALL))

    @property
    def suits_matter(self) -> bool:
        """Whether two cards of one rank have different tags."""
        return any(len(set(self.tags[4 * rank : 4 * rank + 4])) > 1 for rank in Rank)

    @property
    def level(self) -> int:
        """The largest tag."""
        return max(abs(tag) for tag in self.tags)

    def total(self, shoe: Shoe) -> int:
        """The sum of the tags of all cards of the shoe."""
        return sum(tag * count for tag, count in zip(self.tags, shoe.counts, strict=True))

    def balanced(self, shoe: Shoe) -> bool:
        """Whether the tags of the whole shoe add up to 0."""
        return self.total(shoe) == 0

    def correlation(self, effects: Sequence[float | None], shoe: Shoe) -> float:
        """The correlation of the tags with effects of removal, over the cards of the shoe.

        Args:
            effects: 52 effects by card number; None for cards that the shoe does not have.
            shoe: The whole shoe.
        """
        kept = {i: float(e) for i, e in enumerate(effects) if e is not None and shoe.counts[i]}
        tags = {i: float(self.tags[i]) for i in kept}
        return correlation(tags, kept, dict(enumerate(shoe.counts)))

    def __str__(self) -> str:
        groups: list[tuple[list[str], int]] = []
        for name, tag in _named_tags(self.tags):
            if groups and groups[-1][1] == tag:
                groups[-1][0].append(name)
            else:
                groups.append(([name], tag))
        return ", ".join(f"{' '.join(names)} {tag:+d}".replace("+0", "0") for names, tag in groups)


_ALL = ALL_CARDS


def system_names() -> tuple[str, ...]:
    """The names of the well-known systems."""
    return (*_BY_VALUE, "red-black")


def _is_whole(text: str) -> bool:
    return text.lstrip("+-").isdigit() and len(text) <= 4


def _named_tags(tags: Sequence[int]) -> list[tuple[str, int]]:
    """Each rank with its tag; suits where every rank has the same four tags; or single cards."""
    rows = [tuple(tags[4 * rank : 4 * rank + 4]) for rank in Rank]
    if len(set(rows)) == 1:
        return [(sign, tag) for tag in sorted(set(rows[0])) for sign in _suits_with(tag, rows[0])]
    found = []
    for rank, own in zip(Rank, rows, strict=True):
        if len(set(own)) == 1:
            found.append((RANK_NAMES[rank], own[0]))
        else:
            for tag in dict.fromkeys(own):
                found += [(f"{RANK_NAMES[rank]}{sign}", tag) for sign in _suits_with(tag, own)]
    return found


def _suits_with(tag: int, tags: Sequence[int]) -> list[str]:
    return [sign for sign, other in zip(SUIT_SIGNS, tags, strict=True) if other == tag]


def _tags_by_card(text: str) -> tuple[int, ...]:
    allowed = "cards and whole numbers such as A=-1,T=-1,5=2 or red=1,black=-1"
    entries: list[tuple[str, int]] = []
    for part in text.split(","):
        name, sign, number = part.strip().partition("=")
        if not sign or not _is_whole(number.strip()):
            raise InputError("tags", part.strip()[:40], allowed)
        entries.append((name.strip(), int(number)))
    apart = any(name.upper() in ("J", "Q", "K") for name, _ in entries)
    tags = [0] * 52
    for name, tag in entries:
        ten = name.upper() in ("T", "10") and not apart
        pattern = parse_pattern("ten" if ten else name)
        for card in _ALL:
            if pattern.ranks[card.rank] and pattern.suits[card.suit]:
                tags[card.number] = tag
    return tuple(tags)


@dataclass(frozen=True, slots=True)
class ScoredSystem:
    """A system with its betting correlation for one bet.

    Attributes:
        system: The tags.
        correlation: Correlation of tags and effects of removal, 0 if all effects are equal.
        balanced: Whether the tags of the whole shoe add up to 0.
    """

    system: CountingSystem
    correlation: float
    balanced: bool


def score_system(
    system: CountingSystem, effects: Sequence[float | None], shoe: Shoe
) -> ScoredSystem:
    """How well a system tracks effects of removal over the cards of a shoe."""
    return ScoredSystem(system, system.correlation(effects, shoe), system.balanced(shoe))


def best_system(
    effects: Sequence[float | None],
    shoe: Shoe,
    level: int = 3,
    by: Kind = "rank",
    *,
    balanced: bool = True,
) -> ScoredSystem | None:
    """The whole tags from -level to level with the highest correlation with the effects.

    Among tags that never fall as the effect rises and average at most 0.35 a card; of equally good
    ones the smallest. Where there are too many such sequences (tags by card), the best rounding of
    the scaled effects.

    Args:
        effects: 52 effects of removal by card number; None for cards that the shoe lacks.
        shoe: The whole shoe.
        level: The largest tag, 1 to 4.
        by: One tag a blackjack value, a rank or a card; effects are averaged over the cards.
        balanced: Prefer tags that add up to 0 over the shoe: others only where they are better by
            more than a fiftieth.

    Returns:
        The best system, or None if all effects are equal: then no sum of tags tells anything.

    Raises:
        InputError: The level is not 1 to 4.

    Example:
        >>> effects = [0.01 if card.value == 5 else -0.01 if card.value == 10 else 0.0
        ...            for card in ALL_CARDS]
        >>> str(best_system(effects, Shoe.decks(6), level=2).system)
        'A 2 3 4 0, 5 +1, 6 7 8 9 0, T J Q K -1'
    """
    if isinstance(level, bool) or level not in range(1, MAX_LEVEL + 1):
        raise InputError("level", level, f"a whole number from 1 to {MAX_LEVEL}")
    groups = _groups(effects, shoe, by)
    if len(groups) < 2:
        return None
    mean = np.array([effect for effect, _ in groups])
    counts = np.array([sum(shoe.counts[i] for i in cards) for _, cards in groups])
    candidates = _sequences(mean, counts, level)
    sums = candidates @ counts
    size = counts.sum()
    covariance = candidates @ (counts * (mean - (mean @ counts) / size))
    variance = (candidates**2) @ counts - sums**2 / size
    score = np.where(variance > 0, covariance / np.sqrt(np.maximum(variance, 1e-300)), -np.inf)
    near = np.abs(sums) <= _MOST_UNBALANCED * size
    if np.isfinite(score[near]).any():
        score = np.where(near, score, -np.inf)
    even = score[(sums == 0) & (variance > 0)]
    if balanced and even.size and even.max() >= (1 - _WORTH_UNBALANCED) * score.max():
        score = np.where(sums == 0, score, -np.inf)
    good = np.flatnonzero(score >= score.max() * (1 - 1e-12))
    chosen = candidates[good[np.argmin(np.abs(candidates[good]) @ counts)]]
    tags = [0] * 52
    for tag, (_, cards) in zip(chosen.tolist(), groups, strict=True):
        for i in cards:
            tags[i] = tag
    system = CountingSystem(f"best of level {level}", tuple(tags))
    return score_system(system, effects, shoe)


def _groups(
    effects: Sequence[float | None], shoe: Shoe, by: Kind
) -> list[tuple[float, tuple[int, ...]]]:
    """Cards that get one tag, with their mean effect, by rising effect."""
    keys: dict[Kind, list[int]] = {
        "value": [card.value for card in _ALL],
        "rank": [int(card.rank) for card in _ALL],
        "card": list(range(52)),
    }
    kinds: dict[int, list[int]] = {}
    for i, effect in enumerate(effects):
        if effect is not None and shoe.counts[i]:
            kinds.setdefault(keys[by][i], []).append(i)
    merged: dict[float, list[int]] = {}
    scale = max((abs(e) for e in effects if e is not None), default=0.0)
    for cards in kinds.values():
        number = sum(shoe.counts[i] for i in cards)
        mean = sum(shoe.counts[i] * float(effects[i] or 0.0) for i in cards) / number
        near = next((known for known in merged if abs(known - mean) <= 1e-9 * scale), mean)
        merged.setdefault(near, []).extend(cards)
    return [(mean, tuple(merged[mean])) for mean in sorted(merged)]


def _sequences(
    mean: npt.NDArray[np.float64], counts: npt.NDArray[np.int64], level: int
) -> npt.NDArray[np.int64]:
    """Candidate tags, one row each: all that never fall, or roundings where those are too many."""
    tags = range(-level, level + 1)
    number = 1
    for i in range(1, 2 * level + 1):
        number = number * (len(mean) + i) // i
    if number <= _MOST_SEQUENCES:
        rows = list(itertools.combinations_with_replacement(tags, len(mean)))
        return np.array(rows, dtype=np.int64)
    largest = np.abs(mean).max()
    scales = np.linspace(0.4, 4.0 * level, 400) / largest
    shifts = np.linspace(-0.5, 0.5, 41)
    rounded = np.rint(mean * scales[:, None, None] + shifts[:, None]).reshape(-1, len(mean))
    found = np.unique(np.clip(rounded, -level, level).astype(np.int64), axis=0)
    return found[found.any(axis=1)]


def insurance_correlation(system: CountingSystem, shoe: Shoe) -> float:
    """The correlation of a system's tags with the value of insurance, over the shoe's cards.

    Insurance wins with the tens alone, so a removed ten hurts as much as 9/4 of any other card.

    Example:
        >>> round(insurance_correlation(CountingSystem.named("hi-lo"), Shoe.decks(6)), 2)
        0.76
    """
    effects: list[float | None] = [-1.0 if card.value == 10 else 0.0 for card in _ALL]
    return system.correlation(effects, shoe)
