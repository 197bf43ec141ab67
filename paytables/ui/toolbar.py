"""What every page of a design has on top: undo, redo, the link, files, the comparison."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import streamlit as st

from odds.errors import InputError
from paytables.bets import BetFile, parse_bet, paytable_toml
from paytables.draft import Draft, Reading
from paytables.toml_text import MAX_FILE_BYTES
from paytables.ui.par_sheet import bet_sheet
from paytables.ui.work import LINK, MAX_COMPARED, work


def toolbar(reading: Reading) -> None:
    """Draw the row of buttons."""
    now = work()
    with st.container(horizontal=True, gap="small", key="toolbar"):
        st.button(
            "Undo",
            icon=":material/undo:",
            shortcut="Alt+Z",
            disabled=not now.past,
            on_click=now.undo,
            key="undo",
            help=f"{len(now.past)} edits can be undone",
        )
        st.button(
            "Redo",
            icon=":material/redo:",
            shortcut="Alt+Y",
            disabled=not now.future,
            on_click=now.redo,
            key="redo",
        )
        with st.popover("Share", icon=":material/link:"):
            _share(reading)
        with st.popover("Files", icon=":material/draft:"):
            _files(reading)
        with st.popover("PAR sheet", icon=":material/description:"):
            _sheet(reading)
        st.button(
            "Compare",
            icon=":material/compare_arrows:",
            on_click=_compare,
            disabled=not reading.good or len(now.compared) >= MAX_COMPARED,
            key="add-to-comparison",
            help=f"Keep this design as it is now for the page Compare (up to {MAX_COMPARED}).",
        )


def _compare() -> None:
    now = work()
    name = f"{now.draft.title} · {now.draft.decks} decks"
    now.compare(name, now.draft)
    if now.notice is None:
        now.notice = ("success", f"Kept for comparison: {name}")


def link_of(draft: Draft) -> str:
    """The address that opens this design, under whatever path the app is served."""
    parts = urlsplit(st.context.url or "")
    base = f"{parts.scheme}://{parts.netloc}{parts.path}" if parts.netloc else ""
    return f"{base}?{LINK}={draft.encode()}"


def _share(reading: Reading) -> None:
    st.markdown("**A link that holds the whole design**")
    st.code(link_of(reading.draft), language=None, wrap_lines=True)
    st.caption(
        "Nothing is stored: the design is in the link itself, wrong entries included. The address "
        "of this page always is such a link, so a reload loses nothing."
    )


def file_name(draft: Draft) -> str:
    """A file name for a design.

    Example:
        >>> file_name(Draft(name="21+3 / mine"))
        '21-3-mine.toml'
    """
    words = re.sub(r"[^A-Za-z0-9]+", "-", draft.title).strip("-").lower()
    return f"{words[:60] or 'bet'}.toml"


def _files(reading: Reading) -> None:
    paytable = reading.paytable
    st.download_button(
        "Download as TOML",
        paytable_toml(paytable) if paytable is not None else "",
        file_name=file_name(reading.draft),
        mime="application/toml",
        icon=":material/download:",
        disabled=paytable is None,
        on_click="ignore",
        key="download-toml",
        help="The format of the catalogue; the command line reads it too. A custom shoe is not "
        "part of it.",
    )
    if paytable is None:
        st.caption("A design with wrong entries has no file yet; its link holds it as it is.")
    st.file_uploader(
        "Open a TOML file",
        type="toml",
        key="upload-toml",
        on_change=_upload,
        max_upload_size=1,
        help=f"A bet as in the catalogue, at most {MAX_FILE_BYTES // 1000} kB. The design of "
        "before can be had back with Undo.",
    )


def _sheet(reading: Reading) -> None:
    draft = reading.draft
    if reading.paytable is None:
        st.caption("A design with wrong entries has no sheet yet.")
        return
    bet_sheet(draft.title, reading.paytable, draft.decks, reading.shoe)


def _upload() -> None:
    file = st.session_state["upload-toml"]
    if file is None:
        return
    now = work()
    try:
        now.change(draft_of_file(file.getvalue(), file.name))
        now.notice = ("success", f"Opened {file.name}. Undo brings the design of before back.")
    except InputError as error:
        now.notice = (
            "error",
            f"{file.name[:60]} was not opened: {error.field} is {str(error.value)[:80]}; "
            f"allowed is {error.allowed}. Your design is as it was.",
        )


def draft_of_file(data: bytes, name: str) -> Draft:
    """The first paytable of an uploaded file as a design.

    Raises:
        InputError: It is too large, not in UTF-8, or no bet file.
    """
    name = name[:60]
    if len(data) > MAX_FILE_BYTES:
        raise InputError(name, f"{len(data):,} bytes", f"a file of at most {MAX_FILE_BYTES:,}")
    try:
        bet: BetFile = parse_bet(data.decode("utf-8"), name)
    except UnicodeDecodeError:
        raise InputError(name, "not UTF-8", "a text file in UTF-8") from None
    return Draft.of(bet.paytable())
