"""Runs and campaigns on workers give the same results as one process, also if workers are lost."""

from __future__ import annotations

import json
import logging
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import Client, LocalCluster

from dra_conform.cli import exits
from dra_conform.conformance.implementation import CannotStart
from dra_conform.workers.pool import WorkerPool, worker_pool
from tests.support.cli.calling import IMPLEMENTATIONS, Call, CompletedCommand, code_of
from tests.support.conformance.suite.writing import suite
from tests.support.reports.json_reports import without_times

pytestmark = [
    # dask closes its sockets shortly after it reports that they are closed.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

ADAPTER = f"exec:{sys.executable} -S -E {Path(__file__).parents[2] / 'tools' / 'adapters' / 'first_fit.py'}"
GOLDEN = """\
document: KEP-5075
area: rounding
title: A trial
cases:
  - case: amount
    title: A request for <amount> consumes it
    requirements: [KEP-5075/rounding/step-up]
    given:
      - devices: [{device: d, allowMultipleAllocations: true, capacity: {bw: 1000}}]
      - resourceClaim: {name: c, capacity: {bw: <amount>}}
    when: {allocate: {resourceClaims: [c]}}
    then: [{consumes: {resourceClaim: c, capacity: {bw: <amount>}}}]
    table: {columns: [amount], rows: [ROWS]}
"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Start a dask scheduler with two workers; return its address."""
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster:
        yield cluster.scheduler_address


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a suite of 250 cases, which are three parts, and implementations."""
    rows = ", ".join(f"[{number}]" for number in range(1, 251))
    suite(tmp_path / "suite", golden_text=GOLDEN.replace("ROWS", rows))
    (tmp_path / "trial_implementations.py").write_text(IMPLEMENTATIONS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    def run(*arguments: str) -> CompletedCommand:
        return CompletedCommand(code_of(arguments), *capsys.readouterr())

    return run


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["builtin", pytest.param(ADAPTER, marks=pytest.mark.slow)])
def test_workers_give_the_results_of_one_process(call: Call, folder: Path, address: str, spec: str) -> None:
    trial = ("run", "--suite", "suite", "-i", spec, *(("--ask-again",) if spec == "builtin" else ()))
    alone = call(*trial, "--json", "one.json", "--events", "one")
    result = call(*trial, "--json", "two.json", "--events", "two", "--cluster", address)
    assert result.code == alone.code
    assert without_times(folder / "two.json") == without_times(folder / "one.json")
    resumed = call(*trial, "--json", "three.json", "--resume", "two", "--cluster", address)
    assert resumed.code == alone.code
    assert without_times(folder / "three.json") == without_times(folder / "one.json")


@pytest.mark.slow
def test_a_resumed_run_judges_the_missing_cases(call: Call, folder: Path, address: str) -> None:
    trial = ("run", "--suite", "suite")
    call(*trial, "--json", "one.json", "--events", "one")
    written = (folder / "one").read_bytes()
    (folder / "half").write_bytes(written[: len(written) // 2])
    assert call(*trial, "--json", "two.json", "--resume", "half", "--cluster", address).code == exits.OK
    assert without_times(folder / "two.json") == without_times(folder / "one.json")


@pytest.mark.slow
def test_equal_failures_of_all_cases_abort_the_run(call: Call, folder: Path, address: str) -> None:
    (folder / "none.py").write_text("import sys\nsys.exit(3)\n", "utf-8")
    for more in ((), ("--cluster", address)):
        result = call("run", "--suite", "suite", "-i", f"exec:{sys.executable} none.py", *more)
        assert result.code == exits.NOT_RUNNABLE


@pytest.mark.slow
def test_fuzzing_does_not_depend_on_the_number_of_workers(call: Call, folder: Path) -> None:
    trial = (
        "fuzz",
        "-i",
        "builtin",
        "-i",
        ADAPTER,
        "--cases",
        "1010",
        "--seed",
        "5",
    )
    one = call(*trial, "--out", "one")
    more = call(*trial, "--out", "more", "--workers", "2")
    assert one.code == more.code == exits.FAILURES
    outputs = [re.sub(r" in [0-9.]+ s|(one|more)/", "", result.out) for result in (one, more)]
    assert outputs[0] == outputs[1]
    assert sorted(path.name for path in Path("one").iterdir()) == sorted(
        path.name for path in Path("more").iterdir()
    )


@pytest.mark.slow
def test_fuzzed_scenarios_do_not_depend_on_the_number_of_workers(
    call: Call, folder: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dra_conform.workers.running_scenarios.SCENARIOS", 10)
    trial = (
        "fuzz",
        "-i",
        "builtin",
        "-i",
        "builtin",
        "--multi-step",
        "pods",
        "--cases",
        "25",
        "--first",
        "3",
    )
    releases = ("--profile", "kubernetes-1.37", "--against", "kubernetes-1.36", "--shrink", "5", "--reached")
    one = call(*trial, *releases, "--out", "one")
    more = call(*trial, *releases, "--out", "more", "--cluster", address)
    assert one.code == more.code == exits.FAILURES
    outputs = [re.sub(r" in [0-9]+ s|(one|more)/", "", result.out) for result in (one, more)]
    assert outputs[0] == outputs[1]
    finds = [
        {path.name: path.read_text("utf-8") for path in Path(name).iterdir()} for name in ("one", "more")
    ]
    assert finds[0] == finds[1] != {}


@pytest.mark.slow
def test_workers_report_an_implementation_without_scenarios(call: Call, folder: Path, address: str) -> None:
    (folder / "none.py").write_text("import sys\nsys.exit(3)\n", "utf-8")
    trial = ("fuzz", "-i", "builtin", "-i", f"exec:{sys.executable} none.py", "--multi-step", "pods")
    for more in ((), ("--cluster", address)):
        result = call(*trial, *more)
        assert result.code == exits.NOT_RUNNABLE
        assert "the adapter ended before its hello" in result.err


@pytest.mark.slow
def test_after_the_deadline_only_the_next_part_is_awaited() -> None:
    with worker_pool("", 1) as pool:
        assert list(pool.in_order(slowly, range(9), until=time.monotonic())) == [0]
        assert list(pool.in_order(slowly, range(3), until=time.monotonic() + 600)) == [0, 1, 4]
        some = list(pool.in_order(slowly, range(99), until=time.monotonic() + 2))
        assert some == [number * number for number in range(len(some))]
        assert len(some) < 99


def slowly(number: int) -> int:
    time.sleep(0.2)
    return number * number


def deadly(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.mark.slow
def test_a_part_of_a_lost_worker_is_run_again() -> None:
    with worker_pool("", 2) as pool:
        processes = pool.processes()
        killing = threading.Timer(1, lambda: os.kill(processes[0], signal.SIGKILL))
        killing.start()
        assert list(pool.in_order(slowly, range(30))) == [number * number for number in range(30)]
        killing.join()
        assert set(pool.processes()) - set(processes)


@pytest.mark.slow
def test_a_scheduler_that_ends_leaves_an_incomplete_run(folder: Path) -> None:
    """Judged cases stay in the report, the rest is not run, and no traceback is printed."""
    scheduler = _started("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    worker = _started("worker", "--nworkers", "1", "--nthreads", "1", "--no-dashboard")
    address = json.loads(_when_written(folder / "scheduler.json", "}"))["address"]
    (folder / "slow.py").write_text(_SLOW, "utf-8")
    command = ["run", "--suite", "suite", "-i", f"exec:{sys.executable} -S -E slow.py", "--cluster", address]
    files = ["--json", "report.json", "--junit", "junit.xml", "--events", "events"]
    run = subprocess.Popen(
        [sys.executable, "-m", "dra_conform", *command, *files], text=True, stderr=subprocess.PIPE
    )
    try:
        _when_written(folder / "events", "case-finished")
        scheduler.kill()
        _, stderr = run.communicate(timeout=60)
    finally:
        for process in (run, worker, scheduler):
            process.kill()
            process.wait()
    report = json.loads((folder / "report.json").read_text("utf-8"))
    assert run.returncode == exits.INCOMPLETE
    assert "Traceback" not in stderr
    assert report["aborted"] == "the dask scheduler has ended or cannot be reached"
    assert report["summary"]["unsupported"] >= 100  # the first part had come
    assert report["summary"]["unsupported"] + report["summary"]["not-run"] == 250
    assert ' errors="0"' not in (folder / "junit.xml").read_text("utf-8").splitlines()[1]


_SLOW = f"""\
import sys, time
sys.argv[1:] = []
time.sleep(1)
exec(open({ADAPTER.rsplit(" ", 1)[1]!r}).read())
"""


def _started(what: str, *options: str) -> subprocess.Popen[bytes]:
    file = ["--scheduler-file", "scheduler.json"]
    command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *file, *options]
    return subprocess.Popen(command, stderr=subprocess.DEVNULL)


def _when_written(path: Path, part: str) -> str:
    """Return the content of a file that another process writes, once it contains the given part."""
    for _ in range(600):
        if path.exists() and part in (text := path.read_text("utf-8")):
            return text
        time.sleep(0.1)
    raise AssertionError(f"{path} is not written")


@pytest.mark.slow
def test_a_part_that_ends_every_worker_is_an_error() -> None:
    with worker_pool("", 2) as pool, pytest.raises(CannotStart, match="several workers ended"):
        list(pool.in_order(deadly, range(8)))


@pytest.mark.slow
def test_an_interrupted_start_of_workers_prints_no_traceback_of_asyncio(address: str) -> None:
    """asyncio logs each task that Ctrl-C ended while the workers started."""
    with worker_pool(address, 0):
        assert not logging.getLogger("asyncio").isEnabledFor(logging.ERROR)


@pytest.mark.slow
def test_parts_are_read_lazily(address: str) -> None:
    taken: list[int] = []

    def parts() -> Iterator[int]:
        for number in range(1000):
            taken.append(number)
            yield number

    with Client(address, set_as_default=False) as client:
        done = WorkerPool(client).in_order(as_it_is, parts())
        assert next(done) == 0
        done.close()
    assert len(taken) <= 10


def as_it_is(number: int) -> int:
    return number


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(
            ("run", "--cluster", "tcp://127.0.0.1:9"),
            "--cluster: tcp://127.0.0.1:9: no dask scheduler answers",
            marks=pytest.mark.slow,
        ),
        (("run", "--cluster", "nonsense"), "--cluster: nonsense: no dask scheduler answers"),
        (("run", "--workers", "0"), "'0' is not a number of processes, expected 1 to 1024"),
        (("run", "--workers", "2", "--max-failures", "3"), "--max-failures: works only in one process"),
        (("run", "--workers", "2", "--in-process"), "--in-process: works only in one process"),
    ],
)
def test_bad_usage(call: Call, folder: Path, arguments: tuple[str, ...], message: str) -> None:
    suite_option = ("--suite", "suite") if arguments[0] == "run" else ()
    result = call(*arguments, *suite_option)
    assert result.code == exits.USAGE
    assert message in result.err
