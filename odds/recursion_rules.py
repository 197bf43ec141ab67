"""What a hand may do and what it wins: the rules of `odds.rules` as plain functions of a hand.

They are the part of the definition (`odds.recursion`) that knows no probability.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from odds.rules import Rules
from odds.strategy import Action

Hand: TypeAlias = tuple[int, ...]
"""Card values in ascending order."""
Finished: TypeAlias = tuple[int, int]
"""The score of a finished hand and the units bet on it."""

RESULTS = ("17", "18", "19", "20", "21", "bust", "blackjack")
"""The dealer's final results."""
BUST, STIFF, BEATS_21, SPLIT_BLACKJACK, NATURAL = 0, 16, 22, 23, 24
"""Scores of a finished hand that are no total; totals of 17 to 21 are their own score."""


def with_card(hand: Hand, value: int) -> Hand:
    """The hand with one more card."""
    return tuple(sorted((*hand, value)))


def count_hand(hand: Hand) -> tuple[int, bool]:
    """Total and softness: one ace counts 11 where that does not bust.

    Example:
        >>> count_hand((1, 6)), count_hand((1, 6, 10))
        ((17, True), (17, False))
    """
    soft = 1 in hand and sum(hand) <= 11
    return sum(hand) + 10 * soft, soft


def legal_actions(rules: Rules, hand: Hand, upcard: int, split: int | None = None) -> list[Action]:
    """The actions that the rules leave to a hand that has not bust, standing first.

    Args:
        rules: The rules.
        hand: Card values in ascending order, two or more.
        upcard: The dealer's upcard, 1 to 10.
        split: The value of the pair this hand was split from; None for a hand never split.
    """
    total, soft = count_hand(hand)
    two_cards, ace_ten, unsplit = len(hand) == 2, hand == (1, 10), split is None
    natural = ace_ten and unsplit
    if natural or (total == 21 and rules.stand_on_21) or len(hand) == rules.max_cards:
        return [Action.STAND]
    actions = [Action.STAND]
    if split != 1 or rules.hit_split_aces:
        actions.append(Action.HIT)
    if (
        rules.may_double_total(total, soft)
        and (two_cards or rules.double_any_cards)
        and (unsplit or rules.double_after_split)
        and (split != 1 or rules.double_split_aces)
        and (not ace_ten or rules.double_two_card_21)
    ):
        actions.append(Action.DOUBLE)
    if unsplit and two_cards and hand[0] == hand[1] and rules.split_hands(hand[0]) > 1:
        actions.append(Action.SPLIT)
    if (
        unsplit
        and rules.surrender != "none"
        and (two_cards or rules.surrender_any_cards)
        and not (rules.surrender == "early_not_ace" and upcard == 1)
    ):
        actions.append(Action.SURRENDER)
    return actions


def score(rules: Rules, hand: Hand, split: int | None = None) -> int:
    """What a finished hand is worth against the dealer's total."""
    if hand == (1, 10):
        split_scores = {"21": 21, "beats_21": BEATS_21, "blackjack": SPLIT_BLACKJACK}
        return NATURAL if split is None else split_scores[rules.split_ace_ten]
    total, _ = count_hand(hand)
    return BUST if total > 21 else max(total, STIFF)  # the dealer has 17 or more


def hand_result(rules: Rules, hand: Finished, dealer: str) -> Fraction:
    """Net units won by one hand when the dealer has no blackjack."""
    points, bet = hand
    if points in (NATURAL, SPLIT_BLACKJACK):
        return rules.blackjack_pays
    target = BUST if dealer == "bust" else int(dealer)
    if points == BUST or points < target:
        return Fraction(-bet)
    return Fraction(bet if points > target else 0)


def round_result(rules: Rules, upcard: int, hands: Sequence[Finished], dealer: str) -> Fraction:
    """Net units won by all hands of a round against one final result of the dealer.

    Example:
        A hand doubled to 20 and a hand that bust, after a split, against a dealer blackjack:

        >>> for takes in "all", "original", "busted_plus_one":
        ...     rules = Rules(peek="none", dealer_blackjack_takes=takes)
        ...     print(takes, round_result(rules, 10, [(20, 2), (BUST, 1)], "blackjack"))
        all -3
        original -1
        busted_plus_one -2
    """
    if dealer != "blackjack":
        return sum((hand_result(rules, hand, dealer) for hand in hands), Fraction(0))
    if rules.peeks_under(upcard):  # it ended the round before anything but a natural was made
        return Fraction(0 if hands[0][0] == NATURAL else -1)
    losing = [hand for hand in hands if hand[0] not in (NATURAL, SPLIT_BLACKJACK)]
    if rules.dealer_blackjack_takes == "all":
        return -Fraction(sum(bet for _, bet in losing))
    if rules.dealer_blackjack_takes == "original":
        return Fraction(0 if hands[0][0] == NATURAL else -1)  # split blackjacks save nothing
    busted = sum(bet for points, bet in losing if points == BUST)
    return -Fraction(busted + any(points != BUST for points, _ in losing))


def own_result(rules: Rules, upcard: int, hand: Finished, dealer: str) -> Fraction:
    """One split hand's own part of the round's result, which CDP1 and CDP maximise.

    What a dealer blackjack costs the round as a whole, whatever this hand does, is left out.
    """
    if dealer != "blackjack":
        return hand_result(rules, hand, dealer)
    points, bet = hand
    if rules.peeks_under(upcard) or rules.dealer_blackjack_takes == "original":
        return Fraction(0)
    taken = points == BUST or (rules.dealer_blackjack_takes == "all" and points != SPLIT_BLACKJACK)
    return Fraction(-bet if taken else 0)


def surrender_result(rules: Rules, hand: Hand, upcard: int, dealer: str) -> Fraction:
    """Net units won by surrendering."""
    peeked_by_now = rules.peeks_under(upcard) and len(hand) > 2
    late = rules.surrender == "late" or peeked_by_now
    return Fraction(-1) if late and dealer == "blackjack" else Fraction(-1, 2)
