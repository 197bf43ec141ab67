"""The command `sheet`: formats, files, errors in one line, the same bytes every time."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from odds.errors import InputError
from paytables.bets import load_paytable
from paytables.cli_sheet import default_date
from paytables.sheets import schema, write
from paytables.sheets.bet_sheet import bet_sheet
from tests import cli_runner

DAY = "2026-11-30"
SHORT = ("--date", DAY, "--rounds", "20000")
ROOT = Path(__file__).parents[1]
OWN_BET = """
name = "My bet"
[[tiers]]
name = "pair"
when = "pair(player)"
pays = 11
"""
OWN_TABLE = """
title = "Mine"
source = "me"
[rules]
decks = 1
max_split_hands = 1
max_split_hands_aces = 1
"""


def run(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    return cli_runner.run(["sheet", *arguments], capsys)


def test_files_have_the_bytes_of_the_library_and_markdown_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / "sheet.json", tmp_path / "Sheet.MD"]
    outputs = [word for file in files for word in ("-o", str(file))]
    code, out, err = run(["sweet-16", *SHORT, *outputs], capsys)
    assert (code, out, err) == (0, "".join(f"Written: {file}\n" for file in files), "")
    sheet = bet_sheet(load_paytable("Sweet 16"), date=DAY, rounds=20_000)
    assert files[0].read_bytes() == write.render(sheet, "json")
    assert files[1].read_bytes() == write.render(sheet, "md")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["Sheet.MD", "sheet.json"]
    code, out, err = run(["Sweet 16", *SHORT], capsys)
    assert (code, out.encode(), err) == (0, files[1].read_bytes(), "")


def test_the_same_bytes_in_other_processes(tmp_path: Path) -> None:
    names = ["a.md", "a.json", "a.xlsx", "a.pdf"]
    outputs = [word for name in names for word in ("-o", name)]
    files: list[list[bytes]] = []
    for seed in ("1", "29"):
        folder = tmp_path / seed
        folder.mkdir()
        command = [sys.executable, "-c", "from paytables.cli import main; main()", "sheet"]
        command += ["match-the-dealer", *SHORT, *outputs]
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        subprocess.run(command, check=True, cwd=folder, env=environment, timeout=120)
        files.append([(folder / name).read_bytes() for name in names])
    assert files[0] == files[1]
    for name, data in zip(names, files[0], strict=True):  # and as the library gives them
        sheet = schema.read(files[0][1])
        assert data == write.render(sheet, write.format_of(Path(name)))


@pytest.mark.parametrize(
    "arguments",
    [
        ["perfect-pairs", "--variant", "25/12/6", "--decks", "4", "--max-bet", "9", "--cap", "90"],
        ["Super Sevens", "--bet", "--decks", "2"],
        ["progressive-aces", "--meter", "12345.67", "--seats", "5"],
        ["insurance", "--shoe", "A=4,2=4,T=15", "--version", "2 draft"],
    ],
)  # fmt: skip
def test_the_command_in_a_sheet_makes_it_again(
    arguments: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run([*arguments, *SHORT, "-o", "first.json"], capsys)[0] == 0
    identity = schema.read(Path("first.json").read_bytes()).identity
    words = shlex.split(identity.command)
    assert words[:2] == ["paytables", "sheet"]
    assert words[-2:] == ["--output", "sheet.pdf"]
    assert run([*words[2:-1], "again.json"], capsys)[0] == 0
    assert Path("again.json").read_bytes() == Path("first.json").read_bytes()


def test_a_changed_bet_is_made_again_from_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = ["sweet-16", "--pay", "sweet=150", "--pay", "mixed=5", *SHORT, "-o", "a.json"]
    assert run(arguments, capsys)[0] == 0
    first = json.loads(Path("a.json").read_bytes())
    assert first["totals"]["edge"]["fraction"] != "4/83"
    Path("bet.toml").write_text(first["rules"]["bet_file"], encoding="utf-8")
    words = shlex.split(first["identity"]["command"])
    assert words[2:4] == ["--file", "bet.toml"]
    assert run([*words[2:-1], "b.json"], capsys)[0] == 0
    assert Path("b.json").read_bytes() == Path("a.json").read_bytes()


def test_own_bets_and_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bet.toml").write_text(OWN_BET, encoding="utf-8")
    Path("table.toml").write_text(OWN_TABLE, encoding="utf-8")
    code, out, _ = run(["--file", "bet.toml", "--decks", "1", *SHORT], capsys)
    assert code == 0
    assert "# PAR sheet: My bet\n" in out
    assert "exactly 5/17" in out  # a pair of 11 to 1 comes once in 17
    for words in (["--file", "table.toml"], ["table.toml"]):
        options = ["--no-effects", "--h17", "--output", "a.json"]
        assert run([*words, *SHORT, *options], capsys)[0] == 0
        sheet = json.loads(Path("a.json").read_bytes())
        assert sheet["identity"]["name"] == "Mine"
        assert sheet["identity"]["variant"] == "changed rules"
        lines = {line["field"]: line["value"] for line in sheet["rules"]["lines"]}
        assert lines["hit_soft_17"] == "yes"
        again = shlex.split(sheet["identity"]["command"])[2:-1]
        assert "--h17" in again
        assert run([*again, "b.json"], capsys)[0] == 0
        assert Path("b.json").read_bytes() == Path("a.json").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["sweet-16", "-o", "sheet.doc"], "ends in .xlsx, .pdf, .md, .json"),
        (["sweet-16", "-o", "sheet"], "ends in"),
        (["sweet-16", "-o", "none/sheet.md"], "a folder that exists"),
        (["sweet-16", "-o", "a.md", "-o", "a.md"], "each file once"),
        (["sweet-17"], "nearest is 'sweet-16'"),
        (["super-sevens"], "--bet or --game"),
        (["super-sevens", "--bet", "--game"], "one of the two"),
        ([], "a bet or a table, or --file"),
        (["sweet-16", "--file", "x.toml"], "not both"),
        (["--file", "missing.toml"], "a readable file"),
        (["sweet-16", "--h17"], "left out for a side bet"),
        (["sweet-16", "--exact"], "left out for a side bet"),
        (["sweet-16", "--no-effects"], "left out for a side bet"),
        (["sweet16", "--pay", "x=1"], "left out for a table"),
        (["sweet16", "--meter", "5"], "left out for a table"),
        (["sweet-16", "--decks", "6-8"], "one number of decks"),
        (["sweet-16", "--decks", "6", "--shoe", "A=4"], "left out where --shoe is given"),
        (["sweet-16", "--date", "30.11.2026"], "a date such as"),
        (["sweet-16", "--date", "1899-12-31"], "from 1900 on"),
        (["sweet-16", "--version", "\x1b[31m2"], "printable characters"),
        (["sweet-16", "--version", "\udcff"], "printable characters"),
        (["sweet-16", "--version", "\u202e2"], "printable characters"),
        (["sweet-16", "-o", "a" * 300 + ".md"], "output"),
        (["sweet-16", "-o", "a.md", "-o", "../{here}/a.md"], "each file once"),
        (["sweet-16", "--rounds", "-1"], "a whole number"),
        (["sweet-16", "--seats", "many"], "seats"),
        (["any-pair", "--shoe", "7=3"], "or no simulated rounds: 0"),
        (["sweet-16", "--max-bet", "lots"], "max_bet"),
        (["sweet-16", "--pay", "nobody=1"], "one of sweet"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = run([a.replace("{here}", tmp_path.name) for a in arguments], capsys)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_left_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.md").write_text("before", encoding="utf-8")

    def without_libraries(form: str) -> object:
        raise ImportError('an xlsx file needs: pip install "blackjack-paytables[sheets]"')

    with monkeypatch.context() as patch:
        patch.setattr(write, "_writer", without_libraries)
        code, _, err = run(["sweet-16", *SHORT, "-o", "a.md", "-o", "b.xlsx"], capsys)
        assert code == 2
        assert "blackjack-paytables[sheets]" in err

    def full_disk(self: Path, data: bytes) -> int:
        self.touch()
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full_disk)
        code, _, err = run(["sweet-16", *SHORT, "-o", "a.md"], capsys)
        assert code == 2
        assert "No space left" in err
    assert [file.name for file in tmp_path.iterdir()] == ["a.md"]
    assert Path("a.md").read_text(encoding="utf-8") == "before"


def test_links_are_followed_and_what_is_no_file_is_left_alone(tmp_path: Path) -> None:
    sheet = bet_sheet(load_paytable("Sweet 16"), date=DAY, rounds=0)
    (tmp_path / "link.md").symlink_to("target.md")
    write.write(sheet, [tmp_path / "link.md"])
    assert (tmp_path / "link.md").is_symlink()
    assert (tmp_path / "target.md").read_bytes() == write.render(sheet, "md")
    (tmp_path / "loop.md").symlink_to("loop.md")
    (tmp_path / "null.md").symlink_to("/dev/null")
    os.mkfifo(tmp_path / "pipe.md")
    for name in ("loop.md", "null.md", "pipe.md"):
        with pytest.raises(InputError, match="a file in a folder"):
            write.write(sheet, [tmp_path / name])
    assert (tmp_path / "pipe.md").is_fifo()
    assert (tmp_path / "loop.md").is_symlink()


def test_two_runs_that_write_one_file_do_not_meet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = bet_sheet(load_paytable("Sweet 16"), date=DAY, rounds=0)
    path = tmp_path / "a.md"
    plain = Path.write_bytes

    def another_in_between(self: Path, data: bytes) -> int:
        written = plain(self, data)
        with monkeypatch.context() as patch:
            patch.setattr(Path, "write_bytes", plain)
            write.write(sheet, [path])
        return written

    monkeypatch.setattr(Path, "write_bytes", another_in_between)
    write.write(sheet, [path])
    assert [file.name for file in tmp_path.iterdir()] == ["a.md"]
    assert path.read_bytes() == write.render(sheet, "md")


def test_an_interrupt_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = bet_sheet(load_paytable("Sweet 16"), date=DAY, rounds=0)

    def interrupted(self: Path, data: bytes) -> int:
        self.touch()
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_bytes", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write.write(sheet, [tmp_path / "a.md"])
    assert list(tmp_path.iterdir()) == []


def test_signs_that_the_pdf_lacks_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    label = 'pays = 11\nlabel = "\u4e03\\t\u05e9\U0001f600"'  # Chinese, a tab, Hebrew, an emoji
    Path("bet.toml").write_text(OWN_BET.replace("pays = 11", label), encoding="utf-8")
    code, out, err = run(["--file", "bet.toml", "--rounds", "0", "-o", "a.pdf"], capsys)
    assert (code, out) == (0, "Written: a.pdf\n")
    assert "no sign for \u05e9 \u4e03 \U0001f600:" in err
    assert err.count("\n") == 1  # and no warnings of the PDF's library
    assert run(["sweet-16", "--rounds", "0", "-o", "b.pdf"], capsys)[2] == ""


def test_the_default_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1709164800")
    assert default_date() == "2024-02-29"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    with pytest.raises(InputError, match="SOURCE_DATE_EPOCH"):
        default_date()
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert len(default_date()) == 10


def test_the_schema_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(["--schema"], capsys)
    assert code == 0
    assert json.loads(out) == schema.make_schema()
