"""Rule sets and shoes for tests: shared hypothesis strategies, and a systematic set of both."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Mapping
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
    "max_cards": tuple({"max_cards": most} for most in (None, 3, 4, 6)),
    "insurance": ({}, {"insurance": False, "even_money": False}, {"even_money": False}),
}  # fmt: skip

# Counts by card: 1 (ace) to 9, and 10 to 13 for the four ranks worth ten. Few kinds keep the
# slow twin fast; the high cards make sure that no round can run out of cards.
SHOES: dict[str, dict[int, int]] = {
    "small cards only": {1: 3, 2: 2, 3: 2, 4: 2, 6: 3},
    "rich in eights": {1: 2, 3: 2, 8: 4, 10: 2, 11: 1, 12: 1},
    "no aces": {2: 2, 4: 2, 9: 3, 10: 3, 13: 2},
    "no tens": {1: 2, 4: 2, 7: 2, 8: 3, 9: 3},
    "rich in aces": {1: 4, 5: 2, 7: 1, 10: 4, 11: 4},
    "sixes and sevens": {1: 2, 6: 3, 7: 3, 10: 3, 12: 4},
    "four eights": {1: 3, 8: 4, 9: 2, 10: 4, 11: 4},
    "twos and tens": {1: 1, 2: 2, 9: 3, 10: 5, 12: 5},
    "aces and sixes": {1: 4, 6: 4, 9: 3, 10: 4, 11: 4},
    "four kinds": {1: 3, 2: 1, 8: 3, 10: 4, 11: 4},
}


def most_hands(rules: Rules) -> int:
    return max(rules.max_split_hands, rules.max_split_hands_aces)


def never_runs_out(rules: Rules, shoe: Mapping[int, int]) -> bool:
    """Whether the cards last for every round: 31 to bust a hand, and two for the dealer."""
    pips = sum(min(card, 10) * count for card, count in shoe.items())
    return pips >= 31 * most_hands(rules) + 11


def rules_of(choices: Mapping[str, Mapping[str, Any]]) -> Rules | None:
    """The rule set of these choices, or None if they contradict each other."""
    merged = {name: value for choice in choices.values() for name, value in choice.items()}
    try:
        return Rules(**merged)
    except InputError:
        return None


def covering_rows(
    sizes: Mapping[str, int], strength: int, fits: Callable[[Mapping[str, int]], bool]
) -> list[dict[str, int]]:
    """Rows of setting numbers in which every `strength` settings meet, where they fit together.

    Greedy: each row is the best of some random ones around settings that have not met yet.
    """
    source = random.Random(1)
    names = list(itertools.combinations(sizes, strength))

    def met(row: Mapping[str, int]) -> set[tuple[tuple[str, int], ...]]:
        return {tuple((name, row[name]) for name in some) for some in names}

    missing = {
        tuple(zip(some, numbers, strict=True))
        for some in names
        for numbers in itertools.product(*(range(sizes[name]) for name in some))
    }
    rows: list[dict[str, int]] = []
    while missing:
        goal = min(missing)
        best: dict[str, int] | None = None
        most = 0
        for attempt in range(300):
            if best and attempt >= 20:
                break
            row = {name: source.randrange(size) for name, size in sizes.items()} | dict(goal)
            if fits(row) and (new := len(met(row) & missing)) > most:
                best, most = row, new
        if best is None:  # these settings exclude each other
            missing.remove(goal)
        else:
            missing -= met(best)
            rows.append(best)
    return rows


def covering_cases(
    strength: int,
    shoes: Iterable[str] = tuple(SHOES),
    fields: Iterable[str] = tuple(RULE_CHOICES),
    allowed: Callable[[Rules], bool] = lambda rules: True,
) -> list[tuple[Rules, str]]:
    """Rule sets and shoes in which every few settings of the fields meet, where they can."""
    shoes, fields = tuple(shoes), tuple(fields)

    def case(row: Mapping[str, int]) -> tuple[Rules | None, str]:
        shoe = shoes[row["shoe"]]
        return rules_of({name: RULE_CHOICES[name][row[name]] for name in fields}), shoe

    def fits(row: Mapping[str, int]) -> bool:
        rules, shoe = case(row)
        return rules is not None and allowed(rules) and never_runs_out(rules, SHOES[shoe])

    sizes = {name: len(RULE_CHOICES[name]) for name in fields} | {"shoe": len(shoes)}
    cases = [case(row) for row in covering_rows(sizes, strength, fits)]
    return [(rules, shoe) for rules, shoe in cases if rules]


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
