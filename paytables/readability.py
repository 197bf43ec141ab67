"""How easily a paytable is read, remembered and dealt: the ranking of the designer, with reasons.

A paytable costs points, and the fewest points come first:

* **round pays**: 0 for 1, 2, 5, 10, 20, 25, 50, 100 and their like, up to 8 for a number nobody
  remembers; a half costs 4 more, other fractions 8.
* **few changes**: 3 for each pay that differs from the current one.
* **sensible steps** between a tier and the next more frequent one: 2 where it pays less than 5/4
  of the other (why two tiers?), 2 where it pays more than 10 times as much and that is also more
  than its rarity warrants.

How close the edge is to the target decides only between paytables of equal points: within the
tolerance every edge is right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

CHANGE = 3
"""Points for each pay that differs from the current paytable."""
UNEVEN_STEP = 2
"""Points for each step between neighbouring tiers that is too small or too large."""
SMALL_STEP = Fraction(5, 4)
LARGE_STEP = Fraction(10)

PRINTABLE: tuple[int, ...] = tuple(
    sorted(
        {n * 10**k for n in (1, 2, 3, 4, 5, 6, 8, 12, 15, 25) for k in range(4)}
        | {7, 9, 11, 14, 16, 18, 35, 45, 75, 90, 160, 175, 180, 350, 450, 700, 750, 7500, 10_000}
    )
)
"""The pays that are searched where a tier is given no bounds and no list: up to 25,000."""


@cache
def roundness(pay: Fraction) -> int:
    """Points for a pay by itself: 0 for the roundest numbers.

    Example:
        >>> [roundness(Fraction(pay)) for pay in ("100", "25", "30", "12", "17", "137", "5/2")]
        [0, 0, 1, 1, 4, 6, 4]
    """
    if pay.denominator != 1:
        return (
            4
            + (roundness(Fraction(pay.numerator)) if pay.denominator > 2 else 0)
            + (4 if pay.denominator > 2 else 0)
        )
    digits = abs(pay.numerator)
    while digits and digits % 10 == 0:
        digits //= 10
    if digits in (0, 1, 2, 5, 25):
        return 0
    if digits in (3, 4, 6, 8, 12, 15):
        return 1
    if digits in (7, 9) or (digits < 100 and digits % 5 == 0):
        return 2
    if digits < 100:
        return 3 if digits % 2 == 0 else 4
    if digits < 1000:
        return 3 if digits % 25 == 0 else 4 if digits % 5 == 0 else 6
    return 8


def step_cost(rarer: Fraction, commoner: Fraction, rarity: Fraction) -> int:
    """Points for the step between two neighbouring tiers.

    Args:
        rarer: The pay of the rarer tier.
        commoner: The pay of the next more frequent tier of the same wager.
        rarity: How many times as often the more frequent tier is hit.

    Example:
        >>> step_cost(Fraction(11), Fraction(10), Fraction(3))
        2
    """
    if commoner <= 0:
        return 0
    ratio = rarer / commoner
    uneven = ratio < SMALL_STEP or (ratio > LARGE_STEP and ratio > rarity)
    return UNEVEN_STEP if uneven else 0


@dataclass(frozen=True, slots=True)
class Readability:
    """The points of one paytable, and why.

    Attributes:
        round_pays: Points for numbers that are not round.
        changes: Points for pays that differ from the current ones.
        steps: Points for uneven steps between tiers.
        reasons: The same in words, one sentence each.
    """

    round_pays: int
    changes: int
    steps: int
    reasons: tuple[str, ...]

    @property
    def points(self) -> int:
        """All points; fewer is better."""
        return self.round_pays + self.changes + self.steps


def _listed(texts: Sequence[str]) -> str:
    return ", ".join(texts)


def read(
    names: Sequence[str],
    pays: Sequence[Fraction],
    current: Sequence[Fraction],
    neighbours: Sequence[tuple[int, int, Fraction]],
    kept: frozenset[int] = frozenset(),
) -> Readability:
    """The points of a paytable.

    Args:
        names: The tiers.
        pays: What they pay.
        current: What they pay now.
        neighbours: Pairs (rarer tier, next more frequent tier, how many times as often).
        kept: Tiers whose pay was fixed: its number is nobody's choice and costs nothing.

    Example:
        >>> found = read(["top", "low"], [Fraction(50), Fraction(7)], [Fraction(50), Fraction(8)],
        ...              [(0, 1, Fraction(9))])
        >>> found.points, found.reasons[1]
        (5, '1 of 2 pays changed: low 8 → 7')
    """
    odd = [i for i, pay in enumerate(pays) if i not in kept and roundness(pay)]
    round_points = sum(roundness(pays[i]) for i in odd)
    if odd:
        reasons = [f"less round: {_listed([f'{names[i]} {pays[i]}' for i in odd])}"]
    else:
        reasons = ["every pay that was chosen is a round number"]
    changed = [i for i, pay in enumerate(pays) if pay != current[i]]
    if changed:
        listed = _listed([f"{names[i]} {current[i]} → {pays[i]}" for i in changed])
        reasons.append(f"{len(changed)} of {len(pays)} pays changed: {listed}")
    else:
        reasons.append("no pay changed")
    uneven = [
        f"{names[i]} pays {float(pays[i] / pays[j]):.3g} times {names[j]}"
        for i, j, rarity in neighbours
        if step_cost(pays[i], pays[j], rarity)
    ]
    if uneven:
        reasons.append(f"uneven steps: {_listed(uneven)}")
    elif neighbours:
        reasons.append("even steps between the tiers")
    return Readability(
        round_points, CHANGE * len(changed), UNEVEN_STEP * len(uneven), tuple(reasons)
    )
