"""The analyzer against published and independently computed figures."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from odds.cards import parse_value, parse_values
from odds.errors import InputError
from odds.game import GameOdds, analyze
from odds.rules import Rules
from odds.shoe import Shoe
from odds.strategy import Action
from tests.sampling import sample

DATA = Path(__file__).parent / "data"
HANDS = [
    "hands_b_8d_S17_DAS_spl3_ENHC_CDZ",
    "hands_c_6d_S17_DAS_spl3_CDZ",
    "hands_f_1d_H17_DAS_spl3_LS_CDZ",
]


def load(name: str) -> Any:
    return json.loads((DATA / f"{name}.json").read_text())


@cache
def expected_value(rules: Rules, regime: str) -> float:
    return analyze(rules, strategy=regime).expected_value


def reference_rules(row: dict[str, Any]) -> Rules:
    return Rules(
        decks=row["decks"],
        hit_soft_17=row["hit_soft_17"],
        double_on={"any_two": None, "9_10_11": "9-11", "10_11": "10,11"}[row["double_rule"]],
        double_soft=row["double_soft"],
        double_any_cards=row["double_more_than_2_cards"],
        double_after_split=row["double_after_split"],
        max_split_hands=row["max_split_hands"],
        max_split_hands_aces=row["max_split_hands_aces"],
        surrender="late" if row["late_surrender"] else "none",
        blackjack_pays=row["blackjack_pays"],
        peek="ace_ten" if row["dealer_peeks"] else "none",
    )


@pytest.mark.parametrize("hit_soft_17", [False, True], ids=["S17", "H17"])
@pytest.mark.parametrize("decks", [1, 2, 6])
@pytest.mark.parametrize("regime", ["CDZ-", "CDP1"])
@pytest.mark.parametrize("name", ["main_game_peek", "main_game_enhc"])
def test_farmer_full_game_values(name: str, regime: str, decks: int, hit_soft_17: bool) -> None:
    rows = [
        row
        for row in load(name)["results"]
        if row["strategy"] == regime
        and row["rules"]["decks"] == decks
        and row["rules"]["hit_soft_17"] == hit_soft_17
    ]
    for row in rows:
        odds = analyze(reference_rules(row["rules"]), strategy=regime)
        assert odds.expected_value == pytest.approx(row["overall_ev"], rel=0, abs=1e-12), row
        for up, value in row["overall_ev_by_upcard"].items():
            assert odds.value_by_upcard[int(up)] == pytest.approx(value, rel=0, abs=1e-12), row


def test_every_reference_row_is_in_the_test_above() -> None:
    counted = [
        sum(
            row["strategy"] in ("CDZ-", "CDP1") and row["rules"]["decks"] in (1, 2, 6)
            for row in load(name)["results"]
        )
        for name in ("main_game_peek", "main_game_enhc")
    ]
    assert counted == [381, 98]


@pytest.mark.parametrize(
    ("name", "decks"),
    [
        ("main_game_peek", 1),
        ("main_game_peek", 2),
        ("main_game_peek", 6),
        ("main_game_enhc", 2),
        ("main_game_enhc", 6),
    ],
)
def test_farmer_cdp_and_never_below_cdp1(name: str, decks: int) -> None:
    """The reference's CDP is unsound by up to 1.6e-9 and defined a little differently."""
    rows = [
        row
        for row in load(name)["results"]
        if row["strategy"] == "CDP" and row["rules"]["decks"] == decks
    ]
    assert len(rows) > 20
    for row in sample(rows, 6):
        rules = reference_rules(row["rules"])
        cdp = analyze(rules, strategy="CDP").expected_value
        assert cdp == pytest.approx(row["overall_ev"], rel=0, abs=1e-6), row
        assert cdp >= expected_value(rules, "CDP1") - 1e-15, row


@pytest.mark.parametrize("name", HANDS)
def test_farmer_values_by_hand(name: str) -> None:
    reference = load(name)
    rules = reference_rules(reference["rules"])
    odds = analyze(rules, strategy=reference["strategy"])
    assert odds.expected_value == pytest.approx(reference["overall_ev"], rel=0, abs=1e-12)
    for row in reference["hands"]:
        hand = odds.hand(row["player"], row["up"])
        assert hand.probability == pytest.approx(row["prob"], rel=0, abs=1e-14)
        assert hand.dealer_blackjack == pytest.approx(row["p_dealer_bj"], rel=0, abs=1e-14)
        if hand.natural:
            value = hand.values[Action.STAND]
            assert value == pytest.approx(row["best_ev"], rel=0, abs=1e-10)
            continue
        for action in Action:
            value = row[action.value]
            if action in hand.values:
                assert hand.values[action] == pytest.approx(value, rel=0, abs=1e-10), row
            elif action is Action.DOUBLE:
                assert not row["double_allowed"]
            elif action is not Action.HIT:  # the reference lists hits of a hand that is 21
                assert value is None, row
        assert hand.best.value == row["best"], row
    overall = reference["dealer"].pop("overall")
    mean = dict.fromkeys(overall, 0.0)
    for up, totals in reference["dealer"].items():
        ours = odds.dealer_totals(int(up))
        assert ours == pytest.approx(totals, rel=0, abs=1e-10)
        mean = {key: mean[key] + odds.upcard_probability[int(up)] * ours[key] for key in mean}
    assert mean == pytest.approx(overall, rel=0, abs=1e-10)


@pytest.mark.parametrize("regime", ["CDP1", "CDP"])
def test_appendix_9_returns(regime: str) -> None:
    """Within 1e-5: no regime gives all their digits, whose splits are computed in another way.

    Their text says that a split hand's value heeds how many hands were split, not the other
    cards drawn. Valuing each split hand with only the pair cards out, without knowing that the
    siblings' second cards did not pair, moves our CDP from 0.0018312 to 0.0018374 (printed:
    0.001839), from -0.0000802 to -0.0000738 (-0.000072), and from -0.0038023 to -0.0037976
    (-0.003797): that is most of the gap in the games with a peek. Values of hands that are not
    split agree to the digits printed (next test), so nothing else differs.
    """
    published = load("published")["wizard_of_odds_appendix_9"]
    for row in published["rows"]:
        for double_after_split, key in ((True, "das"), (False, "no_das")):
            rules = Rules(
                decks=row["decks"],
                hit_soft_17=row["h17"],
                peek="ace_ten" if row["peek"] else "none",
                double_after_split=double_after_split,
            )
            value = analyze(rules, strategy=regime).expected_value
            assert value == pytest.approx(row[key], rel=0, abs=published["tolerance"])


def test_appendix_9_hands_that_are_not_split() -> None:
    for game in load("appendix_9_hands")["games"]:
        rules = Rules(
            decks=game["decks"],
            hit_soft_17=game["h17"],
            peek="ace_ten" if game["peek"] else "none",
        )
        odds = analyze(rules)
        for up, cards, *printed in game["rows"]:
            hand = odds.hand(parse_values(cards), parse_value(up))
            for action, value in zip(
                (Action.STAND, Action.HIT, Action.DOUBLE), printed, strict=True
            ):
                # half a unit of the sixth digit; their doubled 4,3 on two decks is 0.507 off
                assert abs(hand.values[action] - value) < 0.51e-6, (game["decks"], cards, action)


@pytest.mark.parametrize(
    "rules",
    [
        Rules(),
        Rules(peek="none", surrender="early", split_by="rank", hit_soft_17=True),
        Rules(decks=1, peek="none", dealer_blackjack_takes="busted_plus_one", max_split_hands=2),
    ],
    ids=str,
)
def test_removed_card_average_is_the_full_shoe(rules: Rules) -> None:
    """A card dealt face down to nobody changes nothing as long as the strategy stays."""
    full = analyze(rules, strategy="CDP1" if rules.max_split_hands > 2 else "CDZ-")
    average = 0.0
    action = 0.0
    for rank in "A23456789TJQK":
        less = analyze(rules, full.shoe.remove(f"{rank}S"), full.strategy)
        average += less.expected_value / 13
        action += less.average_action / 13
    assert average == pytest.approx(full.expected_value, rel=0, abs=1e-12)
    assert action == pytest.approx(full.average_action, rel=0, abs=1e-12)


@pytest.mark.parametrize("regime", ["CDZ-", "CDP1", "CDP"])
def test_a_strategy_of_its_own_reproduces_the_game(regime: str) -> None:
    rules = Rules(decks=2, surrender="late", max_split_hands_aces=3)
    found = analyze(rules, strategy=regime)
    again = analyze(rules, strategy=found.strategy)
    assert again.expected_value == pytest.approx(found.expected_value, rel=0, abs=1e-14)
    assert again.average_action == pytest.approx(found.average_action, rel=0, abs=1e-14)


def test_original_bet_only_without_peek_is_the_game_with_peek() -> None:
    peek = analyze(Rules(surrender="late"))
    original = analyze(Rules(peek="none", dealer_blackjack_takes="original", surrender="late"))
    assert original.expected_value == pytest.approx(peek.expected_value, rel=0, abs=1e-14)


def test_a_peek_at_aces_lies_between() -> None:
    values = [analyze(Rules(peek=peek)).expected_value for peek in ("none", "ace", "ace_ten")]
    assert values[0] < values[1] < values[2]
    by_upcard = [analyze(Rules(peek=peek)).value_by_upcard for peek in ("none", "ace", "ace_ten")]
    assert by_upcard[1][1] == pytest.approx(by_upcard[2][1], rel=0, abs=1e-15)
    assert by_upcard[1][10] == pytest.approx(by_upcard[0][10], rel=0, abs=1e-15)


def test_starting_hands_are_a_distribution() -> None:
    for rules in (Rules(), Rules(decks=1, split_by="rank", peek="none")):
        odds = analyze(rules)
        hands = odds.starting_hands()
        assert sum(hand.probability or 0 for hand in hands) == pytest.approx(1, rel=0, abs=1e-13)
        mean = sum((hand.probability or 0) * max(hand.unconditional.values()) for hand in hands)
        assert mean == pytest.approx(odds.expected_value, rel=0, abs=1e-13)
        assert sum(odds.upcard_probability.values()) == pytest.approx(1, rel=0, abs=1e-15)
        for up in range(1, 11):
            assert sum(odds.dealer_totals(up).values()) == pytest.approx(1, rel=0, abs=1e-14)


def test_conditional_values_are_the_unconditional_ones_given_no_blackjack() -> None:
    odds = analyze(Rules())
    hand = odds.hand((8, 8), 10)
    chance = hand.dealer_blackjack
    assert chance == pytest.approx(24 / 309)  # 24 aces among 309 unseen cards
    for action, value in hand.unconditional.items():
        assert value == pytest.approx(hand.values[action] * (1 - chance) - chance)
    assert not odds.hand((8, 8), 9).conditional
    assert not analyze(Rules(peek="none")).hand((8, 8), 10).conditional


def test_insurance_and_even_money() -> None:
    odds = analyze(Rules(decks=1))
    insurance = odds.hand((10, 9), 1).insurance
    assert insurance == pytest.approx(float(3 * Fraction(15, 49) - 1))
    natural = odds.hand((10, 1), 1)
    # waiting wins 3/2 unless one of 15 tens among 49 cards is in the hole
    assert natural.even_money == pytest.approx(float(1 - Fraction(3, 2) * Fraction(34, 49)))
    assert odds.hand((10, 1), 9).insurance is None
    assert analyze(Rules(insurance=False, even_money=False)).hand((10, 1), 1).even_money is None


def test_depleted_shoes_without_a_rank() -> None:
    no_aces = Shoe.decks(2).without_ranks([card.rank for card in [*_cards("AS")]])
    odds = analyze(Rules(), no_aces)
    assert 1 not in odds.value_by_upcard
    assert odds.dealer_totals(10)["blackjack"] == 0
    assert sum(hand.probability or 0 for hand in odds.starting_hands()) == pytest.approx(1)
    no_tens = Shoe.decks(6).without_ranks([card.rank for card in _cards("TS", "JS", "QS", "KS")])
    for regime in ("CDZ-", "CDP1", "CDP"):
        odds = analyze(Rules(), no_tens, regime)
        assert odds.hand((1, 9), 1).dealer_blackjack == 0
        assert sum(hand.probability or 0 for hand in odds.starting_hands()) == pytest.approx(1)


def _cards(*names: str) -> list[Any]:
    from odds.cards import Card

    return [Card.parse(name) for name in names]


def test_progress_reports_and_cancels() -> None:
    seen: list[float] = []
    analyze(Rules(decks=3), progress=lambda done, what: seen.append(done))
    assert seen == sorted(seen)
    assert seen[0] == 0
    assert seen[-1] == 1

    def cancel(done: float, what: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        analyze(Rules(decks=3), progress=cancel)


def game() -> GameOdds:
    return analyze(Rules(decks=1, max_cards=5))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: analyze(Rules(), strategy="basic"), "strategy = 'basic'"),
        (lambda: analyze(Rules(), Shoe.from_values([4] * 4 + [0] * 6)), "shoe = "),
        # tens that are hit would take the last card and leave the dealer one
        (
            lambda: analyze(
                Rules(max_split_hands=1, max_split_hands_aces=1),
                Shoe.from_values([0] * 7 + [1, 0, 3]),
            ),
            "42 pips or more",
        ),
        (lambda: Shoe.from_values([-1] * 10), "count of A = -1"),
        (lambda: Rules(decks=0), "decks = 0"),
        (lambda: game().hand((10, 10, 2), 5), "total of at most 21"),
        (lambda: game().hand((5,), 5), "two or more"),
        (lambda: game().hand((11, 5), 5), "from 1"),
        (lambda: game().hand((5, 5), 0), "upcard = 0"),
        (lambda: game().hand((5, 5, 5), 5, None), None),
        (lambda: game().hand((2, 2, 2, 2), 2), "which has 4 of 2"),
        (lambda: game().hand((1, 2, 3, 4, 5, 6), 2), "max_cards = 5"),
    ],
)
def test_bad_input_gets_one_clear_error(call: Any, message: str | None) -> None:
    if message is None:
        call()
        return
    with pytest.raises(InputError, match="allowed is") as error:
        call()
    assert message in str(error.value)


def test_rule_changes_move_the_edge_the_known_way() -> None:
    base = Rules()
    edge = analyze(base).house_edge
    for better in (
        replace(base, surrender="late"),
        replace(base, surrender="early"),
        replace(base, max_split_hands_aces=4),
        replace(base, hit_split_aces=True),
        replace(base, hit_split_aces=True, double_split_aces=True),
        replace(base, double_any_cards=True),
        replace(base, split_ace_ten="beats_21"),
        replace(base, split_ace_ten="blackjack"),
        replace(base, decks=5),
    ):
        assert analyze(better).house_edge < edge, better
    for worse in (
        replace(base, hit_soft_17=True),
        replace(base, double_after_split=False),
        replace(base, double_on="9-11"),
        replace(base, double_soft=False),
        replace(base, max_split_hands=2),
        replace(base, split_by="rank"),
        replace(base, peek="none"),
        replace(base, blackjack_pays="6:5"),
        replace(base, max_cards=3),
        replace(base, decks=7),
    ):
        assert analyze(worse).house_edge >= edge, worse
