"""Shared counters: allocated devices stay within them, and which devices consume them."""

from __future__ import annotations

import pytest

from dra_conform.conformance.allocate.answer import AllocationAnswer
from tests.support.conformance.allocate.judging import allocated, dedicated, share
from tests.support.conformance.allocate.trials import Trial, check, only_on, right, wrong

EXCEEDED, EXIST, ENABLED = "counters-not-overcommitted", "devices-exist", "features-enabled"
OLD, SLICED, NEW = "kubernetes-1.35", "kubernetes-1.34", "kubernetes-1.36"
PARTITIONS_OFF = {"DRAPartitionableDevices": False}

GPU = """
- counterSets:
    - {counterSet: gpu-0, counters: {mem: 8Gi, cores: 4}}
    - {counterSet: gpu-1, counters: {mem: 8Gi}}
- devices:
    - {device: six, consumesCounters: {gpu-0: {mem: 6Gi}}}
    - {device: two, consumesCounters: {gpu-0: {mem: 2Gi, cores: 3}}}
    - {device: two-mi, consumesCounters: {gpu-0: {mem: 2048Mi}}}
    - {device: more, consumesCounters: {gpu-0: {mem: 2049Mi}}}
    - {device: none, consumesCounters: {gpu-0: {mem: 0}}}
    - {device: other, consumesCounters: {gpu-1: {mem: 6Gi}}}
    - {device: both, consumesCounters: {gpu-0: {mem: 1Gi}, gpu-1: {mem: 3Gi}}}
    - {device: cores, consumesCounters: {gpu-0: {cores: 2}}}
    - {device: nine, consumesCounters: {gpu-0: {mem: 9Gi}}}
    - {device: shared, allowMultipleAllocations: true, consumesCounters: {gpu-0: {mem: 6Gi}}}
    - {device: plain}
"""
ONE = GPU + "- resourceClaim: {name: c}"
TWO = GPU + "- resourceClaim: {name: c, requests: [{request: r0}, {request: r1}]}"
HELD = ONE + "\n- allocated: {resourceClaim: h, results: [%s]}"
SHARED = HELD % "{device: shared, shareID: s1}"


def both(first: str, second: str) -> AllocationAnswer:
    return allocated(dedicated(first), dedicated(second, request="r1"))


ADMIN = """
- counterSets: [{counterSet: gpu-0, counters: {mem: 8Gi}}]
- devices:
    - {device: six, consumesCounters: {gpu-0: {mem: 6Gi}}}
    - {device: four, consumesCounters: {gpu-0: {mem: 4Gi}}}
- allocated: {resourceClaim: h, results: [{device: six%s}]}
- resourceClaim: {name: c%s}
"""

POOLS = """
- counterSets: [{counterSet: s, pool: p1, counters: {n: 1}}, {counterSet: s, pool: p2, counters: {n: 1}}]
- devices:
    - {device: d, pool: p1, consumesCounters: {s: {n: 1}}}
    - {device: d, pool: p2, consumesCounters: {s: {n: 1}}}
    - {device: e, pool: p2, consumesCounters: {s: {n: 1}}}
- resourceClaim: {name: c, requests: [{request: r0}, {request: r1}]}
"""

NODES = """
- node: {name: left}
- node: {name: right}
- counterSets: [{counterSet: s, node: "*", counters: {n: 8}}]
- devices:
    - {device: d, node: left, slice: l, consumesCounters: {s: {n: 6}}}
    - {device: small, node: left, slice: l, consumesCounters: {s: {n: 2}}}
    - {device: e, node: right, slice: r, consumesCounters: {s: {n: 6}}}
- allocated: {resourceClaim: h, results: [{device: e}]}
- resourceClaim: {name: c}
"""
DRIVERS = """
- counterSets:
    - {counterSet: s, driver: a.example, counters: {n: 8}}
    - {counterSet: t, driver: b.example, counters: {n: 8}}
- devices:
    - {device: d, driver: a.example, consumesCounters: {s: {n: 1}}}
    - {device: d, driver: b.example, consumesCounters: {t: {n: 9}}}
- resourceClaim: {name: c, requests: [{request: r0}, {request: r1}]}
"""
IN_DRIVERS = allocated(dedicated("d", driver="a.example"), dedicated("d", driver="b.example", request="r1"))

ONE_SLICE = """
- objects:
    - apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: s}
      spec:
        driver: dra.example.com
        pool: {name: pool-1, generation: 1, resourceSliceCount: 1}
        nodeName: node-1
        sharedCounters: [{name: gpu, counters: {mem: {value: 8Gi}}}]
        devices:
          - {name: one, consumesCounters: [{counterSet: gpu, counters: {mem: {value: 6Gi}}}]}
          - {name: two, consumesCounters: [{counterSet: gpu, counters: {mem: {value: 6Gi}}}]}
- resourceClaim: {name: c}
"""
ONE_SLICE_AND_PLAIN = ONE_SLICE.replace("        devices:\n", "        devices:\n          - {name: plain}\n")
ONE_SLICE_TWICE = ONE_SLICE.replace("{name: c}", "{name: c, count: 2}")

OVERCOMMITTED = """
- counterSets: [{counterSet: s, counters: {n: 8, m: 8}}, {counterSet: t, counters: {n: 8}}]
- devices:
    - {device: huge, consumesCounters: {s: {n: 20}}}
    - {device: same, consumesCounters: {s: {n: 0}}}
    - {device: beside, consumesCounters: {s: {m: 1}}}
    - {device: far, consumesCounters: {t: {n: 1}}}
- allocated: {resourceClaim: h, results: [{device: huge}]}
- resourceClaim: {name: c}
"""


def broken_pool(devices: str) -> str:
    return f"""
- counterSets: [{{counterSet: s, counters: {{n: 8}}}}]
- devices: [{{device: d, consumesCounters: {{s: {{n: 1}}}}}}, {{device: plain}}, {devices}]
- devices: [{{device: plain, pool: well}}]
- resourceClaim: {{name: c}}
"""


NO_SET = broken_pool("{device: e, consumesCounters: {t: {n: 1}}}")
NO_COUNTER = broken_pool("{device: e, consumesCounters: {s: {m: 1}}}")
ELSEWHERE = """
- node: {name: node-1}
- node: {name: node-2}
- counterSets: [{counterSet: s, node: "*", counters: {n: 8}}]
- devices:
    - {device: d, node: node-1, slice: l, consumesCounters: {s: {n: 1}}}
    - {device: e, node: node-2, slice: r, consumesCounters: {t: {n: 1}}}
- resourceClaim: {name: c}
"""
TWICE_A_SET = """
- objects:
    - &slice
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: s1}
      spec:
        driver: dra.example.com
        pool: &pool {name: pool-1, generation: 1, resourceSliceCount: 3}
        nodeName: node-1
        sharedCounters: [{name: s, counters: {n: {value: 8}}}]
    - {<<: *slice, metadata: {name: s2}}
    - <<: *slice
      metadata: {name: s3}
      spec:
        driver: dra.example.com
        pool: *pool
        nodeName: node-1
        devices: [{name: d, consumesCounters: [{counterSet: s, counters: {n: {value: 1}}}]}, {name: plain}]
- resourceClaim: {name: c}
"""

TRIALS: dict[str, Trial] = {
    "alone": right(ONE, allocated(dedicated("six"))),
    "filled": right(TWO, both("six", "two")),
    "filled, other notation": right(TWO, both("two-mi", "six")),
    "a mebibyte over": wrong(TWO, both("six", "more"), EXCEEDED, "mem of counter set gpu-0"),
    "more than there is": wrong(
        ONE, allocated(dedicated("nine")), EXCEEDED, "with device nine, allocated devices consume 9Gi"
    ),
    "another counter is short": wrong(
        TWO, both("two", "cores"), EXCEEDED, "counter cores of counter set gpu-0"
    ),
    "each counter by itself": right(TWO, both("six", "cores")),
    "sets are independent": right(TWO, both("six", "other")),
    "one of two sets is short": wrong(TWO, both("other", "both"), EXCEEDED, "gpu-1"),
    "both sets suffice": right(TWO, both("six", "both")),
    "no counters": right(HELD % "{device: six}, {device: two}", allocated(dedicated("plain"))),
    "nothing left and nothing asked": right(
        HELD % "{device: six}, {device: two}", allocated(dedicated("none"))
    ),
    "in addition to allocated devices": right(HELD % "{device: six}", allocated(dedicated("two"))),
    "too much in addition to allocated devices": wrong(
        HELD % "{device: six}", allocated(dedicated("more")), EXCEEDED, "allocated devices consume 8193Mi"
    ),
    "across claims": wrong(
        ONE + "\n- resourceClaim: {name: b}",
        allocated(dedicated("six"), b=[dedicated("more")]),
        EXCEEDED,
        "ResourceClaim default/b, request r0",
        claims=("c", "b"),
    ),
    "shares draw once": right(TWO, allocated(share("shared", 1), share("shared", 2, request="r1"))),
    "one more shared allocation of an allocated device": right(SHARED, allocated(share("shared", 2))),
    "in addition to an allocated shared device": right(SHARED, allocated(dedicated("two"))),
    "too much in addition to an allocated shared device": wrong(
        SHARED, allocated(dedicated("more")), EXCEEDED
    ),
    "1.36 counts allocated shared devices": wrong(
        SHARED, allocated(dedicated("more")), EXCEEDED, profile=NEW
    ),
    "1.34 ignores allocated shared devices": right(
        ONE_SLICE.replace("- {name: one,", "- {name: one, allowMultipleAllocations: true,")
        + "- allocated: {resourceClaim: h, results: [{device: one, shareID: s1}]}",
        allocated(dedicated("two")),
        SLICED,
    ),
    "1.35 counts allocated exclusive devices": wrong(
        HELD % "{device: six}", allocated(dedicated("more")), EXCEEDED, profile=OLD
    ),
    "1.35 ignores allocated shared devices": right(SHARED, allocated(dedicated("more")), OLD),
    "1.35 counts them without consumable capacity": wrong(
        SHARED.replace("allowMultipleAllocations: true, ", ""),
        allocated(dedicated("more")),
        EXCEEDED,
        profile=OLD,
        gates={"DRAConsumableCapacity": False},
    ),
    "admin access draws nothing": right(
        ADMIN % ("", ", adminAccess: true"), allocated(dedicated("six", adminAccess=True))
    ),
    "admin access on what would not fit": right(
        ADMIN % ("", ", adminAccess: true"), allocated(dedicated("four", adminAccess=True))
    ),
    "allocated with adminAccess": right(ADMIN % (", adminAccess: true", ""), allocated(dedicated("four"))),
    "allocated without adminAccess": wrong(ADMIN % ("", ""), allocated(dedicated("four")), EXCEEDED),
    "the same set in another pool": right(
        POOLS, allocated(dedicated("d", pool="p1"), dedicated("d", pool="p2", request="r1"))
    ),
    "the same set in the same pool": wrong(
        POOLS, allocated(dedicated("d", pool="p2"), dedicated("e", pool="p2", request="r1")), EXCEEDED, "p2"
    ),
    "the same set in the same pool, 1.35": wrong(
        POOLS,
        allocated(dedicated("d", pool="p2"), dedicated("e", pool="p2", request="r1")),
        EXCEEDED,
        profile=OLD,
    ),
    "a device on another node draws, too": wrong(
        NODES, only_on(allocated(dedicated("d")), "left"), EXCEEDED, node="left"
    ),
    "what it leaves": right(NODES, only_on(allocated(dedicated("small")), "left"), node="left"),
    "a device on another node draws in 1.37": wrong(
        NODES, only_on(allocated(dedicated("d")), "left"), EXCEEDED, profile="kubernetes-1.37", node="left"
    ),
    "pools of one name, two drivers": wrong(DRIVERS, IN_DRIVERS, EXCEEDED, "b.example/pool-1"),
    "1.35 mixes them up": right(DRIVERS, IN_DRIVERS, OLD),
    "1.36 does not mix": wrong(DRIVERS, IN_DRIVERS, EXCEEDED, profile=NEW),
    "counters and devices in one slice": right(ONE_SLICE, allocated(dedicated("one"))),
    "both of one slice": wrong(
        ONE_SLICE_TWICE, allocated(dedicated("one"), dedicated("two")), EXCEEDED, "consume 12Gi"
    ),
    "both of one slice in 1.34": wrong(
        ONE_SLICE_TWICE, allocated(dedicated("one"), dedicated("two")), EXCEEDED, profile=SLICED
    ),
    "one slice since 1.35": wrong(ONE_SLICE, allocated(dedicated("one")), EXIST, profile=OLD),
    "1.34 looks into the device's own slice": right(TWO, both("six", "more"), SLICED),
    "one slice with the gate off": right(
        ONE_SLICE_AND_PLAIN, allocated(dedicated("plain")), gates=PARTITIONS_OFF
    ),
    "one slice with the gate off since 1.35": wrong(
        ONE_SLICE_AND_PLAIN, allocated(dedicated("plain")), EXIST, profile=NEW, gates=PARTITIONS_OFF
    ),
    "a further share where it was overcommitted before": right(
        HELD % "{device: shared, shareID: s1}, {device: six}", allocated(share("shared", 2))
    ),
    "overcommitted before": wrong(
        OVERCOMMITTED, allocated(dedicated("same")), EXCEEDED, "consume 20 of counter n"
    ),
    "overcommitted before, another counter": right(OVERCOMMITTED, allocated(dedicated("beside"))),
    "overcommitted before, another set": right(OVERCOMMITTED, allocated(dedicated("far"))),
    "overcommitted before, 1.36 allocates no other device": wrong(
        OVERCOMMITTED,
        allocated(dedicated("beside")),
        EXCEEDED,
        "counter n of counter set s in pool dra.example.com/pool-1 was overcommitted before",
        profile=NEW,
    ),
    "overcommitted before, in 1.36 nothing of another set either": wrong(
        OVERCOMMITTED,
        allocated(dedicated("far")),
        EXCEEDED,
        "expected no device that consumes another counter of the same scope",
        profile=NEW,
    ),
    "overcommitted before, 1.36 gives what draws nothing": right(
        OVERCOMMITTED.replace("- allocated", "    - {device: plain}\n- allocated"),
        allocated(dedicated("plain")),
        NEW,
    ),
    "unknown counter set": wrong(
        NO_SET,
        allocated(dedicated("d")),
        EXIST,
        "device e consumes counter set t, which the pool does not declare",
    ),
    "unknown counter set, plain device": wrong(NO_SET, allocated(dedicated("plain")), EXIST, "is invalid"),
    "unknown counter set, another pool": right(NO_SET, allocated(dedicated("plain", pool="well"))),
    "unknown counter": wrong(
        NO_COUNTER, allocated(dedicated("plain")), EXIST, "counter m, which counter set s does not declare"
    ),
    "1.34 leaves that to the API": right(NO_COUNTER, allocated(dedicated("plain")), SLICED),
    "1.36 finds it": wrong(NO_COUNTER, allocated(dedicated("plain")), EXIST, profile=NEW),
    "unknown counter set on another node": wrong(
        ELSEWHERE, only_on(allocated(dedicated("d")), "node-1"), EXIST, "device e", node="node-1"
    ),
    "a counter set twice": wrong(
        TWICE_A_SET, allocated(dedicated("plain")), EXIST, "counter set s is published twice"
    ),
    "counters with the gate off": wrong(
        ONE, allocated(dedicated("six")), ENABLED, "DRAPartitionableDevices is off", gates=PARTITIONS_OFF
    ),
    "counters with the gate off in 1.34": wrong(
        ONE, allocated(dedicated("six")), ENABLED, profile=SLICED, gates=PARTITIONS_OFF
    ),
    "oversold with the gate off": wrong(ONE, allocated(dedicated("nine")), ENABLED, gates=PARTITIONS_OFF),
    "no counters with the gate off": right(ONE, allocated(dedicated("plain")), gates=PARTITIONS_OFF),
    "unknown counter set with the gate off": right(
        NO_SET, allocated(dedicated("plain")), gates=PARTITIONS_OFF
    ),
}


@pytest.mark.parametrize("name", TRIALS)
def test_counters(name: str) -> None:
    check(TRIALS[name])
