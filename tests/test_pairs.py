"""Histories of splitting against a plain walk over all sequences of second cards."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest

from odds.pairs import endings, histories, pair_cards
from odds.shoe import Shoe


def walk(max_hands: int, cards: tuple[bool, ...]) -> tuple[Counter, Counter]:
    """Follow one sequence of second cards (True pairs): who is played after what."""
    barred: Counter = Counter()
    free: Counter = Counter()
    hands = waiting = 2
    drawn = others = 0
    for pairs in cards:
        if not waiting or hands == max_hands:
            break
        if pairs:
            hands, waiting, drawn = hands + 1, waiting + 1, drawn + 1
        else:
            barred[hands, drawn, others] += 1
            waiting, others = waiting - 1, others + 1
    if waiting:
        free[hands, drawn, others] += waiting
    return barred, free


@pytest.mark.parametrize("max_hands", [2, 3, 4])
def test_histories_give_every_sequence_its_hands(max_hands: int) -> None:
    """With a pairing chance x, the expected number of hands played after each history agrees."""
    x = 0.3
    longest = 7
    expected: Counter = Counter()
    ended: Counter = Counter()
    for cards in product((True, False), repeat=longest):
        chance = float(np.prod([x if card else 1 - x for card in cards]))
        barred, free = walk(max_hands, cards)
        for key, number in (barred + free).items():
            expected[key] += chance * number
        played: Counter = Counter()
        for (hands, _, _), number in (barred + free).items():
            played[hands] += number
        ended[tuple(sorted(played.items()))] += chance
    for hands, tallies in histories(max_hands).items():
        for (drawn, others), (barred_count, free_count) in tallies.items():
            ways = barred_count * (1 - x) + free_count
            found = ways * x**drawn * (1 - x) ** others
            assert found == pytest.approx(expected.pop((hands, drawn, others)))
    assert not expected
    for ending, orders in endings(max_hands).items():
        splits = sum(count for _, count in ending) - 2
        barred_total = sum(count for hands, count in ending if hands < max_hands)
        assert orders * x**splits * (1 - x) ** barred_total == pytest.approx(ended.pop(ending))
    assert not ended


def test_what_pairs_by_rank() -> None:
    shoe = Shoe.decks(2)
    (case,) = pair_cards("rank", shoe.by_rank, 8)
    assert case.count.tolist() == [6] * 7 + [5] + [6] * 2
    cases = pair_cards("rank", shoe.by_rank, 10)
    assert sum(case.weight for case in cases) == pytest.approx(np.ones(10))
    # two jacks and a ten-valued upcard: 6 of the 30 other tens are jacks
    same = sum(case.weight[9] for case in cases if case.count[9] == 5)
    assert same == pytest.approx(6 / 30)
    assert all(case.among[0] == 30 and case.among[9] == 29 for case in cases)
    (by_value,) = pair_cards("value", shoe.by_rank, 10)
    assert by_value.share(3).tolist() == [1.0] * 10
