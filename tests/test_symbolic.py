"""Closed forms against the enumeration of actual shoes, and against known formulas."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy

from odds.shoe import Shoe
from odds.sidebets import count_bet
from paytables.bets import load_catalog, load_paytable
from paytables.metrics import evaluate
from paytables.symbolic import DECKS, METER, edge_in_pays, formulas

BETS = [
    ("Perfect Pairs", "30/10/5"),
    ("Sweet 16", "160/16/12/6"),
    ("21+3", "100/40/25/10/5"),
    ("Super Sevens", "third card guaranteed"),
    ("Lucky Ladies", "A 1000/125/19/9/4"),
    ("Bet Player and Bet Dealer", "both with the meter"),
    ("Insurance", "ace up, own blackjack"),
    ("Match the Dealer", "Spanish 21 4/9"),
    ("Progressive Aces", "4 decks, cards guaranteed"),
]


def at(form: sympy.Expr, decks: int) -> Fraction:
    value = sympy.Rational(form.subs({DECKS: decks, METER: 0}))
    return Fraction(int(value.p), int(value.q))


@pytest.mark.parametrize(("name", "variant"), BETS)
def test_closed_forms_equal_the_enumeration_of_real_shoes(name: str, variant: str) -> None:
    paytable = load_paytable(name, variant)
    forms = formulas(paytable)
    pack = paytable.pack.shoe
    for decks in range(1, 13):
        shoe = Shoe(tuple(decks * count for count in pack.counts))
        odds = count_bet(paytable.bet, shoe).at(1)  # counts this shoe, not a polynomial in decks
        assert at(forms.total, decks) == odds.total
        for tier in odds.tiers:
            assert at(forms.ways[tier.name], decks) == tier.ways
            assert at(forms.probability[tier.name], decks) == tier.probability
        assert at(forms.edge, decks) == evaluate(paytable, shoe=shoe).edge


def test_a_dealer_hand_has_a_closed_form_too() -> None:
    paytable = load_paytable("Push 22", "11 H17")
    forms = formulas(paytable)
    for decks in (1, 5, 12):
        odds = count_bet(paytable.bet, Shoe.decks(decks)).at(1)
        assert at(forms.probability["22"], decks) == odds.tier("22").probability
        assert at(forms.edge, decks) == evaluate(paytable, decks).edge


def test_textbook_formulas() -> None:
    d = DECKS
    pairs = formulas(load_paytable("Perfect Pairs", "30/10/5")).probability
    # After one card, 52 d - 1 are left: d - 1 like it, d of its colour's other suit, 2 d more.
    assert sympy.simplify(pairs["perfect"] - (d - 1) / (52 * d - 1)) == 0
    assert sympy.simplify(pairs["colored"] - d / (52 * d - 1)) == 0
    assert sympy.simplify(pairs["mixed"] - 2 * d / (52 * d - 1)) == 0
    insurance = formulas(load_paytable("Insurance", "ace up"))
    assert sympy.simplify(insurance.edge - (4 * d - 1) / (52 * d - 1)) == 0


def test_a_meter_enters_the_edge_linearly() -> None:
    edge = formulas(load_paytable("Bet Player and Bet Dealer", "both with the meter")).edge
    # Break-even meters that are published for 1, 2, 4, 6 and 8 decks.
    for decks, meter in (
        (1, 604),
        (2, 630),
        (4, 643),
        (6, Fraction(1942, 3)),
        (8, Fraction(1299, 2)),
    ):
        value = sympy.Rational(Fraction(meter).numerator, Fraction(meter).denominator)
        assert sympy.simplify(edge.subs({DECKS: decks, METER: value})) == 0


@pytest.mark.parametrize("name", ["21+3", "Match the Dealer", "Bet Player and Bet Dealer"])
def test_the_edge_in_pays_gives_the_edge_for_other_pays(name: str) -> None:
    paytable = load_catalog()[name].paytable()
    edge, symbols = edge_in_pays(paytable)
    tiers = [tier for tier in paytable.tiers if tier.pays is not None]
    other = paytable.with_pays({tier.name: 7 + i for i, tier in enumerate(tiers)})
    values = {symbols[tier.name]: sympy.Rational(str(other.net(tier))) for tier in other.tiers}
    for decks in (1, 6):
        assert at(edge.subs(values), decks) == evaluate(other, decks, meter=0).edge
