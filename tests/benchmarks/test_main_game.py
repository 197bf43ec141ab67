"""Speed of the analyzer, as ratios to a fixed NumPy workload timed in the same run.

Run with `pytest tests/benchmarks --benchmark-enable -s`; without that flag each runs once.
"""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable

import numpy as np

import odds.game
from odds.covariance import seat_covariance
from odds.game import analyze
from odds.outcomes import round_outcomes
from odds.round_cards import round_cards
from odds.rules import Rules


def best_of(run: Callable[[], object], times: int) -> float:
    seconds = []
    for _ in range(times):
        start = time.process_time()
        run()
        seconds.append(time.process_time() - start)
    return min(seconds)


def workload() -> float:
    """A million gathers and a 1000 x 1000 product, five times: about 0.25 s on a 2-core machine."""
    rng = np.random.default_rng(1)
    matrix, index = rng.random((1000, 1000)), rng.integers(0, 1000, (1000, 1000))
    return sum(float((matrix @ matrix)[index, index.T].sum()) for _ in range(5))


def cold() -> None:
    odds.game.dealer_table.cache_clear()
    analyze(Rules(decks=6))


def warm() -> None:
    analyze(Rules(decks=6, double_after_split=False))


def test_six_decks_resplit_to_four(benchmark: Callable[..., object]) -> None:
    analyze(Rules(decks=6))  # the lattice is built once in a process
    times = 5 if benchmark.enabled else 1  # type: ignore[attr-defined]
    unit = best_of(workload, times)
    first = best_of(cold, times)
    second = best_of(warm, times)
    benchmark(warm)
    print(
        f"\nfirst rule set {first:.3f} s = {first / unit:.2f} x workload; "
        f"second {second:.3f} s = {second / first:.2f} x first"
    )


def test_variance_covariance_and_fraction(benchmark: Callable[..., object]) -> None:
    """Six decks resplit to four, and the exact fraction for eight; small games unless enabled."""
    enabled = benchmark.enabled  # type: ignore[attr-defined]
    few = {} if enabled else {"max_split_hands": 1, "max_split_hands_aces": 1}
    odds = analyze(Rules(decks=6, **few))
    unit = best_of(workload, 5 if enabled else 1)
    for name, run in (
        ("variance", lambda: round_outcomes(odds)),
        ("covariance", lambda: seat_covariance(odds)),
        ("cards", lambda: round_cards(odds)),
        ("exact fraction, eight decks", lambda: analyze(Rules(decks=8, **few), exact=True)),
    ):
        seconds = best_of(run, 1)
        print(f"\n{name} {seconds:.2f} s = {seconds / unit:.1f} x workload")
    benchmark(lambda: analyze(odds.rules))


def test_peak_memory_is_below_400_megabytes() -> None:
    odds.game.dealer_table.cache_clear()
    tracemalloc.start()
    analyze(Rules(decks=6), strategy="CDP")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 400e6
