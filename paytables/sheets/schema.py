"""A sheet as JSON, and the JSON Schema that it follows."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from paytables.sheets.model import SCHEMA_VERSION, SHEET, Sheet

FILE = "par_sheet.schema.json"


def to_bytes(sheet: Sheet) -> bytes:
    """The sheet as JSON, UTF-8, with sorted keys and a newline at the end."""
    return _text(sheet.model_dump(mode="json")).encode()


def read(text: str | bytes) -> Sheet:
    """A sheet read back from JSON.

    Raises:
        pydantic.ValidationError: It is none.
    """
    return SHEET.validate_json(text)


def make_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of both kinds of sheets, from the document model."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"PAR sheet of blackjack-paytables, schema version {SCHEMA_VERSION}",
        **SHEET.json_schema(mode="serialization"),
    }


def schema_text() -> str:
    """The schema as it is shipped with the package.

    Example:
        >>> json.loads(schema_text()) == make_schema()
        True
    """
    return (files("paytables.sheets") / FILE).read_text(encoding="utf-8")


def _text(value: object) -> str:
    return json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


if __name__ == "__main__":  # writes the shipped file: python -m paytables.sheets.schema > FILE
    import sys

    sys.stdout.write(_text(make_schema()))
