"""Long work in processes of its own: one job for each owner, a queue beyond the cores.

The workers are plain child processes rather than `multiprocessing` ones: those would import the
main module again, which under Streamlit is the app itself. A job that is cancelled, takes too long
or that nobody watches any more loses its process, so it stops at once whatever it is doing.
"""

from __future__ import annotations

import atexit
import enum
import os
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

from odds.errors import InputError

MAX_QUEUED = 100
"""Jobs that may wait."""
MAX_SECONDS = 600.0
"""The longest that a job may run."""
UNWATCHED_SECONDS = 120.0
"""After so long without anyone asking, a job is cancelled."""
_TICK = 0.1
_INPUT, _OUTPUT = 0, 1


class State(enum.Enum):
    """Where a job stands."""

    QUEUED = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(eq=False)
class Job:
    """One piece of work.

    Attributes:
        owner: Who asked; an owner has one job at a time.
        function: What runs; called with the arguments and `progress`.
        arguments: Its arguments.
        state: Where it stands.
        done: The fraction done.
        what: What is being done.
        result: What came out, once done.
        problem: What went wrong, once failed.
        started: When it began to run, by `time.monotonic`.
        seconds: How long it ran, once ended.
    """

    owner: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    state: State = State.QUEUED
    done: float = 0.0
    what: str = ""
    result: Any = None
    problem: InputError | None = None
    started: float = 0.0
    seconds: float = 0.0
    _watched: float = field(default_factory=time.monotonic)
    _cancelled: bool = False

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen."""
        return self.state in (State.DONE, State.FAILED, State.CANCELLED)

    def watch(self) -> None:
        """Say that somebody still waits for it."""
        self._watched = time.monotonic()

    def cancel(self) -> None:
        """Stop it, whether it waits or runs."""
        self._cancelled = True

    def _fail(self, problem: InputError) -> None:
        self.problem, self.state = problem, State.FAILED

    def _why_stop(self) -> str | None:
        """Why a running job must be stopped now, or None."""
        now = time.monotonic()
        if self._cancelled or now - self._watched > UNWATCHED_SECONDS:
            return "cancelled"
        return "too long" if now - self.started > MAX_SECONDS else None


class _Worker:
    """A child process that runs one job after the other."""

    def __init__(self) -> None:
        # one thread of linear algebra each: there is a worker for every core
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "OPENBLAS_NUM_THREADS": "1",
            "OMP_NUM_THREADS": "1",
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "paytables.jobs"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._send = Connection(os.dup(self._process.stdin.fileno()), readable=False)
        self._receive = Connection(os.dup(self._process.stdout.fileno()), writable=False)
        self._process.stdin.close()
        self._process.stdout.close()

    def run(self, job: Job) -> bool:
        """Run a job to its end; returns whether the process can be used again."""
        try:
            self._send.send((job.function, job.arguments))
            while True:
                if why := job._why_stop():
                    if why == "too long":
                        job._fail(
                            InputError("search", why, f"work of at most {MAX_SECONDS:.0f} seconds")
                        )
                    else:
                        job.state = State.CANCELLED
                    return False
                if not self._receive.poll(_TICK):
                    continue
                kind, value = self._receive.recv()
                if kind == "progress":
                    job.done, job.what = value
                    continue
                if kind == "done":
                    job.result, job.done, job.state = value, 1.0, State.DONE
                else:
                    job._fail(value)
                return True
        except (EOFError, OSError):
            job._fail(InputError("search", "its process ended", "work that fits into memory"))
            return False

    def kill(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        self._send.close()
        self._receive.close()


class Pool:
    """Worker processes, started when they are first needed, and the queue before them.

    Args:
        workers: How many jobs run at once; by default as many as there are cores.
    """

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or len(os.sched_getaffinity(0))
        self._queue: deque[Job] = deque()
        self._owned: dict[str, Job] = {}
        self._changed = threading.Condition()
        self._closed = False
        self._threads = [
            threading.Thread(target=self._serve, daemon=True, name=f"jobs-{number}")
            for number in range(self.workers)
        ]
        for thread in self._threads:
            thread.start()
        atexit.register(self.close)

    def submit(self, owner: str, function: Callable[..., Any], *arguments: Any) -> Job:
        """Queue a job; a job of the same owner that has not ended is cancelled.

        Args:
            owner: Who asks.
            function: A function that pickles by name and takes `progress`.
            *arguments: Its arguments.

        Raises:
            InputError: Too many jobs wait.
        """
        job = Job(owner, function, arguments)
        with self._changed:
            waiting = sum(not other._cancelled for other in self._queue)
            if waiting >= MAX_QUEUED:
                raise InputError("search", "the queue is full", "a search when others have ended")
            if earlier := self._owned.get(owner):
                earlier.cancel()
            self._owned[owner] = job
            self._queue.append(job)
            self._changed.notify()
        return job

    def of(self, owner: str) -> Job | None:
        """The job of an owner that waits or runs, if there is one."""
        with self._changed:
            return self._owned.get(owner)

    def ahead_of(self, job: Job) -> int:
        """How many waiting jobs come before this one."""
        with self._changed:
            live = [other for other in self._queue if not other._cancelled]
            return live.index(job) if job in live else 0

    def close(self) -> None:
        """Cancel everything and end the processes."""
        with self._changed:
            self._closed = True
            for job in (*self._queue, *self._owned.values()):
                job.cancel()
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(timeout=5)
        atexit.unregister(self.close)

    def _next(self) -> Job | None:
        with self._changed:
            while True:
                while self._queue:
                    job = self._queue.popleft()
                    job.started = time.monotonic()
                    if job._why_stop() is None:
                        job.state = State.RUNNING
                        return job
                    job.state = State.CANCELLED
                    self._forget(job)
                if self._closed:
                    return None
                self._changed.wait(1.0)

    def _forget(self, job: Job) -> None:
        if self._owned.get(job.owner) is job:
            del self._owned[job.owner]

    def _serve(self) -> None:
        worker: _Worker | None = None
        while (job := self._next()) is not None:
            try:
                worker = worker or _Worker()
                if not worker.run(job):
                    worker.kill()
                    worker = None
            except Exception as error:  # the thread must outlive whatever a job brings about
                job._fail(InputError("search", type(error).__name__, "work that can be started"))
                if worker is not None:
                    worker.kill()
                    worker = None
            job.seconds = time.monotonic() - job.started
            with self._changed:
                self._forget(job)
        if worker is not None:
            worker.kill()


def _work() -> None:
    """The loop of a worker process."""
    requests = Connection(os.dup(_INPUT), writable=False)
    answers = Connection(os.dup(_OUTPUT), readable=False)
    os.dup2(2, _OUTPUT)  # what a job prints must not get between the answers
    while True:
        try:
            function, arguments = requests.recv()
        except EOFError:
            return
        told = 0.0

        def tell(done: float, what: str = "") -> None:
            nonlocal told
            if (now := time.monotonic()) - told > _TICK:
                told = now
                answers.send(("progress", (done, what)))

        try:
            answer = ("done", function(*arguments, progress=tell))
        except InputError as error:
            answer = ("failed", error)
        except MemoryError:
            answer = ("failed", InputError("search", "out of memory", "narrower limits"))
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"[:200]
            answer = ("failed", InputError("search", reason, "another request"))
        try:
            answers.send(answer)
        except OSError:
            return
        except Exception as error:  # a result that does not pickle
            reason = f"{type(error).__name__}: {error}"[:200]
            answers.send(("failed", InputError("search", reason, "another request")))


if __name__ == "__main__":
    _work()
