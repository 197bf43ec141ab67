"""The diagnosis of a bet: dead and hidden tiers, and example hands that really hit."""

from __future__ import annotations

import pytest

from odds.shoe import Shoe
from odds.sidebets import DealPlan, SideBet, bet_odds, count_bet
from odds.sidebets.diagnosis import Finding, diagnose, show_deal
from paytables.bets import load_catalog
from paytables.metrics import counts_of, evaluate


def test_dead_hidden_and_fine_tiers() -> None:
    bet = SideBet.parse(
        {
            "pair": "pair(player)",
            "perfect": "identical(player)",  # a pair
            "both": "pair(player) or suited(player)",  # partly taken by pair
            "22": "total(player) > 21",  # two aces are 12
            "rest": "true",
            "never": "suited(player) and pair(player) and total(player) == 7",
        }
    )
    found = {tier.name: tier for tier in diagnose(count_bet(bet), 6)}
    findings = {name: tier.finding for name, tier in found.items()}
    assert findings == {
        "pair": Finding.FINE,
        "perfect": Finding.HIDDEN,
        "both": Finding.FINE,
        "22": Finding.NEVER,
        "rest": Finding.ALWAYS,
        "never": Finding.NEVER,
    }
    assert found["perfect"].hidden_by == ("pair",)
    assert found["both"].hidden_by == ("pair",)
    assert found["rest"].hidden_by == ("pair", "both")


def test_a_tier_that_needs_more_decks() -> None:
    counts = count_bet(SideBet.parse({"three": 'exactly(player + up, "7H", "7H", "7H")'}))
    assert diagnose(counts, 2)[0].finding is Finding.NOT_FROM_THESE_DECKS
    assert diagnose(counts, 3)[0].finding is Finding.FINE


def test_cumulative_tiers_do_not_hide_each_other() -> None:
    bet = SideBet.parse({"pair": "pair(player)", "perfect": "identical(player)"}, cumulative=True)
    assert [tier.finding for tier in diagnose(count_bet(bet))] == [Finding.FINE] * 2


@pytest.mark.parametrize("name", list(load_catalog()))
def test_the_catalogue_is_in_order_and_its_examples_hit_their_tiers(name: str) -> None:
    """Each example is dealt again: the bet, given exactly those cards, hits that very tier."""
    paytable = load_catalog()[name].paytable()
    decks = max(paytable.decks)
    for i, tier in enumerate(diagnose(counts_of(paytable), decks)):
        assert tier.finding is Finding.FINE, str(tier)
        assert tier.examples
        for example in tier.examples:
            places = dict(example)
            order = [place for place, cards in example for _ in cards]
            if "dealer" in order:
                continue  # a finished hand cannot be pinned down by its first cards alone
            cards = [card for _, cards in example for card in cards]
            pinned = [
                f'{place}[{k}] == "{card}"' if len(places[place]) > 1 else f'{place} == "{card}"'
                for place, held in example
                for k, card in enumerate(held, start=1)
            ]
            given = " and ".join(pinned)
            if paytable.deal.given:
                given = f"({paytable.deal.given}) and {given}"
            bet = SideBet(paytable.bet.tiers, paytable.bet.plan, None, paytable.bet.cumulative)
            fixed = SideBet.parse({"x": given}, bet.plan).tiers[0].when
            again = SideBet(bet.tiers, bet.plan, fixed, bet.cumulative)
            odds = bet_odds(again, shoe=Shoe.decks(8).add(*cards))
            assert odds.tiers[i].probability == 1, show_deal(example)


def test_examples_of_a_dealer_hand_show_the_whole_hand() -> None:
    counts = count_bet(SideBet.parse({"six": "dealer_cards == 6"}, DealPlan(dealer="hits soft 17")))
    for example in diagnose(counts)[0].examples:
        ((place, cards),) = example
        assert place == "dealer"
        assert len(cards) == 6


def test_dead_tiers_pay_nothing() -> None:
    paytable = load_catalog()["Lucky Lucky"].paytable("pay table 1")
    two = evaluate(paytable, 2)
    assert two.tiers[0].ways == 0
    assert two.tiers[0].one_in is None
