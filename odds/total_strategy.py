"""Strategies by total, as players know them: a chart of codes, played on hands of any size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from odds.cards import VALUE_NAMES
from odds.chart import CHART_UPCARDS, CODES
from odds.errors import InputError
from odds.hands import IntArray, lattice
from odds.play import legal_actions
from odds.rules import Rules
from odds.strategy import NO_DECISION, Action, Strategy

TOTAL_CODES = ("H", "S", "Dh", "Ds", "Rh", "Rs")
"""Codes of hard and soft totals; a pair may also have P or Rp."""

HARD_TOTALS = range(4, 22)
SOFT_TOTALS = range(12, 22)

_WANTED = {"H": Action.HIT, "S": Action.STAND, "D": Action.DOUBLE, "R": Action.SURRENDER}
_ELSE = {"h": Action.HIT, "s": Action.STAND}

Row = Mapping[int, str]


@dataclass(frozen=True, slots=True)
class TotalStrategy:
    """A chart that decides by total, softness, pair and upcard only.

    Attributes:
        name: What to call it.
        hard: Hard total (4 to 21) to upcard value to code.
        soft: Soft total (12 to 21) to upcard value to code.
        pairs: Card value (1 to 10) to upcard value to code; where no pair may be split the code
            of the total is used.
    """

    name: str
    hard: Mapping[int, Row]
    soft: Mapping[int, Row]
    pairs: Mapping[int, Row]

    @classmethod
    def parse(cls, name: str, table: Mapping[str, Mapping[str, str]]) -> TotalStrategy:
        """Read a chart as it is printed: rows of ten codes for the upcards 2 to 10 and ace.

        Totals that a chart usually leaves out are filled in: hard 4 is hit, 20 and 21 stand, soft
        12 (two aces that cannot be split) is hit, soft 21 stands. A pair left out is played by
        its total.

        Args:
            name: What to call it.
            table: ``hard`` and ``soft``: total to row; ``pairs``: card (A, 2, ..., 10) to row.

        Raises:
            InputError: A section, total, card or code is unknown, or a total is missing.

        Example:
            >>> chart = TotalStrategy.parse("stand on stiff", {
            ...     "hard": {"4-11": "H H H H H H H H H H", "12-21": "S S S S S S S S S S"},
            ...     "soft": {"12-17": "H H H H H H H H H H", "18-21": "S S S S S S S S S S"}})
            >>> chart.hard[16][10]
            'S'
        """
        if unknown := set(table) - {"hard", "soft", "pairs"}:
            raise InputError("chart section", sorted(unknown)[0], "hard, soft or pairs")
        hard = _read_totals("hard", table.get("hard", {}), HARD_TOTALS, {4: "H", 20: "S", 21: "S"})
        soft = _read_totals("soft", table.get("soft", {}), SOFT_TOTALS, {12: "H", 21: "S"})
        pairs: dict[int, Row] = {}
        for card, row in table.get("pairs", {}).items():
            sign = "T" if card == "10" else str(card).upper()
            value = "A23456789T".find(sign) + 1
            if value == 0 or len(sign) != 1:
                raise InputError("pairs", card, "a card A, 2, ..., 9 or 10")
            pairs[value] = _read_row(f"pairs.{card}", row, tuple(CODES))
        for value in range(1, 11):
            if value not in pairs:
                pairs[value] = soft[12] if value == 1 else hard[2 * value]
        return cls(name, hard, soft, pairs)

    def rows(self) -> dict[str, dict[str, str]]:
        """The chart as `parse` reads it: what to write to a file."""

        def text(row: Row) -> str:
            return " ".join(row[up] for up in CHART_UPCARDS)

        return {
            "hard": {str(total): text(self.hard[total]) for total in HARD_TOTALS},
            "soft": {str(total): text(self.soft[total]) for total in SOFT_TOTALS},
            "pairs": {VALUE_NAMES[v - 1]: text(self.pairs[v]) for v in range(1, 11)},
        }

    def changed(
        self, name: str, replaced: Mapping[str, str], soft_only: bool = False
    ) -> TotalStrategy:
        """The chart with codes replaced throughout, or in its soft part only."""

        def rewrite(section: Mapping[int, Row]) -> dict[int, Row]:
            return {
                key: {up: replaced.get(code, code) for up, code in row.items()}
                for key, row in section.items()
            }

        hard, pairs = (
            (self.hard, self.pairs) if soft_only else (rewrite(self.hard), rewrite(self.pairs))
        )
        return TotalStrategy(name, hard, rewrite(self.soft), pairs)

    def decisions(self, rules: Rules) -> Strategy:
        """The chart's decision for every hand, split hands included, that the rules allow."""
        codes = self._codes()
        first = _play(codes, rules, None)
        for value in range(1, 11):
            if rules.split_hands(value) < 2:
                continue
            hand = lattice().of(value, value)
            for up in range(10):
                first[hand, up] = self._pair_decision(rules, value, up + 1, int(first[hand, up]))
        aces = _play(codes, rules, 1)
        others = _play(codes, rules, 2)
        split = {(value, 2): aces if value == 1 else others for value in range(1, 11)}
        return Strategy(self.name, first, MappingProxyType(split))

    def _pair_decision(self, rules: Rules, value: int, up: int, otherwise: int) -> int:
        code = self.pairs[value][up]
        if code in ("P", "Rp"):
            legal = legal_actions(rules)
            hand = lattice().of(value, value)
            offered = rules.surrender != "early_not_ace" or up != 1
            if code == "Rp" and legal.surrender[hand] and offered:
                return Action.SURRENDER.column
            return Action.SPLIT.column
        single = np.array([[code]], dtype="U2")
        return int(_choose(single, rules, None, np.array([lattice().of(value, value)]), [up])[0, 0])

    def _codes(self) -> NDArray[np.str_]:
        """[n, 10] code of every hand by its total."""
        lat = lattice()
        codes = np.full((lat.size, 10), "", dtype="U2")
        for up in range(1, 11):
            by_total = np.array(
                [
                    [section.get(total, {}).get(up, "") for total in range(22)]
                    for section in (self.hard, self.soft)
                ]
            )
            codes[:, up - 1] = by_total[lat.soft.astype(np.int64), lat.total]
        return codes


def _read_totals(
    name: str, rows: Mapping[str, str], totals: range, filled: Mapping[int, str]
) -> dict[int, Row]:
    found: dict[int, Row] = {}
    for key, row in rows.items():
        first, _, last = str(key).partition("-")
        if not first.isdecimal() or not (last or first).isdecimal():
            raise InputError(name, key, f"a total from {totals[0]} to {totals[-1]}, or a range")
        for total in range(int(first), int(last or first) + 1):
            if total not in totals:
                raise InputError(name, key, f"totals from {totals[0]} to {totals[-1]}")
            found[total] = _read_row(f"{name}.{key}", row, TOTAL_CODES)
    for total in totals:
        if total not in found:
            if total not in filled:
                raise InputError(f"{name}.{total}", "nothing", "a row of ten codes")
            found[total] = dict.fromkeys(range(1, 11), filled[total])
    return found


def _read_row(field: str, row: str, allowed: tuple[str, ...]) -> Row:
    codes = str(row).split()
    if len(codes) != 10 or any(code not in allowed for code in codes):
        raise InputError(
            field, row, f"ten codes of {', '.join(allowed)} for the upcards 2 to 10 and ace"
        )
    return dict(zip(CHART_UPCARDS, codes, strict=True))


def _play(codes: NDArray[np.str_], rules: Rules, split_pair: int | None) -> NDArray[np.int8]:
    """[n, 10] the action that each hand's code means where not everything is allowed."""
    return _choose(codes, rules, split_pair, np.arange(lattice().size), list(range(1, 11)))


def _choose(
    codes: NDArray[np.str_],
    rules: Rules,
    split_pair: int | None,
    hands: IntArray,
    upcards: list[int],
) -> NDArray[np.int8]:
    legal = legal_actions(rules, split_pair)
    chosen = np.full(codes.shape, NO_DECISION, dtype=np.int8)
    some = lattice().cards[hands] >= 2
    chosen[some] = Action.STAND.column
    hit = legal.hit[hands][:, None]
    double = legal.double[hands][:, None]
    offered = np.array([rules.surrender != "early_not_ace" or up != 1 for up in upcards])
    surrender = legal.surrender[hands][:, None] & offered
    for code in TOTAL_CODES:
        here = codes == code
        falls_to_hit = code == "H" or code.endswith("h")
        chosen[here & hit & falls_to_hit] = Action.HIT.column
        if code.startswith("D"):
            chosen[here & double] = Action.DOUBLE.column
        if code.startswith("R"):
            chosen[here & surrender] = Action.SURRENDER.column
    return chosen
