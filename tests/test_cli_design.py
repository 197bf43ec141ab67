"""The commands design, sweep and effects."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from typer.testing import CliRunner

from odds.game import analyze
from odds.rules import Rules
from paytables.bets import load_paytable
from paytables.cli import app, main
from paytables.metrics import evaluate
from paytables.presets import load_preset

ONE_DECK = ["--vary", "decks=1"]


def run(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result.output


def fail(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    printed = capsys.readouterr()
    assert not printed.out
    assert printed.err.startswith("paytables: ")
    assert printed.err.count("\n") == 1
    return printed.err


class TestDesign:
    def test_the_issues_command(self) -> None:
        asked = [
            "--decks",
            "6",
            "--edge",
            "5%",
            "--tolerance",
            "0.1%",
            "--keep",
            "top=160",
            "--top",
            "3",
        ]
        found = json.loads(run("design", "Sweet 16", *asked, "--json"))
        assert found["proof"] == "complete"
        assert len(found["designs"]) == 3 <= found["count"]
        for made in found["designs"]:
            assert made["pays"]["sweet"] == "160"
            table = load_paytable("Sweet 16").with_pays(made["pays"])
            edge = evaluate(table, 6).edge
            assert Fraction(made["by_decks"]["6"]["exact"]) == edge
            assert Fraction(49, 1000) <= edge <= Fraction(51, 1000)
        text = run("design", "sweet 16", *asked)
        assert "every paytable within the limits was looked at" in text

    def test_several_deck_counts_with_bands_and_rtp(self) -> None:
        found = json.loads(
            run(
                "design", "Perfect Pairs", "--variant", "30/10/5", "--decks", "6,8", "--rtp", "95%",
                "--tolerance", "1%", "--band", "8=2%-4%", "--json",
            )
        )  # fmt: skip
        assert found["designs"]
        for made in found["designs"]:
            assert 0.04 <= made["by_decks"]["6"]["house_edge"] <= 0.06
            assert 0.02 <= made["by_decks"]["8"]["house_edge"] <= 0.04

    def test_every_limit(self) -> None:
        found = json.loads(
            run(
                "design", "21+3", "--decks", "8", "--edge", "6%", "--tolerance", "0.5%",
                "--steps", "trips=20-40:1", "--steps", "flush=4,5,6", "--share", "flush=45%",
                "--sd", "2-6", "--hits", "5%-", "--exposure", "70000", "--max-bet", "100",
                "--seats", "7", "--printable", "1,2,5,8,10,12,15,20,25,40,50,60,80,100,150",
                "--order", "weak", "--json",
            )
        )  # fmt: skip
        assert found["designs"]
        for made in found["designs"]:
            figures = made["by_decks"]["8"]
            assert 20 <= int(made["pays"]["trips"]) <= 40
            assert made["pays"]["flush"] in ("4", "5", "6")
            assert figures["return_shares"]["flush"] <= 0.45
            assert 2 <= figures["standard_deviation"] <= 6
            assert int(made["pays"]["suited trips"]) <= 100

    def test_for_one_and_a_meter(self) -> None:
        found = json.loads(
            run("design", "Blazing 7's", "--edge", "20%", "--tolerance", "2%",
                "--meter", "long-run", "--json")
        )  # fmt: skip
        assert found["paid"] == "for one"
        one = json.loads(
            run("design", "Sweet 16", "--edge", "4.85%", "--for-one", "--keep", "sweet",
                "--tolerance", "0.1%", "--json")
        )  # fmt: skip
        assert one["paid"] == "for one"
        assert one["designs"][0]["pays"] == {
            "sweet": "161", "suited": "17", "color": "13", "mixed": "7",
        }  # fmt: skip

    def test_what_cannot_be_hit_is_said_with_exit_code_1(self) -> None:
        asked = ["design", "Perfect Pairs", "--decks", "8", "--edge", "5.3%"]
        kept = ["--keep", "perfect", "--keep", "colored"]
        text = run(*asked, *kept, code=1)
        assert "No such paytable (proven" in text
        assert "3.3735% (30/10/5) and 7.2289% (30/10/4)" in text
        assert "without: colored kept" in text
        found = json.loads(run(*asked, *kept, "--json", code=1))
        assert found["infeasible"]["nearest"][0]["below"] == "14/415"

    def test_a_narrow_screen_cuts_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("COLUMNS", "44")
        asked = ["21+3", "--decks", "6,8", "--edge", "5%", "--tolerance", "0.5%", "--top", "1"]
        printed = " ".join(run("design", *asked).split())
        made = json.loads(run("design", *asked, "--json"))["designs"][0]
        for tier, pays in made["pays"].items():
            assert f"{tier} {pays}" in printed
        for decks in (6, 8):
            assert re.search(rf"{decks} decks \d\.\d{{4}}%", printed)

    @pytest.mark.parametrize(
        "arguments",
        [
            [],
            ["Sweet 16"],
            ["Sweet 16", "--edge", "5%", "--rtp", "95%"],
            ["Sweet 16", "--edge", "five"],
            ["Sweet 16", "--edge", "5%", "--keep", "nothing=1"],
            ["Sweet 16", "--edge", "5%", "--keep", "sweet=x"],
            ["Sweet 16", "--edge", "5%", "--steps", "sweet"],
            ["Sweet 16", "--edge", "5%", "--steps", "sweet=5-1"],
            ["Sweet 16", "--edge", "5%", "--share", "sweet"],
            ["Sweet 16", "--edge", "5%", "--band", "8"],
            ["Sweet 16", "--edge", "5%", "--band", "8=5%"],
            ["Sweet 16", "--edge", "5%", "--decks", "13"],
            ["Sweet 16", "--edge", "5%", "--sd", "3"],
            ["Sweet 16", "--edge", "5%", "--order", "falling"],
            ["Sweet 16", "--edge", "5%", "--top", "0"],
            ["Sweet 16", "--edge", "5%", "--meter", "100"],
            ["Sweet 16", "--edge", "5%", "--printable", "1,x"],
            ["Sweet 16", "--edge", "5%", "--max-bet", "0"],
            ["Nothing", "--edge", "5%"],
            ["Sweet 16", "--edge", "5%", "--keep", "top=160", "--keep", "top=150"],
            ["Sweet 16", "--edge", "5%", "--steps", "suited=10-30", "--steps", "suited=10-20"],
            ["Sweet 16", "--edge", "5%", "--share", "top=20%", "--share", "top=10%"],
        ],
    )
    def test_bad_input(self, capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
        fail(capsys, "design", *arguments)


class TestSweep:
    def test_rules_in_a_band(self, tmp_path: Path) -> None:
        out = str(tmp_path / "edges.jsonl")
        asked = [
            "sweep", "greektown", *ONE_DECK, "--vary", "hit_soft_17=yes,no",
            "--vary", "blackjack_pays=3:2,6:5", "--out", out,
        ]  # fmt: skip
        everything = json.loads(run(*asked, "--json"))
        assert everything["searched"] == everything["found"] == 4
        edges = [row["house_edge"] for row in everything["rules"]]
        assert edges == sorted(edges)
        near = json.loads(run(*asked, "--edge", "1.2%", "--tolerance", "0.2%", "--json"))
        assert [row["house_edge"] for row in near["rules"]] == [
            e for e in edges if 0.01 <= e <= 0.014
        ]
        text = run(*asked, "--edge", "9%")
        assert "None is in the band" in text
        assert "hit_soft_17=yes" in text

    @pytest.mark.parametrize(
        "arguments",
        [
            ["greektown"],
            ["greektown", "--vary", "decks"],
            ["greektown", "--vary", "decks=99"],
            ["greektown", "--vary", "deck=6"],
            ["greektown", *ONE_DECK, "--jobs", "0"],
            ["greektown", *ONE_DECK, "--strategy", "best"],
            ["greektown", *ONE_DECK, "--edge", "x"],
            ["greektown", *ONE_DECK, "--top", "0"],
            ["nowhere", *ONE_DECK],
        ],
    )
    def test_bad_input(self, capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
        fail(capsys, "sweep", *arguments)

    def test_the_file_of_another_sweep(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        file = tmp_path / "other"
        file.write_text("hello\n")
        assert "earlier sweep" in fail(capsys, "sweep", "greektown", *ONE_DECK, "--out", str(file))


class TestEffects:
    def test_effects_and_the_blackjack_pay(self) -> None:
        asked = ["effects", "six-deck-h17", "--decks", "1", "--edge", "2%"]
        found = json.loads(run(*asked, "--json"))
        base = replace(load_preset("six-deck-h17").rules, decks=1)
        assert found["house_edge"] == analyze(base).house_edge
        labels = {effect["label"]: effect for effect in found["effects"]}
        six_five = labels["Blackjack pays 6:5"]
        worse = analyze(replace(base, blackjack_pays=Fraction(6, 5))).house_edge
        assert six_five["difference"] == pytest.approx(worse - found["house_edge"], abs=1e-15)
        pay = Fraction(found["blackjack_pay"]["pays"])
        rules = Rules(**{f: getattr(base, f) for f in base.__slots__} | {"blackjack_pays": pay})
        assert analyze(rules).house_edge == pytest.approx(0.02, abs=1e-10)
        text = run(*asked)
        assert "Dealer stands on soft 17 (S17)" in text
        assert "A blackjack that pays" in text

    @pytest.mark.parametrize(
        "arguments",
        [["nowhere"], ["greektown", "--edge", "60%"], ["greektown", "--strategy", "best"]],
    )
    def test_bad_input(self, capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
        fail(capsys, "effects", *arguments)
