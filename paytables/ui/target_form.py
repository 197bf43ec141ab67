"""What to search for: the target, and limits on the tiers and on the whole paytable."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, TypeVar

import streamlit as st

from odds.errors import InputError
from odds.rules import parse_fraction
from odds.shoe import MAX_DECKS
from paytables.design_constraints import (
    Limits,
    Target,
    TierLimits,
    Window,
    parse_limits,
    parse_share,
)
from paytables.edge_form import MeterBasis
from paytables.model import Paytable, Tier
from paytables.ui import bet_tables

Value = TypeVar("Value")

_ORDERS = {
    "strict": "a rarer tier pays more",
    "weak": "a rarer tier does not pay less",
    "none": "in any order",
}


@dataclass(frozen=True, slots=True)
class Request:
    """A search that can be started.

    Attributes:
        target: The target.
        decks: The deck counts that must all be hit.
        limits: The limits.
        top: How many paytables to show.
        meter: What to take for the meter.
    """

    target: Target
    decks: tuple[int, ...]
    limits: Limits
    top: int
    meter: MeterBasis


def target_form(paytable: Paytable) -> Request | None:
    """Draw the form; None while an entry cannot be read, which is then told below it."""
    problems = _Problems()
    target, decks = _target(paytable, problems)
    st.markdown("**Limits on each tier**")
    tiers, keep = _tiers(paytable, problems)
    with st.expander("Limits on the whole paytable"):
        whole = _whole(problems)
    top, meter = _more(paytable)
    limits = None
    if not problems.found:
        limits = problems.read(lambda: Limits(tiers=tiers, keep=keep, **whole))
    for error in problems.found:
        st.error(
            f"“{bet_tables.plain(error.field)}” is "
            f"{bet_tables.plain(str(error.value)[:80]) or 'empty'}; allowed is {error.allowed}.",
            icon=":material/edit_note:",
        )
    if target is None or limits is None:
        return None
    return Request(target, decks, limits, top, meter)


class _Problems:
    """What cannot be read; the rest of the form is drawn all the same."""

    def __init__(self) -> None:
        self.found: list[InputError] = []

    def read(self, make: Callable[[], Value]) -> Value | None:
        """What is made, or None and one problem more."""
        try:
            return make()
        except InputError as error:
            self.found.append(error)
            return None


def _entry(label: str, key: str, first: str = "", **more: Any) -> str:
    """A text entry that outlives a change of page."""
    if key not in st.session_state:
        st.session_state[key] = first
    width = more.pop("width", 150)
    typed: str = st.text_input(
        label,
        key=key,
        max_chars=200,
        persist_state="session",
        width=width,
        **more,
    )
    return typed.strip()


def _percent(label: str, text: str) -> Fraction:
    """A share; a bare number is a percentage."""
    try:
        return parse_share(label, text if "%" in text else f"{text}%")
    except InputError:
        raise InputError(label, text, "a percentage such as 5 or 5.25") from None


def _target(paytable: Paytable, problems: _Problems) -> tuple[Target | None, tuple[int, ...]]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        edge = _entry("Target edge, %", "target-edge", "5")
        spread = _entry(
            "Tolerance, ± points",
            "target-tolerance",
            "0.25",
            help="Every edge within the tolerance is right; among those the most readable "
            "paytables come first.",
        )
        if "target-decks" not in st.session_state:
            st.session_state["target-decks"] = [paytable.decks[0]]
        decks = st.multiselect(
            "With all of these decks",
            range(1, MAX_DECKS + 1),
            key="target-decks",
            persist_state="session",
            width=300,
            help="The same pays must hit the target with each of these deck counts.",
        )
        own = st.toggle(
            "A target for each",
            key="target-own",
            persist_state="session",
            disabled=len(decks) < 2,
            help="Edges that differ with the number of decks.",
        )
    aims: dict[int, str] = {}
    if own and len(decks) > 1:
        with st.container(horizontal=True):
            aims = {n: _entry(f"Edge with {n}, %", f"target-edge-{n}", edge) for n in decks}

    def made() -> Target:
        if not decks:
            raise InputError("With all of these decks", "", "one deck count or more")
        tolerance = _percent("Tolerance, ± points", spread)
        bands = {}
        for number, text in aims.items():
            aim = _percent(f"Edge with {number}, %", text)
            bands[number] = (aim - tolerance, aim + tolerance)
        return Target.around(_percent("Target edge, %", edge), tolerance, bands)

    return problems.read(made), tuple(decks)


def _tiers(
    paytable: Paytable, problems: _Problems
) -> tuple[dict[str, TierLimits], dict[str, object]]:
    limits: dict[str, TierLimits] = {}
    keep: dict[str, object] = {}
    for place, tier in enumerate(paytable.tiers):
        if tier.pays is None:
            continue
        found, kept = _tier(paytable, tier, problems, first=place == 0)
        if kept:
            keep[tier.name] = None
        if found is not None:
            limits[tier.name] = found
    return limits, keep


def _tier(
    paytable: Paytable, tier: Tier, problems: _Problems, *, first: bool
) -> tuple[TierLimits | None, bool]:
    key = f"limit-{paytable.name}-{tier.name}"
    shown = "visible" if first else "collapsed"
    title = bet_tables.plain(tier.title)
    with st.container(horizontal=True, vertical_alignment="bottom", key=f"limits-{tier.name}"):
        st.markdown(f"{title}  \nnow {bet_tables.pay_text(tier)}", width=210)
        kept = st.toggle("Keep", key=f"{key}-keep", persist_state="session", width=90)
        typed = _entry(
            "Pays" if first else f"Pays of {title}",
            f"{key}-pays",
            width="stretch",
            disabled=kept,
            placeholder="any printable pay",
            label_visibility=shown,
            help="A range 100-300, a range with a step 100-300:5, or a list 100,150,200."
            if first
            else None,
        )
        share = _entry(
            "Share of return, at most %" if first else f"Share of return, {title}",
            f"{key}-share",
            width=200,
            placeholder="any",
            label_visibility=shown,
            help="Of all that is paid back, stakes of winners included." if first else None,
        )
    return problems.read(lambda: _limits(tier, "" if kept else typed, share)), kept


def _limits(tier: Tier, typed: str, share: str) -> TierLimits | None:
    most = _percent(f"Share of return, {tier.title}", share) if share else None
    found = None
    if typed:
        try:
            found = parse_limits(f"x={typed}")[1]
        except InputError as error:
            allowed = "a range 100-300, a range with a step 100-300:5, or a list 100,150,200"
            detail = allowed if error.field == "steps" else error.allowed
            raise InputError(f"Pays of {tier.title}", typed, detail) from None
    if most is not None:
        base = found or TierLimits()
        found = TierLimits(base.low, base.high, base.step, base.pays, most)
    return found


def _whole(problems: _Problems) -> dict[str, Any]:
    with st.container(horizontal=True):
        order = st.selectbox(
            "Order of pays",
            list(_ORDERS),
            format_func=_ORDERS.__getitem__,
            key="limit-order",
            persist_state="session",
            width=250,
        )
        deviation = _window(problems, "Standard deviation", "limit-deviation", percent=False)
        hits = _window(problems, "Hit frequency, %", "limit-hits", percent=True)
    with st.container(horizontal=True):
        award = _number(problems, "Top award at most", "limit-award", "any")
        exposure = _number(problems, "Exposure at most, currency", "limit-exposure", "any")
        bet = _number(problems, "Largest bet", "limit-bet", "100")
        seats = st.number_input(
            "Seats", 1, 100, 7, key="limit-seats", persist_state="session", width=110
        )
    printable = _entry(
        "Printable pays",
        "limit-printable",
        width="stretch",
        placeholder="1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50 ...",
        help="The pays that may be printed, separated by commas. Empty for the usual ones.",
    )
    listed = tuple(part.strip() for part in printable.split(",") if part.strip())
    for pay in listed:
        problems.read(partial(parse_fraction, "Printable pays", pay))
    return {
        "order": order,
        "deviation": deviation,
        "hits": hits,
        "top_award": award,
        "exposure": exposure,
        "maximum_bet": bet or Fraction(100),
        "seats": int(seats),
        "printable": listed or None,
    }


def _window(problems: _Problems, label: str, key: str, *, percent: bool) -> Window | None:
    low = _entry(f"{label}, from", f"{key}-low", placeholder="any", width=190)
    high = _entry("to", f"{key}-high", placeholder="any", width=110)

    def read(text: str) -> Fraction | None:
        if not text:
            return None
        return _percent(label, text) if percent else parse_fraction(label, text)

    return problems.read(lambda: Window(read(low), read(high))) if low or high else None


def _number(problems: _Problems, label: str, key: str, placeholder: str) -> Fraction | None:
    text = _entry(label, key, placeholder=placeholder, width=200)
    return problems.read(lambda: parse_fraction(label, text)) if text else None


def _more(paytable: Paytable) -> tuple[int, MeterBasis]:
    meter: MeterBasis = None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        top = st.number_input(
            "Paytables to show",
            1,
            500,
            20,
            key="target-top",
            persist_state="session",
            width=150,
        )
        if paytable.meter is not None:
            long_run = st.toggle(
                "Edge in the long run of the meter",
                key="target-long-run",
                persist_state="session",
                help="What is paid into a meter is paid out of it. Otherwise the meter's amount.",
            )
            meter = "long run" if long_run else None
    return int(top), meter
