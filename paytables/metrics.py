"""What a paytable is worth: edge, return, frequencies, deviation, meters; exact where it can be.

House edge of a side bet = minus the expected net win per unit staked (on all its wagers together);
RTP = 1 - edge. Everything but the standard deviation (a square root) is an exact fraction.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache

from odds.errors import InputError
from odds.game import analyze
from odds.shoe import Shoe
from odds.sidebets import BetCounts, BetOdds, Outcome, SideBet, StrategyTable, TierRule, count_bet
from odds.sidebets.language import PLAYER_HANDS
from paytables.model import Meter, Paytable, Tier
from paytables.presets import load_preset

LONGEST_HAND = 20
"""No hand of 20 or less has as many cards that may still be hit."""


@dataclass(frozen=True, slots=True)
class TierResult:
    """One tier of an evaluated paytable.

    Attributes:
        tier: The tier.
        ways: In how many of all ways it is hit.
        probability: That as a fraction of all ways.
        net: Net win of one hit, in units of the tier's wager, with the meter as evaluated.
        contribution: What the tier adds to the expected net win per unit staked; the contributions
            of all tiers and of `Evaluation.lost` sum to minus the edge.
    """

    tier: Tier
    ways: int
    probability: Fraction
    net: Fraction
    contribution: Fraction

    @property
    def one_in(self) -> Fraction | None:
        """One hit in so many rounds on average, or None if it never comes."""
        return 1 / self.probability if self.probability else None


@dataclass(frozen=True)
class Evaluation:
    """A paytable with the odds of one shoe.

    Attributes:
        paytable: The paytable.
        odds: The exact odds of its tiers.
        meter: The meter amount that was counted with, in currency; 0 without a meter.
        strategy: Whose decisions the cards depend on, or None.
    """

    paytable: Paytable
    odds: BetOdds
    meter: Fraction = Fraction(0)
    strategy: StrategyTable | None = None

    @cached_property
    def _nets(self) -> tuple[tuple[Fraction, int], ...]:
        """The net result and the ways of each outcome."""
        result, meter = self.paytable.result, self.meter
        return tuple((result(o.hits, meter), o.ways) for o in self.odds.outcomes)

    @cached_property
    def results(self) -> dict[Fraction, Fraction]:
        """The probability of each net result in units (of all wagers together), rising."""
        ways: dict[Fraction, int] = {}
        for net, number in self._nets:
            ways[net] = ways.get(net, 0) + number
        return {net: Fraction(ways[net], self.odds.total) for net in sorted(ways)}

    def net(self, outcome: Outcome) -> Fraction:
        """The net result of an outcome in units."""
        return self.paytable.result(outcome.hits, self.meter)

    @cached_property
    def expected_net(self) -> Fraction:
        """Expected net win of a round in units."""
        return sum((net * ways for net, ways in self._nets), Fraction(0)) / self.odds.total

    @property
    def edge(self) -> Fraction:
        """House edge per unit staked."""
        return -self.expected_net / self.paytable.stake

    @property
    def rtp(self) -> Fraction:
        """Return to player, 1 - edge."""
        return 1 - self.edge

    @property
    def hit_frequency(self) -> Fraction:
        """Probability of a net win."""
        return sum((p for net, p in self.results.items() if net > 0), Fraction(0))

    @property
    def push_frequency(self) -> Fraction:
        """Probability that exactly the stake comes back."""
        return self.results.get(Fraction(0), Fraction(0))

    @cached_property
    def variance(self) -> Fraction:
        """Variance of the net result, in units squared, exact."""
        square = sum((net * net * p for net, p in self.results.items()), Fraction(0))
        return square - self.expected_net**2

    @property
    def standard_deviation(self) -> float:
        """Standard deviation of the net result in units."""
        return math.sqrt(self.variance)

    @property
    def top_award(self) -> Fraction:
        """The largest net result that can happen, in units."""
        return max(self.results)

    @cached_property
    def tiers(self) -> tuple[TierResult, ...]:
        """Every tier with its odds and its part in the expected net win."""
        meter = self.paytable.meter
        prize = self.meter / meter.stake if meter is not None else Fraction(0)
        rows = []
        for tier, odds in zip(self.paytable.tiers, self.odds.tiers, strict=True):
            net = self.paytable.net(tier) + (tier.meter or 0) * prize
            unit = self.paytable.wagers.get(tier.wager, Fraction(1))
            share = odds.expected_count * net * unit / self.paytable.stake
            rows.append(TierResult(tier, odds.ways, odds.probability, net, share))
        return tuple(rows)

    @property
    def lost(self) -> Fraction:
        """The part of rounds without a hit (on each wager) in the expected net win: not above 0."""
        return -self.edge - sum((row.contribution for row in self.tiers), Fraction(0))

    def _repr_html_(self) -> str:
        from paytables import html

        return html.evaluation(self)


@lru_cache(maxsize=64)
def table_strategy(table: str, decks: int, most_cards: int = 2) -> StrategyTable:
    """The main game's best decisions at a preset table dealt from so many decks.

    Raises:
        InputError: No such preset.
    """
    preset = load_preset(table)
    game = analyze(replace(preset.rules, decks=decks))
    name = f"the best strategy at the table {preset.name!r}, {decks} decks"
    return StrategyTable.from_game(game, name, most_cards=most_cards)


def strategy_for(paytable: Paytable, decks: int) -> StrategyTable | None:
    """The decisions that a paytable's cards depend on, if they do."""
    if paytable.deal.table is None:
        return None
    all_cards = paytable.bet.plan.plays != "always"
    most = LONGEST_HAND if all_cards else 1 + max(1, paytable.deal.next_cards)
    return table_strategy(paytable.deal.table, decks, most)


def counts_of(paytable: Paytable, strategy: StrategyTable | None = None) -> BetCounts:
    """The counts of a paytable's bet from its pack, for any number of decks.

    Raises:
        InputError: See `odds.sidebets.count_bet`.
    """
    return count_bet(paytable.bet, paytable.pack.shoe, strategy)


def evaluate(
    paytable: Paytable,
    decks: int | None = None,
    *,
    shoe: Shoe | None = None,
    meter: Fraction | int | None = None,
    strategy: StrategyTable | None = None,
) -> Evaluation:
    """Evaluate a paytable for a number of decks (by default its usual one) or for any shoe.

    Args:
        paytable: The paytable.
        decks: Decks of the paytable's pack.
        shoe: What is dealt from instead.
        meter: The meter in currency; by default the paytable's own amount, else 0.
        strategy: The decisions that the cards depend on; by default those of ``deal.table``.

    Raises:
        InputError: Decks and shoe both given, or see `odds.sidebets.count_bet`.

    Example:
        >>> from paytables.bets import load_paytable
        >>> evaluate(load_paytable("Perfect Pairs", "30/10/5"), 8).edge
        Fraction(14, 415)
    """
    if decks is not None and shoe is not None:
        raise InputError("decks", decks, "left out where a shoe is given")
    number = decks if decks is not None else paytable.decks[0]
    strategy = strategy or strategy_for(paytable, number)
    if shoe is not None:
        odds = count_bet(paytable.bet, shoe, strategy).at(1)
    else:
        odds = counts_of(paytable, strategy).at(number)
    amount = meter
    if amount is None:
        amount = (paytable.meter.amount if paytable.meter else None) or Fraction(0)
    if amount < 0:
        raise InputError("meter", str(amount), "0 or more")
    return Evaluation(paytable, odds, Fraction(amount), strategy)


@dataclass(frozen=True, slots=True)
class MeterResult:
    """What a progressive meter does to a bet.

    Attributes:
        meter: The meter's rules.
        base_edge: House edge with the meter at zero.
        return_per_unit: What each unit of currency in the meter takes off the edge.
        break_even: The meter, in currency, above which the player has the edge; None if never.
        hit_frequency: Probability that any of the meter is won.
        emptied: Probability that all of it is won, after which the house seeds it again.
        long_run_edge: House edge in the long run, the seeds and increments counted as paid out.
    """

    meter: Meter
    base_edge: Fraction
    return_per_unit: Fraction
    break_even: Fraction | None
    hit_frequency: Fraction
    emptied: Fraction
    long_run_edge: Fraction

    def edge(self, amount: Fraction | int) -> Fraction:
        """House edge with the meter at an amount."""
        return self.base_edge - amount * self.return_per_unit

    def _repr_html_(self) -> str:
        from paytables import html

        return html.meter_result(self)


def meter_result(evaluation: Evaluation) -> MeterResult:
    """The edge as a function of the meter, and in the long run.

    A winner takes a share of the meter; the rest stays. In the long run the meter pays out what is
    put in: the increment of every bet, and a seed each time it is emptied (with partial shares too,
    since the expected inflow and outflow of a steady meter are equal).

    Raises:
        InputError: The paytable has no meter.
    """
    paytable, odds = evaluation.paytable, evaluation.odds
    meter = paytable.meter
    if meter is None:
        raise InputError("meter", None, "a paytable with a [meter]")
    base = Evaluation(paytable, odds, Fraction(0)).edge
    unit = Evaluation(paytable, odds, Fraction(1)).edge
    per_unit = base - unit
    shares = [tier.meter or Fraction(0) for tier in paytable.tiers]
    won = emptied = Fraction(0)
    for outcome in odds.outcomes:
        held = [share for share, hits in zip(shares, outcome.hits, strict=True) if hits and share]
        chance = odds.probability(outcome)
        won += chance if held else 0
        emptied += chance if 1 in held else 0
    staked = paytable.stake * meter.stake
    paid_in = meter.increment + emptied * meter.seed
    return MeterResult(
        meter,
        base,
        per_unit,
        base / per_unit if per_unit else None,
        won,
        emptied,
        base - paid_in / staked,
    )


@dataclass(frozen=True, slots=True)
class SharedMeter:
    """A meter with several betting hands at one table.

    Attributes:
        hands: How many hands bet.
        winners: Probability of each number of winning hands, 0 to `hands`.
        expected_share: What part of the meter a winning hand gets on average, winners sharing it.
    """

    hands: int
    winners: tuple[Fraction, ...]
    expected_share: Fraction

    @property
    def any_winner(self) -> Fraction:
        """Probability that the meter is won in a round."""
        return 1 - self.winners[0]


def shared_meter(
    paytable: Paytable, tier: str, hands: int, decks: int | None = None
) -> SharedMeter:
    """How many hands win a tier at once when several bet, and so share its meter.

    Each hand has its own two cards; the dealer's cards are common.

    Raises:
        InputError: No such tier, not from 1 to 5 hands, or the tier depends on further draws.
    """
    rules = {rule.name: rule for rule in paytable.bet.tiers}
    if tier not in rules:
        raise InputError("tier", tier, f"one of {', '.join(rules)}")
    if not 1 <= hands <= len(PLAYER_HANDS):
        raise InputError("hands", hands, f"from 1 to {len(PLAYER_HANDS)}")
    if paytable.deal.next_cards:
        raise InputError("tier", tier, "one that is decided by first cards")
    copies = [
        TierRule(zone, rules[tier].when.with_zone("player", zone), group=zone)
        for zone in PLAYER_HANDS[:hands]
    ]
    bet = SideBet(tuple(copies), paytable.bet.plan, paytable.bet.given)
    odds = count_bet(bet, paytable.pack.shoe).at(decks if decks is not None else paytable.decks[0])
    ways = [0] * (hands + 1)
    for outcome in odds.outcomes:
        ways[sum(outcome.hits)] += outcome.ways
    winners = tuple(Fraction(number, odds.total) for number in ways)
    won = 1 - winners[0]
    hits = sum((n * p for n, p in enumerate(winners)), Fraction(0))
    return SharedMeter(hands, winners, won / hits if hits else Fraction(1))


def by_decks(paytable: Paytable, decks: Sequence[int] = range(1, 9)) -> dict[int, Evaluation]:
    """The paytable for each of several deck counts."""
    return {number: evaluate(paytable, number) for number in decks}
