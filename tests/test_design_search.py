"""The search over integer points against plain enumeration."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paytables import design_search
from paytables.design_search import Problem, Ranking, count, listing, nearest


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    size = draw(st.integers(1, 5))
    axis = st.lists(st.integers(0, 14), min_size=1, max_size=5, unique=True).map(sorted)
    axes = tuple(np.array(draw(axis)) for _ in range(size))
    bands = draw(st.integers(1, 3))
    rows = st.lists(st.integers(-3, 9), min_size=size, max_size=size)
    weights = np.array([draw(rows) for _ in range(bands)])
    low = np.array([draw(st.integers(-20, 60)) for _ in range(bands)])
    high = low + np.array([draw(st.integers(0, 90)) for _ in range(bands)])
    every = [(i, j) for i in range(size) for j in range(i + 1, size)]
    kind = draw(st.sampled_from(["chain", "none", "two chains"]))
    above = {
        "chain": frozenset(every),
        "none": frozenset(),
        "two chains": frozenset((i, j) for i, j in every if (i < 2) == (j < 2)),
    }[kind]
    return Problem(axes, weights, low, high, above, draw(st.booleans()))


def points(problem: Problem) -> list[tuple[int, ...]]:
    """Every point in the order asked for, one by one."""
    return [
        point
        for point in itertools.product(*(axis.tolist() for axis in problem.axes))
        if all(
            point[i] > point[j] if problem.strict else point[i] >= point[j]
            for i, j in problem.above
        )
    ]


def in_band(problem: Problem, point: tuple[int, ...], band: int) -> bool:
    total = sum(int(w) * v for w, v in zip(problem.weights[band], point, strict=True))
    return bool(problem.low[band] <= total <= problem.high[band])


def ranked(problem: Problem, costs: list[np.ndarray]) -> Ranking:
    scale = np.ones(len(problem.low))
    return Ranking(problem.axes, tuple(costs), (), problem.low.astype(float), scale)


@pytest.fixture(params=[1.0, 80.0, 6e7], ids=["axis by axis", "mixed", "halved at once"])
def half_cost(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(design_search, "HALF_COST", request.param)
    monkeypatch.setattr(design_search, "CHUNK", 3 if request.param < 100 else 400_000)


SLOW = settings(max_examples=70, deadline=None)


@pytest.mark.usefixtures("half_cost")
class TestAgainstEnumeration:
    @SLOW
    @given(problem=problems())
    def test_count(self, problem: Problem) -> None:
        assert count(problem) == sum(in_band(problem, point, 0) for point in points(problem))

    @SLOW
    @given(problem=problems(), data=st.data())
    def test_listing(self, problem: Problem, data: st.DataObject) -> None:
        bands = range(len(problem.low))
        hits = [p for p in points(problem) if all(in_band(problem, p, b) for b in bands)]
        costs = [np.array([(7 * v) % 5 for v in axis]) for axis in problem.axes]
        top = data.draw(st.integers(1, 5))
        found = listing(problem, ranked(problem, costs), top)
        assert found.count == len(hits)
        best = sorted(sum((7 * v) % 5 for v in point) for point in hits)[:top]
        assert [int(key) for key in found.keys] == best
        if found.positions is not None:
            values = design_search.values_of(problem.axes, found.positions)
            assert {tuple(row) for row in values.tolist()} <= set(hits)

    @SLOW
    @given(problem=problems(), cap=st.integers(0, 12))
    def test_a_capped_listing_has_every_cheap_point(self, problem: Problem, cap: int) -> None:
        bands = range(len(problem.low))
        costs = [np.array([(7 * v) % 5 for v in axis]) for axis in problem.axes]
        capped = replace(problem, own=tuple(costs), cap=cap)
        found = listing(capped, ranked(problem, costs), 10_000)
        cheap = {
            point
            for point in points(problem)
            if all(in_band(problem, point, b) for b in bands)
            and sum((7 * v) % 5 for v in point) <= cap
        }
        listed = set()
        if found.positions is not None:
            values = design_search.values_of(problem.axes, found.positions).tolist()
            assert len(values) == found.count == len({tuple(row) for row in values})
            listed = {tuple(row) for row in values}
        assert cheap <= listed <= set(points(problem))
        assert found.count <= count(capped)

    @SLOW
    @given(problem=problems())
    def test_nearest(self, problem: Problem) -> None:
        def total(point: tuple[int, ...]) -> int:
            return sum(int(w) * v for w, v in zip(problem.weights[0], point, strict=True))

        sums = [total(point) for point in points(problem)]
        below = max((s for s in sums if s < problem.low[0]), default=None)
        above = min((s for s in sums if s > problem.high[0]), default=None)
        for positions, wanted in zip(nearest(problem), (below, above), strict=True):
            if positions is None:
                assert wanted is None
            else:
                point = tuple(int(a[p]) for a, p in zip(problem.axes, positions, strict=True))
                assert point in points(problem)
                assert total(point) == wanted


@settings(max_examples=70, deadline=None)
@given(problem=problems())
def test_the_estimate_of_rows_is_an_upper_bound_and_exact_for_a_chain(problem: Problem) -> None:
    size = len(problem.axes)
    chain = len(problem.above) == size * (size - 1) // 2
    number = len(points(problem))
    assert problem.rows(0, size) >= number
    if chain:
        assert problem.rows(0, size) == number


def test_progress_reaches_the_end_and_its_exception_stops_the_search() -> None:
    axes = (np.arange(40), np.arange(40), np.arange(40))
    problem = Problem(axes, np.array([[3, 2, 1]]), np.array([50]), np.array([90]))
    seen: list[float] = []
    listing(problem, ranked(problem, [np.zeros(40, dtype=int)] * 3), 3, tell=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0

    def stop(done: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        count(problem, stop)
