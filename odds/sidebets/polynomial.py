"""Integer polynomials in the number of decks: how many ways a class of deals can be dealt.

A deal that takes card after card from classes of sizes a, b, ... per deck, of which i, j, ... cards
are gone already, can be dealt in (a d - i)(b d - j)... ways from d decks. Polynomials are lists of
integer coefficients, the constant first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Polynomial = tuple[int, ...]
Factor = tuple[int, int]
"""(class size in one pack, cards of the class already gone)."""


def times_factor(polynomial: Sequence[int], factor: Factor) -> Polynomial:
    """The polynomial times ``size * decks - gone``."""
    size, gone = factor
    product = [-gone * c for c in polynomial] + [0]
    for i, coefficient in enumerate(polynomial):
        product[i + 1] += size * coefficient
    return tuple(product)


def add(left: Sequence[int], right: Sequence[int]) -> Polynomial:
    """The sum of two polynomials."""
    longer, shorter = (left, right) if len(left) >= len(right) else (right, left)
    total = list(longer)
    for i, coefficient in enumerate(shorter):
        total[i] += coefficient
    return tuple(total)


def evaluate(polynomial: Sequence[int], decks: int) -> int:
    """The value at a number of decks.

    Example:
        >>> evaluate((0, -1, 1), 6)
        30
    """
    value = 0
    for coefficient in reversed(polynomial):
        value = value * decks + coefficient
    return value


class Products:
    """Products of factors, each prefix computed once.

    Args:
        size: Cards of one pack.
        longest: Cards of the longest deal. Shorter ones are completed by any further cards, so that
            all share one denominator.
    """

    def __init__(self, size: int, longest: int) -> None:
        self.size = size
        self.longest = longest
        self._known: dict[tuple[Factor, ...], Polynomial] = {(): (1,)}

    def of(self, factors: Iterable[Factor]) -> Polynomial:
        """The number of ways to deal cards with these factors, then any others up to `longest`."""
        chain = tuple(factors)
        rest = tuple((self.size, gone) for gone in range(len(chain), self.longest))
        return self._product(rest + chain)

    def total(self) -> Polynomial:
        """The number of ways to deal `longest` cards."""
        return self._product(tuple((self.size, gone) for gone in range(self.longest)))

    def _product(self, factors: tuple[Factor, ...]) -> Polynomial:
        start = len(factors)
        while factors[:start] not in self._known:
            start -= 1
        product = self._known[factors[:start]]
        for i in range(start, len(factors)):
            product = times_factor(product, factors[i])
            self._known[factors[: i + 1]] = product
        return product
