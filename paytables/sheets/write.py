"""A sheet in each of its formats; the command line and the app write the same bytes."""

from __future__ import annotations

import contextlib
import importlib
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, TypeAlias, cast, get_args

from odds.errors import InputError
from paytables.sheets.model import Sheet

Format: TypeAlias = Literal["xlsx", "pdf", "md", "json"]
FORMATS: tuple[Format, ...] = get_args(Format)

MEDIA_TYPES: dict[Format, str] = {
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "pdf": "application/pdf",
    "md": "text/markdown",
    "json": "application/json",
}
"""What a browser is told of each format."""


_MODULES: dict[Format, str] = {
    "xlsx": "workbook",
    "pdf": "document",
    "md": "markdown",
    "json": "schema",
}


def _writer(form: Format) -> Callable[[Sheet], bytes]:
    # only the format asked for: two of them load large libraries, an extra of the package
    module = importlib.import_module(f"paytables.sheets.{_MODULES[form]}")
    return cast(Callable[[Sheet], bytes], module.to_bytes)


def render(sheet: Sheet, form: Format) -> bytes:
    """A sheet in one format.

    Args:
        sheet: The sheet.
        form: ``xlsx``, ``pdf``, ``md`` or ``json``.

    Raises:
        InputError: Another format.
        ImportError: The libraries of the format are not installed; says what to install.

    Example:
        >>> from paytables.bets import load_paytable
        >>> from paytables.sheets.bet_sheet import bet_sheet
        >>> sheet = bet_sheet(load_paytable("Any Pair"), date="2026-11-30", rounds=0)
        >>> render(sheet, "md").decode().splitlines()[0]
        '# PAR sheet: Any Pair, 25/8'
    """
    if form not in FORMATS:
        raise InputError("format", form, f"one of {', '.join(FORMATS)}")
    return _writer(form)(sheet)


def format_of(path: Path) -> Format:
    """The format that a file's name asks for.

    Raises:
        InputError: Its suffix is none of a format.

    Example:
        >>> format_of(Path("sheet.PDF"))
        'pdf'
    """
    suffix = path.suffix.lower().removeprefix(".")
    if suffix not in FORMATS:
        endings = ", ".join(f".{form}" for form in FORMATS)
        raise InputError("output", str(path), f"a file name that ends in {endings}")
    return suffix


def check_outputs(paths: Sequence[Path]) -> None:
    """Find out before any work whether the files can be written.

    Raises:
        InputError: A suffix that is no format, a folder that is not there, a name that is too long
            or of no regular file, or a file named twice.
    """
    seen: set[Path] = set()
    for path in paths:
        format_of(path)
        target = _target(path)
        if target in seen:
            raise InputError("output", str(path), "each file once")
        seen.add(target)


def _target(path: Path) -> Path:
    """The file that is written: a link's own target, which need not exist yet."""
    try:
        target = path.resolve()
        usable = target.parent.is_dir() and not target.is_symlink()  # still a link: a loop of them
        usable = usable and (target.is_file() or not target.exists())
    except OSError as error:
        raise InputError("output", str(path), f"a file to write to ({error.strerror})") from None
    except RuntimeError:  # a loop of links, before Python 3.13
        usable = False
    if not usable:
        raise InputError("output", str(path), "a file in a folder that exists")
    return target


def write(sheet: Sheet, paths: Sequence[Path]) -> None:
    """Write a sheet to files, each whole or not at all; nothing if one format fails.

    Raises:
        InputError: See `check_outputs`; or a file cannot be written.
        ImportError: See `render`.
    """
    check_outputs(paths)
    contents = {form: render(sheet, form) for form in dict.fromkeys(map(format_of, paths))}
    for path in paths:
        target = _target(path)
        beside = target.with_name(f".{uuid.uuid4().hex}.part")  # its own for every process
        try:
            beside.write_bytes(contents[format_of(path)])
            beside.replace(target)
        except OSError as error:
            raise InputError(
                "output", str(path), f"a file to write to ({error.strerror})"
            ) from None
        finally:
            with contextlib.suppress(OSError):  # gone, where all went well
                beside.unlink()
