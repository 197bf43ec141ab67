"""Conditions evaluated for many deals at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from odds.sidebets.bet import SideBet, Slot
from odds.sidebets.deals import Column, Masks, slots_of
from odds.sidebets.grouping import equal_rows
from odds.sidebets.syntax import (
    Call,
    Cards,
    Comparison,
    Condition,
    Negation,
    Node,
    Number,
    Operation,
    Truth,
    kind_of,
)
from odds.sidebets.vocabulary import Arguments, Batch, Bools, Cells, Kind

_COMPARE: dict[str, Callable[..., Any]] = {
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}
_COMBINE: dict[str, Callable[..., Any]] = {
    "and": np.logical_and,
    "or": np.logical_or,
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
}


class Deals:
    """A batch of deals, as conditions see it.

    Args:
        bet: The side bet.
        columns: What each card is.
        ranks: Ranks, shape (cards, deals), -1 where there is no card.
        masks: Suit masks, same shape, 0 where there is no card.
    """

    def __init__(self, bet: SideBet, columns: Sequence[Column], ranks: Cells, masks: Masks) -> None:
        self.plan = bet.plan
        self.size = ranks.shape[1]
        self.ranks = ranks
        self.masks = masks
        self.at: dict[Slot, int] = {column.slot: i for i, column in enumerate(columns)}
        self.dealer = [i for i, column in enumerate(columns) if column.slot[0] == "dealer"]
        self._batches: dict[Cards, Batch] = {}
        self._calls: dict[Call, npt.NDArray[np.generic]] = {}

    def batch(self, cards: Cards) -> Batch:
        """The cards of an argument, a row each."""
        if cards not in self._batches:
            parts = [self._slot(slot) for slot in slots_of(cards, self.plan)]
            self._batches[cards] = Batch(
                np.vstack([ranks for ranks, _ in parts]), np.vstack([masks for _, masks in parts])
            )
        return self._batches[cards]

    def _slot(self, slot: Slot) -> tuple[Cells, Masks]:
        """The ranks and suits of one slot; slot 0 of the dealer is the whole finished hand."""
        zone, position = slot
        if self.plan.finished and zone in ("up", "hole"):
            zone, position = "dealer", 1 if zone == "up" else 2
        if zone != "dealer":
            return self.ranks[self.at[slot]], self.masks[self.at[slot]]
        if position > len(self.dealer):
            return np.full(self.size, -1, np.int8), np.zeros(self.size, np.uint8)
        if position > 0:
            return self.ranks[self.dealer[position - 1]], self.masks[self.dealer[position - 1]]
        ranks, masks = self.ranks[self.dealer[0] :], self.masks[self.dealer[0] :]
        if position == 0:
            return ranks, masks
        last = (ranks >= 0).sum(axis=0)[None, :] - 1
        return np.take_along_axis(ranks, last, 0), np.take_along_axis(masks, last, 0)

    def truth(self, condition: Condition) -> Bools:
        """Whether the condition holds, for each deal."""
        return np.asarray(np.broadcast_to(self._value(condition.tree), self.size), dtype=np.bool_)

    def amount(self, condition: Condition) -> npt.NDArray[np.int64]:
        """The number that the text stands for, for each deal; never below 0."""
        value = np.broadcast_to(self._value(condition.tree), self.size)
        return np.maximum(np.asarray(value, dtype=np.int64), 0)

    def _value(self, node: Node) -> npt.NDArray[np.generic]:
        match node:
            case Number() | Truth():
                return np.asarray(node.value)
            case Call():
                if node not in self._calls:
                    self._calls[node] = self._call(node)
                return self._calls[node]
            case Negation():
                value = self._value(node.operand)
                if kind_of(node) is Kind.TRUTH:
                    return np.asarray(np.logical_not(value))
                return np.asarray(np.negative(np.asarray(value, dtype=np.int64)))
            case Operation():
                left, right = self._value(node.left), self._value(node.right)
                if kind_of(node) is Kind.NUMBER:
                    left, right = left.astype(np.int64), right.astype(np.int64)
                return np.asarray(_COMBINE[node.operator](left, right))
            case Comparison():
                values = [self._value(operand) for operand in node.operands]
                pairs = zip(node.operators, values[:-1], values[1:], strict=True)
                holds = [_COMPARE[operator](low, high) for operator, low, high in pairs]
                return np.asarray(np.logical_and.reduce(holds))
        raise TypeError(f"{type(node).__name__} has no value of its own")

    def _call(self, call: Call) -> npt.NDArray[np.generic]:
        batches = tuple(self.batch(cards) for cards in call.cards)
        value = call.function.evaluate(Arguments(batches, call.patterns, call.option))
        if call.function.all_cards:
            for cards in call.cards:
                for slot in slots_of(cards, self.plan):
                    if slot[0] == "next":  # what is said of all cards is false without one of them
                        value = np.logical_and(value, self.ranks[self.at[slot]] >= 0)
        return value


class Decisions(Protocol):
    """What the main game's strategy does, as far as a side bet can depend on it."""

    @property
    def actions(self) -> Mapping[tuple[tuple[int, ...], int], str]:
        """(Sorted card values, upcard value) to stand, hit, double, split or surrender."""
        ...

    @property
    def peeks_under(self) -> frozenset[int]:
        """The upcard values under which a dealer blackjack ends the round before any draw."""
        ...


def dealt_only(deals: Deals, columns: Sequence[Column], decisions: Decisions | None) -> Bools:
    """Which cards are dealt, shape (cards, deals).

    Every deal has been counted with its next cards, dealt or not: the card that would come next is
    as likely to be any other, so those that are not dealt only have to be hidden.
    """
    dealt = np.asarray(deals.ranks >= 0)
    following = [i for i, column in enumerate(columns) if column.slot[0] == "next"]
    if not following or deals.plan.draw == "always":
        return dealt
    values = np.where(dealt, np.minimum(deals.ranks + 1, 10), 0).astype(np.int8)
    up, hole = deals.at.get(("up", 1)), deals.at.get(("hole", 1))
    if deals.plan.finished:
        up, hole = deals.dealer[0], deals.dealer[1]
    assert up is not None
    going = np.ones(deals.size, dtype=np.bool_)
    peeked = frozenset((1, 10)) if decisions is None else decisions.peeks_under
    if peeked:
        assert hole is not None
        low, high = np.sort(values[[up, hole]], axis=0)
        going &= ~((low == 1) & (high == 10) & np.isin(values[up], list(peeked)))
    hand = [deals.at["player", 1], deals.at["player", 2]] if decisions is not None else []
    for place in sorted(following, key=lambda i: columns[i].slot[1]):
        goes_on = going
        if decisions is not None:
            draws, hits = _decide(decisions, values[hand], values[up])
            going = going & draws
            goes_on = going & hits
            hand.append(place)
        dealt[place] = going
        going = goes_on
    return dealt


def _decide(decisions: Decisions, hands: Cells, up: Cells) -> tuple[Bools, Bools]:
    """For each deal, whether the strategy draws a card, and whether that was a hit."""
    hands = np.sort(hands, axis=0)
    index, kind = equal_rows([*hands, up])
    actions = [
        decisions.actions.get((tuple(hands[:, i].tolist()), int(up[i])), "stand") for i in index
    ]
    draws = np.array([action in ("hit", "double", "split") for action in actions])
    hits = np.array([action == "hit" for action in actions])
    return draws[kind], hits[kind]
