"""New bets written from their rule text alone, in TOML, without a line of Python.

Each is checked against a count by hand or against an independent enumeration.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import comb

from paytables.bets import parse_bet
from paytables.metrics import evaluate, meter_result, shared_meter
from tests.side_bet_twin import deals, shoe_of, total

FIRST_CARD_MULTIPLIES = """
name = "Red Start"
rule = "A pair wins. A red first card doubles the award, an ace as first card trebles it."
cards = "the player's first two cards, in order"

[[tiers]]
name = "ace first"
when = 'first == "A" and pair(player)'
pays = 24

[[tiers]]
name = "red first"
when = 'first == "red" and pair(player)'
pays = 16

[[tiers]]
name = "pair"
when = "pair(player)"
pays = 8
"""

IN_BETWEEN = """
name = "In Between"
rule = "The upcard falls between the player's two cards; the closer these are, the more it pays."
cards = "the player's first two cards and the upcard"

[[tiers]]
name = "trips"
when = "trips(player + up)"
pays = 30

[[tiers]]
name = "between, spread 1"
when = 'spread(player, "ace high") == 1 and between(player, up, "ace high")'
pays = 12

[[tiers]]
name = "between, spread 2 to 4"
when = '2 <= spread(player, "ace high") <= 4 and between(player, up, "ace high")'
pays = 6

[[tiers]]
name = "between"
when = 'between(player, up, "ace high")'
pays = 1
"""

SUITED_22 = """
name = "Suited 22"
rule = "The dealer finishes with 22; all cards of one suit or of one colour pay more."
cards = "the dealer's finished hand"

[deal]
dealer = "hits soft 17"

[[tiers]]
name = "one suit"
when = "dealer_total == 22 and suited(dealer)"
pays = 50

[[tiers]]
name = "one colour"
when = "dealer_total == 22 and same_colour(dealer)"
pays = 20

[[tiers]]
name = "22"
when = "dealer_total == 22"
pays = 8
"""

RED_RUN = """
name = "Red Run"
rule = "Red cards in a row from the dealer's first card on."
cards = "the dealer's finished hand, in order"

[deal]
dealer = "stands on soft 17"

[[tiers]]
name = "five or more"
when = 'leading(dealer, "red") >= 5'
pays = 40

[[tiers]]
name = "three or four"
when = 'leading(dealer, "red") >= 3'
pays = 6

[[tiers]]
name = "two"
when = 'leading(dealer, "red") == 2'
pays = "1/2"
"""


def test_the_first_card_decides_the_multiplier_and_the_second_the_tier() -> None:
    paytable = parse_bet(FIRST_CARD_MULTIPLIES).paytable()
    for decks in (1, 6):
        cards = 52 * decks
        again = Fraction(4 * decks - 1, cards - 1)  # the second card has the rank of the first
        found = evaluate(paytable, decks)
        chances = {row.tier.name: row.probability for row in found.tiers}
        assert chances["ace first"] == Fraction(4, 52) * again
        assert chances["red first"] == Fraction(24, 52) * again
        assert chances["pair"] == Fraction(24, 52) * again
        win = (24 * Fraction(4, 52) + 16 * Fraction(24, 52) + 8 * Fraction(24, 52)) * again
        assert found.edge == 1 - again - win


def test_a_spread_between_two_player_cards_and_the_upcard() -> None:
    paytable = parse_bet(IN_BETWEEN).paytable()
    decks = 6
    each = 4 * decks
    expected = dict.fromkeys([tier.name for tier in paytable.tiers], 0)
    for low, high in itertools.combinations(range(2, 15), 2):
        inside = high - low - 1
        name = {0: None, 1: "between, spread 1"}.get(
            inside, "between, spread 2 to 4" if inside <= 4 else "between"
        )
        if name:
            expected[name] += each * each * inside * each
    expected["trips"] = 13 * comb(each, 3) * 3
    odds = evaluate(paytable, decks).odds
    assert odds.total == comb(312, 2) * 310
    assert {tier.name: tier.ways for tier in odds.tiers} == expected


def test_a_suited_dealer_22() -> None:
    paytable = parse_bet(SUITED_22).paytable()
    pack = {"AS": 2, "6S": 3, "6D": 2, "TS": 3, "TC": 2, "5H": 3}
    chances = dict.fromkeys([tier.name for tier in paytable.tiers], Fraction(0))
    for deal, chance in deals(pack, [("up", 1), ("hole", 1)], dealer="H17"):
        if total(deal["dealer"]) == 22:
            suits = {card[1] for card in deal["dealer"]}
            colours = {suit in "HD" for suit in suits}
            name = "one suit" if len(suits) == 1 else "one colour" if len(colours) == 1 else "22"
            chances[name] += chance
    found = evaluate(paytable, shoe=shoe_of(pack))
    assert {row.tier.name: row.probability for row in found.tiers} == chances
    # The three tiers together are the published Push 22 of six decks (H17 column).
    six = evaluate(paytable, 6)
    together = sum((row.probability for row in six.tiers), Fraction(0))
    assert 1 - 12 * together == Fraction(2317821069118471382463, 19715186914300078296095)


def test_red_cards_in_a_row_from_the_dealer() -> None:
    paytable = parse_bet(RED_RUN).paytable()
    pack = {"AS": 2, "3H": 4, "5D": 3, "6S": 3, "TH": 3}
    chances = dict.fromkeys([tier.name for tier in paytable.tiers], Fraction(0))
    for deal, chance in deals(pack, [("up", 1), ("hole", 1)], dealer="S17"):
        reds = [card[1] in "HD" for card in deal["dealer"]]
        run = reds.index(False) if False in reds else len(reds)
        if run >= 2:
            name = "five or more" if run >= 5 else "three or four" if run >= 3 else "two"
            chances[name] += chance
    found = evaluate(paytable, shoe=shoe_of(pack))
    assert {row.tier.name: row.probability for row in found.tiers} == chances
    # Two red first cards, by hand: with probability (26 d)(26 d - 1) / (52 d)(52 d - 1).
    six = evaluate(paytable, 6)
    assert 1 - six.odds.nothing == Fraction(156 * 155, 312 * 311)


METER = """
name = "Two Wagers"
[wagers]
left = 1
right = 2
[meter]
stake = 5
seed = 1000
increment = "1/4"
[[tiers]]
name = "pair"
when = "pair(player)"
pays = 11
wager = "left"
[[tiers]]
name = "suited"
when = "suited(player)"
pays = "5/2"
wager = "right"
[[tiers]]
name = "aces of spades"
when = 'exactly(player, "AS", "AS")'
meter = 1
wager = "bonus"
[[tiers]]
name = "other aces of a suit"
when = 'exactly(player, "A", "A") and suited(player)'
meter = "1/10"
wager = "bonus"
"""


def test_a_meter_that_needs_two_wagers() -> None:
    paytable = parse_bet(METER).paytable()
    found = evaluate(paytable, 6, meter=0)
    pair, suited = Fraction(23, 311), Fraction(77, 311)
    expected = (12 * pair - 1) + 2 * (Fraction(7, 2) * suited - 1)
    assert found.expected_net == expected
    assert found.edge == -expected / 3
    spades = Fraction(comb(6, 2), comb(312, 2))
    result = meter_result(found)
    # Stakes of 5 on one unit, three units in all; three more suits pay a tenth of the meter.
    assert result.return_per_unit == (spades + 3 * spades / 10) / 15
    assert result.break_even == found.edge / result.return_per_unit
    assert evaluate(paytable, 6, meter=result.break_even).edge == 0
    assert result.emptied == spades
    assert result.hit_frequency == 4 * spades
    assert result.long_run_edge == found.edge - (Fraction(1, 4) + 1000 * spades) / 15


def test_a_long_run_of_a_meter_pays_out_what_is_put_in() -> None:
    """The long-run edge from the stationary mean of the meter itself."""
    paytable = parse_bet(METER).paytable()
    result = meter_result(evaluate(paytable, 6, meter=0))
    full, tenth = result.emptied, result.hit_frequency - result.emptied
    # m = (m + increment)(1 - full - tenth / 10) + full * seed, solved for m + increment.
    shrink = full + tenth / 10
    mean = (Fraction(1, 4) + full * 1000) / shrink
    assert (mean - Fraction(1, 4)) == mean * (1 - shrink) + full * 1000
    assert result.edge(mean) == result.long_run_edge


def test_hands_that_win_at_once_share_the_meter() -> None:
    paytable = parse_bet(METER).paytable()
    shared = shared_meter(paytable, "aces of spades", 2, decks=2)
    # Two decks hold two aces of spades: only one hand can have both.
    one = Fraction(1, comb(104, 2))
    assert shared.winners == (1 - 2 * one, 2 * one, 0)
    assert shared.expected_share == 1
    four = shared_meter(paytable, "aces of spades", 2, decks=4)
    both = Fraction(comb(4, 2), comb(208, 2)) * Fraction(1, comb(206, 2))
    assert four.winners[2] == both
    single = Fraction(comb(4, 2), comb(208, 2))
    assert four.any_winner == 2 * single - both
    assert four.expected_share == four.any_winner / (2 * single)


def test_half_losses_and_pushes() -> None:
    text = """
name = "Soft Landing"
[[tiers]]
name = "pair"
when = "pair(player)"
pays = 9
[[tiers]]
name = "suited"
when = "suited(player)"
pays = 0
[[tiers]]
name = "red"
when = "red(player)"
pays = "-1/2"
"""
    paytable = parse_bet(text).paytable()
    found = evaluate(paytable, 6)
    pair = Fraction(23, 311)
    suited = Fraction(4 * 13 * 12 * 6 * 6, 312 * 311)  # two ranks of one suit
    red = Fraction(2 * 13 * 12 * 6 * 6, 312 * 311)  # two ranks, a heart and a diamond
    assert found.push_frequency == suited
    assert found.hit_frequency == pair
    assert found.results == {
        Fraction(-1): 1 - pair - suited - red,
        Fraction(-1, 2): red,
        Fraction(0): suited,
        Fraction(9): pair,
    }
    for_one = paytable.as_for_one()
    assert [tier.pays for tier in for_one.tiers] == [10, 1, Fraction(1, 2)]
    assert evaluate(for_one, 6).results == found.results
    assert for_one.as_to_one() == paytable


def test_cumulative_pays_for_one_include_the_stake_once() -> None:
    text = """
name = "Each Red"
cumulative = true
paid = "for one"
[[tiers]]
name = "red"
when = 'any(player, "red")'
times = 'count(player, "red")'
pays = 2
[[tiers]]
name = "pair"
when = "pair(player)"
pays = 5
"""
    paytable = parse_bet(text).paytable()
    nets = {hits: paytable.result(hits) for hits in ((0, 0), (1, 0), (2, 0), (1, 1), (0, 1))}
    assert nets == {(0, 0): -1, (1, 0): 1, (2, 0): 3, (1, 1): 6, (0, 1): 4}
    assert evaluate(paytable, 6).edge == evaluate(paytable.as_for_one(), 6).edge


def test_extra_and_missing_cards() -> None:
    text = """
name = "Aces"
pack = { without = ["T", "KS"], extra = ["AS", "AS"] }
[[tiers]]
name = "two aces"
when = 'exactly(player, "A", "A")'
pays = 50
"""
    paytable = parse_bet(text).paytable()
    assert str(paytable.pack) == "49-card pack without T, KS and with an extra AS, AS"
    for decks in (1, 8):
        odds = evaluate(paytable, decks).odds
        assert odds.tier("two aces").ways == comb(6 * decks, 2)
        assert odds.total == comb(49 * decks, 2)
