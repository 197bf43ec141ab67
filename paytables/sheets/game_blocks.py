"""A table's sheet as blocks."""

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
    definition_blocks,
    identity_blocks,
    input_blocks,
    names_and_values,
    rtp_blocks,
)
from paytables.sheets.chart_marks import marked_grids
from paytables.sheets.model import GameSheet

_TOTALS = ("17", "18", "19", "20", "21", "blackjack", "bust")


def game_blocks(sheet: GameSheet) -> list[Block]:
    """The blocks of a table's sheet, in the order of a PAR sheet."""
    return [
        Heading(f"PAR sheet: {sheet.identity.title}", 1),
        *_glance(sheet),
        *identity_blocks(sheet.identity),
        *_rules(sheet),
        *_assumptions(sheet),
        *_figures(sheet),
        *_spread(sheet),
        *rtp_blocks(
            sheet.rtp_intervals,
            "of the distribution of the total, where it is known; elsewhere the normal "
            "approximation stands, its error estimated from the simulated distribution",
        ),
        *_exposure(sheet),
        *_upcards(sheet),
        *_chart(sheet),
        *_effects(sheet),
        *_simulation(sheet),
        *definition_blocks(sheet.definitions, sheet.rounding),
        *input_blocks(sheet.identity),
    ]


def _glance(sheet: GameSheet) -> Iterator[Block]:
    figures = sheet.figures
    deviation = f"{show.fixed(sheet.spread.standard_deviation)} units a round"
    yield names_and_values(
        ("House edge", f"{show.percent(figures.house_edge, 6)} of the initial bet"),
        ("Return to player", show.percent(figures.rtp, 6)),
        ("Element of risk", f"{show.percent(figures.element_of_risk, 6)} of all bets"),
        ("Standard deviation", deviation),
        ("Dealt from", sheet.rules.shoe),
        ("Played by", f"{figures.regime}: {figures.regime_definition}"),
        ("Exactness", figures.exactness),
    )


def _rules(sheet: GameSheet) -> Iterator[Block]:
    rules = sheet.rules
    yield Heading("Rules")
    summary = "; ".join(rules.summary)
    yield Paragraph(f"{summary[:1].upper()}{summary[1:]}.")
    yield Heading("Order of a round", 3)
    yield Bullets(rules.order, numbered=True)
    yield Heading("Settled in every rule set", 3)
    yield Bullets(rules.settled)
    yield Heading("Every rule", 3)
    yield Table(
        ("Rule", "Here", "What it means"),
        tuple((line.label, line.words, line.meaning) for line in rules.lines),
        ("left", "left", "left"),
    )
    yield Heading("Shuffle", 3)
    yield Paragraph(f"{rules.shoe}. {rules.shuffle}")
    if rules.notes:
        yield Heading("What else the text says", 3)
        yield Bullets(rules.notes)


def _assumptions(sheet: GameSheet) -> Iterator[Block]:
    if not sheet.rules.assumptions:
        return
    yield Heading("What the text leaves open")
    yield Paragraph(
        "Each point is priced by itself: the house edge of the table if this one point is read "
        "otherwise, all else as in this sheet. Differences are in percentage points."
    )
    rows = []
    for line in sheet.rules.assumptions:
        said = f"{line.gap} {line.remark}".strip()
        rows.append((line.topic, said, f"As read here: {line.reading}", "", ""))
        for other in line.alternatives:
            edge = difference = "-"
            if other.house_edge is not None and other.difference is not None:
                edge = show.percent(other.house_edge)
                difference = _points(other.difference)
            elif other.problem:
                edge = other.problem
            rows.append(("", "", other.reading, edge, difference))
    yield Table(
        ("Point", "What the text says", "Reading", "House edge", "Difference"),
        tuple(rows),
        ("left", "left", "left", "right", "right"),
    )


def _points(difference: float) -> str:
    """A difference of edges in percentage points; what float64 cannot tell is none."""
    return "none" if abs(difference) < 1e-12 else show.fixed(100 * difference, 4, sign=True)


def _figures(sheet: GameSheet) -> Iterator[Block]:
    figures = sheet.figures
    yield Heading("Figures")
    yield Table(
        ("Figure", "Value", "Unit"),
        (
            ("House edge", show.percent(figures.house_edge, 10), "of the initial bet"),
            ("RTP", show.percent(figures.rtp, 10), "of the initial bet"),
            ("Expected value", show.fixed(figures.expected_value, 12), "initial bets a round"),
            ("Element of risk", show.percent(figures.element_of_risk, 10), "of all bets"),
            ("Average action", show.fixed(figures.average_action, 10), "initial bets a round"),
            *(
                (
                    (
                        "House edge of insurance",
                        f"{show.percent(figures.insurance_edge, 6)}, exactly "
                        f"{figures.insurance_edge.fraction}",
                        "of insurance, an ace up, no other card known",
                    ),
                )
                if figures.insurance_edge is not None
                else ()
            ),
        ),
        ("left", "right", "left"),
    )
    yield Paragraph(
        f"{figures.exactness} Regime {figures.regime}: {figures.regime_definition}.", small=True
    )
    if figures.exact_expected_value is not None:
        yield Heading("Expected value, exactly", 3)
        yield Paragraph(figures.exact_expected_value.fraction)


def _spread(sheet: GameSheet) -> Iterator[Block]:
    yield Heading("Spread of a round")
    spread = sheet.spread
    yield Table(
        ("Figure", "Value", "Unit"),
        (
            ("Standard deviation", show.fixed(spread.standard_deviation, 9), "initial bets"),
            ("Variance", show.fixed(spread.variance, 9), "initial bets squared"),
            (
                f"Volatility index, {show.percent(spread.volatility_confidence, 0)} "
                f"(z = {show.fixed(spread.volatility_z, 3)})",
                show.fixed(spread.volatility_index, 6),
                "initial bets",
            ),
            ("Player naturals", show.percent(spread.natural), "of rounds"),
            ("Split rounds", show.percent(spread.split), "of rounds"),
            ("Surrendered rounds", show.percent(spread.surrender), "of rounds"),
            ("Rounds with a double", show.percent(spread.double), "of rounds"),
            ("Doubled hands", show.fixed(spread.doubles), "a round"),
            ("Hands after splitting", show.fixed(spread.hands), "a round"),
        ),
        ("left", "right", "left"),
    )
    yield Paragraph(spread.note, small=True)
    if spread.distribution:
        yield Heading("Net result of a round", 3)
        yield Table(
            ("Net, units", "Probability"),
            tuple(
                (show.number(line.net), show.fixed(line.probability, 10))
                for line in spread.distribution
            ),
            ("right", "right"),
        )
        yield Figure("distribution", "Distribution of a round's net result.")


def _exposure(sheet: GameSheet) -> Iterator[Block]:
    exposed = sheet.exposure
    yield Heading("Exposure")
    yield names_and_values(
        ("Maximum initial bet", show.money(exposed.maximum_bet)),
        ("Seats", str(exposed.seats)),
        ("Largest award, units", show.number(exposed.largest_award)),
        ("Largest loss in a round, at most", show.money(exposed.amount)),
    )
    yield Paragraph(
        "An upper bound: every seat splits as often as the rules allow, doubles every hand where "
        "they allow that, and wins. Insurance and side bets are apart.",
        small=True,
    )


def _upcards(sheet: GameSheet) -> Iterator[Block]:
    yield Heading("By upcard")
    align: list[Align] = ["left", "right", "right"]
    align += ["right" for _ in _TOTALS]
    yield Table(
        ("Upcard", "Probability", "Value", *(f"Dealer {total}" for total in _TOTALS)),
        tuple(
            (
                line.upcard,
                show.fixed(line.probability),
                show.fixed(line.expected_value, 6, sign=True),
                *(show.fixed(line.dealer[total], 6) for total in _TOTALS),
            )
            for line in sheet.upcards
        ),
        tuple(align),
    )
    yield Paragraph(
        "Value: expected net result of the round in units of the initial bet, given the upcard, "
        "dealer blackjacks included. The dealer's totals are those of a hand played out, the "
        "upcard alone known.",
        small=True,
    )


def _chart(sheet: GameSheet) -> Iterator[Block]:
    chart = sheet.chart
    yield Heading("Strategy")
    yield Paragraph(chart.note)
    align: list[Align] = ["left"]
    align += ["center" for _ in chart.upcards]
    for grid in marked_grids(chart):
        yield Heading(grid.title, 3)
        yield Table(
            ("Hand", *chart.upcards),
            tuple((row.hand, *row.codes) for row in grid.rows),
            tuple(align),
            codes=True,
        )
    yield Table(
        ("Code", "Means"),
        tuple((term.written, term.meaning) for term in chart.legend),
        ("left", "left"),
    )
    yield Figure("strategy chart", "Strategy chart by total and upcard.")
    yield Heading("Hands that are played otherwise by their cards (marked *)", 3)
    if not chart.exceptions:
        yield Paragraph("None.")
        return
    yield Table(
        ("Hand", "Upcard", "Chart", "Best"),
        tuple((e.hand, e.upcard, e.chart, e.best) for e in chart.exceptions),
        ("left", "left", "left", "left"),
    )


def _effects(sheet: GameSheet) -> Iterator[Block]:
    if not sheet.effects:
        return
    yield Heading("Effect of every single rule change")
    yield Table(
        ("Change", "House edge", "Difference"),
        tuple(
            (line.label, show.percent(line.house_edge), _points(line.difference))
            for line in sheet.effects
        ),
        ("left", "right", "right"),
    )
    text = (
        "Each change by itself around the rules of this sheet, the strategy worked out anew. "
        "Differences are in percentage points; above zero the house gains."
    )
    if sheet.impossible:
        text += f" Contradict the other rules: {'; '.join(sheet.impossible)}."
    yield Paragraph(text, small=True)
    yield Figure("rule effects", "The rule changes that matter most.")


def _simulation(sheet: GameSheet) -> Iterator[Block]:
    yield Heading("Independent cross-check by simulation")
    seen = sheet.simulation
    if seen is None:
        yield Paragraph("Left out.")
        return
    yield Paragraph(seen.method)
    yield names_and_values(
        ("Rounds", f"{seen.rounds:,}"), ("Seed", str(seen.seed)), ("Generator", seen.generator)
    )
    yield Table(
        ("Figure", "Analysed", "Observed", "Standard error", "99 % interval", "z"),
        tuple(
            (
                line.name,
                show.fixed(line.expected, 6),
                show.fixed(line.observed, 6),
                show.fixed(line.standard_error, 6),
                f"{show.fixed(line.low, 6)} to {show.fixed(line.high, 6)}"
                f"{'' if line.inside else ' (outside)'}",
                show.fixed(line.z, 2, sign=True),
            )
            for line in seen.lines
        ),
        ("left", "right", "right", "right", "right", "right"),
    )
