"""The lattice of hands."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np

from odds.hands import composition_keys, lattice


def test_size_and_members() -> None:
    """Known: 3,083 multisets of values with a hard total of at most 21, the empty one included."""
    lat = lattice()
    assert lat.size == 3083
    small = {
        combination
        for size in range(4)
        for combination in combinations_with_replacement(range(1, 11), size)
        if sum(combination) <= 21
    }
    for cards in small:
        index = lat.of(*cards)
        assert lat.cards[index] == len(cards)
        soft = 1 in cards and sum(cards) <= 11
        assert lat.total[index] == sum(cards) + 10 * soft
        assert lat.soft[index] == soft
    assert sum(len(lat.by_cards[size]) for size in range(4)) == len(small)
    assert lat.of(10, 10, 2) == -1


def test_successors_and_predecessors() -> None:
    lat = lattice()
    for index in range(0, lat.size, 7):
        for value in range(10):
            after = lat.successor[index, value]
            assert (after < 0) == (lat.hard[index] + value + 1 > 21)
            if after >= 0:
                assert lat.predecessor[after, value] == index
                assert (lat.counts[after] - lat.counts[index]).tolist() == np.eye(10)[
                    value
                ].tolist()


def test_keys_are_distinct() -> None:
    assert len(np.unique(composition_keys(lattice().counts))) == lattice().size
