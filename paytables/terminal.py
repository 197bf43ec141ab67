"""Tables and the colour strategy chart of the main game for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rich import box
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.style import Style
from rich.table import Table
from rich.text import Text

from odds.game import GameOdds, HandOdds
from odds.rules import Rules
from odds.strategy import REGIMES, Action, Chart
from paytables.chart_style import (
    ACTION_CODES,
    CODE_STYLES,
    codes_used,
    edge_change,
    hand_name,
    percent,
    sections,
    value_name,
)
from paytables.presets import TablePreset
from paytables.readings import ReadingResult
from paytables.rule_fields import rule_fields, show_rules, summarize_rules

UPCARDS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)
FLOAT_NOTE = (
    "Card counts, rules and pays are exact; probabilities and values are float64, "
    "with an error below 1e-12."
)


def _code_style(code: str) -> Style:
    look = CODE_STYLES.get(code)
    return Style(color=look.ink, bgcolor=look.background, bold=True) if look else Style(bold=True)


def plain_table(title: str = "", *, caption: str = "") -> Table:
    """An empty table in the house style."""
    return Table(
        title=title or None,
        caption=caption or None,
        title_justify="left",
        caption_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        collapse_padding=True,
        header_style="dim",
    )


def header(title: str, rules: Rules, odds: GameOdds) -> RenderableType:
    """The table's name, its rules in short, and what the figures stand for."""
    shoe = odds.shoe
    parts = summarize_rules(rules)
    if shoe.full_decks is None:
        parts[0] = f"custom shoe of {shoe}"
    definition = REGIMES.get(odds.regime)
    lines = Text()
    lines.append(title + "\n", style="bold")
    lines.append(" · ".join(parts) + "\n")
    lines.append(f"Strategy {odds.regime}", style="bold dim")
    lines.append(f": {definition}.\n" if definition else ".\n", style="dim")
    lines.append(FLOAT_NOTE, style="dim")
    return lines


def summary(odds: GameOdds) -> RenderableType:
    """The four figures of the whole game."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column()
    table.add_column(justify="right", style="bold")
    table.add_column(style="dim")
    rows = (
        ("House edge", percent(odds.house_edge, 6), "lost per unit of the initial bet"),
        ("Expected value", f"{odds.expected_value:+.12f}", "units per round, insurance apart"),
        ("Element of risk", percent(odds.element_of_risk, 6), "lost per unit of all bets"),
        ("Average action", f"{odds.average_action:.6f}", "units bet per round"),
    )
    for row in rows:
        table.add_row(*row)
    exact = odds.exact_expected_value
    if exact is None:
        return table
    error = float(Fraction(odds.expected_value) - exact)
    lines = Text(f"Exact expected value {exact}\n", overflow="fold")
    lines.append(f"The float64 value above is off by {error:+.1e}.", style="dim")
    return Group(table, lines)


def upcard_table(odds: GameOdds) -> Table:
    """Value by upcard and where the dealer ends, one row an upcard."""
    table = plain_table(
        "By upcard",
        caption="Chances in %; dealer's totals with only the upcard out of the shoe.",
    )
    table.add_column("up", style="bold", no_wrap=True)
    table.add_column("chance", justify="right", no_wrap=True)
    table.add_column("value", justify="right", no_wrap=True)
    keys = ("17", "18", "19", "20", "21", "blackjack", "bust")
    for key in keys:
        table.add_column("BJ" if key == "blackjack" else key, justify="right", no_wrap=True)
    for up in UPCARDS:
        chance = odds.upcard_probability.get(up, 0.0)
        if chance == 0:
            continue
        value = odds.value_by_upcard[up]
        totals = odds.dealer_totals(up)
        table.add_row(
            value_name(up),
            f"{100 * chance:.2f}",
            Text(f"{value:+.6f}", style="green" if value > 0 else "red"),
            *(f"{100 * totals.get(key, 0.0):.2f}" for key in keys),
        )
    return table


def legend(codes: Sequence[str]) -> RenderableType:
    """The codes that occur, each in its colour."""
    entries = []
    for code in codes:
        look = CODE_STYLES.get(code)
        text = Text(f" {code:<2} ", style=_code_style(code))
        entries.append(Text.assemble(text, f" {look.meaning if look else code} "))
    return Columns(entries)


def chart(odds: GameOdds) -> RenderableType:
    """The strategy chart in colour, its legend, and the hands that differ from their cell."""
    drawn: Chart = odds.chart()
    parts: list[RenderableType] = []
    marked: list[Text] = []
    for section in sections(drawn):
        table = Table(
            title=section.title,
            title_justify="left",
            title_style="bold",
            box=None,
            padding=0,
            pad_edge=False,
            header_style="bold",
        )
        table.add_column("", width=7)
        for up in drawn.upcards:
            table.add_column(value_name(up), justify="center", width=5)
        for label, row in section.rows:
            cells: list[Text] = []
            for up in drawn.upcards:
                cell = row.get(up)
                if cell is None:
                    cells.append(Text(""))
                    continue
                star = "*" if cell.exceptions else " "
                cells.append(Text(f" {cell.code + star:<4}", style=_code_style(cell.code)))
                for cards in cell.exceptions:
                    best = odds.hand(cards, up).best
                    marked.append(_exception(cards, up, best))
            table.add_row(label, *cells)
        parts += [table, Text("")]
    parts.append(legend(codes_used(drawn)))
    if marked:
        parts.append(Text("\n* two-card hands that play differently from their total:", "dim"))
        parts.append(Padding(Text(", ").join(marked), (0, 0, 0, 2)))
    return Group(*parts)


def _exception(cards: tuple[int, ...], up: int, best: Action) -> Text:
    text = Text(f"{hand_name(cards)} v {value_name(up)} ")
    text.append(best.value, style="bold")
    return text


def hand_report(hand: HandOdds, rules: Rules) -> RenderableType:
    """Every action of a hand with its value, what the second best costs, and the dealer."""
    kind = "natural" if hand.natural else f"{'soft' if hand.soft else 'hard'} {hand.total}"
    same = {True: ", of the same rank", False: ", of different ranks", None: ""}[hand.same_rank]
    title = f"{hand_name(hand.cards)} against {value_name(hand.upcard)}  ({kind}{same})"
    table = plain_table(title)
    table.add_column("action")
    if hand.conditional:
        table.add_column("given no\ndealer blackjack", justify="right")
        table.add_column("dealer blackjack\nincluded", justify="right")
    else:
        table.add_column("dealer blackjack\nincluded", justify="right")
    table.add_column("against\nthe best", justify="right")
    best_value = hand.values[hand.best]
    for action in sorted(hand.values, key=lambda a: hand.values[a], reverse=True):
        value = hand.values[action]
        row: list[RenderableType] = [
            Text(f" {action.value} ", style=_code_style(ACTION_CODES[action])),
            Text(f"{value:+.9f}", style="bold" if action is hand.best else ""),
        ]
        if hand.conditional:
            row.append(f"{hand.unconditional[action]:+.9f}")
        row.append("best" if action is hand.best else f"{value - best_value:+.9f}")
        table.add_row(*row)
    return Group(table, _hand_facts(hand, rules), _hand_dealer(hand))


def _hand_facts(hand: HandOdds, rules: Rules) -> Text:
    facts = [f"Best is to {hand.best.value}."]
    if hand.second_best is not None and hand.cost_of_second_best is not None:
        facts.append(
            f"The second best, to {hand.second_best.value}, costs {hand.cost_of_second_best:.9f}."
        )
    if hand.probability is not None:
        one_in = f", 1 in {1 / hand.probability:,.0f}" if hand.probability > 0 else ""
        facts.append(f"Dealt with this upcard in {percent(hand.probability, 5)} of rounds{one_in}.")
    if hand.dealer_blackjack > 0:
        seen = "peeked for" if hand.conditional else "not peeked for"
        facts.append(f"Dealer blackjack: {percent(hand.dealer_blackjack)}, {seen}.")
    if hand.insurance is not None:
        offered = "" if rules.insurance else " (not offered here)"
        facts.append(f"Insurance returns {hand.insurance:+.6f} per unit of insurance{offered}.")
    if hand.even_money is not None:
        offered = "" if rules.even_money else " (not offered here)"
        facts.append(f"Even money against waiting: {hand.even_money:+.6f}{offered}.")
    return Text("\n".join(facts))


def _hand_dealer(hand: HandOdds) -> Table:
    table = plain_table("\nDealer's totals given this hand, %")
    for key in hand.dealer:
        table.add_column(key, justify="right")
    table.add_row(*(f"{100 * chance:.4f}" for chance in hand.dealer.values()))
    return table


def readings_table(
    preset: TablePreset, base_edge: float, results: Sequence[ReadingResult]
) -> Group:
    """What the text leaves open, the reading taken, and the edge under every other one."""
    parts: list[RenderableType] = [
        Text(f"What the text leaves open: {preset.title} ({preset.source})", style="bold"),
        Text(""),
    ]
    for assumption in preset.assumptions:
        parts.append(Text(assumption.topic, style="bold"))
        parts.append(Padding(Text(assumption.gap, style="dim"), (0, 0, 0, 2)))
        table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
        table.add_column(width=1)
        table.add_column(ratio=1)
        table.add_column(justify="right", no_wrap=True)
        table.add_column(justify="right", no_wrap=True, min_width=8)
        own = [result for result in results if result.assumption is assumption]
        taken_edge = percent(base_edge) if own else ""
        table.add_row("●", Text(assumption.reading, style="bold"), taken_edge, "")
        for result in own:
            if result.house_edge is None:
                shown, change = "", Text(result.problem or "", style="dim")
            else:
                shown = percent(result.house_edge)
                difference = result.house_edge - base_edge
                colour = "" if abs(difference) < 1e-12 else "red" if difference > 0 else "green"
                change = Text(edge_change(difference), style=colour)
            table.add_row("○", result.reading.reading, shown, change)
        table.expand = True
        parts.append(Padding(table, (0, 0, 0, 2)))
        if assumption.remark:
            parts.append(Padding(Text(assumption.remark, style="dim italic"), (0, 0, 0, 4)))
        parts.append(Text(""))
    parts.append(
        Text(
            "● taken  ○ other readings, one at a time: house edge and its change in percentage "
            "points (none: below 1e-10, where float64 cannot tell it from 0)",
            "dim",
        )
    )
    return Group(*parts)


def presets_table(presets: Sequence[TablePreset]) -> Table:
    """The presets by name."""
    table = plain_table("Presets")
    table.add_column("name", style="bold", no_wrap=True)
    table.add_column("table")
    table.add_column("open points", justify="right")
    for preset in presets:
        described = Text(preset.title)
        described.append(f"\n{preset.summary}", style="dim")
        table.add_row(preset.name, described, str(len(preset.assumptions)))
    return table


def fields_table() -> Table:
    """Every field of the rules: option, allowed values, default and meaning."""
    table = plain_table("Rules")
    table.add_column("field", no_wrap=True, style="bold")
    table.add_column("allowed (default)", max_width=26)
    table.add_column("meaning")
    group = ""
    for field in rule_fields():
        if field.group != group:
            group = field.group
            table.add_section()
            table.add_row(Text(group, style="bold dim"), "", "")
        allowed = Text(field.allowed)
        allowed.append(f"\n({field.show(field.default)})", style="dim")
        table.add_row(field.name, allowed, field.text.replace("`", ""))
    return table


def preset_report(preset: TablePreset) -> Group:
    """A preset's rules, notes and open points, without computing anything."""
    table = plain_table()
    table.add_column("rule", no_wrap=True)
    table.add_column("value", style="bold")
    default = show_rules(Rules())
    for name, value in show_rules(preset.rules).items():
        table.add_row(name, Text(value, style="" if value == default[name] else "cyan"))
    parts: list[RenderableType] = [
        Text(f"{preset.title}  ({preset.source})", style="bold"),
        Text(preset.summary),
        table,
    ]
    if preset.notes:
        parts.append(Text("Also in the text, without effect on the edge", style="bold"))
        parts += [Padding(Text(f"· {note}"), (0, 0, 0, 2)) for note in preset.notes]
    if preset.assumptions:
        parts.append(Text("\nLeft open by the text, and how it is read", style="bold"))
        for assumption in preset.assumptions:
            line = Text(f"· {assumption.topic}: ", style="bold")
            line.append(assumption.reading, style="not bold")
            parts.append(Padding(line, (0, 0, 0, 2)))
        parts.append(
            Text(f"\npaytables game {preset.name} --assumptions prices each reading.", style="dim")
        )
    return Group(*parts)


def print_all(console: Console, *parts: RenderableType) -> None:
    """Print renderables with a blank line between them."""
    for number, part in enumerate(parts):
        if number:
            console.print()
        console.print(part)
