"""Work for the tests of the job pool; a worker process imports it by name."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from odds.errors import InputError

Progress = Callable[[float, str], None]


def double(number: int, progress: Progress) -> int:
    print("this must not disturb the answers")
    progress(0.5, "doubling")
    return 2 * number


def process_id(progress: Progress) -> int:
    return os.getpid()


def wait(seconds: float, progress: Progress) -> str:
    progress(0.25, "waiting")
    time.sleep(seconds)
    return "waited"


def refuse(progress: Progress) -> None:
    raise InputError("edge", "x", "a share")


def crash(progress: Progress) -> None:
    raise ZeroDivisionError("a fault")


def die(progress: Progress) -> None:
    os._exit(1)


def unpicklable(progress: Progress) -> object:
    return lambda: None
