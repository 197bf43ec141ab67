"""The notebooks: run, compared and written.

``python -m tests.notebook_files [01 ...]`` runs the ``.py`` of each pair and writes its ``.ipynb``
with the outputs: after an edit of the ``.py``, or when results have changed for a reason.
"""

from __future__ import annotations

import base64
import io
import re
import sys
import warnings
from pathlib import Path
from typing import Any

with warnings.catch_warnings():
    # what notebook tools warn of while they are imported is theirs, not this project's
    warnings.simplefilter("ignore")
    import jupytext
    import nbformat
    from nbclient import NotebookClient
    from PIL import Image

FOLDER = Path(__file__).parents[1] / "notebooks"
NAMES = sorted(path.stem for path in FOLDER.glob("[0-9]*.py"))
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
PAIR = {"formats": "ipynb,py:percent"}


def source(name: str) -> Any:
    """The notebook without outputs, from its ``.py``."""
    notebook = jupytext.read(FOLDER / f"{name}.py")
    notebook.metadata = {"jupytext": PAIR, "kernelspec": KERNEL}
    for number, cell in enumerate(notebook.cells):
        cell.id = f"{number:03d}"
        cell.metadata.pop("lines_to_next_cell", None)
    return notebook


def stored(name: str) -> Any:
    """The notebook as it is kept, with outputs."""
    return nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)


def run(name: str) -> Any:
    """The notebook run from its ``.py`` in a kernel of its own.

    Raises:
        nbclient.exceptions.CellExecutionError: A cell fails.
    """
    notebook = source(name)
    client = NotebookClient(
        notebook,
        timeout=240,
        kernel_name="python3",
        record_timing=False,
        resources={"metadata": {"path": str(FOLDER)}},
    )
    client.execute()
    notebook.metadata = {
        "jupytext": PAIR,
        "kernelspec": KERNEL,
        "language_info": {"name": "python"},
    }
    return notebook


def texts(notebook: Any) -> list[list[str]]:
    """For each code cell what its outputs say: words and numbers without markup and spacing."""
    found = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            parts = []
            for output in cell.outputs:
                data = output.get("data", {"text/plain": output.get("text", "")})
                kinds = ("text/html", "text/markdown", "text/plain")
                shown = next((data[kind] for kind in kinds if kind in data), "")
                plain = re.sub(r"<style.*?</style>|<[^>]*>", " ", shown, flags=re.DOTALL)
                parts.append(" ".join(plain.split()))
            found.append(parts)
    return found


def pictures(notebook: Any) -> int:
    """How many pictures it shows."""
    return sum(
        "image/png" in output.get("data", {})
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
    )


def smaller(png: str) -> str:
    """A picture in base64 with at most 64 colours: a quarter of the size, and no worse to see."""
    image = Image.open(io.BytesIO(base64.b64decode(png))).convert("RGB")
    stream = io.BytesIO()
    image.quantize(64, dither=Image.Dither.NONE).save(stream, "png", optimize=True)
    return base64.b64encode(stream.getvalue()).decode()


def write(name: str) -> None:
    """Run a notebook and keep it with its outputs."""
    notebook = run(name)
    for output in (out for cell in notebook.cells for out in cell.get("outputs", ())):
        data = output.get("data", {})
        if "image/png" in data:
            data["image/png"] = smaller(data["image/png"])
        if "text/html" in data or "text/markdown" in data:
            data.pop("text/plain", None)  # long, and may hold addresses in memory
    nbformat.write(notebook, FOLDER / f"{name}.ipynb")


if __name__ == "__main__":
    for chosen in NAMES:
        if not sys.argv[1:] or chosen[:2] in sys.argv[1:]:
            print(chosen)
            write(chosen)
