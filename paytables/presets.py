"""Table presets: the rules of a real table as its own text states them, and what it leaves open.

A preset is a TOML file. Where its text says something, the rules follow it literally; where it is
silent, they take the custom of the trade. Each such choice is an assumption with its alternative
readings, so that the price of an unclear text can be computed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from odds.errors import InputError
from odds.rules import Rules
from paytables.rule_fields import parse_rules
from paytables.suggest import nearest
from paytables.toml_text import parse_toml, read_text

Text = Annotated[str, Field(min_length=1, max_length=2000)]
Scalar = bool | int | float | str | list[int]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)


class Reading(_Model):
    """Another way to read the text.

    Attributes:
        reading: The reading, in words.
        change: What it changes in the preset's rules: field to value.
    """

    reading: Text
    change: dict[str, Scalar] = Field(min_length=1)

    def apply(self, rules: Rules) -> Rules:
        """The rules under this reading.

        Raises:
            InputError: The changed rules contradict each other.
        """
        return parse_rules(self.change, rules)


class Assumption(_Model):
    """One thing that the text of a table leaves open.

    Attributes:
        topic: What it is about, in a few words.
        gap: What the text says and does not say.
        reading: The reading that the preset takes.
        alternatives: The other readings that `Rules` can express.
        remark: Why a reading has no effect on the edge, or cannot be expressed as rules; required
            where there are no alternatives.
    """

    topic: Text
    gap: Text
    reading: Text
    alternatives: tuple[Reading, ...] = ()
    remark: str = ""

    @model_validator(mode="after")
    def _says_why(self) -> Assumption:
        if not self.alternatives and not self.remark:
            raise ValueError("an assumption needs alternatives, or a remark that says why none")
        return self


class _PresetFile(_Model):
    title: Text
    source: Text
    summary: str = ""
    rules: dict[str, Scalar]
    notes: tuple[Text, ...] = ()
    assumptions: tuple[Assumption, ...] = ()


@dataclass(frozen=True, slots=True)
class TablePreset:
    """The rules of a named table.

    Attributes:
        name: The preset's name, or the path it was read from.
        title: What people call the table.
        source: The name of the rule text.
        summary: The table in a sentence.
        rules: The rules as read.
        notes: What else the text says that the odds of the main game do not depend on.
        assumptions: What the text leaves open.
    """

    name: str
    title: str
    source: str
    summary: str
    rules: Rules
    notes: tuple[str, ...]
    assumptions: tuple[Assumption, ...]

    def readings(self) -> Iterator[tuple[Assumption, Reading]]:
        """Every alternative reading, with the assumption it replaces."""
        for assumption in self.assumptions:
            for reading in assumption.alternatives:
                yield assumption, reading

    def _repr_html_(self) -> str:
        from paytables import html

        return html.table_preset(self)


def _first_error(error: ValidationError) -> tuple[str, object, str]:
    """The field, value and message of a file's first error, as one line."""
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"]) or "file"
    given = first.get("input")
    shown: object = given if isinstance(given, (str, int, float, bool)) else type(given).__name__
    messages = {"extra_forbidden": "no such key", "missing": "a value (the key is missing)"}
    return place, shown, messages.get(first["type"], first["msg"])


def parse_preset(text: str, name: str) -> TablePreset:
    r"""Read a preset from TOML text.

    Args:
        text: The TOML text.
        name: The preset's name, used in error messages.

    Raises:
        InputError: The text is no TOML, a key is unknown or missing, a rule is bad, or the rules
            under an alternative reading contradict each other.

    Example:
        >>> text = 'title = "My table"\nsource = "house rules"\n[rules]\ndecks = 2'
        >>> parse_preset(text, "mine").rules.decks
        2
    """
    raw = parse_toml(text, f"preset {name}")
    try:
        read = _PresetFile.model_validate(raw)
    except ValidationError as error:
        place, value, allowed = _first_error(error)
        raise InputError(f"{place} in preset {name}", value, allowed) from None
    where = f"[rules] of preset {name}"
    try:
        rules = parse_rules(read.rules)
        for assumption in read.assumptions:
            for reading in assumption.alternatives:
                where = f"reading {reading.reading!r} of preset {name}"
                reading.apply(rules)
    except InputError as error:
        raise InputError(f"{error.field} in {where}", error.value, error.allowed) from None
    return TablePreset(
        name=name,
        title=read.title,
        source=read.source,
        summary=read.summary,
        rules=rules,
        notes=read.notes,
        assumptions=read.assumptions,
    )


def _folder() -> Any:
    return files("paytables") / "catalog" / "rules"


@cache
def preset_names() -> tuple[str, ...]:
    """The names of the presets that come with the package, in alphabetical order.

    Example:
        >>> preset_names()
        ('greektown', 'six-deck-h17', 'super-sevens', 'sweet16')
    """
    names = (entry.name for entry in _folder().iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


@cache
def _packaged(name: str) -> TablePreset:
    return parse_preset((_folder() / f"{name}.toml").read_text(encoding="utf-8"), name)


def load_preset(name: str) -> TablePreset:
    """The preset of this name, or the one in this TOML file.

    Args:
        name: A name of `preset_names`, in any case, or a path that ends in ``.toml``.

    Raises:
        InputError: No such preset (the nearest name is suggested), or a bad file.

    Example:
        >>> load_preset("greektown").rules.max_split_hands
        4
    """
    if name.lower() in preset_names():
        return _packaged(name.lower())
    if name.lower().endswith(".toml"):
        return _from_path(Path(name))
    allowed = nearest(name, preset_names()) + ", or the path of a .toml file"
    raise InputError("preset", name, allowed)


def _from_path(path: Path) -> TablePreset:
    return parse_preset(read_text(path, "preset"), str(path))
