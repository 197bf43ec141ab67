"""Figures of side bets: returns, edge by decks and by meter, slopes of pays, RTP of N rounds.

Each `plot_...` takes a result, and calls a `draw_...` that takes plain numbers, so that a PAR sheet
is drawn from what it says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke

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
from paytables.volatility import RtpInterval, Slope


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
    return draw_contributions(_bet_name(evaluation), rows, -float(evaluation.edge), title=title)


def draw_contributions(
    name: str, rows: Sequence[tuple[str, float]], total: float, *, title: str | None = None
) -> Plot:
    """Bars of the parts of the expected net win per unit staked, and their sum.

    Args:
        name: The bet.
        rows: The parts: label and share.
        total: Their sum.
        title: Another title.

    Example:
        >>> draw_contributions("Even", [("win", 0.45), ("no tier", -0.55)], -0.1).alt
        'Return by tier of Even: win 45.0000 %, no tier −55.0000 %; together −10.0000 %.'
    """
    listed = ", ".join(f"{label} {_percent(value)}" for label, value in rows)
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
    edges = {decks: float(found.edge) for decks, found in evaluations.items()}
    name = _bet_name(next(iter(evaluations.values())))
    return draw_edge_by_decks(name, edges, now=now, title=title)


def draw_edge_by_decks(
    name: str, edges: Mapping[int, float], *, now: int | None = None, title: str | None = None
) -> Plot:
    """Points of the house edge by decks.

    Args:
        name: The bet.
        edges: Decks to house edge.
        now: A number of decks to mark.
        title: Another title.

    Example:
        >>> draw_edge_by_decks("Even", {1: 0.05, 2: 0.04}).alt
        'House edge of Even: 1 deck 5.0000 %, 2 decks 4.0000 %.'
    """
    decks = sorted(edges)
    values = [100 * edges[number] for number in decks]
    listed = ", ".join(f"{d} deck{'s' * (d != 1)} {_percent(edges[d])}" for d in decks)
    figure = Plot(height=3.1, alt=f"House edge of {name}: {listed}.")
    ax = axes(figure, title or f"{name}: house edge by decks", "% of the stake")
    places = list(range(len(decks)))
    ax.plot(places, values, color=LINE, linewidth=1.6, alpha=0.6, zorder=2)
    colours = [LOSS if number == now else LINE for number in decks]
    ax.scatter(places, values, s=46, color=colours, zorder=3)
    for place, value in zip(places, values, strict=True):
        ax.annotate(
            signed(f"{value:.4f}"),
            (place, value),
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
    if min(values) < 0 < max(values):
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


@dataclass(frozen=True, slots=True)
class Band:
    """The interval of the actual RTP after so many rounds, to be drawn.

    Attributes:
        rounds: The rounds.
        normal: By the normal approximation.
        exact: By the distribution of the total; None if it is not known.
        valid: Whether the normal approximation is good enough; None if that is not known.
    """

    rounds: int
    normal: tuple[float, float]
    exact: tuple[float, float] | None
    valid: bool | None

    @property
    def best(self) -> tuple[float, float]:
        """The interval to print."""
        return self.normal if self.valid or self.exact is None else self.exact


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
    bands = [Band(i.rounds, i.normal, i.exact, i.normal_valid) for i in intervals]
    return draw_rtp_bands(bands, intervals[0].confidence, intervals[0].rtp, title=title)


def draw_rtp_bands(
    bands: Sequence[Band], confidence: float, rtp: float, *, title: str | None = None
) -> Plot:
    """The same from plain numbers.

    Args:
        bands: The intervals.
        confidence: Of them all.
        rtp: The expected RTP.
        title: Another title.

    Example:
        >>> bands = [Band(1000, (0.9, 1.0), None, None), Band(4000, (0.925, 0.975), None, None)]
        >>> draw_rtp_bands(bands, 0.95, 0.95).alt
        '95 % interval of the actual RTP: 1,000 rounds 90.00 % to 100.00 %, \
4,000 rounds 92.50 % to 97.50 %.'
    """
    series = sorted(bands, key=lambda band: band.rounds)
    rounds = [band.rounds for band in series]
    level = f"{100 * confidence:g} %"
    listed = ", ".join(
        f"{i.rounds:,} rounds {_percent(i.best[0], 2)} to {_percent(i.best[1], 2)}" for i in series
    )
    figure = Plot(height=3.6, alt=f"{level} interval of the actual RTP: {listed}.")
    note = f"{level} interval"
    if any(band.valid is not None for band in series):
        note += "; dots where the normal approximation is valid, rings where it is not"
    ax = axes(figure, title or "Actual RTP by number of rounds", note)
    known = [band for band in series if band.exact is not None]
    if known:
        places = [band.rounds for band in known]
        low, high = ([100 * band.exact[i] for band in known if band.exact] for i in (0, 1))
        ax.fill_between(places, low, high, color=LINE, alpha=0.16, linewidth=0, label="exact")
        ax.plot(places, low, color=LINE, linewidth=1.4)
        ax.plot(places, high, color=LINE, linewidth=1.4)
    for end in (0, 1):
        _normal(ax, series, end)
    ax.axhline(
        100 * rtp, color=INK, linewidth=0.8, label=f"expected RTP, {signed(f'{100 * rtp:.4f}')} %"
    )
    ax.set_xscale("log")
    ax.set_xticks(rounds, labels=[_short(number) for number in rounds])
    ax.minorticks_off()
    ax.grid(axis="y", color=FAINT, linewidth=0.6)
    percent_ticks(ax, "y")
    name_axes(ax, x="rounds")
    ax.legend(frameon=False, fontsize=8.5, loc="upper right", labelcolor=INK)
    return figure


def _normal(ax: Axes, series: Sequence[Band], end: int) -> None:
    """One end of the normal intervals: a dashed line with dots and rings."""
    values = [100 * band.normal[end] for band in series]
    ax.plot(
        [band.rounds for band in series],
        values,
        color=LOSS,
        linewidth=1.2,
        linestyle=(0, (4, 2)),
        label="normal approximation" if end == 0 else None,
    )
    for band, value in zip(series, values, strict=True):
        ax.plot(
            [band.rounds],
            [value],
            marker="o",
            markersize=4.5,
            markerfacecolor="white" if band.valid is False else LOSS,
            markeredgecolor=LOSS,
            linestyle="none",
        )


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
    even = None if result.break_even is None else float(result.break_even)
    base, slope = float(result.base_edge), float(result.return_per_unit)
    return draw_edge_by_meter(base, slope, even, amount=amount, title=title)


def draw_edge_by_meter(
    base: float,
    slope: float,
    even: float | None,
    *,
    amount: float | None = None,
    title: str | None = None,
) -> Plot:
    """A line: the house edge by the meter.

    Args:
        base: House edge with the meter at 0.
        slope: What a unit of currency in it takes off.
        even: Where the edge is 0, or None.
        amount: A meter to mark.
        title: Another title.

    Example:
        >>> draw_edge_by_meter(0.2, 0.0001, 2000.0).alt
        'House edge by the meter: 20.0000 % with the meter at 0, less 10.0000 % for every 1,000 \
in it; 0 at 2,000.00.'
    """
    most = 1.5 * max(even or 0.0, amount or 0.0, 1000.0)
    crossing = even if even is not None and even > 0 else None
    figure = Plot(
        height=3.1,
        alt=f"House edge by the meter: {_percent(base)} with the meter at 0, less "
        f"{_percent(1000 * slope)} for every 1,000 in it"
        + (f"; 0 at {crossing:,.2f}." if crossing else "."),
    )
    ax = axes(figure, title or "House edge by the meter", "% of the stake; meter in currency")
    ax.plot([0, most], [100 * base, 100 * (base - most * slope)], color=LINE, linewidth=1.8)
    ax.axhline(0, color=INK, linewidth=0.8)
    marks = [(crossing, f"break-even {crossing:,.2f}", INK)] if crossing else []
    if amount is not None:
        marks.append((amount, f"now {_percent(base - amount * slope)}", LOSS))
    for place, text, colour in marks:
        edge = 100 * (base - place * slope)
        ax.scatter([place], [edge], s=46, color=colour, zorder=3, clip_on=False)
        ax.annotate(
            text,
            (place, edge),
            xytext=(6, 7),
            textcoords="offset points",
            fontsize=8.5,
            color=INK,
            path_effects=[withStroke(linewidth=3, foreground="white")],
        )
    ax.set_xlim(0, most)
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    ax.grid(color=FAINT, linewidth=0.6)
    percent_ticks(ax, "y")
    name_axes(ax, x="meter")
    return figure
