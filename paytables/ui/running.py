"""Jobs on a page: the pool of all sessions, and the progress of one job with a cancel button."""

from __future__ import annotations

import uuid

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


@st.fragment(run_every=0.4)
def watch(job: Job, what: str, key: str) -> None:
    """Show how far a job is until it ends; then the page is drawn anew."""
    job.watch()
    if job.ended:
        st.rerun()
    if job.state is State.QUEUED:
        ahead = pool().ahead_of(job)
        st.progress(0.0, text=f"Waiting for a free processor; {ahead} jobs are before yours.")
    else:
        st.progress(min(job.done, 1.0), text=f"{what}: {job.what or 'starting'}")
    st.button("Cancel", key=key, icon=":material/cancel:", on_click=job.cancel)
