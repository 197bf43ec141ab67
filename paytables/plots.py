"""One call draws any result: `plot(result)`; behind it a function for each kind of figure.

This module has the figures of side bets and the call itself; `paytables.plots_game` those of the
main game. All are made without pyplot (`paytables.plot_style.Plot`): they show themselves in a
notebook, carry an alternative text (`figure.alt`), and give their bytes by `figure.png()`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import singledispatch
from typing import Any

from matplotlib.patheffects import withStroke

from odds.errors import InputError
from odds.game import GameOdds
from odds.outcomes import RoundOutcomes
from odds.removal import RemovalEffects
from odds.strategy import Chart
from paytables.metrics import Evaluation, MeterResult
from paytables.plot_style import (
    FAINT,
    GAIN,
    INK,
    LINE,
    LOSS,
    Plot,
    axes,
    bar_height,
    bars,
    name_axes,
    percent_ticks,
    signed,
)
from paytables.plots_game import (
    plot_distribution,
    plot_effects_of_removal,
    plot_rule_effects,
    plot_strategy,
)
from paytables.rule_effects import RuleEffects
from paytables.volatility import RtpInterval, Slope

KINDS = (
    "an Evaluation, a dict of decks to Evaluation, slopes of pays, a series of RtpInterval, "
    "a MeterResult, GameOdds, Chart, RoundOutcomes, RuleEffects or RemovalEffects"
)


@singledispatch
def plot(result: object, **options: Any) -> Plot:
    """Draw a result.

    Args:
        result: What was computed; see the table.
        options: Passed on to the function that draws it; all take ``title``.

    ============================================== =============================================
    result                                         drawn by
    ============================================== =============================================
    `paytables.metrics.Evaluation`                 `plot_contributions`
    dict of decks to Evaluation                    `plot_edge_by_decks`
    sequence of `paytables.volatility.Slope`       `plot_slopes`
    sequence of `paytables.volatility.RtpInterval` `plot_rtp_intervals`
    `paytables.metrics.MeterResult`                `plot_edge_by_meter`
    `odds.game.GameOdds`, `odds.strategy.Chart`    `paytables.plots_game.plot_strategy`
    `odds.outcomes.RoundOutcomes`                  `paytables.plots_game.plot_distribution`
    `paytables.rule_effects.RuleEffects`           `paytables.plots_game.plot_rule_effects`
    `odds.removal.RemovalEffects`                  `paytables.plots_game.plot_effects_of_removal`
    ============================================== =============================================

    Raises:
        InputError: Nothing is known to draw for it.

    Example:
        >>> from paytables.bets import load_paytable
        >>> from paytables.metrics import evaluate
        >>> plot(evaluate(load_paytable("Insurance"), 6)).alt
        'Return by tier of Insurance ace up: The hole card is worth ten 61.7363 %, no tier \
−69.1318 %; together −7.3955 %.'
    """
    raise InputError("result", type(result).__name__, KINDS)


@plot.register
def _(result: Evaluation, **options: Any) -> Plot:
    return plot_contributions(result, **options)


@plot.register(Mapping)
def _(result: Mapping[int, Evaluation], **options: Any) -> Plot:
    if not result or not all(isinstance(found, Evaluation) for found in result.values()):
        raise InputError("result", type(result).__name__, KINDS)
    return plot_edge_by_decks(result, **options)


@plot.register(list)
@plot.register(tuple)
def _(result: Sequence[Any], **options: Any) -> Plot:
    for kind, draw in ((Slope, plot_slopes), (RtpInterval, plot_rtp_intervals)):
        if result and all(isinstance(item, kind) for item in result):
            return draw(result, **options)
    raise InputError("result", type(result).__name__, KINDS)


@plot.register
def _(result: MeterResult, **options: Any) -> Plot:
    return plot_edge_by_meter(result, **options)


@plot.register(GameOdds)
@plot.register(Chart)
def _(result: GameOdds | Chart, **options: Any) -> Plot:
    return plot_strategy(result, **options)


@plot.register
def _(result: RoundOutcomes, **options: Any) -> Plot:
    return plot_distribution(result, **options)


@plot.register
def _(result: RuleEffects, **options: Any) -> Plot:
    return plot_rule_effects(result, **options)


@plot.register
def _(result: RemovalEffects, **options: Any) -> Plot:
    return plot_effects_of_removal(result, **options)


def _percent(value: float, digits: int = 4) -> str:
    return signed(f"{100 * value:.{digits}f} %")


def _bet_name(evaluation: Evaluation) -> str:
    paytable = evaluation.paytable
    return f"{paytable.name} {paytable.variant}".strip()


def plot_contributions(evaluation: Evaluation, *, title: str | None = None) -> Plot:
    """What each tier gives back, what is lost without one, and what is left: minus the edge.

    Args:
        evaluation: The bet.
        title: Another title.

    Example:
        >>> from paytables.bets import load_paytable
        >>> from paytables.metrics import evaluate
        >>> plot_contributions(evaluate(load_paytable("Sweet 16"), 8)).alt[-19:]
        'together −4.8193 %.'
    """
    rows = [(row.tier.title, float(row.contribution)) for row in evaluation.tiers]
    rows += [("no tier", float(evaluation.lost))]
    total = -float(evaluation.edge)
    listed = ", ".join(f"{label} {_percent(value)}" for label, value in rows)
    name = _bet_name(evaluation)
    figure = Plot(
        height=bar_height(len(rows) + 1),
        alt=f"Return by tier of {name}: {listed}; together {_percent(total)}.",
    )
    values = [value for _, value in [*rows, ("together", total)]]
    ax = bars(
        figure,
        title or f"{name}: what each tier returns",
        "expected net win, % of the stake; all together it is minus the house edge",
        [*(label for label, _ in rows), "together"],
        values,
        [f"{100 * value:+.4f} %" for value in values],
        [*(GAIN if value > 0 else LOSS for _, value in rows), INK],
    )
    ax.axhline(len(rows) - 0.5, color=FAINT, linewidth=0.8)
    return figure


def plot_edge_by_decks(
    evaluations: Mapping[int, Evaluation], *, now: int | None = None, title: str | None = None
) -> Plot:
    """The house edge for each number of decks.

    Args:
        evaluations: Decks to evaluation, as `paytables.metrics.by_decks` returns.
        now: A number of decks to mark.
        title: Another title.

    Example:
        >>> from paytables.bets import load_paytable
        >>> from paytables.metrics import by_decks
        >>> plot_edge_by_decks(by_decks(load_paytable("Sweet 16"), [6, 8])).alt
        'House edge of Sweet 16 160/16/12/6: 6 decks 4.8479 %, 8 decks 4.8193 %.'
    """
    decks = sorted(evaluations)
    edges = [100 * float(evaluations[number].edge) for number in decks]
    name = _bet_name(evaluations[decks[0]])
    listed = ", ".join(
        f"{d} deck{'s' * (d != 1)} {_percent(e / 100)}" for d, e in zip(decks, edges, strict=True)
    )
    figure = Plot(height=3.1, alt=f"House edge of {name}: {listed}.")
    ax = axes(figure, title or f"{name}: house edge by decks", "% of the stake")
    places = list(range(len(decks)))
    ax.plot(places, edges, color=LINE, linewidth=1.6, alpha=0.6, zorder=2)
    colours = [LOSS if number == now else LINE for number in decks]
    ax.scatter(places, edges, s=46, color=colours, zorder=3)
    for place, edge in zip(places, edges, strict=True):
        ax.annotate(
            signed(f"{edge:.4f}"),
            (place, edge),
            xytext=(0, 8),
            textcoords="offset points",
            ha="center",
            fontsize=8.5,
            color=INK,
            fontweight="bold" if decks[place] == now else "normal",
            path_effects=[withStroke(linewidth=3, foreground="white")],
        )
    ax.set_xticks(places, labels=[str(number) for number in decks])
    ax.set_xlim(-0.5, len(decks) - 0.5)
    ax.margins(y=0.2)
    ax.grid(axis="y", color=FAINT, linewidth=0.6)
    percent_ticks(ax, "y")
    name_axes(ax, x="decks")
    if min(edges) < 0 < max(edges):
        ax.axhline(0, color=INK, linewidth=0.8)
    return figure


def plot_slopes(slopes: Sequence[Slope], *, title: str | None = None) -> Plot:
    """How much the edge changes if each tier pays one step more.

    Args:
        slopes: As `paytables.volatility.slopes` returns.
        title: Another title.

    Example:
        >>> from paytables.bets import load_paytable
        >>> from paytables.metrics import evaluate
        >>> from paytables.volatility import slopes
        >>> plot_slopes(slopes(evaluate(load_paytable("Perfect Pairs", "30/10/5"), 8))).alt
        'Change of the house edge, in percentage points, if a tier pays one step more: \
perfect −1.68675, colored −1.92771, mixed −3.85542.'
    """
    points = [100 * float(slope.edge_change) for slope in slopes]
    labels = [
        slope.tier if slope.step == 1 else f"{slope.tier} (by {slope.step})" for slope in slopes
    ]
    listed = ", ".join(f"{t} {signed(f'{p:.5f}')}" for t, p in zip(labels, points, strict=True))
    figure = Plot(
        height=bar_height(len(points)),
        alt=f"Change of the house edge, in percentage points, if a tier pays one step more: "
        f"{listed}.",
    )
    bars(
        figure,
        title or "What one unit more of each pay does",
        "change of the house edge, percentage points; one unit less does the opposite",
        labels,
        points,
        [f"{point:+.5f}" for point in points],
        [GAIN if point <= 0 else LOSS for point in points],
    )
    return figure


def plot_rtp_intervals(intervals: Sequence[RtpInterval], *, title: str | None = None) -> Plot:
    """The band of the actual RTP narrowing with the number of rounds: exact, and the normal one.

    Args:
        intervals: From `paytables.volatility.rtp_interval`, all of one bet and confidence.
        title: Another title.

    Example:
        >>> from paytables.bets import load_paytable
        >>> from paytables.metrics import evaluate
        >>> from paytables.volatility import rtp_interval
        >>> insurance = evaluate(load_paytable("Insurance"), 6)
        >>> plot_rtp_intervals([rtp_interval(insurance, n) for n in (1000, 10_000)]).alt
        '95 % interval of the actual RTP: 1,000 rounds 84.02 % to 101.19 %, \
10,000 rounds 89.89 % to 95.32 %.'
    """
    series = sorted(intervals, key=lambda interval: interval.rounds)
    rounds = [interval.rounds for interval in series]
    level = f"{100 * series[0].confidence:g} %"
    listed = ", ".join(
        f"{i.rounds:,} rounds {_percent(i.best[0], 2)} to {_percent(i.best[1], 2)}" for i in series
    )
    figure = Plot(height=3.6, alt=f"{level} interval of the actual RTP: {listed}.")
    ax = axes(
        figure,
        title or "Actual RTP by number of rounds",
        f"{level} interval; dots where the normal approximation is valid, rings where it is not",
    )
    low, high = ([100 * i.exact[end] for i in series] for end in (0, 1))
    ax.fill_between(rounds, low, high, color=LINE, alpha=0.16, linewidth=0, label="exact")
    for end in (0, 1):
        ax.plot(rounds, (low, high)[end], color=LINE, linewidth=1.4)
        normal = [100 * interval.normal[end] for interval in series]
        ax.plot(
            rounds,
            normal,
            color=LOSS,
            linewidth=1.2,
            linestyle=(0, (4, 2)),
            label="normal approximation" if end == 0 else None,
        )
        for interval, value in zip(series, normal, strict=True):
            ax.plot(
                [interval.rounds],
                [value],
                marker="o",
                markersize=4.5,
                markerfacecolor=LOSS if interval.normal_valid else "white",
                markeredgecolor=LOSS,
                linestyle="none",
            )
    rtp = 100 * series[0].rtp
    ax.axhline(rtp, color=INK, linewidth=0.8, label=f"expected RTP, {signed(f'{rtp:.4f}')} %")
    ax.set_xscale("log")
    ax.set_xticks(rounds, labels=[_short(number) for number in rounds])
    ax.minorticks_off()
    ax.grid(axis="y", color=FAINT, linewidth=0.6)
    percent_ticks(ax, "y")
    name_axes(ax, x="rounds")
    ax.legend(frameon=False, fontsize=8.5, loc="upper right", labelcolor=INK)
    return figure


def _short(number: int) -> str:
    """A round number of rounds in short: 1,000, 100,000, 10 million."""
    if number >= 10**6 and number % 10**5 == 0:
        return f"{number / 10**6:g} million"
    return f"{number:,}"


def plot_edge_by_meter(
    result: MeterResult, *, amount: float | None = None, title: str | None = None
) -> Plot:
    """The edge as the meter grows, its break-even marked.

    Args:
        result: As `paytables.metrics.meter_result` returns.
        amount: A meter to mark, in currency.
        title: Another title.

    Example:
        >>> from paytables.bets import load_paytable
        >>> from paytables.metrics import evaluate, meter_result
        >>> bet = load_paytable("21+3 Progressive")
        >>> plot_edge_by_meter(meter_result(evaluate(bet))).alt[:54]
        'House edge by the meter: 56.9084 % with the meter at 0'
    """
    even = float(result.break_even) if result.break_even else 0.0
    most = 1.5 * max(even, amount or 0.0, 1000.0)
    base, slope = float(result.base_edge), float(result.return_per_unit)
    figure = Plot(
        height=3.1,
        alt=f"House edge by the meter: {_percent(base)} with the meter at 0, less "
        f"{_percent(1000 * slope)} for every 1,000 in it"
        + (f"; 0 at {even:,.2f}." if even > 0 else "."),
    )
    ax = axes(figure, title or "House edge by the meter", "% of the stake; meter in currency")
    ax.plot([0, most], [100 * base, 100 * (base - most * slope)], color=LINE, linewidth=1.8)
    ax.axhline(0, color=INK, linewidth=0.8)
    marks = [(even, f"break-even {even:,.2f}", INK)] if even > 0 else []
    if amount is not None:
        marks.append((amount, f"now {_percent(base - amount * slope)}", LOSS))
    for place, text, colour in marks:
        edge = 100 * (base - place * slope)
        ax.scatter([place], [edge], s=46, color=colour, zorder=3)
        ax.annotate(
            text,
            (place, edge),
            xytext=(6, 7),
            textcoords="offset points",
            fontsize=8.5,
            color=INK,
        )
    ax.set_xlim(0, most)
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    ax.grid(color=FAINT, linewidth=0.6)
    percent_ticks(ax, "y")
    name_axes(ax, x="meter")
    return figure


__all__ = [
    "plot",
    "plot_contributions",
    "plot_distribution",
    "plot_edge_by_decks",
    "plot_edge_by_meter",
    "plot_effects_of_removal",
    "plot_rtp_intervals",
    "plot_rule_effects",
    "plot_slopes",
    "plot_strategy",
]
