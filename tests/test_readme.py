"""The README's examples, run."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

README = Path(__file__).parents[1] / "README.md"
TEXT = README.read_text()


def squeezed(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("page", [README, README.parent / "odds" / "ACCURACY.md"])
def test_python_examples(page: Path) -> None:
    results = doctest.testfile(str(page), module_relative=False)
    assert results.attempted > 3
    assert results.failed == 0


def console_examples() -> list[tuple[str, list[str]]]:
    examples: list[tuple[str, list[str]]] = []
    for block in re.findall(r"```console\n(.*?)```", TEXT, flags=re.S):
        for line in block.splitlines():
            if line.startswith("$ "):
                examples.append((line[2:], []))
            elif line.strip():
                examples[-1][1].append(line)
    return examples


def test_the_sheets_of_the_example_are_written(tmp_path: Path) -> None:
    command = re.search(r"```sh\n(paytables sheet --file .*)\n```", TEXT)
    assert command
    run(command[1] + " --rounds 1000")
    assert (tmp_path / "my_bet.pdf").read_bytes().startswith(b"%PDF-")
    assert (tmp_path / "my_bet.xlsx").read_bytes().startswith(b"PK")


def table_commands() -> list[str]:
    return re.findall(r"\| `(paytables [^`]*)` \|", TEXT)


@pytest.fixture(autouse=True)
def a_folder_with_the_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bets = re.findall(r"`(\w+\.toml)`:\n\n```toml\n(.*?)```", TEXT, flags=re.S)
    assert bets
    for name, text in bets:
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)


def run(command: str) -> str:
    from paytables.cli import app

    program, *arguments = shlex.split(command)
    assert program == "paytables"
    result = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return squeezed(result.output)


@pytest.mark.parametrize(("command", "lines"), console_examples())
def test_console_examples_print_what_the_readme_shows(command: str, lines: list[str]) -> None:
    output = run(command)
    assert lines
    for line in lines:
        assert squeezed(line) in output


@pytest.mark.parametrize("command", table_commands())
def test_commands_of_the_table_run(command: str) -> None:
    assert run(command)


def test_named_files_exist() -> None:
    for name in re.findall(r"`((?:odds|paytables|tests|notebooks)/[\w/.*]+|app\.py)`", TEXT):
        assert list(README.parent.glob(name.rstrip("/"))), name
