"""Numbers as a sheet prints them: rounded once, half to even, from the exact figure."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

from paytables.sheets.figures import ExactNumber

_WIDE = Context(prec=80, rounding=ROUND_HALF_EVEN)


def _decimal(value: ExactNumber | Fraction | float) -> Decimal:
    exact = value.value if isinstance(value, ExactNumber) else value
    if isinstance(exact, Fraction):
        return _WIDE.divide(Decimal(exact.numerator), Decimal(exact.denominator))
    return Decimal(exact)


def fixed(value: ExactNumber | Fraction | float, places: int = 6, *, sign: bool = False) -> str:
    """A number with so many decimals, thousands set apart.

    Example:
        >>> fixed(Fraction(1, 8), 2), fixed(Fraction(3, 8), 2), fixed(Fraction(12345, 2), 1)
        ('0.12', '0.38', '6,172.5')
    """
    rounded = _decimal(value).quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN, _WIDE)
    rounded = rounded or abs(rounded)  # no minus before a zero
    return f"{rounded:{'+' if sign else ''},f}"


def percent(value: ExactNumber | Fraction | float, places: int = 4, *, sign: bool = False) -> str:
    """A share as a percentage.

    Example:
        >>> percent(Fraction(4, 83)), percent(Fraction(-1, 2), 1)
        ('4.8193 %', '-50.0 %')
    """
    exact = value.value if isinstance(value, ExactNumber) else value
    hundred = exact * 100 if isinstance(exact, Fraction) else Decimal(exact) * 100
    if isinstance(hundred, Decimal):
        hundred = Fraction(hundred)
    return f"{fixed(hundred, places, sign=sign)} %"


def significant(value: ExactNumber | Fraction | float, digits: int = 7) -> str:
    """A number with so many significant digits; below one in a million with an exponent.

    Example:
        >>> significant(Fraction(4, 5395)), significant(Fraction(1, 3 * 10**8), 3)
        ('0.0007414272', '3.33e-9')
    """
    number = _decimal(value)
    if not number:
        return "0"
    rounded = Context(prec=digits, rounding=ROUND_HALF_EVEN).plus(number)
    if abs(rounded) >= Decimal("1e-6"):
        return f"{rounded:,f}"
    exponent = rounded.adjusted()
    return f"{rounded.scaleb(-exponent):f}e{exponent}"


def one_in(value: ExactNumber | None) -> str:
    """Rounds for one hit on average, with five significant digits or more.

    Example:
        >>> one_in(ExactNumber.of(Fraction(5395, 4))), one_in(None)
        ('1,348.8', 'never')
    """
    if value is None:
        return "never"
    exact = value.value
    return fixed(exact, 0 if exact >= 10_000 else 1 if exact >= 1000 else 3 if exact >= 10 else 4)


def fraction(value: ExactNumber) -> str:
    """The fraction as it is; whole numbers with thousands set apart."""
    return f"{int(value.fraction):,}" if "/" not in value.fraction else value.fraction


def number(value: ExactNumber) -> str:
    """A short exact number: a whole one, a short decimal, else the fraction.

    Example:
        >>> number(ExactNumber.of(Fraction(5, 2))), number(ExactNumber.of(Fraction(1, 3)))
        ('2.5', '1/3')
    """
    exact = value.value
    for places in range(5):
        if (exact * 10**places).denominator == 1:
            return fixed(exact, places)
    return value.fraction


def money(value: ExactNumber) -> str:
    """An amount of currency.

    Example:
        >>> money(ExactNumber.of(Fraction(112_000))), money(ExactNumber.of(Fraction(5, 2)))
        ('112,000', '2.50')
    """
    return fixed(value, 0 if value.value.denominator == 1 else 2)
