"""PAR sheets of the main game: the references' figures, the parts, JSON and Markdown."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from odds.errors import InputError
from odds.game import analyze
from odds.outcomes import round_outcomes
from odds.rules import Rules
from odds.shoe import Shoe
from odds.simulate import simulate
from paytables.presets import parse_preset
from paytables.rule_effects import rule_effects
from paytables.sheets import game_sheet as module
from paytables.sheets import markdown, schema
from paytables.sheets.blocks import rtp_blocks
from paytables.sheets.game_sheet import game_sheet
from paytables.sheets.game_words import order_of_a_round, rule_lines
from paytables.sheets.model import SHEET, GameSheet
from tests.test_game import reference_rules

DAY = "2026-11-30"
DATA = Path(__file__).parent / "data"
TABLE = """
title = "A one-deck table"
source = "house rules, page 3"
notes = ["Drinks are free."]
[rules]
decks = 1
max_split_hands = 2
double_after_split = false
[[assumptions]]
topic = "Soft 17"
gap = "Not said."
reading = "The dealer stands."
alternatives = [{ reading = "The dealer hits", change = { hit_soft_17 = true } }]
[[assumptions]]
topic = "Shuffle"
gap = "Not said."
reading = "Every round."
remark = "Cannot be priced."
"""


def load(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DATA / f"{name}.json").read_text("utf-8"))
    return found


@cache
def one_deck() -> GameSheet:
    return game_sheet(parse_preset(TABLE, "mine.toml"), date=DAY, rounds=500_000, effects=False)


def test_distribution_and_deviation_of_the_reference() -> None:
    row = load("round_distribution")["results"][0]
    assert row["rules"] == {
        "decks": 1,
        "hit_soft_17": False,
        "double_after_split": False,
        "late_surrender": False,
        "double_rule": "any_two",
        "max_split_hands": 2,
        "blackjack_pays": 1.5,
        "dealer_peeks": True,
    }
    sheet = one_deck()
    assert sheet.figures.expected_value == pytest.approx(row["pdf_mean"], rel=0, abs=1e-12)
    assert sheet.spread.standard_deviation == pytest.approx(row["pdf_std"], rel=1e-11)
    law = {float(line.net.value): line.probability for line in sheet.spread.distribution}
    for net, probability in row["pdf"].items():
        assert law[float(net)] == pytest.approx(probability, rel=0, abs=1e-12)
    assert sum(law.values()) == pytest.approx(1, rel=0, abs=1e-11)


def test_figures_of_the_reference_under_another_regime() -> None:
    row = next(
        row
        for row in load("main_game_peek")["results"]
        if row["strategy"] == "CDP1" and row["rules"]["decks"] == 1
    )
    rules = reference_rules(row["rules"])
    sheet = game_sheet(rules, date=DAY, strategy="CDP1", rounds=0, effects=False)
    assert sheet.figures.house_edge == pytest.approx(-row["overall_ev"], rel=0, abs=1e-12)
    assert sheet.figures.regime == "CDP1"
    for line in sheet.upcards:
        up = 1 if line.upcard == "A" else int(line.upcard)
        value = row["overall_ev_by_upcard"][str(up)]
        assert line.expected_value == pytest.approx(value, rel=0, abs=1e-11)
        assert sum(line.dealer.values()) == pytest.approx(1, rel=0, abs=1e-11)
    assert sum(line.probability for line in sheet.upcards) == pytest.approx(1, abs=1e-11)


def test_readings_are_priced() -> None:
    first, second = one_deck().rules.assumptions
    assert (first.topic, second.remark) == ("Soft 17", "Cannot be priced.")
    (hits,) = first.alternatives
    h17 = analyze(Rules(decks=1, max_split_hands=2, double_after_split=False, hit_soft_17=True))
    assert hits.house_edge == pytest.approx(h17.house_edge, abs=1e-12)
    assert hits.difference is not None
    assert hits.difference == pytest.approx(
        h17.house_edge - one_deck().figures.house_edge, rel=1e-9
    )
    assert hits.change == "hit_soft_17 = True"


def test_simulation_agrees_within_its_intervals() -> None:
    seen = one_deck().simulation
    assert seen is not None
    names = [line.name for line in seen.lines]
    assert names[:2] == ["House edge", "Standard deviation"]
    assert {"Rounds with a double", "Rounds pushed"} <= set(names)
    assert seen.largest_z < 4
    for line in seen.lines:
        assert line.low < line.observed < line.high
        assert line.inside == (line.low <= line.expected <= line.high)


def test_rtp_intervals_are_of_the_distribution_where_it_is_known() -> None:
    lines = one_deck().rtp_intervals
    assert [line.rounds for line in lines] == [10**k for k in range(3, 9)]
    for line in lines:
        assert line.method == "convolution"
        assert line.low is not None
        assert line.high is not None
        assert line.normal_valid
        width = line.normal_high - line.normal_low
        # the lattice of half units: one step of the total at each end
        assert line.low == pytest.approx(line.normal_low, abs=0.01 * width + 1 / line.rounds)
        assert line.high == pytest.approx(line.normal_high, abs=0.01 * width + 1 / line.rounds)


def test_chart_and_its_exceptions() -> None:
    odds = analyze(Rules(decks=1, max_split_hands=2, double_after_split=False))
    chart = one_deck().chart
    assert chart.upcards == ("2", "3", "4", "5", "6", "7", "8", "9", "10", "A")
    grids = {grid.title: {row.hand: row.codes for row in grid.rows} for grid in chart.grids}
    assert grids["Hard totals"]["11"] == ("Dh",) * 10  # one deck doubles 11 against everything
    assert grids["Pairs"]["8,8"] == ("P",) * 10
    assert chart.exceptions
    for exception in chart.exceptions:
        cards = [1 if card == "A" else int(card) for card in exception.hand.split(",")]
        up = 1 if exception.upcard == "A" else int(exception.upcard)
        assert odds.hand(cards, up).best.value == exception.best
        assert {"H": "hit", "S": "stand", "P": "split"}.get(exception.chart) != exception.best
    codes = {code for grid in grids.values() for row in grid.values() for code in row}
    assert {term.written for term in chart.legend} == codes - {""}


def test_effects_of_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "rule_effects", partial(rule_effects, only=["hit_soft_17"]))
    rules = Rules(decks=1, max_split_hands=2, double_after_split=False)
    sheet = game_sheet(rules, date=DAY, rounds=0)
    (line,) = sheet.effects
    (hits,) = one_deck().rules.assumptions[0].alternatives
    assert line.house_edge == hits.house_edge
    assert line.label == "Dealer hits soft 17 (H17)"
    text = markdown.to_bytes(sheet).decode()
    assert "Effect of every single rule change" in text
    assert "by simulation\n\nLeft out." in text


def test_without_a_distribution_the_normal_interval_stands_alone() -> None:
    odds = analyze(Rules(decks=1, max_split_hands=2, double_after_split=False))
    outcomes = replace(round_outcomes(odds), distribution=None)  # as with resplits
    spread = module.spread_section(outcomes)
    assert spread.distribution == ()
    assert "two hands at most" in spread.note
    for line in module.interval_lines(odds, outcomes, simulate(odds, 100_000, 1)):
        assert (line.low, line.high, line.method) == (None, None, "normal approximation")
        assert line.normal_valid  # told from the simulated distribution
        half = 1.959963985 * spread.standard_deviation / line.rounds**0.5
        assert line.normal_high - line.normal_low == pytest.approx(2 * half, abs=1e-9)
    lines = module.interval_lines(odds, outcomes, None)
    assert {line.normal_valid for line in lines} == {None}
    text = markdown.to_markdown([*rtp_blocks(lines, "of nothing")])
    assert text.count("| not known |") == 12  # interval and validity of six lines


def test_exact_value_and_a_shoe_of_its_own() -> None:
    shoe = Shoe.from_ranks({"A": 3, "5": 4, "8": 4, "9": 3, "T": 8})
    rules = Rules(decks=1, max_split_hands=1, max_split_hands_aces=1)
    sheet = game_sheet(rules, date=DAY, shoe=shoe, rounds=0, exact=True)
    exact = sheet.figures.exact_expected_value
    assert exact is not None
    assert float(exact.value) == pytest.approx(sheet.figures.expected_value, abs=1e-12)
    assert sheet.effects == ()
    assert sheet.rules.decks is None
    assert sheet.figures.insurance_edge is not None
    assert sheet.figures.insurance_edge.value == 1 - 3 * Fraction(8, 21)
    assert [line.upcard for line in sheet.upcards] == ["5", "8", "9", "10", "A"]


def test_json_follows_the_schema_and_reads_back() -> None:
    data = schema.to_bytes(one_deck())
    assert SHEET.validate_json(data) == one_deck()
    jsonschema.Draft202012Validator(schema.make_schema()).validate(json.loads(data))
    assert json.loads(data)["kind"] == "main game"


def test_markdown_has_every_rule_and_chart() -> None:
    text = markdown.to_bytes(one_deck()).decode()
    assert text.startswith("# PAR sheet: A one-deck table\n")
    for line in one_deck().rules.lines:
        assert f"| {line.label} | {line.words} |" in text
    for title in ("### Hard totals", "### Soft totals", "### Pairs", "Drinks are free."):
        assert title in text
    edge = next(line for line in text.splitlines() if line.startswith("| House edge |"))
    shown = float(edge.split("|")[2].removesuffix(" % "))
    assert shown == pytest.approx(100 * one_deck().figures.house_edge, abs=1e-10)


def test_rules_in_words() -> None:
    lines = {line.field: line for line in rule_lines(Rules(blackjack_pays="6:5"))}
    assert lines["blackjack_pays"].words == "6 to 5"
    for line in lines.values():
        assert line.meaning
        assert "`" not in line.meaning
        assert "analyze" not in line.meaning
    early = order_of_a_round(Rules(surrender="early"))
    late = order_of_a_round(Rules(surrender="late"))
    look = next(i for i, step in enumerate(early) if "looks for a blackjack" in step)
    assert any("surrender" in step for step in early[:look])
    assert not any("surrender" in step for step in late[:look])
    assert any("surrenders" in step for step in late[look:])
    assert not any("looks" in step for step in order_of_a_round(Rules(peek="none"))[:2])


def test_bad_input() -> None:
    for options in (
        {"date": "today"},
        {"rounds": 1},
        {"seats": 101},
        {"max_bet": 0},
        {"strategy": "best"},
        {"version": "x" * 41},
    ):
        with pytest.raises(InputError):
            game_sheet("greektown", **{"date": DAY} | options)  # type: ignore[arg-type]


def test_exposure_counts_split_and_doubled_hands() -> None:
    assert one_deck().exposure.largest_award.fraction == "2"  # two hands, no double after a split
    four = module.exposure_section(Rules(max_split_hands=4), Fraction(50), 6)
    assert (four.largest_award.fraction, four.amount.fraction) == ("8", "2400")
    high = Rules(max_split_hands=1, max_split_hands_aces=1, blackjack_pays="3:1")
    assert module.exposure_section(high, Fraction(1), 1).amount.fraction == "3"
