"""Effects of removing a card, and how well a count of integer tags tracks them.

The method is Griffin's (The Theory of Blackjack, chapter 3): the expectation of a depleted shoe is
taken as linear in the cards that are gone. A count's betting correlation is the correlation,
over the cards of the shoe, between its tags and the effects.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from odds.cards import value_name
from odds.errors import InputError
from odds.game import Progress, analyze
from odds.html import FLOAT64, report, table
from odds.rules import Rules
from odds.shoe import Shoe


@dataclass(frozen=True, slots=True)
class RemovalEffects:
    """What taking one card out of a shoe does to the player's expectation.

    Attributes:
        base: Expectation from the whole shoe, in units of the initial bet.
        effects: Card value to the change of the expectation when one such card is gone.
        counts: Card value to how many the whole shoe has.
    """

    base: float
    effects: Mapping[int, float]
    counts: Mapping[int, int]

    @property
    def mean(self) -> float:
        """The mean effect over the cards of the shoe; 0 for a fixed strategy."""
        size = sum(self.counts.values())
        return sum(self.counts[value] * effect for value, effect in self.effects.items()) / size

    def _repr_html_(self) -> str:
        return report(
            "Effects of removing one card, in percentage points of the initial bet",
            table(
                ["card removed", *map(value_name, self.effects)],
                [["effect", *(f"{100 * effect:+.4f}" for effect in self.effects.values())]],
            ),
            note=f"Change of the player's expectation, {self.base:+.6f} from the whole shoe of "
            f"{sum(self.counts.values())} cards; {FLOAT64}.",
        )


def effects_of_removal(
    rules: Rules,
    shoe: Shoe | None = None,
    reoptimise: bool = True,
    progress: Progress | None = None,
) -> RemovalEffects:
    """The effect of removing one card of each value from the main game's shoe.

    Args:
        rules: The table.
        shoe: The cards; a fresh shoe if None. The card removed is of the type that the shoe has
            most of, which matters only where pairs are split by rank.
        reoptimise: Play the depleted shoe by its own best strategy (CDZ-); otherwise by that of
            the whole shoe.
        progress: Called with (fraction done, what); raising cancels.

    Example:
        >>> effects = effects_of_removal(Rules(decks=6, max_split_hands=2)).effects
        >>> effects[5] > effects[4] > 0 > effects[10] > effects[1]
        True
    """
    report = progress or (lambda done, what: None)
    whole = analyze(rules, shoe)
    strategy = "CDZ-" if reoptimise else whole.strategy
    effects = {}
    counts = dict(enumerate(whole.shoe.by_value, start=1))
    for value, count in counts.items():
        report(value / 11, f"without one {value}")
        if count:
            less = whole.shoe.remove_value(value)
            effects[value] = analyze(rules, less, strategy).expected_value - whole.expected_value
    report(1.0, "done")
    return RemovalEffects(whole.expected_value, effects, counts)


@dataclass(frozen=True, slots=True)
class Count:
    """A card count: a tag for each kind of card, added up as cards leave the shoe.

    Attributes:
        tags: Kind of card to integer tag; positive where the card's removal helps the player.
        correlation: Betting correlation, -1 to 1.
        balanced: Whether the tags of the whole shoe add up to 0.
    """

    tags: Mapping[int, int]
    correlation: float
    balanced: bool

    def _repr_html_(self) -> str:
        names = [value_name(kind) if kind <= 10 else str(kind) for kind in self.tags]
        return report(
            f"{'Balanced' if self.balanced else 'Unbalanced'} count, betting correlation "
            f"{self.correlation:.4f}",
            table(["card", *names], [["tag", *(f"{tag:+d}" for tag in self.tags.values())]]),
            note="Correlation of the tags with the effects of removal over the cards of the shoe.",
        )


def correlation(
    tags: Mapping[int, float], effects: Mapping[int, float], counts: Mapping[int, int]
) -> float:
    """The correlation of tags and effects over the cards of the shoe; 0 if either is constant.

    Example:
        >>> round(correlation({1: 1, 2: -1}, {1: 0.3, 2: -0.1}, {1: 4, 2: 4}), 6)
        1.0
    """
    size = sum(counts[kind] for kind in effects)
    means = [sum(counts[k] * of[k] for k in effects) / size for of in (tags, effects)]
    covariance = variance = spread = 0.0
    for kind, effect in effects.items():
        tag, effect = tags[kind] - means[0], effect - means[1]
        covariance += counts[kind] * tag * effect
        variance += counts[kind] * tag**2
        spread += counts[kind] * effect**2
    return covariance / sqrt(variance * spread) if variance * spread > 0 else 0.0


def score(name: str, tags: Mapping[int, int], effects: RemovalEffects) -> Count:
    """How well given tags track the effects.

    Args:
        name: What the count is called, for an error.
        tags: Card value to tag, for every value of the shoe.
        effects: The effects to track.

    Raises:
        InputError: A card value has no tag.

    Example:
        >>> effects = effects_of_removal(Rules(decks=6, max_split_hands=2))
        >>> hi_lo = {1: -1, 10: -1, 7: 0, 8: 0, 9: 0, **{v: 1 for v in range(2, 7)}}
        >>> round(score("Hi-Lo", hi_lo, effects).correlation, 2)
        0.96
    """
    for value in effects.effects:
        if value not in tags:
            raise InputError(name, dict(tags), f"a tag for every card value; {value} has none")
    total = sum(tags[value] * effects.counts[value] for value in effects.effects)
    return Count(tags, correlation(tags, effects.effects, effects.counts), total == 0)


def best_count(effects: RemovalEffects, level: int = 1, balanced: bool = True) -> Count:
    """The tags from -level to level with the highest betting correlation.

    Among tags that never fall as the effect rises.

    Args:
        effects: The effects to track.
        level: The largest tag, 1 to 3.
        balanced: Only tags that add up to 0 over the whole shoe, where there are any.

    Raises:
        InputError: The level is not 1, 2 or 3.
    """
    if level not in (1, 2, 3):
        raise InputError("level", level, "1, 2 or 3")
    kinds = sorted(effects.effects, key=lambda kind: effects.effects[kind])
    found: list[Count] = []
    for tags in _monotone(len(kinds), level):
        named = dict(zip(kinds, tags, strict=True))
        count = score("tags", named, effects)
        if count.balanced or not balanced:
            found.append(count)
    if not found:
        return best_count(effects, level, balanced=False)
    return max(found, key=lambda count: round(count.correlation, 12))


def _monotone(length: int, level: int) -> list[Sequence[int]]:
    """All ascending sequences of tags from -level to level."""
    found: list[Sequence[int]] = []

    def extend(start: list[int]) -> None:
        if len(start) == length:
            found.append(start)
            return
        for tag in range(start[-1] if start else -level, level + 1):
            extend([*start, tag])

    extend([])
    return found
