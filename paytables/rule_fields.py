"""What a person needs to know about each field of `odds.rules.Rules`: label, help, allowed values.

The command line, the app and the preset files all read rules through this one table, so a field
that is added to `Rules` appears in all of them.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cache
from typing import Literal, TypeAlias, get_args, get_origin, get_type_hints

from odds.errors import InputError
from odds.rules import MAX_SPLIT_HANDS, Rules, parse_double_on, parse_fraction
from odds.shoe import MAX_DECKS
from paytables.suggest import nearest

Kind: TypeAlias = Literal["flag", "count", "choice", "pays", "totals", "limit"]

GROUPS: dict[str, tuple[str, ...]] = {
    "Shoe and dealer": ("decks", "hit_soft_17", "peek", "dealer_blackjack_takes"),
    "Pays": ("blackjack_pays", "insurance", "even_money"),
    "Doubling": (
        "double_on",
        "double_soft",
        "double_any_cards",
        "double_after_split",
        "double_two_card_21",
    ),
    "Splitting": (
        "split_by",
        "max_split_hands",
        "max_split_hands_aces",
        "hit_split_aces",
        "double_split_aces",
        "split_ace_ten",
    ),
    "Surrender": ("surrender", "surrender_any_cards"),
    "End of a hand": ("stand_on_21", "max_cards"),
}
"""The fields in the order people meet them at a table; fields missing here go to `Other`."""

_LABELS = {
    "hit_soft_17": "Dealer hits soft 17 (H17)",
    "peek": "Dealer peeks for blackjack",
    "dealer_blackjack_takes": "Unpeeked blackjack takes",
    "blackjack_pays": "Blackjack pays, to one",
    "insurance": "Insurance at 2 to 1",
    "double_on": "Totals that may be doubled",
    "double_soft": "Double soft hands",
    "double_any_cards": "Double on any number of cards",
    "double_two_card_21": "Double a split ace-ten",
    "double_after_split": "Double after a split (DAS)",
    "split_by": "A pair agrees in",
    "max_split_hands": "Hands from a pair of 2 to 10",
    "max_split_hands_aces": "Hands from a pair of aces",
    "split_ace_ten": "A split ace-ten is",
    "surrender_any_cards": "Surrender any number of cards",
    "stand_on_21": "21 stands by itself",
    "max_cards": "Most cards in a hand",
}

_CHOICE_LABELS = {
    ("peek", "ace_ten"): "under ace and ten",
    ("peek", "ace"): "under an ace only",
    ("peek", "none"): "never (no hole card)",
    ("dealer_blackjack_takes", "all"): "all units (ENHC)",
    ("dealer_blackjack_takes", "original"): "the original bet only (OBO)",
    ("dealer_blackjack_takes", "busted_plus_one"): "busted bets plus one (BB+1)",
    ("split_by", "value"): "value (ten and jack do)",
    ("split_by", "rank"): "rank (ten and jack do not)",
    ("split_ace_ten", "21"): "a plain 21",
    ("split_ace_ten", "beats_21"): "ahead of a longer 21, paid 1 to 1",
    ("split_ace_ten", "blackjack"): "a blackjack",
    ("surrender", "none"): "not offered",
    ("surrender", "late"): "late",
    ("surrender", "early"): "early",
    ("surrender", "early_not_ace"): "early, not against an ace",
}

_RANGES = {
    "decks": (1, MAX_DECKS),
    "max_split_hands": (1, MAX_SPLIT_HANDS),
    "max_split_hands_aces": (1, MAX_SPLIT_HANDS),
    "max_cards": (3, 21),
}


@dataclass(frozen=True, slots=True)
class RuleField:
    """One field of `Rules` as shown to and read from people.

    Attributes:
        name: The field's name in `Rules`.
        label: A short name for forms.
        group: The group it is shown in, a key of `GROUPS` or `Other`.
        kind: `flag` (yes or no), `count` (whole number), `choice`, `pays` (fraction), `totals`
            (of hands that may be doubled) or `limit` (whole number or none).
        choices: The allowed words, for a `choice`.
        bounds: Smallest and largest number, for a `count` or `limit`.
        default: The default of `Rules`.
        text: The field's docstring, on one line.
    """

    name: str
    label: str
    group: str
    kind: Kind
    choices: tuple[str, ...]
    bounds: tuple[int, int] | None
    default: object
    text: str

    @property
    def allowed(self) -> str:
        """The allowed values, in words.

        Example:
            >>> rule_field("decks").allowed, rule_field("split_by").allowed
            ('1 to 12', 'value, rank')
        """
        if self.kind == "choice":
            return ", ".join(self.choices)
        if self.bounds is not None:
            low, high = self.bounds
            return f"{low} to {high}" + (", or none" if self.kind == "limit" else "")
        return {
            "flag": "yes, no",
            "pays": "a fraction: 3/2, 3:2, 6 to 5, 1.5",
            "totals": "any, 9-11, 10,11, ...",
        }[self.kind]

    def parse(self, value: object) -> object:
        """Read a value from text or a file, in the type that `Rules` wants.

        Raises:
            InputError: The value is none of the allowed ones.

        Example:
            >>> rule_field("max_cards").parse("none"), rule_field("hit_soft_17").parse("yes")
            (None, True)
        """
        text = str(value).strip().lower()
        if self.kind == "flag":
            if isinstance(value, bool):
                return value
            if text in ("true", "yes", "on"):
                return True
            if text in ("false", "no", "off"):
                return False
            raise InputError(self.name, value, "yes or no (true or false)")
        if self.kind == "pays":
            return parse_fraction(self.name, value)
        if self.kind == "totals":
            return parse_double_on(value)
        if self.kind == "choice":
            if text not in self.choices:
                raise InputError(self.name, value, f"one of {', '.join(self.choices)}")
            return text
        if self.kind == "limit" and (value is None or text == "none"):
            return None
        if isinstance(value, bool) or not re.fullmatch(r"[+-]?\d{1,4}", text):
            raise InputError(self.name, value, f"a whole number, {self.allowed}")
        return int(text)

    def show(self, value: object) -> str:
        """A value as text that `parse` reads back.

        Example:
            >>> rule_field("double_on").show(frozenset({9, 10, 11}))
            '9-11'
        """
        if self.kind == "flag":
            return "yes" if value else "no"
        if self.kind == "totals":
            return "any" if value is None else _show_totals(value)
        if isinstance(value, Fraction):
            return f"{value.numerator}:{value.denominator}"
        return "none" if value is None else str(value)

    def choice_label(self, choice: str) -> str:
        """What a choice is called on a form."""
        return _CHOICE_LABELS.get((self.name, choice), choice.replace("_", " "))


def _show_totals(value: object) -> str:
    totals = sorted(value) if isinstance(value, (frozenset, set)) else []
    if len(totals) > 2 and totals[-1] - totals[0] == len(totals) - 1:
        return f"{totals[0]}-{totals[-1]}"
    return ",".join(map(str, totals))


def _docstrings() -> dict[str, str]:
    """The string under each field in the source of `Rules`, which Python itself drops."""
    source = textwrap.dedent(inspect.getsource(Rules))
    definition = ast.parse(source).body[0]
    assert isinstance(definition, ast.ClassDef)
    found: dict[str, str] = {}
    for before, here in zip(definition.body, definition.body[1:], strict=False):
        if (
            isinstance(before, ast.AnnAssign)
            and isinstance(before.target, ast.Name)
            and isinstance(here, ast.Expr)
            and isinstance(here.value, ast.Constant)
        ):
            found[before.target.id] = " ".join(str(here.value.value).split())
    return found


def _kind(name: str, hint: object) -> Kind:
    if hint is bool:
        return "flag"
    if hint is int:
        return "count"
    if hint is Fraction:
        return "pays"
    if get_origin(hint) is Literal:
        return "choice"
    return "totals" if name == "double_on" else "limit"


@cache
def rule_fields() -> tuple[RuleField, ...]:
    """Every field of `Rules`, group by group.

    Example:
        >>> [field.name for field in rule_fields()][:3]
        ['decks', 'hit_soft_17', 'peek']
    """
    hints = get_type_hints(Rules)
    texts = _docstrings()
    group_of = {name: group for group, names in GROUPS.items() for name in names}
    order = list(group_of)
    found = [
        RuleField(
            name=field.name,
            label=_LABELS.get(field.name, field.name.replace("_", " ").capitalize()),
            group=group_of.get(field.name, "Other"),
            kind=(kind := _kind(field.name, hints[field.name])),
            choices=get_args(hints[field.name]) if kind == "choice" else (),
            bounds=_RANGES.get(field.name),
            default=field.default,
            text=texts.get(field.name, ""),
        )
        for field in fields(Rules)
    ]
    return tuple(sorted(found, key=lambda f: order.index(f.name) if f.name in order else 99))


def rule_field(name: str) -> RuleField:
    """The field of this name.

    Raises:
        InputError: `Rules` has no such field; the nearest name is suggested.
    """
    for field in rule_fields():
        if field.name == name:
            return field
    raise InputError("rule", name, nearest(name, [field.name for field in rule_fields()]))


def parse_rules(values: Mapping[str, object], base: Rules | None = None) -> Rules:
    """Rules from names and values as text or as TOML has them, on top of `base`.

    Raises:
        InputError: An unknown field, a bad value or a contradiction.

    Example:
        >>> str(parse_rules({"decks": "8", "blackjack_pays": "6:5"}))
        'decks=8, blackjack_pays=6/5'
    """
    start = base if base is not None else Rules()
    full = {field.name: getattr(start, field.name) for field in fields(Rules)}
    full |= {name: rule_field(name).parse(value) for name, value in values.items()}
    if "max_split_hands" in values and "max_split_hands_aces" not in values:
        # fewer hands for all pairs means no more than that for aces
        full["max_split_hands_aces"] = min(full["max_split_hands_aces"], full["max_split_hands"])
    return Rules(**full)


def show_rules(rules: Rules) -> dict[str, str]:
    """Every field as text that `parse_rules` reads back, in the order of `rule_fields`."""
    return {field.name: field.show(getattr(rules, field.name)) for field in rule_fields()}


def summarize_rules(rules: Rules) -> list[str]:
    """The rules in the trade's short words, most telling first.

    Example:
        >>> summarize_rules(Rules(surrender="late"))[:3]
        ['6 decks', 'dealer stands on soft 17 (S17)', 'peek under ace and ten']
    """
    parts = [
        f"{rules.decks} deck{'s' if rules.decks > 1 else ''}",
        f"dealer {'hits soft 17 (H17)' if rules.hit_soft_17 else 'stands on soft 17 (S17)'}",
    ]
    if rules.peek == "none":
        takes = rule_field("dealer_blackjack_takes").choice_label(rules.dealer_blackjack_takes)
        parts.append(f"no peek, a dealer blackjack takes {takes}")
    else:
        parts.append(f"peek {rule_field('peek').choice_label(rules.peek)}")
    parts.append(f"blackjack pays {rule_field('blackjack_pays').show(rules.blackjack_pays)}")
    totals = rule_field("double_on").show(rules.double_on)
    parts.append(
        f"double {'any total' if totals == 'any' else totals}"
        + ("" if rules.double_soft else ", hard only")
        + (", any number of cards" if rules.double_any_cards else "")
        + (", also after a split (DAS)" if rules.double_after_split else ", not after a split")
    )
    if rules.max_split_hands == 1:
        parts.append("no splitting")
    else:
        aces = rules.max_split_hands_aces
        parts.append(
            f"split same {rules.split_by} to {rules.max_split_hands} hands, "
            + ("not aces" if aces == 1 else f"aces to {aces}")
            + (" (hit)" if rules.hit_split_aces else "")
            + (" (double)" if rules.double_split_aces else "")
        )
    if rules.split_ace_ten != "21":
        label = rule_field("split_ace_ten").choice_label(rules.split_ace_ten)
        parts.append(f"a split ace-ten is {label}")
    if rules.surrender == "none":
        parts.append("no surrender")
    else:
        label = rule_field("surrender").choice_label(rules.surrender)
        when = " at any number of cards" if rules.surrender_any_cards else ""
        parts.append(f"{label} surrender{when}" if "," not in label else f"surrender {label}{when}")
    if not rules.stand_on_21:
        parts.append("21 may be hit")
    if rules.max_cards is not None:
        parts.append(f"at most {rules.max_cards} cards")
    return parts
