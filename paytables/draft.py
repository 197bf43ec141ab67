"""A design as it is typed: every entry is kept, also a wrong one, and read as a paytable.

A `Paytable` cannot hold a pay of ``12o`` or half a condition; a `Draft` can. It is what the app
keeps, undoes, shares as a link and saves, so that nothing typed is ever lost.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any

from pydantic import ConfigDict, Field

from odds.errors import InputError
from odds.rules import parse_fraction
from odds.shoe import MAX_DECKS, Shoe
from odds.sidebets import ConditionError, parse_amount, parse_condition
from odds.sidebets.bet import MAX_TIERS, DealerPlan, DrawPlan, PlaysPlan
from paytables.model import Deal, Model, Pack, Paid, Paytable, checked
from paytables.presets import preset_names
from paytables.shoe_text import set_counts

MAX_LINK = 12_000
"""The most characters of an encoded draft."""
MAX_TEXT = 200_000
"""The most bytes of a decoded draft."""

Entry = Annotated[str, Field(max_length=120)]
Long = Annotated[str, Field(max_length=2000)]


class Typed(Model):
    """Entries as typed: a space at the end stays, the next word may be on its way."""

    model_config = ConfigDict(str_strip_whitespace=False)


class TierDraft(Typed):
    """One tier as typed.

    Attributes:
        key: A number that stays with the tier when it is moved.
        name: The tier's short name.
        label: What is printed.
        when: The condition.
        times: How often it counts, or empty for once.
        pays: The pay, or empty for none.
        meter: The share of the meter, or empty for none.
        wager: The wager it belongs to.
    """

    key: int = 0
    name: Entry = ""
    label: Entry = ""
    when: Long = ""
    times: Long = ""
    pays: Entry = ""
    meter: Entry = ""
    wager: Entry = "main"

    @property
    def title(self) -> str:
        """What is printed."""
        return self.label.strip() or self.name


@dataclass(frozen=True, slots=True)
class Problem:
    """An entry that cannot be read.

    Attributes:
        field: The entry: a field of `Draft` or `TierDraft`, or ``design`` for the whole.
        message: What is wrong, in words.
        tier: The key of the tier, or None.
        text: The text with the fault.
        position: Where in the text, from 0, or None.
    """

    field: str
    message: str
    tier: int | None = None
    text: str = ""
    position: int | None = None


class Draft(Typed):
    """A side bet as typed, with the shoe it is dealt from.

    Attributes:
        name: The bet.
        variant: Which of its paytables.
        rule: The rule in words.
        cards: The cards it looks at, in words.
        source: Where the pays are from.
        note: What a reader should know.
        decks: The number of decks.
        other_decks: Further deck counts it is dealt from.
        shoe: Counts that differ from whole decks, such as ``A=20, 7H=0``; empty for none.
        without: Ranks or cards that each deck lacks.
        extra: Cards added to each deck.
        dealer: Two cards, or played out.
        plays: When the dealer plays out.
        next_cards: Further cards of the player's hand.
        draw: When these are dealt.
        given: What is known when the bet is made.
        table: The table preset whose strategy the cards depend on.
        paid: Whether pays are net or include the stake.
        cumulative: Whether all tiers that hold count.
        wagers: Stakes by wager, such as ``main=1``.
        has_meter: Whether there is a progressive meter.
        stake: One unit of the bet in currency.
        seed: What the house puts into an emptied meter.
        increment: What each bet adds to the meter.
        amount: The meter to compute with.
        tiers: In order of precedence.
        opened: The catalogue's bet and variant it began as, or empty.
    """

    name: Entry = ""
    variant: Entry = ""
    rule: Long = ""
    cards: Annotated[str, Field(max_length=200)] = ""
    source: Annotated[str, Field(max_length=400)] = ""
    note: Long = ""
    decks: Annotated[int, Field(ge=1, le=MAX_DECKS)] = 6
    other_decks: Annotated[
        tuple[Annotated[int, Field(ge=1, le=MAX_DECKS)], ...], Field(max_length=12)
    ] = ()
    shoe: Long = ""
    without: Entry = ""
    extra: Entry = ""
    dealer: DealerPlan = "two cards"
    plays: PlaysPlan = "always"
    next_cards: Annotated[int, Field(ge=0, le=3)] = 0
    draw: DrawPlan = "always"
    given: Long = ""
    table: Entry = ""
    paid: Paid = "to one"
    cumulative: bool = False
    wagers: Entry = "main=1"
    has_meter: bool = False
    stake: Entry = "1"
    seed: Entry = "0"
    increment: Entry = "0"
    amount: Entry = ""
    tiers: Annotated[tuple[TierDraft, ...], Field(max_length=MAX_TIERS)] = ()
    opened: Annotated[tuple[Entry, ...], Field(max_length=2)] = ()

    @classmethod
    def of(cls, paytable: Paytable, opened: tuple[str, ...] = ()) -> Draft:
        """A draft that reads as this paytable.

        Example:
            >>> from paytables.bets import load_paytable
            >>> sweet = load_paytable("Sweet 16")
            >>> Draft.of(sweet).read().paytable == sweet
            True
        """
        meter, deal = paytable.meter, paytable.deal
        values: dict[str, Any] = {
            name: getattr(paytable, name)
            for name in ("name", "variant", "rule", "cards", "source", "note", "paid", "cumulative")
        }
        values |= {name: getattr(deal, name) for name in ("dealer", "plays", "next_cards", "draw")}
        values |= {"given": deal.given or "", "table": deal.table or ""}
        values |= {"decks": paytable.decks[0], "other_decks": paytable.decks[1:]}
        values |= {
            "without": ", ".join(paytable.pack.without),
            "extra": ", ".join(paytable.pack.extra),
            "wagers": ", ".join(f"{name}={stake}" for name, stake in paytable.wagers.items()),
            "opened": opened,
        }
        if meter is not None:
            values |= {
                "has_meter": True,
                "stake": str(meter.stake),
                "seed": str(meter.seed),
                "increment": str(meter.increment),
                "amount": _shown(meter.amount),
            }
        tiers = [
            TierDraft(
                key=number,
                name=tier.name,
                label=tier.label,
                when=tier.when,
                times=tier.times or "",
                pays=_shown(tier.pays),
                meter=_shown(tier.meter),
                wager=tier.wager,
            )
            for number, tier in enumerate(paytable.tiers, 1)
        ]
        return cls(**values, tiers=tuple(tiers))

    def tier(self, key: int) -> TierDraft:
        """The tier with this key.

        Raises:
            KeyError: There is none.
        """
        for tier in self.tiers:
            if tier.key == key:
                return tier
        raise KeyError(key)

    def with_tier(self, key: int, **changes: str) -> Draft:
        """The draft with one tier changed."""
        tiers = (tier.changed(**changes) if tier.key == key else tier for tier in self.tiers)
        return self.changed(tiers=tuple(tiers))

    def add_tier(self) -> Draft:
        """The draft with an empty tier at the end.

        Raises:
            InputError: There are too many tiers already.
        """
        key = max((tier.key for tier in self.tiers), default=0) + 1
        names = {tier.name for tier in self.tiers}
        name = next(n for i in range(len(names) + 1) if (n := f"tier {key + i}") not in names)
        wager = self.tiers[-1].wager if self.tiers else "main"
        return self.changed(tiers=(*self.tiers, TierDraft(key=key, name=name, wager=wager)))

    def remove_tier(self, key: int) -> Draft:
        """The draft without a tier."""
        return self.changed(tiers=tuple(tier for tier in self.tiers if tier.key != key))

    def move_tier(self, key: int, step: int) -> Draft:
        """The draft with a tier moved up (-1) or down (1); at the end of the list nothing changes.

        Example:
            >>> draft = Draft(tiers=(TierDraft(key=1), TierDraft(key=2)))
            >>> [tier.key for tier in draft.move_tier(2, -1).tiers]
            [2, 1]
        """
        tiers = list(self.tiers)
        here = next(i for i, tier in enumerate(tiers) if tier.key == key)
        there = here + step
        if 0 <= there < len(tiers):
            tiers[here], tiers[there] = tiers[there], tiers[here]
        return self.changed(tiers=tuple(tiers))

    @property
    def title(self) -> str:
        """The bet and its paytable, for a heading."""
        return ", ".join(
            part for part in (self.name.strip() or "Untitled bet", self.variant) if part
        )

    def read(self) -> Reading:
        """The paytable the draft says, and every entry that cannot be read."""
        return _read(self)

    def encode(self) -> str:
        """The draft as a short text for a link.

        Example:
            >>> draft = Draft(name="Mine", tiers=(TierDraft(when="pair(player)", pays="12o"),))
            >>> decode_draft(draft.encode()) == draft
            True
        """
        return pack_text(self.model_dump_json(exclude_defaults=True))


@dataclass(frozen=True)
class Reading:
    """What a draft says.

    Attributes:
        draft: The draft.
        paytable: The paytable, or None where something cannot be read.
        shoe: The shoe where it is not whole decks, or None.
        problems: What cannot be read.
    """

    draft: Draft
    paytable: Paytable | None
    shoe: Shoe | None
    problems: tuple[Problem, ...]

    @property
    def good(self) -> bool:
        """Whether everything could be read."""
        return not self.problems

    def of_tier(self, key: int, field: str) -> Problem | None:
        """The problem of a tier's entry, if there is one."""
        return next((p for p in self.problems if (p.tier, p.field) == (key, field)), None)

    def of(self, field: str) -> Problem | None:
        """The problem of an entry of the design, if there is one."""
        return next((p for p in self.problems if (p.tier, p.field) == (None, field)), None)


def _shown(value: Fraction | None) -> str:
    """A number as one would type it: exact, as a decimal where that is short."""
    if value is None:
        return ""
    decimal = f"{float(value):g}"
    return decimal if Fraction(decimal) == value and "e" not in decimal else str(value)


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.replace(",", " ").split())


@lru_cache(maxsize=512)
def _read(draft: Draft) -> Reading:
    problems = [*_entry_problems(draft)]
    paytable = shoe = None
    if not problems:
        try:
            paytable = checked(Paytable, _values(draft), "the design")
        except InputError as error:
            message = error.allowed.removeprefix("Value error, ")
            problems.append(Problem("design", f"{error.field}: {message}"))
    if paytable is not None and draft.shoe.strip():
        try:
            packs = tuple(draft.decks * count for count in paytable.pack.shoe.counts)
            shoe = set_counts(Shoe(packs), draft.shoe)
        except InputError as error:
            problems.append(Problem("shoe", f"{error.value}; allowed is {error.allowed}"))
    return Reading(draft, paytable if not problems else None, shoe, tuple(problems))


def _entry_problems(draft: Draft) -> Iterator[Problem]:
    if not draft.name.strip():
        yield Problem("name", "the bet needs a name")
    if not draft.tiers:
        yield Problem("tiers", "add a tier to begin")
    for tier in draft.tiers:
        yield from _tier_problems(tier)
    if _needs_table(draft) and draft.table not in preset_names():
        # a name of the package only: a design from outside must not make the app read files
        yield Problem("table", "choose the table whose strategy the cards follow")
    if draft.given.strip() and (found := _condition_problem("given", draft.given)):
        yield found
    for field in ("stake", "seed", "increment", "amount"):
        text = getattr(draft, field)
        if draft.has_meter and (text.strip() or field != "amount"):
            yield from _number_problem(field, text)
    try:
        _wagers(draft.wagers)
    except InputError as error:
        yield Problem("wagers", error.allowed)
    try:
        _ = Pack(without=_words(draft.without), extra=_words(draft.extra)).shoe
    except InputError as error:
        yield Problem("pack", f"{error.value} is no such card; allowed is {error.allowed}")


def _tier_problems(tier: TierDraft) -> Iterator[Problem]:
    if not tier.when.strip():
        yield Problem("when", "say which cards win, such as pair(player)", tier.key)
    elif found := _condition_problem("when", tier.when, tier.key):
        yield found
    if tier.times.strip() and (found := _condition_problem("times", tier.times, tier.key)):
        yield found
    if not tier.pays.strip() and not tier.meter.strip():
        yield Problem("pays", "say what it pays", tier.key)
    if tier.pays.strip():
        yield from _number_problem("pays", tier.pays, tier.key)
    if tier.meter.strip():
        yield from _number_problem("meter", tier.meter, tier.key)


def _condition_problem(field: str, text: str, key: int | None = None) -> Problem | None:
    try:
        (parse_amount if field == "times" else parse_condition)(text)
    except ConditionError as error:
        return Problem(field, error.reason, key, error.text, error.position)
    return None


def _number_problem(field: str, text: str, key: int | None = None) -> Iterator[Problem]:
    try:
        parse_fraction(field, text)
    except InputError as error:
        yield Problem(field, f"{text[:30]!r} is no number; write {error.allowed}", key)


def _needs_table(draft: Draft) -> bool:
    return draft.draw == "by strategy" or draft.plays != "always"


def _wagers(text: str) -> dict[str, Fraction]:
    stakes: dict[str, Fraction] = {}
    for part in text.split(","):
        name, sign, stake = part.partition("=")
        if not name.strip() or not sign:
            raise InputError("wagers", text, "a stake for each wager, such as main=1, second=1")
        stakes[name.strip()] = parse_fraction("wagers", stake.strip())
    return stakes


def _values(draft: Draft) -> dict[str, Any]:
    values: dict[str, Any] = {
        name: getattr(draft, name)
        for name in ("name", "variant", "rule", "cards", "source", "note", "paid", "cumulative")
    }
    decks = (draft.decks, *(n for n in draft.other_decks if n != draft.decks))
    values["decks"] = decks[:12]
    values["pack"] = Pack(without=_words(draft.without), extra=_words(draft.extra))
    values["deal"] = Deal(
        dealer=draft.dealer,
        plays=draft.plays,
        next_cards=draft.next_cards,
        draw=draft.draw,
        given=draft.given.strip() or None,
        table=draft.table if _needs_table(draft) else None,
    )
    values["wagers"] = _wagers(draft.wagers)
    if draft.has_meter:
        values["meter"] = {
            "stake": draft.stake,
            "seed": draft.seed,
            "increment": draft.increment,
            "amount": draft.amount.strip() or None,
        }
    values["tiers"] = [
        {
            "name": tier.name.strip() or f"tier {tier.key}",
            "label": tier.label,
            "when": tier.when,
            "times": tier.times.strip() or None,
            "pays": tier.pays.strip() or None,
            "meter": tier.meter.strip() or None,
            "wager": tier.wager.strip() or "main",
        }
        for tier in draft.tiers
    ]
    return values


def decode_draft(text: str) -> Draft:
    """Read a draft from the text of a link.

    Raises:
        InputError: The text is too long, damaged, or holds something else.

    Example:
        >>> decode_draft("nonsense!")
        Traceback (most recent call last):
        ...
        odds.errors.InputError: link = 'nonsense!': allowed is a whole, undamaged link of this app
    """
    return read_draft(unpack_text(text))


def pack_text(text: str) -> str:
    """A text in few characters that an address may hold."""
    packed = zlib.compress(text.encode("utf-8"), 9)
    return base64.urlsafe_b64encode(packed).decode("ascii").rstrip("=")


def unpack_text(text: str) -> str:
    """The text that `pack_text` packed.

    Raises:
        InputError: It is too long, packed or unpacked, or damaged.
    """
    if len(text) > MAX_LINK:
        raise InputError("link", f"{len(text)} characters", f"at most {MAX_LINK} characters")
    try:
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        unpacker = zlib.decompressobj()
        raw = unpacker.decompress(packed, MAX_TEXT)
        if unpacker.unconsumed_tail or not unpacker.eof:
            raise zlib.error
        return raw.decode("utf-8")
    except (binascii.Error, zlib.error, ValueError):
        raise InputError("link", text[:20], "a whole, undamaged link of this app") from None


def read_draft(text: str) -> Draft:
    """Read a draft from its JSON text.

    Raises:
        InputError: It is no draft.
    """
    try:
        draft = Draft.model_validate_json(text)
    except ValueError:
        raise InputError("design", text[:20], "a design of this app") from None
    keys = [tier.key for tier in draft.tiers]
    if len(set(keys)) < len(keys):
        raise InputError("design", text[:20], "a design whose tiers have different keys")
    return draft
