"""Each check of published ResourceSlices, by a change of manifests without findings."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml

from dra_conform.conformance.suite.loading import read_catalogue
from dra_conform.kube.manifests import load, loads
from dra_conform.kube.profile import Profile
from dra_conform.previews.slice_lint import LintSeverity, lint

PROFILE = Profile.named("kubernetes-1.37").with_gates({"DRADeviceCompatibilityGroups": True})
DRIVER = "gpu.example.com"
Objects = list[dict[str, Any]]


def consuming(name: str, memory: str, groups: tuple[str, ...] = ()) -> dict[str, Any]:
    consumption: dict[str, Any] = {"counterSet": "gpu-0", "counters": {"memory": {"value": memory}}}
    if groups:
        consumption["compatibilityGroups"] = list(groups)
    return {"name": name, "attributes": {"index": {"int": 0}}, "consumesCounters": [consumption]}


def resource_slice(name: str, **spec: Any) -> dict[str, Any]:
    pool = {"name": "node-1", "generation": 1, "resourceSliceCount": 2}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": name},
        "spec": {"driver": DRIVER, "nodeName": "node-1", "pool": pool, **spec},
    }


def device_class(expression: str) -> dict[str, Any]:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": "gpu"},
        "spec": {"selectors": [{"cel": {"expression": expression}}]},
    }


SOUND = [
    resource_slice("devices", devices=[consuming("part-0", "20Gi"), consuming("part-1", "20Gi")]),
    resource_slice("counters", sharedCounters=[{"name": "gpu-0", "counters": {"memory": {"value": "40Gi"}}}]),
    device_class(f"device.driver == '{DRIVER}'"),
]


def findings(objects: Objects, profile: Profile = PROFILE) -> list[tuple[LintSeverity, str, str]]:
    text = yaml.safe_dump_all(objects)
    result = lint(loads(text), profile)
    return [(found.severity, found.requirement, str(found)) for found in result.findings]


def first_device(objects: Objects) -> dict[str, Any]:
    device: dict[str, Any] = objects[0]["spec"]["devices"][0]
    return device


def counter_set(objects: Objects) -> dict[str, Any]:
    found: dict[str, Any] = objects[1]["spec"]["sharedCounters"][0]
    return found


def rejected(objects: Objects) -> None:
    first_device(objects)["name"] = "Part_0"


def field_dropped(objects: Objects) -> None:
    for device in objects[0]["spec"]["devices"]:
        device["nodeAllocatableResourceMappings"] = {"cpu": {"allocationMultiplier": "1"}}


def slice_missing(objects: Objects) -> None:
    objects[0]["spec"]["pool"]["resourceSliceCount"] = objects[1]["spec"]["pool"]["resourceSliceCount"] = 3


def one_slice_too_many(objects: Objects) -> None:
    objects[0]["spec"]["pool"]["resourceSliceCount"] = objects[1]["spec"]["pool"]["resourceSliceCount"] = 1


def counts_differ(objects: Objects) -> None:
    objects[0]["spec"]["pool"]["resourceSliceCount"] = 3


def older_generation(objects: Objects) -> None:
    objects.append(resource_slice("older", devices=[]))
    objects[-1]["spec"]["pool"]["generation"] = 0


def order_changed(objects: Objects) -> None:
    devices = [consuming("part-1", "20Gi"), consuming("part-0", "20Gi")]
    older_generation(objects)
    objects[-1]["spec"]["devices"] = devices


def device_twice(objects: Objects) -> None:
    objects.append(resource_slice("more", devices=[consuming("part-0", "20Gi")]))
    for item in objects:
        if item["kind"] == "ResourceSlice":
            item["spec"]["pool"]["resourceSliceCount"] = 3


def counter_set_twice(objects: Objects) -> None:
    objects.append(resource_slice("more", sharedCounters=[deepcopy(counter_set(objects))]))
    for item in objects:
        if item["kind"] == "ResourceSlice":
            item["spec"]["pool"]["resourceSliceCount"] = 3


def unknown_counter_set(objects: Objects) -> None:
    first_device(objects)["consumesCounters"][0]["counterSet"] = "gpu-1"


def unknown_counter(objects: Objects) -> None:
    first_device(objects)["consumesCounters"][0]["counters"] = {"memories": {"value": "1"}}


def too_large(objects: Objects) -> None:
    first_device(objects)["consumesCounters"][0]["counters"]["memory"]["value"] = "41Gi"


def counter_unused(objects: Objects) -> None:
    counter_set(objects)["counters"]["engines"] = {"value": "2"}


def counter_set_unused(objects: Objects) -> None:
    objects[1]["spec"]["sharedCounters"].append({**deepcopy(counter_set(objects)), "name": "gpu-1"})


def group_of_its_own(objects: Objects) -> None:
    objects[0]["spec"]["devices"] = [
        consuming("part-0", "10Gi", ("mig",)),
        consuming("part-1", "10Gi", ("mig",)),
        consuming("part-2", "10Gi", ("migs",)),
    ]


def device_without_groups(objects: Objects) -> None:
    objects[0]["spec"]["devices"] = [
        consuming("part-0", "10Gi", ("mig",)),
        consuming("part-1", "10Gi", ("mig",)),
        consuming("part-2", "10Gi"),
    ]


def name_twice(objects: Objects) -> None:
    first_device(objects)["attributes"][f"{DRIVER}/index"] = {"int": 1}


def types_differ(objects: Objects) -> None:
    first_device(objects)["attributes"]["index"] = {"string": "0"}


def no_default(objects: Objects) -> None:
    first_device(objects).update(allowMultipleAllocations=True, capacity={"memory": {"value": "20Gi"}})


def default_larger_than_capacity(objects: Objects) -> None:
    no_default(objects)
    policy = {"default": "40Gi", "validRange": {"min": "1Gi", "step": "1Gi"}}
    first_device(objects)["capacity"]["memory"]["requestPolicy"] = policy


def object_name_twice(objects: Objects) -> None:
    objects[1]["metadata"]["name"] = objects[0]["metadata"]["name"]


def class_matches_nothing(objects: Objects) -> None:
    objects[2] = device_class("device.driver == 'other.example.com'")


def selector_fails(objects: Objects) -> None:
    objects[2] = device_class(f"device.attributes['{DRIVER}'].model == 'A'")


def no_owner(objects: Objects) -> None:
    objects[0]["metadata"]["uid"] = "1"


ERRORS: dict[Callable[[Objects], None], tuple[str, str]] = {
    rejected: ("DRIVER/slices/published", "spec.devices[0].name: error: Invalid"),
    slice_missing: ("DRIVER/slices/complete", "has 2 of 3 ResourceSlices of generation 1, so none of its"),
    one_slice_too_many: ("DRIVER/slices/complete", "has 2 of 1 ResourceSlices"),
    counts_differ: ("DRIVER/slices/complete", "have the resourceSliceCounts 2, 3, expected one value"),
    object_name_twice: ("DRIVER/slices/published", "ResourceSlice devices is also in"),
    device_twice: ("DRA/pool/duplicate-device-name", "device part-0 occurs twice in pool"),
    counter_set_twice: ("DRA/partitionable/counter-sets-declare-shared-resources", "gpu-0 occurs twice"),
    unknown_counter_set: (
        "DRA/partitionable/devices-reference-counters",
        "counters of gpu-1, which the pool",
    ),
    unknown_counter: ("DRA/partitionable/devices-reference-counters", "expected memory"),
    too_large: ("DRA/partitionable/allocatable-iff-enough-left", "consumes 41Gi of memory"),
    name_twice: ("DRA/selector/cel-on-attributes", f"index and {DRIVER}/index of device part-0"),
    selector_fails: ("DRA/class/selects-by-attributes", "cannot be evaluated on device"),
}
ADVICE: dict[Callable[[Objects], None], tuple[str, str]] = {
    field_dropped: ("DRIVER/slices/dropped-fields", "like in 1 other place"),
    older_generation: ("DRA/pool/highest-generation-only", "generation 0 of pool"),
    order_changed: ("DRIVER/slices/order-is-preference", "in a different order"),
    counter_unused: ("DRA/partitionable/counter-sets-declare-shared-resources", "no device consumes engines"),
    counter_set_unused: ("DRA/partitionable/counter-sets-declare-shared-resources", "counter set gpu-1"),
    group_of_its_own: ("KEP-5963/compatibility/disjoint-groups-refused", "a group of device part-2 (migs)"),
    device_without_groups: (
        "KEP-5963/compatibility/ungrouped-candidate-beside-grouped-refused",
        "device part-2 has no compatibilityGroups",
    ),
    types_differ: ("DRA/selector/cel-on-attributes", "is of type int, and of type string on device part-0"),
    no_default: ("KEP-5075/default/no-policy-no-request-full-capacity", "for memory consumes all of it"),
    default_larger_than_capacity: (
        "KEP-5075/default/exceeding-remaining-refused",
        "consumes 40Gi, and device part-0 has 20Gi",
    ),
    class_matches_nothing: ("DRA/class/zero-or-more-devices", "matches none of the 2 published devices"),
    no_owner: ("DRIVER/slices/owner", "ResourceSlice devices has no owner, expected the Node node-1"),
}


def changed(change: Callable[[Objects], None]) -> Objects:
    objects = deepcopy(SOUND)
    change(objects)
    return objects


def test_sound_manifests_have_no_findings() -> None:
    assert findings(SOUND) == []


@pytest.mark.parametrize("change", ERRORS, ids=lambda change: change.__name__)
def test_an_error_is_found(change: Callable[[Objects], None]) -> None:
    requirement, message = ERRORS[change]
    errors = [found for found in findings(changed(change)) if found[0] is LintSeverity.ERROR]
    assert [found[1] for found in errors] == [requirement]
    assert message in errors[0][2]


@pytest.mark.parametrize("change", ADVICE, ids=lambda change: change.__name__)
def test_advice_is_given(change: Callable[[Objects], None]) -> None:
    requirement, message = ADVICE[change]
    found = findings(changed(change))
    assert {severity for severity, *_ in found} == {LintSeverity.ADVICE}
    assert any(wanted == requirement and message in text for _, wanted, text in found)


def test_objects_whose_names_are_generated_have_different_names() -> None:
    objects = deepcopy(SOUND)
    for item in objects[:2]:
        item["metadata"] = {"generateName": "node-1-"}
    assert findings(objects) == []


@pytest.mark.parametrize("change", [slice_missing, one_slice_too_many])
def test_devices_of_an_incomplete_pool_are_allocated_until_1_34(change: Callable[[Objects], None]) -> None:
    found = findings(changed(change), Profile.named("kubernetes-1.34"))
    [incomplete] = [text for _, requirement, text in found if requirement == "DRIVER/slices/complete"]
    assert "so no request with allocationMode All can be allocated on its nodes (" in incomplete


def test_a_dropped_field_names_its_gate() -> None:
    profile = Profile.named("kubernetes-1.37").with_gates({"DRADeviceCompatibilityGroups": False})
    [dropped] = findings(changed(group_of_its_own), profile)
    assert dropped[1] == "DRIVER/slices/dropped-fields"
    assert "is dropped by the API server (DRADeviceCompatibilityGroups is off)" in dropped[2]


def test_a_finding_about_a_device_class_names_no_requirement_of_resource_slices() -> None:
    dropped = changed(lambda objects: objects[2]["spec"].update(extendedResourceName="example.com/gpu"))
    rejected = changed(lambda objects: objects.__setitem__(2, device_class("device.drivr == 'x'")))
    profile = Profile.named("kubernetes-1.35").with_gates({"DRAPartitionableDevices": True})
    for objects, severity in ((dropped, LintSeverity.ADVICE), (rejected, LintSeverity.ERROR)):
        [(requirement, text)] = [found[1:] for found in findings(objects, profile) if found[0] is severity]
        assert requirement == ""
        assert not text.endswith(" ()")


def test_each_finding_names_a_requirement() -> None:
    named = {requirement for requirement, _ in (*ERRORS.values(), *ADVICE.values())}
    assert named <= {requirement.id for requirement in read_catalogue()}


INVENTORIES = Path(__file__).parents[4] / "shared" / "manifests" / "driver-inventory"


@pytest.mark.parametrize("file", sorted(INVENTORIES.glob("*.yaml")), ids=lambda file: file.stem)
def test_what_real_drivers_publish_has_no_error(file: Path) -> None:
    result = lint(load([str(file)]), Profile.named("kubernetes-1.37"))
    assert result.devices
    assert [str(found) for found in result.findings if found.severity is LintSeverity.ERROR] == []
