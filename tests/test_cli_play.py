"""The commands `spread` and `play`, and the exact fraction of `game`."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from paytables.cli import app, main

DATA = Path(__file__).parent / "data"


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def failure(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    assert stop.value.code == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.count("\n") == 1
    return output.err


def test_spread_of_an_independent_row() -> None:
    """Six decks, S17, DAS, split once: a row of the reference distribution."""
    rows = json.loads((DATA / "round_distribution.json").read_text())["results"]
    row = next(
        row
        for row in rows
        if row["rules"]["decks"] == 6
        and not row["rules"]["hit_soft_17"]
        and row["rules"]["double_after_split"]
    )
    given = ("--decks", "6", "--surrender", "none", "--json")
    found: dict[str, Any] = json.loads(run("spread", "sweet16", *given))
    assert found["standard_deviation"] == pytest.approx(row["pdf_std"], rel=0, abs=1e-11)
    law = {Fraction(net): chance for net, chance in found["distribution"].items()}
    assert law == pytest.approx({Fraction(k): v for k, v in row["pdf"].items()}, rel=0, abs=1e-11)
    shown = run("spread", "sweet16", *given[:-1])
    assert f"{row['pdf_std']:.9f}" in shown


def test_spread_says_why_there_is_no_distribution() -> None:
    shown = run("spread", "greektown", "--decks", "1", "--max-split-hands", "3")
    assert "joint law of up to four split hands" in " ".join(shown.split())


def test_spread_of_several_hands(capsys: pytest.CaptureFixture[str]) -> None:
    given = ("spread", "sweet16", "--decks", "1")
    given += ("--max-split-hands", "1", "--max-split-hands-aces", "1")
    found = json.loads(run(*given, "--seats", "3", "--json"))
    assert found["table_variance"] == pytest.approx(3 * found["variance"] + 6 * found["covariance"])
    assert found["table_standard_deviation"] ** 2 == pytest.approx(found["table_variance"])
    cards = found["cards"]
    assert cards["per_round"] == pytest.approx(cards["player"] + cards["dealer"])
    assert cards["per_hand"] == pytest.approx(cards["player"] / found["hands"])
    shown = run(*given, "--seats", "3")
    for figure in (found["covariance"], found["table_standard_deviation"]):
        assert f"{figure:.9f}" in shown
    alone = json.loads(run(*given, "--json"))
    assert alone["covariance"] is None
    assert alone["variance"] == found["variance"]
    assert "Covariance" not in run(*given)
    assert "seats = 0" in failure(capsys, *given, "--seats", "0")
    assert "seats = 7" in failure(capsys, *given[:4], "--seats", "7")


def test_play_saves_a_chart_that_plays_the_same(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    found = json.loads(run("play", "sweet16", "--decks", "2", "--save", str(file), "--json"))
    again = json.loads(run("play", "sweet16", "--decks", "2", "--chart", str(file), "--json"))
    edges = {way["name"]: way["house_edge"] for way in again["ways"]}
    assert edges["chart mine.toml"] == edges["basic"]
    assert {way["name"] for way in found["ways"]} == {*edges} - {"chart mine.toml"}
    assert edges["CDZ-"] <= min(edges.values())
    assert found["best_single_change"] <= 1e-14
    assert "mimic-dealer" in run("play", "sweet16", "--decks", "2")


def test_exact_fraction_on_the_command_line() -> None:
    arguments = ("game", "sweet16", "--decks", "1", "--max-split-hands", "1",
                 "--max-split-hands-aces", "1", "--exact")  # fmt: skip
    found = json.loads(run(*arguments, "--json"))
    exact = Fraction(found["exact_expected_value"])
    assert float(exact) == pytest.approx(found["expected_value"], rel=0, abs=1e-13)
    assert str(exact.numerator) in "".join(run(*arguments).split())


def test_bad_charts_fail_in_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    assert "readable" in failure(capsys, "play", "sweet16", "--chart", str(file))
    for text, message in (
        ("hard = ", "TOML text"),
        ("x = " + "[" * 2_000, "TOML text"),
        ("a = " + "1" * 2_400, "tables hard, soft and pairs"),
        ("a = " + "1" * 5_000, "lines of at most"),
        ('a = "\\u001b[31m"', "without control characters"),
        ("hard = 1", "tables hard, soft and pairs"),
        ('[hard]\n"4" = "H"', "ten codes"),
        ("#\n" * 60_000, "at most 100000 bytes"),
    ):
        file.write_text(text)
        assert message in failure(capsys, "play", "sweet16", "--chart", str(file))


def test_a_chart_that_is_no_file_and_a_place_that_cannot_be_written(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert "no regular file" in failure(capsys, "play", "sweet16", "--chart", "/dev/zero")
    assert "a folder that exists" in failure(capsys, "play", "sweet16", "--save", str(tmp_path))
    missing = str(tmp_path / "no" / "x.toml")
    assert "a folder that exists" in failure(capsys, "play", "sweet16", "--save", missing)
