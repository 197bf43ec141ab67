"""Shoes dealt round by round, heads-up, until the cut card comes.

`odds.running_count` lets every round take the same number of cards. Played rounds do not: where low
cards come they are longer, so shoes whose high cards come first have more rounds, and end with low
cards left (the cut-card effect). Only the cards that are used matter here, not who wins.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from odds.errors import InputError
from odds.rules import Rules
from odds.shoe import Shoe
from odds.sidebets.decisions import StrategyTable

Progress = Callable[[float, str], None]
Actions = Mapping[tuple[tuple[int, ...], int], str]

_RESERVE = 40  # more than a round of one player can take, but for a run of low cards


@dataclass(frozen=True, slots=True)
class PlayedShoes:
    """The starts of all rounds of simulated shoes.

    Attributes:
        left: Cards left of each of the 52 types when a round starts, shape (rounds, 52).
        shoe: Which shoe the round is of, shape (rounds,).
        dealt: Cards dealt before it, shape (rounds,).
        cards_per_round: Average number of cards in a round.
    """

    left: npt.NDArray[np.int16]
    shoe: npt.NDArray[np.int64]
    dealt: npt.NDArray[np.int64]
    cards_per_round: float


def play_shoes(
    rules: Rules,
    strategy: StrategyTable,
    shoe: Shoe,
    behind: int,
    number: int,
    *,
    plays_out: bool = False,
    seed: int = 1,
    progress: Progress | None = None,
) -> PlayedShoes:
    """Deal shoes to one player and the dealer.

    A round starts while the cut card has not come, and is finished when it does. Split hands are
    played by the same decisions as others.

    Args:
        rules: The table.
        strategy: What the player does; hands that it does not list stand.
        shoe: The whole shoe.
        behind: Cards behind the cut card.
        number: How many shoes.
        plays_out: The dealer draws in every round, not only against a live hand.
        seed: Of the random numbers.
        progress: Called with (fraction done, what); raising cancels.

    Raises:
        InputError: Not from 1 to 1,000,000 shoes, or no room for the cut card.

    Example:
        >>> stand = StrategyTable.from_rule("stand", lambda cards, up: "stand")
        >>> seen = play_shoes(Rules(decks=1), stand, Shoe.decks(1), 20, 100)
        >>> seen.left.shape[1], bool((seen.dealt < 32).all()), 4 < seen.cards_per_round < 5.2
        (52, True, True)
    """
    if isinstance(number, bool) or not 1 <= number <= 1_000_000:
        raise InputError("shoes", number, "a whole number from 1 to 1,000,000")
    if not 0 < behind < shoe.size:
        raise InputError("penetration", f"{behind} cards behind", f"1 to {shoe.size - 1} cards")
    report = progress or (lambda done, what: None)
    rng = np.random.default_rng(seed)
    pack = np.repeat(np.arange(52), shoe.counts)
    cut = shoe.size - behind
    left: list[npt.NDArray[np.int16]] = []
    of_shoe: list[int] = []
    dealt: list[int] = []
    cards = 0
    for i in range(number):
        if i % 100 == 0:
            report(i / number, f"shoe {i:,} of {number:,}")
        order = rng.permutation(pack)
        # A round that runs past the last card goes on with cards already used.
        values = np.minimum(np.concatenate([order, order[:_RESERVE]]) // 4 + 1, 10).tolist()
        starts = [0]
        while (end := _round(rules, strategy.actions, values, starts[-1], plays_out)) < cut:
            starts.append(end)
        cards += end
        gone = np.zeros((len(starts), 52), dtype=np.int16)
        for row, (start, following) in enumerate(pairwise(starts), start=1):
            gone[row] = np.bincount(order[start:following], minlength=52)
        left.append(np.array(shoe.counts, dtype=np.int16) - gone.cumsum(axis=0, dtype=np.int16))
        of_shoe += [i] * len(starts)
        dealt += starts
    return PlayedShoes(np.concatenate(left), np.array(of_shoe), np.array(dealt), cards / len(dealt))


def _round(rules: Rules, actions: Actions, cards: list[int], at: int, plays_out: bool) -> int:
    """Deal one round from a place in the shoe; the place after it."""
    player, up, hole = [cards[at], cards[at + 2]], cards[at + 1], cards[at + 3]
    at += 4
    dealer = [up, hole]
    blackjack = _total(dealer)[0] == 21
    live = False
    if not (blackjack and rules.peeks_under(up)) and _total(player)[0] != 21:
        waiting, number = [player], 1
        while waiting:
            hand = waiting.pop()
            if len(hand) == 1:
                hand.append(cards[at])
                at += 1
            pair = hand[0] == hand[1] and number < rules.split_hands(hand[0])
            action = actions.get((tuple(sorted(hand)), up), "stand")
            if pair and (action == "split" or number > 1):
                number += 1
                waiting += [[hand[0]], [hand[1]]]
                continue
            if number > 1 and hand[0] == 1 and not rules.hit_split_aces:
                action = "stand"
            while action in ("hit", "split"):  # a pair that may not be split is hit
                hand.append(cards[at])
                at += 1
                action = actions.get((tuple(sorted(hand)), up), "stand")
            if action == "double":
                hand.append(cards[at])
                at += 1
            live |= action != "surrender" and sum(hand) <= 21
    if plays_out or (live and not blackjack):
        total, soft = _total(dealer)
        while total < 17 or (total == 17 and soft and rules.hit_soft_17):
            dealer.append(cards[at])
            at += 1
            total, soft = _total(dealer)
    return at


def _total(hand: list[int]) -> tuple[int, bool]:
    hard = sum(hand)
    soft = hard <= 11 and 1 in hand
    return (hard + 10, True) if soft else (hard, False)
