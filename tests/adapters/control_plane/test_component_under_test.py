"""Requests to a control plane with a component under test: which are sent, and what its failures cost."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from dra_conform.adapters.control_plane import plane_runner
from dra_conform.adapters.control_plane.control_plane_file import ControlPlaneFile, ReplacingComponent
from dra_conform.adapters.control_plane.implementation import KubeImplementation
from dra_conform.adapters.control_plane.manifests import read_manifests
from dra_conform.adapters.control_plane.replaced_component import ReplacedFailed
from dra_conform.conformance.implementation import CannotStart, Reply, Request, Status, Suite
from dra_conform.kube.errors import InputErrors
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile

SCHEDULER = ReplacingComponent(("./my-scheduler", "--gates={gates}"), version="2.0")
ANSWER = {"outcome": "observed", "observations": []}


class Plane:
    """A control plane whose component ends as a test says; `sent` are the requests that reach it."""

    def __init__(self, ends: ReplacedFailed | None = None) -> None:
        self.ends = ends
        self.sent: list[Json] = []

    def check_replaced(self) -> None:
        if self.ends is not None:
            raise self.ends

    def replaced_logs(self) -> str:
        return "the end of the log"

    def close(self) -> None:
        pass


def opened(
    plane: Plane, monkeypatch: pytest.MonkeyPatch, **components: ReplacingComponent
) -> KubeImplementation:
    def run(objects: Json, ask: Mapping[str, Json], profile: Profile) -> Json:
        plane.sent.append(ask)
        if "fails" in ask:
            raise ask["fails"]
        return ANSWER

    monkeypatch.setattr(plane_runner, "ControlPlane", lambda *_, **__: plane)
    operations = dict.fromkeys(("cluster", "allocate", "admit"), run)
    monkeypatch.setattr(plane_runner, "_operations", lambda _: operations)
    replaced = {name.replace("_", "-"): component for name, component in components.items()}
    return KubeImplementation(ControlPlaneFile("v1.37.1", replaced), spec="kube:file.yaml")


def reply(kube: KubeImplementation, **ask: Json) -> Reply:
    kube.start(Suite("", "", ""))
    profile = Profile.named("kubernetes-1.37")
    [found] = kube.run([Request(1, "case", "cluster", profile, {}, {"actions": [], **ask})])
    return found


def test_the_report_names_the_component_and_its_command(monkeypatch: pytest.MonkeyPatch) -> None:
    identity = opened(Plane(), monkeypatch, scheduler=SCHEDULER).start(Suite("", "", ""))
    assert (identity.name, identity.version) == ("my-scheduler 2.0 as scheduler of Kubernetes", "v1.37.1")
    assert identity.components == {"scheduler": "./my-scheduler '--gates={gates}'"}
    assert identity.operations == {"allocate", "cluster"}


def test_controllers_get_only_scenarios(monkeypatch: pytest.MonkeyPatch) -> None:
    kube = opened(Plane(), monkeypatch, claim_controller=SCHEDULER)
    assert kube.start(Suite("", "", "")).operations == {"cluster"}


def test_a_scenario_about_other_components_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    plane = Plane()
    found = reply(opened(plane, monkeypatch, scheduler=SCHEDULER), judges=["admission"])
    expected = (Status.UNDECLARED, "the scenario judges nothing that the scheduler decides", [])
    assert (found.status, found.detail, plane.sent) == expected


def test_a_scenario_about_the_component_has_the_end_of_its_log(monkeypatch: pytest.MonkeyPatch) -> None:
    found = reply(opened(Plane(), monkeypatch, scheduler=SCHEDULER), judges=["scheduler"])
    assert (found.status, found.log) == (Status.OK, "the end of the log")


def test_a_component_that_does_not_start_costs_the_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    failed = ReplacedFailed("scheduler mine: ended with exit code 1", "no such flag\n")
    found = reply(opened(Plane(), monkeypatch, scheduler=SCHEDULER), fails=failed)
    assert (found.status, found.detail, found.log) == (Status.CRASH, str(failed), "no such flag\n")


def test_a_component_that_ends_during_a_scenario_costs_the_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    failed = ReplacedFailed("scheduler mine: ended with signal 6", "panic\n")
    found = reply(opened(Plane(failed), monkeypatch, scheduler=SCHEDULER))
    assert (found.status, found.detail, found.log) == (Status.CRASH, str(failed), "panic\n")


MANIFESTS = {
    "kind: Role\n": ":1: has no apiVersion, expected a Kubernetes object",
    "- 1\n": ":1: is not an object",
    "apiVersion: v1\nkind: List\nitems: [1]\n": ":3: items[0]: is not an object",
    "apiVersion: v1\nkind: Namespace\nmetadata: {name: 1}\n": ":3: metadata.name: is missing",
    "a: [\n": ":",
}


@pytest.mark.parametrize("text", MANIFESTS)
def test_a_malformed_manifest_has_its_line(text: str, tmp_path: Path) -> None:
    path = tmp_path / "crds.yaml"
    path.write_text(text)
    with pytest.raises(InputErrors) as raised:
        read_manifests([str(path)])
    assert str(raised.value).startswith(f"{path}{MANIFESTS[text]}")


def test_manifests_of_folders_lists_and_documents_are_read_in_order(tmp_path: Path) -> None:
    path = tmp_path / "all.yaml"
    objects = (f"{{apiVersion: v1, kind: Namespace, metadata: {{name: {name}}}}}" for name in "abc")
    first, second, third = objects
    path.write_text(f"{first}\n---\n---\napiVersion: v1\nkind: List\nitems:\n- {second}\n- {third}\n")
    manifests = read_manifests([str(tmp_path)])
    assert [(each.line, each.written["metadata"]["name"]) for each in manifests] == [
        (1, "a"),
        (7, "b"),
        (8, "c"),
    ]


def test_a_missing_manifest_ends_the_run_before_it_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    component = ReplacingComponent(("./s",), manifests=("no-such-file.yaml",))
    with pytest.raises(CannotStart, match=r"no-such-file\.yaml: cannot be read"):
        opened(Plane(), monkeypatch, scheduler=component).start(Suite("", "", ""))
