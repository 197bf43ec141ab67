"""What a designer asks for: a target edge with its bands, and limits on the pays.

Both are plain checked values; `paytables.design.design` searches with them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from odds.errors import InputError
from odds.rules import parse_fraction
from odds.shoe import MAX_DECKS
from paytables.model import MAX_PAY

LOWEST_EDGE = Fraction(-10)
MAX_VALUES = 20_000
"""The most pays a tier may choose from."""


def parse_share(name: str, value: object) -> Fraction:
    """Read a share such as ``5%``, ``0.05`` or ``1/20`` exactly.

    Raises:
        InputError: It is none of these.

    Example:
        >>> parse_share("edge", "5.25 %")
        Fraction(21, 400)
    """
    if isinstance(value, str) and value.strip().endswith("%"):
        return _parse(name, value.strip()[:-1].strip(), value) / 100
    return _parse(name, value, value)


def _parse(name: str, text: object, given: object) -> Fraction:
    try:
        return parse_fraction(name, text)
    except InputError:
        raise InputError(name, given, "a share such as 5%, 0.05 or 1/20") from None


@dataclass(frozen=True, slots=True)
class Target:
    """A house edge to hit: a point, and the band around it that counts as hit.

    Attributes:
        edge: The edge that is aimed at, per unit staked.
        low: The lowest edge that is accepted.
        high: The highest.
        bands: Other bands for some deck counts: decks to (lowest, highest).

    Raises:
        InputError: A band is empty, or an edge is not from -10 to 1.

    Example:
        >>> target = Target.around("5%", "0.1%")
        >>> target.low, target.band(8)
        (Fraction(49, 1000), (Fraction(49, 1000), Fraction(51, 1000)))
    """

    edge: Fraction
    low: Fraction
    high: Fraction
    bands: Mapping[int, tuple[Fraction, Fraction]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for low, high in ((self.low, self.high), *self.bands.values()):
            if not LOWEST_EDGE <= low <= high <= 1:
                raise InputError(
                    "edge",
                    f"{float(low):.4%} to {float(high):.4%}",
                    "a band from -1000 % to 100 %, the lower edge first",
                )
        for decks in self.bands:
            if isinstance(decks, bool) or not isinstance(decks, int) or not 1 <= decks <= MAX_DECKS:
                raise InputError("decks", decks, f"a whole number from 1 to {MAX_DECKS}")

    @classmethod
    def around(
        cls,
        edge: object,
        tolerance: object = Fraction(1, 1000),
        bands: Mapping[int, tuple[Fraction, Fraction]] | None = None,
    ) -> Target:
        """A target with the same tolerance on both sides.

        Raises:
            InputError: Not a share, or a negative tolerance.
        """
        middle, spread = parse_share("edge", edge), parse_share("tolerance", tolerance)
        if spread < 0:
            raise InputError("tolerance", tolerance, "0 or more")
        return cls(middle, middle - spread, middle + spread, bands or {})

    @classmethod
    def between(
        cls,
        low: object,
        high: object,
        bands: Mapping[int, tuple[Fraction, Fraction]] | None = None,
    ) -> Target:
        """A band; its middle is aimed at.

        Raises:
            InputError: Not shares.
        """
        bottom, top = parse_share("edge", low), parse_share("edge", high)
        return cls((bottom + top) / 2, bottom, top, bands or {})

    def band(self, decks: int) -> tuple[Fraction, Fraction]:
        """The lowest and the highest edge accepted for a deck count."""
        return self.bands.get(decks, (self.low, self.high))

    def aim(self, decks: int) -> Fraction:
        """The edge aimed at for a deck count."""
        if decks in self.bands:
            return sum(self.bands[decks], Fraction(0)) / 2
        return self.edge


@dataclass(frozen=True, slots=True)
class TierLimits:
    """What a tier may pay.

    Attributes:
        low: The least, or None for the least printable pay.
        high: The most, or None for no bound of its own.
        step: The step from `low` to `high`; None for printable pays only.
        pays: A list of its own instead of bounds and step.
        share: The most that the tier may be of everything paid back (stakes of winners included).

    Raises:
        InputError: Bounds that cross, a step that is not above 0, or a list with bounds.

    Example:
        >>> [str(pay) for pay in TierLimits(low=1, high=3, step="1/2").listed()]
        ['1', '3/2', '2', '5/2', '3']
    """

    low: object = None
    high: object = None
    step: object = None
    pays: tuple[object, ...] | None = None
    share: object = None

    def __post_init__(self) -> None:
        for name in ("low", "high", "step", "share"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, parse_share(name, value))
        if self.pays is not None:
            if self.low is not None or self.high is not None or self.step is not None:
                raise InputError("pays", len(self.pays), "a list, or bounds and a step; not both")
            listed = tuple(parse_fraction("pays", pay) for pay in self.pays)
            object.__setattr__(self, "pays", listed)
            if not 1 <= len(listed) <= MAX_VALUES:
                raise InputError("pays", len(listed), f"from 1 to {MAX_VALUES} pays")
        low, high, step = self.bounds
        if low is not None and high is not None and low > high:
            raise InputError("pays", f"{low} to {high}", "the lower bound first")
        for bound in (low, high):
            if bound is not None and abs(bound) > MAX_PAY:
                raise InputError("pays", str(bound), f"at most {MAX_PAY}")
        if step is not None:
            if low is None or high is None:
                raise InputError("step", str(step), "given together with both bounds")
            if step <= 0 or (high - low) / step > MAX_VALUES:
                raise InputError("step", str(step), f"above 0, with at most {MAX_VALUES} pays")
        if self.share is not None and not 0 <= parse_share("share", self.share) <= 1:
            raise InputError("share", str(self.share), "from 0 to 1")

    @property
    def bounds(self) -> tuple[Fraction | None, Fraction | None, Fraction | None]:
        """The bounds and the step as fractions."""
        low, high, step = self.low, self.high, self.step
        assert low is None or isinstance(low, Fraction)
        assert high is None or isinstance(high, Fraction)
        assert step is None or isinstance(step, Fraction)
        return low, high, step

    def listed(self) -> list[Fraction] | None:
        """The pays that bounds and step, or the own list, give; None for printable pays."""
        if self.pays is not None:
            return sorted({parse_fraction("pays", pay) for pay in self.pays})
        low, high, step = self.bounds
        if step is None or low is None or high is None:
            return None
        return [low + i * step for i in range(int((high - low) / step) + 1)]


@dataclass(frozen=True, slots=True)
class Window:
    """A window for a figure of the paytable; None leaves a side open.

    Example:
        >>> Window(None, Fraction(3)).holds(2.5)
        True
    """

    low: Fraction | None = None
    high: Fraction | None = None

    def holds(self, value: float | Fraction) -> bool:
        """Whether the figure is in the window."""
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    def __str__(self) -> str:
        if self.low is None:
            return f"at most {float(self.high or 0):g}"
        if self.high is None:
            return f"at least {float(self.low):g}"
        return f"from {float(self.low):g} to {float(self.high):g}"


@dataclass(frozen=True, slots=True)
class Limits:
    """All limits of a search.

    Attributes:
        tiers: What single tiers may pay; a tier that is not named may pay any printable amount.
        keep: Tiers whose pay is fixed: name to pay, or None for what it pays now.
        printable: The pays of tiers without a list or step of their own.
        order: ``strict``: of two tiers of one wager, the one that is rarer with every deck count
            searched pays more; ``weak``: not less; ``none``. ``auto``: the first of these that the
            current pays keep. Shares of a meter are not compared.
        deviation: A window for the standard deviation per round, in units.
        hits: A window for the hit frequency (a net win).
        top_award: The largest net win of a round, in units, that is accepted.
        exposure: The largest net win in currency, all seats together, that is accepted.
        maximum_bet: The largest bet in currency, for `exposure`.
        seats: The bets at one table, for `exposure`.

    Raises:
        InputError: An unknown order, or an exposure without a maximum bet.
    """

    tiers: Mapping[str, TierLimits] = field(default_factory=dict)
    keep: Mapping[str, object] = field(default_factory=dict)
    printable: tuple[object, ...] | None = None
    order: str = "auto"
    deviation: Window | None = None
    hits: Window | None = None
    top_award: Fraction | None = None
    exposure: Fraction | None = None
    maximum_bet: Fraction = Fraction(1)
    seats: int = 1

    def __post_init__(self) -> None:
        if self.order not in ("auto", "strict", "weak", "none"):
            raise InputError("order", self.order, "one of auto, strict, weak, none")
        if self.maximum_bet <= 0:
            raise InputError("maximum_bet", str(self.maximum_bet), "above 0")
        if isinstance(self.seats, bool) or not 1 <= self.seats <= 100:
            raise InputError("seats", self.seats, "a whole number from 1 to 100")
        for name in self.keep:
            if name in self.tiers and self.tiers[name].share is None:
                raise InputError("keep", name, "a tier that has no other limits")

    @property
    def largest_award(self) -> Fraction | None:
        """The largest net win of a round in units, from the top award and the exposure."""
        found = [] if self.top_award is None else [self.top_award]
        if self.exposure is not None:
            found.append(self.exposure / (self.maximum_bet * self.seats))
        return min(found, default=None)


def parse_limits(text: str) -> tuple[str, TierLimits]:
    """Read the limits of one tier: ``top=100-300``, ``top=100-300:5`` or ``top=100,150,200``.

    Raises:
        InputError: The text is none of these.

    Example:
        >>> parse_limits("top=10-30:10")[1].listed()
        [Fraction(10, 1), Fraction(20, 1), Fraction(30, 1)]
    """
    name, sign, rest = text.rpartition("=")
    allowed = "TIER=LOW-HIGH, TIER=LOW-HIGH:STEP or TIER=PAY,PAY,..."
    if not sign or not name.strip():
        raise InputError("steps", text, allowed)
    match = re.fullmatch(r"\s*([\d./]+)\s*-\s*([\d./]+)\s*(?::\s*([\d./]+))?\s*", rest)
    if match:
        return name.strip(), TierLimits(match[1], match[2], match[3])
    pays = tuple(pay.strip() for pay in rest.split(","))
    return name.strip(), TierLimits(pays=pays)
