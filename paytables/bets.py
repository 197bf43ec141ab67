"""The catalogue of side bets: TOML files that come with the package, or of your own.

A file describes one bet: its rule, the cards it looks at, its tiers with their conditions, and any
number of variants, each with its own pays and source. What a variant leaves out it takes from the
bet; where its tiers have other conditions it lists them itself::

    name = "Royal Match"
    cards = "the player's first two cards"
    rule = "Two cards of one suit win; a king and queen of one suit win more."
    decks = [6, 8]

    [[tiers]]
    name = "royal"
    label = "King and queen of one suit"
    when = 'suited(player) and exactly(player, "K", "Q")'

    [[tiers]]
    name = "easy"
    when = "suited(player)"

    [[variants]]
    name = "25/2.5"
    source = "https://..."
    pays = { royal = 25, easy = "5/2" }

The keys are those of `BetFile`, `paytables.model.Tier`, `Deal`, `Pack` and `Meter`; what a
condition may contain is listed by `odds.sidebets.reference.language_reference`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

import tomlkit
from pydantic import Field

from odds.errors import InputError
from paytables.model import (
    Deal,
    Deck,
    Exact,
    LongText,
    Meter,
    Model,
    Pack,
    Paid,
    Pay,
    Paytable,
    ShortText,
    Tier,
    checked,
)
from paytables.suggest import nearest
from paytables.toml_text import parse_toml, read_text

_OWN = ("paid", "decks", "pack", "deal", "cumulative", "wagers", "meter", "source", "note", "rule")


class Variant(Model):
    """One paytable of a bet; what is None is taken from the bet.

    Attributes:
        name: Its name in the catalogue, such as ``30/10/5``.
        pays: Pays by tier; a tier that is not named here is not part of this paytable.
        tiers: Its own tiers, where the conditions differ.
    """

    name: ShortText
    pays: dict[ShortText, Pay] | None = None
    tiers: tuple[Tier, ...] | None = None
    source: Annotated[str, Field(max_length=400)] | None = None
    note: LongText | None = None
    rule: LongText | None = None
    decks: tuple[Deck, ...] | None = None
    paid: Paid | None = None
    pack: Pack | None = None
    deal: Deal | None = None
    cumulative: bool | None = None
    wagers: dict[ShortText, Exact] | None = None
    meter: Meter | None = None


class BetFile(Model):
    """A side bet with its paytables, as a file has it.

    Attributes:
        name: The bet.
        aliases: Other names it goes by.
        cards: The cards it looks at, in words.
        rule: The rule in words.
        tiers: The tiers in order of precedence.
        variants: Its paytables; without any, the tiers' own pays are the only one.
    """

    name: ShortText
    aliases: tuple[ShortText, ...] = ()
    cards: Annotated[str, Field(max_length=200)] = ""
    rule: LongText = ""
    source: Annotated[str, Field(max_length=400)] = ""
    note: LongText = ""
    decks: tuple[Deck, ...] = (6,)
    paid: Paid = "to one"
    cumulative: bool = False
    pack: Pack = Pack()
    deal: Deal = Deal()
    wagers: dict[ShortText, Exact] | None = None
    meter: Meter | None = None
    tiers: Annotated[tuple[Tier, ...], Field(min_length=1)]
    variants: tuple[Variant, ...] = ()

    @property
    def variant_names(self) -> tuple[str, ...]:
        """The names of the paytables, the first being the usual one."""
        return tuple(variant.name for variant in self.variants) or ("",)

    def paytable(self, variant: str | None = None) -> Paytable:
        """One of the bet's paytables, by default the first.

        Raises:
            InputError: No such variant (the nearest is suggested), or it contradicts the bet.
        """
        wanted = self.variant_names[0] if variant is None else variant.strip()
        own = [v for v in self.variants if v.name.lower() == wanted.lower()]
        if self.variants and not own:
            raise InputError("variant", wanted, _nearest(wanted, self.variant_names))
        values: dict[str, Any] = {"name": self.name, "cards": self.cards}
        for key in _OWN:
            value = getattr(own[0], key, None) if own else None
            values[key] = getattr(self, key) if value is None else value
        if values["wagers"] is None:
            del values["wagers"]
        values["variant"] = own[0].name if own else ""
        values["tiers"] = self._tiers(own[0] if own else None)
        return checked(Paytable, values, f"bet {self.name!r}")

    def _tiers(self, variant: Variant | None) -> list[dict[str, Any]]:
        if variant is not None and variant.tiers is not None:
            listed = [dict(tier) for tier in variant.tiers]
        else:
            listed = [dict(tier) for tier in self.tiers]
        if variant is None or variant.pays is None:
            return listed
        names = [tier["name"] for tier in listed]
        for name in variant.pays:
            if name not in names:
                raise InputError(f"pays of {variant.name!r}", name, _nearest(name, names))
        return [
            tier | {"pays": variant.pays.get(tier["name"], tier["pays"])}
            for tier in listed
            if tier["name"] in variant.pays or tier["meter"] is not None
        ]

    @property
    def paytables(self) -> dict[str, Paytable]:
        """All of the bet's paytables by variant."""
        return {name: self.paytable(name) for name in self.variant_names}


def _nearest(name: str, known: tuple[str, ...] | list[str]) -> str:
    """What is allowed in place of an unknown name: the nearest ones, or all if there are few."""
    if len(known) <= 12:
        return nearest(name, known)
    close = get_close_matches(name.lower(), known, n=3, cutoff=0.4)
    return f"one of the {len(known)} names" + (f"; nearest are {', '.join(close)}" if close else "")


def parse_bet(text: str, name: str = "bet") -> BetFile:
    """Read a bet from TOML text and check all of its paytables.

    Args:
        text: The TOML text.
        name: What to call it in error messages.

    Raises:
        InputError: It is no TOML, a key is unknown or missing, or a condition or pay is bad.

    Example:
        >>> bet = parse_bet('''
        ... name = "Red"
        ... [[tiers]]
        ... name = "both"
        ... when = "red(player)"
        ... pays = 2
        ... ''')
        >>> bet.paytable().tiers[0].pays
        Fraction(2, 1)
    """
    raw: Mapping[str, Any] = parse_toml(text, name)
    bet = checked(BetFile, raw, name)
    _ = bet.paytables
    return bet


def read_bet(path: Path) -> BetFile:
    """Read a bet from a TOML file.

    Raises:
        InputError: The file cannot be read, is too large, or see `parse_bet`.
    """
    return parse_bet(read_text(path), path.name)


def _folder() -> Any:
    return files("paytables") / "catalog" / "bets"


@cache
def load_catalog() -> dict[str, BetFile]:
    """Every bet of the catalogue by name, in alphabetical order."""
    bets = [
        checked(BetFile, tomllib.loads(entry.read_text(encoding="utf-8")), entry.name)
        for entry in _folder().iterdir()
        if entry.name.endswith(".toml")
    ]
    return {bet.name: bet for bet in sorted(bets, key=lambda bet: bet.name.lower())}


def find_bet(name: str) -> BetFile:
    """A bet of the catalogue by its name or another name it goes by.

    Case does not matter, nor whether words are joined by spaces, hyphens or underscores.

    Raises:
        InputError: No such bet; the nearest names are suggested.

    Example:
        >>> find_bet("perfect-pairs").name
        'Perfect Pairs'
    """
    wanted = _plain_name(name)
    known: dict[str, list[BetFile]] = {}
    for bet in load_catalog().values():
        for word in (bet.name, *bet.aliases):
            known.setdefault(_plain_name(word), []).append(bet)
    found = [bet for bet in known.get(wanted, []) if _plain_name(bet.name) == wanted]
    found = found or known.get(wanted, [])
    if not found:
        raise InputError("bet", name[:60], _nearest(wanted, list(known)))
    if len(found) > 1:
        raise InputError("bet", name, f"one of {', '.join(bet.name for bet in found)}")
    return found[0]


def _plain_name(name: str) -> str:
    return " ".join(name.lower().replace("-", " ").replace("_", " ").split())


def load_paytable(name: str, variant: str | None = None) -> Paytable:
    """A paytable of the catalogue.

    Raises:
        InputError: No such bet or variant.
    """
    return find_bet(name).paytable(variant)


def paytable_toml(paytable: Paytable) -> str:
    """A paytable as the text of a bet file; `parse_bet` reads it back to an equal paytable.

    Example:
        >>> royal = load_paytable("Royal Match", "25/2.5")
        >>> parse_bet(paytable_toml(royal)).paytable() == royal
        True
    """
    values = paytable.model_dump(mode="json", exclude_defaults=True)
    variant = values.pop("variant", "")
    tiers = values.pop("tiers")
    document = tomlkit.document()
    for key, value in values.items():
        document.add(key, tomlkit.item(_plain(value)))
    listed = tomlkit.aot()
    for tier in tiers:
        listed.append(tomlkit.item(_plain(tier)))
    document.add("tiers", listed)
    if variant:
        variants = tomlkit.aot()
        variants.append(tomlkit.item({"name": variant}))
        document.add("variants", variants)
    return tomlkit.dumps(document)


def _plain(value: Any) -> Any:
    """Without the values that TOML has no word for."""
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items() if inner is not None}
    return value
