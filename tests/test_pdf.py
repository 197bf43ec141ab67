"""The PDF: its pages are looked at as pixels, its text is read back, its bytes are the same."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from odds import Rules
from paytables.bets import load_paytable
from paytables.chart_style import CODE_STYLES
from paytables.sheets.bet_sheet import bet_sheet
from paytables.sheets.blocks import Align, Block, Figure, Heading, Paragraph, Table
from paytables.sheets.document import grouped, to_bytes
from paytables.sheets.game_sheet import game_sheet
from paytables.sheets.layout import sheet_blocks
from paytables.sheets.model import BetSheet, GameSheet, Sheet
from paytables.sheets.pdf_page import WIDTH, Pdf
from paytables.sheets.pdf_table import Charts, Layout, draw_table
from paytables.sheets.pictures import picture

DATE = "2026-11-30"
POINTS_A_MILLIMETRE = 72 / 25.4


@pytest.fixture(scope="module")
def bet() -> BetSheet:
    """A bet with fractions too long for a line, outcomes that add up, and a meter."""
    paytable = load_paytable("Bet Player and Bet Dealer", "both with the meter")
    return bet_sheet(paytable, 6, date=DATE, meter=500, rounds=5000)


@pytest.fixture(scope="module")
def table() -> GameSheet:
    rules = Rules(decks=1, max_split_hands=1, max_split_hands_aces=1, surrender="late")
    return game_sheet(rules, date=DATE, rounds=0, effects=False)


def poppler(tool: str) -> str:
    path = shutil.which(tool)
    if path is None:
        if os.environ.get("CI"):
            pytest.fail(f"CI needs {tool}")
        pytest.skip(f"{tool} (poppler-utils) is not installed")
    return path


@pytest.fixture(scope="module")
def files(
    bet: BetSheet, table: GameSheet, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pdf")
    found = {"bet": folder / "bet.pdf", "table": folder / "table.pdf"}
    found["bet"].write_bytes(to_bytes(bet))
    found["table"].write_bytes(to_bytes(table))
    return found


def text_of(path: Path, *options: str) -> str:
    command = [poppler("pdftotext"), *options, str(path), "-"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def squeezed(text: str) -> str:
    """The text without white space: lines are broken where the column ends."""
    return re.sub(r"\s+", "", text)


def streams(data: bytes) -> bytes:
    """What the compressed streams of a PDF say."""
    found = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", data, re.DOTALL)
    unpacked = []
    for stream in found:
        try:
            unpacked.append(zlib.decompress(stream))
        except zlib.error:
            continue
    return b"\n".join(unpacked)


def pages(path: Path, folder: Path) -> list[NDArray[np.uint8]]:
    """The pages as grey pixels, two a millimetre."""
    from PIL import Image

    command = [
        poppler("pdftoppm"),
        "-r",
        str(2 * 25.4),
        "-gray",
        str(path),
        str(folder / path.stem),
    ]
    subprocess.run(command, check=True)
    found = []
    for name in sorted(folder.glob(f"{path.stem}-*.pgm")):
        with Image.open(name) as image:
            found.append(np.asarray(image))
    return found


def words(blocks: Sequence[Block]) -> list[str]:
    """What the blocks say, but for figures."""
    said = []
    for block in blocks:
        if isinstance(block, (Heading, Paragraph)):
            said.append(block.text)
        if isinstance(block, Table) and block.header[:1] == ("Code",):
            said += [cell for row in block.rows for cell in row]
        elif isinstance(block, Table) and not block.codes:
            said += [cell for row in (block.header, *block.rows) for cell in row]
    return said


@pytest.mark.parametrize("kind", ["bet", "table"])
def test_every_word_of_the_sheet_is_on_the_pages(
    kind: str, bet: BetSheet, table: GameSheet, files: dict[str, Path]
) -> None:
    sheet: Sheet = bet if kind == "bet" else table
    # tables are read cell by cell in the order they were drawn
    read = squeezed(text_of(files[kind], "-raw"))
    for said in words(sheet_blocks(sheet)):
        assert squeezed(said) in read, said


def test_exact_fractions_and_the_hash_are_on_the_pages(
    bet: BetSheet, files: dict[str, Path]
) -> None:
    read = squeezed(text_of(files["bet"], "-raw"))
    assert bet.identity.inputs_sha256 in read
    for number in (bet.totals.edge, bet.totals.variance, *(t.probability for t in bet.tiers)):
        assert number.fraction in read


def test_pages_are_numbered_and_titled(files: dict[str, Path]) -> None:
    texts = text_of(files["table"]).split("\f")[:-1]
    for number, text in enumerate(texts, start=1):
        assert f"page {number} of {len(texts)}" in text
        assert "PAR sheet: " in text


def test_nothing_runs_over_the_margins(files: dict[str, Path], tmp_path: Path) -> None:
    for path in files.values():
        found = pages(path, tmp_path)
        assert len(found) >= 5
        for number, page in enumerate(found):
            millimetre = page.shape[1] / 210
            side = int(17 * millimetre)
            inside = page.copy()
            if number == 0:
                inside[: int(5 * millimetre)] = 255  # the band over the first page
            assert (inside[:, :side] > 250).all(), (path.stem, number)
            assert (inside[:, -side:] > 250).all(), (path.stem, number)
            bottom = inside[int((297 - 17) * millimetre) : int((297 - 13.5) * millimetre)]
            assert (bottom > 250).all(), (path.stem, number)
            assert (inside[int(18 * millimetre) : -side] < 200).any(), (path.stem, number)


def test_the_chart_is_text_in_the_colours_of_the_app(
    table: GameSheet, files: dict[str, Path]
) -> None:
    drawn = streams(files["table"].read_bytes())
    codes = [code for grid in table.chart.grids for row in grid.rows for code in row.codes]
    for code, look in CODE_STYLES.items():
        parts = (int(look.background[i : i + 2], 16) / 255 for i in (1, 3, 5))
        fill = " ".join(f"{part:.4f}".rstrip("0") for part in parts) + " rg"
        assert (fill.encode() in drawn) == (code in codes), code
    read = text_of(files["table"], "-layout")
    assert read.count("Rh") >= sum(code.startswith("Rh") for code in codes) > 0


def test_bookmarks_language_metadata_and_alternative_texts(
    bet: BetSheet, files: dict[str, Path]
) -> None:
    data = files["bet"].read_bytes()
    assert b"/Lang (en-GB)" in data
    assert b"/Outlines" in data
    titles = [b.text for b in sheet_blocks(bet) if isinstance(b, Heading) and b.level > 1]
    assert data.count(b"/Dest") >= len(titles)
    info = subprocess.run(
        [poppler("pdfinfo"), str(files["bet"])],
        check=True,
        capture_output=True,
        text=True,
        env=os.environ | {"TZ": "UTC"},
    ).stdout
    assert f"Title:           PAR sheet: {bet.identity.title}\n" in info
    assert bet.identity.inputs_sha256 in info
    assert "CreationDate:    Mon Nov 30 00:00:00 2026 UTC" in info
    named = [b.name for b in sheet_blocks(bet) if isinstance(b, Figure)]
    assert named == ["returns", "rtp intervals", "edge by decks", "edge by meter"]
    assert data.count(b"/Alt ") == len(named)
    figure = picture(bet, "returns")
    assert figure is not None
    assert b"/Alt <feff" + figure.alt.encode("utf-16-be").hex().encode() in data


def test_fonts_are_embedded(files: dict[str, Path]) -> None:
    listed = subprocess.run(
        [poppler("pdffonts"), str(files["bet"])], check=True, capture_output=True, text=True
    ).stdout
    rows = [line.split() for line in listed.splitlines()[2:]]
    assert rows
    for row in rows:
        assert row[0].startswith("MPDFAA+DejaVuSans")
        assert row[-5:-2] == ["yes", "yes", "yes"]  # embedded, a subset, with its Unicode


def test_the_same_bytes_in_another_process(table: GameSheet, files: dict[str, Path]) -> None:
    programme = (
        "import sys\n"
        "from paytables.sheets.document import to_bytes\n"
        "from paytables.sheets.model import SHEET\n"
        "sys.stdout.buffer.write(to_bytes(SHEET.validate_json(sys.stdin.read())))\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", programme],
        input=table.model_dump_json().encode(),
        check=True,
        capture_output=True,
        env=os.environ | {"TZ": "Asia/Tokyo", "PYTHONHASHSEED": "7"},
    )
    assert found.stdout == files["table"].read_bytes()


def made(header: Sequence[str], rows: Sequence[Sequence[str]], align: Sequence[Align]) -> Table:
    return Table(tuple(header), tuple(tuple(row) for row in rows), tuple(align))


@pytest.fixture
def pdf(bet: BetSheet) -> Iterator[Pdf]:
    made = Pdf(bet.identity, "PAR sheet")
    yield made
    made.output()  # closes its fonts


def test_a_long_table_has_its_heading_on_every_page(pdf: Pdf, tmp_path: Path) -> None:
    rows = [(f"row {i}", str(i)) for i in range(150)]
    draw_table(Layout.of(pdf, made(("Name of the row", "Number"), rows, ("left", "right"))))
    path = tmp_path / "long.pdf"
    path.write_bytes(bytes(pdf.output()))
    texts = text_of(path).split("\f")[:-1]
    assert len(texts) > 2
    assert all(text.count("Name of the row") == 1 for text in texts)
    assert all(f"row {i}\n" in "".join(texts) for i in range(150))


def test_a_sum_is_not_alone_on_a_page(pdf: Pdf, tmp_path: Path) -> None:
    def table_of(count: int) -> Table:
        rows = [*((f"row {i}", str(i)) for i in range(count)), ("Sum", "1")]
        return Table(("Name", "Number"), tuple(rows), ("left", "right"), bold_last=True)

    whole = Layout.of(pdf, table_of(100))
    fits = int((pdf.room - whole.height(0)) / whole.height(1))
    for count in (fits - 1, fits, fits + 1):  # with the sum: just fits, one more, two more
        fresh = Pdf(pdf.identity, "PAR sheet")
        draw_table(Layout.of(fresh, table_of(count)))
        path = tmp_path / "sum.pdf"
        path.write_bytes(bytes(fresh.output()))
        texts = text_of(path).split("\f")[:-1]
        assert len(texts) == (1 if count < fits else 2)
        assert "Sum" in texts[-1]
        assert f"row {count - 1}\n" in texts[-1]


@pytest.mark.parametrize("length", [1, 30, 90, 400])
def test_columns_fit_the_page_whatever_is_in_them(pdf: Pdf, length: int) -> None:
    long = "1234567890"[: max(1, length % 11)] + "x" * length
    rows = [("a tier with a long name " * 4, "12.5", f"{long}/{long}", "some words " * 20)]
    table = made(("Tier", "Pays", "Exactly", "Words"), rows, ("left", "right", "right", "left"))
    layout = Layout.of(pdf, table)
    assert sum(layout.widths) <= WIDTH + 0.01
    for lines, width in zip(layout.cells[1], layout.widths, strict=True):
        pdf.face(layout.size)
        assert all(pdf.get_string_width(line) <= width for line in lines)


def test_a_short_table_stays_on_one_page(pdf: Pdf) -> None:
    pdf.set_y(240)
    rows = [(f"row {i}", str(i)) for i in range(8)]
    layout = Layout.of(pdf, made(("Name", "Number"), rows, ("left", "right")))
    assert layout.total > pdf.room
    draw_table(layout)
    assert pdf.page_no() == 2
    assert pdf.get_y() < 100


def test_grids_stand_side_by_side_and_take_the_place_of_the_picture(table: GameSheet) -> None:
    items = list(grouped(sheet_blocks(table)))
    (charts,) = [item for item in items if isinstance(item, Charts)]
    assert [title for title, _ in charts.grids] == [grid.title for grid in table.chart.grids]
    assert [code for code, _ in charts.legend] == [term.written for term in table.chart.legend]
    assert not any(isinstance(item, Figure) and item.name == "strategy chart" for item in items)


def test_every_picture_named_by_a_sheet_can_be_drawn(bet: BetSheet, table: GameSheet) -> None:
    for sheet in (bet, table):
        names = [block.name for block in sheet_blocks(sheet) if isinstance(block, Figure)]
        assert names
        for name in names:
            assert picture(sheet, name) is not None, name
