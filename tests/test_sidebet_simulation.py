"""Every dealer-hand bet of the catalogue against a seeded simulation of dealt rounds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
import pytest

from paytables.bets import load_catalog
from paytables.metrics import evaluate
from paytables.model import Paytable

DECKS = 6
ROUNDS = 300_000
LONGEST = 16
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Rounds:
    """Simulated rounds: what a pit clerk would write down of each."""

    up: npt.NDArray[np.int64]
    cards: npt.NDArray[np.int64]
    total: npt.NDArray[np.int64]
    one_suit: Mask
    all_eights: Mask
    dealer_natural: Mask
    player_natural: Mask

    @property
    def bust(self) -> Mask:
        return np.asarray(self.total > 21)


@cache
def simulate(hit_soft_17: bool) -> Rounds:
    """Deal from a shuffled shoe: card 0 and 1 to the player, then up, hole and draws."""
    rng = np.random.default_rng(20_240_229 + hit_soft_17)
    # Positions in the shoe drawn with replacement; rounds that draw one twice are dealt again.
    kept: list[npt.NDArray[np.int64]] = []
    while sum(map(len, kept)) < ROUNDS:
        drawn = rng.integers(0, 52 * DECKS, size=(ROUNDS, LONGEST))
        ordered = np.sort(drawn, axis=1)
        kept.append(drawn[(ordered[:, 1:] != ordered[:, :-1]).all(axis=1)])
    faces = np.concatenate(kept)[:ROUNDS] % 52
    values, suits = np.minimum(faces // 4 + 1, 10), faces % 4
    player, dealer = values[:, :2], values[:, 2:]
    hard = dealer[:, 0] + dealer[:, 1]
    ace = (dealer[:, :2] == 1).any(axis=1)
    cards = np.full(ROUNDS, 2)
    playing = np.ones(ROUNDS, dtype=np.bool_)
    for place in range(2, LONGEST - 2):
        soft = ace & (hard <= 11)
        total = hard + 10 * soft
        playing &= (total < 17) | (hit_soft_17 & soft & (total == 17))
        hard = hard + dealer[:, place] * playing
        ace |= playing & (dealer[:, place] == 1)
        cards += playing
    held = np.arange(LONGEST - 2) < cards[:, None]
    same = (suits[:, 2:] == suits[:, 2:3]) | ~held
    return Rounds(
        up=dealer[:, 0],
        cards=cards,
        total=hard + 10 * (ace & (hard <= 11)),
        one_suit=same.all(axis=1),
        all_eights=((dealer == 8) | ~held).all(axis=1) & (cards == 3),
        dealer_natural=(np.sort(dealer[:, :2], axis=1) == [1, 10]).all(axis=1),
        player_natural=(np.sort(player, axis=1) == [1, 10]).all(axis=1),
    )


def buster(rounds: Rounds, tier: str) -> Mask:
    number, natural = tier.rstrip("+&BJ"), tier.endswith("&BJ")
    cards = rounds.cards >= 8 if number == "8" else rounds.cards == int(number)
    hit = rounds.bust & cards
    if natural:
        return hit & rounds.player_natural
    return hit


TIERS: dict[str, Callable[[Rounds, str], Mask]] = {
    "Buster Blackjack": buster,
    "Bust": lambda rounds, tier: rounds.bust,
    "Bet the Bust": lambda rounds, tier: rounds.bust,
    "Push 22": lambda rounds, tier: np.asarray(rounds.total == 22),
    "Bust Bonus": lambda rounds, tier: {
        "888s": rounds.all_eights & rounds.one_suit,
        "888": rounds.all_eights,
        "suited": rounds.bust & rounds.one_suit,
        "bust": rounds.bust,
    }[tier],
}


def dealer_bets() -> list[Paytable]:
    found = [paytable for bet in load_catalog().values() for paytable in bet.paytables.values()]
    return [paytable for paytable in found if paytable.bet.plan.finished]


@pytest.mark.parametrize("paytable", dealer_bets(), ids=lambda p: f"{p.name}, {p.variant}")
def test_dealer_bets_agree_with_simulated_rounds(paytable: Paytable) -> None:
    rounds = simulate(paytable.bet.plan.hit_soft_17)
    known = np.ones(ROUNDS, dtype=np.bool_)
    if paytable.deal.given is not None:  # "7 up", "ace up": offered after the peek
        upcard = {"ace": 1, "ten": 10}.get(word := paytable.variant.split()[0]) or int(word)
        known = (rounds.up == upcard) & ~rounds.dealer_natural
    number = int(known.sum())
    free = known.copy()
    for row in evaluate(paytable, DECKS).tiers:
        hit = TIERS[paytable.name](rounds, row.tier.name) & free
        free &= ~hit
        expected = float(row.probability)
        error = (expected * (1 - expected) / number) ** 0.5
        assert abs(hit.sum() / number - expected) <= 4 * error, row.tier.name


def test_every_dealer_bet_is_simulated() -> None:
    assert {paytable.name for paytable in dealer_bets()} == set(TIERS)
