"""The chart against the strategy that every blackjack book prints."""

from __future__ import annotations

import pytest

from odds.chart import CODES, action_code
from odds.game import analyze
from odds.rules import Rules
from odds.strategy import Action

UPCARDS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)
# multi-deck basic strategy, dealer stands on soft 17, double after split, late surrender
# (Wizard of Odds, 4 to 8 decks); rows over upcards 2 to 10, ace
HARD = {
    17: "S S S S S S S S S S",
    16: "S S S S S H H Rh Rh Rh",
    15: "S S S S S H H H Rh H",
    14: "S S S S S H H H H H",
    13: "S S S S S H H H H H",
    12: "H H S S S H H H H H",
    11: "Dh Dh Dh Dh Dh Dh Dh Dh Dh H",
    10: "Dh Dh Dh Dh Dh Dh Dh Dh H H",
    9: "H Dh Dh Dh Dh H H H H H",
    8: "H H H H H H H H H H",
}
SOFT = {
    19: "S S S S S S S S S S",
    18: "S Ds Ds Ds Ds S S H H H",
    17: "H Dh Dh Dh Dh H H H H H",
    16: "H H Dh Dh Dh H H H H H",
    15: "H H Dh Dh Dh H H H H H",
    14: "H H H Dh Dh H H H H H",
    13: "H H H Dh Dh H H H H H",
}
PAIRS = {
    1: "P P P P P P P P P P",
    10: "S S S S S S S S S S",
    9: "P P P P P S P P S S",
    8: "P P P P P P P P P P",
    7: "P P P P P P H H H H",
    6: "P P P P P H H H H H",
    5: "Dh Dh Dh Dh Dh Dh Dh Dh H H",
    4: "H H H P P H H H H H",
    3: "P P P P P P H H H H",
    2: "P P P P P P H H H H",
}


@pytest.mark.parametrize(("section", "printed"), [("hard", HARD), ("soft", SOFT), ("pairs", PAIRS)])
def test_published_basic_strategy_for_six_decks(section: str, printed: dict[int, str]) -> None:
    chart = analyze(Rules(decks=6, surrender="late")).chart()
    assert chart.upcards == UPCARDS
    for key, row in printed.items():
        cells = getattr(chart, section)[key]
        assert [cells[up].code for up in UPCARDS] == row.split(), (section, key)


def test_sections_and_exceptions() -> None:
    chart = analyze(Rules(decks=1)).chart()
    assert sorted(chart.hard) == list(range(5, 20))
    assert sorted(chart.soft) == list(range(13, 21))
    assert sorted(chart.pairs) == list(range(1, 11))
    # single deck: 12 against 4 stands, but ten-two hits
    cell = chart.hard[12][4]
    assert cell.code == "S"
    assert cell.exceptions == ((2, 10),)


def test_codes() -> None:
    values = {Action.STAND: -0.6, Action.HIT: -0.55, Action.SPLIT: -0.52, Action.SURRENDER: -0.5}
    assert action_code(values) == "Rp"
    assert action_code({**values, Action.SPLIT: -0.9}) == "Rh"
    assert action_code({**values, Action.DOUBLE: 0.1}) == "Dh"
    assert action_code({Action.STAND: 0.3, Action.HIT: 0.2, Action.DOUBLE: 0.4}) == "Ds"
    assert set(CODES) == {"H", "S", "Dh", "Ds", "P", "Rh", "Rs", "Rp"}


def test_unlike_tens_are_no_pair_by_rank() -> None:
    odds = analyze(Rules(split_by="rank"))
    assert Action.SPLIT in odds.hand((10, 10), 6, True).values
    assert Action.SPLIT not in odds.hand((10, 10), 6, False).values
    assert Action.SPLIT in odds.chart().pairs[10][6].values
