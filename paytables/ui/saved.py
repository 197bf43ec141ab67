"""Saved designs: save with a note, the history of each, open a version again."""

from __future__ import annotations

import os

import streamlit as st

from odds.errors import InputError
from paytables.store import MIN_KEY, WORKSPACE, SavedVersion, Store, new_key, the_store
from paytables.ui import bet_tables, grids
from paytables.ui.evaluated import evaluated
from paytables.ui.work import show_link, tell, work

_KEY = "workspace"
MOST_SHOWN = 30
"""Versions on the page."""


def workspace() -> str:
    """The key of the session's workspace: that of the environment, else one of its own."""
    if _KEY not in st.session_state:
        st.session_state[_KEY] = os.environ.get(WORKSPACE) or new_key()
    key: str = st.session_state[_KEY]
    return key


def _store() -> Store | None:
    try:
        return the_store()
    except InputError as error:
        st.error(
            f"Saved designs cannot be reached: {error.field} needs {error.allowed}. The link and "
            "the TOML file of a design work without.",
            icon=":material/database_off:",
        )
        return None


def page() -> None:
    """Draw the page."""
    _sidebar()
    st.html(grids.style(dark=st.context.theme.type == "dark") + bet_tables.style())
    st.title("Saved designs", anchor=False)
    tell()
    store = _store()
    if store is not None:
        save_form(store)
        st.divider()
        _designs(store)
    show_link()


def _sidebar() -> None:
    with st.sidebar:
        st.markdown("**Your workspace**")
        st.caption(
            "Designs are kept under this key. Note it down: it opens them again in another "
            "session, and nothing else does."
        )
        st.code(workspace(), language=None)
        st.text_input(
            "Open another workspace",
            key="workspace-entry",
            placeholder="its key",
            type="password",
            max_chars=200,
            on_change=_enter,
        )


def _enter() -> None:
    key = st.session_state["workspace-entry"].strip()
    if len(key) < MIN_KEY:
        work().notice = ("error", f"A workspace key has at least {MIN_KEY} characters.")
        return
    st.session_state[_KEY] = key
    st.session_state["workspace-entry"] = ""


def save_form(store: Store) -> None:
    """Entries for saving the design that is being edited."""
    draft = work().draft
    if st.session_state.get("save-of") != draft.title:
        st.session_state["save-of"] = draft.title
        st.session_state["save-name"] = draft.title[:120]
    st.markdown(f"Save **{bet_tables.plain(draft.title)}** as it is now")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("Name", key="save-name", max_chars=120, width=320)
        st.text_input("Author", key="save-author", max_chars=80, width=180, persist_state="session")
        st.text_input(
            "Note",
            key="save-note",
            max_chars=2000,
            placeholder="why this version",
            width="stretch",
            persist_state="session",
        )
        st.button(
            "Save a version",
            type="primary",
            icon=":material/save:",
            key="save",
            on_click=_save,
            args=(store,),
        )


def _save(store: Store) -> None:
    now, state = work(), st.session_state
    try:
        number = store.save(
            workspace(),
            state["save-name"],
            now.draft,
            note=state["save-note"],
            author=state["save-author"],
        )
    except InputError as error:
        now.notice = ("error", f"Not saved: {error.field} allows {error.allowed}.")
        return
    state["save-note"] = ""
    now.notice = ("success", f"Saved as version {number} of {state['save-name']}")


def _designs(store: Store) -> None:
    designs = store.designs(workspace())
    if not designs:
        st.info(
            "Nothing is saved in this workspace yet. A version holds the whole design, wrong "
            "entries included, with your note.",
            icon=":material/inventory_2:",
        )
        return
    names = [design.name for design in designs]
    if st.session_state.get("saved-name") not in names:
        st.session_state["saved-name"] = names[0]
    by_name = {design.name: design for design in designs}
    name = st.selectbox(
        "Design",
        names,
        key="saved-name",
    )
    number = by_name[name].versions
    st.caption(f"{number} version{'s' if number > 1 else ''}, the latest first")
    for version in store.history(workspace(), name)[:MOST_SHOWN]:
        _version(name, version)
    with st.popover("Delete this design", icon=":material/delete:"):
        st.markdown(f"Delete **{bet_tables.plain(name)}** with its whole history?")
        st.button("Delete it", key="delete", on_click=store.delete, args=(workspace(), name))


def _version(name: str, version: SavedVersion) -> None:
    reading = version.draft.read()
    edge = "has entries that cannot be read"
    if reading.good:
        try:
            found = evaluated(reading)
            edge = f"house edge {bet_tables.percent(found.evaluation.edge)}, {found.shoe_text}"
        except InputError:
            edge = "cannot be counted"
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        by = f" by {bet_tables.plain(version.author)}" if version.author else ""
        note = f"  \n{bet_tables.plain(version.note)}" if version.note else ""
        st.markdown(
            f"**Version {version.number}** · {version.saved_at:%d %b %Y, %H:%M} UTC{by} · {edge}"
            + note,
            width="stretch",
        )
        st.button(
            "Open",
            key=f"open-{version.number}",
            icon=":material/folder_open:",
            on_click=_open,
            args=(name, version),
        )
        st.button(
            "Compare",
            key=f"compare-{version.number}",
            icon=":material/compare_arrows:",
            on_click=work().compare,
            args=(f"{name}, version {version.number}", version.draft),
        )


def _open(name: str, version: SavedVersion) -> None:
    now = work()
    now.change(version.draft)
    now.notice = (
        "success",
        f"{name}, version {version.number} is open. Undo brings the design of before back.",
    )
