"""Rules: defaults, reading, checking."""

from __future__ import annotations

from dataclasses import fields, replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from odds.errors import InputError
from odds.rules import Rules, parse_double_on, parse_fraction


def test_str_shows_what_differs() -> None:
    assert str(Rules()) == "the default rules"
    assert str(Rules(decks=8, double_on="9-11", blackjack_pays="6:5")) == (
        "decks=8, blackjack_pays=6/5, double_on=9,10,11"
    )


def test_every_field_has_a_default_and_rules_are_hashable() -> None:
    assert Rules() == Rules(**{field.name: field.default for field in fields(Rules)})
    assert len({Rules(), Rules(decks=6), Rules(decks=8)}) == 2


@pytest.mark.parametrize(
    ("text", "value"),
    [("3:2", Fraction(3, 2)), ("6 to 5", Fraction(6, 5)), ("1.5", Fraction(3, 2)), (1, 1),
     (1.2, Fraction(6, 5)), ("7/5", Fraction(7, 5)), (Fraction(2), 2)],
)  # fmt: skip
def test_fractions(text: Any, value: Fraction) -> None:
    assert parse_fraction("pays", text) == value


@pytest.mark.parametrize("text", ["", "3/0", "three", "1e9", None, True, "9" * 50, "1//2", "nan"])
def test_bad_fractions(text: Any) -> None:
    with pytest.raises(InputError, match="pays = "):
        parse_fraction("pays", text)


def test_double_totals() -> None:
    assert parse_double_on("any") is None
    assert parse_double_on("10, 11") == {10, 11}
    assert parse_double_on([8, 9]) == {8, 9}
    assert parse_double_on(11) == {11}
    for bad in ("", "3", "9-22", "x", [], [9.5], "11-9", True):
        with pytest.raises(InputError, match="double_on = "):
            parse_double_on(bad)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"decks": 0}, "decks"),
        ({"decks": 13}, "decks"),
        ({"decks": 6.0}, "decks"),
        ({"hit_soft_17": 1}, "hit_soft_17"),
        ({"peek": "sometimes"}, "peek"),
        ({"surrender": True}, "surrender"),
        ({"split_by": "suit"}, "split_by"),
        ({"split_ace_ten": 21}, "split_ace_ten"),
        ({"blackjack_pays": -1}, "blackjack_pays"),
        ({"blackjack_pays": 101}, "blackjack_pays"),
        ({"max_split_hands": 5}, "max_split_hands"),
        ({"max_split_hands": 0}, "max_split_hands"),
        ({"max_cards": 2}, "max_cards"),
        ({"dealer_blackjack_takes": "original"}, "dealer_blackjack_takes"),
        ({"max_split_hands": 2, "max_split_hands_aces": 3}, "max_split_hands_aces"),
        ({"max_split_hands_aces": 1, "hit_split_aces": True}, "hit_split_aces"),
        ({"double_after_split": False, "double_split_aces": True}, "double_split_aces"),
        ({"surrender_any_cards": True}, "surrender_any_cards"),
    ],
)
def test_bad_and_contradictory_rules(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as error:
        Rules(**changes)
    assert error.value.field == field
    assert str(error.value).startswith(f"{field} = ")


@given(st.integers(4, 21), st.booleans(), st.booleans())
def test_doubling_by_total(total: int, soft: bool, double_soft: bool) -> None:
    rules = Rules(double_on="10,11", double_soft=double_soft)
    assert rules.may_double_total(total, soft) == (total in (10, 11) and (double_soft or not soft))
    assert Rules().may_double_total(total, soft)


def test_peeking() -> None:
    under = {
        peek: [up for up in range(1, 11) if Rules(peek=peek).peeks_under(up)]
        for peek in ("ace_ten", "ace", "none")
    }
    assert under == {"ace_ten": [1, 10], "ace": [1], "none": []}
    assert replace(Rules(peek="none"), dealer_blackjack_takes="original").split_hands(1) == 2
