"""Disabled features, and administrative access."""

from __future__ import annotations

import pytest

from tests.support.conformance.allocate.judging import allocated, dedicated, share
from tests.support.conformance.allocate.trials import Trial, check, right, wrong

ENABLED, ASKED, ONCE, TWICE = (
    "features-enabled",
    "admin-access-as-requested",
    "exclusive-device-once",
    "admin-access-once-per-claim",
)
ADMIN_OFF, LIST_OFF = {"DRAAdminAccess": False}, {"DRAPrioritizedList": False}
CONDITIONS_OFF, STATUS_OFF = {"DRADeviceBindingConditions": False}, {"DRAResourceClaimDeviceStatus": False}
RELEASE = "kubernetes-1.36"

CHOICE = """
- devices: [{device: d}]
- resourceClaim: {name: c, firstAvailable: [{subrequest: a}, {subrequest: b}]}"""
CONDITIONS = """
- devices: [{device: d, bindingConditions: [Ready], bindingFailureConditions: [Broken]}, {device: e}, {device: f, bindingFailureConditions: [Broken]}]
- resourceClaim: {name: c%s}"""
READY = dedicated("d", bindingConditions=["Ready"], bindingFailureConditions=["Broken"])

GATES: dict[str, Trial] = {
    "an alternative": right(CHOICE, allocated(dedicated("d", request="r0/b"))),
    "an alternative, off": wrong(
        CHOICE,
        allocated(dedicated("d", request="r0/b")),
        ENABLED,
        "DRAPrioritizedList is off",
        gates=LIST_OFF,
    ),
    "no alternative, off": right(CONDITIONS % "", allocated(dedicated("e")), gates=LIST_OFF),
    "conditions": right(CONDITIONS % "", allocated(READY)),
    "conditions, off": wrong(
        CONDITIONS % "",
        allocated(dedicated("d")),
        ENABLED,
        "device d has binding conditions",
        gates=CONDITIONS_OFF,
    ),
    "conditions, device status off": wrong(
        CONDITIONS % "", allocated(dedicated("d")), ENABLED, gates=STATUS_OFF
    ),
    "no conditions, off": right(CONDITIONS % "", allocated(dedicated("e")), gates=CONDITIONS_OFF),
    "failure conditions only, off": right(CONDITIONS % "", allocated(dedicated("f")), gates=CONDITIONS_OFF),
    "all but those with conditions, off": right(
        CONDITIONS % ", allocationMode: All",
        allocated(dedicated("e"), dedicated("f")),
        RELEASE,
        gates=CONDITIONS_OFF,
    ),
}

ONE = """
- devices: [{device: d}, {device: s, allowMultipleAllocations: true}]
- allocated: {resourceClaim: h, results: [{device: d%s}]}
- resourceClaim: {name: c%s}"""
TWO = """
- devices: [{device: d}, {device: e}, {device: s, allowMultipleAllocations: true}]
- resourceClaim: {name: c, requests: [{request: r0, adminAccess: %s}, {request: r1, adminAccess: %s}]}"""
FREE = ONE.replace("- allocated: {resourceClaim: h, results: [{device: d%s}]}\n", "")
TRUE = {"adminAccess": True}
FULL = """
- devices: [{device: s, allowMultipleAllocations: true, capacity: {bw: 2}}]
- allocated: {resourceClaim: h, results: [{device: s, shareID: s1, consumedCapacity: {bw: 2}}]}
- resourceClaim: {name: c, adminAccess: true}"""

ADMIN: dict[str, Trial] = {
    "allocated device": right(ONE % ("", ", adminAccess: true"), allocated(dedicated("d", **TRUE))),
    "allocated device with adminAccess": right(ONE % (", adminAccess: true", ""), allocated(dedicated("d"))),
    "allocated device, adminAccess not requested": wrong(
        ONE % ("", ", adminAccess: false"),
        allocated(dedicated("d", **TRUE)),
        f"{ASKED} {ONCE}",
        "adminAccess is true, expected none",
    ),
    "missing in the result": wrong(
        FREE % ", adminAccess: true",
        allocated(dedicated("d", adminAccess=False)),
        ASKED,
        "adminAccess is false, expected true",
    ),
    "off, an ordinary request": right(
        FREE % ", adminAccess: true", allocated(dedicated("d")), gates=ADMIN_OFF
    ),
    "off, set in the result": wrong(
        FREE % ", adminAccess: true", allocated(dedicated("d", **TRUE)), ASKED, gates=ADMIN_OFF
    ),
    "off, allocated device": wrong(
        ONE % ("", ", adminAccess: true"), allocated(dedicated("d")), ONCE, gates=ADMIN_OFF
    ),
    "two requests, the page": right(
        TWO % ("true", "false"), allocated(dedicated("d", **TRUE), dedicated("d", request="r1"))
    ),
    "two requests": wrong(
        TWO % ("true", "false"),
        allocated(dedicated("d", **TRUE), dedicated("d", request="r1")),
        TWICE,
        "request r1: device dra.example.com/pool-1/d is allocated to the ResourceClaim twice",
        profile=RELEASE,
    ),
    "two requests, the other way round": wrong(
        TWO % ("false", "true"),
        allocated(dedicated("d"), dedicated("d", request="r1", **TRUE)),
        TWICE,
        profile=RELEASE,
    ),
    "two requests, a device that is none": wrong(
        TWO % ("true", "true"),
        allocated(dedicated("x", **TRUE), dedicated("x", request="r1", **TRUE)),
        "devices-exist",
        profile=RELEASE,
    ),
    "a request that is none": wrong(
        FREE % ", adminAccess: true", allocated(dedicated("d", request="r9", **TRUE)), "requests-satisfied"
    ),
    "two requests, both": wrong(
        TWO % ("true", "true"),
        allocated(dedicated("d", **TRUE), dedicated("d", request="r1", **TRUE)),
        TWICE,
        profile=RELEASE,
    ),
    "two requests, two devices": right(
        TWO % ("true", "false"), allocated(dedicated("d", **TRUE), dedicated("e", request="r1")), RELEASE
    ),
    "two requests, shares": right(
        TWO % ("true", "false"), allocated({**share("s", 1), **TRUE}, share("s", 2, request="r1")), RELEASE
    ),
    "two requests without": wrong(
        TWO % ("false", "false"),
        allocated(dedicated("d"), dedicated("d", request="r1")),
        ONCE,
        profile=RELEASE,
    ),
    "a share, the page": right(FULL, allocated({**share("s", 2, bw="2"), **TRUE})),
    "a share that never fits, the page": wrong(
        FULL.replace("adminAccess: true", "adminAccess: true, capacity: {bw: 3}"),
        allocated({**share("s", 2, bw="3"), **TRUE}),
        "shared-capacity-not-overcommitted",
        "consumes 3 of bw, expected at most 2",
    ),
    "a share": wrong(
        FULL,
        allocated({**share("s", 2, bw="2"), **TRUE}),
        "shared-capacity-not-overcommitted",
        profile=RELEASE,
    ),
    "two claims": right(
        FREE % ", adminAccess: true" + "\n- resourceClaim: {name: b, adminAccess: true}",
        allocated(dedicated("d", **TRUE), b=[dedicated("d", **TRUE)]),
        RELEASE,
        claims=("c", "b"),
    ),
}

TRIALS = {
    f"{area}: {name}": trial
    for area, table in (("gate", GATES), ("admin", ADMIN))
    for name, trial in table.items()
}


@pytest.mark.parametrize("name", TRIALS)
def test_gates(name: str) -> None:
    check(TRIALS[name])
