"""The exact fraction of the game against the plain recursion and against float64."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from odds.errors import InputError
from odds.exact import ExactGame
from odds.game import analyze
from odds.recursion import game_value
from odds.residues import primes_below
from odds.rules import Rules
from odds.settle import close_decisions
from odds.shoe import Shoe
from odds.strategy import Action
from paytables.presets import load_preset, preset_names
from tests.sampling import EVERY_ROW
from tests.test_game import reference_rules

SMALL = Shoe.from_values([2, 1, 0, 1, 1, 2, 1, 2, 2, 4])
TINY = [
    Rules(max_split_hands=2, surrender="late"),
    Rules(max_split_hands=2, peek="none", surrender="early", hit_soft_17=True),
    Rules(max_split_hands=2, peek="none", dealer_blackjack_takes="original", max_cards=4),
    Rules(max_split_hands=2, split_by="rank", split_ace_ten="blackjack", blackjack_pays="7:5"),
    Rules(max_split_hands=2, peek="ace", hit_split_aces=True, double_split_aces=True,
          split_ace_ten="beats_21"),
    Rules(max_split_hands=3, double_any_cards=True, stand_on_21=False),
]  # fmt: skip


@pytest.mark.parametrize("rules", TINY, ids=str)
def test_tiny_shoes_give_the_fraction_of_the_recursion(rules: Rules) -> None:
    odds = analyze(rules, SMALL, exact=True)
    assert odds.exact_expected_value == game_value(rules, SMALL)


REFERENCE = json.loads((Path(__file__).parent / "data/main_game_peek.json").read_text())["results"]


def rows(count: int, **rules: object) -> list[dict[str, Any]]:
    """Rows of the reference with these rules, from all over its list."""
    some = [row for row in REFERENCE if rules.items() <= row["rules"].items()]
    return some[:: len(some) // count][:count]


@pytest.mark.parametrize(
    "row",
    [
        *rows(16, decks=1, max_split_hands=2),
        *rows(1, decks=1, max_split_hands=4, max_split_hands_aces=4),
        *rows(2, decks=2, max_split_hands=2),
        *rows(1, decks=6, max_split_hands=2),
    ],
    ids=lambda row: f"{row['strategy']} {list(row['rules'].values())}",
)
def test_reference_games(row: dict[str, Any]) -> None:
    """Twenty rule sets; the reference has float64 values, and under CDP its own mix of decisions.

    By hand fifty-five rows drawn from all deck numbers and regimes were compared: float64
    was off by 2e-16 at most, and so was the reference outside CDP.
    """
    odds = analyze(reference_rules(row["rules"]), strategy=row["strategy"], exact=True)
    exact = odds.exact_expected_value
    assert isinstance(exact, Fraction)
    assert abs(exact - Fraction(odds.expected_value)) < 1e-12
    if row["strategy"] != "CDP":
        assert abs(exact - Fraction(row["overall_ev"])) < 1e-14


@pytest.mark.parametrize("name", preset_names())
def test_preset_tables_agree_with_float64(name: str) -> None:
    rules = load_preset(name).rules
    if rules.max_split_hands > 2 and not EVERY_ROW:
        rules = replace(rules, decks=2)  # half a minute for six decks
    odds = analyze(rules, exact=True)
    assert odds.exact_expected_value is not None
    assert abs(odds.exact_expected_value - Fraction(odds.expected_value)) < 1e-12


def test_values_of_one_hand() -> None:
    odds = analyze(Rules(decks=1))
    game = ExactGame(odds.rules, odds.shoe, odds._dealer)
    from odds.hands import lattice

    hand = lattice().of(10, 6)
    for action in (Action.STAND, Action.HIT, Action.DOUBLE):
        exact = game.hand_value(hand, 9, odds.strategy.first, action)
        shown = odds.hand([10, 6], 10).unconditional[action]
        assert float(exact) == pytest.approx(shown, rel=0, abs=1e-14)
    exact = game.split_value(8, 9, odds.strategy)
    assert float(exact) == pytest.approx(
        odds.hand([8, 8], 10).unconditional[Action.SPLIT], rel=0, abs=1e-14
    )


def test_exact_ties_are_seen_as_close() -> None:
    """With only tens left, standing and every other way of keeping a hard 20 tie or lose."""
    shoe = Shoe.from_values([0, 0, 0, 0, 0, 0, 0, 0, 4, 12])
    odds = analyze(Rules(max_split_hands=2), shoe, exact=True)
    ties = {(hand, action) for hand, _, _, action in close_decisions(odds)}
    assert ties
    assert odds.exact_expected_value == game_value(Rules(max_split_hands=2), shoe)


def test_the_shared_unit_is_refused() -> None:
    rules = Rules(decks=1, peek="none", dealer_blackjack_takes="busted_plus_one", max_split_hands=2)
    with pytest.raises(InputError, match="dealer_blackjack_takes = "):
        analyze(rules, exact=True)


def test_primes() -> None:
    assert list(islice(primes_below(30), 10)) == [29, 23, 19, 17, 13, 11, 7, 5, 3]
