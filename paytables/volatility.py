"""How much a bet swings: volatility index, exposure, slopes of the pays, and the RTP of N rounds.

Rounds are taken as independent, each from a full shoe. The actual RTP of N rounds is 1 plus their
total net result over everything staked. For a normal total its interval is RTP ± z SD / sqrt(N);
a side bet with a rare top award is far from normal for a long time, so the interval is also worked
out from the exact distribution of the total:

* ``convolution``: the N-fold convolution on the lattice of results, by powers of its discrete
  Fourier transform on a window that the total leaves with a probability below 1e-11 (Chernoff's
  bound on both sides). Its error is that and rounding, together below 1e-7.
* ``convolution, rare results rounded``: where that window has more than four million points, as
  with a meter of 12,345.67; results that come less than once in a hundred rounds are rounded to
  the lattice of the others (by less than half a step each time they come).
* ``saddle point``: the Lugannani-Rice formula for the tail of a lattice sum (Advances in Applied
  Probability 12, 1980, pages 475-490), where the window is too large even so.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from odds.errors import InputError
from paytables.metrics import Evaluation
from paytables.model import Paytable

FloatArray: TypeAlias = NDArray[np.float64]
Method: TypeAlias = Literal["convolution", "convolution, rare results rounded", "saddle point"]

MOST_POINTS = 2**22
OUTSIDE = 1e-11
NORMAL_ERROR = 0.005
"""The normal interval is called valid if its error in probability at each end is estimated to be
at most this."""
RARE = Fraction(1, 100)
NORMAL = NormalDist()


def volatility_index(evaluation: Evaluation, confidence: float = 0.9) -> float:
    """The volatility index of a PAR sheet: z x SD per unit staked, so RTP ± VI / sqrt(N).

    Args:
        evaluation: The bet.
        confidence: Of the two-sided interval; 0.9 makes z = 1.645.

    Raises:
        InputError: A confidence that is not between 0 and 1.

    Example:
        >>> from paytables.bets import load_paytable
        >>> from paytables.metrics import evaluate
        >>> bet = evaluate(load_paytable("Insurance"), 6)
        >>> round(bet.standard_deviation, 4), round(volatility_index(bet), 4)
        (1.3858, 2.2795)
    """
    _check_confidence(confidence)
    z = NORMAL.inv_cdf(0.5 + confidence / 2)
    return z * evaluation.standard_deviation / float(evaluation.paytable.stake)


def _check_confidence(confidence: float) -> None:
    if not 0 < confidence < 1:
        raise InputError("confidence", confidence, "between 0 and 1")


@dataclass(frozen=True, slots=True)
class Slope:
    """What one step of a tier's pay does.

    Attributes:
        tier: The tier.
        step: The step, in units of pay.
        edge_change: By how much the edge changes if the tier pays one step more: minus how often
            it counts in a round, times the step (exact).
    """

    tier: str
    step: Fraction
    edge_change: Fraction


def slopes(
    evaluation: Evaluation, steps: Mapping[str, Fraction | int] | None = None
) -> tuple[Slope, ...]:
    """The change of the edge when each pay moves up by one step; a step down is the opposite.

    Args:
        evaluation: The bet.
        steps: The step of each tier; 1 for those not named.

    Example:
        >>> from paytables.bets import load_paytable
        >>> from paytables.metrics import evaluate
        >>> slopes(evaluate(load_paytable("Perfect Pairs", "30/10/5"), 8))[0].edge_change
        Fraction(-7, 415)
    """
    paytable = evaluation.paytable
    found = []
    for tier, odds in zip(paytable.tiers, evaluation.odds.tiers, strict=True):
        step = Fraction((steps or {}).get(tier.name, 1))
        unit = paytable.wagers.get(tier.wager, Fraction(1))
        found.append(Slope(tier.name, step, -step * odds.expected_count * unit / paytable.stake))
    return tuple(found)


def return_shares(evaluation: Evaluation) -> dict[str, Fraction]:
    """The part of everything paid back (winners' stakes included) that each tier pays back.

    What is missing to 1 comes back on rounds in which no tier is hit, or from the meter.
    """
    paytable = evaluation.paytable
    stake_back = 1 if paytable.paid == "to one" else 0
    shares = {}
    for tier, odds in zip(paytable.tiers, evaluation.odds.tiers, strict=True):
        unit = paytable.wagers.get(tier.wager, Fraction(1))
        paid = odds.expected_count * unit * ((tier.pays or 0) + stake_back) / paytable.stake
        shares[tier.name] = paid / evaluation.rtp if tier.pays is not None else Fraction(0)
    return shares


@dataclass(frozen=True, slots=True)
class Exposure:
    """The most that the house can lose in a round.

    Attributes:
        largest_award: The largest net result of one bet, in units.
        maximum_bet: The largest bet of one unit, in currency.
        seats: How many bet.
        amount: The product, in currency: an upper bound, as not every award can go to all seats.
        probability: That one seat wins the largest award.
    """

    largest_award: Fraction
    maximum_bet: Fraction
    seats: int
    amount: Fraction
    probability: Fraction


def exposure(evaluation: Evaluation, maximum_bet: Fraction | int, seats: int = 7) -> Exposure:
    """The largest loss of the house in a round: largest pay x maximum bet x seats.

    Raises:
        InputError: A maximum bet that is not above 0, or not from 1 to 100 seats.
    """
    if maximum_bet <= 0:
        raise InputError("maximum_bet", str(maximum_bet), "above 0")
    if isinstance(seats, bool) or not isinstance(seats, int) or not 1 <= seats <= 100:
        raise InputError("seats", seats, "a whole number from 1 to 100")
    award, bet = evaluation.top_award, Fraction(maximum_bet)
    return Exposure(award, bet, seats, award * bet * seats, evaluation.results[award])


@dataclass(frozen=True, slots=True)
class RtpInterval:
    """Where the actual RTP of N rounds lies.

    Attributes:
        rounds: N.
        confidence: Of the two-sided interval, the same probability left out on both sides.
        rtp: The expected RTP.
        normal: The interval of the normal approximation.
        normal_valid: Whether the error of the normal approximation is estimated to be small.
        normal_error: That estimate, in probability at an end of the interval.
        exact: The interval from the distribution of the total: the quantiles of it.
        method: How that was worked out.
    """

    rounds: int
    confidence: float
    rtp: float
    normal: tuple[float, float]
    normal_valid: bool
    normal_error: float
    exact: tuple[float, float]
    method: Method

    @property
    def best(self) -> tuple[float, float]:
        """The interval to print: the normal one where it is valid, else the exact one."""
        return self.normal if self.normal_valid else self.exact

    def _repr_html_(self) -> str:
        from paytables import html

        return html.rtp_interval(self)


def rtp_interval(evaluation: Evaluation, rounds: int, confidence: float = 0.95) -> RtpInterval:
    """The interval of the actual RTP after N rounds.

    The normal approximation is called valid if its error is estimated to be at most 0.5 % in
    probability at each end: the first terms of the Edgeworth expansion there (skewness, kurtosis),
    plus half a step of the lattice.

    Args:
        evaluation: The bet.
        rounds: N, up to 1e9.
        confidence: Of the two-sided interval.

    Raises:
        InputError: Rounds or confidence out of range.

    Example:
        >>> from paytables.bets import load_paytable
        >>> from paytables.metrics import evaluate
        >>> sweet = evaluate(load_paytable("Sweet 16"), 8)
        >>> found = rtp_interval(sweet, 1000)
        >>> found.normal_valid, [round(end, 3) for end in found.exact]
        (False, [0.676, 1.333])
        >>> rtp_interval(sweet, 1_000_000).normal_valid
        True
    """
    _check_confidence(confidence)
    if isinstance(rounds, bool) or not isinstance(rounds, int) or not 1 <= rounds <= 10**9:
        raise InputError("rounds", rounds, "a whole number from 1 to 1000000000")
    total = Total(evaluation.results)
    tail = (1 - confidence) / 2
    z = NORMAL.inv_cdf(1 - tail)
    stake = float(evaluation.paytable.stake)
    rtp = float(evaluation.rtp)
    half = z * math.sqrt(float(evaluation.variance) / rounds) / stake
    error = total.normal_error(rounds, z)
    ends, method = total.quantiles(rounds, (tail, 1 - tail))
    low, high = (1 + end / (stake * rounds) for end in ends)
    return RtpInterval(
        rounds,
        confidence,
        rtp,
        (rtp - half, rtp + half),
        error <= NORMAL_ERROR,
        error,
        (low, high),
        method,
    )


class Total:
    """The total net result of independent rounds.

    Args:
        results: The probability of each net result of a round, exact.
    """

    def __init__(self, results: Mapping[Fraction, Fraction]) -> None:
        self.results = dict(results)
        nets = list(results)
        self.low = min(nets)
        gaps = [net - self.low for net in nets if net != self.low]
        scale = math.lcm(*(gap.denominator for gap in gaps)) if gaps else 1
        shared = math.gcd(*(int(gap * scale) for gap in gaps)) if gaps else 1
        self.step = Fraction(shared, scale)
        """The span of the lattice of results."""
        self.places = np.array(
            [int((net - self.low) / self.step) for net in nets], dtype=np.float64
        )
        self.odds = np.array([float(results[net]) for net in nets])
        mean = sum((net * p for net, p in results.items()), Fraction(0))
        moments = [
            float(sum(((net - mean) ** k * p for net, p in results.items()), Fraction(0)))
            for k in (2, 3, 4)
        ]
        self.mean = float((mean - self.low) / self.step)
        self.deviation = math.sqrt(moments[0]) / float(self.step)
        spread = math.sqrt(moments[0])
        self.skewness = moments[1] / spread**3 if spread else 0.0
        self.excess = moments[2] / spread**4 - 3 if spread else 0.0

    def normal_error(self, rounds: int, z: float) -> float:
        """The estimated error of the normal distribution at z and -z, in probability."""
        if not self.deviation:
            return 0.0
        root = math.sqrt(rounds)
        density = NORMAL.pdf(z)
        skew = abs(self.skewness) * abs(z * z - 1) / (6 * root)
        second = abs(self.excess) * abs(z**3 - 3 * z) / (24 * rounds) + self.skewness**2 * abs(
            z**5 - 10 * z**3 + 15 * z
        ) / (72 * rounds)
        lattice = 1 / (2 * self.deviation * root)
        return density * (skew + second + lattice)

    def cumulant(self, theta: float) -> float:
        """Logarithm of E exp(theta x) for one round, in steps above the lowest result."""
        exponents = theta * self.places
        top = float(exponents.max())
        return top + math.log(float(self.odds @ np.exp(exponents - top)))

    def tilted(self, theta: float) -> tuple[float, float]:
        """The first and second derivative of the cumulant: mean and variance, tilted."""
        exponents = theta * self.places
        weights = self.odds * np.exp(exponents - exponents.max())
        weights /= weights.sum()
        mean = float(weights @ self.places)
        return mean, float(weights @ (self.places - mean) ** 2)

    def window(self, rounds: int) -> tuple[int, int]:
        """Steps between which the total stays but for a probability below `OUTSIDE`.

        Chernoff: P(S >= x) <= exp(N K(t) - t x) for every t > 0; the best t of a grid is taken.
        """
        needed = -math.log(OUTSIDE / 2)
        most = float(self.places.max())
        grid = np.geomspace(1e-4 / (self.deviation * math.sqrt(rounds)), 60.0, 400)
        high = min((rounds * self.cumulant(t) + needed) / t for t in grid)
        low = max((-rounds * self.cumulant(-t) - needed) / t for t in grid)
        return max(0, math.floor(low)), min(math.ceil(high), math.ceil(rounds * most))

    def quantiles(self, rounds: int, levels: Sequence[float]) -> tuple[tuple[float, ...], Method]:
        """The least totals, in units, that are not exceeded with the given probabilities."""
        base = rounds * float(self.low)
        if not self.deviation:
            return tuple(base for _ in levels), "convolution"
        low, high = self.window(rounds)
        if self.fits(rounds):
            rising = np.cumsum(self.distribution(rounds, low, high))
            places = [low + int(np.searchsorted(rising, level)) for level in levels]
            method: Method = "convolution"
        elif (coarse := self._coarser(rounds)) is not None:
            return coarse.quantiles(rounds, levels)[0], "convolution, rare results rounded"
        else:
            places = [self._saddle_quantile(rounds, level, low, high) for level in levels]
            method = "saddle point"
        return tuple(base + place * float(self.step) for place in places), method

    def fits(self, rounds: int) -> bool:
        """Whether the window is small enough for a convolution."""
        low, high = self.window(rounds)
        return high - low + 1 <= MOST_POINTS

    def _coarser(self, rounds: int) -> Total | None:
        """The same with as few rare results as needed rounded to the lattice of the others."""
        by_odds = sorted(self.results, key=lambda net: self.results[net])
        for dropped in range(1, len(by_odds) - 1):
            if self.results[by_odds[dropped - 1]] >= RARE:
                break
            lattice = Total({net: self.results[net] for net in by_odds[dropped:]})
            rounded: dict[Fraction, Fraction] = {}
            for net, p in self.results.items():
                near = lattice.low + round((net - lattice.low) / lattice.step) * lattice.step
                rounded[near] = rounded.get(near, Fraction(0)) + p
            coarse = Total(rounded)
            if coarse.fits(rounds):
                return coarse
        return None

    def distribution(self, rounds: int, low: int, high: int) -> FloatArray:
        """The probability of each total from `low` to `high` steps, by Fourier transform."""
        size = 1 << max(4, math.ceil(math.log2(high - low + 1)))
        turns = np.arange(size // 2 + 1) * (2 * math.pi / size)
        # the mean is turned out of the transform first, so that phases stay small when raised
        transform = np.zeros(len(turns), dtype=np.complex128)
        for place, chance in zip(self.places - self.mean, self.odds, strict=True):
            transform += chance * np.exp(-1j * place * turns)
        with np.errstate(under="ignore", divide="ignore"):
            logs = np.log(np.maximum(np.abs(transform), 1e-300)) + 1j * np.angle(transform)
            shift = rounds * self.mean - low
            power = np.exp(rounds * logs - 1j * shift * turns)
        odds = np.fft.irfft(power, size)[: high - low + 1]
        return np.maximum(odds, 0.0)

    def tail(self, rounds: int, place: int) -> float:
        """P(S >= place steps) by the Lugannani-Rice formula with the lattice correction."""
        goal = place / rounds
        if goal <= 0:
            return 1.0
        if goal > float(self.places.max()):
            return 0.0
        theta = self._tilt(goal)
        variance = self.tilted(theta)[1]
        gain = max(theta * goal - self.cumulant(theta), 0.0)
        w = math.copysign(math.sqrt(2 * rounds * gain), theta)
        u = -math.expm1(-theta) * math.sqrt(rounds * variance)
        # near the mean, where the formula takes the difference of two nearly equal numbers; with
        # results of 1e12 units w itself is all rounding there
        if abs(theta) * self.deviation * math.sqrt(rounds) < 1e-5 or not w or not u:
            z = (place - 0.5 - rounds * self.mean) / (self.deviation * math.sqrt(rounds))
            correction = self.skewness * (z * z - 1) / (6 * math.sqrt(rounds)) * NORMAL.pdf(z)
            return 1 - NORMAL.cdf(z) + correction
        return 1 - NORMAL.cdf(w) + NORMAL.pdf(w) * (1 / u - 1 / w)

    def _tilt(self, goal: float) -> float:
        """The theta whose tilted mean is the goal."""
        low, high = -1.0, 1.0
        while self.tilted(low)[0] > goal and low > -700:
            low *= 2
        while self.tilted(high)[0] < goal and high < 700:
            high *= 2
        for _ in range(200):
            middle = (low + high) / 2
            if self.tilted(middle)[0] < goal:
                low = middle
            else:
                high = middle
            if high - low < 1e-15 * max(1.0, abs(low)):
                break
        return (low + high) / 2

    def _saddle_quantile(self, rounds: int, level: float, low: int, high: int) -> int:
        """The least place with P(S <= place) >= level."""
        while low < high:
            middle = (low + high) // 2
            if 1 - self.tail(rounds, middle + 1) >= level:
                high = middle
            else:
                low = middle + 1
        return low


def side_by_side(paytable: Paytable, decks: Sequence[int]) -> dict[int, dict[str, float]]:
    """The main figures for several deck counts, side by side.

    Example:
        >>> from paytables.bets import load_paytable
        >>> table = side_by_side(load_paytable("Perfect Pairs", "30/10/5"), [6, 8])
        >>> round(table[8]["house_edge"], 6)
        0.033735
    """
    from paytables.metrics import evaluate

    found = {}
    for number in decks:
        evaluation = evaluate(paytable, number)
        found[number] = {
            "house_edge": float(evaluation.edge),
            "rtp": float(evaluation.rtp),
            "hit_frequency": float(evaluation.hit_frequency),
            "push_frequency": float(evaluation.push_frequency),
            "lose_frequency": float(1 - evaluation.hit_frequency - evaluation.push_frequency),
            "standard_deviation": evaluation.standard_deviation,
            "volatility_index": volatility_index(evaluation),
            "top_award": float(evaluation.top_award),
        }
    return found
