"""Charts of the side-bet pages. Figures are exact until they are drawn."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import altair as alt
import streamlit as st

from paytables.metrics import Evaluation, MeterResult
from paytables.ui.bet_tables import pay_text
from paytables.ui.evaluated import slope

GAIN, LOSS, LINE = "#1f9d6b", "#d9653b", "#3576b8"
MOST_STEPS = 60


def _data(rows: list[dict[str, Any]]) -> alt.InlineData:
    return alt.InlineData(values=rows)


def contributions(evaluation: Evaluation) -> None:
    """Bars: what each tier gives back, and what is lost without one."""
    rows = [
        {
            "tier": row.tier.title,
            "return": 100 * float(row.contribution),
            "pays": pay_text(row.tier),
        }
        for row in evaluation.tiers
    ]
    rows.append({"tier": "no tier", "return": 100 * float(evaluation.lost), "pays": ""})
    chart = alt.Chart(_data(rows), height=60 + 26 * len(rows), title="Return by tier, % of stake")
    bars = chart.mark_bar(cornerRadius=2).encode(
        y=alt.Y("tier:N", sort=None, title=None, axis=alt.Axis(labelLimit=200, labelOverlap=False)),
        x=alt.X("return:Q", title=None),
        color=alt.condition("datum.return > 0", alt.value(GAIN), alt.value(LOSS)),
        tooltip=["tier:N", "pays:N", alt.Tooltip("return:Q", format="+.5f")],
    )
    total = 100 * float(evaluation.edge)
    st.altair_chart(
        bars, alt=f"Bars: return of each tier; they add up to minus the edge of {total:.4f} %."
    )


def by_decks(evaluations: Mapping[int, Evaluation], now: int | None) -> None:
    """Points: the edge for each number of decks, the present one marked."""
    rows = [
        {
            "decks": decks,
            "edge": 100 * float(found.edge),
            "now": "this design" if decks == now else "other",
        }
        for decks, found in evaluations.items()
    ]
    base = alt.Chart(_data(rows), height=250, title="House edge by number of decks, %").encode(
        x=alt.X("decks:O", title=None, axis=alt.Axis(labelAngle=0)),
        y=alt.Y("edge:Q", title=None, scale=alt.Scale(zero=False)),
        tooltip=["decks:O", alt.Tooltip("edge:Q", title="house edge, %", format=".5f")],
    )
    line = base.mark_line(color=LINE, opacity=0.5)
    points = base.mark_point(filled=True, size=90, opacity=1).encode(
        color=alt.Color(
            "now:N",
            scale=alt.Scale(domain=["this design", "other"], range=[LOSS, LINE]),
            legend=None,
        )
    )
    listed = ", ".join(f"{row['decks']} decks {row['edge']:.4f} %" for row in rows)
    st.altair_chart(line + points, alt=f"House edge by decks: {listed}.")


def edge_by_pay(evaluation: Evaluation, tier: int) -> None:
    """A line: the edge as one tier's pay varies, its present pay marked."""
    paytable = evaluation.paytable
    pays = paytable.tiers[tier].pays or Fraction(0)
    most = max(10, int(2 * pays))
    step = max(1, most // MOST_STEPS)
    steps = sorted({Fraction(pay) for pay in range(0, most + 1, step)} | {pays})
    gain = slope(evaluation, tier)
    rows: list[dict[str, Any]] = [
        {
            "pay": float(pay),
            "edge": 100 * float(evaluation.edge - (pay - pays) * gain),
            "now": "now" if pay == pays else "other",
        }
        for pay in steps
    ]
    base = alt.Chart(_data(rows), height=250, title="House edge by this pay, %").encode(
        x=alt.X("pay:Q", title=None),
        y=alt.Y("edge:Q", title=None, scale=alt.Scale(zero=False)),
        tooltip=["pay:Q", alt.Tooltip("edge:Q", title="house edge, %", format=".5f")],
    )
    marked = base.transform_filter("datum.now == 'now'")
    zero = (
        alt.Chart(_data([{"edge": 0}])).mark_rule(strokeDash=[4, 4], opacity=0.5).encode(y="edge:Q")
    )
    chart = base.mark_line(color=LINE, point=alt.OverlayMarkDef(size=28, color=LINE))
    now = marked.mark_point(filled=True, size=130, color=LOSS, opacity=1)
    layers = chart + now
    if any(row["edge"] <= 0 for row in rows):
        layers = layers + zero
    st.altair_chart(
        layers,
        alt=f"House edge by pay: one unit more takes {100 * float(gain):.5f} points off.",
    )


def slopes(evaluation: Evaluation) -> None:
    """Bars: what one unit more of each pay takes off the edge."""
    rows = [
        {"tier": tier.title, "points": 100 * float(slope(evaluation, number))}
        for number, tier in enumerate(evaluation.paytable.tiers)
    ]
    chart = alt.Chart(
        _data(rows),
        height=60 + 26 * len(rows),
        title="One unit more of pay takes off the edge, percentage points",
    )
    bars = chart.mark_bar(cornerRadius=2, color=LINE).encode(
        y=alt.Y("tier:N", sort=None, title=None, axis=alt.Axis(labelLimit=200, labelOverlap=False)),
        x=alt.X("points:Q", title=None),
        tooltip=["tier:N", alt.Tooltip("points:Q", format=".6f")],
    )
    st.altair_chart(bars, alt="Bars: the change of the edge for one unit more of each pay.")


def edge_by_meter(result: MeterResult, amount: Fraction) -> None:
    """A line: the edge as the meter grows, the break-even and the present amount marked."""
    most = 1.6 * float(max(result.break_even or 0, amount, Fraction(1000)))
    rows = [
        {"meter": most * i / 40, "edge": 100 * float(result.edge(Fraction(most * i / 40)))}
        for i in range(41)
    ]
    marks = [{"meter": float(amount), "edge": 100 * float(result.edge(amount)), "at": "now"}]
    if result.break_even is not None and result.break_even > 0:
        marks.append({"meter": float(result.break_even), "edge": 0.0, "at": "break-even"})
    line = (
        alt.Chart(_data(rows), height=250, title="House edge by the meter, %")
        .mark_line(color=LINE)
        .encode(
            x=alt.X("meter:Q", title=None, axis=alt.Axis(format=",.0f")),
            y=alt.Y("edge:Q", title=None),
        )
    )
    points = (
        alt.Chart(_data(marks))
        .mark_point(filled=True, size=130, color=LOSS, opacity=1)
        .encode(
            x="meter:Q",
            y="edge:Q",
            tooltip=["at:N", alt.Tooltip("meter:Q", format=",.2f"), "edge:Q"],
        )
    )
    st.altair_chart(line + points, alt="House edge by the meter; it falls by the same each unit.")
