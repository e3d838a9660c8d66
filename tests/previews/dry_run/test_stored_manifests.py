"""Manifests as an API server stores them, or one line for each error."""

from __future__ import annotations

import json
from textwrap import dedent

import pytest

from dra_conform.kube.errors import InputErrors
from dra_conform.kube.manifests import LoadedObject, loads
from dra_conform.kube.profile import PROFILES, Profile
from dra_conform.previews.dry_run import as_stored

SLICE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: d.example.com
  nodeName: worker
  pool: {name: p, generation: 1, resourceSliceCount: 1}
  devices:
  - name: a
"""
CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c}
spec:
  devices:
    requests:
    - name: r
"""
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  containers: [{name: c, image: x, resources: {claims: [{name: %s}]}}]
  resourceClaims: [{name: gpu, %s}, {name: %s, resourceClaimName: b}]
"""


def _slice(device: str) -> str:
    return SLICE + "".join(f"    {line}\n" for line in dedent(device).strip().splitlines())


def _claim(request: str, rest: str = "") -> str:
    lines = "".join(f"      {line}\n" for line in dedent(request).strip().splitlines())
    return CLAIM + lines + "".join(f"    {line}\n" for line in dedent(rest).strip().splitlines())


def _stored(text: str, profile: str = "kep") -> tuple[LoadedObject, ...]:
    return as_stored(loads(text, "f"), Profile.named(profile)).objects


TAINT_RULE = """\
apiVersion: resource.k8s.io/v1alpha3
kind: DeviceTaintRule
metadata: {name: r}
spec: {deviceSelector: {driver: d.example.com}, taint: {key: k, effect: NoSchedule}}
"""


@pytest.mark.parametrize(
    ("profile", "gates", "off"),
    [
        ("kep", {}, ""),
        ("kubernetes-1.34", {}, "DRADeviceTaints is off by default in kubernetes-1.34"),
        ("kubernetes-1.34", {"DRADeviceTaints": True}, ""),
        ("kubernetes-1.36", {}, "DRADeviceTaintRules is off by default in kubernetes-1.36"),
        ("kubernetes-1.37", {}, ""),
        ("kubernetes-1.37", {"DRADeviceTaints": False}, "DRADeviceTaints is turned off by --gates"),
    ],
)
def test_a_note_says_that_taint_rules_have_no_effect(profile: str, gates: dict[str, bool], off: str) -> None:
    followed = Profile.named(profile).with_gates(gates)
    notes = list(as_stored(loads(TAINT_RULE, "f"), followed).notes(followed))
    assert notes == ([f"note: DeviceTaintRules have no effect, because {off}"] if off else [])


RULES = {
    "two node selections": (
        SLICE.replace("nodeName: worker", "nodeName: worker\n  allNodes: true"),
        'f:4: spec: Invalid: ["nodeName", "allNodes"]: exactly one of nodeName, nodeSelector, allNodes, perDeviceNodeSelection is required',
    ),
    "no node selection": (
        SLICE.replace("  nodeName: worker\n", ""),
        "f:4: spec: Required: exactly one of nodeName, nodeSelector, allNodes, perDeviceNodeSelection is required",
    ),
    "a device selects nodes": (
        _slice("allNodes: true"),
        "f:9: spec.devices[0]: Invalid: nodeName, nodeSelector, allNodes can only be set if perDeviceNodeSelection is set to true",
    ),
    "duplicate device name": (
        SLICE + "  - name: a\n",
        'f:10: spec.devices[1]: Duplicate: "a": expected a unique value',
    ),
    "two terms": (
        SLICE.replace("nodeName: worker", "nodeSelector: {nodeSelectorTerms: [{}, {}]}"),
        "f:6: spec.nodeSelector.nodeSelectorTerms: Invalid: [{}, {}]: must have exactly one node selector term",
    ),
    "duplicate counter set": (
        SLICE.split("  devices:", maxsplit=1)[0]
        + "  sharedCounters: [{name: a, counters: {n: {value: 1}}}, {name: a, counters: {n: {value: 1}}}]\n",
        'f:8: spec.sharedCounters[1]: Duplicate: "a": expected a unique value',
    ),
    "a counter set consumed twice": (
        _slice(
            "consumesCounters: [{counterSet: a, counters: {n: {value: 1}}}, {counterSet: a, counters: {n: {value: 1}}}]"
        ),
        'f:10: spec.devices[0].consumesCounters[1]: Duplicate: "a": expected a unique value',
    ),
    "an invalid taint effect": (
        _slice("taints: [{key: a, effect: PreferNoSchedule}]"),
        'f:10: spec.devices[0].taints[0].effect: NotSupported: "PreferNoSchedule": supported values: "NoExecute", "NoSchedule", "None"',
    ),
    "a request with an empty name": (
        _claim("exactly: {deviceClassName: x}").replace("name: r", "name: ''"),
        'f:7: spec.devices.requests[0].name: Invalid: "": must be a lowercase RFC 1123 label',
    ),
    "a resourceSliceCount of 0": (
        SLICE.replace("resourceSliceCount: 1", "resourceSliceCount: 0"),
        "f:7: spec.pool.resourceSliceCount: Invalid: 0: must be greater than zero",
    ),
    "an attribute without a value": (
        _slice("attributes: {x: {}}"),
        "f:10: spec.devices[0].attributes[x]: Invalid: {}: exactly one value must be specified",
    ),
    "an attribute with two values": (
        _slice("attributes: {x: {int: 1, string: a}}"),
        'f:10: spec.devices[0].attributes[x]: Invalid: {"int": 1, "string": "a"}: exactly one value must be specified',
    ),
    "a policy on an exclusive device": (
        _slice("capacity: {m: {value: 1, requestPolicy: {default: 1}}}"),
        "f:10: spec.devices[0].capacity[m].requestPolicy: Forbidden: allowMultipleAllocations must be true",
    ),
    "validValues and validRange": (
        _slice(
            "allowMultipleAllocations: true\n"
            "capacity: {m: {value: 4, requestPolicy: {default: 1, validValues: [1], validRange: {min: 1}}}}"
        ),
        "f:11: spec.devices[0].capacity[m].requestPolicy: Forbidden: validValues and validRange cannot be specified at the same time",
    ),
    "no default": (
        _slice(
            "allowMultipleAllocations: true\ncapacity: {m: {value: 4, requestPolicy: {validRange: {min: 1}}}}"
        ),
        "f:11: spec.devices[0].capacity[m].requestPolicy.default: Required: required when validValues or validRange is defined",
    ),
    "a step that misses max": (
        _slice(
            "allowMultipleAllocations: true\n"
            "capacity: {m: {value: 9, requestPolicy: {default: 1, validRange: {min: 1, max: 9, step: 3}}}}"
        ),
        'f:11: spec.devices[0].capacity[m].requestPolicy.validRange.step: Invalid: "9": value is not a multiple of a given step (3) from (1)',
    ),
    "values out of order": (
        _slice(
            "allowMultipleAllocations: true\n"
            "capacity: {m: {value: 9, requestPolicy: {default: 2, validValues: [2, 1]}}}"
        ),
        'f:11: spec.devices[0].capacity[m].requestPolicy.validValues[1]: Invalid: "1": values must be sorted in ascending order',
    ),
    "neither exactly nor firstAvailable": (
        CLAIM,
        "f:7: spec.devices.requests[0]: Required: exactly one of `exactly` or `firstAvailable` is required",
    ),
    "no DeviceClass": (
        _claim("exactly: {}"),
        "f:8: spec.devices.requests[0].exactly.deviceClassName: Required: expected a value",
    ),
    "an unknown allocationMode": (
        _claim("exactly: {deviceClassName: x, allocationMode: Some}"),
        'f:8: spec.devices.requests[0].exactly.allocationMode: NotSupported: "Some": supported values: "All", "ExactCount"',
    ),
    "a negative count": (
        _claim("exactly: {deviceClassName: x, count: -1}"),
        "f:8: spec.devices.requests[0].exactly.count: Invalid: -1: must be greater than zero",
    ),
    "allocationMode All with a count": (
        _claim("exactly: {deviceClassName: x, allocationMode: All, count: 3}"),
        "f:8: spec.devices.requests[0].exactly.count: Invalid: 3: must not be specified when allocationMode is 'All'",
    ),
    "a selector without CEL": (
        _claim("exactly: {deviceClassName: x, selectors: [{}]}"),
        "f:8: spec.devices.requests[0].exactly.selectors[0].cel: Required: expected a value",
    ),
    "a constraint on an unknown request": (
        _claim(
            "exactly: {deviceClassName: x}", "constraints: [{requests: [q], matchAttribute: example.com/a}]"
        ),
        'f:9: spec.devices.constraints[0].requests[0]: Invalid: "q": must be the name of a request in the claim or the name of a request and a subrequest',
    ),
    "a constraint without an attribute": (
        _claim("exactly: {deviceClassName: x}", "constraints: [{}]"),
        "f:9: spec.devices.constraints[0]: Required: exactly one of matchAttribute and distinctAttribute is required",
    ),
    "an attribute without a domain": (
        _claim("exactly: {deviceClassName: x}", "constraints: [{distinctAttribute: a}]"),
        'f:9: spec.devices.constraints[0].distinctAttribute: Invalid: "a": a fully qualified name must be a domain and a name separated by a slash',
    ),
    "a claim name and a template name": (
        POD % ("gpu", "resourceClaimName: a, resourceClaimTemplateName: b", "x"),
        "f:6: spec.resourceClaims[0]: Invalid: must specify one of resourceClaimName and resourceClaimTemplateName",
    ),
    "a duplicate claim entry": (
        POD % ("gpu", "resourceClaimName: a", "gpu"),
        'f:6: spec.resourceClaims[1].name: Duplicate: "gpu": expected a unique value',
    ),
    "a container claim without an entry": (
        POD % ("gpo", "resourceClaimName: a", "x"),
        'f:5: spec.containers[0].resources.claims[0]: NotFound: "gpo": expected an existing name',
    ),
    "the pods of a workload": (
        "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec:\n  template:\n    spec: {restartPolicy: Never, containers: [{name: c}]}\n",
        "f:6: spec.template.spec.containers[0].image: Required: expected a value",
    ),
    "a device written in v1beta1": (
        SLICE.replace("/v1", "/v1beta1") + "    basic:\n      taints: [{key: a, effect: Some}]\n",
        'f:11: spec.devices[0].taints[0].effect: NotSupported: "Some": supported values: "NoExecute", "NoSchedule", "None"',
    ),
}


@pytest.mark.parametrize("name", RULES)
def test_one_violated_rule(name: str) -> None:
    text, message = RULES[name]
    with pytest.raises(InputErrors) as caught:
        _stored(text)
    assert str(caught.value) == message


def test_all_errors_are_reported() -> None:
    with pytest.raises(InputErrors) as caught:
        _stored(f"{CLAIM}---\n{SLICE}---\n{CLAIM}")
    assert [error.line for error in caught.value.errors] == [7, 25]


@pytest.mark.parametrize("field", ["driver", "pool", "device", "request"])
def test_an_empty_required_field_of_a_status_is_bad_input(field: str) -> None:
    result = {"request": "r", "driver": "d", "pool": "p", "device": "x", field: ""}
    claim = _claim("exactly: {deviceClassName: x}").replace("metadata: {", "metadata: {uid: u, ")
    status = f"status: {{allocation: {{devices: {{results: [{json.dumps(result)}]}}}}}}\n"
    with pytest.raises(InputErrors) as caught:
        _stored(claim + status)
    path = f"status.allocation.devices.results[0].{field}"
    assert str(caught.value) == f"f:{claim.count(chr(10)) + 1}: {path}: is empty, expected a value"


def test_defaults_are_stored() -> None:
    [claim] = _stored(_claim("exactly: {deviceClassName: x}"))
    assert claim.object.spec.devices.requests[0].exactly.count == 1
    assert claim.object.metadata.namespace == "default"
    assert claim.raw["spec"]["devices"]["requests"][0]["exactly"]["allocationMode"] == "ExactCount"


@pytest.mark.parametrize(("profile", "kept"), [("kubernetes-1.35", False), ("kubernetes-1.36", True)])
def test_fields_of_disabled_gates_are_dropped(profile: str, kept: bool) -> None:
    [one] = _stored(_slice("allowMultipleAllocations: true"), profile)
    assert bool(one.object.spec.devices[0].allow_multiple_allocations) is kept


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("version", ["v1", "v1beta1", "v1beta2"])
def test_every_written_version_is_stored_equally(profile: str, version: str) -> None:
    [one] = _stored(SLICE.replace("/v1", f"/{version}"), profile)
    assert (one.raw["apiVersion"], one.object.spec.devices[0].name) == ("resource.k8s.io/v1", "a")


def test_a_written_status_is_kept() -> None:
    results = "{results: [{request: r, driver: d.example.com, pool: p, device: a, shareID: x}]}"
    text = _claim("exactly: {deviceClassName: x}") + f"status: {{allocation: {{devices: {results}}}}}\n"
    [claim] = _stored(text, "kubernetes-1.34")
    assert claim.object.status.allocation.devices.results[0].share_id == "x"


def test_namespaces_allow_admin_access() -> None:
    [claim] = _stored(_claim("exactly: {deviceClassName: x, adminAccess: true}"), "kubernetes-1.36")
    assert claim.object.spec.devices.requests[0].exactly.admin_access


def test_other_kinds_are_kept_unchanged() -> None:
    text = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: a}\n---\napiVersion: metal3.io/v1\nkind: Node\n"
    assert _stored(text) == loads(text, "f")
