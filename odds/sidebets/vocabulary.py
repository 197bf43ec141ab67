"""The functions of the condition language, and what each needs to know of the cards.

A function sees a batch of deals as two arrays of shape (cards, deals): rank numbers 0 to 12 and
suit numbers 0 to 3, both -1 where a hand has fewer cards than the widest one. Beside the evaluation
each function declares what it can tell apart (`RankNeed`, `SuitNeed`), so that the engine counts
classes of cards instead of cards: a bet on totals needs ten classes, not 52.
"""

from __future__ import annotations

import enum
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from odds.cards import RANK_NAMES, SUIT_NAMES, Card, Colour, Rank, Suit
from odds.errors import InputError

Bools = npt.NDArray[np.bool_]
Cells = npt.NDArray[np.int8]
Numbers = npt.NDArray[np.signedinteger[Any]]

ABSENT = -1
"""The rank and suit number of a card that is not there."""

UNKNOWN_SUIT = 4
"""The suit number of a card whose suit no condition can depend on any more."""

SUIT_OF_MASK = np.array(
    [-1, *((mask & -mask).bit_length() - 1 for mask in range(1, 15)), UNKNOWN_SUIT], dtype=np.int8
)
"""For each set of suits the one that stands for it: the lowest, or unknown for all four."""

_POINTS = np.array([*(rank.points for rank in Rank), 0], dtype=np.int8)
# Ranks for order: ace low is 0, ace high 13; index -1 (absent) reads the last cell.
_HIGH = np.array([13, *range(1, 13), ABSENT], dtype=np.int8)
_COLOURS = np.array([0, 1, 1, 0, 2, ABSENT], dtype=np.int8)
ACE_HIGH, ACE_LOW = "ace high", "ace low"


class Kind(enum.Enum):
    """What an expression evaluates to."""

    TRUTH = "a truth value"
    NUMBER = "a number"
    CARDS = "cards"
    TEXT = "a text"


class RankNeed(enum.IntEnum):
    """What a function can tell apart about ranks; each level includes those before."""

    NOTHING = 0
    NATURAL = 1  # ace, ten-valued, other
    VALUE = 2  # the ten blackjack values
    RANK = 3  # all thirteen


class SuitNeed(enum.IntEnum):
    """What a function can tell apart about suits; each level includes those before."""

    NOTHING = 0
    COLOUR = 1  # whether colours agree
    SUIT = 2  # whether suits agree


@dataclass(frozen=True, slots=True)
class Pattern:
    """Which cards a quoted text describes, as 13 ranks and 4 suits."""

    text: str
    ranks: tuple[bool, ...]
    suits: tuple[bool, ...]

    @property
    def any_suit(self) -> bool:
        """Whether the suit does not matter."""
        return all(self.suits)

    def matches(self, batch: Batch) -> Bools:
        """Which cells of a batch are described."""
        if self.any_suit:
            return np.asarray(np.array([*self.ranks, False])[batch.ranks])
        fits: Bools = np.array([*self.suits, False, False])[batch.suits]
        return fits if all(self.ranks) else fits & np.array([*self.ranks, False])[batch.ranks]


_WORDS: dict[str, tuple[Sequence[Rank], Sequence[Suit]]] = {
    "red": (list(Rank), [s for s in Suit if s.colour is Colour.RED]),
    "black": (list(Rank), [s for s in Suit if s.colour is Colour.BLACK]),
    "ten": ([r for r in Rank if r.points == 10], list(Suit)),
    "face": ([Rank.JACK, Rank.QUEEN, Rank.KING], list(Suit)),
    **{suit.name.lower(): (list(Rank), [suit]) for suit in Suit},
    **{SUIT_NAMES[suit]: (list(Rank), [suit]) for suit in Suit},
    **{RANK_NAMES[rank]: ([rank], list(Suit)) for rank in Rank},
    "10": ([Rank.TEN], list(Suit)),
}


@lru_cache(maxsize=512)
def parse_pattern(text: str) -> Pattern:
    """Read a description of cards.

    A rank (``7``, ``A``, ``10``), a suit (``H`` or ``hearts``), a card (``AS``), ``red``,
    ``black``, ``ten`` (ten, jack, queen, king) or ``face`` (jack, queen, king).

    Raises:
        InputError: It is none of these.

    Example:
        >>> parse_pattern("red").suits
        (False, True, True, False)
    """
    word = text.strip()
    chosen = _WORDS.get(word) or _WORDS.get(word.upper()) or _WORDS.get(word.lower())
    if chosen is None:
        try:
            card = Card.parse(word[:4])
        except InputError:
            raise InputError(
                "cards",
                text[:20],
                "a card (AS), a rank (7), a suit (H or hearts), red, black, ten or face",
            ) from None
        chosen = ([card.rank], [card.suit])
    ranks, suits = chosen
    return Pattern(word, tuple(r in ranks for r in Rank), tuple(s in suits for s in Suit))


class Batch:
    """The cards of one argument for many deals.

    Args:
        ranks: Rank numbers of shape (cards, deals), -1 where there is no card.
        masks: Suit masks of the same shape, 0 where there is no card.
    """

    def __init__(self, ranks: Cells, masks: npt.NDArray[np.uint8]) -> None:
        self.ranks = ranks
        self.masks = masks

    @cached_property
    def suits(self) -> Cells:
        """Suit numbers; -1 for no card, `UNKNOWN_SUIT` where all suits are alike."""
        return SUIT_OF_MASK[self.masks]

    @cached_property
    def present(self) -> Bools:
        """Which cells hold a card."""
        found: Bools = self.ranks >= 0
        return found

    @cached_property
    def complete(self) -> bool:
        """Whether no cell is without a card."""
        return bool(self.present.all())

    @cached_property
    def size(self) -> Numbers:
        """How many cards each deal has."""
        return _sum(self.present)

    @cached_property
    def ordered(self) -> Cells:
        """Ranks in rising order."""
        return np.sort(self.ranks, axis=0)


def _sum(cells: npt.NDArray[Any]) -> npt.NDArray[np.int16]:
    """The sum over the cards of each deal."""
    return np.asarray(cells.sum(axis=0, dtype=np.int16))


@dataclass(frozen=True, slots=True)
class Arguments:
    """What a function is given for a batch of deals."""

    cards: tuple[Batch, ...]
    patterns: tuple[Pattern, ...]
    option: str | None

    def matching(self) -> Bools:
        """Which cells of the first argument fit any of the patterns."""
        matches = [pattern.matches(self.cards[0]) for pattern in self.patterns]
        return np.asarray(np.logical_or.reduce(matches))

    def order_ranks(self, argument: int = 0) -> Cells:
        """Ranks for comparing: the ace is 1, or 14 with the option ``ace high``; 0 if absent."""
        ranks = self.cards[argument].ranks
        return (_HIGH[ranks] if self.option == ACE_HIGH else ranks) + np.int8(1)


Evaluator = Callable[[Arguments], npt.NDArray[np.generic]]


@dataclass(frozen=True, slots=True)
class Function:
    """One function of the language.

    Attributes:
        name: As written in a condition.
        result: A truth value or a number.
        evaluate: From the arguments of a batch to one result per deal.
        meaning: One sentence for the reader of a paytable.
        rank_need: What it can tell apart about ranks, patterns apart.
        suit_need: What it can tell apart about suits, patterns apart.
        card_arguments: How many card arguments come first.
        patterns: The most quoted texts that follow; 0 for none.
        options: Quoted texts that change the meaning, such as ``ace high``.
        ordered: Whether the order of the cards matters.
        one_card: Whether the first argument must be one card.
        settled: The value that, once it holds for some of the cards, holds for all of them.
        implied: A pattern that the name itself stands for, as in ``red(player)``.
    """

    name: str
    result: Kind
    evaluate: Evaluator
    meaning: str
    rank_need: RankNeed = RankNeed.NOTHING
    suit_need: SuitNeed = SuitNeed.NOTHING
    card_arguments: int = 1
    patterns: int = 0
    options: tuple[str, ...] = ()
    ordered: bool = False
    one_card: bool = False
    settled: bool | None = None
    implied: str | None = None

    def __reduce__(self) -> tuple[Callable[[str], Function], tuple[str]]:
        # A function is what its name says, in this process and in any other.
        return function_named, (self.name,)

    @property
    def all_cards(self) -> bool:
        """Whether it says something of all cards, and so is false where one is not dealt."""
        return self.settled is False or self.name == "straight"

    @property
    def usage(self) -> str:
        """How a call is written."""
        arguments = ["cards", "card"][: self.card_arguments] if not self.one_card else ["card"]
        arguments += ['"..."'] if self.patterns else []
        arguments += [f'["{self.options[-1]}"]'] if self.options else []
        return f"{self.name}({', '.join(arguments)})"


def _hard_total(batch: Batch) -> Numbers:
    return _sum(_POINTS[batch.ranks])


def _aces(batch: Batch) -> Numbers:
    return _sum(batch.ranks == 0)


def _soft(batch: Batch) -> Bools:
    found: Bools = (batch.ranks == 0).any(axis=0) & (_hard_total(batch) <= 11)
    return found


def _total(given: Arguments) -> Numbers:
    batch = given.cards[0]
    if given.option == ACE_LOW:
        return _hard_total(batch)
    if given.option == ACE_HIGH:
        return _hard_total(batch) + 10 * _aces(batch)
    return _hard_total(batch) + 10 * _soft(batch)


def _all_equal(cells: Cells, batch: Batch) -> Bools:
    """Whether the cells that are there agree; False where there are none."""
    if batch.complete:
        alike: Bools = np.logical_and.reduce([cells[0] == other for other in cells[1:]] or [True])
        return np.broadcast_to(alike, cells.shape[1:])
    high = np.where(batch.present, cells, np.int8(-1)).max(axis=0)
    low = np.where(batch.present, cells, np.int8(100)).min(axis=0)
    agree: Bools = high == low
    return agree


def _same_colour(given: Arguments) -> Bools:
    batch = given.cards[0]
    return _all_equal(_COLOURS[batch.suits], batch)


def _suited(given: Arguments) -> Bools:
    return _all_equal(given.cards[0].suits, given.cards[0])


def _same_rank(given: Arguments) -> Bools:
    return _all_equal(given.cards[0].ranks, given.cards[0])


def _alike(number: int) -> Evaluator:
    def evaluate(given: Arguments) -> Bools:
        ranks = given.cards[0].ordered
        if len(ranks) < number:
            return np.zeros(ranks.shape[1], dtype=np.bool_)
        low, high = ranks[: len(ranks) - number + 1], ranks[number - 1 :]
        found: Bools = ((low == high) & (low >= 0)).any(axis=0)
        return found

    return evaluate


def _pairs(given: Arguments) -> Numbers:
    ranks = given.cards[0].ranks
    return _sum(np.stack([_sum(ranks == rank) >= 2 for rank in range(13)]))


def _run(order: Cells, batch: Batch) -> Bools:
    """Consecutive and all different: the ranks span no more than the cards can fill."""
    high = np.where(batch.present, order, np.int8(-1)).max(axis=0)
    low = np.where(batch.present, order, np.int8(100)).min(axis=0)
    ranks = batch.ordered
    repeats = ((ranks[1:] == ranks[:-1]) & (ranks[1:] >= 0)).any(axis=0)
    found: Bools = (batch.size >= 2) & (high - low == batch.size - 1) & ~repeats
    return found


def _straight(given: Arguments) -> Bools:
    batch = given.cards[0]
    low = _run(batch.ranks, batch) if given.option != ACE_HIGH else np.False_
    high = _run(_HIGH[batch.ranks], batch) if given.option != ACE_LOW else np.False_
    return np.asarray(low | high)


def _highest(given: Arguments) -> Numbers:
    return np.asarray(given.order_ranks().max(axis=0))


def _lowest(given: Arguments) -> Numbers:
    order = np.where(given.cards[0].present, given.order_ranks(), np.int8(100))
    return np.asarray(order.min(axis=0))


def _spread(given: Arguments) -> Numbers:
    return _highest(given) - _lowest(given) - np.int8(1)


def _between(given: Arguments) -> Bools:
    """The card (second argument) strictly between the lowest and the highest of the first."""
    card = given.order_ranks(1)[0]
    found: Bools = (card > _lowest(given)) & (card < _highest(given)) & (card > 0)
    return found


def _rank_number(given: Arguments) -> Numbers:
    ranks: Cells = given.order_ranks()[0]
    return ranks


def _value(given: Arguments) -> Numbers:
    points: Cells = _POINTS[given.cards[0].ranks[0]]
    return np.where(points == 1, np.int8(11), points) if given.option == ACE_HIGH else points


def _has(given: Arguments) -> Bools:
    # Hall's theorem: each text can be given a card of its own exactly when any set of texts is
    # matched by at least as many cards as it has texts.
    batch = given.cards[0]
    each = [pattern.matches(batch) for pattern in given.patterns]
    found = np.ones(batch.ranks.shape[1], dtype=np.bool_)
    for size in range(1, len(each) + 1):
        for some in itertools.combinations(each, size):
            found &= _sum(np.logical_or.reduce(some)) >= size
    return found


def _exactly(given: Arguments) -> Bools:
    found: Bools = given.cards[0].size == len(given.patterns)
    return found & _has(given) if found.any() else found


def _in_order(given: Arguments) -> Bools:
    batch = given.cards[0]
    if len(batch.ranks) < len(given.patterns):
        return np.zeros(batch.ranks.shape[1], dtype=np.bool_)
    matches = [pattern.matches(batch)[i] for i, pattern in enumerate(given.patterns)]
    return np.asarray(np.logical_and.reduce(matches))


def _leading(given: Arguments) -> Numbers:
    return _sum(np.logical_and.accumulate(given.matching(), axis=0))


def _count(given: Arguments) -> Numbers:
    return _sum(given.matching())


def _every(given: Arguments) -> Bools:
    batch = given.cards[0]
    if batch.complete:
        return np.asarray(given.matching().all(axis=0))
    found: Bools = (given.matching() | ~batch.present).all(axis=0) & (batch.size > 0)
    return found


def _any(given: Arguments) -> Bools:
    return np.asarray(given.matching().any(axis=0))


def _natural(given: Arguments) -> Bools:
    batch = given.cards[0]
    found: Bools = batch.size == 2
    if found.any():
        found = found & (_aces(batch) == 1) & (_hard_total(batch) == 11)
    return found


def _matches_of(with_suit: bool) -> Evaluator:
    def evaluate(given: Arguments) -> Numbers:
        cards, card = given.cards
        same = (cards.ranks == card.ranks) & cards.present
        if with_suit:
            same &= cards.suits == card.suits
        return _sum(same)

    return evaluate


_ACE = (ACE_LOW, ACE_HIGH)
_RANK, _VALUE, _SUIT = RankNeed.RANK, RankNeed.VALUE, SuitNeed.SUIT
_T, _N = Kind.TRUTH, Kind.NUMBER

FUNCTIONS: dict[str, Function] = {
    function.name: function
    for function in (
        Function("total", _N, _total, "blackjack total, the ace as 11 where it does not bust; "
                 "'ace low' and 'ace high' count every ace as 1 or 11", _VALUE, options=_ACE),
        Function("soft", _T, lambda g: _soft(g.cards[0]), "an ace counts as 11", _VALUE),
        Function("blackjack", _T, _natural, "an ace and a ten-valued card, two cards in all",
                 RankNeed.NATURAL),
        Function("size", _N, lambda g: g.cards[0].size, "how many cards"),
        Function("pair", _T, _alike(2), "two of the cards share a rank", _RANK),
        Function("trips", _T, _alike(3), "three of the cards share a rank", _RANK),
        Function("quads", _T, _alike(4), "four of the cards share a rank", _RANK),
        Function("pairs", _N, _pairs, "how many ranks come at least twice", _RANK),
        Function("same_rank", _T, _same_rank, "all of one rank", _RANK, settled=False),
        Function("suited", _T, _suited, "all of one suit", suit_need=_SUIT, settled=False),
        Function("same_colour", _T, _same_colour, "all of one colour",
                 suit_need=SuitNeed.COLOUR, settled=False),
        Function("identical", _T, lambda g: _same_rank(g) & _suited(g), "all the same card",
                 _RANK, _SUIT, settled=False),
        Function("red", _T, _every, "all hearts or diamonds", settled=False, implied="red"),
        Function("black", _T, _every, "all spades or clubs", settled=False, implied="black"),
        Function("straight", _T, _straight, "ranks in a row, the ace low or high", _RANK,
                 options=_ACE),
        Function("rank", _N, _rank_number, "rank of one card: ace 1 (or 14), king 13", _RANK,
                 options=_ACE, one_card=True),
        Function("value", _N, _value, "value of one card: ace 1 (or 11), face cards 10", _VALUE,
                 options=_ACE, one_card=True),
        Function("highest", _N, _highest, "highest rank, ace 1 or 14", _RANK, options=_ACE),
        Function("lowest", _N, _lowest, "lowest rank, ace 1 or 14", _RANK, options=_ACE),
        Function("spread", _N, _spread, "ranks strictly between the lowest and the highest card "
                 "(0 for neighbours, -1 for a pair)", _RANK, options=_ACE),
        Function("between", _T, _between, "the card lies strictly between the others",
                 _RANK, card_arguments=2, options=_ACE),
        Function("rank_matches", _N, _matches_of(False), "how many share the card's rank", _RANK,
                 card_arguments=2),
        Function("card_matches", _N, _matches_of(True), "how many are the same as the card",
                 _RANK, _SUIT, card_arguments=2),
        Function("count", _N, _count, "how many fit any of the texts", patterns=13),
        Function("every", _T, _every, "each fits one of the texts", patterns=13, settled=False),
        Function("any", _T, _any, "one or more fit one of the texts", patterns=13, settled=True),
        Function("has", _T, _has, "a different card for each of the texts", patterns=6,
                 settled=True),
        Function("exactly", _T, _exactly, "those cards and no other", patterns=6),
        Function("in_order", _T, _in_order, "the first cards fit the texts one by one",
                 patterns=8, ordered=True),
        Function("leading", _N, _leading, "how many fit before the first that does not",
                 patterns=13, ordered=True),
    )
}  # fmt: skip
"""Every function of the language by name."""
for _american, _british in (("same_color", "same_colour"), ("flush", "suited")):
    FUNCTIONS[_american] = FUNCTIONS[_british]


def function_named(name: str) -> Function:
    """The function of this name."""
    return FUNCTIONS[name]
