"""The price of an unclear rule text: the edge under every alternative reading of a preset."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from odds.errors import InputError
from odds.game import analyze
from odds.rules import Rules
from odds.shoe import Shoe
from paytables.presets import Assumption, Reading, TablePreset

Progress: TypeAlias = Callable[[float, str], None]


@dataclass(frozen=True, slots=True)
class ReadingResult:
    """The edge under one alternative reading.

    Attributes:
        assumption: The open point.
        reading: The alternative reading.
        rules: The rules under it, or None where it contradicts the rules it was applied to.
        house_edge: The edge, or None where there are no rules.
        problem: Why there are none.
    """

    assumption: Assumption
    reading: Reading
    rules: Rules | None
    house_edge: float | None
    problem: str | None = None


def edge_of(
    rules: Rules, shoe: Shoe | None, strategy: str, progress: Progress | None = None
) -> float:
    """The house edge alone."""
    return analyze(rules, shoe, strategy, progress).house_edge


def _part(progress: Progress | None, number: int, of: int, name: str) -> Progress | None:
    """The progress of one of several analyses as progress of the whole."""
    if progress is None:
        return None
    return lambda done, _: progress((number + done) / of, name)


def price_readings(
    preset: TablePreset,
    rules: Rules,
    shoe: Shoe | None = None,
    strategy: str = "CDZ-",
    progress: Progress | None = None,
    edge: Callable[[Rules, Shoe | None, str, Progress | None], float] = edge_of,
) -> list[ReadingResult]:
    """The house edge under each alternative reading, one at a time, on top of `rules`.

    Args:
        preset: Whose readings.
        rules: The rules to change, usually those of the preset.
        shoe: A custom shoe; readings about the number of decks then have no meaning.
        strategy: The regime.
        progress: Told the fraction done and what comes next; raising from it cancels.
        edge: Works out an edge; replaced where results are cached.
    """
    readings = list(preset.readings())
    results: list[ReadingResult] = []
    for number, (assumption, reading) in enumerate(readings):
        within = _part(progress, number, len(readings), reading.reading)
        if within is not None:
            within(0.0, "")
        if shoe is not None and "decks" in reading.change:
            results.append(ReadingResult(assumption, reading, None, None, "the shoe is given"))
            continue
        try:
            changed = reading.apply(rules)
        except InputError as error:
            problem = f"contradicts {error.field}"
            results.append(ReadingResult(assumption, reading, None, None, problem))
            continue
        found = edge(changed, shoe, strategy, within)
        results.append(ReadingResult(assumption, reading, changed, found))
    if progress is not None:
        progress(1.0, "done")
    return results
