"""Bets dealt card by card against their exact odds, one for each way of dealing."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest

from odds.errors import InputError
from odds.shoe import Shoe
from odds.sidebets import DealPlan, SideBet, StrategyTable, bet_odds
from odds.sidebets.simulation import BATCH, SimulatedBet, simulate_bet
from paytables.bets import load_paytable
from paytables.metrics import evaluate

NEVER_BUST = StrategyTable.from_rule(
    "never bust",
    lambda cards, up: "hit" if sum(cards) < 12 and 1 not in cards else "stand",
    most_cards=4,
)
FEW_DEAD_HANDS = StrategyTable.from_rule(
    "stand on 12, but for four hands",
    lambda cards, up: (
        "split" if cards == (8, 8)
        else "surrender" if cards == (6, 10) and up == 10
        else "hit" if cards == (5, 10) and up == 10
        else "double" if cards in ((5, 6), (6, 9))
        else "stand"
    ),
)  # fmt: skip
"""Rounds end early by every way there is, in few enough hands for a quick exact count."""


def assert_agrees(found: SimulatedBet, odds: dict[str, Fraction]) -> None:
    assert found.rounds > 1000
    for tier, probability in odds.items():
        expected = float(probability) * found.rounds
        spread = math.sqrt(expected * (1 - float(probability)))
        assert abs(found.observed(tier) - expected) <= 4 * spread + 1e-9, tier


@pytest.mark.parametrize(
    ("name", "variant"),
    [
        ("Sweet 16", None),  # two cards
        ("21+3", None),  # and the upcard
        ("Match the Dealer", None),  # all tiers that hold count, up to twice
        ("Match the Dealer", "Spanish 21 4/9"),  # a pack without tens
        ("Insurance", "ace up, own tens"),  # under a condition
        ("Bet Player and Bet Dealer", None),  # wagers side by side, the dealer's hole card
        ("Super Sevens", "third card guaranteed"),
        ("Super Sevens", "no card after a dealer blackjack"),
        ("Blazing 7's", None),
        ("Progressive Aces", None),  # four cards in order
        ("Buster Blackjack", "with player blackjack S17"),  # the dealer plays out
        ("Buster Blackjack", "250/50/12/4/2/2 H17"),
        ("Bust Bonus", "8 up"),  # under a condition, with suits
    ],
)
def test_catalogue_bet(name: str, variant: str | None) -> None:
    evaluation = evaluate(load_paytable(name, variant))
    found = simulate_bet(evaluation.odds.bet, evaluation.odds.shoe, 300_000, seed=20_261_130)
    assert_agrees(found, {tier.name: tier.probability for tier in evaluation.odds.tiers})
    net = evaluation.paytable.result
    error = math.sqrt(float(evaluation.variance) / found.rounds)
    assert abs(found.mean(net) - evaluation.expected_net) <= 4 * error


def test_cards_drawn_by_a_strategy() -> None:
    plan = DealPlan(next_cards=2, draw="by strategy")
    tiers = {"two": "size(next) == 2", "six": 'count(player + next, "6") == 3', "one": "drawn"}
    bet = SideBet.parse(tiers, plan, given='not up == "5"')
    for strategy in (NEVER_BUST, FEW_DEAD_HANDS):
        odds = bet_odds(bet, decks=2, strategy=strategy)
        found = simulate_bet(bet, Shoe.decks(2), 300_000, 5, strategy)
        assert_agrees(found, {tier.name: tier.probability for tier in odds.tiers})


@pytest.mark.parametrize("plays", ["if live, split rounds live", "if live, split rounds dead"])
def test_dealer_who_plays_against_live_hands_only(plays: str) -> None:
    plan = DealPlan(dealer="hits soft 17", plays=plays)  # type: ignore[arg-type]
    bet = SideBet.parse({"six": "dealer_cards >= 5", "bust": "dealer_bust"}, plan)
    odds = bet_odds(bet, decks=1, strategy=FEW_DEAD_HANDS)
    found = simulate_bet(bet, Shoe.decks(1), 400_000, 9, FEW_DEAD_HANDS)
    assert_agrees(found, {tier.name: tier.probability for tier in odds.tiers})


def test_several_hands_do_not_share_a_card() -> None:
    bet = SideBet.parse(
        {
            "both": 'exactly(player, "AS", "JS") and exactly(player2, "AS", "JS")',
            "second": "pair(player2)",
        }
    )
    one_deck = simulate_bet(bet, Shoe.decks(1), 200_000, 3)
    assert one_deck.observed("both") == 0  # there is one ace of spades
    assert_agrees(one_deck, {"second": Fraction(3, 51)})


def test_every_order_of_a_small_pack_is_as_likely() -> None:
    faces = ["AS", "2S", "3S", "4S", "5S"]
    shoe = Shoe((0,) * 52).add(*faces)
    orders = list(permutations(faces, 3))
    tiers = {
        "".join(order): f'first == "{order[0]}" and second == "{order[1]}" and up == "{order[2]}"'
        for order in orders[:39]
    }
    rounds = 240_000
    found = simulate_bet(SideBet.parse(tiers), shoe, rounds, seed=2)
    expected = rounds / len(orders)
    observed = [found.observed(name) for name in tiers]
    chi_square = sum((number - expected) ** 2 / expected for number in observed)
    assert 15 < chi_square < 75  # 39 degrees of freedom: 99.9 % on either side
    assert found.nothing == rounds - sum(observed)


def test_a_seed_means_the_same_rounds_however_many_follow() -> None:
    bet = SideBet.parse({"pair": "pair(player)"})
    shoe = Shoe.decks(6)
    first = simulate_bet(bet, shoe, BATCH, 1)
    assert first == simulate_bet(bet, shoe, BATCH, 1)
    more = simulate_bet(bet, shoe, 2 * BATCH, 1)
    second = Counter(more.outcomes) - Counter(first.outcomes)
    assert second.total() == BATCH
    assert simulate_bet(bet, shoe, BATCH, 2).outcomes != first.outcomes


def test_bad_input() -> None:
    bet = SideBet.parse({"pair": "pair(player)"})
    for rounds, seed in ((0, 1), (True, 1), (10**10, 1), (100, -1)):
        with pytest.raises(InputError):
            simulate_bet(bet, Shoe.decks(1), rounds, seed)
    with pytest.raises(InputError, match="cards enough"):
        simulate_bet(bet, Shoe((0,) * 52).add("AS", "AH", "AD"), 10, 1)
    drawn = SideBet.parse({"drawn": "drawn"}, DealPlan(next_cards=1, draw="by strategy"))
    with pytest.raises(InputError, match="strategy"):
        simulate_bet(drawn, Shoe.decks(1), 10, 1)
    never = SideBet.parse({"pair": "pair(player)"}, given="total(player) > 30")
    found = simulate_bet(never, Shoe.decks(1), 1000, 1)
    assert (found.rounds, found.dealt) == (0, 1000)
    with pytest.raises(InputError, match="rounds"):
        found.mean(lambda hits: Fraction(0))
    with pytest.raises(InputError, match="tier"):
        found.observed("nothing of this name")


def test_progress_and_cancelling() -> None:
    told: list[float] = []
    bet = SideBet.parse({"pair": "pair(player)"})
    simulate_bet(bet, Shoe.decks(1), 3 * BATCH, 1, progress=lambda done, what: told.append(done))
    assert told == sorted(told)
    assert told[0] == 0
    assert told[-1] == 1

    def stop(done: float, what: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate_bet(bet, Shoe.decks(1), BATCH, 1, progress=stop)
