"""The workbook of the main game: figures, strategy in colour, rule effects, distribution."""

from __future__ import annotations

import math

from paytables.chart_style import CODE_STYLES
from paytables.sheets.chart_marks import marked_grids
from paytables.sheets.model import ChartGrid, GameSheet
from paytables.sheets.workbook_common import (
    cross_check_page,
    identity_rows,
    rtp_page,
    words_page,
)
from paytables.sheets.workbook_style import (
    ACCENT,
    CHANGE,
    EIGHT,
    MONEY,
    MUTED,
    PAYS,
    PERCENT_6,
    PROBABILITY,
    WHOLE,
    Book,
    Cell,
    Column,
    Formula,
    Page,
)


def game_book(sheet: GameSheet) -> Book:
    """The workbook of a table, ready to be written."""
    book = Book(sheet.identity, "PAR sheet")
    page = book.page("Summary", ACCENT)
    rules_page(book, sheet)
    readings_page(book, sheet)
    strategy_page(book, sheet)
    checks = [*upcards_page(book, sheet), *distribution_page(book, sheet)]
    effects_page(book, sheet)
    rtp_page(
        book,
        sheet.rtp_intervals,
        rtp=1 - sheet.figures.house_edge,
        variance=sheet.spread.variance,
        stake=1.0,
        changed=None,
    )
    exposure_page(book, sheet)
    cross_check_page(book, sheet.simulation)
    words_page(book, sheet)
    summary_page(page, sheet, checks)
    return book


def summary_page(page: Page, sheet: GameSheet, checks: list[tuple[str, str]]) -> None:
    """Key figures, checks and identity.

    Args:
        page: The first page.
        sheet: The sheet.
        checks: A name, and a formula that is 0 but for rounding.
    """
    figures, spread, identity = sheet.figures, sheet.spread, sheet.identity
    page.widths([36, 20, 96])
    page.title(
        f"PAR sheet: {identity.title}",
        "; ".join(sheet.rules.summary),
        f"{sheet.rules.shoe}; design version {identity.version}, {identity.date}; "
        f"{identity.software}",
    )
    page.header([Column("Figure"), Column("Value", PAYS), Column("What it is")])
    edge, action = figures.house_edge, figures.average_action
    rows: list[tuple[str, str, Cell, str, str]] = [
        ("House edge", "house_edge", edge, PERCENT_6,
         "minus the expected net win per unit of the initial bet, dealer blackjacks included, "
         "insurance apart"),
        ("RTP", "return_to_player", Formula("1-house_edge", 1 - edge), PERCENT_6,
         "return to player: 1 minus the house edge"),
        ("Expected value, units a round", "expected_value", figures.expected_value,
         "0.000000000000", "per unit of the initial bet"),
        ("Average action, units a round", "average_action", action, EIGHT,
         "all bets of a round: the initial one, doubles and splits"),
        ("Element of risk", "element_of_risk", Formula("house_edge/average_action", edge / action),
         PERCENT_6, "house edge per unit of all bets"),
        ("Stake, units", "stake", 1, PAYS, "the initial bet"),
    ]  # fmt: skip
    if figures.exact_expected_value is not None:
        rows.append(("Exact expected value", "", figures.exact_expected_value.fraction, "",
                     "as a fraction"))  # fmt: skip
    if figures.insurance_edge is not None:
        rows.append(("House edge of insurance", "insurance_edge",
                     float(figures.insurance_edge.value), PERCENT_6,
                     "per unit of insurance, the upcard known to be an ace; exactly "
                     f"{figures.insurance_edge.fraction}"))  # fmt: skip
    level = f"{spread.volatility_confidence:.0%}"
    rows += [
        ("Variance, units squared", "variance", spread.variance, EIGHT,
         "of the net result of one round"),
        ("Standard deviation, units", "standard_deviation",
         Formula("SQRT(variance)", math.sqrt(spread.variance)), EIGHT, spread.note),
        ("Volatility index", "volatility_index", spread.volatility_index, EIGHT,
         f"z x standard deviation; {level}, z = {spread.volatility_z:.6g}"),
        ("Player naturals", "", spread.natural, PERCENT_6, "probability in a round"),
        ("Rounds split", "", spread.split, PERCENT_6, "probability in a round"),
        ("Rounds surrendered", "", spread.surrender, PERCENT_6, "probability in a round"),
        ("Rounds with a double", "", spread.double, PERCENT_6, "probability in a round"),
        ("Doubled hands a round", "", spread.doubles, EIGHT, "expected number"),
        ("Player hands a round", "", spread.hands, EIGHT, "expected number"),
    ]  # fmt: skip
    for label, name, value, form, meaning in rows:
        bold = name in ("house_edge", "return_to_player")
        page.put(page.row, 0, label, bold=bold)
        page.put(page.row, 1, value, form, bold=bold)
        page.put(page.row, 2, meaning, font_color=MUTED)
        if name:
            page.book.name(name, page, page.row, 1)
        page.row += 1
    page.row += 1
    for text in (f"Strategy {figures.regime}: {figures.regime_definition}", figures.exactness):
        page.paragraph(text, 3, 150)
    page.row += 1
    page.heading(
        "Checks", "Computed by this workbook from figures of 12 significant digits: to 1E-10."
    )
    page.header([Column("Check"), Column("Result"), Column("Difference")])
    for label, formula in [
        *checks,
        ("Expected value = minus the edge", "expected_value+house_edge"),
    ]:
        page.put(page.row, 0, label)
        page.put(page.row, 2, Formula(formula, 0.0), "0.0E+00", align="left", indent=1)
        result = Formula(f'IF(ABS({page.here(page.row, 2)})<1E-10,"OK","CHECK")', "OK")
        page.put(page.row, 1, result, align="left", bold=True, indent=1)
        page.flag(page.row, 1, "OK")
        page.row += 1
    page.row += 1
    page.heading("Identity")
    page.texts(identity_rows(identity), 1000, wrap=False)


def rules_page(book: Book, sheet: GameSheet) -> None:
    """Every rule, the order of a round, and what is assumed."""
    page, rules = book.page("Rules"), sheet.rules
    page.widths([34, 34, 96])
    page.title(f"{sheet.identity.title}: rules")
    columns = [Column("Rule"), Column("At this table"), Column("What it means")]
    page.header(columns, freeze=True)
    for line in rules.lines:
        page.texts([(line.label, line.words, line.meaning)], 96)
    page.row += 1
    for title, texts in (
        ("Order of a round", [f"{i}. {text}" for i, text in enumerate(rules.order, start=1)]),
        ("Settled in every game", list(rules.settled)),
        ("Shoe and shuffle", [rules.shoe, rules.shuffle]),
        ("Notes", list(rules.notes)),
    ):
        if texts:
            page.heading(title)
            for text in texts:
                page.paragraph(text, 3, 160)
            page.row += 1


def readings_page(book: Book, sheet: GameSheet) -> None:
    """What the text of the rules leaves open, and the edge under each reading."""
    if not sheet.rules.assumptions:
        return
    page = book.page("Open readings")
    page.title(
        "What the text of the rules leaves open",
        "The reading in bold is the one of this sheet; the others are tried one at a time.",
    )
    columns = [
        Column("Point", width=34),
        Column("Reading", width=66),
        Column("What it changes", width=44),
        Column("House edge", PERCENT_6, 14),
        Column("Less this sheet's", CHANGE, 16),
    ]
    page.widths([column.width for column in columns])
    page.header(columns, freeze=True)
    wrapped = {"text_wrap": True, "valign": "top"}
    for point in sheet.rules.assumptions:
        edge = Formula("house_edge", sheet.figures.house_edge)
        said = point.reading + (f" ({point.remark})" if point.remark else "")
        page.tall((said, 60), (point.gap, 44))
        page.line([point.topic, said, point.gap, edge, None], columns, bold=True, **wrapped)
        for other in point.alternatives:
            change: Cell = other.problem or None
            if other.house_edge is not None:
                now = page.here(page.row, 3)
                gap = other.house_edge - sheet.figures.house_edge
                change = Formula(f"{now}-house_edge", gap)
            page.tall((other.reading, 66), (other.change, 44))
            page.line(
                ["", other.reading, other.change, other.house_edge, change], columns, **wrapped
            )


def strategy_page(book: Book, sheet: GameSheet) -> None:
    """The three grids in the colours of the app, the legend, and the exceptions."""
    chart, page = sheet.chart, book.page("Strategy", "#8ccbf7")
    page.title(f"{sheet.identity.title}: strategy, {sheet.figures.regime}")
    page.widths([10, *[5.5] * len(chart.upcards), 4, 10, *[5.5] * len(chart.upcards)])
    top, second = page.row, len(chart.upcards) + 2
    hard, *others = marked_grids(chart)
    bottom = _grid(page, hard, chart.upcards, top, 0)
    row = top
    for grid in others:
        row = _grid(page, grid, chart.upcards, row, second) + 1
    page.row = bottom + 1
    for term in chart.legend:
        look = CODE_STYLES.get(term.written)
        colours = {"bg_color": look.background, "font_color": look.ink} if look else {}
        page.put(page.row, 0, term.written, align="center", bold=True, bottom=0, **colours)
        page.put(page.row, 1, term.meaning, bottom=0)
        page.row += 1
    page.row = max(page.row, row) + 1
    page.paragraph(chart.note, 2 * len(chart.upcards) + 3, 125)
    if chart.exceptions:
        page.row += 1
        page.heading("Hands that are better played otherwise than their cell (marked *)")
        for found in chart.exceptions:
            page.put(page.row, 0, found.hand, align="right", bottom=0)
            page.put(
                page.row,
                1,
                f"against {found.upcard}: {found.best} instead of {found.chart}",
                bottom=0,
            )
            page.row += 1


def _grid(page: Page, grid: ChartGrid, upcards: tuple[str, ...], row: int, col: int) -> int:
    """One grid of the chart with its top left corner there; the row after it."""
    page.put(row, col, grid.title, bold=True, font_color=ACCENT, bottom=0)
    row += 1
    for i, name in enumerate(upcards, start=1):
        page.put(row, col + i, name, align="center", bold=True, font_color=MUTED, bottom=0)
    for line in grid.rows:
        row += 1
        page.put(row, col, line.hand, align="right", bold=True, bottom=0)
        for i, code in enumerate(line.codes, start=1):
            look = CODE_STYLES.get(code.rstrip("*"))
            colours = {"bg_color": look.background, "font_color": look.ink} if look else {}
            page.put(
                row,
                col + i,
                code,
                align="center",
                bold=True,
                bottom=1,
                top=1,
                left=1,
                right=1,
                border_color="#ffffff",
                bottom_color="#ffffff",
                **colours,
            )
    return row + 1


def upcards_page(book: Book, sheet: GameSheet) -> list[tuple[str, str]]:
    """Figures by upcard; the checks that they allow."""
    page = book.page("By upcard")
    page.title(
        "By upcard",
        "Dealer's final totals from the shoe less the upcard alone; expected value of the round, "
        "units of the initial bet. float64.",
    )
    totals = list(sheet.upcards[0].dealer) if sheet.upcards else []
    columns = [
        Column("Upcard", width=10),
        Column("Probability", PROBABILITY, 15),
        Column("Expected value", "+0.0000000000;-0.0000000000", 16),
        *(Column(f"Dealer {name}", PROBABILITY, 15) for name in totals),
        Column("Sum of the dealer", PROBABILITY, 15),
    ]
    page.widths([column.width for column in columns])
    page.header(columns, freeze=True)
    first = page.row
    for line in sheet.upcards:
        left, right = page.here(page.row, 3), page.here(page.row, 2 + len(totals))
        dealer = [line.dealer[name] for name in totals]
        total = Formula(f"SUM({left}:{right})", math.fsum(dealer))
        page.line([line.upcard, line.probability, line.expected_value, *dealer, total], columns)
    last = page.row - 1
    odds, values = page.range(first, 1, last), page.range(first, 2, last)
    sums = page.range(first, 3 + len(totals), last)
    page.line(
        [
            "All",
            Formula(f"SUM({odds})", math.fsum(line.probability for line in sheet.upcards)),
            Formula(
                f"SUMPRODUCT({odds},{values})",
                math.fsum(line.probability * line.expected_value for line in sheet.upcards),
            ),
            *[None] * (len(totals) + 1),
        ],
        columns,
        bold=True,
        top=1,
    )
    return [
        ("Probabilities of the upcards sum to 1", f"SUM({odds})-1"),
        ("Mean over the upcards = expected value", f"SUMPRODUCT({odds},{values})-expected_value"),
        ("Dealer's totals sum to 1 under every upcard", f"SUM({sums})-{len(sheet.upcards)}"),
    ]


def distribution_page(book: Book, sheet: GameSheet) -> list[tuple[str, str]]:
    """The distribution of a round's result; the checks that it allows."""
    lines = sheet.spread.distribution
    if not lines:
        return []
    page = book.page("Distribution")
    page.title("Net result of a round", "In units of the initial bet; probabilities are float64.")
    columns = [
        Column("Net result, units", "+0.0###;-0.0###;0", 18),
        Column("Probability", "0.000000000000", 20),
        Column("Exact net result", width=18),
    ]
    page.widths([column.width for column in columns])
    page.header(columns, freeze=True)
    first = page.row
    for line in lines:
        page.line([float(line.net.value), line.probability, line.net.fraction], columns)
    last = page.row - 1
    nets, odds = page.range(first, 0, last), page.range(first, 1, last)
    chart = book.chart("column")
    chart.add_series(
        {
            "name": "Probability",
            "categories": f"={nets}",
            "values": f"={odds}",
            "fill": {"color": "#3576b8"},
            "gap": 40,
            "data_labels": {"value": True, "num_format": "0.00%", "font": {"size": 8}},
        }
    )
    chart.set_title({"name": "Net result of a round, units", "name_font": {"size": 11}})
    chart.set_legend({"none": True})
    chart.set_x_axis({"label_position": "low", "num_format": "+0.##;-0.##;0"})
    chart.set_y_axis({"num_format": "0%", "major_gridlines": {"visible": False}})
    chart.set_size({"width": 720, "height": 320})
    page.sheet.insert_chart(
        first, 4, chart, {"description": "Columns: probability of each net result."}
    )
    return [
        ("Probabilities of the net results sum to 1", f"SUM({odds})-1"),
        ("Their mean = expected value", f"SUMPRODUCT({nets},{odds})-expected_value"),
        (
            "Their variance = variance",
            f"SUMPRODUCT({odds},({nets}-expected_value)^2)-variance",
        ),
    ]


def effects_page(book: Book, sheet: GameSheet) -> None:
    """What every single rule change does."""
    if not sheet.effects:
        return
    page = book.page("Rule effects")
    page.title(
        "What every single rule change does to the house edge",
        f"Best strategy ({sheet.figures.regime}) before and after; positive costs the player. "
        "Effects do not add up: each depends on the other rules. float64.",
    )
    columns = [
        Column("Change", width=54),
        Column("House edge after it", PERCENT_6, 18),
        Column("Difference", CHANGE, 18),
        Column("Fields of the rules", width=60),
    ]
    page.widths([column.width for column in columns])
    page.header(columns, freeze=True)
    first = page.row
    for line in sheet.effects:
        after = page.here(page.row, 1)
        gap = line.house_edge - sheet.figures.house_edge
        page.line(
            [line.label, line.house_edge, Formula(f"{after}-house_edge", gap), line.change], columns
        )
    page.signs(first, 2, page.row - 1)
    if sheet.impossible:
        page.row += 1
        page.note("Not possible with the other rules: " + "; ".join(sheet.impossible) + ".")


def exposure_page(book: Book, sheet: GameSheet) -> None:
    """The most that can be lost in a round, for the limits in the input cells."""
    page, found = book.page("Exposure"), sheet.exposure
    page.title(
        "Exposure: the most that the house can lose in a round",
        "In currency; an upper bound. Yellow cells can be changed.",
    )
    page.widths([44, 18, 40])
    for label, name, value, form in (
        ("Maximum bet", "maximum_bet", float(found.maximum_bet.value), MONEY),
        ("Seats", "seats", float(found.seats), WHOLE),
    ):
        page.put(page.row, 0, label)
        page.input(page.row, 1, value, form, 0.01, 1e12)
        book.name(name, page, page.row, 1)
        page.row += 1
    page.put(page.row, 0, "Largest net win of one bet, units")
    page.put(page.row, 1, float(found.largest_award.value), PAYS)
    page.put(page.row, 2, found.largest_award.fraction)
    book.name("largest_award", page, page.row, 1)
    page.row += 1
    amount = Formula("largest_award*maximum_bet*seats", float(found.amount.value))
    page.pairs([("Exposure of the table", amount, MONEY)])
