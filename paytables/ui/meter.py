"""The meter of a progressive bet: edge by its amount, and what sharing it does."""

from __future__ import annotations

import streamlit as st

from odds.errors import InputError
from odds.sidebets.language import PLAYER_HANDS
from paytables.metrics import SharedMeter, meter_result
from paytables.ui import bet_charts, bet_computations, bet_tables
from paytables.ui.asked import computed, explain_plainly
from paytables.ui.evaluated import Evaluated


def meter(shown: Evaluated) -> None:
    """Draw the view."""
    base = shown.evaluation
    result = meter_result(base)
    with st.container(horizontal=True, gap="small"):
        st.metric(
            "Edge with the meter at 0",
            bet_tables.percent(result.base_edge),
            border=True,
            help="The house edge of the pays that do not come from the meter.",
        )
        even = "never" if result.break_even is None else f"{float(result.break_even):,.2f}"
        st.metric(
            "Break-even meter",
            even,
            border=True,
            help="What the meter must stand at, in currency, for a house edge of 0.",
        )
        rounds = f"1 in {float(1 / result.hit_frequency):,.0f}" if result.hit_frequency else "never"
        st.metric(
            "Won",
            rounds,
            border=True,
            help="Rounds of one hand in which a share of the meter is won.",
        )
        st.metric(
            "Long-run edge",
            bet_tables.percent(result.long_run_edge),
            border=True,
            help="With seed and increments counted as paid out.",
        )
    bet_charts.edge_by_meter(result, base.meter)
    st.caption(
        f"Each 1,000 in the meter takes {bet_tables.percent(1000 * result.return_per_unit)} off "
        "the edge. Counted exactly, shown rounded."
    )
    _sharing(shown)


def _sharing(shown: Evaluated) -> None:
    paytable = shown.paytable
    titles = {tier.name: tier.title for tier in paytable.tiers if tier.meter is not None}
    st.markdown("**Several hands at the table**: how often they win the meter in the same round.")
    left, right = st.columns(2, gap="medium")
    with left.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        tier = st.selectbox(
            "Tier", list(titles), format_func=titles.__getitem__, key="shared-tier", width=260
        )
        hands = st.number_input(
            "Hands that bet",
            2,
            len(PLAYER_HANDS),
            3,
            key="shared-hands",
            persist_state="session",
            width=150,
        )
    if shown.reading.shoe is not None:
        st.caption("For whole decks; the custom shoe is not part of it.")
    decks = shown.reading.draft.decks
    with left:
        found: SharedMeter | None = computed(
            "bet-shared",
            "Compute the sharing",
            "Counting deals",
            bet_computations.shared,
            paytable,
            tier,
            hands,
            decks,
            key=(bet_computations.figures_key(paytable), tier, hands, decks),
            explain=_explain,
        )
    if found is None:
        return
    rows = [
        (
            f"{number} of {found.hands} hands win",
            bet_tables.percent(chance, 8),
            bet_tables.one_in(1 / chance if chance else None),
        )
        for number, chance in enumerate(found.winners)
    ]
    right.html(bet_tables.rows_table("Winners of one round", ("", "probability", "1 in"), rows))
    left.caption(
        f"A winning hand gets {bet_tables.percent(found.expected_share, 5)} of its prize on "
        "average, where winners share it. Exact; every hand has its own first two cards, the "
        "dealer's are common."
    )


def _explain(error: InputError) -> str:
    if error.field == "tier":
        return "the tier depends on cards drawn later, so hands cannot be counted side by side"
    return explain_plainly(error)
