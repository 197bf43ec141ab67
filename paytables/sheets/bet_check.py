"""The simulated cross-check of a bet's sheet."""

from __future__ import annotations

import math

from odds.sidebets.simulation import GENERATOR, SimulatedBet
from paytables.metrics import Evaluation
from paytables.sheets import cross_check
from paytables.sheets.model import BetSimulation, ExactNumber, SimulatedLine

exact = ExactNumber.of


def simulation_section(found: Evaluation, seen: SimulatedBet) -> BetSimulation | None:
    """The simulated rounds beside the exact odds; None where the bet was never made."""
    if not seen.rounds:
        return None
    nothing = ("No tier", found.odds.nothing, seen.nothing)
    rows = [
        *((r.tier.title, r.probability, seen.observed(r.tier.name)) for r in found.tiers),
        nothing,
    ]
    lines = []
    for title, probability, observed in rows:
        chance = float(probability)
        low, high = cross_check.binomial_interval(seen.rounds, chance)
        error = math.sqrt(seen.rounds * chance * (1 - chance))
        lines.append(
            SimulatedLine(
                title=title,
                probability=exact(probability),
                expected=seen.rounds * chance,
                low=low,
                high=high,
                observed=observed,
                frequency=observed / seen.rounds,
                z=(observed - seen.rounds * chance) / error if error else None,
                inside=low <= observed <= high,
            )
        )
    exact_outcomes = {o.hits: float(found.odds.probability(o)) for o in found.odds.outcomes}
    hits = sorted({*exact_outcomes, *seen.outcomes})
    value, degrees = cross_check.chi_square(
        [seen.outcomes.get(hit, 0) for hit in hits],
        [exact_outcomes.get(hit, 0.0) * seen.rounds for hit in hits],
    )
    paytable, meter = found.paytable, found.meter
    edge = -seen.mean(lambda hit: paytable.result(hit, meter)) / paytable.stake
    error = found.standard_deviation / math.sqrt(seen.rounds) / float(paytable.stake)
    return BetSimulation(
        method=(
            "Rounds dealt card by card without replacement, each from the full shoe, next cards "
            "and the dealer's hand drawn as the rules say; each deal is then read by the tiers' "
            "conditions. It shares the meaning of the conditions with the exact count, and "
            "nothing of the counting. Intervals are binomial, from the exact probabilities: "
            "about one line in a hundred is expected outside its own."
        ),
        generator=GENERATOR,
        seed=seen.seed,
        rounds=seen.rounds,
        dealt=seen.dealt,
        lines=tuple(lines),
        chi_square=value,
        degrees_of_freedom=degrees,
        p_value=cross_check.chi_square_tail(value, degrees),
        largest_z=max(abs(line.z or 0.0) for line in lines),
        edge=float(edge),
        edge_standard_error=error,
        edge_z=float(edge - found.edge) / error if error else 0.0,
    )
