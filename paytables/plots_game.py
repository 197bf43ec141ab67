"""Figures of the main game: strategy chart, distribution, rule effects, effects of removal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch, Rectangle

from odds.errors import InputError
from odds.game import GameOdds
from odds.outcomes import RoundOutcomes
from odds.removal import RemovalEffects
from odds.strategy import Chart
from paytables.chart_style import (
    CODE_STYLES,
    CodeStyle,
    Section,
    codes_used,
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
    name_axes,
    percent_ticks,
    signed,
)
from paytables.rule_effects import RuleEffects

_CELL, _LABEL, _TITLE, _KEY = 0.262, 0.42, 0.46, 0.23
"""Inches: side of a cell, width of the row labels, height of a grid's title, of a legend's line."""
_PLAIN = CodeStyle("#ffffff", INK, "")


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
    found = list(sections(chart))
    hard, soft, pairs = found
    codes = codes_used(chart)
    starred = any(cell.exceptions for s in found for _, row in s.rows for cell in row.values())
    top = 0.42
    left = _height(hard) + 0.12 + _KEY * (len(codes) + 1.4 * starred)
    height = top + max(left, _height(soft) + _height(pairs)) + 0.05
    figure = Plot(height=height, alt=_strategy_alt(chart, found))
    figure.set_layout_engine("none")
    figure.title(
        title or (_game_title(result) if isinstance(result, GameOdds) else "Strategy chart")
    )
    ax = figure.add_axes((0, 0, 1, 1))
    ax.set_xlim(0, WIDTH)
    ax.set_ylim(height, 0)
    ax.axis("off")
    width = _LABEL + _CELL * len(chart.upcards)
    second = WIDTH - width - 0.04
    bottom = _grid(ax, hard, chart.upcards, 0.04, top)
    _legend(ax, codes, starred, 0.04, bottom + 0.12)
    _grid(ax, pairs, chart.upcards, second, _grid(ax, soft, chart.upcards, second, top))
    return figure


def _game_title(odds: GameOdds) -> str:
    decks = f"{odds.rules.decks} deck{'s' * (odds.rules.decks != 1)}"
    return f"Strategy, {odds.regime}, {decks}: house edge {percent(odds.house_edge)}"


def _strategy_alt(chart: Chart, found: Sequence[Section]) -> str:
    upcards = ", ".join(value_name(up) for up in chart.upcards)
    parts = [f"Strategy chart, upcards {upcards}."]
    for section in found:
        rows = [
            f"{label} {' '.join(row[up].code if up in row else '-' for up in chart.upcards)}"
            for label, row in section.rows
        ]
        parts.append(f"{section.title}: {'; '.join(rows)}.")
    return " ".join(parts)


def _height(section: Section) -> float:
    """The height of one of the three grids in inches."""
    return _TITLE + len(section.rows) * _CELL + 0.14 if section.rows else 0.0


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


def _grid(ax: Axes, section: Section, upcards: Sequence[int], x: float, y: float) -> float:
    """One of the three grids with its top left corner at x, y inches; where it ends."""
    if not section.rows:
        return y
    ax.text(x, y + 0.12, section.title, fontsize=9, fontweight="bold", color=INK, va="center")
    first = x + _LABEL
    for i, up in enumerate(upcards):
        ax.text(
            first + (i + 0.5) * _CELL,
            y + 0.36,
            value_name(up),
            fontsize=8.5,
            color=MUTED,
            ha="center",
            va="center",
        )
    for j, (label, row) in enumerate(section.rows):
        above = y + _TITLE + j * _CELL
        middle = above + _CELL / 2
        ax.text(first - 0.07, middle, label, fontsize=8.5, color=INK, ha="right", va="center")
        for i, up in enumerate(upcards):
            if up not in row:
                continue
            cell = row[up]
            look = CODE_STYLES.get(cell.code, _PLAIN)
            left = first + i * _CELL
            _box(ax, left, above, look)
            ax.text(
                left + _CELL / 2,
                middle,
                cell.code,
                fontsize=8,
                fontweight="bold",
                color=look.ink,
                ha="center",
                va="center_baseline",
            )
            if cell.exceptions:
                ax.text(
                    left + _CELL - 0.035,
                    above + 0.085,
                    "*",
                    fontsize=7,
                    color=look.ink,
                    ha="center",
                    va="center",
                )
    return y + _height(section)


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
    return plot_probabilities(
        outcomes.distribution,
        title=title or "Net result of a round",
        note=f"probability, %; in units of the initial bet; mean {signed(f'{outcomes.mean:.6f}')}, "
        f"standard deviation {outcomes.standard_deviation:.4f}",
    )


def plot_probabilities(
    distribution: Mapping[Fraction, Fraction | float], *, title: str, note: str = ""
) -> Plot:
    """Columns: the probability of each net result, below and above 0 in the colours of both.

    Args:
        distribution: Net result in units to probability.
        title: The title.
        note: The unit and what a reader must know.

    Example:
        >>> plot_probabilities({Fraction(-1): 0.75, Fraction(2): 0.25}, title="A bet").alt
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
    rows = sorted(effects.effects, key=lambda effect: abs(effect.difference), reverse=True)[:most]
    rows.sort(key=lambda effect: effect.difference)
    listed = "; ".join(f"{row.label} {signed(edge_change(row.difference))} points" for row in rows)
    figure = Plot(
        height=bar_height(len(rows)),
        alt=f"Change of the house edge of {percent(effects.house_edge)} by rule: {listed}.",
    )
    points = [100 * row.difference for row in rows]
    bars(
        figure,
        title or "What each rule change does to the house edge",
        f"percentage points; now {percent(effects.house_edge)}, best strategy "
        f"({effects.strategy}) before and after",
        [row.label for row in rows],
        points,
        [edge_change(row.difference) for row in rows],
        [GAIN if point < 0 else LOSS for point in points],
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
