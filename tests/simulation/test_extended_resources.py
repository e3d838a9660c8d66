"""The extended-resource claim that the scheduler creates."""

from __future__ import annotations

import pytest

from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import decode
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.extended_resources import ExtendedResourceSwitches
from dra_conform.simulation.extended_resources.backing_classes import (
    BackingClasses,
    classes_by_resource,
)
from dra_conform.simulation.extended_resources.claim_requests import backed_requests
from tests.support.simulation.scenarios import (
    SETTLE,
    claim,
    create,
    delete,
    finish,
    gates,
    node,
    nodes_of,
    object_in,
    observations_of,
    of,
    phases,
    pod,
    results_of,
    settled,
    slice_on,
)

GPU = "example.com/gpu"
IMPLICIT = "deviceclass.resource.kubernetes.io/gpus"
CLASS = of("DeviceClass", "gpus", {"extendedResourceName": GPU})
RELEASE = ExtendedResourceSwitches.of(Profile.named("kubernetes-1.36"))
DOCUMENT = ExtendedResourceSwitches.of(Profile.named("kep"))
ONE = [node("n"), CLASS, slice_on("n", {"name": "d"}, {"name": "e"})]


def container(name: str, count: int = 0, resource: str = GPU, **fields: Json) -> Json:
    requested = {resource: str(count)} if count else {}
    return {"name": name, "image": "i", "resources": {"requests": requested, "limits": requested}, **fields}


def asking(name: str, *containers: Json, **spec: Json) -> Json:
    return pod(name, containers=list(containers) or [container("c", 1)], **spec)


def only_claim(observed: Json) -> Json:
    [claim] = observed["objects"]["resourceClaims"]
    return claim


@pytest.mark.parametrize("resource", [GPU, IMPLICIT])
def test_the_scheduler_creates_an_extended_resource_claim(resource: str) -> None:
    observed = settled(ONE, create(asking("p", container("c", 2, resource))))
    made = only_claim(observed)
    name = made["metadata"]["name"]
    assert name.startswith("p-extended-resources-")
    assert made["metadata"]["annotations"] == {"resource.kubernetes.io/extended-resource-claim": "p"}
    assert [one["name"] for one in made["metadata"]["ownerReferences"]] == ["p"]
    [request] = made["spec"]["devices"]["requests"]
    assert request["name"] == "container-0-request-0"
    assert (request["exactly"]["deviceClassName"], request["exactly"]["count"]) == ("gpus", 2)
    assert len(made["status"]["allocation"]["devices"]["results"]) == 2
    mapping = {"containerName": "c", "resourceName": resource, "requestName": "container-0-request-0"}
    status = object_in(observed, "Pod", "p")["status"]
    assert status["extendedResourceClaimStatus"] == {"resourceClaimName": name, "requestMappings": [mapping]}
    assert phases(observed) == {"p": "Running"}


def test_a_reference_to_a_pod_finds_its_extended_resource_claim() -> None:
    meant = {"do": "get", "of": {"kind": "ResourceClaim", "specialOf": "default/p"}}
    *_, observed = observations_of(ONE, create(asking("p")), SETTLE, meant)
    assert observed["object"]["metadata"]["generateName"] == "p-extended-resources-"


def test_a_node_with_a_device_plugin_for_the_resource_needs_no_claim() -> None:
    offered = {**node("n"), "status": {"allocatable": {GPU: "1"}}}
    observed = settled([offered, *ONE[1:]], create(asking("p")), create(asking("q")))
    assert nodes_of(observed) == {"p": "n", "q": None}
    assert observed["attempts"][-1]["message"] == f"0/1 nodes are available: 1 Insufficient {GPU}."
    assert "resourceClaims" not in observed["objects"]


def test_without_the_gate_nodes_have_insufficient_resources() -> None:
    observed = settled(ONE, gates("scheduler", DRAExtendedResource=False), create(asking("p")))
    assert observed["attempts"][-1]["message"] == f"0/1 nodes are available: 1 Insufficient {GPU}."


@pytest.mark.parametrize("end", [delete("Pod", "p"), finish("p")], ids=["deleted", "finished"])
def test_the_claim_is_deleted_with_its_pod_and_another_pod_runs(end: Json) -> None:
    first, _, second = observations_of(
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
def test_the_claim_of_a_failed_attempt_is_deleted(verb: str, kind: str, subresource: str) -> None:
    failure = {"verb": verb, "kind": kind, "subresource": subresource, "reason": "Forbidden"}
    observed = settled(ONE, {"do": "fail", "times": 1, **failure}, create(asking("p")))
    assert results_of(observed, "p") == ["Error", "Scheduled"]
    status = object_in(observed, "Pod", "p")["status"]["extendedResourceClaimStatus"]
    assert only_claim(observed)["metadata"]["name"] == status["resourceClaimName"]


LEFT = (
    {"do": "fail", "times": 1, "verb": "create", "kind": "Pod", "subresource": "binding", "reason": "x"},
    {"do": "fail", "times": 1, "verb": "delete", "kind": "ResourceClaim", "reason": "y"},
)
"""The extended-resource claim of the first attempt is not deleted."""


@pytest.mark.parametrize(
    ("profile", "messages"),
    [("kep", ["x", "deletion of ResourceClaim completed", ""]), ("kubernetes-1.36", ["x"])],
)
def test_a_leftover_claim_is_deleted_before_the_next_attempt(profile: str, messages: list[str]) -> None:
    observed = settled(ONE, *LEFT, create(asking("p")), profile=profile)
    assert [one["message"] for one in observed["attempts"]][: len(messages)] == messages
    assert only_claim(observed)["metadata"]["ownerReferences"][0]["name"] == "p"
    assert nodes_of(observed) == {"p": "n"}


def test_the_newest_device_class_backs_the_resource_then_the_first_by_name() -> None:
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
def test_init_containers_reuse_the_requests_of_later_containers(
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


def test_each_init_container_has_its_own_request_in_the_kep() -> None:
    raw = asking("p", container("c", 2), initContainers=[container("i", 1)])
    made, mappings = backed_requests(decode(raw), decode(node("n")), {GPU: "gpus"}, DOCUMENT)
    assert [one["exactly"]["count"] for one in made] == [1, 2]
    assert [one["containerName"] for one in mappings] == ["i", "c"]


def test_a_sidecar_has_its_own_request() -> None:
    observed = settled(
        ONE,
        create(asking("p", container("c", 1), initContainers=[container("s", 1, restartPolicy="Always")])),
    )
    names = [one["name"] for one in only_claim(observed)["spec"]["devices"]["requests"]]
    assert names == ["container-0-request-0", "container-1-request-0"]


def test_a_pod_waits_for_the_binding_conditions_of_its_devices() -> None:
    device = {"name": "d", "bindingConditions": ["ready"], "bindingFailureConditions": ["broken"]}
    observed = settled([node("n"), CLASS, slice_on("n", device)], create(asking("p")))
    assert nodes_of(observed) == {"p": None}
    assert "allocation" in only_claim(observed)["status"]
    assert results_of(observed, "p") == ["Waiting"]


@pytest.mark.parametrize(
    ("profile", "node_name", "results"),
    [("kep", "n1", ["Scheduled"]), ("kubernetes-1.37", None, ["Error"])],
)
@pytest.mark.parametrize("claims", [("c",), ()], ids=["a claim of its own", "a claim for extended resources"])
def test_in_releases_an_error_on_a_later_node_ends_the_attempt(
    claims: tuple[str, ...], profile: str, node_name: str | None, results: list[str]
) -> None:
    selector = 'device.attributes["dra.example.com"].model == "a"'
    reading = of(
        "DeviceClass", "any", {"extendedResourceName": GPU, "selectors": [{"cel": {"expression": selector}}]}
    )
    with_model = {"name": "d", "attributes": {"model": {"string": "a"}}}
    setup = [node("n1"), node("n2"), reading, slice_on("n1", with_model), slice_on("n2", {"name": "e"})]
    asks = pod("p", *claims) if claims else asking("p")
    observed = settled([*setup, *map(claim, claims)], create(asks), profile=profile)
    assert nodes_of(observed) == {"p": node_name}
    assert results_of(observed, "p") == results


def stands(name: str, created: str, version: int, resource: str = GPU) -> Json:
    spec = {"extendedResourceName": resource} if resource else {}
    one = of("DeviceClass", name, spec, creationTimestamp=created)
    return {**one, "metadata": {**one["metadata"], "resourceVersion": str(version)}}


OLD, NEW = "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"


def test_in_releases_a_name_is_removed_with_a_device_class_that_does_not_back_it() -> None:
    names = BackingClasses()
    both = [stands("a", OLD, 1), stands("b", NEW, 2)]
    assert names.current(both, RELEASE, 1)[GPU] == "b"
    cleared = [stands("a", OLD, 3, ""), both[1]]
    assert names.current(cleared, RELEASE, 1) == {IMPLICIT.replace("gpus", name): name for name in "ab"}
    assert names.current(cleared, RELEASE, 2)[GPU] == "b"
    assert BackingClasses().current(cleared, DOCUMENT, 1)[GPU] == "b"


def test_in_releases_a_device_class_created_too_late_does_not_back_its_name() -> None:
    names = BackingClasses()
    assert names.current([stands("b", NEW, 1)], RELEASE, 1)[GPU] == "b"
    served = names.current([stands("a", OLD, 2), stands("b", NEW, 1)], RELEASE, 1)
    assert served == {GPU: "b", IMPLICIT.replace("gpus", "b"): "b"}


@pytest.mark.parametrize("gate", [True, False], ids=["on", "off"])
@pytest.mark.parametrize(
    ("profile", "containers", "runs"),
    [
        ("kubernetes-1.34", [container("c", 1, IMPLICIT)], True),
        ("kubernetes-1.34", [container("c", 1, IMPLICIT), container("d", 1)], False),
        ("kubernetes-1.35", [container("c", 1, IMPLICIT)], False),
        ("kep", [container("c", 1, IMPLICIT)], False),
    ],
    ids=["1.34", "1.34-and-another", "1.35", "kep"],
)
def test_1_34_does_not_limit_implicit_names(
    profile: str, containers: list[Json], runs: bool, gate: bool
) -> None:
    switched = gates("apiserver", "scheduler", "controller-manager", DRAExtendedResource=gate)
    observed = settled([node("n")], switched, create(asking("p", *containers)), profile=profile)
    assert phases(observed) == {"p": "Running" if runs and gate else "Pending"}
