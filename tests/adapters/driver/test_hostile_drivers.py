"""Hostile drivers get a verdict within a bounded time and leave nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dra_conform.adapters.driver import driver_process, kubelet_calls, plugin_client
from dra_conform.adapters.driver.implementation import DriverImplementation
from dra_conform.conformance.driver.actions import (
    CorruptState,
    DriverQuestion,
    Prepare,
    StopDriver,
    Unprepare,
    WatchHealth,
)
from dra_conform.conformance.implementation import Reply, Request, Status, Suite
from dra_conform.conformance.steps.driver_claims import ClaimSetup, Result
from dra_conform.kube.profile import Profile
from tests.faulty.drivers.hostile import FOLDER_OF_OTHERS, HOSTILE
from tests.support.adapters.driver_nodes import processes_of, short_temporary_folder
from tests.support.adapters.driver_runs import ROOT, faulty_driver, write_driver_file

pytestmark = pytest.mark.slow

QUESTION = DriverQuestion(
    (Prepare(("c",), times=3), Unprepare(("c",)), WatchHealth(), StopDriver("TERM")),
    (ClaimSetup("c", (Result(1),)),),
)
LONGEST = 120.0
"""Seconds for one case on a busy machine, with the limits of `short_limits`."""
LOAD_SECONDS = 180.0
"""Seconds until a run has loaded the suite and started a driver, on a busy machine."""
LARGEST = 2**20
"""The size of an answer, in bytes."""


@pytest.fixture
def short_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugin_client, "CALL_SECONDS", 2.0)
    monkeypatch.setattr(plugin_client, "NOTIFY_SECONDS", 1.0)
    monkeypatch.setattr(kubelet_calls, "HEALTH_SECONDS", 4.0)
    monkeypatch.setattr(driver_process, "END_SECONDS", 3.0)


@pytest.fixture
def temporary(short_limits: None, tmp_path: Path) -> Iterator[Path]:
    """The folder of temporary files; `tmp_path` is made before, outside of it."""
    with short_temporary_folder() as folder:
        yield folder


def reply_of(name: str, folder: Path, question: DriverQuestion = QUESTION) -> Reply:
    [reply] = replies_of(name, folder, question)
    return reply


def replies_of(name: str, folder: Path, *questions: DriverQuestion) -> list[Reply]:
    seconds = 60 if HOSTILE[name].starts else 4  # a busy machine starts a driver slowly
    driver = faulty_driver(name, start_seconds=seconds)
    victim = folder / "others" / "victim"
    victim.parent.mkdir(exist_ok=True)
    victim.write_text("precious")
    path = write_driver_file(
        msgspec.structs.replace(driver, env={**driver.env, FOLDER_OF_OTHERS: str(victim.parent)}), folder
    )
    implementation = DriverImplementation(str(path), spec=f"driver:{path}")
    implementation.start(Suite("", "", ""))
    asks: list[dict[str, Any]] = [msgspec.to_builtins(question) for question in questions]
    profile = Profile.named("kep")
    replies = [
        *implementation.run(
            Request(number, "case", "driver", profile, {}, ask) for number, ask in enumerate(asks)
        )
    ]
    implementation.close()
    return replies


CAN_MOUNT = os.geteuid() == 0 and not subprocess.run(["unshare", "-m", "true"], check=False).returncode


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_driver_gets_a_verdict_and_leaves_nothing(
    name: str, temporary: Path, tmp_path: Path
) -> None:
    if name == "mounts-a-folder-of-others" and not CAN_MOUNT:
        pytest.skip("only root can mount folders")
    began = time.monotonic()
    reply = reply_of(name, tmp_path)
    assert time.monotonic() - began < LONGEST
    assert (tmp_path / "others" / "victim").read_text() == "precious"
    assert reply.status is (Status.OK if HOSTILE[name].starts else Status.FAILED), reply.detail
    assert "Traceback" not in reply.detail, "the driver ended before it was hostile"
    assert len(reply.detail) < 2**14
    assert len(msgspec.json.encode(reply.answer)) < LARGEST
    assert processes_of(temporary) == []
    assert [*temporary.iterdir()] == []
    assert len([*Path("/proc/self/fd").iterdir()]) < 200


def test_a_link_to_a_file_of_others_is_not_damaged(temporary: Path, tmp_path: Path) -> None:
    question = DriverQuestion((Prepare(("c",)), CorruptState("empty")), (ClaimSetup("c", (Result(1),)),))
    reply = reply_of("replaces-its-state-by-a-link", tmp_path, question)
    assert (reply.status, "checkpoint.json" in reply.detail) == (Status.UNSUPPORTED, True)
    assert (tmp_path / "others" / "victim").read_text() == "precious"


def test_a_driver_that_never_starts_is_not_started_for_every_case(temporary: Path, tmp_path: Path) -> None:
    name = next(name for name, driver in HOSTILE.items() if not driver.starts)
    replies = replies_of(name, tmp_path, *[QUESTION] * 20)
    assert {reply.status for reply in replies} == {Status.FAILED}
    given_up = [reply.detail == "the driver is not started again after 3 failed starts" for reply in replies]
    assert 3 <= given_up.count(False) < 10, "as many requests run at the same time as the driver file allows"


HANGING = {
    "prepare-hangs": "the first call ends the scenario",
    "unprepare-hangs": "unprepare ends the scenario",
    "health-hangs": "a hanging health stream is a finding",
}


@pytest.mark.parametrize("name", HANGING)
def test_nothing_is_asked_after_a_call_that_hangs(name: str, temporary: Path, tmp_path: Path) -> None:
    observations = reply_of(name, tmp_path).answer.observations
    calls = [call for observation in observations for call in observation.calls]
    hanging = [call for call in calls if call.error.startswith("DEADLINE_EXCEEDED")]
    assert len(observations) == len(QUESTION.actions)
    if name == "health-hangs":
        assert observations[2].health.reports == ()
    else:
        assert [call.call for call in hanging] == [name.partition("-")[0]]
        assert hanging == calls[-1:]
        assert "skipped" in observations[-1].problem


def test_nothing_is_left_when_the_runner_is_killed(tmp_path: Path) -> None:
    """The driver and its folder are gone soon after SIGKILL of the runner."""
    with short_temporary_folder() as folder:
        path = write_driver_file(faulty_driver("leaves-children"), tmp_path)
        command = (
            sys.executable,
            "-m",
            "dra_conform",
            "run",
            "-i",
            f"driver:{path}",
            "--select",
            "requirement:DRIVER/*",
        )
        environment = {**os.environ, "TMPDIR": str(folder), "PYTHONPATH": str(ROOT)}
        with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL) as runner:
            try:
                until(lambda: [*folder.glob("dra-*/k/plugins_registry/*.sock")], LOAD_SECONDS)
            finally:
                runner.send_signal(signal.SIGKILL)
        until(lambda: not processes_of(folder) and not [*folder.iterdir()])


def until(condition: Any, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it does not happen"
        time.sleep(0.02)
