"""Comparison of replies: agreement, choice and disagreement."""

from __future__ import annotations

import pytest

from dra_conform.conformance.allocate.answer import AllocationAnswer, Outcome, Reason
from dra_conform.conformance.implementation import Reply, Status
from dra_conform.conformance.steps.given import collected
from dra_conform.fuzz.comparison.difference import Difference, DifferenceKind, NoComparison
from dra_conform.fuzz.comparison.replies import compare
from dra_conform.fuzz.scenario import Scenario, api_object
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from tests.support.conformance.allocate.trials import case_of

SHARE = "5f2c7c1e-6a1b-4c38-9d0e-1f6f0d2f507%d"
DEVICES = [
    {"name": "a", "allowMultipleAllocations": True, "capacity": {"bw": {"value": "4"}}},
    {"name": "b", "allowMultipleAllocations": True, "capacity": {"bw": {"value": "4"}}},
]
_NAMED = {"key": "metadata.name", "operator": "In", "values": ["node-1"]}
ON_NODE = {"nodeSelectorTerms": [{"matchFields": [_NAMED]}]}
POOL = {"name": "pool-1", "generation": 1, "resourceSliceCount": 1}
ASKED = {
    "deviceClassName": "any",
    "allocationMode": "ExactCount",
    "count": 1,
    "capacity": {"requests": {"bw": "2"}},
}
SCENARIO = Scenario(
    collected(
        [
            {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-1"}},
            api_object("DeviceClass", "any", {}),
            api_object(
                "ResourceSlice",
                "s",
                {"driver": "dra.example.com", "pool": POOL, "nodeName": "node-1", "devices": DEVICES},
            ),
            api_object(
                "ResourceClaim",
                "c",
                {"devices": {"requests": [{"name": "r0", "exactly": ASKED}]}},
                namespace="default",
            ),
        ]
    ),
    "node-1",
    ("default/c",),
)


def _allocated(device: str = "a", consumed: str | None = "2", share: int | None = 1) -> Reply:
    result: dict[str, Json] = {
        "request": "r0",
        "driver": "dra.example.com",
        "pool": "pool-1",
        "device": device,
    }
    if consumed is not None:
        result["consumedCapacity"] = {"bw": consumed}
    if share is not None:
        result["shareID"] = SHARE % share
    allocations = {"default/c": {"devices": {"results": [result]}, "nodeSelector": ON_NODE}}
    return Reply(0, Status.OK, AllocationAnswer(Outcome.ALLOCATED, allocations))


def _with(*, result: dict[str, Json] | None = None, config: Json = (), **allocation: Json) -> Reply:
    """Return an allocation of `a` with more fields in its result and in the allocation."""
    answer = _allocated().answer
    assert answer is not None
    (plain,) = answer.allocations["default/c"]["devices"]["results"]
    devices = {"results": [plain | (result or {})], "config": config}
    whole = {"devices": devices, "nodeSelector": ON_NODE, **allocation}
    return Reply(0, Status.OK, AllocationAnswer(Outcome.ALLOCATED, {"default/c": whole}))


def _refused(outcome: Outcome, category: str = "Other") -> Reply:
    return Reply(0, Status.OK, AllocationAnswer(outcome, reasons=(Reason(category),)))


NOTHING = _refused(Outcome.UNALLOCATABLE)
ERROR = _refused(Outcome.ERRORED)
RUNTIME = _refused(Outcome.ERRORED, "SelectorRuntimeError")
INCOMPLETE = _refused(Outcome.ERRORED, "PoolIncomplete")
REJECTED = _refused(Outcome.REJECTED)
CRASH = Reply(0, Status.CRASH)


@pytest.mark.parametrize(
    ("first", "second", "profile", "kind", "wrong"),
    [
        pytest.param(_allocated(), _allocated(share=2), "kep", None, "", id="other share IDs"),
        pytest.param(_allocated(), _allocated(consumed="2000m"), "kep", None, "", id="another notation"),
        pytest.param(_allocated(), _allocated("b"), "kep", DifferenceKind.CHOICE, "", id="another device"),
        pytest.param(
            _allocated(), _allocated(consumed="3"), "kep", DifferenceKind.INVALID, "1", id="wrong amount"
        ),
        pytest.param(
            _allocated(), _allocated(consumed=None), "kep", DifferenceKind.INVALID, "1", id="no amount"
        ),
        pytest.param(
            _allocated(share=None), _allocated(), "kep", DifferenceKind.INVALID, "0", id="no share ID"
        ),
        pytest.param(
            _allocated("x"), _allocated("x"), "kep", DifferenceKind.INVALID, "01", id="both wrong alike"
        ),
        pytest.param(
            _allocated(), NOTHING, "kep", DifferenceKind.OUTCOME, "1", id="nothing fits, yet something does"
        ),
        pytest.param(
            _allocated("x"), NOTHING, "kep", DifferenceKind.INVALID, "0", id="invalid against nothing"
        ),
        pytest.param(_allocated(), ERROR, "kep", DifferenceKind.OUTCOME, "", id="allocated against an error"),
        pytest.param(ERROR, NOTHING, "kep", DifferenceKind.OUTCOME, "", id="an error against nothing fits"),
        pytest.param(ERROR, REJECTED, "kep", None, "", id="an error and a rejection"),
        pytest.param(
            REJECTED, NOTHING, "kep", DifferenceKind.OUTCOME, "", id="a rejection against nothing fits"
        ),
        pytest.param(INCOMPLETE, NOTHING, "kubernetes-1.36", None, "", id="incomplete is nothing fits"),
        pytest.param(
            INCOMPLETE, _allocated(), "kep", DifferenceKind.OUTCOME, "", id="incomplete is not allocated"
        ),
        pytest.param(RUNTIME, NOTHING, "kep", None, "", id="a selector's error on the way"),
        pytest.param(RUNTIME, _allocated(), "kep", DifferenceKind.CHOICE, "", id="not met on another way"),
        pytest.param(
            RUNTIME, NOTHING, "kubernetes-1.36", DifferenceKind.OUTCOME, "", id="releases have one way"
        ),
        pytest.param(
            RUNTIME, _allocated(), "kubernetes-1.36", DifferenceKind.OUTCOME, "", id="likewise, allocated"
        ),
        pytest.param(CRASH, NOTHING, "kep", DifferenceKind.FAULT, "0", id="a crash"),
        pytest.param(CRASH, CRASH, "kep", DifferenceKind.FAULT, "01", id="two crashes"),
    ],
)
def test_two_replies(
    first: Reply, second: Reply, profile: str, kind: DifferenceKind | None, wrong: str
) -> None:
    case = SCENARIO.case("x")
    found = compare(case, Profile.named(profile), first, second)
    if kind is None:
        assert found is None
    else:
        assert isinstance(found, Difference)
        assert (found.kind, found.wrong) == (kind, frozenset(int(side) for side in wrong))


@pytest.mark.parametrize("other", [NOTHING, _allocated(), CRASH])
def test_unsupported_is_not_compared(other: Reply) -> None:
    unsupported = Reply(0, Status.UNSUPPORTED)
    for pair in ((unsupported, other), (other, unsupported)):
        assert compare(SCENARIO.case("x"), Profile.named("kep"), *pair) is NoComparison.UNSUPPORTED


TOLERATION = {"key": "x", "operator": "Exists"}
OPAQUE = {"opaque": {"driver": "dra.example.com", "parameters": {"a": 1}}}
ELSEWHERE = {"key": "metadata.name", "operator": "NotIn", "values": ["node-1"]}
HERE = {"key": "metadata.name", "operator": "In", "values": ["node-1"]}


def _selecting(requirement: Json) -> Json:
    return {"nodeSelectorTerms": [{"matchFields": [requirement]}]}


@pytest.mark.parametrize(
    ("changed", "part"),
    [
        ({"result": {"adminAccess": True}}, "adminAccess"),
        ({"result": {"tolerations": [TOLERATION]}}, "tolerations"),
        ({"result": {"bindingConditions": ["x"]}}, "bindingConditions"),
        ({"result": {"bindingFailureConditions": ["x"]}}, "bindingFailureConditions"),
        ({"result": {"compatibilityGroups": {"set-1": ["a"]}}}, "compatibilityGroups"),
        ({"config": [{"source": "FromClaim", **OPAQUE}]}, "config"),
        ({"nodeSelector": _selecting(ELSEWHERE)}, "nodeSelector"),
        ({"result": {"adminAccess": False, "tolerations": [], "bindingConditions": None}}, ""),
        ({"nodeSelector": _selecting(HERE), "config": None}, ""),
    ],
)
def test_every_field_of_a_result_is_compared(
    changed: dict[str, Json], part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without findings of the judge: in a release a difference, in kep possibly a choice."""
    monkeypatch.setattr("dra_conform.fuzz.comparison.replies._findings", lambda *_: ())
    for name, kind in (("kubernetes-1.36", DifferenceKind.DETAIL), ("kep", DifferenceKind.CHOICE)):
        found = compare(SCENARIO.case("x"), Profile.named(name), _with(), _with(**changed))
        if not part:
            assert found is None
            continue
        assert isinstance(found, Difference)
        assert found.kind is kind
        assert found.parts == (frozenset({part}) if kind is DifferenceKind.DETAIL else frozenset())


def test_configuration_has_an_order_and_results_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dra_conform.fuzz.comparison.replies._findings", lambda *_: ())
    entries = [{"source": "FromClass", **OPAQUE}, {"source": "FromClaim", **OPAQUE}]
    profile = Profile.named("kubernetes-1.36")
    found = compare(SCENARIO.case("x"), profile, _with(config=entries), _with(config=entries[::-1]))
    assert isinstance(found, Difference)
    assert found.parts == {"config"}
    results = [{"request": "r0", "driver": "d", "pool": "p", "device": name} for name in ("a", "b")]
    first, second = (
        Reply(
            0, Status.OK, AllocationAnswer(Outcome.ALLOCATED, {"default/c": {"devices": {"results": order}}})
        )
        for order in (results, results[::-1])
    )
    assert compare(SCENARIO.case("x"), profile, first, second) is None


OVER_COMMITTED = """
- counterSets: [{counterSet: gpu, counters: {memory: 8Gi, cores: 4}}]
- devices:
    - {device: huge, consumesCounters: {gpu: {memory: 10Gi}}}
    - {device: cores, consumesCounters: {gpu: {cores: 1}}}
- allocated: {resourceClaim: h, results: [{device: huge}]}
- resourceClaim: {name: c}
"""


@pytest.mark.parametrize(
    ("profile", "kind", "wrong"),
    [("kep", DifferenceKind.OUTCOME, 1), ("kubernetes-1.36", DifferenceKind.INVALID, 0)],
)
def test_the_profile_decides_which_side_is_wrong(profile: str, kind: DifferenceKind, wrong: int) -> None:
    """kep allows the device; 1.36 allows none while another counter of the set is over-committed."""
    result = {"request": "r0", "driver": "dra.example.com", "pool": "pool-1", "device": "cores"}
    allocations = {"default/c": {"devices": {"results": [result]}, "nodeSelector": ON_NODE}}
    gives = Reply(0, Status.OK, AllocationAnswer(Outcome.ALLOCATED, allocations))
    found = compare(case_of(OVER_COMMITTED), Profile.named(profile), gives, NOTHING)
    assert isinstance(found, Difference)
    assert (found.kind, found.wrong) == (kind, {wrong})


def test_a_valid_allocation_does_not_prove_a_release_wrong() -> None:
    found = compare(SCENARIO.case("x"), Profile.named("kubernetes-1.36"), _allocated(), NOTHING)
    assert isinstance(found, Difference)
    assert (found.kind, found.wrong) == (DifferenceKind.OUTCOME, frozenset())
