"""Quota scopes of pods, and the resources that containers must specify."""

from __future__ import annotations

import pytest

from dra_conform.kube.core import Pod, ResourceQuota
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import decode
from dra_conform.quota import in_scopes, unspecified_resources

ELSEWHERE = {"topologyKey": "zone", "namespaceSelector": {}}
NAMED = {"topologyKey": "zone", "namespaces": ["team-a"]}
HERE = {"topologyKey": "zone"}


def pod(**spec: Json) -> Pod:
    raw = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}}
    made: Pod = decode({**raw, "spec": {"containers": [{"name": "main"}], **spec}})
    return made


def is_in(one: Pod, *scopes: str, **selector: Json) -> bool:
    spec: Json = {"scopes": list(scopes)}
    if selector:
        spec["scopeSelector"] = {"matchExpressions": [selector]}
    raw = {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "q"}, "spec": spec}
    quota: ResourceQuota = decode(raw)
    return in_scopes(one, quota.spec)


def container(name: str = "main", **resources: Json) -> Json:
    return {"name": name, "resources": resources}


@pytest.mark.parametrize(
    ("scope", "wanted"),
    [("Terminating", False), ("NotTerminating", True), ("BestEffort", True), ("NotBestEffort", False)],
)
def test_the_scopes_of_a_minimal_pod(scope: str, wanted: bool) -> None:
    assert is_in(pod(), scope) is wanted


def test_a_pod_with_a_deadline_of_zero_is_terminating() -> None:
    assert is_in(pod(activeDeadlineSeconds=0), "Terminating")
    assert not is_in(pod(activeDeadlineSeconds=0), "NotTerminating")


def test_requests_of_containers_or_of_the_pod_are_more_than_best_effort() -> None:
    for one in (
        pod(containers=[container(requests={"cpu": "1m"})]),
        pod(initContainers=[container("before", limits={"memory": "1Mi"})]),
        pod(resources={"requests": {"cpu": "1"}}),
    ):
        assert is_in(one, "NotBestEffort")
        assert not is_in(one, "BestEffort")
    assert is_in(pod(containers=[container(requests={"example.com/gpu": "1"})]), "BestEffort")


def test_the_qos_class_of_the_status_precedes_the_spec() -> None:
    raw = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "status": {"qosClass": "Burstable"}}
    assert is_in(decode(raw), "NotBestEffort")


@pytest.mark.parametrize(
    ("operator", "values", "of_one", "of_none"),
    [
        ("Exists", [], True, False),
        ("DoesNotExist", [], False, True),
        ("In", ["high"], True, False),
        ("In", ["low"], False, False),
        ("NotIn", ["high"], False, True),
        ("NotIn", ["low"], True, True),
    ],
)
def test_priority_classes(operator: str, values: list[str], of_one: bool, of_none: bool) -> None:
    selector = {"scopeName": "PriorityClass", "operator": operator, "values": values}
    assert is_in(pod(priorityClassName="high"), **selector) is of_one
    assert is_in(pod(), **selector) is of_none


@pytest.mark.parametrize("kind", ["podAffinity", "podAntiAffinity"])
@pytest.mark.parametrize("term", [ELSEWHERE, NAMED, HERE])
def test_affinity_to_pods_of_other_namespaces(kind: str, term: Json) -> None:
    required = {kind: {"requiredDuringSchedulingIgnoredDuringExecution": [HERE, term]}}
    weighted = {"weight": 1, "podAffinityTerm": term}
    preferred = {kind: {"preferredDuringSchedulingIgnoredDuringExecution": [weighted]}}
    for affinity in (required, preferred):
        assert is_in(pod(affinity=affinity), "CrossNamespacePodAffinity") is (term is not HERE)
    assert not is_in(pod(), "CrossNamespacePodAffinity")


def test_an_affinity_without_terms_names_no_other_namespace() -> None:
    terms: Json = {
        "requiredDuringSchedulingIgnoredDuringExecution": [None],
        "preferredDuringSchedulingIgnoredDuringExecution": [None, {"podAffinityTerm": None}],
    }
    assert not is_in(
        pod(affinity={"podAffinity": terms, "podAntiAffinity": None}), "CrossNamespacePodAffinity"
    )


def test_a_pod_must_be_in_all_scopes_and_is_in_no_unknown_scope() -> None:
    assert is_in(pod(activeDeadlineSeconds=5), "Terminating", "BestEffort")
    assert not is_in(pod(), "Terminating", "BestEffort")
    assert not is_in(pod(), "Unheard")


def test_each_container_must_specify_limited_resources() -> None:
    one = pod(
        initContainers=[container("before")],
        containers=[container("b", requests={"cpu": "1"}), container("a", limits={"memory": "1Gi"})],
    )
    assert unspecified_resources(one, ["requests.cpu", "limits.memory", "requests.example.com/gpu"]) == {
        "limits.memory": ("b", "before"),
        "requests.cpu": ("a", "before"),
    }


def test_containers_of_a_pod_with_pod_level_resources_need_not_specify_any() -> None:
    assert unspecified_resources(pod(resources={"limits": {"memory": "1Gi"}}), ["cpu"]) == {}
    assert unspecified_resources(pod(), ["cpu"]) == {"cpu": ("main",)}
