"""Sweeps: many independent pieces of work through joblib, streamed and resumable.

Results come as they are ready, in no order. With a file every result is appended to it as a line
of JSON, so that a sweep that was stopped goes on where it was; a line that was cut off is done
again.

joblib decides where the work runs. The default is this machine; a cluster takes the same sweep by
changing the backend, with nothing else changed (``pip install blackjack-paytables[cluster]``)::

    from dask.distributed import Client
    from joblib import parallel_config

    client = Client("tcp://scheduler:8786")        # or Client() for a local cluster
    with parallel_config(backend="dask"):
        rows = list(sweep(batches, work, jobs=-1))

Example:
    >>> rows = sweep([["2", "3"], ["4"]], squares)
    >>> sorted((row.key, row.values["square"]) for row in rows)
    [('2', 4), ('3', 9), ('4', 16)]
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO, TypeAlias, TypeVar

from odds.errors import InputError

Item = TypeVar("Item")
Values: TypeAlias = dict[str, Any]
"""The result for one item: what `json.dumps` takes."""
Progress: TypeAlias = Callable[[float, str], None]
FORMAT = 1


@dataclass(frozen=True, slots=True)
class Row:
    """One result.

    Attributes:
        key: The item's name, unique in the sweep.
        values: Its result.
        resumed: Whether it was read from the file of an earlier run.
    """

    key: str
    values: Values
    resumed: bool = False


def squares(items: Sequence[str]) -> list[Values]:
    """The work of the example: one result for each item of a batch."""
    return [{"square": int(item) ** 2} for item in items]


def sweep(
    batches: Sequence[Sequence[Item]],
    work: Callable[[Sequence[Item]], list[Values]],
    *,
    key: Callable[[Item], str] = str,
    jobs: int = 1,
    file: Path | None = None,
    about: Mapping[str, object] | None = None,
    progress: Progress | None = None,
) -> Iterator[Row]:
    """Run work over batches of items and stream the results.

    Args:
        batches: The items, those together that share something worth keeping (a dealer's table):
            a batch runs in one process, in order.
        work: A function of a module (it is sent to other processes): one result for each item.
        key: The name of an item, unique in the sweep and the same in every run.
        jobs: Processes at once; -1 for one for each core. 1 works in this process.
        file: Where results are kept; what is there already is not done again.
        about: What the sweep is; a file of another sweep is refused.
        progress: Told (fraction done, what); raising from it stops the sweep, and what is in the
            file stays.

    Raises:
        InputError: No jobs, two items of one name, or a file that cannot be read or written or is
            of another sweep.
    """
    if isinstance(jobs, bool) or not isinstance(jobs, int) or not (jobs == -1 or 1 <= jobs <= 256):
        raise InputError("jobs", jobs, "a whole number from 1 to 256, or -1 for all cores")
    names = [key(item) for batch in batches for item in batch]
    if len(set(names)) < len(names):
        raise InputError("items", len(names), "items that differ")
    known = {} if file is None else _read(file, about or {})
    wanted = set(names)
    done = {name: values for name, values in known.items() if name in wanted}
    return _run(batches, work, key, jobs, file, about or {}, progress, done, len(names))


def _run(
    batches: Sequence[Sequence[Item]],
    work: Callable[[Sequence[Item]], list[Values]],
    key: Callable[[Item], str],
    jobs: int,
    file: Path | None,
    about: Mapping[str, object],
    progress: Progress | None,
    done: Mapping[str, Values],
    total: int,
) -> Iterator[Row]:
    # here, as most commands need no sweep and joblib takes a tenth of a second to load
    from joblib import Parallel, delayed  # type: ignore[import-untyped]

    report = progress or (lambda part, what: None)
    for name, values in done.items():
        yield Row(name, values, resumed=True)
    number = len(done)
    report(number / total if total else 1.0, "sweep")
    open_batches = [[item for item in batch if key(item) not in done] for batch in batches]
    tasks = [delayed(_named)(work, key, batch) for batch in open_batches if batch]
    if not tasks:
        return
    handle = None if file is None else _open(file, about)
    try:
        runner = Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)
        with _quietly_closed(runner(tasks)) as results:
            for rows in results:
                for name, values in rows:
                    if handle is not None:
                        handle.write(json.dumps({"key": name, "values": values}) + "\n")
                        handle.flush()
                    number += 1
                    yield Row(name, values)
                report(number / total, "sweep")
    finally:
        if handle is not None:
            handle.close()


@contextmanager
def _quietly_closed(results: Generator[Any, None, None]) -> Iterator[Generator[Any, None, None]]:
    """Results that may be left early: joblib then cancels the rest, and need not warn of it."""
    try:
        yield results
    finally:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", r"\d+ tasks? ", UserWarning)
            results.close()


def _named(
    work: Callable[[Sequence[Item]], list[Values]], key: Callable[[Item], str], batch: list[Item]
) -> list[tuple[str, Values]]:
    """The results of a batch with the names of its items."""
    return [(key(item), values) for item, values in zip(batch, work(batch), strict=True)]


def _header(about: Mapping[str, object]) -> dict[str, object]:
    return {"sweep": FORMAT, "about": json.loads(json.dumps(about))}


def _read(file: Path, about: Mapping[str, object]) -> dict[str, Values]:
    """The results in a file; a last line that was cut off is left out."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("out", str(file), f"a file that can be read ({error})") from None
    found: dict[str, Values] = {}
    for number, line in enumerate(lines):
        try:
            entry = json.loads(line)
        except ValueError:
            if number == len(lines) - 1 and number:
                break
            raise InputError("out", str(file), "a file of an earlier sweep, or no file") from None
        if number == 0:
            if entry != _header(about):
                raise InputError("out", str(file), "a file of the same sweep, or no file")
        elif not isinstance(entry, dict) or not {"key", "values"} <= entry.keys():
            raise InputError("out", str(file), "a file of an earlier sweep, or no file")
        else:
            found[entry["key"]] = entry["values"]
    return found


def _open(file: Path, about: Mapping[str, object]) -> TextIO:
    """The file, ready for further lines."""
    try:
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        whole = text[: text.rfind("\n") + 1]
        if whole != text:
            file.write_text(whole, encoding="utf-8")
        handle = file.open("a", encoding="utf-8")
        if not whole:
            handle.write(json.dumps(_header(about)) + "\n")
            handle.flush()
    except OSError as error:
        raise InputError("out", str(file), f"a file that can be written ({error})") from None
    return handle
