"""Side bets: any bet a designer can describe, counted exactly.

Example:
    >>> bet = SideBet.parse({
    ...     "perfect": "identical(player)",
    ...     "coloured": "pair(player) and same_colour(player)",
    ...     "mixed": "pair(player)",
    ... })
    >>> odds = bet_odds(bet, decks=8)
    >>> [(tier.name, tier.ways) for tier in odds.tiers], odds.total
    ([('perfect', 1456), ('coloured', 1664), ('mixed', 3328)], 86320)
"""

from odds.sidebets.bet import DealPlan, SideBet, TierRule
from odds.sidebets.counting import STANDARD_PACK, bet_odds, count_bet
from odds.sidebets.decisions import StrategyTable
from odds.sidebets.language import parse_amount, parse_condition
from odds.sidebets.results import BetCounts, BetOdds, Outcome, TierOdds
from odds.sidebets.syntax import Condition, ConditionError

__all__ = [
    "STANDARD_PACK",
    "BetCounts",
    "BetOdds",
    "Condition",
    "ConditionError",
    "DealPlan",
    "Outcome",
    "SideBet",
    "StrategyTable",
    "TierOdds",
    "TierRule",
    "bet_odds",
    "count_bet",
    "parse_amount",
    "parse_condition",
]
