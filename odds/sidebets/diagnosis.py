"""What is odd about a bet's tiers: those that never hit, and those that earlier ones hide."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from odds.shoe import MAX_DECKS
from odds.sidebets.polynomial import evaluate
from odds.sidebets.results import BetCounts, ExampleDeal


class Finding(enum.Enum):
    """What the diagnosis says of a tier."""

    FINE = "fine"
    NEVER = "no deal meets its condition"
    HIDDEN = "earlier tiers take every deal that meets its condition"
    NOT_FROM_THESE_DECKS = "it cannot come from this number of decks"
    ALWAYS = "every deal meets its condition"


@dataclass(frozen=True, slots=True)
class TierDiagnosis:
    """The diagnosis of one tier.

    Attributes:
        name: The tier.
        finding: What is wrong, or `Finding.FINE`.
        hidden_by: Earlier tiers that take some (or all) of the deals that meet its condition.
        examples: Up to three deals that hit it, from a large enough shoe.
    """

    name: str
    finding: Finding
    hidden_by: tuple[str, ...]
    examples: tuple[ExampleDeal, ...]

    def __str__(self) -> str:
        if self.finding is Finding.HIDDEN:
            return f"{self.name}: hidden, {', '.join(self.hidden_by)} take every deal it could hit"
        return f"{self.name}: {self.finding.value}"


def diagnose(counts: BetCounts, decks: int | None = None) -> tuple[TierDiagnosis, ...]:
    """Look for tiers that cannot work as written.

    Args:
        counts: The counts of the bet.
        decks: A number of decks, to find tiers that need more than those.

    Example:
        >>> from odds.sidebets import SideBet, count_bet
        >>> bet = SideBet.parse({"pair": "pair(player)", "aces": 'exactly(player, "A", "A")',
        ...                      "30": "total(player) == 30"})
        >>> for tier in diagnose(count_bet(bet)):
        ...     print(tier)
        pair: fine
        aces: hidden, pair take every deal it could hit
        30: no deal meets its condition
    """
    found = []
    for i, tier in enumerate(counts.bet.tiers):
        if not counts.holds[i]:
            finding = Finding.NEVER
        elif not _ways(counts, i, MAX_DECKS):
            finding = Finding.HIDDEN if counts.hidden_by[i] else Finding.NEVER
        elif decks is not None and not _ways(counts, i, decks):
            finding = Finding.NOT_FROM_THESE_DECKS
        elif counts.holds[i] == counts.rows:
            finding = Finding.ALWAYS
        else:
            finding = Finding.FINE
        found.append(TierDiagnosis(tier.name, finding, counts.hidden_by[i], counts.examples[i]))
    return tuple(found)


def _ways(counts: BetCounts, tier: int, decks: int) -> int:
    return sum(
        evaluate(polynomial, decks) for hits, polynomial in counts.polynomials.items() if hits[tier]
    )


def show_deal(deal: ExampleDeal) -> str:
    """A deal in one line.

    Example:
        >>> from odds.cards import Card
        >>> show_deal((("player", (Card.parse("AS"), Card.parse("JS"))), ("up", ())))
        'player A♠ J♠'
    """
    return ", ".join(
        f"{place} {' '.join(card.sign for card in cards)}" for place, cards in deal if cards
    )
