"""The vulnerability of a bet as tables for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from odds.cards import RANK_NAMES, SUIT_SIGNS
from odds.counting_system import CountingSystem, ScoredSystem, insurance_correlation
from odds.running_count import DECK
from odds.shoe import Shoe
from paytables import terminal
from paytables.played_out import PlayedRow
from paytables.vulnerability import Vulnerability, VulnerabilityRow, interval
from paytables.vulnerability_terms import PLAYED

SYSTEMS_COMPARED = ("hi-lo", "ko", "hi-opt-1", "hi-opt-2", "omega-2", "zen", "halves")


def report(
    found: Vulnerability,
    played: Sequence[PlayedRow] | None = None,
    *,
    true_counts: bool = False,
) -> list[RenderableType]:
    """Everything as tables for a terminal."""
    parts: list[RenderableType] = [_head(found), effects_table(found)]
    if found.exactness == "linear":
        parts.append(_systems_table(found))
    if found.used is None:
        parts.append(
            Text(
                "Every card has the same effect, 0: no sum of tags tells anything about this bet. "
                "It can only be attacked by knowing more of the cards left than a sum."
            )
        )
    else:
        parts.append(_counter_table(found, found.used))
    if played is not None:
        parts.append(_played_table(played))
    if any(row.ceilings is not None for row in found.rows):
        parts.append(_ceilings_table(found))
    if true_counts and found.true_counts:
        parts.append(_true_counts_table(found))
    lines = [*found.definitions(), *([] if played is None else [PLAYED])]
    parts.append(Group(*(Text(f"· {line}", style="dim") for line in lines)))
    return parts


def _signed(value: float, digits: int = 3) -> str:
    return f"{100 * value:+.{digits}f} %"


def _share(value: float) -> str:
    return f"{100 * value:.2f} %" if value >= 0.0001 or value == 0 else f"{100 * value:.1g} %"


def _units(value: float) -> str:
    return f"{100 * value:.3f}"


def _plus_minus(value: float, error: float) -> str:
    return f"{100 * value:.3f} ± {100 * interval(error):.3f}"


def _head(found: Vulnerability) -> Text:
    decks = f"{found.decks} deck{'s' if found.decks > 1 else ''}"
    head = Text()
    head.append(f"{found.name}, {decks}\n", style="bold")
    head.append("The player's edge off the top: ")
    head.append(_signed(found.expected, 4), style="bold")
    if found.exact_effects is not None:
        exact = str(found.exact_effects.expected)
        if len(exact) <= 40:
            head.append(f" = {exact}", style="dim")
    if found.offered < 1:
        head.append(f"; offered in {_share(found.offered)} of rounds")
    return head


def rows_of_cards(found: Vulnerability) -> list[tuple[str, list[int]]]:
    """Cards with the same effect and tags: their names and card numbers, in the order of ranks."""
    systems = [scored.system.tags for scored in found.systems]

    def like(i: int) -> tuple[object, ...]:
        # A card without an effect is not in the shoe; float effects differ by rounding alone.
        effect = found.effects[i]
        return (None if effect is None else round(effect, 13), *(tags[i] for tags in systems))

    # For each rank its suits by what they are like; ranks in a row that agree share their lines.
    ranks: list[tuple[list[int], dict[tuple[object, ...], list[int]]]] = []
    for rank in range(13):
        suits: dict[tuple[object, ...], list[int]] = {}
        for suit in range(4):
            if found.effects[4 * rank + suit] is not None:
                suits.setdefault(like(4 * rank + suit), []).append(suit)
        if ranks and ranks[-1][1] == suits:
            ranks[-1][0].append(rank)
        elif suits:
            ranks.append(([rank], suits))
    lines = []
    for same, by_kind in ranks:
        names = " ".join(RANK_NAMES[rank] for rank in same)
        for suits_alike in by_kind.values():
            signs = "".join(SUIT_SIGNS[suit] for suit in suits_alike)
            name = names if len(by_kind) == 1 else f"{names} {signs}"
            lines.append((name, [4 * rank + suit for rank in same for suit in suits_alike]))
    return lines


def effects_table(found: Vulnerability) -> Table:
    """Effects of removal with the tags of every system, and the betting correlations."""
    table = terminal.plain_table("Effect of removing one card, and tags")
    table.add_column("card", style="bold", no_wrap=True)
    table.add_column("in the shoe", justify="right", no_wrap=True)
    table.add_column("effect on the edge", justify="right")
    for scored in found.systems:
        used = found.used is not None and scored.system == found.used.system
        name = scored.system.name.replace("best of level", "level")
        name = name if len(name) <= 12 else "given"
        table.add_column(f"{name} *" if used else name, justify="right", no_wrap=True)
    for names, cards in rows_of_cards(found):
        number = sum(found.counts_of_cards[i] for i in cards)
        tags = [f"{s.system.tags[cards[0]]:+d}".replace("+0", "0") for s in found.systems]
        table.add_row(names, str(number), _signed(found.effects[cards[0]] or 0.0, 4), *tags)
    if found.systems:
        shoe = Shoe(found.counts_of_cards)
        table.add_section()
        table.add_row("correlation", "", "", *(f"{s.correlation:.4f}" for s in found.systems))
        table.add_row(
            "sum of tags",
            "",
            "",
            *(f"{s.system.total(shoe):+d}".replace("+0", "0") for s in found.systems),
        )
    if found.exact_effects is not None and found.exact_effects.suits_matter and found.systems:
        table.caption = (
            f"Suits matter: no tags by rank can be above {found.best_without_suits:.4f}; "
            "--by card has tags by suit."
        )
    return table


def _systems_table(found: Vulnerability) -> Table:
    table = terminal.plain_table("Well-known systems at this table")
    table.add_column("system", style="bold")
    table.add_column("betting correlation", justify="right")
    table.add_column("insurance correlation", justify="right")
    shoe = Shoe(found.counts_of_cards)
    named = [CountingSystem.named(name) for name in SYSTEMS_COMPARED]
    own = [s.system for s in found.systems if s.system.name not in SYSTEMS_COMPARED]
    for system in (*named, *own):
        table.add_row(
            system.name,
            f"{system.correlation(found.effects, shoe):.3f}",
            f"{insurance_correlation(system, shoe):.3f}",
        )
    return table


def _cut_off(behind: int) -> str:
    return f"{behind / DECK:.3g} ({behind})"


def _place(row: VulnerabilityRow) -> tuple[str, str, str]:
    return (
        _cut_off(row.behind),
        f"{100 * row.dealt:.1f} %",
        str(row.rounds),
    )


def _place_columns(table: Table) -> None:
    table.add_column("decks (cards) cut off")
    table.add_column("dealt", justify="right", no_wrap=True)
    table.add_column("rounds", justify="right")


def _counter_table(found: Vulnerability, used: ScoredSystem) -> Table:
    kind = "linear estimate" if found.exactness == "linear" else "exact"
    name = used.system.name if len(used.system.name) <= 40 else "the given tags"
    table = terminal.plain_table(
        f"A counter with {name}, one unit at the trigger ({kind})",
        caption=f"{used.system}. The edge changes by {_signed(found.edge_per_true_count)} with "
        "each true count (linear).",
    )
    _place_columns(table)
    table.add_column("trigger", justify="right", no_wrap=True)
    table.add_column("bets", justify="right", no_wrap=True)
    table.add_column("average edge", justify="right", no_wrap=True)
    table.add_column("units per 100 rounds", justify="right", style="bold")
    for row in found.rows:
        betting = row.betting
        if betting is None:
            continue
        if betting.trigger is None and betting.lower is None:
            table.add_row(*_place(row), "never", _share(0.0), "", _units(0.0))
            continue
        trigger = [] if betting.trigger is None else [f"≥ {betting.trigger:+g}"]
        trigger += [] if betting.lower is None else [f"< {betting.lower:+g}"]
        table.add_row(
            *_place(row),
            " or ".join(trigger),
            _share(betting.share),
            _signed(betting.edge),
            _units(betting.gain),
        )
    return table


def _played_table(rows: Sequence[PlayedRow]) -> Table:
    table = terminal.plain_table(
        f"The same counter in {rows[0].shoes:,} shoes played out heads-up (95 % intervals)"
    )
    table.add_column("decks (cards) cut off")
    for name in ("rounds", "cards a round", "bets", "average edge"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("units per 100 rounds", justify="right", style="bold")
    for row in rows:
        table.add_row(
            _cut_off(row.behind),
            f"{row.rounds:.1f}",
            f"{row.cards_per_round:.2f}",
            _share(row.share),
            _signed(row.edge),
            _plus_minus(row.gain, row.error),
        )
    return table


def _ceilings_table(found: Vulnerability) -> Table:
    table = terminal.plain_table("Ceilings (simulated, units per 100 rounds, 95 % intervals)")
    table.add_column("decks (cards) cut off")
    table.add_column("best linear count", justify="right", no_wrap=True)
    ceilings = [(row.behind, row.ceilings) for row in found.rows if row.ceilings is not None]
    if any(each.perfect is not None for _, each in ceilings):
        table.add_column("perfect play", justify="right", style="bold", no_wrap=True)
        table.add_column("bets", justify="right", no_wrap=True)
        table.add_column("average edge", justify="right", no_wrap=True)
    for behind, each in ceilings:
        cells = [_plus_minus(each.linear.gain, each.linear.error)]
        if (best := each.perfect) is not None:
            cells += [_plus_minus(best.gain, best.error), _share(best.share), _signed(best.edge)]
        table.add_row(_cut_off(behind), *cells)
    return table


def _true_counts_table(found: Vulnerability) -> Table:
    row = found.rows[0]
    table = terminal.plain_table(
        f"Edge by true count, {_place(row)[0]} cut off", caption="True counts are rounded down."
    )
    for name in ("true count", "rounds", "average edge"):
        table.add_column(name, justify="right")
    for each in found.true_counts:
        if each.share >= 1e-4:
            style = "green" if each.edge > 0 else ""
            edge = Text(_signed(each.edge), style=style)
            table.add_row(f"{each.true_count:+g}", _share(each.share), edge)
    return table
