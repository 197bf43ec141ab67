"""The sidebar form for a table: preset, strategy regime and every rule."""

from __future__ import annotations

import re
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from odds.errors import InputError
from odds.rules import Rules
from odds.shoe import Shoe
from odds.strategy import REGIMES
from paytables.presets import TablePreset, load_preset, preset_names
from paytables.rule_fields import RuleField, parse_rules, rule_field, rule_fields, show_rules
from paytables.shoe_text import remove_seen, set_counts
from paytables.ui import bet_tables, table_link

FIRST_PRESET = "sweet16"
_KEPT = "table"
_SUGGESTED = {
    "blackjack_pays": ("3:2", "6:5", "7:5", "2:1", "1:1"),
    "double_on": ("any", "9-11", "10,11", "11"),
}

# A field that means nothing beside another one: when, why, and the value it then has.
_IDLE: dict[str, tuple[Callable[[dict[str, Any]], bool], str, object]] = {
    "dealer_blackjack_takes": (
        lambda now: now["peek"] == "ace_ten",
        "Only matters where the dealer does not peek under ace and ten.",
        "all",
    ),
    "max_split_hands_aces": (
        lambda now: now["max_split_hands"] == 1,
        "There is no splitting.",
        1,
    ),
    "hit_split_aces": (lambda now: now["max_split_hands_aces"] == 1, "Aces are not split.", False),
    "double_split_aces": (
        lambda now: now["max_split_hands_aces"] == 1 or not now["double_after_split"],
        "Needs split aces and doubling after a split.",
        False,
    ),
    "surrender_any_cards": (
        lambda now: now["surrender"] == "none",
        "Surrender is not offered.",
        False,
    ),
}


@dataclass(frozen=True, slots=True)
class TableChoice:
    """What the form says.

    Attributes:
        preset: The chosen preset.
        rules: The rules, or the last good ones where the entries contradict each other.
        shoe: The shoe, where cards have been seen.
        strategy: The regime.
        problem: What is wrong with the entries, or None.
    """

    preset: TablePreset
    rules: Rules
    shoe: Shoe | None
    strategy: str
    problem: InputError | None


def explain(error: InputError) -> str:
    """The error with the labels of the form in place of field names, as Markdown.

    What was typed is shown as it is: it may come from someone else's link.
    """
    labels = {field.name: f"“{field.label}”" for field in rule_fields()}
    names = re.compile(r"\b(" + "|".join(sorted(labels, key=len, reverse=True)) + r")\b")
    field = labels.get(error.field, f"“{error.field}”")
    return f"{field} is {bet_tables.plain(str(error.value))}; allowed is " + names.sub(
        lambda found: labels[found[0]], error.allowed
    )


def _key(name: str) -> str:
    return f"rule-{name}"


def _widget_value(field: RuleField, rules: Rules) -> Any:
    value = getattr(rules, field.name)
    return field.show(value) if field.kind in ("pays", "totals") else value


def _fill(state: MutableMapping[Any, Any], rules: Rules) -> None:
    for field in rule_fields():
        state[_key(field.name)] = _widget_value(field, rules)


def _take_preset() -> None:
    _fill(st.session_state, load_preset(st.session_state["preset"]).rules)


def entries() -> dict[str, Any]:
    """What the form says now, by rule."""
    return {field.name: st.session_state[_key(field.name)] for field in rule_fields()}


def take_change(before: Rules, after: Rules, drawn: dict[str, Any]) -> None:
    """Put changed rules on the form (in a callback).

    An entry typed just before the click stays, unless the change is about it.

    Args:
        before: The rules that were changed.
        after: The changed rules.
        drawn: The form's entries as `before` was read from them.
    """
    now = entries()
    for field in rule_fields():
        name = field.name
        if now[name] == drawn[name] or getattr(before, name) != getattr(after, name):
            st.session_state[_key(name)] = _widget_value(field, after)


def _restore() -> None:
    """Put entries back that Streamlit dropped while another page was shown."""
    if _KEPT not in st.session_state:
        first = {"preset": FIRST_PRESET, "strategy": next(iter(REGIMES)), "seen": "", "counts": ""}
        first[table_link.CHART] = ""
        _fill(first, load_preset(FIRST_PRESET).rules)
        st.session_state[_KEPT] = first
        if link := st.query_params.get(table_link.LINK):
            try:
                st.session_state[_KEPT] = first | table_link.read_entries(link)
            except InputError as error:
                st.error(
                    f"The table in the link cannot be read: {error.field} allows {error.allowed}. "
                    "This is the first table instead."
                )
    for key, value in st.session_state[_KEPT].items():
        if key not in st.session_state:
            st.session_state[key] = value


def _keep() -> None:
    kept = st.session_state[_KEPT]
    st.session_state[_KEPT] = {key: st.session_state.get(key, value) for key, value in kept.items()}


def _field(field: RuleField, why_idle: str | None) -> Any:
    key = _key(field.name)
    text = field.text.replace("`", "**")
    hint = f"{text}\n\n*{why_idle}*" if why_idle else text
    common: dict[str, Any] = {"key": key, "help": hint, "disabled": why_idle is not None}
    if field.kind == "flag":
        return st.toggle(field.label, **common)
    if field.kind == "choice":
        return st.selectbox(field.label, field.choices, format_func=field.choice_label, **common)
    if field.kind in ("pays", "totals"):
        options = list(dict.fromkeys((*_SUGGESTED[field.name], st.session_state[key])))
        return st.selectbox(field.label, options, accept_new_options=True, **common)
    low, high = field.bounds or (1, 99)
    if field.kind == "limit":
        return st.number_input(
            field.label, low, high, step=1, value=None, placeholder="no limit", **common
        )
    return st.number_input(field.label, low, high, step=1, **common)


def table_form() -> TableChoice:
    """Draw the form in the sidebar and read it. Wrong entries stay on the form."""
    _restore()
    with st.sidebar:
        st.selectbox(
            "Table",
            preset_names(),
            key="preset",
            format_func=lambda name: load_preset(name).title,
            on_change=_take_preset,
            help="A table whose rule text is known. Every rule below may be changed.",
        )
        preset = load_preset(st.session_state["preset"])
        changed_place = st.container()
        st.selectbox(
            "Strategy of split hands",
            list(REGIMES),
            key="strategy",
            help="\n\n".join(f"**{name}**: {text}." for name, text in REGIMES.items()),
        )
        values, idle = _groups()
    rules, problem = _read(values, idle, preset)
    shoe = None
    try:
        shoe = _shoe(rules.decks, st.session_state["counts"], st.session_state["seen"])
    except InputError as error:
        problem = problem or error
    with changed_place:
        _show_changes(preset, rules)
    _keep()
    table_link.show(st.session_state[_KEPT])
    return TableChoice(preset, rules, shoe, st.session_state["strategy"], problem)


def _shoe(decks: int, counts: str, seen: str) -> Shoe | None:
    """The shoe with other counts and without the cards seen, or None for whole decks."""
    if not counts.strip() and not seen.strip():
        return None
    shoe = set_counts(Shoe.decks(decks), counts)
    return remove_seen(shoe, seen) if seen.strip() else shoe


def _groups() -> tuple[dict[str, Any], set[str]]:
    """Every rule, group by group; the values and the names of those that mean nothing now."""
    now = {f.name: st.session_state[_key(f.name)] for f in rule_fields()}
    idle: set[str] = set()
    groups = list(dict.fromkeys(field.group for field in rule_fields()))
    for number, group in enumerate(groups):
        with st.expander(group, expanded=number == 0):
            for field in (f for f in rule_fields() if f.group == group):
                is_idle, why, neutral = _IDLE.get(field.name, (lambda _: False, "", None))
                if is_idle(now):
                    idle.add(field.name)
                    now[field.name] = neutral
                    _field(field, why)
                else:
                    now[field.name] = _field(field, None)
            if number == 0:
                st.text_input(
                    "Cards already out of the shoe",
                    key="seen",
                    placeholder="A,10,K",
                    help="Ranks separated by commas. The odds are then those of the cards left.",
                )
                st.text_input(
                    "Custom shoe: counts that differ",
                    key="counts",
                    placeholder="A=20, 10=90",
                    help="Cards of a rank (A=20) or of one card (7H=0); what is not named stays as "
                    "in whole decks. 10, J, Q and K are ranks of their own.",
                )
    return now, idle


def _read(
    values: dict[str, Any], idle: set[str], preset: TablePreset
) -> tuple[Rules, InputError | None]:
    try:
        rules = parse_rules(values)
    except InputError as error:
        good: Rules = st.session_state.get("good-rules", preset.rules)
        return good, error
    st.session_state["good-rules"] = rules
    return rules, None


def _show_changes(preset: TablePreset, rules: Rules) -> None:
    before, after = show_rules(preset.rules), show_rules(rules)
    changed = [name for name in after if after[name] != before[name]]
    if not changed:
        st.caption("Rules as read from the table's text.")
        return
    lines = [f"{rule_field(name).label}: {before[name]} → {after[name]}" for name in changed]
    st.caption("Changed  \n" + "  \n".join(lines))
    st.button("Back to the table's rules", on_click=_take_preset, icon=":material/undo:")
