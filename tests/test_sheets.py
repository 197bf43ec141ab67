"""PAR sheets of side bets: the references' figures, identities, JSON and its schema, Markdown."""

from __future__ import annotations

import hashlib
import json
import math
import re
from fractions import Fraction
from typing import Any

import jsonschema
import pytest

from odds.errors import InputError
from odds.shoe import Shoe
from paytables.bets import load_paytable, parse_bet
from paytables.metrics import evaluate
from paytables.model import Paytable
from paytables.sheets import bet_risk, bet_sheet, cross_check, markdown, schema, show, write
from paytables.sheets.bet_sheet import bet_sheet as build
from paytables.sheets.layout import sheet_blocks
from paytables.sheets.model import SHEET, BetSheet, ExactNumber, round_number
from tests.test_sidebet_reference import (
    check_combinations,
    meter_of,
    parts_of,
    rows,
    with_the_files_pays,
)

DAY = "2026-11-30"


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sheets without RTP intervals and other decks, which take most of the time."""
    monkeypatch.setattr(bet_sheet, "RTP_ROUNDS", ())
    monkeypatch.setattr(bet_risk, "DECKS", range(0))


def exactly(values: list[ExactNumber]) -> Fraction:
    return sum((value.value for value in values), Fraction(0))


@pytest.mark.usefixtures("brief")
@pytest.mark.parametrize(("name", "row"), rows())
def test_reference_row(name: str, row: dict[str, Any]) -> None:
    paytable, verified = with_the_files_pays(name, row), row["verified"]
    meter = meter_of(row)
    if meter is None and paytable.meter is not None:
        meter = Fraction(0)
    sheet = build(paytable, row["decks"], date=DAY, rounds=0, meter=meter)
    tiers = {tier: Fraction(figures["frac"]) for tier, figures in verified["tiers"].items()}
    compared = set()
    for tier, theirs in parts_of(name, row).items():
        line = next(line for line in sheet.tiers if line.name == tier)
        if all(part in tiers for part in theirs):
            assert line.probability.value == sum(tiers[part] for part in theirs)
            assert line.one_in is None or line.one_in.value * line.probability.value == 1
            compared.update(theirs)
    assert compared
    rest = sum((p for tier, p in tiers.items() if tier not in compared), Fraction(0))
    assert sheet.rest.probability.value == rest
    if "edge_fraction" in verified:
        totals = sheet.totals
        assert totals.edge.fraction == verified["edge_fraction"]
        assert totals.rtp.value == 1 - totals.edge.value
        assert totals.standard_deviation == pytest.approx(verified["sd"], rel=1e-11)
        assert totals.hit_frequency.decimal == pytest.approx(verified["hit"], rel=1e-11)
        assert sheet.by_decks[0].edge == totals.edge
    if sheet.meter is not None and "breakeven_meter" in verified and sheet.meter.break_even:
        assert sheet.meter.break_even.decimal == pytest.approx(
            verified["breakeven_meter"], rel=1e-11
        )
    check_combinations(row, evaluate(paytable, row["decks"]), parts_of(name, row))
    check_identities(sheet)


def check_identities(sheet: BetSheet) -> None:
    totals, rest = sheet.totals, sheet.rest
    assert exactly([line.probability for line in sheet.outcomes]) == 1
    assert sum(line.combinations for line in sheet.outcomes) == totals.combinations
    if sheet.exclusive:
        assert exactly([rest.probability, *(tier.probability for tier in sheet.tiers)]) == 1
        assert rest.combinations + sum(t.combinations for t in sheet.tiers) == totals.combinations
    contributions = [rest.contribution, *(tier.contribution for tier in sheet.tiers)]
    assert exactly(contributions) == -totals.edge.value
    assert exactly([rest.returned, *(tier.returned for tier in sheet.tiers)]) == totals.rtp.value
    net = sum((line.net.value * line.probability.value for line in sheet.outcomes), Fraction(0))
    assert -net / totals.stake.value == totals.edge.value
    square = sum((o.net.value**2 * o.probability.value for o in sheet.outcomes), Fraction(0))
    assert square - net**2 == totals.variance.value
    shares = [totals.hit_frequency, totals.push_frequency, totals.loss_frequency]
    assert exactly(shares) == 1
    for tier in sheet.tiers:
        assert tier.probability.value == Fraction(tier.combinations, totals.combinations)
        counts = [outcome.counts[sheet.tiers.index(tier)] for outcome in sheet.outcomes]
        expected = sum(
            n * outcome.probability.value for n, outcome in zip(counts, sheet.outcomes, strict=True)
        )
        assert tier.expected_count.value == expected


def sweet_16(**options: Any) -> BetSheet:
    return build(load_paytable("Sweet 16"), 8, date=DAY, **{"rounds": 0} | options)


@pytest.mark.usefixtures("brief")
@pytest.mark.parametrize(
    ("name", "variant"),
    [
        ("Match the Dealer", None),
        ("Bet Player and Bet Dealer", None),
        ("Progressive Aces", None),
        ("Even Money", None),
        ("Super Sevens", "rules 14.4 and 14.5, as the table plays"),
        ("Sweet Sixteen", None),
    ],
)
def test_sheets_of_every_kind_of_bet(name: str, variant: str | None) -> None:
    paytable = load_paytable(name, variant)
    sheet = build(paytable, date=DAY, rounds=200_000)
    check_identities(sheet)
    assert sheet.simulation is not None
    assert sheet.simulation.largest_z < 4
    assert sheet.simulation.p_value > 1e-4
    assert bool(sheet.rules.condition) == (paytable.deal.given is not None)
    assert sheet.rules.strategy.startswith("None") == (paytable.deal.table is None)
    assert SHEET.validate_json(schema.to_bytes(sheet)) == sheet
    jsonschema.Draft202012Validator(schema.make_schema()).validate(
        json.loads(schema.to_bytes(sheet))
    )
    text = markdown.to_bytes(sheet).decode()
    for tier in sheet.tiers:
        assert tier.title in text
        assert tier.probability.fraction in text


def test_edges_of_more_and_fewer_pays_are_those_of_other_paytables() -> None:
    paytable = load_paytable("Match the Dealer")
    sheet = build(paytable, date=DAY, rounds=0)
    for line in sheet.sensitivity:
        for step, edge in ((line.step.value, line.edge_more), (-line.step.value, line.edge_less)):
            other = paytable.with_pays({line.tier: line.pays.value + step})
            assert evaluate(other).edge == edge.value


def test_exposure_and_cap_by_hand() -> None:
    exposed = sweet_16(max_bet=100, seats=7, cap="5000").exposure
    assert [tier.all_seats.fraction for tier in exposed.tiers] == [
        "112000",
        "11200",
        "8400",
        "4200",
    ]
    assert (exposed.amount.fraction, exposed.probability) == (
        "112000",
        ExactNumber.of(Fraction(4, 5395)),
    )
    assert exposed.cap is not None
    assert exposed.cap.award.fraction == "50"  # instead of 160, four times in 5,395
    assert exposed.cap.edge.value == Fraction(4, 83) + (160 - 50) * Fraction(4, 5395)


@pytest.mark.usefixtures("brief")
def test_at_the_break_even_the_edge_is_nothing() -> None:
    bet = load_paytable("Progressive Aces")
    meter = build(bet, date=DAY, rounds=0).meter
    assert meter is not None
    assert meter.break_even is not None
    sheet = build(bet, date=DAY, rounds=0, meter=meter.break_even.value)
    assert sheet.totals.edge.fraction == "0"
    for line in meter.by_amount:
        at = evaluate(bet, meter=line.amount.value)
        assert at.edge == line.edge.value
    assert min(line.amount.value for line in meter.by_amount) == 0
    assert max(line.amount.value for line in meter.by_amount) > meter.break_even.value


def test_simulated_figures_agree_within_their_intervals() -> None:
    seen = sweet_16(rounds=1_000_000, seed=20).simulation
    assert seen is not None
    assert sum(line.observed for line in seen.lines) == seen.rounds == seen.dealt == 1_000_000
    assert all(line.inside for line in seen.lines)
    for line in seen.lines:
        assert line.low < line.expected < line.high
        assert line.z is not None
        assert abs(line.z) < 3
    assert seen.degrees_of_freedom == 4
    net = sum(
        line.observed * pays for line, pays in zip(seen.lines, (160, 16, 12, 6, -1), strict=True)
    )
    assert seen.edge == pytest.approx(-net / seen.rounds, rel=1e-11)


def test_a_wrong_probability_would_be_seen() -> None:
    """The cross-check's power: an error of 2 % in a tier of 1.8 % is caught in 4 million rounds."""
    expected = [0.0183 * 4e6, 0.9817 * 4e6]
    observed = [round(0.0183 * 1.02 * 4e6), 4_000_000 - round(0.0183 * 1.02 * 4e6)]
    value, degrees = cross_check.chi_square(observed, expected)
    assert cross_check.chi_square_tail(value, degrees) < 1e-4
    low, high = cross_check.binomial_interval(4_000_000, 0.0183)
    assert not low <= observed[0] <= high


@pytest.mark.parametrize(("trials", "chance"), [(7, 0.5), (40, 0.03), (300, 0.9), (25, 1 / 3)])
def test_binomial_interval_by_brute_force(trials: int, chance: float) -> None:
    def below(number: int) -> float:
        return sum(
            math.comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in range(number)
        )

    low, high = cross_check.binomial_interval(trials, chance, 0.95)
    assert below(low) <= 0.025 < below(low + 1)
    assert 1 - below(high + 1) <= 0.025 < 1 - below(high)


@pytest.mark.parametrize(
    ("degrees", "value", "tail"),
    # Abramowitz and Stegun, Handbook of Mathematical Functions, table 26.8
    [(1, 3.84146, 0.05), (2, 5.99147, 0.05), (5, 15.0863, 0.01), (10, 2.15585, 0.995),
     (30, 43.7729, 0.05), (99, 134.642, 0.01), (100, 135.807, 0.01)],
)  # fmt: skip
def test_chi_square_tail_of_the_handbook(degrees: int, value: float, tail: float) -> None:
    assert cross_check.chi_square_tail(value, degrees) == pytest.approx(tail, rel=2e-4)


def test_rare_cells_are_taken_together() -> None:
    value, degrees = cross_check.chi_square([3, 1, 46, 50], [2.0, 2.0, 46.0, 50.0])
    assert (value, degrees) == (0.0, 1)  # 2 + 2 + 46 is one cell
    assert cross_check.chi_square([10], [10.0]) == (0.0, 0)


def test_numbers_are_rounded_half_to_even_once() -> None:
    assert round_number(Fraction(1_000_000_000_005, 10)) == 100_000_000_000.0
    assert round_number(Fraction(1_000_000_000_015, 10)) == 100_000_000_002.0
    assert ExactNumber.of(Fraction(6, 4)).model_dump() == {"fraction": "3/2", "decimal": 1.5}
    assert [show.percent(Fraction(n, 10**6), 3) for n in (25, 35)] == ["0.002 %", "0.004 %"]
    assert show.fixed(Fraction(-1, 10**9), 4) == "0.0000"
    with pytest.raises(ValueError, match="fraction"):
        ExactNumber.model_validate({"fraction": "1/0", "decimal": 0.0})


@pytest.mark.usefixtures("brief")
def test_json_that_is_no_sheet_does_not_follow_the_schema() -> None:
    checker = jsonschema.Draft202012Validator(schema.make_schema())
    checker.check_schema(schema.make_schema())
    good = schema.to_bytes(sweet_16())
    assert checker.is_valid(json.loads(good))
    for path, value in (
        (("totals", "edge"), 0.05),
        (("totals", "edge", "fraction"), "5 %"),
        (("identity", "inputs_sha256"), "abc"),
        (("kind",), "lottery"),
        (("more",), 1),
    ):
        bad = json.loads(good)
        place = bad
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value
        assert not checker.is_valid(bad), path
    assert json.loads(schema.schema_text()) == schema.make_schema()  # what is shipped


@pytest.mark.usefixtures("brief")
def test_the_hash_is_that_of_the_inputs_and_every_input_changes_it() -> None:
    first = sweet_16().identity
    assert first.inputs_sha256 == hashlib.sha256(first.inputs.encode()).hexdigest()
    assert json.loads(first.inputs)["bet"]["name"] == "Sweet 16"
    others = [
        sweet_16(seed=2),
        sweet_16(version="2"),
        sweet_16(max_bet=50),
        sweet_16(seats=6),
        sweet_16(cap=5000),
        build(load_paytable("Sweet 16"), 6, date=DAY, rounds=0),
        build(load_paytable("Sweet 16"), 8, date="2026-12-01", rounds=0),
        build(load_paytable("Sweet 16").with_pays(sweet=150), 8, date=DAY, rounds=0),
        build(load_paytable("Sweet 16"), date=DAY, rounds=0, shoe=Shoe.decks(8)),
    ]
    assert len({first.inputs_sha256, *(o.identity.inputs_sha256 for o in others)}) == 10
    assert sweet_16().identity == first


def test_the_bet_in_the_sheet_reads_back() -> None:
    for name, variant in (("Sweet 16", None), ("Bet Player and Bet Dealer", None)):
        paytable = load_paytable(name, variant)
        file = build(paytable, date=DAY, rounds=0).rules.bet_file
        assert parse_bet(file).paytable() == paytable


HOSTILE = Paytable.model_validate(
    {
        "name": "<script>alert(1)</script> | # *x*",
        "tiers": [
            {
                "name": "a|b",
                "label": "| <b> `x` [l](http://x) _y_ ~~z~~ &lt; $a$ \\",
                "when": "pair(player)",
                "pays": "31/3",
            }
        ],
        "note": "```\n# no heading\n```",
    }
)


@pytest.mark.usefixtures("brief")
def test_markdown_keeps_hostile_texts_in_their_cells() -> None:
    lines = markdown.to_bytes(build(HOSTILE, 6, date=DAY, rounds=0)).decode().splitlines()
    fenced = False
    for line in lines:
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced:
            assert "<script" not in line.replace("\\<script", "")
            assert not line.startswith("# no heading")
    table = next(i for i, line in enumerate(lines) if line.startswith("| Tier | Pays"))
    for line in lines[table : table + 4]:
        assert line.replace("\\|", "").count("|") == 8
    label = lines[table + 2]
    assert "&lt; $a$" in re.sub(r"\\(\W)", r"\1", label)
    assert not re.search(r"(?<!\\)[`\[\]~&$_<>]", label)


@pytest.mark.usefixtures("brief")
def test_every_text_of_a_condition_and_every_figure_is_explained() -> None:
    def words(when: str) -> set[str]:
        bet = {"name": "Words", "tiers": [{"name": "a", "when": when, "pays": 5}]}
        sheet = build(Paytable.model_validate(bet), 6, date=DAY, rounds=0)
        return {term.written for term in sheet.rules.glossary if term.written[0] in '"p'}

    card = {'"7"', '"H"', '"AS"'}
    assert words('exactly(player, "QH", "7")') - card == {"player"}
    assert words('exactly(player, "QH", "7")') >= card
    assert words('count(player, "K") == 2') == {"player", '"7"'}
    assert words("count(player, 'hearts') == 2") == {"player", '"H"'}
    assert words('every(player, "black")') == {"player", '"red"'}
    assert words('up == "ten" and total(player, "ace high") == 20') == {"player", '"ten"'}
    assert words('player[2] == "face"') == {"player", "player[2]", '"face"'}

    with_check = build(load_paytable("Sweet 16"), date=DAY, rounds=100)
    without = build(load_paytable("Sweet 16"), date=DAY, rounds=0)
    more = {term.written for term in with_check.definitions}
    assert more - {term.written for term in without.definitions} == {"z", "Chi-square, p"}
    assert "Step" in more


def test_warnings_of_tiers_that_cannot_be_hit() -> None:
    bet = Paytable.model_validate(
        {
            "name": "Odd",
            "tiers": [
                {"name": "pair", "when": "pair(player)", "pays": 5},
                {"name": "aces", "when": 'exactly(player, "A", "A")', "pays": 9},
            ],
        }
    )
    sheet = build(bet, 2, date=DAY, rounds=0)
    assert len(sheet.warnings) == 1
    assert "aces: hidden" in sheet.warnings[0]
    assert sheet.tiers[1].one_in is None
    check_identities(sheet)


def test_bad_input() -> None:
    paytable = load_paytable("Sweet 16")
    for options in (
        {"date": "30.11.2026"},
        {"date": "2026-02-30"},
        {"rounds": -1},
        {"seed": -1, "rounds": 10},
        {"version": " "},
        {"seats": 0},
        {"max_bet": 0},
        {"cap": 0},
        {"meter": 5},
        {"shoe": Shoe.decks(6), "decks": 6},
    ):
        with pytest.raises(InputError):
            build(paytable, **{"date": DAY, "rounds": 0} | options)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="format"):
        write.render(sweet_16(), "doc")  # type: ignore[arg-type]


def test_a_bet_that_is_never_made_in_the_simulation_has_none() -> None:
    rare = Paytable.model_validate(
        {
            "name": "Rare",
            "tiers": [{"name": "pair", "when": "pair(player)", "pays": 5}],
            "deal": {"given": 'exactly(player, "AS", "AS")'},
        }
    )
    assert build(rare, 8, date=DAY, rounds=10).simulation is None


def test_progress_rises_and_can_cancel() -> None:
    told: list[float] = []
    sweet_16(rounds=300_000, progress=lambda done, what: told.append(done))
    assert told == sorted(told)
    assert told[-1] == 1

    def stop(done: float, what: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sweet_16(progress=stop)


def test_blocks_have_rows_as_long_as_their_tables() -> None:
    from paytables.sheets.blocks import Heading, Table

    blocks = sheet_blocks(build(load_paytable("Match the Dealer"), date=DAY, rounds=0))
    tables = [block for block in blocks if isinstance(block, Table)]
    for table in tables:
        assert not table.header or len(table.header) == len(table.align)
        assert {len(row) for row in table.rows} <= {len(table.align)}
    titles = [block.text for block in blocks if isinstance(block, Heading) and block.level == 2]
    assert titles[:4] == ["Identity", "Rules", "Tiers and odds", "Totals"]
    assert len(titles) == len(set(titles))
