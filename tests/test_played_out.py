"""Played shoes: cards of a round against the exact average, the cut-card effect, errors."""

from __future__ import annotations

import math

import numpy as np
import pytest

from odds.counting_system import CountingSystem
from odds.errors import InputError
from odds.game import analyze
from odds.played_shoes import play_shoes
from odds.round_cards import round_cards
from odds.rules import Rules
from odds.shoe import Shoe
from odds.sidebets import StrategyTable
from paytables.bets import load_paytable
from paytables.metrics import LONGEST_HAND
from paytables.played_out import played_out
from paytables.vulnerability import game_vulnerability, interval, vulnerability

H17 = Rules(decks=6, hit_soft_17=True, max_split_hands=2)
NO_SPLITS = Rules(decks=2, max_split_hands=1, max_split_hands_aces=1)


@pytest.fixture(scope="module")
def strategy() -> StrategyTable:
    return StrategyTable.from_game(analyze(NO_SPLITS), most_cards=LONGEST_HAND)


@pytest.mark.parametrize("plays_out", [False, True])
def test_first_rounds_have_the_exact_average_of_cards(
    strategy: StrategyTable, plays_out: bool
) -> None:
    """One round a shoe, against the cards counted exactly in `odds.round_cards`."""
    exact = round_cards(analyze(NO_SPLITS))
    dealer = exact.dealer_cards_drawn_out if plays_out else exact.dealer_cards
    shoe = Shoe.decks(2)
    seen = play_shoes(NO_SPLITS, strategy, shoe, 103, 20_000, plays_out=plays_out)
    assert len(seen.shoe) == 20_000
    # The cards of a round have a standard deviation of about 1.4.
    margin = 4 * 1.4 / math.sqrt(20_000)
    assert abs(seen.cards_per_round - exact.player_cards - dealer) < margin


def test_rounds_follow_each_other_until_the_cut_card(strategy: StrategyTable) -> None:
    seen = play_shoes(NO_SPLITS, strategy, Shoe.decks(2), 40, 200, seed=3)
    assert (seen.left.sum(axis=1) == 104 - seen.dealt).all()
    assert (seen.left >= 0).all()
    assert (seen.left <= 2).all()
    assert seen.dealt.max() < 64
    first = np.flatnonzero(np.diff(seen.shoe, prepend=-1))
    assert (seen.dealt[first] == 0).all()
    used = np.diff(seen.dealt)[np.diff(seen.shoe) == 0]
    assert used.min() == 4  # a natural
    again = play_shoes(NO_SPLITS, strategy, Shoe.decks(2), 40, 200, seed=3)
    assert (again.left == seen.left).all()


def test_buster_blackjack_with_two_decks_as_published() -> None:
    """E. Jacobson, advancedadvantageplay.com: 16.83 %, edge 7.30 %, 1.228 units per 100 rounds.

    Two decks, cut card at 75, true count 5. The figures lie between those without and with a last
    round after the cut card, but only in played rounds: with low cards left a shoe has had short
    rounds, so more of them (the cut-card effect), and the count likes low cards.
    """
    buster = load_paytable("Buster Blackjack").with_pays(
        {"8+": 200, "7": 100, "6": 30, "5": 6, "4": 3, "3": 1}
    )
    system = CountingSystem.parse("-2,-3,-2,0,0,0,1,1,1,1")
    table = vulnerability(buster, 2, system=system, trigger=5, behind=[23, 29], rounds=0)
    more, less = played_out(table, H17, 6000, buster)
    assert 0.9 < more.rounds - less.rounds < 1.2
    assert less.gain - interval(less.error) < 0.01228 < more.gain + interval(more.error)
    assert less.share < 0.1683 < more.share + 0.004
    assert less.edge < 0.0730 < more.edge + 0.002
    betting = table.rows[1].betting
    assert betting is not None
    assert less.gain - 2 * less.error > betting.gain


def test_a_bet_on_every_first_round_has_the_edge_off_the_top() -> None:
    bet = load_paytable("Sweet 16")
    system = CountingSystem.named("hi-lo")
    table = vulnerability(bet, 2, system=system, trigger=-99, behind=[103], rounds=0)
    (row,) = played_out(table, NO_SPLITS, 50, bet)
    assert (row.rounds, row.share) == (1, 1)
    assert row.edge == pytest.approx(table.expected, rel=0, abs=1e-15)


def test_the_main_game_is_played_with_its_linear_estimate() -> None:
    table = game_vulnerability(NO_SPLITS, behind=[26], rounds=0)
    (row,) = played_out(table, NO_SPLITS, 2000)
    betting = table.rows[0].betting
    assert betting is not None
    assert row.gain == pytest.approx(betting.gain, rel=0.25)
    assert row.shoes == 2000


def test_what_is_refused(strategy: StrategyTable) -> None:
    for name in ("Insurance", "Perfect Pairs"):
        bet = load_paytable(name)
        with pytest.raises(InputError, match="played = 10"):
            played_out(vulnerability(bet, 2, rounds=0), NO_SPLITS, 10, bet)
    with pytest.raises(InputError, match="shoes = 0"):
        play_shoes(NO_SPLITS, strategy, Shoe.decks(2), 20, 0)
    with pytest.raises(InputError, match="penetration"):
        play_shoes(NO_SPLITS, strategy, Shoe.decks(2), 104, 1)

    def stop(done: float, what: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_shoes(NO_SPLITS, strategy, Shoe.decks(2), 20, 1, progress=stop)
