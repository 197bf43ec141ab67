"""The paytable designer: pays that hit a target edge, the most readable first.

A paytable's edge is linear in its pays, with integer combinations over a known total; a search
over pays is therefore an exact integer problem (`paytables.design_search`). What `design` returns
is computed once more from the definition of the edge before it is returned.

Example:
    >>> from paytables.bets import load_paytable
    >>> from paytables.design_constraints import Limits, Target
    >>> found = design(load_paytable("Perfect Pairs", "30/10/5"), Target.around("7%", "0.25%"),
    ...                decks=[8], limits=Limits(keep={"perfect": 30}))
    >>> [str(pay) for pay in found.designs[0].pays.values()], found.designs[0].edges[8]
    (['30', '10', '4'], Fraction(6, 83))
    >>> found.designs[0].reasons[1]
    '1 of 3 pays changed: mixed 5 → 4'
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, TypeAlias

from odds.errors import InputError
from odds.shoe import MAX_DECKS
from paytables.design_constraints import Limits, Target
from paytables.design_search import Found, Tell, count, listing
from paytables.design_space import Space, build_space, settled_order
from paytables.edge_form import MeterBasis, edge_form, edge_on, evaluate_on
from paytables.metrics import Evaluation
from paytables.model import Paytable
from paytables.readability import Readability, read

Progress: TypeAlias = Callable[[float, str], None]
"""Called with the fraction done and what is being done; an exception it raises cancels."""
Proof: TypeAlias = Literal["complete", "proven", "best found"]

PROOFS: dict[Proof, str] = {
    "complete": "every paytable within the limits was looked at",
    "proven": "not every paytable was listed, but none that was left out is more readable",
    "best found": "not every paytable was listed: there may be more readable ones",
}
MOST_LISTED = 5_000_000
"""The most paytables that are listed one by one."""
MOST_WORK = 4e9
"""The most array elements that a count may take, about a minute's work."""


@dataclass(frozen=True, slots=True)
class Design:
    """One paytable that hits the target.

    Attributes:
        paytable: The paytable.
        pays: What every tier with a pay pays.
        evaluations: For each deck count the paytable evaluated from the definition.
        edges: For each deck count the exact house edge.
        readability: Its points and the reasons for them.
    """

    paytable: Paytable
    pays: dict[str, Fraction]
    evaluations: dict[int, Evaluation]
    edges: dict[int, Fraction]
    readability: Readability

    @property
    def points(self) -> int:
        """Readability points; fewer is better."""
        return self.readability.points

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it stands where it does."""
        return self.readability.reasons

    def _repr_html_(self) -> str:
        from paytables import html

        return html.design(self)


@dataclass(frozen=True, slots=True)
class Nearest:
    """The reachable edges next to a target that cannot be hit.

    Attributes:
        decks: The deck count.
        below: The highest reachable edge under the band, or None.
        above: The lowest reachable edge over the band, or None.
        below_pays: Pays that give it.
        above_pays: Pays that give it.
    """

    decks: int
    below: Fraction | None
    above: Fraction | None
    below_pays: dict[str, Fraction] | None
    above_pays: dict[str, Fraction] | None


@dataclass(frozen=True, slots=True)
class Infeasible:
    """Why a target cannot be hit.

    Attributes:
        nearest: For each deck count by itself the nearest reachable edges on both sides, within
            the bounds and the order of pays; empty for a deck count that can be hit by itself.
        closest: The paytable within all limits whose edges miss their bands by the least.
        miss: By how much it misses the band, for the worst deck count; None if not found.
        binding: The limits of which each alone, if lifted, makes the target reachable.
        reason: What stands in the way, in a sentence.
    """

    nearest: tuple[Nearest, ...]
    closest: Design | None
    miss: Fraction | None
    binding: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class DesignResult:
    """What a search found.

    Attributes:
        paytable: The paytable that was changed.
        target: The target.
        limits: The limits, their order of pays settled.
        decks: The deck counts, all of which are hit by every design.
        designs: The best designs, best first.
        count: How many paytables hit the target within the limits; None if not counted. The edge
            is decided exactly, windows and shares to 1e-12.
        listed: How many of them were listed and ranked.
        proof: How much is proven about the ranking (`PROOFS`). With no design, ``complete`` means
            that it is proven that there is none.
        infeasible: Why there is none, or None.
    """

    paytable: Paytable
    target: Target
    limits: Limits
    decks: tuple[int, ...]
    designs: tuple[Design, ...]
    count: int | None
    listed: int
    proof: Proof
    infeasible: Infeasible | None

    def _repr_html_(self) -> str:
        from paytables import html

        return html.design_result(self)


def design(
    paytable: Paytable,
    target: Target,
    decks: Sequence[int] | None = None,
    limits: Limits | None = None,
    *,
    top: int = 20,
    meter: MeterBasis = None,
    progress: Progress | None = None,
    most_listed: int = MOST_LISTED,
) -> DesignResult:
    """Find the pays that hit a target edge, the most readable paytables first.

    Args:
        paytable: The bet, with its current pays; pays are searched in its own convention (to one
            or for one: `Paytable.as_for_one`).
        target: The edge, and its band for each deck count.
        decks: The deck counts that must all be hit by the same pays; by default the usual one.
        limits: What the pays may be; by default printable pays, rarer pays more.
        top: How many designs to return.
        meter: What to take for the progressive meter.
        progress: Told (fraction done, what); an exception it raises cancels the search.
        most_listed: The most paytables to list one by one; beyond it the search goes by rising
            readability points and says what it can prove.

    Raises:
        InputError: Bad deck counts or limits; see also `paytables.metrics.evaluate`.
    """
    limits = limits or Limits()
    numbers = _check(paytable, decks, top)
    report = progress or (lambda done, what: None)
    forms = []
    for place, number in enumerate(numbers):
        report(0.1 * place / len(numbers), f"odds with {number} decks")
        forms.append(edge_form(paytable, number, meter))
    limits = settled_order(paytable, forms, limits)
    space = build_space(paytable, target, forms, limits)
    search = Search(space, Found(), 0, "complete")
    if space is not None:
        search = search_space(space, top, most_listed, _part(report, 0.1, 0.9, "searching pays"))
    report(0.9, "checking")
    designs = make_designs(search, meter)
    infeasible = None
    if not designs:
        from paytables.design_nearest import explain

        infeasible = explain(paytable, target, forms, limits, meter, report)
    report(1.0, "done")
    return DesignResult(
        paytable,
        target,
        limits,
        numbers,
        tuple(designs),
        search.total,
        search.found.count,
        search.proof,
        infeasible,
    )


@dataclass(frozen=True, slots=True)
class Search:
    """The outcome of a search: the space that was listed, its best points, and what is proven."""

    space: Space | None
    found: Found
    total: int | None
    proof: Proof


def _check(paytable: Paytable, decks: Sequence[int] | None, top: int) -> tuple[int, ...]:
    numbers = tuple(dict.fromkeys(decks if decks is not None else paytable.decks[:1]))
    allowed = f"one or more whole numbers from 1 to {MAX_DECKS}"
    if not numbers:
        raise InputError("decks", "", allowed)
    for number in numbers:
        if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= MAX_DECKS:
            raise InputError("decks", number, allowed)
    if isinstance(top, bool) or not isinstance(top, int) or not 1 <= top <= 10_000:
        raise InputError("top", top, "a whole number from 1 to 10000")
    return numbers


def _part(report: Progress, start: float, stop: float, what: str) -> Tell:
    """The progress of one part of the work as progress of the whole; it never goes back."""
    most = 0.0

    def tell(done: float) -> None:
        nonlocal most
        most = max(most, min(done, 1.0))
        report(start + (stop - start) * most, what)

    return tell


def search_space(space: Space, top: int, most: int, tell: Tell | None = None) -> Search:
    """List a space, whole if that is feasible, else by rising points as far as that is."""
    passes = space.passes()
    estimate, ordered = fewest_first(space, tell)
    if estimate is not None and estimate <= most:
        found = listing(ordered.problem, ordered.ranking(), top, passes, tell)
        return Search(ordered, found, found.count, "complete")
    exact = len(space.forms) == 1 and passes is None
    total = estimate if exact else None
    costs = space.ranking().own
    levels = sorted({int(cost) for own in costs for cost in own})
    least = sorted(int(own.min()) for own in costs)
    rest = sum(least[:-1])  # what the pays besides one dear one cost at least
    best = Search(space, Found(), total, "best found")
    for level, following in zip(levels, [*levels[1:], None], strict=True):
        part = space.cheap(level)
        if part is None:
            continue
        estimate, ordered = fewest_first(part, tell)
        if estimate is None or (estimate > most and best.found.count):
            break
        stop_at = most if estimate > most else None
        found = listing(ordered.problem, ordered.ranking(), top, ordered.passes(), tell, stop_at)
        # A paytable that was left out has a pay that by itself costs as much as the next level.
        full = len(found.keys) == top
        enough = full and following is not None and int(found.keys[-1]) <= following + rest
        proof: Proof = "proven" if stop_at is None and enough else "best found"
        best = Search(ordered, found, total, proof)
        if proof == "proven" or stop_at is not None:
            break
        if following is None:
            return Search(ordered, found, found.count, "complete")
    return _proved(space, best, top, most, tell)


def _proved(space: Space, best: Search, top: int, most: int, tell: Tell | None) -> Search:
    """The same search with every paytable looked at that could be as readable as its last one."""
    if best.proof == "proven" or len(best.found.keys) < top:
        return best
    cap = int(best.found.keys[-1])
    capped = replace(space.problem, own=space.ranking().own, cap=cap)
    estimate, ordered = fewest_first(replace(space, problem=capped), tell)
    if estimate is None or estimate > most:
        return best
    found = listing(ordered.problem, ordered.ranking(), top, ordered.passes(), tell)
    return Search(ordered, found, best.total, "proven")


def fewest_first(
    space: Space, tell: Tell | None = None, most_work: float = MOST_WORK
) -> tuple[int | None, Space]:
    """The number of points in the narrowest band, and the space with that band first.

    Returns:
        None instead of the number where counting would take more work than said.
    """
    problem = space.problem
    if problem.work() * len(problem.low) > most_work:
        return None, space
    counts = [count(problem.with_band_first(band), tell) for band in range(len(problem.low))]
    band = counts.index(min(counts))
    return counts[band], replace(space, problem=problem.with_band_first(band))


def make_designs(search: Search, meter: MeterBasis) -> list[Design]:
    """The best points as designs, evaluated from the definition and checked against the target."""
    space, positions = search.space, search.found.positions
    if space is None or positions is None:
        return []
    found = []
    for row in positions.tolist():
        made = make_design(space, row, meter)
        bands = (space.target.band(number) for number in made.edges)
        inside = all(
            low <= e <= high for (low, high), e in zip(bands, made.edges.values(), strict=True)
        )
        if inside and _holds(made, space.limits):
            found.append(made)
    aim = space.target.aim

    def rank(made: Design) -> tuple[int, Fraction, tuple[Fraction, ...]]:
        far = max(abs(edge - aim(number)) for number, edge in made.edges.items())
        return made.points, far, tuple(-pay for pay in made.pays.values())

    return sorted(found, key=rank)


def make_design(space: Space, positions: Sequence[int], meter: MeterBasis) -> Design:
    """The design at a point of a space."""
    changed = space.pays_at(positions)
    paytable = space.paytable.with_pays(changed)
    evaluations = {f.decks: evaluate_on(paytable, f.decks, meter) for f in space.forms}
    kept = frozenset(i for i, t in enumerate(paytable.tiers) if t.name in space.fixed)
    return Design(
        paytable,
        {tier.name: tier.pays for tier in paytable.tiers if tier.pays is not None},
        evaluations,
        {number: edge_on(evaluation, meter) for number, evaluation in evaluations.items()},
        read(
            [tier.name for tier in paytable.tiers],
            space.all_pays(positions),
            space.current,
            space.neighbours(),
            kept,
        ),
    )


def _holds(made: Design, limits: Limits) -> bool:
    """Whether a design keeps the limits that the search checks in float64, here exactly."""
    for evaluation in made.evaluations.values():
        window = limits.deviation
        if window is not None:
            low, high = window.low, window.high
            if low is not None and low > 0 and evaluation.variance < low**2:
                return False
            if high is not None and evaluation.variance > high**2:
                return False
        if limits.hits is not None and not limits.hits.holds(evaluation.hit_frequency):
            return False
        award = limits.largest_award
        if award is not None and evaluation.top_award > award:
            return False
        stake_back = 1 if made.paytable.paid == "to one" else 0
        for row, odds in zip(evaluation.tiers, evaluation.odds.tiers, strict=True):
            own = limits.tiers.get(row.tier.name)
            if own is not None and isinstance(own.share, Fraction):
                unit = made.paytable.wagers.get(row.tier.wager, Fraction(1))
                paid = (row.tier.pays or 0) + stake_back
                returned = odds.expected_count * unit * paid / made.paytable.stake
                if returned > own.share * evaluation.rtp:
                    return False
    return True
