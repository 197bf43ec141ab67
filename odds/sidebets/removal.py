"""The exact effect on a side bet's expectation of taking one card out of the shoe."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from odds.cards import ALL_CARDS, Rank
from odds.shoe import Shoe
from odds.sidebets.bet import SideBet
from odds.sidebets.decisions import StrategyTable
from odds.sidebets.depletion import DepletedBet, Net, deplete
from odds.sidebets.partition import suit_symmetries

Progress = Callable[[float, str], None]
"""Called with (fraction done, what); raising from it cancels."""


@dataclass(frozen=True, slots=True)
class CardEffects:
    """What taking one card out of a shoe does to a side bet, exact.

    Attributes:
        expected: Expected net result from the whole shoe in units, given that the bet is offered.
        offered: Probability that it is offered: 1 for a bet made before the deal.
        effects: For each of the 52 card types the change of `expected` when one such card is gone;
            None where the shoe has no such card.
        offered_without: For each type the probability of being offered when one is gone.
        counts: How many of each type the whole shoe has.
    """

    expected: Fraction
    offered: Fraction
    effects: tuple[Fraction | None, ...]
    offered_without: tuple[Fraction | None, ...]
    counts: tuple[int, ...]

    @property
    def average_after_one_card(self) -> Fraction:
        """The expectation per round after one random card; equal to the whole shoe's, exactly."""
        total = Fraction(0)
        for effect, offered, count in zip(
            self.effects, self.offered_without, self.counts, strict=True
        ):
            if effect is not None and offered is not None:
                total += count * (self.expected + effect) * offered
        return total / sum(self.counts)

    @property
    def suits_matter(self) -> bool:
        """Whether two cards of one rank have different effects."""
        return any(len(set(self._of_rank(rank))) > 1 for rank in Rank)

    def by_rank(self) -> dict[Rank, Fraction]:
        """The mean effect of each rank that the shoe has, over the cards of the rank."""
        found = {}
        for rank in Rank:
            counts = self.counts[4 * rank : 4 * rank + 4]
            if any(counts):
                effects = self.effects[4 * rank : 4 * rank + 4]
                total = sum((n * e for n, e in zip(counts, effects, strict=True) if e), Fraction(0))
                found[rank] = total / sum(counts)
        return found

    def _of_rank(self, rank: Rank) -> tuple[Fraction, ...]:
        return tuple(e for e in self.effects[4 * rank : 4 * rank + 4] if e is not None)


def card_effects(
    bet: SideBet,
    net: Net,
    shoe: Shoe,
    strategy: StrategyTable | None = None,
    progress: Progress | None = None,
) -> CardEffects:
    """The exact effect of removing each of the 52 card types.

    Args:
        bet: The side bet.
        net: The net result of an outcome in units, such as `paytables.model.Paytable.result`.
        shoe: The whole shoe.
        strategy: What the main game's strategy does, where the cards depend on it; the same
            decisions are kept when a card is gone.
        progress: Called with (fraction done, what); raising cancels.

    Raises:
        InputError: See `odds.sidebets.depletion.deplete`.

    Example:
        >>> insurance = SideBet.parse({"win": 'hole == "ten"'}, given='up == "A"')
        >>> found = card_effects(insurance, lambda hits: 3 * Fraction(hits[0]) - 1, Shoe.decks(6))
        >>> found.expected, found.by_rank()[Rank.TEN], found.by_rank()[Rank.TWO]
        (Fraction(-23, 311), Fraction(-129, 19282), Fraction(144, 48205))
    """
    report = progress or (lambda done, what: None)
    report(0.0, "deals of the bet")
    return effects_from(deplete(bet, net, shoe, strategy), bet, shoe, progress)


def effects_from(
    depleted: DepletedBet, bet: SideBet, shoe: Shoe, progress: Progress | None = None
) -> CardEffects:
    """As `card_effects`, from deals that are looked at already."""
    report = progress or (lambda done, what: None)
    expected, offered = depleted.exact(shoe)
    alike = depleted.alike()
    group = suit_symmetries(tuple(dict.fromkeys(bet.calls())), shoe.counts)
    known: dict[int, tuple[Fraction, Fraction]] = {}
    effects: list[Fraction | None] = []
    after: list[Fraction | None] = []
    for card in ALL_CARDS:
        if not shoe.counts[card.number]:
            effects.append(None)
            after.append(None)
            continue
        images = [4 * card.rank + to[card.suit] for to in group]
        first = min(
            other
            for other in range(52)
            if shoe.counts[other] and alike[other] in {alike[image] for image in images}
        )
        if first not in known:
            report(card.number / 52, f"without {card}")
            known[first] = depleted.exact(shoe.remove(ALL_CARDS[first]))
        effects.append(known[first][0] - expected)
        after.append(known[first][1])
    return CardEffects(expected, offered, tuple(effects), tuple(after), shoe.counts)
