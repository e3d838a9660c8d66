"""Pools: which of their devices are usable on a node, and when allocationMode All fails."""

from __future__ import annotations

import pytest

from dra_conform.conformance.allocate.answer import AllocationAnswer
from tests.support.conformance.allocate.judging import Json, allocated, dedicated
from tests.support.conformance.allocate.trials import Trial, check, only_on, right, wrong

EXIST, WAITS, ALL = "devices-exist", "all-mode-needs-complete-pools", "all-devices-allocated"
FIRST, OLD, NEW, LAST = "kubernetes-1.34", "kubernetes-1.35", "kubernetes-1.36", "kubernetes-1.37"
OFF = {"DRAPartitionableDevices": False}

NODES = "- node: {name: left, labels: {side: l}}\n- node: {name: right, labels: {side: r}}\n"


def pools(*steps: str, claim: str = "{name: c}") -> str:
    return NODES + "".join(f"- {step}\n" for step in steps) + f"- resourceClaim: {claim}"


def on_left(*results: Json) -> AllocationAnswer:
    return only_on(allocated(*results), "left")


D, E, OLD_ONE = dedicated("d"), dedicated("e"), dedicated("old")
MISSING = pools(
    "devices: [{device: d}, {device: d, pool: well}]", "pool: {pool: pool-1, resourceSliceCount: 2}"
)
SURPLUS = pools(
    "devices: [{device: d, slice: a}, {device: e, slice: b}]", "pool: {pool: pool-1, resourceSliceCount: 1}"
)
RENEWED = pools("devices: [{device: old}, {device: d, generation: 2}]")
HALF_RENEWED = pools(
    "devices: [{device: old, node: left}, {device: new, node: right, generation: 2}]",
    "pool: {pool: pool-1, resourceSliceCount: 1}",
)
BOTH_NODES = pools("devices: [{device: d, node: left}, {device: e, node: right}]")
TWICE_ELSEWHERE = (
    NODES
    + """
- objects:
    - &slice
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: a}
      spec: &spec
        driver: dra.example.com
        pool: {name: pool-1, generation: 1, resourceSliceCount: 2}
        nodeName: left
        devices: [{name: d}]
    - {<<: *slice, metadata: {name: b}, spec: {<<: *spec, nodeName: right}}
- resourceClaim: {name: c}
"""
)
TWICE_HERE = TWICE_ELSEWHERE.replace("nodeName: right", "nodeName: left, devices: [{name: e}, {name: d}]")
CHOOSING = pools(
    "devices: [{device: d, 'on': left}, {device: e, 'on': right}, {device: all, 'on': '*'}, {device: l, 'on': side=l}]"
)
COUNTED = pools(
    "counterSets: [{counterSet: s, node: right, counters: {n: 1}}]",
    "devices: [{device: d, node: left}, {device: e, node: left, consumesCounters: {s: {n: 1}}}]",
)
COUNTERS_RENEWED = pools(
    "counterSets: [{counterSet: s, node: right, generation: 2, counters: {n: 1}}]",
    "devices: [{device: d, node: left}]",
)
EVERYWHERE = pools("devices: [{device: d, node: '*', slice: a}, {device: e, node: side=l, slice: b}]")
NEWER_ELSEWHERE = pools("devices: [{device: d, node: left}, {device: e, 'on': right, generation: 2}]")
OLDER_ELSEWHERE = pools(
    "devices: [{device: d, node: left, generation: 2}, {device: e, node: right, generation: 2}, "
    "{device: old, node: right}]"
)

EXISTS: dict[str, Trial] = {
    "slices are missing": wrong(
        MISSING, on_left(D), EXIST, "is incomplete: resourceSliceCount is 2, got 1 ResourceSlice"
    ),
    "slices are missing in 1.36": wrong(MISSING, on_left(D), EXIST, profile=NEW),
    "1.34 does not mind": right(MISSING, on_left(D), FIRST),
    "another pool": right(MISSING, on_left(dedicated("d", pool="well"))),
    "more slices than it says": wrong(
        SURPLUS, on_left(D), EXIST, "resourceSliceCount is 1, got 2 ResourceSlices"
    ),
    "an old generation": wrong(RENEWED, on_left(OLD_ONE), EXIST, "does not exist in a usable pool"),
    "the new generation": right(RENEWED, on_left(D)),
    "renewed on another node": wrong(
        HALF_RENEWED, on_left(OLD_ONE), EXIST, "does not exist in a usable pool"
    ),
    "releases look at the node": right(HALF_RENEWED, on_left(OLD_ONE), LAST),
    "slices of two nodes": right(BOTH_NODES, on_left(D)),
    "slices of two nodes, 1.34": right(BOTH_NODES, on_left(D), FIRST),
    "the other node": wrong(BOTH_NODES, on_left(E), EXIST, "is not available on node left"),
    "twice on one node": wrong(TWICE_HERE, on_left(E), EXIST, "is invalid: device d is published 2 times"),
    "twice on one node, 1.36": wrong(TWICE_HERE, on_left(E), EXIST, profile=NEW),
    "twice on one node, 1.34": wrong(TWICE_HERE, on_left(E), EXIST, profile=FIRST),
    "twice on two nodes": wrong(TWICE_ELSEWHERE, on_left(D), EXIST, "is invalid"),
    "releases look at the node only": right(TWICE_ELSEWHERE, on_left(D), NEW),
    "the device's own node": right(CHOOSING, on_left(D)),
    "the device's own labels": right(CHOOSING, on_left(dedicated("l"))),
    "the device's own choice of all": right(CHOOSING, allocated(dedicated("all"))),
    "the device's other node": wrong(CHOOSING, on_left(E), EXIST),
    "own choices with the gate off": wrong(
        CHOOSING, on_left(D), EXIST, "does not exist in a usable pool", gates=OFF
    ),
    "own choices with the gate off, 1.36": wrong(CHOOSING, on_left(D), EXIST, profile=NEW, gates=OFF),
    "for all nodes in 1.36": right(EVERYWHERE, on_left(D), NEW),
    "by labels in 1.36": right(EVERYWHERE, on_left(E), NEW),
    "the device's own node in 1.36": right(CHOOSING, on_left(D), NEW),
    "own choices elsewhere are newer": right(NEWER_ELSEWHERE, on_left(D), NEW),
    "older elsewhere": right(OLDER_ELSEWHERE, on_left(D), NEW),
    "counters elsewhere": right(COUNTED, on_left(dedicated("e"))),
    "counters elsewhere in 1.36": right(COUNTED, on_left(dedicated("e")), NEW),
    "counters elsewhere in 1.37": right(COUNTED, on_left(dedicated("e")), LAST),
    "counters elsewhere are newer": wrong(COUNTERS_RENEWED, on_left(D), EXIST, profile=NEW),
    "1.37 does not see that": right(COUNTERS_RENEWED, on_left(D), LAST),
    "counters off": right(COUNTED, on_left(D), gates=OFF),
    "counters off in 1.36": right(COUNTED, on_left(D), NEW, gates=OFF),
}

ALL_DEVICES = "{name: c, allocationMode: All}"


def asking_all(world: str) -> str:
    return world.replace("resourceClaim: {name: c}", f"resourceClaim: {ALL_DEVICES}")


INVALID = pools(
    "counterSets: [{counterSet: s, counters: {n: 1}}]",
    "devices: [{device: d, consumesCounters: {t: {n: 1}}}, {device: d, pool: well}]",
    claim=ALL_DEVICES,
)
FAR = pools(
    "devices: [{device: d, node: left, pool: well}, {device: d, node: right}]",
    "pool: {pool: pool-1, resourceSliceCount: 2}",
    claim=ALL_DEVICES,
)
WELL = dedicated("d", pool="well")

MODE_ALL: dict[str, Trial] = {
    "a pool is incomplete": wrong(
        asking_all(MISSING),
        on_left(WELL),
        WAITS,
        "allocationMode All cannot be allocated: pool dra.example.com/pool-1 is incomplete",
    ),
    "a pool is incomplete in 1.36": wrong(asking_all(MISSING), on_left(WELL), WAITS, profile=NEW),
    "a pool is incomplete in 1.34": wrong(asking_all(MISSING), on_left(D, WELL), WAITS, profile=FIRST),
    "a pool of another node": right(FAR, on_left(WELL)),
    "a pool of another node in 1.36": right(FAR, on_left(WELL), NEW),
    "a request that is none": wrong(
        asking_all(MISSING), on_left(dedicated("d", pool="well", request="r9")), "requests-satisfied"
    ),
    "a pool of slices that do not exist": right(
        pools(
            "devices: [{device: d, node: left, pool: well}, {device: d, 'on': left}]",
            "pool: {pool: pool-1, resourceSliceCount: 2}",
            claim=ALL_DEVICES,
        ),
        on_left(WELL),
        gates=OFF,
    ),
    "slices on two nodes": right(asking_all(BOTH_NODES), on_left(D)),
    "slices on two nodes in 1.36": right(asking_all(BOTH_NODES), on_left(D), NEW),
    "1.34 treats them as missing": wrong(asking_all(BOTH_NODES), on_left(D), WAITS, profile=FIRST),
    "a pool is invalid": right(INVALID, on_left(WELL)),
    "a pool is invalid in 1.36": wrong(INVALID, on_left(WELL), WAITS, "is invalid", profile=NEW),
    "an alternative": wrong(
        pools(
            "devices: [{device: d}, {device: d, pool: well}]",
            "pool: {pool: pool-1, resourceSliceCount: 2}",
            claim="{name: c, firstAvailable: [{subrequest: a, allocationMode: All}, {subrequest: b}]}",
        ),
        on_left(dedicated("d", pool="well", request="r0/a")),
        WAITS,
        "request r0: allocationMode All cannot be allocated",
    ),
    "the other alternative": right(
        pools(
            "devices: [{device: d}, {device: d, pool: well}]",
            "pool: {pool: pool-1, resourceSliceCount: 2}",
            claim="{name: c, firstAvailable: [{subrequest: a, allocationMode: All}, {subrequest: b}]}",
        ),
        on_left(dedicated("d", pool="well", request="r0/b")),
    ),
    "one left out": wrong(asking_all(CHOOSING), on_left(D, dedicated("l")), ALL, "leaves out"),
    "a partition left out": wrong(asking_all(COUNTED), on_left(D), ALL, "leaves out"),
    "a partition left out, gate off": right(asking_all(COUNTED), on_left(D), gates=OFF),
    "all on the node": right(asking_all(CHOOSING), on_left(D, dedicated("l"), dedicated("all"))),
}

TRIALS = {
    f"{area}: {name}": trial
    for area, table in (("exists", EXISTS), ("all", MODE_ALL))
    for name, trial in table.items()
}


@pytest.mark.parametrize("name", TRIALS)
def test_pools(name: str) -> None:
    check(TRIALS[name])
