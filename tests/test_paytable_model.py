"""Paytables and bet files: what is accepted, what is refused, and how it is said."""

from __future__ import annotations

import copy
import pickle
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from odds.errors import InputError
from odds.sidebets.bet import MAX_TIERS
from paytables.bets import (
    load_catalog,
    load_paytable,
    parse_bet,
    paytable_toml,
    read_bet,
)
from paytables.metrics import evaluate, meter_result, shared_meter
from paytables.model import Paytable, checked
from paytables.toml_text import MAX_FILE_BYTES

PAIR: dict[str, Any] = {"name": "pair", "when": "pair(player)", "pays": 11}


def table(**values: Any) -> Paytable:
    return checked(Paytable, {"name": "Test", "tiers": [PAIR]} | values, "test")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"tiers": []}, "tiers"),
        ({"tiers": [PAIR] * 2}, "no other tier"),
        ({"tiers": [PAIR | {"name": f"t{i}"} for i in range(MAX_TIERS + 1)]}, "tiers"),
        ({"tiers": [PAIR | {"pays": "lots"}]}, "fraction"),
        ({"tiers": [PAIR | {"pays": 10_000_000}]}, "1000000"),
        ({"tiers": [PAIR | {"pays": float("inf")}]}, "fraction"),
        ({"tiers": [PAIR | {"pays": None}]}, "needs pays"),
        ({"tiers": [PAIR | {"pay": 3}]}, "no such key"),
        ({"tiers": [{"name": "x", "pays": 1}]}, "missing"),
        ({"tiers": [PAIR | {"when": "pare(player)"}]}, "did you mean 'pair'"),
        ({"tiers": [PAIR | {"when": "dealer_bust"}]}, "plays out"),
        ({"tiers": [PAIR | {"meter": 1}]}, "no [meter]"),
        ({"tiers": [PAIR | {"meter": 2}], "meter": {}}, "1 or less"),
        ({"tiers": [PAIR | {"times": "pairs(player)"}]}, "cumulative"),
        ({"decks": [0]}, "1 or more"),
        ({"decks": [13]}, "12 or less"),
        ({"decks": [True]}, "whole number"),
        ({"decks": []}, "at least 1"),
        ({"deal": {"dealer": "sometimes"}}, "two cards"),
        ({"deal": {"next_cards": 9}}, "3 or less"),
        ({"deal": {"draw": "by strategy", "next_cards": 1}}, "names the strategy"),
        ({"deal": {"given": "total(player)"}}, "truth value"),
        ({"pack": {"without": ["AS", "AS"]}}, "still in the shoe"),
        ({"pack": {"extra": ["XX"]}}, "a rank"),
        ({"wagers": {"other": 1}}, "no tier is on the wager"),
        ({"wagers": {"main": 0}}, "above 0"),
        ({"meter": {"stake": 0}}, "above 0"),
        ({"name": ""}, "not empty"),
        ({"name": "x" * 200}, "at most 80"),
        ({"paid": "for two"}, "to one"),
    ],
)
def test_a_bad_paytable_is_refused_with_its_place(values: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as caught:
        table(**values)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_pays_are_exact_however_they_are_written() -> None:
    for text in (2.5, "5/2", "5:2", "2.5"):
        assert table(tiers=[PAIR | {"pays": text}]).tiers[0].pays == Fraction(5, 2)
    assert table(tiers=[PAIR | {"pays": 0.1}]).tiers[0].pays == Fraction(1, 10)


def test_a_paytable_survives_copying_pickling_and_writing() -> None:
    for bet in load_catalog().values():
        for paytable in bet.paytables.values():
            assert pickle.loads(pickle.dumps(paytable)) == paytable
            assert copy.deepcopy(paytable) == paytable
            again = Paytable.model_validate_json(paytable.model_dump_json())
            assert again == paytable
            assert again.bet == paytable.bet


def test_every_paytable_can_be_written_to_a_file_and_read_again() -> None:
    for bet in load_catalog().values():
        for paytable in bet.paytables.values():
            text = paytable_toml(paytable)
            assert parse_bet(text).paytable() == paytable, text
    mine = table(
        tiers=[PAIR | {"label": 'A "pair" of \\ [x]', "pays": "7/3"}],
        rule="one line\nand another",
        pack={"without": ["T"], "extra": ["AS"]},
    )
    assert parse_bet(paytable_toml(mine)).paytable() == mine


def test_with_pays_changes_pays_only() -> None:
    paytable = load_paytable("Perfect Pairs", "30/10/5")
    other = paytable.with_pays(perfect="25", colored=12)
    assert [tier.pays for tier in other.tiers] == [25, 12, 5]
    assert other.bet is paytable.bet
    assert [tier.pays for tier in paytable.tiers] == [30, 10, 5]
    with pytest.raises(InputError, match="perfect, colored, mixed"):
        paytable.with_pays(perfekt=1)
    with pytest.raises(InputError, match="pays"):
        paytable.with_pays(perfect="x")


BAD_FILES = {
    "no toml": "name = ",
    "brackets": "x = " + "[" * 50_000,
    "tables": "[a" + ".a" * 40_000 + "]",
    "unknown key": 'name = "x"\nfoo = 1\n[[tiers]]\nname = "a"\nwhen = "true"\npays = 1',
    "no tiers": 'name = "x"',
    "wrong type": 'name = "x"\ntiers = 3',
    "not a name": 'name = 3\n[[tiers]]\nname = "a"\nwhen = "true"\npays = 1',
    "variant of no tier": 'name = "x"\n[[tiers]]\nname = "a"\nwhen = "true"\n'
    '[[variants]]\nname = "v"\npays = { b = 1 }',
    "variant without pays": 'name = "x"\n[[tiers]]\nname = "a"\nwhen = "true"\n'
    '[[variants]]\nname = "v"',
    "long": 'name = "' + "x" * MAX_FILE_BYTES + '"',
    "hostile condition": 'name = "x"\n[[tiers]]\nname = "a"\npays = 1\nwhen = "'
    + "(" * 1_900
    + '"',
    "huge number": 'name = "x"\n[[tiers]]\nname = "a"\nwhen = "true"\npays = ' + "9" * 4_000,
    "not a number": 'name = "x"\n[[tiers]]\nname = "a"\nwhen = "true"\npays = nan',
}


@pytest.mark.parametrize("text", BAD_FILES.values(), ids=BAD_FILES)
def test_a_bad_file_is_refused_in_one_line(text: str) -> None:
    start = time.perf_counter()
    with pytest.raises(InputError) as caught:
        parse_bet(text)
    assert time.perf_counter() - start < 2
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="readable"):
        read_bet(tmp_path / "none.toml")
    with pytest.raises(InputError, match="readable"):
        read_bet(tmp_path)
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="UTF-8"):
        read_bet(binary)
    large = tmp_path / "large.toml"
    large.write_bytes(b"#" * (MAX_FILE_BYTES + 5))
    with pytest.raises(InputError, match="at most"):
        read_bet(large)


def test_every_paytable_of_the_catalogue_has_a_source_and_says_what_it_looks_at() -> None:
    for bet in load_catalog().values():
        assert bet.rule
        assert bet.cards
        for paytable in bet.paytables.values():
            assert paytable.source.startswith(("http://", "https://", "table rules"))


def test_metrics_refuse_what_makes_no_sense() -> None:
    paytable = load_paytable("Bet Player and Bet Dealer")
    with pytest.raises(InputError, match="meter"):
        evaluate(paytable, 6, meter=-1)
    with pytest.raises(InputError, match="shoe"):
        evaluate(paytable, 6, shoe=paytable.pack.shoe)
    with pytest.raises(InputError, match=r"\[meter\]"):
        meter_result(evaluate(load_paytable("Sweet 16")))
    with pytest.raises(InputError, match="hands"):
        shared_meter(paytable, "meter", 6)
    with pytest.raises(InputError, match="tier"):
        shared_meter(paytable, "jackpot", 2)


def test_the_standard_deviation_of_a_fair_coin_bet() -> None:
    paytable = table(tiers=[{"name": "red", "when": 'up == "red"', "pays": 1}])
    found = evaluate(paytable, 6)
    assert (found.edge, found.variance, found.standard_deviation) == (0, 1, 1.0)
    assert found.top_award == 1
    assert found.hit_frequency == Fraction(1, 2)


def test_a_third_card_by_the_tables_own_strategy() -> None:
    """Rule 14.5: where two sevens always draw, the bet is worth what the guaranteed card is."""
    guaranteed = load_paytable("Super Sevens", "third card guaranteed")
    by_strategy = load_paytable("Super Sevens", "rules 14.4 and 14.5, as the table plays")
    found = evaluate(by_strategy, 6)
    assert found.strategy is not None
    sevens = {up: found.strategy.actions[(7, 7), up] for up in range(1, 11)}
    assert set(sevens.values()) <= {"hit", "split"}
    assert not found.strategy.peeks_under
    assert found.edge == evaluate(guaranteed, 6).edge == Fraction(14288, 125333)
    assert sum(found.results.values()) == 1


def test_standing_on_two_sevens_forgoes_the_third() -> None:
    from odds.sidebets import StrategyTable

    by_strategy = load_paytable("Super Sevens", "rules 14.4 and 14.5, as the table plays")
    stands = StrategyTable.from_rule("stands on all", lambda cards, up: "stand")
    found = evaluate(by_strategy, 6, strategy=stands)
    chances = {row.tier.name: row.probability for row in found.tiers}
    assert chances["777s"] == chances["777u"] == 0
    assert chances["77s"] == Fraction(1, 13) * Fraction(5, 311)
    assert chances["77u"] == Fraction(1, 13) * Fraction(18, 311)
    guaranteed = evaluate(load_paytable("Super Sevens", "third card guaranteed"), 6)
    assert found.edge > guaranteed.edge


@pytest.mark.parametrize(("paid", "least"), [("to one", -1), ("for one", 0)])
def test_a_tier_cannot_lose_more_than_its_stake(paid: str, least: int) -> None:
    lost = load_paytable("Sweet 16").changed(paid=paid).with_pays(sweet=least)
    assert lost.net(lost.tiers[0]) == -1
    with pytest.raises(InputError, match="the stake lost"):
        lost.with_pays(sweet=Fraction(least) - Fraction(1, 2))
    assert lost.as_for_one().as_to_one().as_for_one() == lost.as_for_one()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "name of x.toml = 'nothing': allowed is a value (the key is missing)"),
        ('name = "x"\ndecks = [0]', "decks.0 of x.toml = 0: allowed is 1 or more"),
        ('name = "x"\ndecks = 6', "decks of x.toml = 6: allowed is a list, in [ ]"),
        ('name = "x\\ny"', "allowed is one line of text"),
        ('name = "x"\npaid = "in kind"', "allowed is 'to one' or 'for one'"),
        ('name = "x"\ncumulative = "often"', "allowed is true or false"),
        (f'name = "{"x" * 81}"', "allowed is at most 80 characters"),
    ],
)
def test_errors_of_a_file_are_in_plain_words(text: str, said: str) -> None:
    tier = '\n[[tiers]]\nname = "pair"\nwhen = "pair(player)"\npays = 11\n'
    with pytest.raises(InputError) as caught:
        parse_bet(text + tier, "x.toml")
    assert said in str(caught.value)
