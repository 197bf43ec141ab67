"""What a counter gains who bets one unit at or above a true count, and what no counter can exceed.

The first part is exact (`odds.running_count`); the ceilings, for the best linear count and for
perfect knowledge of the cards left, come from random depleted shoes whose edge is computed exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from odds.running_count import CountLaw
from odds.shoe import Shoe

Floats = npt.NDArray[np.float64]
Progress = Callable[[float, str], None]
EdgeOf = Callable[[npt.NDArray[np.int64]], tuple[Floats, Floats]]
"""From cards left, shape (shoes, 52), to expected net of the bet in the next round and the
probability that it is offered, each of shape (shoes,)."""

_NOTHING = 1e-9  # units a round below which a trigger is noise of the last digits
_WORTH_BOTH_SIDES = 0.01


@dataclass(frozen=True, slots=True)
class FlatBetting:
    """Flat bets of one unit at chosen true counts.

    Attributes:
        trigger: The bet is made at this true count or above; None if it never is.
        lower: And below this true count, for a bet that likes both ends; else None.
        share: Share of rounds with a bet.
        edge: Average player edge of the bets made, 0 without any.
        gain: Units won a round, all rounds counted.
    """

    trigger: float | None
    lower: float | None
    share: float
    edge: float
    gain: float


@dataclass(frozen=True, slots=True)
class TrueCountBin:
    """The rounds at one true count.

    Attributes:
        true_count: The true count, rounded down to the step of the bins.
        share: Share of rounds that have it (and in which the bet is offered).
        edge: Average player edge there.
    """

    true_count: float
    share: float
    edge: float


def by_true_count(law: CountLaw, rounds: int, step: float = 1) -> tuple[TrueCountBin, ...]:
    """The average edge at each true count over the first rounds of a shoe, by rising count.

    Args:
        law: The running count and the bet's result by round.
        rounds: How many rounds are dealt.
        step: Width of a bin, a multiple of 0.01.
    """
    wide = round(100 * step)
    counts = law.hundredths[:rounds].ravel() // wide
    low = int(counts.min())
    shares = np.bincount(counts - low, law.share[:rounds].ravel()) / rounds
    gains = np.bincount(counts - low, law.gain[:rounds].ravel()) / rounds
    return tuple(
        TrueCountBin((low + i) * wide / 100, float(share), float(gain / share))
        for i, (share, gain) in enumerate(zip(shares, gains, strict=True))
        if share > 1e-15
    )


def flat_betting(
    law: CountLaw,
    rounds: int,
    trigger: float | None = None,
    lower: float | None = None,
    step: float = 0.1,
) -> FlatBetting:
    """Flat bets over the first rounds of a shoe, at given or at the best true counts.

    Args:
        law: The running count and the bet's result by round.
        rounds: How many rounds are dealt.
        trigger: Bet at or above, a multiple of 0.01; by default the true count from which the bets
            win most, that is where the average edge turns positive.
        lower: Bet also below. By default chosen where it wins at least a hundredth of what
            the trigger does.
        step: What chosen true counts are multiples of, such as 0.1 or 1; at
            least 0.01.
    """
    if trigger is None:
        bins = by_true_count(law, rounds, step)
        trigger, gain = _best(list(reversed(bins)))
        if lower is None:
            below, other = _best([b for b in bins if trigger is None or b.true_count < trigger])
            # A bin is named by its lower end: all of it lies below the next one's.
            lower = None if below is None or other < _WORTH_BOTH_SIDES * gain else below
            lower = None if lower is None else round(lower + step, 2)
    taken = np.zeros(law.hundredths[:rounds].shape, dtype=np.bool_)
    if trigger is not None:
        taken |= law.hundredths[:rounds] >= round(100 * trigger)
    if lower is not None:
        taken |= law.hundredths[:rounds] < round(100 * lower)
    share = float(law.share[:rounds][taken].sum()) / rounds
    gain = float(law.gain[:rounds][taken].sum()) / rounds
    return FlatBetting(trigger, lower, share, gain / share if share > 0 else 0.0, gain)


def _best(bins: Sequence[TrueCountBin]) -> tuple[float | None, float]:
    """From the first bin inwards, the last one to bet at so that the bets win most."""
    best: float | None = None
    most, gain = _NOTHING, 0.0
    for each in bins:
        gain += each.share * each.edge
        if gain > most:
            best, most = each.true_count, gain
    return best, most if best is not None else 0.0


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The most that a way of knowing the shoe can win, simulated.

    Attributes:
        share: Share of rounds with a bet.
        edge: Average player edge of the bets made, 0 without any.
        gain: Units won a round.
        error: Standard error of `gain`.
        shoes: Random depleted shoes that were looked at.
    """

    share: float
    edge: float
    gain: float
    error: float
    shoes: int


@dataclass(frozen=True, slots=True)
class Ceilings:
    """Both ceilings for the first rounds of a shoe.

    Attributes:
        linear: The bet is made whenever the linear estimate from the effects of removal is above 0.
        perfect: The bet is made whenever the exact edge from the cards left is; None where only
            the linear estimate is known.
    """

    linear: Ceiling
    perfect: Ceiling | None


def ceilings(
    edge_of: EdgeOf | None,
    shoe: Shoe,
    expected: float,
    effects: Sequence[float | None],
    depths: Sequence[int],
    rounds: Sequence[int],
    *,
    also_seen: int = 0,
    samples: int = 1000,
    seed: int = 1,
    progress: Progress | None = None,
) -> tuple[Ceilings, ...]:
    """Simulate perfect play and the best linear count.

    For each round so many random shoes of its depth are drawn, and the exact edge of each is used,
    so the only error is that of the average over shoes.

    Args:
        edge_of: The exact edge from the cards left; None to take the linear estimate for it.
        shoe: The whole shoe.
        expected: The edge from the whole shoe.
        effects: 52 effects of removal by card number.
        depths: Cards dealt before each round.
        rounds: For which numbers of rounds a shoe to give the ceilings.
        also_seen: Cards of the round that the bettor sees besides.
        samples: Random shoes a round, at least 2.
        seed: Of the random numbers; the same seed gives the same figures.
        progress: Called with (fraction done, what); raising cancels.
    """
    report = progress or (lambda done, what: None)
    rng = np.random.default_rng(seed)
    whole = np.array(shoe.counts, dtype=np.int64)
    weights = np.array([float(effect or 0.0) for effect in effects])
    moments = np.zeros((2, len(depths), 3))  # share, gain and its square, by way and round
    for number, depth in enumerate(depths):
        report(number / len(depths), f"random shoes, round {number + 1} of {len(depths)}")
        left = shoe.size - depth - also_seen
        cards = rng.multivariate_hypergeometric(whole, left, size=samples, method="marginals")
        estimate = expected + (shoe.size - 1) / left * ((whole - cards) @ weights)
        gain, offered = (estimate, np.ones(samples)) if edge_of is None else edge_of(cards)
        for way, bets in enumerate((estimate > 0, gain > 0)):
            won = np.where(bets, gain, 0.0)
            moments[way, number] = (np.where(bets, offered, 0.0).mean(), won.mean(), won.var())
    return tuple(
        Ceilings(
            _ceiling(moments[0, :first], samples),
            None if edge_of is None else _ceiling(moments[1, :first], samples),
        )
        for first in rounds
    )


def _ceiling(moments: Floats, samples: int) -> Ceiling:
    share, gain, _ = moments.mean(axis=0)
    error = sqrt(float(moments[:, 2].sum()) / (samples - 1)) / len(moments)
    return Ceiling(
        float(share),
        float(gain / share) if share > 0 else 0.0,
        float(gain),
        error,
        samples * len(moments),
    )
