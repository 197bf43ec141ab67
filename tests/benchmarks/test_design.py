"""How long searches and sweeps take; run with ``pytest --benchmark-only``."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from odds.rules import Rules
from paytables.bets import load_paytable
from paytables.design import design
from paytables.design_constraints import Limits, Target, TierLimits
from paytables.main_game_design import rule_lattice, sweep_rules
from paytables.metrics import evaluate
from paytables.volatility import rtp_interval

BOUNDS = {"suited trips": 300, "straight flush": 100, "trips": 50, "straight": 20, "flush": 10}
LATTICE = {
    "decks": ("4", "6", "8"),
    "hit_soft_17": ("yes", "no"),
    "double_after_split": ("yes", "no"),
    "surrender": ("none", "late"),
    "max_split_hands": ("2", "3", "4"),
    "max_split_hands_aces": ("2", "4"),
    "double_on": ("any", "9-11", "10-11"),
    "peek": ("ace_ten", "none"),
}


@pytest.mark.benchmark(group="design", max_time=2)
@pytest.mark.parametrize("order", ["strict", "weak"])
def test_every_integer_paytable_of_21_plus_3(benchmark: Any, order: str) -> None:
    """300 x 100 x 50 x 20 x 10 paytables: about 0.2 s."""
    paytable = load_paytable("21+3")
    evaluate(paytable, 8)
    limits = Limits(tiers={n: TierLimits(1, b, 1) for n, b in BOUNDS.items()}, order=order)
    found = benchmark(design, paytable, Target.around("5%", "0.05%"), [8], limits)
    assert found.proof == "complete"


@pytest.mark.benchmark(group="design", max_time=2)
def test_printable_paytables_for_five_deck_counts(benchmark: Any) -> None:
    paytable = load_paytable("Super Sevens")
    found = benchmark(design, paytable, Target.around("6%", "0.5%"), range(4, 9))
    assert found.designs


@pytest.mark.benchmark(group="design", max_time=2)
def test_interval_of_ten_million_rounds(benchmark: Any) -> None:
    evaluation = evaluate(load_paytable("Super Sevens"), 6)
    assert benchmark(rtp_interval, evaluation, 10**7).normal_valid


@pytest.mark.benchmark(group="rules", min_rounds=1, max_time=1, warmup=False)
def test_rule_sets(benchmark: Any, request: pytest.FixtureRequest) -> None:
    """500 rule sets that all need an analysis of their own: under a minute on two free cores."""
    enabled = request.config.getoption("--benchmark-only", default=False)
    lattice = rule_lattice(Rules(max_split_hands_aces=2), LATTICE)
    pays = [Rules(decks=1, blackjack_pays=Fraction(n, 10)) for n in range(10, 20)]
    chosen = lattice[:500] if enabled else pays
    found = benchmark.pedantic(
        lambda: list(sweep_rules(chosen, jobs=2 if enabled else 1)), rounds=1
    )
    assert len(found) == len(chosen)
