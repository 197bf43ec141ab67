"""The PAR sheet of what is on the page: a short form, then files to download."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import streamlit as st

from odds.errors import InputError
from odds.rules import parse_fraction
from odds.shoe import Shoe
from paytables.model import Paytable
from paytables.sheets.write import MEDIA_TYPES, Format
from paytables.ui import sheet_files
from paytables.ui.analysis import BoundedCache
from paytables.ui.asked import computed, explain_plainly
from paytables.ui.sheet_files import Options
from paytables.ui.table_form import TableChoice, explain

MAX_SHEETS = 8
"""Sheets kept, of all sessions; about half a megabyte each."""
_ROUNDS = (4_000_000, 1_000_000, 0)
_NAMES: dict[Format, tuple[str, str]] = {
    "xlsx": ("Excel", "table"),
    "pdf": ("PDF", "picture_as_pdf"),
    "md": ("Markdown", "notes"),
    "json": ("JSON", "data_object"),
}


@st.cache_resource(show_spinner=False)
def sheets() -> BoundedCache[Any]:
    """The files of sheets, by part and key."""
    return BoundedCache(MAX_SHEETS)


def bet_sheet(title: str, paytable: Paytable, decks: int, shoe: Shoe | None) -> None:
    """Draw the part for a side bet."""
    options = _form("bet-sheet", "the stake of a meter, else 100")
    if options is None:
        return
    key = (paytable.model_dump_json(), decks, shoe, options)
    _files("bet-sheet", title, sheet_files.bet_files, paytable, decks, shoe, options, key=key)


def game_sheet(choice: TableChoice) -> None:
    """Draw the part for a table."""
    options = _form("main-sheet", "100", table=True)
    if options is None:
        return
    arguments = (choice.preset, choice.rules, choice.shoe, choice.strategy, options)
    key = (choice.preset.name, *arguments[1:])
    title = choice.preset.title
    _files("main-sheet", title, sheet_files.game_files, *arguments, key=key, explain=explain)


def _form(part: str, usual: str, *, table: bool = False) -> Options | None:
    """What the sheet should say; None while an entry cannot be read."""

    def key(name: str) -> dict[str, Any]:
        return {"key": f"{part}-{name}", "persist_state": "session"}

    left, right = st.columns(2)
    today = datetime.now(UTC).date()
    day: date = left.date_input("Date", today, format="YYYY-MM-DD", **key("date"))
    version = right.text_input("Version of the design", "1", max_chars=40, **key("version"))
    most = left.text_input(
        "Largest bet",
        "",
        placeholder=usual,
        max_chars=20,
        help="In currency, for the exposure.",
        **key("most"),
    )
    seats = right.number_input("Seats that can bet", 1, 100, 7, **key("seats"))
    rounds = st.selectbox(
        "Rounds of the simulated cross-check",
        _ROUNDS,
        format_func=lambda number: f"{number:,}" if number else "none",
        **key("rounds"),
    )
    effects = exact = False
    if table:
        effects = st.toggle(
            "With the effect of every rule",
            True,
            help="The longest part; for whole decks only.",
            **key("effects"),
        )
        exact = st.toggle("With the expected value as a fraction", False, **key("exact"))
    try:
        limit = parse_fraction("largest bet", most) if most.strip() else None
        if limit is not None and limit <= 0:
            raise InputError("largest bet", most, "above 0")
        if not (version or "").strip():
            raise InputError("version", "empty", "1 to 40 characters")
    except InputError as error:
        st.error(f"{explain_plainly(error)}.", icon=":material/edit_note:")
        return None
    return Options(day, version, limit, int(seats), rounds, effects, exact)


def _files(
    part: str,
    title: str,
    function: Callable[..., sheet_files.Files],
    *arguments: Any,
    key: Any,
    **kwargs: Any,
) -> None:
    found: sheet_files.Files | None = computed(
        part,
        "Make the PAR sheet",
        "PAR sheet",
        function,
        *arguments,
        key=key,
        cache=sheets,
        **kwargs,
    )
    if found is None:
        return
    with st.container(horizontal=True, gap="small"):
        for form, (name, icon) in _NAMES.items():
            st.download_button(
                name,
                found[form],
                file_name=f"{slug(title)}-par-sheet.{form}",
                mime=MEDIA_TYPES[form],
                icon=f":material/{icon}:",
                key=f"{part}-{form}",
                on_click="ignore",
            )
    st.caption("The files of `paytables sheet` with the same entries, byte for byte.")


def slug(title: str) -> str:
    """A title as a part of a file name.

    Example:
        >>> slug("Sweet 16, 160/16/12/6")
        'sweet-16-160-16-12-6'
    """
    return re.sub(r"[^A-Za-z0-9]+", "-", title).strip("-").lower()[:60] or "sheet"
