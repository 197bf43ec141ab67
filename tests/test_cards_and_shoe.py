"""Cards, values and shoes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from odds.cards import ALL_CARDS, Card, Colour, Rank, parse_value, parse_values
from odds.errors import InputError
from odds.shoe import Shoe


def test_every_card_reads_back() -> None:
    assert len(set(ALL_CARDS)) == 52
    for card in ALL_CARDS:
        assert Card.parse(str(card)) == Card.parse(card.sign.lower()) == card
        assert Card.from_number(card.number) == card
        assert (card.colour is Colour.RED) == (str(card.suit) in "HD")
    assert sum(card.value for card in ALL_CARDS) == 340  # 4 * (1 + ... + 10 + 3 * 10)


@pytest.mark.parametrize("text", ["", "A", "1S", "AX", "ASS", "11H", "♠A"])
def test_bad_cards(text: str) -> None:
    with pytest.raises(InputError, match="card = "):
        Card.parse(text)


def test_values_read_as_people_write_them() -> None:
    assert parse_values("8,8") == parse_values("8 8") == parse_values("88") == (8, 8)
    assert parse_values("A,10,k") == (1, 10, 10)
    assert parse_values("A10") == (1, 10)
    assert parse_values("10") == (10,)
    assert [parse_value(text) for text in ("1", "J", "q", 10)] == [1, 10, 10, 10]
    for bad in ("", "0", "0,5", "Z", "8,,x"):
        with pytest.raises(InputError):
            parse_values(bad)


@pytest.mark.parametrize("decks", range(1, 13))
def test_fresh_shoes(decks: int) -> None:
    shoe = Shoe.decks(decks)
    assert shoe.size == 52 * decks
    assert shoe.by_value == (4 * decks,) * 9 + (16 * decks,)
    assert shoe.full_decks == decks
    assert Shoe.from_values(shoe.by_value) == shoe


@pytest.mark.parametrize("decks", [0, 13, -1, 2.0, True, "6"])
def test_bad_deck_counts(decks: object) -> None:
    with pytest.raises(InputError, match=r"decks = .* 1 to 12"):
        Shoe.decks(decks)  # type: ignore[arg-type]


@given(st.lists(st.sampled_from(ALL_CARDS), max_size=20, unique=True))
def test_removing_and_adding_are_inverse(cards: list[Card]) -> None:
    shoe = Shoe.decks(1)
    less = shoe.remove(*cards)
    assert less.size == 52 - len(cards)
    assert less.add(*cards) == shoe
    assert sum(less.by_rank) == sum(less.by_value) == less.size


def test_custom_packs() -> None:
    spanish = Shoe.decks(6).without_ranks([Rank.TEN])
    assert (spanish.size, spanish.by_value[9], spanish.full_decks) == (288, 72, None)
    odd = Shoe.from_ranks({"A": 5, "T": 2})
    assert odd.by_rank == (5,) + (0,) * 8 + (2, 0, 0, 0)
    assert odd.counts[:4] == (2, 1, 1, 1)
    with pytest.raises(InputError, match="card to remove = 'AS'"):
        Shoe.decks(1).remove("AS", "AS")
    with pytest.raises(InputError, match="count of 2 = -1"):
        Shoe.from_ranks({"2": -1})
    with pytest.raises(InputError, match="rank = '1'"):
        Shoe.from_ranks({"1": 4})
    with pytest.raises(InputError, match="52 counts"):
        Shoe((1,) * 51)
