"""Cards: 13 ranks, 4 suits, 52 card types, and what each is worth in blackjack.

A card type is one of the 52 faces; a shoe holds several copies of each. Its number is
``4 * rank + suit`` with ranks in the order A, 2, ..., K and suits in the order S, H, D, C.
A *value* is what blackjack counts: 1 (ace), 2, ..., 9, 10 (ten, jack, queen, king); value ``v``
has the index ``v - 1`` in every array of this package.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from functools import total_ordering

from odds.errors import InputError

RANK_NAMES = "A23456789TJQK"
SUIT_NAMES = "SHDC"
SUIT_SIGNS = "♠♥♦♣"
VALUE_NAMES = "A23456789T"


class Colour(enum.Enum):
    """The colour of a suit."""

    BLACK = "black"
    RED = "red"


class Suit(enum.IntEnum):
    """The four suits, in the order of card numbers."""

    SPADES = 0
    HEARTS = 1
    DIAMONDS = 2
    CLUBS = 3

    @property
    def colour(self) -> Colour:
        """Red for hearts and diamonds, black for spades and clubs."""
        return Colour.RED if self in (Suit.HEARTS, Suit.DIAMONDS) else Colour.BLACK

    def __str__(self) -> str:
        return SUIT_NAMES[self]


class Rank(enum.IntEnum):
    """The thirteen ranks, in the order of card numbers."""

    ACE = 0
    TWO = 1
    THREE = 2
    FOUR = 3
    FIVE = 4
    SIX = 5
    SEVEN = 6
    EIGHT = 7
    NINE = 8
    TEN = 9
    JACK = 10
    QUEEN = 11
    KING = 12

    @property
    def points(self) -> int:
        """Blackjack value: 1 for the ace, 10 for ten, jack, queen and king."""
        return min(int(self) + 1, 10)

    def __str__(self) -> str:
        return RANK_NAMES[self]


@total_ordering
@dataclass(frozen=True, slots=True)
class Card:
    """One of the 52 card types.

    Example:
        >>> Card.parse("JS").value, str(Card.parse("10h")), Card.parse("AS").number
        (10, 'TH', 0)
    """

    rank: Rank
    suit: Suit

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read a card such as ``AS``, ``TH``, ``10h`` or ``J♦``.

        Raises:
            InputError: The text is not a rank followed by a suit.
        """
        cleaned = str(text).strip().upper().replace("10", "T")
        if len(cleaned) == 2:
            rank = RANK_NAMES.find(cleaned[0])
            suit = max(SUIT_NAMES.find(cleaned[1]), SUIT_SIGNS.find(cleaned[1]))
            if rank >= 0 and suit >= 0:
                return cls(Rank(rank), Suit(suit))
        raise InputError("card", text, "a rank A23456789TJQK and a suit SHDC, such as AS or TH")

    @classmethod
    def from_number(cls, number: int) -> Card:
        """The card type with this number, 0 to 51."""
        if not 0 <= number < 52:
            raise InputError("card number", number, "a whole number from 0 to 51")
        return cls(Rank(number // 4), Suit(number % 4))

    @property
    def number(self) -> int:
        """``4 * rank + suit``, 0 to 51."""
        return 4 * int(self.rank) + int(self.suit)

    @property
    def value(self) -> int:
        """Blackjack value, 1 (ace) to 10."""
        return self.rank.points

    @property
    def colour(self) -> Colour:
        """Red or black."""
        return self.suit.colour

    @property
    def sign(self) -> str:
        """The card with its suit as a sign, such as ``A♠``."""
        return f"{self.rank}{SUIT_SIGNS[self.suit]}"

    def __str__(self) -> str:
        return f"{self.rank}{self.suit}"

    def __lt__(self, other: Card) -> bool:
        return self.number < other.number


ALL_CARDS: tuple[Card, ...] = tuple(Card.from_number(number) for number in range(52))
"""The 52 card types by number."""


def parse_value(text: str | int) -> int:
    """Read a blackjack value: ``A`` or 1, 2 to 9, ``T``, ``J``, ``Q``, ``K`` or 10.

    Raises:
        InputError: The text is none of these.

    Example:
        >>> parse_value("A"), parse_value("k"), parse_value(7)
        (1, 10, 7)
    """
    cleaned = str(text).strip().upper()
    if cleaned in ("1", "10"):
        return int(cleaned)
    if len(cleaned) == 1 and cleaned in RANK_NAMES:
        return Rank(RANK_NAMES.index(cleaned)).points
    raise InputError("card value", text, "one of A, 2, 3, 4, 5, 6, 7, 8, 9, T (or 10, J, Q, K)")


def parse_values(text: str) -> tuple[int, ...]:
    """Read a hand by value, such as ``8,8``, ``A 7`` or ``T62``.

    Raises:
        InputError: A part is no card value, or there is none.

    Example:
        >>> parse_values("10,6"), parse_values("A72")
        ((10, 6), (1, 7, 2))
    """
    parts = text.replace(",", " ").split()
    if len(parts) == 1 and parts[0] != "10":
        parts = list(parts[0].replace("10", "T"))
    if not parts:
        raise InputError("hand", text, "card values separated by commas, such as 8,8 or A,7")
    return tuple(parse_value(part) for part in parts)


def value_name(value: int) -> str:
    """A card value as people write it: A, 2, ..., 9, 10.

    Example:
        >>> value_name(1), value_name(10)
        ('A', '10')
    """
    return "A" if value == 1 else str(value)


def hand_name(cards: tuple[int, ...]) -> str:
    """A hand as people write it, ace first and then from the highest card.

    Example:
        >>> hand_name((10, 1)), hand_name((6, 10))
        ('A,10', '10,6')
    """
    order = sorted(cards, key=lambda value: (value != 1, -value))
    return ",".join(value_name(value) for value in order)
