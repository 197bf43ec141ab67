"""Random requests for bets of every kind against going through all paytables one by one."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import pytest

from paytables.bets import load_paytable
from paytables.design import design
from paytables.design_constraints import Limits, Target, TierLimits, Window
from paytables.metrics import evaluate
from paytables.model import Paytable

BETS = [
    "Royal 20's",  # one wager, the best tier only
    "Bonus Blackjack",
    "Match the Dealer",  # both matches add up
    "Bet Player and Bet Dealer",  # two wagers and a meter
    "Sweet Sixteen",  # a push, and pays that do not fall
    "Pair (Venetian)",
    "Suit 'Em Up",
]


def request_for(paytable: Paytable, rng: random.Random) -> tuple[Target, list[int], Limits]:
    """A random request whose answer is neither nothing nor everything, as a rule."""
    decks = rng.choice([[6], [4, 8], [2, 6, 8]])
    tiers = {}
    for tier in paytable.tiers:
        if tier.pays is not None:
            most = int(tier.pays * Fraction(9, 5)) + 3
            pays = rng.sample(range(most + 1), min(rng.randint(2, 5), most))
            tiers[tier.name] = TierLimits(pays=tuple(pays))
    edge = round(float(evaluate(paytable, decks[0], meter=0).edge), 3)
    spread = rng.uniform(0.05, 0.4)
    low = f"{max(edge - spread, -9):.4f}"
    target = Target.between(low, f"{min(edge + spread, 1):.4f}")
    limits = Limits(
        tiers=tiers,
        order=rng.choice(["strict", "weak", "none"]),
        deviation=Window(None, Fraction(rng.randint(2, 12))) if rng.random() < 0.4 else None,
        hits=Window(Fraction(rng.randint(1, 10), 100)) if rng.random() < 0.3 else None,
        top_award=Fraction(rng.randint(10, 60)) if rng.random() < 0.4 else None,
    )
    return target, decks, limits


def in_order(paytable: Paytable, decks: list[int], order: str) -> bool:
    """Whether of two tiers of a wager the one that is always rarer pays more."""
    odds = [[tier.probability for tier in evaluate(paytable, d, meter=0).odds.tiers] for d in decks]
    for (i, one), (j, other) in itertools.permutations(enumerate(paytable.tiers), 2):
        comparable = one.wager == other.wager and one.meter is None and other.meter is None
        if comparable and all(chances[i] < chances[j] for chances in odds):
            assert one.pays is not None
            assert other.pays is not None
            if one.pays < other.pays or (order == "strict" and one.pays == other.pays):
                return False
    return True


def is_wanted(paytable: Paytable, target: Target, decks: list[int], limits: Limits) -> bool:
    """The request, word by word."""
    for number in decks:
        found = evaluate(paytable, number, meter=0)
        if not target.low <= found.edge <= target.high:
            return False
        if limits.deviation is not None and found.variance > (limits.deviation.high or 0) ** 2:
            return False
        if limits.hits is not None and found.hit_frequency < (limits.hits.low or 0):
            return False
        if limits.top_award is not None and found.top_award > limits.top_award:
            return False
    return limits.order == "none" or in_order(paytable, decks, limits.order)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", BETS)
def test_every_paytable_that_a_request_wants_is_found(name: str, seed: int) -> None:
    paytable = load_paytable(name)
    target, decks, limits = request_for(paytable, random.Random(f"{name} {seed}"))
    found = design(paytable, target, decks, limits, top=9999, meter=0)
    wanted = set()
    choices = {tier: own.listed() or [] for tier, own in limits.tiers.items()}
    for pays in itertools.product(*choices.values()):
        changed = paytable.with_pays(dict(zip(choices, pays, strict=True)))
        if is_wanted(changed, target, decks, limits):
            wanted.add(pays)
    assert {tuple(made.pays.values()) for made in found.designs} == wanted
    assert found.count == len(wanted)
    assert found.proof == "complete"
    assert (found.infeasible is None) == bool(wanted)
