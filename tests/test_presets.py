from __future__ import annotations

import re
from dataclasses import fields
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given

from odds.errors import InputError
from odds.rules import Rules
from paytables.presets import load_preset, parse_preset, preset_names
from paytables.rule_fields import parse_rules, rule_field, rule_fields, show_rules
from paytables.toml_text import MAX_FILE_BYTES
from tests import strategies

PRESETS = ("greektown", "six-deck-h17", "super-sevens", "sweet16")

MINIMAL = """
title = "My table"
source = "house rules"
[rules]
decks = 2
"""


def with_lines(*lines: str) -> str:
    return MINIMAL + "\n".join(lines) + "\n"


# What the four rule texts state in plain words, read off them line by line; what they leave open
# is in no row here but among the presets' assumptions.
STATED = {
    "sweet16": {
        "hit_soft_17": False,
        "peek": "ace_ten",
        "double_on": None,
        "double_soft": True,
        "double_any_cards": False,
        "double_after_split": True,
        "split_by": "value",
        "max_split_hands_aces": 2,
        "hit_split_aces": False,
        "double_split_aces": False,
        "split_ace_ten": "21",
        "surrender": "late",
        "insurance": True,
        "even_money": True,
    },
    "super-sevens": {"hit_soft_17": False, "peek": "none", "insurance": True},
    "greektown": {
        "hit_soft_17": False,
        "blackjack_pays": Fraction(3, 2),
        "double_on": None,
        "double_two_card_21": False,
        "double_after_split": True,
        "double_split_aces": False,
        "split_by": "value",
        "max_split_hands": 4,
        "hit_split_aces": False,
        "insurance": True,
        "even_money": True,
    },
    "six-deck-h17": {
        "decks": 6,
        "hit_soft_17": True,
        "double_after_split": True,
        "split_by": "rank",
        "max_split_hands": 2,
        "max_split_hands_aces": 2,
        "hit_split_aces": False,
        "double_split_aces": False,
        "split_ace_ten": "21",
        "stand_on_21": True,
        "max_cards": 12,
    },
}

# For each text, the rules on which it is silent or contradicts itself: each needs an alternative.
OPEN = {
    "sweet16": {
        "decks",
        "blackjack_pays",
        "surrender_any_cards",
        "max_split_hands",
        "split_ace_ten",
        "stand_on_21",
        "peek",
    },
    "super-sevens": {
        "decks",
        "dealer_blackjack_takes",
        "peek",
        "blackjack_pays",
        "double_on",
        "double_soft",
        "double_after_split",
        "max_split_hands",
        "max_split_hands_aces",
        "split_by",
        "hit_split_aces",
        "double_split_aces",
        "split_ace_ten",
        "surrender",
        "stand_on_21",
    },
    "greektown": {
        "decks",
        "max_split_hands_aces",
        "split_ace_ten",
        "peek",
        "dealer_blackjack_takes",
        "hit_soft_17",
        "surrender",
        "stand_on_21",
    },
    "six-deck-h17": {
        "peek",
        "dealer_blackjack_takes",
        "surrender",
        "surrender_any_cards",
        "double_any_cards",
        "blackjack_pays",
        "max_cards",
    },
}


def test_the_four_tables_are_there() -> None:
    assert preset_names() == PRESETS


@pytest.mark.parametrize("name", PRESETS)
def test_preset_states_what_its_text_states(name: str) -> None:
    rules = load_preset(name).rules
    assert {field: getattr(rules, field) for field in STATED[name]} == STATED[name]


@pytest.mark.parametrize("name", PRESETS)
def test_open_points_are_exactly_the_rules_the_text_leaves_open(name: str) -> None:
    changed = {field for _, reading in load_preset(name).readings() for field in reading.change}
    assert changed == OPEN[name]


@pytest.mark.parametrize("name", PRESETS)
def test_every_reading_changes_the_rules_and_no_two_are_the_same(name: str) -> None:
    preset = load_preset(name)
    seen = [preset.rules] + [reading.apply(preset.rules) for _, reading in preset.readings()]
    assert len(set(seen)) == len(seen)


@pytest.mark.parametrize("name", PRESETS)
def test_every_field_of_the_table_is_either_stated_open_or_without_effect(name: str) -> None:
    # The remaining fields only matter where another field has a value that the table has not.
    idle = {"insurance", "even_money", "double_any_cards", "surrender_any_cards"}
    idle |= {"double_soft", "double_two_card_21", "max_cards"}
    if load_preset(name).rules.peek == "ace_ten":
        idle.add("dealer_blackjack_takes")
    if load_preset(name).rules.surrender == "none":
        idle.add("surrender_any_cards")
    known = set(STATED[name]) | OPEN[name] | idle | {"decks"}
    if name == "six-deck-h17":
        known.add("double_on")  # "double" is listed as an action on any hand
    assert {field.name for field in fields(Rules)} <= known


def test_the_unclear_sweet16_split_line_has_both_readings() -> None:
    preset = load_preset("sweet16")
    assert preset.rules.max_split_hands == 2
    changes = [reading.change for _, reading in preset.readings()]
    assert {"max_split_hands": 3} in changes


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("title = ", "preset own = 'bad TOML'"),
        ("[[[[", "bad TOML"),
        ('title = "t"\nsource = "s"', "rules in preset own"),
        (with_lines("deck = 3"), "rule in [rules] of preset own = 'deck'"),
        (with_lines("peek = 'sometimes'"), "peek in [rules] of preset own = 'sometimes'"),
        (with_lines("hit_soft_17 = 2"), "hit_soft_17"),
        (with_lines("blackjack_pays = '3:0'"), "blackjack_pays"),
        (with_lines("[extra]"), "extra in preset own"),
        (with_lines("max_split_hands = 2", "max_split_hands_aces = 3"), "max_split_hands_aces"),
        (with_lines("[[assumptions]]", "topic = 't'", "gap = 'g'"), "assumptions.0.reading"),
        (
            with_lines("[[assumptions]]", "topic = 't'", "gap = 'g'", "reading = 'r'"),
            "a remark that says why none",
        ),
        (
            with_lines(
                "[[assumptions]]",
                "topic = 't'\ngap = 'g'\nreading = 'r'",
                "alternatives = [{ reading = 'more', change = { decks = 99 } }]",
            ),
            "decks in reading 'more' of preset own = 99",
        ),
        (MINIMAL.replace("decks = 2", "decks = {a = 1}"), "rules.decks"),
    ],
)
def test_bad_file_is_one_clear_error(text: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        parse_preset(text, "own")
    assert "\n" not in str(caught.value)


def test_own_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MINIMAL, encoding="utf-8")
    assert load_preset(str(path)).rules == Rules(decks=2)


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"# " + b"x" * MAX_FILE_BYTES])
def test_own_file_that_is_no_text_or_too_large(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(content)
    with pytest.raises(InputError):
        load_preset(str(path))


def test_missing_file_and_folder(tmp_path: Path) -> None:
    folder = tmp_path / "folder.toml"
    folder.mkdir()
    for path in (folder, tmp_path / "none.toml"):
        with pytest.raises(InputError, match="readable file"):
            load_preset(str(path))


@pytest.mark.parametrize(
    ("given", "near"),
    [("sweet61", "sweet16"), ("greek-town", "greektown"), ("sixdeckh17", "six-deck-h17")],
)
def test_unknown_preset_suggests_the_nearest(given: str, near: str) -> None:
    with pytest.raises(InputError, match=f"nearest is '{near}'"):
        load_preset(given)


def test_every_field_of_rules_has_a_text_a_label_and_a_group() -> None:
    shown = rule_fields()
    assert {field.name for field in shown} == {field.name for field in fields(Rules)}
    assert all(len(field.text) > 20 and field.label and field.group != "Other" for field in shown)


@pytest.mark.parametrize("name", PRESETS)
def test_shown_rules_read_back(name: str) -> None:
    rules = load_preset(name).rules
    assert parse_rules(show_rules(rules)) == rules


@given(strategies.rules())
def test_any_rules_read_back(rules: Rules) -> None:
    assert parse_rules(show_rules(rules)) == rules


@pytest.mark.parametrize("totals", [None, {9, 10, 11}, {10, 11}, {11}, {8, 10, 11}])
def test_double_totals_read_back(totals: set[int] | None) -> None:
    field = rule_field("double_on")
    assert field.parse(field.show(totals)) == (frozenset(totals) if totals else None)


@pytest.mark.parametrize(
    ("name", "value"),
    [("decks", "six"), ("decks", True), ("decks", "1.5"), ("hit_soft_17", "maybe"), ("peek", "")],
)
def test_bad_value_of_a_field(name: str, value: object) -> None:
    with pytest.raises(InputError):
        rule_field(name).parse(value)
