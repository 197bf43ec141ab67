"""The app in a real browser. Runs where Chromium is; must run in CI."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest

from tests.conftest import CHROMIUM

try:
    from playwright.sync_api import (
        BrowserContext,
        Locator,
        Page,
        TimeoutError,
        expect,
    )
except ImportError:
    if os.environ.get("CI"):
        raise
    pytest.skip("playwright is not installed", allow_module_level=True)

if not Path(CHROMIUM).exists() and not os.environ.get("CI"):
    pytest.skip(f"no browser at {CHROMIUM}", allow_module_level=True)

expect.set_options(timeout=20_000)  # the cores are shared with the other tests


@pytest.fixture
def page(context: BrowserContext, address: str) -> Iterator[Page]:
    page = context.new_page()
    page.goto(address)
    expect(page.get_by_text("Hard totals")).to_be_visible(timeout=60_000)
    settle(page)
    yield page
    page.close()


def settle(page: Page) -> None:
    """Wait until the script has run to its end."""
    app = page.get_by_test_id("stApp")
    expect(app).to_have_attribute("data-test-script-state", "notRunning", timeout=30_000)


def edge(page: Page) -> Locator:
    metric = page.get_by_test_id("stMetric").filter(has_text="House edge")
    # while a page is drawn anew the old figure may stand beside the new one for a moment
    expect(metric).to_have_count(1, timeout=20_000)
    return metric.get_by_test_id("stMetricValue").first


def pick(page: Page, label: str, option: str) -> None:
    box = page.get_by_role("combobox", name=re.compile(re.escape(label)))
    wanted = page.get_by_role("option", name=option, exact=True)
    for _ in range(6):
        # a list closes when the sidebar scrolls under it, which it does after a click
        box.scroll_into_view_if_needed()
        page.wait_for_timeout(300)
        box.click()
        try:
            wanted.click(timeout=2000)
        except TimeoutError:
            page.keyboard.press("Escape")
        else:
            break
    settle(page)


def test_nothing_is_fetched_from_elsewhere(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address)
    expect(page.get_by_text("Hard totals")).to_be_visible(timeout=60_000)
    settle(page)
    page.wait_for_timeout(300)
    page.close()
    outside = [url for url in asked if url.startswith("http") and not url.startswith(address)]
    assert asked
    assert not outside


def test_a_table_and_a_rule_are_picked_and_the_edge_follows(page: Page) -> None:
    # six decks, S17, DAS, to four hands: 0.4028702361154149 % by an independent analyzer
    pick(page, "Table", "Greektown table")
    expect(page.get_by_role("heading", name="Greektown table")).to_be_visible()
    settle(page)
    page.get_by_text("Splitting", exact=True).click()
    pick(page, "A split ace-ten is", "a plain 21")
    expect(edge(page)).to_have_text("0.4029 %", timeout=20_000)


def test_a_rule_change_shows_within_a_second(page: Page) -> None:
    before = edge(page).inner_text()
    page.get_by_text("Dealer hits soft 17 (H17)", exact=True).click()
    started = time.monotonic()
    expect(edge(page)).not_to_have_text(before, timeout=20_000)
    first = time.monotonic() - started
    # the second visit comes from the cache, and is what the page itself costs
    page.get_by_text("Dealer hits soft 17 (H17)", exact=True).click()
    started = time.monotonic()
    expect(edge(page)).to_have_text(before, timeout=20_000)
    again = time.monotonic() - started
    print(f"rule change: {first:.2f} s computed, {again:.2f} s from the cache")
    # a machine that runs other tests beside this one is given ten times as long
    assert again < 3
    assert first < 10


def test_a_cell_shows_its_values_on_hover(page: Page) -> None:
    cell = page.locator("table.pt-grid").first.locator("td.pt-Rh").first
    cell.hover()
    shown = cell.evaluate("cell => getComputedStyle(cell, '::after').content")
    assert "hard 16 against 9: surrender, else hit" in shown
    assert "surrender -0.500000" in shown


def test_a_typed_pay_that_makes_no_sense_loses_nothing(page: Page) -> None:
    before = edge(page).inner_text()
    page.get_by_text("Pays", exact=True).click()
    box = page.get_by_role("combobox", name=re.compile("Blackjack pays"))
    box.fill("three to two")
    box.press("Enter")
    expect(page.get_by_test_id("stAlert")).to_contain_text("is three to two")
    expect(edge(page)).to_have_text(before)
    box.fill("6 to 5")
    box.press("Enter")
    expect(page.get_by_test_id("stAlert")).to_have_count(0, timeout=20_000)
    expect(edge(page)).not_to_have_text(before)


def test_the_hand_inspector_keeps_its_tab(page: Page) -> None:
    page.get_by_role("tab", name="Hand inspector").click()
    page.get_by_role("textbox", name="Hand").fill("10,6")
    page.get_by_role("textbox", name="Hand").press("Enter")
    table = page.locator("table.pt-table", has_text="Value of every action")
    expect(page.get_by_role("img", name="10,6 against 10")).to_be_visible()
    expect(table.locator("tr.pt-best")).to_contain_text("surrender")
    expect(table.locator("tr.pt-best")).to_contain_text("-0.500000000")


def test_readings_are_priced(page: Page) -> None:
    pick(page, "Table", "Six-deck H17 game")
    page.get_by_role("tab", name="Readings of the rule text").click()
    page.get_by_role("button", name="Price every reading").click()
    # peek and late surrender: 0.5806347172081578 % by an independent analyzer
    row = page.locator("tr", has_text="comes too late")
    expect(row).to_contain_text("0.5806 %", timeout=60_000)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_cells_are_readable_on_both_themes(page: Page, scheme: Literal["light", "dark"]) -> None:
    page.emulate_media(color_scheme=scheme)
    page.reload()
    expect(page.get_by_text("Hard totals")).to_be_visible(timeout=60_000)
    background = page.get_by_test_id("stApp").evaluate("e => getComputedStyle(e).backgroundColor")
    assert (luminance(background) > 0.5) == (scheme == "light")
    colours = page.locator("td[class^=pt-]").evaluate_all(
        "cells => cells.map(c => [getComputedStyle(c).color, getComputedStyle(c).backgroundColor])"
    )
    pairs = {(ink, ground) for ink, ground in colours}
    assert len(pairs) >= 5
    for ink, ground in pairs:
        dark, light = sorted((luminance(ink), luminance(ground)))
        # WCAG 2.1, success criterion 1.4.6: 7 to 1 for text
        assert (light + 0.05) / (dark + 0.05) >= 7


def luminance(colour: str) -> float:
    """Relative luminance of ``rgb(r, g, b)`` as WCAG 2.1 defines it."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
