"""The pages of a design in a real browser: edit, search, share, keep. Must run in CI."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from paytables.bets import load_paytable, parse_bet
from paytables.metrics import evaluate
from tests.conftest import CHROMIUM

try:
    from playwright.sync_api import BrowserContext, Locator, Page, expect
except ImportError:
    if os.environ.get("CI"):
        raise
    pytest.skip("playwright is not installed", allow_module_level=True)

if not Path(CHROMIUM).exists() and not os.environ.get("CI"):
    pytest.skip(f"no browser at {CHROMIUM}", allow_module_level=True)

expect.set_options(timeout=20_000)  # the cores are shared with the other tests

SWEET = Fraction(4, 83)  # of 8 decks; the ace and five of hearts come in 64 of 86,320 ways
STEP = Fraction(64, 86_320)


@pytest.fixture
def page(context: BrowserContext, address: str) -> Iterator[Page]:
    page = opened(context, f"{address}/side-bet")
    yield page
    page.close()


def opened(context: BrowserContext, url: str) -> Page:
    page = context.new_page()
    page.goto(url)
    expect(page.get_by_role("heading", level=1)).to_be_visible(timeout=60_000)
    settle(page)
    return page


def settle(page: Page) -> None:
    app = page.get_by_test_id("stApp")
    expect(app).to_have_attribute("data-test-script-state", "notRunning", timeout=30_000)


def edge(page: Page) -> Locator:
    metric = page.get_by_test_id("stMetric").filter(has_text="House edge")
    # while a page is drawn anew the old figure may stand beside the new one for a moment
    expect(metric).to_have_count(1, timeout=20_000)
    return metric.get_by_test_id("stMetricValue").first


def appears(page: Page, figure: str) -> None:
    """Wait until a metric shows a figure, looking at every frame: for timing."""
    page.wait_for_function(
        "text => [...document.querySelectorAll('[data-testid=stMetricValue]')]"
        ".some(value => value.textContent.trim() === text)",
        arg=figure,
        timeout=20_000,
    )


def percent(value: Fraction) -> str:
    return f"{100 * float(value):.4f} %"


def type_into(page: Page, label: str, text: str) -> None:
    box = page.get_by_role("textbox", name=label, exact=True)
    box.fill(text)
    box.press("Enter")
    settle(page)


def go(page: Page, name: str) -> None:
    page.get_by_role("link", name=re.compile(name)).click()
    settle(page)


def test_a_pay_changed_in_its_cell_shows_the_exact_edge(page: Page) -> None:
    expect(edge(page)).to_have_text(percent(SWEET))
    box = page.get_by_role("textbox", name="Pays, to 1", exact=True)
    waited = []
    for pays in (200, 161, 162, 163):
        box.fill(str(pays))
        started = time.monotonic()
        box.press("Enter")
        appears(page, percent(SWEET - (pays - 160) * STEP))
        waited.append(time.monotonic() - started)
        settle(page)
    print("pay edited:", ", ".join(f"{1000 * t:.0f} ms" for t in waited))
    # a machine that runs other tests beside this one is given ten times as long
    assert min(waited) < 3


def test_decks_by_keyboard_and_undo_by_keyboard(page: Page) -> None:
    slider = page.get_by_role("slider", name="Decks")
    slider.focus()
    started = time.monotonic()
    slider.press("ArrowLeft")
    appears(page, percent(evaluate(load_paytable("Sweet 16"), 7).edge))
    print(f"decks: {1000 * (time.monotonic() - started):.0f} ms")
    slider.press("ArrowLeft")
    six = percent(evaluate(load_paytable("Sweet 16"), 6).edge)
    expect(edge(page)).to_have_text(six, timeout=20_000)
    settle(page)
    type_into(page, "Pays, to 1", "200")
    expect(edge(page)).not_to_have_text(six)
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("Alt+z")
    expect(edge(page)).to_have_text(six, timeout=20_000)
    expect(page.get_by_role("textbox", name="Pays, to 1", exact=True)).to_have_value("160")


def test_the_catalogue_is_searched(page: Page) -> None:
    page.get_by_role("textbox", name="Search the catalogue").fill("royal match")
    expect(page.get_by_text("1 of ")).to_be_visible(timeout=20_000)
    settle(page)
    page.get_by_role("combobox", name=re.compile("^Bet")).click()
    page.get_by_role("option", name="Royal Match").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Royal Match", timeout=20_000)
    expect(edge(page)).to_have_text(percent(evaluate(load_paytable("Royal Match")).edge))


def test_a_condition_is_checked_as_it_is_typed(page: Page) -> None:
    box = page.get_by_role("textbox", name="Wins when, tier 2", exact=True)
    box.fill("total(player) == 16 ")
    settle(page)
    page.wait_for_timeout(1500)  # long enough for the unfinished text to be taken
    settle(page)
    readable = edge(page).inner_text()
    box.press_sequentially("and suitd(player)")
    note = page.get_by_role("alert").filter(has_text="suitd")
    expect(note).to_contain_text("Character 25", timeout=20_000)
    expect(note).to_contain_text("did you mean 'suited'")
    expect(edge(page)).to_have_text(readable)
    # another page and back: the wrong entry is still there
    go(page, "Compare")
    go(page, "Side bet")
    expect(box).to_have_value("total(player) == 16 and suitd(player)")
    # a reload, too
    page.reload()
    expect(box).to_have_value("total(player) == 16 and suitd(player)", timeout=60_000)


def test_a_search_is_applied_and_undone(page: Page) -> None:
    go(page, "Hit a target")
    type_into(page, "Target edge, %", "3")
    page.get_by_role("button", name="Search", exact=True).click()
    page.get_by_text(re.compile("paytables? hit the target, in")).wait_for(timeout=60_000)
    settle(page)
    page.get_by_role("button", name="Apply paytable 1").click()
    expect(page.get_by_text("is applied")).to_be_visible(timeout=20_000)
    settle(page)
    go(page, "Side bet")
    expect(edge(page)).to_have_text(re.compile(r"^(2\.[789]|3\.[012])\d+ %$"), timeout=20_000)
    page.get_by_role("button", name="Undo").click()
    expect(edge(page)).to_have_text(percent(SWEET), timeout=20_000)


def test_a_link_opens_the_same_design_in_another_session(
    page: Page, context: BrowserContext
) -> None:
    type_into(page, "Pays, to 1", "177")
    page.get_by_role("button", name="Share").click()
    link = page.get_by_test_id("stCode").inner_text().strip()
    other = opened(context, link)
    expect(edge(other)).to_have_text(percent(SWEET - 17 * STEP), timeout=20_000)
    # from here on they stay apart
    type_into(other, "Pays, to 1", "178")
    expect(edge(other)).to_have_text(percent(SWEET - 18 * STEP))
    type_into(page, "Tier", "Hearts")
    expect(edge(page)).to_have_text(percent(SWEET - 17 * STEP))
    expect(other.get_by_role("textbox", name="Tier", exact=True)).not_to_have_value("Hearts")
    other.close()


def test_a_broken_file_loses_nothing_and_a_good_one_opens(page: Page, tmp_path: Path) -> None:
    type_into(page, "Pays, to 1", "177")
    page.get_by_role("button", name="Files").click()
    with page.expect_download() as waited:
        page.get_by_role("button", name="Download as TOML").click()
    saved = tmp_path / "saved.toml"
    waited.value.save_as(saved)
    assert parse_bet(saved.read_text()).paytable().tiers[0].pays == 177
    upload = page.locator("input[type=file]")
    broken = tmp_path / "broken.toml"
    broken.write_text('name = "x"\n[[tiers]]\nname = "a"\nwhen = "__import__(1)"\npays = 1\n')
    upload.set_input_files(broken)
    expect(page.get_by_text("Your design is as it was")).to_be_visible(timeout=20_000)
    expect(edge(page)).to_have_text(percent(SWEET - 17 * STEP))
    settle(page)
    other = tmp_path / "other.toml"
    other.write_text(saved.read_text().replace("177", "170"))
    if not upload.count():
        page.get_by_role("button", name="Files").click()
    page.locator("input[type=file]").set_input_files(other)
    expect(edge(page)).to_have_text(percent(SWEET - 10 * STEP), timeout=20_000)


def test_a_version_is_saved_and_opened(page: Page) -> None:
    go(page, "Saved designs")
    type_into(page, "Note", "as published")
    page.get_by_role("button", name="Save a version").click()
    expect(page.get_by_text("Version 1", exact=True)).to_be_visible(timeout=20_000)
    go(page, "Side bet")
    type_into(page, "Pays, to 1", "177")
    go(page, "Saved designs")
    page.locator(".st-key-open-1 button").click()
    expect(page.get_by_text("is open")).to_be_visible(timeout=20_000)
    go(page, "Side bet")
    expect(edge(page)).to_have_text(percent(SWEET), timeout=20_000)
