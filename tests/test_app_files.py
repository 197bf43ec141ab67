"""The PAR sheets that the app makes, and the side-bet page's views of many rounds and meters."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from typer.testing import CliRunner

from odds.counting_system import CountingSystem
from paytables.bets import load_catalog, load_paytable, paytable_toml
from paytables.cli import app as command
from paytables.jobs import Pool
from paytables.metrics import evaluate, shared_meter
from paytables.sheets.write import FORMATS
from paytables.ui import asked, bet_computations, par_sheet, running
from paytables.ui.bet_form import NEW_BET
from paytables.ui.work import catalogue_draft
from paytables.volatility import rtp_interval
from paytables.vulnerability import vulnerability
from tests import ui_helpers
from tests.ui_helpers import cells, metric, opened

HOSTILE = "<b>![x](https://example.com/x.png)</b> 😀"
SWEET = catalogue_draft("Sweet 16", "160/16/12/6")
BLAZING = catalogue_draft("Blazing 7's", "upcard, pay table 1")


@pytest.fixture(autouse=True)
def alone(worker_pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "pool", lambda: worker_pool)
    asked.kept.clear()
    par_sheet.sheets.clear()


def files(app: AppTest, part: str) -> dict[str, Any]:
    """The sheets that are ready: format to content."""
    key = next(k for k in par_sheet.sheets()._found if k[0] == part)
    found = par_sheet.sheets().get(key)
    shown = {d.key.removeprefix(f"{part}-") for d in app.get("download_button") if d.key}
    assert set(found) <= shown
    return dict(found)


def cli(folder: Path, forms: tuple[str, ...], *arguments: str) -> dict[str, bytes]:
    outputs = {form: folder / f"sheet.{form}" for form in forms}
    options = [word for path in outputs.values() for word in ("-o", str(path))]
    result = CliRunner().invoke(command, ["sheet", *arguments, *options], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return {form: path.read_bytes() for form, path in outputs.items()}


def test_a_bets_sheet_is_that_of_the_command_line(tmp_path: Path) -> None:
    # two tiers from one deck: quick to compute
    draft = NEW_BET.changed(decks=1, name=HOSTILE)
    app = opened("side_bet", draft)
    assert app.button(key="bet-sheet-start")
    app.text_input(key="bet-sheet-most").set_value("25")
    app.selectbox(key="bet-sheet-rounds").set_value(0).run()
    ui_helpers.asked(app, "bet-sheet")
    day = app.date_input(key="bet-sheet-date").value.isoformat()
    file = tmp_path / "mine.toml"
    paytable = draft.read().paytable
    assert paytable is not None
    file.write_text(paytable_toml(paytable))
    options = ("--decks", "1", "--date", day, "--rounds", "0", "--max-bet", "25")
    made = files(app, "bet-sheet")
    assert tuple(made) == FORMATS
    # the pictures of a second PDF take seconds; the same sheet gives the same one, see test_sheet_*
    assert made.pop("pdf").startswith(b"%PDF")
    assert made == cli(tmp_path, ("xlsx", "md", "json"), "--file", str(file), *options)
    names = [d.proto.label for d in app.get("download_button") if str(d.key).startswith("bet-")]
    assert names == ["Excel", "PDF", "Markdown", "JSON"]
    # another pay, another sheet
    app.text_input(key="tier-1-pays").set_value("21").run()
    assert app.button(key="bet-sheet-start")
    assert not [d for d in app.get("download_button") if d.key == "bet-sheet-pdf"]
    app.button(key="undo").click().run()
    assert [d for d in app.get("download_button") if d.key == "bet-sheet-pdf"]


def test_a_tables_sheet_is_that_of_the_command_line(tmp_path: Path) -> None:
    app = opened("main_game")
    changed = {"decks": 1, "max_split_hands": 1, "max_split_hands_aces": 1}
    for name, value in changed.items():
        app.number_input(key=f"rule-{name}").set_value(value)
    app.toggle(key="main-sheet-effects").set_value(False)
    app.selectbox(key="main-sheet-rounds").set_value(0).run()
    ui_helpers.asked(app, "main-sheet")
    day = app.date_input(key="main-sheet-date").value.isoformat()
    options = ("--date", day, "--rounds", "0", "--no-effects")
    options += tuple(f"--{name.replace('_', '-')}={value}" for name, value in changed.items())
    made = files(app, "main-sheet")
    assert made.pop("pdf").startswith(b"%PDF")  # the pictures of a second one take seconds
    assert made == cli(tmp_path, ("xlsx", "md", "json"), "sweet16", "--game", *options)


def test_a_wrong_entry_for_a_sheet_is_told() -> None:
    app = opened("side_bet", SWEET)
    wrong = [
        ("most", "0", "above 0"),
        ("most", "a lot", "largest bet"),
        ("version", " ", "version"),
    ]
    for name, typed, said in wrong:
        entry = app.text_input(key=f"bet-sheet-{name}")
        right = entry.value
        entry.set_value(typed).run()
        assert said in app.error[0].value
        assert app.text_input(key=f"bet-sheet-{name}").value == typed
        assert not [b for b in app.button if b.key == "bet-sheet-start"]
        app.text_input(key=f"bet-sheet-{name}").set_value(right)


def view(app: AppTest, name: str) -> AppTest:
    app.segmented_control(key="side-bet-view").set_value(name).run()
    assert not app.exception
    return app


def test_many_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    app = view(opened("side_bet", SWEET), "Many rounds")
    evaluation = evaluate(load_paytable("Sweet 16"), 8)
    assert metric(app, "Volatility index") == f"{1.6448536 * evaluation.standard_deviation:.4f}"
    for rounds in (1_000, 100_000):
        low, high = rtp_interval(evaluation, rounds).exact
        row = cells(app, "Actual RTP", f"{rounds:,}")
        assert row[1:3] == [f"{100 * low:.2f} %", f"{100 * high:.2f} %"]
    assert "not valid" in cells(app, "Actual RTP", "1,000")[3]
    assert "not valid" not in cells(app, "Actual RTP", "1,000,000")[3]
    # where it would take long it waits to be asked for
    asked.kept.clear()
    monkeypatch.setattr(bet_computations, "_QUICK", 0)
    app.run()
    assert not [m for m in app.metric if m.label == "Volatility index"]
    ui_helpers.asked(app, "bet-rounds")
    assert metric(app, "Volatility index") == f"{1.6448536 * evaluation.standard_deviation:.4f}"


def test_a_meter_is_shared() -> None:
    app = view(opened("side_bet", BLAZING), "Meter")
    ui_helpers.asked(app, "bet-shared")
    paytable = load_paytable("Blazing 7's", "upcard, pay table 1")
    tier = next(t.name for t in paytable.tiers if t.meter is not None)
    expected = shared_meter(paytable, tier, 3, BLAZING.decks)
    for number, chance in enumerate(expected.winners):
        row = cells(app, "Winners of one round", f"{number} of 3 hands")
        assert row[1] == f"{100 * float(chance):.8f} %"
    assert any(f"{100 * float(expected.expected_share):.5f} %" in c.value for c in app.caption)


def test_a_meter_won_by_later_cards_is_not_counted_for_several_hands() -> None:
    late = catalogue_draft("Blazing 7's", "third card guaranteed")
    app = view(opened("side_bet", late), "Meter")
    ui_helpers.asked(app, "bet-shared")
    assert "cards drawn later" in app.error[0].value


def test_what_a_sheet_is_of_does_not_depend_on_names() -> None:
    paytable = load_paytable("Sweet 16")
    renamed = paytable.model_copy(update={"name": "Other", "note": "n"})
    assert bet_computations.figures_key(paytable) == bet_computations.figures_key(renamed)
    other = paytable.with_pays(dict.fromkeys([paytable.tiers[0].name], 161))
    assert bet_computations.figures_key(paytable) != bet_computations.figures_key(other)


def test_counting_a_bet() -> None:
    insurance = catalogue_draft("Insurance", load_catalog()["Insurance"].variant_names[0])
    app = view(opened("side_bet", insurance.changed(decks=6)), "Counting")
    app.selectbox(key="bet-counting-system").select("hi-lo").run()
    ui_helpers.asked(app, "bet-counting")
    # an ace is up: 96 tens among 311 cards, and one card less
    edge = Fraction(3 * 96, 311) - 1
    effects = {"T": Fraction(3 * 95, 310) - 1 - edge, "2": Fraction(3 * 96, 310) - 1 - edge}
    for card, effect in effects.items():
        row = cells(app, "Effects of removal and tags", card)
        assert row[2] == f"{100 * float(effect):+.4f} %".replace("-", "−")
        assert row[3] == str(effect)
    assert metric(app, "Player's edge off the top") == f"−{-100 * float(edge):.4f} %"
    found = vulnerability(load_paytable("Insurance"), 6, system=CountingSystem.named("hi-lo"))
    assert found.used is not None
    assert metric(app, "Betting correlation") == f"{found.used.correlation:.4f}"
    for line in found.rows:
        row = cells(app, "Vulnerability, counting with hi-lo", f"{line.behind} cards")
        assert line.betting is not None
        assert line.ceilings is not None
        assert row[5] == f"{100 * line.betting.gain:.3f}"
        assert row[6].startswith(f"{100 * line.ceilings.linear.gain:.3f} ±")
    # another note changes nothing, another pay does
    assert app.segmented_control(key="side-bet-view").value == "Counting"
    app.text_input(key="tier-1-pays").set_value("3").run()
    assert app.button(key="bet-counting-start")
    assert any("has changed since" in c.value for c in app.caption)


def test_a_bet_that_no_sum_of_tags_tells_anything_about() -> None:
    found = vulnerability(load_paytable("Insurance"), 6, rounds=0)
    flat = dataclasses.replace(found, used=None, systems=(), effects=(0.0,) * 52, true_counts=())
    rows = tuple(dataclasses.replace(row, betting=None) for row in flat.rows)

    def script() -> None:
        import streamlit as st

        from paytables.ui import counting_view

        counting_view.show(st.session_state["found"])

    app = AppTest.from_function(script, default_timeout=60)
    app.session_state["found"] = dataclasses.replace(flat, rows=rows)
    app.run()
    assert not app.exception
    assert "no sum of tags tells anything" in app.info[0].value
