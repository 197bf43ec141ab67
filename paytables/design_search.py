"""Exact search over integer points: which combinations of pays put linear sums into bands.

Every tier is an axis with rising integer values, every deck count a linear form with a band, and
"rarer pays more" a set of pairs of axes. The axes are cut in two halves whose partial sums are
sorted, so that one half is looked up in the other (meet in the middle): the points in a band are
counted without being listed, in about the time that listing one half takes. Where a half would be
too large, the first axes are walked one value at a time.

Points are ranked by costs that add up over axes and pairs of axes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from paytables.readability import LARGE_STEP, SMALL_STEP, UNEVEN_STEP

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
Tell = Callable[[float], None]
"""Called with the fraction done; raising from it cancels."""

HALF_COST = 6e7
"""The work, in array elements, up to which halves are not cut further."""
CHUNK = 400_000
"""The most points that are looked at at once."""


@dataclass(frozen=True)
class Problem:
    """A search.

    Attributes:
        axes: For each axis its values, rising.
        weights: For each band the weight of each axis, shape (bands, axes).
        low: For each band the least sum.
        high: For each band the greatest sum.
        above: Pairs of axes (i, j) with i < j: the value on i must be above that on j.
        strict: Whether equal is not above.
        own: For each axis the costs of its values, where costs are capped.
        cap: Points whose own costs sum to more may be left out; all others are found.
    """

    axes: tuple[IntArray, ...]
    weights: IntArray
    low: IntArray
    high: IntArray
    above: frozenset[tuple[int, int]] = frozenset()
    strict: bool = True
    own: tuple[IntArray, ...] | None = None
    cap: int = 0

    @property
    def side(self) -> Literal["left", "right"]:
        """Where in a rising axis the values below (or, if not strict, at) a bound end."""
        return "left" if self.strict else "right"

    def with_band_first(self, band: int) -> Problem:
        """The same search with another band as the one that is looked up."""
        order = [band, *(b for b in range(len(self.low)) if b != band)]
        return replace(
            self, weights=self.weights[order], low=self.low[order], high=self.high[order]
        )

    def rows(self, start: int, stop: int) -> float:
        """At most how many combinations the axes from `start` to `stop` have, the order kept.

        Between neighbours in a chain the order is counted exactly, otherwise not at all.
        """
        total = 1.0
        ways: FloatArray = np.ones(1)
        for i in range(start, stop):
            values = self.axes[i]
            if i > start and (i - 1, i) in self.above:
                other: Literal["left", "right"] = "right" if self.strict else "left"
                firsts = np.searchsorted(self.axes[i - 1], values, side=other)
                tails = np.append(np.cumsum(ways[::-1])[::-1], 0.0)
                ways = tails[firsts]
            else:
                total *= float(ways.sum())
                ways = np.ones(len(values))
        return min(total * float(ways.sum()), self._cheap_rows(start, stop))

    def _cheap_rows(self, start: int, stop: int) -> float:
        """How many combinations of some axes the cap leaves, whatever their order."""
        if self.own is None:
            return math.inf
        room = self.cap_of(start, stop)
        if room < 0:
            return 0.0
        ways: FloatArray = np.ones(1)
        for i in range(start, stop):
            costs = self.own[i][self.own[i] <= room]
            ways = np.convolve(ways, np.bincount(costs, minlength=1))[: room + 1]
        return float(ways.sum())

    def cap_of(self, start: int, stop: int) -> int:
        """What some axes may cost together: the cap less the least that the others cost."""
        assert self.own is not None
        others = (own for i, own in enumerate(self.own) if not start <= i < stop)
        return self.cap - sum(int(own.min()) for own in others if len(own))

    def cuts(self) -> list[int]:
        """Where the axes can be halved: all of one side must be above all of the other, or none."""
        found = [0]
        for cut in range(1, len(self.axes)):
            crossing = {(i, j) for i, j in self.above if i < cut <= j}
            heads, tails = {i for i, _ in crossing}, {j for _, j in crossing}
            if len(crossing) == len(heads) * len(tails):
                found.append(cut)
        return found

    def best_cut(self) -> tuple[int, float]:
        """The cheapest place to halve, and its cost in array elements."""
        costs = []
        for cut in self.cuts():
            crossing = [j for i, j in self.above if i < cut <= j]
            keys = max((len(self.axes[j]) for j in crossing), default=1)
            heads, tails = self.rows(0, cut), self.rows(cut, len(self.axes))
            costs.append((heads * (8 + min(keys, tails)) + 20 * tails, cut))
        cost, cut = min(costs)
        return cut, cost

    def leaves(self) -> Iterator[tuple[tuple[int, ...], Problem, int, float]]:
        """Parts of the search that can be halved.

        Yields:
            The positions of the axes that are fixed, the search over the others, its cut, and the
            part of the whole that is done once it is.
        """
        cut, cost = self.best_cut()
        if cost <= HALF_COST or len(self.axes) <= 2:
            yield (), self, cut, 1.0
            return
        for position in range(len(self.axes[0])):
            if self.own is not None and self.own[0][position] > self.cap_of(0, 1):
                continue
            for fixed, part, inner_cut, done in self._fixed(position).leaves():
                yield (position, *fixed), part, inner_cut, (position + done) / len(self.axes[0])

    def work(self) -> float:
        """About how many array elements a count takes."""
        cost = self.best_cut()[1]
        if cost <= HALF_COST or len(self.axes) <= 2:
            return cost
        values = len(self.axes[0])
        if self.own is not None:
            values = int((self.own[0] <= self.cap_of(0, 1)).sum())
        return values * self._fixed(len(self.axes[0]) - 1, free=True).work()

    def _fixed(self, position: int, *, free: bool = False) -> Problem:
        """The search over all axes but the first, which has a value (that may cost nothing)."""
        value = int(self.axes[0][position])
        axes = [
            axis[: int(np.searchsorted(axis, value, side=self.side))]
            if (0, j) in self.above
            else axis
            for j, axis in enumerate(self.axes)
        ]
        taken = self.weights[:, 0] * value
        return replace(
            self,
            axes=tuple(axes[1:]),
            weights=self.weights[:, 1:],
            low=self.low - taken,
            high=self.high - taken,
            above=frozenset((i - 1, j - 1) for i, j in self.above if i),
            own=None
            if self.own is None
            else tuple(o[: len(a)] for o, a in zip(self.own[1:], axes[1:], strict=True)),
            cap=self.cap - (0 if free or self.own is None else int(self.own[0][position])),
        )


@dataclass(frozen=True)
class _Half:
    """All combinations of some axes: positions (rows, axes), sums (bands, rows), boundary key."""

    positions: IntArray
    sums: IntArray
    key: IntArray | None


def _combinations(problem: Problem, start: int, stop: int) -> _Half:
    positions: IntArray = np.zeros((1, 0), dtype=np.int64)
    costs: IntArray = np.zeros(1, dtype=np.int64)
    for j in range(start, stop):
        axis = problem.axes[j]
        room = np.full(len(positions), len(axis), dtype=np.int64)
        for i in range(start, j):
            if (i, j) in problem.above:
                over = problem.axes[i][positions[:, i - start]]
                room = np.minimum(room, np.searchsorted(axis, over, side=problem.side))
        rows = np.repeat(np.arange(len(positions)), room)
        firsts = np.cumsum(room) - room
        last = np.arange(int(room.sum())) - np.repeat(firsts, room)
        positions = np.column_stack([positions[rows], last])
        if problem.own is not None:
            costs = costs[rows] + problem.own[j][last]
            later = sum(int(own.min()) for own in problem.own[j + 1 : stop] if len(own))
            kept = costs <= problem.cap_of(start, stop) - later
            positions, costs = positions[kept], costs[kept]
    sums = np.zeros((len(problem.low), len(positions)), dtype=np.int64)
    for j in range(start, stop):
        sums += problem.weights[:, j, None] * problem.axes[j][positions[:, j - start]]
    return _Half(positions, sums, None)


def _halves(problem: Problem, cut: int) -> tuple[_Half, _Half]:
    """Both halves, the first sorted by its sum in the first band."""
    size = len(problem.axes)
    crossing = [(i, j) for i, j in problem.above if i < cut <= j]
    head, tail = _combinations(problem, 0, cut), _combinations(problem, cut, size)
    order = np.argsort(head.sums[0], kind="stable")
    head = _Half(head.positions[order], head.sums[:, order], None)
    if not crossing:
        return head, tail
    tops, bottoms = sorted({i for i, _ in crossing}), sorted({j for _, j in crossing})
    lowest = np.min([problem.axes[i][head.positions[:, i]] for i in tops], axis=0)
    highest = np.max([problem.axes[j][tail.positions[:, j - cut]] for j in bottoms], axis=0)
    return _Half(head.positions, head.sums, lowest), _Half(tail.positions, tail.sums, highest)


def _matches(problem: Problem, head: _Half, tail: _Half) -> Iterator[tuple[IntArray, IntArray]]:
    """Rows of the head (sorted by sum) and rows of the tail that may go together."""
    if not len(head.positions) or not len(tail.positions):
        return
    if head.key is None or tail.key is None:
        yield np.arange(len(head.positions)), np.arange(len(tail.positions))
        return
    order = np.argsort(tail.key, kind="stable")
    keys, firsts = np.unique(tail.key[order], return_index=True)
    for key, rows in zip(keys, np.split(order, firsts[1:]), strict=True):
        fits = head.key > key if problem.strict else head.key >= key
        yield np.flatnonzero(fits), rows


def _spans(
    problem: Problem, head: _Half, tail: _Half, heads: IntArray, tails: IntArray
) -> tuple[IntArray, IntArray]:
    """For each row of the tail the first and last place in `heads` that its band allows."""
    sums, added = head.sums[0][heads], tail.sums[0][tails]
    first = np.searchsorted(sums, problem.low[0] - added, side="left")
    last = np.searchsorted(sums, problem.high[0] - added, side="right")
    return first, np.maximum(first, last)


def count(problem: Problem, tell: Tell | None = None) -> int:
    """How many points are in the first band, in the order asked for.

    Example:
        >>> axes = (np.arange(1, 5), np.arange(1, 5))
        >>> count(Problem(axes, np.array([[1, 1]]), np.array([5]), np.array([6]),
        ...               frozenset({(0, 1)})))
        3
    """
    total = 0
    for _, part, cut, done in problem.leaves():
        head, tail = _halves(part, cut)
        for heads, tails in _matches(part, head, tail):
            first, last = _spans(part, head, tail, heads, tails)
            total += int((last - first).sum())
        if tell is not None:
            tell(done)
    return total


def nearest(
    problem: Problem, tell: Tell | None = None
) -> tuple[list[int] | None, list[int] | None]:
    """The points whose sums are nearest to the first band, below and above it.

    Returns:
        The positions on the axes of the nearest point below, and of the nearest above; None where
        there is none. The other bands are left out of account.
    """
    best: list[tuple[int, list[int]] | None] = [None, None]
    for fixed, part, cut, done in problem.leaves():
        head, tail = _halves(part, cut)
        for heads, tails in _matches(part, head, tail):
            if not len(heads):
                continue
            first, last = _spans(part, head, tail, heads, tails)
            for side, places, limit in ((0, first - 1, part.low[0]), (1, last, part.high[0])):
                there = np.flatnonzero((places >= 0) & (places < len(heads)))
                if not len(there):
                    continue
                h, t = heads[places[there]], tails[there]
                gap = np.abs(head.sums[0][h] + tail.sums[0][t] - limit)
                k = int(np.argmin(gap))
                known = best[side]
                if known is None or gap[k] < known[0]:
                    found = [*fixed, *head.positions[h[k]].tolist(), *tail.positions[t[k]].tolist()]
                    best[side] = int(gap[k]), found
        if tell is not None:
            tell(done)
    below, above = best
    return (below[1] if below else None), (above[1] if above else None)


@dataclass(frozen=True)
class Ranking:
    """What a point costs.

    Attributes:
        axes: The values of each axis.
        own: For each axis the cost of each of its values.
        steps: Pairs of axes (i, j) and a ratio: see `paytables.readability.step_cost`.
        aim: For each band the sum aimed at; nearness decides between points of equal cost.
        scale: For each band the largest distance from the aim that its band allows.
    """

    axes: tuple[IntArray, ...]
    own: tuple[IntArray, ...]
    steps: tuple[tuple[int, int, float], ...]
    aim: FloatArray
    scale: FloatArray

    def costs(self, positions: IntArray) -> IntArray:
        """The cost of each point."""
        total = np.zeros(len(positions), dtype=np.int64)
        for i, own in enumerate(self.own):
            total += own[positions[:, i]]
        for i, j, rarity in self.steps:
            rarer = self.axes[i][positions[:, i]].astype(np.float64)
            commoner = self.axes[j][positions[:, j]].astype(np.float64)
            small = rarer < float(SMALL_STEP) * commoner
            large = (rarer > float(LARGE_STEP) * commoner) & (rarer > rarity * commoner)
            total += UNEVEN_STEP * ((small | large) & (commoner > 0))
        return total


Filter = Callable[[IntArray], NDArray[np.bool_]]
"""Which points pass, from their values (rows, axes)."""


@dataclass
class Found:
    """What a listing found.

    Attributes:
        count: Points in all bands that pass the filter.
        keys: Cost and nearness of the best ones, rising.
        positions: Their positions on the axes.
    """

    count: int = 0
    keys: FloatArray = field(default_factory=lambda: np.zeros(0))
    positions: IntArray | None = None

    def add(self, keys: FloatArray, positions: IntArray, top: int) -> None:
        """Take in further points, keeping the best `top`."""
        if self.positions is not None:
            keys = np.concatenate([self.keys, keys])
            positions = np.concatenate([self.positions, positions])
        if len(keys) > top:
            worst = np.partition(keys, top - 1)[top - 1]
            chosen = np.flatnonzero(keys <= worst)
            keys, positions = keys[chosen], positions[chosen]
        order = np.argsort(keys, kind="stable")[:top]
        self.keys, self.positions = keys[order], positions[order]


def _in_chunks(first: IntArray, last: IntArray) -> Iterator[slice]:
    """Parts of the tail whose spans together stay near `CHUNK` points."""
    ends = np.cumsum(last - first)
    start = 0
    while start < len(ends):
        before = int(ends[start - 1]) if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, before + CHUNK, side="right")))
        yield slice(start, stop)
        start = stop


def listing(
    problem: Problem,
    ranking: Ranking,
    top: int,
    passes: Filter | None = None,
    tell: Tell | None = None,
    stop_at: int | None = None,
) -> Found:
    """Go through every point in all bands, count those that pass and keep the best.

    Args:
        problem: The search.
        ranking: What points cost.
        top: How many to keep.
        passes: A filter on their values.
        tell: Called with the fraction done; raising from it cancels.
        stop_at: Stop once so many have been counted.
    """
    found = Found()
    for fixed, part, cut, done in problem.leaves():
        head, tail = _halves(part, cut)
        prefix = np.array(fixed, dtype=np.int64)
        for heads, tails in _matches(part, head, tail):
            first, last = _spans(part, head, tail, heads, tails)
            for some in _in_chunks(first, last):
                _look(problem, ranking, top, passes, found, prefix, part, head, tail,
                      heads, tails[some], first[some], last[some])  # fmt: skip
                if tell is not None:
                    tell(min(done, 0.999))
                if stop_at is not None and found.count >= stop_at:
                    return found
        if tell is not None:
            tell(done)
    return found


def _look(
    problem: Problem,
    ranking: Ranking,
    top: int,
    passes: Filter | None,
    found: Found,
    prefix: IntArray,
    part: Problem,
    head: _Half,
    tail: _Half,
    heads: IntArray,
    tails: IntArray,
    first: IntArray,
    last: IntArray,
) -> None:
    """Look at all points of some rows of the tail."""
    sizes = last - first
    total = int(sizes.sum())
    if not total:
        return
    h = heads[np.arange(total) - np.repeat(np.cumsum(sizes) - sizes - first, sizes)]
    t = np.repeat(tails, sizes)
    for band in range(1, len(part.low)):
        sums = head.sums[band][h] + tail.sums[band][t]
        fits = (sums >= part.low[band]) & (sums <= part.high[band])
        h, t = h[fits], t[fits]
    if not len(h):
        return
    positions = np.empty((len(h), len(problem.axes)), dtype=np.int64)
    positions[:, : len(prefix)] = prefix
    split = len(prefix) + head.positions.shape[1]
    positions[:, len(prefix) : split] = head.positions[h]
    positions[:, split:] = tail.positions[t]
    if passes is not None:
        kept = passes(values_of(problem.axes, positions))
        positions, h, t = positions[kept], h[kept], t[kept]
    found.count += len(positions)
    costs = ranking.costs(positions).astype(np.float64)
    if found.positions is not None and len(found.keys) == top:
        better = np.flatnonzero(costs <= found.keys[-1])
        positions, h, t, costs = positions[better], h[better], t[better], costs[better]
    if not len(costs):
        return
    taken = problem.weights[:, : len(prefix)] @ np.array(
        [problem.axes[i][p] for i, p in enumerate(prefix)], dtype=np.int64
    )
    sums = head.sums[:, h] + tail.sums[:, t] + taken[:, None]
    far = np.abs(sums - ranking.aim[:, None]) / ranking.scale[:, None]
    # below 1, so that nearness only decides between equal costs
    found.add(costs + 0.5 * np.minimum(far.max(axis=0), 1.0), positions, top)


def values_of(axes: Sequence[IntArray], positions: IntArray) -> IntArray:
    """The values at positions on the axes, shape (rows, axes)."""
    columns = [axis[positions[:, i]] for i, axis in enumerate(axes)]
    return np.column_stack(columns) if columns else np.zeros((len(positions), 0), dtype=np.int64)
