"""The pages Compare and Saved designs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from paytables import store
from paytables.bets import load_paytable
from paytables.metrics import evaluate
from paytables.ui import saved
from paytables.ui.work import catalogue_draft
from tests.ui_helpers import html, opened

SWEET = catalogue_draft("Sweet 16", "160/16/12/6")


@pytest.fixture(autouse=True)
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    opened_store = store.Store(f"sqlite:///{tmp_path / 'designs.sqlite'}")
    monkeypatch.setattr(saved, "the_store", lambda: opened_store)
    monkeypatch.delenv(store.WORKSPACE, raising=False)
    yield
    opened_store.close()


def test_designs_are_compared_and_differences_marked() -> None:
    app = opened("compare", SWEET.with_tier(1, pays="200"))
    assert "Choose two to four designs" in app.info[0].value
    app.selectbox(key="compare-add").set_value(("Sweet 16", "160/16/12/6")).run()
    assert not app.exception
    assert not app.info
    table = next(h for h in html(app).split("<table") if "pt-compare" in h)
    rows = {row.split("</th>")[0].split(">")[-1]: row for row in table.split("<tr>")}
    edge = 100 * float(evaluate(load_paytable("Sweet 16"), 8).edge)
    assert f"≠ {edge:.4f} %" in rows["House edge"]
    assert "≠" in rows["Ace and five of hearts"]
    assert "≠" not in rows["16 in one suit"]
    assert "≠" not in rows["Hit frequency"]
    app.selectbox(key="compare-decks").set_value(4).run()
    assert f"{100 * float(evaluate(load_paytable('Sweet 16'), 4).edge):.4f} %" in html(app)
    app.button(key="compared-remove-0").click().run()
    assert app.info


def test_a_compared_design_is_edited_and_undone() -> None:
    app = opened("compare", SWEET)
    app.selectbox(key="compare-add").set_value(("Insurance", "ace up")).run()
    app.button(key="compared-open-0").click().run()
    work = app.session_state["work"]
    assert work.draft.name == "Insurance"
    work.undo()
    assert work.draft == SWEET


def test_a_design_is_saved_and_opened_again() -> None:
    app = opened("saved", SWEET)
    assert "Nothing is saved" in app.info[0].value
    app.text_input(key="save-author").set_value("Ann")
    app.text_input(key="save-note").set_value("as **published**").run()
    app.button(key="save").click().run()
    assert not app.exception
    shown = " ".join(m.value for m in app.markdown)
    assert "Version 1" in shown
    assert "by Ann" in shown
    assert "house edge 4.8193 %" in shown
    assert r"as \*\*published\*\*" in shown
    work = app.session_state["work"]
    work.change(SWEET.with_tier(1, pays="12o"))
    app.button(key="save").click().run()
    assert "Version 2" in " ".join(m.value for m in app.markdown)
    app.button(key="open-1").click().run()
    assert work.draft == SWEET
    app.button(key="compare-2").click().run()
    assert [draft.tiers[0].pays for _, draft in work.compared] == ["12o"]
    app.button(key="delete").click().run()
    assert app.info


def test_sessions_see_only_their_own_designs() -> None:
    one, other = opened("saved", SWEET), opened("saved", SWEET)
    one.button(key="save").click().run()
    assert other.run().info
    # the key opens the workspace in another session
    key = one.session_state["workspace"]
    assert key != other.session_state["workspace"]
    other.text_input(key="workspace-entry").set_value("short").run()
    assert "at least 12" in other.error[0].value
    other.text_input(key="workspace-entry").set_value(key).run()
    assert "Version 1" in " ".join(m.value for m in other.markdown)


def test_a_lost_database_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> store.Store:
        return store.Store("sqlite:////proc/none/x")

    monkeypatch.setattr(saved, "the_store", fail)
    app = opened("saved", SWEET)
    assert "cannot be reached" in app.error[0].value
