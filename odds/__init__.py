"""Exact blackjack odds: the main game (`odds.game`) and side bets (`odds.sidebets`)."""

from odds.cards import Card, Rank, Suit
from odds.errors import InputError
from odds.game import GameOdds, HandOdds, analyze
from odds.rules import Rules
from odds.shoe import Shoe
from odds.strategy import REGIMES, Action, Strategy

__all__ = [
    "REGIMES",
    "Action",
    "Card",
    "GameOdds",
    "HandOdds",
    "InputError",
    "Rank",
    "Rules",
    "Shoe",
    "Strategy",
    "Suit",
    "analyze",
]
