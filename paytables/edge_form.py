"""The edge of a paytable as an exact linear function of its pays.

With fixed conditions a tier is hit equally often whatever it pays, so the edge is a constant less
the sum of slope x pay over the tiers; the slope of a tier is how often it counts per unit staked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from paytables.metrics import Evaluation, evaluate, meter_result
from paytables.model import Paytable

MeterBasis: TypeAlias = Fraction | int | Literal["long run"] | None
"""The meter to compute with: an amount in currency, ``long run`` (what is paid into a meter is
paid out of it), or None for the paytable's own amount, else 0."""


def evaluate_on(paytable: Paytable, decks: int, meter: MeterBasis) -> Evaluation:
    """The paytable evaluated with the meter as said; at 0 for the long run."""
    return evaluate(paytable, decks, meter=0 if meter == "long run" else meter)


def edge_on(evaluation: Evaluation, meter: MeterBasis) -> Fraction:
    """The house edge from its definition, in the long run of the meter if that is asked for."""
    if meter == "long run" and evaluation.paytable.meter is not None:
        return meter_result(evaluation).long_run_edge
    return evaluation.edge


@dataclass(frozen=True)
class EdgeForm:
    """The edge with one number of decks: constant - sum of slopes x pays.

    Attributes:
        decks: The number of decks.
        constant: The edge if every tier paid 0 (in the paytable's own convention).
        slopes: For each tier how much the edge falls for one unit more of pay: how often the tier
            counts in a round, times the share of its wager in the stake.
        probabilities: For each tier the probability that it is hit.
        evaluation: What it was derived from.
    """

    decks: int
    constant: Fraction
    slopes: tuple[Fraction, ...]
    probabilities: tuple[Fraction, ...]
    evaluation: Evaluation

    def edge(self, pays: Mapping[str, Fraction]) -> Fraction:
        """The edge with other pays for some tiers.

        Example:
            >>> from paytables.bets import load_paytable
            >>> form = edge_form(load_paytable("Perfect Pairs", "30/10/5"), 8)
            >>> form.edge({"mixed": Fraction(6)}) == Fraction(14, 415) - form.slopes[2]
            True
        """
        edge = self.constant
        for tier, slope in zip(self.evaluation.paytable.tiers, self.slopes, strict=True):
            edge -= slope * pays.get(tier.name, tier.pays or Fraction(0))
        return edge

    def outcome_results(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Net results as linear functions of the pays: constants, and a factor for each tier.

        Returns:
            Constants of shape (outcomes,), in units, and factors of shape (outcomes, tiers): a net
            result is the constant + the sum of factor x pay.
        """
        paytable, odds = self.evaluation.paytable, self.evaluation.odds
        units = [paytable.wagers.get(tier.wager, Fraction(1)) for tier in paytable.tiers]
        pays = [tier.pays or Fraction(0) for tier in paytable.tiers]
        constants, factors = [], []
        for outcome in odds.outcomes:
            row = [h * u for h, u in zip(outcome.hits, units, strict=True)]
            net = self.evaluation.net(outcome)
            constants.append(float(net - sum(f * p for f, p in zip(row, pays, strict=True))))
            factors.append([float(factor) for factor in row])
        return np.array(constants), np.array(factors).reshape(len(constants), len(pays))

    def outcome_odds(self) -> NDArray[np.float64]:
        """The probability of each outcome, float64."""
        odds = self.evaluation.odds
        return np.array([float(odds.probability(outcome)) for outcome in odds.outcomes])


def edge_form(paytable: Paytable, decks: int, meter: MeterBasis = None) -> EdgeForm:
    """The edge as a linear function of the pays.

    Raises:
        InputError: See `paytables.metrics.evaluate`.
    """
    evaluation = evaluate_on(paytable, decks, meter)
    slopes = tuple(
        odds.expected_count * paytable.wagers.get(tier.wager, Fraction(1)) / paytable.stake
        for tier, odds in zip(paytable.tiers, evaluation.odds.tiers, strict=True)
    )
    paid = sum(
        (s * (t.pays or 0) for s, t in zip(slopes, paytable.tiers, strict=True)), Fraction(0)
    )
    return EdgeForm(
        decks,
        edge_on(evaluation, meter) + paid,
        slopes,
        tuple(odds.probability for odds in evaluation.odds.tiers),
        evaluation,
    )
