"""The best strategy by total for given rules, and how weaker players play.

Policy iteration: with the chart's own probabilities of reaching each hand, a cell's worth under
each code is a sum over the hands of the cell. No hand returns to its cell within a round, and a
split hand's play does not touch its siblings, so that sum tells exactly what changing this one
cell would gain. The search ends when no single cell can be improved.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from odds.chart import action_code
from odds.dealer import FloatArray
from odds.game import GameOdds, Progress, analyze
from odds.hands import lattice
from odds.play import without_splits
from odds.reach import path_odds, reach
from odds.rules import Rules
from odds.shoe import Shoe
from odds.split import SplitAnalyzer
from odds.strategy import ACTIONS, Action
from odds.total_strategy import HARD_TOTALS, SOFT_TOTALS, TOTAL_CODES, TotalStrategy

GAIN = 1e-14
"""A cell is changed only for more than this, in units of the initial bet."""

_MOST_ROUNDS = 60


@dataclass(frozen=True, slots=True)
class BasicStrategy:
    """The best chart by total that single-cell changes lead to.

    Attributes:
        chart: The chart.
        odds: The game played by it.
        cost: What it gives away against the composition-dependent strategy (CDZ-), in units of
            the initial bet.
        best_single_change: The most that any change of a single cell would gain; at most `GAIN`.
    """

    chart: TotalStrategy
    odds: GameOdds
    cost: float
    best_single_change: float


def _by_code(values: FloatArray) -> FloatArray:
    """[..., actions] values, NaN where illegal, to those under each of `TOTAL_CODES`."""
    stand, hit, double, _, surrender = np.moveaxis(values, -1, 0)
    or_hit = np.where(np.isnan(hit), stand, hit)
    under = []
    for code in TOTAL_CODES:
        falls = or_hit if code[-1] in "Hh" else stand
        wanted = {"D": double, "R": surrender}.get(code[0], falls)
        under.append(np.where(np.isnan(wanted), falls, wanted))
    by_code: FloatArray = np.nan_to_num(np.stack(under, axis=-1))
    return by_code


def _worth(odds: GameOdds) -> tuple[FloatArray, FloatArray]:
    """What each code is worth at each hand, weighted by the chance of getting there.

    Returns:
        [n, 10, codes] for hands outside the pair cells, and [10, 10, actions] for pairs as dealt,
        by card value. Units of the initial bet in a whole round.
    """
    lat, dealer, rules = lattice(), odds._dealer, odds.rules
    chance = np.array([odds.upcard_probability.get(up, 0.0) for up in range(1, 11)])
    starts, orders = odds._unsplit
    plain = without_splits(odds.strategy.first, odds._play.values)
    reached = reach(starts, orders, plain)
    at = reached.decided(0)
    pairs = np.zeros((10, 10, len(Action)))
    none = np.zeros(10, dtype=np.int64)
    for value in odds._splits:
        pair = lat.of(value, value)
        weight = path_odds(dealer.values, np.array([pair]), none)[0] * chance
        values = odds._play.values[pair].copy()
        values[:, Action.SPLIT.column] = odds._splits[value].value
        pairs[value - 1] = weight[:, None] * values
        at[pair] = 0.0
    seen = np.flatnonzero(at.any(axis=1))
    weight = at[seen] * path_odds(dealer.values, seen, none) * chance
    total = np.zeros((lat.size, 10, len(TOTAL_CODES)))
    total[seen] = weight[..., None] * _by_code(odds._play.values[seen])
    for value, taken in odds._split_chance.items():
        if taken.any():
            analyzer = SplitAnalyzer(rules, dealer, value, odds.shoe.by_rank)
            total += analyzer.worth(odds.strategy, _by_code) * (taken * chance)[:, None]
    return total, pairs


def _cell_sums(worth: FloatArray) -> dict[tuple[bool, int], FloatArray]:
    """(Soft, total) to [10, codes] worth of the cell."""
    lat = lattice()
    return {
        (soft, total): worth[(lat.soft == soft) & (lat.total == total) & (lat.cards >= 2)].sum(0)
        for soft, totals in ((False, HARD_TOTALS), (True, SOFT_TOTALS))
        for total in totals
    }


def _improve(chart: TotalStrategy, odds: GameOdds) -> tuple[TotalStrategy, float, TotalStrategy]:
    """The chart with every cell at its best, the most one cell gains, and that change alone."""
    worth, pairs = _worth(odds)
    hard = {total: dict(chart.hard[total]) for total in HARD_TOTALS}
    soft = {total: dict(chart.soft[total]) for total in SOFT_TOTALS}
    paired = {value: dict(chart.pairs[value]) for value in range(1, 11)}
    most, single = 0.0, chart
    for (is_soft, total), sums in _cell_sums(worth).items():
        section, name = (soft, "soft") if is_soft else (hard, "hard")
        for up in range(1, 11):
            now = section[total][up]
            best = TOTAL_CODES[int(sums[up - 1].argmax())]
            gain = float(sums[up - 1].max() - sums[up - 1][TOTAL_CODES.index(now)])
            if gain > GAIN:
                section[total][up] = best
                if gain > most:
                    most, single = gain, _with_cell(chart, name, total, up, best)
    decisions = odds.strategy.first
    for value in range(1, 11):
        hand = lattice().of(value, value)
        for up in range(1, 11):
            values = pairs[value - 1, up - 1]
            offered = {a: float(values[a.column]) for a in Action if not np.isnan(values[a.column])}
            if not any(offered.values()):
                continue
            best_action = max(offered, key=lambda a: offered[a])
            now_action = ACTIONS[int(decisions[hand, up - 1])]
            gain = offered[best_action] - offered[now_action]
            if gain > GAIN:
                code = action_code(offered)
                paired[value][up] = code
                if gain > most:
                    most, single = gain, _with_cell(chart, "pairs", value, up, code)
    return TotalStrategy(chart.name, hard, soft, paired), most, single


def _with_cell(chart: TotalStrategy, section: str, key: int, up: int, code: str) -> TotalStrategy:
    parts = {name: dict(getattr(chart, name)) for name in ("hard", "soft", "pairs")}
    parts[section][key] = {**parts[section][key], up: code}
    return TotalStrategy(chart.name, parts["hard"], parts["soft"], parts["pairs"])


def _start(odds: GameOdds) -> TotalStrategy:
    """The composition-dependent chart, with gaps filled in."""
    chart = odds.chart()
    hard = {total: dict.fromkeys(range(1, 11), "H" if total < 12 else "S") for total in HARD_TOTALS}
    soft = {total: dict.fromkeys(range(1, 11), "H" if total < 18 else "S") for total in SOFT_TOTALS}
    for section, cells in ((hard, chart.hard), (soft, chart.soft)):
        for total, row in cells.items():
            section[total].update({up: cell.code for up, cell in row.items()})
    pairs = {
        value: {
            up: chart.pairs[value][up].code
            if value in chart.pairs and up in chart.pairs[value]
            else (soft[12] if value == 1 else hard[2 * value])[up]
            for up in range(1, 11)
        }
        for value in range(1, 11)
    }
    return TotalStrategy("basic", hard, soft, pairs)


def basic_strategy(
    rules: Rules, shoe: Shoe | None = None, progress: Progress | None = None
) -> BasicStrategy:
    """The best chart by total: no change of a single cell improves it.

    Args:
        rules: The table.
        shoe: The cards; a fresh shoe if None.
        progress: Called with (fraction done, what); raising cancels.

    Example:
        >>> found = basic_strategy(Rules(decks=6))
        >>> found.chart.hard[16][10], found.chart.hard[12][4], 0 < found.cost < 1e-4
        ('H', 'S', True)
    """
    report = progress or (lambda done, what: None)
    best = analyze(rules, shoe)
    chart = _start(best)
    odds = analyze(rules, best.shoe, chart.decisions(rules))
    for i in range(_MOST_ROUNDS):
        report(min(0.95, i / 8), f"improving the chart, round {i + 1}")
        better, gain, single = _improve(chart, odds)
        if gain <= GAIN:
            break
        trial = analyze(rules, best.shoe, better.decisions(rules))
        if trial.expected_value <= odds.expected_value:  # changes got in each other's way
            better = single
            trial = analyze(rules, best.shoe, better.decisions(rules))
        chart, odds = better, trial
    report(1.0, "done")
    return BasicStrategy(chart, odds, best.expected_value - odds.expected_value, gain)


def weak_strategies(rules: Rules, basic: TotalStrategy) -> Mapping[str, tuple[str, TotalStrategy]]:
    """How many people play: name to (description, chart)."""
    dealer_hits = dict.fromkeys(range(4, 17), "H")
    rows = {
        "hard": {t: dict.fromkeys(range(1, 11), dealer_hits.get(t, "S")) for t in HARD_TOTALS},
        "soft": {
            t: dict.fromkeys(range(1, 11), "H" if t < 17 + rules.hit_soft_17 else "S")
            for t in SOFT_TOTALS
        },
    }
    pairs = {v: rows["soft"][12] if v == 1 else rows["hard"][2 * v] for v in range(1, 11)}
    no_bust = {
        total: {
            up: "S" if total >= 12 and code in ("H", "Rh") else code for up, code in row.items()
        }
        for total, row in basic.hard.items()
    }
    careful_pairs = {
        value: {
            up: "S" if code in ("H", "Rh") and 6 <= value <= 9 else code for up, code in row.items()
        }
        for value, row in basic.pairs.items()
    }
    no_surrender = basic.changed("no-surrender", {"Rh": "H", "Rs": "S", "Rp": "P"})
    no_soft = basic.changed("no-soft-double", {"Dh": "H", "Ds": "S"}, soft_only=True)
    return {
        "mimic-dealer": (
            "plays like the dealer: hits to 17, never doubles, splits or surrenders",
            TotalStrategy("mimic-dealer", rows["hard"], rows["soft"], pairs),
        ),
        "never-bust": (
            "never hits a hard 12 or more, otherwise the best chart by total",
            TotalStrategy("never-bust", no_bust, basic.soft, careful_pairs),
        ),
        "no-surrender": ("the best chart by total, but never surrenders", no_surrender),
        "no-soft-double": ("the best chart by total, but never doubles a soft hand", no_soft),
    }


def insurance_cost(odds: GameOdds) -> float:
    """What always taking insurance for half the bet costs per round, in units of the initial bet.

    Insurance pays 2 to 1 and is offered against an ace, so it loses on average whenever fewer
    than a third of the unseen cards are tens.
    """
    return -0.5 * sum(
        (hand.probability or 0.0) * hand.insurance
        for hand in odds.starting_hands()
        if hand.insurance is not None
    )
