"""Average number of cards in a round, exactly for the analysed strategy.

A card is counted where it is drawn: for every hand that hits or doubles, and every set of cards
with which the dealer must draw, the chance of getting there. The dealer has two cards, and draws
further ones only where the result of a hand depends on the dealer's total, that is not where every
hand of the round is bust, surrendered, or a blackjack, nor where the dealer has one. Where all
hands of a split round are bust, that needs the joint law of all of them (`odds.all_hands`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from odds.all_hands import (
    Polynomial,
    alike,
    constant,
    deaths,
    expected,
    split_product,
    split_reaches,
    ways_of_playing,
)
from odds.dealer import FloatArray
from odds.game import GameOdds, Progress
from odds.hands import EYE, IntArray, lattice
from odds.pairs import draw_weights, histories, pair_cards
from odds.play import without_splits
from odds.reach import Reach, reach
from odds.strategy import Action


@dataclass(frozen=True, slots=True)
class RoundCards:
    """Average numbers of cards in a round of one player against the dealer; float64.

    Attributes:
        player_cards: The player's cards, over all hands.
        dealer_cards: The dealer's cards; more than two only where a hand's result depends on them.
        dealer_cards_drawn_out: The dealer's cards if the dealer always played out the hand, also
            where every hand of the player is settled before; not after a blackjack.
        hands: The player's hands, after splitting.
    """

    player_cards: float
    dealer_cards: float
    dealer_cards_drawn_out: float
    hands: float

    @property
    def cards_per_round(self) -> float:
        """Cards of player and dealer in a round."""
        return self.player_cards + self.dealer_cards

    @property
    def cards_per_hand(self) -> float:
        """The player's cards in one hand, each split hand with its own pair card."""
        return self.player_cards / self.hands


def round_cards(odds: GameOdds, progress: Progress | None = None) -> RoundCards:
    """Average numbers of cards under the analysed strategy.

    Six decks take about ten seconds with resplits to four, one or two without splits.

    Args:
        odds: An analysed game.
        progress: Called with (fraction done, what); raising cancels.

    Example:
        >>> from odds.game import analyze
        >>> from odds.rules import Rules
        >>> rules = Rules(decks=1, max_split_hands=1, max_split_hands_aces=1)
        >>> cards = round_cards(analyze(rules))
        >>> round(cards.cards_per_round, 4), round(cards.cards_per_hand, 4)
        (5.3993, 2.6491)
    """
    report = progress or (lambda done, what: None)
    draws, dealer, drawn_out, hands = 0.0, 2.0, 2.0, 1.0
    unsplit = _Unsplit(odds)
    for up, chance in odds.upcard_probability.items():
        report((up - 1) / 10, f"cards against upcard {up}")
        end = _Upcard(odds, up - 1)
        shoe = odds._dealer.values - EYE[up - 1]
        drawn_out += chance * expected(shoe, end.draws, constant(1.0))
        dealer += chance * expected(shoe, unsplit.live(up - 1), end.draws)
        draws += chance * expected(shoe, unsplit.draws(up - 1), end.played)
        for value, taken in odds._split_chance.items():
            if taken[up - 1]:
                more, after = _split(odds, value, end)
                draws += chance * taken[up - 1] * more
                dealer += chance * taken[up - 1] * after
                hands += chance * taken[up - 1] * (odds._splits[value].hands[up - 1] - 1.0)
    report(1.0, "done")
    # the first two cards of every hand, split hands with one pair card each, and those drawn
    return RoundCards(float(2.0 * hands + draws), float(dealer), drawn_out, float(hands))


@lru_cache(maxsize=2)
def _dealer_draws(hit_soft_17: bool) -> tuple[IntArray, FloatArray]:
    """[d, 10] sets of two or more cards with which the dealer draws, and [d, 10] orders.

    The orders are those of dealing the set with a first card of each value.
    """
    lat = lattice()
    must = (lat.total < 17) | ((lat.total == 17) & lat.soft & hit_soft_17)
    orders = np.zeros((lat.size, 10))
    for value in range(10):
        orders[lat.of(value + 1), value] = 1.0
    for of_size in lat.by_cards[1:]:
        drawing = of_size[must[of_size]]
        for value in range(10):
            after = lat.successor[drawing, value]
            stays = after >= 0
            orders[after[stays]] += orders[drawing[stays]]
    some = must & (lat.cards >= 2) & orders.any(axis=1)
    return lat.counts[some], orders[some]


class _Upcard:
    """What follows the player's hands against one upcard.

    Attributes:
        up: Upcard value less 1.
        draws: The cards beyond the upcard with which the dealer must draw.
        played: The chance that the hands are played: that no peek shows a blackjack.
    """

    def __init__(self, odds: GameOdds, up: int) -> None:
        cards, orders = _dealer_draws(odds.rules.hit_soft_17)
        some = orders[:, up] > 0
        self.up = up
        self.draws = Polynomial(cards[some] - EYE[up], orders[some, up])
        self.played = constant(1.0)
        if odds.rules.peeks_under(up + 1):
            hole = {0: 9, 9: 0}[up]
            self.played = self.played.plus(Polynomial(EYE[[hole]], np.array([-1.0])))


class _Unsplit:
    """Hands that are not split: where they draw, and where they are live in the end."""

    def __init__(self, odds: GameOdds) -> None:
        decisions = without_splits(odds.strategy.first, odds._play.values)
        self._reached = reach(*odds._unsplit, decisions)
        gives_up = decisions[self._reached.stands] == Action.SURRENDER.column
        self._live = self._reached.stand_orders[:, 0] * ~gives_up
        self._live += self._reached.double_orders[:, 0]

    def live(self, up: int) -> Polynomial:
        """Hands whose result depends on the dealer."""
        return _polynomial(self._reached.stands, self._live[:, up])

    def draws(self, up: int) -> Polynomial:
        """Hands that draw a card."""
        return _drawing(self._reached, 0, up)


def _polynomial(hands: IntArray, orders: FloatArray) -> Polynomial:
    some = orders != 0
    return Polynomial.of(lattice().counts[hands[some]], orders[some])


def _drawing(reached: Reach, tally: int, up: int) -> Polynomial:
    """Hands of two or more cards that draw another."""
    several = lattice().cards[reached.hits] > 1
    hits = _polynomial(reached.hits[several], reached.hit_orders[several, tally, up])
    return hits.plus(_polynomial(reached.doubles, reached.entry_orders[:, tally, up]))


def _split(odds: GameOdds, value: int, end: _Upcard) -> tuple[float, float]:
    """Cards drawn to split hands of two or more cards, and the dealer's beyond the second.

    Both expected, given the pair and the upcard.
    """
    rules, up, card = odds.rules, end.up, EYE[value - 1]
    max_hands = rules.split_hands(value)
    shoe = odds._dealer.values - 2 * card - EYE[up]
    pairing = alike(pair_cards(rules.split_by, odds.shoe.by_rank, value), up)
    reached = split_reaches(odds.strategy, value, max_hands)
    parts = []
    for hands, tallies in histories(max_hands).items():
        free, paired = (_drawing(reached[hands], tally, up) for tally in (0, 1))
        for drawn, (weight, less) in draw_weights(tallies).items():
            parts.append(free.scaled(weight * pairing[drawn], (drawn - 1) * card))
            parts.append(paired.scaled(-less * pairing[drawn + 1], (drawn - 1) * card))
    draws = expected(shoe, parts[0].plus(*parts[1:]), end.played)

    # a split ace-ten that is more than 21 does not wait for the dealer
    settled = rules.split_ace_ten != "21"
    dead = {
        (kind, tally): deaths(value, reached[kind], up, tally, settled)
        for kind in set(ways_of_playing(reached).values())
        for tally in (0, 1)
    }
    dealer = expected(shoe, end.draws, constant(1.0))
    for one, two in split_product(reached, dead, value, pairing):
        dealer -= expected(shoe, one.times(end.draws), two)
    return draws, dealer
