"""The target page: pays that hit an edge, searched in a process of their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import streamlit as st

from odds.errors import InputError
from paytables.design import PROOFS, Design, DesignResult, design
from paytables.design_constraints import Limits, Target
from paytables.draft import Draft
from paytables.edge_form import MeterBasis
from paytables.jobs import Job, State
from paytables.model import Paytable
from paytables.ui import bet_tables, grids, running
from paytables.ui.asked import explain_plainly
from paytables.ui.evaluated import evaluated
from paytables.ui.target_form import Request, target_form
from paytables.ui.toolbar import toolbar
from paytables.ui.work import edit, show_link, tell, work


@dataclass
class Search:
    """The search of a session.

    Attributes:
        job: The work, waiting, running or ended.
        paytable: What was searched.
    """

    job: Job
    paytable: Paytable


def search_pays(
    paytable: Paytable,
    target: Target,
    decks: tuple[int, ...],
    limits: Limits,
    top: int,
    meter: MeterBasis,
    *,
    progress: Callable[[float, str], None],
) -> DesignResult:
    """The search as a job."""
    return design(paytable, target, decks, limits, top=top, meter=meter, progress=progress)


def page() -> None:
    """Draw the page."""
    reading, good = work().read()
    st.html(grids.style(dark=st.context.theme.type == "dark") + bet_tables.style())
    st.title("Hit a target", anchor=False)
    tell()
    toolbar(reading)
    if good is None or good.paytable is None:
        st.info("The design has entries that cannot be read; mend them on the side-bet page first.")
        show_link()
        return
    if not reading.good:
        st.warning("The design has wrong entries; the search takes the last one without.")
    paytable = good.paytable
    try:
        edge = bet_tables.percent(evaluated(good).evaluation.edge)
    except InputError as error:
        st.error(f"This bet cannot be counted: {error.allowed} is needed.")
        show_link()
        return
    st.markdown(
        f"**{bet_tables.plain(good.draft.title)}** has a house edge of **{edge}** with "
        f"{good.draft.decks} decks now. Which pays would hit your target?"
    )
    if good.shoe is not None:
        st.caption("The search is for whole decks; the custom shoe is not part of it.")
    request = target_form(paytable)
    # started here and not by the button, whose arguments would be those of the last drawing: an
    # entry that was typed just before the click would be missed
    if st.session_state.pop("search-wanted", False) and request is not None:
        _start(paytable, request)
    found: Search | None = st.session_state.get("search")
    busy = found is not None and not found.job.ended
    st.button(
        "Search",
        type="primary",
        icon=":material/search:",
        key="search-start",
        disabled=request is None or busy,
        on_click=_want_search,
    )
    if found is not None:
        _show(found, good.draft, paytable)
    show_link()


def _want_search() -> None:
    st.session_state["search-wanted"] = True


def _start(paytable: Paytable, request: Request) -> None:
    arguments = (request.target, request.decks, request.limits, request.top, request.meter)
    try:
        job = running.pool().submit(running.session_id(), search_pays, paytable, *arguments)
    except InputError as error:
        work().notice = ("error", f"The search was not started: {error.value}.")
        return
    st.session_state["search"] = Search(job, paytable)


def _show(found: Search, draft: Draft, paytable: Paytable) -> None:
    job = found.job
    if not job.ended:
        running.watch(job, "Searching", "search-cancel")
    elif job.state is State.CANCELLED:
        st.info("The search was cancelled. The design and the entries above are as they were.")
    elif job.problem is not None:
        problem = job.problem
        st.error(
            f"The search failed: {explain_plainly(problem)}. The design and the entries above "
            "are as they were.",
            icon=":material/error:",
        )
    else:
        _results(job, draft, paytable)


def _results(job: Job, draft: Draft, paytable: Paytable) -> None:
    result: DesignResult = job.result
    if not result.designs:
        _infeasible(result)
        return
    if result.count is not None and result.count != result.listed:
        number = f"**{result.count:,}** paytables hit the target, {result.listed:,} of them listed"
    else:
        number = f"**{result.listed:,}** paytables hit the target"
    st.markdown(f"{number}, in {job.seconds:.1f} s: {PROOFS[result.proof]}.")
    names = [tier.name for tier in result.paytable.tiers if tier.pays is not None]
    same = {t.name for t in paytable.tiers} == {t.name for t in result.paytable.tiers}
    titles = {tier.name: tier.title for tier in result.paytable.tiers}
    rows = [_row(design, result, names, place) for place, design in enumerate(result.designs, 1)]
    event: Any = st.dataframe(
        rows,
        hide_index=True,
        key=f"search-results-{job.started}",  # a selection is of its own results
        on_select="rerun",
        selection_mode="single-row",
        column_config=_columns(result, names, titles),
        height=min(36 * (len(rows) + 1) + 4, 420),
        alt="Paytables that hit the target, the most readable first; every column can be sorted.",
    )
    chosen = event.selection.rows[0] if event.selection.rows else 0
    picked = result.designs[min(chosen, len(result.designs) - 1)]
    if not any(found.pays != _pays(paytable) for found in result.designs[:1]):
        st.caption("The design as it is now is the most readable of them.")
    st.caption(
        "Click a heading to sort, a row to choose it. Points count against readability; why is in "
        "the last column."
    )
    _comparison(picked, result, draft, paytable, chosen + 1)
    st.button(
        f"Apply paytable {chosen + 1}",
        type="primary",
        icon=":material/check:",
        key="apply",
        disabled=not same,
        on_click=_apply,
        args=(picked, result.paytable, chosen + 1),
    )
    if not same:
        st.caption("The design has other tiers by now than the one that was searched.")


def _columns(result: DesignResult, names: list[str], titles: dict[str, str]) -> dict[str, Any]:
    number = st.column_config.NumberColumn
    columns: dict[str, Any] = {
        "paytable": number("№", width="small"),
        "points": number("points", width="small"),
    }
    columns |= {f"pay {name}": number(titles[name]) for name in names}
    columns |= {
        f"edge {decks}": number(f"edge, {decks} decks", format="%.4f %%") for decks in result.decks
    }
    columns["deviation"] = number("SD", format="%.3f", width="small")
    columns["why"] = st.column_config.TextColumn("why", width="large")
    return columns


def _row(found: Design, result: DesignResult, names: list[str], place: int) -> dict[str, Any]:
    first = found.evaluations[result.decks[0]]
    return (
        {"paytable": place, "points": found.points}
        | {f"pay {name}": float(found.pays[name]) for name in names}
        | {f"edge {decks}": 100 * float(edge) for decks, edge in found.edges.items()}
        | {"deviation": first.standard_deviation, "why": "; ".join(found.reasons)}
    )


def _comparison(
    found: Design, result: DesignResult, draft: Draft, paytable: Paytable, place: int
) -> None:
    now = {tier.name: tier for tier in paytable.tiers}
    rows = []
    for tier in found.paytable.tiers:
        if tier.pays is None:
            continue
        before = now[tier.name].pays if tier.name in now else None
        shown = "none" if before is None else bet_tables.number(before)
        change = "" if before is None or before == tier.pays else _change(tier.pays - before)
        rows.append((tier.title, shown, bet_tables.number(tier.pays), change))
    for decks in result.decks:
        try:
            at = evaluated(draft.changed(decks=decks, shoe="").read()).evaluation.edge
        except InputError:
            continue
        edge = found.edges[decks]
        rows.append(
            (
                f"House edge, {decks} decks",
                bet_tables.percent(at),
                bet_tables.percent(edge),
                f"{100 * float(edge - at):+.4f} points",
            )
        )
    st.html(
        bet_tables.rows_table(
            f"Paytable {place} against the design of now", ("", "now", "then", "change"), rows
        )
    )


def _pays(paytable: Paytable) -> dict[str, Fraction]:
    return {tier.name: tier.pays for tier in paytable.tiers if tier.pays is not None}


def _change(value: Fraction) -> str:
    return f"{'+' if value > 0 else '−'}{bet_tables.number(abs(value))}"


def _apply(found: Design, searched: Paytable, place: int) -> None:
    def applied(draft: Draft) -> Draft:
        tiers = (
            tier.changed(pays=bet_tables.number(found.pays[tier.name]).replace(",", ""))
            if tier.name in found.pays
            else tier
            for tier in draft.tiers
        )
        return draft.changed(tiers=tuple(tiers), paid=searched.paid)

    edit(applied)
    if work().notice is None:
        work().notice = ("success", f"Paytable {place} is applied. Undo brings the old pays back.")


def _infeasible(result: DesignResult) -> None:
    why = result.infeasible
    if why is None:
        st.warning(f"No paytable was found: {PROOFS[result.proof]}.")
        return
    proven = "There is none" if result.proof == "complete" else "None was found"
    st.warning(f"{proven}: {bet_tables.plain(why.reason)}", icon=":material/block:")
    if why.binding:
        st.markdown("Each of these limits, lifted alone, makes the target reachable:")
        st.markdown("\n".join(f"- {bet_tables.plain(limit)}" for limit in why.binding))
    rows = []
    for near in why.nearest:
        for side, edge, pays in (
            ("below", near.below, near.below_pays),
            ("above", near.above, near.above_pays),
        ):
            if edge is not None and pays is not None:
                listed = ", ".join(f"{name} {bet_tables.number(pay)}" for name, pay in pays.items())
                rows.append((f"{near.decks} decks, {side}", bet_tables.percent(edge), listed))
    if rows:
        st.html(
            bet_tables.rows_table("Nearest edges that can be reached", ("", "edge", "pays"), rows)
        )
    if why.closest is not None:
        st.button(
            "Apply the closest paytable",
            key="apply-closest",
            icon=":material/check:",
            on_click=_apply,
            args=(why.closest, result.paytable, 1),
        )
