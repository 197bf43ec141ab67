"""What the counting engine returns: the odds of a bet, and its counts for any number of packs."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from odds.cards import Card
from odds.errors import InputError
from odds.html import Cell, percent, report, table
from odds.shoe import MAX_DECKS, Shoe
from odds.sidebets.bet import SideBet
from odds.sidebets.polynomial import Polynomial, evaluate

Hits = tuple[int, ...]
"""How often each tier counts in an outcome."""
ExampleDeal = tuple[tuple[str, tuple[Card, ...]], ...]
"""Cards by place, such as ``(("player", (A♠, J♠)), ("up", (7♦,)))``."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """All deals with one result.

    Attributes:
        hits: How often each tier counts.
        ways: In how many of `BetOdds.total` ways it comes.
    """

    hits: Hits
    ways: int


@dataclass(frozen=True, slots=True)
class TierOdds:
    """The odds of one tier.

    Attributes:
        name: The tier.
        ways: In how many of `BetOdds.total` ways it counts at least once.
        probability: `ways` over the total, exact.
        expected_count: How often it counts on average; above the probability only where a tier can
            count more than once.
    """

    name: str
    ways: int
    probability: Fraction
    expected_count: Fraction


@dataclass(frozen=True, slots=True)
class BetOdds:
    """Exact odds of a side bet.

    Attributes:
        bet: The side bet.
        shoe: What is dealt from.
        total: All ways to deal; given what is known when the bet is made, where `bet.given` says.
            For first cards the order within each group of interchangeable cards does not count, so
            a two-card bet has n (n-1) / 2 ways.
        outcomes: Every outcome with at least one way; their ways sum to `total`.
    """

    bet: SideBet
    shoe: Shoe
    total: int
    outcomes: tuple[Outcome, ...]

    @property
    def tiers(self) -> tuple[TierOdds, ...]:
        """The odds of each tier, in the order of the bet."""
        return tuple(self._tier(i) for i in range(len(self.bet.tiers)))

    def tier(self, name: str) -> TierOdds:
        """The odds of a tier by name.

        Raises:
            InputError: There is no such tier.
        """
        names = [tier.name for tier in self.bet.tiers]
        if name not in names:
            raise InputError("tier", name, f"one of {', '.join(names)}")
        return self._tier(names.index(name))

    def _tier(self, i: int) -> TierOdds:
        ways = sum(outcome.ways for outcome in self.outcomes if outcome.hits[i])
        counts = sum(outcome.ways * outcome.hits[i] for outcome in self.outcomes)
        return TierOdds(
            self.bet.tiers[i].name,
            ways,
            Fraction(ways, self.total),
            Fraction(counts, self.total),
        )

    @property
    def nothing(self) -> Fraction:
        """The probability that no tier is hit."""
        ways = sum(outcome.ways for outcome in self.outcomes if not any(outcome.hits))
        return Fraction(ways, self.total)

    def probability(self, outcome: Outcome) -> Fraction:
        """The exact probability of an outcome."""
        return Fraction(outcome.ways, self.total)

    def _repr_html_(self) -> str:
        rows: list[list[Cell]] = [
            [tier.name, tier.ways, tier.probability, percent(tier.probability)]
            for tier in self.tiers
        ]
        return report(
            f"Odds of a side bet from {self.shoe}",
            table(["tier", "combinations", "exact", "probability"], rows),
            note=f"Exact fractions of {self.total:,} combinations; no tier is hit with "
            f"{percent(self.nothing)}.",
        )


@dataclass(frozen=True, slots=True)
class BetCounts:
    """The counts of a bet for any number of packs.

    Attributes:
        bet: The side bet.
        pack: One pack; d decks are d times its cards.
        polynomials: For each outcome (how often each tier counts) its ways as a polynomial in the
            number of packs, before division by `symmetry`.
        total: The same for all deals.
        symmetry: The orders of interchangeable cards, by which both are divided.
        longest: The cards of the longest deal.
        rows: How many different deals were looked at.
        holds: For each tier the number of looked-at deals in which its condition holds.
        hidden_by: For each tier the earlier tiers of its group that take deals from it.
        examples: For each tier (and last for no tier) up to three deals that hit it.
    """

    bet: SideBet
    pack: Shoe
    polynomials: dict[Hits, Polynomial]
    total: Polynomial
    symmetry: int
    longest: int
    rows: int
    holds: tuple[int, ...]
    hidden_by: tuple[tuple[str, ...], ...]
    examples: tuple[tuple[ExampleDeal, ...], ...]
    _at: dict[int, BetOdds] = field(default_factory=dict, compare=False, repr=False)

    def at(self, decks: int) -> BetOdds:
        """The odds for a number of packs.

        Raises:
            InputError: Not from 1 to 12, or the bet cannot come about (its `given` never holds).
        """
        if isinstance(decks, bool) or not isinstance(decks, int) or not 1 <= decks <= MAX_DECKS:
            raise InputError("decks", decks, f"a whole number from 1 to {MAX_DECKS}")
        if decks not in self._at:
            shoe = Shoe(tuple(decks * count for count in self.pack.counts))
            if shoe.size < self.longest:
                raise InputError("shoe", shoe.size, f"{self.longest} cards or more for this bet")
            total = evaluate(self.total, decks) // self.symmetry
            if not total:
                raise InputError("given", str(self.bet.given), "something that can happen")
            outcomes = [
                Outcome(hits, ways // self.symmetry)
                for hits, polynomial in self.polynomials.items()
                if (ways := evaluate(polynomial, decks))
            ]
            if sum(outcome.ways for outcome in outcomes) != total:
                raise InputError("shoe", str(shoe), "cards enough for every hand to be finished")
            self._at[decks] = BetOdds(self.bet, shoe, total, tuple(outcomes))
        return self._at[decks]
