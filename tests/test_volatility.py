"""Volatility figures against convolution in exact fractions and against definitions."""

from __future__ import annotations

import math
from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from odds.errors import InputError
from paytables import volatility
from paytables.bets import load_paytable
from paytables.metrics import evaluate
from paytables.volatility import (
    Total,
    exposure,
    return_shares,
    rtp_interval,
    side_by_side,
    slopes,
    volatility_index,
)

SWEET = evaluate(load_paytable("Sweet 16"), 6)
SEVENS = evaluate(load_paytable("Super Sevens"), 6)
INSURANCE = evaluate(load_paytable("Insurance"), 6)
PAIRS = evaluate(load_paytable("Perfect Pairs", "30/10/5"), 8)


def convolved(results: dict[Fraction, Fraction], rounds: int) -> dict[Fraction, Fraction]:
    """The distribution of the total of some rounds, exactly and slowly."""
    total = {Fraction(0): Fraction(1)}
    for _ in range(rounds):
        longer: dict[Fraction, Fraction] = {}
        for net, p in total.items():
            for more, q in results.items():
                longer[net + more] = longer.get(net + more, Fraction(0)) + p * q
        total = longer
    return total


@pytest.mark.parametrize("evaluation", [SWEET, SEVENS, INSURANCE], ids=["sweet", "777", "ins"])
@pytest.mark.parametrize("rounds", [1, 2, 7])
def test_the_interval_of_few_rounds_is_that_of_the_exact_convolution(evaluation, rounds) -> None:  # type: ignore[no-untyped-def]
    total = convolved(evaluation.results, rounds)
    found = rtp_interval(evaluation, rounds, 0.97)
    rising = Fraction(0)
    ends = {}
    for net in sorted(total):
        rising += total[net]
        for level in (Fraction(15, 1000), Fraction(985, 1000)):
            if rising >= level:
                ends.setdefault(level, 1 + net / rounds)
    assert found.method == "convolution"
    assert found.exact == pytest.approx([float(end) for end in ends.values()], abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(
    nets=st.lists(st.fractions(-2, 40, max_denominator=4), min_size=2, max_size=5, unique=True),
    weights=st.lists(st.integers(1, 60), min_size=5, max_size=5),
    rounds=st.integers(1, 9),
)
def test_distribution(nets: list[Fraction], weights: list[int], rounds: int) -> None:
    weights = weights[: len(nets)]
    results = {net: Fraction(w, sum(weights)) for net, w in zip(nets, weights, strict=True)}
    total = Total(results)
    size = round(rounds * float(total.places.max()))
    found = total.distribution(rounds, 0, size)
    wanted = np.zeros(size + 1)
    for net, p in convolved(results, rounds).items():
        wanted[int((net - rounds * total.low) / total.step)] = float(p)
    assert found == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("rounds", [100, 10_000, 10_000_000])
def test_the_window_holds_everything_and_moments_are_right(rounds: int) -> None:
    total = Total(SEVENS.results)
    low, high = total.window(rounds)
    odds = total.distribution(rounds, low, high)
    places = np.arange(low, high + 1)
    assert odds.sum() == pytest.approx(1, abs=1e-9)
    mean = float(odds @ places)
    assert mean == pytest.approx(rounds * total.mean, rel=1e-8)
    spread = math.sqrt(float(odds @ (places - mean) ** 2))
    assert spread == pytest.approx(math.sqrt(rounds) * total.deviation, rel=1e-5)


@pytest.mark.parametrize("evaluation", [SWEET, SEVENS, INSURANCE, PAIRS])
@pytest.mark.parametrize("rounds", [10, 100, 1000, 10**4, 10**5, 10**6])
def test_a_normal_interval_called_valid_has_nearly_the_right_odds(evaluation, rounds) -> None:  # type: ignore[no-untyped-def]
    found = rtp_interval(evaluation, rounds)
    total = Total(evaluation.results)
    low, high = total.window(rounds)
    rising = np.cumsum(total.distribution(rounds, low, high))
    stake = float(evaluation.paytable.stake)
    errors = []
    for end, level in zip(found.normal, (0.025, 0.975), strict=True):
        place = ((end - 1) * stake * rounds - rounds * float(total.low)) / float(total.step)
        index = min(max(math.floor(place) - low, -1), high - low)
        errors.append(abs((float(rising[index]) if index >= 0 else 0.0) - level))
    if found.normal_valid:
        assert max(errors) <= 1.5 * volatility.NORMAL_ERROR
    if max(errors) > 0.02:
        assert not found.normal_valid


def test_the_flag_turns_with_the_rounds() -> None:
    flags = [rtp_interval(SEVENS, 10**k).normal_valid for k in range(1, 9)]
    assert flags == sorted(flags)
    assert not flags[0]
    assert flags[-1]


@pytest.mark.parametrize(("rounds", "tolerance"), [(1000, 5e-3), (100_000, 5e-4)])
def test_saddle_point_agrees_with_the_convolution(rounds: int, tolerance: float) -> None:
    for evaluation in (SWEET, INSURANCE, PAIRS):
        total = Total(evaluation.results)
        low, high = total.window(rounds)
        rising = np.cumsum(total.distribution(rounds, low, high))
        for level in (0.01, 0.3, 0.5, 0.9, 0.999):
            place = int(np.searchsorted(rising, level))
            tail = total.tail(rounds, low + place + 1)
            assert tail == pytest.approx(1 - float(rising[place]), abs=tolerance)


def test_a_fine_lattice_is_rounded_and_a_finer_one_goes_by_the_saddle_point(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    progressive = load_paytable("21+3 Progressive")
    even, odd = (evaluate(progressive, 6, meter=m) for m in (25_000, Fraction(2_500_001, 100)))
    plain, rounded = (rtp_interval(e, 10_000) for e in (even, odd))
    assert (plain.method, rounded.method) == ("convolution", "convolution, rare results rounded")
    assert rounded.exact == pytest.approx(plain.exact, abs=1e-9)
    monkeypatch.setattr(volatility, "MOST_POINTS", 100)
    saddle = rtp_interval(SWEET, 100_000)
    monkeypatch.undo()
    assert saddle.method == "saddle point"
    assert saddle.exact == pytest.approx(rtp_interval(SWEET, 100_000).exact, abs=1e-4)


def test_index_slopes_shares_exposure() -> None:
    z = NormalDist().inv_cdf(0.95)
    assert volatility_index(SWEET) == pytest.approx(z * SWEET.standard_deviation)
    for slope in slopes(SWEET, {"sweet": 10}):
        raised = SWEET.paytable.with_pays(
            {
                slope.tier: next(t.pays for t in SWEET.paytable.tiers if t.name == slope.tier)
                + slope.step
            }  # type: ignore[operator]
        )
        assert evaluate(raised, 6).edge - SWEET.edge == slope.edge_change
    assert sum(return_shares(SWEET).values()) == 1
    assert sum(return_shares(evaluate(SWEET.paytable.as_for_one(), 6)).values()) == 1
    most = exposure(SWEET, 100, 7)
    assert most.amount == 160 * 100 * 7
    assert most.probability == SWEET.odds.tier("sweet").probability


def test_side_by_side() -> None:
    table = side_by_side(SWEET.paytable, [4, 6, 8])
    assert list(table) == [4, 6, 8]
    for figures in table.values():
        parts = ("hit_frequency", "push_frequency", "lose_frequency")
        assert sum(figures[part] for part in parts) == pytest.approx(1)
        assert figures["house_edge"] + figures["rtp"] == pytest.approx(1)


@pytest.mark.parametrize(
    ("call", "field"),
    [
        (lambda: rtp_interval(SWEET, 0), "rounds"),
        (lambda: rtp_interval(SWEET, 10**10), "rounds"),
        (lambda: rtp_interval(SWEET, 10, 1.0), "confidence"),
        (lambda: volatility_index(SWEET, 0), "confidence"),
        (lambda: exposure(SWEET, 0), "maximum_bet"),
        (lambda: exposure(SWEET, 1, 0), "seats"),
    ],
)
def test_bad_input(call, field: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError) as caught:
        call()
    assert caught.value.field == field


def test_results_of_a_billion_units_scale_with_the_meter() -> None:
    # the top award is nearly all of the total: its quantiles grow in proportion
    bet = load_paytable("Bet Player and Bet Dealer", "both with the meter")
    small, large = (
        rtp_interval(evaluate(bet, meter=amount), 10_000) for amount in (10**10, 999_999_999_999)
    )
    for one, other in zip(small.exact, large.exact, strict=True):
        assert other / one == pytest.approx(99.9999999999, rel=1e-3)
