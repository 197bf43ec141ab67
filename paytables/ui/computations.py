"""What the main-game page computes in processes of their own.

No Streamlit here: a worker process imports this module by name and should be quick to start. Every
function takes `progress`, called with (fraction done, what), and returns something small.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from odds.basic_strategy import basic_strategy
from odds.covariance import TableSpread, table_spread
from odds.game import analyze
from odds.outcomes import RoundOutcomes, round_outcomes
from odds.removal import Count, RemovalEffects, best_count, effects_of_removal, score
from odds.round_cards import RoundCards, round_cards
from odds.rules import Rules
from odds.shoe import Shoe
from odds.total_strategy import TotalStrategy
from paytables.ways import Way, ways_of_playing

Progress = Callable[[float, str], None]

HI_LO = {1: -1, **dict.fromkeys(range(2, 7), 1), 7: 0, 8: 0, 9: 0, 10: -1}
"""Tags of the Hi-Lo count by card value."""


@dataclass(frozen=True, slots=True)
class Spread:
    """How a round goes, by the strategy of the analysis.

    Attributes:
        outcomes: Its net result.
        cards: Its cards.
    """

    outcomes: RoundOutcomes
    cards: RoundCards


def spread_of(rules: Rules, shoe: Shoe | None, strategy: str, *, progress: Progress) -> Spread:
    """How a round's net result spreads, and how many cards it takes."""
    odds = analyze(rules, shoe, strategy)
    outcomes = round_outcomes(odds, lambda done, what: progress(0.5 * done, what))
    cards = round_cards(odds, lambda done, what: progress(0.5 + 0.5 * done, f"cards: {what}"))
    return Spread(outcomes, cards)


def seats_of(rules: Rules, shoe: Shoe | None, strategy: str, *, progress: Progress) -> TableSpread:
    """How the results of seats at one table hang together."""
    return table_spread(analyze(rules, shoe, strategy), progress)


@dataclass(frozen=True, slots=True)
class ExactValue:
    """A game's expected value as a fraction, beside what float64 says.

    Attributes:
        value: The expected value, exactly.
        rounded: The float64 result.
    """

    value: Fraction
    rounded: float

    @property
    def error(self) -> float:
        """By how much the float64 result is off."""
        return float(Fraction(self.rounded) - self.value)


def exact_value(
    rules: Rules, shoe: Shoe | None, strategy: str, *, progress: Progress
) -> ExactValue:
    """The expected value as a fraction.

    Raises:
        InputError: Under these rules it is not to be had.
    """
    odds = analyze(rules, shoe, strategy, progress, exact=True)
    assert odds.exact_expected_value is not None
    return ExactValue(odds.exact_expected_value, odds.expected_value)


@dataclass(frozen=True, slots=True)
class Play:
    """How people play one game.

    Attributes:
        chart: The best chart by total.
        cost: What it gives away against the best play by the cards (CDZ-).
        ways: House edges by way of playing, the best first.
    """

    chart: TotalStrategy
    cost: float
    ways: tuple[Way, ...]


def how_people_play(rules: Rules, shoe: Shoe | None, *, progress: Progress) -> Play:
    """The best chart by total, and the edge under it and under weaker play."""
    found = basic_strategy(rules, shoe, lambda done, what: progress(0.7 * done, what))
    progress(0.75, "edges of weaker play")
    return Play(found.chart, found.cost, tuple(ways_of_playing(rules, found, shoe=shoe)))


@dataclass(frozen=True, slots=True)
class Removal:
    """Effects of removal with the counts that track them.

    Attributes:
        effects: The effects.
        counts: Name to count.
    """

    effects: RemovalEffects
    counts: Mapping[str, Count]


def removal(rules: Rules, shoe: Shoe | None, reoptimise: bool, *, progress: Progress) -> Removal:
    """The effect of removing each card, Hi-Lo, and the best counts of tags up to 1, 2 and 3."""
    effects = effects_of_removal(rules, shoe, reoptimise, lambda d, what: progress(0.9 * d, what))
    counts = {"Hi-Lo": score("Hi-Lo", HI_LO, effects)}
    for level in (1, 2, 3):
        progress(0.9 + 0.03 * level, f"best tags up to {level}")
        counts[f"best to ±{level}"] = best_count(effects, level)
    return Removal(effects, counts)
