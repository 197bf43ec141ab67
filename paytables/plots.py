"""One call draws any result: `plot(result)`.

Behind it is a function for each kind of figure: those of side bets are in `paytables.plots_bet`,
those of the main game in `paytables.plots_game`. All are made without pyplot: they show themselves
in a notebook, carry an alternative text (`figure.alt`), and give their bytes by `figure.png()`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import singledispatch
from typing import Any

from odds.errors import InputError
from odds.game import GameOdds
from odds.outcomes import RoundOutcomes
from odds.removal import RemovalEffects
from odds.strategy import Chart
from paytables.metrics import Evaluation, MeterResult
from paytables.plot_style import Plot
from paytables.plots_bet import (
    plot_contributions,
    plot_edge_by_decks,
    plot_edge_by_meter,
    plot_rtp_intervals,
    plot_slopes,
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
