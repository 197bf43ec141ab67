"""Side bets against icepool, a library of exact dice and deck probabilities that shares no code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import icepool
import pytest

from odds.sidebets import SideBet, bet_odds
from paytables.bets import load_paytable
from paytables.metrics import evaluate

Card = tuple[int, str]
Hand = tuple[Card, ...]


def every_card(rank: int, suit: str) -> Card:
    return rank, suit


def by_rank(rank: int, suit: str) -> Card:
    return rank, ""


def deck(decks: int, keep: Callable[[int, str], Any]) -> Any:
    """An icepool deck of card classes: `keep` says what is told apart."""
    counts: Counter[Any] = Counter()
    for rank in range(1, 14):
        for suit in "SHDC":
            counts[keep(rank, suit)] += decks
    return icepool.Deck(dict(counts))


def chance(decks: int, cards: int, holds: Callable[[Hand], bool], keep: Any = None) -> Fraction:
    """The probability that a hand of some cards, in no order, satisfies a predicate."""
    hands = all_hands(decks, cards, keep or every_card)
    wins = sum(number for hand, number in hands if holds(hand))
    return Fraction(wins, sum(number for _, number in hands))


@cache
def all_hands(decks: int, cards: int, keep: Callable[[int, str], Any]) -> list[tuple[Hand, int]]:
    """Every hand with the number of ways to deal it."""
    dealt = deck(decks, keep).deal(cards).expand()
    return [(tuple(hand), number) for hand, number in dealt.items()]


def ours(bet: str, variant: str | None, tier: str, decks: int) -> Fraction:
    return evaluate(load_paytable(bet, variant), decks, meter=0).odds.tier(tier).probability


def total(hand: Hand) -> int:
    hard = sum(min(rank, 10) for rank, _ in hand)
    return hard + 10 * (hard <= 11 and any(rank == 1 for rank, _ in hand))


def suited(hand: Hand) -> bool:
    return len({suit for _, suit in hand}) == 1


def colours(hand: Hand) -> int:
    return len({suit in "HD" for _, suit in hand})


@pytest.mark.parametrize("decks", [1, 2, 8])
def test_perfect_pairs(decks: int) -> None:
    def pair(hand: Hand) -> bool:
        return hand[0][0] == hand[1][0]

    perfect = chance(decks, 2, lambda h: h[0] == h[1])
    coloured = chance(decks, 2, lambda h: pair(h) and h[0] != h[1] and colours(h) == 1)
    mixed = chance(decks, 2, lambda h: pair(h) and colours(h) == 2)
    assert ours("Perfect Pairs", None, "perfect", decks) == perfect
    assert ours("Perfect Pairs", None, "colored", decks) == coloured
    assert ours("Perfect Pairs", None, "mixed", decks) == mixed


@pytest.mark.parametrize("decks", [4, 8])
def test_sweet_16(decks: int) -> None:
    sweet = chance(decks, 2, lambda h: sorted(h) == [(1, "H"), (5, "H")])
    one_suit = chance(decks, 2, lambda h: total(h) == 16 and suited(h)) - sweet
    one_colour = chance(decks, 2, lambda h: total(h) == 16 and colours(h) == 1 and not suited(h))
    mixed = chance(decks, 2, lambda h: total(h) == 16 and colours(h) == 2)
    expected = {"sweet": sweet, "suited": one_suit, "color": one_colour, "mixed": mixed}
    for tier, probability in expected.items():
        assert ours("Sweet 16", None, tier, decks) == probability


def test_21_plus_3() -> None:
    """Ranks and suits of three cards: straight flushes, trips, straights and flushes."""
    decks = 6

    def straight(hand: Hand) -> bool:
        ranks = sorted(rank for rank, _ in hand)
        return ranks[0] + 2 == ranks[1] + 1 == ranks[2] or ranks == [1, 12, 13]

    def trips(hand: Hand) -> bool:
        return len({rank for rank, _ in hand}) == 1

    assert ours("21+3", None, "suited trips", decks) == chance(
        decks, 3, lambda h: trips(h) and suited(h)
    )
    assert ours("21+3", None, "straight flush", decks) == chance(
        decks, 3, lambda h: straight(h) and suited(h)
    )
    assert ours("21+3", None, "straight", decks) == chance(
        decks, 3, lambda h: straight(h) and not suited(h)
    )
    assert ours("21+3", None, "flush", decks) == chance(
        decks, 3, lambda h: suited(h) and not trips(h) and not straight(h)
    )


def test_lucky_lucky() -> None:
    def lucky(hand: Hand, *ranks: int) -> bool:
        return sorted(rank for rank, _ in hand) == list(ranks)

    def special(hand: Hand) -> bool:
        return lucky(hand, 7, 7, 7) or lucky(hand, 6, 7, 8)

    decks = 6
    assert ours("Lucky Lucky", None, "678s", decks) == chance(
        decks, 3, lambda h: lucky(h, 6, 7, 8) and suited(h)
    )
    assert ours("Lucky Lucky", None, "21s", decks) == chance(
        decks, 3, lambda h: total(h) == 21 and suited(h) and not special(h)
    )
    assert ours("Lucky Lucky", None, "20", decks) == chance(
        decks, 3, lambda h: total(h) == 20, by_rank
    )
    assert ours("Lucky Lucky", None, "19", decks) == chance(
        decks, 3, lambda h: total(h) == 19, by_rank
    )


def test_suit_em_up_and_royal_match() -> None:
    decks = 6

    def ranks(hand: Hand) -> list[int]:
        return sorted(rank for rank, _ in hand)

    assert ours("Suit 'Em Up", None, "aces", decks) == chance(
        decks, 2, lambda h: suited(h) and ranks(h) == [1, 1]
    )
    assert ours("Suit 'Em Up", None, "bj", decks) == chance(
        decks, 2, lambda h: suited(h) and total(h) == 21
    )
    assert ours("Suit 'Em Up", None, "11", decks) == chance(
        decks, 2, lambda h: suited(h) and total(h) == 11
    )
    assert ours("Royal Match", None, "royal", decks) == chance(
        decks, 2, lambda h: suited(h) and ranks(h) == [12, 13]
    )
    assert ours("Over/Under 13", "under", "under", decks) == chance(
        decks, 2, lambda h: sum(min(r, 10) for r, _ in h) < 13
    )


def test_four_aces_of_one_colour() -> None:
    """Four cards by class: red ace, black ace, other."""

    def keep(rank: int, suit: str) -> Card:
        return (1, "red" if suit in "HD" else "black") if rank == 1 else (0, "")

    expected = chance(
        8, 4, lambda h: all(rank == 1 for rank, _ in h) and len({c for _, c in h}) == 1, keep
    )
    tier = ours("Progressive Aces by Colour", None, "4col", 8)
    assert tier == expected


def test_poker_hands_of_five_first_cards() -> None:
    """Two players' hands and the upcard, by rank: two pairs or better among five cards."""

    def at_least_two_pairs(hand: Hand) -> bool:
        counts = Counter(rank for rank, _ in hand).values()
        return max(counts) >= 3 or sum(n >= 2 for n in counts) >= 2

    cards = "player + player2 + up"
    bet = SideBet.parse({"two pairs": f"pairs({cards}) >= 2 or trips({cards})"})
    expected = chance(2, 5, at_least_two_pairs, by_rank)
    assert bet_odds(bet, 2).tier("two pairs").probability == expected
