"""A bet's sheet as blocks."""

from __future__ import annotations

from collections.abc import Iterator

from paytables.sheets import show
from paytables.sheets.blocks import (
    Align,
    Block,
    Bullets,
    Figure,
    Heading,
    Paragraph,
    Table,
    Verbatim,
    definition_blocks,
    identity_blocks,
    input_blocks,
    names_and_values,
    rtp_blocks,
)
from paytables.sheets.model import BetSheet, TierLine

SHORT_COUNT = 10**13
"""Up to here combinations stand in the table of tiers itself."""


def bet_blocks(sheet: BetSheet) -> list[Block]:
    """The blocks of a bet's sheet, in the order of a PAR sheet."""
    return [
        Heading(f"PAR sheet: {sheet.identity.title}", 1),
        *_glance(sheet),
        *identity_blocks(sheet.identity),
        *_rules(sheet),
        *_tiers(sheet),
        *_totals(sheet),
        *rtp_blocks(sheet.rtp_intervals, "of the exact distribution of the total"),
        *_exposure(sheet),
        *_decks(sheet),
        *_sensitivity(sheet),
        *_meter(sheet),
        *_simulation(sheet),
        *definition_blocks(sheet.definitions, sheet.rounding),
        *_inputs(sheet),
    ]


def _glance(sheet: BetSheet) -> Iterator[Block]:
    totals = sheet.totals
    meter = ""
    if sheet.meter is not None:
        meter = f", the meter at {show.money(sheet.meter.amount)}"
    given = ", given that the bet can be made" if sheet.rules.condition else ""
    yield names_and_values(
        ("House edge", f"{show.percent(totals.edge)}, exactly {totals.edge.fraction}{meter}"),
        ("Return to player", show.percent(totals.rtp)),
        ("Hit frequency", show.percent(totals.hit_frequency)),
        ("Standard deviation", f"{show.fixed(totals.standard_deviation)} units a round"),
        ("Dealt from", f"{sheet.rules.shoe}{given}"),
        (
            "Cards depend on",
            "no player's decision"
            if sheet.rules.strategy.startswith("None")
            else "the strategy of the main bet, see Rules",
        ),
    )
    for warning in sheet.warnings:
        yield Paragraph(f"Warning: {warning}.")
    yield Figure("returns", "What each tier adds to the return to player.")


def _rules(sheet: BetSheet) -> Iterator[Block]:
    rules = sheet.rules
    yield Heading("Rules")
    if rules.rule:
        yield Paragraph(rules.rule)
    wagers = ""
    if len(rules.wagers) > 1:
        wagers = "; ".join(f"{w.name}: {show.number(w.stake)}" for w in rules.wagers)
    yield names_and_values(
        ("Looks at", rules.cards),
        ("Made when", rules.condition),
        ("Precedence", rules.precedence),
        ("Pays", rules.payment),
        ("Wagers, in units", wagers),
        ("Pushes and losses", rules.pushes),
        ("Strategy assumed", rules.strategy),
        ("Pack", rules.pack),
        ("Shoe", rules.shoe),
        ("Shuffle", rules.shuffle),
    )
    yield Heading("Deal", 3)
    yield Bullets(rules.deal, numbered=True)
    if rules.notes:
        yield Heading("Notes", 3)
        yield Bullets(rules.notes)


def _pays(tier: TierLine) -> str:
    parts = [] if tier.pays is None else [show.number(tier.pays)]
    if tier.meter_share is not None:
        share = tier.meter_share.value
        parts.append("the meter" if share == 1 else f"{show.percent(share, 0)} of the meter")
    return " + ".join(parts)


def _tiers(sheet: BetSheet) -> Iterator[Block]:
    several = len({tier.wager for tier in sheet.tiers}) > 1
    counted = any(tier.times is not None for tier in sheet.tiers)
    short = sheet.totals.combinations < SHORT_COUNT
    yield Heading("Tiers and odds")
    header = ["Tier", *(["Wager"] if several else []), f"Pays {sheet.rules.paid}"]
    header += [*(["Combinations"] if short else []), "Probability", "One in"]
    header += [*(["Hits a round"] if counted else []), "Contribution", "Return"]
    rows = [
        [
            tier.title,
            *([tier.wager] if several else []),
            _pays(tier),
            *([f"{tier.combinations:,}"] if short else []),
            show.significant(tier.probability),
            show.one_in(tier.one_in),
            *([show.significant(tier.expected_count)] if counted else []),
            show.percent(tier.contribution),
            show.percent(tier.returned),
        ]
        for tier in sheet.tiers
    ]
    rest, totals = sheet.rest, sheet.totals
    rows.append(
        [
            "No tier",
            *(["all"] if several else []),
            "-",
            *([f"{rest.combinations:,}"] if short else []),
            show.significant(rest.probability),
            "-",
            *(["-"] if counted else []),
            show.percent(rest.contribution),
            show.percent(rest.returned),
        ]
    )
    rows.append(
        [
            "Sum",
            *([""] if several else []),
            "",
            *([f"{totals.combinations:,}" if sheet.exclusive else ""] if short else []),
            "1" if sheet.exclusive else "",
            "",
            *([""] if counted else []),
            show.percent(-totals.edge.value),
            show.percent(totals.rtp),
        ]
    )
    left = 2 if several else 1
    align: list[Align] = ["left" if i < left else "right" for i in range(len(header))]
    yield Table(
        tuple(header),
        tuple(tuple(row) for row in rows),
        tuple(align),
        bold_last=True,
    )
    yield Paragraph(
        "Contribution: probability x net win, per unit staked; the sum is minus the house edge. "
        "Return: the same with winners' stakes; the sum is the RTP."
        + (
            " The line 'No tier' has the stakes of every wager on which no tier is hit."
            if several
            else ""
        )
        + (
            ""
            if sheet.exclusive
            else " More than one tier can count in a round, so the probabilities of the tiers "
            "need not sum to 1; those of the outcomes below do."
        ),
        small=True,
    )
    yield Heading("Exact odds", 3)
    yield Table(
        ("Tier", "Combinations", "Exact probability"),
        (
            *((t.title, f"{t.combinations:,}", t.probability.fraction) for t in sheet.tiers),
            ("No tier", f"{rest.combinations:,}", rest.probability.fraction),
            (
                ("All deals", f"{totals.combinations:,}", "1")
                if sheet.exclusive
                else ("All deals", f"{totals.combinations:,}", "")
            ),
        ),
        ("left", "right", "right"),
        bold_last=True,
    )
    if sheet.exclusive:
        yield Paragraph(
            "The exact probabilities of the tiers and of 'No tier' sum to exactly 1.", small=True
        )
    else:
        yield from _outcomes(sheet)
    yield Heading("Definitions of the tiers", 3)
    yield Table(
        ("Tier", "Name", "Condition", *(["Counts"] if counted else [])),
        tuple(
            (t.title, t.name, t.condition, *([t.times or "once"] if counted else []))
            for t in sheet.tiers
        ),
        ("left", "left", "left", "left") if counted else ("left", "left", "left"),
    )
    yield Table(
        ("In a condition", "Means"),
        tuple((term.written, term.meaning) for term in sheet.rules.glossary),
        ("left", "left"),
    )


def _outcomes(sheet: BetSheet) -> Iterator[Block]:
    yield Heading("Outcomes", 3)
    rows = [
        (
            line.hits or "No tier",
            show.number(line.net),
            f"{line.combinations:,}",
            line.probability.fraction,
            show.significant(line.probability),
        )
        for line in sheet.outcomes
    ]
    rows.append(("Sum", "", f"{sheet.totals.combinations:,}", "1", "1"))
    yield Table(
        ("What is hit", "Net, units", "Combinations", "Exact probability", "Probability"),
        tuple(rows),
        ("left", "right", "right", "right", "right"),
        bold_last=True,
    )


def _totals(sheet: BetSheet) -> Iterator[Block]:
    totals = sheet.totals
    shares = (
        ("House edge", totals.edge),
        ("RTP", totals.rtp),
        ("Hit frequency (net win)", totals.hit_frequency),
        ("Push rate", totals.push_frequency),
        ("Loss rate (net loss)", totals.loss_frequency),
    )
    yield Heading("Totals")
    yield Table(
        ("Figure", "Value", "Exactly"),
        (
            *((name, show.percent(value, 6), value.fraction) for name, value in shares),
            ("Units staked in a round", show.number(totals.stake), totals.stake.fraction),
            ("Variance, units squared", show.fixed(totals.variance), totals.variance.fraction),
            ("Standard deviation, units", show.fixed(totals.standard_deviation), "float64"),
            (
                f"Volatility index, {show.percent(totals.volatility_confidence, 0)} "
                f"(z = {show.fixed(totals.volatility_z, 3)})",
                show.fixed(totals.volatility_index),
                "float64",
            ),
            (
                "Largest award, net units",
                show.number(totals.largest_award),
                totals.largest_award.fraction,
            ),
            (
                "... its probability",
                show.significant(totals.largest_award_probability),
                totals.largest_award_probability.fraction,
            ),
        ),
        ("left", "right", "right"),
    )


def _exposure(sheet: BetSheet) -> Iterator[Block]:
    exposed = sheet.exposure
    yield Heading("Exposure and caps")
    rows = [
        (tier.title, show.money(tier.one_seat), show.money(tier.all_seats))
        for tier in exposed.tiers
    ]
    rows.append(
        (
            "Largest loss in a round, at most",
            show.money(
                type(exposed.amount).of(exposed.largest_award.value * exposed.maximum_bet.value)
            ),
            show.money(exposed.amount),
        )
    )
    seats = f"{exposed.seats} seat{'s' if exposed.seats != 1 else ''}"
    yield Table(
        ("Net win, in currency", "One seat", seats),
        tuple(rows),
        ("left", "right", "right"),
        bold_last=True,
    )
    yield Paragraph(
        f"With a maximum bet of {show.money(exposed.maximum_bet)} a unit: net award x maximum bet "
        "x seats. An upper bound, as not every award can go to all seats at once"
        + (" and a meter is paid once however many win it." if sheet.meter else "."),
        small=True,
    )
    if exposed.cap is None:
        yield Paragraph("No cap on awards is assumed.")
    else:
        yield Paragraph(
            f"Cap: one bet wins at most {show.money(exposed.cap.amount)} net in a round, "
            f"{show.number(exposed.cap.award)} units of the maximum bet. For the maximum bet the "
            f"house edge is then {show.percent(exposed.cap.edge)}, exactly "
            f"{exposed.cap.edge.fraction}."
        )


def _decks(sheet: BetSheet) -> Iterator[Block]:
    yield Heading("House edge by decks")
    if not sheet.by_decks:
        yield Paragraph("Not given: the sheet is about a shoe of its own.")
        return
    yield Table(
        ("Decks", "House edge", "Exactly", "Hit frequency", "SD, units"),
        tuple(
            (
                f"{line.decks}{' (this sheet)' if line.this_sheet else ''}",
                show.percent(line.edge, 6),
                line.edge.fraction,
                show.percent(line.hit_frequency),
                show.fixed(line.standard_deviation),
            )
            for line in sheet.by_decks
        ),
        ("left", "right", "right", "right", "right"),
    )
    yield Figure("edge by decks", "House edge by the number of decks.")


def _sensitivity(sheet: BetSheet) -> Iterator[Block]:
    if not sheet.sensitivity:
        return
    yield Heading("Sensitivity to each pay")
    yield Table(
        ("Tier", "Pays", "Edge for +1", "Step", "Edge, step more", "Edge, step less"),
        tuple(
            (
                line.title,
                show.number(line.pays),
                show.percent(line.slope, sign=True),
                show.number(line.step),
                show.percent(line.edge_more),
                show.percent(line.edge_less),
            )
            for line in sheet.sensitivity
        ),
        ("left", "right", "right", "right", "right", "right"),
    )
    yield Paragraph(
        "The edge is linear in every pay: one unit of pay more changes it by minus the expected "
        "hits in a round (times the wager's share of the stake).",
        small=True,
    )


def _meter(sheet: BetSheet) -> Iterator[Block]:
    meter = sheet.meter
    if meter is None:
        return
    yield Heading("Progressive meter")
    never = "none: no amount gives the player an edge"
    won = meter.hit_frequency.value
    yield names_and_values(
        ("One unit of the bet", show.money(meter.stake)),
        ("Seed", show.money(meter.seed)),
        ("Increment of each bet", show.money(meter.increment)),
        ("Meter in this sheet", show.money(meter.amount)),
        ("House edge at 0", f"{show.percent(meter.base_edge)}, exactly {meter.base_edge.fraction}"),
        (
            "Edge taken off by 1,000",
            show.percent(meter.return_per_unit.value * 1000),
        ),
        (
            "Break-even",
            never
            if meter.break_even is None
            else f"{show.fixed(meter.break_even, 2)}, exactly {meter.break_even.fraction}",
        ),
        ("Won, in whole or part", f"one round in {show.fixed(1 / won, 0)}" if won else "never"),
        (
            "Emptied",
            f"one round in {show.fixed(1 / meter.emptied.value, 0)}"
            if meter.emptied.value
            else "never",
        ),
        (
            "Long-run house edge",
            f"{show.percent(meter.long_run_edge)}, seeds and increments counted as paid out"
            if meter.seed.value or meter.increment.value
            else "not given: seed and increment are not known",
        ),
    )
    yield Table(
        ("Meter", "House edge"),
        tuple((show.money(line.amount), show.percent(line.edge)) for line in meter.by_amount),
        ("right", "right"),
    )
    yield Figure("edge by meter", "House edge by the amount in the meter.")


def _simulation(sheet: BetSheet) -> Iterator[Block]:
    yield Heading("Independent cross-check by simulation")
    seen = sheet.simulation
    if seen is None:
        yield Paragraph("Left out.")
        return
    yield Paragraph(seen.method)
    kept = ""
    if seen.dealt != seen.rounds:
        kept = f", those in which the bet can be made out of {seen.dealt:,} dealt"
    yield names_and_values(
        ("Rounds", f"{seen.rounds:,}{kept}"),
        ("Seed", str(seen.seed)),
        ("Generator", seen.generator),
    )
    yield Table(
        ("Tier", "Expected", "99 % interval", "Observed", "Frequency", "z"),
        tuple(
            (
                line.title,
                show.fixed(line.expected, 1),
                f"{line.low:,} to {line.high:,}",
                f"{line.observed:,}{'' if line.inside else ' (outside)'}",
                show.significant(line.frequency),
                "-" if line.z is None else show.fixed(line.z, 2, sign=True),
            )
            for line in seen.lines
        ),
        ("left", "right", "right", "right", "right", "right"),
    )
    yield names_and_values(
        ("Largest |z|", show.fixed(seen.largest_z, 2)),
        (
            "Chi-square",
            f"{show.fixed(seen.chi_square, 2)} with {seen.degrees_of_freedom} degrees of freedom, "
            f"p = {show.fixed(seen.p_value, 3)}",
        ),
        (
            "Observed house edge",
            f"{show.percent(seen.edge)} ± {show.percent(seen.edge_standard_error)} (standard "
            f"error); exact {show.percent(sheet.totals.edge)}; "
            f"z = {show.fixed(seen.edge_z, 2, sign=True)}",
        ),
    )


def _inputs(sheet: BetSheet) -> Iterator[Block]:
    yield from input_blocks(sheet.identity)
    yield Heading("The bet as a file", 3)
    yield Paragraph("Read by the commands paytables bet --file and paytables sheet --file:")
    yield Verbatim(sheet.rules.bet_file)
