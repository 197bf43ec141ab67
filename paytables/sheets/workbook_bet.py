"""The workbook of a side bet: its pays are input cells, and everything follows from two tables.

* ``Paytable``: a row for each tier, with its pay and how many of all deals hit it.
* ``Outcomes``: a row for each different way a round can end. Its net result is what the round wins
  or loses without any pay, plus the pays of what it hits; so several wagers, tiers that add up,
  pushes, pays with the stake and meters need no formulas of their own.

The edge is computed from the outcomes, and once more from the tiers as a check.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from paytables.model import MAX_PAY
from paytables.sheets.model import BetSheet, ExactNumber, Rest, TierLine
from paytables.sheets.workbook_style import (
    ACCENT,
    EXACT_INTEGER,
    LARGE,
    MUTED,
    PAYS,
    PERCENT,
    PROBABILITY,
    WHOLE,
    Book,
    Cell,
    Column,
    Formula,
    whole,
)

BOLD: dict[str, Any] = {"bold": True, "top": 1, "bottom": 1}
"""The look of a row of sums."""


def value_of(number: ExactNumber | None) -> Fraction:
    """The number, 0 for none."""
    return Fraction(0) if number is None else number.value


def float_of(number: ExactNumber | None) -> float:
    """The number as float64, from its fraction."""
    return float(value_of(number))


class BetBook:
    """The workbook while it is written: its pages, and where the figures are.

    Args:
        sheet: The sheet.
    """

    def __init__(self, sheet: BetSheet) -> None:
        self.sheet = sheet
        self.book = Book(sheet.identity, "PAR sheet")
        self.summary = self.book.page("Summary", ACCENT)
        self.paytable = self.book.page("Paytable", "#d8b23a")
        self.outcomes = self.book.page("Outcomes")
        self.large = sheet.totals.combinations > EXACT_INTEGER
        self.count_form = LARGE if self.large else WHOLE
        self.columns = self._paytable_columns()
        self.places = {name: col for col, name in enumerate(self.columns)}
        self.first_tier = 5
        self.last_tier = self.first_tier + len(sheet.tiers) - 1
        self.tier_sums = self.last_tier + 2
        self.kinds = [outcome.counts for outcome in sheet.outcomes]
        """How often each tier counts: the outcomes of this shoe, then those of others."""
        for line in sheet.by_decks:
            for other in line.outcomes:
                if other.counts not in self.kinds:
                    self.kinds.append(other.counts)
        self.first_outcome = 6
        self.last_outcome = self.first_outcome + len(sheet.outcomes) - 1
        self.outcome_sums = self.first_outcome + len(self.kinds)
        self.net_column = 2 + len(sheet.tiers) + (sheet.meter is not None)

    def _paytable_columns(self) -> dict[str, Column]:
        sheet = self.sheet
        columns = {
            "tier": Column("Tier", width=38),
            "wager": Column("Wager", width=12),
            "pays": Column(f"Pays, {sheet.rules.paid}", PAYS, 11),
            "was": Column("Pays of this sheet", PAYS, 11),
            "share": Column("Share of the meter", "0.####%", 10),
            "stake": Column("Stake of the wager, units", PAYS, 11),
            "net": Column("Net win of one hit, per unit of its wager", PAYS, 15),
            "combinations": Column("Combinations", self.count_form, 18),
            "probability": Column("Probability", PROBABILITY, 15),
            "one_in": Column("1 in", "#,##0.00", 15),
            "count": Column("Times counted in a round", PROBABILITY, 15),
            "contribution": Column("Part of the expected net win", PERCENT, 13),
            "back": Column("Stakes returned, part of RTP", PERCENT, 13),
            "returned": Column("Part of the RTP", PERCENT, 12),
        }
        if sheet.meter is None:
            del columns["share"]
        return columns

    @property
    def prize(self) -> Fraction:
        """The meter in units, as the sheet counts with it."""
        meter = self.sheet.meter
        return Fraction(0) if meter is None else meter.amount.value / meter.stake.value

    def tier_range(self, name: str) -> str:
        """A column of the paytable, one cell for each tier."""
        return self.paytable.range(self.first_tier, self.places[name], self.last_tier)

    def tier_cell(self, name: str, tier: int) -> str:
        """A cell of the paytable."""
        return self.paytable.at(self.first_tier + tier, self.places[name])

    @property
    def nets(self) -> str:
        """The net results of this shoe's outcomes."""
        return self.outcomes.range(self.first_outcome, self.net_column, self.last_outcome)

    @property
    def all_nets(self) -> str:
        """The net results of every outcome, those of other numbers of decks too."""
        return self.outcomes.range(self.first_outcome, self.net_column, self.outcome_sums - 1)

    @property
    def odds(self) -> str:
        """The probabilities of this shoe's outcomes."""
        return self.outcomes.range(self.first_outcome, self.net_column + 2, self.last_outcome)

    def fixed(self, counts: tuple[int, ...]) -> Fraction:
        """The part of an outcome's net result that depends on no pay and no meter.

        A wager that nothing hits loses its stake. Pays for one have a stake in every pay, but the
        house gets only one; a tier without a pay of its own loses the stake.
        """
        rules = self.sheet.rules
        stakes = {wager.name: wager.stake.value for wager in rules.wagers}
        hits = dict.fromkeys(stakes, 0)
        fixed = Fraction(0)
        for tier, times in zip(self.sheet.tiers, counts, strict=True):
            if tier.wager in stakes:
                hits[tier.wager] += times
                if tier.pays is None or rules.paid == "for one":
                    fixed -= times * tier.stake.value
        for wager, stake in stakes.items():
            if not hits[wager]:
                fixed -= stake
            elif rules.paid == "for one":
                fixed += stake * (hits[wager] - 1)
        return fixed

    def meter_units(self, counts: tuple[int, ...]) -> Fraction:
        """How many meters, in units of the bet, an outcome wins."""
        rows = zip(self.sheet.tiers, counts, strict=True)
        return sum(
            (times * tier.stake.value * value_of(tier.meter_share) for tier, times in rows),
            Fraction(0),
        )

    def net(self, counts: tuple[int, ...]) -> Fraction:
        """The net result of an outcome with the pays and the meter of the sheet."""
        rows = zip(self.sheet.tiers, counts, strict=True)
        paid = sum((n * tier.stake.value * value_of(tier.pays) for tier, n in rows), Fraction(0))
        return self.fixed(counts) + paid + self.meter_units(counts) * self.prize

    def hits_in_words(self, counts: tuple[int, ...]) -> str:
        """What an outcome is."""
        names = [
            tier.title if times == 1 else f"{times} x {tier.title}"
            for tier, times in zip(self.sheet.tiers, counts, strict=True)
            if times
        ]
        here = any(counts == outcome.counts for outcome in self.sheet.outcomes)
        return (" + ".join(names) or "Nothing") + ("" if here else " (other decks only)")


def paytable_page(made: BetBook) -> None:
    """The paytable with its input cells, the sums, and a chart of the returns."""
    sheet, page = made.sheet, made.paytable
    convention = (
        "net: a tier that pays 5 to 1 wins five units, and the stake comes back"
        if sheet.rules.paid == "to one"
        else "for one: a tier that pays 5 for 1 gives back five units, the stake among them"
    )
    page.title(
        f"{sheet.identity.title}: paytable",
        "Change the pays in the yellow cells: every figure of this workbook that depends on them "
        "follows.",
        f"Pays are {convention}. Combinations do not depend on pays.",
    )
    page.widths([column.width for column in made.columns.values()])
    page.row = made.first_tier - 1
    page.header(list(made.columns.values()), freeze=True)
    wagers = {wager.name for wager in sheet.rules.wagers}
    for tier in sheet.tiers:
        cells = _tier_cells(made, tier, free=tier.wager not in wagers)
        for name, col in made.places.items():
            look = {"font_color": MUTED} if name == "was" else {}
            page.put(page.row, col, cells.get(name), made.columns[name].form, **look)
        if tier.pays is not None:
            least = -1.0 if sheet.rules.paid == "to one" else 0.0  # no more than the stake is lost
            pays = float_of(tier.pays)
            page.input(page.row, made.places["pays"], pays, PAYS, least, float(MAX_PAY))
        page.row += 1
    _rest_and_sums(made)
    _returns_chart(made)


def _tier_cells(made: BetBook, tier: TierLine, *, free: bool) -> dict[str, Cell]:
    page, sheet = made.paytable, made.sheet
    at = {name: page.here(page.row, col) for name, col in made.places.items()}
    if tier.pays is None:
        net = "0" if free else "-1"
    else:
        net = f"{at['pays']}-1" if sheet.rules.paid == "for one" and not free else at["pays"]
    if tier.meter_share is not None:
        net += f"+{at['share']}*meter_amount/meter_unit"
    expected = float_of(tier.expected_count)
    once = tier.expected_count == tier.probability
    never = "never" if tier.one_in is None else float_of(tier.one_in)
    return {
        "tier": tier.title,
        "wager": f"{tier.wager} (free bonus)" if free else tier.wager,
        "was": None if tier.pays is None else float_of(tier.pays),
        "share": None if tier.meter_share is None else float_of(tier.meter_share),
        "stake": float_of(tier.stake),
        "net": Formula(net, float_of(tier.net)),
        "combinations": whole(tier.combinations)[0],
        "probability": Formula(
            f"{at['combinations']}/total_combinations", float_of(tier.probability)
        ),
        "one_in": Formula(
            f'IF({at["combinations"]}=0,"never",total_combinations/{at["combinations"]})', never
        ),
        "count": Formula(at["probability"], expected) if once else expected,
        "contribution": Formula(
            f"{at['count']}*{at['net']}*{at['stake']}/stake", float_of(tier.contribution)
        ),
        "back": float(tier.returned.value - tier.contribution.value),
        "returned": Formula(f"{at['contribution']}+{at['back']}", float_of(tier.returned)),
    }


def _rest_and_sums(made: BetBook) -> None:
    sheet, page, rest, totals = made.sheet, made.paytable, made.sheet.rest, made.sheet.totals
    at = {name: page.here(page.row, col) for name, col in made.places.items()}
    cells: dict[str, Cell] = {
        "tier": "No tier" if sheet.exclusive else "No tier (net win: wagers without a tier)",
        "combinations": whole(rest.combinations)[0],
        "probability": Formula(
            f"{at['combinations']}/total_combinations", float_of(rest.probability)
        ),
        "contribution": float_of(rest.contribution),
        "back": float(rest.returned.value - rest.contribution.value),
        "returned": Formula(f"{at['contribution']}+{at['back']}", float_of(rest.returned)),
    }
    for name, col in made.places.items():
        page.put(page.row, col, cells.get(name), made.columns[name].form)
    page.row += 1

    def total(name: str) -> str:
        first = page.here(made.first_tier, made.places[name])
        return f"SUM({first}:{page.here(page.row - 1, made.places[name])})"

    sums: dict[str, Cell] = {
        "tier": "All together",
        "contribution": Formula(total("contribution"), -float_of(totals.edge)),
        "returned": Formula(total("returned"), float_of(totals.rtp)),
    }
    if sheet.exclusive:
        sums["combinations"] = Formula(total("combinations"), whole(totals.combinations)[0])
        sums["probability"] = Formula(total("probability"), 1.0)
    for name, col in made.places.items():
        page.put(page.row, col, sums.get(name), made.columns[name].form, **BOLD)
    page.row += 1
    if not sheet.exclusive:
        page.row += 1
        page.note(
            "Several tiers can count in one round, so their probabilities do not sum to 1; those "
            "of the outcomes do."
        )


def _returns_chart(made: BetBook) -> None:
    page, first, last = made.paytable, made.first_tier, made.last_tier + 1
    lines = [tier.contribution for tier in made.sheet.tiers] + [made.sheet.rest.contribution]
    parts = [float_of(part) for part in lines]
    chart = made.book.chart("bar")
    chart.add_series(
        {
            "name": "Part of the expected net win",
            "categories": f"={page.range(first, 0, last)}",
            "values": f"={page.range(first, made.places['contribution'], last)}",
            "points": [{"fill": {"color": "#d9653b" if part < 0 else "#1f9d6b"}} for part in parts],
            "gap": 45,
            "data_labels": {"value": True, "num_format": "+0.00%;-0.00%", "font": {"size": 9}},
        }
    )
    title = "What each tier adds to the expected net win, share of the stake"
    chart.set_title({"name": title, "name_font": {"size": 11}})
    chart.set_legend({"none": True})
    chart.set_y_axis(
        {"reverse": True, "label_position": "low", "line": {"none": True}, "num_font": {"size": 9}}
    )
    chart.set_x_axis({"visible": False, "major_gridlines": {"visible": False}})
    chart.set_size({"width": 900, "height": 120 + 28 * (len(made.sheet.tiers) + 1)})
    page.sheet.insert_chart(page.row + 1, 0, chart, {"description": f"Bars: {title}."})


def exact_page(made: BetBook) -> None:
    """The exact odds as text: no cell can hold them as numbers."""
    sheet, page, rest, totals = (
        made.sheet,
        made.book.page("Exact odds"),
        made.sheet.rest,
        made.sheet.totals,
    )
    page.title(
        "Exact odds, for the pays of this sheet",
        "Fractions in lowest terms and whole numbers, as text: a cell's number is float64.",
    )
    lines: list[tuple[str, TierLine | Rest]] = [(tier.title, tier) for tier in sheet.tiers]
    lines.append(("No tier", rest))
    longest = max(len(line.contribution.fraction) for _, line in lines)
    columns = [
        Column("Tier", width=44),
        Column("Combinations", width=len(f"{totals.combinations:,}") + 6),
        Column("Probability", width=max(24, len(rest.probability.fraction) + 4)),
        Column("Part of the expected net win", width=max(24, longest + 4)),
        Column("Part of the RTP", width=max(24, longest + 4)),
    ]
    page.widths([column.width for column in columns])
    page.header(columns, freeze=True)
    for name, line in lines:
        parts = (line.probability, line.contribution, line.returned)
        page.line([name, f"{line.combinations:,}", *(part.fraction for part in parts)], columns)
    probability = "1" if sheet.exclusive else ""
    edge, rtp = str(-totals.edge.value), totals.rtp.fraction
    page.line(["All", f"{totals.combinations:,}", probability, edge, rtp], columns, **BOLD)


def outcomes_page(made: BetBook) -> None:
    """Every different way a round can end, with its net result as a formula of the pays."""
    sheet, page, net_col = made.sheet, made.outcomes, made.net_column
    meter = sheet.meter is not None
    page.title(
        "Outcomes: the different ways a round can end",
        "Net result = what the round wins or loses without any pay, plus the pays of what it hits "
        "times the stake of the wager" + (", plus its share of the meter." if meter else "."),
        "One deal belongs to exactly one outcome, so the probabilities sum to 1.",
    )
    form = "#,##0.######"
    columns = [
        Column("What is hit", width=44),
        Column("Without any pay, units", form, 12),
        *(Column(tier.name, "0;-0;·", 11) for tier in sheet.tiers),
        *([Column("Meters won, units", "0.####", 11)] if meter else []),
        Column("Net result, units", form, 14),
        Column("Combinations", made.count_form, 17),
        Column("Probability", PROBABILITY, 15),
        Column("Exact probability", width=26),
        Column("Exact net result, pays of this sheet", width=22),
        *([Column("Exact combinations", width=30)] if made.large else []),
    ]
    page.widths([column.width for column in columns])
    page.row = made.first_outcome - 2
    page.header(columns, freeze=True)
    pays = _pays_row(made, len(columns))
    for number, counts in enumerate(made.kinds):
        line = sheet.outcomes[number] if number < len(sheet.outcomes) else None
        row = page.row
        hits = f"{page.here(row, 2)}:{page.here(row, 1 + len(counts))}"
        net = f"{page.here(row, 1)}+SUMPRODUCT({pays},{hits})"
        if meter:
            net += f"+{page.here(row, net_col - 1)}*meter_amount/meter_unit"
        ways, exact = whole(0 if line is None else line.combinations)
        odds = f"{page.here(row, net_col + 1)}/total_combinations"
        cells: list[Cell] = [
            made.hits_in_words(counts),
            float(made.fixed(counts)),
            *counts,
            *([float(made.meter_units(counts))] if meter else []),
            Formula(net, float(made.net(counts))),
            ways,
            Formula(odds, float_of(line.probability) if line else 0.0),
            line.probability.fraction if line else "0",
            str(made.net(counts)),
            *([exact] if made.large else []),
        ]
        look: dict[str, Any] = {} if line else {"font_color": MUTED}
        page.line(cells, columns, **look)
    _outcome_sums(made, columns)


def _pays_row(made: BetBook, columns: int) -> str:
    """The pays, above the counts of their tiers; the range of them."""
    page, tiers, row = made.outcomes, made.sheet.tiers, made.outcomes.row
    look: dict[str, Any] = {"font_color": MUTED, "italic": True}
    for col in range(columns):
        page.put(row, col, None)
    page.put(row, 0, "Pays x stake of the wager", **look)
    for i, tier in enumerate(tiers):
        formula = f"{made.tier_cell('pays', i)}*{made.tier_cell('stake', i)}"
        value = float_of(tier.pays) * float_of(tier.stake)
        page.put(row, 2 + i, Formula(formula, value), "#,##0.######", **look)
    page.row += 1
    first, last = (page.here(row, col, fixed=True) for col in (2, 1 + len(tiers)))
    return f"{first}:{last}"


def _outcome_sums(made: BetBook, columns: list[Column]) -> None:
    page, net_col, total = made.outcomes, made.net_column, made.sheet.totals.combinations

    def above(col: int) -> str:
        return f"SUM({page.here(made.first_outcome, col)}:{page.here(page.row - 1, col)})"

    cells: list[Cell] = [None] * len(columns)
    cells[0] = "All together"
    cells[net_col + 1] = Formula(above(net_col + 1), whole(total)[0])
    cells[net_col + 2] = Formula(above(net_col + 2), 1.0)
    cells[net_col + 3] = "1"
    if made.large:
        cells[-1] = str(total)
    page.line(cells, columns, **BOLD)
    if made.large:
        page.row += 1
        page.note(
            "Whole numbers above 2^53 are not exact in a cell: the exact ones stand beside as text."
        )
