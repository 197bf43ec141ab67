"""What all PAR sheets share: numbers, identity, intervals, exposure, the rounding policy.

Three kinds of numbers are told apart by type:

* counts are whole numbers, exact however large;
* `ExactNumber` is a fraction, exact, with its decimal beside it;
* `Rounded` is a float64 (a square root, an interval, a simulated figure), never called exact;
* `Analysed` is a float64 of the main game, whose error is below 1e-12.

All are rounded once, in the last step, half to even: to `DIGITS` significant digits, a figure of
the main game to 12 decimals, so that noise below its error never shows.
"""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from typing import Annotated, Any, Final, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

SCHEMA_VERSION: Final = "1"
DIGITS = 12
_CONTEXT = Context(prec=DIGITS, rounding=ROUND_HALF_EVEN, Emax=10**6, Emin=-(10**6))


def round_number(value: Fraction | float) -> float:
    """A number rounded to `DIGITS` significant digits, half to even.

    Example:
        >>> round_number(Fraction(4, 83)), round_number(2 / 3)
        (0.0481927710843, 0.666666666667)
    """
    if isinstance(value, Fraction):
        decimal = _CONTEXT.divide(Decimal(value.numerator), Decimal(value.denominator))
    else:
        decimal = _CONTEXT.plus(Decimal(value))
    return float(decimal) or 0.0  # no minus before a zero


def round_to_error_bound(value: float) -> float:
    """A figure of the main game rounded to 12 decimals, half to even: its error is below 1e-12.

    Example:
        >>> round_to_error_bound(0.00376995759033), round_to_error_bound(-3e-17)
        (0.00376995759, 0.0)
    """
    return float(Decimal(value).quantize(Decimal("1e-12"), ROUND_HALF_EVEN)) or 0.0


Rounded: TypeAlias = Annotated[float, AfterValidator(round_number)]
"""A float64 figure, rounded to `DIGITS` significant digits."""
Analysed: TypeAlias = Annotated[float, AfterValidator(round_to_error_bound)]
"""A float64 figure of the main game, rounded to 12 decimals."""


class SheetModel(BaseModel):
    """Common settings: no unknown keys, no changes."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ExactNumber(SheetModel):
    """An exact number.

    Attributes:
        fraction: In lowest terms, such as ``4/83`` or ``16``.
        decimal: The same, rounded to 12 significant digits.

    Example:
        >>> ExactNumber.of(Fraction(8, 166))
        ExactNumber(fraction='4/83', decimal=0.0481927710843)
    """

    fraction: Annotated[str, Field(pattern=r"^-?\d+(/[1-9]\d*)?$")]
    decimal: float

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: Any) -> Any:
        if isinstance(value, (Fraction, int)) and not isinstance(value, bool):
            number = Fraction(value)
            return {"fraction": str(number), "decimal": round_number(number)}
        return value

    @classmethod
    def of(cls, value: Fraction | int) -> ExactNumber:
        """From a fraction or whole number."""
        return cls.model_validate(value)

    @property
    def value(self) -> Fraction:
        """The number, to reckon with."""
        return Fraction(self.fraction)


Count: TypeAlias = Annotated[int, Field(ge=0)]
Text: TypeAlias = str
Texts: TypeAlias = tuple[str, ...]


class Identity(SheetModel):
    """What the sheet is about, and what it was made from.

    Attributes:
        name: The bet or table.
        variant: Which of its paytables, or empty.
        version: The version of the design.
        date: The date of the sheet, ``YYYY-MM-DD``.
        software: The program and its version.
        inputs: The canonical inputs: one JSON text with sorted keys and no spaces.
        inputs_sha256: SHA-256 of that text in UTF-8, in hexadecimal.
        command: The command that makes this sheet again.
        source: Where the rules or pays are from, or empty.
    """

    name: Text
    variant: Text = ""
    version: Text
    date: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$")]
    software: Text
    inputs: Text
    inputs_sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    command: Text = ""
    source: Text = ""

    @property
    def title(self) -> str:
        """Name and variant."""
        return f"{self.name}, {self.variant}" if self.variant else self.name


class Term(SheetModel):
    """A word of the condition language that a tier uses, and its meaning."""

    written: Text
    meaning: Text


class RtpLine(SheetModel):
    """Where the actual RTP lies after so many rounds; float64 throughout.

    Attributes:
        rounds: The number of independent rounds.
        confidence: Of the two-sided interval.
        normal_low: Lower end by the normal approximation.
        normal_high: Upper end.
        normal_valid: Whether the error of that approximation is estimated to be at most 0.5 % in
            probability at each end.
        normal_error: That estimate.
        low: Lower end from the distribution of the total; None if it is not known.
        high: Upper end.
        method: How that was worked out.
    """

    rounds: Count
    confidence: float
    normal_low: Rounded
    normal_high: Rounded
    normal_valid: bool | None
    normal_error: Rounded | None
    low: Rounded | None
    high: Rounded | None
    method: Text


class TierExposure(SheetModel):
    """What one tier can cost in a round, in currency."""

    title: Text
    one_seat: ExactNumber
    all_seats: ExactNumber


class Cap(SheetModel):
    """A limit of what one bet is paid in a round.

    Attributes:
        amount: In currency.
        award: The same in units of the maximum bet.
        edge: House edge for the maximum bet, net wins cut there.
    """

    amount: ExactNumber
    award: ExactNumber
    edge: ExactNumber


class Exposure(SheetModel):
    """The most that the house can lose in a round, in currency.

    Attributes:
        maximum_bet: The largest bet of one unit.
        seats: How many bet.
        largest_award: The largest net win of one bet, in units.
        amount: The product: an upper bound, as not every award can go to all seats.
        probability: That one seat wins the largest award; None where it is not known.
        tiers: The same for each tier.
        cap: A limit of what is paid, or None.
    """

    maximum_bet: ExactNumber
    seats: Count
    largest_award: ExactNumber
    amount: ExactNumber
    probability: ExactNumber | None = None
    tiers: tuple[TierExposure, ...] = ()
    cap: Cap | None = None


class RoundingPolicy(SheetModel):
    """How figures are rounded.

    Attributes:
        digits: Significant digits of a decimal.
        text: The policy in sentences.
    """

    digits: int = DIGITS
    text: Texts
