"""Parsed conditions: the typed tree, and the error that points into the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from odds.errors import InputError
from odds.sidebets.vocabulary import Function, Kind, Pattern

MAX_LENGTH = 2_000
"""The most characters of a condition."""


class ConditionError(InputError):
    """A condition that cannot be read: says what is wrong and where.

    Attributes:
        position: The place in the text, counted from 0.
        reason: What is wrong there.
    """

    def __init__(self, text: str, position: int, reason: str) -> None:
        shown = text if len(text) <= 60 else text[max(0, position - 25) : position + 25]
        allowed = f"a text in the condition language (character {position + 1}: {reason})"
        super().__init__("condition", shown, allowed)
        self.text = text[:MAX_LENGTH]
        self.position = position
        self.reason = reason
        self.args = (f"condition, character {position + 1}: {reason} (in {shown!r})",)

    def __reduce__(self) -> tuple[type[ConditionError], tuple[str, int, str]]:
        return type(self), (self.text, self.position, self.reason)

    @property
    def pointer(self) -> str:
        """The text with a caret under the place of the error, for a fixed-width screen."""
        return f"{self.text}\n{' ' * self.position}^"


@dataclass(frozen=True, slots=True)
class Cards:
    """Cards named in a condition, joined with ``+``: (zone, position) parts, in order."""

    parts: tuple[tuple[str, int | None], ...]


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number."""

    value: int


@dataclass(frozen=True, slots=True)
class Truth:
    """``true`` or ``false``."""

    value: bool


@dataclass(frozen=True, slots=True)
class Text:
    """A quoted text; only ever an argument."""

    value: str
    position: int = 0


@dataclass(frozen=True, slots=True)
class Call:
    """A function of cards, with the card patterns and the option it was given."""

    function: Function
    cards: tuple[Cards, ...]
    patterns: tuple[Pattern, ...] = ()
    option: str | None = None


@dataclass(frozen=True, slots=True)
class Negation:
    """``not`` of a truth value, or minus a number."""

    operand: Node


@dataclass(frozen=True, slots=True)
class Operation:
    """Two nodes joined by ``and``, ``or``, ``+``, ``-`` or ``*``."""

    operator: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison, chained as in ``12 <= total(player) <= 16``."""

    operators: tuple[str, ...]
    operands: tuple[Node, ...]


Node: TypeAlias = Cards | Number | Truth | Text | Call | Negation | Operation | Comparison


@dataclass(frozen=True, slots=True)
class Condition:
    """A parsed condition (a truth value) or amount (a whole number).

    Attributes:
        text: As written.
        tree: The typed tree.
        names: The shorthand names used, such as ``dealer_bust``.
    """

    text: str
    tree: Node
    names: frozenset[str] = frozenset()

    def calls(self) -> Iterator[Call]:
        """Every function call in the tree."""
        return _calls(self.tree)

    def with_zone(self, old: str, new: str) -> Condition:
        """The same condition about another zone (the second player's hand, say).

        Example:
            >>> from odds.sidebets.language import parse_condition
            >>> next(parse_condition("pair(player)").with_zone("player", "player2").calls()).cards
            (Cards(parts=(('player2', None),)),)
        """
        return replace(
            self, text=f"{self.text} [{old} -> {new}]", tree=_rename(self.tree, old, new)
        )

    def __str__(self) -> str:
        return self.text


def _children(node: Node) -> Iterable[Node]:
    match node:
        case Negation():
            return (node.operand,)
        case Operation():
            return (node.left, node.right)
        case Comparison():
            return node.operands
        case Call():
            return node.cards
    return ()


def _calls(node: Node) -> Iterator[Call]:
    if isinstance(node, Call):
        yield node
    for child in _children(node):
        yield from _calls(child)


def _rename(node: Node, old: str, new: str) -> Node:
    match node:
        case Cards():
            return Cards(tuple((new if zone == old else zone, i) for zone, i in node.parts))
        case Call():
            moved = tuple(_rename(cards, old, new) for cards in node.cards)
            return replace(node, cards=tuple(c for c in moved if isinstance(c, Cards)))
        case Negation():
            return Negation(_rename(node.operand, old, new))
        case Operation():
            return Operation(
                node.operator, _rename(node.left, old, new), _rename(node.right, old, new)
            )
        case Comparison():
            return Comparison(node.operators, tuple(_rename(o, old, new) for o in node.operands))
    return node


def kind_of(node: Node) -> Kind:
    """What a node evaluates to."""
    match node:
        case Cards():
            return Kind.CARDS
        case Text():
            return Kind.TEXT
        case Truth() | Comparison():
            return Kind.TRUTH
        case Number():
            return Kind.NUMBER
        case Call():
            return node.function.result
        case Negation():
            return kind_of(node.operand)
        case Operation():
            return Kind.TRUTH if node.operator in ("and", "or") else Kind.NUMBER
