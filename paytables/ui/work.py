"""The one design of a session: edits, undo and redo, and the widgets that show it.

The design lives in session state and nowhere else. A widget is given the design's value before it
is drawn and hands over its entry before the script runs, so neither a rerun, a change of page nor
an undo can lose or double an entry.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from odds.errors import InputError
from paytables.bets import find_bet, load_catalog, load_paytable
from paytables.draft import Draft, Reading, decode_draft
from paytables.presets import preset_names
from paytables.ui.bet_tables import plain

FIRST_BET = "Sweet 16"
MAX_STEPS = 100
"""Edits that can be undone."""
TYPING_SECONDS = 5.0
"""Pauses in typing that are shorter belong to one edit."""
MAX_COMPARED = 4
LINK = "design"
"""The query parameter that holds the design."""
_KEY = "work"


@dataclass
class Work:
    """What one session works on.

    Attributes:
        draft: The design.
        past: Earlier designs, the latest last.
        future: Designs that were undone, the latest undone last.
        good: The last design of which everything could be read.
        notice: Something to tell once, with its kind (``success`` or ``error``).
        compared: Designs kept for the comparison, with the names they are shown under.
    """

    draft: Draft
    past: list[Draft] = field(default_factory=list)
    future: list[Draft] = field(default_factory=list)
    good: Draft | None = None
    notice: tuple[str, str] | None = None
    compared: list[tuple[str, Draft]] = field(default_factory=list)
    _typing: tuple[str, float] = ("", 0.0)

    def change(self, draft: Draft, typing: str = "") -> None:
        """Take a new design; the old one can be had back.

        Args:
            draft: The new design.
            typing: The entry that is being typed; its pauses are one edit.
        """
        draft = known(draft)
        if draft == self.draft:
            return
        now = time.monotonic()
        entry, last = self._typing
        if not typing or typing != entry or now - last > TYPING_SECONDS or not self.past:
            self.past = [*self.past, self.draft][-MAX_STEPS:]
        self._typing = (typing, now)
        self.future = []
        self.draft = draft

    def undo(self) -> None:
        """Go one edit back."""
        self._typing = ("", 0.0)
        if self.past:
            self.future.append(self.draft)
            self.draft = self.past.pop()

    def redo(self) -> None:
        """Take back an undo."""
        if self.future:
            self.past.append(self.draft)
            self.draft = self.future.pop()

    def compare(self, name: str, draft: Draft) -> None:
        """Keep a design for the comparison; the name gets a number where it is taken."""
        if len(self.compared) >= MAX_COMPARED:
            self.notice = ("error", f"{MAX_COMPARED} designs are compared already.")
            return
        taken = {known for known, _ in self.compared}
        number = 2
        shown = name
        while shown in taken:
            shown = f"{name} ({number})"
            number += 1
        self.compared.append((shown, draft))

    def read(self) -> tuple[Reading, Reading | None]:
        """The design as it is read, and the last one that could be read (the same if it can)."""
        reading = self.draft.read()
        if reading.good:
            self.good = self.draft
        return reading, None if self.good is None else self.good.read()


def work() -> Work:
    """The session's work; at its start the design of the link, or the first bet."""
    if _KEY not in st.session_state:
        st.session_state[_KEY] = _begin(st.query_params.get(LINK))
    found: Work = st.session_state[_KEY]
    return found


def catalogue_draft(bet: str, variant: str) -> Draft:
    """A paytable of the catalogue as a design."""
    return Draft.of(load_paytable(bet, variant), (bet, variant))


def known(draft: Draft) -> Draft:
    """A design from outside, without an origin or a table that this catalogue does not have."""
    if draft.table and draft.table not in preset_names():
        draft = draft.changed(table="")
    if draft.opened:
        bet = load_catalog().get(draft.opened[0])
        if bet is None or len(draft.opened) != 2 or draft.opened[1] not in bet.variant_names:
            draft = draft.changed(opened=())
    return draft


def _begin(link: str | None) -> Work:
    begun = Work(catalogue_draft(FIRST_BET, find_bet(FIRST_BET).variant_names[0]))
    if link:
        try:
            begun.draft = known(decode_draft(link))
        except InputError as error:
            begun.notice = (
                "error",
                f"The design in the link cannot be read: {error.allowed} is needed. "
                "This is the first bet of the catalogue instead.",
            )
    return begun


def show_link() -> None:
    """Put the design into the address, so that a reload or a copied address has it."""
    link = work().draft.encode()
    if st.query_params.get(LINK) != link:
        st.query_params[LINK] = link


def tell() -> None:
    """Show what there is to tell, once."""
    now = work()
    if now.notice is not None:
        kind, text = now.notice
        text = plain(text)  # names and files of others are part of it
        if kind == "error":
            st.error(text, icon=":material/error:")
        else:
            st.toast(text, icon=":material/check:")
        now.notice = None


def editor(
    widget: Callable[..., Any],
    label: str,
    field: str,
    *args: Any,
    tier: int | None = None,
    **kwargs: Any,
) -> None:
    """A widget that shows and edits one entry of the design.

    Args:
        widget: The Streamlit widget, such as `st.text_input`.
        label: Its label.
        field: The field of `Draft`, or of `TierDraft` if `tier` is given.
        *args: Further arguments of the widget.
        tier: The key of the tier.
        **kwargs: Further arguments of the widget.
    """
    draft = work().draft
    key = f"draft-{field}" if tier is None else f"tier-{tier}-{field}"
    value = getattr(draft if tier is None else draft.tier(tier), field)
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value
    widget(label, *args, key=key, on_change=_take, args=(key, field, tier), **kwargs)


def _take(key: str, field: str, tier: int | None) -> None:
    now, value = work(), st.session_state[key]
    typing = key if field in ("when", "given") else ""
    try:
        if tier is None:
            now.change(now.draft.changed(**{field: value}), typing)
        else:
            now.change(now.draft.with_tier(tier, **{field: value}), typing)
    except InputError as error:
        now.notice = ("error", f"That entry was not taken: {error.allowed}.")


def edit(make: Callable[[Draft], Draft]) -> None:
    """Change the design by a function; what cannot be done is told and changes nothing."""
    now = work()
    try:
        now.change(make(now.draft))
    except InputError as error:
        now.notice = ("error", f"Not done: {error.field} allows {error.allowed}.")


def icon_button(
    label: str,
    icon: str,
    key: str,
    on_click: Callable[..., None],
    *args: Any,
    help: str | None = None,
    disabled: bool = False,
) -> None:
    """A button that shows only its icon; its label is for screen readers, and on hover."""
    with st.container(key=f"icon-only-{key}", width="content"):
        st.button(
            label,
            icon=f":material/{icon}:",
            key=key,
            help=help or label,
            on_click=on_click,
            args=args,
            disabled=disabled,
        )
