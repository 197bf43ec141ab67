"""Fixtures: a pool for tests of the app; the app on a free port and a browser. Must run in CI."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from paytables.jobs import Pool

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

# pytest-xdist fills the cores; BLAS threads besides would only get in each other's way
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
LAUNCH = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def worker_pool() -> Iterator[Pool]:
    """One worker for the pages of all tests: it takes a second or two to start."""
    pool = Pool(1)
    yield pool
    pool.close()


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The app, served from a free port with a database of its own."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    folder = tmp_path_factory.mktemp("server")
    log = folder / "log.txt"
    command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py")]
    command += ["--server.port", str(port), "--server.headless", "true"]
    command += ["--server.address", "127.0.0.1", "--server.fileWatcherType", "none"]
    environment = os.environ | {"PAYTABLES_DATABASE": f"sqlite:///{folder / 'designs.sqlite'}"}
    environment.pop("PAYTABLES_WORKSPACE", None)
    with log.open("w") as output:
        server = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=output, stderr=subprocess.STDOUT
        )
    url = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                urllib.request.urlopen(f"{url}/_stcore/health", timeout=2).close()
                break
            except OSError:
                assert server.poll() is None, log.read_text()
                assert time.monotonic() < deadline, log.read_text()
                time.sleep(0.2)
        yield url
    finally:
        server.terminate()
        server.wait(timeout=20)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium; its event loop occupies the thread, so it ends with the module."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=LAUNCH)
        yield started
        started.close()


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """One browser profile, so that the page's scripts are fetched once; tabs are sessions."""
    opened = browser.new_context(viewport={"width": 1440, "height": 1100})
    yield opened
    opened.close()
