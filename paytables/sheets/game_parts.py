"""The parts of the main game's sheet: spread, RTP intervals, upcards, strategy, cross-check."""

from __future__ import annotations

import math
from fractions import Fraction

from odds.chart import CODES
from odds.errors import InputError
from odds.game import GameOdds
from odds.outcomes import RoundOutcomes
from odds.rules import Rules
from odds.simulate import Simulation
from paytables.chart_style import codes_used, hand_name, sections, value_name
from paytables.sheets.model import (
    ChartException,
    ChartGrid,
    ChartLine,
    ExactNumber,
    Exposure,
    GameSimulation,
    NetLine,
    RtpLine,
    SimulatedFigure,
    Spread,
    StrategyChart,
    Term,
    UpcardLine,
)
from paytables.volatility import NORMAL, NORMAL_ERROR, Total

VOLATILITY_CONFIDENCE = 0.9
RTP_ROUNDS = tuple(10**k for k in range(3, 9))
RTP_CONFIDENCE = 0.95
CHECK_CONFIDENCE = 0.99
GENERATOR = "PCG64 as in NumPy, a seed of its own for every 2^18 rounds"

exact = ExactNumber.of


def spread_section(outcomes: RoundOutcomes) -> Spread:
    """Variance, shares and, where it is known, the distribution."""
    z = NORMAL.inv_cdf(0.5 + VOLATILITY_CONFIDENCE / 2)
    law = outcomes.distribution
    return Spread(
        variance=outcomes.variance,
        standard_deviation=outcomes.standard_deviation,
        volatility_index=z * outcomes.standard_deviation,
        volatility_confidence=VOLATILITY_CONFIDENCE,
        volatility_z=z,
        natural=outcomes.natural,
        split=outcomes.split,
        surrender=outcomes.surrender,
        double=outcomes.double,
        doubles=outcomes.doubles,
        hands=outcomes.hands,
        distribution=()
        if law is None
        else tuple(NetLine(net=exact(net), probability=law[net]) for net in sorted(law)),
        note=(
            "The distribution needs the joint law of up to four split hands and is given only "
            "where a pair becomes two hands at most. The variance needs the joint law of two and "
            "is exact but for float64, whatever the number of hands."
            if law is None
            else "Both the variance and the distribution are exact but for float64."
        ),
    )


def interval_lines(
    odds: GameOdds, outcomes: RoundOutcomes, seen: Simulation | None
) -> tuple[RtpLine, ...]:
    """The actual RTP of so many rounds of one unit.

    Exact where the distribution is known. Elsewhere the normal approximation stands alone, and the
    simulated distribution tells whether it is valid.
    """
    known, law = outcomes.distribution is not None, outcomes.distribution
    if law is None and seen is not None:
        law = seen.distribution
    total = None
    if law is not None:
        whole = sum((Fraction(p) for p in law.values()), Fraction(0))
        total = Total({net: Fraction(p) / whole for net, p in law.items()})
    tail = (1 - RTP_CONFIDENCE) / 2
    z = NORMAL.inv_cdf(1 - tail)
    rtp = 1 + odds.expected_value
    lines = []
    for rounds in RTP_ROUNDS:
        half = z * outcomes.standard_deviation / math.sqrt(rounds)
        low = high = error = None
        method = "normal approximation"
        if total is not None:
            error = total.normal_error(rounds, z)
        if total is not None and known:
            ends, method = total.quantiles(rounds, (tail, 1 - tail))
            low, high = (1 + end / rounds for end in ends)
        lines.append(
            RtpLine(
                rounds=rounds,
                confidence=RTP_CONFIDENCE,
                normal_low=rtp - half,
                normal_high=rtp + half,
                normal_valid=None if error is None else error <= NORMAL_ERROR,
                normal_error=error,
                low=low,
                high=high,
                method=method,
            )
        )
    return tuple(lines)


def exposure_section(rules: Rules, maximum_bet: Fraction, seats: int) -> Exposure:
    """The most that can be lost in a round: every hand of every seat split and doubled.

    Raises:
        InputError: A maximum bet or number of seats out of range.
    """
    if not 0 < maximum_bet <= 10**9:
        raise InputError("max_bet", str(maximum_bet), "above 0, at most 1000000000")
    if isinstance(seats, bool) or not isinstance(seats, int) or not 1 <= seats <= 100:
        raise InputError("seats", seats, "a whole number from 1 to 100")
    pays = rules.blackjack_pays
    hand = Fraction(2 if rules.double_after_split else 1)
    if rules.split_ace_ten == "blackjack":
        hand = max(hand, pays)
    hands = max(rules.max_split_hands, rules.max_split_hands_aces)
    award = max(hand * hands, pays, Fraction(2))
    return Exposure(
        maximum_bet=exact(maximum_bet),
        seats=seats,
        largest_award=exact(award),
        amount=exact(award * maximum_bet * seats),
    )


def upcard_lines(odds: GameOdds) -> tuple[UpcardLine, ...]:
    """Probability, value and dealer's totals by upcard, the ace last."""
    order = sorted(odds.value_by_upcard, key=lambda up: 11 if up == 1 else up)
    return tuple(
        UpcardLine(
            upcard=value_name(up),
            probability=odds.upcard_probability[up],
            expected_value=odds.value_by_upcard[up],
            dealer=dict(odds.dealer_totals(up)),
        )
        for up in order
    )


def chart_section(odds: GameOdds) -> StrategyChart:
    """The strategy of two-card hands: the three grids, and the hands that differ from them."""
    chart = odds.chart()
    grids, exceptions = [], []
    for section in sections(chart):
        rows = []
        for hand, row in section.rows:
            codes = tuple(row[up].code if up in row else "" for up in chart.upcards)
            rows.append(ChartLine(hand=hand, codes=codes))
            for up in chart.upcards:
                for cards in row[up].exceptions if up in row else ():
                    same_rank = True if section.title == "Pairs" and cards[0] == 10 else None
                    exceptions.append(
                        ChartException(
                            hand=hand_name(cards),
                            upcard=value_name(up),
                            chart=row[up].code,
                            best=odds.hand(cards, up, same_rank).best.value,
                        )
                    )
        grids.append(ChartGrid(title=section.title, rows=tuple(rows)))
    return StrategyChart(
        upcards=tuple(value_name(up) for up in chart.upcards),
        grids=tuple(grids),
        legend=tuple(Term(written=code, meaning=CODES[code]) for code in codes_used(chart)),
        exceptions=tuple(exceptions),
        note=(
            "The sheet's figures are those of composition-dependent play: each hand by its own "
            "cards. The chart shows what is best on average over the two-card hands of a cell; "
            "hands that are played otherwise are listed below it."
        ),
    )


def simulation_section(odds: GameOdds, outcomes: RoundOutcomes, seen: Simulation) -> GameSimulation:
    """The simulated rounds beside the analysis."""
    figures = [("House edge", odds.house_edge, -seen.mean, seen.mean_standard_error)]
    deviation = seen.standard_deviation
    error = seen.variance_standard_error / (2 * deviation) if deviation else 0.0
    figures.append(("Standard deviation", outcomes.standard_deviation, deviation, error))
    shares = [
        ("Rounds with a natural", outcomes.natural, seen.blackjack),
        ("Split rounds", outcomes.split, seen.split),
        ("Surrendered rounds", outcomes.surrender, seen.surrender),
        ("Rounds with a double", outcomes.double, seen.double),
    ]
    if outcomes.distribution is not None:
        shares += [
            ("Rounds won", outcomes.chance(1) or 0.0, seen.win),
            ("Rounds pushed", outcomes.chance(0) or 0.0, seen.push),
            ("Rounds lost", outcomes.chance(-1) or 0.0, seen.loss),
        ]
    for name, share, observed in shares:
        if share > 0 or observed > 0:
            error = math.sqrt(share * (1 - share) / seen.rounds)
            figures.append((name, share, observed, error))
    lines = tuple(_line(*figure) for figure in figures)
    return GameSimulation(
        method=(
            "Whole rounds dealt card by card without replacement, each from the full shoe, and "
            "played by the analysed strategy: every hand, split and dealer's draw. It shares the "
            "decisions with the analysis, and none of its probabilities. About one line in a "
            "hundred is expected outside its interval."
        ),
        generator=GENERATOR,
        seed=seen.seed,
        rounds=seen.rounds,
        lines=lines,
        largest_z=max(abs(line.z) for line in lines),
    )


def _line(name: str, expected: float, observed: float, error: float) -> SimulatedFigure:
    reach = NORMAL.inv_cdf(0.5 + CHECK_CONFIDENCE / 2) * error
    return SimulatedFigure(
        name=name,
        expected=expected,
        observed=observed,
        standard_error=error,
        z=(observed - expected) / error if error else 0.0,
        low=observed - reach,
        high=observed + reach,
        inside=abs(observed - expected) <= reach,
    )
