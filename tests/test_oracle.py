"""The slow twin of the analyzer against arithmetic by hand and against every order of the cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import factorial, perm
from typing import Any

import pytest

from odds.rules import Rules
from tests.oracle import (
    BEATS_21,
    BLACKJACK,
    BUST,
    Context,
    Policy,
    Rounds,
    add,
    always,
    is_ace_ten,
    legal_actions,
    mixed,
    most_hands,
    score,
    settle,
    total_of,
)
from tests.oracle_optimum import Oracle

F = Fraction
NO_PEEK: dict[str, Any] = {"peek": "none"}


@pytest.mark.parametrize(
    ("hand", "total"),
    [
        ((10, 12), (20, False)),
        ((1, 13), (21, True)),
        ((1, 1), (12, True)),
        ((1, 5, 10), (16, False)),
        ((1, 1, 1, 8), (21, True)),
        ((1, 1, 9, 10), (21, False)),
        ((2, 10, 11), (22, False)),
    ],
)
def test_totals(hand: tuple[int, ...], total: tuple[int, bool]) -> None:
    assert total_of(hand) == total


@pytest.mark.parametrize(
    ("fields", "hand", "pair", "legal"),
    [
        ({}, (10, 6), None, "stand hit double"),
        ({}, (1, 10), None, "stand"),
        ({"stand_on_21": False}, (1, 10), None, "stand"),
        ({"stand_on_21": False}, (1, 10), 10, "stand hit double"),
        ({"stand_on_21": False, "double_two_card_21": False}, (1, 10), 10, "stand hit"),
        ({"stand_on_21": False, "double_any_cards": True}, (5, 6, 10), None, "stand hit double"),
        ({"double_any_cards": True}, (5, 6, 10), None, "stand"),
        ({"double_on": "9-11"}, (3, 5), None, "stand hit"),
        ({"double_on": "9-11"}, (3, 6), None, "stand hit double"),
        ({"double_on": "18"}, (1, 7), None, "stand hit double"),
        ({"double_soft": False}, (1, 7), None, "stand hit"),
        ({"double_soft": False}, (1, 6, 10), None, "stand hit"),
        ({"double_any_cards": True}, (2, 3, 4), None, "stand hit double"),
        ({"double_any_cards": True, "double_after_split": False}, (2, 3, 4), 2, "stand hit"),
        ({"double_after_split": False}, (8, 3), 8, "stand hit"),
        ({}, (8, 8), None, "stand hit double split"),
        ({"max_split_hands": 1, "max_split_hands_aces": 1}, (8, 8), None, "stand hit double"),
        ({"max_split_hands_aces": 1}, (1, 1), None, "stand hit double"),
        ({}, (10, 10), None, "stand hit double split"),
        ({"split_by": "rank"}, (10, 11), None, "stand hit double"),
        ({"split_by": "rank"}, (11, 11), None, "stand hit double split"),
        ({}, (1, 7), 1, "stand"),
        ({"hit_split_aces": True}, (1, 7), 1, "stand hit"),
        ({"double_split_aces": True}, (1, 7), 1, "stand double"),
        ({"hit_split_aces": True, "double_split_aces": True}, (1, 1), 1, "stand hit double"),
        ({"hit_split_aces": True, "double_split_aces": True}, (1, 2, 3), 1, "stand hit"),
        ({"surrender": "late"}, (9, 7), None, "stand hit double surrender"),
        ({"surrender": "late"}, (9, 7), 9, "stand hit double"),
        ({"surrender": "late"}, (2, 5, 9), None, "stand hit"),
        (
            {"surrender": "early", "surrender_any_cards": True},
            (2, 5, 9),
            None,
            "stand hit surrender",
        ),
        ({"max_cards": 3}, (2, 5, 9), None, "stand"),
        ({"max_cards": 3}, (5, 9), None, "stand hit double"),
    ],
)
def test_legal_actions(
    fields: dict[str, Any], hand: tuple[int, ...], pair: int | None, legal: str
) -> None:
    assert legal_actions(Rules(**fields), tuple(sorted(hand)), 9, pair) == tuple(legal.split())


def test_surrender_except_against_an_ace() -> None:
    rules = Rules(surrender="early_not_ace")
    assert "surrender" in legal_actions(rules, (7, 9), 10)
    assert "surrender" not in legal_actions(rules, (7, 9), 1)


def test_scores_of_an_ace_and_a_ten() -> None:
    kinds = {"21": 21, "beats_21": BEATS_21, "blackjack": BLACKJACK}
    for kind, points in kinds.items():
        rules = Rules(split_ace_ten=kind)  # type: ignore[arg-type]
        assert score(rules, (1, 12), split=True) == points
        assert score(rules, (1, 12), split=False) == BLACKJACK
        assert score(rules, (1, 2, 8), split=True) == 21


@pytest.mark.parametrize(
    ("hands", "dealer", "net"),
    [
        ([(20, 1)], 19, 1),
        ([(20, 2)], 20, 0),
        ([(16, 2)], 17, -2),
        ([(16, 1)], BUST, 1),
        ([(BUST, 1)], BUST, -1),
        ([(BUST, 2), (18, 1), (19, 2)], 18, 0),
        ([(BLACKJACK, 1)], 21, F(3, 2)),
        ([(BEATS_21, 1)], 21, 1),
        ([(21, 1)], 21, 0),
    ],
)
def test_settlement_without_a_dealer_blackjack(
    hands: list[tuple[int, int]], dealer: int, net: Fraction
) -> None:
    assert settle(Rules(), tuple(hands), dealer) == net


@pytest.mark.parametrize(
    ("hands", "takes_all", "original", "busted_plus_one"),
    [
        ([(20, 1)], -1, -1, -1),
        ([(20, 2)], -2, -1, -1),
        ([(BUST, 1)], -1, -1, -1),
        ([(BUST, 2)], -2, -1, -2),
        ([(BUST, 2), (20, 2)], -4, -1, -3),
        ([(BUST, 2), (BUST, 1)], -3, -1, -3),
        ([(20, 1), (16, 2), (21, 1)], -4, -1, -1),
        ([(BEATS_21, 1)], -1, -1, -1),
        ([(BLACKJACK, 1)], 0, 0, 0),
        ([(BLACKJACK, 1), (20, 2)], -2, -1, -1),
        ([(BLACKJACK, 1), (BUST, 2)], -2, -1, -2),
        ([(BLACKJACK, 1), (BLACKJACK, 1)], 0, -1, 0),  # the round loses its original bet
    ],
)
def test_settlement_of_a_dealer_blackjack(
    hands: list[tuple[int, int]], takes_all: int, original: int, busted_plus_one: int
) -> None:
    for takes, net in (
        ("all", takes_all),
        ("original", original),
        ("busted_plus_one", busted_plus_one),
    ):
        rules = Rules(peek="none", dealer_blackjack_takes=takes)  # type: ignore[arg-type]
        assert settle(rules, tuple(hands), BLACKJACK) == net


# Every order of the cards


def orders(shoe: Mapping[int, int], dealt: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Every distinct order of the cards, each as likely as any other."""
    if not any(shoe.values()):
        yield dealt
    for card, count in shoe.items():
        if count:
            yield from orders({**shoe, card: count - 1}, (*dealt, card))


def dealer_play(hand: list[int], cards: list[int], hit_soft_17: bool) -> int:
    while True:
        total, soft = total_of(tuple(sorted(hand)))
        if len(hand) == 2 and total == 21:
            return BLACKJACK
        if total > 21:
            return BUST
        if len(hand) > 1 and (total > 17 or (total == 17 and not (soft and hit_soft_17))):
            return total
        hand.append(cards.pop(0))


def deal_round(order: tuple[int, ...], rules: Rules, policy: Policy) -> tuple[Fraction, int]:
    """One round from the top of one order of the shoe: net result and units bet."""
    cards = list(order)
    first = tuple(sorted((cards.pop(0), cards.pop(0))))
    upcard = cards.pop(0)
    dealer = [upcard]
    peeked = {"ace_ten": upcard in (1, 10), "ace": upcard == 1, "none": False}[rules.peek]
    if peeked:
        dealer.append(cards.pop(0))

    def decide(hand: tuple[int, ...], pair: int | None, hands: int) -> str:
        legal = legal_actions(rules, hand, upcard, pair)
        return "stand" if len(legal) == 1 else policy(Context(hand, upcard, pair, hands, legal))

    def play(hand: tuple[int, ...], pair: int | None, hands: int) -> tuple[int, int]:
        while True:
            action = decide(hand, pair, hands)
            if action == "stand":
                return score(rules, hand, pair is not None), 1
            hand = add(hand, cards.pop(0))
            if action == "double" or total_of(hand)[0] > 21:
                return score(rules, hand, pair is not None), 2 if action == "double" else 1

    action = decide(first, None, 1)
    if action == "surrender" and rules.surrender != "late":
        return F(-1, 2), 1
    if peeked and is_ace_ten(tuple(sorted(dealer))):
        return F(0) if is_ace_ten(first) else F(-1), 1
    if action == "surrender":
        blackjack = dealer_play(dealer, cards, rules.hit_soft_17) == BLACKJACK
        return F(-1) if blackjack else F(-1, 2), 1
    done = []
    if action == "split":
        pair, waiting, hands = first[0], 2, 2
        while waiting:
            second = cards.pop(0)
            if second == pair and hands < most_hands(rules, pair):
                waiting, hands = waiting + 1, hands + 1
            else:
                waiting -= 1
                done.append(play(add((pair,), second), pair, hands))
    else:
        done.append(play(first, None, 1))
    if all(points == BUST for points, _ in done):
        dealer += [] if peeked else [cards.pop(0)]
        ending = BLACKJACK if is_ace_ten(tuple(dealer)) else BUST
    else:
        ending = dealer_play(dealer, cards, rules.hit_soft_17)
    return settle(rules, tuple(done), ending), sum(bet for _, bet in done)


@pytest.mark.parametrize("hit_soft_17", [False, True])
def test_dealer_by_every_order(hit_soft_17: bool) -> None:
    shoe = {1: 2, 2: 1, 4: 1, 6: 2, 10: 2}
    rules = Rules(hit_soft_17=hit_soft_17)
    for upcard in shoe:
        rest = {**shoe, upcard: shoe[upcard] - 1}
        endings = Counter(dealer_play([upcard], list(order), hit_soft_17) for order in orders(rest))
        oracle = Rounds(rules, shoe)
        left = oracle.without(oracle.full, upcard)
        ways = oracle.dealer_orders(left, (upcard,))
        assert sum(ways.values()) == factorial(7)
        scale = factorial(7) // endings.total()
        assert ways == {points: scale * number for points, number in endings.items()}


def test_every_start_is_counted_once() -> None:
    oracle = Rounds(Rules(split_by="rank"), {1: 2, 5: 3, 10: 2, 13: 4})
    assert sum(ways for *_, ways in oracle.starts()) == perm(11, 3)


@pytest.mark.parametrize(
    "fields",
    [
        {"max_split_hands": 2},
        {"max_split_hands": 3, "surrender": "late", "hit_soft_17": True},
        {"max_split_hands": 3, "surrender": "early", "peek": "none"},
        {"max_split_hands": 3, "dealer_blackjack_takes": "original", "peek": "none"},
        {"max_split_hands": 3, "dealer_blackjack_takes": "busted_plus_one", "peek": "ace"},
        {
            "max_split_hands": 2,
            "surrender": "late",
            "surrender_any_cards": True,
            "peek": "none",
            "dealer_blackjack_takes": "busted_plus_one",
            "split_ace_ten": "blackjack",
        },
        {
            "max_split_hands": 3,
            "split_by": "rank",
            "double_after_split": False,
            "split_ace_ten": "beats_21",
        },
    ],
)
def test_rounds_by_every_order(fields: dict[str, Any]) -> None:
    rules = Rules(**fields)
    shoe = {1: 1, 8: 3, 9: 2, 10: 4}
    net, bets, number = F(0), 0, 0
    for order in orders(shoe):
        result, bet = deal_round(order, rules, mixed)
        net += result
        bets += bet
        number += 1
    value = Rounds(rules, shoe).round_value(mixed)
    assert (value.net, value.action) == (net / number, F(bets, number))


# By hand


def test_a_whole_game_by_hand() -> None:
    """One ace and five tens. A natural, dealt with 2/6, wins against 20. Otherwise 20 loses to an
    ace up (1 in 4), and to a ten up with the ace below it (3/4 x 1/3), and else pushes.
    """
    rules = Rules(max_split_hands=1, max_split_hands_aces=1)
    value = Rounds(rules, {1: 1, 10: 5}).round_value(always("stand"))
    assert value.net == F(2, 6) * F(3, 2) + F(4, 6) * (-F(1, 4) - F(3, 4) * F(1, 3))
    assert value.net == F(1, 6)
    assert value.action == 1


@pytest.mark.parametrize(
    ("takes", "stood", "doubled", "doubled_bust", "split", "split_doubled"),
    [("all", -1, -2, -2, -2, -4), ("original", *[-1] * 5), ("busted_plus_one", -1, -1, -2, -1, -4)],
)
def test_a_certain_dealer_blackjack(
    takes: str, stood: int, doubled: int, doubled_bust: int, split: int, split_doubled: int
) -> None:
    """Against an ace with only tens left, and no peek."""
    rules = Rules(peek="none", dealer_blackjack_takes=takes)  # type: ignore[arg-type]
    eights = Rounds(rules, {1: 1, 8: 2, 10: 5})
    low = Rounds(rules, {1: 1, 2: 1, 3: 1, 10: 5})
    stand, double = always("stand"), always("double")
    assert eights.start_value(stand, (8, 8), 1).net == stood
    assert low.start_value(double, (2, 3), 1).net == doubled
    assert eights.start_value(double, (8, 8), 1).net == doubled_bust
    assert eights.start_value(stand, (8, 8), 1, "split").net == split
    assert eights.start_value(double, (8, 8), 1, "split").net == split_doubled
    assert eights.start_value(double, (8, 8), 1, "split").action == 4
    peeked = Rounds(Rules(), {1: 1, 8: 2, 10: 5}).start_value(double, (8, 8), 1, "split")
    assert (peeked.net, peeked.action) == (F(-1), F(1))


@pytest.mark.parametrize(
    ("fields", "net"),
    [
        ({"surrender": "late"}, -F(1, 2) * F(3, 4) - F(1, 4)),
        ({"surrender": "late", **NO_PEEK}, -F(5, 8)),
        ({"surrender": "late", **NO_PEEK, "dealer_blackjack_takes": "original"}, -F(5, 8)),
        ({"surrender": "early"}, -F(1, 2)),
        ({"surrender": "early", **NO_PEEK}, -F(1, 2)),
        ({"surrender": "early_not_ace"}, -F(1, 2)),
    ],
)
def test_surrender(fields: dict[str, Any], net: Fraction) -> None:
    """16 against a ten, with one ace and three tens left: a blackjack in one of four."""
    oracle = Oracle(Rules(**fields), {1: 1, 7: 1, 9: 1, 10: 4})
    assert oracle.start_value(always("surrender"), (7, 9), 10).net == net
    assert oracle.start("CDZ-", (7, 9), 10).actions["surrender"].net == net


@pytest.mark.parametrize(
    ("fields", "net"),
    [
        ({"surrender": "late"}, -F(1, 3) * F(1, 2) - F(2, 3)),
        ({"surrender": "early"}, -F(1, 3) * F(1, 2) - F(2, 3)),
        ({"surrender": "late", **NO_PEEK}, -F(1, 3) * F(1, 2) - F(2, 3)),
        ({"surrender": "early", **NO_PEEK}, -F(1, 2)),
    ],
)
def test_surrender_of_three_cards(fields: dict[str, Any], net: Fraction) -> None:
    """5, 4 against an ace is hit with certainty by a 7, which leaves two tens and a 7: the dealer
    has blackjack in two of three orders. After a peek an early surrender is a late one.
    """
    rules = Rules(surrender_any_cards=True, **fields)
    oracle = Rounds(rules, {1: 1, 4: 1, 5: 1, 7: 2, 10: 2})

    def policy(context: Context) -> str:
        return "hit" if len(context.hand) == 2 else "surrender"

    # Two sevens and two tens are unseen. With 7 or 10 hit, the rest gives a blackjack in 2/3 or
    # 1/3 of the cases; hitting a ten makes 19, which surrenders as well.
    value = oracle.start_value(policy, (4, 5), 1).net
    if fields == {"surrender": "early", **NO_PEEK}:
        assert value == net
    else:
        after_ten = -F(2, 3) * F(1, 2) - F(1, 3)
        assert value == F(1, 2) * net + F(1, 2) * after_ten


def test_resplitting_by_hand() -> None:
    """Two eights and six tens are left. The split ends after T T with two hands, after 8 T T T or
    T 8 T T with three (each 2*6*5*4 of 8*7*6*5), and otherwise with four.
    """
    two, three = F(6 * 5, 8 * 7), 2 * F(2 * 6 * 5 * 4, 8 * 7 * 6 * 5)
    hands = {2: F(2), 3: 2 * two + 3 * (1 - two), 4: 2 * two + 3 * three + 4 * (1 - two - three)}
    assert hands[4] == F(37, 14)
    for most, number in hands.items():
        rules = Rules(max_split_hands=most)
        value = Rounds(rules, {8: 4, 10: 7}).start_value(always("stand"), (8, 8), 10, "split")
        assert value.action == number


@pytest.mark.parametrize(("kind", "net"), [("21", 2), ("beats_21", 2), ("blackjack", 3)])
def test_split_aces_by_hand(kind: str, net: int) -> None:
    """Only tens are left: both aces become 21 against 19, whatever else the player would do."""
    rules = Rules(split_ace_ten=kind)  # type: ignore[arg-type]
    value = Rounds(rules, {1: 2, 9: 1, 10: 5}).start_value(always("hit"), (1, 1), 9, "split")
    assert value.net == net
