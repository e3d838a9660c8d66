"""`dra-conform upgrade-check --live`: comparison with control planes, which fakes replace here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from dra_conform.adapters.control_plane import programs, release_clusters
from dra_conform.adapters.specs import open_implementation
from dra_conform.cli import exits
from dra_conform.conformance.implementation import Identity, Implementation, Reply, Request, Status, Suite
from dra_conform.kube.profile import Profile
from tests.cli.test_upgrade_check import CLAIM, DUMP, INVENTORY, POD, POD_LEVEL, QUOTA, TEMPLATE, UPPER_CASE
from tests.support.cli.calling import Call
from tests.support.cli.upgrades import checked_upgrade


@dataclass
class FakePlane:
    """A control plane that the built-in replaces. `profile` returns the profile with which it answers."""

    profile: Callable[[Request], Profile] = lambda request: request.profile
    problem: Reply | BaseException | None = None
    operation: str = "cluster"
    """The operation that has the problem."""
    closed: int = 0
    inner: Implementation = field(default_factory=lambda: open_implementation("builtin"))

    def start(self, suite: Suite) -> Identity:
        return self.inner.start(suite)

    def run(self, requests: Iterable[Request]) -> Iterator[Reply]:
        for request in requests:
            problem = self.problem if request.operation == self.operation else None
            if isinstance(problem, BaseException):
                raise problem
            if problem is not None:
                yield problem
                continue
            yield from self.inner.run([replace(request, profile=self.profile(request))])

    def close(self) -> None:
        self.closed += 1
        self.inner.close()


@pytest.fixture
def planes(monkeypatch: pytest.MonkeyPatch) -> dict[str, FakePlane]:
    """Return the started control planes by version; a test can add one before it is started."""
    found: dict[str, FakePlane] = {}
    monkeypatch.setattr(programs, "newest_of", lambda release: f"v{release}.1")
    monkeypatch.setattr(
        release_clusters, "control_plane", lambda version: found.setdefault(version, FakePlane())
    )
    return found


@pytest.fixture
def check(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that checks a manifest with --live, and returns the exit code and the findings."""
    monkeypatch.chdir(tmp_path)

    def run(manifest: str, first: str, last: str, *options: str) -> tuple[int, list[Any]]:
        return checked_upgrade(call, manifest, first, last, "--live", *options)

    return run


def _as(name: str) -> Callable[[Request], Profile]:
    return lambda _: Profile.named(name)


@pytest.mark.parametrize(
    ("manifest", "first", "last"),
    [
        (UPPER_CASE, "1.35", "1.37"),
        (INVENTORY.replace("COUNT", "2") + CLAIM + POD, "1.34", "1.35"),
        (INVENTORY.replace("COUNT", "2") + CLAIM, "1.35", "1.34"),
        (INVENTORY.replace("COUNT", "1") + DUMP, "1.35", "1.37"),
        (INVENTORY.replace("COUNT", "1") + TEMPLATE, "1.35", "1.36"),
        (INVENTORY.replace("COUNT", "1") + QUOTA + CLAIM, "1.35", "1.36"),
        (POD_LEVEL, "1.34", "1.33"),
    ],
)
def test_equal_behaviour_has_the_same_findings_with_their_causes(
    check: Any, planes: dict[str, FakePlane], manifest: str, first: str, last: str
) -> None:
    _, findings = check(manifest, first, last)
    assert findings
    assert {finding["foundBy"] for finding in findings} == {"simulation and control planes"}
    assert all(finding["causes"] and "simulated" not in finding for finding in findings)


def test_each_release_has_a_control_plane_which_ends_with_the_command(
    check: Any, planes: dict[str, FakePlane]
) -> None:
    check(UPPER_CASE, "1.35", "1.37")
    assert {version: plane.closed for version, plane in planes.items()} == dict.fromkeys(
        ("v1.35.1", "v1.36.1", "v1.37.1"), 1
    )


def test_gates_change_without_another_release(check: Any, planes: dict[str, FakePlane]) -> None:
    manifest = INVENTORY.replace("COUNT", "1") + DUMP
    off = ("--from-gates", "DRADeviceTaintRules=false")
    code, findings = check(manifest, "1.37", "1.37", *off)
    evicted = [finding for finding in findings if finding["aspect"] == "evicted"]
    assert (code, [finding["foundBy"] for finding in evicted]) == (
        exits.FAILURES,
        ["simulation and control planes"],
    )
    assert list(planes) == ["v1.37.1"]


def test_a_finding_of_the_simulation_alone_is_no_error(check: Any, planes: dict[str, FakePlane]) -> None:
    planes["v1.37.1"] = FakePlane(_as("kubernetes-1.36"))
    code, [finding] = check(UPPER_CASE, "1.36", "1.37")
    assert (code, finding["severity"], finding["foundBy"]) == (exits.OK, "error", "simulation")


def test_a_finding_of_control_planes_alone_is_an_error_without_cause(
    check: Any, planes: dict[str, FakePlane]
) -> None:
    planes["v1.36.1"] = FakePlane(_as("kubernetes-1.37"))
    code, findings = check(UPPER_CASE, "1.35", "1.36")
    [finding] = findings
    assert (code, finding["severity"], finding["foundBy"]) == (exits.FAILURES, "error", "control planes")
    assert finding["causes"] == []


def test_text_says_where_a_finding_was_found_and_how_values_differ(
    call: Call, planes: dict[str, FakePlane], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.yaml").write_text(UPPER_CASE, encoding="utf-8")
    arguments = ("upgrade-check", "-f", "m.yaml", "--live", "--from", "1.36", "--to", "1.37")
    assert call(*arguments).out.splitlines()[-1] == (
        "found by both: 1, only on the control planes: 0, only in the simulation: 0"
    )
    planes["v1.37.1"] = FakePlane(_as("kubernetes-1.36"))
    lines = call(*arguments).out.splitlines()
    assert lines[4].strip() == "found in the simulation, not on the control planes"
    assert lines[-1] == "found by both: 0, only on the control planes: 0, only in the simulation: 1"


def test_missing_programs_are_named_with_the_commands_that_build_them(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(programs.FOLDER, str(tmp_path))
    (tmp_path / "m.yaml").write_text(CLAIM, encoding="utf-8")
    file = str(tmp_path / "m.yaml")
    completed = call("upgrade-check", "-f", file, "--live", "--from", "1.36", "--to", "1.37")
    assert (completed.code, completed.out) == (exits.NOT_RUNNABLE, "")
    assert completed.err.startswith(f"--live: no control plane of 1.36 is in {tmp_path}: ")
    for version in ("v1.36.3", "v1.37.1"):
        assert f"`tools/kube-control-plane/build.sh kube-{version}` builds it" in completed.err


@pytest.mark.parametrize("operation", ["cluster", "admit"])
@pytest.mark.parametrize("status", [Status.UNDECLARED, Status.TIMEOUT, Status.CRASH])
def test_a_control_plane_that_fails_is_one_message(
    call: Call, planes: dict[str, FakePlane], tmp_path: Path, status: Status, operation: str
) -> None:
    reply = Reply(0, status, detail="scheduler: no such flag (log: x.log)")
    planes["v1.36.1"] = FakePlane(problem=reply, operation=operation)
    (tmp_path / "m.yaml").write_text(CLAIM, encoding="utf-8")
    file = str(tmp_path / "m.yaml")
    completed = call("upgrade-check", "-f", file, "--live", "--from", "1.36", "--to", "1.37")
    assert (completed.code, completed.out) == (exits.NOT_RUNNABLE, "")
    assert completed.err == "--live: scheduler: no such flag (log: x.log)\n"
    assert planes["v1.36.1"].closed == 1


def test_an_interrupted_check_ends_its_control_planes(
    call: Call, planes: dict[str, FakePlane], tmp_path: Path
) -> None:
    planes["v1.36.1"] = FakePlane(problem=KeyboardInterrupt())
    (tmp_path / "m.yaml").write_text(CLAIM, encoding="utf-8")
    file = str(tmp_path / "m.yaml")
    completed = call("upgrade-check", "-f", file, "--live", "--from", "1.36", "--to", "1.37")
    assert (completed.code, planes["v1.36.1"].closed) == (exits.INTERRUPTED, 1)
