"""Kubelets that end, hang or answer nonsense get a verdict, and nothing of them is left."""

from __future__ import annotations

import shlex
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from dra_conform.adapters.kubelet import program, scenario
from dra_conform.adapters.kubelet.implementation import KubeletImplementation
from dra_conform.adapters.specs import BadSpec, open_implementation
from dra_conform.conformance.implementation import CannotStart, Reply, Request, Status, Suite
from dra_conform.kube.profile import Profile

SUITE = Suite("tests", "1", "sha256:0")
POD: dict[str, Any] = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "p", "namespace": "default", "uid": "1"},
    "spec": {"containers": [{"name": "main", "image": "i"}]},
}
DESCRIBED = '{"value": {"version": "v1.37.1", "gates": []}}'


def kubelet(answers: str) -> KubeletImplementation:
    """Return a kubelet that answers each command with the value of a Python expression in `do`."""
    code = (
        "import json, os, signal, sys, tempfile, time\n"
        "for line in sys.stdin:\n"
        "    do = json.loads(line)['do']\n"
        f"    print({DESCRIBED!r} if do == 'describe' else {answers}, flush=True)\n"
    )
    return KubeletImplementation(shlex.join((sys.executable, "-c", code)), spec="kubelet:exec:x")


PREPARE: dict[str, Any] = {"do": "prepare", "pods": ["p"]}


def reply_of(
    implementation: KubeletImplementation, profile: str = "kep", action: dict[str, Any] = PREPARE
) -> Reply:
    implementation.start(SUITE)
    ask = {"actions": [action]}
    request = Request(1, "c", "kubelet", Profile.named(profile), {"pods": (POD,)}, ask)
    [reply] = implementation.run([request])
    return reply


@pytest.mark.parametrize("command", ["false", "cat", "/nonexistent/kubelet", "echo '[1]'", "echo '{}'"])
def test_a_command_that_is_no_kubelet_cannot_start(command: str) -> None:
    with pytest.raises(CannotStart):
        KubeletImplementation(command, spec="kubelet:exec:x").start(SUITE)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("/nonexistent/kubelet", "cannot run '/nonexistent/kubelet': No such file or directory"),
        ("nonexistent-kubelet", "cannot run 'nonexistent-kubelet' in PATH: No such file or directory"),
        ("false", "false: describe: the kubelet has ended"),
    ],
)
def test_the_message_says_why_a_command_is_no_kubelet(command: str, message: str) -> None:
    with pytest.raises(CannotStart) as found:
        KubeletImplementation(command, spec="kubelet:exec:x").start(SUITE)
    assert message in str(found.value)


@pytest.mark.parametrize(
    "answers",
    [
        "exit()",
        "'no JSON'",
        "'[]'",
        "'{\"value\": 7}'",
        '\'{"value": {"main": [1]}}\'',
        '\'{"error": "no"}\'',
        "'['*200000",
        "'{\"value\": [1]}'",
        '\'{"value": {"main": {"cdi": [[1]]}}}\'',
        '\'{"value": null}\' if do != "metrics" else \'{"value": [{"name": "n"}]}\'',
    ],
)
def test_nonsense_is_a_failure_of_the_kubelet(answers: str) -> None:
    reply = reply_of(kubelet(answers))
    assert (reply.status, bool(reply.detail)) == (Status.FAILED, True)
    assert "bug" not in reply.detail


def test_a_kubelet_that_makes_no_call_is_killed_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scenario, "CALL_SECONDS", 0.1)
    action = {"do": "restart-during-call", "pod": "p", "call": "prepare", "removed": True}
    reply = reply_of(kubelet("'{\"value\": null}'"), action=action)
    assert (reply.status, reply.detail) == (Status.OK, "")


def test_a_kubelet_that_stops_its_supervisor_is_killed() -> None:
    stop = "(os.kill(os.getppid(), signal.SIGSTOP), exit())"
    reply = reply_of(kubelet(f"'' if do != 'start' else {stop}"))
    assert reply.status is Status.FAILED


@pytest.mark.parametrize(
    "endless", [{"do": "wait", "seconds": 10**9}, {"do": "prepare", "pods": ["p"], "times": 10**9}]
)
def test_a_scenario_without_end_is_ended(endless: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scenario, "SCENARIO_SECONDS", 2.0)
    implementation = kubelet("'{\"value\": null}'")
    implementation.start(SUITE)
    ask = {"actions": [endless, {"do": "prepare", "pods": ["p"]}]}
    request = Request(1, "c", "kubelet", Profile.named("kep"), {"pods": (POD,)}, ask)
    [reply] = implementation.run([request])
    problems = [observation.problem for observation in reply.answer.observations]
    assert "the scenario takes longer than 2 s" in problems


def test_a_kubelet_that_reads_no_commands_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "COMMAND_SECONDS", 1.0)
    monkeypatch.setitem(POD["metadata"], "annotations", {"a": "a" * 2**18})
    implementation = KubeletImplementation(f"yes '{DESCRIBED}'", spec="kubelet:exec:x")
    reply = reply_of(implementation)
    assert "the kubelet does not read the command within 1 seconds" in reply.detail


def test_temporary_files_of_a_kubelet_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    reply_of(kubelet("tempfile.mkdtemp()"))
    assert [*tmp_path.iterdir()] == []


def test_a_kubelet_that_hangs_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "COMMAND_SECONDS", 1.0)
    reply = reply_of(kubelet("time.sleep(60)"))
    assert (reply.status, "no answer within 1 seconds" in reply.detail) == (Status.FAILED, True)


@pytest.mark.parametrize(
    ("release", "detail"),
    [
        ("1.36", "the kubelet is v1.37.1, and the profile is kubernetes-1.36"),
        ("1.33", "the API server of kubernetes-1.33 does not serve resource.k8s.io/v1"),
    ],
)
def test_a_kubelet_is_not_judged_as_another_release(release: str, detail: str) -> None:
    reply = reply_of(kubelet("exit()"), f"kubernetes-{release}")
    assert (reply.status, reply.detail) == (Status.UNDECLARED, detail)


@pytest.mark.parametrize("spec", ["kubelet:", "kubelet:exec:", "kubelet:other"])
def test_incomplete_specs(spec: str) -> None:
    with pytest.raises(BadSpec):
        open_implementation(spec)
