"""Rule sets and shoes for tests: shared hypothesis strategies, and a systematic set of both."""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from odds.errors import InputError
from odds.rules import Rules

# Rule fields that depend on each other are one choice together.
RULE_CHOICES: dict[str, tuple[dict[str, Any], ...]] = {
    "dealer_blackjack": (
        {"peek": "ace_ten"},
        *(
            {"peek": peek, "dealer_blackjack_takes": takes}
            for peek in ("ace", "none")
            for takes in ("all", "original", "busted_plus_one")
        ),
    ),
    "hit_soft_17": ({"hit_soft_17": False}, {"hit_soft_17": True}),
    "blackjack_pays": tuple({"blackjack_pays": pays} for pays in ("3:2", "6:5", "1", "2")),
    "double_on": tuple({"double_on": t} for t in ("any", "9-11", "10,11", "8,13,18,21")),
    "double_soft": ({"double_soft": True}, {"double_soft": False}),
    "double_any_cards": ({"double_any_cards": False}, {"double_any_cards": True}),
    "double_two_card_21": ({"double_two_card_21": True}, {"double_two_card_21": False}),
    "double_after_split": ({"double_after_split": True}, {"double_after_split": False}),
    "split_by": ({"split_by": "value"}, {"split_by": "rank"}),
    "hands": tuple(
        {"max_split_hands": most, "max_split_hands_aces": aces}
        for most, aces in (
            (1, 1), (2, 1), (2, 2), (3, 2), (3, 3), (4, 1), (4, 4),
        )
    ),
    "split_aces": tuple(
        {"hit_split_aces": hit, "double_split_aces": double}
        for hit, double in ((False, False), (False, True), (True, False), (True, True))
    ),
    "split_ace_ten": tuple({"split_ace_ten": kind} for kind in ("21", "beats_21", "blackjack")),
    "surrender": (
        {"surrender": "none"},
        *(
            {"surrender": kind, "surrender_any_cards": any_cards}
            for kind in ("late", "early", "early_not_ace")
            for any_cards in (False, True)
        ),
    ),
    "stand_on_21": ({"stand_on_21": True}, {"stand_on_21": False}),
    "max_cards": tuple({"max_cards": most} for most in (None, 2, 3, 4, 5)),
    "insurance": ({}, {"insurance": False, "even_money": False}, {"even_money": False}),
}  # fmt: skip

# Counts by card: 1 (ace) to 9, and 10 to 13 for the four ranks worth ten. Few kinds keep the
# slow twin fast; the high cards make sure that no round can run out of cards.
SHOES: dict[str, dict[int, int]] = {
    "small cards only": {1: 3, 2: 3, 3: 2, 4: 3, 6: 3},
    "rich in eights": {1: 2, 3: 2, 6: 1, 8: 4, 10: 2, 11: 1, 12: 1},
    "no aces": {2: 2, 4: 3, 5: 2, 9: 3, 10: 3, 13: 1},
    "no tens": {1: 3, 4: 2, 7: 3, 8: 3, 9: 4},
    "rich in aces": {1: 4, 2: 1, 5: 1, 7: 2, 10: 4, 11: 4},
    "sixes and sevens": {1: 2, 6: 3, 7: 3, 10: 3, 12: 4},
    "four eights": {1: 3, 8: 4, 9: 2, 10: 4, 11: 4},
    "twos and tens": {1: 1, 2: 3, 6: 1, 9: 3, 10: 5, 12: 5},
    "aces and sixes": {1: 4, 6: 4, 9: 3, 10: 4, 11: 4},
}


def most_hands(rules: Rules) -> int:
    return max(rules.max_split_hands, rules.max_split_hands_aces)


def never_runs_out(rules: Rules, shoe: Mapping[int, int]) -> bool:
    """Whether the cards last for every round: 31 to bust a hand, 38 with the dealer's."""
    pips = sum(min(card, 10) * count for card, count in shoe.items())
    return pips >= 38 + 31 * (most_hands(rules) - 1)


def rules_of(choices: Mapping[str, Mapping[str, Any]]) -> Rules | None:
    """The rule set of these choices, or None if they contradict each other."""
    merged = {name: value for choice in choices.values() for name, value in choice.items()}
    try:
        return Rules(**merged)
    except InputError:
        return None


def pairwise_cases(seed: int = 1) -> list[tuple[Rules, str]]:
    """Rule sets and shoes in which every two settings of any two fields meet, where they can."""
    random_source = random.Random(seed)
    factors: dict[str, tuple[Any, ...]] = {**RULE_CHOICES, "shoe": tuple(SHOES)}
    names = tuple(factors)
    pairs = {
        (one, i, two, j)
        for one, two in itertools.combinations(names, 2)
        for i in range(len(factors[one]))
        for j in range(len(factors[two]))
    }
    cases: list[tuple[Rules, str]] = []

    def covered(row: Mapping[str, int]) -> set[tuple[str, int, str, int]]:
        return {(one, row[one], two, row[two]) for one, two in itertools.combinations(names, 2)}

    while pairs:
        one, i, two, j = min(pairs)
        best: tuple[set[tuple[str, int, str, int]], Rules, str] | None = None
        for attempt in range(400):
            if best and attempt >= 40:
                break
            row = {name: random_source.randrange(len(factors[name])) for name in names}
            row |= {one: i, two: j}
            rules = rules_of({name: RULE_CHOICES[name][row[name]] for name in RULE_CHOICES})
            shoe = factors["shoe"][row["shoe"]]
            if rules and never_runs_out(rules, SHOES[shoe]):
                new = covered(row) & pairs
                if best is None or len(new) > len(best[0]):
                    best = new, rules, shoe
        if best is None:  # these two settings exclude each other
            pairs.remove((one, i, two, j))
        else:
            pairs -= best[0]
            cases.append(best[1:])
    return cases


@st.composite
def rules(draw: st.DrawFn) -> Rules:
    """Any rule set without contradictions."""
    choices = {name: draw(st.sampled_from(values)) for name, values in RULE_CHOICES.items()}
    while (drawn := rules_of(choices)) is None:
        choices["split_aces"] = RULE_CHOICES["split_aces"][0]
    return drawn


@st.composite
def tiny_shoes(draw: st.DrawFn, rules: Rules, kinds: int = 5, most: int = 16) -> dict[int, int]:
    """A shoe of few kinds of cards that is large enough for every round under these rules."""
    cards = draw(
        st.lists(st.integers(1, 13), min_size=2, max_size=kinds, unique=True).filter(
            lambda cards: max(cards) >= 8
        )
    )
    shoe = {card: draw(st.integers(1, 3)) for card in sorted(cards)}
    while not never_runs_out(rules, shoe):
        shoe[max(shoe)] += 1
    while sum(shoe.values()) < min(10, most):
        shoe[max(shoe)] += 1
    return shoe
