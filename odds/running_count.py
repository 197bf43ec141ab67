"""The exact law of a running count, and of a bet's result along with it.

The cards of a shuffled shoe are exchangeable: the cards that decide a bet may be thought of as
dealt first and the cards seen before it afterwards. So the joint law of the running count after m
cards and of the result of the next bet needs only the law of the sum of m tags from the shoe less
the bet's own cards, for each combination of tags that those can have.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from odds.counting_system import CountingSystem
from odds.errors import InputError
from odds.shoe import Shoe

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Progress = Callable[[float, str], None]

DECK = 52
_DEVIATIONS = 9.5  # a sum of tags is further from its mean with a chance below 1e-18


@dataclass(frozen=True, slots=True)
class RunningCount:
    """The law of the sum of the tags of m random cards of a shoe, for every m.

    Attributes:
        counts: Tag to how many cards of the shoe have it.
        chance: Probabilities, shape (cards + 1, sums); column j stands for the sum j - `zero`.
        zero: The column of the sum 0.
    """

    counts: Mapping[int, int]
    chance: Floats
    zero: int

    @classmethod
    def of(cls, system: CountingSystem, shoe: Shoe, spare: int = 0) -> RunningCount:
        """The law for a whole shoe.

        Args:
            system: The tags.
            shoe: The whole shoe.
            spare: Columns to add on both sides, for cards that are known besides.

        Example:
            >>> law = RunningCount.of(CountingSystem.named("red-black"), Shoe.decks(1))
            >>> float(law.chance[2, law.zero]) - 26 / 51 < 1e-15
            True
        """
        counts: dict[int, int] = {}
        for tag, count in zip(system.tags, shoe.counts, strict=True):
            if count:
                counts[tag] = counts.get(tag, 0) + count
        size = shoe.size
        total = sum(tag * count for tag, count in counts.items())
        variance = sum(count * (tag - total / size) ** 2 for tag, count in counts.items()) / size
        spread = math.ceil(_DEVIATIONS * math.sqrt(variance * size / 4 + 1)) + spare
        # No sum of seen tags lies outside what the shoe has, whatever its deviation.
        low = max(min(0, total) - spread, sum(min(t, 0) * n for t, n in counts.items()) - spare)
        high = min(max(0, total) + spread, sum(max(t, 0) * n for t, n in counts.items()) + spare)
        chance = np.zeros((size + 1, high - low + 1))
        chance[0, -low] = 1.0
        # Tags are mixed as in the whole shoe, so that no sum on the way leaves the table.
        mixed = sorted(((i + 0.5) / n, tag) for tag, n in counts.items() for i in range(n))
        for dealt, (_, tag) in enumerate(mixed, start=1):
            share = np.arange(1, dealt + 1)[:, None] / dealt
            before = chance[:dealt].copy()
            chance[1:dealt] *= 1 - share[:-1]
            chance[1 : dealt + 1] += share * _shifted(before, tag)
        return cls(counts, chance, -low)

    def without(self, tag: int) -> RunningCount:
        """The law for the shoe with one card of a tag less, by undoing one step of `of`."""
        size = len(self.chance) - 1
        left = np.zeros((size, self.chance.shape[1]))
        half = size // 2
        # P(m) = (1 - m/n) Q(m) + m/n Q(m-1) shifted: solved upwards for the first half and
        # downwards for the second, so that no step multiplies an error by more than 1.
        left[0] = self.chance[0]
        for m in range(1, half + 1):
            left[m] = (self.chance[m] - m / size * _shifted(left[m - 1], tag)) / (1 - m / size)
        after = np.zeros(self.chance.shape[1])
        for m in range(size - 1, half, -1):
            share = (m + 1) / size
            after = _shifted(self.chance[m + 1] - (1 - share) * after, -tag) / share
            left[m] = after
        counts = dict(self.counts)
        counts[tag] -= 1
        return RunningCount(counts, left, self.zero)


def _shifted(rows: Floats, by: int) -> Floats:
    """Rows moved to the right; what leaves the table is lost, and is below 1e-18."""
    moved = np.zeros_like(rows)
    width = rows.shape[-1]
    if by >= width or -by >= width:
        return moved
    if by >= 0:
        moved[..., by:] = rows[..., : width - by]
    else:
        moved[..., :by] = rows[..., -by:]
    return moved


@dataclass(frozen=True, slots=True)
class TagOutcome:
    """All deals of a bet whose cards have the same tags.

    Attributes:
        tags: Tags of the cards that the bet looks at, in rising order.
        known: Tags of those of them that the bettor sees before betting (the upcard, say).
        probability: Probability of such a deal in which the bet is offered.
        net: Expected net result times that probability.
    """

    tags: tuple[int, ...]
    known: tuple[int, ...]
    probability: Fraction
    net: Fraction


@dataclass(frozen=True, slots=True)
class CountLaw:
    """How often a round comes at each running count, and what a bet then gains.

    Attributes:
        depths: Cards seen when the round starts.
        hundredths: A hundred times the true count, rounded down, shape (rounds, sums). The true
            count is 52 times the sum of the seen tags, less its average at that depth, over the
            cards left.
        share: Probability that the round has the count and the bet is offered, same shape.
        gain: Expected net result of the bet in units times that probability, same shape.
    """

    depths: tuple[int, ...]
    hundredths: Integers
    share: Floats
    gain: Floats


def bet_law(
    system: CountingSystem,
    shoe: Shoe,
    outcomes: Sequence[TagOutcome],
    depths: Sequence[int],
    also_seen: int = 0,
    progress: Progress | None = None,
) -> CountLaw:
    """The exact law of the running count and a bet's result, in float64.

    Args:
        system: The tags.
        shoe: The whole shoe.
        outcomes: The bet, by the tags of its cards (`odds.sidebets.tag_law.tag_law`).
        depths: Cards dealt before each round.
        also_seen: Cards of the round that the bettor sees before betting and that the bet does not
            look at, such as the own hand when insurance is offered.
        progress: Called with (fraction done, what); raising cancels.

    Raises:
        InputError: A round starts with fewer cards left than the bet can need.
    """
    report = progress or (lambda done, what: None)
    most = max(len(outcome.tags) for outcome in outcomes)
    seen = [depth + also_seen for depth in depths]
    if max(seen) + most > shoe.size:
        raise InputError(
            "penetration", shoe.size - max(depths), f"{most + also_seen} cards or more left behind"
        )
    spare = most * system.level
    whole = RunningCount.of(system, shoe, spare)
    by_tags: dict[tuple[int, ...], dict[tuple[int, ...], tuple[float, float]]] = {}
    for outcome in outcomes:
        known = by_tags.setdefault(outcome.tags, {})
        before = known.get(outcome.known, (0.0, 0.0))
        known[outcome.known] = (
            before[0] + float(outcome.probability),
            before[1] + float(outcome.net),
        )
    width = whole.chance.shape[1]
    share, gain = np.zeros((len(seen), width)), np.zeros((len(seen), width))
    done = 0

    def visit(tags: tuple[int, ...], law: RunningCount, below: Sequence[tuple[int, ...]]) -> None:
        nonlocal done
        if tags in by_tags:
            done += 1
            report(done / len(by_tags), f"count after {len(tags)} cards of the bet")
            rows = law.chance[seen]
            for known, (probability, net) in by_tags[tags].items():
                moved = _shifted(rows, sum(known))
                share[:] += probability * moved
                gain[:] += net * moved
        following: dict[int, list[tuple[int, ...]]] = {}
        for longer in below:
            if len(longer) > len(tags):
                following.setdefault(longer[len(tags)], []).append(longer)
        for tag, longest in following.items():
            visit((*tags, tag), law.without(tag), longest)

    visit((), whole, list(by_tags))
    shown = {len(outcome.known) for outcome in outcomes}
    return CountLaw(
        tuple(depths),
        _hundredths(system, shoe, [m + max(shown) for m in seen], whole),
        share,
        gain,
    )


def linear_law(
    system: CountingSystem,
    shoe: Shoe,
    expected: float,
    effects: Sequence[float | None],
    depths: Sequence[int],
) -> CountLaw:
    """The exact law of the running count with a linear estimate of the edge.

    The edge is taken as linear in the cards that are gone (Griffin, The Theory of Blackjack,
    chapter 3) and regressed on the tags: expected + (n - 1) / left times the slope of effects on
    tags times the running count.

    Args:
        system: The tags.
        shoe: The whole shoe, of n cards.
        expected: Expectation from the whole shoe.
        effects: 52 effects of removal by card number.
        depths: Cards dealt before each round.
    """
    law = RunningCount.of(system, shoe)
    sums = np.arange(law.chance.shape[1]) - law.zero
    share = law.chance[list(depths)]
    mean = system.total(shoe) / shoe.size
    slope = slope_of(system, shoe, effects)
    left = shoe.size - np.array(depths, dtype=np.float64)[:, None]
    excess = sums - mean * np.array(depths, dtype=np.float64)[:, None]
    edge = expected + (shoe.size - 1) / left * slope * excess
    return CountLaw(tuple(depths), _hundredths(system, shoe, depths, law), share, share * edge)


def slope_of(system: CountingSystem, shoe: Shoe, effects: Sequence[float | None]) -> float:
    """The slope of the regression of the effects on the tags, over the cards of the shoe."""
    mean = system.total(shoe) / shoe.size
    across = variance = 0.0
    for tag, effect, count in zip(system.tags, effects, shoe.counts, strict=True):
        across += count * (tag - mean) * float(effect or 0.0)
        variance += count * (tag - mean) ** 2
    return across / variance if variance else 0.0


def _hundredths(
    system: CountingSystem, shoe: Shoe, seen: Sequence[int], law: RunningCount
) -> Integers:
    """A hundred times the true count rounded down, in integers, so that none crosses a border."""
    sums = np.arange(law.chance.shape[1], dtype=np.int64) - law.zero
    gone = np.array(seen, dtype=np.int64)[:, None]
    excess = 100 * DECK * (sums * shoe.size - system.total(shoe) * gone)
    return np.asarray(excess // ((shoe.size - gone) * shoe.size), dtype=np.int64)
