"""The paytable designer against brute force, and what it does where a target cannot be hit."""

from __future__ import annotations

import pickle
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import ceil, comb, floor

import numpy as np
import pytest

from odds.errors import InputError
from paytables.bets import load_catalog, load_paytable, parse_bet
from paytables.design import DesignResult, design
from paytables.design_constraints import Limits, Target, TierLimits, Window, parse_limits
from paytables.edge_form import edge_form
from paytables.metrics import evaluate, meter_result
from paytables.model import Paytable
from paytables.readability import PRINTABLE, read, roundness, step_cost

PERFECT_PAIRS = load_paytable("Perfect Pairs", "30/10/5")
TIERS = ["suited trips", "straight flush", "trips", "straight", "flush"]
BOUNDS = [300, 100, 50, 20, 10]


def ways_of_21_plus_3(decks: int) -> tuple[list[int], int]:
    """Combinations of the five tiers, from the rule text, and of all three cards."""
    suited_trips = 52 * comb(decks, 3)
    straight_flush = 4 * 12 * decks**3
    trips = 13 * comb(4 * decks, 3) - suited_trips
    straight = 12 * (4 * decks) ** 3 - straight_flush
    flush = 4 * comb(13 * decks, 3) - suited_trips - straight_flush
    return [suited_trips, straight_flush, trips, straight, flush], comb(52 * decks, 3)


def brute_force(low: Fraction, high: Fraction, *, strict: bool) -> int:
    """How many monotone integer paytables of 21+3 on eight decks have an edge in the band."""
    ways, total = ways_of_21_plus_3(8)
    lost = total - sum(ways)
    b, c, d, e = (np.arange(1, bound + 1) for bound in BOUNDS[1:])
    b, c, d, e = b[:, None, None, None], c[:, None, None], d[:, None], e
    falls = (b > c) & (c > d) & (d > e) if strict else (b >= c) & (c >= d) & (d >= e)
    paid = ways[1] * b + ways[2] * c + ways[3] * d + ways[4] * e
    firsts = np.broadcast_to(b, paid.shape)[falls]
    paid = paid[falls]
    # edge = (lost - won) / total between low and high
    least, most = ceil(lost - high * total), floor(lost - low * total)
    found = 0
    for a in range(1, BOUNDS[0] + 1):
        kept = paid[firsts < a] if strict else paid[firsts <= a]
        won = kept + ways[0] * a
        found += int(((won >= least) & (won <= most)).sum())
    return found


@pytest.mark.parametrize("order", ["strict", "weak"])
def test_21_plus_3_counts_every_monotone_integer_paytable_in_the_band(order: str) -> None:
    limits = Limits(
        tiers={n: TierLimits(1, high, 1) for n, high in zip(TIERS, BOUNDS, strict=True)},
        order=order,
    )
    found = design(load_paytable("21+3"), Target.around("5%", "0.05%"), [8], limits)
    wanted = brute_force(Fraction(495, 10_000), Fraction(505, 10_000), strict=order == "strict")
    assert found.count == wanted > 90_000
    assert found.proof == "complete"


def check(found: DesignResult) -> None:
    """Every design hits every band, from the definition of the edge, and its reasons add up."""
    for made in found.designs:
        for decks in found.decks:
            low, high = found.target.band(decks)
            edge = evaluate(found.paytable.with_pays(made.pays), decks, meter=0).edge
            if made.paytable.meter is None:
                assert edge == made.edges[decks]
                assert low <= edge <= high
        changed = sum(
            made.pays[t.name] != t.pays for t in found.paytable.tiers if t.pays is not None
        )
        said = made.reasons[1]
        assert said == "no pay changed" if not changed else said.startswith(f"{changed} of ")
    points = [made.points for made in found.designs]
    assert points == sorted(points)


def printable_hits(
    paytable: Paytable, target: Target, decks: tuple[int, ...]
) -> set[tuple[int, ...]]:
    """All printable paytables with falling pays that hit the target, one at a time."""
    choices = []
    for tier in paytable.tiers:
        assert tier.pays is not None
        most = max(5 * tier.pays, 10)
        choices.append(sorted(p for p in {*PRINTABLE, tier.pays} if p <= most))
    ways = {d: [t.ways for t in evaluate(paytable, d).tiers] for d in decks}
    total = {d: evaluate(paytable, d).odds.total for d in decks}
    order = np.argsort(ways[decks[0]])
    found = set()
    for pays in product(*choices):
        falling = [pays[i] for i in order]
        if any(a <= b for a, b in pairwise(falling)):
            continue
        for d in decks:
            won = sum(w * (p + 1) for w, p in zip(ways[d], pays, strict=True))
            low, high = target.band(d)
            if not low <= 1 - Fraction(won) / total[d] <= high:
                break
        else:
            found.add(tuple(int(p) for p in pays))
    return found


@pytest.mark.parametrize("edge", ["2%", "4%", "6%", "10%"])
@pytest.mark.parametrize("decks", [(4, 5, 6, 7, 8), (6,)])
def test_perfect_pairs_is_found_or_proved_impossible(edge: str, decks: tuple[int, ...]) -> None:
    target = Target.around(edge, "0.5%")
    found = design(PERFECT_PAIRS, target, decks, top=10_000)
    check(found)
    wanted = printable_hits(PERFECT_PAIRS, target, decks)
    assert {tuple(map(int, made.pays.values())) for made in found.designs} == wanted
    assert found.count == len(wanted)
    assert found.proof == "complete"
    assert (found.infeasible is None) == bool(wanted)
    if len(decks) > 1:
        assert not wanted  # the perfect pair is 22 % likelier on eight decks than on four


@pytest.mark.parametrize("edge", ["2%", "4%", "6%", "10%"])
@pytest.mark.parametrize(
    ("name", "variant"),
    [("Sweet 16", None), ("Super Sevens", "third card guaranteed"), ("21+3 Progressive", None)],
)
def test_printable_paytables_on_four_to_eight_decks(
    name: str, variant: str | None, edge: str
) -> None:
    paytable = load_paytable(name, variant)
    target = Target.around(edge, "0.5%")
    meter = "long run" if paytable.meter else None
    found = design(paytable, target, range(4, 9), meter=meter, top=5)
    check(found)
    assert found.proof == "complete"
    if name == "21+3 Progressive":
        # suited trips other than the meter's are five times as likely on eight decks as on four:
        # without a tier that is stable in the decks no pays do for all of them
        assert found.count == 0
        assert found.infeasible is not None
        assert found.infeasible.miss is not None
        assert found.infeasible.miss > 0
    else:
        assert found.count
        assert len(found.designs) == 5


def test_sweet_16_every_printable_paytable_by_brute_force() -> None:
    paytable = load_paytable("Sweet 16")
    limits = Limits(printable=(2, 3, 5, 6, 8, 10, 12, 15, 20, 25, 50, 100, 160))
    target = Target.around("4%", "0.5%")
    found = design(paytable, target, (4, 8), limits, top=10_000)
    check(found)
    expected = 0
    values = sorted({2, 3, 5, 6, 8, 10, 12, 15, 16, 20, 25, 50, 100, 160})
    for pays in combinations(values, 4):
        top, suited, color, mixed = reversed(pays)
        allowed = top in (160, *limits.printable) and all(
            p in limits.printable or p == now
            for p, now in ((suited, 16), (color, 12), (mixed, 6), (top, 160))
        )
        table = paytable.with_pays(sweet=top, suited=suited, color=color, mixed=mixed)
        caps = all(p <= max(5 * now, 10) for p, now in zip((suited, color, mixed), (16, 12, 6)))  # noqa: B905
        hits = all(target.low <= evaluate(table, d).edge <= target.high for d in (4, 8))
        expected += allowed and caps and hits
    assert found.count == expected > 0


def test_the_long_run_of_a_meter_is_aimed_at() -> None:
    text = """
    name = "Two sevens"
    paid = "for one"
    meter = { stake = 5, seed = 500, increment = 1 }
    [[tiers]]
    name = "suited"
    when = 'every(player, "7") and suited(player)'
    meter = 1
    [[tiers]]
    name = "pair"
    when = 'every(player, "7")'
    pays = 40
    [[tiers]]
    name = "one"
    when = 'any(player, "7")'
    pays = 3
    """
    paytable = parse_bet(text).paytable()
    found = design(paytable, Target.around("10%", "1%"), [6], meter="long run")
    assert found.designs
    for made in found.designs:
        for decks in [6]:
            edge = meter_result(evaluate(made.paytable, decks, meter=0)).long_run_edge
            assert edge == made.edges[decks]
            assert Fraction(9, 100) <= edge <= Fraction(11, 100)
        assert made.paytable.tiers[0].pays is None


def test_bands_for_each_deck_count() -> None:
    bands = {4: (Fraction(6, 100), Fraction(8, 100)), 8: (Fraction(3, 100), Fraction(5, 100))}
    found = design(PERFECT_PAIRS, Target.around("5%", "1%", bands), (4, 6, 8))
    assert found.designs
    check(found)


def test_for_one_is_the_same_search_one_higher() -> None:
    values = tuple(range(3, 40))
    to_one = design(
        PERFECT_PAIRS, Target.around("5%", "0.5%"), [6], Limits(printable=values), top=9999
    )
    for_one = design(
        PERFECT_PAIRS.as_for_one(),
        Target.around("5%", "0.5%"),
        [6],
        Limits(
            tiers={
                "perfect": TierLimits(4, 40, 1),
                "colored": TierLimits(4, 40, 1),
                "mixed": TierLimits(4, 26, 1),
            }
        ),
        top=9999,
    )
    raised = {tuple(pay + 1 for pay in made.pays.values()) for made in to_one.designs}
    assert raised == {tuple(made.pays.values()) for made in for_one.designs}


class TestLimits:
    TARGET = Target.around("5%", "1%")

    def found(self, **limits: object) -> DesignResult:
        result = design(PERFECT_PAIRS, self.TARGET, [6], Limits(**limits), top=10_000)  # type: ignore[arg-type]
        check(result)
        return result

    def test_kept_and_stepped_tiers(self) -> None:
        found = self.found(
            keep={"perfect": None, "mixed": "11/2"}, tiers={"colored": TierLimits(6, 20, "1/2")}
        )
        assert found.designs
        for made in found.designs:
            assert made.pays["perfect"] == 30
            assert made.pays["mixed"] == Fraction(11, 2)
            assert (2 * made.pays["colored"]).denominator == 1

    @pytest.mark.parametrize(
        ("window", "figure"),
        [
            ({"deviation": Window(Fraction(4), Fraction(5))}, lambda e: e.standard_deviation),
            ({"top_award": Fraction(25)}, lambda e: e.top_award),
        ],
    )
    def test_windows_keep_what_all_paytables_have_inside_them(self, window, figure) -> None:  # type: ignore[no-untyped-def]
        everything = self.found()
        found = self.found(**window)
        low, high = (4, 5) if "deviation" in window else (0, 25)
        inside = [m for m in everything.designs if low <= figure(m.evaluations[6]) <= high]
        assert found.count == len(inside)
        assert 0 < len(inside) < len(everything.designs)

    def test_hit_frequency_counts_net_wins_only(self) -> None:
        # for one, a pay of 1 only returns the stake
        paytable = PERFECT_PAIRS.as_for_one()
        limits = Limits(
            tiers={"mixed": TierLimits(pays=(1, 2, 3, 6))}, hits=Window(None, Fraction(5, 100))
        )
        found = design(paytable, Target.between("10%", "60%"), [6], limits, top=10_000)
        assert found.designs
        assert {made.pays["mixed"] for made in found.designs} == {1}

    def test_exposure_is_pay_times_bet_times_seats(self) -> None:
        found = self.found(exposure=Fraction(17_500), maximum_bet=Fraction(100), seats=7)
        assert max(made.pays["perfect"] for made in found.designs) == 25

    def test_share_of_the_return(self) -> None:
        limit = Fraction(3, 10)
        found = self.found(tiers={"perfect": TierLimits(share=limit)})
        everything = self.found()
        shares = []
        for made in everything.designs:
            row = made.evaluations[6].tiers[0]
            shares.append(row.probability * (row.net + 1) / made.evaluations[6].rtp)
        assert found.count == sum(share <= limit for share in shares)
        assert 0 < (found.count or 0) < len(shares)


class TestInfeasible:
    def test_nearest_edges_on_both_sides_and_the_limit_that_binds(self) -> None:
        limits = Limits(keep={"perfect": 30, "colored": 10})
        found = design(PERFECT_PAIRS, Target.around("5.3%", "0.1%"), [8], limits)
        assert not found.designs
        assert found.count == 0
        assert found.proof == "complete"
        why = found.infeasible
        assert why is not None
        edges = [evaluate(PERFECT_PAIRS.with_pays(mixed=m), 8).edge for m in range(1, 10)]
        (side,) = why.nearest
        assert side.below == max(e for e in edges if e < Fraction(52, 1000))
        assert side.above == min(e for e in edges if e > Fraction(54, 1000))
        assert side.below_pays is not None
        assert side.below_pays["mixed"] == 5
        # 5.3012 % is reached by paying 9 for a coloured pair, and by no printable perfect pair
        assert why.binding == ("colored kept",)
        assert "no combination" in why.reason
        assert why.closest is not None
        assert why.closest.edges[8] in (side.below, side.above)

    def test_a_target_out_of_reach_says_so(self) -> None:
        limits = Limits(tiers={name: TierLimits(1, 4) for name in ("perfect", "colored", "mixed")})
        found = design(PERFECT_PAIRS, Target.around("5%", "0.1%"), [8], limits)
        assert found.infeasible is not None
        assert "cannot be below" in found.infeasible.reason
        assert found.infeasible.nearest[0].below is None

    def test_a_window_that_binds_is_named(self) -> None:
        limits = Limits(deviation=Window(None, Fraction(1)))
        found = design(PERFECT_PAIRS, Target.around("5%", "1%"), [8], limits)
        assert found.infeasible is not None
        assert found.infeasible.binding == ("standard deviation at most 1",)

    def test_no_pay_left_between_kept_tiers(self) -> None:
        limits = Limits(keep={"perfect": 6, "mixed": 5})
        found = design(PERFECT_PAIRS, Target.around("5%", "1%"), [8], limits)
        assert found.infeasible is not None
        assert "no pay left" in found.infeasible.reason
        assert "perfect kept" in found.infeasible.binding


class TestProof:
    TARGET = Target.around("5%", "1%")
    WIDE = Limits(
        tiers={name: TierLimits(1, 60, "1/2") for name in ("perfect", "colored", "mixed")}
    )

    def test_what_is_proven_is_what_the_complete_search_finds(self) -> None:
        proofs = set()
        for edge, top in (("5%", 1), ("5%", 3), ("7%", 1), ("7%", 2), ("3%", 1)):
            target = Target.around(edge, "0.5%")
            whole = design(PERFECT_PAIRS, target, [6], self.WIDE, top=top)
            assert whole.proof == "complete"
            assert whole.listed == whole.count
            for most in (20, 100, 300):
                part = design(PERFECT_PAIRS, target, [6], self.WIDE, top=top, most_listed=most)
                proofs.add(part.proof)
                assert part.listed < whole.listed
                assert part.count == whole.count
                if part.proof == "proven":
                    assert [m.points for m in part.designs] == [m.points for m in whole.designs]
        assert proofs == {"proven", "best found"}

    def test_best_found_says_so(self) -> None:
        part = design(PERFECT_PAIRS, self.TARGET, [6], self.WIDE, top=3, most_listed=1)
        assert part.proof == "best found"
        assert part.designs

    def test_progress_may_cancel(self) -> None:
        class Cancelled(Exception):
            pass

        seen = []

        def progress(done: float, what: str) -> None:
            seen.append((done, what))
            if what == "searching pays":
                raise Cancelled

        with pytest.raises(Cancelled):
            design(PERFECT_PAIRS, self.TARGET, [6], self.WIDE, progress=progress)
        assert seen


@pytest.mark.parametrize("name", list(load_catalog()))
def test_every_bet_of_the_catalogue_can_be_redesigned(name: str) -> None:
    paytable = load_paytable(name)
    edge = evaluate(paytable).edge
    found = design(paytable, Target.around(edge, "0.5%"), top=5, most_listed=200_000)
    check(found)
    assert found.designs  # the current pays hit their own edge
    assert found.designs[0].points <= found.designs[-1].points
    again = pickle.loads(pickle.dumps(found))  # the app searches in another process
    assert [made.pays for made in again.designs] == [made.pays for made in found.designs]


def test_a_dealer_who_plays_out_needs_more_than_64_bits() -> None:
    paytable = load_paytable("Buster Blackjack")
    form = edge_form(paytable, 6)
    assert max(slope.denominator for slope in form.slopes) > 2**62
    kept = {tier.name: None for tier in paytable.tiers[1:-2]}
    current = evaluate(paytable, 6).edge
    found = design(paytable, Target.around(current, 0), [6], Limits(keep=kept), top=50)
    check(found)
    assert any(made.paytable == paytable for made in found.designs)


def test_the_order_is_the_strictest_that_the_current_pays_keep() -> None:
    target = Target.around("5%", "3%")
    assert design(PERFECT_PAIRS, target, [6]).limits.order == "strict"
    assert design(load_paytable("Buster Blackjack"), target, [6]).limits.order == "weak"
    assert design(PERFECT_PAIRS.with_pays(perfect=4), target, [6]).limits.order == "none"


def test_edge_form_is_the_edge_for_any_pays() -> None:
    for name in ("Super Sevens", "Match the Dealer", "Lucky Ladies", "Blazing 7's"):
        paytable = load_paytable(name)
        form = edge_form(paytable, 6)
        raised = {t.name: t.pays * 2 + 1 for t in paytable.tiers if t.pays is not None}
        assert form.edge(raised) == evaluate(paytable.with_pays(raised), 6).edge


def test_points_of_the_search_are_those_of_the_explanation() -> None:
    found = design(PERFECT_PAIRS, Target.around("5%", "1%"), [6], top=10_000)
    rows = evaluate(PERFECT_PAIRS, 6).tiers
    for made in found.designs:
        pays = list(made.pays.values())
        changes = sum(p != t.pays for p, t in zip(pays, PERFECT_PAIRS.tiers, strict=True))
        steps = sum(
            step_cost(pays[i], pays[i + 1], rows[i + 1].probability / rows[i].probability)
            for i in (0, 1)
        )
        assert made.points == sum(map(roundness, pays)) + 3 * changes + steps
    assert found.designs[0].paytable == PERFECT_PAIRS  # it hits, and nothing need change


def test_round_numbers_come_first() -> None:
    order = ["50", "30", "35", "36", "37", "5/2", "137", "1/3"]
    points = [roundness(Fraction(text)) for text in order]
    assert points == sorted(points)
    assert read(["a"], [Fraction(7)], [Fraction(7)], [], frozenset({0})).points == 0


@pytest.mark.parametrize(
    ("call", "field"),
    [
        (lambda: Target.around("x"), "edge"),
        (lambda: Target.around("5%", "-1%"), "tolerance"),
        (lambda: Target.between("6%", "4%"), "edge"),
        (lambda: Target.around("200%"), "edge"),
        (lambda: Target.around("5%", "1%", {0: (Fraction(0), Fraction(1))}), "decks"),
        (lambda: TierLimits(5, 1), "pays"),
        (lambda: TierLimits(1, 5, 0), "step"),
        (lambda: TierLimits(step=1), "step"),
        (lambda: TierLimits(1, 5, pays=(1,)), "pays"),
        (lambda: TierLimits(pays=()), "pays"),
        (lambda: TierLimits(share=2), "share"),
        (lambda: Limits(order="falling"), "order"),
        (lambda: Limits(seats=0), "seats"),
        (lambda: Limits(maximum_bet=Fraction(0)), "maximum_bet"),
        (lambda: Limits(keep={"a": 1}, tiers={"a": TierLimits(1, 2)}), "keep"),
        (lambda: parse_limits("top"), "steps"),
        (lambda: parse_limits("top=1-x"), "pays"),
        (lambda: design(PERFECT_PAIRS, Target.around("5%"), []), "decks"),
        (lambda: design(PERFECT_PAIRS, Target.around("5%"), [13]), "decks"),
        (lambda: design(PERFECT_PAIRS, Target.around("5%"), top=0), "top"),
        (lambda: design(PERFECT_PAIRS, Target.around("5%"), limits=Limits(keep={"x": 1})), "keep"),
        (
            lambda: design(
                load_paytable("Blazing 7's"),
                Target.around("5%"),
                limits=Limits(tiers={"suited": TierLimits(1, 2)}),
            ),
            "tier",
        ),
    ],
)
def test_bad_input(call, field: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError) as caught:
        call()
    assert caught.value.field == field
