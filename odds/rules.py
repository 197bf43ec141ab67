"""The rules of a blackjack table as one frozen, checked dataclass."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from fractions import Fraction
from itertools import islice
from numbers import Integral
from typing import Literal, TypeAlias, get_args

from odds.errors import InputError
from odds.shoe import MAX_DECKS

Peek: TypeAlias = Literal["ace_ten", "ace", "none"]
BlackjackTakes: TypeAlias = Literal["all", "original", "busted_plus_one"]
SplitBy: TypeAlias = Literal["value", "rank"]
SplitAceTen: TypeAlias = Literal["21", "beats_21", "blackjack"]
Surrender: TypeAlias = Literal["none", "late", "early", "early_not_ace"]
DoubleOn: TypeAlias = frozenset[int] | None

MAX_SPLIT_HANDS = 4
_CHOICES: dict[str, tuple[str, ...]] = {
    "peek": get_args(Peek),
    "dealer_blackjack_takes": get_args(BlackjackTakes),
    "split_by": get_args(SplitBy),
    "split_ace_ten": get_args(SplitAceTen),
    "surrender": get_args(Surrender),
}


def parse_fraction(field: str, value: object) -> Fraction:
    """Read an exact fraction from a Fraction, an integer, ``3/2``, ``3:2``, ``6 to 5`` or ``1.5``.

    Raises:
        InputError: It is none of these.

    Example:
        >>> parse_fraction("blackjack_pays", "6:5")
        Fraction(6, 5)
    """
    allowed = "a fraction such as 3/2, 3:2, 6 to 5 or 1.5, of at most 12 digits a number"
    if isinstance(value, Fraction):
        return value
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise InputError(field, value, allowed)
    text = re.sub(r"\s*(?::|to)\s*", "/", str(value).strip())
    if not re.fullmatch(r"[+-]?\d{1,12}(?:/\d{1,12}|\.\d{1,12})?", text):
        raise InputError(field, value, allowed)
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise InputError(field, value, allowed) from None


def parse_double_on(value: object) -> DoubleOn:
    """Read the totals that may be doubled: ``any`` (None), ``9-11``, ``10,11`` or integers.

    Raises:
        InputError: A total is not from 4 to 21, or there is none.

    Example:
        >>> sorted(parse_double_on("9-11"))
        [9, 10, 11]
    """
    allowed = "'any', a range such as 9-11, or totals from 4 to 21 such as 10,11"
    if value is None or (isinstance(value, str) and value.strip().lower() == "any"):
        return None
    totals: list[int] = []
    if isinstance(value, str):
        for part in value.split(","):
            match = re.fullmatch(r"\s*(\d{1,2})\s*(?:-\s*(\d{1,2}))?\s*", part)
            if not match:
                raise InputError("double_on", value, allowed)
            low = int(match[1])
            totals += range(low, int(match[2] or low) + 1)
    elif isinstance(value, int) and not isinstance(value, bool):
        totals = [value]
    elif isinstance(value, Iterable):
        totals = list(islice(value, 50))
    if not totals or any(
        isinstance(t, bool) or not isinstance(t, int) or not 4 <= t <= 21 for t in totals
    ):
        raise InputError("double_on", value, allowed)
    return frozenset(totals)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules of a table. Every field has a default; `str` shows what differs from it.

    Settled by themselves in every rule set: a player's natural (ace and ten-valued card as the
    first two cards) pays `blackjack_pays` unless the dealer has one too, which is a push; a
    dealer's blackjack beats every other hand; a bust loses at once, whatever the dealer gets; the
    dealer draws to 17.

    Raises:
        InputError: A field is out of range, or two fields contradict each other.

    Example:
        >>> str(Rules(decks=8, hit_soft_17=True, blackjack_pays="6:5"))
        'decks=8, hit_soft_17=True, blackjack_pays=6/5'
    """

    decks: int = 6
    """Standard packs in a fresh shoe, 1 to 12. A shoe given to `analyze` replaces it."""

    hit_soft_17: bool = False
    """The dealer draws to a soft 17 (H17) instead of standing on it (S17)."""

    peek: Peek = "ace_ten"
    """The upcards under which the dealer looks for a blackjack before the players act: `ace_ten`,
    `ace` (only under an ace), or `none` (no hole card, or one that is not looked at)."""

    dealer_blackjack_takes: BlackjackTakes = "all"
    """What a dealer blackjack that was not peeked for takes: `all` units bet (ENHC), the
    `original` bet only (OBO: the round loses exactly one unit, whatever was doubled, split or
    busted, as if the dealer had peeked), or
    `busted_plus_one` (every bet on a busted hand, and one unit more if any hand is live).
    Means nothing, and must be left alone, where the dealer peeks under ace and ten."""

    blackjack_pays: Fraction = Fraction(3, 2)
    """What a natural pays to one; given as a Fraction, or as text such as `6:5`."""

    double_on: DoubleOn = None
    """The totals that may be doubled; `any` for all of them, or as in `9-11` and `10,11`."""

    double_soft: bool = True
    """Soft hands may be doubled (if their total is in `double_on`)."""

    double_any_cards: bool = False
    """A hand of more than two cards may be doubled."""

    double_two_card_21: bool = True
    """An ace and a ten that is no natural (after a split) may be doubled. Only matters where
    `stand_on_21` is off, since a 21 stands by itself otherwise."""

    double_after_split: bool = True
    """Split hands may be doubled (DAS)."""

    split_by: SplitBy = "value"
    """Two cards make a pair when they agree in `value` (a ten and a jack do) or in `rank`."""

    max_split_hands: int = 4
    """The most hands that a pair of 2 to 10 may become: 1 (no splitting), 2, 3 or 4."""

    max_split_hands_aces: int = 2
    """The most hands that a pair of aces may become; above 2 is resplitting aces (RSA)."""

    hit_split_aces: bool = False
    """A hand with a split ace may be hit; otherwise it gets one card and stands."""

    double_split_aces: bool = False
    """A hand with a split ace may be doubled (where its total may be, and after a split)."""

    split_ace_ten: SplitAceTen = "21"
    """What an ace and a ten after a split are: a plain `21`, a hand that `beats_21` of the dealer
    in three or more cards but pays even money, or a `blackjack` (pays `blackjack_pays`, and
    pushes a dealer blackjack unless that costs the round the original bet)."""

    surrender: Surrender = "none"
    """`late`: half is lost, but a dealer blackjack takes the whole bet. `early`: half is lost even
    then. `early_not_ace`: early, and not offered against an ace. Never after a split."""

    surrender_any_cards: bool = False
    """A hand of more than two cards may be surrendered. Where the dealer has peeked by then, an
    early surrender of such a hand is a late one."""

    insurance: bool = True
    """Insurance at 2 to 1 is offered against an ace. It is priced apart from the main game."""

    even_money: bool = True
    """A natural against an ace may take 1 to 1 at once. Priced apart from the main game."""

    stand_on_21: bool = True
    """A hand of 21 stands by itself; otherwise it may be hit or doubled."""

    max_cards: int | None = None
    """A hand of this many cards, 3 or more, stands by itself; None for no limit."""

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                raise InputError(name, getattr(self, name), f"one of {', '.join(choices)}")
        object.__setattr__(
            self, "blackjack_pays", parse_fraction("blackjack_pays", self.blackjack_pays)
        )
        object.__setattr__(self, "double_on", parse_double_on(self.double_on))
        for field in fields(self):
            if field.type == "bool" and not isinstance(getattr(self, field.name), bool):
                raise InputError(field.name, getattr(self, field.name), "True or False")
        self._check_range("decks", 1, MAX_DECKS)
        self._check_range("max_split_hands", 1, MAX_SPLIT_HANDS)
        self._check_range("max_split_hands_aces", 1, MAX_SPLIT_HANDS)
        if self.max_cards is not None:
            self._check_range("max_cards", 3, 21)
        if not 0 <= self.blackjack_pays <= 100:
            raise InputError("blackjack_pays", str(self.blackjack_pays), "from 0 to 100")
        self._check_contradictions()

    def _check_range(self, name: str, low: int, high: int) -> None:
        value = getattr(self, name)
        whole = isinstance(value, Integral) and not isinstance(value, bool)
        if not whole or not low <= int(value) <= high:
            raise InputError(name, value, f"a whole number from {low} to {high}")
        object.__setattr__(self, name, int(value))

    def _check_contradictions(self) -> None:
        if self.peek == "ace_ten" and self.dealer_blackjack_takes != "all":
            raise InputError(
                "dealer_blackjack_takes",
                self.dealer_blackjack_takes,
                "left at 'all' where the dealer peeks under ace and ten (peek = 'ace_ten'): "
                "only the original bet is ever lost there",
            )
        if self.max_split_hands_aces > self.max_split_hands:
            raise InputError(
                "max_split_hands_aces",
                self.max_split_hands_aces,
                f"at most max_split_hands, which is {self.max_split_hands}",
            )
        for name, needs, met in (
            ("hit_split_aces", "max_split_hands_aces of 2 or more", self.max_split_hands_aces > 1),
            (
                "double_split_aces",
                "double_after_split, and max_split_hands_aces of 2 or more",
                self.double_after_split and self.max_split_hands_aces > 1,
            ),
            ("surrender_any_cards", "a surrender other than 'none'", self.surrender != "none"),
        ):
            if getattr(self, name) and not met:
                raise InputError(name, True, f"True only with {needs}")

    def peeks_under(self, upcard: int) -> bool:
        """Whether the dealer looks for a blackjack under this upcard value (1 to 10)."""
        return {"ace_ten": upcard in (1, 10), "ace": upcard == 1, "none": False}[self.peek]

    def may_double_total(self, total: int, soft: bool) -> bool:
        """Whether a hand of this total is among those that may be doubled."""
        return (self.double_soft or not soft) and (
            self.double_on is None or total in self.double_on
        )

    def split_hands(self, value: int) -> int:
        """The most hands that a pair of this card value may become; 1 means no splitting."""
        return self.max_split_hands_aces if value == 1 else self.max_split_hands

    def differences(self) -> dict[str, str]:
        """The fields that differ from their defaults, as text.

        Example:
            >>> Rules(double_on="9-11").differences()
            {'double_on': '9,10,11'}
        """
        shown: dict[str, str] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if value != field.default:
                is_set = isinstance(value, frozenset)
                shown[field.name] = ",".join(map(str, sorted(value))) if is_set else str(value)
        return shown

    def __str__(self) -> str:
        text = ", ".join(f"{name}={value}" for name, value in self.differences().items())
        return text or "the default rules"
