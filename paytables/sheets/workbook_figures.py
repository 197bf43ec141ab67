"""What follows from a bet's paytable: summary, decks, sensitivity, exposure, meter; all live."""

from __future__ import annotations

import math
from fractions import Fraction
from statistics import NormalDist

from paytables.model import MAX_PAY
from paytables.sheets.model import DecksLine
from paytables.sheets.workbook_bet import BetBook, float_of
from paytables.sheets.workbook_common import identity_rows
from paytables.sheets.workbook_style import (
    CHANGE,
    EIGHT,
    MONEY,
    MUTED,
    PAYS,
    PERCENT_6,
    WHOLE,
    Cell,
    Column,
    Formula,
    Page,
    whole,
)

NEAR = "1E-9"
"""A net result this close to 0 is a push: cells are float64, and 1 - 3 x 1/3 need not be 0."""


def summary_page(made: BetBook) -> None:
    """Key figures, live, with the exact ones beside them; checks; identity."""
    sheet, page, identity = made.sheet, made.summary, made.sheet.identity
    page.widths([36, 20, 44, 66])
    page.title(
        f"PAR sheet: {identity.title}",
        f"{sheet.rules.shoe}; design version {identity.version}, {identity.date}; "
        f"{identity.software}",
    )
    as_is = "Inputs are as in this sheet."
    said = (
        f'IF(inputs_changed,"INPUTS CHANGED: live figures are for the new inputs; exact fractions, '
        f'exact intervals and the cross-check are for those of this sheet.","{as_is}")'
    )
    page.put(page.row, 0, Formula(said, as_is), align="left", bold=True, bottom=0)
    page.flag(page.row, 0, as_is, good=False)
    page.row += 2
    columns = [
        Column("Figure"),
        Column("Value", PAYS),
        Column("Exact, for the pays of this sheet"),
        Column("What it is"),
    ]
    page.header(columns)
    for label, name, value, form, exact, meaning in _key_figures(made):
        bold = name in ("house_edge", "return_to_player")
        page.put(page.row, 0, label, bold=bold)
        page.put(page.row, 1, value, form, bold=bold)
        page.put(page.row, 2, exact)
        page.put(page.row, 3, meaning, font_color=MUTED)
        made.book.name(name, page, page.row, 1)
        page.row += 1
    _checks(made)
    page.row += 1
    page.heading("Identity")
    page.texts(identity_rows(identity), 1000, wrap=False)


def _key_figures(made: BetBook) -> list[tuple[str, str, Cell, str, str, str]]:
    """Label, defined name, value, number format, exact text, meaning."""
    totals, nets, odds = made.sheet.totals, made.nets, made.odds
    stake, deviation = float_of(totals.stake), math.sqrt(totals.variance.value)
    z = NormalDist().inv_cdf(0.5 + totals.volatility_confidence / 2)
    changed = f"SUMPRODUCT(--(ABS({made.tier_range('pays')}-{made.tier_range('was')})>1E-12))>0"
    if made.sheet.meter is not None:
        changed = f"OR({changed},ABS(meter_amount-{float_of(made.sheet.meter.amount)!r})>1E-9)"
    return [
        ("House edge", "house_edge",
         Formula(f"-SUMPRODUCT({nets},{odds})/stake", float_of(totals.edge)),
         PERCENT_6, totals.edge.fraction,
         "minus the expected net win per unit staked, all wagers together"),
        ("RTP", "return_to_player", Formula("1-house_edge", float_of(totals.rtp)),
         PERCENT_6, totals.rtp.fraction, "return to player: 1 minus the house edge"),
        ("Hit frequency", "hit_frequency",
         Formula(f"SUMPRODUCT(({nets}>{NEAR})*{odds})", float_of(totals.hit_frequency)),
         PERCENT_6, totals.hit_frequency.fraction, "probability that a round ends with a net win"),
        ("Push rate", "push_rate",
         Formula(f"SUMPRODUCT((ABS({nets})<={NEAR})*{odds})", float_of(totals.push_frequency)),
         PERCENT_6, totals.push_frequency.fraction,
         "probability that a round returns exactly what was staked"),
        ("Loss rate", "loss_rate",
         Formula(f"SUMPRODUCT(({nets}<-{NEAR})*{odds})", float_of(totals.loss_frequency)),
         PERCENT_6, totals.loss_frequency.fraction,
         "probability that a round ends with a net loss"),
        ("Variance, units squared", "variance",
         Formula(f"SUMPRODUCT({odds},({nets}+house_edge*stake)^2)", float_of(totals.variance)),
         EIGHT, totals.variance.fraction, "of the net result of one round"),
        ("Standard deviation, units", "standard_deviation", Formula("SQRT(variance)", deviation),
         EIGHT, f"square root of {totals.variance.fraction}", "of the net result of one round"),
        ("Volatility index", "volatility_index",
         Formula("NORMSINV(0.5+volatility_confidence/2)*standard_deviation/stake",
                 z * deviation / stake),
         EIGHT, "", "z x standard deviation per unit staked: the RTP of N rounds lies in "
         "RTP ± VI/√N"),
        ("Confidence of that index", "volatility_confidence", totals.volatility_confidence,
         "0.0#%", "", "two-sided; z is its normal quantile"),
        ("Largest award, units", "largest_award",
         Formula(f"MAX({nets})", float_of(totals.largest_award)),
         PAYS, totals.largest_award.fraction, "largest net result of a round, all wagers together"),
        ("Its probability", "largest_award_probability",
         Formula(f"SUMPRODUCT((ABS({nets}-largest_award)<={NEAR})*{odds})",
                 float_of(totals.largest_award_probability)),
         "0.000000E+00", totals.largest_award_probability.fraction, "in one round"),
        ("Stake, units", "stake", stake, PAYS, totals.stake.fraction, "all wagers together"),
        ("All combinations", "total_combinations", whole(totals.combinations)[0], made.count_form,
         str(totals.combinations), "deals that the bet tells apart, all equally likely"),
        ("Inputs were changed", "inputs_changed", Formula(changed, False), "", "",
         "whether a pay or the meter differs from this sheet's"),
    ]  # fmt: skip


def _checks(made: BetBook) -> None:
    """Identities, computed by the workbook itself."""
    page = made.summary
    page.row += 1
    page.heading("Checks", "Computed by this workbook; cells are float64, so to within 1E-12.")
    page.header([Column("Check"), Column("Result"), Column("Difference"), Column("")])
    odds = made.outcomes.at(made.outcome_sums, made.net_column + 2)
    ways = made.outcomes.at(made.outcome_sums, made.net_column + 1)
    tiers = made.paytable.at(made.tier_sums, made.places["contribution"])
    checks = [
        ("Probabilities of the outcomes sum to 1", f"{odds}-1"),
        ("Combinations of the outcomes sum to all", f"{ways}/total_combinations-1"),
        ("Edge from the tiers = edge from the outcomes", f"{tiers}+house_edge"),
    ]
    if made.sheet.exclusive:
        total = made.paytable.at(made.tier_sums, made.places["probability"])
        checks.insert(0, ("Probabilities of the tiers and of no tier sum to 1", f"{total}-1"))
    for label, formula in checks:
        page.put(page.row, 0, label)
        page.put(page.row, 2, Formula(formula, 0.0), "0.0E+00", align="left", indent=1)
        result = f'IF(ABS({page.here(page.row, 2)})<1E-12*MAX(1,standard_deviation),"OK","CHECK")'
        page.put(page.row, 1, Formula(result, "OK"), align="left", bold=True, indent=1)
        page.flag(page.row, 1, "OK")
        page.row += 1


def decks_page(made: BetBook) -> None:
    """Edge, hit frequency and deviation by decks, live in the pays."""
    lines = made.sheet.by_decks
    if not lines:
        return
    page, deals = made.book.page("Decks"), made.book.page("Deals by decks")
    first_deal, last_deal = _deals(made, deals)
    page.title(
        "House edge by number of decks", "Live, from the page with the deals of every outcome."
    )
    columns = [
        Column("Decks", WHOLE, 10),
        Column("House edge", PERCENT_6, 16),
        Column("Less this sheet's", CHANGE, 16),
        Column("Hit frequency", PERCENT_6, 16),
        Column("Standard deviation, units", EIGHT, 16),
        Column("Exact house edge, pays of this sheet", width=40),
    ]
    page.widths([column.width for column in columns])
    page.header(columns, freeze=True)
    first, nets = page.row, made.all_nets
    for number, line in enumerate(lines, start=1):
        ways = deals.range(first_deal, number, last_deal)
        total = deals.at(last_deal + 1, number)
        edge = page.here(page.row, 1)
        hit = Formula(f"SUMPRODUCT(({nets}>{NEAR})*{ways})/{total}", float_of(line.hit_frequency))
        square = f"SQRT(SUMPRODUCT({ways},({nets}+{edge}*stake)^2)/{total})"
        page.line(
            [
                line.decks,
                Formula(f"-SUMPRODUCT({ways},{nets})/{total}/stake", float_of(line.edge)),
                Formula(
                    f"{edge}-house_edge", float_of(line.edge) - float_of(made.sheet.totals.edge)
                ),
                hit,
                Formula(square, _deviation(made, line)),
                line.edge.fraction,
            ],
            columns,
            **({"bold": True} if line.this_sheet else {}),
        )
    _decks_chart(page, first)


def _deviation(made: BetBook, line: DecksLine) -> float:
    """The standard deviation with other decks, from the counts that the formulas use."""
    mean = -line.edge.value * made.sheet.totals.stake.value
    square = sum(
        (kind.combinations * (made.net(kind.counts) - mean) ** 2 for kind in line.outcomes),
        Fraction(0),
    )
    return math.sqrt(square / line.combinations)


def _deals(made: BetBook, page: Page) -> tuple[int, int]:
    """The deals of every outcome by decks; the first and last row."""
    lines = made.sheet.by_decks
    page.title(
        "Deals by outcome and number of decks",
        "In the order of the page Outcomes. Whole numbers above 2^53 are rounded to float64.",
    )
    columns = [Column("Outcome", width=44)]
    columns += [
        Column(f"{line.decks} deck{'s' * (line.decks != 1)}", made.count_form, 18) for line in lines
    ]
    page.widths([column.width for column in columns])
    page.header(columns, freeze=True)
    by_kind = [{kind.counts: kind.combinations for kind in line.outcomes} for line in lines]
    first, outcomes = page.row, made.outcomes
    for row, counts in enumerate(made.kinds, start=made.first_outcome):
        name = outcomes.at(row, 0)
        ways: list[Cell] = [whole(found.get(counts, 0))[0] for found in by_kind]
        page.line([Formula(name, made.hits_in_words(counts)), *ways], columns)
    last = page.row - 1
    sums: list[Cell] = [
        Formula(f"SUM({page.here(first, col)}:{page.here(last, col)})", whole(line.combinations)[0])
        for col, line in enumerate(lines, start=1)
    ]
    page.line(["All together", *sums], columns, bold=True, top=1)
    return first, last


def _decks_chart(page: Page, first: int) -> None:
    chart = page.book.chart("line")
    last, blue, title = page.row - 1, {"color": "#3576b8"}, "House edge by number of decks"
    chart.add_series(
        {
            "name": "House edge",
            "categories": f"={page.range(first, 0, last)}",
            "values": f"={page.range(first, 1, last)}",
            "line": blue | {"width": 1.75},
            "marker": {"type": "circle", "size": 7, "fill": blue, "border": blue},
            "data_labels": {"value": True, "position": "above", "num_format": "0.00%",
                            "font": {"size": 9}},
        }
    )  # fmt: skip
    chart.set_title({"name": title, "name_font": {"size": 11}})
    chart.set_legend({"none": True})
    grid = {"visible": True, "line": {"color": "#dbe3de"}}
    chart.set_y_axis({"num_format": "0.0%", "line": {"none": True}, "major_gridlines": grid})
    chart.set_x_axis({"name": "decks", "name_font": {"size": 9, "bold": False}})
    chart.set_size({"width": 760, "height": 280})
    page.sheet.insert_chart(page.row + 1, 0, chart, {"description": f"Line: {title}."})


def sensitivity_page(made: BetBook) -> None:
    """What one step of each pay does, and the pay that alone would hit a target edge."""
    sheet, page = made.sheet, made.book.page("Sensitivity")
    page.title(
        "Sensitivity of the pays",
        "The edge is linear in every pay. Yellow cells can be changed: the step, the target edge.",
    )
    page.put(page.row, 0, "Target house edge", bottom=0)
    page.input(page.row, 1, round(float_of(sheet.totals.edge), 3), "0.0000%", -1.0, 1.0)
    made.book.name("target_edge", page, page.row, 1)
    page.row += 2
    columns = [
        Column("Tier", width=40),
        Column("Pays", PAYS, 12),
        Column("Edge for one unit of pay more", CHANGE, 18),
        Column("Step", PAYS, 10),
        Column("Edge with one step more", PERCENT_6, 16),
        Column("Edge with one step less", PERCENT_6, 16),
        Column("Pay that alone hits the target", "#,##0.0000", 16),
        Column("Exact change for one unit of pay more", width=40),
    ]
    page.widths([column.width for column in columns])
    page.header(columns, freeze=True)
    target, edge = round(float_of(sheet.totals.edge), 3), sheet.totals.edge.value
    lines = {line.tier: line for line in sheet.sensitivity}
    for number, tier in enumerate(sheet.tiers):
        line = lines.get(tier.name)
        if line is None:
            continue
        at = [page.here(page.row, col) for col in range(len(columns))]
        stake = made.tier_cell("stake", number)
        slope = float_of(line.slope)
        hit: float | str = "never"
        if line.slope.value:
            hit = float(line.pays.value + (Fraction(target) - edge) / line.slope.value)
        page.line(
            [
                line.title,
                Formula(made.tier_cell("pays", number), float_of(line.pays)),
                Formula(f"-{made.tier_cell('count', number)}*{stake}/stake", slope),
                None,
                Formula(f"house_edge+{at[3]}*{at[2]}", float_of(line.edge_more)),
                Formula(f"house_edge-{at[3]}*{at[2]}", float_of(line.edge_less)),
                Formula(f'IF({at[2]}=0,"never",{at[1]}+(target_edge-house_edge)/{at[2]})', hit),
                line.slope.fraction,
            ],
            columns,
        )
        page.input(page.row - 1, 3, float_of(line.step), PAYS, 0.0, float(MAX_PAY))


def exposure_page(made: BetBook) -> None:
    """The most that can be lost in a round, for the limits in the input cells."""
    sheet, page, found = made.sheet, made.book.page("Exposure"), made.sheet.exposure
    page.title(
        "Exposure: the most that the house can lose in a round",
        "In currency. An upper bound: not every award can go to all seats. Yellow cells can be "
        "changed.",
    )
    page.widths([44, 18, 18, 18, 40])
    most = 1e12
    inputs = [
        ("Maximum bet of one unit", "maximum_bet", float_of(found.maximum_bet), MONEY, 0.01),
        ("Seats", "seats", float(found.seats), WHOLE, 1.0),
        ("Most that one bet wins (empty: no cap)", "award_cap",
         None if found.cap is None else float_of(found.cap.amount), MONEY, 0.01),
    ]  # fmt: skip
    for label, name, value, form, low in inputs:
        page.put(page.row, 0, label)
        page.input(page.row, 1, value, form, low, most)
        made.book.name(name, page, page.row, 1)
        page.row += 1
    page.row += 1
    capped = f"({made.nets}<award_cap/maximum_bet)"
    net = f"({capped}*{made.nets}+(1-{capped})*award_cap/maximum_bet)"
    cap = Formula(
        f'IF(award_cap="","no cap",-SUMPRODUCT({net},{made.odds})/stake)',
        "no cap" if found.cap is None else float_of(found.cap.edge),
    )
    page.pairs(
        [
            ("Largest award of one bet, units",
             Formula("largest_award", float_of(found.largest_award)), PAYS),
            ("Probability that one seat wins it",
             Formula("largest_award_probability", float_of(found.probability)), "0.000000E+00"),
            ("Exposure of the table",
             Formula("largest_award*maximum_bet*seats", float_of(found.amount)), MONEY),
            ("House edge for the maximum bet with the cap", cap, PERCENT_6),
        ]
    )  # fmt: skip
    page.row += 1
    columns = [
        Column("Tier", width=44),
        Column("One seat", MONEY, 18),
        Column("All seats", MONEY, 18),
    ]
    page.header(columns)
    for number, tier in enumerate(sheet.tiers):
        one = max(0.0, float(tier.net.value * tier.stake.value * found.maximum_bet.value))
        net, stake = made.tier_cell("net", number), made.tier_cell("stake", number)
        seat = page.here(page.row, 1)
        page.line(
            [
                tier.title,
                Formula(f"MAX(0,{net}*{stake})*maximum_bet", one),
                Formula(f"{seat}*seats", one * found.seats),
            ],
            columns,
        )


def meter_page(made: BetBook) -> None:
    """The progressive meter: its amount is an input cell."""
    found = made.sheet.meter
    if found is None:
        return
    page = made.book.page("Meter")
    page.title(
        "Progressive meter",
        "In currency. Yellow cells can be changed: the whole workbook counts with this meter.",
    )
    page.widths([52, 20, 40])
    for label, name, value, low in (
        ("The meter now", "meter_amount", found.amount, 0.0),
        ("One unit of the bet", "meter_unit", found.stake, 0.0001),
        ("Put in by the house after it is won", "meter_seed", found.seed, 0.0),
        ("Added by every bet", "meter_increment", found.increment, 0.0),
    ):
        page.put(page.row, 0, label)
        page.input(page.row, 1, float_of(value), "#,##0.00##", low, 1e12)
        page.put(page.row, 2, value.fraction)
        made.book.name(name, page, page.row, 1)
        page.row += 1
    page.row += 1
    page.header([Column("Figure"), Column("Value", MONEY), Column("Exact, as in this sheet")])
    shares = f"{made.tier_range('count')},{made.tier_range('share')},{made.tier_range('stake')}"
    even = "never" if found.break_even is None else float_of(found.break_even)
    known = bool(found.seed.value or found.increment.value)
    rows: list[tuple[str, str, Cell, str, str]] = [
        ("House edge with the meter at 0", "meter_base_edge",
         Formula("house_edge+meter_amount*meter_return", float_of(found.base_edge)),
         PERCENT_6, found.base_edge.fraction),
        ("What one unit of currency in it takes off the edge", "meter_return",
         Formula(f"SUMPRODUCT({shares})/(stake*meter_unit)", float_of(found.return_per_unit)),
         "0.000000E+00", found.return_per_unit.fraction),
        ("Break-even: above it the player has the edge", "meter_break_even",
         Formula('IF(meter_return=0,"never",meter_base_edge/meter_return)', even),
         MONEY, "" if found.break_even is None else found.break_even.fraction),
        ("Probability that any of it is won", "meter_hit", float_of(found.hit_frequency),
         "0.000000E+00", found.hit_frequency.fraction),
        ("Probability that all of it is won", "meter_emptied", float_of(found.emptied),
         "0.000000E+00", found.emptied.fraction),
        ("House edge in the long run, seeds and increments as paid out", "meter_long_run_edge",
         Formula('IF(meter_seed+meter_increment=0,"no seed or increment given",meter_base_edge'
                 "-(meter_increment+meter_emptied*meter_seed)/(stake*meter_unit))",
                 float_of(found.long_run_edge) if known else "no seed or increment given"),
         PERCENT_6, found.long_run_edge.fraction if known else ""),
    ]  # fmt: skip
    for label, name, value_now, form, exact in rows:
        page.put(page.row, 0, label)
        page.put(page.row, 1, value_now, form)
        page.put(page.row, 2, exact)
        made.book.name(name, page, page.row, 1)
        page.row += 1
    page.row += 1
    columns = [Column("Meter", MONEY), Column("House edge", PERCENT_6), Column("Exact")]
    page.header(columns)
    for line in found.by_amount:
        amount = page.here(page.row, 0)
        edge = Formula(f"meter_base_edge-{amount}*meter_return", float_of(line.edge))
        page.line([float_of(line.amount), edge, line.edge.fraction], columns)
