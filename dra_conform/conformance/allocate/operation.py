"""The operation `allocate`: the devices allocated to ResourceClaims on a node."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from dra_conform.conformance.allocate import answer as wire
from dra_conform.conformance.allocate import documents
from dra_conform.conformance.allocate.answer import AllocationAnswer
from dra_conform.conformance.allocate.expectation import (
    AllocationExpectation,
    AllocationExpectationBuilder,
    negations,
    without_declined,
)
from dra_conform.conformance.allocate.steps import STEPS
from dra_conform.conformance.case import Case, Objects
from dra_conform.conformance.operation import Operation, Probe, only
from dra_conform.conformance.steps.given import CLASS, Given, collected
from dra_conform.conformance.verdict import Judgement
from dra_conform.kube.json_values import Json, UncheckedJson
from dra_conform.kube.objects import decode
from dra_conform.kube.profile import Profile
from dra_conform.kube.versions import to_v1

_Expectations = Sequence[AllocationExpectation | None]

_RESOURCE = "resource.k8s.io/v1"
_ALWAYS_PRESENT = ("nodes", "deviceClasses", "resourceSlices", "resourceClaims")
"""The collections that every request has, also if they are empty."""


def _probe(title: str, devices: int) -> Probe:
    node: Json = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-1"}}
    device_class = {"apiVersion": _RESOURCE, "kind": "DeviceClass", "metadata": {"name": "any"}, "spec": {}}
    resource_slice = {
        "apiVersion": _RESOURCE,
        "kind": "ResourceSlice",
        "metadata": {"name": "pool-1-slice"},
        "spec": {
            "driver": "dra.example.com",
            "nodeName": "node-1",
            "pool": {"name": "pool-1", "generation": 1, "resourceSliceCount": 1},
            "devices": [{"name": f"device-{n}"} for n in range(devices)],
        },
    }
    exactly = {"deviceClassName": "any", "allocationMode": "ExactCount", "count": 1}
    claim = {
        "apiVersion": _RESOURCE,
        "kind": "ResourceClaim",
        "metadata": {"name": "c", "namespace": "default"},
        "spec": {"devices": {"requests": [{"name": "r0", "exactly": exactly}]}},
    }
    objects = {
        "nodes": (node,),
        "deviceClasses": (device_class,),
        "resourceSlices": (resource_slice,),
        "resourceClaims": (claim,),
    }
    return Probe(title, objects, {"node": "node-1", "claims": ["default/c"]})


class Allocate(Operation[AllocationExpectation, AllocationAnswer]):
    """The operation of KEP-5075, KEP-5963 and the DRA page: allocate devices to ResourceClaims on a node."""

    name = "allocate"
    steps = STEPS
    probes = (
        _probe("a ResourceClaim that can be allocated", 1),
        _probe("a ResourceClaim that cannot be allocated", 0),
    )

    def convert(self, raw: Mapping[str, Json]) -> dict[str, Json]:
        """Return an object as the API server stores it: in v1, and ResourceClaims with defaults."""
        v1 = to_v1(dict(raw))
        return _defaulted(v1) if v1["kind"] == "ResourceClaim" else v1

    def build_question(self, given: Given, actions: Sequence[Json]) -> tuple[Objects, Mapping[str, Json]]:
        """Return the decoded objects of the setup, and the only action; raises DecodeErrors.

        Add the default node, and the default DeviceClass without selectors, if steps imply them.
        """
        [ask] = actions
        objects: list[dict[str, Json]] = []
        nodes = given.names("Node")
        if not nodes:
            nodes = [ask["node"]]
            objects.append(_named("v1", "Node", nodes[0]))
        if given.default_class and CLASS not in given.names("DeviceClass"):
            objects.append({**_named("resource.k8s.io/v1", "DeviceClass", CLASS), "spec": {}})
        objects += given.all_objects(nodes[0])
        for raw in objects:
            decode(raw)
        return dict.fromkeys(_ALWAYS_PRESENT, ()) | collected(objects), ask

    def expect(self, ask: Mapping[str, Json], step_index: int) -> AllocationExpectationBuilder:
        return AllocationExpectationBuilder(ask)

    def read(self, body: Mapping[str, UncheckedJson]) -> AllocationAnswer:
        return wire.read(body)

    def write(self, answer: AllocationAnswer) -> dict[str, Json]:
        return wire.write(answer)

    def without_declined(
        self, expectation: AllocationExpectation, declined: Set[str]
    ) -> tuple[AllocationExpectation, frozenset[str]]:
        return without_declined(expectation, declined)

    def judge(
        self,
        case: Case,
        profile: Profile,
        expectations: _Expectations,
        answer: AllocationAnswer,
        *,
        strict: bool,
    ) -> Judgement:
        from dra_conform.conformance.allocate import judging  # noqa: PLC0415 - an adapter judges nothing

        return judging.judge(case, profile, only(expectations), answer, strict=strict)

    def negations(self, expectation: AllocationExpectation) -> Iterator[tuple[str, AllocationExpectation]]:
        return negations(expectation)

    def expected(self, expectations: _Expectations) -> UncheckedJson:
        return documents.expected(only(expectations))

    def actual(self, answer: AllocationAnswer) -> UncheckedJson:
        return documents.actual(answer)

    def align(
        self, case: Case, profile: str, expected: UncheckedJson, actual: UncheckedJson
    ) -> tuple[UncheckedJson, UncheckedJson]:
        return documents.align(case, profile, expected, actual)


def _named(api_version: str, kind: str, name: str) -> dict[str, Json]:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name}}


def _defaulted(claim: dict[str, Json]) -> dict[str, Json]:
    """Return the ResourceClaim with the defaults allocationMode ExactCount and count 1."""
    spec = claim.get("spec")
    devices = spec.get("devices") if isinstance(spec, dict) else None
    requests = devices.get("requests") if isinstance(devices, dict) else None
    if not isinstance(spec, dict) or not isinstance(devices, dict) or not isinstance(requests, list):
        return claim
    filled = []
    for request in requests:
        if not isinstance(request, dict):
            return claim
        defaulted = dict(request)
        if isinstance(defaulted.get("exactly"), dict):
            defaulted["exactly"] = _with_default_mode(defaulted["exactly"])
        if isinstance(defaulted.get("firstAvailable"), list):
            defaulted["firstAvailable"] = [
                _with_default_mode(sub) if isinstance(sub, dict) else sub
                for sub in defaulted["firstAvailable"]
            ]
        filled.append(defaulted)
    return {**claim, "spec": {**spec, "devices": {**devices, "requests": filled}}}


def _with_default_mode(requested: dict[str, Json]) -> dict[str, Json]:
    mode = requested.get("allocationMode", "ExactCount")
    count = {"count": requested.get("count", 1)} if mode == "ExactCount" else {}
    return {**requested, "allocationMode": mode, **count}
