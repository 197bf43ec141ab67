"""What a page computes only when asked: the button, the progress, the result kept for everybody.

A result depends on its inputs alone, so one cache serves all sessions: what anyone has computed is
shown at once, and nothing is computed again on a rerun or when an edit is taken back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from odds.errors import InputError
from paytables.jobs import Job, State
from paytables.ui import running
from paytables.ui.analysis import BoundedCache

MAX_RESULTS = 256
"""Results kept, of all parts and sessions; a few kilobytes each."""


@dataclass(frozen=True)
class Asked:
    """What a session has asked for last in one part of a page.

    Attributes:
        arguments: What it is about.
        job: The work on it.
    """

    arguments: tuple[Any, ...]
    job: Job


@st.cache_resource(show_spinner=False)
def kept() -> BoundedCache[Any]:
    """The results, by (part, arguments)."""
    return BoundedCache(MAX_RESULTS)


def state_key(part: str) -> str:
    """Where session state has what was asked for in a part."""
    return f"asked-{part}"


def _explain(error: InputError) -> str:
    return f"“{error.field}” is {str(error.value)[:200]}; allowed is {error.allowed}"


def computed(
    part: str,
    label: str,
    what: str,
    function: Callable[..., Any],
    *arguments: Any,
    explain: Callable[[InputError], str] = _explain,
) -> Any | None:
    """The result of a function, or the button that asks for it and how far it is.

    Args:
        part: The part of a page, such as ``main-exact``; parts that share the word before the
            dash are on one page, where one of them is computed at a time.
        label: Text of the button.
        what: What is being done, beside the progress.
        function: Runs in a process of its own; see `paytables.jobs.Pool.submit`.
        *arguments: Its arguments, which must be hashable: they say what the result is of.
        explain: Puts an error into words.

    Returns:
        The result for these very arguments, or None while there is none.
    """
    asked: Asked | None = st.session_state.get(state_key(part))
    if asked is not None and asked.job.state is State.DONE:
        kept().put((part, asked.arguments), asked.job.result)
    place = st.container()
    if (found := kept().get((part, arguments))) is not None:
        return found
    busy = _busy(part)
    place.button(
        label,
        type="primary",
        icon=":material/calculate:",
        key=f"{part}-start",
        disabled=busy is not None,
        help=None if busy in (None, part) else "Another part of the page is being computed.",
        on_click=_start,
        args=(part, function, arguments),
    )
    if asked is None:
        return None
    with place:
        _show(part, what, asked, arguments, explain)
    return None


def _show(
    part: str,
    what: str,
    asked: Asked,
    arguments: tuple[Any, ...],
    explain: Callable[[InputError], str],
) -> None:
    job = asked.job
    if not job.ended:
        running.watch(job, what, f"{part}-cancel")
    elif job.state is State.DONE and asked.arguments == arguments:
        st.rerun()  # it ended while the page was drawn
    elif asked.arguments != arguments:
        st.caption("What it depends on has changed since this was computed.")
    elif job.state is State.CANCELLED:
        st.info("Stopped: cancelled, or something else was started in this session.")
    elif job.problem is not None:
        st.error(f"Not computed: {explain(job.problem)}.", icon=":material/error:")


def _busy(part: str) -> str | None:
    """The part of the same page that is being computed, if one is."""
    page = part.partition("-")[0]
    for key, asked in st.session_state.items():
        if not isinstance(asked, Asked) or asked.job.ended:
            continue
        other = str(key).removeprefix(state_key(""))
        if other.partition("-")[0] == page:
            return other
    return None


def _start(part: str, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    try:
        job = running.pool().submit(running.session_id(), function, *arguments)
    except InputError as error:
        st.toast(f"Not started: {error.value}")
        return
    st.session_state[state_key(part)] = Asked(arguments, job)
