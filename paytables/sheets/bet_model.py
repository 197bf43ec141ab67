"""What the PAR sheet of a side bet says: `BetSheet`."""

from __future__ import annotations

from typing import Literal

from paytables.sheets.figures import (
    SCHEMA_VERSION,
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


class Wager(SheetModel):
    """A wager of the bet.

    Attributes:
        name: Its name.
        stake: In units.
        missed: Probability that no tier on it is hit.
    """

    name: Text
    stake: ExactNumber
    missed: ExactNumber


class BetRules(SheetModel):
    """The rules of a side bet in words.

    Attributes:
        rule: The rule.
        cards: The cards it looks at.
        deal: The deal, step by step.
        precedence: Which tiers count where several hold.
        payment: What "pays" means: net, or with the stake.
        pushes: What returns the stake, and what loses it.
        strategy: The strategy assumed, or that none matters.
        condition: When the bet can be made, in words and as a condition; empty if in every round.
        shuffle: The assumption about the shoe.
        pack: The pack.
        shoe: What is dealt from.
        decks: The number of decks; None for a custom shoe.
        cards_in_shoe: Its cards.
        cumulative: Whether all tiers that hold count.
        paid: Whether pays are net (``to one``) or include the stake (``for one``).
        wagers: What is staked.
        glossary: The terms of the conditions.
        bet_file: The bet as the TOML file that ``paytables bet --file`` reads.
        notes: What else a reader should know.
    """

    rule: Text
    cards: Text
    deal: Texts
    precedence: Text
    payment: Text
    pushes: Text
    strategy: Text
    condition: Text = ""
    shuffle: Text
    pack: Text
    shoe: Text
    decks: int | None
    cards_in_shoe: Count
    cumulative: bool
    paid: Literal["to one", "for one"]
    wagers: tuple[Wager, ...]
    glossary: tuple[Term, ...]
    bet_file: Text
    notes: Texts = ()


class TierLine(SheetModel):
    """One tier with its odds.

    Attributes:
        name: The short name that options such as ``--pay`` take.
        title: What is printed: the definition in words.
        condition: The definition in the condition language.
        times: How often it counts when hit, in the condition language; None for once.
        wager: The wager it is on.
        stake: The stake of that wager in units; 1 for a free bonus.
        pays: As printed at the table; None where it pays a share of the meter alone.
        meter_share: The share of the meter, or None.
        net: Net win of one hit per unit of its wager, the meter as counted with.
        combinations: Deals that hit it.
        probability: `combinations` over all combinations.
        one_in: 1 / probability, or None if it never comes.
        expected_count: How often it counts in a round; the probability unless it can count twice.
        contribution: Its part of the expected net win per unit staked; with `Rest.contribution`
            these sum to minus the edge.
        returned: Its part of the RTP, winners' stakes included; with `Rest.returned` these sum to
            the RTP.
    """

    name: Text
    title: Text
    condition: Text
    times: Text | None = None
    wager: Text
    stake: ExactNumber
    pays: ExactNumber | None
    meter_share: ExactNumber | None = None
    net: ExactNumber
    combinations: Count
    probability: ExactNumber
    one_in: ExactNumber | None
    expected_count: ExactNumber
    contribution: ExactNumber
    returned: ExactNumber


class Rest(SheetModel):
    """All deals that hit no tier.

    Attributes:
        combinations: Their number.
        probability: Their share.
        contribution: What rounds without a hit on a wager add to the expected net win per unit
            staked; it does not depend on any pay.
        returned: Their part of the RTP.
    """

    combinations: Count
    probability: ExactNumber
    contribution: ExactNumber
    returned: ExactNumber


class OutcomeLine(SheetModel):
    """One of the different ways a round can end; their probabilities sum to exactly 1.

    Attributes:
        hits: What is hit, in words; empty for nothing.
        net: Net result of the round in units, all wagers together.
        combinations: Deals.
        probability: Their share.
        counts: How often each tier counts, in the order of `BetSheet.tiers`.
    """

    hits: Text
    net: ExactNumber
    combinations: Count
    probability: ExactNumber
    counts: tuple[Count, ...]


class BetTotals(SheetModel):
    """The figures of the whole bet.

    Attributes:
        combinations: All deals.
        stake: Units staked in a round, all wagers together.
        edge: House edge: minus the expected net win per unit staked.
        rtp: Return to player, 1 - edge.
        hit_frequency: Probability of a net win.
        push_frequency: Probability that exactly the stake comes back.
        loss_frequency: Probability of a net loss.
        variance: Of the net result of a round, in units squared.
        standard_deviation: Its square root, in units; float64.
        volatility_index: z x SD per unit staked; float64.
        volatility_confidence: The confidence whose z is meant.
        volatility_z: That z; float64.
        largest_award: The largest net result of a round, in units.
        largest_award_probability: Its probability.
    """

    combinations: Count
    stake: ExactNumber
    edge: ExactNumber
    rtp: ExactNumber
    hit_frequency: ExactNumber
    push_frequency: ExactNumber
    loss_frequency: ExactNumber
    variance: ExactNumber
    standard_deviation: Rounded
    volatility_index: Rounded
    volatility_confidence: float
    volatility_z: Rounded
    largest_award: ExactNumber
    largest_award_probability: ExactNumber


class OutcomeCount(SheetModel):
    """How often each tier counts, in the order of `BetSheet.tiers`, and the deals that end so."""

    counts: tuple[Count, ...]
    combinations: Count


class DecksLine(SheetModel):
    """The bet with another number of decks.

    Attributes:
        decks: The number.
        this_sheet: Whether the sheet is about it.
        edge: House edge.
        hit_frequency: Probability of a net win.
        standard_deviation: In units; float64.
        combinations: All deals.
        outcomes: The different ways a round can end; with other pays they give the edge anew.
    """

    decks: Count
    this_sheet: bool
    edge: ExactNumber
    hit_frequency: ExactNumber
    standard_deviation: Rounded
    combinations: Count
    outcomes: tuple[OutcomeCount, ...]


class SensitivityLine(SheetModel):
    """What a pay does to the edge, which is linear in it.

    Attributes:
        tier: The tier's short name.
        title: The tier.
        pays: What it pays.
        slope: Change of the edge for one unit of pay more.
        step: The step that is tried.
        edge_more: House edge with one step more.
        edge_less: House edge with one step less.
    """

    tier: Text
    title: Text
    pays: ExactNumber
    slope: ExactNumber
    step: ExactNumber
    edge_more: ExactNumber
    edge_less: ExactNumber


class MeterLine(SheetModel):
    """House edge with the meter at an amount of currency."""

    amount: ExactNumber
    edge: ExactNumber


class MeterSection(SheetModel):
    """A progressive meter, in currency.

    Attributes:
        stake: What one unit of the bet is.
        seed: What the house puts in after it is won.
        increment: What each bet adds.
        amount: What this sheet counts with.
        base_edge: House edge with the meter at 0.
        return_per_unit: What each unit of currency in it takes off the edge.
        break_even: The amount above which the player has the edge; None if never.
        hit_frequency: Probability that any of it is won.
        emptied: Probability that all of it is won.
        long_run_edge: House edge in the long run, seeds and increments counted as paid out.
        by_amount: House edge by amount.
    """

    stake: ExactNumber
    seed: ExactNumber
    increment: ExactNumber
    amount: ExactNumber
    base_edge: ExactNumber
    return_per_unit: ExactNumber
    break_even: ExactNumber | None
    hit_frequency: ExactNumber
    emptied: ExactNumber
    long_run_edge: ExactNumber
    by_amount: tuple[MeterLine, ...]


class SimulatedLine(SheetModel):
    """One tier in the simulation.

    Attributes:
        title: The tier, or that no tier is hit.
        probability: The exact probability.
        expected: Expected number of rounds: probability x rounds.
        low: Lower end of the 99 % interval of the binomial distribution: at most 0.5 % lies below.
        high: Upper end: at most 0.5 % lies above.
        observed: Rounds that hit it.
        frequency: Observed / rounds.
        z: (observed - expected) / standard error; None where nothing else can come.
        inside: Whether the observed number is in the interval.
    """

    title: Text
    probability: ExactNumber
    expected: Rounded
    low: Count
    high: Count
    observed: Count
    frequency: Rounded
    z: Rounded | None
    inside: bool


class BetSimulation(SheetModel):
    """An independent cross-check: dealt rounds, counted; float64 but for the counts.

    Attributes:
        method: How it was done, and what it shares with the exact count.
        generator: The random number generator.
        seed: Its seed.
        rounds: Rounds in which the bet could be made.
        dealt: Rounds dealt to come by these.
        lines: Tiers and the rest.
        chi_square: Over the different outcomes, those expected fewer than 5 times taken together.
        degrees_of_freedom: Of it.
        p_value: Probability of as large a chi-square by chance.
        largest_z: The largest absolute z of the lines.
        edge: Observed house edge.
        edge_standard_error: Its standard error, from the exact variance.
        edge_z: (observed edge - exact edge) / standard error.
    """

    method: Text
    generator: Text
    seed: Count
    rounds: Count
    dealt: Count
    lines: tuple[SimulatedLine, ...]
    chi_square: Rounded
    degrees_of_freedom: Count
    p_value: Rounded
    largest_z: Rounded
    edge: Rounded
    edge_standard_error: Rounded
    edge_z: Rounded


class BetSheet(SheetModel):
    """The PAR sheet of a side bet.

    Attributes:
        schema_version: Version of this model.
        kind: Which sheet this is.
        identity: What it is about.
        rules: The rules in words.
        tiers: Every tier.
        rest: What hits no tier.
        exclusive: Whether at most one tier counts in a round, so that the tiers' probabilities and
            the rest sum to 1. The outcomes' probabilities always do.
        outcomes: The different ways a round can end.
        totals: The figures of the whole bet.
        rtp_intervals: The actual RTP after 10^3 to 10^8 rounds.
        exposure: The most that can be lost.
        by_decks: Edge by decks; empty for a custom shoe.
        sensitivity: What each pay does.
        meter: The progressive meter, or None.
        simulation: The cross-check, or None if it was left out.
        definitions: What the words of the sheet mean.
        rounding: The rounding policy.
        warnings: Tiers that cannot be hit and the like.
    """

    schema_version: Literal["1"] = SCHEMA_VERSION
    kind: Literal["side bet"] = "side bet"
    identity: Identity
    rules: BetRules
    tiers: tuple[TierLine, ...]
    rest: Rest
    exclusive: bool
    outcomes: tuple[OutcomeLine, ...]
    totals: BetTotals
    rtp_intervals: tuple[RtpLine, ...]
    exposure: Exposure
    by_decks: tuple[DecksLine, ...]
    sensitivity: tuple[SensitivityLine, ...]
    meter: MeterSection | None = None
    simulation: BetSimulation | None = None
    definitions: tuple[Term, ...]
    rounding: RoundingPolicy
    warnings: Texts = ()
