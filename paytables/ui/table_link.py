"""The table of the main-game page in its address, so that a copied address opens it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import streamlit as st

from odds.errors import InputError
from odds.strategy import REGIMES
from paytables.draft import pack_text, unpack_text
from paytables.presets import preset_names
from paytables.rule_fields import RuleField, rule_fields

LINK = "table"
"""The query parameter that holds the table."""
MAX_TEXT = 500
CHART = "own-chart"
"""The entry that holds a chart of the user's own."""
MAX_CHART = 4000


def show(entries: Mapping[str, Any]) -> None:
    """Put the form's entries into the address."""
    link = pack_text(json.dumps(dict(entries), separators=(",", ":"), ensure_ascii=False))
    if st.query_params.get(LINK) != link:
        st.query_params[LINK] = link


def read_entries(link: str) -> dict[str, Any]:
    """The entries in a link; a wrong text stays as it was typed.

    Raises:
        InputError: The link is damaged, or an entry is one that the form cannot hold.
    """
    try:
        entries = json.loads(unpack_text(link))
    except (ValueError, RecursionError):
        raise InputError("link", link[:20], "a whole, undamaged link of this app") from None
    if not isinstance(entries, dict):
        raise InputError("link", link[:20], "a link of this page")
    allowed = {f"rule-{field.name}": field for field in rule_fields()}
    words = {"preset": preset_names(), "strategy": tuple(REGIMES)}
    for name, value in entries.items():
        if name in words:
            good = value in words[name]
        elif name in ("seen", "counts"):
            good = isinstance(value, str) and len(value) <= MAX_TEXT
        elif name == CHART:
            good = isinstance(value, str) and len(value) <= MAX_CHART
        else:
            good = name in allowed and _fits(allowed[name], value)
        if not good:
            raise InputError("link", str(name)[:40], "entries of this page")
    return entries


def _fits(field: RuleField, value: object) -> bool:
    """Whether the field's widget can show the value."""
    if field.kind == "flag":
        return isinstance(value, bool)
    if field.kind == "choice":
        return value in field.choices
    if field.kind in ("pays", "totals"):
        return isinstance(value, str) and len(value) <= MAX_TEXT
    if field.kind == "limit" and value is None:
        return True
    low, high = field.bounds or (1, 99)
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
