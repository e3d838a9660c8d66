"""Compatibility groups: which devices can be allocated together, and what results record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from dra_conform.conformance.allocate.answer import AllocationAnswer
from tests.support.conformance.allocate.judging import Json, allocated, dedicated, share
from tests.support.conformance.allocate.trials import Trial, check, right, wrong

COMPATIBLE, RECORDED, EXIST, ALL = (
    "groups-compatible",
    "groups-recorded",
    "devices-exist",
    "all-devices-allocated",
)
OLD, LIVE = "kubernetes-1.36", "kubernetes-1.37"
GROUPS = "DRADeviceCompatibilityGroups"
OFF = {GROUPS: False}
ON = {GROUPS: True}

DEVICES = """
- counterSets:
    - {counterSet: c, counters: {n: 100}}
    - {counterSet: f, counters: {n: 100}}
    - {counterSet: c, pool: other, counters: {n: 100}}
    - {counterSet: c, driver: b.example, counters: {n: 100}}
- devices:
    - {device: mig-0, consumesCounters: {c: {n: 20}}, compatibilityGroups: {c: [mig]}}
    - {device: mig-1, consumesCounters: {c: {n: 20}}, compatibilityGroups: {c: [mig]}}
    - {device: vgpu, consumesCounters: {c: {n: 50}}, compatibilityGroups: {c: [vgpu]}}
    - {device: foo, consumesCounters: {c: {n: 1}}, compatibilityGroups: {c: [foo, foobar]}}
    - {device: bar, consumesCounters: {c: {n: 1}}, compatibilityGroups: {c: [bar, foobar]}}
    - {device: foo-bar, consumesCounters: {c: {n: 1}}, compatibilityGroups: {c: [bar, foo]}}
    - {device: plain-0, consumesCounters: {c: {n: 1}}}
    - {device: plain-1, consumesCounters: {c: {n: 1}}, compatibilityGroups: {c: []}}
    - {device: mig-far, consumesCounters: {f: {n: 1}}, compatibilityGroups: {f: [mig]}}
    - {device: vgpu-far, consumesCounters: {f: {n: 1}}, compatibilityGroups: {f: [vgpu]}}
    - {device: two, consumesCounters: {c: {n: 1}, f: {n: 1}}, compatibilityGroups: {c: [mig], f: [nvl]}}
    - {device: half, consumesCounters: {c: {n: 1}, f: {n: 1}}, compatibilityGroups: {c: [mig]}}
    - {device: plain-far, consumesCounters: {f: {n: 1}}}
    - {device: MIG, consumesCounters: {c: {n: 1}}, compatibilityGroups: {c: [MIG]}}
    - {device: mig-1g, consumesCounters: {c: {n: 1}}, compatibilityGroups: {c: [mig-1g]}}
    - {device: loose}
    - {device: shared, allowMultipleAllocations: true, consumesCounters: {c: {n: 1}}, compatibilityGroups: {c: [mig]}}
- devices:
    - {device: vgpu, pool: other, consumesCounters: {c: {n: 1}}, compatibilityGroups: {c: [vgpu]}}
    - {device: vgpu, driver: b.example, consumesCounters: {c: {n: 1}}, compatibilityGroups: {c: [vgpu]}}
"""
ONE = DEVICES + "- resourceClaim: {name: c}"
TWO = DEVICES + "- resourceClaim: {name: c, requests: [{request: r0}, {request: r1}]}"
THREE = DEVICES + "- resourceClaim: {name: c, requests: [{request: r0}, {request: r1}, {request: r2}]}"


def held(*devices: str) -> str:
    """One claim for each device, written as in a golden file."""
    return ONE + "".join(
        f"\n- allocated: {{resourceClaim: h{number}, results: [{device}]}}"
        for number, device in enumerate(devices)
    )


def taken(name: str, groups: Mapping[str, Sequence[str]] | None = None, **fields: Json) -> Json:
    """A result that records groups."""
    return dedicated(name, **({} if groups is None else {"compatibilityGroups": groups}), **fields)


def mig(name: str = "mig-0", **fields: Json) -> Json:
    return taken(name, {"c": ["mig"]}, **fields)


def after(*results: Json) -> AllocationAnswer:
    """The results for requests r0, r1 and so on."""
    return allocated(*({**result, "request": f"r{place}"} for place, result in enumerate(results)))


HELD_MIG = held("{device: mig-0, compatibilityGroups: {c: [mig]}}")
HELD_PLAIN = held("{device: plain-0}")
VGPU = taken("vgpu", {"c": ["vgpu"]})
FOO, BAR = taken("foo", {"c": ["foo", "foobar"]}), taken("bar", {"c": ["bar", "foobar"]})
FOO_BAR = taken("foo-bar", {"c": ["foo", "bar"]})
CHANGED = held("{device: vgpu, compatibilityGroups: {c: [mig]}}")
UNRECORDED = held("{device: mig-0}")
IN_CONFLICT = held(
    "{device: mig-0, compatibilityGroups: {c: [mig]}}", "{device: vgpu, compatibilityGroups: {c: [vgpu]}}"
)
MIXED = held("{device: mig-0, compatibilityGroups: {c: [mig]}}", "{device: plain-0}")
ADMIN = DEVICES + "- resourceClaim: {name: c, adminAccess: true}"
HELD_SHARE = held("{device: shared, shareID: s1, compatibilityGroups: {c: [mig]}}")
HIDING = """
- counterSets: [{counterSet: c, counters: {n: 100}}]
- devices:
    - {device: mig, slice: a, consumesCounters: {c: {n: 20}}, compatibilityGroups: {c: [mig]}}
    - {device: plain, slice: b}
    - {device: plain, pool: well}
- resourceClaim: {name: c%s}
"""

TOGETHER: dict[str, Trial] = {
    "a group in common": right(TWO, after(mig(), mig("mig-1"))),
    "no group in common": wrong(TWO, after(mig(), VGPU), COMPATIBLE, "expected a group common to all"),
    "whoever comes first": wrong(TWO, after(VGPU, mig()), COMPATIBLE, "device mig-0 with mig"),
    "one of two groups": right(TWO, after(FOO, BAR)),
    "no group": right(TWO, after(taken("plain-0"), taken("plain-1"))),
    "with a group after without": wrong(TWO, after(taken("plain-0"), mig()), COMPATIBLE, "no group"),
    "without a group after with": wrong(TWO, after(mig(), taken("plain-1")), COMPATIBLE),
    "pairs are not enough": wrong(THREE, after(FOO, BAR, FOO_BAR), COMPATIBLE, "foo and foobar"),
    "names are whole": wrong(TWO, after(mig(), taken("mig-1g", {"c": ["mig-1g"]})), COMPATIBLE),
    "names have capitals": wrong(TWO, after(mig(), taken("MIG", {"c": ["MIG"]})), COMPATIBLE),
    "other counter sets": right(TWO, after(mig(), taken("vgpu-far", {"f": ["vgpu"]}))),
    "no counters": right(TWO, after(mig(), taken("loose"))),
    "another pool": right(TWO, after(mig(), taken("vgpu", {"c": ["vgpu"]}, pool="other"))),
    "another driver": right(TWO, after(mig(), taken("vgpu", {"c": ["vgpu"]}, driver="b.example"))),
    "every set agrees": right(
        THREE, after(mig(), taken("two", {"c": ["mig"], "f": ["nvl"]}), taken("loose"))
    ),
    "one of two sets does not": wrong(
        TWO,
        after(taken("two", {"c": ["mig"], "f": ["nvl"]}), taken("mig-far", {"f": ["mig"]})),
        COMPATIBLE,
        "set f",
    ),
    "without groups on one set": right(TWO, after(taken("half", {"c": ["mig"]}), taken("plain-far"))),
    "without groups on one set, with groups on another": wrong(
        TWO, after(taken("half", {"c": ["mig"]}), taken("mig-far", {"f": ["mig"]})), COMPATIBLE
    ),
    "shares of one device": right(
        TWO,
        allocated(
            {**share("shared", 1), "compatibilityGroups": {"c": ["mig"]}},
            {**share("shared", 2, request="r1"), "compatibilityGroups": {"c": ["mig"]}},
        ),
    ),
    "a shared device after another group": wrong(
        TWO,
        allocated({**share("shared", 1), "compatibilityGroups": {"c": ["mig"]}}, {**VGPU, "request": "r1"}),
        COMPATIBLE,
    ),
}

BESIDE: dict[str, Trial] = {
    "the recorded group": right(HELD_MIG, allocated(mig("mig-1"))),
    "another group": wrong(
        HELD_MIG,
        allocated(VGPU),
        COMPATIBLE,
        "is allocated from counter set c in pool dra.example.com/pool-1",
    ),
    "none": wrong(HELD_MIG, allocated(taken("plain-0")), COMPATIBLE),
    "without groups": right(HELD_PLAIN, allocated(taken("plain-1"))),
    "with a group after an allocated device without": wrong(HELD_PLAIN, allocated(mig()), COMPATIBLE),
    "the record counts, not the slice": right(CHANGED, allocated(mig())),
    "the slice does not count": wrong(CHANGED, allocated(taken("foo", {"c": ["foo", "foobar"]})), COMPATIBLE),
    "without a record it has no group": wrong(UNRECORDED, allocated(mig("mig-1")), COMPATIBLE),
    "without a record, after none": right(UNRECORDED, allocated(taken("plain-0"))),
    "an empty record": wrong(
        held("{device: mig-0, compatibilityGroups: {c: []}}"), allocated(mig("mig-1")), COMPATIBLE
    ),
    "a device that is gone": wrong(
        held("{device: gone, compatibilityGroups: {c: [mig]}}"), allocated(VGPU), COMPATIBLE
    ),
    "a device that is gone, same group": right(
        held("{device: gone, compatibilityGroups: {c: [mig]}}"), allocated(mig())
    ),
    "a device that is gone, without record": right(held("{device: gone}"), allocated(mig())),
    "the intersection of allocated devices": wrong(
        held(
            "{device: foo, compatibilityGroups: {c: [foo, foobar]}}",
            "{device: bar, compatibilityGroups: {c: [bar, foobar]}}",
        ),
        allocated(FOO_BAR),
        COMPATIBLE,
        "together with devices that have foo and foobar, bar and foobar",
    ),
    "in conflict before": wrong(IN_CONFLICT, allocated(mig("mig-1")), COMPATIBLE),
    "in conflict before, without groups": wrong(MIXED, allocated(taken("plain-1")), COMPATIBLE),
    "in conflict before, elsewhere": right(IN_CONFLICT, allocated(taken("mig-far", {"f": ["mig"]}))),
    "allocated with adminAccess": right(
        held("{device: vgpu, adminAccess: true, compatibilityGroups: {c: [vgpu]}}"), allocated(mig())
    ),
    "with admin access": right(
        ADMIN
        + "\n- allocated: {resourceClaim: h, results: [{device: mig-0, compatibilityGroups: {c: [mig]}}]}",
        allocated(taken("vgpu", {"c": ["vgpu"]}, adminAccess=True)),
    ),
    "a further share in a conflict": wrong(
        HELD_SHARE
        + "\n- allocated: {resourceClaim: g, results: [{device: vgpu, compatibilityGroups: {c: [vgpu]}}]}",
        allocated({**share("shared", 2), "compatibilityGroups": {"c": ["mig"]}}),
        COMPATIBLE,
    ),
    "a further share": right(
        HELD_SHARE, allocated({**share("shared", 2), "compatibilityGroups": {"c": ["mig"]}})
    ),
}

RECORDS: dict[str, Trial] = {
    "in any order": right(ONE, allocated(taken("foo", {"c": ["foobar", "foo"]}))),
    "a group twice": wrong(
        ONE,
        allocated(taken("mig-0", {"c": ["mig", "mig"]})),
        RECORDED,
        "repeats a group for counter set c: mig, mig",
    ),
    "no record": wrong(
        ONE, allocated(taken("mig-0")), RECORDED, "lacks counter set c, expected mig as device mig-0 declares"
    ),
    "another group": wrong(
        ONE, allocated(taken("mig-0", {"c": ["vgpu"]})), RECORDED, "records vgpu for counter set c"
    ),
    "half the groups": wrong(ONE, allocated(taken("foo", {"c": ["foo"]})), RECORDED),
    "more groups": wrong(ONE, allocated(taken("mig-0", {"c": ["mig", "vgpu"]})), RECORDED),
    "the intersection": wrong(
        TWO,
        after(taken("foo", {"c": ["foobar"]}), BAR),
        RECORDED,
        "request r0: compatibilityGroups records foobar",
    ),
    "by counter set": right(ONE, allocated(taken("two", {"c": ["mig"], "f": ["nvl"]}))),
    "the sets exchanged": wrong(ONE, allocated(taken("two", {"c": ["nvl"], "f": ["mig"]})), RECORDED),
    "one set missing": wrong(ONE, allocated(taken("two", {"c": ["mig"]})), RECORDED, "lacks counter set f"),
    "a set without groups": right(ONE, allocated(taken("half", {"c": ["mig"]}))),
    "a set without groups, empty": right(ONE, allocated(taken("half", {"c": ["mig"], "f": []}))),
    "a set without groups, invented": wrong(
        ONE,
        allocated(taken("half", {"c": ["mig"], "f": ["mig"]})),
        RECORDED,
        "expected no group as device half declares",
    ),
    "a set it does not draw from": wrong(
        ONE,
        allocated(taken("mig-0", {"c": ["mig"], "f": []})),
        RECORDED,
        "for counter set f, expected no entry",
    ),
    "a record without groups": wrong(
        ONE, allocated(taken("plain-0", {"c": []})), RECORDED, "expected no entry"
    ),
    "a record without counters": wrong(ONE, allocated(taken("loose", {"c": ["mig"]})), RECORDED),
    "an empty record": right(ONE, allocated(taken("plain-0", {}))),
    "admin access, no record": right(ADMIN, allocated(taken("mig-0", adminAccess=True))),
    "admin access, half a record": wrong(
        ADMIN, allocated(taken("two", {"c": ["mig"]}, adminAccess=True)), RECORDED, "lacks counter set f"
    ),
    "admin access, wrong record": wrong(
        ADMIN, allocated(taken("mig-0", {"c": ["x"]}, adminAccess=True)), RECORDED
    ),
    "no record in 1.37": right(ONE, allocated(taken("mig-0")), LIVE, gates=ON),
    "a record in 1.37": wrong(ONE, allocated(mig()), RECORDED, profile=LIVE, gates=ON),
    "a record in 1.36": wrong(ONE, allocated(mig()), RECORDED, profile=OLD),
}

OTHERS: dict[str, Trial] = {
    "1.37 compares, too": wrong(
        TWO, after(taken("mig-0"), taken("vgpu")), COMPATIBLE, profile=LIVE, gates=ON
    ),
    "1.37 looks at the slice": wrong(CHANGED, allocated(taken("mig-0")), COMPATIBLE, profile=LIVE, gates=ON),
    "1.37 looks at the slice only": right(UNRECORDED, allocated(taken("mig-1")), LIVE, gates=ON),
    "1.37 forgets what is gone": right(
        held("{device: gone, compatibilityGroups: {c: [mig]}}"), allocated(taken("vgpu")), LIVE, gates=ON
    ),
    "1.37 goes by the first of a conflict": right(MIXED, allocated(taken("mig-1")), LIVE, gates=ON),
    "1.37 forgets the second of a conflict": wrong(
        MIXED, allocated(taken("plain-1")), COMPATIBLE, profile=LIVE, gates=ON
    ),
    "1.37 allocates no device together with two groups": wrong(
        IN_CONFLICT, allocated(taken("plain-0")), COMPATIBLE, profile=LIVE, gates=ON
    ),
    "1.36 does not know groups": right(TWO, after(taken("mig-0"), taken("vgpu")), OLD),
    "off, a device with groups": wrong(
        ONE, allocated(taken("mig-0")), COMPATIBLE, "has mig on counter set c", gates=OFF
    ),
    "off, groups on one set": wrong(ONE, allocated(taken("half")), COMPATIBLE, gates=OFF),
    "off, an empty list": right(ONE, allocated(taken("plain-1")), gates=OFF),
    "off, no groups": right(ONE, allocated(taken("plain-0")), gates=OFF),
    "off, a set with a record": wrong(
        HELD_MIG,
        allocated(taken("plain-0")),
        COMPATIBLE,
        "for which a ResourceClaim records groups",
        gates=OFF,
    ),
    "off, a set with an empty record": right(
        held("{device: plain-0, compatibilityGroups: {c: []}}"), allocated(taken("plain-1")), gates=OFF
    ),
    "off, another set": right(HELD_MIG, allocated(taken("plain-far")), gates=OFF),
    "off, without a record": right(UNRECORDED, allocated(taken("plain-0")), gates=OFF),
    "off, a record": wrong(ONE, allocated(taken("plain-0", {"c": ["mig"]})), RECORDED, gates=OFF),
    "off in 1.37, a pool with groups": wrong(
        HIDING % "", allocated(taken("plain")), EXIST, "is incomplete", profile=LIVE, gates=OFF
    ),
    "off in 1.37, another pool": right(HIDING % "", allocated(taken("plain", pool="well")), LIVE, gates=OFF),
    "off, all but the one with groups": right(
        HIDING % ", allocationMode: All", allocated(taken("plain"), taken("plain", pool="well")), gates=OFF
    ),
}

TRIALS = {
    f"{area}: {name}": trial
    for area, table in (("together", TOGETHER), ("beside", BESIDE), ("record", RECORDS), ("other", OTHERS))
    for name, trial in table.items()
}


@pytest.mark.parametrize("name", TRIALS)
def test_groups(name: str) -> None:
    check(TRIALS[name])
