from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from dra_conform.adapters.builtin import Builtin, explain
from dra_conform.adapters.specs import open_implementation
from dra_conform.conformance.allocate.answer import Outcome
from dra_conform.conformance.allocate.expectation import AllocationExpectation
from dra_conform.conformance.case import Case, CaseStep, Source
from dra_conform.conformance.features import FEATURES, RESULT_PARTS
from dra_conform.conformance.implementation import Reply, Request, Status, Suite
from dra_conform.conformance.runner import answer_of
from dra_conform.conformance.steps.given import DRIVER
from dra_conform.kube.profile import Profile
from tests.support.adapters import device_requests

SUITE = Suite("tests", "1", "sha256:0")
RELEASE = Profile.named("kubernetes-1.36")


def ask(request: Request) -> Reply:
    implementation = open_implementation("builtin")
    implementation.start(SUITE)
    [reply] = implementation.run([request])
    implementation.close()
    return reply


def changed(request: Request, collection: str, **fields: Any) -> Request:
    """Return the request with fields of the only object of a collection replaced."""
    objects = deepcopy(dict(request.objects))
    objects[collection] = ({**objects[collection][0], **fields},)
    return replace(request, objects=objects)


def shared(amount: str) -> Request:
    """Return a request of a claim with a requested capacity `bw` for a shared device that has 10."""
    device = {"name": "nic", "allowMultipleAllocations": True, "capacity": {"bw": {"value": "10"}}}
    spec = {**device_requests.request(0, devices=0).objects["resourceSlices"][0]["spec"], "devices": [device]}
    exactly = {"deviceClassName": "any", "capacity": {"requests": {"bw": amount}}}
    request = changed(device_requests.request(3, devices=0), "resourceSlices", spec=spec)
    return changed(
        request, "resourceClaims", spec={"devices": {"requests": [{"name": "r0", "exactly": exactly}]}}
    )


def test_a_claim_is_allocated() -> None:
    reply = ask(shared("4"))
    assert reply.status is Status.OK
    assert reply.answer is not None
    assert reply.answer.outcome is Outcome.ALLOCATED
    [result] = reply.answer.allocations["default/c"]["devices"]["results"]
    assert result["consumedCapacity"] == {"bw": "4"}
    assert len(result["shareID"]) == 36
    assert {name: result[name] for name in ("request", "driver", "pool", "device")} == {
        "request": "r0",
        "driver": DRIVER,
        "pool": "pool-1",
        "device": "nic",
    }


def test_share_ids_follow_from_the_seed() -> None:
    def share(seed: int) -> str:
        reply = ask(replace(shared("4"), seed=seed))
        assert reply.answer is not None
        return str(reply.answer.allocations["default/c"]["devices"]["results"][0]["shareID"])

    assert share(1) == share(1)
    assert share(1) != share(2)


def test_devices_of_allocated_claims_are_in_use() -> None:
    first = ask(shared("7"))
    assert first.answer is not None
    other = {
        **shared("7").objects["resourceClaims"][0],
        "metadata": {"name": "other", "namespace": "default"},
        "status": {"allocation": first.answer.allocations["default/c"]},
    }
    request = shared("4")
    objects = {**request.objects, "resourceClaims": (*request.objects["resourceClaims"], other)}
    reply = ask(replace(request, objects=objects))
    assert reply.answer is not None
    assert reply.answer.outcome is Outcome.UNALLOCATABLE
    assert "InsufficientCapacity" in {reason.category for reason in reply.answer.reasons}


def test_an_unallocatable_claim_has_reasons() -> None:
    reply = ask(shared("11"))
    assert reply.answer is not None
    assert reply.answer.outcome is Outcome.UNALLOCATABLE
    assert reply.answer.reasons
    lines = explain(shared("11"))
    assert lines[0] == "no allocation is possible"
    assert any("nic" in line and "11" in line for line in lines)


def test_the_explanation_names_the_request_that_gets_a_device_in_the_end() -> None:
    """At first the search chooses the first device for r0, so that r2 cannot get it."""
    request = device_requests.request(0, devices=3)
    [published], [claim] = request.objects["resourceSlices"], request.objects["resourceClaims"]
    first = {"name": "device-0", "attributes": {"model": {"string": "a"}}}
    devices = [first, *published["spec"]["devices"][1:]]
    exactly = claim["spec"]["devices"]["requests"][0]["exactly"]
    model = {"cel": {"expression": f'"model" in device.attributes["{DRIVER}"]'}}
    requests = [{"name": name, "exactly": exactly} for name in ("r0", "r1", "r2")]
    requests[2]["exactly"] = {**exactly, "selectors": [model]}
    request = changed(request, "resourceSlices", spec={**published["spec"], "devices": devices})
    request = changed(request, "resourceClaims", spec={"devices": {"requests": requests}})
    lines = explain(request)
    assert [line.rpartition("/")[2] for line in lines[:3]] == ["device-1", "device-2", "device-0"]
    where = lines.index("claim default/c, request r1")
    assert lines[where + 1] == "  1 device: DeviceInUse: chosen for request r2 (device-0)"
    assert "  1 device: DeviceInUse: chosen for request r0 (device-1)" in lines


def test_an_error_is_an_outcome() -> None:
    request = device_requests.request(0, devices=1)
    without_class = replace(request, objects={**request.objects, "deviceClasses": ()})
    reply = ask(without_class)
    assert reply.status is Status.OK
    assert reply.answer is not None
    assert reply.answer.outcome is Outcome.ERRORED
    assert [reason.category for reason in reply.answer.reasons] == ["ClassNotFound"]
    assert explain(without_class)[0].startswith("the allocation ends in an error: ClassNotFound: ")


def test_malformed_input_is_rejected() -> None:
    bad = changed(device_requests.request(0, devices=1), "resourceClaims", spec={"devices": {"wishes": []}})
    reply = ask(bad)
    assert reply.answer is not None
    assert reply.answer.outcome is Outcome.REJECTED
    assert [reason.category for reason in reply.answer.reasons] == ["FieldInvalid"]
    assert "wishes" in reply.answer.reasons[0].message
    assert explain(bad)[0].startswith("rejected before any search: spec.devices.wishes")


def test_the_builtin_declares_every_feature() -> None:
    assert dict(Builtin.features) == dict.fromkeys((*FEATURES, *RESULT_PARTS), "full")


@pytest.mark.parametrize("field", ["adminAccess", "tolerations"])
def test_adminaccess_and_tolerations_are_passed_to_the_allocator(field: str) -> None:
    """A tainted device that is allocated to another claim needs both fields."""
    taint = {"key": "broken", "effect": "NoSchedule"}
    spec = {**device_requests.request(0, devices=0).objects["resourceSlices"][0]["spec"]}
    spec["devices"] = [{"name": "gpu", "taints": [taint]}]
    wanted: dict[str, Any] = {"adminAccess": True, "tolerations": [{"key": "broken", "operator": "Exists"}]}

    def outcome(asked: dict[str, Any]) -> Outcome:
        request = changed(device_requests.request(0, devices=0), "resourceSlices", spec=spec)
        exactly = {"deviceClassName": "any", **asked}
        request = changed(
            request, "resourceClaims", spec={"devices": {"requests": [{"name": "r0", "exactly": exactly}]}}
        )
        result = {"request": "r0", "driver": DRIVER, "pool": "pool-1", "device": "gpu"}
        other = {
            **request.objects["resourceClaims"][0],
            "metadata": {"name": "other", "namespace": "default"},
            "status": {"allocation": {"devices": {"results": [result]}}},
        }
        objects = {**request.objects, "resourceClaims": (*request.objects["resourceClaims"], other)}
        reply = ask(replace(request, objects=objects))
        assert reply.answer is not None
        return reply.answer.outcome

    assert outcome(wanted) is Outcome.ALLOCATED
    assert outcome({name: value for name, value in wanted.items() if name != field}) is Outcome.UNALLOCATABLE


def test_the_profile_changes_the_answer() -> None:
    off = RELEASE.with_gates({"DRAConsumableCapacity": False})
    on, without = (ask(replace(shared("4"), profile=profile)) for profile in (RELEASE, off))
    assert on.answer is not None
    assert without.answer is not None
    assert "consumedCapacity" in on.answer.allocations["default/c"]["devices"]["results"][0]
    assert without.answer != on.answer


def test_explaining_a_broken_case_says_what_is_missing() -> None:
    lost = replace(device_requests.request(0, devices=1), ask={"node": "node-1", "claims": ["default/lost"]})
    assert ask(lost).status is Status.FAILED
    assert explain(lost) == (
        "unknown object 'default/lost', expected the name of an object in the setup of the case",
    )


def test_explaining_an_allocation_names_the_devices() -> None:
    assert explain(shared("4"))[-1] == (
        f"claim default/c, request r0: gets {DRIVER}/pool-1/nic, consuming bw 4"
    )


@pytest.mark.parametrize(("amount", "outcome"), [("4", Outcome.ALLOCATED), ("11", Outcome.UNALLOCATABLE)])
def test_the_answer_to_a_case(amount: str, outcome: Outcome) -> None:
    request = shared(amount)
    case = Case(
        id="x",
        title="x",
        source=Source("x", 1),
        kind="golden",
        requirements=(),
        operation="allocate",
        objects=request.objects,
        ask=request.ask,
        case_steps=(CaseStep("", AllocationExpectation(frozenset())),),
    )
    implementation = open_implementation("builtin")
    implementation.start(SUITE)
    found = answer_of(implementation, case, "kep")
    assert found is not None
    assert found.outcome is outcome
