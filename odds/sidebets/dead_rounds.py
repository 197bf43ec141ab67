"""Rounds that are over for the player before the dealer draws.

Where the dealer plays out only while a player's hand is live, a bet on the dealer's hand depends on
how often the player is busted, has surrendered, or holds a natural that is settled at once. One
player at the table is looked at, who follows the strategy; a dealer then shows the two first cards
and draws no more.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from odds.cards import Rank
from odds.sidebets.deals import Column, Table
from odds.sidebets.evaluation import Decisions
from odds.sidebets.partition import value_partition

Hand = tuple[int, ...]
_RANK_OF = {rank.points: int(rank) for rank in reversed(Rank)}


def dead_hands(decisions: Decisions, up: int, *, split_rounds_are_dead: bool) -> dict[Hand, int]:
    """The player's hands (values in rising order) that are over before the dealer draws.

    Args:
        decisions: The strategy; hands it does not list stand.
        up: The upcard's value.
        split_rounds_are_dead: How to count a round in which a pair is split.

    Returns:
        For each such hand the number of orders in which it is dealt.

    Example:
        >>> from odds.sidebets import StrategyTable
        >>> table = StrategyTable.from_rule("stand", lambda cards, up: "stand")
        >>> dead_hands(table, 10, split_rounds_are_dead=False)
        {(1, 10): 2}
    """
    dead: dict[Hand, int] = defaultdict(int)
    playing: dict[Hand, int] = defaultdict(int)
    for first in range(1, 11):
        for second in range(1, 11):
            playing[_sorted_hand((first, second))] += 1
    while playing:
        following: dict[Hand, int] = defaultdict(int)
        for hand, orders in playing.items():
            if hand == (1, 10):
                dead[hand] += orders
                continue
            action = decisions.actions.get((hand, up), "stand")
            if action == "surrender" or (action == "split" and split_rounds_are_dead):
                dead[hand] += orders
            if action in ("hit", "double"):
                for value in range(1, 11):
                    drawn = _sorted_hand((*hand, value))
                    if sum(drawn) > 21:
                        dead[drawn] += orders
                    elif action == "hit":
                        following[drawn] += orders
        playing = following
    return dict(dead)


def dead_table(hands: dict[Hand, int]) -> Table:
    """Hands by value as a table of deals."""
    width = max((len(hand) for hand in hands), default=0)
    columns = tuple(Column(("hand", i + 1), value_partition()) for i in range(width))
    ranks = np.full((width, len(hands)), -1, dtype=np.int8)
    for column, hand in enumerate(hands):
        ranks[: len(hand), column] = [_RANK_OF[value] for value in hand]
    masks = np.where(ranks >= 0, 15, 0).astype(np.uint8)
    return Table(columns, ranks, masks, np.array(list(hands.values()), dtype=np.int64))


def _sorted_hand(cards: Hand) -> Hand:
    return tuple(sorted(cards))
