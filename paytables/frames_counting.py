"""Frames of what changes with the cards seen, and of simulations; registered by `frames`."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from odds.cards import Card
from odds.sidebets.removal import CardEffects
from odds.sidebets.simulation import SimulatedBet
from odds.simulate import Simulation
from paytables.frame_rows import Row, exact, frame
from paytables.vulnerability import Vulnerability

if TYPE_CHECKING:
    import pandas as pd  # type: ignore[import-untyped,unused-ignore]

NAN = float("nan")


def vulnerability(result: Vulnerability) -> pd.DataFrame:
    """One row for each place of the cut card, by the cards behind it.

    ``units_per_100`` counts all rounds, with or without a bet. ``linear_units_per_100`` and
    ``perfect_units_per_100`` are simulated, their standard errors beside them.
    """
    rows: list[Row] = []
    for row in result.rows:
        bets = row.betting
        made: Row = {
            "cards_behind": row.behind,
            "dealt": row.dealt,
            "rounds": row.rounds,
            "trigger": NAN if bets is None or bets.trigger is None else bets.trigger,
            "share_of_bets": 0.0 if bets is None else bets.share,
            "average_edge": 0.0 if bets is None else bets.edge,
            "units_per_100": 0.0 if bets is None else 100 * bets.gain,
        }
        seen = row.ceilings
        for name, ceiling in (
            ("linear", None if seen is None else seen.linear),
            ("perfect", None if seen is None else seen.perfect),
        ):
            made[f"{name}_units_per_100"] = NAN if ceiling is None else 100 * ceiling.gain
            made[f"{name}_standard_error"] = NAN if ceiling is None else 100 * ceiling.error
        rows.append(made)
    count = "no count" if result.used is None else str(result.used.system)
    return frame(
        rows,
        "cards_behind",
        f"flat bets of one unit at the trigger or above ({count}), a round every "
        f"{result.cards_per_round} cards; trigger to units {result.exactness}, ceilings simulated "
        f"with seed {result.seed}",
    )


def card_effects(result: CardEffects) -> pd.DataFrame:
    """Change of a side bet's expectation, in units, when one card of a type is gone; exact."""
    rows: list[Row] = [
        {"card": str(Card.from_number(i)), "count": result.counts[i]} | exact("effect", effect)
        for i, effect in enumerate(result.effects)
        if effect is not None
    ]
    return frame(rows, "card", "change of the expected net win in units when one such card is gone")


def simulation(result: Simulation) -> pd.DataFrame:
    """Net results of a seat, with the share of rounds and its standard error."""
    rounds = result.rounds * result.seats
    rows: list[Row] = [
        {"net": net, "share": share, "standard_error": (share * (1 - share) / rounds) ** 0.5}
        for net, share in result.distribution.items()
    ]
    return frame(
        rows,
        "net",
        f"simulated: {result.rounds:,} rounds, seed {result.seed}, {result.seats} seats; units of "
        "the initial bet, insurance not included; errors as if seats were independent",
    )


def simulated_bet(result: SimulatedBet) -> pd.DataFrame:
    """Tiers with the rounds in which they counted, and the frequency with its standard error."""
    rows: list[Row] = []
    for rule in result.bet.tiers:
        seen = result.observed(rule.name)
        share = Fraction(seen, result.rounds) if result.rounds else None
        spread = NAN if share is None else (float(share * (1 - share)) / result.rounds) ** 0.5
        rows.append(
            {
                "tier": rule.name,
                "hits": seen,
                "frequency": NAN if share is None else float(share),
                "standard_error": spread,
            }
        )
    return frame(
        rows, "tier", f"simulated: {result.rounds:,} rounds of {result.dealt:,}, seed {result.seed}"
    )
