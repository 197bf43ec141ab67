"""The commands `bets` and `bet`: figures, files, errors in one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from odds.errors import InputError
from odds.sidebets import parse_amount, parse_condition
from paytables.bets import load_catalog
from paytables.cli_options import parse_decks
from tests.cli_runner import run


@pytest.fixture
def paytables(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., str]:
    """Run the command on a wide screen, expect success, return what it printed."""
    monkeypatch.setenv("COLUMNS", "160")

    def command(*arguments: str) -> str:
        code, out, err = run(list(arguments), capsys)
        assert (code, err) == (0, "")
        return out

    return command


def test_bets_lists_the_catalogue(paytables: Callable[..., str]) -> None:
    out = paytables("bets")
    assert all(name in out for name in load_catalog())
    assert "4.8193 %" in out  # Sweet 16 on eight decks, as its maker states (95.18 % return)
    listed: list[dict[str, Any]] = json.loads(paytables("bets", "poker", "--json"))
    assert {"21+3", "21+3 Progressive"} <= {bet["name"] for bet in listed}


def test_bet_shows_published_figures(paytables: Callable[..., str]) -> None:
    out = paytables("bet", "perfect pairs", "--variant", "25/12/6", "--decks", "8", "--tiers")
    for figure in ("4.0964 %", "1,456", "1,664", "3,328", "86,320", "17/415", "7/415"):
        assert figure in out
    assert "Exact" in out


def test_bet_over_several_decks_as_json(paytables: Callable[..., str]) -> None:
    found = json.loads(paytables("bet", "Sweet 16", "--decks", "4-6,8", "--json", "--formula"))
    edges = {decks: values["exact"]["house_edge"] for decks, values in found["decks"].items()}
    assert edges == {"4": "44/897", "5": "164/3367", "6": "196/4043", "8": "4/83"}
    assert found["formulas"]["color"] == "d/(52*d - 1)"
    assert [tier["finding"] for tier in found["diagnosis"]] == ["fine"] * 4


def test_other_pays_and_a_meter(paytables: Callable[..., str]) -> None:
    found = json.loads(
        paytables("bet", "royal match", "--variant", "10/3", "--pay", "easy=5/2", "--pay",
                  "royal=25", "--decks", "6", "--json")
    )  # fmt: skip
    assert found["decks"]["6"]["exact"]["house_edge"] == "539/8086"
    out = paytables("bet", "greektown bonus", "--meter", "1942/3")
    assert "house edge 0.0000 %" in out
    assert "break-even at 647.33" in out
    shared = paytables("bet", "greektown bonus", "--hands", "2")
    assert "one round in 674" in shared  # 2 x 3/4043, less the rounds in which both win


def test_a_card_by_strategy_is_shown_beside_a_guaranteed_one(paytables: Callable[..., str]) -> None:
    out = paytables("bet", "super sevens", "--variant", "no card after a dealer blackjack")
    assert "With the next card dealt in any case: house edge 11.4000 %" in out
    assert "house edge 12.6061 %" in out


def test_a_bet_from_a_file_with_a_diagnosis(paytables: Callable[..., str], tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        'name = "Mine [red]"\n'
        '[[tiers]]\nname = "pair"\nwhen = "pair(player)"\npays = 11\n'
        '[[tiers]]\nname = "aces"\nwhen = \'exactly(player, "A", "A")\'\npays = 50\n'
        '[[tiers]]\nname = "never"\nwhen = "total(player) == 30"\npays = 2\n',
        encoding="utf-8",
    )
    out = paytables("bet", "--file", str(file), "--decks", "6", "--diagnose")
    assert "Mine [red]" in out
    assert "Warning: aces: hidden, pair take every deal it could hit" in out
    assert "Warning: never: no deal meets its condition" in out
    assert "11.2540 %" in out  # Pair Play on six decks


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["bet", "swet 16"], "sweet 16"),
        (["bet", "Sweet 16", "--variant", "99"], "160/16/12/6"),
        (["bet", "Sweet 16", "--decks", "0"], "from 1 to 12"),
        (["bet", "Sweet 16", "--decks", "8-1"], "from 1 to 12"),
        (["bet", "Sweet 16", "--decks", "x"], "from 1 to 12"),
        (["bet", "Sweet 16", "--pay", "sweet"], "sweet=150"),
        (["bet", "Sweet 16", "--pay", "swet=1"], "mixed"),
        (["bet", "Sweet 16", "--pay", "sweet=many"], "fraction"),
        (["bet", "Sweet 16", "--pay", "sweet=-2"], "-1 (the stake lost) or more"),
        (["bet", "Sweet 16", "--pay", "sweet=1", "--pay", "sweet=2"], "once for 'sweet'"),
        (["bet", "Sweet 16", "--meter", "100"], "no meter"),
        (["bet", "greektown bonus", "--hands", "6"], "from 1 to 5"),
        (["bet", "Sweet 16", "--hands", "2"], "with a meter"),
        (["bet"], "--file"),
        (["bet", "--file", "does-not-exist.toml"], "readable file"),
        (["bets", "zzzz"], "word"),
        (["bet", "Sweet 16", "--no-such-option"], "--help"),
    ],
)
def test_bad_input_is_one_line_and_code_two(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(arguments, capsys)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert words in err
    assert "Traceback" not in err


def test_a_bad_condition_is_shown_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bad.toml"
    file.write_text('name = "x"\n[[tiers]]\nname = "a"\nwhen = "pare(player)"\npays = 1\n', "utf-8")
    code, _, err = run(["bet", "--file", str(file)], capsys)
    assert code == 2
    assert "condition of tier 'a'" in err
    assert "character 1: unknown name 'pare'; did you mean 'pair'?" in err
    assert err.count("\n") == 1


def test_deck_counts() -> None:
    assert parse_decks("1-3, 8") == (1, 2, 3, 8)
    assert parse_decks("6,6") == (6,)
    with pytest.raises(InputError):
        parse_decks("1-13")


def test_exact_values_of_json_are_fractions(paytables: Callable[..., str]) -> None:
    found = json.loads(paytables("bet", "bust", "--json"))
    values = found["decks"]["6"]
    for name, text in values["exact"].items():
        assert float(Fraction(text)) == pytest.approx(values[name], rel=1e-15)


def test_the_language_is_listed_and_every_entry_parses(paytables: Callable[..., str]) -> None:
    entries = json.loads(paytables("bets", "--language", "--json"))
    usages = {entry["usage"] for entry in entries}
    assert {"player", "pair(cards)", "dealer_bust", '"red"'} <= usages
    assert "two of the cards share a rank" in paytables("bets", "--language")
    for entry in entries:
        if entry["kind"] == "functions":
            call = entry["usage"].replace('["ace high"]', '"ace high"').replace('"..."', '"7"')
            one = "up" if "(card" in call and "(cards" not in call else "player"
            call = call.replace("(cards", "(player").replace("(card", f"({one}")
            call = call.replace(", card", ", up")
            parse = parse_condition if entry["gives"] == "a truth value" else parse_amount
            assert parse(call).text == call
