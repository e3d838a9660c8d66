"""The scenario of an upgrade on real clusters, and the comparison with the simulated upgrade."""

from __future__ import annotations

from typing import Any

import pytest

from dra_conform.kube.profile import Profile
from dra_conform.previews.upgrade_check.check import compared
from dra_conform.previews.upgrade_check.cluster_findings import ClusterFindings
from dra_conform.previews.upgrade_check.cluster_states import ClusterStates, States
from dra_conform.previews.upgrade_check.findings import (
    Aspect,
    CauseKind,
    DifferenceCause,
    FoundBy,
    Scope,
    UpgradeFinding,
    UpgradeSeverity,
    UpgradeStep,
    shown,
)
from dra_conform.previews.upgrade_check.live_scenario import upgrade_scenario

STEP = UpgradeStep(Profile.named("kubernetes-1.36"), Profile.named("kubernetes-1.37"))
CAUSE = DifferenceCause(CauseKind.GATE, "Gate", "is off in 1.36 and on in 1.37")
EVERY = ["apiserver", "scheduler", "controller-manager", "kubelet"]


def _upgrade(*profiles: Profile) -> list[Any]:
    """Return the actions of an upgrade that change gates or releases."""
    actions = upgrade_scenario([], [], profiles, 0).actions
    assert {tuple(action["components"]) for action in actions if "components" in action} <= {tuple(EVERY)}
    return [action.get("release") or action["gates"] for action in actions if "components" in action]


def test_each_step_replaces_all_components_and_then_waits() -> None:
    profiles = [Profile.named(f"kubernetes-1.{minor}") for minor in (35, 36, 37)]
    assert _upgrade(*profiles) == ["1.36", "1.37"]
    scenario = upgrade_scenario([], [], profiles, 0)
    assert [action["do"] for action in scenario.actions] == [
        "settle",
        "set-version",
        "settle",
        "set-version",
        "settle",
    ]
    assert scenario.settled == [0, 2, 4]


def test_time_passes_after_each_step() -> None:
    actions = upgrade_scenario([], [], [STEP.before, STEP.after], 30).actions
    assert [action["do"] for action in actions] == [
        "settle",
        "advance",
        "settle",
        "set-version",
        "advance",
        "settle",
    ]


def test_gates_change_after_the_release() -> None:
    off = {"DRADeviceTaintRules": False}
    assert _upgrade(STEP.before, STEP.after.with_gates(off)) == ["1.37", off]
    assert _upgrade(STEP.after.with_gates(off), STEP.after) == [{"DRADeviceTaintRules": True}]


def test_a_gate_that_the_new_release_has_locked_is_restored_before() -> None:
    off = STEP.before.with_gates({"DRAExtendedResource": False})
    assert _upgrade(off, STEP.after) == [{"DRAExtendedResource": True}, "1.37"]


def test_pods_are_created_when_the_other_objects_are_known() -> None:
    objects = [
        {"apiVersion": version, "kind": kind, "metadata": {"name": "x"} | namespace, "spec": {}}
        for version, kind, namespace in (
            ("v1", "Pod", {"namespace": "default"}),
            ("resource.k8s.io/v1", "DeviceClass", {}),
        )
    ]
    scenario = upgrade_scenario([], objects, [STEP.before], 0)
    written = [
        action["object"]["kind"] if "object" in action else action["do"] for action in scenario.actions
    ]
    assert written == ["DeviceClass", "settle", "Pod", "settle"]
    assert scenario.created == [(2, objects[0])]


def _owned_by(kind: str) -> Any:
    metadata = {"name": "p", "namespace": "ns", "uid": "u", "ownerReferences": [{"kind": kind, "uid": "o"}]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"containers": []}}


@pytest.mark.parametrize(("kind", "kept"), [("ReplicaSet", 0), ("Node", 1)])
def test_an_owner_that_is_not_created_is_removed_because_of_the_garbage_collector(
    kind: str, kept: int
) -> None:
    scenario = upgrade_scenario([], [_owned_by(kind)], [STEP.before], 0)
    [pod] = scenario.objects["pods"]
    assert len(pod["metadata"].get("ownerReferences") or ()) == kept
    assert [namespace["metadata"]["name"] for namespace in scenario.objects["namespaces"]] == ["ns"]


def _finding(path: str, after: str = "b", *causes: DifferenceCause) -> UpgradeFinding:
    return UpgradeFinding(
        STEP,
        UpgradeSeverity.CHANGE,
        Aspect.ALLOCATED,
        Scope.NEW,
        "m.yaml",
        1,
        "Pod",
        "default/p",
        path,
        "a",
        after,
        causes,
    )


def test_findings_of_both_have_the_values_of_control_planes_and_the_cause_of_the_simulation() -> None:
    [finding] = compared([_finding("x", "b", CAUSE)], [_finding("x", "c")])
    assert (finding.found_by, finding.after, finding.simulated) == (FoundBy.BOTH, "c", ("a", "b"))
    assert finding.causes == (CAUSE,)


def test_other_findings_say_where_they_were_found() -> None:
    found = list(compared([_finding("x", "b", CAUSE)], [_finding("y")]))
    assert [(finding.path, finding.found_by) for finding in found] == [
        ("y", FoundBy.LIVE),
        ("x", FoundBy.SIMULATION),
    ]


def _on(node: str) -> States:
    selector = {"nodeSelectorTerms": [{"matchFields": [{"key": "metadata.name", "values": [node]}]}]}
    return {
        ("Pod", "default/p"): {"state": "running", "node": node, "message": "", "status": {}},
        ("ResourceClaim", "default/c"): {"status": {"allocation": {"nodeSelector": selector}}},
    }


@pytest.mark.parametrize(("by_chance", "found"), [(True, 0), (False, 2)])
def test_objects_on_another_node_are_not_compared_if_the_node_is_chosen_at_random(
    *, by_chance: bool, found: int
) -> None:
    states = ClusterStates([_on("a"), _on("a")], [_on("a"), _on("b")], nodes_by_chance=by_chance)
    findings = ClusterFindings([], states)
    assert len(list(findings.findings(STEP, 0))) == found
    assert list(findings.moved) == ["Pod default/p", "ResourceClaim default/c"] * by_chance


def test_the_order_of_members_is_no_difference() -> None:
    assert shown({"vfs": "1", "egress": "5G"}) == shown({"egress": "5G", "vfs": "1"})
