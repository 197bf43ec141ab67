"""Effects of removal of side bets: identities, recounts, hand calculation, published tables."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from odds.cards import ALL_CARDS, Rank
from odds.errors import InputError
from odds.shoe import Shoe
from odds.sidebets import DealPlan, SideBet, StrategyTable, count_bet
from odds.sidebets.depletion import deplete
from odds.sidebets.removal import CardEffects, card_effects
from odds.sidebets.results import Hits
from paytables.bets import load_catalog, load_paytable
from paytables.metrics import strategy_for
from paytables.model import Paytable

SLOW = {"Bust Bonus"}  # a dealer's hand with suits: ten seconds, and nothing that others have not


def effects_of(paytable: Paytable, decks: int) -> CardEffects:
    shoe = Shoe(tuple(decks * count for count in paytable.pack.shoe.counts))
    return card_effects(paytable.bet, paytable.result, shoe, strategy_for(paytable, decks))


def expected(paytable: Paytable, shoe: Shoe, strategy: StrategyTable | None) -> Fraction:
    odds = count_bet(paytable.bet, shoe, strategy).at(1)
    won = sum((paytable.result(o.hits) * o.ways for o in odds.outcomes), Fraction(0))
    return won / odds.total


@pytest.mark.parametrize("name", sorted(set(load_catalog()) - SLOW))
def test_the_average_after_one_card_is_that_of_the_whole_shoe(name: str) -> None:
    paytable = load_catalog()[name].paytable()
    found = effects_of(paytable, paytable.decks[0])
    assert found.average_after_one_card == found.expected * found.offered


@pytest.mark.parametrize(
    ("name", "variant", "cards"),
    [
        ("21+3", "9 to 1", ("AS", "7H", "KD")),
        ("Lucky Ladies", None, ("QH", "QS", "AD", "9C")),
        ("Sweet 16", None, ("AH", "AS", "5H", "6C")),
        ("Buster Blackjack", None, ("2S", "7H", "TC")),
        ("Insurance", None, ("AS", "2H", "KC")),
        ("Bet the Bust", None, ("2S", "5H")),
        ("Match the Dealer", None, ("JS",)),
        ("Blazing 7's", "third card if drawn", ("7S", "KD")),
    ],
)
def test_each_effect_is_that_of_a_recount(
    name: str, variant: str | None, cards: tuple[str, ...]
) -> None:
    """The engine counts the shoe without the card from scratch, by another way of counting."""
    paytable = load_paytable(name, variant)
    decks = paytable.decks[0]
    strategy = strategy_for(paytable, decks)
    shoe = Shoe(tuple(decks * count for count in paytable.pack.shoe.counts))
    found = effects_of(paytable, decks)
    assert found.expected == expected(paytable, shoe, strategy)
    numbers = {str(card): card.number for card in ALL_CARDS}
    for card in cards:
        recount = expected(paytable, shoe.remove(card), strategy)
        assert found.effects[numbers[card]] == recount - found.expected


def test_insurance_by_hand() -> None:
    """With an ace up, 311 cards are left of six decks, 96 of them tens; 310 when one is gone."""
    found = effects_of(load_paytable("Insurance"), 6)
    assert found.offered == Fraction(1, 13)
    assert found.expected == Fraction(3 * 96, 311) - 1
    for rank, effect in found.by_rank().items():
        tens = 95 if rank.points == 10 else 96
        assert effect == Fraction(3 * tens, 310) - Fraction(3 * 96, 311)
    ace, ten = found.offered_without[0], found.offered_without[4 * Rank.KING]
    assert (ace, ten) == (Fraction(23, 311), Fraction(24, 311))


@pytest.mark.parametrize("name", ["Perfect Pairs", "Any Pair", "Match the Dealer"])
def test_no_card_matters_to_a_bet_that_treats_all_ranks_and_suits_alike(name: str) -> None:
    paytable = load_paytable(name)
    found = effects_of(paytable, paytable.decks[0])
    assert {effect for effect in found.effects if effect is not None} == {0}
    assert not found.suits_matter


def test_lucky_lucky_as_published() -> None:
    """E. Jacobson, apheat.net, 2 August 2012: effects times 115.81, A to T, double deck.

    All agree as printed but the deuce, 0.909 and printed 0.90: rounded one by one the ten tags add
    up to 0.01, and as printed to 0.
    """
    printed = (-0.98, 0.90, 0.70, 0.47, 0.37, -1.21, -2.00, -1.46, 0.29, 0.73)
    pays = load_paytable("Lucky Lucky", "pay table 2").with_pays({"21s": 15})
    found = effects_of(pays, 2).by_rank()
    for rank, figure in zip(list(Rank)[:10], printed, strict=True):
        margin = 0.01 if rank == Rank.TWO else 0.0051  # the factor has five digits
        assert 115.81 * float(found[rank]) == pytest.approx(figure, rel=0, abs=margin)


def test_push_22_as_published() -> None:
    """S. How, discountgambling.net, 22 August 2013: effects in percent, six decks, H17."""
    printed = (0.52, -0.44, 0.07, 0.11, 0.13, -0.32, -0.12, -0.06, -0.03, 0.03)
    bet = SideBet.parse(
        {
            "suited": "dealer_total == 22 and suited(dealer)",
            "coloured": "dealer_total == 22 and same_colour(dealer)",
            "other": "dealer_total == 22",
        },
        DealPlan(dealer="hits soft 17"),
    )

    def net(hits: Hits) -> Fraction:
        return Fraction(next((pay for pay, hit in zip((50, 20, 8), hits, strict=True) if hit), -1))

    found = card_effects(bet, net, Shoe.decks(6))
    assert float(found.expected) == pytest.approx(-0.058540, rel=0, abs=2e-6)  # a sum of four
    for rank, figure in zip(list(Rank)[:10], printed, strict=True):
        assert 100 * float(found.by_rank()[rank]) == pytest.approx(figure, rel=0, abs=0.0052)


def test_twenty_cards_without_a_seven_turn_super_sevens() -> None:
    """E. Jacobson, 888casino.com: 20 other cards at the start of a six-deck shoe give the edge."""
    paytable = load_paytable("Super Sevens")
    depleted = deplete(paytable.bet, paytable.result)
    others = [card for card in ALL_CARDS if card.rank != Rank.SEVEN]
    edges = [depleted.exact(Shoe.decks(6).remove(*others[:n]))[0] for n in (18, 20, 21)]
    assert edges[0] < edges[1] < edges[2]
    assert abs(edges[1]) < Fraction(1, 100)
    assert edges[2] > 0


@pytest.mark.parametrize("name", ["21+3", "Sweet 16", "Lucky Ladies", "Insurance", "Push 22"])
def test_float_values_of_many_shoes_are_the_exact_ones(name: str) -> None:
    paytable = load_paytable(name)
    depleted = deplete(paytable.bet, paytable.result)
    rng = np.random.default_rng(1)
    counts = rng.multivariate_hypergeometric([6] * 52, 60, size=4)
    values, offered = depleted.per_round(counts)
    for row, value, chance in zip(counts, values, offered, strict=True):
        exact, share = depleted.exact(Shoe(tuple(int(n) for n in row)))
        assert value == pytest.approx(float(exact * share), rel=0, abs=1e-13)
        assert chance == pytest.approx(float(share), rel=0, abs=1e-13)


def test_values_too_large_for_64_bits_stay_exact() -> None:
    """Twelve decks and ten cards: the products pass 2^62 and are summed as Python integers."""
    paytable = load_paytable("Buster Blackjack")
    shoe = Shoe.decks(12)
    odds = count_bet(paytable.bet).at(12)
    won = sum((paytable.result(o.hits) * o.ways for o in odds.outcomes), Fraction(0))
    assert deplete(paytable.bet, paytable.result).exact(shoe)[0] == won / odds.total


def test_what_is_refused() -> None:
    live = SideBet.parse(
        {"bust": "dealer_bust"},
        DealPlan(dealer="hits soft 17", plays="if live, split rounds live"),
    )
    with pytest.raises(InputError, match="plays = "):
        deplete(live, lambda hits: Fraction(hits[0]))
    drawn = SideBet.parse({"seven": 'next == "7"'}, DealPlan(next_cards=1, draw="by strategy"))
    with pytest.raises(InputError, match="strategy = None"):
        deplete(drawn, lambda hits: Fraction(hits[0]))
    pair = SideBet.parse({"pair": "pair(player)"})
    with pytest.raises(InputError, match="shoe = 1"):
        deplete(pair, lambda hits: Fraction(hits[0])).exact(Shoe.from_ranks({"A": 1}))


def test_progress_can_cancel() -> None:
    def stop(done: float, what: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        card_effects(load_paytable("21+3").bet, lambda hits: Fraction(0), Shoe.decks(6), None, stop)
