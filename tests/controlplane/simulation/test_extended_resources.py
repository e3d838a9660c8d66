"""The claim that the scheduler makes for extended resources that classes serve."""

from __future__ import annotations

from typing import Any

import pytest

from dra_conform.controlplane.simulation.extended_resources.backing_classes import (
    BackingClasses,
    classes_by_resource,
)
from dra_conform.controlplane.simulation.extended_resources.claim_requests import backed_requests
from dra_conform.controlplane.simulation.extended_resources.extended_resource_rules import (
    ExtendedResourceRules,
)
from dra_conform.kube.objects import decode
from dra_conform.kube.profile import Profile
from tests.support.controlplane.simulation.stories import (
    SETTLE,
    claim,
    create,
    delete,
    finish,
    gates,
    node,
    nodes_of,
    object_in,
    of,
    phases,
    pod,
    results_of,
    settled,
    slice_on,
    told,
)

Json = Any
GPU = "example.com/gpu"
IMPLICIT = "deviceclass.resource.kubernetes.io/gpus"
CLASS = of("DeviceClass", "gpus", {"extendedResourceName": GPU})
RELEASE = ExtendedResourceRules.of(Profile.named("kubernetes-1.36"))
DOCUMENT = ExtendedResourceRules.of(Profile.named("kep"))
ONE = [node("n"), CLASS, slice_on("n", {"name": "d"}, {"name": "e"})]


def container(name: str, count: int = 0, resource: str = GPU, **fields: Json) -> Json:
    asked = {resource: str(count)} if count else {}
    return {"name": name, "image": "i", "resources": {"requests": asked, "limits": asked}, **fields}


def asking(name: str, *containers: Json, **spec: Json) -> Json:
    return pod(name, containers=list(containers) or [container("c", 1)], **spec)


def only_claim(found: Json) -> Json:
    [claim] = found["objects"]["resourceClaims"]
    return claim


@pytest.mark.parametrize("resource", [GPU, IMPLICIT])
def test_the_scheduler_makes_a_claim_for_the_pod(resource: str) -> None:
    found = settled(ONE, create(asking("p", container("c", 2, resource))))
    made = only_claim(found)
    name = made["metadata"]["name"]
    assert name.startswith("p-extended-resources-")
    assert made["metadata"]["annotations"] == {"resource.kubernetes.io/extended-resource-claim": "p"}
    assert [one["name"] for one in made["metadata"]["ownerReferences"]] == ["p"]
    [request] = made["spec"]["devices"]["requests"]
    assert request["name"] == "container-0-request-0"
    assert (request["exactly"]["deviceClassName"], request["exactly"]["count"]) == ("gpus", 2)
    assert len(made["status"]["allocation"]["devices"]["results"]) == 2
    mapping = {"containerName": "c", "resourceName": resource, "requestName": "container-0-request-0"}
    status = object_in(found, "Pod", "p")["status"]
    assert status["extendedResourceClaimStatus"] == {"resourceClaimName": name, "requestMappings": [mapping]}
    assert phases(found) == {"p": "Running"}


def test_a_claim_is_meant_by_its_pod() -> None:
    meant = {"do": "get", "of": {"kind": "ResourceClaim", "specialOf": "default/p"}}
    *_, found = told(ONE, create(asking("p")), SETTLE, meant)
    assert found["object"]["metadata"]["generateName"] == "p-extended-resources-"


def test_a_node_that_has_the_resource_itself_needs_no_claim() -> None:
    offered = {**node("n"), "status": {"allocatable": {GPU: "1"}}}
    found = settled([offered, *ONE[1:]], create(asking("p")), create(asking("q")))
    assert nodes_of(found) == {"p": "n", "q": None}
    assert found["attempts"][-1]["message"] == f"0/1 nodes are available: 1 Insufficient {GPU}."
    assert "resourceClaims" not in found["objects"]


def test_without_the_gate_nodes_have_too_little() -> None:
    found = settled(ONE, gates("scheduler", DRAExtendedResource=False), create(asking("p")))
    assert found["attempts"][-1]["message"] == f"0/1 nodes are available: 1 Insufficient {GPU}."


@pytest.mark.parametrize("end", [delete("Pod", "p"), finish("p")], ids=["deleted", "finished"])
def test_the_claim_goes_with_its_pod_and_another_pod_runs(end: Json) -> None:
    first, _, second = told(
        ONE, create(asking("p", container("c", 2))), create(asking("q")), SETTLE, end, SETTLE
    )[2:]
    assert nodes_of(first) == {"p": "n", "q": None}
    assert only_claim(second)["metadata"]["ownerReferences"][0]["name"] == "q"
    assert nodes_of(second)["q"] == "n"


WRITES = [
    ("create", "ResourceClaim", ""),
    ("update", "ResourceClaim", "status"),
    ("update", "Pod", "status"),
    ("create", "Pod", "binding"),
]


@pytest.mark.parametrize(("verb", "kind", "subresource"), WRITES)
def test_what_a_failed_attempt_made_is_deleted(verb: str, kind: str, subresource: str) -> None:
    failure = {"verb": verb, "kind": kind, "subresource": subresource, "reason": "Forbidden"}
    found = settled(ONE, {"do": "fail", "times": 1, **failure}, create(asking("p")))
    assert results_of(found, "p") == ["Error", "Scheduled"]
    status = object_in(found, "Pod", "p")["status"]["extendedResourceClaimStatus"]
    assert only_claim(found)["metadata"]["name"] == status["resourceClaimName"]


LEFT = (
    {"do": "fail", "times": 1, "verb": "create", "kind": "Pod", "subresource": "binding", "reason": "x"},
    {"do": "fail", "times": 1, "verb": "delete", "kind": "ResourceClaim", "reason": "y"},
)
"""The claim of the first attempt is left behind."""


@pytest.mark.parametrize(
    ("profile", "messages"),
    [("kep", ["x", "deletion of ResourceClaim completed", ""]), ("kubernetes-1.36", ["x"])],
)
def test_a_claim_that_could_not_be_deleted_goes_before_the_next_attempt(
    profile: str, messages: list[str]
) -> None:
    found = settled(ONE, *LEFT, create(asking("p")), profile=profile)
    assert [one["message"] for one in found["attempts"]][: len(messages)] == messages
    assert only_claim(found)["metadata"]["ownerReferences"][0]["name"] == "p"
    assert nodes_of(found) == {"p": "n"}


def test_of_classes_with_one_name_the_newest_serves_then_the_first_by_name() -> None:
    def named(name: str, created: str) -> Json:
        return of("DeviceClass", name, {"extendedResourceName": GPU}, creationTimestamp=created)

    old, new = "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"
    assert classes_by_resource([named("a", old), named("b", new)])[GPU] == "b"
    assert classes_by_resource([named("b", new), named("a", new), named("c", old)])[GPU] == "a"
    assert classes_by_resource([named("a", old)])["deviceclass.resource.kubernetes.io/a"] == "a"


@pytest.mark.parametrize(
    ("init", "lasting", "requests", "mapped"),
    [
        ([2], [1, 1], {"1": 1, "2": 1}, {"i0": ["1", "2"], "c0": ["1"], "c1": ["2"]}),
        ([3], [1], {"0": 2, "1": 1}, {"i0": ["1", "0"], "c0": ["1"]}),
        ([4, 2], [1], {"0": 3, "2": 1}, {"i0": ["2", "0"], "i1": ["2", "0"], "c0": ["2"]}),
        ([1], [0], {"0": 1}, {"i0": ["0"]}),
    ],
)
def test_init_containers_use_what_later_containers_ask_for(
    init: list[int], lasting: list[int], requests: dict[str, int], mapped: dict[str, list[str]]
) -> None:
    inits = [container(f"i{index}", count) for index, count in enumerate(init)]
    containers = [container(f"c{index}", count) for index, count in enumerate(lasting)]
    raw = asking("p", *containers, initContainers=inits)
    made, mappings = backed_requests(decode(raw), decode(node("n")), {GPU: "gpus"}, RELEASE)
    assert {one["name"].split("-")[1]: one["exactly"]["count"] for one in made} == requests
    told_of: dict[str, list[str]] = {}
    for one in mappings:
        told_of.setdefault(one["containerName"], []).append(one["requestName"].split("-")[1])
    assert told_of == mapped


def test_a_request_is_numbered_among_all_resources_of_its_container() -> None:
    both = {"name": "c", "image": "i", "resources": {"requests": {"cpu": "1", GPU: "1", "memory": "1Gi"}}}
    _, [mapping] = backed_requests(decode(asking("p", both)), decode(node("n")), {GPU: "gpus"}, RELEASE)
    assert mapping["requestName"] == "container-0-request-1"


def test_by_the_document_each_init_container_has_a_request_of_its_own() -> None:
    raw = asking("p", container("c", 2), initContainers=[container("i", 1)])
    made, mappings = backed_requests(decode(raw), decode(node("n")), {GPU: "gpus"}, DOCUMENT)
    assert [one["exactly"]["count"] for one in made] == [1, 2]
    assert [one["containerName"] for one in mappings] == ["i", "c"]


def test_a_sidecar_asks_for_itself() -> None:
    found = settled(
        ONE,
        create(asking("p", container("c", 1), initContainers=[container("s", 1, restartPolicy="Always")])),
    )
    names = [one["name"] for one in only_claim(found)["spec"]["devices"]["requests"]]
    assert names == ["container-0-request-0", "container-1-request-0"]


def test_a_pod_waits_for_the_conditions_of_its_devices() -> None:
    device = {"name": "d", "bindingConditions": ["ready"], "bindingFailureConditions": ["broken"]}
    found = settled([node("n"), CLASS, slice_on("n", device)], create(asking("p")))
    assert nodes_of(found) == {"p": None}
    assert "allocation" in only_claim(found)["status"]
    assert results_of(found, "p") == ["Waiting"]


@pytest.mark.parametrize(
    ("profile", "node_name", "results"),
    [("kep", "n1", ["Scheduled"]), ("kubernetes-1.37", None, ["Error"])],
)
@pytest.mark.parametrize("claims", [("c",), ()], ids=["a claim of its own", "a claim for extended resources"])
def test_an_error_on_a_later_node_ends_the_attempt_in_releases_though_the_first_node_fits(
    claims: tuple[str, ...], profile: str, node_name: str | None, results: list[str]
) -> None:
    selector = 'device.attributes["dra.example.com"].model == "a"'
    reading = of(
        "DeviceClass", "any", {"extendedResourceName": GPU, "selectors": [{"cel": {"expression": selector}}]}
    )
    with_model = {"name": "d", "attributes": {"model": {"string": "a"}}}
    given = [node("n1"), node("n2"), reading, slice_on("n1", with_model), slice_on("n2", {"name": "e"})]
    asks = pod("p", *claims) if claims else asking("p")
    found = settled([*given, *map(claim, claims)], create(asks), profile=profile)
    assert nodes_of(found) == {"p": node_name}
    assert results_of(found, "p") == results


def stands(name: str, created: str, version: int, resource: str = GPU) -> Json:
    spec = {"extendedResourceName": resource} if resource else {}
    one = of("DeviceClass", name, spec, creationTimestamp=created)
    return {**one, "metadata": {**one["metadata"], "resourceVersion": str(version)}}


OLD, NEW = "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"


def test_a_release_forgets_a_name_with_the_class_that_lost_it() -> None:
    names = BackingClasses()
    both = [stands("a", OLD, 1), stands("b", NEW, 2)]
    assert names.current(both, RELEASE, 1)[GPU] == "b"
    cleared = [stands("a", OLD, 3, ""), both[1]]
    assert names.current(cleared, RELEASE, 1) == {IMPLICIT.replace("gpus", name): name for name in "ab"}
    assert names.current(cleared, RELEASE, 2)[GPU] == "b"
    assert BackingClasses().current(cleared, DOCUMENT, 1)[GPU] == "b"


def test_a_release_does_not_know_a_class_that_came_too_late_for_its_name() -> None:
    names = BackingClasses()
    assert names.current([stands("b", NEW, 1)], RELEASE, 1)[GPU] == "b"
    served = names.current([stands("a", OLD, 2), stands("b", NEW, 1)], RELEASE, 1)
    assert served == {GPU: "b", IMPLICIT.replace("gpus", "b"): "b"}
