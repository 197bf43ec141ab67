"""The simulation against exact values: two ways to the same figures that share only decisions."""

from __future__ import annotations

import pytest

from odds.errors import InputError
from odds.game import analyze
from odds.rules import Rules
from odds.shoe import Shoe
from odds.simulate import simulate
from tests.strategies import SHOES, covering_cases
from tests.test_game_oracle import shoe_of

CASES = covering_cases(
    2,
    ["four kinds", "rich in eights"],
    ["dealer_blackjack", "hands", "split_aces", "split_ace_ten", "split_by", "surrender"],
)


@pytest.mark.parametrize(("rules", "shoe"), CASES[::2])
def test_the_mean_of_tiny_shoes(rules: Rules, shoe: str) -> None:
    """Rules on splits, surrender and dealer blackjacks, where the shoe is all but dealt out."""
    odds = analyze(rules, shoe_of(SHOES[shoe]), "CDP")
    seen = simulate(odds, 60_000, seed=7)
    assert abs(seen.mean - odds.expected_value) < 4 * seen.mean_standard_error
    assert sum(seen.distribution.values()) == pytest.approx(1, rel=0, abs=1e-12)
    assert seen.win + seen.push + seen.loss == pytest.approx(1, rel=0, abs=1e-12)
    action = seen.hands_per_round + seen.doubles_per_round
    assert abs(action - odds.average_action) < 4 * 1.2 / 60_000**0.5


def test_the_same_seed_deals_the_same_rounds() -> None:
    odds = analyze(Rules(decks=2))
    first = simulate(odds, 270_000, seed=3)
    assert first == simulate(odds, 270_000, seed=3)
    assert first != simulate(odds, 270_000, seed=4)


def test_one_seat_of_two_is_a_seat() -> None:
    odds = analyze(Rules(decks=1, surrender="late"))
    both = simulate(odds, 100_000, seed=5, seats=2)
    assert both.covariance is not None
    assert both.covariance_standard_error is not None
    assert abs(both.mean - odds.expected_value) < 4 * both.mean_standard_error
    alone = simulate(odds, 100_000, seed=5)
    apart = (both.variance_standard_error**2 + alone.variance_standard_error**2) ** 0.5
    assert abs(both.variance - alone.variance) < 4 * apart
    # seats share the dealer: together they spread more than two apart, less than two alike
    assert 0.3 < both.covariance / both.variance < 0.5
    assert both.mean_standard_error < alone.mean_standard_error


def test_progress_cancels() -> None:
    class Cancelled(Exception):
        pass

    def stop(done: float, what: str) -> None:
        if done >= 0.3:
            raise Cancelled(what)

    with pytest.raises(Cancelled, match="rounds"):
        simulate(analyze(Rules(decks=1)), 1_000_000, seed=1, progress=stop)


@pytest.mark.parametrize(
    ("rounds", "seed", "seats", "field"),
    [
        (1, 1, 1, "rounds"),
        (True, 1, 1, "rounds"),
        (10.5, 1, 1, "rounds"),
        (10, -1, 1, "seed"),
        (10, 1, 0, "seats"),
        (10, 1, 8, "seats"),
    ],
)
def test_bad_numbers(rounds: int, seed: int, seats: int, field: str) -> None:
    odds = analyze(Rules(decks=1))
    with pytest.raises(InputError, match=f"{field} = "):
        simulate(odds, rounds, seed, seats=seats)


def test_a_shoe_too_small_for_the_seats() -> None:
    odds = analyze(Rules(max_split_hands=2), Shoe.from_values([2, 1, 0, 1, 1, 2, 1, 2, 2, 4]))
    simulate(odds, 100, 1)
    with pytest.raises(InputError, match="seats = 2"):
        simulate(odds, 100, 1, seats=2)
