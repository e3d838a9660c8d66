"""Faults of an adapter are reported for the right case, and other cases keep their replies."""

from __future__ import annotations

import re
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dra_conform.adapters.exec import ExecImplementation
from dra_conform.adapters.faults import Limits
from dra_conform.conformance.allocate.answer import Outcome
from dra_conform.conformance.implementation import CannotStart, Reply, Request, Status, Suite
from dra_conform.kube.profile import Profile
from tests.support.rows import mostly_slow

ADVERSARY = Path(__file__).parents[1] / "support" / "adapters" / "adversaries" / "adversary.py"
SUITE = Suite("tests", "1", "sha256:0")
LIMITS = Limits(start=10, configure=0.3, bye=0.2, terminate=0.1, max_frame=1_000_000)
KEP = Profile.named("kep")


def adversary(behaviour: str, window: int = 1, limits: Limits = LIMITS) -> ExecImplementation:
    # -S -E: a bare interpreter starts in a third of the time
    return ExecImplementation(
        (sys.executable, "-S", "-E", str(ADVERSARY), behaviour, str(window)), limits=limits
    )


def request(number: int, case_id: str = "", profile: Profile = KEP, deadline_ms: int = 10_000) -> Request:
    ask = {"node": "node-1", "claims": ["default/c"]}
    return Request(number, case_id or f"case-{number}", "allocate", profile, {}, ask, deadline_ms=deadline_ms)


def cases(count: int = 10, bad: int = 4, deadline_ms: int = 10_000) -> list[Request]:
    return [request(n, "bad" if n == bad else "", deadline_ms=deadline_ms) for n in range(count)]


def replies(implementation: ExecImplementation, requests: list[Request]) -> dict[int, Reply]:
    implementation.start(SUITE)
    try:
        found = list(implementation.run(iter(requests)))
    finally:
        implementation.close()
    assert sorted(reply.id for reply in found) == [request.id for request in requests], "one reply each"
    return {reply.id: reply for reply in found}


@pytest.fixture(autouse=True)
def _nothing_left_behind() -> Iterator[None]:
    threads = threading.active_count()
    descriptors = len(list(Path("/proc/self/fd").iterdir()))
    children = _children()  # an earlier test can have started the resource tracker of multiprocessing
    yield
    assert threading.active_count() == threads
    assert len(list(Path("/proc/self/fd").iterdir())) == descriptors
    assert _children() == children


def _children() -> set[str]:
    """Return the IDs of the child processes of this process, running or zombies."""
    tasks = Path("/proc/self/task").iterdir()
    return {child for task in tasks for child in (task / "children").read_text("ascii").split()}


FAULTS = [
    ("exit", Status.CRASH, "exit code 3"),
    ("segfault", Status.CRASH, "signal SIGSEGV"),
    ("exception", Status.CRASH, "exit code 1"),
    ("leaves-child", Status.CRASH, "exit code 4"),
    ("closes-stdout", Status.CRASH, "closed its stdout"),
    ("exit-after-answer", Status.CRASH, "exit code 5"),
    ("endless-line", Status.PROTOCOL, "more than 1000000 bytes"),
    ("long-frame", Status.PROTOCOL, "more than 1000000 bytes"),
    ("flood-stdout", Status.PROTOCOL, "la la la"),
    ("junk-before", Status.PROTOCOL, "debug: here"),
    ("junk-after", Status.PROTOCOL, "debug: here"),
    ("not-an-object", Status.PROTOCOL, "not an object"),
    ("nested", Status.PROTOCOL, "not a message"),
    ("wrong-id", Status.PROTOCOL, "no request has"),
    ("text-id", Status.PROTOCOL, "without a valid id"),
    ("bool-id", Status.PROTOCOL, "without a valid id"),
    ("no-id", Status.PROTOCOL, "without a valid id"),
    ("doubled-id", Status.PROTOCOL, "more than once"),
    ("wrong-type", Status.PROTOCOL, "'result' was expected"),
    ("no-status", Status.PROTOCOL, "'status'"),
    ("no-outcome", Status.PROTOCOL, "'outcome'"),
    ("odd-outcome", Status.PROTOCOL, "perhaps"),
    ("no-allocations", Status.PROTOCOL, "'allocations'"),
    ("number-as-quantity", Status.PROTOCOL, "/allocations/default~1c/devices/results/0/consumedCapacity/bw"),
    ("failed", Status.FAILED, "my own bug"),
    ("unsupported", Status.UNSUPPORTED, "some-feature: link"),
    ("unknown-fields", Status.OK, ""),
]


PIPELINED = frozenset(
    [
        "exit",
        "exit-after-answer",
        "endless-line",
        "flood-stdout",
        "junk-before",
        "junk-after",
        "wrong-id",
        "doubled-id",
        "no-status",
    ]
)
ROWS = [(*row, 4) for row in FAULTS if row[0] in PIPELINED] + [(*row, 1) for row in FAULTS]


@pytest.mark.parametrize(
    ("behaviour", "status", "detail", "window"),
    mostly_slow([pytest.param(*row, id=f"{row[0]}-{row[3]}") for row in ROWS], 15),
)
def test_a_fault_is_reported_for_its_case(behaviour: str, status: Status, detail: str, window: int) -> None:
    found = replies(adversary(behaviour, window), cases())
    assert {n: reply.status for n, reply in found.items()} == {
        n: status if n == 4 else Status.OK for n in range(10)
    }
    assert detail in found[4].detail


SILENT = [
    ("hang", Status.TIMEOUT, "no answer within 300 ms"),
    ("stubborn", Status.TIMEOUT, "no answer within 300 ms"),
    ("hang-with-child", Status.TIMEOUT, "no answer within 300 ms"),
    ("junk-instead", Status.PROTOCOL, "Traceback"),
    ("half-a-frame", Status.PROTOCOL, "not JSON"),
    ("not-utf-8", Status.PROTOCOL, "not UTF-8: byte 0xff at position 23"),
    ("no-line-end", Status.TIMEOUT, "no answer within 300 ms, but 71 bytes without a line end (LF)"),
]


@pytest.mark.parametrize(
    ("behaviour", "status", "detail", "window"),
    mostly_slow([(*SILENT[0], 4), (*SILENT[3], 4), *((*row, 1) for row in SILENT)], 3),
)
def test_a_timeout_is_reported_for_its_case(behaviour: str, status: Status, detail: str, window: int) -> None:
    found = replies(adversary(behaviour, window), cases(deadline_ms=300))
    assert {n: reply.status for n, reply in found.items()} == {
        n: status if n == 4 else Status.OK for n in range(10)
    }
    assert detail in found[4].detail


@pytest.mark.parametrize("window", [1, 4])
def test_repeated_answers_to_a_judged_request_are_a_flood_with_one_warning(window: int) -> None:
    implementation = adversary("flood-doubled-id", window)
    found = replies(implementation, cases(deadline_ms=2000))
    assert {n for n, reply in found.items() if reply.status is not Status.OK} == {4}
    assert found[4].status is Status.PROTOCOL
    assert found[4].detail.startswith("more than 1000 lines on stdout are not the answer, such as a second")
    assert [text for text in implementation.warnings if "second answer" in text] == [
        "a second answer with id 1 came after the first was judged, expected one answer"
    ]


def test_the_deadline_ends_a_case_while_repeated_answers_are_queued() -> None:
    implementation = adversary("flood-doubled-id", limits=replace(LIMITS, junk_lines=10**9))
    found = replies(implementation, cases(deadline_ms=1000))
    assert {n for n, reply in found.items() if reply.status is not Status.OK} == {4}
    assert found[4].status is Status.TIMEOUT


@pytest.mark.parametrize("window", [1, 4])
def test_a_closed_stdin_is_found_before_the_deadline(window: int) -> None:
    found = replies(adversary("closes-stdin", window), cases())
    assert [n for n, reply in found.items() if reply.status is not Status.OK] == [4]
    assert found[4].status is Status.CRASH
    assert "closed its stdin" in found[4].detail


def test_a_fault_has_the_stderr_of_its_case() -> None:
    found = replies(adversary("exception"), cases())
    assert "out of ideas" in found[4].log
    assert "RuntimeError: ouch" in found[4].log
    assert found[3].log == ""


def test_much_stderr_neither_blocks_nor_changes_the_verdict() -> None:
    found = replies(adversary("flood-stderr", 4), cases())
    assert {reply.status for reply in found.values()} == {Status.OK}
    assert all(len(reply.log) <= 4096 for reply in found.values())


def test_a_failed_status_keeps_its_traceback() -> None:
    assert replies(adversary("failed"), cases())[4].log == "line 1"


def test_large_frames_both_ways_do_not_deadlock() -> None:
    load = {"nodes": ({"metadata": {"name": "x" * 500_000}},)}
    requests = [replace(request(n), objects=load) for n in range(24)]
    found = replies(adversary("big-answers", 8), requests)
    assert {reply.status for reply in found.values()} == {Status.OK}


def test_answers_may_come_in_any_order_within_the_window() -> None:
    requests = [*cases(7, bad=-1), request(7, "last")]
    found = replies(adversary("out-of-order", 4), requests)
    assert {reply.status for reply in found.values()} == {Status.OK}


def test_a_wrong_answer_is_not_a_fault() -> None:
    reply = replies(adversary("always-wrong"), [request(0)])[0]
    assert reply.status is Status.OK
    assert reply.answer is not None
    assert reply.answer.outcome is Outcome.ALLOCATED
    results = reply.answer.allocations["default/c"]["devices"]["results"]
    assert results == [{"request": "r0", "driver": "none", "pool": "none", "device": "none"}]


def test_the_identity_is_what_the_adapter_declares() -> None:
    implementation = adversary("claims-all")
    identity = implementation.start(SUITE)
    found = list(implementation.run([request(0)]))
    implementation.close()
    assert (identity.name, identity.version) == ("claims-all", "1")
    assert identity.features == {"consumable-capacity": "full", "odd": "partial"}
    assert identity.operations == {"allocate"}
    assert identity.spec.startswith("exec:")
    assert [reply.status for reply in found] == [Status.UNSUPPORTED]


@pytest.mark.parametrize("window", [1, 3])
def test_a_crash_by_count_hits_the_case_it_happened_in(window: int) -> None:
    found = replies(adversary("crash-on-fifth", window), cases(7, bad=-1))
    assert [n for n, reply in found.items() if reply.status is Status.CRASH] == [4]
    assert {reply.status for n, reply in found.items() if n != 4} == {Status.OK}


def test_three_crashes_in_a_row_end_the_run() -> None:
    found = replies(adversary("crash-always"), cases(6))
    assert [reply.status for reply in found.values()] == [Status.CRASH] * 3 + [Status.NOT_RUN] * 3
    assert "3 cases in a row" in found[5].detail


def test_too_many_restarts_end_the_run() -> None:
    limits = replace(LIMITS, restarts=2)
    found = replies(adversary("crash-every-third", limits=limits), cases(12, bad=-1))
    statuses = [reply.status for reply in found.values()]
    assert statuses == [Status.OK, Status.OK, Status.CRASH] * 3 + [Status.NOT_RUN] * 3
    assert "restarted more than 2 times" in found[11].detail


def test_three_crashes_apart_do_not_end_the_run() -> None:
    found = replies(adversary("crash-every-third"), cases(12, bad=-1))
    assert [n for n, reply in found.items() if reply.status is Status.CRASH] == [2, 5, 8, 11]


CANNOT_START = [
    ("never-hello", "no hello message within 0.3 s"),
    ("junk-for-hello", "no hello message within 0.3 s; stdout has 'hello world', expected a JSON object"),
    ("empty-hello", "hello message: is missing 'protocol', 'implementation', 'operations'"),
    ("dies-at-start", "exit code 1"),
    ("dies-at-start", "no configuration found"),
    ("bad-hello", "/implementation: is missing 'version'"),
    ("other-protocol", "the adapter chose protocol 2, expected 1"),
    ("result-for-hello", "type 'result'"),
    ("protocol-error", "protocol-version: only 7"),
]


@pytest.mark.parametrize(("behaviour", "message"), CANNOT_START)
def test_an_adapter_without_a_valid_hello_cannot_start(behaviour: str, message: str) -> None:
    limits = replace(LIMITS, start=0.3) if behaviour in ("never-hello", "junk-for-hello") else LIMITS
    implementation = adversary(behaviour, limits=limits)
    with pytest.raises(CannotStart, match=message):
        implementation.start(SUITE)
    implementation.close()


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        ("/nowhere/to/be/found", "cannot run '/nowhere/to/be/found': No such file or directory"),
        ("./nowhere", f"cannot run './nowhere' in {Path.cwd()}: No such file or directory"),
        ("no-such-program", "cannot run 'no-such-program' in PATH: No such file or directory"),
        (str(Path(__file__)), f"cannot run '{__file__}': Permission denied"),
    ],
)
def test_a_command_that_cannot_be_run(command: str, problem: str) -> None:
    with pytest.raises(CannotStart, match=re.escape(problem)):
        ExecImplementation((command,)).start(SUITE)


def test_junk_before_hello_is_a_warning() -> None:
    implementation = adversary("junk-before-hello")
    found = replies(implementation, cases(2))
    assert {reply.status for reply in found.values()} == {Status.OK}
    assert implementation.warnings == ["skipped a line on stdout before hello: 'Welcome!'"]


def test_an_adapter_with_much_junk_before_hello_cannot_start() -> None:
    implementation = ExecImplementation(("yes",))
    with pytest.raises(CannotStart, match="more than 1000 lines on stdout are not messages, such as 'y'"):
        implementation.start(SUITE)
    implementation.close()


CONFIGURE = [
    ("dies-after-hello", Status.CRASH, "exit code 6"),
    ("dies-at-configure", Status.CRASH, "exit code 7"),
    ("hangs-at-configure", Status.TIMEOUT, "no configured message within 0.3 s"),
    ("forgets-profiles", Status.PROTOCOL, "names p1 (profile kep) neither in accepted nor in refused"),
    ("error-at-configure", Status.UNDECLARED, "cannot do that"),
]


@pytest.mark.parametrize(("behaviour", "status", "detail"), CONFIGURE)
def test_faults_of_configure(behaviour: str, status: Status, detail: str) -> None:
    reply = replies(adversary(behaviour, 4), [request(0)])[0]
    assert reply.status is status
    assert detail in reply.detail


def test_a_timeout_of_configure_is_not_repeated() -> None:
    found = replies(adversary("hangs-at-configure"), cases(5))
    assert [reply.status for reply in found.values()] == [Status.TIMEOUT] + [Status.NOT_RUN] * 4
    assert "does not answer configure for profile kep: no configured message within 0.3 s" in found[4].detail


@pytest.mark.parametrize("window", [1, 4])
def test_a_refused_profile_is_unsupported_and_others_go_on(window: int) -> None:
    release = Profile.named("kubernetes-1.36")
    gated = KEP.with_gates({"DRAConsumableCapacity": False})
    profiles = [KEP, release, gated, KEP, release, gated]
    requests = [request(n, profile=profile) for n, profile in enumerate(profiles)]
    found = replies(adversary("refuses", window), requests)
    statuses = [found[n].status for n in range(6)]
    assert statuses == [Status.OK, Status.UNDECLARED, Status.OK] * 2
    assert found[1].detail == "the adapter declines profile kubernetes-1.36: not that release"


def test_an_operation_that_is_not_declared_is_not_sent() -> None:
    found = replies(adversary("exit"), [replace(request(0, "bad"), operation="admit")])
    assert found[0].status is Status.UNDECLARED


@pytest.mark.parametrize(
    ("behaviour", "warning"),
    [
        ("after-bye", "the adapter wrote to stdout after the bye message"),
        ("ignores-bye", "the adapter did not exit after the bye message and was killed"),
        ("exit-code", "the adapter ended with exit code 3 after the bye message"),
    ],
)
def test_faults_after_bye_are_warnings(behaviour: str, warning: str) -> None:
    implementation = adversary(behaviour)
    found = replies(implementation, cases(2))
    assert {reply.status for reply in found.values()} == {Status.OK}
    assert warning in "\n".join(implementation.warnings)


def test_a_good_adapter_gives_no_warning() -> None:
    implementation = adversary("good", 4)
    replies(implementation, cases())
    assert implementation.warnings == []


def test_processes_of_a_crashed_adapter_are_killed() -> None:
    found = replies(adversary("leaves-child"), cases())
    orphan = int(found[4].log)
    end = time.monotonic() + 5
    while _runs(orphan) and time.monotonic() < end:
        time.sleep(0.01)
    assert not _runs(orphan)


def _runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"  # in a container nobody may reap it


def test_the_time_of_the_caller_does_not_count() -> None:
    implementation = adversary("good", 2)
    implementation.start(SUITE)
    found = []
    for reply in implementation.run(cases(5, deadline_ms=150)):
        time.sleep(0.16)
        found.append(reply.status)
    implementation.close()
    assert found == [Status.OK] * 5


@pytest.mark.parametrize("window", [1, 4])
def test_a_caller_may_stop_early_and_run_again(window: int) -> None:
    implementation = adversary("good", window)
    implementation.start(SUITE)
    running = implementation.run(cases())
    next(running)
    running.close()  # type: ignore[attr-defined]  # a generator
    found = [reply.id for reply in implementation.run([request(42)])]
    implementation.close()
    assert found == [42]


def test_the_environment_is_scrubbed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "x")
    monkeypatch.setenv("DRA_ADAPTER_MODE", "y")
    code = "import os,sys; sys.exit(' '.join(sorted(os.environ)))"
    with pytest.raises(CannotStart) as caught:
        ExecImplementation((sys.executable, "-c", code)).start(SUITE)
    assert "DRA_ADAPTER_MODE" in str(caught.value)
    assert "PATH" in str(caught.value)
    assert "SECRET_TOKEN" not in str(caught.value)
