"""A slow twin of the side-bet engine: every ordered deal of a small pack, cards as plain text.

It shares no code with the engine. Conditions are Python functions of the dealt cards, and
probabilities are products of fractions along the order in which a table deals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from odds.shoe import Shoe

Deal = dict[str, list[str]]
Predicate = Callable[[Deal], bool]


def shoe_of(pack: dict[str, int]) -> Shoe:
    cards = [card for card, count in pack.items() for _ in range(count)]
    return Shoe((0,) * 52).add(*cards)


def value(card: str) -> int:
    return {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}.get(card[0]) or int(card[0])


def total(cards: list[str]) -> int:
    hard = sum(value(card) for card in cards)
    return hard + 10 if hard <= 11 and any(card[0] == "A" for card in cards) else hard


def is_soft(cards: list[str]) -> bool:
    return any(card[0] == "A" for card in cards) and sum(value(card) for card in cards) <= 11


def is_blackjack(cards: list[str]) -> bool:
    return len(cards) == 2 and sorted(value(card) for card in cards) == [1, 10]


def colour(card: str) -> str:
    return "red" if card[1] in "HD" else "black"


def rank_number(card: str, high: bool = False) -> int:
    number = "A23456789TJQK".index(card[0]) + 1
    return 14 if high and number == 1 else number


def deals(
    pack: dict[str, int],
    zones: list[tuple[str, int]],
    dealer: str | None = None,
    draws: Callable[[Deal], int] | None = None,
) -> Iterator[tuple[Deal, Fraction]]:
    """Every deal with its probability.

    Args:
        pack: Card to count.
        zones: (place, cards) in the order of dealing.
        dealer: None, or "S17" or "H17": the dealer's hand (up, hole) is then played out.
        draws: How many further cards the player's hand gets, given the first cards.
    """
    order = [zone for zone, number in zones for _ in range(number)]

    def deal_next(
        dealt: Deal, left: dict[str, int], size: int, chance: Fraction, place: int, more: int
    ) -> Iterator[tuple[Deal, Fraction]]:
        if place < len(order):
            zone = order[place]
        elif more > 0:
            zone = "next"
        elif dealer is not None and not finished(dealt["dealer"], dealer):
            zone = "dealer"
        else:
            yield dealt, chance
            return
        for card, count in left.items():
            if count == 0:
                continue
            now = {name: [*cards] for name, cards in dealt.items()}
            now[zone].append(card)
            if zone in ("up", "hole"):
                now["dealer"].append(card)
            remaining = more - 1 if place >= len(order) and zone == "next" else more
            if place == len(order) - 1 and draws is not None:
                remaining = draws(now)
            yield from deal_next(
                now,
                {**left, card: count - 1},
                size - 1,
                chance * Fraction(count, size),
                min(place + 1, len(order)),
                remaining,
            )

    empty: Deal = {zone: [] for zone, _ in zones} | {"dealer": [], "next": []}
    yield from deal_next(empty, pack, sum(pack.values()), Fraction(1), 0, 0)


def finished(cards: list[str], rule: str) -> bool:
    if len(cards) < 2:
        return False
    if rule == "H17" and total(cards) == 17 and is_soft(cards):
        return False
    return total(cards) >= 17


def probabilities(
    all_deals: list[tuple[Deal, Fraction]], tiers: dict[str, Predicate], given: Predicate | None
) -> dict[str, Fraction]:
    """The chance of each tier, the first that holds, and of none of them as ``nothing``."""
    chances = dict.fromkeys([*tiers, "nothing"], Fraction(0))
    for deal, chance in all_deals:
        if given is None or given(deal):
            first = next((name for name, holds in tiers.items() if holds(deal)), "nothing")
            chances[first] += chance
    whole = sum(chances.values(), Fraction(0))
    return {name: chance / whole for name, chance in chances.items()}
