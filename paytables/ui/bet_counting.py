"""The side-bet page's view of counting: effects of removal and the vulnerability table."""

from __future__ import annotations

import streamlit as st

from paytables.ui import bet_computations, counting_jobs, counting_view
from paytables.ui.asked import computed
from paytables.ui.evaluated import Evaluated
from paytables.vulnerability import Vulnerability

PART = "bet-counting"


def counting(shown: Evaluated) -> None:
    """Draw the view."""
    st.markdown(
        "What each card that has left the shoe does to this bet, and how much a card counter with "
        "flat bets could win from it."
    )
    asked = counting_view.form(PART, suits=True)
    if shown.reading.shoe is not None:
        st.caption("For whole decks; the custom shoe is not part of it.")
    decks = shown.reading.draft.decks
    arguments = (decks, asked.system, asked.level, asked.by, asked.cards)
    found: Vulnerability | None = computed(
        PART,
        "Compute the vulnerability",
        "Counting",
        counting_jobs.of_bet,
        shown.paytable,
        *arguments,
        key=(bet_computations.figures_key(shown.paytable), *arguments),
    )
    if found is not None:
        counting_view.show(found)
