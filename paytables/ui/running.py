"""Jobs on a page: the pool of all sessions, and the progress of one job with a cancel button."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import streamlit as st

from paytables.jobs import Job, Pool, State


@st.cache_resource(show_spinner=False)
def pool() -> Pool:
    """The worker processes of all sessions."""
    return Pool()


def session_id() -> str:
    """A name for this session among the owners of jobs."""
    if "session-id" not in st.session_state:
        st.session_state["session-id"] = uuid.uuid4().hex
    name: str = st.session_state["session-id"]
    return name


def current() -> Job | None:
    """The job of this session that waits or runs, if there is one."""
    job = pool().of(session_id())
    return None if job is None or job.ended else job


@st.fragment(run_every=0.4)
def watch(job: Job, what: str, key: str, cancel: Callable[[], None] | None = None) -> None:
    """Show how far a job is until it ends; then the page is drawn anew.

    Args:
        job: The job.
        what: What is being done.
        key: Of the cancel button.
        cancel: What that does instead of cancelling the job.
    """
    job.watch()
    if job.ended or (cancel is not None and st.session_state.get(key)):
        st.rerun()
    if job.state is State.QUEUED:
        ahead = pool().ahead_of(job)
        st.progress(0.0, text=f"Waiting for a free processor; {ahead} jobs are before yours.")
    else:
        st.progress(min(job.done, 1.0), text=f"{what}: {job.what or 'starting'}")
    st.button("Cancel", key=key, icon=":material/cancel:", on_click=cancel or job.cancel)
