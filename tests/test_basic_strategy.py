"""Strategies by total: the best one, weak ones, and charts from text."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from odds.basic_strategy import basic_strategy, insurance_cost, weak_strategies
from odds.errors import InputError
from odds.game import analyze
from odds.rules import Rules
from odds.shoe import Shoe
from odds.strategy import ACTIONS
from odds.total_strategy import TOTAL_CODES, TotalStrategy
from tests.oracle import Rounds

TABLES = [
    Rules(decks=6),
    Rules(decks=6, hit_soft_17=True, surrender="late"),
    Rules(decks=1),
    Rules(decks=1, hit_soft_17=True, double_on="9-11", double_after_split=False),
    Rules(decks=2, surrender="early", double_soft=False),
    Rules(decks=8, peek="none"),
    Rules(decks=6, peek="none", surrender="early_not_ace"),
    Rules(decks=4, split_by="rank", max_split_hands=2),
    Rules(decks=2, max_split_hands_aces=4, hit_split_aces=True, double_split_aces=True),
    Rules(decks=6, surrender="late", surrender_any_cards=True, double_any_cards=True),
    Rules(decks=5, blackjack_pays=Fraction(6, 5), max_split_hands=1, max_split_hands_aces=1),
    Rules(decks=3, stand_on_21=False, max_cards=5),
]


def with_code(chart: TotalStrategy, section: str, key: int, up: int, code: str) -> TotalStrategy:
    parts = {name: dict(getattr(chart, name)) for name in ("hard", "soft", "pairs")}
    parts[section][key] = {**parts[section][key], up: code}
    return TotalStrategy(chart.name, **parts)


@pytest.mark.parametrize("rules", TABLES, ids=str)
def test_between_composition_dependent_play_and_any_single_change(rules: Rules) -> None:
    found = basic_strategy(rules)
    best = analyze(rules)
    value = found.odds.expected_value
    assert found.cost == best.expected_value - value
    assert 0 <= found.cost < 1e-3
    assert found.best_single_change <= 1e-14
    random = Random(1)
    for _ in range(10):
        section = random.choice(["hard", "soft", "pairs"])
        key = random.choice(
            {"hard": range(8, 18), "soft": range(13, 20), "pairs": range(1, 11)}[section]
        )
        codes = (*TOTAL_CODES, "P") if section == "pairs" else TOTAL_CODES
        other = with_code(found.chart, section, key, random.randint(1, 10), random.choice(codes))
        if rules.max_split_hands == 1 and "P" in {
            c for row in other.pairs.values() for c in row.values()
        }:
            continue
        assert analyze(rules, strategy=other.decisions(rules)).expected_value <= value + 1e-14


def test_the_predicted_gain_of_a_single_change_is_exact() -> None:
    """Spoil single cells of the best chart: the search must see exactly what mending them gains."""
    from odds.basic_strategy import _improve

    rules = Rules(decks=2, double_after_split=False)
    found = basic_strategy(rules)
    for section, key, up, code in [
        ("hard", 10, 9, "H"),
        ("hard", 12, 4, "H"),
        ("hard", 16, 10, "S"),
        ("soft", 18, 9, "S"),
        ("soft", 12, 5, "S"),
        ("pairs", 8, 10, "S"),
    ]:
        spoiled = with_code(found.chart, section, key, up, code)
        odds = analyze(rules, strategy=spoiled.decisions(rules))
        _, gain, mended = _improve(spoiled, odds)
        again = analyze(rules, strategy=mended.decisions(rules)).expected_value
        assert gain == pytest.approx(again - odds.expected_value, rel=0, abs=1e-14)
        assert again == pytest.approx(found.odds.expected_value, rel=0, abs=1e-14)


SHOE = {1: 2, 2: 1, 5: 2, 6: 1, 8: 3, 9: 1, 10: 4}


@pytest.mark.parametrize("name", ["basic", "mimic-dealer", "never-bust", "no-soft-double"])
def test_fixed_charts_against_enumeration_of_whole_rounds(name: str) -> None:
    """The oracle plays the chart card by card, by its own totals and legal actions."""
    rules = Rules(decks=1, max_split_hands=2, surrender="late", hit_soft_17=True)
    shoe = Shoe.from_values([SHOE.get(value, 0) for value in range(1, 11)])
    basic = basic_strategy(rules, shoe).chart
    chart = basic if name == "basic" else weak_strategies(rules, basic)[name][1]
    strategy = chart.decisions(rules)
    odds = analyze(rules, shoe, strategy)

    def policy(context: Any) -> str:
        from odds.hands import lattice

        values = [min(card, 10) for card in context.hand]
        table = (
            strategy.first
            if context.split_of is None
            else strategy.for_split(min(context.split_of, 10), 2)
        )
        return ACTIONS[table[lattice().of(*values), min(context.upcard, 10) - 1]].value

    value = Rounds(rules, SHOE).round_value(policy)
    assert odds.expected_value == pytest.approx(float(value.net), rel=0, abs=1e-12)
    assert odds.average_action == pytest.approx(float(value.action), rel=0, abs=1e-12)


def test_weak_play_costs_and_insurance() -> None:
    rules = Rules(decks=6, surrender="late")
    found = basic_strategy(rules)
    edges = {
        name: analyze(rules, strategy=chart.decisions(rules)).house_edge
        for name, (_, chart) in weak_strategies(rules, found.chart).items()
    }
    assert min(edges.values()) > found.odds.house_edge
    # no player card known: 96 of 311 cards behind the ace are tens
    assert insurance_cost(found.odds) == pytest.approx(-0.5 / 13 * (3 * 96 / 311 - 1))


WHOLE = {section: {"12-21": "S S S S S S S S S S"} for section in ("hard", "soft")}
WHOLE["hard"]["4-11"] = "H H H H H H H H H H"


def test_charts_read_back() -> None:
    chart = basic_strategy(Rules(decks=1)).chart
    assert TotalStrategy.parse("basic", chart.rows()) == chart


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"hard": {"5-19": "H"}}, "ten codes"),
        ({"hard": {"5-19": "H H H H H H H H H X"}}, "ten codes"),
        ({"hard": {"3": "H H H H H H H H H H"}}, "totals from 4"),
        ({"hard": {"x": "H H H H H H H H H H"}}, "a total from 4"),
        ({"hard": {"²": "H H H H H H H H H H"}}, "a total from 4"),
        ({"hard": {}}, "hard.5"),
        ({"hart": {}}, "hard, soft or pairs"),
        ({**WHOLE, "pairs": {"": "H H H H H H H H H H"}}, "a card A, 2"),
        ({**WHOLE, "pairs": {"23": "H H H H H H H H H H"}}, "a card A, 2"),
    ],
)
def test_bad_charts(table: Any, message: str) -> None:
    with pytest.raises(InputError, match="allowed is") as error:
        TotalStrategy.parse("mine", table)
    assert message in str(error.value)
