"""TOML from outside: read and parsed within limits, with one clear error."""

from __future__ import annotations

import tomllib
import unicodedata
from pathlib import Path
from typing import Any

from odds.errors import InputError

MAX_FILE_BYTES = 100_000
MAX_LINE = 2_500  # the reader's time grows with the square of a line of nested names
_BIDI = {*range(0x202A, 0x202F), *range(0x2066, 0x206A)}


def read_text(path: Path, field: str = "file") -> str:
    """The text of a regular file of at most `MAX_FILE_BYTES` bytes in UTF-8.

    Raises:
        InputError: It is missing, no regular file, not readable, too large or not UTF-8.
    """
    try:
        if path.exists() and not path.is_file():
            raise InputError(field, str(path), "a readable file (this is no regular file)")
        with path.open("rb") as handle:
            data = handle.read(MAX_FILE_BYTES + 1)
        if len(data) > MAX_FILE_BYTES:
            raise InputError(field, str(path), f"a file of at most {MAX_FILE_BYTES} bytes")
        return data.decode("utf-8")
    except OSError as error:
        raise InputError(field, str(path), f"a readable file ({error.strerror})") from None
    except UnicodeDecodeError:
        raise InputError(field, str(path), "a file in UTF-8") from None
    except ValueError as error:  # a path with a null character
        raise InputError(field, str(path), f"a readable file ({error})") from None


def parse_toml(text: str, field: str) -> dict[str, Any]:
    """The tables of a TOML text.

    Args:
        text: The text.
        field: What to call it in error messages.

    Raises:
        InputError: The text or a line of it is too long, it is no TOML, or a name or text in it
            holds control characters, which a terminal would obey.
    """
    if len(text.encode("utf-8", "replace")) > MAX_FILE_BYTES:
        raise InputError(field, "too large", f"a text of at most {MAX_FILE_BYTES} bytes")
    if max(map(len, text.splitlines()), default=0) > MAX_LINE:
        raise InputError(field, "a long line", f"lines of at most {MAX_LINE} characters")
    try:
        table: dict[str, Any] = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a huge integer is a plain ValueError
        reason = " ".join(str(error).split())[:200] or "it is nested too deeply"
        raise InputError(field, "bad TOML", f"TOML text ({reason})") from None
    _refuse_controls(table, field)
    return table


def _refuse_controls(value: object, field: str) -> None:
    if isinstance(value, str):
        for sign in value:
            control = unicodedata.category(sign) == "Cc" and sign not in "\n\r\t"
            if control or ord(sign) in _BIDI:
                raise InputError(field, value, "text without control characters")
    elif isinstance(value, dict):
        for key, entry in value.items():
            _refuse_controls(key, field)
            _refuse_controls(entry, field)
    elif isinstance(value, list):
        for entry in value:
            _refuse_controls(entry, field)
