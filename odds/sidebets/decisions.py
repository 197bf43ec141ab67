"""What the main game's strategy does, frozen as a table that a side bet can be counted with."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, Protocol

from odds.errors import InputError

ACTIONS = ("stand", "hit", "double", "split", "surrender")
DecisionRule = Callable[[tuple[int, ...], int], str]
"""(Card values 1 to 10 in rising order, upcard value) to one of the five actions."""


class AnalyzedGame(Protocol):
    """The part of `odds.game.GameOdds` that is used here."""

    @property
    def rules(self) -> Any:
        """The rules, with ``peeks_under(upcard)``."""
        ...

    def hand(self, cards: Sequence[int], upcard: int) -> Any:
        """The odds of a hand, with ``best``, an action whose ``value`` is its name."""
        ...


@dataclass(frozen=True)
class StrategyTable:
    """Decisions for hands of two (or more) cards against each upcard.

    Attributes:
        name: Whose strategy it is, for the reader.
        entries: ((card values in rising order, upcard value), action) for every hand it decides; a
            hand that is not listed stands.
        peeks_under: Upcard values under which a dealer blackjack ends the round before any draw.

    Example:
        >>> table = StrategyTable.from_rule("never bust", lambda cards, up:
        ...     "hit" if sum(cards) < 12 and 1 not in cards else "stand")
        >>> table.actions[(5, 6), 10], table.actions[(6, 6), 10]
        ('hit', 'stand')
    """

    name: str
    entries: tuple[tuple[tuple[tuple[int, ...], int], str], ...]
    peeks_under: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        for (cards, up), action in self.entries:
            if action not in ACTIONS:
                raise InputError(f"decision for {cards} against {up}", action, ", ".join(ACTIONS))

    def __getstate__(self) -> dict[str, object]:
        # A read-only mapping does not pickle, and a process pool needs the table.
        return {key: value for key, value in self.__dict__.items() if key != "actions"}

    @cached_property
    def actions(self) -> Mapping[tuple[tuple[int, ...], int], str]:
        """The entries as a mapping."""
        return MappingProxyType(dict(self.entries))

    @classmethod
    def from_rule(
        cls,
        name: str,
        rule: DecisionRule,
        peeks_under: frozenset[int] = frozenset(),
        *,
        most_cards: int = 2,
    ) -> StrategyTable:
        """The table of a rule for all hands below 21 that it can come to.

        Args:
            name: Whose strategy it is.
            rule: The decision for a hand and an upcard.
            peeks_under: See the class.
            most_cards: Hands of more cards are not listed.
        """
        entries = []
        for up in range(1, 11):
            hands: set[tuple[int, ...]] = set()
            hands |= set(itertools.combinations_with_replacement(range(1, 11), 2))
            for number in range(2, most_cards + 1):
                following: set[tuple[int, ...]] = set()
                for cards in sorted(hands):
                    best = sum(cards) + (10 if 1 in cards and sum(cards) <= 11 else 0)
                    if best >= 21:
                        continue
                    action = rule(cards, up)
                    entries.append(((cards, up), action))
                    if action == "hit" and number < most_cards:
                        following |= {tuple(sorted((*cards, v))) for v in range(1, 11)}
                hands = following
        return cls(name, tuple(entries), peeks_under)

    @classmethod
    def from_game(cls, game: AnalyzedGame, name: str = "", *, most_cards: int = 2) -> StrategyTable:
        """The best decisions of an analysed game (`odds.game.analyze`).

        Tens of the same rank are not told apart from tens of two ranks.
        """
        peeks = frozenset(up for up in range(1, 11) if game.rules.peeks_under(up))

        def best(cards: tuple[int, ...], up: int) -> str:
            try:
                return str(game.hand(cards, up).best.value)
            except InputError:  # not in the shoe: it is never dealt
                return "stand"

        return cls.from_rule(name or str(game.rules), best, peeks, most_cards=most_cards)
