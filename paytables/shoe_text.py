"""Shoes as people write them: counts by rank, and cards that have been seen."""

from __future__ import annotations

import re

from odds.cards import RANK_NAMES, Card
from odds.errors import InputError
from odds.shoe import Shoe

_SHOE_ALLOWED = (
    "rank=count pairs such as A=23,2=24,T=95 (T is every ten-valued card unless J, Q or K is given)"
)


def parse_shoe(text: str) -> Shoe:
    """Read a custom shoe such as ``A=23,2=24,...,T=96``; a rank left out has no cards.

    Without J, Q and K, ``T`` is the number of all ten-valued cards.

    Raises:
        InputError: A part is no rank and count, or a rank comes twice.

    Example:
        >>> parse_shoe("A=4 5=4 T=16").by_value
        (4, 0, 0, 0, 4, 0, 0, 0, 0, 16)
    """
    counts: dict[str, int] = {}
    for part in re.split(r"[,\s]+", text.strip().upper()):
        match = re.fullmatch(r"(10|[A2-9TJQK])[=:X](-?\d{1,5})", part)
        if not match:
            raise InputError("shoe", text, _SHOE_ALLOWED)
        rank = "T" if match[1] == "10" else match[1]
        if rank in counts:
            raise InputError("shoe", text, f"each rank once ({rank} comes twice)")
        counts[rank] = int(match[2])
    if set(counts) & set("JQK"):
        return Shoe.from_ranks(counts)
    return Shoe.from_values([counts.get(name, 0) for name in RANK_NAMES[:10]])


def remove_seen(shoe: Shoe, text: str) -> Shoe:
    """The shoe without cards named by rank, such as ``A,10,K``; suits do not matter here.

    Raises:
        InputError: A part is no rank, or no such card is left.

    Example:
        >>> remove_seen(Shoe.decks(1), "A,A,K").by_value[0]
        2
    """
    counts = list(shoe.counts)
    for part in re.split(r"[,\s]+", text.strip().upper()):
        name = "T" if part == "10" else part
        if len(name) != 1 or name not in RANK_NAMES:
            raise InputError("seen", text, "ranks separated by commas, such as A,10,K")
        first = 4 * RANK_NAMES.index(name)
        fullest = max(range(first, first + 4), key=lambda number: counts[number])
        counts[fullest] -= 1
        if counts[fullest] < 0:
            raise InputError("seen", text, f"cards of the shoe (there are not so many {part})")
    return Shoe(tuple(counts))


def set_counts(shoe: Shoe, text: str) -> Shoe:
    """The shoe with other counts of some ranks or cards, such as ``A=20, 7H=0``.

    A rank's count is spread over its suits as evenly as it can be, spades first.

    Raises:
        InputError: A part is no rank or card with a count, or one comes twice.

    Example:
        >>> shoe = set_counts(Shoe.decks(6), "A=20, 7H=0")
        >>> shoe.by_rank[0], shoe.by_rank[6], shoe.size
        (20, 18, 302)
    """
    counts = list(shoe.counts)
    seen: set[str] = set()
    for part in filter(None, re.split(r"[,\s]+", text.strip().upper())):
        match = re.fullmatch(r"(10|[A2-9TJQK])([SHDC♠♥♦♣]?)[=:](\d{1,4})", part)
        if not match:
            raise InputError("shoe", text[:60], "counts such as A=20, 7H=0 (a rank or a card)")
        name, suit, number = match[1].replace("10", "T"), match[2], int(match[3])
        if name + suit in seen:
            raise InputError("shoe", text[:60], f"each rank or card once ({match[1]}{suit} is not)")
        seen.add(name + suit)
        if suit:
            counts[Card.parse(name + suit).number] = number
        else:
            first = 4 * RANK_NAMES.index(name)
            for i in range(4):
                counts[first + i] = number // 4 + (i < number % 4)
    return Shoe(tuple(counts))
