"""What results show in a notebook: the right figures, their definition, and nothing unescaped."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser
from typing import Any

import pytest

from odds import Rules, analyze
from odds.html import CODE_COLOURS
from odds.outcomes import round_outcomes
from odds.removal import best_count, effects_of_removal
from paytables.bets import load_catalog, load_paytable
from paytables.design import DesignResult, design
from paytables.design_constraints import Limits, Target
from paytables.metrics import evaluate, meter_result
from paytables.model import Paytable
from paytables.presets import load_preset, parse_preset
from paytables.rule_effects import rule_effects
from paytables.volatility import rtp_interval
from paytables.vulnerability import vulnerability

GAME = analyze(Rules(decks=1, max_split_hands=2, surrender="late"))
NO_SPLITS = Rules(decks=1, max_split_hands=1, max_split_hands_aces=1)
SWEET = load_paytable("Sweet 16")


def searched(edge: str, tolerance: str) -> DesignResult:
    pairs = load_paytable("Perfect Pairs", "30/10/5")
    limits = Limits(keep={"perfect": 30})
    return design(pairs, Target.around(edge, tolerance), decks=[8], limits=limits)


RESULTS: dict[str, Callable[[], Any]] = {
    "game": lambda: GAME,
    "hand": lambda: GAME.hand([10, 6], 10),
    "natural": lambda: GAME.hand([1, 10], 1),
    "chart": GAME.chart,
    "spread": lambda: round_outcomes(analyze(NO_SPLITS)),
    "effects of removal": lambda: effects_of_removal(NO_SPLITS),
    "bet": lambda: evaluate(SWEET, 8),
    "odds": lambda: evaluate(SWEET, 8).odds,
    "paytable": lambda: SWEET,
    "meter": lambda: meter_result(evaluate(load_paytable("21+3 Progressive"))),
    "design": lambda: searched("7%", "0.25%"),
    "one design": lambda: searched("7%", "0.25%").designs[0],
    "no design": lambda: searched("7%", "0.0001%"),
    "interval": lambda: rtp_interval(evaluate(SWEET, 8), 1000),
    "rules": lambda: rule_effects(Rules(decks=1), only=["surrender"]),
    "preset": lambda: load_preset("greektown"),
    "counting": lambda: vulnerability(load_paytable("Insurance"), 1, rounds=40),
}


TAGS = {"div", "strong", "table", "thead", "tbody", "tr", "th", "td", "small", "span", "br"}
GROUND = {ink: ground for ground, ink in CODE_COLOURS.values()}


@cache
def result(name: str) -> Any:
    return RESULTS[name]()


class Reader(HTMLParser):
    """The texts of a document; fails where a tag is left open or closed twice."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []
        self.tags: set[str] = set()
        self.styles: set[str] = set()
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.styles |= {name for name, _ in attrs}
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_is_sound_html_that_needs_no_style_sheet(name: str) -> None:
    html = result(name)._repr_html_()
    read = Reader(html)
    assert read.tags <= TAGS
    assert read.styles <= {"style"}
    assert len(html) < 30_000
    for colour in re.findall(r"(?:^|[;\"])color:([^;\"]+)", html):
        # ink is set only where the ground under it is: both themes must be readable
        assert f"background-color:{GROUND[colour]};color:{colour}" in html


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("game", ["1 deck", "CDZ-: composition-dependent", "float64", "insurance not"]),
        ("hand", ["given no dealer blackjack", "units of the initial bet", "float64"]),
        ("chart", ["rules, shoe and regime"]),
        ("spread", ["units of the initial bet", "float64"]),
        ("effects of removal", ["whole shoe of 52 cards", "float64"]),
        ("bet", ["8 decks", "exact fractions of 86,320", "net win per unit staked"]),
        ("odds", ["8 decks", "Exact fractions of 86,320"]),
        ("design", ["exact", "every paytable within the limits was looked at"]),
        ("no design", ["every paytable within the limits was looked at"]),
        ("interval", ["independent rounds", "95% interval"]),
        ("rules", ["strategy CDZ-", "float64"]),
        ("preset", ["Nothing is computed here"]),
        ("counting", ["1 decks", "Trigger:", "exact for this model", "seed 1"]),
    ],
)
def test_results_say_under_which_definition_they_hold(name: str, said: list[str]) -> None:
    read = Reader(result(name)._repr_html_()).text.lower()
    for words in said:
        assert words.lower() in read


def test_published_figures_are_in_what_is_shown() -> None:
    # Perfect Pairs 25/12/6 on eight decks: combinations and edge of wizardofodds.com
    shown = Reader(evaluate(load_paytable("Perfect Pairs", "25/12/6"), 8)._repr_html_()).text
    for figure in ("1,456", "1,664", "3,328", "79,872", "4.0964 %", "17/415"):
        assert figure in shown
    hand = Reader(GAME.hand([10, 6], 10)._repr_html_()).text
    assert "surrender -0.500000" in hand


def test_chart_shows_every_cell() -> None:
    chart = GAME.chart()
    codes = [
        cell.code
        for section in (chart.hard, chart.soft, chart.pairs)
        for row in section.values()
        for cell in row.values()
    ]
    read = Reader(chart._repr_html_())
    shown = [text.strip("*") for text in read.texts if text.strip("*") in CODE_COLOURS]
    assert sorted(shown) == sorted(codes)


def test_texts_from_files_are_escaped() -> None:
    evil = "<img src=x onerror=alert(1)>&amp;\"'"
    bet = Paytable(
        name=evil,
        variant="<b>",
        rule=evil,
        tiers=[{"name": "t", "label": evil, "when": "suited(player)", "pays": 2}],
    )
    preset = parse_preset(f"title = '''{evil}'''\nsource = '<i>'\n[rules]\ndecks = 2", "evil")
    made = design(bet, Target.around("5%", "60%"), decks=[6], top=1)
    for shown in (bet, evaluate(bet, 6), evaluate(bet, 6).odds, preset, made, made.designs[0]):
        html = shown._repr_html_()
        assert "<img" not in html
        assert "<b>" not in html
        assert "<i>" not in html
    for named in (bet, evaluate(bet, 6), preset):
        assert evil in "".join(Reader(named._repr_html_()).texts)


@pytest.mark.parametrize("name", sorted(load_catalog()))
def test_every_bet_of_the_catalogue_shows_its_tiers(name: str) -> None:
    paytable = load_paytable(name)
    read = Reader(paytable._repr_html_()).text
    for tier in paytable.tiers:
        assert " ".join(tier.title.split()) in read


def test_count_shows_its_tags() -> None:
    count = best_count(result("effects of removal"))
    assert Reader(count._repr_html_()).text.count("+1") == list(count.tags.values()).count(1)
