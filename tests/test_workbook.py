"""The workbook: what it shows is the sheet; after a pay is changed LibreOffice finds our edge."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from odds import Rules
from paytables.bets import load_paytable
from paytables.chart_style import CODE_STYLES
from paytables.metrics import Evaluation, evaluate
from paytables.model import Paytable
from paytables.sheets.bet_sheet import bet_sheet
from paytables.sheets.chart_marks import row_of
from paytables.sheets.game_sheet import game_sheet
from paytables.sheets.model import BetSheet, GameSheet, Sheet
from paytables.sheets.workbook import to_bytes

openpyxl = pytest.importorskip("openpyxl")

DATE = "2026-11-30"
ODD = Paytable.model_validate(
    {
        "name": "=1+1",
        "paid": "for one",
        "cumulative": True,
        "decks": [2, 6],
        "wagers": {"front": 1, "back": "5/2"},
        "tiers": [
            {
                "name": "suited",
                "label": "=SUM(A1)",
                "when": "suited(player)",
                "pays": 1,
                "wager": "front",
            },
            {"name": "pair", "when": "pair(player)", "pays": "29/3", "wager": "front"},
            {
                "name": "aces",
                "when": 'count(player + up, "A") > 0',
                "times": 'count(player + up, "A")',
                "pays": 4,
                "wager": "back",
            },
            {"name": "never", "when": "total(player) > 21", "pays": 50, "wager": "back"},
        ],
    }
)
"""Two wagers that pay for one and add up, with a push, a tier that counts twice, one that never
comes, a pay that no cell can hold, and names that look like formulas."""

BETS: dict[str, tuple[Paytable, int, str | None, dict[str, Fraction]]] = {
    "to one": (load_paytable("Sweet 16"), 8, None, {"sweet": Fraction(100), "mixed": Fraction(5)}),
    "for one": (load_paytable("Sweet 16").as_for_one(), 8, None, {"suited": Fraction(35, 2)}),
    "adding up": (load_paytable("Match the Dealer", "4/11"), 6, None, {"suited": Fraction(12)}),
    "wagers and meter": (
        load_paytable("Bet Player and Bet Dealer", "both with the meter"),
        6,
        "500",
        {"player": Fraction(16)},
    ),
    "meter for one": (load_paytable("21+3 Progressive"), 6, "20000", {"trips": Fraction(30)}),
    "odd": (ODD, 2, None, {"pair": Fraction(8), "aces": Fraction(3), "suited": Fraction(2)}),
}
"""By kind: the bet, its decks, its meter, and the pays to change."""
AS_IT_IS = ("meter for one", "odd")
"""Kinds whose every formula is recalculated as it is."""


@pytest.fixture(scope="module")
def sheets() -> dict[str, BetSheet]:
    return {
        kind: bet_sheet(bet, decks, date=DATE, meter=meter, rounds=0)
        for kind, (bet, decks, meter, _) in BETS.items()
    }


@pytest.fixture(scope="module")
def table() -> GameSheet:
    rules = Rules(decks=1, max_split_hands=2, surrender="late")
    return game_sheet(rules, date=DATE, rounds=0, effects=False)


def opened(sheet: Sheet, *, values: bool = True) -> Any:
    return openpyxl.load_workbook(io.BytesIO(to_bytes(sheet)), data_only=values)


def place(book: Any, name: str) -> tuple[Any, str]:
    """The page and cell of a defined name."""
    ((page, cell),) = book.defined_names[name].destinations
    return book[page], cell.replace("$", "")


def named(book: Any, name: str) -> Any:
    page, cell = place(book, name)
    return page[cell].value


def table_of(page: Any, first: str) -> list[dict[str, Any]]:
    """The rows of a table whose first column has this title, by titles, down to an empty cell."""
    rows = list(page.iter_rows())
    start = next(i for i, row in enumerate(rows) if row[0].value == first)
    titles = [cell.value for cell in rows[start]]
    found = []
    for row in rows[start + 1 :]:
        if row[0].value is None:
            break
        found.append(dict(zip(titles, row, strict=True)))
    return found


@pytest.mark.parametrize("kind", BETS)
def test_every_figure_of_a_bet_is_read_back(kind: str, sheets: dict[str, BetSheet]) -> None:
    sheet = sheets[kind]
    book = opened(sheet)
    totals = sheet.totals
    for name, number in {
        "house_edge": totals.edge,
        "return_to_player": totals.rtp,
        "hit_frequency": totals.hit_frequency,
        "push_rate": totals.push_frequency,
        "loss_rate": totals.loss_frequency,
        "variance": totals.variance,
        "largest_award": totals.largest_award,
        "largest_award_probability": totals.largest_award_probability,
        "stake": totals.stake,
    }.items():
        page, cell = place(book, name)
        assert page[cell].value == float(number.value), name
        assert page[cell.replace("B", "C")].value == number.fraction, name
    assert named(book, "standard_deviation") == pytest.approx(totals.standard_deviation, rel=1e-11)
    assert named(book, "volatility_index") == pytest.approx(totals.volatility_index, rel=1e-11)
    assert named(book, "total_combinations") == totals.combinations
    rows = table_of(book["Paytable"], "Tier")
    exact = table_of(book["Exact odds"], "Tier")
    assert len(rows) == len(sheet.tiers) + 2
    for line, row, text in zip(sheet.tiers, rows, exact, strict=False):
        assert row["Tier"].value == text["Tier"].value == line.title
        pays = row[f"Pays, {sheet.rules.paid}"].value
        assert pays == (None if line.pays is None else float(line.pays.value))
        assert row["Combinations"].value == line.combinations
        assert row["Probability"].value == float(line.probability.value)
        assert row["Part of the expected net win"].value == float(line.contribution.value)
        assert row["Part of the RTP"].value == float(line.returned.value)
        count = row["Times counted in a round"].value  # xlsxwriter writes 16 digits
        assert count == pytest.approx(float(line.expected_count.value), rel=1e-15)
        assert text["Combinations"].value == f"{line.combinations:,}"
        assert text["Probability"].value == line.probability.fraction
        assert text["Part of the expected net win"].value == line.contribution.fraction
    for outcome, row in zip(
        sheet.outcomes, table_of(book["Outcomes"], "What is hit")[1:], strict=False
    ):
        assert row["Net result, units"].value == float(outcome.net.value)
        assert row["Combinations"].value == outcome.combinations
        assert row["Exact probability"].value == outcome.probability.fraction
    for by_decks, row in zip(sheet.by_decks, table_of(book["Decks"], "Decks"), strict=True):
        assert row["Decks"].value == by_decks.decks
        assert row["House edge"].value == float(by_decks.edge.value)
        assert row["Hit frequency"].value == float(by_decks.hit_frequency.value)
        deviation = row["Standard deviation, units"].value
        assert deviation == pytest.approx(by_decks.standard_deviation, rel=1e-11)
    for slope, row in zip(sheet.sensitivity, table_of(book["Sensitivity"], "Tier"), strict=True):
        assert row["Edge for one unit of pay more"].value == float(slope.slope.value)
        assert row["Edge with one step more"].value == float(slope.edge_more.value)
        assert row["Edge with one step less"].value == float(slope.edge_less.value)
    for band, row in zip(
        sheet.rtp_intervals, table_of(book["RTP of N rounds"], "Rounds N"), strict=True
    ):
        assert row["Normal, low"].value == pytest.approx(band.normal_low, rel=1e-11)
        assert row["Normal, high"].value == pytest.approx(band.normal_high, rel=1e-11)
        assert (row["Exact, low"].value, row["Exact, high"].value) == (band.low, band.high)
    if sheet.meter is not None:
        assert named(book, "meter_amount") == float(sheet.meter.amount.value)
        assert named(book, "meter_base_edge") == float(sheet.meter.base_edge.value)
        assert named(book, "meter_break_even") == float(sheet.meter.break_even.value)  # type: ignore[union-attr]
    exposed = sheet.exposure
    assert named(book, "maximum_bet") == float(exposed.maximum_bet.value)


def test_inputs_are_the_only_cells_that_can_be_changed(sheets: dict[str, BetSheet]) -> None:
    book = opened(sheets["meter for one"], values=False)
    unlocked = {
        (page.title, cell.coordinate)
        for page in book
        for row in page.iter_rows()
        for cell in row
        if not cell.protection.locked
    }
    assert all(page.protection.sheet for page in book)
    validated = {
        (page.title, str(cells))
        for page in book
        for rule in page.data_validations.dataValidation
        for cells in rule.sqref.ranges
    }
    assert unlocked == validated
    pays = [row["Pays, for one"].coordinate for row in table_of(book["Paytable"], "Tier")]
    assert {("Paytable", cell) for cell in pays[1:4]} <= unlocked  # the first pays the meter alone
    assert {page for page, _ in unlocked} == {"Paytable", "Sensitivity", "Exposure", "Meter"}


def test_texts_are_never_formulas(sheets: dict[str, BetSheet]) -> None:
    book = opened(sheets["odd"], values=False)
    tier = table_of(book["Paytable"], "Tier")[0]["Tier"]
    assert (tier.value, tier.data_type) == ("=SUM(A1)", "s")


def test_whole_numbers_that_no_cell_can_hold_are_texts_too() -> None:
    sheet = bet_sheet(load_paytable("Bust Bonus"), 6, date=DATE, rounds=0)
    total = sheet.totals.combinations
    assert total > 2**53
    book = opened(sheet)
    row = table_of(book["Outcomes"], "What is hit")[-1]
    assert row["Exact combinations"].value == str(total)
    assert row["Combinations"].value == pytest.approx(total, rel=1e-15)
    assert table_of(book["Exact odds"], "Tier")[-1]["Combinations"].value == f"{total:,}"


def test_long_inputs_go_over_several_cells(sheets: dict[str, BetSheet]) -> None:
    text = "".join(chr(97 + i % 26) for i in range(70_000))
    sheet = sheets["to one"]
    long = sheet.model_copy(update={"identity": sheet.identity.model_copy(update={"inputs": text})})
    cells = [row[1].value for row in opened(long)["Definitions"].iter_rows()]
    assert "".join(c for c in cells if isinstance(c, str) and len(c) > 3000) == text


def test_figures_of_a_table_are_read_back(table: GameSheet) -> None:
    book = opened(table)
    figures, spread = table.figures, table.spread
    assert named(book, "house_edge") == figures.house_edge
    assert named(book, "return_to_player") == pytest.approx(figures.rtp, rel=1e-11)
    assert named(book, "element_of_risk") == pytest.approx(figures.element_of_risk, rel=1e-11)
    assert named(book, "standard_deviation") == pytest.approx(spread.standard_deviation, rel=1e-11)
    rows = table_of(book["By upcard"], "Upcard")
    for line, row in zip(table.upcards, rows, strict=False):
        assert row["Probability"].value == line.probability
        assert row["Expected value"].value == line.expected_value
        assert {k: row[f"Dealer {k}"].value for k in line.dealer} == line.dealer
    nets = table_of(book["Distribution"], "Net result, units")
    assert [row["Probability"].value for row in nets] == [
        x.probability for x in spread.distribution
    ]
    assert [row["Exact net result"].value for row in nets] == [
        line.net.fraction for line in spread.distribution
    ]


def test_chart_cells_have_the_colours_of_the_app(table: GameSheet) -> None:
    page = opened(table)["Strategy"]
    seen = 0
    for row in page.iter_rows():
        for cell in row:
            look = CODE_STYLES.get(str(cell.value).rstrip("*"))
            if look is not None and cell.column > 1:
                assert cell.fill.fgColor.rgb == f"FF{look.background[1:].upper()}", cell.coordinate
                seen += 1
    codes = [code for grid in table.chart.grids for row in grid.rows for code in row.codes]
    assert seen == len([code for code in codes if code in CODE_STYLES])
    texts = [cell.value for row in page.iter_rows() for cell in row if cell.value]
    cells = {(row_of(found.hand), found.upcard) for found in table.chart.exceptions}
    starred = [text for text in texts if str(text).rstrip("*") in CODE_STYLES and text[-1] == "*"]
    assert len(starred) == len(cells) > 0
    for found in table.chart.exceptions:
        assert f"against {found.upcard}: {found.best} instead of {found.chart}" in texts


def test_the_same_bytes_in_another_process(table: GameSheet, tmp_path: Path) -> None:
    programme = (
        "import sys\n"
        "from paytables.sheets.model import SHEET\n"
        "from paytables.sheets.workbook import to_bytes\n"
        "sys.stdout.buffer.write(to_bytes(SHEET.validate_json(sys.stdin.read())))\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", programme],
        input=table.model_dump_json().encode(),
        check=True,
        capture_output=True,
        env=os.environ | {"TZ": "Asia/Tokyo", "PYTHONHASHSEED": "7"},
    )
    assert found.stdout == to_bytes(table)


@pytest.fixture(scope="module")
def recalculated(
    sheets: dict[str, BetSheet], table: GameSheet, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """A folder of workbooks as LibreOffice recalculated them, all formulas without old values.

    Each bet with pays changed (``<kind>-new.xlsx``), and some as they are (``<kind>.xlsx``).
    """
    office = shutil.which("soffice")
    if office is None:
        if os.environ.get("CI"):
            pytest.fail("CI needs LibreOffice")
        pytest.skip("LibreOffice is not installed")
    folder = tmp_path_factory.mktemp("recalculated")
    (folder / "in").mkdir()
    for kind, sheet in sheets.items():
        book = opened(sheet, values=False)
        if kind in AS_IT_IS:
            book.save(folder / "in" / f"{kind}.xlsx")
        rows = table_of(book["Paytable"], "Tier")
        pays = {tier.name: row for tier, row in zip(sheet.tiers, rows, strict=False)}
        for name, pay in BETS[kind][3].items():
            pays[name][f"Pays, {sheet.rules.paid}"].value = float(pay)
        if sheet.meter is not None:
            page, cell = place(book, "meter_amount")
            page[cell].value = float(sheet.meter.amount.value) + 1000
        book.save(folder / "in" / f"{kind}-new.xlsx")
    opened(table, values=False).save(folder / "in" / "table.xlsx")
    subprocess.run(
        [
            office,
            f"-env:UserInstallation={(folder / 'profile').as_uri()}",
            "--headless",
            "--convert-to",
            "xlsx",
            "--outdir",
            str(folder / "out"),
            *map(str, sorted((folder / "in").iterdir())),
        ],
        check=True,
        capture_output=True,
        timeout=300,
    )
    yield folder / "out"
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.parametrize("kind", [*AS_IT_IS, "table"])
def test_libreoffice_finds_the_values_written_beside_the_formulas(
    kind: str, sheets: dict[str, BetSheet], table: GameSheet, recalculated: Path
) -> None:
    sheet: Sheet = table if kind == "table" else sheets[kind]
    formulas, written = opened(sheet, values=False), opened(sheet)
    found = openpyxl.load_workbook(recalculated / f"{kind}.xlsx", data_only=True)
    # figures of a table have 12 digits, so what should be 0 is 0 to that
    checked, smallest = 0, 2e-11 if kind == "table" else 1e-13
    for page in formulas:
        for row in page.iter_rows():
            for cell in row:
                if cell.data_type != "f":
                    continue
                checked += 1
                where = f"{page.title}!{cell.coordinate} {cell.value}"
                ours = written[page.title][cell.coordinate].value
                theirs = found[page.title][cell.coordinate].value
                if isinstance(ours, (int, float)):
                    assert theirs == pytest.approx(ours, rel=1e-12, abs=smallest), where
                else:
                    assert theirs == ours, where
    assert checked > 40


@pytest.mark.parametrize("kind", BETS)
def test_libreoffice_finds_our_edge_after_a_pay_is_changed(
    kind: str, sheets: dict[str, BetSheet], recalculated: Path
) -> None:
    bet, decks, meter, pays = BETS[kind]
    book = openpyxl.load_workbook(recalculated / f"{kind}-new.xlsx", data_only=True)
    amount = None if meter is None else int(meter) + 1000
    ours: Evaluation = evaluate(bet.with_pays(pays), decks, meter=amount)
    assert ours.edge != sheets[kind].totals.edge.value
    assert named(book, "inputs_changed") is True
    for name, figure in {
        "house_edge": ours.edge,
        "return_to_player": ours.rtp,
        "hit_frequency": ours.hit_frequency,
        "push_rate": ours.push_frequency,
        "largest_award": ours.top_award,
        "standard_deviation": ours.standard_deviation,
    }.items():
        assert named(book, name) == pytest.approx(float(figure), rel=1e-12, abs=1e-13), name
    for row, tier in zip(table_of(book["Paytable"], "Tier"), ours.tiers, strict=False):
        assert row["Part of the expected net win"].value == pytest.approx(float(tier.contribution))
        assert row["Net win of one hit, per unit of its wager"].value == pytest.approx(
            float(tier.net)
        )
    for row in table_of(book["Decks"], "Decks"):
        other = evaluate(bet.with_pays(pays), row["Decks"].value, meter=amount)
        assert row["House edge"].value == pytest.approx(float(other.edge), rel=1e-12)
        assert row["Hit frequency"].value == pytest.approx(float(other.hit_frequency), abs=1e-13)
    results = [row["Result"].value for row in table_of(book["Summary"], "Check")]
    assert results == ["OK"] * len(results)
    target = named(book, "target_edge")
    rows = {row["Tier"].value: row for row in table_of(book["Sensitivity"], "Tier")}
    for tier in bet.tiers:
        pay = rows[tier.title]["Pay that alone hits the target"].value if tier.pays else None
        if isinstance(pay, float) and bet.least_pay <= pay < 1e6:
            exact = bet.with_pays(pays | {tier.name: Fraction(pay)})
            edge = evaluate(exact, decks, meter=amount).edge
            assert float(edge) == pytest.approx(target, abs=1e-12)
