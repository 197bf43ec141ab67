"""Speed of the side-bet engine, as ratios to a fixed workload timed in the same run.

The limits are those of the plan on a machine that does the workload in about 0.25 s: 10 ms for a
two-card bet the first time, 0.3 s for three cards, 2 s for four, and 2 ms for another deck count or
other pays after that. Run with `pytest tests/benchmarks --benchmark-enable -s` to see the figures.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest

from odds.sidebets import SideBet, count_bet, counting
from paytables.bets import load_catalog
from paytables.metrics import counts_of, evaluate
from paytables.model import Paytable

WORKLOAD_SECONDS = 0.25


def best_of(run: Callable[[], object], times: int = 5) -> float:
    seconds = []
    for _ in range(times):
        start = time.process_time()
        run()
        seconds.append(time.process_time() - start)
    return min(seconds)


def workload() -> float:
    """A million gathers and a 1000 x 1000 product, five times."""
    rng = np.random.default_rng(1)
    matrix, index = rng.random((1000, 1000)), rng.integers(0, 1000, (1000, 1000))
    return sum(float((matrix @ matrix)[index, index.T].sum()) for _ in range(5))


@pytest.fixture(scope="module")
def unit() -> float:
    return best_of(workload, 3) / WORKLOAD_SECONDS


def first_time(paytable: Paytable) -> object:
    counting._count.cache_clear()
    return evaluate(paytable, meter=0).edge


def usual_paytables(cards: int) -> list[Paytable]:
    """The first paytable of each bet on so many first cards."""
    usual = [bet.paytable() for bet in load_catalog().values()]
    return [p for p in usual if not p.bet.plan.finished and counts_of(p).longest == cards]


@pytest.mark.parametrize(("cards", "seconds"), [(2, 0.010), (3, 0.3), (4, 2.0)])
def test_first_time(
    cards: int, seconds: float, unit: float, benchmark: Callable[..., object]
) -> None:
    paytables = usual_paytables(cards)
    assert paytables
    times = {p.name: best_of(lambda p=p: first_time(p)) for p in paytables}  # type: ignore[misc]
    worst = max(times, key=lambda name: times[name])
    print(f"\n{cards} cards, {len(times)} bets: at most {times[worst] / unit:.4f} units ({worst})")
    assert times[worst] <= seconds * unit
    benchmark(first_time, paytables[0])


def test_a_four_card_bet_that_tells_all_cards_apart(unit: float) -> None:
    """Ordered first cards, specific suits, pairs and ranks across both hands: two million deals."""
    bet = SideBet.parse(
        {
            "a": "pair(player) and pair(dealer) and suited(dealer)",
            "b": "first != 'red' and rank(second) > rank(hole) and suited(player)",
            "c": "player[1] == 'S' and rank(first) > rank(up)",
        }
    )

    def count() -> object:
        counting._count.cache_clear()
        return count_bet(bet).at(6)

    seconds = best_of(count, 2)
    print(f"\nall cards apart: {seconds / unit:.3f} units for {count_bet(bet).rows:,} deals")
    assert seconds <= 2.0 * unit


@pytest.mark.parametrize("name", ["Sweet 16", "21+3", "Lucky Ladies", "Buster Blackjack"])
def test_another_deck_count_and_other_pays(name: str, unit: float) -> None:
    paytable = load_catalog()[name].paytable()
    tier = paytable.tiers[0].name
    counts = counts_of(paytable)

    def other_decks() -> object:
        counts._at.clear()
        return evaluate(paytable, 7).edge

    decks = best_of(other_decks)
    pays = best_of(lambda: evaluate(paytable.with_pays({tier: 77}), 6).edge)
    print(f"\n{name}: decks {decks / unit:.5f}, pays {pays / unit:.5f} units")
    assert max(decks, pays) <= 0.002 * unit


def test_a_dealer_hand_bet_takes_no_more_than_a_few_workloads(unit: float) -> None:
    paytable = load_catalog()["Buster Blackjack"].paytable()
    seconds = best_of(lambda: first_time(paytable), 3)
    print(f"\nBuster Blackjack: {seconds / unit:.3f} units")
    assert seconds <= 1.0 * unit
