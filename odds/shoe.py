"""The shoe: an immutable count of each of the 52 card types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral

from odds.cards import ALL_CARDS, RANK_NAMES, VALUE_NAMES, Card, Rank
from odds.errors import InputError

MAX_DECKS = 12


@dataclass(frozen=True, slots=True)
class Shoe:
    """How many cards of each type are left to be dealt, in random order.

    Attributes:
        counts: 52 counts, by card number (see `odds.cards`).

    Example:
        >>> shoe = Shoe.decks(6)
        >>> shoe.size, shoe.by_value[0], shoe.by_value[9]
        (312, 24, 96)
        >>> shoe.remove("AS", "AS").by_value[0]
        22
    """

    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "counts", tuple(int(count) for count in self.counts))
        if len(self.counts) != 52:
            raise InputError("counts", f"{len(self.counts)} counts", "52 counts, one a card type")
        for card, count in zip(ALL_CARDS, self.counts, strict=True):
            if count < 0:
                raise InputError(f"count of {card}", count, "0 or more")

    @classmethod
    def decks(cls, number: int) -> Shoe:
        """A fresh shoe of 1 to 12 standard packs.

        Raises:
            InputError: The number of decks is not a whole number from 1 to 12.
        """
        whole = isinstance(number, Integral) and not isinstance(number, bool)
        if not whole or not 1 <= number <= MAX_DECKS:
            raise InputError("decks", number, f"a whole number from 1 to {MAX_DECKS}")
        return cls((int(number),) * 52)

    @classmethod
    def from_ranks(cls, counts: Mapping[str, int]) -> Shoe:
        """A shoe from counts by rank; suits are filled as evenly as possible, spades first.

        Args:
            counts: Rank name (one of A23456789TJQK) to count; a rank left out has none.

        Raises:
            InputError: An unknown rank or a negative count.
        """
        cards = [0] * 52
        for name, count in counts.items():
            rank = RANK_NAMES.find(name.upper()) if len(name) == 1 else -1
            if rank < 0:
                raise InputError("rank", name, f"one of {', '.join(RANK_NAMES)}")
            if count < 0:
                raise InputError(f"count of {name}", count, "0 or more")
            for suit in range(4):
                cards[4 * rank + suit] = count // 4 + (suit < count % 4)
        return cls(tuple(cards))

    @classmethod
    def from_values(cls, counts: Sequence[int]) -> Shoe:
        """A shoe from ten counts A, 2, ..., 9, T; the ten-valued cards are spread over T, J, Q, K.

        How the tens are spread matters only where pairs are split by rank.

        Raises:
            InputError: Not ten counts, or a negative one.

        Example:
            >>> Shoe.from_values([4] * 9 + [15]).by_rank[9:]
            (4, 4, 4, 3)
        """
        if len(counts) != 10:
            raise InputError("counts", list(counts), "ten counts, for A, 2, ..., 9, T")
        for name, count in zip(VALUE_NAMES, counts, strict=True):
            if count < 0:
                raise InputError(f"count of {name}", count, "0 or more")
        ranks = dict(zip(RANK_NAMES[:9], counts[:9], strict=True))
        for i, name in enumerate(RANK_NAMES[9:]):
            ranks[name] = counts[9] // 4 + (i < counts[9] % 4)
        return cls.from_ranks(ranks)

    def remove(self, *cards: Card | str) -> Shoe:
        """The shoe without these cards.

        Raises:
            InputError: A card is not in the shoe.
        """
        counts = list(self.counts)
        for item in cards:
            card = Card.parse(item) if not isinstance(item, Card) else item
            counts[card.number] -= 1
            if counts[card.number] < 0:
                raise InputError("card to remove", str(card), "a card that is still in the shoe")
        return Shoe(tuple(counts))

    def remove_value(self, value: int) -> Shoe:
        """The shoe without one card of a blackjack value, of the type that it has most of.

        Raises:
            InputError: There is no such card.
        """
        kinds = [card for card in ALL_CARDS if card.value == value]
        if not kinds or not any(self.counts[card.number] for card in kinds):
            raise InputError("card value to remove", value, "one that is still in the shoe")
        return self.remove(max(kinds, key=lambda card: self.counts[card.number]))

    def add(self, *cards: Card | str) -> Shoe:
        """The shoe with these cards added (a pack with extra cards)."""
        counts = list(self.counts)
        for item in cards:
            card = Card.parse(item) if not isinstance(item, Card) else item
            counts[card.number] += 1
        return Shoe(tuple(counts))

    def without_ranks(self, ranks: Iterable[Rank]) -> Shoe:
        """The shoe with every card of these ranks taken out (a 48-card pack has no tens)."""
        gone = {int(rank) for rank in ranks}
        return Shoe(tuple(0 if i // 4 in gone else count for i, count in enumerate(self.counts)))

    @property
    def size(self) -> int:
        """The number of cards."""
        return sum(self.counts)

    @property
    def by_rank(self) -> tuple[int, ...]:
        """Thirteen counts, A to K."""
        return tuple(sum(self.counts[4 * rank : 4 * rank + 4]) for rank in range(13))

    @property
    def by_value(self) -> tuple[int, ...]:
        """Ten counts, A, 2, ..., 9, T."""
        ranks = self.by_rank
        return (*ranks[:9], sum(ranks[9:]))

    @property
    def full_decks(self) -> int | None:
        """The number of complete packs this shoe is, or None if it is not a fresh shoe."""
        first = self.counts[0]
        return first if first > 0 and all(count == first for count in self.counts) else None

    def __str__(self) -> str:
        if (decks := self.full_decks) is not None:
            return f"{decks} deck{'s' if decks > 1 else ''}"
        parts = (f"{RANK_NAMES[i]}x{count}" for i, count in enumerate(self.by_rank))
        return f"{self.size} cards: {' '.join(parts)}"
