"""Taints of devices and DeviceTaintRules, and the tolerations in results."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from dra_conform.conformance.allocate.answer import AllocationAnswer
from tests.support.conformance.allocate.judging import Json, allocated, dedicated
from tests.support.conformance.allocate.trials import Trial, check, right, wrong

TAINTED, COPIED = "taints-tolerated", "tolerations-copied"
RULES_OFF = {"DRADeviceTaintRules": False}
RULES_ON = {"DRADeviceTaintRules": True}


def world(taints: str, tolerations: Sequence[Json] = (), claim: str = "") -> str:
    """A device `d` with taints and a claim for one device with tolerations."""
    return f"""
- devices: [{{device: d, taints: [{taints}]}}, {{device: e}}]
- resourceClaim: {{name: c, tolerations: {list(tolerations)}{claim}}}
"""


def answer_with(*tolerations: Json, device: str = "d", **fields: Json) -> AllocationAnswer:
    """Device `d` with these tolerations in the result."""
    return allocated(
        dedicated(device, **({"tolerations": list(tolerations)} if tolerations else {}), **fields)
    )


def tolerated(taint: str, *tolerations: Json, profile: str = "kep") -> Trial:
    return right(world(taint, tolerations), answer_with(*tolerations), profile)


def refused(taint: str, *tolerations: Json, profile: str = "kep", says: str = "") -> Trial:
    return wrong(world(taint, tolerations), answer_with(*tolerations), TAINTED, says, profile)


def toleration(key: str = "", value: str = "", effect: str = "", operator: str = "", **more: Json) -> Json:
    said = {"key": key, "value": value, "effect": effect, "operator": operator}
    return {**{name: text for name, text in said.items() if text}, **more}


SCHEDULE = "{key: k, value: v, effect: NoSchedule}"
EXECUTE = "{key: k, value: v, effect: NoExecute}"
EMPTY = "{key: k, effect: NoSchedule}"
EXISTS = toleration("k", operator="Exists")

TAINTS: dict[str, Trial] = {
    "none": right(world(""), answer_with()),
    "of another device": right(world(SCHEDULE), answer_with(device="e")),
    "NoSchedule": refused(SCHEDULE, says="device d has the taint k=v:NoSchedule"),
    "NoExecute": refused(EXECUTE, says="k=v:NoExecute"),
    "None": tolerated("{key: k, effect: None}"),
    "an effect to come": tolerated("{key: k, effect: PreferNoSchedule}"),
    "tolerated": tolerated(SCHEDULE, toleration("k", "v")),
    "another value": refused(SCHEDULE, toleration("k", "w")),
    "another key": refused(SCHEDULE, toleration("l", "v")),
    "values have capitals": refused(SCHEDULE, toleration("k", "V")),
    "no value": tolerated(EMPTY, toleration("k")),
    "no value for a taint with a value": refused(SCHEDULE, toleration("k")),
    "a key with any value": tolerated(SCHEDULE, EXISTS),
    "the key of another": refused(SCHEDULE, toleration("l", operator="Exists")),
    "an unknown operator": refused(SCHEDULE, toleration("k", "v", operator="Like")),
    "the effect": tolerated(SCHEDULE, toleration("k", "v", "NoSchedule")),
    "another effect": refused(EXECUTE, toleration("k", "v", "NoSchedule")),
    "everything": tolerated(f"{SCHEDULE}, {EXECUTE}", toleration(operator="Exists")),
    "everything of an effect": refused(
        f"{SCHEDULE}, {EXECUTE}", toleration(operator="Exists", effect="NoSchedule"), says="k=v:NoExecute"
    ),
    "any key with another value": refused(SCHEDULE, toleration(value="w")),
    "any key with the value": tolerated(SCHEDULE, toleration(value="v")),
    "empty": tolerated(f"{SCHEDULE}, {EXECUTE}", {}),
    "empty, operator Equal": tolerated(SCHEDULE, toleration(operator="Equal")),
    "empty but for the effect": tolerated(SCHEDULE, toleration(effect="NoSchedule")),
    "empty but for another effect": refused(SCHEDULE, toleration(effect="NoExecute")),
    "empty in 1.36": refused(SCHEDULE, {}, profile="kubernetes-1.36"),
    "empty in 1.36, no value": tolerated(EMPTY, {}, profile="kubernetes-1.36"),
    "one of two": refused(
        f"{SCHEDULE}, {{key: l, effect: NoSchedule}}", EXISTS, says="the taint l:NoSchedule"
    ),
    "each by one": tolerated(
        f"{SCHEDULE}, {{key: l, effect: NoExecute}}", EXISTS, toleration("l", operator="Exists")
    ),
    "for a time": tolerated(EXECUTE, toleration("k", "v", "NoExecute", tolerationSeconds=0)),
    "of a request that is none": wrong(world(SCHEDULE), answer_with(request="r9"), "requests-satisfied"),
    "admin access": wrong(
        world(SCHEDULE, claim=", adminAccess: true"), answer_with(adminAccess=True), TAINTED
    ),
    "gate off": right(world(SCHEDULE), answer_with(), gates={"DRADeviceTaints": False}),
    "by the alternative": right(
        f"""
- devices: [{{device: d, taints: [{SCHEDULE}]}}]
- resourceClaim: {{name: c, firstAvailable: [{{subrequest: a}}, {{subrequest: b, tolerations: [{EXISTS}]}}]}}""",
        answer_with(EXISTS, request="r0/b"),
    ),
    "by another alternative": wrong(
        f"""
- devices: [{{device: d, taints: [{SCHEDULE}]}}]
- resourceClaim: {{name: c, firstAvailable: [{{subrequest: a}}, {{subrequest: b, tolerations: [{EXISTS}]}}]}}""",
        answer_with(request="r0/a"),
        TAINTED,
        "request r0/a",
    ),
    "by another request": wrong(
        f"""
- devices: [{{device: d, taints: [{SCHEDULE}]}}, {{device: e}}]
- resourceClaim: {{name: c, requests: [{{request: r0}}, {{request: r1, tolerations: [{EXISTS}]}}]}}""",
        allocated(dedicated("d"), dedicated("e", request="r1", tolerations=[EXISTS])),
        TAINTED,
    ),
    "all of them": wrong(
        f"""
- devices: [{{device: d, taints: [{SCHEDULE}]}}, {{device: e}}]
- resourceClaim: {{name: c, allocationMode: All}}""",
        allocated(dedicated("d"), dedicated("e")),
        TAINTED,
    ),
}


def rule(selector: str, taint: str = SCHEDULE, name: str = "broken") -> str:
    comma = ", " if selector else ""
    return f"- deviceTaintRule: {{name: {name}{comma}{selector}, taint: {taint}}}"


DEVICES = """
- deviceClass: {name: black, selectors: ['device.attributes["dra.example.com"].?color.orValue("") == "black"']}
- deviceClass: {name: shared, selectors: [device.allowMultipleAllocations]}
- devices:
    - {device: gpu-0, attributes: {color: {string: black}, uuid: {string: X}}}
    - {device: gpu-1, attributes: {color: {string: white}}, taints: [{key: own, effect: NoSchedule}]}
    - {device: gpu-0, pool: p2, attributes: {uuid: {string: Y}}}
    - {device: gpu-0, driver: b.example}
    - {device: s, allowMultipleAllocations: true}
- resourceClaim: {name: c%s}
"""
WITHOUT = (
    "- objects: [{apiVersion: resource.k8s.io/v1, kind: DeviceTaintRule, metadata: {name: broken}, "
    "spec: {%staint: {key: k, effect: NoSchedule}}}]"
)


def by_rule(rules: str, device: Json, says: str = "DeviceTaintRule broken", **more: Json) -> Trial:
    return wrong(DEVICES % "" + rules, allocated(device), TAINTED, says, **more)


def not_by_rule(rules: str, device: Json, **more: Json) -> Trial:
    return right(DEVICES % "" + rules, allocated(device), **more)


GPU_0, P2, B = dedicated("gpu-0"), dedicated("gpu-0", pool="p2"), dedicated("gpu-0", driver="b.example")
S = dedicated("s", shareID="5f2c7c1e-6a1b-4c38-9d0e-1f6f0d2f5075")
UUID = """selectors: ['device.attributes["dra.example.com"].uuid == "X"']"""

RULES: dict[str, Trial] = {
    "by driver": by_rule(rule("driver: dra.example.com"), P2),
    "another driver": not_by_rule(rule("driver: b.example"), GPU_0),
    "by pool": by_rule(rule("pool: pool-1"), B),
    "another pool": not_by_rule(rule("pool: p2"), GPU_0),
    "by device": by_rule(rule("device: gpu-0"), P2),
    "another device": not_by_rule(rule("device: gpu-1"), GPU_0),
    "all criteria": by_rule(rule("driver: dra.example.com, pool: p2, device: gpu-0"), P2),
    "not all criteria": not_by_rule(rule("driver: b.example, pool: p2"), P2),
    "no selector": not_by_rule(WITHOUT % "", GPU_0),
    "an empty selector": by_rule(WITHOUT % "deviceSelector: {}, ", GPU_0),
    "no selector in 1.36": by_rule(WITHOUT % "", GPU_0, profile="kubernetes-1.36", gates=RULES_ON),
    "no selector in 1.35": by_rule(WITHOUT % "", GPU_0, profile="kubernetes-1.35", gates=RULES_ON),
    "no selector in 1.37": not_by_rule(WITHOUT % "", GPU_0, profile="kubernetes-1.37"),
    "by class": by_rule(rule("deviceClassName: black"), GPU_0),
    "not by class": not_by_rule(rule("deviceClassName: black"), P2),
    "by an unknown class": not_by_rule(rule("deviceClassName: nope"), GPU_0),
    "by class and driver": not_by_rule(rule("deviceClassName: black, driver: b.example"), GPU_0),
    "by class in 1.34": by_rule(rule("deviceClassName: black"), GPU_0, profile="kubernetes-1.34"),
    "by sharing": by_rule(rule("deviceClassName: shared"), S),
    "by sharing in 1.34": not_by_rule(rule("deviceClassName: shared"), S, profile="kubernetes-1.34"),
    "by CEL": by_rule(rule(UUID), GPU_0),
    "not by CEL": not_by_rule(rule(UUID), P2),
    "CEL ends in an error": not_by_rule(rule(UUID), B),
    "CEL that is none": not_by_rule(rule("selectors: ['device.']"), GPU_0),
    "no class in 1.36": by_rule(
        rule("deviceClassName: black"), P2, profile="kubernetes-1.36", gates=RULES_ON
    ),
    "two rules": by_rule(
        rule("device: gpu-0", "{key: a, effect: NoExecute}", "first") + "\n" + rule("pool: pool-1"),
        GPU_0,
        "first",
    ),
    "no effect": not_by_rule(rule("device: gpu-0", "{key: a, effect: None}"), GPU_0),
    "tolerated": right(
        DEVICES % ", tolerations: [{key: k, operator: Exists}]" + rule("device: gpu-0"),
        allocated(dedicated("gpu-0", tolerations=[EXISTS])),
    ),
    "the driver's own taint stays": wrong(
        DEVICES % ", tolerations: [{key: k, operator: Exists}]" + rule("device: gpu-1"),
        allocated(dedicated("gpu-1", tolerations=[EXISTS])),
        TAINTED,
        "the taint own:NoSchedule, which",
    ),
    "gate off": not_by_rule(rule("device: gpu-0"), GPU_0, gates=RULES_OFF),
    "taints off": not_by_rule(rule("device: gpu-0"), GPU_0, gates={"DRADeviceTaints": False}),
    "gate off in 1.36": not_by_rule(rule("device: gpu-0"), GPU_0, profile="kubernetes-1.36", gates=RULES_OFF),
    "no gate of its own in 1.34": by_rule(rule("device: gpu-0"), GPU_0, profile="kubernetes-1.34"),
}

EQUAL = toleration("k", "v")
COPIES: dict[str, Trial] = {
    "as asked": right(world("", [EXISTS, EQUAL]), answer_with(EXISTS, EQUAL)),
    "with the operator spelled out": right(world("", [EQUAL]), answer_with({**EQUAL, "operator": "Equal"})),
    "none": wrong(
        world("", [EXISTS]),
        answer_with(),
        COPIED,
        'expected those of the request; missing: {key: "k", operator: "Exists"}',
    ),
    "one of two": wrong(world("", [EXISTS, EQUAL]), answer_with(EXISTS), COPIED),
    "one too many": wrong(
        world("", [EXISTS]), answer_with(EXISTS, EQUAL), COPIED, "of the request; not expected: {"
    ),
    "another": wrong(world("", [EXISTS]), answer_with(toleration("l", operator="Exists")), COPIED),
    "another operator": wrong(
        world("", [toleration("k", operator="Equal")]),
        answer_with(toleration("k", operator="Exists")),
        COPIED,
    ),
    "longer": wrong(
        world("", [{**EXISTS, "tolerationSeconds": 5}]),
        answer_with({**EXISTS, "tolerationSeconds": 50}),
        COPIED,
    ),
    "without its time": wrong(world("", [{**EXISTS, "tolerationSeconds": 5}]), answer_with(EXISTS), COPIED),
    "1.34 copies none": right(world("", [EXISTS]), answer_with(), "kubernetes-1.34"),
    "gate off, none": right(world("", [EXISTS]), answer_with(), gates={"DRADeviceTaints": False}),
    "gate off, as asked": right(world("", [EXISTS]), answer_with(EXISTS), gates={"DRADeviceTaints": False}),
    "gate off, another": wrong(
        world("", [EXISTS]), answer_with(EQUAL), COPIED, gates={"DRADeviceTaints": False}
    ),
}

TRIALS = {
    f"{area}: {name}": trial
    for area, table in (("taint", TAINTS), ("rule", RULES), ("copy", COPIES))
    for name, trial in table.items()
}


@pytest.mark.parametrize("name", TRIALS)
def test_taints(name: str) -> None:
    check(TRIALS[name])
