"""Side bets against the main game's analyzer: two engines that share no counting code."""

from __future__ import annotations

import pytest

from odds.game import GameOdds, analyze
from odds.rules import Rules
from odds.sidebets import DealPlan, SideBet, StrategyTable, bet_odds
from paytables.bets import load_paytable
from paytables.metrics import evaluate

CLOSE = 1e-12


@pytest.fixture(scope="module", params=[False, True], ids=["S17", "H17"])
def game(request: pytest.FixtureRequest) -> GameOdds:
    return analyze(Rules(decks=6, hit_soft_17=request.param, surrender="late"))


@pytest.mark.parametrize("upcard", range(1, 11))
def test_the_dealers_finished_hand(game: GameOdds, upcard: int) -> None:
    text = {1: "A", 10: "ten"}.get(upcard, str(upcard))
    totals = {str(n): f"dealer_total == {n}" for n in range(17, 21)}
    bet = SideBet.parse(
        {"blackjack": "dealer_blackjack", "bust": "dealer_bust", **totals, "21": "true"},
        DealPlan(dealer="hits soft 17" if game.rules.hit_soft_17 else "stands on soft 17"),
        given=f'up == "{text}"',
    )
    expected = game.dealer_totals(upcard)
    for tier in bet_odds(bet, 6).tiers:
        assert float(tier.probability) == pytest.approx(expected[tier.name], abs=CLOSE)


def test_insurance_and_even_money(game: GameOdds) -> None:
    own = game.hand((1, 10), 1)
    insured = evaluate(load_paytable("Insurance", "ace up, own blackjack"), 6)
    assert own.insurance == pytest.approx(float(-insured.edge), abs=CLOSE)
    tens = evaluate(load_paytable("Insurance", "ace up, own tens"), 6)
    assert game.hand((10, 10), 1).insurance == pytest.approx(float(-tens.edge), abs=CLOSE)
    declined = evaluate(load_paytable("Even Money", "declined, blackjack pays 3/2"), 6)
    assert own.even_money == pytest.approx(float(1 - declined.expected_net), abs=CLOSE)


def test_how_often_the_strategy_draws_a_third_card(game: GameOdds) -> None:
    """The sum over starting hands of the analyzer, against a bet on drawing at all."""
    bet = SideBet.parse({"drawn": "drawn"}, DealPlan(next_cards=1, draw="by strategy"))
    odds = bet_odds(bet, 6, strategy=StrategyTable.from_game(game))
    expected = 0.0
    for hand in game.starting_hands():
        if not hand.natural and hand.best.value in ("hit", "double", "split"):
            assert hand.probability is not None
            expected += hand.probability * (1 - hand.dealer_blackjack)
    assert float(odds.tier("drawn").probability) == pytest.approx(expected, abs=CLOSE)


def test_a_peek_costs_the_third_seven(game: GameOdds) -> None:
    """Where the dealer peeks, the third card needs no dealer blackjack and a draw."""
    paytable = load_paytable("Super Sevens", "rules 14.4 and 14.5, as the table plays")
    found = evaluate(paytable, 6, strategy=StrategyTable.from_game(game))
    sevens = {up: game.hand((7, 7), up) for up in range(1, 11)}
    draws = sum(
        hand.probability * (1 - hand.dealer_blackjack)
        for hand in sevens.values()
        if hand.best.value in ("hit", "double", "split") and hand.probability is not None
    )
    # Given two sevens, the card that would come next is independent of the draw but for the up and
    # hole cards; those that draw against a seven see one seven fewer. Bound it from both sides.
    three = sum(float(found.odds.tier(name).probability) for name in ("777s", "777u"))
    assert draws * 21 / 310 < three < draws * 22 / 308
