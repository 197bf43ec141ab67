"""The game's expected value as a fraction, computed when asked for."""

from __future__ import annotations

from fractions import Fraction

import streamlit as st

from paytables.ui import computations
from paytables.ui.asked import computed
from paytables.ui.table_form import TableChoice, explain

DIGITS = 30
"""Decimals shown."""


def decimal(value: Fraction, digits: int = DIGITS) -> str:
    """A fraction to so many decimals, rounded to the nearest.

    Example:
        >>> decimal(Fraction(-2, 3), 5), decimal(Fraction(1, 8), 2)
        ('-0.66667', '0.12')
    """
    whole, part = divmod(abs(round(value * 10**digits)), 10**digits)
    return f"{'-' if value < 0 else ''}{whole}.{part:0{digits}}"


def exact_fraction(choice: TableChoice) -> None:
    """Draw what is in the popover."""
    st.markdown(
        "The expected value of a round of **this** game as one fraction, splits included; what "
        "float64 leaves too close to call is decided exactly. Takes up to a minute."
    )
    found: computations.ExactValue | None = computed(
        "main-exact",
        "Compute the fraction",
        "Exact value",
        computations.exact_value,
        choice.rules,
        choice.shoe,
        choice.strategy,
        explain=explain,
    )
    if found is None:
        return
    st.caption("Expected value, in units of the initial bet; the house edge is its opposite")
    st.code(str(found.value), language=None, wrap_lines=True)
    st.caption(f"To {DIGITS} decimals")
    st.code(decimal(found.value), language=None, wrap_lines=True)
    st.caption(
        f"The float64 result {found.rounded!r} is off by {found.error:+.1e}. Strategy "
        f"**{choice.strategy}**"
        + (
            "."
            if choice.strategy == "CDZ-"
            else ": split hands keep the decisions found in float64, and the fraction is that "
            "strategy's."
        )
    )
