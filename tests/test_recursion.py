"""The definition by hand, by identities, against reference figures; the analyzer against it."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from odds.errors import InputError
from odds.game import GameOdds, analyze
from odds.recursion import (
    Hand,
    SplitPlay,
    Table,
    action_value,
    dealer_distribution,
    draws,
    game_value,
    given_no_blackjack,
    hand_values,
)
from odds.recursion_rules import legal_actions
from odds.rules import Rules
from odds.shoe import Shoe
from odds.strategy import Action

DATA = Path(__file__).parent / "data"
REFERENCE = {
    "hands_b_8d_S17_DAS_spl3_ENHC_CDZ": Rules(decks=8, peek="none"),
    "hands_c_6d_S17_DAS_spl3_CDZ": Rules(),
    "hands_f_1d_H17_DAS_spl3_LS_CDZ": Rules(decks=1, hit_soft_17=True, surrender="late"),
}


@cache
def reference(name: str) -> Any:
    return json.loads((DATA / f"{name}.json").read_text())


# ---------------------------------------------------------------- by hand


def test_a_hard_sixteen_by_hand() -> None:
    # 10,6 against 10; an ace, two fives and an eight are left.
    # Double: ace (1/4) makes 17. Of 5, 5, 8 the hole card is 5 (2/3): 15, then 5 wins at 20 or 8
    #     busts, 0 on average; or 8: 18 wins. -2 x 1/3 = -2/3.
    #   Five (1/2) makes 21. Of A, 5, 8 the hole card is A (1/3): blackjack takes x; 5 leads to
    #     16 and 24, or 23: +2; 8 makes 18: +2. (4 - x)/3.
    #   Eight (1/4) busts: the bet of 2, or what a blackjack (1/3) takes of it, y: -4/3 - y/3.
    #   In all -1/6 + (4 - x)/6 - 1/3 - y/12.
    shoe = Shoe.from_values((1, 0, 0, 0, 2, 1, 0, 1, 0, 2))
    for rules, x, y in (
        (Rules(), 1, 1),
        (Rules(peek="none"), 2, 2),
        (Rules(peek="none", dealer_blackjack_takes="original"), 1, 1),
        (Rules(peek="none", dealer_blackjack_takes="busted_plus_one"), 1, 2),
    ):
        doubled = action_value(rules, shoe, (10, 6), 10, Action.DOUBLE)
        assert doubled == Fraction(-2, 12) + Fraction(4 - x, 6) - Fraction(1, 3) - Fraction(y, 12)
    # Stand: A (1/4) is a blackjack, 8 (1/4) makes 18. A five (1/2) makes 15; then 5 (1/3) makes
    # 20, 8 (1/3) busts, A (1/3) makes 16, which a 5 (1/2) makes 21 or an 8 (1/2) busts:
    # -1/3 + 1/3 + 0 = 0.
    values = hand_values(Rules(surrender="late"), shoe, (10, 6), 10)
    assert values[Action.STAND] == Fraction(-1, 2)
    # Surrender: half, but a blackjack (1/4) takes all of it; given none, half.
    assert values[Action.SURRENDER] == Fraction(-5, 8)
    assert given_no_blackjack(values[Action.SURRENDER], shoe, (10, 6), 10) == Fraction(-1, 2)
    early = hand_values(Rules(surrender="early"), shoe, (10, 6), 10)
    assert early[Action.SURRENDER] == Fraction(-1, 2)


def test_a_split_by_hand() -> None:
    # 8,8 against 9; 9, 10, 10 are left: each hand gets a card and stands, any card more busts it.
    # Dealer 9,9: two hands of 18 push. Dealer 9,10 (2/3): hands of 17 and 18 lose.
    shoe = Shoe.from_values((0, 0, 0, 0, 0, 0, 0, 2, 2, 2))
    assert action_value(Rules(), shoe, (8, 8), 9, Action.SPLIT) == Fraction(-4, 3)


def test_a_game_by_hand() -> None:
    # Five nines and nine tens, no splitting: both sides stand on two cards, so the game is even.
    rules = Rules(max_split_hands=1, max_split_hands_aces=1, double_on=(4,))
    assert game_value(rules, Shoe.from_values((0, 0, 0, 0, 0, 0, 0, 0, 5, 9))) == 0
    # With an ace, either side's natural wins and the player's is paid half a unit more. And 18
    # against a ten loses to 19 and 20, so the player hits 9,9: an ace makes a push with 10,9.
    bonus = Fraction(2 * 1 * 9, 15 * 14) / 2
    push = Fraction(5 * 4 * 9 * 1 * 3, 15 * 14 * 13 * 12 * 11)
    assert game_value(rules, Shoe.from_values((1, 0, 0, 0, 0, 0, 0, 0, 5, 9))) == bonus + push


# ---------------------------------------------------------------- identities


@pytest.mark.parametrize("upcard", range(1, 11))
@pytest.mark.parametrize("hit_soft_17", [False, True])
def test_dealer_distribution_sums_to_one(upcard: int, hit_soft_17: bool) -> None:
    for shoe in (Shoe.decks(6), Shoe.from_values((3, 1, 0, 2, 5, 0, 1, 2, 0, 7))):
        law = dealer_distribution(Rules(hit_soft_17=hit_soft_17), shoe.by_value, upcard)
        assert sum(law.values()) == 1


@pytest.mark.parametrize("upcard", [1, 6, 10])
def test_a_card_burnt_unseen_changes_nothing(upcard: int) -> None:
    rules = Rules(decks=1, hit_soft_17=True)
    shoe, hand = Shoe.decks(1), (8, 10)
    left = list(shoe.by_value)
    for card in (*hand, upcard):
        left[card - 1] -= 1
    mean = sum(
        Fraction(count, 49)
        * action_value(
            rules, Shoe.from_values(fewer(shoe.by_value, kind)), hand, upcard, Action.STAND
        )
        for kind, count in enumerate(left)
    )
    assert mean == action_value(rules, shoe, hand, upcard, Action.STAND)


def fewer(counts: tuple[int, ...], kind: int) -> tuple[int, ...]:
    return next(rest for other, _, _, rest in draws(counts) if other == kind)


class WithOneChange(SplitPlay):
    """Split play with another action for one hand at one number of hands."""

    change: tuple[Hand, int, Action] | None = None

    def decide(self, hand: Hand, hands: int) -> Action:
        if self.change is not None and self.change[:2] == (hand, hands):
            return self.change[2]
        return super().decide(hand, hands)


@pytest.mark.parametrize("peek", ["ace_ten", "none"])
@pytest.mark.parametrize(("card", "upcard"), [(1, 10), (6, 10)])
def test_no_single_change_improves_cdp(peek: Any, card: int, upcard: int) -> None:
    rules = Rules(peek=peek, max_split_hands=3, max_split_hands_aces=3, hit_split_aces=True)
    table = Table(rules, Shoe.from_values((4, 0, 0, 0, 0, 4, 0, 0, 0, 8)), upcard)
    totals = {regime: SplitPlay(table, card, regime).total() for regime in ("CDZ-", "CDP1", "CDP")}
    assert totals["CDP"] >= totals["CDP1"]
    assert totals["CDP"] >= totals["CDZ-"]
    base = SplitPlay(table, card, "CDP")
    base.total()
    changes = 0
    for hand, hands in vars(base)["known_decide"]:
        for action in legal_actions(rules, hand, upcard, card) if sum(hand) <= 21 else ():
            if action is not base.decide(hand, hands):
                other = WithOneChange(table, card, "CDP")
                other.change = (hand, hands, action)
                assert other.total() <= totals["CDP"]
                changes += 1
    assert changes > 10


def test_cdp_is_cdp1_when_there_are_two_hands() -> None:
    shoe = Shoe.from_values((3, 0, 0, 0, 4, 2, 0, 0, 0, 9))
    rules = Rules(max_split_hands=2)
    assert game_value(rules, shoe, "CDP") == game_value(rules, shoe, "CDP1")
    assert game_value(rules, shoe, "CDP") != game_value(rules, shoe, "CDZ-")


# ---------------------------------------------------------------- reference figures


@pytest.mark.parametrize("name", REFERENCE)
def test_dealer_distribution_against_reference(name: str) -> None:
    rules = REFERENCE[name]
    for upcard, figures in reference(name)["dealer"].items():
        if upcard == "overall":
            continue
        left = fewer(Shoe.decks(rules.decks).by_value, int(upcard) - 1)
        law = dealer_distribution(rules, left, int(upcard))
        for result, figure in figures.items():
            assert float(law[result]) == pytest.approx(figure, abs=1e-10)


@pytest.mark.parametrize(
    ("hand", "upcard", "actions"),
    [
        ((2, 3), 2, "stand double"),
        ((5, 6), 6, "stand double"),
        ((8, 9), 1, "stand hit double"),
        ((1, 7), 3, "stand double"),
        ((6, 10), 10, "stand hit double"),
        ((7, 9), 10, "stand hit double"),
        ((5, 6), 10, "stand hit double"),
        ((10, 10), 6, "stand hit double"),
        ((1, 1), 10, "split"),
        ((1, 1), 6, "split"),
        ((1, 10), 1, "stand"),
        ((1, 10), 10, "stand"),
    ],
)
@pytest.mark.parametrize("name", REFERENCE)
def test_full_shoe_hands_against_reference(
    name: str, hand: Hand, upcard: int, actions: str
) -> None:
    rules, shoe = REFERENCE[name], Shoe.decks(REFERENCE[name].decks)
    row = next(
        row
        for row in reference(name)["hands"]
        if tuple(row["player"]) == hand and row["up"] == upcard
    )
    for action in actions.split():
        value = action_value(rules, shoe, hand, upcard, Action(action))
        if rules.peeks_under(upcard):
            value = given_no_blackjack(value, shoe, hand, upcard)
        assert float(value) == pytest.approx(row[action], abs=1e-10)


def test_every_hand_of_a_deck_against_reference() -> None:
    name = "hands_f_1d_H17_DAS_spl3_LS_CDZ"
    rules, shoe = REFERENCE[name], Shoe.decks(1)
    rows = [row for row in reference(name)["hands"] if row["up"] == 10]
    for row in rows:
        hand = tuple(row["player"])
        values = {a: action_value(rules, shoe, hand, 10, a) for a in Action if a != Action.SPLIT}
        for action, value in values.items():
            if hand != (1, 10) or action is Action.STAND:
                seen = float(given_no_blackjack(value, shoe, hand, 10))
                assert seen == pytest.approx(row[action.value], abs=1e-10)
    assert len(rows) == 55


# ---------------------------------------------------------------- the analyzer

SHOES = [
    Shoe.from_ranks({"A": 2, "5": 3, "7": 3, "T": 3, "J": 3, "Q": 1, "K": 3}),
    Shoe.from_ranks({"A": 4, "3": 4, "6": 2, "T": 4, "J": 3, "Q": 2, "K": 2}),  # four of a pair
]
BASES: dict[str, dict[str, Any]] = {
    "peek": {},
    "no peek": {"peek": "none"},
    "loose": {
        "peek": "none",
        "dealer_blackjack_takes": "busted_plus_one",
        "double_any_cards": True,
        "stand_on_21": False,
        "hit_split_aces": True,
        "double_split_aces": True,
        "split_ace_ten": "beats_21",
        "surrender": "early",
        "surrender_any_cards": True,
        "max_split_hands": 3,
        "max_split_hands_aces": 3,
    },
}
NO_SPLIT_ACES: dict[str, Any] = {
    "max_split_hands_aces": 1,
    "hit_split_aces": False,
    "double_split_aces": False,
}
CHANGES: list[dict[str, Any]] = [
    {"hit_soft_17": True},
    {"peek": "ace"},
    {"peek": "ace", "dealer_blackjack_takes": "original"},
    {"peek": "ace", "dealer_blackjack_takes": "busted_plus_one"},
    {"peek": "none"},
    {"peek": "none", "dealer_blackjack_takes": "all"},
    {"peek": "none", "dealer_blackjack_takes": "original"},
    {"peek": "none", "dealer_blackjack_takes": "busted_plus_one"},
    {"blackjack_pays": "6:5"},
    {"double_on": "9-11"},
    {"double_on": (8, 13, 21)},
    {"double_soft": False},
    {"double_any_cards": True},
    {"double_after_split": False, "double_split_aces": False},
    {"split_by": "rank"},
    {"max_split_hands": 1, **NO_SPLIT_ACES},
    {"max_split_hands": 2, "max_split_hands_aces": 2},
    {"max_split_hands": 3},
    {"max_split_hands": 4},
    {"max_split_hands": 4, "split_by": "rank"},
    NO_SPLIT_ACES,
    {"max_split_hands_aces": 2},
    {"max_split_hands_aces": 3},
    {"hit_split_aces": True},
    {"double_split_aces": True},
    {"hit_split_aces": True, "double_split_aces": True},
    {"hit_split_aces": True, "split_ace_ten": "beats_21", "max_split_hands_aces": 3},
    {"split_ace_ten": "21"},
    {"split_ace_ten": "beats_21"},
    {"split_ace_ten": "blackjack"},
    {"peek": "none", "dealer_blackjack_takes": "original", "split_ace_ten": "blackjack"},
    {"peek": "none", "dealer_blackjack_takes": "busted_plus_one", "split_ace_ten": "blackjack"},
    {"surrender": "late"},
    {"surrender": "early"},
    {"surrender": "early_not_ace"},
    {"surrender": "late", "surrender_any_cards": True},
    {"surrender": "early", "surrender_any_cards": True},
    {"surrender": "early_not_ace", "surrender_any_cards": True},
    {"stand_on_21": False},
    {"stand_on_21": False, "double_two_card_21": False},
    {"stand_on_21": False, "double_any_cards": True, "double_two_card_21": False},
    {"max_cards": 3},
    {"max_cards": 4},
]


def rule_sets() -> list[Any]:
    sets = []
    for name, base in BASES.items():
        sets += [pytest.param(Rules(**base), regime, id=f"{name}-{regime}") for regime in REGIMES]
        for number, change in enumerate(CHANGES):
            if {**base, **change} == base:
                continue
            text = " ".join(f"{field}={value}" for field, value in change.items())
            regime = REGIMES[number % len(REGIMES)]
            sets.append(pytest.param(Rules(**{**base, **change}), regime, id=f"{name} {text}"))
    return sets


REGIMES = ("CDZ-", "CDP1", "CDP")


def compare_hands(rules: Rules, shoe: Shoe, regime: str, odds: GameOdds) -> None:
    expected, total = 0.0, 0.0
    for hand in odds.starting_hands():
        same_rank = hand.same_rank is not False
        values = hand_values(rules, shoe, hand.cards, hand.upcard, regime, same_rank)
        assert set(values) == set(hand.unconditional)
        for action, value in values.items():
            assert hand.unconditional[action] == pytest.approx(float(value), abs=1e-12)
        assert hand.probability is not None
        expected += hand.probability * float(max(values.values()))
        total += hand.probability
    assert total == pytest.approx(1, abs=1e-12)
    assert odds.expected_value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("rules", "regime"), rule_sets())
def test_analyzer_on_a_small_shoe_for_every_rule(rules: Rules, regime: str) -> None:
    for shoe in SHOES:
        compare_hands(rules, shoe, regime, analyze(rules, shoe, regime))


@pytest.mark.parametrize("regime", REGIMES)
@pytest.mark.parametrize("split_by", ["value", "rank"])
def test_analyzer_value_of_a_small_game(split_by: Any, regime: str) -> None:
    shoe = Shoe.from_ranks({"A": 3, "5": 4, "6": 2, "T": 4, "J": 2, "Q": 2, "K": 1})
    rules = Rules(max_split_hands=3, max_split_hands_aces=3, split_by=split_by, peek="none")
    value = game_value(rules, shoe, regime)
    assert analyze(rules, shoe, regime).expected_value == pytest.approx(float(value), abs=1e-12)


@cache
def full_shoe_odds() -> GameOdds:
    return analyze(FULL)


FULL = Rules(
    peek="none",
    dealer_blackjack_takes="original",
    double_any_cards=True,
    surrender="late",
    surrender_any_cards=True,
    stand_on_21=False,
    split_ace_ten="beats_21",
)


@pytest.mark.parametrize(
    ("hand", "upcard"),
    [((6, 10), 10), ((2, 4, 10), 10), ((1, 3, 9), 10), ((5, 5, 6), 1), ((7, 7, 7), 7), ((1, 1), 9)],
)
def test_analyzer_on_full_shoe_hands(hand: Hand, upcard: int) -> None:
    found = full_shoe_odds().hand(hand, upcard)
    values = found.unconditional
    for action in legal_actions(FULL, hand, upcard):
        if hand != (1, 1) or action is Action.SPLIT:
            value = action_value(FULL, Shoe.decks(6), hand, upcard, action)
            assert values[action] == pytest.approx(float(value), abs=1e-12)


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("hand", "upcard", "action"),
    [
        ((10, 10), 10, Action.STAND),  # two tens in the shoe
        ((0, 8), 8, Action.STAND),
        ((8, 8), 11, Action.STAND),
        ((8, 8), 0, Action.STAND),
        ((8, 10), 8, Action.SPLIT),
        ((8,), 8, Action.STAND),
        ((8, 8, 8), 10, Action.STAND),
        ((9, 9), 8, Action.HIT),  # nobody can finish: the shoe is empty
    ],
)
def test_bad_input(hand: Hand, upcard: int, action: Action) -> None:
    shoe = Shoe.from_values((0, 0, 0, 0, 0, 0, 0, 3, 2, 2))
    if upcard == 8 and action is Action.HIT:
        shoe = Shoe.from_values((0, 0, 0, 0, 0, 0, 0, 1, 2, 0))
    with pytest.raises(InputError):
        action_value(Rules(), shoe, hand, upcard, action)
