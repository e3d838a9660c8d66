"""Labels, selectors and tolerations that isolate the objects of a scenario from other users.

Pods of the scenario run only on its nodes, and no other pods run there. DeviceClasses of the scenario select
only its devices, which are available only on its nodes. These fields are removed from everything that is
observed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from dra_conform.adapters.live.node_limits import limited_slice, unlimited_claim, unlimited_slice
from dra_conform.adapters.live.scenario_names import ScenarioNames
from dra_conform.cluster_state.pods import DEFAULT_SCHEDULER
from dra_conform.kube.json_values import Json

RUN_LABEL = "dra-conform/run"
"""The label with the run that created an object."""
SCENARIO_LABEL = "dra-conform/scenario"
"""The label with the scenario; also the key of the taint on its nodes, which only its pods tolerate."""

RETRY_LABEL = "dra-conform/retry"
"""The label of a node that is changed so that the scheduler retries pending pods."""

SETUP_GATE = "dra-conform/given"
"""The scheduling gate of the pods of the setup until the scenario begins."""

_CONTAINER_STATUSES = {"initContainerStatuses", "containerStatuses"}
"""Fields that the emulated kubelet writes."""

_PRIVILEGED = "pod-security.kubernetes.io/enforce"
_SELECTOR = re.compile(r"(?<=^spec\.selectors\[)\d+(?=\])")


def with_isolation(raw: Json, names: ScenarioNames) -> Json:
    """Add isolation fields to an object with its names on the cluster; malformed fields stay unchanged."""
    for path, added in _fields(raw.get("kind"), names).items():
        parent, _, field = path.partition(".")
        raw = _with(raw, parent, field, added)
    if raw.get("kind") == "Pod":
        raw = _with_scheduler(raw, DEFAULT_SCHEDULER, names.scheduler)
    return (
        limited_slice(raw, SCENARIO_LABEL, names.scenario_id) if raw.get("kind") == "ResourceSlice" else raw
    )


def patch_with_isolation(kind: str, patch: Json, names: ScenarioNames) -> Json:
    """Return a merge patch that keeps the isolation fields in the maps and lists that it replaces."""
    for path, added in _fields(kind, names).items():
        parent, _, field = path.partition(".")
        if isinstance(patch.get(parent), dict) and field in patch[parent]:
            patch = _with(patch, parent, field, added)
    return limited_slice(patch, SCENARIO_LABEL, names.scenario_id) if kind == "ResourceSlice" else patch


def _fields(kind: Json, names: ScenarioNames) -> dict[str, Json]:
    """Return the values that are added to an object of a kind, by path."""
    labels = {RUN_LABEL: names.run, SCENARIO_LABEL: names.scenario_id}
    match kind:
        case "Namespace":
            return {"metadata.labels": {**labels, _PRIVILEGED: "privileged"}}
        case "Node":
            taint = {"key": SCENARIO_LABEL, "value": names.scenario_id, "effect": "NoSchedule"}
            return {"metadata.labels": labels, "spec.taints": [taint]}
        case "Pod":
            selector, toleration = {SCENARIO_LABEL: names.scenario_id}, _toleration(names)
            return {
                "metadata.labels": labels,
                "spec.nodeSelector": selector,
                "spec.tolerations": [toleration],
            }
        case "DeviceClass":
            return {"metadata.labels": labels, "spec.selectors": [_selector(names)]}
        case _:
            return {"metadata.labels": labels}


def without_isolation(raw: Json, names: ScenarioNames) -> Json:
    """Return a served object without isolation fields."""
    metadata = raw.get("metadata") or {}
    labels = _without(metadata.get("labels") or {}, {RUN_LABEL, SCENARIO_LABEL, RETRY_LABEL, _PRIVILEGED})
    raw = {**raw, "metadata": _put(metadata, "labels", labels)}
    spec = raw.get("spec") or {}
    match raw.get("kind"):
        case "ResourceSlice":
            return unlimited_slice(raw, SCENARIO_LABEL)
        case "ResourceClaim":
            return unlimited_claim(raw, SCENARIO_LABEL)
        case "Node":
            taints = [taint for taint in spec.get("taints", ()) if taint.get("key") != SCENARIO_LABEL]
            spec = _put(spec, "taints", taints)
        case "Pod":
            spec = _put(spec, "nodeSelector", _without(spec.get("nodeSelector") or {}, {SCENARIO_LABEL}))
            tolerations = [item for item in spec.get("tolerations", ()) if item != _toleration(names)]
            spec = _put(spec, "tolerations", tolerations)
            gates = [gate for gate in spec.get("schedulingGates", ()) if gate["name"] != SETUP_GATE]
            spec = _put(spec, "schedulingGates", gates)
            spec = _with_scheduler({"spec": spec}, names.scheduler, DEFAULT_SCHEDULER)["spec"]
            if raw.get("status"):
                raw = {**raw, "status": _without(raw["status"], _CONTAINER_STATUSES)}
        case "DeviceClass":
            selectors = [item for item in spec.get("selectors", ()) if item != _selector(names)]
            spec = _put(spec, "selectors", selectors)
        case _:
            return raw
    return {**raw, "spec": spec}


def path_without_isolation(kind: str, path: str) -> str:
    """Return the path of a field error in the object without isolation fields."""
    return _SELECTOR.sub(lambda match: str(int(match[0]) - 1), path) if kind == "DeviceClass" else path


def _with_scheduler(pod: Json, name: str, new: str) -> Json:
    """Return a pod of one scheduler as a pod of another; a pod without a name has the default scheduler."""
    spec = pod.get("spec")
    if name == new or not isinstance(spec, Mapping) or spec.get("schedulerName", DEFAULT_SCHEDULER) != name:
        return pod
    return {**pod, "spec": {**spec, "schedulerName": new}}


def _toleration(names: ScenarioNames) -> dict[str, str]:
    return {"key": SCENARIO_LABEL, "operator": "Equal", "value": names.scenario_id, "effect": "NoSchedule"}


def _selector(names: ScenarioNames) -> dict[str, Json]:
    return {"cel": {"expression": f'device.driver.startsWith("{names.prefix}.")'}}


def _with(raw: Json, parent: str, field: str, added: Json) -> Json:
    """Return an object with entries added to a map or items to a list.

    An added selector comes first, so that selectors of the scenario are not evaluated for devices of other
    users.
    """
    outer = {} if raw.get(parent) is None else raw[parent]
    inner = outer.get(field) if isinstance(outer, Mapping) else None
    if not isinstance(outer, Mapping) or not isinstance(inner, (type(added), type(None))):
        return raw
    if isinstance(added, dict):
        joined: Json = {**(inner or {}), **added}
    else:
        joined = [*added, *(inner or [])] if field == "selectors" else [*(inner or []), *added]
    return {**raw, parent: {**outer, field: joined}}


def _without(values: Mapping[str, Json], names: set[str]) -> dict[str, Json]:
    return {name: value for name, value in values.items() if name not in names}


def _put(values: Mapping[str, Json], field: str, value: Json) -> dict[str, Json]:
    """Return a map with a field set, or without the field if the new value is empty."""
    return {**_without(values, {field}), **({field: value} if value else {})}
