"""The vulnerability table once more from played shoes, with rounds as long as they come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt

import numpy as np
import numpy.typing as npt

from odds.errors import InputError
from odds.game import analyze
from odds.played_shoes import play_shoes
from odds.rules import Rules
from odds.running_count import DECK
from odds.shoe import Shoe
from odds.sidebets import StrategyTable
from odds.sidebets.depletion import deplete
from odds.sidebets.results import Hits
from paytables.metrics import LONGEST_HAND, strategy_for
from paytables.model import Paytable
from paytables.vulnerability import Vulnerability, meter_amount

Progress = Callable[[float, str], None]


@dataclass(frozen=True, slots=True)
class PlayedRow:
    """One place of the cut card, from played shoes.

    Attributes:
        behind: Cards behind the cut card.
        rounds: Average number of rounds of a shoe.
        cards_per_round: Average number of cards in a round.
        share: Share of rounds with a bet at the trigger of the exact table.
        edge: Average of the exact edges of the bets made, 0 without any.
        gain: Units won a round, all rounds counted.
        error: Standard error of `gain`, from the spread over shoes.
        shoes: Shoes that were dealt.
    """

    behind: int
    rounds: float
    cards_per_round: float
    share: float
    edge: float
    gain: float
    error: float
    shoes: int


def played_out(
    found: Vulnerability,
    rules: Rules,
    shoes: int,
    paytable: Paytable | None = None,
    *,
    seed: int = 1,
    meter: Fraction | int | None = None,
    progress: Progress | None = None,
) -> tuple[PlayedRow, ...]:
    """Deal shoes heads-up and bet as the counter of a vulnerability table does.

    The player follows the best strategy of the full shoe; no result is drawn, each bet counts with
    its exact edge from the cards left (for the main game with the linear estimate).

    Args:
        found: The table; its system and triggers are used.
        rules: How the main game is played; the decks are those of the table.
        shoes: How many shoes to deal for each place of the cut card.
        paytable: The side bet, or None for the main game.
        seed: Of the random numbers.
        meter: The meter in currency; by default the paytable's own amount, else 0.
        progress: Called with (fraction done, what); raising cancels.

    Raises:
        InputError: The bet is made after the deal, no count tells anything about it, or the number
            of shoes is out of range.

    Example:
        >>> from paytables.bets import load_paytable
        >>> from paytables.vulnerability import vulnerability
        >>> bet = load_paytable("Over/Under 13")
        >>> table = vulnerability(bet, 6, behind=[52], rounds=0)
        >>> row, = played_out(table, Rules(max_split_hands=2), 50, bet)
        >>> 45 < row.rounds < 50, row.error > 0
        (True, True)
    """
    if found.used is None:
        raise InputError("played", shoes, "left out for a bet that no count tells anything about")
    if found.offered < 1:
        raise InputError("played", shoes, "left out for a bet that is made after the deal")
    report = progress or (lambda done, what: None)
    rules = replace(rules, decks=found.decks)
    strategy = StrategyTable.from_game(analyze(rules), most_cards=LONGEST_HAND)
    shoe = Shoe(found.counts_of_cards)
    tags = np.array(found.used.system.tags)
    total = found.used.system.total(shoe)
    edge_of = _edge_of(found, paytable, meter)
    rows = []
    for i, row in enumerate(found.rows):
        seen = play_shoes(
            rules,
            strategy,
            shoe,
            row.behind,
            shoes,
            plays_out=paytable is not None and paytable.bet.plan.finished,
            seed=seed,
            progress=lambda done, what, i=i: report((i + done) / len(found.rows), what),  # type: ignore[misc]
        )
        # In whole numbers, as the exact table has it: no rounding moves a count over a border.
        count = (np.array(shoe.counts) - seen.left) @ tags
        excess = 100 * DECK * (count * shoe.size - total * seen.dealt)
        hundredths = excess // ((shoe.size - seen.dealt) * shoe.size)
        bets = np.zeros(len(count), dtype=np.bool_)
        if row.betting is not None and row.betting.trigger is not None:
            bets |= hundredths >= round(100 * row.betting.trigger)
        if row.betting is not None and row.betting.lower is not None:
            bets |= hundredths < round(100 * row.betting.lower)
        won = edge_of(seen.left[bets].astype(np.int64))
        by_shoe = np.bincount(seen.shoe[bets], won, minlength=shoes)
        rounds = np.bincount(seen.shoe, minlength=shoes)
        gain = float(by_shoe.sum() / rounds.sum())
        spread = float(((by_shoe - gain * rounds) ** 2).sum())
        rows.append(
            PlayedRow(
                row.behind,
                float(rounds.mean()),
                seen.cards_per_round,
                float(bets.mean()),
                float(won.mean()) if len(won) else 0.0,
                gain,
                sqrt(spread / max(1, shoes * (shoes - 1))) / float(rounds.mean()),
                shoes,
            )
        )
    report(1.0, "done")
    return tuple(rows)


def _edge_of(
    found: Vulnerability, paytable: Paytable | None, meter: Fraction | int | None
) -> Callable[[npt.NDArray[np.int64]], npt.NDArray[np.float64]]:
    """From cards left to the edge of the next round."""
    if paytable is not None:
        stake, amount = paytable.stake, meter_amount(paytable, meter)

        def net(hits: Hits) -> Fraction:
            return paytable.result(hits, amount) / stake

        depleted = deplete(
            paytable.bet, net, paytable.pack.shoe, strategy_for(paytable, found.decks)
        )
        return lambda left: depleted.per_round(left)[0]
    whole = np.array(found.counts_of_cards)
    weights = np.array([effect or 0.0 for effect in found.effects])

    def linear(left: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        gone = (whole - left) @ weights
        return np.asarray(found.expected + (whole.sum() - 1) / left.sum(axis=1) * gone)

    return linear
