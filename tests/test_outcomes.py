"""Variance and distribution of a round against independently computed figures and identities."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from odds.game import analyze
from odds.outcomes import round_outcomes
from odds.rules import Rules
from tests.oracle_seats import Seats, random_strategy
from tests.test_game_oracle import shoe_of

ROWS = json.loads((Path(__file__).parent / "data" / "round_distribution.json").read_text())


@pytest.mark.parametrize("row", ROWS["results"], ids=lambda row: str(row["rules"])[1:60])
def test_farmer_distributions(row: dict[str, Any]) -> None:
    rules = Rules(
        decks=row["rules"]["decks"],
        hit_soft_17=row["rules"]["hit_soft_17"],
        double_on={"any_two": None}[row["rules"]["double_rule"]],
        double_after_split=row["rules"]["double_after_split"],
        surrender="late" if row["rules"]["late_surrender"] else "none",
        max_split_hands=row["rules"]["max_split_hands"],
    )
    spread = round_outcomes(analyze(rules, strategy=row["strategy"]))
    assert spread.distribution is not None
    expected = {Fraction(net): odds for net, odds in row["pdf"].items()}
    assert set(spread.distribution) == set(expected)
    for net, odds in expected.items():
        assert spread.distribution[net] == pytest.approx(odds, rel=0, abs=1e-11)
    assert spread.mean == pytest.approx(row["pdf_mean"], rel=0, abs=1e-11)
    assert spread.standard_deviation == pytest.approx(row["pdf_std"], rel=0, abs=1e-11)


@pytest.mark.parametrize(
    "rules",
    [
        Rules(decks=1, max_split_hands=2, surrender="early", peek="none"),
        Rules(decks=1, max_split_hands=2, peek="none", dealer_blackjack_takes="original"),
        Rules(decks=1, max_split_hands=2, split_by="rank", split_ace_ten="blackjack"),
        Rules(decks=1, max_split_hands=2, peek="ace", split_ace_ten="blackjack", surrender="late"),
        Rules(decks=1, max_split_hands=2, hit_split_aces=True, split_ace_ten="beats_21"),
        Rules(decks=1, max_split_hands=1, max_split_hands_aces=1, surrender="late",
              surrender_any_cards=True, blackjack_pays=Fraction(7, 5)),
    ],
    ids=str,
)  # fmt: skip
def test_distributions_have_the_mean_of_the_game(rules: Rules) -> None:
    odds = analyze(rules)
    spread = round_outcomes(odds)
    assert spread.distribution is not None
    assert sum(spread.distribution.values()) == pytest.approx(1, rel=0, abs=1e-14)
    assert min(spread.distribution.values()) > 0
    mean = sum(float(net) * chance for net, chance in spread.distribution.items())
    square = sum(float(net) ** 2 * chance for net, chance in spread.distribution.items())
    assert mean == pytest.approx(odds.expected_value, rel=0, abs=1e-14)
    assert spread.mean == pytest.approx(odds.expected_value, rel=0, abs=1e-14)
    assert spread.variance == pytest.approx(square - mean**2, rel=0, abs=1e-14)
    chances = [spread.chance(sign) for sign in (-1, 0, 1)]
    assert sum(filter(None, chances)) == pytest.approx(1, rel=0, abs=1e-14)
    action = spread.hands + spread.doubles
    assert action == pytest.approx(odds.average_action, rel=0, abs=1e-14)


@pytest.mark.parametrize("regime", ["CDZ-", "CDP"])
def test_resplit_to_four_has_the_mean_of_the_game(regime: str) -> None:
    odds = analyze(Rules(decks=1, max_split_hands_aces=3, surrender="late"), strategy=regime)
    spread = round_outcomes(odds)
    assert spread.mean == pytest.approx(odds.expected_value, rel=0, abs=1e-14)
    assert spread.hands + spread.doubles == pytest.approx(odds.average_action, rel=0, abs=1e-14)
    assert spread.distribution is None
    assert spread.chance(1) is None


BLACKJACK_TAKES = [
    {"peek": peek, "dealer_blackjack_takes": takes, "split_ace_ten": kind}
    for peek, takes, kind in (
        ("ace_ten", "all", "21"),
        ("ace", "original", "blackjack"),
        ("none", "all", "beats_21"),
        ("none", "busted_plus_one", "blackjack"),
        ("ace", "busted_plus_one", "21"),
    )
]
PLAY = [
    ({"max_split_hands": 2, "surrender": "late"}, {1: 3, 8: 3, 9: 2, 10: 6}, "CDP1"),
    (
        {"max_split_hands": 2, "surrender": "early", "split_by": "rank"},
        {1: 2, 9: 3, 10: 3, 13: 4},
        None,
    ),
    ({"max_split_hands": 3, "double_after_split": False}, {1: 2, 3: 3, 8: 5, 10: 7}, "CDP"),
    (
        {"max_split_hands": 4, "max_split_hands_aces": 4, "hit_split_aces": True},
        {1: 5, 8: 5, 10: 9},
        "CDZ-",
    ),
    (
        {"max_split_hands": 1, "max_split_hands_aces": 1, "double_any_cards": True},
        {2: 3, 6: 3, 10: 4},
        None,
    ),
]


@pytest.mark.parametrize("play", PLAY, ids=str)
@pytest.mark.parametrize("takes", BLACKJACK_TAKES, ids=str)
def test_every_order_of_the_cards_of_tiny_shoes(
    takes: dict[str, Any], play: tuple[dict[str, Any], dict[int, int], str | None]
) -> None:
    """Mean, variance, distribution and shares; strategies at random where no regime is named."""
    choices, shoe, regime = play
    rules = Rules(**takes, **choices)
    odds = analyze(rules, shoe_of(shoe), regime or random_strategy(rules, 3))
    sums = Seats(odds, shoe, seats=1).sums
    spread = round_outcomes(odds)
    assert spread.variance == pytest.approx(float(sums.variance), rel=0, abs=1e-13)
    for name, seen in (
        ("mean", "net"),
        ("natural", "naturals"),
        ("split", "splits"),
        ("surrender", "surrenders"),
        ("doubles", "doubles"),
        ("double", "with_double"),
        ("hands", "hands"),
    ):
        value = getattr(spread, name)
        assert value == pytest.approx(float(sums.mean(seen)), rel=0, abs=1e-13), name
    assert (spread.distribution is None) == (rules.max_split_hands > 2)
    if spread.distribution is not None:
        assert set(spread.distribution) == set(sums.distribution)
        for net, orders in sums.distribution.items():
            chance = orders / sums.orders
            assert spread.distribution[net] == pytest.approx(chance, rel=0, abs=1e-13)
