"""The notebooks run from a clean checkout, and what they show is what they compute."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.notebook_files import FOLDER, NAMES, pictures, run, source, stored, texts

MOST_BYTES = 480_000


def test_notebooks_are_numbered_and_paired() -> None:
    assert [name[:2] for name in NAMES] == [f"{number:02d}" for number in range(1, 1 + len(NAMES))]
    assert len(NAMES) == 5
    assert {path.stem for path in FOLDER.glob("*.ipynb")} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_notebook_runs_and_says_what_is_stored(name: str) -> None:
    fresh, kept = run(name), stored(name)
    hint = f"python -m tests.notebook_files {name[:2]} writes it anew, if the change is meant"
    assert texts(fresh) == texts(kept), hint
    assert pictures(fresh) == pictures(kept) >= 3


@pytest.mark.parametrize("name", NAMES)
def test_pair_is_in_step(name: str) -> None:
    ours, theirs = source(name), stored(name)
    assert [(cell.cell_type, cell.source) for cell in ours.cells] == [
        (cell.cell_type, cell.source) for cell in theirs.cells
    ]


@pytest.mark.parametrize("name", NAMES)
def test_stored_notebook_is_small_and_holds_nothing_of_a_machine(name: str) -> None:
    path = FOLDER / f"{name}.ipynb"
    text = path.read_text(encoding="utf-8")
    assert path.stat().st_size < MOST_BYTES
    for trace in (str(Path.home()), str(FOLDER.parent), "site-packages", '"execution": {'):
        assert trace not in text
    assert not re.search(r"0x[0-9a-f]{6,}", text)
    kept = stored(name)
    assert set(kept.metadata) == {"jupytext", "kernelspec", "language_info"}
    assert all(not cell.metadata for cell in kept.cells)
    code = [cell for cell in kept.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert not any(o.output_type in ("error", "stream") for cell in code for o in cell.outputs)


@pytest.mark.parametrize("name", NAMES)
def test_every_picture_has_an_alternative_text(name: str) -> None:
    for cell in stored(name).cells:
        for output in cell.get("outputs", ()):
            if "image/png" in output.get("data", {}):
                assert len(output.data["text/plain"]) > 30
                assert output.metadata["image/png"]["alt"]
