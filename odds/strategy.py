"""Actions, strategy regimes, and a strategy as a table of decisions."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from odds.errors import InputError


class Action(enum.Enum):
    """What a player may do with a hand; the order is the column order of decision tables."""

    STAND = "stand"
    HIT = "hit"
    DOUBLE = "double"
    SPLIT = "split"
    SURRENDER = "surrender"

    @property
    def column(self) -> int:
        """The action's place in value arrays and its number in decision arrays."""
        return _ORDER.index(self)

    def __str__(self) -> str:
        return self.value


_ORDER: tuple[Action, ...] = tuple(Action)
ACTIONS = _ORDER
"""All actions in column order."""

NO_DECISION = -1
"""In a decision array: the hand cannot be held, or is a natural, which settles itself."""

REGIMES: dict[str, str] = {
    "CDZ-": (
        "composition-dependent, zero memory: every decision is optimal for the hand's own cards "
        "and the upcard when it is not split, and split hands are played by the same decisions"
    ),
    "CDP1": (
        "as CDZ-, but split hands are played by decisions that are optimal for one split hand "
        "when two cards of the pair's rank are known to be out, whatever number of hands it becomes"
    ),
    "CDP": (
        "as CDZ-, but split hands are played by decisions that are optimal for the number of hands "
        "the pair has become when the hand is played"
    ),
}
"""The optimising strategy regimes and their definitions. In all of them a pair that is split is
split again whenever the rules allow, and a split hand does not look at the cards of its
siblings other than the pair cards. Actions of equal value (within 1e-13) go to the first of stand,
hit, double, split, surrender."""


def check_regime(name: str) -> str:
    """The regime's name as spelled in `REGIMES`.

    Raises:
        InputError: There is no such regime.

    Example:
        >>> check_regime("cdz-")
        'CDZ-'
    """
    for known in REGIMES:
        if name.strip().upper() == known:
            return known
    raise InputError("strategy", name, f"one of {', '.join(REGIMES)}")


@dataclass(frozen=True, slots=True)
class Strategy:
    """A full set of decisions over the hands of `odds.hands.lattice`.

    Attributes:
        name: The regime it was found under, or a name of its own.
        first: int8 array [hands, 10]: the action's column for an unsplit hand against the upcard
            of value index + 1, `NO_DECISION` where there is none.
        split: For (pair value, number of hands when the hand is played): the same for a split
            hand. A number of hands that is missing takes the largest one below it.
    """

    name: str
    first: NDArray[np.int8]
    split: Mapping[tuple[int, int], NDArray[np.int8]] = field(default_factory=dict)

    def for_split(self, pair: int, hands: int) -> NDArray[np.int8]:
        """Decisions of a split hand of this pair value when there are so many hands."""
        for number in range(hands, 1, -1):
            if (pair, number) in self.split:
                return self.split[pair, number]
        raise InputError("strategy", self.name, f"one with decisions for a split pair of {pair}")


@dataclass(frozen=True, slots=True)
class ChartCell:
    """One cell of a strategy chart.

    Attributes:
        code: H hit, S stand, Dh / Ds double (else hit / stand), P split,
            Rh / Rs / Rp surrender (else hit / stand / split).
        values: Value of each action, the probability-weighted mean over the cell's two-card hands,
            in the scale of `odds.game.HandOdds.values`.
        exceptions: The cell's two-card hands whose own best action differs from the code's.
    """

    code: str
    values: Mapping[Action, float]
    exceptions: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Chart:
    """The strategy of two-card hands by total: what a strategy card prints.

    Attributes:
        upcards: Upcard values in the usual order, ace last.
        hard: Hard total (5 to 19) to upcard to cell, pairs left out.
        soft: Soft total (13 to 20) to upcard to cell, the pair of aces left out.
        pairs: Card value of the pair (1 to 10) to upcard to cell.
    """

    upcards: tuple[int, ...]
    hard: Mapping[int, Mapping[int, ChartCell]]
    soft: Mapping[int, Mapping[int, ChartCell]]
    pairs: Mapping[int, Mapping[int, ChartCell]]

    def _repr_html_(self) -> str:
        from odds import html

        return html.chart(self)
