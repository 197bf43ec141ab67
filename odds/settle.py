"""Decisions that float64 leaves too close to call, decided by exact values."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from odds.errors import InputError
from odds.exact import CLOSE, ExactGame
from odds.game import GameOdds, Progress, analyze
from odds.hands import lattice
from odds.play import without_splits
from odds.strategy import ACTIONS, NO_DECISION, Action, Strategy


def close_decisions(odds: GameOdds) -> list[tuple[int, int, Action, Action]]:
    """Unsplit hands whose decided action leads another by less than `CLOSE` in float64.

    Returns:
        (Hand index, upcard value less 1, decided action, close action), highest hard total first,
        so that later decisions are settled before earlier ones.
    """
    values = odds._play.values.copy()
    for pair, split in odds._splits.items():
        values[lattice().of(pair, pair), :, Action.SPLIT.column] = split.value
    first = odds.strategy.first
    known = first != NO_DECISION
    decided = np.take_along_axis(values, first.clip(min=0)[..., None].astype(np.int64), axis=2)
    gap = np.abs(values - decided)
    hands, upcards, columns = np.nonzero(known[..., None] & (gap < CLOSE))
    found = [
        (int(hand), int(up), ACTIONS[first[hand, up]], ACTIONS[column])
        for hand, up, column in zip(hands, upcards, columns, strict=True)
        if column != first[hand, up]
    ]
    return sorted(found, key=lambda item: -int(lattice().hard[item[0]]))


def exact_odds(odds: GameOdds, progress: Progress | None = None) -> GameOdds:
    """The analysed game with close decisions settled and its expected value as a fraction.

    Settled decisions are those of unsplit hands, which split hands follow under CDZ-. Under CDP1
    and CDP split hands keep the decisions found in float64, and the fraction is that strategy's.

    Args:
        odds: An analysed game.
        progress: Called with (fraction done, what); raising cancels.

    Raises:
        InputError: Split hands share one unit (`busted_plus_one`).
    """
    rules = odds.rules
    if rules.dealer_blackjack_takes == "busted_plus_one" and odds._splits:
        raise InputError(
            "dealer_blackjack_takes",
            rules.dealer_blackjack_takes,
            "all or original for the exact fraction of a game with splits",
        )
    game = ExactGame(rules, odds.shoe, odds._dealer, progress)
    first = odds.strategy.first.copy()
    split = {key: table.copy() for key, table in odds.strategy.split.items()}
    changed = False
    for hand, up, action, other in close_decisions(odds):
        strategy = Strategy(odds.strategy.name, first, split)
        if _value(game, odds, strategy, hand, up, other) > _value(
            game, odds, strategy, hand, up, action
        ):
            first[hand, up] = other.column
            changed = True
            if odds.regime == "CDZ-" and other is not Action.SPLIT:
                for table in split.values():
                    if table[hand, up] == action.column:
                        table[hand, up] = other.column
    if changed:
        settled = analyze(rules, odds.shoe, Strategy(odds.strategy.name, first, split))
        odds = replace(settled, regime=odds.regime)
    exact = game.value(odds.strategy, without_splits(odds.strategy.first, odds._play.values))
    return replace(odds, exact_expected_value=exact)


def _value(
    game: ExactGame, odds: GameOdds, strategy: Strategy, hand: int, up: int, action: Action
) -> Fraction:
    if action is Action.SPLIT:
        pair = int(np.flatnonzero(lattice().counts[hand])[0]) + 1
        return game.split_value(pair, up, strategy)
    return game.hand_value(hand, up, without_splits(strategy.first, odds._play.values), action)
