"""How a side bet swings: volatility, and where the RTP of many rounds lies."""

from __future__ import annotations

import altair as alt
import streamlit as st

from paytables.metrics import Evaluation
from paytables.ui import bet_computations, bet_tables
from paytables.ui.asked import computed, kept
from paytables.ui.bet_charts import LINE
from paytables.ui.evaluated import Evaluated
from paytables.volatility import RtpInterval, volatility_index

_PART = "bet-rounds"


def many_rounds(shown: Evaluated) -> None:
    """Draw the view."""
    evaluation = shown.evaluation
    found = _intervals(evaluation)
    if found is None:
        return
    with st.container(horizontal=True, gap="small"):
        st.metric(
            "Volatility index",
            f"{volatility_index(evaluation):.4f}",
            border=True,
            help="z × SD per unit staked with z = 1.645: after N rounds the actual RTP lies within "
            "the volatility index / √N of the expected one in 90 % of cases, where the normal "
            "approximation holds.",
        )
        enough = next((i.rounds for i in found if i.normal_valid), None)
        st.metric(
            "Normal approximation holds from",
            f"over {found[-1].rounds:,} rounds" if enough is None else f"{enough:,} rounds",
            border=True,
            help="Of the numbers of rounds below: where its estimated error in probability is at "
            "most 0.5 % at either end.",
        )
    left, right = st.columns([2, 3], gap="medium")
    with left:
        _chart(found)
    right.html(
        bet_tables.rows_table(
            "Actual RTP, 95 % of the time",
            ("rounds", "from", "to", "normal approximation"),
            [_row(interval) for interval in found],
        )
    )
    methods = " and ".join(sorted({interval.method for interval in found}))
    st.caption(
        f"The interval leaves out 2.5 % on either side of the exact distribution of the total, by "
        f"{methods} in float64. Rounds are independent, each from a full shoe; the expected RTP is "
        f"{bet_tables.percent(evaluation.rtp)}."
    )


def _intervals(evaluation: Evaluation) -> tuple[RtpInterval, ...] | None:
    key = (tuple(evaluation.results.items()), evaluation.paytable.stake)
    found: tuple[RtpInterval, ...] | None = kept().get((_PART, key))
    if found is None and bet_computations.is_quick(evaluation):
        found = bet_computations.many_rounds(evaluation, progress=lambda done, what: None)
        kept().put((_PART, key), found)
    return found or computed(
        _PART,
        "Compute the RTP of many rounds",
        "Distribution of the total",
        bet_computations.many_rounds,
        evaluation,
        key=key,
    )


def _row(interval: RtpInterval) -> tuple[str, ...]:
    low, high = interval.exact
    rough = " to ".join(bet_tables.percent(end, 2) for end in interval.normal)
    return (
        f"{interval.rounds:,}",
        bet_tables.percent(low, 2),
        bet_tables.percent(high, 2),
        rough if interval.normal_valid else f"not valid ({rough})",
    )


def _chart(found: tuple[RtpInterval, ...]) -> None:
    rows = [
        {
            "rounds": interval.rounds,
            "low": 100 * interval.exact[0],
            "high": 100 * interval.exact[1],
            "expected": 100 * interval.rtp,
        }
        for interval in found
    ]
    base = alt.Chart(
        alt.InlineData(values=rows), height=270, title="Actual RTP after so many rounds, %"
    ).encode(
        x=alt.X(
            "rounds:Q",
            scale=alt.Scale(type="log"),
            title=None,
            axis=alt.Axis(values=[row["rounds"] for row in rows], format=",d"),
        )
    )
    tooltip = [
        alt.Tooltip("rounds:Q", format=",d"),
        alt.Tooltip("low:Q", title="from, %", format=".3f"),
        alt.Tooltip("high:Q", title="to, %", format=".3f"),
    ]
    band = base.mark_area(color=LINE, opacity=0.28).encode(
        y=alt.Y("low:Q", title=None), y2="high:Q", tooltip=tooltip
    )
    ends = [
        base.mark_line(color=LINE, point=alt.OverlayMarkDef(size=36, color=LINE)).encode(
            y=f"{end}:Q", tooltip=tooltip
        )
        for end in ("low", "high")
    ]
    middle = base.mark_line(color="#8a938f", strokeDash=[5, 4]).encode(y="expected:Q")
    words = "; ".join(
        f"{row['rounds']:,} rounds {row['low']:.1f} to {row['high']:.1f} %" for row in rows
    )
    st.altair_chart(
        alt.layer(band, *ends, middle),
        alt=f"Band: where the actual RTP lies in 95 % of cases: {words}.",
    )
