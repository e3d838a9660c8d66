"""Other fields of an allocation: number of devices, binding conditions, node selector."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dra_conform.conformance.allocate.answer import AllocationAnswer
from tests.support.conformance.allocate.judging import Json, allocated, dedicated
from tests.support.conformance.allocate.trials import Trial, check, only_on, right, with_fields, wrong

LIMITED, CONDITIONS, NODES, TIME = (
    "results-limited",
    "binding-conditions-copied",
    "node-selector-fits",
    "allocated-in-the-past",
)
OFF = {"DRADeviceBindingConditions": False}
RELEASE = "kubernetes-1.36"


def many(count: int) -> str:
    return (
        f"- devices: [{', '.join(f'{{device: d{number}}}' for number in range(40))}]\n"
        f"- resourceClaim: {{name: c, count: {count}}}"
    )


def devices(count: int) -> AllocationAnswer:
    return allocated(*(dedicated(f"d{number}") for number in range(count)))


SIZES: dict[str, Trial] = {
    "as many as a status holds": right(many(32), devices(32)),
    "one more": wrong(
        many(33), devices(33), LIMITED, "ResourceClaim default/c: got 33 devices", profile=RELEASE
    ),
    "more than releases give": right(many(33), devices(33)),
    "for each claim": right(
        many(20) + "\n- resourceClaim: {name: b, count: 20}",
        allocated(
            *(dedicated(f"d{number}") for number in range(20)),
            b=[dedicated(f"d{number}") for number in range(20, 40)],
        ),
        claims=("c", "b"),
    ),
}

BINDING = """
- devices: [{device: d, bindingConditions: [Ready, Attached], bindingFailureConditions: [Broken]}, {device: e}, {device: f, bindingFailureConditions: [Broken]}]
- resourceClaim: {name: c}"""


def conditions(device: str, binding: list[str] | None, failure: list[str] | None) -> AllocationAnswer:
    return allocated(dedicated(device, bindingConditions=binding, bindingFailureConditions=failure))


BOTH, BROKEN = ["Ready", "Attached"], ["Broken"]
COPIES: dict[str, Trial] = {
    "both": right(BINDING, conditions("d", BOTH, BROKEN)),
    "none to copy": right(BINDING, conditions("e", None, None)),
    "none to copy, empty": right(BINDING, conditions("e", [], [])),
    "not copied": wrong(
        BINDING,
        conditions("d", None, None),
        CONDITIONS,
        "bindingConditions of device d: expected Ready, Attached",
    ),
    "half copied": wrong(BINDING, conditions("d", ["Ready"], BROKEN), CONDITIONS, "got Ready"),
    "failure conditions not copied": wrong(
        BINDING,
        conditions("d", BOTH, None),
        CONDITIONS,
        "bindingFailureConditions of device d: expected Broken",
    ),
    "exchanged": wrong(BINDING, conditions("d", BROKEN, BOTH), CONDITIONS),
    "invented": wrong(
        BINDING,
        conditions("e", ["Ready"], None),
        CONDITIONS,
        "bindingConditions of device e: expected none, got Ready",
    ),
    "off": wrong(BINDING, conditions("f", None, BROKEN), CONDITIONS, gates=OFF),
    "off, none": right(BINDING, conditions("f", None, None), gates=OFF),
}

TIMED = "- devices: [{device: d}]\n- resourceClaim: {name: c}"


def at(time: str) -> AllocationAnswer:
    return with_fields(allocated(dedicated("d")), allocationTimestamp=time)


TIMES: dict[str, Trial] = {
    "in the past": right(TIMED, at("2026-01-01T10:00:00Z")),
    "with an offset": right(TIMED, at("2026-01-01T10:00:00+02:00")),
    "in the future": wrong(
        TIMED, at("9999-01-01T10:00:00Z"), TIME, "expected a time that is not in the future"
    ),
    "no time": wrong(TIMED, at("yesterday"), TIME, "expected a time such as 2026-01-01T10:00:00Z"),
    "without a zone": wrong(TIMED, at("2026-01-01T10:00:00"), TIME),
}

PLACES = """
- node: {name: left, labels: {zone: a, disk: ssd}}
- node: {name: right, labels: {zone: b, disk: ssd}}
- node: {name: back, labels: {zone: a}}
- devices:
    - {device: here, node: left, slice: n}
    - {device: all, node: "*", slice: all}
    - {device: zone-a, node: zone=a, slice: zone}
    - {device: ssd, node: disk=ssd, slice: disk}
    - {device: own, "on": disk=ssd}
    - {device: bound, node: "*", slice: all, bindsToNode: true}
- resourceClaim: {name: c%s}
"""
NO_REQUESTS = PLACES.replace(
    "resourceClaim: {name: c%s}",
    "objects: [{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c}, spec: {}}]",
)
ONE = PLACES % ""
TWO = PLACES % ", requests: [{request: r0}, {request: r1}]"


def term(*requirements: tuple[str, str]) -> Json:
    return {
        "matchExpressions": [{"key": key, "operator": "In", "values": [value]} for key, value in requirements]
    }


def named(node: str) -> Json:
    return {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [node]}]}


def on(answer: AllocationAnswer, *terms: Json) -> AllocationAnswer:
    return with_fields(answer, nodeSelector={"nodeSelectorTerms": list(terms)})


def of(*names: str) -> AllocationAnswer:
    return allocated(*(dedicated(name, request=f"r{place}") for place, name in enumerate(names)))


HERE_ON_LEFT = only_on(of("here"), "left")
ZONE, SSD = ("zone", "a"), ("disk", "ssd")
USES: dict[str, Trial] = {
    "its node": right(ONE, only_on(of("here"), "left")),
    "everywhere, but the device is not": wrong(
        ONE,
        of("here"),
        NODES,
        "the allocation has no nodeSelector and so is available on node right, but its device here",
    ),
    "everywhere": right(ONE, of("all")),
    "less than could be": right(ONE, only_on(of("all"), "left")),
    "another node": wrong(
        ONE, only_on(of("all"), "right"), NODES, "is not available on the requested node left"
    ),
    "no node": wrong(ONE, on(of("all")), NODES),
    "its labels": right(ONE, on(of("zone-a"), term(ZONE))),
    "its labels and more": right(ONE, on(of("zone-a"), term(ZONE, SSD))),
    "other labels": wrong(
        ONE,
        on(of("zone-a"), term(SSD)),
        NODES,
        "allocation is available on node right, but its device zone-a is not",
    ),
    "labels of one node only": wrong(
        "- node: {name: left, labels: {zone: a, disk: ssd}}\n- devices: [{device: d, node: 'zone=a, disk=ssd'}]\n"
        "- resourceClaim: {name: c}",
        on(allocated(dedicated("d")), term(ZONE)),
        NODES,
        "another node without the label disk",
    ),
    "no selector for the only node": wrong(
        "- devices: [{device: d}]\n- resourceClaim: {name: c}",
        with_fields(allocated(dedicated("d")), nodeSelector=None),
        NODES,
        "another node with the labels of node-1, but its device d is not available there",
    ),
    "a node that does not exist": wrong(
        ONE,
        on(of("here"), named("left"), named("new")),
        NODES,
        "the allocation is available on a node new, but its device here is not available there",
    ),
    "a node that does not exist, with access": right(ONE, on(of("zone-a"), named("left"), named("new"))),
    "thousands of labels": wrong(
        ONE,
        on(of("here"), *(term((f"label-{number}", "a")) for number in range(5_000))),
        NODES,
        "the node selector of the allocation names 5,000 labels and nodes, expected at most 1,000",
    ),
    "a label too many among many": wrong(
        ONE,
        on(
            of("here"),
            *({**named("left"), **term((f"label-{number}", "a"))} for number in range(400)),
            term(SSD),
        ),
        NODES,
        "the allocation is available on node right, but its device here is not available there",
    ),
    "a term too many": wrong(ONE, on(of("zone-a"), term(ZONE), term(("zone", "b"))), NODES),
    "the device's own labels": right(ONE, on(of("own"), term(SSD))),
    "not the device's own labels": wrong(ONE, on(of("own"), term(ZONE)), NODES, "node back"),
    "what all devices reach": right(TWO, on(of("zone-a", "ssd"), term(ZONE, SSD))),
    "what one of two reaches": wrong(TWO, on(of("zone-a", "ssd"), term(ZONE)), NODES, "its device ssd"),
    "what the other reaches": wrong(TWO, on(of("zone-a", "ssd"), term(SSD)), NODES, "its device zone-a"),
    "a node and labels": right(TWO, only_on(of("here", "ssd"), "left")),
    "bound to its node": right(ONE, only_on(of("bound"), "left")),
    "not bound to its node": wrong(ONE, of("bound"), NODES, "its device bound binds to node left"),
    "not bound, gate off": right(ONE, of("bound"), gates=OFF),
    "not bound in 1.36, gate off": wrong(ONE, of("bound"), NODES, profile=RELEASE, gates=OFF),
    "a selector that is none": wrong(
        ONE,
        on(of("all"), {"matchExpressions": [{"key": "zone", "operator": "Like", "values": ["a"]}]}),
        NODES,
        "the node selector of the allocation is malformed",
    ),
    "each claim where it can": right(
        ONE + "- resourceClaim: {name: b}",
        replace(
            of("all"),
            allocations={**of("all").allocations, "default/b": HERE_ON_LEFT.allocations["default/c"]},
        ),
        claims=("c", "b"),
    ),
    "each claim for itself": wrong(
        ONE + "- resourceClaim: {name: b}",
        allocated(dedicated("all"), b=[dedicated("here")]),
        NODES,
        "ResourceClaim default/b",
        claims=("c", "b"),
    ),
    "a claim for nothing": right(
        NO_REQUESTS,
        allocated(),
    ),
}

TRIALS = {
    f"{area}: {name}": trial
    for area, table in (("size", SIZES), ("copy", COPIES), ("use", USES), ("time", TIMES))
    for name, trial in table.items()
}


@pytest.mark.parametrize("name", TRIALS)
def test_results(name: str) -> None:
    check(TRIALS[name])
