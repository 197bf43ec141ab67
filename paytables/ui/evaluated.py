"""Evaluations for the pages: a design with its odds, one engine call at a time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from odds.errors import InputError
from odds.shoe import MAX_DECKS
from odds.sidebets import BetCounts, StrategyTable, count_bet
from odds.sidebets.diagnosis import Finding, TierDiagnosis, diagnose
from paytables.draft import Reading
from paytables.metrics import Evaluation, counts_of, evaluate, strategy_for
from paytables.model import Paytable
from paytables.ui.analysis import engine_lock
from paytables.ui.bet_tables import plain


@dataclass(frozen=True)
class Evaluated:
    """A design with its odds.

    Attributes:
        reading: The design.
        paytable: Its paytable.
        evaluation: The odds from its shoe.
        counts: The counts for any number of decks.
        diagnosis: What is odd about each tier.
    """

    reading: Reading
    paytable: Paytable
    evaluation: Evaluation
    counts: BetCounts
    diagnosis: tuple[TierDiagnosis, ...]

    @property
    def shoe_text(self) -> str:
        """What it is dealt from, in words."""
        draft, shoe = self.reading.draft, self.reading.shoe
        decks = f"{draft.decks} deck{'s' if draft.decks > 1 else ''}"
        if shoe is not None:
            return f"custom shoe of {shoe.size} cards"
        pack = str(self.paytable.pack)
        return decks if pack == "52-card pack" else f"{decks} of the {pack}"

    def warnings(self) -> list[str]:
        """The tiers that cannot work as written, in words as Markdown."""
        titles = {tier.name: plain(tier.title) for tier in self.paytable.tiers}
        found = []
        for tier in self.diagnosis:
            name = f"**{titles[tier.name]}**"
            if tier.finding is Finding.NEVER:
                found.append(f"{name} can never be hit: no deal meets its condition.")
            elif tier.finding is Finding.HIDDEN:
                earlier = ", ".join(titles[other] for other in tier.hidden_by)
                found.append(
                    f"{name} is hidden: {earlier} above it take every deal that it could hit. "
                    "Move it up, or make the tiers above narrower."
                )
            elif tier.finding is Finding.NOT_FROM_THESE_DECKS:
                found.append(f"{name} cannot come from this shoe.")
        return found


def evaluated(reading: Reading) -> Evaluated:
    """The odds of a design that could be read.

    Raises:
        InputError: The bet cannot be counted: too many deals, a shoe too small, an impossible
            condition on what is known.
    """
    paytable = reading.paytable
    if paytable is None:
        raise InputError("design", "unreadable", "a design without wrong entries")
    strategy = _strategy(paytable, reading.draft.decks)
    if strategy is None:
        return _evaluated(reading, paytable, strategy)
    with engine_lock():
        return _evaluated(reading, paytable, strategy)


def _evaluated(reading: Reading, paytable: Paytable, strategy: StrategyTable | None) -> Evaluated:
    shoe, decks = reading.shoe, reading.draft.decks
    if shoe is None:
        evaluation = evaluate(paytable, decks, strategy=strategy)
        counts = counts_of(paytable, strategy)
        found = diagnose(counts, decks)
    else:
        evaluation = evaluate(paytable, shoe=shoe, strategy=strategy)
        counts = count_bet(paytable.bet, shoe, strategy)
        found = _from_this_shoe(diagnose(counts_of(paytable, strategy)), evaluation)
    return Evaluated(reading, paytable, evaluation, counts, found)


def _from_this_shoe(
    found: tuple[TierDiagnosis, ...], evaluation: Evaluation
) -> tuple[TierDiagnosis, ...]:
    return tuple(
        replace(tier, finding=Finding.NOT_FROM_THESE_DECKS)
        if not odds.ways and tier.finding in (Finding.FINE, Finding.ALWAYS)
        else tier
        for tier, odds in zip(found, evaluation.odds.tiers, strict=True)
    )


def _strategy(paytable: Paytable, decks: int) -> StrategyTable | None:
    if paytable.deal.table is None:
        return None
    with engine_lock():
        return strategy_for(paytable, decks)


def edges_by_decks(paytable: Paytable, meter: Fraction) -> dict[int, Evaluation]:
    """The evaluation for 1 to 12 decks, less the counts from which it cannot be dealt."""
    found = {}
    for decks in range(1, MAX_DECKS + 1):
        try:
            strategy = _strategy(paytable, decks)
            found[decks] = evaluate(paytable, decks, meter=meter, strategy=strategy)
        except InputError:
            continue
    return found


def slope(evaluation: Evaluation, tier: int) -> Fraction:
    """What one unit more of a tier's pay takes off the edge."""
    paytable = evaluation.paytable
    unit = paytable.wagers.get(paytable.tiers[tier].wager, Fraction(1))
    return evaluation.odds.tiers[tier].expected_count * unit / paytable.stake
