"""Figures of the main game: strategy chart, distribution, rule effects, effects of removal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch, Rectangle

from odds.errors import InputError
from odds.game import GameOdds
from odds.outcomes import RoundOutcomes
from odds.removal import RemovalEffects
from odds.strategy import Chart, ChartCell
from paytables.chart_style import (
    CODE_STYLES,
    CodeStyle,
    edge_change,
    percent,
    sections,
    value_name,
)
from paytables.plot_style import (
    FAINT,
    GAIN,
    INK,
    LINE,
    LOSS,
    MUTED,
    WIDTH,
    Plot,
    axes,
    bar_height,
    bars,
    literal,
    name_axes,
    percent_ticks,
    signed,
)
from paytables.rule_effects import RuleEffects

_CELL, _LABEL, _TITLE, _KEY = 0.262, 0.42, 0.46, 0.23
"""Inches: side of a cell, width of the row labels, height of a grid's title, of a legend's line."""
_PLAIN = CodeStyle("#ffffff", INK, "")


@dataclass(frozen=True, slots=True)
class Grid:
    """One of the three grids of a chart, to be drawn.

    Attributes:
        title: Its title.
        rows: From the top: the label of a row, and its codes by upcard; empty where there is none.
            A star after a code marks a cell with hands that are better played otherwise.
    """

    title: str
    rows: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def height(self) -> float:
        """In inches."""
        return _TITLE + len(self.rows) * _CELL + 0.14 if self.rows else 0.0

    @property
    def codes(self) -> set[str]:
        """The codes that occur, with stars."""
        return {code for _, codes in self.rows for code in codes if code}


def plot_strategy(result: GameOdds | Chart, *, title: str | None = None) -> Plot:
    """The strategy chart as a colour grid: hard totals, soft totals and pairs by upcard.

    Args:
        result: An analysed game or its chart.
        title: Another title.

    Example:
        >>> from odds import Rules, analyze
        >>> chart = analyze(Rules(decks=6)).chart()
        >>> plot_strategy(chart).alt[:72]
        'Strategy chart, upcards 2, 3, 4, 5, 6, 7, 8, 9, 10, A. Hard totals: 19 S'
    """
    chart = result.chart() if isinstance(result, GameOdds) else result
    grids = [
        Grid(
            section.title,
            tuple(
                (label, tuple(_marked(row.get(up)) for up in chart.upcards))
                for label, row in section.rows
            ),
        )
        for section in sections(chart)
    ]
    if title is None:
        title = _game_title(result) if isinstance(result, GameOdds) else "Strategy chart"
    return draw_chart(grids, [value_name(up) for up in chart.upcards], title=title)


def _marked(cell: ChartCell | None) -> str:
    if cell is None:
        return ""
    return f"{cell.code}*" if cell.exceptions else cell.code


def _game_title(odds: GameOdds) -> str:
    decks = f"{odds.rules.decks} deck{'s' * (odds.rules.decks != 1)}"
    return f"Strategy, {odds.regime}, {decks}: house edge {percent(odds.house_edge)}"


def draw_chart(grids: Sequence[Grid], upcards: Sequence[str], *, title: str) -> Plot:
    """Three grids of codes: the first on the left over the legend, the others on the right.

    Args:
        grids: Hard totals, soft totals, pairs.
        upcards: The names of the columns.
        title: The title.

    Example:
        >>> hard, empty = Grid("Hard totals", (("16", ("S", "Rh*")),)), Grid("Pairs", ())
        >>> draw_chart([hard, empty, empty], "7T", title="").alt
        'Strategy chart, upcards 7, T. Hard totals: 16 S Rh. Pairs: . Pairs: .'
    """
    hard, soft, pairs = grids
    marked = hard.codes | soft.codes | pairs.codes
    used = {code.rstrip("*") for code in marked}
    codes = [code for code in CODE_STYLES if code in used] + sorted(used - set(CODE_STYLES))
    starred = any(code.endswith("*") for code in marked)
    top = 0.42
    left = hard.height + 0.12 + _KEY * (len(codes) + 1.4 * starred)
    height = top + max(left, soft.height + pairs.height) + 0.05
    figure = Plot(height=height, alt=_chart_alt(grids, upcards))
    figure.set_layout_engine("none")
    figure.title(title)
    ax = figure.add_axes((0, 0, 1, 1))
    ax.set_xlim(0, WIDTH)
    ax.set_ylim(height, 0)
    ax.axis("off")
    second = WIDTH - _LABEL - _CELL * len(upcards) - 0.04
    _draw_grid(ax, hard, upcards, 0.04, top)
    _legend(ax, codes, starred, 0.04, top + hard.height + 0.12)
    _draw_grid(ax, soft, upcards, second, top)
    _draw_grid(ax, pairs, upcards, second, top + soft.height)
    return figure


def _chart_alt(grids: Sequence[Grid], upcards: Sequence[str]) -> str:
    parts = [f"Strategy chart, upcards {', '.join(upcards)}."]
    for grid in grids:
        rows = [
            f"{label} {' '.join(code.rstrip('*') or '-' for code in codes)}"
            for label, codes in grid.rows
        ]
        parts.append(f"{grid.title}: {'; '.join(rows)}.")
    return " ".join(parts)


def _draw_grid(ax: Axes, grid: Grid, upcards: Sequence[str], x: float, y: float) -> None:
    """One of the three grids with its top left corner at x, y inches."""
    if not grid.rows:
        return

    def write(x: float, y: float, text: str, size: float, colour: str, **more: Any) -> None:
        options = {"ha": "center", "va": "center"} | more
        ax.text(x, y, literal(text), fontsize=size, color=colour, **options)

    write(x, y + 0.12, grid.title, 9, INK, ha="left", fontweight="bold")
    first = x + _LABEL
    for i, name in enumerate(upcards):
        write(first + (i + 0.5) * _CELL, y + 0.36, name, 8.5, MUTED)
    for j, (label, codes) in enumerate(grid.rows):
        above = y + _TITLE + j * _CELL
        middle = above + _CELL / 2
        write(first - 0.07, middle, label, 8.5, INK, ha="right")
        for i, marked in enumerate(codes):
            code = marked.rstrip("*")
            if not code:
                continue
            look = CODE_STYLES.get(code, _PLAIN)
            left = first + i * _CELL
            _box(ax, left, above, look)
            write(
                left + _CELL / 2, middle, code, 8, look.ink, va="center_baseline", fontweight="bold"
            )
            if marked.endswith("*"):
                write(left + _CELL - 0.035, above + 0.085, "*", 7, look.ink)


def _box(ax: Axes, x: float, y: float, look: CodeStyle) -> None:
    gap = 0.012
    ax.add_patch(
        FancyBboxPatch(
            (x + gap, y + gap),
            _CELL - 2 * gap,
            _CELL - 2 * gap,
            boxstyle="round,pad=0,rounding_size=0.03",
            facecolor=look.background,
            edgecolor="none",
        )
    )


def _legend(ax: Axes, codes: Sequence[str], starred: bool, x: float, y: float) -> None:
    for i, code in enumerate(codes):
        look = CODE_STYLES.get(code, _PLAIN)
        above = y + i * _KEY
        ax.add_patch(Rectangle((x, above), 0.3, 0.19, facecolor=look.background, linewidth=0))
        ax.text(
            x + 0.15,
            above + 0.1,
            code,
            fontsize=8,
            fontweight="bold",
            color=look.ink,
            ha="center",
            va="center",
        )
        ax.text(x + 0.4, above + 0.1, look.meaning, fontsize=8.5, color=INK, va="center")
    if starred:
        ax.text(
            x,
            y + len(codes) * _KEY + 0.05,
            "* some two-card hands of the cell\n   are better played otherwise",
            fontsize=8,
            color=MUTED,
            va="top",
        )


def plot_distribution(outcomes: RoundOutcomes, *, title: str | None = None) -> Plot:
    """The probability of each net result of a round.

    Args:
        outcomes: As `odds.outcomes.round_outcomes` returns.
        title: Another title.

    Raises:
        InputError: There is no distribution: a pair may become more than two hands.

    Example:
        >>> from odds import Rules, analyze
        >>> from odds.outcomes import round_outcomes
        >>> game = analyze(Rules(max_split_hands=1, max_split_hands_aces=1))
        >>> plot_distribution(round_outcomes(game)).alt[:43]
        'Net result of a round in units: −2 3.6440 %'
    """
    if outcomes.distribution is None:
        raise InputError(
            "outcomes", "no distribution", "those of a game with two split hands at most"
        )
    return draw_probabilities(
        outcomes.distribution,
        title=title or "Net result of a round",
        note=f"probability, %; in units of the initial bet; mean {signed(f'{outcomes.mean:.6f}')}, "
        f"standard deviation {outcomes.standard_deviation:.4f}",
    )


def draw_probabilities(
    distribution: Mapping[Fraction, Fraction | float], *, title: str, note: str = ""
) -> Plot:
    """Columns: the probability of each net result, below and above 0 in the colours of both.

    Args:
        distribution: Net result in units to probability.
        title: The title.
        note: The unit and what a reader must know.

    Example:
        >>> draw_probabilities({Fraction(-1): 0.75, Fraction(2): 0.25}, title="A bet").alt
        'Net result of a round in units: −1 75.0000 %, 2 25.0000 %.'
    """
    nets = sorted(distribution)
    chances = [100 * float(distribution[net]) for net in nets]
    listed = ", ".join(
        f"{signed(str(net))} {chance:.4f} %" for net, chance in zip(nets, chances, strict=True)
    )
    figure = Plot(height=3.1, alt=f"Net result of a round in units: {listed}.")
    ax = axes(figure, title, note)
    places = range(len(nets))
    colours = [GAIN if net > 0 else LOSS if net < 0 else LINE for net in nets]
    ax.bar(places, chances, width=0.74, color=colours, linewidth=0)
    for place, chance in zip(places, chances, strict=True):
        text = f"{chance:.2f}" if chance >= 0.01 else f"{chance:.0e}"
        ax.annotate(
            signed(text),
            (place, chance),
            xytext=(0, 3),
            textcoords="offset points",
            ha="center",
            fontsize=8,
            color=INK,
        )
    ax.set_xticks(list(places), labels=[signed(f"{float(net):+g}" if net else "0") for net in nets])
    ax.grid(axis="y", color=FAINT, linewidth=0.6)
    percent_ticks(ax, "y")
    name_axes(ax, x="net result, units")
    return figure


def plot_rule_effects(
    effects: RuleEffects, *, most: int | None = None, title: str | None = None
) -> Plot:
    """What every single rule change does to the edge, from the best for the player to the worst.

    Args:
        effects: As `paytables.rule_effects.rule_effects` returns.
        most: Only so many changes, those that matter most.
        title: Another title.

    Example:
        >>> from odds import Rules
        >>> from paytables.rule_effects import rule_effects
        >>> plot_rule_effects(rule_effects(Rules(decks=1), only=["hit_soft_17"])).alt[-41:]
        'Dealer hits soft 17 (H17) +0.1907 points.'
    """
    rows = [(effect.label, effect.difference) for effect in effects.effects]
    return draw_rule_effects(rows, effects.house_edge, effects.strategy, most=most, title=title)


def draw_rule_effects(
    rows: Sequence[tuple[str, float]],
    house_edge: float,
    regime: str,
    *,
    most: int | None = None,
    title: str | None = None,
) -> Plot:
    """Bars of the changes of the edge, the best for the player first.

    Args:
        rows: What changes, and the edge after it less the edge before.
        house_edge: The edge before.
        regime: The strategy regime.
        most: Only so many changes, those that matter most.
        title: Another title.

    Example:
        >>> draw_rule_effects([("H17", 0.002), ("LS", -0.0008)], 0.005, "CDZ-").alt
        'Change of the house edge of 0.5000 % by rule: LS −0.0800 points; H17 +0.2000 points.'
    """
    kept = sorted(rows, key=lambda row: abs(row[1]), reverse=True)[:most]
    kept.sort(key=lambda row: row[1])
    shown = [edge_change(difference) for _, difference in kept]
    listed = "; ".join(
        f"{label} {signed(change)} points" for (label, _), change in zip(kept, shown, strict=True)
    )
    figure = Plot(
        height=bar_height(len(kept)),
        alt=f"Change of the house edge of {percent(house_edge)} by rule: {listed}.",
    )
    bars(
        figure,
        title or "What each rule change does to the house edge",
        f"percentage points; now {percent(house_edge)}, best strategy ({regime}) before and after",
        [label for label, _ in kept],
        [100 * difference for _, difference in kept],
        shown,
        [GAIN if difference < 0 else LOSS for _, difference in kept],
    )
    return figure


def plot_effects_of_removal(effects: RemovalEffects, *, title: str | None = None) -> Plot:
    """What one card less of each value does to the player's expectation.

    Args:
        effects: As `odds.removal.effects_of_removal` returns.
        title: Another title.

    Example:
        >>> effects = RemovalEffects(-0.005, {1: -0.0006, 5: 0.0008}, {1: 24, 5: 24})
        >>> plot_effects_of_removal(effects).alt[-22:]
        ' 5 +0.0800, A −0.0600.'
    """
    values = sorted(effects.effects, key=lambda value: 11 if value == 1 else value)
    points = [100 * effects.effects[value] for value in values]
    listed = ", ".join(
        f"{value_name(v)} {signed(f'{p:+.4f}')}" for v, p in zip(values, points, strict=True)
    )
    figure = Plot(
        height=bar_height(len(values)),
        alt=f"Change of the expectation, in percentage points, without one card: {listed}.",
    )
    bars(
        figure,
        title or "Effects of removal",
        "change of the player's expectation, percentage points, if one such card is gone",
        [value_name(value) for value in values],
        points,
        [f"{point:+.4f}" for point in points],
        [GAIN if point > 0 else LOSS for point in points],
    )
    return figure
