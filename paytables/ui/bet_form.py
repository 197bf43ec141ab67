"""The sidebar of the side-bet page: the catalogue, the shoe, the deal, how pays are written."""

from __future__ import annotations

from typing import Any, get_args

import streamlit as st

from odds.shoe import MAX_DECKS
from odds.sidebets.bet import DealerPlan, DrawPlan, PlaysPlan
from paytables.bets import BetFile, find_bet, load_catalog
from paytables.draft import Draft, Reading, TierDraft
from paytables.presets import load_preset, preset_names
from paytables.ui import bet_tables
from paytables.ui.work import catalogue_draft, edit, editor, work

NEW_BET = Draft(
    name="New bet",
    cards="the player's first two cards",
    tiers=(
        TierDraft(
            key=1,
            name="suited",
            label="Suited pair",
            when="pair(player) and suited(player)",
            pays="20",
        ),
        TierDraft(key=2, name="pair", label="Pair", when="pair(player)", pays="8"),
    ),
)
"""What a new bet begins as: short enough to be read, and something to compute."""

_DEALER = {
    "two cards": "two cards only",
    "stands on soft 17": "plays out, stands on soft 17",
    "hits soft 17": "plays out, hits soft 17",
}
_DRAW = {
    "always": "in every round",
    "unless dealer blackjack": "unless the dealer has blackjack",
    "by strategy": "when the strategy draws them",
}
_PLAYS = {
    "always": "in every round",
    "if live, split rounds live": "against a live hand (splits live)",
    "if live, split rounds dead": "against a live hand (splits dead)",
}


def matching_bets(words: str) -> list[str]:
    """The bets of the catalogue that have all the words somewhere in their text.

    Example:
        >>> matching_bets("sweet 16")
        ['Sweet 16', 'Sweet Sixteen']
    """
    wanted = words.lower().split()
    return [bet.name for bet in load_catalog().values() if all(w in _text(bet) for w in wanted)]


def _text(bet: BetFile) -> str:
    variants = " ".join(f"{v.name} {v.source or ''} {v.note or ''}" for v in bet.variants)
    return " ".join([bet.name, *bet.aliases, bet.cards, bet.rule, variants]).lower()


def bet_form(reading: Reading) -> None:
    """Draw the sidebar."""
    with st.sidebar:
        _catalogue(reading.draft)
        editor(
            st.slider,
            "Decks",
            "decks",
            1,
            MAX_DECKS,
            help="The number of packs in the shoe. A custom shoe is made below.",
        )
        _note(reading, "shoe")
        _note(reading, "pack")
        with st.expander("Custom shoe and pack"):
            _shoe(reading)
        with st.expander("Cards of the deal"):
            _deal(reading)
        with st.expander("How pays are written"):
            _payment(reading)
        with st.expander("Progressive meter", expanded=reading.draft.has_meter):
            _meter(reading)


def _note(reading: Reading, field: str) -> None:
    if problem := reading.of(field):
        st.html(bet_tables.problem_note(problem))


def _catalogue(draft: Draft) -> None:
    words = st.text_input(
        "Search the catalogue",
        key="catalogue-search",
        placeholder="name, cards, rule, pays",
        icon=":material/search:",
        live=True,
        max_chars=80,
        persist_state="session",
    )
    opened = draft.opened[0] if draft.opened else None
    found = matching_bets(words or "")
    names = found if opened is None or opened in found else [opened, *found]
    if words and not found:
        st.caption(f"No bet of the catalogue mentions “{bet_tables.plain(words)}”.")
    elif words:
        st.caption(f"{len(found)} of {len(load_catalog())} bets")
    if st.session_state.get("catalogue-bet") != opened:
        st.session_state["catalogue-bet"] = opened
    st.selectbox(
        "Bet",
        names,
        index=None,
        key="catalogue-bet",
        placeholder="your own bet" if opened is None else "choose a bet",
        on_change=_open_bet,
        help="Opens the bet with its usual paytable. Undo brings back what was open before.",
    )
    if opened is not None:
        bet = find_bet(opened)
        if st.session_state.get("catalogue-variant") != draft.opened[1]:
            st.session_state["catalogue-variant"] = draft.opened[1]
        st.selectbox(
            "Paytable",
            bet.variant_names,
            key="catalogue-variant",
            on_change=_open_variant,
            format_func=lambda name: name or "the only one",
            disabled=len(bet.variant_names) < 2,
            help="The published paytables of this bet, each with its source.",
        )
        if draft.changed(shoe="", decks=1, other_decks=()) != catalogue_draft(
            *draft.opened
        ).changed(shoe="", decks=1, other_decks=()):
            st.button(
                "Back to the published paytable",
                icon=":material/restart_alt:",
                on_click=_open_variant,
                key="reset-bet",
                width="stretch",
            )
    st.button(
        "Start a new bet",
        icon=":material/add_circle:",
        on_click=edit,
        args=(lambda _: NEW_BET,),
        key="new-bet",
        width="stretch",
    )


def _open_bet() -> None:
    if name := st.session_state["catalogue-bet"]:
        edit(lambda _: catalogue_draft(name, find_bet(name).variant_names[0]))


def _open_variant() -> None:
    bet = work().draft.opened[0]
    variant = st.session_state["catalogue-variant"]
    edit(lambda _: catalogue_draft(bet, variant))


def _shoe(reading: Reading) -> None:
    editor(
        st.text_input,
        "Counts that differ",
        "shoe",
        placeholder="A=20, 7H=0",
        max_chars=2000,
        help="Cards left by rank (A=20) or by card (7H=0); what is not named stays as in whole "
        "decks. Empty for whole decks.",
    )
    if reading.shoe is not None:
        ranks = zip("A23456789TJQK", reading.shoe.by_rank, strict=True)
        st.caption(f"{reading.shoe.size} cards: " + " ".join(f"{r}×{n}" for r, n in ranks))
    editor(
        st.text_input,
        "Each pack is without",
        "without",
        placeholder="T",
        max_chars=120,
        help="Ranks or cards: T is the Spanish pack of 48 cards, AS only the ace of spades.",
    )
    editor(
        st.text_input,
        "Each pack has an extra",
        "extra",
        placeholder="AS",
        max_chars=120,
        help="Cards added to every pack.",
    )


def _choice(label: str, field: str, options: Any, words: dict[str, str], **more: Any) -> None:
    editor(
        st.selectbox,
        label,
        field,
        get_args(options),
        format_func=lambda value: words.get(value, value),
        **more,
    )


def _deal(reading: Reading) -> None:
    draft = reading.draft
    _choice("The dealer", "dealer", DealerPlan, _DEALER)
    _choice(
        "The dealer plays out", "plays", PlaysPlan, _PLAYS, disabled=draft.dealer == "two cards"
    )
    editor(st.number_input, "Further cards of the player", "next_cards", 0, 3, step=1)
    _choice("These are dealt", "draw", DrawPlan, _DRAW, disabled=draft.next_cards == 0)
    strategy = draft.draw == "by strategy" or draft.plays != "always"
    if strategy or draft.table:
        editor(
            st.selectbox,
            "By the best strategy at",
            "table",
            ["", *preset_names()],
            format_func=lambda name: load_preset(name).title if name else "choose a table",
            disabled=not strategy,
        )
        _note(reading, "table")
    editor(
        st.text_input,
        "Known when the bet is made",
        "given",
        placeholder="nothing",
        max_chars=2000,
        live="400ms",
        help='A condition, such as up == "A" for a bet that is offered under an ace.',
    )
    _note(reading, "given")


def _payment(reading: Reading) -> None:
    draft = reading.draft
    editor(
        st.segmented_control,
        "Pays are read",
        "paid",
        ["to one", "for one"],
        required=True,
        help="To one: the win beside the stake. For one: the stake is part of what is paid.",
    )
    other = "to one" if draft.paid == "for one" else "for one"
    st.button(
        f"Write the same pays {other}",
        on_click=_rewrite,
        disabled=not reading.good,
        key="rewrite-pays",
        help="Every pay is changed by one, so that the edge stays.",
    )
    editor(st.toggle, "All tiers that hold are paid", "cumulative")
    editor(
        st.text_input,
        "Stake of each wager",
        "wagers",
        max_chars=120,
        help="main=1 for a plain bet; red=1, black=1 for two bets that are made together.",
    )
    _note(reading, "wagers")


def _rewrite() -> None:
    def rewritten(draft: Draft) -> Draft:
        paytable = draft.read().paytable
        if paytable is None:
            return draft
        other = paytable.as_to_one() if draft.paid == "for one" else paytable.as_for_one()
        new = Draft.of(other, draft.opened)
        pays = {tier.name: tier.pays for tier in new.tiers}
        tiers = (tier.changed(pays=pays.get(tier.name, tier.pays)) for tier in draft.tiers)
        return draft.changed(paid=new.paid, tiers=tuple(tiers))

    edit(rewritten)


def _meter(reading: Reading) -> None:
    editor(st.toggle, "A tier pays from a meter", "has_meter")
    if not reading.draft.has_meter:
        st.caption("Then each tier gets an entry for its share of the meter.")
        return
    for field, label, hint in (
        ("amount", "The meter stands at", "In currency. Empty counts as 0."),
        ("stake", "One unit of the bet is", "The stake in currency."),
        ("seed", "The house seeds it with", "What the meter starts with after it is emptied."),
        ("increment", "Each bet adds", "The part of the stake that goes into the meter."),
    ):
        editor(st.text_input, label, field, max_chars=30, help=hint)
        _note(reading, field)
