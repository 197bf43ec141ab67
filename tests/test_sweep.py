"""Sweeps: streaming, files, resuming, stopping, and backends."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import joblib
import pytest

from odds.errors import InputError
from odds.rules import Rules
from paytables.main_game_design import rule_lattice, sweep_rules
from paytables.sweep import Row, squares, sweep

BATCHES = [["1", "2", "3"], ["4"], [], ["5", "6"]]
WANTED = {str(n): n * n for n in range(1, 7)}


def values(rows: Sequence[Row]) -> dict[str, int]:
    return {row.key: row.values["square"] for row in rows}


def touchy(items: Sequence[str]) -> list[dict[str, Any]]:
    if "4" in items:
        raise RuntimeError("no fours")
    return squares(items)


@pytest.mark.parametrize("jobs", [1, 2, -1])
def test_results_are_the_same_however_many_processes(jobs: int) -> None:
    assert values(list(sweep(BATCHES, squares, jobs=jobs))) == WANTED


@pytest.mark.parametrize("backend", ["loky", "threading", "sequential"])
def test_the_backend_is_joblibs_to_choose(backend: str) -> None:
    with joblib.parallel_config(backend=backend):
        assert values(list(sweep(BATCHES, squares, jobs=2))) == WANTED


def test_a_dask_cluster_takes_a_sweep() -> None:
    distributed = pytest.importorskip(
        "distributed", reason="the optional extra 'cluster' (dask.distributed) is not installed"
    )
    with (
        distributed.Client(processes=False, n_workers=1, dashboard_address=None),
        joblib.parallel_config(backend="dask"),
    ):
        assert values(list(sweep(BATCHES, squares, jobs=-1))) == WANTED


def test_rows_are_streamed() -> None:
    done: list[float] = []
    rows = sweep(BATCHES, squares, progress=lambda part, what: done.append(part))
    assert next(rows).key == "1"
    assert len(done) == 1
    list(rows)
    assert done == sorted(done)
    assert done[-1] == 1.0


def test_a_stopped_sweep_goes_on_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "sweep.jsonl"
    with pytest.raises(RuntimeError):
        list(sweep(BATCHES, touchy, file=file))
    rows = list(sweep(BATCHES, squares, file=file))
    assert values(rows) == WANTED
    assert [row.key for row in rows if row.resumed] == ["1", "2", "3"]
    again = list(sweep(BATCHES, touchy, file=file))
    assert values(again) == WANTED
    assert all(row.resumed for row in again)


@pytest.mark.parametrize("cut", range(1, 40, 3))
def test_a_line_that_was_cut_off_is_done_again(tmp_path: Path, cut: int) -> None:
    file = tmp_path / "sweep.jsonl"
    list(sweep(BATCHES, squares, file=file))
    file.write_text(file.read_text()[:-cut])
    assert values(list(sweep(BATCHES, squares, file=file))) == WANTED
    keys = [json.loads(line).get("key") for line in file.read_text().splitlines()[1:]]
    assert sorted(keys) == sorted(WANTED)


@pytest.mark.parametrize("jobs", [1, 2])
def test_progress_may_stop_it_and_closing_keeps_the_file(tmp_path: Path, jobs: int) -> None:
    file = tmp_path / "sweep.jsonl"

    def stop(part: float, what: str) -> None:
        if part > 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(sweep(BATCHES, squares, jobs=jobs, file=file, progress=stop))
    rows = sweep(BATCHES, squares, jobs=jobs, file=file)
    assert next(rows).resumed
    rows.close()  # type: ignore[attr-defined]
    assert values(list(sweep(BATCHES, squares, file=file))) == WANTED


def test_another_sweeps_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "sweep.jsonl"
    list(sweep(BATCHES, squares, file=file, about={"what": "one"}))
    for about, text in (
        ({"what": "two"}, None),
        ({"what": "one"}, "hello\n"),
        ({}, '[1]\n{"a": 1}\n'),
    ):
        if text is not None:
            file.write_text(text)
        with pytest.raises(InputError) as caught:
            sweep(BATCHES, squares, file=file, about=about)
        assert caught.value.field == "out"


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"jobs": 0}, "jobs"),
        ({"jobs": True}, "jobs"),
        ({"file": Path("/proc/nowhere/sweep")}, "out"),
    ],
)
def test_bad_input(arguments: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as caught:
        list(sweep(BATCHES, squares, **arguments))
    assert caught.value.field == field
    with pytest.raises(InputError):
        sweep([["1"], ["1"]], squares)


def test_rules_in_two_processes_resumed_give_the_same_edges(tmp_path: Path) -> None:
    lattice = rule_lattice(
        Rules(decks=1), {"hit_soft_17": ("yes", "no"), "surrender": ("none", "late")}
    )
    file = tmp_path / "rules.jsonl"
    here = {r.rules: r.house_edge for r in sweep_rules(lattice)}
    assert set(here) == set(lattice)
    first = {r.rules: r.house_edge for r in sweep_rules(lattice[:2], file=file)}
    both = {r.rules: r.house_edge for r in sweep_rules(lattice, jobs=2, file=file)}
    assert first.items() <= both.items()
    assert both == pytest.approx(here, abs=1e-13)
    assert len(file.read_text().splitlines()) == 5
