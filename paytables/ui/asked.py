"""What a page computes only when asked: the button, the progress, the result kept for everybody.

A result depends on its inputs alone, so one cache serves all sessions: what anyone has computed is
shown at once, and nothing is computed again on a rerun or when an edit is taken back. A session
computes one thing at a time; what it asks for besides waits.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from odds.errors import InputError
from paytables.jobs import Job, State
from paytables.ui import bet_tables, running
from paytables.ui.analysis import BoundedCache

MAX_RESULTS = 256
"""Results kept, of all parts and sessions; a few kilobytes each."""


@dataclass(frozen=True)
class Asked:
    """What a session has asked for last in one part of a page.

    Attributes:
        key: What it is about.
        job: The work on it; None while it waits for other work of the session.
    """

    key: Hashable
    job: Job | None

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen."""
        return self.job is not None and self.job.ended


@st.cache_resource(show_spinner=False)
def kept() -> BoundedCache[Any]:
    """The results, by part and key."""
    return BoundedCache(MAX_RESULTS)


def state_key(part: str) -> str:
    """Where session state has what was asked for in a part."""
    return f"asked-{part}"


def explain_plainly(error: InputError) -> str:
    """An error as Markdown that shows what was typed as it is."""
    value = bet_tables.plain(str(error.value)[:200])
    return f"“{error.field}” is {value}; allowed is {error.allowed}"


def computed(
    part: str,
    label: str,
    what: str,
    function: Callable[..., Any],
    *arguments: Any,
    key: Hashable = None,
    explain: Callable[[InputError], str] = explain_plainly,
    cache: Callable[[], BoundedCache[Any]] = kept,
) -> Any | None:
    """The result of a function, or the button that asks for it and how far it is.

    Args:
        part: The part of a page; no other may have the name.
        label: Text of the button.
        what: What is being done, beside the progress.
        function: Runs in a process of its own; see `paytables.jobs.Pool.submit`.
        *arguments: Its arguments.
        key: What the result depends on; the arguments if None, which must be hashable then.
        explain: Puts an error into words.
        cache: Where results are kept.

    Returns:
        The result for this very key, or None while there is none.
    """
    key = arguments if key is None else key
    asked = _asked(part, key, function, arguments, cache())
    place = st.container()
    if (found := cache().get((part, key))) is not None:
        return found
    place.button(
        label,
        type="primary",
        icon=":material/calculate:",
        key=f"{part}-start",
        disabled=asked is not None and not asked.ended,
        on_click=_want,
        args=(part,),
    )
    if asked is not None:
        with place:
            _show(part, what, asked, key, explain)
    return None


def _asked(
    part: str,
    key: Hashable,
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    cache: BoundedCache[Any],
) -> Asked | None:
    """What is asked for, started as soon as nothing else of the session runs."""
    # started here and not by the button, whose arguments would be those of the last drawing: an
    # entry that was typed just before the click would be missed
    state = st.session_state
    if state.pop(f"wanted-{part}", False):
        state[state_key(part)] = Asked(key, None)
    asked: Asked | None = state.get(state_key(part))
    if asked is None:
        return None
    if asked.job is None and (asked.key != key or cache.get((part, key)) is not None):
        del state[state_key(part)]
        return None
    if asked.job is None and running.current() is None:
        try:
            job = running.pool().submit(running.session_id(), function, *arguments)
        except InputError as error:
            st.toast(f"Not started: {error.value}")
            del state[state_key(part)]
            return None
        asked = state[state_key(part)] = Asked(key, job)
    if asked.job is not None and asked.job.state is State.DONE:
        cache.put((part, asked.key), asked.job.result)
    return asked


def _show(
    part: str,
    what: str,
    asked: Asked,
    key: Hashable,
    explain: Callable[[InputError], str],
) -> None:
    job = asked.job
    if job is None:
        if other := running.current():
            running.watch(
                other,
                "Waits for what you asked for before",
                f"{part}-withdraw",
                lambda: st.session_state.pop(state_key(part)),
            )
        else:
            st.rerun()
    elif not job.ended:
        running.watch(job, what, f"{part}-cancel")
    elif asked.key != key:
        st.caption("What it depends on has changed since this was computed.")
    elif job.state is State.DONE:
        st.rerun()  # it ended while the page was drawn
    elif job.state is State.CANCELLED:
        st.info("Stopped: cancelled, or a search was started in this session.")
    elif job.problem is not None:
        st.error(f"Not computed: {explain(job.problem)}.", icon=":material/error:")


def _want(part: str) -> None:
    st.session_state[f"wanted-{part}"] = True
