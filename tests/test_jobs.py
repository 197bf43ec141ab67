from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from odds.errors import InputError
from paytables import jobs
from paytables.bets import load_paytable
from paytables.design import design
from paytables.design_constraints import Target
from paytables.jobs import Job, Pool, State
from tests import job_functions as functions


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    opened = Pool(1)
    yield opened
    opened.close()


def ended(job: Job, seconds: float = 30) -> Job:
    deadline = time.monotonic() + seconds
    while not job.ended:
        assert time.monotonic() < deadline, job
        time.sleep(0.02)
    return job


def running(job: Job, seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not job.done:
        assert time.monotonic() < deadline, job
        time.sleep(0.02)


def test_a_result_comes_back_and_the_process_is_used_again(pool: Pool) -> None:
    first = ended(pool.submit("a", functions.process_id))
    assert ended(pool.submit("a", functions.double, 21)).result == 42
    second = ended(pool.submit("b", functions.process_id))
    assert first.result == second.result


def test_errors_come_back_as_what_they_are(pool: Pool) -> None:
    refused = ended(pool.submit("a", functions.refuse))
    assert refused.state is State.FAILED
    assert refused.problem is not None
    assert (refused.problem.field, refused.problem.allowed) == ("edge", "a share")
    crashed = ended(pool.submit("a", functions.crash))
    assert crashed.problem is not None
    assert "ZeroDivisionError" in str(crashed.problem.value)
    lost = ended(pool.submit("a", functions.unpicklable))
    assert lost.problem is not None
    assert "pickle" in str(lost.problem.value)
    died = ended(pool.submit("a", functions.die))
    assert died.state is State.FAILED
    assert ended(pool.submit("a", functions.double, 1)).result == 2


def test_cancel_stops_at_once_and_the_queue_goes_on(pool: Pool) -> None:
    long = pool.submit("a", functions.wait, 60)
    running(long)
    waiting, next_one = pool.submit("b", functions.wait, 60), pool.submit("c", functions.double, 2)
    assert (pool.ahead_of(waiting), pool.ahead_of(next_one)) == (0, 1)
    assert (long.done, long.what) == (0.25, "waiting")
    waiting.cancel()
    assert pool.ahead_of(next_one) == 0
    started = time.monotonic()
    long.cancel()
    assert ended(next_one).result == 4
    assert time.monotonic() - started < 20
    assert ended(long).state is State.CANCELLED
    assert ended(waiting).state is State.CANCELLED


def test_an_owner_has_one_job(pool: Pool) -> None:
    first = pool.submit("a", functions.wait, 60)
    running(first)
    assert ended(pool.submit("a", functions.double, 3)).result == 6
    assert ended(first).state is State.CANCELLED


def test_what_nobody_watches_or_takes_too_long_is_stopped(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "UNWATCHED_SECONDS", 0.5)
    assert ended(pool.submit("a", functions.wait, 60)).state is State.CANCELLED
    monkeypatch.setattr(jobs, "UNWATCHED_SECONDS", 60)
    monkeypatch.setattr(jobs, "MAX_SECONDS", 0.2)
    late = ended(pool.submit("a", functions.wait, 60))
    assert late.problem is not None
    assert late.problem.value == "too long"


def test_the_queue_is_bounded(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MAX_QUEUED", 1)
    first = pool.submit("a", functions.wait, 60)
    running(first)
    second = pool.submit("b", functions.double, 1)
    with pytest.raises(InputError, match="queue is full"):
        pool.submit("c", functions.double, 1)
    first.cancel()
    assert ended(second).result == 2


def test_a_search_crosses_the_process_border(pool: Pool) -> None:
    paytable, target = load_paytable("Sweet 16"), Target.around("5%", "0.5%")
    there = ended(pool.submit("a", design, paytable, target, (8,)))
    assert there.state is State.DONE, there.problem
    here = design(paytable, target, (8,))
    assert [d.pays for d in there.result.designs] == [d.pays for d in here.designs]
    assert there.result.count == here.count


def test_a_search_for_a_bet_that_follows_the_strategy_crosses_it_too(pool: Pool) -> None:
    paytable = load_paytable("Super Sevens", "rules 14.4 and 14.5, as the table plays")
    job = ended(pool.submit("a", design, paytable, Target.around("10%", "1%"), (8,)), 90)
    assert job.state is State.DONE, job.problem
    assert job.result.designs[0].evaluations[8].strategy.actions[(10, 10), 6] == "stand"


def test_a_closed_pool_ends_its_processes() -> None:
    other = Pool(1)
    job = other.submit("a", functions.wait, 60)
    running(job)
    started = time.monotonic()
    other.close()
    assert ended(job).state is State.CANCELLED
    assert time.monotonic() - started < 10
