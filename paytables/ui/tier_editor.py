"""The tiers of a design, edited in place: entries, order, and what is wrong at its place."""

from __future__ import annotations

import streamlit as st

from odds.sidebets.bet import MAX_TIERS
from odds.sidebets.reference import language_reference
from paytables.draft import Draft, Reading, TierDraft
from paytables.metrics import Evaluation
from paytables.ui import bet_tables
from paytables.ui.work import edit, editor, icon_button

_CONDITION_HELP = (
    "Which deals win, such as `pair(player) and suited(player)`, `total(player) == 16`, "
    '`count(player + up, "7") == 3`. The first tier from the top that holds is the one paid. '
    "All words are listed under “What a condition may contain”."
)
_PAY_HELP = "A whole number, a decimal such as 2.5, or a fraction such as 5/2. 0 is a push."


def tier_editor(reading: Reading, evaluation: Evaluation | None) -> None:
    """Draw a row of entries for each tier.

    Args:
        reading: The design as it is read.
        evaluation: Its odds, or None while it cannot be read.
    """
    draft = reading.draft
    for place, tier in enumerate(draft.tiers):
        _row(draft, tier, place, evaluation)
        for field in ("label", "pays", "meter", "when", "times"):
            if problem := reading.of_tier(tier.key, field):
                st.html(bet_tables.problem_note(problem))
    if problem := reading.of("tiers"):
        st.html(bet_tables.problem_note(problem))
    st.button(
        "Add a tier",
        icon=":material/add:",
        key="add-tier",
        on_click=edit,
        args=(Draft.add_tier,),
        disabled=len(draft.tiers) >= MAX_TIERS,
    )
    with st.expander("What a condition may contain", icon=":material/menu_book:"):
        _language()


def _row(draft: Draft, tier: TierDraft, place: int, evaluation: Evaluation | None) -> None:
    first, number = place == 0, place + 1

    def name(title: str) -> str:
        return title if first else f"{title}, tier {number}"

    shown = "visible" if first else "collapsed"
    row = st.container(
        horizontal=True, vertical_alignment="bottom", gap="small", key=f"tier-row-{tier.key}"
    )
    with row:
        editor(
            st.text_input,
            name("Tier"),
            "label",
            tier=tier.key,
            placeholder=tier.name,
            max_chars=120,
            width=230,
            label_visibility=shown,
        )
        paid = "Pays, for 1" if draft.paid == "for one" else "Pays, to 1"
        editor(
            st.text_input,
            name(paid),
            "pays",
            tier=tier.key,
            max_chars=40,
            width=100,
            help=_PAY_HELP if first else None,
            label_visibility=shown,
        )
        if draft.has_meter:
            editor(
                st.text_input,
                name("Of meter"),
                "meter",
                tier=tier.key,
                max_chars=20,
                width=90,
                placeholder="none",
                help="The share of the meter that is won, such as 1 or 1/10." if first else None,
                label_visibility=shown,
            )
        editor(
            st.text_input,
            name("Wins when"),
            "when",
            tier=tier.key,
            max_chars=2000,
            width="stretch",
            live="400ms",
            help=_CONDITION_HELP if first else None,
            label_visibility=shown,
        )
        if draft.cumulative:
            editor(
                st.text_input,
                name("Times"),
                "times",
                tier=tier.key,
                max_chars=2000,
                width=170,
                placeholder="once",
                help="How often it counts, such as rank_matches(player, up)." if first else None,
                label_visibility=shown,
            )
        if "," in draft.wagers or tier.wager != "main":
            editor(
                st.text_input,
                name("Wager"),
                "wager",
                tier=tier.key,
                max_chars=60,
                width=110,
                label_visibility=shown,
            )
        if evaluation is not None:
            st.html(bet_tables.odds_cell(evaluation, place), width=115)
        _buttons(tier, place, len(draft.tiers))


def _buttons(tier: TierDraft, place: int, number: int) -> None:
    title = bet_tables.plain(tier.title or f"tier {place + 1}")
    icon_button(
        f"Move {title} up",
        "arrow_upward",
        f"up-{tier.key}",
        edit,
        lambda draft: draft.move_tier(tier.key, -1),
        disabled=place == 0,
    )
    icon_button(
        f"Move {title} down",
        "arrow_downward",
        f"down-{tier.key}",
        edit,
        lambda draft: draft.move_tier(tier.key, 1),
        disabled=place == number - 1,
    )
    icon_button(
        f"Remove {title}",
        "delete",
        f"remove-{tier.key}",
        edit,
        lambda draft: draft.remove_tier(tier.key),
    )


def _language() -> None:
    entries = language_reference()
    for kind in dict.fromkeys(entry.kind for entry in entries):
        rows = [(e.usage, e.meaning, e.gives) for e in entries if e.kind == kind]
        st.html(bet_tables.rows_table(kind.capitalize(), ("written", "meaning", "gives"), rows))
