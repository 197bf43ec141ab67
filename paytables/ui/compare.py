"""Two to four designs side by side, what differs from the first marked."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import altair as alt
import streamlit as st

from odds.errors import InputError
from odds.shoe import MAX_DECKS
from paytables.bets import load_catalog
from paytables.draft import Draft
from paytables.metrics import TierResult
from paytables.ui import bet_tables, grids
from paytables.ui.evaluated import Evaluated, edges_by_decks, evaluated
from paytables.ui.work import (
    MAX_COMPARED,
    catalogue_draft,
    icon_button,
    show_link,
    tell,
    work,
)

_OWN = "each from its own shoe"
_COLOURS = ("#3576b8", "#d9653b", "#1f9d6b", "#b07cc6")


def page() -> None:
    """Draw the page."""
    now = work()
    decks, current = _sidebar()
    st.html(grids.style(dark=st.context.theme.type == "dark") + bet_tables.style())
    st.title("Compare designs", anchor=False)
    tell()
    chosen = [(f"{now.draft.title} (being edited)", now.draft)] if current else []
    chosen = [*chosen, *now.compared][:MAX_COMPARED]
    found = [(name, result) for name, draft in chosen if (result := _evaluated(name, draft, decks))]
    if len(chosen) < 2:
        st.info(
            "Choose two to four designs: add a published paytable in the sidebar, press Compare on "
            "the side-bet page to keep a state of your design, or on a saved version.",
            icon=":material/compare_arrows:",
        )
    if found:
        st.html(_table(found))
        st.caption(
            "Marked with ≠: differs from the first design. Tiers are the same if they have one "
            "name, in one bet or with one condition."
        )
        _chart(found)
    show_link()


def _sidebar() -> tuple[int | None, bool]:
    now = work()
    with st.sidebar:
        current = st.toggle(
            "The design being edited", True, key="compare-current", persist_state="session"
        )
        decks = st.selectbox(
            "Decks",
            [_OWN, *range(1, MAX_DECKS + 1)],
            key="compare-decks",
            persist_state="session",
            format_func=lambda n: n if isinstance(n, str) else f"{n} deck{'s' if n > 1 else ''}",
        )
        published = [
            (bet.name, variant) for bet in load_catalog().values() for variant in bet.variant_names
        ]
        st.selectbox(
            "Add a published paytable",
            published,
            index=None,
            key="compare-add",
            placeholder="type to search",
            format_func=", ".join,
            on_change=_add,
            disabled=len(now.compared) >= MAX_COMPARED,
        )
        for place, (name, _) in enumerate(now.compared):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(bet_tables.plain(name), width="stretch")
                shown = bet_tables.plain(name)
                icon_button(
                    f"Edit {shown}",
                    "edit",
                    f"compared-open-{place}",
                    _open,
                    place,
                    help=f"Edit {shown}; Undo brings back the design of now",
                )
                icon_button(
                    f"Take {shown} out",
                    "close",
                    f"compared-remove-{place}",
                    now.compared.__delitem__,
                    place,
                )
    return (None if isinstance(decks, str) else decks), current


def _add() -> None:
    if chosen := st.session_state["compare-add"]:
        draft = catalogue_draft(*chosen)
        work().compare(f"{draft.title} · {draft.decks} decks", draft)
        st.session_state["compare-add"] = None


def _open(place: int) -> None:
    now = work()
    name, draft = now.compared[place]
    now.change(draft)
    now.notice = ("success", f"{name} is being edited now.")


def _evaluated(name: str, draft: Draft, decks: int | None) -> Evaluated | None:
    reading = draft.read() if decks is None else draft.changed(decks=decks, shoe="").read()
    try:
        return evaluated(reading)
    except InputError as error:
        st.error(f"{bet_tables.plain(name)}: needs {error.allowed}.", icon=":material/error:")
        return None


_FIGURES: dict[str, Callable[[Evaluated], str]] = {
    "House edge": lambda e: bet_tables.percent(e.evaluation.edge),
    "Return to player": lambda e: bet_tables.percent(e.evaluation.rtp),
    "Hit frequency": lambda e: bet_tables.percent(e.evaluation.hit_frequency),
    "Push frequency": lambda e: bet_tables.percent(e.evaluation.push_frequency),
    "Standard deviation": lambda e: f"{e.evaluation.standard_deviation:.4f}",
    "Top award": lambda e: bet_tables.number(e.evaluation.top_award),
    "Dealt from": lambda e: e.shoe_text,
    "Looks at": lambda e: e.paytable.cards or "not said",
    "Pays are": lambda e: e.paytable.paid,
}


def _table(found: list[tuple[str, Evaluated]]) -> str:
    rows = [_row(label, [read(result) for _, result in found]) for label, read in _FIGURES.items()]
    for same in _matched(found):
        cells = [_tier_cell(same.get(column)) for column in range(len(found))]
        rows.append(_row(next(iter(same.values())).tier.title, cells))
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name, _ in found)
    return (
        '<div class="pt-scroll"><table class="pt-table pt-compare"><caption>Figures, then tiers '
        f"with pay, frequency and return</caption><thead><tr><th></th>{head}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _matched(found: list[tuple[str, Evaluated]]) -> list[dict[int, TierResult]]:
    """The tiers that are the same, by design: of one name, in one bet or with one condition."""
    rows: list[tuple[str, str, str, dict[int, TierResult]]] = []
    for column, (_, result) in enumerate(found):
        for row in result.evaluation.tiers:
            tier, bet = row.tier, result.paytable.name
            for name, other, when, same in rows:
                if name == tier.name and (other == bet or when == tier.when):
                    same[column] = row
                    break
            else:
                rows.append((tier.name, bet, tier.when, {column: row}))
    return [same for *_, same in rows]


def _tier_cell(row: TierResult | None) -> str:
    if row is None:
        return "not a tier"
    often = f"1 in {bet_tables.one_in(row.one_in)}" if row.ways else "never"
    return f"{bet_tables.pay_text(row.tier)}\n{often}\n{bet_tables.percent(row.contribution)}"


def _row(label: str, cells: list[str]) -> str:
    shown = []
    for cell in cells:
        differs = cell != cells[0]
        lines = "<br>".join(escape(line) for line in cell.split("\n"))
        kind, mark = (' class="pt-differs"', "≠ ") if differs else ("", "")
        shown.append(f"<td{kind}>{mark}{lines}</td>")
    return f'<tr><th scope="row">{escape(label)}</th>{"".join(shown)}</tr>'


def _chart(found: list[tuple[str, Evaluated]]) -> None:
    rows = [
        {"design": name, "decks": decks, "edge": 100 * float(at.edge)}
        for name, result in found
        for decks, at in edges_by_decks(result.paytable, result.evaluation.meter).items()
    ]
    names = [name for name, _ in found]
    chart = (
        alt.Chart(alt.InlineData(values=rows), height=340, title="House edge by decks, %")
        .mark_line(point=True)
        .encode(
            x=alt.X("decks:O", title=None, axis=alt.Axis(labelAngle=0)),
            y=alt.Y("edge:Q", title=None, scale=alt.Scale(zero=False)),
            color=alt.Color(
                "design:N",
                scale=alt.Scale(domain=names, range=list(_COLOURS)),
                legend=alt.Legend(orient="bottom", title=None, columns=2, labelLimit=400),
            ),
            tooltip=["design:N", "decks:O", alt.Tooltip("edge:Q", format=".5f")],
        )
    )
    st.altair_chart(chart, alt="Lines: house edge of each design for 1 to 12 decks.")
