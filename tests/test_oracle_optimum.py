"""The twin's own optimum and regimes: by hand, and against every other policy."""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import perm
from typing import Any

import pytest

from odds.rules import Rules
from tests.oracle import Context, always, mixed, total_of
from tests.oracle_optimum import Cell, Oracle

NO_PEEK: dict[str, Any] = {"peek": "none"}


def test_unsplit_optimum_by_hand() -> None:
    """12 against an 8 with a nine and four tens unseen: the dealer makes 17 or 18. Standing wins
    never. A hit of the nine (1/5) makes 21; a ten busts. Doubling does the same for two units.
    """
    rules = Rules(max_split_hands=1, max_split_hands_aces=1)
    start = Oracle(rules, {3: 1, 8: 1, 9: 2, 10: 4}).start("CDZ-", (3, 9), 8)
    values = {action: value.net for action, value in start.actions.items()}
    assert values == {
        "stand": -1,
        "hit": Fraction(1, 5) - Fraction(4, 5),
        "double": 2 * (Fraction(1, 5) - Fraction(4, 5)),
    }


@pytest.mark.parametrize("regime", ["CDZ-", "CDP1", "CDP"])
@pytest.mark.parametrize(
    "fields",
    [
        {"max_split_hands": 2, "surrender": "late", "surrender_any_cards": True},
        {"max_split_hands": 2, "surrender": "early", "peek": "ace", "double_any_cards": True},
    ],
)
def test_the_table_of_starts_is_the_value_of_playing_it(
    regime: str, fields: dict[str, Any]
) -> None:
    """Trying every action agrees with playing the best ones from the first card on."""
    oracle = Oracle(Rules(**fields), {1: 2, 3: 2, 6: 2, 8: 2, 10: 4})
    starts = oracle.all_starts(regime).values()
    best = sum(s.ways * max(value.net for value in s.actions.values()) for s in starts)
    whole = oracle.round_value(oracle.best_policy(regime))
    assert whole.net == best / perm(12, 3)
    assert whole.net > oracle.round_value(mixed).net


def test_unsplit_optimum_against_every_policy() -> None:
    rules = Rules(max_split_hands=1, max_split_hands_aces=1, **NO_PEEK)
    oracle = Oracle(rules, {1: 2, 4: 1, 5: 1, 6: 2, 10: 3})
    seen: dict[tuple[int, ...], tuple[str, ...]] = {}

    def policy(context: Context) -> str:
        seen.setdefault(context.hand, context.legal)
        return choice.get(context.hand, "hit")

    choice: dict[tuple[int, ...], str] = {}
    oracle.start_value(policy, (5, 6), 10, "hit")
    assert len(seen) > 5
    values = []
    for actions in itertools.product(*seen.values()):
        choice = dict(zip(seen, actions, strict=True))
        values.append(oracle.start_value(policy, (5, 6), 10, "hit").net)
    assert max(values) == oracle.start("CDZ-", (5, 6), 10).actions["hit"].net
    assert min(values) < max(values)


def cells(oracle: Oracle, regime: str, pair: int, upcard: int) -> dict[Cell, tuple[str, ...]]:
    """The decisions of split hands, reached or not, that a regime has to take."""
    found: dict[Cell, tuple[str, ...]] = {}
    plan = oracle.plan_by_hands(pair, upcard)
    for number, hands in plan.items():
        for hand in hands:
            legal = oracle.legal(hand, upcard, pair)
            if len(legal) > 1:
                found[number if regime == "CDP" else 0, hand] = legal
    return found


PLANS = [
    ({"max_split_hands": 2}, 8, 10),
    ({"max_split_hands": 3}, 8, 9),
    ({"max_split_hands": 3, **NO_PEEK}, 8, 10),
    ({"max_split_hands": 3, **NO_PEEK, "dealer_blackjack_takes": "original"}, 8, 10),
]


@pytest.mark.parametrize(("fields", "pair", "upcard"), PLANS)
def test_cdp_against_every_plan(fields: dict[str, Any], pair: int, upcard: int) -> None:
    """With each number of hands in turn, no plan for it does better in the whole round."""
    oracle = Oracle(Rules(**fields), {3: 2, 8: 4, 9: 1, 10: 6})
    best = next(oracle.splits("CDP", pair, upcard))[0]
    choices = cells(oracle, "CDP", pair, upcard)
    for number in oracle.plan_by_hands(pair, upcard):
        at = {cell: legal for cell, legal in choices.items() if cell[0] == number}
        at = {cell: legal for cell, legal in at.items() if total_of(cell[1])[0] < 19}
        values = set()
        for actions in itertools.product(*at.values()):
            changes = dict(zip(at, actions, strict=True))
            policy = oracle.policy("CDP", pair, upcard, changes)
            values.add(oracle.start_sums(policy, (pair, pair), upcard, "split")[0])
        assert max(values) == best
        assert len(values) > 1


@pytest.mark.parametrize(
    ("fields", "pair", "upcard"),
    [
        ({"double_any_cards": True}, 8, 9),
        (NO_PEEK, 3, 10),
        ({"hit_split_aces": True}, 1, 6),
    ],
)
def test_cdp_against_changes_of_two_decisions(
    fields: dict[str, Any], pair: int, upcard: int
) -> None:
    oracle = Oracle(Rules(max_split_hands=2, **fields), {1: 2, 3: 2, 6: 1, 8: 2, 9: 1, 10: 5})
    best = next(oracle.splits("CDP", pair, upcard))[0]
    single = [
        (cell, action)
        for cell, legal in cells(oracle, "CDP", pair, upcard).items()
        for action in legal
        if action != oracle.best_in_split("CDP", pair, upcard, cell)[0]
    ]
    lower = 0
    for one, two in itertools.combinations_with_replacement(single, 2):
        policy = oracle.policy("CDP", pair, upcard, dict((one, two)))
        value = oracle.start_sums(policy, (pair, pair), upcard, "split")[0]
        assert value <= best
        lower += value < best
    assert lower > 10


@pytest.mark.parametrize("fields", [{}, NO_PEEK])
def test_cdp_does_not_depend_on_how_other_hands_are_played(fields: dict[str, Any]) -> None:
    oracle = Oracle(Rules(max_split_hands=3, **fields), {1: 2, 3: 2, 6: 2, 8: 4, 10: 6})
    for upcard in (6, 10):
        plans = [
            oracle.plan_by_hands(8, upcard, always(action)) for action in ("stand", "hit", "double")
        ]
        assert plans[0] == plans[1] == plans[2]


@pytest.mark.parametrize("fields", [{}, NO_PEEK, {**NO_PEEK, "dealer_blackjack_takes": "original"}])
def test_cdp_is_never_below_the_other_regimes(fields: dict[str, Any]) -> None:
    rules = Rules(max_split_hands=3, max_split_hands_aces=3, hit_split_aces=True, **fields)
    oracle = Oracle(rules, {1: 3, 2: 1, 5: 1, 8: 4, 10: 6})
    better = 0
    for pair, upcard in itertools.product((1, 8, 10), (1, 2, 8, 10)):
        cdp = next(oracle.splits("CDP", pair, upcard))[0]
        for regime in ("CDP1", "CDZ-"):
            for net, _ in oracle.splits(regime, pair, upcard):
                assert net <= cdp
                better += net < cdp
    assert better
