"""Pages of the app run without a browser, and what is read off them."""

from __future__ import annotations

import re
import time
from typing import Any

from streamlit.testing.v1 import AppTest

from paytables.draft import Draft
from paytables.ui.work import LINK


def _script(name: str) -> None:
    import importlib

    importlib.import_module(f"paytables.ui.{name}").page()


def opened(name: str, draft: Draft | None = None, link: str | None = None) -> AppTest:
    """A page in a session of its own, opened by the link of a design if one is given."""
    app = AppTest.from_function(_script, default_timeout=60, args=(name,))
    if draft is not None or link is not None:
        app.query_params[LINK] = link if draft is None else draft.encode()
    app.run()
    assert not app.exception
    return app


def metric(app: AppTest, label: str) -> str:
    return next(m.value for m in app.metric if m.label == label)


def html(app: AppTest) -> str:
    return "\n".join(element.proto.body for element in app.get("html"))


def notes(app: AppTest) -> list[str]:
    """The notes beside entries that cannot be read."""
    return [body for e in app.get("html") if 'role="alert"' in (body := e.proto.body)]


def link_of(app: AppTest) -> str:
    """The design in the address."""
    value: Any = app.query_params[LINK]
    return value[0] if isinstance(value, list) else value


def asked(app: AppTest, part: str) -> AppTest:
    """Ask for what a part of the page computes, and wait for it."""
    app.button(key=f"{part}-start").click().run()
    assert not app.exception
    job = app.session_state[f"asked-{part}"].job
    deadline = time.monotonic() + 120
    while not job.ended:
        job.watch()
        assert time.monotonic() < deadline
        time.sleep(0.05)
    app.run()
    assert not app.exception
    return app


def cells(app: AppTest, table: str, row: str) -> list[str]:
    """The cells of a row, named by its first words, of the table with this caption."""
    body = next(h for h in html(app).split("<table") if f"<caption>{table}" in h)
    found = next(r for r in body.split("<tr>") if re.sub("<[^>]*>", "", r).startswith(row))
    return [re.sub("<[^>]*>", "", cell) for cell in found.split("</td>")[:-1]]
