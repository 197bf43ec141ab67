"""A designer's request as a search over integers: the axes, bands, order, filters and costs.

Pays become integers over a common denominator, and each deck count's edge an integer sum that has
to fall into a band. Where the counts are too large for 64 bits (dealers who play out their hand),
the weights are rounded, the bands widened by the largest rounding error, and points near a border
are decided in exact fractions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from odds.errors import InputError
from odds.rules import parse_fraction
from paytables.design_constraints import MAX_VALUES, Limits, Target, TierLimits
from paytables.design_search import Filter, IntArray, Problem, Ranking
from paytables.edge_form import EdgeForm
from paytables.model import Paytable, Tier
from paytables.readability import CHANGE, PRINTABLE, roundness, step_cost
from paytables.suggest import nearest as nearest_name

REACH = 5
"""A tier without an upper bound may pay up to so many times what it pays now."""
LARGEST_SUM = 2**62
SLACK = 1e-12


@dataclass(frozen=True)
class Space:
    """Everything a search needs.

    Attributes:
        paytable: The paytable that is changed.
        target: The target.
        limits: The limits.
        forms: The edge for each deck count.
        free: The tiers whose pay is searched, as positions in the paytable; rarest first within
            each wager.
        pays: For each of them the pays it may have, rising.
        fixed: What all other tiers pay, by name, where it differs from now.
        scale: The common denominator of all pays.
        problem: The search.
        guard: The largest error of a sum in each band; 0 where the sums are exact.
    """

    paytable: Paytable
    target: Target
    limits: Limits
    forms: tuple[EdgeForm, ...]
    free: tuple[int, ...]
    pays: tuple[tuple[Fraction, ...], ...]
    fixed: dict[str, Fraction]
    scale: int
    problem: Problem
    guard: int

    @property
    def current(self) -> list[Fraction]:
        """What every tier pays now, 0 for one without a pay."""
        return [tier.pays or Fraction(0) for tier in self.paytable.tiers]

    def pays_at(self, positions: Sequence[int]) -> dict[str, Fraction]:
        """The pays at a point of the search, by tier; the fixed ones included."""
        names = [self.paytable.tiers[i].name for i in self.free]
        found = {n: p[k] for n, p, k in zip(names, self.pays, positions, strict=True)}
        return self.fixed | found

    def all_pays(self, positions: Sequence[int]) -> list[Fraction]:
        """What every tier pays at a point of the search."""
        pays = self.pays_at(positions)
        tiers = zip(self.paytable.tiers, self.current, strict=True)
        return [pays.get(tier.name, now) for tier, now in tiers]

    def rarer_pairs(self) -> list[tuple[int, int]]:
        """Pairs of tiers (rarer, more frequent) that the order is about."""
        return rarer_pairs(self.paytable, self.forms)

    def neighbours(self) -> list[tuple[int, int, Fraction]]:
        """Each tier with the next more frequent one, and how many times as often that is hit."""
        pairs = self.rarer_pairs()
        rarity = self.forms[0].probabilities
        found = []
        for i, j in pairs:
            between = any((i, k) in pairs and (k, j) in pairs for k in range(len(rarity)))
            if not between and rarity[i]:
                found.append((i, j, rarity[j] / rarity[i]))
        return found

    def ranking(self) -> Ranking:
        """The costs of `paytables.readability` for the points of the search."""
        current = self.current
        now = self.all_pays([0] * len(self.free))
        own = []
        for i, pays in zip(self.free, self.pays, strict=True):
            costs = [roundness(pay) + CHANGE * (pay != current[i]) for pay in pays]
            own.append(np.array(costs, dtype=np.int64))
        steps = []
        place = {tier: axis for axis, tier in enumerate(self.free)}
        for i, j, rarity in self.neighbours():
            if i in place and j in place:
                steps.append((place[i], place[j], float(rarity)))
            elif i in place:
                own[place[i]] += [step_cost(p, now[j], rarity) for p in self.pays[place[i]]]
            elif j in place:
                own[place[j]] += [step_cost(now[i], p, rarity) for p in self.pays[place[j]]]
        problem = self.problem
        middle = (problem.low + problem.high) / 2
        half = np.maximum((problem.high - problem.low) / 2, 1.0)
        return Ranking(problem.axes, tuple(own), tuple(steps), middle, half)

    def cheap(self, most: int) -> Space | None:
        """The part of the search in which no pay costs more than this by itself, if there is one.

        Returns:
            None where a tier has no such pay.
        """
        ranking = self.ranking()
        kept = [np.flatnonzero(own <= most) for own in ranking.own]
        if any(len(places) == 0 for places in kept):
            return None
        axes = tuple(a[k] for a, k in zip(self.problem.axes, kept, strict=True))
        pays = tuple(
            tuple(p[int(place)] for place in places)
            for p, places in zip(self.pays, kept, strict=True)
        )
        return replace(self, pays=pays, problem=replace(self.problem, axes=axes))

    def passes(self) -> Filter | None:
        """The limits that are not linear in the pays, as a filter on points; None without any."""
        limits = self.limits
        shares = {name: tier.share for name, tier in limits.tiers.items() if tier.share is not None}
        award = limits.largest_award
        if _awards_are_pays(self.paytable):
            award = None  # the axes have no other pays
        figures = limits.deviation or limits.hits or award is not None
        if not (figures or shares or self.guard):
            return None
        views = [_View(self, form) for form in self.forms]

        def passes(values: IntArray) -> NDArray[np.bool_]:
            kept = np.ones(len(values), dtype=bool)
            for view in views:
                if figures:
                    kept &= view.figures_hold(values, limits, award)
                if shares:
                    kept &= view.shares_hold(values, shares)
            if self.guard:
                kept[kept] = self._borders_hold(values[kept])
            return kept

        return passes

    def _borders_hold(self, values: IntArray) -> NDArray[np.bool_]:
        """Whether points are in all bands, those near a border decided exactly."""
        kept = np.ones(len(values), dtype=bool)
        sums = values @ self.problem.weights.T
        near = (sums < self.problem.low + 2 * self.guard) | (
            sums > self.problem.high - 2 * self.guard
        )
        names = [self.paytable.tiers[i].name for i in self.free]
        for row in np.flatnonzero(near.any(axis=1)):
            pays = [Fraction(int(v), self.scale) for v in values[row]]
            point = self.fixed | dict(zip(names, pays, strict=True))
            for form in self.forms:
                low, high = self.target.band(form.decks)
                kept[row] &= low <= form.edge(point) <= high
        return kept


class _View:
    """Net results of one deck count as functions of the free pays, in float64."""

    def __init__(self, space: Space, form: EdgeForm) -> None:
        constants, factors = form.outcome_results()
        now = np.array([float(pay) for pay in space.current])
        for i, tier in enumerate(space.paytable.tiers):
            if tier.name in space.fixed:
                now[i] = float(space.fixed[tier.name])
        now[list(space.free)] = 0.0
        self.space, self.form = space, form
        self.constants = constants + factors @ now
        self.factors = factors[:, list(space.free)] / space.scale
        self.odds = form.outcome_odds()

    def figures_hold(
        self, values: IntArray, limits: Limits, award: Fraction | None
    ) -> NDArray[np.bool_]:
        nets = self.constants + values @ self.factors.T
        kept = np.ones(len(values), dtype=bool)
        if limits.deviation is not None:
            mean = nets @ self.odds
            spread = np.sqrt(np.maximum((nets * nets) @ self.odds - mean * mean, 0.0))
            kept &= _within(spread, limits.deviation.low, limits.deviation.high)
        if limits.hits is not None:
            hits = (nets > SLACK) @ self.odds
            kept &= _within(hits, limits.hits.low, limits.hits.high)
        if award is not None:
            kept &= _within(nets.max(axis=1), None, award)
        return kept

    def shares_hold(self, values: IntArray, shares: dict[str, object]) -> NDArray[np.bool_]:
        paytable = self.space.paytable
        slopes = np.array([float(slope) for slope in self.form.slopes])
        pays = np.tile([float(pay) for pay in self.space.current], (len(values), 1))
        for i, tier in enumerate(paytable.tiers):
            if tier.name in self.space.fixed:
                pays[:, i] = float(self.space.fixed[tier.name])
        pays[:, list(self.space.free)] = values / self.space.scale
        returned = 1.0 - float(self.form.constant) + pays @ slopes
        stake_back = 1.0 if paytable.paid == "to one" else 0.0
        kept = np.ones(len(values), dtype=bool)
        for i, tier in enumerate(paytable.tiers):
            share = shares.get(tier.name)
            if isinstance(share, Fraction):
                paid = slopes[i] * (pays[:, i] + stake_back)
                kept &= paid <= float(share) * returned + SLACK
        return kept


def _within(
    figure: NDArray[np.float64], low: Fraction | None, high: Fraction | None
) -> NDArray[np.bool_]:
    kept = np.ones(len(figure), dtype=bool)
    if low is not None:
        kept &= figure >= float(low) - SLACK
    if high is not None:
        kept &= figure <= float(high) + SLACK
    return kept


def _awards_are_pays(paytable: Paytable) -> bool:
    """Whether the largest net result is that of one tier: one wager, and only one tier counts."""
    return len({tier.wager for tier in paytable.tiers}) == 1 and not paytable.cumulative


def rarer_pairs(paytable: Paytable, forms: Sequence[EdgeForm]) -> list[tuple[int, int]]:
    """Pairs of tiers of one wager (rarer, more frequent): with every deck count, meters apart."""
    found = []
    for i, one in enumerate(paytable.tiers):
        for j, other in enumerate(paytable.tiers):
            comparable = one.wager == other.wager and one.meter is None and other.meter is None
            if comparable and all(f.probabilities[i] < f.probabilities[j] for f in forms):
                found.append((i, j))
    return found


def settled_order(paytable: Paytable, forms: Sequence[EdgeForm], limits: Limits) -> Limits:
    """The limits with ``auto`` replaced by the strictest order that the current pays keep."""
    if limits.order != "auto":
        return limits
    pays = [tier.pays or Fraction(0) for tier in paytable.tiers]
    pairs = [(pays[i], pays[j]) for i, j in rarer_pairs(paytable, forms)]
    if all(rarer > commoner for rarer, commoner in pairs):
        return replace(limits, order="strict")
    weak = all(rarer >= commoner for rarer, commoner in pairs)
    return replace(limits, order="weak" if weak else "none")


def check_names(paytable: Paytable, limits: Limits) -> None:
    """Check that the limits name tiers of the paytable that have pays.

    Raises:
        InputError: They do not.
    """
    known = {tier.name: tier for tier in paytable.tiers}
    for field, names in (("tier", limits.tiers), ("keep", limits.keep)):
        for name in names:
            if name not in known:
                raise InputError(field, name, nearest_name(name, list(known)))
            if known[name].pays is None:
                raise InputError(field, name, "a tier that has pays, not only a share of the meter")


def _fixed_pay(tier: Tier, limits: Limits) -> Fraction | None:
    """What a tier must pay; None for a tier that is searched."""
    now = tier.pays or Fraction(0)
    if tier.name in limits.keep:
        wanted = limits.keep[tier.name]
        return now if wanted is None else parse_fraction(f"keep {tier.name}", wanted)
    if tier.pays is None:
        return now
    own = limits.tiers.get(tier.name)
    asked = own is not None and (own.pays or own.low is not None or own.high is not None)
    return now if now <= 0 and not asked else None


def _choices(tier: Tier, limits: Limits) -> list[Fraction]:
    """The pays that a searched tier may have, rising."""
    own = limits.tiers.get(tier.name, TierLimits())
    listed = own.listed()
    if listed is not None:
        return listed
    printable = PRINTABLE if limits.printable is None else limits.printable
    values = {parse_fraction("printable", pay) for pay in printable}
    now = tier.pays or Fraction(0)
    low, high, _ = own.bounds
    low = min(values, default=now) if low is None else low
    high = max(REACH * now, Fraction(10)) if high is None else high
    return sorted(value for value in values | {now} if low <= value <= high)


def build_space(
    paytable: Paytable, target: Target, forms: Sequence[EdgeForm], limits: Limits
) -> Space | None:
    """The search for a request.

    Returns:
        None where a tier has no pay left that its own limits and the fixed tiers allow.

    Raises:
        InputError: The limits name no tier, or a tier without pays.
    """
    check_names(paytable, limits)
    pinned = [_fixed_pay(tier, limits) for tier in paytable.tiers]
    fixed = {
        tier.name: pay
        for tier, pay in zip(paytable.tiers, pinned, strict=True)
        if pay is not None and tier.pays is not None
    }
    pairs = rarer_pairs(paytable, forms) if limits.order != "none" else []
    wagers = list(dict.fromkeys(tier.wager for tier in paytable.tiers))
    free = sorted(
        (i for i, pay in enumerate(pinned) if pay is None),
        key=lambda i: (
            wagers.index(paytable.tiers[i].wager),
            sum((j, i) in pairs for j in range(len(pinned))),
            forms[0].probabilities[i],
            i,
        ),
    )
    award = limits.largest_award
    choices = []
    for i in free:
        tier = paytable.tiers[i]
        values = _choices(tier, limits)
        if award is not None and _awards_are_pays(paytable):
            values = [v for v in values if paytable.net(tier.changed(pays=v)) <= award]
        for j, pay in enumerate(pinned):
            if pay is not None and (i, j) in pairs:
                values = [v for v in values if v > pay or (limits.order == "weak" and v == pay)]
            if pay is not None and (j, i) in pairs:
                values = [v for v in values if v < pay or (limits.order == "weak" and v == pay)]
        if not values or len(values) > MAX_VALUES:
            return None
        choices.append(tuple(values))
    place = {tier: axis for axis, tier in enumerate(free)}
    above = frozenset((place[i], place[j]) for i, j in pairs if i in place and j in place)
    scale = math.lcm(*(pay.denominator for values in choices for pay in values))
    axes = tuple(np.array([int(v * scale) for v in values], dtype=np.int64) for values in choices)
    weights, low, high, guard = _bands(target, forms, free, fixed, axes, scale)
    problem = Problem(axes, weights, low, high, above, limits.order != "weak")
    return Space(
        paytable, target, limits, tuple(forms), tuple(free), tuple(choices),
        fixed, scale, problem, guard,
    )  # fmt: skip


def _bands(
    target: Target,
    forms: Sequence[EdgeForm],
    free: Sequence[int],
    fixed: dict[str, Fraction],
    axes: Sequence[IntArray],
    scale: int,
) -> tuple[IntArray, IntArray, IntArray, int]:
    """Weights, least and greatest sums of each band, and the largest rounding error."""
    weights, lows, highs = [], [], []
    guard = 0
    for form in forms:
        names = [tier.name for tier in form.evaluation.paytable.tiers]
        rest = form.edge(fixed | {names[i]: Fraction(0) for i in free})
        slopes = [form.slopes[i] for i in free]
        low, high = target.band(form.decks)
        unit = math.lcm(1, *(slope.denominator for slope in slopes))
        most = [max(map(abs, axis.tolist())) for axis in axes]
        largest = sum(unit * s * m for s, m in zip(slopes, most, strict=True))
        borders = [(rest - edge) * unit * scale for edge in (high, low)]
        if max(largest, *map(abs, borders), 1) < LARGEST_SUM:
            error = 0
        else:
            size = max(sum(s * m for s, m in zip(slopes, most, strict=True)), abs(rest) + 1)
            unit = int(LARGEST_SUM / 4 / (size * scale))
            error = sum(most) + 1
            borders = [(rest - edge) * unit * scale for edge in (high, low)]
        guard = max(guard, error)
        weights.append([round(slope * unit) for slope in slopes])
        lows.append(math.ceil(borders[0]) - error)
        highs.append(math.floor(borders[1]) + error)
    shape = (len(forms), len(free))
    return (
        np.array(weights, dtype=np.int64).reshape(shape),
        np.array(lows, dtype=np.int64),
        np.array(highs, dtype=np.int64),
        guard,
    )
