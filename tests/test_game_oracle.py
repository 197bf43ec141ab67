"""The analyzer against whole rounds on tiny shoes, played card by card (`tests.oracle`)."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from operator import attrgetter
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from odds.game import GameOdds, HandOdds, analyze
from odds.rules import Rules
from odds.shoe import Shoe
from tests.oracle import BLACKJACK, BUST, Hand, add, total_of, worth
from tests.oracle_optimum import Oracle, Start
from tests.strategies import RULE_CHOICES, SHOES, covering_cases, rules, rules_of, tiny_shoes

REGIMES = ("CDZ-", "CDP1", "CDP")


PAIRS = covering_cases(2)
TRIPLES = covering_cases(
    3,
    ["four kinds"],
    ["dealer_blackjack", "hands", "split_aces", "split_ace_ten"],
    lambda rules: 1 < rules.max_split_hands == rules.max_split_hands_aces,
)


def with_regimes(cases: Iterable[tuple[Rules, str]]) -> list[tuple[Rules, str, str]]:
    return [(*case, REGIMES[i % 3]) for i, case in enumerate(cases)]


def close(value: Fraction | int) -> Any:
    return pytest.approx(float(value), rel=0, abs=1e-12)


def shoe_of(counts: Mapping[int, int]) -> Shoe:
    names = dict(enumerate("A23456789TJQK", start=1))
    return Shoe.from_ranks({names[card]: count for card, count in counts.items()})


def grouped(
    odds: GameOdds, starts: Mapping[tuple[Hand, int], Start]
) -> Iterator[tuple[HandOdds, list[tuple[Hand, int]]]]:
    """The hands of the analyzer, which sees values, with the starts that each of them stands for.

    Tens of the same rank are one hand for it, whichever the rank, and so are all upcards of ten.
    """
    groups: dict[tuple[Hand, int, bool | None], list[tuple[Hand, int]]] = defaultdict(list)
    for hand, upcard in starts:
        values = tuple(map(worth, hand))
        tens = odds.rules.split_by == "rank" and values == (10, 10)
        same_rank = hand[0] == hand[1] if tens else None
        groups[values, worth(upcard), same_rank].append((hand, upcard))
    hands = {(tuple(sorted(h.cards)), h.upcard, h.same_rank): h for h in odds.starting_hands()}
    assert set(hands) == set(groups)
    for key, members in groups.items():
        yield hands[key], members


def check_details(hand: HandOdds, oracle: Oracle, cards: Hand, upcard: int) -> None:
    """What does not depend on how the hand is played."""
    left = oracle.without(oracle.full, *cards, upcard)
    dealer = oracle.dealer_orders(left, (upcard,))
    orders = sum(dealer.values())
    names = {BLACKJACK: "blackjack", BUST: "bust"}
    for points in (17, 18, 19, 20, 21, BLACKJACK, BUST):
        share = Fraction(dealer.get(points, 0), orders)
        assert hand.dealer[names.get(points, str(points))] == close(share)
    blackjack = Fraction(dealer.get(BLACKJACK, 0), orders)
    assert hand.dealer_blackjack == close(blackjack)
    # Given no dealer blackjack, unless it is certain.
    assert hand.conditional == (oracle.peeks(upcard) and blackjack < 1)
    assert hand.natural == (sorted(map(worth, cards)) == [1, 10])
    offered = upcard == 1 and oracle.rules.insurance
    assert hand.insurance == (close(3 * blackjack - 1) if offered else None)
    offered = upcard == 1 and hand.natural and oracle.rules.even_money
    waiting = (1 - blackjack) * oracle.rules.blackjack_pays
    assert hand.even_money == (close(1 - waiting) if offered else None)


def check_game(rules: Rules, counts: Mapping[int, int], regime: str) -> tuple[int, int]:
    """Compare everything about the game; the numbers of splits and of those left out.

    A split is left out if too many exactly equal actions make its value ambiguous.
    """
    oracle = Oracle(rules, counts)
    starts = oracle.all_starts(regime)
    odds = analyze(rules, shoe_of(counts), regime)
    deals = sum(start.ways for start in starts.values())
    by_upcard: dict[int, list[Fraction]] = defaultdict(lambda: [Fraction(0), Fraction(0)])
    units = Fraction(0)
    splits = left_out = 0
    unique_value = unique_units = True
    for hand, members in grouped(odds, starts):
        of_hand = [starts[member] for member in members]
        ways = sum(start.ways for start in of_hand)
        assert hand.probability == close(Fraction(ways, deals))
        check_details(hand, oracle, *members[0])
        given = {action.value: value for action, value in hand.unconditional.items()}
        assert set(given) == set(of_hand[0].actions)
        nets, action_units = (
            {
                action: sum((s.ways * at(s.actions[action]) for s in of_hand), Fraction(0)) / ways
                for action in given
            }
            for at in (attrgetter("net"), attrgetter("action"))
        )
        if "split" in given:
            splits += 1
            ambiguous = any(len(start.splits) != 1 for start in of_hand)
            if ambiguous:
                # One of the exactly equal choices was taken. Members of a group are checked
                # together only if they are alike.
                unique_units = False
                options = set(of_hand[0].splits)
                if options and all(set(start.splits) == options for start in of_hand):
                    net = min(options, key=lambda v: abs(float(v.net) - given["split"])).net
                    nets["split"] = net
                else:
                    left_out += 1
                    unique_value = False
                    del given["split"], nets["split"]
        assert given == {action: close(net) for action, net in nets.items()}
        for action, value in hand.values.items():
            if hand.conditional and action.value in ("stand", "hit", "double"):
                assert value == close(oracle.peeked_value(*members[0], action.value))
            elif hand.conditional and action.value == "split":
                blackjack = hand.dealer_blackjack
                unconditional = pytest.approx(hand.unconditional[action], rel=0, abs=1e-12)
                assert (1 - blackjack) * value - blackjack == unconditional
            elif not hand.conditional:
                assert value == hand.unconditional[action]
        top = max(nets.values())
        tops = [action for action, net in nets.items() if net == top]
        if len(nets) == len(hand.unconditional):
            assert hand.best.value in tops
        unique_units &= len({action_units[action] for action in tops}) == 1
        units += ways * action_units[tops[0]]
        by_upcard[hand.upcard][0] += ways
        by_upcard[hand.upcard][1] += ways * top
    for upcard, (ways_up, net_up) in by_upcard.items():
        assert odds.upcard_probability[upcard] == close(ways_up / deals)
        if unique_value:
            assert odds.value_by_upcard[upcard] == close(net_up / ways_up)
    total = sum((net for _, net in by_upcard.values()), Fraction(0)) / deals
    if unique_value:
        assert odds.expected_value == close(total)
        assert odds.house_edge == close(-total)
    if unique_value and unique_units and not oracle.ties:
        assert odds.average_action == close(units / deals)
        assert odds.element_of_risk == close(-total / (units / deals))
    return splits, left_out


@pytest.mark.parametrize(("rules", "shoe", "regime"), with_regimes(PAIRS))
def test_every_two_settings_together(rules: Rules, shoe: str, regime: str) -> None:
    splits, left_out = check_game(rules, SHOES[shoe], regime)
    assert left_out <= splits / 5


@pytest.mark.parametrize(("rules", "shoe", "regime"), with_regimes(TRIPLES))
def test_every_three_settings_of_splits_together(rules: Rules, shoe: str, regime: str) -> None:
    check_game(rules, SHOES[shoe], regime)


@pytest.mark.parametrize(("most", "regime"), [(2, "CDP1"), (3, "CDZ-"), (4, "CDP")])
@pytest.mark.parametrize("dealer", RULE_CHOICES["dealer_blackjack"])
def test_dealer_blackjack_and_resplits(dealer: dict[str, Any], most: int, regime: str) -> None:
    rules = Rules(max_split_hands=most, max_split_hands_aces=most, hit_split_aces=True, **dealer)
    splits, left_out = check_game(rules, {1: 3, 6: 3, 8: 3, 10: 9}, regime)
    assert left_out == 0
    assert splits == 16


@pytest.mark.parametrize("dealer", RULE_CHOICES["dealer_blackjack"])
def test_hands_of_more_cards(dealer: dict[str, Any]) -> None:
    rules = Rules(
        max_split_hands=1,
        max_split_hands_aces=1,
        surrender="early",
        surrender_any_cards=True,
        double_any_cards=True,
        stand_on_21=False,
        **dealer,
    )
    counts = {1: 2, 2: 1, 4: 2, 7: 2, 10: 3}
    oracle = Oracle(rules, counts)
    odds = analyze(rules, shoe_of(counts))
    hands = {(hand, upcard) for hand, upcard, _ in oracle.starts()}
    longer = 0
    while hands:
        hand, upcard = hands.pop()
        legal = oracle.legal(hand, upcard)
        if len(hand) > 2:
            longer += 1
            shown = odds.hand(hand, upcard)
            assert shown.probability is None
            assert {action.value: value for action, value in shown.values.items()} == {
                action: close(oracle.peeked_value(hand, upcard, action)) for action in legal
            }
            assert shown.best.value in oracle.unsplit_best(hand, upcard)
        if "hit" in legal:
            left = oracle.without(oracle.full, *hand, upcard)
            grown = {add(hand, card) for card, *_ in oracle.draws(left)}
            hands |= {(hand, upcard) for hand in grown if total_of(hand)[0] <= 21}
    assert longer > 150


@pytest.mark.parametrize("regime", REGIMES)
@pytest.mark.parametrize("kind", ["21", "beats_21"])
def test_doubling_an_ace_and_a_ten(kind: str, regime: str) -> None:
    """Where almost all cards are tens, an ace and a ten may well be doubled to another 21."""
    counts = {1: 3, 4: 1, 10: 9}
    values = {}
    for two_card_21, double_on in itertools.product((False, True), ("any", "8-20")):
        rules = rules_of(
            {
                "play": {"stand_on_21": False, "double_split_aces": True, "max_split_hands": 2},
                "kind": {"split_ace_ten": kind},
                "double": {"double_two_card_21": two_card_21, "double_on": double_on},
            }
        )
        assert rules
        check_game(rules, counts, regime)
        aces = analyze(rules, shoe_of(counts), regime).hand((1, 1), 4)
        values[two_card_21, double_on] = aces.unconditional[aces.best]
    assert values[True, "any"] > values[False, "any"] + 0.1
    assert values[True, "8-20"] == values[False, "8-20"]


def test_a_certain_dealer_blackjack() -> None:
    """With the ace up only tens are left: nothing is given no dealer blackjack."""
    check_game(Rules(max_split_hands=2, surrender="early"), {1: 1, 5: 1, 10: 8}, "CDZ-")


@pytest.mark.parametrize("regime", REGIMES)
def test_split_blackjacks_and_the_original_bet(regime: str) -> None:
    """Tens that are split and get an ace each push a dealer blackjack, all of them."""
    rules = Rules(
        peek="none",
        dealer_blackjack_takes="original",
        split_ace_ten="blackjack",
        max_split_hands=2,
        max_split_hands_aces=1,
    )
    check_game(rules, {1: 3, 10: 7}, regime)


@settings(
    max_examples=20,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)
@given(st.data())
def test_any_rules_and_any_tiny_shoe(data: st.DataObject) -> None:
    drawn = data.draw(rules())
    shoe = data.draw(tiny_shoes(drawn))
    check_game(drawn, shoe, data.draw(st.sampled_from(REGIMES)))
