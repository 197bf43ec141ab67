"""The pictures of a sheet, drawn from what the sheet says."""

from __future__ import annotations

from paytables.plot_style import Plot
from paytables.plots_bet import (
    Band,
    draw_contributions,
    draw_edge_by_decks,
    draw_edge_by_meter,
    draw_rtp_bands,
)
from paytables.plots_game import Grid, draw_chart, draw_probabilities, draw_rule_effects
from paytables.sheets.blocks import FigureName
from paytables.sheets.chart_marks import marked_grids
from paytables.sheets.model import BetSheet, GameSheet, RtpLine, Sheet

MOST_EFFECTS = 16
"""So many rule changes are drawn, those that matter most; the table has them all."""


def picture(sheet: Sheet, name: FigureName) -> Plot | None:
    """A picture of a sheet, or None if the sheet has nothing to draw there.

    Example:
        >>> from paytables.bets import load_paytable
        >>> from paytables.sheets.bet_sheet import bet_sheet
        >>> sheet = bet_sheet(load_paytable("Any Pair"), date="2026-11-30", rounds=0)
        >>> figure = picture(sheet, "edge by decks")
        >>> figure.alt[-17:]
        '8 decks 4.0964 %.'
    """
    if name == "rtp intervals":
        return _rtp(sheet.rtp_intervals, _rtp_of(sheet)) if sheet.rtp_intervals else None
    return _bet(sheet, name) if isinstance(sheet, BetSheet) else _game(sheet, name)


def _rtp_of(sheet: Sheet) -> float:
    return float(sheet.totals.rtp.value) if isinstance(sheet, BetSheet) else sheet.figures.rtp


def _rtp(lines: tuple[RtpLine, ...], rtp: float) -> Plot:
    bands = [
        Band(
            line.rounds,
            (line.normal_low, line.normal_high),
            None if line.low is None or line.high is None else (line.low, line.high),
            line.normal_valid,
        )
        for line in lines
    ]
    return draw_rtp_bands(bands, lines[0].confidence, rtp)


def _bet(sheet: BetSheet, name: FigureName) -> Plot | None:
    title = sheet.identity.title
    if name == "returns":
        rows = [(tier.title, float(tier.contribution.value)) for tier in sheet.tiers]
        rows.append(("no tier", float(sheet.rest.contribution.value)))
        return draw_contributions(title, rows, -float(sheet.totals.edge.value))
    if name == "edge by decks" and len(sheet.by_decks) > 1:
        edges = {line.decks: float(line.edge.value) for line in sheet.by_decks}
        return draw_edge_by_decks(title, edges, now=sheet.rules.decks)
    meter = sheet.meter
    if name == "edge by meter" and meter is not None:
        even = None if meter.break_even is None else float(meter.break_even.value)
        base, slope = float(meter.base_edge.value), float(meter.return_per_unit.value)
        return draw_edge_by_meter(base, slope, even, amount=float(meter.amount.value))
    return None


def _game(sheet: GameSheet, name: FigureName) -> Plot | None:
    figures = sheet.figures
    if name == "distribution" and sheet.spread.distribution:
        return draw_probabilities(
            {line.net.value: line.probability for line in sheet.spread.distribution},
            title="Net result of a round",
            note="probability, %; in units of the initial bet",
        )
    if name == "strategy chart":
        grids = [
            Grid(grid.title, tuple((row.hand, row.codes) for row in grid.rows))
            for grid in marked_grids(sheet.chart)
        ]
        return draw_chart(grids, sheet.chart.upcards, title=f"Strategy, {figures.regime}")
    if name == "rule effects" and sheet.effects:
        rows = [(line.label, line.difference) for line in sheet.effects]
        return draw_rule_effects(rows, figures.house_edge, figures.regime, most=MOST_EFFECTS)
    return None
