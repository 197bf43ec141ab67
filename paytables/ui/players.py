"""How people play: the best chart by total, weak strategies, and a mix of players."""

from __future__ import annotations

from html import escape

import altair as alt
import streamlit as st

from paytables.chart_style import edge_change, percent
from paytables.ui import code_grid, computations, grids
from paytables.ui.asked import computed
from paytables.ui.bet_charts import GAIN, LOSS
from paytables.ui.own_chart import own_chart
from paytables.ui.table_form import TableChoice, explain
from paytables.ways import Way

NAMES = {
    "CDZ-": "Best play by the cards",
    "basic": "Best chart by total",
    "always-insure": "Always insures",
    "no-surrender": "Never surrenders",
    "no-soft-double": "Never doubles soft",
    "never-bust": "Never busts",
    "mimic-dealer": "Mimics the dealer",
}
"""What the app calls the ways of `paytables.ways`."""


def players(choice: TableChoice, edge: float) -> None:
    """Draw the tab; ``edge`` is the house edge under the strategy of the page."""
    st.markdown(
        "The edge on paper assumes the best play. Here is the best chart that a player could "
        "learn, what it gives away, and the edge under common weaker play: **theoretical against "
        "expected hold**."
    )
    found: computations.Play | None = computed(
        "main-players",
        "Compute how people play",
        "How people play",
        computations.how_people_play,
        choice.rules,
        choice.shoe,
        explain=explain,
    )
    if found is not None:
        _ways(found)
        _best_chart(found)
    own_chart(choice, edge, None if found is None else found.chart)


def _ways(found: computations.Play) -> None:
    left, right = st.columns(2, gap="medium")
    left.html(_table(found.ways))
    left.caption(
        "The best play by the cards is CDZ-. Every edge is per unit of the initial bet, an "
        "insurance bet only where it says so; float64, error below 1e-12."
    )
    with right:
        _chart(found.ways)
        _mix(found.ways)


def _table(ways: tuple[Way, ...]) -> str:
    best = ways[0].house_edge
    rows = [
        f"<tr><td><b>{escape(NAMES.get(way.name, way.name))}</b>"
        f"<small>{escape(way.text)}</small></td><td>{percent(way.house_edge)}</td>"
        f"<td>{edge_change(way.house_edge - best) if way.house_edge > best else ''}</td></tr>"
        for way in ways
    ]
    heads = ("how", "house edge", "costs, points")
    head = "".join(f'<th scope="col">{text}</th>' for text in heads)
    return (
        "<style>.pt-ways small{display:block;opacity:.75;line-height:1.3}</style>"
        '<div class="pt-scroll"><table class="pt-table pt-ways">'
        "<caption>House edge by how people play</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _chart(ways: tuple[Way, ...]) -> None:
    rows = [
        {
            "how": NAMES.get(way.name, way.name),
            "edge": 100 * way.house_edge,
            "label": f"{100 * way.house_edge:.3f}",
        }
        for way in ways
    ]
    low = min(0.0, 100 * 1.12 * min(way.house_edge for way in ways))
    high = 100 * max(max(way.house_edge for way in ways), 0.001)
    base = alt.Chart(
        alt.InlineData(values=rows),
        height=44 + 30 * len(rows),
        title="House edge by how people play, %",
    ).encode(
        y=alt.Y("how:N", sort=None, title=None, axis=alt.Axis(labelLimit=200, labelOverlap=False)),
        x=alt.X("edge:Q", title=None, scale=alt.Scale(domain=[low, 1.12 * high])),
        tooltip=["how:N", alt.Tooltip("edge:Q", title="house edge, %", format=".5f")],
    )
    bars = base.mark_bar(cornerRadius=2).encode(
        color=alt.condition(alt.datum.edge > 0, alt.value(LOSS), alt.value(GAIN))
    )
    labels = base.mark_text(align="left", dx=5, color="#8a938f").encode(text="label:N")
    words = ", ".join(f"{row['how']} {row['edge']:.4f} %" for row in rows)
    st.altair_chart(bars + labels, alt=f"Bars: house edge by how people play: {words}.")


def _mix(ways: tuple[Way, ...]) -> None:
    """The expected hold of a mix of players."""
    with st.expander("Expected hold of a mix of players"):
        _mixed(ways)


def _mixed(ways: tuple[Way, ...]) -> None:
    with st.container(horizontal=True, gap="small", key="player-mix"):
        shares = {
            way.name: st.number_input(
                NAMES.get(way.name, way.name),
                min_value=0,
                max_value=1000,
                value=100 if way.name == "basic" else 0,
                step=5,
                key=f"mix-{way.name}",
                persist_state="session",
                width=150,
            )
            for way in ways
        }
    whole = sum(shares.values())
    if not whole:
        st.caption("Give at least one of them a share.")
        return
    edge = sum(shares[way.name] * way.house_edge for way in ways) / whole
    st.markdown(
        f"Of all initial bets the house keeps **{percent(edge)}**: the mean of the edges above by "
        "these shares of the money bet."
    )


def _best_chart(found: computations.Play) -> None:
    st.markdown("**The best chart by total**")
    st.html(grids.legend(code_grid.codes_in(found.chart), starred=False))
    code_grid.show(code_grid.grids_of(found.chart))
    st.caption(
        f"It gives away {100 * found.cost:.6f} % of the bet against the best play by the cards, "
        "and no change of a single cell would make it better. Hands of any number of cards are "
        "played by their total; what is not allowed with a hand falls back as its code says."
    )
