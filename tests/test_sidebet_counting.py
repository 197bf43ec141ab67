"""The counting engine against every ordered deal of small packs, and against identities."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import comb

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from odds.errors import InputError
from odds.shoe import Shoe
from odds.sidebets import (
    DealPlan,
    SideBet,
    StrategyTable,
    TierRule,
    bet_odds,
    count_bet,
)
from odds.sidebets.bet import Slot
from odds.sidebets.deals import Column
from odds.sidebets.evaluation import Deals
from odds.sidebets.partition import Partition
from tests.side_bet_twin import (
    Deal,
    Predicate,
    colour,
    deals,
    finished,
    is_blackjack,
    is_soft,
    probabilities,
    rank_number,
    shoe_of,
    total,
    value,
)

# Twelve cards of eleven types with doubles, all suits, and cards that make every kind of hand.
FIRST = {"AS": 2, "AH": 1, "JS": 1, "TD": 1, "7S": 2, "7D": 1, "6C": 1, "5H": 1, "8H": 1, "2C": 1}
# Eighteen cards of seven types: enough for any dealer hand, few enough for all of them.
LONG = {"AS": 2, "TH": 3, "6S": 3, "5D": 2, "2S": 3, "9C": 3, "8H": 2}

Case = tuple[str, Predicate]


def same(cards: list[str], place: int) -> bool:
    return len({card[place] for card in cards}) == 1


def consecutive(cards: list[str]) -> bool:
    for high in (False, True):
        ranks = sorted(rank_number(card, high) for card in cards)
        if ranks == list(range(ranks[0], ranks[0] + len(ranks))):
            return True
    return False


def most_alike(cards: list[str]) -> int:
    return max(Counter(card[0] for card in cards).values())


CASES: list[Case] = [
    ("pair(player)", lambda d: same(d["player"], 0)),
    ("suited(player)", lambda d: same(d["player"], 1)),
    ("identical(player + up)", lambda d: len(set(d["player"] + d["up"])) == 1),
    ("same_colour(player)", lambda d: len({colour(c) for c in d["player"]}) == 1),
    ("red(player + up)", lambda d: all(colour(c) == "red" for c in d["player"] + d["up"])),
    ("black(hole)", lambda d: colour(d["hole"][0]) == "black"),
    ("total(player) == 16", lambda d: total(d["player"]) == 16),
    ("soft(player) and total(player + up) > 15",
     lambda d: is_soft(d["player"]) and total(d["player"] + d["up"]) > 15),
    ('total(player, "ace low") < 9', lambda d: sum(map(value, d["player"])) < 9),
    ('total(player + up, "ace high") == 22',
     lambda d: sum(value(c) + 10 * (c[0] == "A") for c in d["player"] + d["up"]) == 22),
    ("blackjack(player) and not dealer_blackjack",
     lambda d: is_blackjack(d["player"]) and not is_blackjack(d["dealer"])),
    ("trips(player + dealer)", lambda d: most_alike(d["player"] + d["dealer"]) >= 3),
    ("pairs(player + dealer) == 2",
     lambda d: sorted(Counter(c[0] for c in d["player"] + d["dealer"]).values()) == [2, 2]),
    ("straight(player + up)", lambda d: consecutive(d["player"] + d["up"])),
    ('straight(player, "ace low") and suited(player)',
     lambda d: abs(rank_number(d["player"][0]) - rank_number(d["player"][1])) == 1
     and same(d["player"], 1)),
    ('count(player + up, "7") >= 2',
     lambda d: sum(c[0] == "7" for c in d["player"] + d["up"]) >= 2),
    ('has(player + dealer, "AS", "JS")', lambda d: {"AS", "JS"} <= set(d["player"] + d["dealer"])),
    ('has(player, "7", "7S")', lambda d: same(d["player"], 0) and "7S" in d["player"]),
    ('exactly(player + up, "5", "6", "7")',
     lambda d: sorted(c[0] for c in d["player"] + d["up"]) == ["5", "6", "7"]),
    ('in_order(player, "A", "ten")',
     lambda d: d["player"][0][0] == "A" and value(d["player"][1]) == 10),
    ('first == "red" and second != "S"',
     lambda d: colour(d["player"][0]) == "red" and d["player"][1][1] != "S"),
    ('leading(player + up, "S") == 2',
     lambda d: d["player"][0][1] == d["player"][1][1] == "S" and d["up"][0][1] != "S"),
    ("spread(player) >= 3 and between(player, up)",
     lambda d: abs(rank_number(d["player"][0]) - rank_number(d["player"][1])) - 1 >= 3
     and min(map(rank_number, d["player"])) < rank_number(d["up"][0])
     < max(map(rank_number, d["player"]))),
    ('between(player, up, "ace high")',
     lambda d: min(rank_number(c, True) for c in d["player"]) < rank_number(d["up"][0], True)
     < max(rank_number(c, True) for c in d["player"])),
    ("rank(first) > rank(up) and value(hole) <= 7",
     lambda d: rank_number(d["player"][0]) > rank_number(d["up"][0]) and value(d["hole"][0]) <= 7),
    ('highest(player, "ace high") == 14 or lowest(player) == 2',
     lambda d: any(c[0] == "A" for c in d["player"]) or min(map(rank_number, d["player"])) == 2),
    ("rank_matches(player, up) == 1",
     lambda d: sum(c[0] == d["up"][0][0] for c in d["player"]) == 1),
    ("card_matches(player, up) > 0", lambda d: d["up"][0] in d["player"]),
    ('every(player, "A", "7") or any(dealer, "face")',
     lambda d: all(c[0] in "A7" for c in d["player"]) or any(c[0] in "JQK" for c in d["dealer"])),
    ("12 <= total(player) <= 16 and 2 * value(up) - 1 > 9",
     lambda d: 12 <= total(d["player"]) <= 16 and 2 * value(d["up"][0]) - 1 > 9),
    ("false or not true", lambda d: False),
]  # fmt: skip


@pytest.fixture(scope="module")
def first_deals() -> list[tuple[Deal, Fraction]]:
    return list(deals(FIRST, [("player", 1), ("up", 1), ("player", 1), ("hole", 1)]))


@pytest.mark.parametrize(("text", "holds"), CASES, ids=[text for text, _ in CASES])
def test_first_cards_agree_with_all_ordered_deals(
    text: str, holds: Predicate, first_deals: list[tuple[Deal, Fraction]]
) -> None:
    expected = probabilities(first_deals, {"tier": holds}, None)
    odds = bet_odds(SideBet.parse({"tier": text}), shoe=shoe_of(FIRST))
    assert odds.tier("tier").probability == expected["tier"]
    assert odds.nothing == expected["nothing"]


def test_precedence_and_conditioning_agree_with_all_ordered_deals(
    first_deals: list[tuple[Deal, Fraction]],
) -> None:
    names = ["pair(player)", "blackjack(player) and not dealer_blackjack", "same_colour(player)",
             'has(player + dealer, "AS", "JS")', 'in_order(player, "A", "ten")']  # fmt: skip
    holds = dict(CASES)
    given = "value(up) >= 7 and not dealer_blackjack"
    expected = probabilities(
        first_deals,
        {name: holds[name] for name in names},
        lambda d: value(d["up"][0]) >= 7 and not is_blackjack(d["dealer"]),
    )
    bet = SideBet.parse({name: name for name in names}, given=given)
    odds = bet_odds(bet, shoe=shoe_of(FIRST))
    assert {t.name: t.probability for t in odds.tiers} | {"nothing": odds.nothing} == expected


def test_several_hands_agree_with_all_ordered_deals() -> None:
    pack = {"AS": 2, "JS": 2, "TD": 1, "7S": 2, "7D": 1, "6C": 1}
    twin = list(deals(pack, [("player", 2), ("player2", 2), ("up", 1)]))
    tiers: dict[str, Predicate] = {
        "suited(player + player2)": lambda d: same(d["player"] + d["player2"], 1),
        "pair(player) and pair(player2)": lambda d: same(d["player"], 0) and same(d["player2"], 0),
        "total(player2) > total(player) + value(up)": lambda d: (
            total(d["player2"]) > total(d["player"]) + value(d["up"][0])
        ),
    }
    odds = bet_odds(SideBet.parse({name: name for name in tiers}), shoe=shoe_of(pack))
    expected = probabilities(twin, tiers, None)
    assert {t.name: t.probability for t in odds.tiers} | {"nothing": odds.nothing} == expected


@pytest.mark.parametrize("rule", ["S17", "H17"])
def test_finished_dealer_hands_agree_with_all_ordered_deals(rule: str) -> None:
    twin = list(deals(LONG, [("up", 1), ("hole", 1)], dealer=rule))
    plan = DealPlan(dealer="stands on soft 17" if rule == "S17" else "hits soft 17")
    sets: list[tuple[dict[str, Predicate], str | None, Predicate | None]] = [
        ({"dealer_bust and dealer_cards >= 5": lambda d: total(d["dealer"]) > 21
          and len(d["dealer"]) >= 5,
          "dealer_bust": lambda d: total(d["dealer"]) > 21,
          "dealer_total == 19": lambda d: total(d["dealer"]) == 19}, None, None),
        ({"suited(dealer)": lambda d: same(d["dealer"], 1),
          "same_colour(dealer) and dealer_bust":
          lambda d: len({colour(c) for c in d["dealer"]}) == 1 and total(d["dealer"]) > 21,
          'any(dealer, "9C")': lambda d: "9C" in d["dealer"]},
         'up != "A" and not dealer_blackjack',
         lambda d: d["up"][0][0] != "A" and not is_blackjack(d["dealer"])),
        ({"dealer_bust and bust_card == 'red'": lambda d: total(d["dealer"]) > 21
          and colour(d["dealer"][-1]) == "red",
          'bust_card == "6"': lambda d: d["dealer"][-1][0] == "6"}, None, None),
        ({'leading(dealer, "black") >= 3': lambda d: len(d["dealer"]) >= 3
          and all(colour(c) == "black" for c in d["dealer"][:3]),
          'dealer[3] == "2" or rank(hole) > rank(up)': lambda d:
          d["dealer"][2:3] == ["2S"] or rank_number(d["hole"][0]) > rank_number(d["up"][0]),
          "in_order(dealer, 'A', '6')": lambda d: [c[0] for c in d["dealer"][:2]] == ["A", "6"]},
         None, None),
        ({'count(dealer, "S") == 2 and bust_card == "H"': lambda d:
          sum(c[1] == "S" for c in d["dealer"]) == 2 and d["dealer"][-1][1] == "H",
          "pairs(dealer) >= 1": lambda d: max(Counter(c[0] for c in d["dealer"]).values()) >= 2},
         None, None),
    ]  # fmt: skip
    for tiers, known, known_twin in sets:
        odds = bet_odds(
            SideBet.parse({name: name for name in tiers}, plan, known), shoe=shoe_of(LONG)
        )
        expected = probabilities(twin, tiers, known_twin)
        assert {t.name: t.probability for t in odds.tiers} | {"nothing": odds.nothing} == expected


def test_a_dealer_hand_beside_a_players_hand_agrees_with_all_ordered_deals() -> None:
    pack = {"AS": 3, "TH": 4, "6S": 4, "6D": 3, "9C": 3}
    twin = list(deals(pack, [("player", 2), ("up", 1), ("hole", 1)], dealer="S17"))
    tiers: dict[str, Predicate] = {
        "player_blackjack and dealer_bust": lambda d: (
            is_blackjack(d["player"]) and total(d["dealer"]) > 21
        ),
        "suited(player) and dealer_total > total(player)": lambda d: (
            same(d["player"], 1) and total(d["dealer"]) > total(d["player"])
        ),
        "suited(dealer)": lambda d: same(d["dealer"], 1),
        'has(player + dealer, "6S", "6S", "6D")': lambda d: (
            Counter(d["player"] + d["dealer"])["6S"] >= 2 and "6D" in d["player"] + d["dealer"]
        ),
    }
    plan = DealPlan(dealer="stands on soft 17")
    odds = bet_odds(SideBet.parse({name: name for name in tiers}, plan), shoe=shoe_of(pack))
    expected = probabilities(twin, tiers, None)
    assert {t.name: t.probability for t in odds.tiers} | {"nothing": odds.nothing} == expected


NEXT_TIERS: dict[str, Predicate] = {
    # What is said of all cards is false where the next one is not dealt.
    'every(player + next, "7") and suited(player + next)': lambda d: (
        len(d["next"]) == 1
        and all(c[0] == "7" for c in d["player"] + d["next"])
        and same(d["player"] + d["next"], 1)
    ),
    'every(player + next, "7")': lambda d: (
        len(d["next"]) == 1 and all(c[0] == "7" for c in d["player"] + d["next"])
    ),
    "drawn and pair(player)": lambda d: len(d["next"]) > 0 and same(d["player"], 0),
    'count(player + next, "7") == 2': lambda d: (
        sum(c[0] == "7" for c in d["player"] + d["next"]) == 2
    ),
    'first == "7"': lambda d: d["player"][0][0] == "7",
}
SEVENS = {"AS": 2, "TH": 1, "7S": 3, "7D": 2, "6C": 2, "5H": 2}
ZONES = [("player", 1), ("up", 1), ("player", 1), ("hole", 1)]


def strategy(cards: tuple[int, ...], up: int) -> str:
    """No sensible strategy, but one that uses every action."""
    if cards[0] == cards[1] == 7:
        return "split" if up <= 6 else "stand"
    best = sum(cards) + (10 if cards[0] == 1 and sum(cards) <= 11 else 0)
    if best in (12, 13) and up in (5, 6):
        return "surrender"
    return "double" if best == 11 else "hit" if best < 13 + (up >= 7) else "stand"


def draws_one(d: Deal, *, peek: bool) -> int:
    if peek and is_blackjack(d["dealer"]) and value(d["up"][0]) in (1, 10):
        return 0
    cards = tuple(sorted(map(value, d["player"])))
    if is_blackjack(d["player"]):
        return 0
    return int(strategy(cards, value(d["up"][0])) in ("hit", "double", "split"))


@pytest.mark.parametrize("draw", ["always", "unless dealer blackjack", "peek", "no peek"])
def test_next_cards_agree_with_all_ordered_deals(draw: str) -> None:
    if draw == "always":
        twin = deals(SEVENS, ZONES, draws=lambda d: 1)
    elif draw == "unless dealer blackjack":
        twin = deals(SEVENS, ZONES, draws=lambda d: int(not is_blackjack(d["dealer"])))
    else:
        twin = deals(SEVENS, ZONES, draws=lambda d: draws_one(d, peek=draw == "peek"))
    plan = DealPlan(
        next_cards=1,
        draw="by strategy" if "peek" in draw else draw,  # type: ignore[arg-type]
    )
    peeks = frozenset((1, 10)) if draw == "peek" else frozenset[int]()
    table = StrategyTable.from_rule("test", strategy, peeks)
    bet = SideBet.parse({name: name for name in NEXT_TIERS}, plan)
    odds = bet_odds(bet, shoe=shoe_of(SEVENS), strategy=table)
    expected = probabilities(list(twin), NEXT_TIERS, None)
    assert {t.name: t.probability for t in odds.tiers} | {"nothing": odds.nothing} == expected


def test_two_next_cards_by_strategy_agree_with_all_ordered_deals() -> None:
    def choose(cards: tuple[int, ...], up: int) -> str:
        best = sum(cards) + (10 if 1 in cards and sum(cards) <= 11 else 0)
        return "double" if best == 11 and len(cards) == 2 else "hit" if best < 14 else "stand"

    chances = dict.fromkeys(["two", "one"], Fraction(0))
    for d, chance in deals(SEVENS, [("player", 2), ("next", 2), ("up", 1)]):
        hand = tuple(sorted(map(value, d["player"])))
        three = tuple(sorted(map(value, d["player"] + d["next"][:1])))
        up = value(d["up"][0])
        if is_blackjack(d["player"]) or choose(hand, up) == "stand":
            continue
        again = choose(hand, up) == "hit" and sum(three) <= 21 and choose(three, up) == "hit"
        chances["two" if again else "one"] += chance
    bet = SideBet.parse(
        {"two": "size(next) == 2", "one": "size(next) == 1"},
        DealPlan(next_cards=2, draw="by strategy"),
    )
    table = StrategyTable.from_rule("test", choose, most_cards=3)
    odds = bet_odds(bet, shoe=shoe_of(SEVENS), strategy=table)
    assert {t.name: t.probability for t in odds.tiers} == chances


def played_rounds(
    pack: dict[str, int], rule: str, *, splits_are_dead: bool
) -> Iterator[tuple[list[str], Fraction]]:
    """The dealer's cards at the end of every round of one player who follows `strategy`."""

    def draw(
        player: list[str], dealer: list[str], left: dict[str, int], chance: Fraction
    ) -> Iterator[tuple[list[str], Fraction]]:
        size = sum(left.values())

        def each(to_player: bool) -> Iterator[tuple[list[str], Fraction]]:
            for card, count in left.items():
                if count:
                    hand = [*player, card] if to_player else player
                    cards = dealer if to_player else [*dealer, card]
                    after = {**left, card: count - 1}
                    yield from draw(hand, cards, after, chance * Fraction(count, size))

        if len(player) < 2:
            yield from each(to_player=True)
        elif len(dealer) < 2:
            yield from each(to_player=False)
        else:
            state = player_state(player, dealer[0], splits_are_dead=splits_are_dead)
            if state == "draws" and not (is_blackjack(dealer) and value(dealer[0]) in (1, 10)):
                yield from each(to_player=True)
            elif state == "live" and not finished(dealer, rule):
                yield from each(to_player=False)
            else:
                yield dealer, chance

    yield from draw([], [], pack, Fraction(1))


def player_state(player: list[str], up: str, *, splits_are_dead: bool) -> str:
    hard = sum(map(value, player))
    if is_blackjack(player) or hard > 21:
        return "dead"
    hand = player[:2]
    for extra in [*player[2:], None]:
        if total(hand) == 21:
            return "live"
        action = strategy(tuple(sorted(map(value, hand))), value(up))
        if action == "split":
            return "dead" if splits_are_dead else "live"
        if action == "surrender":
            return "dead"
        if action == "stand" or (action == "double" and extra is not None):
            return "live"
        if extra is None:
            return "draws"
        hand = [*hand, extra]
    raise AssertionError


@pytest.mark.parametrize("splits", ["live", "dead"])
def test_a_dealer_who_plays_only_against_a_live_hand(splits: str) -> None:
    pack = {"AS": 2, "TH": 5, "7S": 5, "6D": 5, "5C": 5}
    chances: Counter[str] = Counter()
    for dealer, chance in played_rounds(pack, "S17", splits_are_dead=splits == "dead"):
        bust = total(dealer) > 21
        name = "suited bust" if bust and same(dealer, 1) else "bust" if bust else (
            "three" if len(dealer) >= 3 else "two")  # fmt: skip
        chances[name] += chance  # type: ignore[assignment]
    bet = SideBet.parse(
        {
            "suited bust": "dealer_bust and suited(dealer)",
            "bust": "dealer_bust",
            "three": "dealer_cards >= 3",
            "two": "dealer_cards == 2",
        },
        DealPlan(
            dealer="stands on soft 17",
            plays="if live, split rounds live"
            if splits == "live"
            else "if live, split rounds dead",
        ),
    )
    table = StrategyTable.from_rule("test", strategy, frozenset((1, 10)), most_cards=12)
    odds = bet_odds(bet, shoe=shoe_of(pack), strategy=table)
    assert {t.name: t.probability for t in odds.tiers} == {
        name: chances.get(name, Fraction(0)) for name in ("suited bust", "bust", "three", "two")
    }
    assert odds.nothing == 0


# Conditions of every kind, put together at random: classes of cards and renamed suits must not
# change what all cards told apart give.
PLACES = ["player", "player + up", "dealer", "player + dealer", "up", "first + hole"]
ATOMS = st.one_of(
    st.tuples(
        st.sampled_from(["pair", "suited", "same_colour", "identical", "straight", "red", "soft",
                         "blackjack", "trips", "same_rank"]),
        st.sampled_from(PLACES),
    ).map(lambda t: f"{t[0]}({t[1]})"),
    st.tuples(
        st.sampled_from(["total", "highest", "spread", "pairs", "size"]),
        st.sampled_from(PLACES),
        st.sampled_from(["==", "<", ">="]),
        st.integers(0, 21),
    ).map(lambda t: f"{t[0]}({t[1]}) {t[2]} {t[3]}"),
    st.tuples(
        st.sampled_from(["count", "leading"]),
        st.sampled_from(PLACES),
        st.sampled_from(['"S"', '"red"', '"7", "A"', '"7S"', '"ten"', '"face", "H"']),
        st.integers(0, 2),
    ).map(lambda t: f"{t[0]}({t[1]}, {t[2]}) >= {t[3]}"),
    st.tuples(
        st.sampled_from(["has", "exactly", "in_order", "every", "any"]),
        st.sampled_from(PLACES),
        st.sampled_from(['"A", "J"', '"AS"', '"7", "7S"', '"black", "5"', '"ten", "ten"']),
    ).map(lambda t: f"{t[0]}({t[1]}, {t[2]})"),
    st.sampled_from(["rank_matches(player, up) == 1", "card_matches(dealer, first) > 0",
                     'up != "A"', "value(hole) > 6", "rank(second) < rank(up)",
                     'between(player, up, "ace high")']),
)  # fmt: skip
CONDITIONS = st.lists(
    st.tuples(st.sampled_from(["and", "or", "and not"]), ATOMS), min_size=1, max_size=4
).map(lambda parts: " ".join(["true", *(f"{join} {atom}" for join, atom in parts)]))


def arrays(
    dealt: list[tuple[Deal, Fraction]], places: list[Slot], dealer: int
) -> tuple[tuple[Column, ...], npt.NDArray[np.int8], npt.NDArray[np.uint8]]:
    """Deals of the twin as the engine's arrays, every card told apart."""
    everything = Partition(tuple(range(13)), (1, 2, 4, 8))
    slots = [*places, *(("dealer", i + 1) for i in range(dealer))]
    ranks = np.full((len(slots), len(dealt)), -1, dtype=np.int8)
    masks = np.zeros(ranks.shape, dtype=np.uint8)
    for column, (deal, _) in enumerate(dealt):
        for row, (zone, position) in enumerate(slots):
            if position <= len(deal[zone]):
                card = deal[zone][position - 1]
                ranks[row, column] = "A23456789TJQK".index(card[0])
                masks[row, column] = 1 << "SHDC".index(card[1])
    return tuple(Column(slot, everything) for slot in slots), ranks, masks


FIRST_SLOTS: list[Slot] = [("player", 1), ("player", 2), ("up", 1), ("hole", 1)]


@settings(max_examples=80, deadline=None)
@given(CONDITIONS)
def test_classes_of_cards_change_nothing_for_first_cards(text: str) -> None:
    dealt = all_first_deals()
    columns, ranks, masks = arrays_of_first()
    bet = SideBet.parse({"tier": text})
    holds = Deals(bet, columns, ranks, masks).truth(bet.tiers[0].when)
    expected = sum((c for (_, c), hit in zip(dealt, holds, strict=True) if hit), Fraction(0))
    assert bet_odds(bet, shoe=shoe_of(FIRST)).tier("tier").probability == expected


@cache
def all_first_deals() -> list[tuple[Deal, Fraction]]:
    return list(deals(FIRST, [("player", 1), ("up", 1), ("player", 1), ("hole", 1)]))


@cache
def arrays_of_first() -> tuple[tuple[Column, ...], npt.NDArray[np.int8], npt.NDArray[np.uint8]]:
    return arrays(all_first_deals(), FIRST_SLOTS, 0)


@cache
def all_finished_deals() -> list[tuple[Deal, Fraction]]:
    pack = {"AS": 3, "TH": 4, "6S": 3, "6D": 3, "9C": 4}
    return list(deals(pack, [("player", 1), ("up", 1), ("hole", 1)], dealer="S17"))


@settings(max_examples=60, deadline=None)
@given(CONDITIONS.map(lambda text: text.replace("player", "first").replace("second", "first")))
def test_classes_of_cards_change_nothing_for_finished_hands(text: str) -> None:
    dealt = all_finished_deals()
    width = max(len(deal["dealer"]) for deal, _ in dealt)
    columns, ranks, masks = arrays(dealt, [("player", 1)], width)
    plan = DealPlan(dealer="stands on soft 17")
    bet = SideBet.parse({"tier": text}, plan)
    holds = Deals(bet, columns, ranks, masks).truth(bet.tiers[0].when)
    expected = sum((c for (_, c), hit in zip(dealt, holds, strict=True) if hit), Fraction(0))
    pack = {"AS": 3, "TH": 4, "6S": 3, "6D": 3, "9C": 4}
    assert bet_odds(bet, shoe=shoe_of(pack)).tier("tier").probability == expected


def test_cumulative_tiers_count_as_often_as_they_hold() -> None:
    pack = {"7S": 2, "7D": 2, "8S": 1, "9H": 1}
    bet = SideBet(
        (
            TierRule.parse("suited", "card_matches(player, up) > 0", "card_matches(player, up)"),
            TierRule.parse(
                "unsuited",
                "rank_matches(player, up) > card_matches(player, up)",
                "rank_matches(player, up) - card_matches(player, up)",
            ),
        ),
        cumulative=frozenset({"main"}),
    )
    odds = bet_odds(bet, shoe=shoe_of(pack))
    expected: Counter[tuple[int, int]] = Counter()
    for d, chance in deals(pack, [("player", 2), ("up", 1)]):
        suited = sum(c == d["up"][0] for c in d["player"])
        ranks = sum(c[0] == d["up"][0][0] for c in d["player"])
        expected[suited, ranks - suited] += chance  # type: ignore[assignment]
    assert {o.hits: odds.probability(o) for o in odds.outcomes} == dict(expected)


def test_groups_are_settled_side_by_side() -> None:
    bet = SideBet(
        (
            TierRule.parse("player", "blackjack(player)", group="player"),
            TierRule.parse("dealer", "dealer_blackjack", group="dealer"),
        )
    )
    odds = bet_odds(bet, decks=6)
    both = {o.hits: odds.probability(o) for o in odds.outcomes}
    # The published joint fractions of the two blackjacks on six decks.
    assert both[1, 0] == both[0, 1] == Fraction(585088, 12909299)
    assert both[1, 1] == Fraction(2151, 993023) + Fraction(5, 12909299)


@pytest.mark.parametrize("others", ["player2", "player2 + player3 + player4 + player5"])
def test_other_players_change_nothing(others: str) -> None:
    """Two to five players' presence must not change a bet on first cards."""
    alone = SideBet.parse({"bj": "blackjack(player)", "17": "total(player) == 17"})
    # A condition that is always true makes the engine deal, and look at, the others' cards.
    seen = f"count({others}, 'ten') >= 0"
    among = SideBet.parse(
        {"bj": f"blackjack(player) and {seen}", "17": f"total(player) == 17 and {seen}"}
    )
    for decks in (1, 6):
        one, many = bet_odds(alone, decks), bet_odds(among, decks)
        assert [t.probability for t in one.tiers] == [t.probability for t in many.tiers]
        assert many.total > one.total


def test_totals_are_binomials_where_the_order_does_not_matter() -> None:
    assert bet_odds(SideBet.parse({"pair": "pair(player)"}), 8).total == comb(416, 2)
    assert bet_odds(SideBet.parse({"trips": "trips(player + up)"}), 6).total == comb(312, 3)
    lucky = SideBet.parse({"20": "total(player) == 20 and dealer_blackjack"})
    assert bet_odds(lucky, 6).total == comb(312, 2) * comb(310, 2)


def test_a_fresh_shoe_and_its_counts_give_the_same_odds() -> None:
    bet = SideBet.parse(
        {"sf": "straight(player + up) and suited(player + up)", "p": "pair(player)"}
    )
    polynomial = bet_odds(bet, decks=4)
    direct = count_bet(bet, Shoe.decks(4)).at(1)
    assert [t.probability for t in direct.tiers] == [t.probability for t in polynomial.tiers]
    assert direct.total == polynomial.total


def test_removing_an_ace_changes_suited_hands_as_counted_by_hand() -> None:
    odds = bet_odds(SideBet.parse({"suited": "suited(player)"}), shoe=Shoe.decks(1).remove("AS"))
    assert odds.tier("suited").probability == Fraction(comb(12, 2) + 3 * comb(13, 2), comb(51, 2))


@pytest.mark.parametrize(
    ("tiers", "plan", "given", "word"),
    [
        ({"a": "dealer_bust"}, DealPlan(), None, "dealer_bust"),
        ({"a": "suited(player + next)"}, DealPlan(), None, "no next cards"),
        ({"a": 'dealer[3] == "7"'}, DealPlan(), None, "2 dealer cards"),
        ({}, DealPlan(), None, "tiers"),
    ],
)
def test_a_bet_that_makes_no_sense_is_refused(
    tiers: dict[str, str], plan: DealPlan, given: str | None, word: str
) -> None:
    with pytest.raises(InputError, match=word):
        SideBet.parse(tiers, plan, given)


def test_impossible_counts_are_refused() -> None:
    pair = SideBet.parse({"pair": "pair(player)"})
    for decks in (0, 13, True):
        with pytest.raises(InputError, match="decks"):
            bet_odds(pair, decks)
    with pytest.raises(InputError, match="shoe"):
        bet_odds(pair, shoe=Shoe((1, *[0] * 51)))
    never = SideBet.parse({"pair": "pair(player)"}, given="total(player) > 30")
    with pytest.raises(InputError, match="given"):
        bet_odds(never, 6)
    with pytest.raises(InputError, match="strategy"):
        bet_odds(SideBet.parse({"a": "drawn"}, DealPlan(next_cards=1, draw="by strategy")), 6)
    wide = "suited(player + player2 + player3) and trips(player + player2 + player3)"
    start = time.perf_counter()
    with pytest.raises(InputError, match="fewer cards"):
        bet_odds(SideBet.parse({"a": f"{wide} and rank(first) > rank(player3[2])"}), 6)
    calls = " or ".join(
        f"count(player + dealer, {texts}) == 9"
        for texts in (", ".join(f'"{r}{s}"' for r in "A23456789T") for s in "SHDC")
    )
    tiers = {f"t{i}": f"{calls} or card_matches(player, up) == {i}" for i in range(30)}
    tiers |= {f"u{i}": f'has(player + dealer, "A{s}", "2{s}", "{i}C", "K{s}", "QD", "JH")'
              for i in range(2, 10) for s in "S"}  # fmt: skip
    with pytest.raises(InputError, match="fewer functions"):
        bet_odds(SideBet.parse(tiers), 6)
    assert time.perf_counter() - start < 10
    with pytest.raises(InputError, match="name"):
        SideBet((TierRule.parse("a", "pair(player)"), TierRule.parse("a", "suited(player)")))
    with pytest.raises(InputError, match="cumulative"):
        SideBet((TierRule.parse("a", "pair(player)", "pairs(player)"),))
