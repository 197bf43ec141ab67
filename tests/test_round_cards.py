"""Cards in a round against every order of the cards of tiny shoes, and against simulated rounds."""

from __future__ import annotations

from typing import Any

import pytest

from odds.game import analyze
from odds.round_cards import round_cards
from odds.rules import Rules
from odds.simulate import simulate
from tests.oracle_seats import Seats, random_strategy
from tests.test_game_oracle import shoe_of
from tests.test_outcomes import BLACKJACK_TAKES, PLAY


@pytest.mark.parametrize("play", PLAY, ids=str)
@pytest.mark.parametrize("takes", BLACKJACK_TAKES[::2], ids=str)
def test_every_order_of_the_cards_of_tiny_shoes(
    takes: dict[str, Any], play: tuple[dict[str, Any], dict[int, int], str | None]
) -> None:
    choices, shoe, regime = play
    rules = Rules(**takes, **choices)
    odds = analyze(rules, shoe_of(shoe), regime or random_strategy(rules, 3))
    seats = Seats(odds, shoe, seats=1)
    sums, cards = seats.sums, round_cards(odds)
    for name in ("player_cards", "dealer_cards", "hands"):
        exact = float(sums.mean(name))
        assert getattr(cards, name) == pytest.approx(exact, rel=0, abs=1e-13), name
    alone = seats.dealer_draws(seats.full, ())
    drawn_out = sum(number * orders for (_, number), orders in alone.items()) / sums.orders
    assert cards.dealer_cards_drawn_out == pytest.approx(drawn_out, rel=0, abs=1e-13)


def test_simulated_rounds() -> None:
    odds = analyze(Rules(decks=1, hit_soft_17=True, surrender="late", max_split_hands=2))
    cards, seen = round_cards(odds), simulate(odds, 400_000, seed=3)
    # numbers of cards spread by less than 1.2 about these averages
    error = 4 * 1.2 / 400_000**0.5
    assert seen.cards_per_round == pytest.approx(cards.cards_per_round, rel=0, abs=error)
    assert seen.dealer_cards == pytest.approx(cards.dealer_cards, rel=0, abs=error)
    assert seen.cards_per_hand == pytest.approx(cards.cards_per_hand, rel=0, abs=error)
    assert seen.hands_per_round == pytest.approx(cards.hands, rel=0, abs=error)
