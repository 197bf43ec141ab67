"""The parts of a bet's sheet about risk: RTP intervals, exposure, decks, pays, the meter."""

from __future__ import annotations

import math
from fractions import Fraction

from odds.errors import InputError
from paytables.metrics import Evaluation, MeterResult, evaluate, meter_result
from paytables.sheets.model import (
    Cap,
    DecksLine,
    ExactNumber,
    Exposure,
    MeterLine,
    MeterSection,
    OutcomeCount,
    RtpLine,
    SensitivityLine,
    TierExposure,
)
from paytables.volatility import exposure, rtp_interval, slopes

RTP_ROUNDS = tuple(10**k for k in range(3, 9))
RTP_CONFIDENCE = 0.95
DECKS = range(1, 9)

exact = ExactNumber.of


def interval_line(found: Evaluation, rounds: int) -> RtpLine:
    """Where the actual RTP of so many rounds lies."""
    interval = rtp_interval(found, rounds, RTP_CONFIDENCE)
    return RtpLine(
        rounds=rounds,
        confidence=RTP_CONFIDENCE,
        normal_low=interval.normal[0],
        normal_high=interval.normal[1],
        normal_valid=interval.normal_valid,
        normal_error=interval.normal_error,
        low=interval.exact[0],
        high=interval.exact[1],
        method=interval.method,
    )


def exposure_section(
    found: Evaluation, maximum_bet: Fraction, seats: int, cap: Fraction | None
) -> Exposure:
    """The most that can be lost: for the bet, for each tier, and with a cap on awards.

    Raises:
        InputError: A maximum bet, number of seats or cap out of range.
    """
    most = exposure(found, maximum_bet, seats)
    wagers = found.paytable.wagers
    tiers = []
    for row in found.tiers:
        one = row.net * wagers.get(row.tier.wager, Fraction(1)) * maximum_bet
        if one > 0:
            tiers.append(
                TierExposure(
                    title=row.tier.title, one_seat=exact(one), all_seats=exact(one * seats)
                )
            )
    limited = None
    if cap is not None:
        if cap <= 0:
            raise InputError("cap", str(cap), "above 0")
        award = cap / maximum_bet
        net = sum((min(net, award) * p for net, p in found.results.items()), Fraction(0))
        edge = -net / found.paytable.stake
        limited = Cap(amount=exact(cap), award=exact(award), edge=exact(edge))
    return Exposure(
        maximum_bet=exact(most.maximum_bet),
        seats=seats,
        largest_award=exact(most.largest_award),
        amount=exact(most.amount),
        probability=exact(most.probability),
        tiers=tuple(tiers),
        cap=limited,
    )


def decks_lines(found: Evaluation, decks: int | None) -> tuple[DecksLine, ...]:
    """The edge with 1 to 8 decks, and the number of the sheet."""
    lines = []
    for number in sorted({*DECKS, *([decks] if decks is not None else [])}):
        try:
            other = found
            if number != decks:
                other = evaluate(found.paytable, number, meter=found.meter)
        except InputError:  # so few cards that a hand might not be finished
            continue
        lines.append(
            DecksLine(
                decks=number,
                this_sheet=number == decks,
                edge=exact(other.edge),
                hit_frequency=exact(other.hit_frequency),
                standard_deviation=other.standard_deviation,
                combinations=other.odds.total,
                outcomes=tuple(
                    OutcomeCount(counts=outcome.hits, combinations=outcome.ways)
                    for outcome in sorted(other.odds.outcomes, key=lambda o: o.hits, reverse=True)
                ),
            )
        )
    return tuple(lines)


def step_of(pays: Fraction) -> Fraction:
    """The step that a pay is tried with: about what the next printable pay is away.

    Example:
        >>> [str(step_of(Fraction(pays))) for pays in ("1/2", "6", "25", "160", "2500")]
        ['1/2', '1', '5', '10', '250']
    """
    if abs(pays) < 3:
        return Fraction(1, 2)
    for below, step in ((20, 1), (100, 5), (250, 10), (500, 25), (1000, 50)):
        if abs(pays) < below:
            return Fraction(step)
    return Fraction(int("1" + "0" * (len(str(int(abs(pays)))) - 1)) // (4 if pays < 5000 else 2))


def sensitivity_lines(found: Evaluation) -> tuple[SensitivityLine, ...]:
    """What one step of each pay does to the edge."""
    lines = []
    for tier, slope in zip(found.paytable.tiers, slopes(found), strict=True):
        if tier.pays is None:
            continue
        step = step_of(tier.pays)
        lines.append(
            SensitivityLine(
                tier=tier.name,
                title=tier.title,
                pays=exact(tier.pays),
                slope=exact(slope.edge_change),
                step=exact(step),
                edge_more=exact(found.edge + step * slope.edge_change),
                edge_less=exact(found.edge - step * slope.edge_change),
            )
        )
    return tuple(lines)


def meter_section(found: Evaluation) -> MeterSection:
    """The progressive meter: edge by amount, break-even, long run."""
    result = meter_result(found)
    meter = result.meter
    return MeterSection(
        stake=exact(meter.stake),
        seed=exact(meter.seed),
        increment=exact(meter.increment),
        amount=exact(found.meter),
        base_edge=exact(result.base_edge),
        return_per_unit=exact(result.return_per_unit),
        break_even=None if result.break_even is None else exact(result.break_even),
        hit_frequency=exact(result.hit_frequency),
        emptied=exact(result.emptied),
        long_run_edge=exact(result.long_run_edge),
        by_amount=tuple(
            MeterLine(amount=exact(amount), edge=exact(result.edge(amount)))
            for amount in _amounts(result, found.meter)
        ),
    )


def _amounts(result: MeterResult, used: Fraction) -> list[Fraction]:
    """Round amounts from 0 to above the break-even, with the seed and the amount counted with."""
    most = result.break_even or max(used, result.meter.seed)
    if most <= 0:
        return sorted({Fraction(0), used, result.meter.seed})
    size = Fraction(10) ** math.floor(math.log10(float(most)))
    step = next(size * k for k in (Fraction(1, 5), Fraction(1, 2), 1, 2) if most / (size * k) <= 8)
    amounts = {step * i for i in range(math.floor(most / step) + 3)}
    return sorted(amounts | {used, result.meter.seed})
