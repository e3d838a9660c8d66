"""Gated fields: dropped while the gate is off, unless the stored object uses the feature."""

from __future__ import annotations

from typing import Any

import pytest

from dra_conform.apiserver import (
    claim_spec,
    claim_status,
    device_class,
    pod_status,
    resource_slice,
)
from dra_conform.kube.profile import Profile
from tests.support.apiserver.objects import (
    NEWEST,
    SHARE,
    allocated,
    at,
    changed,
    claim_of,
    counter_slice,
    create,
    device_status,
    errors,
    exactly,
    first_available,
    of,
    profile,
    result,
    slice_of,
    stored,
    template_of,
    update,
)

PARTITION = {"name": "d", "consumesCounters": [{"counterSet": "s", "counters": {"m": {"value": "1"}}}]}
GROUPED = changed(PARTITION, {"consumesCounters.0.compatibilityGroups": ["g"]})
TERM = {"nodeSelectorTerms": [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n"]}]}]}
PLAIN = slice_of({"name": "d"})
PER_DEVICE = changed(
    slice_of({"name": "d", "allNodes": True}, perDeviceNodeSelection=True), {"spec.nodeName": None}
)
BINDING = {"bindingConditions": ["a"], "bindingFailureConditions": ["b"]}


def device(**fields: Any) -> dict[str, Any]:
    return slice_of({"name": "d", **fields})


D = "spec.devices.0"
SLICES = [
    (
        "DRADeviceTaints",
        f"{D}.taints",
        device(taints=[{"key": "k", "effect": "NoSchedule", "timeAdded": "2020-01-01T00:00:00Z"}]),
    ),
    ("DRAPartitionableDevices", "spec.sharedCounters", counter_slice("s")),
    ("DRAPartitionableDevices", f"{D}.consumesCounters", slice_of(PARTITION)),
    ("DRADeviceBindingConditions", f"{D}.bindsToNode", device(bindsToNode=False)),
    ("DRADeviceBindingConditions", f"{D}.bindingConditions", device(**BINDING)),
    ("DRADeviceBindingConditions", f"{D}.bindingFailureConditions", device(**BINDING)),
    ("DRAResourceClaimDeviceStatus", f"{D}.bindingConditions", device(**BINDING)),
    ("DRAConsumableCapacity", f"{D}.allowMultipleAllocations", device(allowMultipleAllocations=False)),
    (
        "DRAConsumableCapacity",
        f"{D}.capacity.bw.requestPolicy",
        device(allowMultipleAllocations=True, capacity={"bw": {"value": "1", "requestPolicy": {}}}),
    ),
    ("DRADeviceCompatibilityGroups", f"{D}.consumesCounters.0.compatibilityGroups", slice_of(GROUPED)),
    (
        "DRANodeAllocatableResources",
        f"{D}.nodeAllocatableResources",
        device(nodeAllocatableResources={"cpu": {"overhead": {"perPod": "1"}}}),
    ),
]

NEEDED = [
    ("DRAPartitionableDevices", "spec.perDeviceNodeSelection", PER_DEVICE),
    ("DRAListTypeAttributes", f"{D}.attributes.a.ints", device(attributes={"a": {"ints": [1]}})),
    ("DRAListTypeAttributes", f"{D}.attributes.a.bools", device(attributes={"a": {"bools": [True]}})),
    ("DRAListTypeAttributes", f"{D}.attributes.a.strings", device(attributes={"a": {"strings": ["x"]}})),
    (
        "DRAListTypeAttributes",
        f"{D}.attributes.a.versions",
        device(attributes={"a": {"versions": ["1.0.0"]}}),
    ),
]

DERIVED = [{"name": "a.b/c", "expression": "1"}]
TOLERATIONS = [{"key": "k", "operator": "Exists"}]
AMOUNT = {"requests": {"bw": "1"}}
R = "devices.requests.0"
CLAIMS = [
    ("DRAPrioritizedList", f"{R}.firstAvailable", claim_of(first_available("r", {"name": "s"}))),
    ("DRADeviceTaints", f"{R}.exactly.tolerations", claim_of(exactly(tolerations=TOLERATIONS))),
    (
        "DRADeviceTaints",
        f"{R}.firstAvailable.0.tolerations",
        claim_of(first_available("r", {"name": "s", "tolerations": TOLERATIONS})),
    ),
    ("DRAAdminAccess", f"{R}.exactly.adminAccess", claim_of(exactly(adminAccess=True), namespace="admins")),
    ("DRAConsumableCapacity", f"{R}.exactly.capacity", claim_of(exactly(capacity=AMOUNT))),
    (
        "DRAConsumableCapacity",
        f"{R}.firstAvailable.0.capacity",
        claim_of(first_available("r", {"name": "s", "capacity": AMOUNT})),
    ),
    (
        "DRAConsumableCapacity",
        "devices.constraints.0.distinctAttribute",
        claim_of(exactly(), constraints=[{"distinctAttribute": "a.b/c", "matchAttribute": "a.b/c"}]),
    ),
]

RESULT = "status.allocation.devices.results.0"
STATUSES = [
    ("DRAResourceClaimDeviceStatus", "status.devices", allocated(result(), devices=[device_status()])),
    ("DRAAdminAccess", f"{RESULT}.adminAccess", allocated(result(adminAccess=False))),
    ("DRAConsumableCapacity", f"{RESULT}.shareID", allocated(result(shareID=SHARE))),
    ("DRAConsumableCapacity", f"{RESULT}.consumedCapacity", allocated(result(consumedCapacity={"bw": "1"}))),
    (
        "DRAConsumableCapacity",
        "status.devices.0.shareID",
        allocated(result(shareID=SHARE), devices=[device_status(shareID=SHARE)]),
    ),
    ("DRADeviceBindingConditions", f"{RESULT}.bindingConditions", allocated(result(**BINDING))),
    ("DRADeviceBindingConditions", f"{RESULT}.bindingFailureConditions", allocated(result(**BINDING))),
]


def off(gate: str, name: str = NEWEST) -> Profile:
    return profile(name, **{gate: False})


def other(raw: Any) -> Any:
    """Return the object with a label, so that an update changes something."""
    return {**raw, "metadata": {**raw["metadata"], "labels": {"a": "b"}}}


@pytest.mark.parametrize(("gate", "path", "raw"), SLICES)
def test_slices(gate: str, path: str, raw: Any) -> None:
    assert at(stored(create(raw)), path) is not None
    assert at(stored(create(raw, off(gate))), path) is None
    assert at(stored(update(raw, PLAIN, off(gate))), path) is None
    assert at(stored(update(other(raw), raw, off(gate))), path) is not None


@pytest.mark.parametrize(("gate", "path", "raw"), NEEDED)
def test_slices_that_need_the_field(gate: str, path: str, raw: Any) -> None:
    """Without the field the ResourceSlice is invalid, so only an update shows that the field is kept."""
    assert at(stored(create(raw)), path) is not None
    missing = (
        {("spec", "Required")} if "Selection" in path else {("spec.devices[0].attributes[a]", "Invalid")}
    )
    assert errors(create(raw, off(gate))) == missing
    assert at(stored(update(other(raw), raw, off(gate))), path) is not None


@pytest.mark.parametrize("field", ["nodeName", "nodeSelector", "allNodes"])
def test_node_access_of_devices(field: str) -> None:
    """Without the gate the device selects no nodes, so the ResourceSlice must."""
    value = {"nodeName": "n", "nodeSelector": TERM, "allNodes": True}[field]
    raw = device(**{field: value})
    assert at(stored(create(raw, off("DRAPartitionableDevices"))), f"{D}.{field}") is None


def test_mappings_of_1_36() -> None:
    raw = device(nodeAllocatableResourceMappings={"cpu": {"allocationMultiplier": "1"}})
    path, gate = f"{D}.nodeAllocatableResourceMappings", "DRANodeAllocatableResources"
    assert at(stored(create(raw, profile("kubernetes-1.36"))), path) is not None
    assert at(stored(create(raw, off(gate, "kubernetes-1.36"))), path) is None


@pytest.mark.parametrize(
    ("path", "raw"),
    [
        ("spec.partitionTypeAttribute", slice_of(partitionTypeAttribute="a.b/c")),
        ("spec.skipNodeOperations", slice_of(skipNodeOperations=["*"])),
        (f"spec.{R}.exactly.derivedAttributes", claim_of(exactly(derivedAttributes=DERIVED))),
        (
            f"spec.{R}.firstAvailable.0.derivedAttributes",
            claim_of(first_available("r", {"name": "s", "derivedAttributes": DERIVED})),
        ),
        (
            f"spec.spec.{R}.exactly.derivedAttributes",
            template_of(claim_of(exactly(derivedAttributes=DERIVED))),
        ),
        (
            f"spec.spec.{R}.firstAvailable.0.derivedAttributes",
            template_of(claim_of(first_available("r", {"name": "s", "derivedAttributes": DERIVED}))),
        ),
    ],
)
def test_alpha_features_outside_the_keps_are_off(path: str, raw: Any) -> None:
    assert at(raw, path) is not None
    assert at(stored(create(raw)), path) is None


def test_alpha_features_outside_the_keps_are_off_in_the_status() -> None:
    claim, status = claim_of(exactly()), allocated(result(skipNodeOperations=["*"]))
    answer = stored(update({**claim, "status": status}, claim, subresource="status"))
    assert at(answer, f"{RESULT}.skipNodeOperations") is None


def test_a_feature_in_use_keeps_the_field_in_all_devices() -> None:
    old = slice_of({"name": "d", "allowMultipleAllocations": False}, {"name": "e"})
    sharing = {
        "name": "e",
        "allowMultipleAllocations": True,
        "capacity": {"bw": {"value": "1", "requestPolicy": {}}},
    }
    new = slice_of({"name": "d"}, sharing)
    answer = stored(update(new, old, off("DRAConsumableCapacity")))
    assert at(answer, "spec.devices.1.capacity.bw.requestPolicy") == {}


@pytest.mark.parametrize("empty", [[], None])
def test_an_empty_list_does_not_use_the_feature(empty: Any) -> None:
    old = device(taints=empty)
    new = device(taints=[{"key": "k", "effect": "NoSchedule"}])
    assert at(stored(update(new, old, off("DRADeviceTaints"))), f"{D}.taints") is None


@pytest.mark.parametrize(("gate", "path", "raw"), CLAIMS)
def test_claims_and_templates(gate: str, path: str, raw: Any) -> None:
    for written, prefix in ((raw, "spec"), (template_of(raw), "spec.spec")):
        full = f"{prefix}.{path}"
        assert at(stored(create(written)), full) is not None
        if gate == "DRAPrioritizedList":
            requests = f"{prefix}.devices.requests[0]"
            assert [one.path for one in getattr(create(written, off(gate)), "errors", ())] == [requests]
        else:
            assert at(stored(create(written, off(gate))), full) is None
        assert at(stored(update(other(written), written, off(gate))), full) is not None


@pytest.mark.parametrize(("gate", "path", "status"), STATUSES)
def test_status_of_claims(gate: str, path: str, status: Any) -> None:
    claim = claim_of(exactly())
    raw = {**claim, "status": status}
    assert at(stored(update(raw, claim, subresource="status")), path) is not None
    assert at(stored(update(raw, claim, off(gate), "status")), path) is None
    more = {**raw, "status": {**status, "reservedFor": [{"resource": "pods", "name": "p", "uid": "u"}]}}
    assert at(stored(update(more, raw, off(gate), "status")), path) is not None


@pytest.mark.parametrize(
    ("gate", "request_", "path", "status"),
    [
        (
            "DRAConsumableCapacity",
            exactly(capacity=AMOUNT),
            f"{RESULT}.shareID",
            allocated(result(shareID=SHARE)),
        ),
        (
            "DRAAdminAccess",
            exactly(adminAccess=False),
            f"{RESULT}.adminAccess",
            allocated(result(adminAccess=False)),
        ),
    ],
)
def test_a_spec_that_uses_the_feature_keeps_it_in_the_status(
    gate: str, request_: Any, path: str, status: Any
) -> None:
    claim = claim_of(request_)
    assert at(stored(update({**claim, "status": status}, claim, off(gate), "status")), path) is not None


@pytest.mark.parametrize("gate", ["DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus"])
def test_binding_conditions_of_results_need_their_gate_and_the_one_it_depends_on(gate: str) -> None:
    claim, status = claim_of(exactly()), allocated(result(**BINDING))
    answer = stored(update({**claim, "status": status}, claim, off(gate), "status"))
    assert at(answer, f"{RESULT}.bindingConditions") is None


def test_until_1_34_different_fields_are_dropped() -> None:
    where = off("DRAConsumableCapacity", "kubernetes-1.34")
    distinct = claim_of(exactly(), constraints=[{"distinctAttribute": "a.b/c"}])
    assert at(stored(create(distinct, where)), "spec.devices.constraints.0.distinctAttribute") == "a.b/c"
    tolerating = claim_of(exactly(tolerations=TOLERATIONS))
    answer = stored(create(tolerating, off("DRADeviceTaints", "kubernetes-1.34")))
    assert at(answer, f"spec.{R}.exactly.tolerations") == TOLERATIONS
    claim, status = claim_of(exactly()), allocated(result(**BINDING))
    status["allocation"]["allocationTimestamp"] = "2026-01-01T00:00:00Z"
    where = off("DRAResourceClaimDeviceStatus", "kubernetes-1.34")
    answer = stored(update({**claim, "status": status}, claim, where, "status"))
    assert at(answer, f"{RESULT}.bindingConditions") is None
    assert at(answer, "status.allocation.allocationTimestamp") is None


def test_compatibility_groups_in_results_exist_in_the_specification_only() -> None:
    claim, status = claim_of(exactly()), allocated(result(compatibilityGroups={"s": ["g"]}))
    raw, path = {**claim, "status": status}, f"{RESULT}.compatibilityGroups"
    assert at(stored(update(raw, claim, profile("kep"), "status")), path) == {"s": ["g"]}
    assert at(stored(update(raw, claim, off("DRADeviceCompatibilityGroups", "kep"), "status")), path) is None
    assert at(stored(update(raw, claim, profile(), "status")), path) is None


def test_the_extended_resource_of_a_class() -> None:
    raw, path = of("DeviceClass", {"extendedResourceName": "a.b/c"}), "spec.extendedResourceName"
    where = off("DRAExtendedResource")
    assert at(stored(create(raw, where)), path) is None
    assert at(stored(update(raw, of("DeviceClass", {}), where)), path) is None
    assert (
        at(stored(update(of("DeviceClass", {"extendedResourceName": "a.b/d"}), raw, where)), path) == "a.b/d"
    )


def test_every_gated_field_has_a_test() -> None:
    """Every gated field of the strategies occurs in a test of this module."""
    named = {(gate, path.replace(".0", ".*")) for gate, path, _ in (*SLICES, *NEEDED)}
    named |= {(gate, f"spec.{path}".replace(".0", ".*")) for gate, path, _ in CLAIMS}
    named |= {(gate, path.replace(".0", ".*")) for gate, path, _ in STATUSES}
    apart = {"nodeName", "nodeSelector", "allNodes", "nodeAllocatableResourceMappings", "compatibilityGroups"}
    unknown = {"DRAPartitionableDevicesType", "DRAOptionalNodeOperations", "DRADerivedAttributes"}
    rows = (*resource_slice.GATED, *claim_spec.gated("spec"), *claim_status.GATED)
    for row in rows:
        path = row.path.replace("attributes.*", "attributes.a").replace("capacity.*", "capacity.bw")
        if (
            row.dropped_by(Profile.named("kep"))
            and row.gates[0] not in unknown
            and row.path.rpartition(".")[2] not in apart
        ):
            assert (row.gates[0], path) in named
    sketched = ["spec.managesNodeAllocatableResources", "spec.nodeAllocatableResourceAccountingPolicies"]
    assert sorted(row.path for row in device_class.GATED) == ["spec.extendedResourceName", *sketched]
    assert {row.path.partition(".")[2] for row in pod_status.GATED} < set(pod_status.CLAIM_FIELDS)
