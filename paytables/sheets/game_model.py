"""What the PAR sheet of the main game says: `GameSheet`."""

from __future__ import annotations

from typing import Literal

from paytables.sheets.figures import (
    SCHEMA_VERSION,
    Analysed,
    Count,
    ExactNumber,
    Exposure,
    Identity,
    Rounded,
    RoundingPolicy,
    RtpLine,
    SheetModel,
    Term,
    Text,
    Texts,
)


class RuleLine(SheetModel):
    """One rule of the main game.

    Attributes:
        field: The field of `odds.rules.Rules`.
        label: A short name.
        group: What it belongs to.
        value: The value, as the command line takes it.
        words: The value in words.
        meaning: What the rule means, with its other values.
    """

    field: Text
    label: Text
    group: Text
    value: Text
    words: Text
    meaning: Text


class ReadingLine(SheetModel):
    """Another reading of a point that the text leaves open; float64.

    Attributes:
        reading: The reading.
        change: What it changes: field = value.
        house_edge: The edge under it, or None where it cannot be priced.
        difference: That less the edge of the sheet.
        problem: Why there is none, or empty.
    """

    reading: Text
    change: Text
    house_edge: Analysed | None
    difference: Analysed | None
    problem: Text = ""


class AssumptionLine(SheetModel):
    """A point that the text of the rules leaves open.

    Attributes:
        topic: What it is about.
        gap: What the text says and does not say.
        reading: The reading taken.
        remark: A remark, or empty.
        alternatives: The other readings, one at a time.
    """

    topic: Text
    gap: Text
    reading: Text
    remark: Text = ""
    alternatives: tuple[ReadingLine, ...] = ()


class NetLine(SheetModel):
    """A net result of a round in units, and its probability (float64)."""

    net: ExactNumber
    probability: Analysed


class Spread(SheetModel):
    """How a round's net result spreads; float64, units of the initial bet.

    Attributes:
        variance: Variance of the net result.
        standard_deviation: Its square root.
        volatility_index: z x SD.
        volatility_confidence: The confidence whose z is meant.
        volatility_z: That z.
        natural: Probability of a player natural.
        split: Probability that the round is split.
        surrender: Probability that the hand is surrendered.
        double: Probability that at least one hand is doubled.
        doubles: Expected doubled hands in a round.
        hands: Expected hands in a round.
        distribution: The distribution; empty where a pair may become more than two hands.
        note: What is exact here, and why there is or is not a distribution.
    """

    variance: Analysed
    standard_deviation: Analysed
    volatility_index: Analysed
    volatility_confidence: float
    volatility_z: Analysed
    natural: Analysed
    split: Analysed
    surrender: Analysed
    double: Analysed
    doubles: Analysed
    hands: Analysed
    distribution: tuple[NetLine, ...] = ()
    note: Text


class GameFigures(SheetModel):
    """The figures of the main game; float64 with an error below 1e-12 unless said.

    Attributes:
        house_edge: Minus the expected net win per unit of the initial bet.
        rtp: 1 - house edge.
        expected_value: Expected net result of a round per unit of the initial bet.
        element_of_risk: House edge per unit of all bets.
        average_action: Expected units bet in a round.
        exact_expected_value: The same as a fraction, if asked for.
        regime: The strategy regime.
        regime_definition: What it means.
        exactness: What is exact, and what is not.
        insurance_edge: House edge of insurance per unit of insurance, the upcard known to be an
            ace; None where it is not offered.
    """

    house_edge: Analysed
    rtp: Analysed
    expected_value: Analysed
    element_of_risk: Analysed
    average_action: Analysed
    exact_expected_value: ExactNumber | None = None
    regime: Text
    regime_definition: Text
    exactness: Text
    insurance_edge: ExactNumber | None = None


class UpcardLine(SheetModel):
    """One upcard; float64.

    Attributes:
        upcard: ``A``, ``2`` to ``10``.
        probability: Of being the upcard.
        expected_value: Of the round, given the upcard.
        dealer: Probability of each final total of the dealer, the upcard alone known: ``17`` to
            ``21``, ``blackjack``, ``bust``.
    """

    upcard: Text
    probability: Analysed
    expected_value: Analysed
    dealer: dict[str, Analysed]


class ChartLine(SheetModel):
    """One row of a chart: the hand, and a code for each upcard."""

    hand: Text
    codes: Texts


class ChartGrid(SheetModel):
    """One of the three grids of a strategy chart."""

    title: Text
    rows: tuple[ChartLine, ...]


class ChartException(SheetModel):
    """A two-card hand whose own best action differs from its cell of the chart."""

    hand: Text
    upcard: Text
    chart: Text
    best: Text


class StrategyChart(SheetModel):
    """The strategy of two-card hands.

    Attributes:
        upcards: The columns.
        grids: Hard totals, soft totals, pairs.
        legend: The codes that occur and their meaning.
        exceptions: Hands that are played otherwise by their cards.
        note: What the chart is.
    """

    upcards: Texts
    grids: tuple[ChartGrid, ...]
    legend: tuple[Term, ...]
    exceptions: tuple[ChartException, ...]
    note: Text


class EffectLine(SheetModel):
    """What one change of the rules does; float64.

    Attributes:
        rule: The field of `odds.rules.Rules`.
        label: The change.
        change: Every field that changes, and its new value.
        house_edge: The edge after it.
        difference: That less the edge of the sheet.
    """

    rule: Text
    label: Text
    change: Text
    house_edge: Analysed
    difference: Analysed


class SimulatedFigure(SheetModel):
    """One figure in the simulation; float64.

    Attributes:
        name: The figure.
        expected: As analysed.
        observed: As simulated.
        standard_error: Of the observed figure.
        z: (observed - expected) / standard error.
        low: Lower end of the 99 % interval around the observed figure.
        high: Upper end.
        inside: Whether the expected figure is in the interval.
    """

    name: Text
    expected: Rounded
    observed: Rounded
    standard_error: Rounded
    z: Rounded
    low: Rounded
    high: Rounded
    inside: bool


class GameSimulation(SheetModel):
    """An independent cross-check: rounds dealt and played by the same decisions; float64.

    Attributes:
        method: How it was done, and what it shares with the analysis.
        generator: The random number generator.
        seed: Its seed.
        rounds: The rounds.
        lines: House edge first, then other figures.
        largest_z: The largest absolute z of the lines.
    """

    method: Text
    generator: Text
    seed: Count
    rounds: Count
    lines: tuple[SimulatedFigure, ...]
    largest_z: Rounded


class GameRules(SheetModel):
    """The rules of the main game in words.

    Attributes:
        summary: The rules in the trade's short words.
        lines: Every rule.
        order: The order of a round.
        settled: What is settled by itself in every rule set.
        shuffle: The assumption about the shoe.
        shoe: What is dealt from.
        decks: Decks, or None for a custom shoe.
        notes: What else the text says that the odds do not depend on.
        assumptions: What the text leaves open, with the edge under each reading.
    """

    summary: Texts
    lines: tuple[RuleLine, ...]
    order: Texts
    settled: Texts
    shuffle: Text
    shoe: Text
    decks: int | None
    notes: Texts = ()
    assumptions: tuple[AssumptionLine, ...] = ()


class GameSheet(SheetModel):
    """The PAR sheet of the main game.

    Attributes:
        schema_version: Version of this model.
        kind: Which sheet this is.
        identity: What it is about.
        rules: The rules in words.
        figures: The main figures.
        spread: Variance and, where it is known, distribution.
        rtp_intervals: The actual RTP after 10^3 to 10^8 rounds of one unit.
        exposure: The most that can be lost.
        upcards: Figures by upcard.
        chart: The strategy.
        effects: What every single rule change does.
        impossible: Changes that contradict the other rules.
        simulation: The cross-check, or None.
        definitions: What the words of the sheet mean.
        rounding: The rounding policy.
    """

    schema_version: Literal["1"] = SCHEMA_VERSION
    kind: Literal["main game"] = "main game"
    identity: Identity
    rules: GameRules
    figures: GameFigures
    spread: Spread
    rtp_intervals: tuple[RtpLine, ...]
    exposure: Exposure
    upcards: tuple[UpcardLine, ...]
    chart: StrategyChart
    effects: tuple[EffectLine, ...] = ()
    impossible: Texts = ()
    simulation: GameSimulation | None = None
    definitions: tuple[Term, ...]
    rounding: RoundingPolicy
