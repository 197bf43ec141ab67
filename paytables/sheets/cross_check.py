"""The statistics of a cross-check: binomial intervals and Pearson's chi-square."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

LEAST_EXPECTED = 5.0
"""Cells with fewer expected rounds are taken together (Cochran, Biometrics 10, 1954)."""
CONFIDENCE = 0.99
Z = (
    "z",
    "in the cross-check: observed less analysed, in standard errors; above 2.58 or below -2.58 "
    "in about one line of a hundred",
)
CHI_SQUARE = (
    "Chi-square, p",
    "Pearson's test of all the ways that a round can end at once; p is the probability of a "
    "chi-square at least as large if the exact odds are right",
)


def binomial_interval(
    trials: int, probability: float, confidence: float = CONFIDENCE
) -> tuple[int, int]:
    """The least and greatest number of hits that are not unusual.

    Args:
        trials: The number of trials.
        probability: Of a hit in each.
        confidence: At most half of the rest lies on either side.

    Example:
        >>> binomial_interval(10, 0.5, 0.95)  # P(X <= 1) = 11/1024, P(X <= 2) = 56/1024
        (2, 8)
    """
    if not trials or probability <= 0:
        return 0, 0
    if probability >= 1:
        return trials, trials
    mean = trials * probability
    reach = 12 * math.sqrt(mean * (1 - probability)) + 60  # what lies outside is below 1e-25
    numbers = np.arange(max(0, math.floor(mean - reach)), min(trials, math.ceil(mean + reach)) + 1)
    steps = np.log((trials - numbers[:-1]) / (numbers[:-1] + 1.0))
    logs = np.concatenate([[0.0], np.cumsum(steps + math.log(probability / (1 - probability)))])
    chances = np.exp(logs - logs.max())
    rising = np.cumsum(chances / chances.sum())
    tail = (1 - confidence) / 2
    # the number itself counts: P(X < low) <= tail, P(X > high) <= tail
    low = int(np.searchsorted(rising, tail, side="right"))
    high = int(np.searchsorted(rising, 1 - tail, side="left"))
    return int(numbers[low]), int(numbers[min(high, len(numbers) - 1)])


def chi_square(observed: Sequence[int], expected: Sequence[float]) -> tuple[float, int]:
    """Pearson's statistic and its degrees of freedom, rare cells taken together.

    Args:
        observed: Rounds in each cell; the cells are all there are.
        expected: Expected rounds in each cell; the same sum.
    """
    order = sorted(range(len(expected)), key=lambda i: expected[i])
    cells: list[tuple[float, int]] = []
    together, seen = 0.0, 0
    for i in order:
        together, seen = together + expected[i], seen + observed[i]
        if together >= LEAST_EXPECTED:
            cells.append((together, seen))
            together, seen = 0.0, 0
    if seen or together:
        last = cells.pop() if cells else (0.0, 0)
        cells.append((last[0] + together, last[1] + seen))
    value = sum((seen - wanted) ** 2 / wanted for wanted, seen in cells if wanted)
    return value, max(len(cells) - 1, 0)


def chi_square_tail(value: float, degrees: int) -> float:
    """The probability of a chi-square at least as large (Abramowitz and Stegun 26.4.4, 26.4.5).

    Example:
        >>> round(chi_square_tail(18.307, 10), 4), round(chi_square_tail(3.8415, 1), 4)
        (0.05, 0.05)
    """
    if degrees <= 0 or value <= 0:
        return 1.0
    half = value / 2
    if degrees % 2:
        total, first, term = math.erfc(math.sqrt(half)), 0.5, math.sqrt(half) / math.gamma(1.5)
    else:
        total, first, term = 0.0, 0.0, 1.0
    powers = term * math.exp(-half)
    for i in range(degrees // 2):
        total += powers
        powers *= half / (first + i + 1)
    return min(1.0, total)
