"""A side bet with its pays: `Paytable` and `Tier`, checked where they are read from a file.

The conditions of the tiers are those of `odds.sidebets`; what a tier pays, on which wager, from
which meter, is known only here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails

from odds.errors import InputError
from odds.rules import parse_fraction
from odds.shoe import MAX_DECKS, Shoe
from odds.sidebets import ConditionError, DealPlan, SideBet, TierRule, parse_condition
from odds.sidebets.bet import MAX_TIERS, DealerPlan, DrawPlan, PlaysPlan

Paid = Literal["to one", "for one"]
AnyModel = TypeVar("AnyModel", bound=BaseModel)
MAX_PAY = 1_000_000


def _exact(value: object) -> Fraction:
    return parse_fraction("pays", value)


def _shown(value: Fraction) -> str | int:
    return int(value) if value.denominator == 1 else str(value)


Exact = Annotated[Fraction, BeforeValidator(_exact), PlainSerializer(_shown)]
"""An exact number: an integer, a decimal such as 2.5, or a text such as ``5/2`` or ``5:2``."""
Pay = Annotated[Exact, Field(ge=-MAX_PAY, le=MAX_PAY)]
Money = Annotated[Exact, Field(ge=0, le=10**9)]
ShortText = Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f\x7f]*$")]
LongText = Annotated[str, Field(max_length=2000)]
Deck = Annotated[int, Field(ge=1, le=MAX_DECKS, strict=True)]


class Model(BaseModel):
    """Common settings: no unknown keys, no changes after checking."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)

    def changed(self, **changes: object) -> Self:
        """A checked copy with other values.

        Raises:
            InputError: A value is out of range.
        """
        values = {name: getattr(self, name) for name in type(self).model_fields}
        return checked(type(self), values | changes, type(self).__name__.lower())


class Tier(Model):
    """One line of a paytable.

    Attributes:
        name: A short name, unique in the bet.
        label: What is printed; the name if empty.
        when: The condition, in the language of `odds.sidebets`.
        times: How often it counts when hit (cumulative bets), or None for once.
        pays: Net win per unit (to one) or return with the stake (for one); 0 is a push to one,
            -1/2 a half loss. None for a tier that pays nothing but its share of the meter.
        meter: The share of the meter that is won, such as 1 or 1/10.
        wager: The wager it belongs to. A name that is not among the bet's wagers is a free bonus:
            it costs nothing to miss, as a meter that two wagers open together.
    """

    name: ShortText
    label: Annotated[str, Field(max_length=120)] = ""
    when: LongText
    times: LongText | None = None
    pays: Pay | None = None
    meter: Annotated[Exact, Field(gt=0, le=1)] | None = None
    wager: ShortText = "main"

    @property
    def title(self) -> str:
        """What is printed."""
        return self.label or self.name


class Meter(Model):
    """A progressive meter, in currency.

    Attributes:
        stake: What one unit of the bet is in currency.
        seed: What the house puts into the meter after it is won.
        increment: What each bet adds to the meter; part of the stake.
        amount: The meter to compute with, or None if not said.
    """

    stake: Annotated[Money, Field(gt=0)] = Fraction(1)
    seed: Money = Fraction(0)
    increment: Money = Fraction(0)
    amount: Money | None = None


class Deal(Model):
    """Which cards the bet looks at; see `odds.sidebets.DealPlan`.

    Attributes:
        dealer: Two cards, or played out under S17 or H17.
        plays: Whether the dealer plays out in every round or only against a live hand.
        next_cards: Further cards of the player's hand.
        draw: When they are dealt.
        given: What is known when the bet is made, as a condition.
        table: The table preset whose strategy the cards depend on, where they do.
    """

    dealer: DealerPlan = "two cards"
    plays: PlaysPlan = "always"
    next_cards: Annotated[int, Field(ge=0, le=3)] = 0
    draw: DrawPlan = "always"
    given: LongText | None = None
    table: ShortText | None = None


class Pack(Model):
    """How the pack differs from 52 cards.

    Attributes:
        without: Ranks or cards that are taken out of each deck: ``T`` (the Spanish pack), ``AS``.
        extra: Cards that are added to each deck, such as ``AS``.
    """

    without: tuple[ShortText, ...] = ()
    extra: tuple[ShortText, ...] = ()

    @cached_property
    def shoe(self) -> Shoe:
        """One pack.

        Raises:
            InputError: A card is not in the pack.
        """
        pack = Shoe.decks(1)
        for text in self.without:
            cards = [text] if len(text.replace("10", "T")) > 1 else [f"{text}{s}" for s in "SHDC"]
            pack = pack.remove(*cards)
        return pack.add(*self.extra)

    def __str__(self) -> str:
        parts = [f"without {', '.join(self.without)}"] if self.without else []
        parts += [f"with an extra {', '.join(self.extra)}"] if self.extra else []
        return f"{self.shoe.size}-card pack {' and '.join(parts)}" if parts else "52-card pack"


class Paytable(Model):
    """A side bet with one set of pays.

    Attributes:
        name: The bet.
        variant: Which of its paytables, or empty.
        rule: The rule in words.
        cards: The cards it looks at, in words.
        source: Where the pays are from.
        note: What a reader should know about this paytable.
        decks: The deck counts it is dealt from; the first is the usual one.
        pack: How the pack differs from 52 cards.
        deal: Which cards it looks at.
        paid: Whether pays are net (to one) or include the stake (for one).
        cumulative: All tiers that hold count, instead of the first alone.
        wagers: Stake of each wager, in units. Tiers of different wagers are settled side by side.
        tiers: In order of precedence.
        meter: The progressive meter, if a tier pays from one.

    Example:
        >>> suited = Paytable(name="Suited", tiers=[
        ...     {"name": "suited", "when": "suited(player)", "pays": "5/2"}])
        >>> suited.tiers[0].pays, suited.with_pays(suited=3).tiers[0].pays
        (Fraction(5, 2), Fraction(3, 1))
    """

    name: ShortText
    variant: Annotated[str, Field(max_length=80)] = ""
    rule: LongText = ""
    cards: Annotated[str, Field(max_length=200)] = ""
    source: Annotated[str, Field(max_length=400)] = ""
    note: LongText = ""
    decks: Annotated[tuple[Deck, ...], Field(min_length=1, max_length=12)] = (6,)
    pack: Pack = Pack()
    deal: Deal = Deal()
    paid: Paid = "to one"
    cumulative: bool = False
    wagers: Annotated[
        dict[ShortText, Annotated[Exact, Field(gt=0, le=1000)]], Field(min_length=1, max_length=6)
    ] = {"main": Fraction(1)}
    tiers: Annotated[tuple[Tier, ...], Field(min_length=1, max_length=MAX_TIERS)]
    meter: Meter | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if any(tier.meter is not None for tier in self.tiers) and self.meter is None:
            raise ValueError("a tier has a share of a meter, but the bet has no [meter]")
        for tier in self.tiers:
            if tier.pays is None and tier.meter is None:
                raise ValueError(f"tier {tier.name!r} needs pays (or a share of a meter)")
            check_pay(tier.name, tier.pays, self.least_pay)
        for wager in self.wagers:
            if not any(tier.wager == wager for tier in self.tiers):
                raise ValueError(f"no tier is on the wager {wager!r}")
        if self.bet.plan.needs_strategy != (self.deal.table is not None):
            raise ValueError(
                "deal.table names the strategy where draw = 'by strategy' or plays = 'if live, ...'"
                ", and only there"
            )
        _ = self.pack.shoe
        return self

    @cached_property
    def bet(self) -> SideBet:
        """The bet as the counting engine sees it; the same object for equal conditions."""
        groups = {tier.wager for tier in self.tiers}
        return SideBet(
            tuple(_rule(tier) for tier in self.tiers),
            DealPlan(
                dealer=self.deal.dealer,
                plays=self.deal.plays,
                next_cards=self.deal.next_cards,
                draw=self.deal.draw,
            ),
            None if self.deal.given is None else parse_condition(self.deal.given),
            frozenset(groups) if self.cumulative else frozenset(),
        )

    @property
    def least_pay(self) -> int:
        """The lowest pay there can be: the whole stake lost."""
        return 0 if self.paid == "for one" else -1

    @property
    def stake(self) -> Fraction:
        """The stake of all wagers together, in units."""
        return sum(self.wagers.values(), Fraction(0))

    def net(self, tier: Tier) -> Fraction:
        """What one hit of a tier wins net, in units of its wager, with the meter at zero."""
        if tier.wager not in self.wagers:
            return tier.pays or Fraction(0)
        if tier.pays is None:
            return Fraction(-1)
        return tier.pays - 1 if self.paid == "for one" else tier.pays

    def result(self, hits: Sequence[int], meter: Fraction | int = 0) -> Fraction:
        """The net result of a round in units, all wagers together.

        Args:
            hits: How often each tier counts, as in `odds.sidebets.Outcome.hits`.
            meter: The meter in currency.
        """
        prize = Fraction(meter) / self.meter.stake if self.meter is not None else Fraction(0)
        hits_on = dict.fromkeys(self.wagers, 0)
        net = Fraction(0)
        for tier, number in zip(self.tiers, hits, strict=True):
            if number:
                each = self.net(tier) + (tier.meter or 0) * prize
                net += number * each * self.wagers.get(tier.wager, Fraction(1))
                hits_on[tier.wager] = hits_on.get(tier.wager, 0) + number
        for wager, stake in self.wagers.items():
            if not hits_on[wager]:
                net -= stake
            elif self.paid == "for one":  # the stake is part of the first hit only
                net += stake * (hits_on[wager] - 1)
        return net

    def with_pays(self, pays: Mapping[str, object] | None = None, **named: object) -> Paytable:
        """The same bet with other pays for some tiers.

        Raises:
            InputError: There is no such tier, or a pay is not a number in range.
        """
        changes = dict(pays or {}) | named
        names = [tier.name for tier in self.tiers]
        for name in changes:
            if name not in names:
                raise InputError("tier", name, f"one of {', '.join(names)}")
        tiers = tuple(
            tier.changed(pays=changes[tier.name]) if tier.name in changes else tier
            for tier in self.tiers
        )
        for tier in tiers:
            check_pay(tier.name, tier.pays, self.least_pay)
        # Only pays change: the conditions are checked already and need not be parsed again.
        copy = self.model_copy(update={"tiers": tiers})
        copy.__dict__["bet"] = self.bet
        return copy

    def with_cards_guaranteed(self) -> Paytable:
        """The same bet with its next cards dealt in any case."""
        if self.deal.draw == "always":
            return self
        table = None if self.deal.plays == "always" else self.deal.table
        return self.changed(deal=self.deal.changed(draw="always", table=table))

    def as_for_one(self) -> Paytable:
        """The same bet with its pays written with the stake included."""
        return self._rewritten("for one", 1)

    def as_to_one(self) -> Paytable:
        """The same bet with its pays written net."""
        return self._rewritten("to one", -1)

    def _rewritten(self, paid: Paid, step: int) -> Paytable:
        if self.paid == paid:
            return self
        pays = {
            tier.name: tier.pays + step
            for tier in self.tiers
            if tier.pays is not None and tier.wager in self.wagers
        }
        return self.model_copy(update={"paid": paid}).with_pays(pays)

    def _repr_html_(self) -> str:
        from paytables import html

        return html.paytable(self)


def check_pay(tier: str, pays: Fraction | None, least: int) -> None:
    """A tier cannot lose more than its stake.

    Raises:
        InputError: It would.
    """
    if pays is not None and pays < least:
        raise InputError(f"pays of tier {tier!r}", str(pays), f"{least} (the stake lost) or more")


def _brief(value: object) -> object:
    """The value, cut where it is too long to be shown."""
    text = value if isinstance(value, str) else repr(value)
    return value if len(text) <= 80 else f"{text[:77]}..."


def _rule(tier: Tier) -> TierRule:
    try:
        return TierRule.parse(tier.name, tier.when, tier.times, tier.wager)
    except ConditionError as error:
        raise InputError(f"condition of tier {tier.name!r}", error.value, error.allowed) from None


def checked(model: type[AnyModel], values: object, where: str) -> AnyModel:
    """A model from untrusted values.

    Raises:
        InputError: The first thing that is wrong, and where.
    """
    try:
        return model.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        cause = first.get("ctx", {}).get("error")
        place = ".".join(str(part) for part in first["loc"])
        field = f"{place} of {where}" if place else where
        if isinstance(cause, InputError):
            raise InputError(
                f"{field}: {cause.field}", _brief(cause.value), cause.allowed
            ) from None
        given: Any = first.get("input")
        if first["type"] == "missing":
            given = "nothing"
        shown = given if isinstance(given, (str, int, float, bool)) else type(given).__name__
        raise InputError(field, _brief(shown), _allowed(first)) from None


def _allowed(error: ErrorDetails) -> str:
    """What is allowed, in words for somebody who has a file before him."""
    context = error.get("ctx", {})
    words = {
        "extra_forbidden": "no such key",
        "missing": "a value (the key is missing)",
        "greater_than": "above {gt}",
        "greater_than_equal": "{ge} or more",
        "less_than": "below {lt}",
        "less_than_equal": "{le} or less",
        "too_short": "a list or table with at least {min_length} in it",
        "too_long": "at most {max_length} entries, not {actual_length}",
        "string_too_short": "a text that is not empty",
        "string_too_long": "at most {max_length} characters",
        "string_type": "a text, in quotes",
        "string_pattern_mismatch": "one line of text",
        "int_type": "a whole number",
        "bool_type": "true or false",
        "bool_parsing": "true or false",
        "tuple_type": "a list, in [ ]",
        "dict_type": "a table of names and values",
        "model_type": "a table of keys and values",
        "literal_error": "{expected}",
    }.get(error["type"], "")
    return words.format(**context) if words else error["msg"]
