"""The dealer's table against plain enumeration."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from odds.dealer import TOTALS, DealerTable, dealer_hands, falling_table
from odds.hands import lattice


def plain_dealer(shoe: tuple[int, ...], upcard: int, hit_soft_17: bool) -> dict[str, Fraction]:
    """Card by card, from the shoe with the upcard already out."""
    result: dict[str, Fraction] = {}

    @cache
    def play(left: tuple[int, ...], hard: int, ace: bool, cards: int) -> dict[str, Fraction]:
        soft = ace and hard <= 11
        total = hard + 10 * soft
        if total > 21:
            return {"bust": Fraction(1)}
        if total == 21 and cards == 2:
            return {"blackjack": Fraction(1)}
        if total > 17 or (total == 17 and not (soft and hit_soft_17)):
            return {str(total): Fraction(1)}
        odds: dict[str, Fraction] = {}
        for i, count in enumerate(left):
            if count:
                after = (*left[:i], count - 1, *left[i + 1 :])
                for key, chance in play(after, hard + i + 1, ace or i == 0, cards + 1).items():
                    odds[key] = odds.get(key, Fraction(0)) + chance * Fraction(count, sum(left))
        return odds

    result = play(shoe, upcard, upcard == 1, 1)
    assert sum(result.values()) == 1
    return result


def table_row(shoe: tuple[int, ...], removed: list[int], hit_soft_17: bool) -> np.ndarray:
    return DealerTable(shoe, hit_soft_17).given(np.array([removed]))[0]


def test_counts_of_finished_hands() -> None:
    """Known: 3,357 and 3,525 finished multisets, 54,433 and 70,561 orders, busts included."""
    assert len(dealer_hands(hit_soft_17=False).total) == 1677 - 1  # blackjack is apart
    assert set(dealer_hands(hit_soft_17=True).total) == set(TOTALS)
    hands = dealer_hands(hit_soft_17=False)
    assert hands.orders.sum(axis=0).min() > 0
    assert (np.diff(hands.total) >= 0).all()


@pytest.mark.parametrize("hit_soft_17", [False, True])
@pytest.mark.parametrize("upcard", [1, 2, 6, 10])
def test_against_plain_play_from_one_deck(upcard: int, hit_soft_17: bool) -> None:
    shoe = (4,) * 9 + (16,)
    removed = [0] * 10
    removed[4] = removed[9] = 2
    left = [count - gone for count, gone in zip(shoe, removed, strict=True)]
    left[upcard - 1] -= 1
    plain = plain_dealer(tuple(left), upcard, hit_soft_17)
    row = table_row(shoe, removed, hit_soft_17)[upcard - 1]
    for total, chance in zip(TOTALS, row, strict=True):
        assert chance == pytest.approx(float(plain[str(total)]), rel=0, abs=1e-15)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    st.lists(st.integers(0, 3), min_size=10, max_size=10).filter(lambda c: sum(c) >= 8),
    st.booleans(),
    st.data(),
)
def test_against_plain_play_from_odd_shoes(
    counts: list[int], hit_soft_17: bool, data: st.DataObject
) -> None:
    counts[9] += 4  # enough that the dealer cannot run out
    upcard = data.draw(st.sampled_from([i + 1 for i, count in enumerate(counts) if count]))
    left = list(counts)
    left[upcard - 1] -= 1
    plain = plain_dealer(tuple(left), upcard, hit_soft_17)
    row = table_row(tuple(counts), [0] * 10, hit_soft_17)[upcard - 1]
    for total, chance in zip(TOTALS, row, strict=True):
        assert chance == pytest.approx(float(plain.get(str(total), 0)), rel=0, abs=1e-14)


def test_removal_average_is_the_fuller_shoe() -> None:
    """Any hand's row is the average of the rows with one further card out."""
    table = DealerTable((8,) * 9 + (32,), hit_soft_17=True)
    hand = np.array(lattice().counts[lattice().of(5, 9)])
    whole = table.given(hand[None, :])[0]
    left = table.values - hand
    for up in range(10):
        chance = left - np.eye(10, dtype=int)[up]
        average = sum(
            chance[i] / chance.sum() * table.given((hand + np.eye(10, dtype=int)[i])[None])[0, up]
            for i in range(10)
        )
        assert average == pytest.approx(whole[up], rel=0, abs=1e-15)


def test_rows_are_kept_and_missing_upcards_are_zero() -> None:
    table = DealerTable((0, *(4,) * 8, 16), hit_soft_17=False)
    first = table.rows(lattice().counts[:50] * 0)
    assert (first == 0).all()
    assert len(table.totals) == 1
    assert (table.totals[0, 0] == 0).all()
    again = table.given(np.zeros((1, 10), dtype=np.int64))
    assert (again[0] == table.totals[0]).all()


def test_falling_factorials() -> None:
    assert falling_table(4, 5).tolist() == [1, 4, 12, 24, 24, 0]
    assert falling_table(np.array([2, 0]), 2).tolist() == [[1, 2, 2], [1, 0, 0]]
