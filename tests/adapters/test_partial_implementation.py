"""Multi-step scenarios with partial implementations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import SimpleNamespace

import pytest

from dra_conform.adapters.inprocess import InProcessImplementation
from dra_conform.adapters.partial_implementation import PartialImplementation
from dra_conform.conformance.implementation import Reply, Request, Status, Suite
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.simulation.parts import admit, allocate
from dra_conform.simulation.simulated_cluster import run_scenario
from tests.support.simulation.scenarios import (
    CLASS,
    SETTLE,
    claim,
    create,
    devices_of,
    node,
    pod,
    results_of,
    slice_on,
)

SUITE = Suite("suite", "1", "0")
OBJECTS = {
    "nodes": (node("n"),),
    "deviceClasses": (CLASS,),
    "resourceSlices": (slice_on("n", {"name": "d"}, {"name": "e"}),),
}
ACTIONS = [create(claim("c")), create(pod("p", "c")), SETTLE]


@pytest.fixture(autouse=True)
def _stories(monkeypatch: pytest.MonkeyPatch) -> None:
    """An implementation that answers multi-step scenarios."""
    scenario = SimpleNamespace(read=lambda body: body["observations"])
    monkeypatch.setitem(OPERATIONS, "cluster", scenario)  # type: ignore[arg-type]


class LastDevice:
    """An allocator that allocates the last device by name and records its requests."""

    operations = ("allocate",)

    def __init__(self) -> None:
        self.requested: list[tuple[Json, int]] = []

    def allocate(self, objects: Json, ask: Json, profile: Profile, seed: int) -> Json:
        self.requested.append((ask, seed))
        slices = [{**one, "spec": {**one["spec"]}} for one in objects["resourceSlices"]]
        for one in slices:
            one["spec"]["devices"] = one["spec"]["devices"][-1:]
        return allocate({**objects, "resourceSlices": slices}, ask, profile, seed)


class RefusesAll:
    """An admission that rejects every write."""

    operations = ("admit",)

    def admit(self, objects: Json, ask: Json, profile: Profile) -> Json:
        return {"outcome": "rejected", "reason": "Forbidden", "errors": [], "message": "no"}


def request(operation: str = "cluster", number: int = 0, **ask: Json) -> Request:
    ask = {"components": {}, "actions": ACTIONS, **ask}
    return Request(number, "case", operation, Profile.named("kep"), OBJECTS, ask)


def lifted(target: object) -> PartialImplementation:
    observed = PartialImplementation(InProcessImplementation(lambda: target, spec="python:x:y"))
    observed.start(SUITE)
    return observed


def reply_of(target: object, **ask: Json) -> Reply:
    [reply] = lifted(target).run([request(**ask)])
    return reply


def test_an_allocator_allocates_in_a_scenario() -> None:
    target = LastDevice()
    reply = reply_of(target)
    assert reply.status is Status.OK
    assert devices_of(reply.answer[-1]) == {"c": ["e"]}
    assert target.requested == [({"node": "n", "claims": ["default/c"]}, 1)]


class OtherShape(LastDevice):
    """An allocator whose results have null fields, a field that the API does not have, and other fields."""

    def __init__(self, **fields: Json) -> None:
        super().__init__()
        self._fields = fields

    def allocate(self, objects: Json, ask: Json, profile: Profile, seed: int) -> Json:
        answer = super().allocate(objects, ask, profile, seed)
        for allocation in answer["allocations"].values():
            allocation.update(allocationTimestamp=None, note="new")
            for result in allocation["devices"]["results"]:
                result.update(shareID=None, cost=7, **self._fields)
        return answer


def test_a_scenario_ignores_unknown_and_null_fields_of_an_allocation() -> None:
    reply = reply_of(OtherShape())
    assert reply.status is Status.OK
    assert devices_of(reply.answer[-1]) == {"c": ["e"]}


def test_a_malformed_allocation_in_a_scenario_is_no_answer() -> None:
    reply = reply_of(OtherShape(tolerations="all"))
    assert reply.status is Status.PROTOCOL
    assert reply.detail.startswith(
        "request to allocate within the scenario: ResourceClaim default/c: status.allocation is malformed: "
    )


def test_an_admission_admits_in_a_scenario() -> None:
    written, *_ = reply_of(RefusesAll()).answer
    assert (written["outcome"], written["reason"]) == ("rejected", "Forbidden")


def test_a_component_that_is_not_judged_is_the_builtin() -> None:
    class Both(LastDevice, RefusesAll):
        operations = ("allocate", "admit")  # type: ignore[assignment]

    assert devices_of(reply_of(Both(), judges=["allocator"]).answer[-1]) == {"c": ["e"]}
    assert reply_of(Both(), judges=["admission"]).answer[0]["outcome"] == "rejected"
    assert reply_of(Both()).answer[0]["outcome"] == "rejected"


def test_a_scenario_that_judges_other_components_is_undeclared() -> None:
    reply = reply_of(RefusesAll(), judges=["allocator"])
    assert (reply.status, reply.detail) == (Status.UNDECLARED, "the scenario judges none of admission")


def test_a_scenario_without_a_request_to_the_component_is_undeclared() -> None:
    reply = reply_of(LastDevice(), actions=[SETTLE], judges=["allocator"])
    assert (reply.status, reply.detail) == (
        Status.UNDECLARED,
        "the scenario sends no request to allocate",
    )


def test_an_unsupported_other_release_is_undeclared() -> None:
    class OneRelease(LastDevice):
        def allocate(self, objects: Json, ask: Json, profile: Profile, seed: int) -> Json:
            if profile.release is not None:
                return {"status": "unsupported", "message": "another release"}
            return super().allocate(objects, ask, profile, seed)

    assert reply_of(OneRelease()).status is Status.OK
    reply = reply_of(OneRelease(), components={"scheduler": {"release": "1.36"}})
    assert reply.status is Status.UNDECLARED
    assert reply.detail.startswith("request to allocate within the scenario: ")


def test_no_request_within_a_scenario_leaves_a_run_early() -> None:
    """A process would be started anew for each of them."""

    class Recorded(InProcessImplementation):
        began = ended = 0

        def run(self, requests: Iterable[Request]) -> Iterator[Reply]:
            self.began += 1
            yield from super().run(requests)
            self.ended += 1

    recorded = Recorded(LastDevice, spec="python:x:y")
    implementation = PartialImplementation(recorded)
    implementation.start(SUITE)
    assert [reply.status for reply in implementation.run([request()])] == [Status.OK]
    assert recorded.began == recorded.ended >= 1


def test_an_implementation_of_a_component_offers_scenarios() -> None:
    implementation = PartialImplementation(InProcessImplementation(LastDevice, spec="python:x:y"))
    assert implementation.start(SUITE).operations == {"allocate", "cluster"}


def test_a_whole_cluster_runs_scenarios_itself() -> None:
    class Cluster:
        operations = ("cluster", "admit")

        def cluster(self, objects: Json, ask: Json, profile: Profile) -> Json:
            return {"outcome": "observed", "observations": ["mine"]}

        admit = staticmethod(admit)

    assert reply_of(Cluster()).answer == ["mine"]


def test_other_requests_are_passed_on_and_each_request_has_a_reply() -> None:
    plain = request("allocate", 2)
    plain = Request(2, "case", "allocate", plain.profile, OBJECTS, {"node": "n", "claims": []})
    replies = list(lifted(LastDevice()).run([request(number=1), plain, request(number=3)]))
    assert sorted(reply.id for reply in replies) == [1, 2, 3]


def test_a_fault_within_a_scenario_is_the_fault_of_the_scenario() -> None:
    class Broken:
        operations = ("allocate",)

        def allocate(self, objects: Json, ask: Json, profile: Profile) -> Json:
            raise RuntimeError("broken")

    reply = reply_of(Broken())
    assert reply.status is Status.FAILED
    assert reply.detail == "request to allocate within the scenario: RuntimeError: broken"


def test_a_scenario_is_unsupported_if_the_component_does_not_support_a_request() -> None:
    class Partial:
        operations = ("allocate",)

        def allocate(self, objects: Json, ask: Json, profile: Profile) -> Json:
            return {"status": "unsupported", "message": "not today"}

    assert reply_of(Partial()).status is Status.UNSUPPORTED


def test_what_the_builtin_does_not_support_is_undeclared() -> None:
    reply = reply_of(LastDevice(), actions=[{"do": "dance"}])
    assert reply.status is Status.UNDECLARED
    assert "unknown action 'dance'" in reply.detail


def test_a_malformed_scenario_fails() -> None:
    reply = reply_of(LastDevice(), actions=[{"do": "restart", "component": "etcd"}])
    assert reply.status is Status.FAILED
    assert "unknown component 'etcd'" in reply.detail


def test_the_builtin_as_components_gives_the_results_of_the_builtin() -> None:
    class Parts:
        operations = ("allocate", "admit")
        allocate = staticmethod(allocate)
        admit = staticmethod(admit)

    own = run_scenario(OBJECTS, request().ask, Profile.named("kep"))["observations"]
    assert reply_of(Parts()).answer == own
    assert results_of(own[-1], "p") == ["Scheduled"]
