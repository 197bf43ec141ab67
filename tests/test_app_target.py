from __future__ import annotations

import time
from collections.abc import Iterator
from fractions import Fraction

import pytest
from streamlit.testing.v1 import AppTest

from paytables.bets import load_paytable
from paytables.design import design
from paytables.design_constraints import Limits, Target, TierLimits
from paytables.jobs import Pool, State
from paytables.metrics import evaluate
from paytables.ui import running, target
from paytables.ui.work import catalogue_draft
from tests import job_functions
from tests.ui_helpers import html, opened

SWEET = catalogue_draft("Sweet 16", "160/16/12/6")


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    opened_pool = Pool(1)
    yield opened_pool
    opened_pool.close()


@pytest.fixture(autouse=True)
def one_pool(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "pool", lambda: pool)


def searched(app: AppTest) -> AppTest:
    app.button(key="search-start").click().run()
    assert not app.exception
    deadline = time.monotonic() + 60
    while not app.session_state["search"].job.ended:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    app.run()
    assert not app.exception
    return app


def test_a_search_is_applied_with_one_click_and_undone() -> None:
    app = opened("target", SWEET)
    app.text_input(key="target-edge").set_value("3")
    app.text_input(key="target-tolerance").set_value("0.2").run()
    searched(app)
    expected = design(load_paytable("Sweet 16"), Target.around("3%", "0.2%"), (8,))
    assert any(f"**{expected.count:,}** paytables hit" in m.value for m in app.markdown)
    table = app.dataframe[0].value
    assert list(table["edge 8"]) == [100 * float(d.edges[8]) for d in expected.designs]
    assert f"{100 * float(expected.designs[0].edges[8]):.4f} %" in html(app)
    app.button(key="apply").click().run()
    work = app.session_state["work"]
    applied = work.draft.read().paytable
    assert applied == load_paytable("Sweet 16").with_pays(expected.designs[0].pays)
    assert Fraction(28, 1000) <= evaluate(applied, 8).edge <= Fraction(32, 1000)
    app.button(key="undo").click().run()
    assert work.draft == SWEET


def test_what_is_typed_just_before_the_click_is_searched_for() -> None:
    app = opened("target", SWEET)
    app.text_input(key="target-edge").set_value("3")  # arrives together with the click
    searched(app)
    result = app.session_state["search"].job.result
    assert result.target == Target.around("3%", "0.25%")


def test_limits_reach_the_search() -> None:
    app = opened("target", SWEET)
    app.multiselect(key="target-decks").set_value([6, 8])
    app.text_input(key="target-tolerance").set_value("0.5")
    app.toggle(key="limit-Sweet 16-sweet-keep").set_value(True)
    app.text_input(key="limit-Sweet 16-suited-pays").set_value("10-30:5").run()
    searched(app)
    result = app.session_state["search"].job.result
    expected = design(
        load_paytable("Sweet 16"),
        Target.around("5%", "0.5%"),
        (8, 6),
        Limits(keep={"sweet": None}, tiers={"suited": TierLimits(10, 30, 5)}),
    )
    assert result.designs
    assert {tuple(d.pays.items()) for d in result.designs} == {
        tuple(d.pays.items()) for d in expected.designs
    }


def test_a_target_that_cannot_be_hit_is_explained() -> None:
    app = opened("target", SWEET)
    for name in ("sweet", "suited", "color", "mixed"):
        app.toggle(key=f"limit-Sweet 16-{name}-keep").set_value(True)
    app.text_input(key="target-edge").set_value("9").run()
    searched(app)
    assert "There is none" in app.warning[0].value
    assert app.session_state["work"].draft == SWEET


@pytest.mark.parametrize(
    ("key", "typed", "said"),
    [
        ("target-edge", "five", "a percentage"),
        ("target-tolerance", "-1", "0 or more"),
        ("target-edge", "500", "lower edge first"),
        ("limit-Sweet 16-mixed-pays", "30-10", "the lower bound first"),
        ("limit-Sweet 16-mixed-pays", "1-9:0", "above 0"),
        ("limit-Sweet 16-mixed-share", "x", "a percentage"),
        ("limit-award", "much", "a fraction"),
        ("limit-printable", "1,2,x", "a fraction"),
    ],
)
def test_a_wrong_entry_stays_and_is_told(key: str, typed: str, said: str) -> None:
    app = opened("target", SWEET)
    app.text_input(key=key).set_value(typed).run()
    assert not app.exception
    assert said in app.error[0].value
    assert app.text_input(key=key).value == typed
    assert app.button(key="search-start").disabled
    assert app.text_input(key="limit-printable")  # all of the form is there


def test_a_search_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened("target", SWEET)
    job = running.pool().submit("someone", job_functions.wait, 60)
    app.session_state["search"] = target.Search(job, load_paytable("Sweet 16"))
    app.run()
    assert app.button(key="search-start").disabled
    app.button(key="search-cancel").click().run()
    deadline = time.monotonic() + 20
    while not job.ended:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    app.run()
    assert job.state is State.CANCELLED
    assert "was cancelled" in app.info[0].value


def test_a_failed_search_loses_nothing() -> None:
    app = opened("target", SWEET.with_tier(1, pays="200"))
    job = running.pool().submit("someone", job_functions.crash)
    app.session_state["search"] = target.Search(job, load_paytable("Sweet 16"))
    while not job.ended:
        time.sleep(0.05)
    app.run()
    assert "search failed" in app.error[0].value
    assert app.session_state["work"].draft.tiers[0].pays == "200"


def test_a_design_with_wrong_entries() -> None:
    app = opened("target", SWEET.with_tier(1, pays="12o"))
    assert "cannot be read" in app.info[0].value
