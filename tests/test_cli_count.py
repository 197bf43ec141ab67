"""The command `count`: tables, options, errors in one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from odds.errors import InputError
from paytables.bets import load_paytable, paytable_toml
from paytables.cli_count import parse_places
from paytables.vulnerability import vulnerability
from tests.cli_runner import run


@pytest.fixture
def count(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., str]:
    """Run `paytables count` on a wide screen, expect success, return what it printed."""
    monkeypatch.setenv("COLUMNS", "160")

    def command(*arguments: str) -> str:
        code, out, err = run(["count", *arguments], capsys)
        assert (code, err) == (0, "")
        return out

    return command


def test_a_side_bet_in_words_and_numbers(count: Callable[..., str]) -> None:
    out = count("sweet-16", "--rounds", "300")
    assert "Sweet 16, 160/16/12/6, 8 decks" in out
    assert "-4.8193 % = -4/83" in out
    for words in ("Effect of removing one card", "level 3 *", "sum of tags", "correlation",
                  "units per 100 rounds", "Ceilings (simulated", "95 % intervals", "±",
                  "True count: 52 x", "exact fractions", "seed 1"):  # fmt: skip
        assert words in out
    found = vulnerability(load_paytable("Sweet 16"), rounds=0)
    row = found.rows[1].betting
    assert row is not None
    assert f"≥ {row.trigger:+g}" in out
    assert f"{100 * row.gain:.3f}" in out
    assert f"{100 * row.share:.2f} %" in out


def test_json_has_the_figures_and_what_they_are(count: Callable[..., str]) -> None:
    found: dict[str, Any] = json.loads(
        count(
            "insurance", "--json", "--rounds", "400", "--penetration", "75%,1,60c", "--decks", "2"
        )
    )
    assert found["expected_exact"] == "-7/103"
    effects = {entry["cards"][0]: Fraction(entry["exact"]) for entry in found["effects"]}
    assert effects["AS"] == Fraction(3 * 32, 102) - Fraction(3 * 32, 103)
    assert effects["TS"] == Fraction(3 * 31, 102) - Fraction(3 * 32, 103)
    assert [row["cards_behind"] for row in found["rows"]] == [26, 52, 60]
    assert found["exactness"]["effects"] == "exact"
    assert found["offered"] == pytest.approx(1 / 13)
    for row in found["rows"]:
        assert 0 < row["counter"]["bets"] < found["offered"]
        assert row["ceilings"]["perfect"]["half_width_95"] > 0
    assert len(found["definitions"]) == 7
    assert "own two cards" in " ".join(found["definitions"])


def test_tags_of_ones_own_and_a_trigger(count: Callable[..., str]) -> None:
    out = count(
        "lucky ladies", "--tags", "-1,1,1,1,1,1,0,0,0,-1", "--trigger", "7", "--rounds", "0"
    )
    assert "given *" in out
    assert "≥ +7" in out
    assert "Ceilings" not in out
    named = count("lucky ladies", "--tags", "hi-lo", "--whole", "--rounds", "0", "--true-counts")
    assert "hi-lo *" in named
    assert "Edge by true count" in named
    by_card = count("lucky ladies", "--by", "card", "--rounds", "0")
    assert "Q ♥" in by_card


def test_a_bet_without_effects_says_so(count: Callable[..., str]) -> None:
    out = count("perfect pairs", "--rounds", "300")
    assert "Every card has the same effect" in out
    assert "perfect play" in out
    assert "trigger (" not in out


def test_the_main_game_of_a_preset(count: Callable[..., str]) -> None:
    quick = ("--decks", "1", "--max-split-hands", "2")
    out = count("sweet16", *quick, "--rounds", "300", "--tags", "hi-lo")
    assert "Sweet 16 table, changed, 1 deck" in out
    for words in ("Well-known systems at this table", "insurance correlation", "0.760",
                  "(linear estimate)", "best linear count"):  # fmt: skip
        assert words in out
    assert "perfect play" not in out
    both = json.loads(
        count("super-sevens", "--game", "--json", *quick, "--rounds", "0", "--level", "1")
    )
    assert both["exactness"]["counter"] == "linear estimate"
    assert both["systems"][-1]["insurance_correlation"] == pytest.approx(0.760, abs=0.0005)
    assert json.loads(count("super-sevens", "--json", "--rounds", "0"))["expected_exact"]


def test_a_bet_from_a_file_and_a_meter(count: Callable[..., str], tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(paytable_toml(load_paytable("Royal Match")), encoding="utf-8")
    own = json.loads(count("--file", str(path), "--json", "--rounds", "0"))
    assert own["name"] == "Royal Match, 25/2.5"
    low, high = (
        json.loads(count("progressive aces", "--meter", amount, "--json", "--rounds", "0"))
        for amount in ("0", "100000")
    )
    assert high["expected"] > low["expected"]


def test_shoes_played_out(count: Callable[..., str]) -> None:
    one = ("over/under 13", "--decks", "1", "--rounds", "0", "--penetration", "26c")
    out = count(*one, "--played", "40", "--table", "greektown")
    assert "The same counter in 40 shoes played out heads-up" in out
    assert "Played out: each shoe" in out
    found = json.loads(count(*one, "--played", "40", "--table", "greektown", "--json"))
    (row,) = found["played_out"]
    assert row["cards_behind"] == 26
    assert 4 < row["rounds"] < 7
    assert json.loads(count(*one, "--json"))["played_out"] is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nope"], "name = 'nope'"),
        ([], "name = ''"),
        (["insurance", "--tags", "foo"], "tags = 'foo'"),
        (["insurance", "--level", "9"], "level = 9"),
        (["insurance", "--seed", "-1"], "seed = -1"),
        (["insurance", "--by", "suit"], "by = 'suit'"),
        (["insurance", "--decks", "13"], "decks = 13"),
        (["insurance", "--decks", "six"], "decks = 'six'"),
        (["insurance", "--penetration", "99%"], "penetration = '3 cards behind'"),
        (["insurance", "--penetration", "much"], "penetration = 'much'"),
        (["insurance", "--meter", "5"], "meter = '5'"),
        (["insurance", "--h17"], "hit_soft_17 = True"),
        (["insurance", "--variant", "x"], "variant = 'x'"),
        (["sweet16", "--variant", "x"], "left out for the main game"),
        (["sweet16", "--file", "x.toml"], "not both"),
        (["insurance", "--played", "10"], "played = 10"),
        (["over 13", "--played", "0", "--rounds", "0", "--decks", "1"], "shoes = 0"),
        (["over 13", "--played", "9", "--table", "none"], "preset = 'none'"),
        (["insurance", "--trigger", "many"], "'--trigger'"),
    ],
)
def test_errors_are_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(["count", *arguments], capsys)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert "Traceback" not in err


def test_places_of_the_cut_card() -> None:
    assert parse_places("0.5,75%,60c", 312) == (26, 78, 60)
    for text in ("", "1,,2", "-1", "1d", ",".join("1" for _ in range(30))):
        with pytest.raises(InputError, match="penetration"):
            parse_places(text, 312)


def test_a_bet_that_nothing_can_win_has_no_effects(
    count: Callable[..., str], tmp_path: Path
) -> None:
    tier = '[[tiers]]\nname = "never"\nwhen = "total(player) == 1"\npays = 5\n'
    (tmp_path / "never.toml").write_text(f'name = "Never"\n{tier}')
    out = count("--file", str(tmp_path / "never.toml"), "--rounds", "0")
    assert "The player's edge off the top: -100.0000 %" in out
    assert "Every card has the same effect, 0" in out
