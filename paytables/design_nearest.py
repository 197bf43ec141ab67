"""Why a target cannot be hit: the nearest reachable edges, and the limits that stand in the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from paytables.design import (
    MOST_LISTED,
    Design,
    Infeasible,
    Nearest,
    Progress,
    fewest_first,
    make_design,
)
from paytables.design_constraints import LOWEST_EDGE, MAX_VALUES, Limits, Target, TierLimits
from paytables.design_search import Tell, listing, nearest
from paytables.design_space import Space, build_space
from paytables.edge_form import EdgeForm, MeterBasis
from paytables.model import Paytable

QUICK = 5e8
"""The array elements that a single question may take: a few seconds' work."""


def explain(
    paytable: Paytable,
    target: Target,
    forms: Sequence[EdgeForm],
    limits: Limits,
    meter: MeterBasis,
    report: Progress,
) -> Infeasible:
    """What can be reached instead, and what binds."""

    def tell(_: float) -> None:
        report(0.92, "nearest reachable edges")

    space = build_space(paytable, target, forms, limits)
    if space is None:
        binding = tuple(_binding(paytable, target, forms, limits, tell))
        reason = "a tier has no pay left between its own limits and the kept tiers"
        return Infeasible((), None, None, binding, reason)
    alone = [_sides(paytable, target, form, limits, tell) for form in forms]
    sides = tuple(side for side in alone if isinstance(side, Nearest))
    plain = len(forms) == 1 and space.passes() is None
    closest, miss = _closest_side(space, sides, meter) if plain else _widen(space, meter, tell)
    binding = tuple(_binding(paytable, target, forms, limits, tell))
    return Infeasible(sides, closest, miss, binding, _reason(sides, binding, alone))


def _reason(
    sides: Sequence[Nearest], binding: Sequence[str], alone: Sequence[Nearest | bool]
) -> str:
    for side in sides:
        where = f"with {side.decks} deck{'s' if side.decks > 1 else ''} "
        if side.below is None and side.above is not None:
            return f"{where}the edge cannot be below {float(side.above):.4%} within the limits"
        if side.above is None and side.below is not None:
            return f"{where}the edge cannot be above {float(side.below):.4%} within the limits"
    if sides:
        where = f"with {sides[0].decks} deck{'s' if sides[0].decks > 1 else ''} "
        return f"{where}no combination of the allowed pays falls into the band"
    if len(alone) > 1 and all(alone):
        return "each deck count can be hit by itself, but not all with the same pays"
    if binding:
        return f"the edge can be hit, but not together with: {binding[0]}"
    return "no paytable keeps all limits together"


def _sides(
    paytable: Paytable, target: Target, form: EdgeForm, limits: Limits, tell: Tell
) -> Nearest | bool:
    """The nearest edges with one deck count; True if its band can be hit, False if not known.

    The order of the pays is kept between the tiers that are rarer with this deck count.
    """
    space = build_space(paytable, target, [form], limits)
    if space is None:
        return False
    number, space = fewest_first(space, tell, QUICK)
    if number is None or number > 0:
        return number is not None
    under, over = nearest(space.problem, tell)  # a small sum of pays is a large edge
    ends = [None if p is None else space.pays_at(p) for p in (over, under)]
    low, high = (None if pays is None else form.edge(pays) for pays in ends)
    return Nearest(form.decks, low, high, ends[0], ends[1])


def _closest_side(
    space: Space, sides: Sequence[Nearest], meter: MeterBasis
) -> tuple[Design | None, Fraction | None]:
    """The nearer of both sides as a design."""
    if not sides:
        return None, None
    low, high = space.target.band(sides[0].decks)
    misses = []
    for edge, pays in (
        (sides[0].below, sides[0].below_pays),
        (sides[0].above, sides[0].above_pays),
    ):
        if edge is not None and pays is not None:
            misses.append((low - edge if edge < low else edge - high, pays))
    if not misses:
        return None, None
    miss, pays = min(misses, key=lambda found: found[0])
    names = [space.paytable.tiers[i].name for i in space.free]
    places = [p.index(pays[name]) for name, p in zip(names, space.pays, strict=True)]
    return make_design(space, places, meter), miss


def _widen(space: Space, meter: MeterBasis, tell: Tell) -> tuple[Design | None, Fraction | None]:
    """The paytable within all limits that misses its bands by the least: bands are widened."""
    for step in range(24):
        wider = Fraction(2**step, 100_000)
        if wider > 2:
            break
        bands = {}
        for form in space.forms:
            low, high = space.target.band(form.decks)
            bands[form.decks] = (max(low - wider, LOWEST_EDGE), min(high + wider, Fraction(1)))
        target = Target(space.target.edge, space.target.low, space.target.high, bands)
        wide = build_space(space.paytable, target, space.forms, space.limits)
        if wide is None:
            break
        number, wide = fewest_first(wide, tell, QUICK)
        if number is None or number > MOST_LISTED:
            break
        ranking = wide.ranking()
        ranking = replace(ranking, own=tuple(own * 0 for own in ranking.own), steps=())
        found = listing(wide.problem, ranking, 1, wide.passes(), tell)
        if found.positions is not None and len(found.positions):
            made = make_design(wide, found.positions[0].tolist(), meter)
            misses = []
            for decks, edge in made.edges.items():
                low, high = space.target.band(decks)
                misses += [low - edge, edge - high]
            return made, max(misses)
    return None, None


Relaxed = tuple[str, Limits, Callable[[Sequence[EdgeForm]], Sequence[EdgeForm]]]


def _relaxations(paytable: Paytable, limits: Limits, decks: Sequence[int]) -> Iterator[Relaxed]:
    """Each limit, and the limits without it."""

    def same(forms: Sequence[EdgeForm]) -> Sequence[EdgeForm]:
        return forms

    if len(decks) > 1:
        for number in decks:
            yield (
                f"the band for {number} deck{'s' if number > 1 else ''}",
                limits,
                lambda forms, n=number: [f for f in forms if f.decks != n],  # type: ignore[misc]
            )
    if limits.order != "none":
        yield "rarer tiers pay more", replace(limits, order="none"), same
    for name in limits.keep:
        keep = {tier: pay for tier, pay in limits.keep.items() if tier != name}
        yield f"{name} kept", replace(limits, keep=keep), same
    for name, own in limits.tiers.items():
        others = {tier: limit for tier, limit in limits.tiers.items() if tier != name}
        if own.share is not None:
            bare = replace(own, share=None)
            yield f"share of {name}", replace(limits, tiers=others | {name: bare}), same
        if own != TierLimits(share=own.share):
            bare = TierLimits(share=own.share)
            yield f"pays of {name}", replace(limits, tiers=others | {name: bare}), same
    loose = {
        tier.name: TierLimits(1, min(max(int(5 * tier.pays), 10), MAX_VALUES), 1)
        for tier in paytable.tiers
        if tier.pays is not None and tier.pays > 0 and tier.name not in limits.keep
        and (tier.name not in limits.tiers or limits.tiers[tier.name].listed() is None)
    }  # fmt: skip
    if loose:
        yield "printable pays only", replace(limits, tiers=dict(limits.tiers) | loose), same
    if limits.deviation is not None:
        yield f"standard deviation {limits.deviation}", replace(limits, deviation=None), same
    if limits.hits is not None:
        yield f"hit frequency {limits.hits}", replace(limits, hits=None), same
    if limits.top_award is not None:
        yield f"top award at most {limits.top_award}", replace(limits, top_award=None), same
    if limits.exposure is not None:
        yield f"exposure at most {limits.exposure}", replace(limits, exposure=None), same


def _binding(
    paytable: Paytable, target: Target, forms: Sequence[EdgeForm], limits: Limits, tell: Tell
) -> Iterator[str]:
    """The limits of which each alone, if lifted, makes the target reachable."""
    for text, relaxed, of in _relaxations(paytable, limits, [form.decks for form in forms]):
        space = build_space(paytable, target, of(forms), relaxed)
        if space is not None and _reachable(space, tell):
            yield text


def _reachable(space: Space, tell: Tell) -> bool:
    number, space = fewest_first(space, tell, QUICK)
    passes = space.passes()
    if not number or (len(space.forms) == 1 and passes is None):
        return bool(number)
    if number > MOST_LISTED:
        return False
    return listing(space.problem, space.ranking(), 1, passes, tell, stop_at=1).count > 0
