"""The effect of each single rule change around the game on the form."""

from __future__ import annotations

from html import escape

import altair as alt
import streamlit as st

from odds.rules import Rules
from paytables.chart_style import edge_change, percent
from paytables.rule_effects import RuleEffects, rule_effects
from paytables.ui.asked import computed
from paytables.ui.table_form import TableChoice, entries, explain, take_change

_GAIN, _LOSS = "#1f9d6b", "#d9653b"


def effects(choice: TableChoice) -> None:
    """Draw the tab."""
    st.markdown(
        "What every single change of the rules does to the house edge of **this** game, best "
        "strategy before and after. Effects do not add up: each depends on the other rules."
    )
    if choice.shoe is not None:
        st.caption("For whole decks; cards out of the shoe and custom counts are not part of it.")
    found: RuleEffects | None = computed(
        "main-effects",
        "Compute every effect",
        "Analysing rule sets",
        rule_effects,
        choice.rules,
        choice.strategy,
        explain=explain,
    )
    if found is not None:
        _table(found, choice.rules)


def _table(found: RuleEffects, rules: Rules) -> None:
    rows = []
    for effect in found.effects:
        points = effect.difference
        colour = "" if abs(points) < 1e-12 else "pt-up" if points > 0 else "pt-down"
        rows.append(
            f"<tr><td>{escape(effect.label)}</td><td>{percent(effect.house_edge)}</td>"
            f'<td><span class="{colour}">{edge_change(points)}</span></td></tr>'
        )
    left, right = st.columns(2, gap="medium")
    left.html(
        '<table class="pt-table"><caption>House edge after one change; now '
        f"{percent(found.house_edge)}</caption><thead><tr><th scope='col'>change</th>"
        "<th scope='col'>edge</th><th scope='col'>difference, points</th></tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>"
    )
    with right:
        _chart(found)
        labels = [effect.label for effect in found.effects]
        chosen = st.selectbox("Change to make", labels, key="effect-chosen")
        picked = next((e for e in found.effects if e.label == chosen), None)
        if picked is not None:
            st.button(
                "Make this change",
                icon=":material/check:",
                key="effect-apply",
                on_click=take_change,
                args=(rules, picked.rules, entries()),
                help="Sets the rules on the form; the preset's rules can be had back there.",
            )
        if found.impossible:
            st.caption("Not possible with the other rules: " + "; ".join(found.impossible) + ".")


def _chart(found: RuleEffects) -> None:
    rows = [
        {"change": e.label, "points": 100 * e.difference, "edge": 100 * e.house_edge}
        for e in found.effects
    ]
    chart = (
        alt.Chart(
            alt.InlineData(values=rows),
            height=40 + 17 * len(rows),
            title="Change of the house edge, percentage points",
        )
        .mark_bar(cornerRadius=2)
        .encode(
            y=alt.Y(
                "change:N",
                sort="x",
                title=None,
                axis=alt.Axis(labelLimit=230, labelOverlap=False),
            ),
            x=alt.X("points:Q", title=None),
            color=alt.condition(alt.datum.points > 0, alt.value(_LOSS), alt.value(_GAIN)),
            tooltip=[
                "change:N",
                alt.Tooltip("points:Q", format="+.5f"),
                alt.Tooltip("edge:Q", title="house edge, %", format=".5f"),
            ],
        )
    )
    st.altair_chart(chart, alt="Bars: how each single rule change moves the house edge.")
