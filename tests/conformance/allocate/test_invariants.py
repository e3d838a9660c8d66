"""Invariants: answers that satisfy all of them, and answers that violate exactly one."""

from __future__ import annotations

import pytest

from dra_conform.conformance.allocate.answer import AllocationAnswer
from dra_conform.conformance.allocate.invariants.table import INVARIANTS
from dra_conform.conformance.suite.loading import read_catalogue
from dra_conform.conformance.verdict import Kind, Verdict
from tests.conformance.allocate.invariants import test_configuration_complete as config
from tests.conformance.allocate.invariants import test_counters_not_overcommitted as counters
from tests.conformance.allocate.invariants import test_features_enabled as gates
from tests.conformance.allocate.invariants import test_groups_compatible as groups
from tests.conformance.allocate.invariants import test_pools_usable as pools
from tests.conformance.allocate.invariants import test_result_fields as results
from tests.conformance.allocate.invariants import test_taints_tolerated as taints
from tests.support.conformance.allocate.judging import (
    allocated,
    case_of,
    dedicated,
    judged,
    rules,
    share,
    uid,
)
from tests.support.conformance.allocate.trials import only_on

CATALOGUE = {requirement.id for requirement in read_catalogue()}

EXIST, SERVED, ALL = "devices-exist", "requests-satisfied", "all-devices-allocated"
ADMIN, SELECTORS, ONCE = "admin-access-as-requested", "selectors-hold", "exclusive-device-once"
SHARE_IDS, CONSUMED = "share-ids-distinct", "consumed-capacity-complete"
OVERSOLD, SUFFICES, CONSTRAINTS = (
    "shared-capacity-not-overcommitted",
    "exclusive-capacity-suffices",
    "constraints-hold",
)

SLICE = """
      - apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: %s}
        spec:
          driver: dra.example.com
          pool: {name: %s, generation: %d, resourceSliceCount: %d}
          %s
          devices: [%s]"""


def _slices(*rows: tuple[str, str, int, int, str, str]) -> str:
    return "- objects:" + "".join(SLICE % row for row in rows) + "\n- resourceClaim: {name: c}"


WORLDS: dict[str, tuple[str, tuple[str, ...], str]] = {
    "share": (
        """
        - devices: [{device: d, allowMultipleAllocations: true, capacity: {bw: 10, mem: 0}, requestPolicy: {bw: {default: 1, min: 1, step: 4}}}]
        - resourceClaim: {name: c, capacity: {bw: 3}}""",
        ("c",),
        "",
    ),
    "bare": (
        "[{devices: [{device: d, allowMultipleAllocations: true}]}, {resourceClaim: {name: c}}]",
        ("c",),
        "",
    ),
    "dedicated": (
        """
        - devices: [{device: d, capacity: {bw: 10}}, {device: e, capacity: {bw: 2}}, {device: f}]
        - resourceClaim: {name: c, capacity: {bw: 3}}""",
        ("c",),
        "",
    ),
    "nodes": (
        """
        - node: {name: left, labels: {side: l}}
        - node: {name: right}
        - devices: [{device: d, node: left}, {device: e, node: right}, {device: f, node: "*"}]
        - resourceClaim: {name: c}""",
        ("c",),
        "left",
    ),
    "node-selection": (
        _slices(
            (
                "s",
                "pool-1",
                1,
                1,
                "perDeviceNodeSelection: true",
                "{name: d, nodeName: node-1}, {name: e, nodeName: node-2}, {name: f, allNodes: true}, {name: g}, "
                "{name: h, nodeSelector: {nodeSelectorTerms: [{matchExpressions: "
                "[{key: side, operator: In, values: [l]}]}]}}",
            )
        )
        + "\n- node: {name: node-1, labels: {side: l}}\n- node: {name: node-2}",
        ("c",),
        "node-1",
    ),
    "pools": (
        _slices(
            ("old", "renewed", 1, 1, "nodeName: node-1", "{name: old}, {name: both}"),
            ("new", "renewed", 2, 1, "nodeName: node-1", "{name: new}, {name: both}"),
            ("half", "incomplete", 1, 2, "nodeName: node-1", "{name: d}"),
            ("one", "whole", 1, 2, "nodeName: node-1", "{name: d}"),
            ("two", "whole", 1, 2, "nodeName: node-1", "{name: e}"),
            ("twice", "doubled", 1, 1, "nodeName: node-1", "{name: d}, {name: d}, {name: e}"),
        ),
        ("c",),
        "",
    ),
    "count": (
        """
        - devices: [{device: d}, {device: e}, {device: f}]
        - resourceClaim: {name: c, requests: [{request: r0, count: 2}]}""",
        ("c",),
        "",
    ),
    "two-requests": (
        """
        - devices: [{device: d}, {device: e}]
        - resourceClaim: {name: c, requests: [{request: r0}, {request: r1}]}""",
        ("c",),
        "",
    ),
    "alternatives": (
        """
        - devices: [{device: d}, {device: e}, {device: f}]
        - deviceClass: {name: any}
        - objects:
            - apiVersion: resource.k8s.io/v1
              kind: ResourceClaim
              metadata: {name: c}
              spec:
                devices:
                  requests:
                    - name: r0
                      firstAvailable:
                        - {name: one, deviceClassName: any}
                        - {name: two, deviceClassName: any, count: 2}""",
        ("c",),
        "",
    ),
    "selectors": (
        """
        - deviceClass: {name: small, selectors: ['device.attributes["dra.example.com"].size < 3']}
        - devices:
            - {device: d, attributes: {size: {int: 1}, kind: {string: a}}}
            - {device: e, attributes: {size: {int: 5}, kind: {string: a}}}
            - {device: f, attributes: {size: {int: 1}, kind: {string: b}}}
            - {device: g, attributes: {size: {int: 1}}}
        - resourceClaim: {name: c, deviceClassName: small, selectors: ['device.attributes["dra.example.com"].kind == "a"']}""",
        ("c",),
        "",
    ),
    "broken-selector": (
        "[{devices: [{device: d}]}, {resourceClaim: {name: c, selectors: ['device.nonsense(']}}]",
        ("c",),
        "",
    ),
    "held": (
        """
        - devices: [{device: d}, {device: s, allowMultipleAllocations: true}, {device: e}]
        - allocated: {resourceClaim: other, results: [{device: d}, {device: s}]}
        - resourceClaim: {name: c}""",
        ("c",),
        "",
    ),
    "turned": (
        """
        - devices: [{device: d, allowMultipleAllocations: false}, {device: e, allowMultipleAllocations: false}]
        - allocated: {resourceClaim: other, results: [{device: d, shareID: s1}]}
        - resourceClaim: {name: c}""",
        ("c",),
        "",
    ),
    "two-claims": (
        """
        - devices: [{device: d}, {device: e}, {device: s, allowMultipleAllocations: true, capacity: {bw: 10}}]
        - allocated: {resourceClaim: other, results: [{device: s, consumedCapacity: {bw: 4}, shareID: s1}]}
        - resourceClaim: {name: c, capacity: {bw: 3}, selectors: [device.allowMultipleAllocations]}
        - resourceClaim: {name: b, capacity: {bw: 3}, selectors: [device.allowMultipleAllocations]}""",
        ("c", "b"),
        "",
    ),
    "two-claims-a-nano-over": (
        """
        - devices: [{device: s, allowMultipleAllocations: true, capacity: {bw: 10}}]
        - allocated: {resourceClaim: other, results: [{device: s, consumedCapacity: {bw: 4}, shareID: s1}]}
        - resourceClaim: {name: c, capacity: {bw: 3}}
        - resourceClaim: {name: b, capacity: {bw: 3000000001n}}""",
        ("c", "b"),
        "",
    ),
    "two-dedicated-claims": (
        "[{devices: [{device: d}, {device: e}]}, {resourceClaim: {name: c}}, {resourceClaim: {name: b}}]",
        ("c", "b"),
        "",
    ),
    "unknown-capacity": (
        "[{devices: [{device: d}, {device: s, allowMultipleAllocations: true}]}, {resourceClaim: {name: c, capacity: {nope: 1}}}]",
        ("c",),
        "",
    ),
    "above-max": (
        """
        - devices: [{device: s, allowMultipleAllocations: true, capacity: {bw: 10}, requestPolicy: {bw: {default: 1, min: 1, max: 4}}}]
        - resourceClaim: {name: c, capacity: {bw: 5}}""",
        ("c",),
        "",
    ),
    "full-name": (
        """
        - devices: [{device: s, allowMultipleAllocations: true, capacity: {bw: 10}}, {device: d, capacity: {bw: 1}}]
        - resourceClaim: {name: c, capacity: {dra.example.com/bw: 3}}""",
        ("c",),
        "",
    ),
    "match": (
        """
        - devices:
            - {device: d, attributes: {numa: {int: 0}}}
            - {device: e, attributes: {numa: {int: 0}}}
            - {device: f, attributes: {numa: {int: 1}}}
            - {device: g, attributes: {numa: {string: "0"}}}
            - {device: h, attributes: {numa: {bool: false}}}
            - {device: i}
            - {device: j, attributes: {dra.example.com/numa: {int: 0}}}
        - resourceClaim: {name: c, requests: [{request: r0}, {request: r1}, {request: r2}]}
        - constraint: {resourceClaim: c, matchAttribute: dra.example.com/numa, requests: [r0, r1]}""",
        ("c",),
        "",
    ),
    "distinct": (
        """
        - devices:
            - {device: d, attributes: {numa: {int: 0}}}
            - {device: e, attributes: {numa: {int: 0}}}
            - {device: f, attributes: {numa: {int: 1}}}
            - {device: g, attributes: {numa: {bool: false}}}
            - {device: i}
        - resourceClaim: {name: c, requests: [{request: r0, count: 2}]}
        - constraint: {resourceClaim: c, distinctAttribute: dra.example.com/numa}""",
        ("c",),
        "",
    ),
    "all": (
        """
        - devices:
            - {device: d, allowMultipleAllocations: true, capacity: {bw: 10}}
            - {device: e, allowMultipleAllocations: true, capacity: {bw: 10}}
            - {device: small, allowMultipleAllocations: true, capacity: {bw: 2}}
            - {device: none, allowMultipleAllocations: true}
            - {device: other, allowMultipleAllocations: true, capacity: {bw: 10}, attributes: {out: {bool: true}}}
        - allocated: {resourceClaim: other, results: [{device: e, consumedCapacity: {bw: 4}, shareID: s1}]}
        - resourceClaim:
            name: c
            requests: [{request: r0, allocationMode: All, capacity: {bw: 3}, selectors: ['!("out" in device.attributes["dra.example.com"])']}]""",
        ("c",),
        "",
    ),
}

S = share("d", bw="5", mem="0")
WHOLE = share("d", bw="3")

VALID: dict[str, tuple[str, AllocationAnswer]] = {
    "a share": ("share", allocated(S)),
    "other notations": ("share", allocated({**S, "consumedCapacity": {"bw": "5000m", "mem": "0Gi"}})),
    "a share ID in capitals": ("share", allocated({**S, "shareID": uid(1).upper()})),
    "unknown fields": ("share", allocated({**S, "colour": "red"})),
    "nulls for what is not set": (
        "dedicated",
        allocated(dedicated("d", shareID=None, consumedCapacity=None)),
    ),
    "no consumed capacity without capacities": ("bare", allocated(dedicated("d", shareID=uid(1)))),
    "an empty consumed capacity": ("bare", allocated(share("d"))),
    "dedicated": ("dedicated", allocated(dedicated("d"))),
    "an empty consumed capacity counts as none": (
        "dedicated",
        allocated(dedicated("d", consumedCapacity={})),
    ),
    "no admin access": ("dedicated", allocated(dedicated("d", adminAccess=False))),
    "on the node": ("nodes", only_on(allocated(dedicated("d")), "left")),
    "on all nodes": ("nodes", allocated(dedicated("f"))),
    "the device's own node": ("node-selection", only_on(allocated(dedicated("d")), "node-1")),
    "the device's all nodes": ("node-selection", allocated(dedicated("f"))),
    "the device's node selector": ("node-selection", only_on(allocated(dedicated("h")), "node-1")),
    "the new generation": ("pools", allocated(dedicated("new", pool="renewed"))),
    "in both generations": ("pools", allocated(dedicated("both", pool="renewed"))),
    "a pool of two slices": ("pools", allocated(dedicated("e", pool="whole"))),
    "two devices": ("count", allocated(dedicated("f"), dedicated("d"))),
    "two requests in any order": (
        "two-requests",
        allocated(dedicated("d", request="r1"), dedicated("e", request="r0")),
    ),
    "the first alternative": ("alternatives", allocated(dedicated("d", request="r0/one"))),
    "the second alternative": (
        "alternatives",
        allocated(dedicated("d", request="r0/two"), dedicated("f", request="r0/two")),
    ),
    "selected": ("selectors", allocated(dedicated("d"))),
    "the free one": ("held", allocated(dedicated("e"))),
    "never shared": ("turned", allocated(dedicated("e"))),
    "filled to the brim": ("two-claims", allocated(share("s", 1, bw="3"), b=[share("s", 2, bw="3")])),
    "a device each": ("two-dedicated-claims", allocated(dedicated("d"), b=[dedicated("e")])),
    "the published name": ("full-name", allocated(share("s", bw="3"))),
    "matching": (
        "match",
        allocated(*(dedicated(name, request=f"r{place}") for place, name in enumerate("dej"))),
    ),
    "only the named requests match": (
        "match",
        allocated(*(dedicated(name, request=f"r{place}") for place, name in enumerate("dji"))),
    ),
    "distinct": ("distinct", allocated(dedicated("d"), dedicated("f"))),
    "distinct by type": ("distinct", allocated(dedicated("d"), dedicated("g"))),
    "all": ("all", allocated(share("e", 1, bw="3"), share("d", 2, bw="3"))),
}

INVALID: dict[str, tuple[str, AllocationAnswer, set[str]]] = {
    "unknown device": ("dedicated", allocated(dedicated("x")), {EXIST}),
    "unknown pool": ("dedicated", allocated(dedicated("d", pool="pool-2")), {EXIST}),
    "unknown driver": ("dedicated", allocated(dedicated("d", driver="x.example.com")), {EXIST}),
    "another node": ("nodes", only_on(allocated(dedicated("e")), "left"), {EXIST}),
    "the device's other node": ("node-selection", only_on(allocated(dedicated("e")), "node-1"), {EXIST}),
    "a device without a node": ("node-selection", only_on(allocated(dedicated("g")), "node-1"), {EXIST}),
    "incomplete pool": ("pools", allocated(dedicated("d", pool="incomplete")), {EXIST}),
    "old generation": ("pools", allocated(dedicated("old", pool="renewed")), {EXIST}),
    "pool with a device twice": ("pools", allocated(dedicated("e", pool="doubled")), {EXIST}),
    "no device": ("dedicated", allocated(), {SERVED}),
    "too few": ("count", allocated(dedicated("d")), {SERVED}),
    "too many": ("count", allocated(dedicated("d"), dedicated("e"), dedicated("f")), {SERVED}),
    "the same twice": ("count", allocated(dedicated("d"), dedicated("d")), {SERVED, ONCE}),
    "the same share twice": (
        "share",
        allocated(S, share("d", 2, bw="5", mem="0")),
        {SERVED},
    ),
    "unknown request": ("dedicated", allocated(dedicated("d", request="r1")), {SERVED}),
    "an alternative of none": ("dedicated", allocated(dedicated("d", request="r0/one")), {SERVED}),
    "an empty alternative": ("dedicated", allocated(dedicated("d", request="r0/")), {SERVED}),
    "one request twice": ("two-requests", allocated(dedicated("d"), dedicated("e")), {SERVED}),
    "no alternative named": ("alternatives", allocated(dedicated("d")), {SERVED}),
    "unknown alternative": ("alternatives", allocated(dedicated("d", request="r0/three")), {SERVED}),
    "no alternative": ("alternatives", allocated(), {SERVED}),
    "both alternatives": (
        "alternatives",
        allocated(
            *(dedicated(d, request=f"r0/{sub}") for d, sub in [("d", "two"), ("e", "two"), ("f", "one")])
        ),
        {SERVED},
    ),
    "half an alternative": ("alternatives", allocated(dedicated("d", request="r0/two")), {SERVED}),
    "adminAccess that is not requested": ("dedicated", allocated(dedicated("d", adminAccess=True)), {ADMIN}),
    "admin access does not excuse": ("held", allocated(dedicated("d", adminAccess=True)), {ADMIN, ONCE}),
    "class selector false": ("selectors", allocated(dedicated("e")), {SELECTORS}),
    "request selector false": ("selectors", allocated(dedicated("f")), {SELECTORS}),
    "selector error": ("selectors", allocated(dedicated("g")), {SELECTORS}),
    "selector that cannot be compiled": ("broken-selector", allocated(dedicated("d")), {SELECTORS}),
    "allocated to another claim": ("held", allocated(dedicated("d")), {ONCE}),
    "a shared allocation of an exclusive device": ("held", allocated(share("s")), {ONCE}),
    "one device for two claims": (
        "two-dedicated-claims",
        allocated(dedicated("d"), b=[dedicated("d")]),
        {ONCE},
    ),
    "one device for two requests": (
        "two-requests",
        allocated(dedicated("d"), dedicated("d", request="r1")),
        {ONCE},
    ),
    "exclusive after shared allocations": ("turned", allocated(dedicated("d")), {ONCE}),
    "no share ID": ("share", allocated({**S, "shareID": None}), {SHARE_IDS}),
    "an empty share ID": ("share", allocated({**S, "shareID": ""}), {SHARE_IDS}),
    "share ID is no UID": ("share", allocated({**S, "shareID": "share-1"}), {SHARE_IDS}),
    "share ID in braces": ("share", allocated({**S, "shareID": "{" + uid(1) + "}"}), {SHARE_IDS}),
    "share ID without dashes": ("share", allocated({**S, "shareID": uid(1).replace("-", "")}), {SHARE_IDS}),
    "share ID on an exclusive device": ("dedicated", allocated(dedicated("d", shareID=uid(1))), {SHARE_IDS}),
    "share ID twice in a claim": ("share", allocated(S, S), {SHARE_IDS, SERVED}),
    "share ID twice in an answer": (
        "two-claims",
        allocated(share("s", 1, bw="3"), b=[share("s", 1, bw="3")]),
        {SHARE_IDS},
    ),
    "share ID twice but for capitals": (
        "two-claims",
        allocated(share("s", 1, bw="3"), b=[{**share("s", bw="3"), "shareID": uid(1).upper()}]),
        {SHARE_IDS},
    ),
    "consumedCapacity missing": ("share", allocated(dedicated("d", shareID=uid(1))), {CONSUMED}),
    "zero entry missing": ("share", allocated(share("d", bw="5")), {CONSUMED}),
    "entry of an unknown capacity": ("share", allocated(share("d", bw="5", mem="0", x="0")), {CONSUMED}),
    "quantity not rounded": ("share", allocated(share("d", bw="3", mem="0")), {CONSUMED}),
    "a nano too much": ("share", allocated(share("d", bw="5000000001n", mem="0")), {CONSUMED}),
    "more than there is": ("share", allocated(share("d", bw="13", mem="0")), {CONSUMED, OVERSOLD}),
    "consumedCapacity on an exclusive device": (
        "dedicated",
        allocated(dedicated("d", consumedCapacity={"bw": "3"})),
        {CONSUMED},
    ),
    "rejected by the policy": ("above-max", allocated(share("s", bw="5")), {CONSUMED}),
    "clipped to the policy's max": ("above-max", allocated(share("s", bw="4")), {CONSUMED}),
    "unpublished name": ("full-name", allocated(share("s", 1, **{"dra.example.com/bw": "3"})), {CONSUMED}),
    "a nano over": (
        "two-claims-a-nano-over",
        allocated(share("s", 1, bw="3"), b=[share("s", 2, bw="3000000001n")]),
        {OVERSOLD},
    ),
    "unknown capacity, exclusive device": ("unknown-capacity", allocated(dedicated("d")), {SUFFICES}),
    "unknown capacity, shared": ("unknown-capacity", allocated(share("s")), {CONSUMED}),
    "too small": ("dedicated", allocated(dedicated("e")), {SUFFICES}),
    "too small by its full name": ("full-name", allocated(dedicated("d")), {SUFFICES}),
    "without the capacity": ("dedicated", allocated(dedicated("f")), {SUFFICES}),
    "no match": (
        "match",
        allocated(*(dedicated(name, request=f"r{place}") for place, name in enumerate("dfe"))),
        {CONSTRAINTS},
    ),
    "no match by type": (
        "match",
        allocated(*(dedicated(name, request=f"r{place}") for place, name in enumerate("dge"))),
        {CONSTRAINTS},
    ),
    "false is not zero": (
        "match",
        allocated(*(dedicated(name, request=f"r{place}") for place, name in enumerate("dhe"))),
        {CONSTRAINTS},
    ),
    "no attribute to match": (
        "match",
        allocated(*(dedicated(name, request=f"r{place}") for place, name in enumerate("ide"))),
        {CONSTRAINTS},
    ),
    "not distinct": ("distinct", allocated(dedicated("d"), dedicated("e")), {CONSTRAINTS}),
    "no attribute to be distinct": ("distinct", allocated(dedicated("d"), dedicated("i")), {CONSTRAINTS}),
    "one left out of all": ("all", allocated(share("d", bw="3")), {ALL}),
    "none of all": ("all", allocated(), {SERVED}),
    "one too small among all": (
        "all",
        allocated(share("d", 1, bw="3"), share("e", 2, bw="3"), share("small", 3, bw="3")),
        {OVERSOLD},
    ),
}


def _judge(world: str, answer: AllocationAnswer) -> tuple[Verdict, Kind | None, set[str]]:
    given, claims, node = WORLDS[world]
    judgement = judged(case_of(given, claims=claims, node=node), answer)
    return judgement.verdict, judgement.kind, rules(judgement)


@pytest.mark.parametrize("name", VALID)
def test_answers_that_satisfy_all_invariants(name: str) -> None:
    assert _judge(*VALID[name]) == (Verdict.PASS, None, set())


@pytest.mark.parametrize("name", INVALID)
def test_answers_that_violate_invariants(name: str) -> None:
    world, answer, broken = INVALID[name]
    assert _judge(world, answer) == (Verdict.FAIL, Kind.INVALID_ALLOCATION, broken)


def test_a_device_in_use_names_the_claim_that_has_it() -> None:
    given, claims, node = WORLDS["held"]
    judgement = judged(case_of(given, claims=claims, node=node), allocated(dedicated("d")))
    [finding] = judgement.findings
    assert finding.message.endswith("/d is already allocated to ResourceClaim default/other")


def test_each_invariant_is_violated_alone_by_an_answer() -> None:
    breaches = [broken for _, _, broken in INVALID.values()]
    for module in (config, counters, gates, groups, pools, results, taints):
        breaches += [set(trial.broken) for trial in module.TRIALS.values()]
    alone = {next(iter(broken)) for broken in breaches if len(broken) == 1}
    assert alone == {item.name for item in INVARIANTS}


@pytest.mark.parametrize("name", INVALID)
def test_violations_name_requirements_of_the_catalogue(name: str) -> None:
    world, answer, _ = INVALID[name]
    given, claims, node = WORLDS[world]
    judgement = judged(case_of(given, claims=claims, node=node), answer)
    assert {finding.requirement for finding in judgement.findings} <= CATALOGUE


def test_share_id_of_an_earlier_shared_allocation() -> None:
    case = case_of(
        """
        - devices: [{device: s, allowMultipleAllocations: true, capacity: {bw: 10}}, {device: t, allowMultipleAllocations: true, capacity: {bw: 10}}]
        - allocated: {resourceClaim: other, results: [{device: s, consumedCapacity: {bw: 4}, shareID: s1}]}
        - resourceClaim: {name: c, capacity: {bw: 3}}"""
    )
    held = next(one for one in case.objects["resourceClaims"] if "status" in one)
    known = held["status"]["allocation"]["devices"]["results"][0]["shareID"]
    again = {"shareID": known.upper()}
    assert rules(judged(case, allocated({**share("s", bw="3"), **again}))) == {SHARE_IDS}
    assert rules(judged(case, allocated({**share("t", bw="3"), **again}))) == set()
    held["status"]["allocation"]["devices"]["results"][0]["shareID"] = known.upper()
    assert rules(judged(case, allocated({**share("s", bw="3"), "shareID": known}))) == {SHARE_IDS}


ADMIN_WORLD = """
- devices: [{device: d}]
- deviceClass: {name: any}
- objects:
    - apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: c}
      spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, adminAccess: %s}}]}}
    - apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: other}
      spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, adminAccess: %s}}]}}
      status:
        allocation:
          devices: {results: [{request: r0, driver: dra.example.com, pool: pool-1, device: d, adminAccess: %s}]}
"""


def test_mode_all_resolves_capacity_names_for_each_driver() -> None:
    given = """
        - devices:
            - {device: d, allowMultipleAllocations: true, capacity: {bw: 10}}
            - {device: e, driver: net.example.org, allowMultipleAllocations: true, capacity: {bw: 10}}
            - {device: f, driver: net.example.org, allowMultipleAllocations: true, capacity: {dra.example.com/bw: 10}}
        - resourceClaim: {name: c, requests: [{request: r0, allocationMode: All, capacity: {dra.example.com/bw: 3}}]}"""
    far = {**share("f", 2, **{"dra.example.com/bw": "3"}), "driver": "net.example.org"}
    assert rules(judged(case_of(given), allocated(share("d", bw="3"), far))) == set()
    assert rules(judged(case_of(given), allocated(share("d", bw="3")))) == {ALL}


@pytest.mark.parametrize(
    ("asked", "held", "said", "broken"),
    [
        ("true", "false", True, set()),
        ("false", "true", False, set()),
        ("true", "true", True, set()),
        ("false", "false", False, {ONCE}),
        ("true", "false", False, {ADMIN}),
        ("false", "true", True, {ADMIN}),
    ],
)
def test_admin_access(asked: str, held: str, said: bool, broken: set[str]) -> None:
    case = case_of(ADMIN_WORLD % (asked, held, held))
    assert rules(judged(case, allocated(dedicated("d", adminAccess=said)))) == broken


def test_findings_are_in_the_order_of_the_claims() -> None:
    names = [f"cap-{number}" for number in range(12)]
    asked = ", ".join(f"{name}: 1" for name in names)
    case = case_of(
        f"[{{devices: [{{device: s, allowMultipleAllocations: true}}]}}, {{resourceClaim: {{name: c, capacity: {{{asked}}}}}}}]"
    )
    findings = judged(case, allocated(share("s", 1, **dict.fromkeys(names, "1")))).findings
    said = [
        finding.message.split()[-1]
        for finding in findings
        if "lacks the requested capacity" in finding.message
    ]
    assert said == names
    entries = [
        finding.message.partition("consumedCapacity has ")[2].partition(",")[0]
        for finding in findings
        if "consumedCapacity has" in finding.message
    ]
    assert entries == names
