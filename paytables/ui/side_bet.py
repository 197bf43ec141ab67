"""The side-bet page: a paytable edited in place, with its exact odds at once."""

from __future__ import annotations

from fractions import Fraction

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from odds.errors import InputError
from paytables.draft import Reading
from paytables.ui import bet_charts, bet_tables, grids
from paytables.ui.asked import explain_plainly
from paytables.ui.bet_counting import counting
from paytables.ui.bet_form import bet_form
from paytables.ui.bet_rounds import many_rounds
from paytables.ui.evaluated import Evaluated, edges_by_decks, evaluated
from paytables.ui.meter import meter
from paytables.ui.tier_editor import tier_editor
from paytables.ui.toolbar import toolbar
from paytables.ui.work import catalogue_draft, editor, show_link, tell, work

_ODDS, _CHARTS, _ROUNDS, _COUNTING, _HANDS, _WORDS, _FORMULA, _METER = (
    "Odds",
    "Charts",
    "Many rounds",
    "Counting",
    "Example hands",
    "Words",
    "Formula",
    "Meter",
)


def page() -> None:
    """Draw the page."""
    reading, good = work().read()
    bet_form(reading)
    st.html(grids.style(dark=st.context.theme.type == "dark") + bet_tables.style())
    st.title(bet_tables.plain(reading.draft.title), anchor=False)
    tell()
    toolbar(reading)
    # a fixed place, so that nothing below starts anew when a message comes or goes
    message = st.container()
    shown = None
    if good is not None:
        try:
            shown = evaluated(good)
        except InputError as error:
            message.error(
                f"This bet cannot be counted: {explain_plainly(error)}.",
                icon=":material/error:",
            )
    current = reading.good and shown is not None
    if not reading.good:
        _explain(message, reading, shown)
    if shown is not None:
        _summary(shown)
    tier_editor(reading, shown.evaluation if shown is not None and current else None)
    if shown is not None:
        for text in shown.warnings():
            message.warning(text, icon=":material/warning:")
        _views(shown, reading)
    show_link()


def _explain(message: DeltaGenerator, reading: Reading, shown: object) -> None:
    entries = [p for p in reading.problems if p.field in ("design", "name")]
    lines = [problem.message for problem in entries]
    marked = len(reading.problems) - len(entries)
    if marked:
        lines.append(
            f"{marked} {'entries' if marked > 1 else 'entry'} cannot be read yet, marked below."
        )
    if shown is not None:
        lines.append("The figures are those of the last design that could be read.")
    message.error(" ".join(lines), icon=":material/edit_note:")


def _summary(shown: Evaluated) -> None:
    evaluation = shown.evaluation
    base = _published(shown)
    with st.container(horizontal=True, gap="small", key="figures"):
        st.metric(
            "House edge",
            bet_tables.percent(evaluation.edge),
            delta=f"{100 * float(evaluation.edge - base):+.4f} points"
            if base is not None
            else None,
            delta_color="off",
            border=True,
            height="stretch",
            width=230,
            help=f"Minus the expected net win per unit staked, exactly {_short(evaluation.edge)}. "
            "Below it, once a bet of the catalogue has changed: the change from its own pays.",
        )
        st.metric(
            "Return to player",
            bet_tables.percent(evaluation.rtp),
            border=True,
            height="stretch",
            width=200,
            help="1 minus the house edge.",
        )
        st.metric(
            "Hit frequency",
            bet_tables.percent(evaluation.hit_frequency),
            border=True,
            height="stretch",
            width=200,
            help=f"Rounds with a net win, exactly {evaluation.hit_frequency}. "
            f"Pushes: {bet_tables.percent(evaluation.push_frequency)}.",
        )
        st.metric(
            "Standard deviation",
            f"{evaluation.standard_deviation:.4f}",
            border=True,
            height="stretch",
            width=200,
            help="Of the net result of a round, in units.",
        )
        st.metric(
            "Top award",
            bet_tables.number(evaluation.top_award),
            border=True,
            height="stretch",
            width=150,
            help="The largest net win that can happen, in units.",
        )
    parts = [shown.shoe_text, f"{evaluation.odds.total:,} combinations, counted exactly"]
    if shown.paytable.meter is not None:
        parts.insert(1, f"meter at {bet_tables.number(evaluation.meter)}")
    if evaluation.strategy is not None:
        parts.append(f"cards drawn by {evaluation.strategy.name}")
    st.caption(" · ".join(parts))


def _published(shown: Evaluated) -> Fraction | None:
    """The edge of the catalogue's paytable from the same shoe, where this one's is another."""
    draft = shown.reading.draft
    if not draft.opened:
        return None
    try:
        original = catalogue_draft(*draft.opened)
        if original.changed(decks=draft.decks, other_decks=()) == draft.changed(
            other_decks=(), shoe=""
        ):
            return None
        same = original.changed(decks=draft.decks, shoe=draft.shoe, amount=draft.amount)
        base = evaluated(same.read()).evaluation.edge
        return None if base == shown.evaluation.edge else base
    except InputError:
        return None


def _views(shown: Evaluated, reading: Reading) -> None:
    options = [_ODDS, _CHARTS, _ROUNDS, _COUNTING, _HANDS, _WORDS, _FORMULA]
    if shown.paytable.meter is not None:
        options.append(_METER)
    view = st.segmented_control(
        "View",
        options,
        default=_ODDS,
        required=True,
        key="side-bet-view",
        label_visibility="collapsed",
        persist_state="session",
    )
    if view == _CHARTS:
        _charts(shown)
    elif view == _HANDS:
        st.html(bet_tables.examples(shown.paytable, shown.diagnosis))
    elif view == _WORDS:
        _words(reading)
    elif view == _FORMULA:
        _formula(shown)
    elif view == _METER:
        meter(shown)
    elif view == _ROUNDS:
        many_rounds(shown)
    elif view == _COUNTING:
        counting(shown)
    else:
        _odds(shown)


def _odds(shown: Evaluated) -> None:
    evaluation = shown.evaluation
    st.html(bet_tables.tier_table(evaluation))
    st.caption(
        "A tier's return is its probability times its net win, per unit staked. Point at a cut "
        f"fraction to see it whole. House edge exactly {_short(evaluation.edge)}."
    )
    if shown.paytable.source:
        st.caption(f"Published pays from: {bet_tables.with_links(shown.paytable.source)}")


def _short(value: Fraction) -> str:
    text = f"{value.numerator}/{value.denominator}"
    return text if len(text) <= 60 else f"a fraction of {len(str(value.denominator))} digits"


def _charts(shown: Evaluated) -> None:
    left, right = st.columns(2, gap="medium")
    with left:
        bet_charts.contributions(shown.evaluation)
        tiers = shown.paytable.tiers
        names = [tier.title for tier in tiers]
        chosen = st.selectbox(
            "Pay that varies", range(len(tiers)), format_func=names.__getitem__, key="varied-tier"
        )
        if chosen is not None and tiers[chosen].pays is not None:
            bet_charts.edge_by_pay(shown.evaluation, chosen)
        else:
            st.caption("This tier pays only its share of the meter.")
    with right:
        decks = None if shown.reading.shoe else shown.reading.draft.decks
        bet_charts.by_decks(edges_by_decks(shown.paytable, shown.evaluation.meter), decks)
        bet_charts.slopes(shown.evaluation)


def _words(reading: Reading) -> None:
    left, right = st.columns(2, gap="medium")
    with left:
        editor(st.text_input, "Name of the bet", "name", max_chars=80)
        editor(st.text_input, "Name of this paytable", "variant", max_chars=80)
        editor(st.text_input, "Cards it looks at, in words", "cards", max_chars=200)
        editor(st.text_input, "Source of the pays", "source", max_chars=400)
    with right:
        editor(st.text_area, "Rule in words", "rule", max_chars=2000, height=122)
        editor(st.text_area, "Note", "note", max_chars=2000, height=122)


def _formula(shown: Evaluated) -> None:
    if shown.reading.shoe is not None:
        st.info("Closed forms are for whole decks; this design has a custom shoe.")
        return
    import sympy  # type: ignore[import-untyped]  # half a second to load

    from paytables.symbolic import formulas

    forms = formulas(shown.paytable, shown.evaluation.strategy)
    st.markdown("Probability of each tier, and the house edge, from $d$ decks:")
    for tier in shown.paytable.tiers:
        _line(bet_tables.plain(tier.title), sympy.latex(forms.probability[tier.name]))
    _line("**House edge**", sympy.latex(forms.edge))
    if shown.evaluation.strategy is not None:
        st.caption(f"For {shown.evaluation.strategy.name}, whatever d is.")


def _line(label: str, formula: str) -> None:
    left, right = st.columns([1, 2], vertical_alignment="center")
    left.markdown(label)
    right.latex(formula, width="content")
