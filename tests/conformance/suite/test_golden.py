"""Golden files as cases: defaults, tables, common setup, deviations."""

from __future__ import annotations

import uuid

from dra_conform.conformance.allocate.answer import Outcome
from dra_conform.conformance.allocations.checks import ExpectedResult, MatchMode
from tests.support.conformance.suite.writing import GOLDEN, golden

THEN = "    then: [{consumes: {resourceClaim: c, capacity: {bw: 3}}}]\n"


def test_a_case_with_all_defaults() -> None:
    (case,) = golden()
    assert case.id == "kep-5075/trial/one"
    assert (case.title, case.kind, str(case.source)) == (
        "One case passes",
        "golden",
        "golden/kep-5075/trial.yaml:6",
    )
    assert case.requirements == ("KEP-5075/rounding/step-up",)
    assert [node["metadata"]["name"] for node in case.objects["nodes"]] == ["node-1"]
    assert [one["metadata"]["name"] for one in case.objects["deviceClasses"]] == ["any"]
    (published,) = case.objects["resourceSlices"]
    assert published["spec"] == {
        "driver": "dra.example.com",
        "pool": {"name": "pool-1", "generation": 1, "resourceSliceCount": 1},
        "nodeName": "node-1",
        "devices": [{"name": "d", "capacity": {"bw": {"value": "10"}}, "allowMultipleAllocations": True}],
    }
    (claim,) = case.objects["resourceClaims"]
    assert claim["metadata"]["namespace"] == "default"
    assert claim["spec"]["devices"]["requests"] == [
        {
            "name": "r0",
            "exactly": {
                "deviceClassName": "any",
                "allocationMode": "ExactCount",
                "count": 1,
                "capacity": {"requests": {"bw": "3"}},
            },
        }
    ]
    assert case.ask == {"node": "node-1", "claims": ["default/c"]}
    assert case.case_steps[0].expectation.outcomes == {Outcome.ALLOCATED}
    (check,) = case.case_steps[0].expectation.checks
    assert (check.claim, check.match) == ("default/c", MatchMode.VALID)
    assert check.choices == ((ExpectedResult(consumes={"bw": "3"}),),)
    assert case.features == {"consumable-capacity"}
    assert (case.profiles, case.order, case.row, case.case_steps[0].deviations) == (None, False, (), ())


def test_each_row_is_a_case() -> None:
    text = GOLDEN.replace("capacity: {bw: 3}", "capacity: {<name>: <amount>}").replace(
        THEN.replace("capacity: {bw: 3}", "capacity: {<name>: <amount>}"),
        "    then: [{consumes: {resourceClaim: c, capacity: {<name>: <amount>}}}]\n"
        "    table:\n      columns: [name, amount]\n      rows:\n        - [bw, 3]\n        - [bw, 0.5]\n"
        "        - [bw, 1Gi]\n",
    )
    cases = golden(text)
    assert [case.id for case in cases] == [f"kep-5075/trial/one[{amount}]" for amount in ("3", "0.5", "1Gi")]
    assert [case.source.line for case in cases] == [17, 18, 19]
    assert [case.row for case in cases] == [("bw", "3"), ("bw", "0.5"), ("bw", "1Gi")]
    asked = [case.objects["resourceClaims"][0]["spec"]["devices"]["requests"][0]["exactly"] for case in cases]
    assert [one["capacity"]["requests"] for one in asked] == [{"bw": "3"}, {"bw": "0.5"}, {"bw": "1Gi"}]
    assert cases[1].case_steps[0].expectation.checks[0].choices[0][0].consumes == {"bw": "0.5"}


def test_a_whole_string_becomes_the_cell_and_a_part_its_text() -> None:
    text = GOLDEN.replace(
        "device: d, allowMultipleAllocations: true",
        "device: dev-<nth>, allowMultipleAllocations: <shared>, attributes: {a: {int: <nth>}}",
    )
    text = text.replace("title: One case passes", "title: The <nth>th")
    text += "    table: {columns: [nth, shared], rows: [[1, true], [2, false]]}\n"
    first, second = golden(text)
    assert first.title == "The 1th"
    (device,) = second.objects["resourceSlices"][0]["spec"]["devices"]
    assert device["name"] == "dev-2"
    assert device["attributes"] == {"a": {"int": 2}}
    assert device["allowMultipleAllocations"] is False
    assert second.id == "kep-5075/trial/one[2]"


def test_a_row_can_name_its_requirement() -> None:
    text = GOLDEN.replace("[KEP-5075/rounding/step-up]", "[KEP-5075/rounding/step-up, <also>]")
    text += "    table: {columns: [also], rows: [[API/slice/pool], [API/slice/driver]]}\n"
    assert [case.requirements for case in golden(text)] == [
        ("KEP-5075/rounding/step-up", "API/slice/pool"),
        ("KEP-5075/rounding/step-up", "API/slice/driver"),
    ]


def test_the_key_column_may_be_for_ids_only() -> None:
    text = GOLDEN.replace("device: d, allow", "device: <name>, allow")
    text += "    table: {columns: [row, name], key: row, rows: [[all nodes, d], [one node, e]]}\n"
    assert [case.id for case in golden(text)] == [
        "kep-5075/trial/one[all-nodes]",
        "kep-5075/trial/one[one-node]",
    ]


def test_common_setup_precedes_the_setup_of_a_case() -> None:
    text = GOLDEN.replace("cases:\n", "given: [{node: {name: left}}]\ncases:\n", 1)
    again = text[text.index("  - case:") :].replace("case: one", "case: two").replace("{bw: 10}", "{bw: 5}")
    first, second = golden(text + again)
    for case in (first, second):
        assert [node["metadata"]["name"] for node in case.objects["nodes"]] == ["left"]
        assert case.objects["resourceSlices"][0]["spec"]["nodeName"] == "left"
        assert case.ask["node"] == "left"
    capacities = [
        case.objects["resourceSlices"][0]["spec"]["devices"][0]["capacity"] for case in (first, second)
    ]
    assert capacities == [{"bw": {"value": "10"}}, {"bw": {"value": "5"}}]


def test_deviations() -> None:
    text = GOLDEN + (
        "    in:\n      - profiles: [from 1.34 to 1.35]\n        reason: it steps in whole numbers\n"
        "        then: [{unallocatable: {category: CapacityPolicyViolation}}]\n"
    )
    (case,) = golden(text)
    [act] = case.case_steps
    expected, reason = act.expected("kubernetes-1.35")
    assert case.expected("kubernetes-1.35") == (expected,)
    assert (expected.outcomes, expected.category) == (
        frozenset({Outcome.UNALLOCATABLE}),
        "CapacityPolicyViolation",
    )
    assert reason == case.deviation("kubernetes-1.35") == "it steps in whole numbers"
    for profile in ("kep", "kubernetes-1.36"):
        assert act.expected(profile) == (act.expectation, "")
        assert (case.expected(profile), case.deviation(profile)) == ((act.expectation,), "")


def test_profiles_gates_and_order() -> None:
    text = GOLDEN.replace(
        "- resourceClaim:", "- featureGates: {DRAConsumableCapacity: false}\n      - resourceClaim:"
    )
    (case,) = golden(text + "    order: true\n    profiles: [kep, in 1.36]\n")
    assert case.gates == {"DRAConsumableCapacity": False}
    assert case.order
    assert case.profiles == frozenset({"kep", "kubernetes-1.36"})


def test_share_ids_depend_on_their_names() -> None:
    held = "allocated: {resourceClaim: o, results: [{device: d, consumedCapacity: {bw: 4}, shareID: a}, {device: d, shareID: b}, {device: e}]}"
    (case,) = golden(GOLDEN.replace("- resourceClaim:", f"- {held}\n      - resourceClaim:"))
    holder = next(one for one in case.objects["resourceClaims"] if one["metadata"]["name"] == "o")
    first, second, third = holder["status"]["allocation"]["devices"]["results"]
    assert uuid.UUID(first["shareID"]) != uuid.UUID(second["shareID"])
    assert first["consumedCapacity"] == {"bw": "4"}
    assert "shareID" not in third
    assert (first["driver"], first["pool"], first["request"]) == ("dra.example.com", "pool-1", "r0")
    assert holder["spec"]["devices"]["requests"][0]["exactly"]["count"] == 3
    (again,) = golden(GOLDEN.replace("- resourceClaim:", f"- {held}\n      - resourceClaim:"))
    assert again.objects == case.objects


def test_devices_of_one_pool_slice_and_driver_are_in_one_slice() -> None:
    devices = (
        "devices: [{device: a}, {device: b, slice: second}, {device: c}, {device: a, pool: p, node: '*'}, "
        "{device: a, driver: other.example}]"
    )
    (case,) = golden(
        GOLDEN.replace("- resourceClaim:", f"- {devices}\n      - resourceClaim:").replace(
            "device: d,", "device: z,"
        )
    )
    shown = {
        (
            one["spec"]["driver"],
            one["spec"]["pool"]["name"],
            tuple(d["name"] for d in one["spec"]["devices"]),
        ): one["spec"]
        for one in case.objects["resourceSlices"]
    }
    assert list(shown) == [
        ("dra.example.com", "pool-1", ("z", "a", "c")),
        ("dra.example.com", "pool-1", ("b",)),
        ("dra.example.com", "p", ("a",)),
        ("other.example", "pool-1", ("a",)),
    ]
    assert [one["pool"]["resourceSliceCount"] for one in shown.values()] == [2, 2, 1, 1]
    assert [one.get("allNodes") for one in shown.values()] == [None, None, True, None]
    names = [one["metadata"]["name"] for one in case.objects["resourceSlices"]]
    assert len(set(names)) == 4


def test_claims_from_objects_are_defaulted() -> None:
    objects = (
        "objects: [{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: x}, spec: {devices: {requests: "
        "[{name: a, exactly: {deviceClassName: k}}, {name: b, firstAvailable: [{name: s, deviceClassName: k, "
        "allocationMode: All}]}]}}}]"
    )
    (case,) = golden(GOLDEN.replace("- resourceClaim:", f"- {objects}\n      - resourceClaim:"))
    claim = next(one for one in case.objects["resourceClaims"] if one["metadata"]["name"] == "x")
    exact, listed = claim["spec"]["devices"]["requests"]
    assert exact["exactly"] == {"deviceClassName": "k", "allocationMode": "ExactCount", "count": 1}
    assert listed["firstAvailable"] == [{"name": "s", "deviceClassName": "k", "allocationMode": "All"}]
    assert claim["metadata"]["namespace"] == "default"
    assert case.features == {"consumable-capacity", "prioritized-list", "allocation-mode-all"}


def test_a_slice_can_have_counter_sets_and_devices() -> None:
    (case,) = golden(
        GOLDEN.replace(
            "- devices: [{device: d, allowMultipleAllocations: true, capacity: {bw: 10}}]\n",
            "- devices: [{device: d, slice: s, consumesCounters: {gpu: {n: 1}}}]\n"
            "      - counterSets: [{counterSet: gpu, slice: s, counters: {n: 8}}]\n",
        )
    )
    (published,) = case.objects["resourceSlices"]
    assert published["metadata"]["name"] == "s"
    assert published["spec"]["pool"]["resourceSliceCount"] == 1
    assert [one["name"] for one in published["spec"]["devices"]] == ["d"]
    assert [one["name"] for one in published["spec"]["sharedCounters"]] == ["gpu"]
