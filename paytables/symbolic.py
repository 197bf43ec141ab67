"""Closed forms: the odds and the edge of a side bet as functions of the number of decks.

A tier's ways are a polynomial in the number of decks (`odds.sidebets.BetCounts`), so its
probability is a quotient of two polynomials, which sympy reduces and factors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import sympy  # type: ignore[import-untyped]

from odds.sidebets import BetCounts, StrategyTable
from odds.sidebets.polynomial import Polynomial
from paytables.metrics import counts_of
from paytables.model import Paytable

DECKS = sympy.Symbol("d", positive=True, integer=True)
"""The number of decks."""
METER = sympy.Symbol("M", nonnegative=True)
"""The meter, in currency."""


def polynomial(coefficients: Sequence[int]) -> sympy.Poly:
    """A polynomial in the number of decks from integer coefficients, the constant first.

    Example:
        >>> polynomial((0, -1, 2)).as_expr()
        2*d**2 - d
    """
    return sympy.Poly(list(reversed(coefficients)), DECKS, domain=sympy.ZZ)


@lru_cache(maxsize=512)
def _ratio(numerator: Polynomial, denominator: Polynomial) -> sympy.Expr:
    top, bottom = polynomial(numerator), polynomial(denominator)
    reduced_top, reduced_bottom = top.cancel(bottom, include=True)
    return sympy.factor(reduced_top.as_expr()) / sympy.factor(reduced_bottom.as_expr())


@dataclass(frozen=True, slots=True)
class Formulas:
    """Closed forms of a bet in the number of decks `DECKS`.

    Attributes:
        total: All ways.
        ways: For each tier the number of ways in which it is hit, a polynomial.
        probability: For each tier its probability.
        edge: The house edge; with the meter `METER` where the bet has one.
    """

    total: sympy.Expr
    ways: dict[str, sympy.Expr]
    probability: dict[str, sympy.Expr]
    edge: sympy.Expr


def _tier_ways(counts: BetCounts) -> tuple[Polynomial, ...]:
    """For each tier the ways in which it is hit, before the division by `counts.symmetry`."""
    width = len(counts.total)
    sums = [[0] * max(width, counts.longest + 1) for _ in counts.bet.tiers]
    for hits, coefficients in counts.polynomials.items():
        for i, hit in enumerate(hits):
            if hit:
                for power, coefficient in enumerate(coefficients):
                    sums[i][power] += coefficient
    return tuple(tuple(total) for total in sums)


def formulas(paytable: Paytable, strategy: StrategyTable | None = None) -> Formulas:
    """Closed forms for a paytable.

    Args:
        paytable: The paytable.
        strategy: The decisions the cards depend on; the forms hold for this table of decisions.

    Raises:
        InputError: See `odds.sidebets.count_bet`.

    Example:
        >>> from paytables.bets import load_paytable
        >>> forms = formulas(load_paytable("Perfect Pairs", "30/10/5"))
        >>> forms.probability["perfect"], forms.edge.subs(DECKS, 8)
        ((d - 1)/(52*d - 1), 14/415)
    """
    counts = counts_of(paytable, strategy)
    symmetry = sympy.Integer(counts.symmetry)
    names = [tier.name for tier in counts.bet.tiers]
    tiers = dict(zip(names, _tier_ways(counts), strict=True))
    return Formulas(
        total=sympy.factor(polynomial(counts.total).as_expr() / symmetry),
        ways={
            name: sympy.factor(polynomial(ways).as_expr() / symmetry)
            for name, ways in tiers.items()
        },
        probability={name: _ratio(ways, counts.total) for name, ways in tiers.items()},
        edge=_edge(paytable, counts),
    )


def _edge(paytable: Paytable, counts: BetCounts) -> sympy.Expr:
    """Minus the expected net result of all outcomes, per unit staked."""
    fixed = slope = sympy.Poly(0, DECKS, domain=sympy.QQ)
    for hits, coefficients in counts.polynomials.items():
        zero = paytable.result(hits)
        ways = polynomial(coefficients).set_domain(sympy.QQ)
        fixed += ways * _rational(zero)
        slope += ways * _rational(paytable.result(hits, 1) - zero)
    bottom = polynomial(counts.total).set_domain(sympy.QQ) * _rational(paytable.stake)
    edge = _reduced(-fixed, bottom)
    return edge if slope.is_zero else edge - METER * _reduced(slope, bottom)


def edge_in_pays(
    paytable: Paytable, strategy: StrategyTable | None = None
) -> tuple[sympy.Expr, dict[str, sympy.Symbol]]:
    """The edge as a function of the decks and of every tier's net win, which enters linearly.

    Returns:
        The edge (with the meter at zero), and the symbol of each tier's net win.

    Raises:
        InputError: See `odds.sidebets.count_bet`.

    Example:
        >>> from paytables.bets import load_paytable
        >>> edge, pays = edge_in_pays(load_paytable("Insurance"))
        >>> edge.subs(DECKS, 6)
        215/311 - 96*x_win/311
    """
    counts = counts_of(paytable, strategy)
    symbols = {tier.name: sympy.Symbol(f"x_{tier.name}") for tier in paytable.tiers}
    bottom = polynomial(counts.total).set_domain(sympy.QQ) * _rational(paytable.stake)
    constant = sympy.Poly(0, DECKS, domain=sympy.QQ)
    slopes = dict.fromkeys(symbols, constant)
    for hits, coefficients in counts.polynomials.items():
        ways = polynomial(coefficients).set_domain(sympy.QQ)
        net = paytable.result(hits)
        for tier, number in zip(paytable.tiers, hits, strict=True):
            part = number * paytable.wagers.get(tier.wager, Fraction(1))
            slopes[tier.name] += ways * _rational(part)
            net -= part * paytable.net(tier)
        constant += ways * _rational(net)
    edge = _reduced(-constant, bottom)
    for name, slope in slopes.items():
        edge -= symbols[name] * _reduced(slope, bottom)
    return edge, symbols


def _rational(value: Fraction) -> sympy.Rational:
    return sympy.Rational(value.numerator, value.denominator)


def _reduced(top: sympy.Poly, bottom: sympy.Poly) -> sympy.Expr:
    return sympy.Integer(0) if top.is_zero else sympy.factor(top.as_expr() / bottom.as_expr())
