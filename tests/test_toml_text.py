"""TOML from outside is read within limits."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from odds.errors import InputError
from paytables.toml_text import MAX_FILE_BYTES, MAX_LINE, parse_toml, read_text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (".".join(["a"] * 49_000) + " = 1", f"lines of at most {MAX_LINE}"),
        ("x = " + "[" * 2_000, "TOML text"),
        ("a = 1\n" * 20_000, "a text of at most"),
        ("a = ", "TOML text"),
        ('title = "\\u001b[2J"', "without control characters"),
        ('title = "\\u202e"', "without control characters"),
        ('[a]\nb = ["x", "\\u0007"]', "without control characters"),
    ],
)
def test_hostile_text_is_refused_at_once(text: str, message: str) -> None:
    started = time.perf_counter()
    with pytest.raises(InputError, match="mine = ") as error:
        parse_toml(text, "mine")
    assert time.perf_counter() - started < 1
    assert message in str(error.value)


def test_good_text() -> None:
    assert parse_toml('a = "two\\nlines\\t♠"', "mine") == {"a": "two\nlines\t♠"}


def test_files_that_are_none(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero"), tmp_path):
        with pytest.raises(InputError, match="no regular file"):
            read_text(path)
    with pytest.raises(InputError, match="a readable file"):
        read_text(tmp_path / "missing.toml")
    large = tmp_path / "large.toml"
    large.write_bytes(b"#" * (MAX_FILE_BYTES + 1))
    with pytest.raises(InputError, match=f"at most {MAX_FILE_BYTES} bytes"):
        read_text(large)
    large.write_bytes(b"\xff")
    with pytest.raises(InputError, match="UTF-8"):
        read_text(large)
