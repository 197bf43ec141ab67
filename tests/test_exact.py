"""The exact fraction of the game against the plain recursion and against float64."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import islice
from pathlib import Path

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


@pytest.mark.parametrize(
    "rules",
    [Rules(decks=1), Rules(decks=2, hit_soft_17=True, surrender="late", split_by="rank")],
    ids=str,
)
def test_full_shoes_agree_with_float64(rules: Rules) -> None:
    odds = analyze(rules, exact=True)
    assert isinstance(odds.exact_expected_value, Fraction)
    error = float(odds.exact_expected_value - Fraction(odds.expected_value))
    assert abs(error) < 1e-12


def test_an_independent_full_game_value() -> None:
    """One deck, S17, no double after split: 0.00024273905049484667 in the reference."""
    rows = json.loads((Path(__file__).parent / "data/main_game_peek.json").read_text())["results"]
    odds = analyze(Rules(decks=1, double_after_split=False, max_split_hands=2), exact=True)
    assert odds.exact_expected_value is not None
    assert float(odds.exact_expected_value) == pytest.approx(
        rows[0]["overall_ev"], rel=0, abs=1e-15
    )


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
