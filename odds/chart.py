"""The strategy chart: composition-dependent decisions summarised by total."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from odds.cards import value_name
from odds.game import GameOdds, HandOdds
from odds.strategy import Action, Chart, ChartCell

CHART_UPCARDS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)

CODES: dict[str, str] = {
    "H": "hit",
    "S": "stand",
    "Dh": "double, or hit where doubling is not allowed",
    "Ds": "double, or stand where doubling is not allowed",
    "P": "split",
    "Rh": "surrender, or hit where surrender is not allowed",
    "Rs": "surrender, or stand where surrender is not allowed",
    "Rp": "surrender, or split where surrender is not allowed",
}
"""What the codes of a chart mean."""


def action_code(values: dict[Action, float]) -> str:
    """The chart code of the best action, with the fall-back for double and surrender.

    Example:
        >>> action_code({Action.STAND: -0.2, Action.HIT: 0.1, Action.DOUBLE: 0.2})
        'Dh'
    """
    best = max(values, key=lambda action: values[action])
    plain = {Action.STAND: "s", Action.HIT: "h", Action.SPLIT: "p"}
    if best in plain:
        return plain[best].upper()
    choices = (Action.STAND, Action.HIT) if best is Action.DOUBLE else tuple(plain)
    rest = {action: values[action] for action in choices if action in values}
    return ("D" if best is Action.DOUBLE else "R") + plain[max(rest, key=lambda a: rest[a])]


def _cell(hands: list[HandOdds]) -> ChartCell:
    weight = sum(hand.probability or 0.0 for hand in hands)
    values = {
        action: sum((hand.probability or 0.0) * hand.values[action] for hand in hands) / weight
        for action in hands[0].values
        if all(action in hand.values for hand in hands)
    }
    best = max(values, key=lambda action: values[action])
    return ChartCell(
        action_code(values), values, tuple(hand.cards for hand in hands if hand.best is not best)
    )


def build_chart(odds: GameOdds) -> Chart:
    """Group the two-card hands by total; a cell shows what is best on average over its hands.

    A hand of the cell that would do better with another action is listed as an exception. Two
    tens that are no pair (pairs by rank) are left out, as are cells that cannot be dealt.
    """
    hands = [hand for hand in odds.starting_hands() if not hand.natural]

    def section(
        keys: range, belongs: Callable[[HandOdds, int], bool]
    ) -> dict[int, dict[int, ChartCell]]:
        rows: dict[int, dict[int, ChartCell]] = {}
        for key in keys:
            row = {}
            for up in CHART_UPCARDS:
                cell = [hand for hand in hands if hand.upcard == up and belongs(hand, key)]
                if cell:
                    row[up] = _cell(cell)
            if row:
                rows[key] = row
        return rows

    def paired(hand: HandOdds) -> bool:
        return hand.cards[0] == hand.cards[1]

    return Chart(
        upcards=CHART_UPCARDS,
        hard=section(range(5, 20), lambda h, key: h.total == key and not h.soft and not paired(h)),
        soft=section(range(13, 21), lambda h, key: h.total == key and h.soft and not paired(h)),
        pairs=section(
            range(1, 11),
            lambda h, key: paired(h) and h.cards[0] == key and h.same_rank is not False,
        ),
    )


@dataclass(frozen=True, slots=True)
class Section:
    """One of the three grids of a chart: its title and rows from top to bottom."""

    title: str
    rows: tuple[tuple[str, Mapping[int, ChartCell]], ...]


def sections(chart: Chart) -> Iterator[Section]:
    """Hard totals, soft totals and pairs, strongest hands first, with row labels."""
    hard = [(str(total), chart.hard[total]) for total in sorted(chart.hard, reverse=True)]
    soft = [(f"A,{total - 11}", chart.soft[total]) for total in sorted(chart.soft, reverse=True)]
    order = sorted(chart.pairs, key=lambda value: 11 if value == 1 else value, reverse=True)
    pairs = [(f"{value_name(v)},{value_name(v)}", chart.pairs[v]) for v in order]
    yield Section("Hard totals", tuple(hard))
    yield Section("Soft totals", tuple(soft))
    yield Section("Pairs", tuple(pairs))
