"""The Given steps of pods and of ResourceClaimTemplates."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

from dra_conform.conformance.steps.claim_requests import (
    DEVICE_COUNT,
    GivenClaim,
    capacity_request_params,
    device_request_params,
    empty_capacity_params,
    request_rows,
    requests_of,
)
from dra_conform.conformance.steps.claim_steps import claim_name
from dra_conform.conformance.steps.given import RESOURCE, Given, claim_key
from dra_conform.conformance.steps.step import (
    AMOUNTS,
    Params,
    Step,
    StepError,
    Table,
    amounts,
    given,
    listed,
)
from dra_conform.conformance.steps.table_cells import columns, plain
from dra_conform.kube.json_values import Json, UncheckedJson


class GivenContainer(Params, frozen=True, kw_only=True):
    """A container. `kind`: an app container, an init container, or a sidecar (a restartable init container).

    `claims` are entries in `resourceClaims` of the pod, or requests of an entry such as `entry/request`.
    """

    name: str
    kind: Literal["app", "init", "sidecar"] = "app"
    requests: dict[str, Any] = {}
    limits: dict[str, Any] = {}
    claims: tuple[str, ...] = ()


def containers_of(containers: Iterable[GivenContainer]) -> dict[str, list[dict[str, Json]]]:
    """Return `initContainers` and `containers` of the spec of a pod."""
    lists: dict[str, list[dict[str, Json]]] = {"initContainers": [], "containers": []}
    for container in containers:
        body: dict[str, Json] = {"name": container.name, "image": "registry.k8s.io/pause:3.10"}
        if container.kind == "sidecar":
            body["restartPolicy"] = "Always"
        resources = requirements_of(container.requests, container.limits)
        if container.claims:
            resources["claims"] = [_reference(claim) for claim in container.claims]
        if resources:
            body["resources"] = resources
        lists["containers" if container.kind == "app" else "initContainers"].append(body)
    return {name: bodies for name, bodies in lists.items() if bodies or name == "containers"}


def requirements_of(requests: Mapping[str, Json], limits: Mapping[str, Json]) -> dict[str, Json]:
    """Return the API fields `requests` and `limits`."""
    lists = {"requests": requests, "limits": limits}
    return {
        field: {name: str(amount) for name, amount in quantities.items()}
        for field, quantities in lists.items()
        if quantities
    }


def entries_used(containers: Iterable[GivenContainer]) -> list[str]:
    """Return the entries that containers use, each once."""
    return list(
        dict.fromkeys(claim.partition("/")[0] for container in containers for claim in container.claims)
    )


def container_rows(rows: Table) -> list[dict[str, Json]]:
    """Return the rows of a table as the parameters of containers; raises StepError."""
    containers = []
    for row in rows:
        params: dict[str, Json] = dict(plain(row, "request", "limit"))
        if "container" not in params:
            raise StepError("a row has no container, expected the name of a container")
        params["name"] = params.pop("container")
        params["claims"] = listed(params.get("claims", ""))
        containers.append({**params, "requests": columns(row, "request"), "limits": columns(row, "limit")})
    return containers


def _reference(claim: str) -> dict[str, str]:
    name, _, request = claim.partition("/")
    return {"name": name, **({"request": request} if request else {})}


def with_derived_requests(raw: Mapping[str, Json]) -> dict[str, Json]:
    """Return a v1 object; a pod has the requests that the API server derives from limits.

    Parts of an unexpected type are returned as they are.
    """
    spec = raw.get("spec")
    if raw.get("kind") != "Pod" or not isinstance(spec, Mapping):
        return dict(raw)
    containers = {
        name: [_with_requests(container) for container in spec[name]]
        for name in ("initContainers", "containers")
        if isinstance(spec.get(name), list)
    }
    return {**raw, "spec": {**spec, **containers}}


def _with_requests(container: UncheckedJson) -> UncheckedJson:
    resources = container.get("resources") if isinstance(container, Mapping) else None
    if not isinstance(container, Mapping) or not isinstance(resources, Mapping):
        return container
    limits, requests = resources.get("limits"), resources.get("requests") or {}
    if not limits or not isinstance(limits, Mapping) or not isinstance(requests, Mapping):
        return container
    return {**container, "resources": {**resources, "requests": {**limits, **requests}}}


class GivenPod(Params, frozen=True, kw_only=True):
    """A pod with its ResourceClaims, each with an entry of its name, and its ResourceClaimTemplates by entry.

    `node`: the node of the pod. `resources`: extended resources by name. `requests` and `limits`: the
    pod-level requests and limits. Without `containers`, the pod has one container that uses all
    ResourceClaims.
    """

    name: str
    resource_claims: tuple[str, ...] = ()
    resource_claim_templates: dict[str, str] = {}
    node: str = ""
    resources: dict[str, Any] = {}
    containers: tuple[GivenContainer, ...] = ()
    requests: dict[str, Any] = {}
    limits: dict[str, Any] = {}
    overhead: dict[str, Any] = {}


class PodLevelResources(Params, frozen=True, kw_only=True):
    """The pod-level requests and limits of a pod of the setup, and its overhead."""

    pod: str
    requests: dict[str, Any] = {}
    limits: dict[str, Any] = {}
    overhead: dict[str, Any] = {}


def pod_of(params: GivenPod) -> dict[str, Json]:
    """Return the pod as an API object; raises StepError."""
    used = [name for name in entries_used(params.containers) if name not in params.resource_claim_templates]
    entries = [
        {"name": name, "resourceClaimName": name} for name in dict.fromkeys((*params.resource_claims, *used))
    ]
    entries += [
        {"name": name, "resourceClaimTemplateName": template}
        for name, template in params.resource_claim_templates.items()
    ]
    named = [*params.resource_claims, *params.resource_claim_templates]
    if len(set(named)) < len(named):
        raise StepError("has a duplicate entry in resourceClaims, expected each name once")
    spec: dict[str, Json] = (
        containers_of(params.containers) if params.containers else _single_container(params, entries)
    )
    if entries:
        spec["resourceClaims"] = entries
    if params.node:
        spec["nodeName"] = params.node
    spec |= _pod_level(params)
    return {"apiVersion": "v1", "kind": "Pod", "metadata": _metadata(params.name), "spec": spec}


def _single_container(params: GivenPod, entries: Sequence[Mapping[str, str]]) -> dict[str, Json]:
    """Return one container that uses all ResourceClaims."""
    container: dict[str, Json] = {"name": "main", "image": "registry.k8s.io/pause:3.10"}
    if entries or params.resources:
        claims = {"claims": [{"name": entry["name"]} for entry in entries]} if entries else {}
        limits = {name: str(amount) for name, amount in params.resources.items()}
        container["resources"] = {**claims, **({"limits": limits} if limits else {})}
    return {"containers": [container]}


def _pod_level(params: GivenPod | PodLevelResources) -> dict[str, Json]:
    resources = requirements_of(params.requests, params.limits)
    overhead = {name: str(amount) for name, amount in params.overhead.items()}
    return {**({"resources": resources} if resources else {}), **({"overhead": overhead} if overhead else {})}


def template_of(given: Given, params: GivenClaim) -> dict[str, Json]:
    """Return the ResourceClaimTemplate as an API object, with the requests of these parameters."""
    return {
        "apiVersion": RESOURCE,
        "kind": "ResourceClaimTemplate",
        "metadata": _metadata(params.name),
        "spec": {"spec": {"devices": {"requests": requests_of(given, params)}}},
    }


def _metadata(name: str) -> dict[str, Json]:
    namespace, _, bare = claim_key(name).partition("/")
    return {"name": bare, "namespace": namespace}


def pod_params(match: re.Match[str], _: Table, __: str) -> Json:
    """Return the parameters of a pod."""
    groups: Mapping[str, str | None] = match.groupdict()
    params: dict[str, Json] = {"name": groups["pod"], "node": groups.get("node") or ""}
    if groups.get("template"):
        params["resourceClaimTemplates"] = {groups.get("entry") or groups["template"]: groups["template"]}
    params["resources"] = amounts(groups.get("amounts") or "")
    return {**params, "resourceClaims": listed(groups.get("claims") or "")}


def pod_rows(match: re.Match[str], rows: Table, text: str) -> Json:
    """Return the parameters of a pod with a table of its containers."""
    return {**pod_params(match, rows, text), "containers": container_rows(rows)}


def _pod_level_params(field: str) -> Callable[[re.Match[str], Table, str], Json]:
    return lambda match, _, __: {"pod": match["pod"], field: amounts(match["amounts"])}


@given('a pod "{pod}"[ on node "{node}"] without ResourceClaims', pod_params)
@given('a pod "{pod}"[ on node "{node}"] that uses ResourceClaim[s] "{claims}"', pod_params)
@given(
    'a pod "{pod}"[ on node "{node}"] that uses the ResourceClaimTemplate "{template}"[ as "{entry}"]',
    pod_params,
)
@given('a pod "{pod}"[ on node "{node}"] that requests {amounts}', pod_params, amounts=AMOUNTS)
@given(
    'a pod "{pod}"[ on node "{node}"] that uses ResourceClaim[s] "{claims}" and requests {amounts}',
    pod_params,
    amounts=AMOUNTS,
)
@given(
    'a pod "{pod}"[ on node "{node}"]'
    ' that uses the ResourceClaimTemplate "{template}" and requests {amounts}',
    pod_params,
    amounts=AMOUNTS,
)
@given('a pod "{pod}"[ on node "{node}"] with the container[s]', pod_rows)
@given(
    'a pod "{pod}"[ on node "{node}"] that uses ResourceClaim[s] "{claims}" with the container[s]', pod_rows
)
@given(
    'a pod "{pod}"[ on node "{node}"]'
    ' that uses the ResourceClaimTemplate "{template}"[ as "{entry}"] with the container[s]',
    pod_rows,
)
def pod(given: Given, params: GivenPod) -> None:
    given.add(pod_of(params))


@given('pod "{pod}" requests {amounts} at pod level', _pod_level_params("requests"), amounts=AMOUNTS)
@given('pod "{pod}" is limited to {amounts} at pod level', _pod_level_params("limits"), amounts=AMOUNTS)
@given('pod "{pod}" has an overhead of {amounts}', _pod_level_params("overhead"), amounts=AMOUNTS)
def pod_resources(given: Given, params: PodLevelResources) -> None:
    spec = given.pod(params.pod)["spec"]
    for field, quantities in _pod_level(params).items():
        spec[field] = {**spec.get(field, {}), **quantities}


@given('a ResourceClaimTemplate "{claim}" requesting {amounts}', capacity_request_params, amounts=AMOUNTS)
@given('a ResourceClaimTemplate "{claim}" requesting no capacity', claim_name)
@given('a ResourceClaimTemplate "{claim}" requesting an empty capacity', empty_capacity_params)
@given(
    'a ResourceClaimTemplate "{claim}" requesting {count}[ of class "{class}"]',
    device_request_params,
    count=DEVICE_COUNT,
)
@given('a ResourceClaimTemplate "{claim}" with the request[s]', request_rows)
def resource_claim_template(given: Given, params: GivenClaim) -> None:
    given.add(template_of(given, params))


PODS: tuple[Step, ...] = (
    pod,
    pod_resources,
    resource_claim_template,
)
"""The Given steps of pods and ResourceClaimTemplates."""
