"""The Given steps of pods and of ResourceClaimTemplates."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

from dra_conform.conformance.steps.claim_steps import GivenClaim, claim_phrases, requests_of
from dra_conform.conformance.steps.given import RESOURCE, Given, claim_key
from dra_conform.conformance.steps.step import (
    AMOUNTS,
    Params,
    Phrase,
    Step,
    StepError,
    Table,
    amounts,
    listed,
    phrase,
)
from dra_conform.conformance.steps.table_cells import columns, plain
from dra_conform.kube.json_values import CheckedJson


class GivenContainer(Params, frozen=True, kw_only=True):
    """A container. `kind`: an app container, an init container, or a sidecar (a restartable init container).

    `claims` are entries in `resourceClaims` of the pod, or requests of an entry such as `entry/request`.
    """

    name: str
    kind: Literal["app", "init", "sidecar"] = "app"
    requests: dict[str, Any] = {}
    limits: dict[str, Any] = {}
    claims: tuple[str, ...] = ()


def containers_of(containers: Iterable[GivenContainer]) -> dict[str, list[dict[str, CheckedJson]]]:
    """Return `initContainers` and `containers` of the spec of a pod."""
    lists: dict[str, list[dict[str, CheckedJson]]] = {"initContainers": [], "containers": []}
    for container in containers:
        body: dict[str, CheckedJson] = {"name": container.name, "image": "registry.k8s.io/pause:3.10"}
        if container.kind == "sidecar":
            body["restartPolicy"] = "Always"
        resources = requirements_of(container.requests, container.limits)
        if container.claims:
            resources["claims"] = [_reference(claim) for claim in container.claims]
        if resources:
            body["resources"] = resources
        lists["containers" if container.kind == "app" else "initContainers"].append(body)
    return {name: bodies for name, bodies in lists.items() if bodies or name == "containers"}


def requirements_of(
    requests: Mapping[str, CheckedJson], limits: Mapping[str, CheckedJson]
) -> dict[str, CheckedJson]:
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


def container_rows(rows: Table) -> list[dict[str, CheckedJson]]:
    """Return the rows of a table as the parameters of containers; raises StepError."""
    containers = []
    for row in rows:
        params: dict[str, CheckedJson] = dict(plain(row, "request", "limit"))
        if "container" not in params:
            raise StepError("a row has no container, expected the name of a container")
        params["name"] = params.pop("container")
        params["claims"] = listed(params.get("claims", ""))
        containers.append({**params, "requests": columns(row, "request"), "limits": columns(row, "limit")})
    return containers


def _reference(claim: str) -> dict[str, str]:
    name, _, request = claim.partition("/")
    return {"name": name, **({"request": request} if request else {})}


def with_derived_requests(raw: Mapping[str, CheckedJson]) -> dict[str, CheckedJson]:
    """Return a v1 object; a pod has the requests that the API server derives from limits."""
    spec = raw.get("spec") or {}
    if raw.get("kind") != "Pod":
        return dict(raw)
    containers = {
        name: [_with_requests(container) for container in spec[name]]
        for name in ("initContainers", "containers")
        if spec.get(name)
    }
    return {**raw, "spec": {**spec, **containers}}


def _with_requests(container: Mapping[str, CheckedJson]) -> dict[str, CheckedJson]:
    resources = container.get("resources") or {}
    requests = {**(resources.get("limits") or {}), **(resources.get("requests") or {})}
    derived = {**resources, "requests": requests} if requests else resources
    return {**container, **({"resources": derived} if derived else {})}


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


class PodResources(Params, frozen=True, kw_only=True):
    """The pod-level requests and limits of a pod of the setup, and its overhead."""

    pod: str
    requests: dict[str, Any] = {}
    limits: dict[str, Any] = {}
    overhead: dict[str, Any] = {}


def pod_of(params: GivenPod) -> dict[str, CheckedJson]:
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
    spec: dict[str, CheckedJson] = (
        containers_of(params.containers) if params.containers else _single_container(params, entries)
    )
    if entries:
        spec["resourceClaims"] = entries
    if params.node:
        spec["nodeName"] = params.node
    spec |= _pod_level(params)
    return {"apiVersion": "v1", "kind": "Pod", "metadata": _metadata(params.name), "spec": spec}


def _single_container(params: GivenPod, entries: Sequence[Mapping[str, str]]) -> dict[str, CheckedJson]:
    """Return one container that uses all ResourceClaims."""
    container: dict[str, CheckedJson] = {"name": "main", "image": "registry.k8s.io/pause:3.10"}
    if entries or params.resources:
        claims = {"claims": [{"name": entry["name"]} for entry in entries]} if entries else {}
        limits = {name: str(amount) for name, amount in params.resources.items()}
        container["resources"] = {**claims, **({"limits": limits} if limits else {})}
    return {"containers": [container]}


def _pod_level(params: GivenPod | PodResources) -> dict[str, CheckedJson]:
    resources = requirements_of(params.requests, params.limits)
    overhead = {name: str(amount) for name, amount in params.overhead.items()}
    return {**({"resources": resources} if resources else {}), **({"overhead": overhead} if overhead else {})}


def _pod_resources(given: Given, params: PodResources) -> None:
    spec = given.pod(params.pod)["spec"]
    for field, quantities in _pod_level(params).items():
        spec[field] = {**spec.get(field, {}), **quantities}


def template_of(given: Given, params: GivenClaim) -> dict[str, CheckedJson]:
    """Return the ResourceClaimTemplate as an API object, with the requests of these parameters."""
    return {
        "apiVersion": RESOURCE,
        "kind": "ResourceClaimTemplate",
        "metadata": _metadata(params.name),
        "spec": {"spec": {"devices": {"requests": requests_of(given, params)}}},
    }


def _metadata(name: str) -> dict[str, CheckedJson]:
    namespace, _, bare = claim_key(name).partition("/")
    return {"name": bare, "namespace": namespace}


def _pod_params(match: re.Match[str], _: Table, __: str) -> CheckedJson:
    groups: Mapping[str, str | None] = match.groupdict()
    params: dict[str, CheckedJson] = {"name": groups["pod"], "node": groups.get("node") or ""}
    if groups.get("template"):
        params["resourceClaimTemplates"] = {groups.get("entry") or groups["template"]: groups["template"]}
    params["resources"] = amounts(groups.get("amounts") or "")
    return {**params, "resourceClaims": listed(groups.get("claims") or "")}


def _with_containers(match: re.Match[str], rows: Table, text: str) -> CheckedJson:
    return {**_pod_params(match, rows, text), "containers": container_rows(rows)}


def _pod_level_params(field: str) -> Callable[[re.Match[str], Table, str], CheckedJson]:
    return lambda match, _, __: {"pod": match["pod"], field: amounts(match["amounts"])}


def pod_phrases(ending: str = "") -> tuple[Phrase, ...]:
    """Return the phrases of a pod."""
    pod = 'a pod "{pod}"[ on node "{node}"]'
    claims = f'{pod} that uses ResourceClaim[s] "{{claims}}"'
    template = f'{pod} that uses the ResourceClaimTemplate "{{template}}"'
    entry = f'{template}[ as "{{entry}}"]'
    return (
        phrase(f"{pod} without ResourceClaims{ending}", _pod_params),
        phrase(f"{claims}{ending}", _pod_params),
        phrase(f"{entry}{ending}", _pod_params),
        phrase(f"{pod} that requests {{amounts}}{ending}", _pod_params, amounts=AMOUNTS),
        phrase(f"{claims} and requests {{amounts}}{ending}", _pod_params, amounts=AMOUNTS),
        phrase(f"{template} and requests {{amounts}}{ending}", _pod_params, amounts=AMOUNTS),
        phrase(f"{pod} with the container[s]{ending}", _with_containers),
        phrase(f"{claims} with the container[s]{ending}", _with_containers),
        phrase(f"{entry} with the container[s]{ending}", _with_containers),
    )


PODS: tuple[Step, ...] = (
    Step("given", "pod", GivenPod, pod_phrases(), lambda given, params: given.add(pod_of(params))),
    Step(
        "given",
        "podResources",
        PodResources,
        tuple(
            phrase(f'pod "{{pod}}" {words} {{amounts}}{end}', _pod_level_params(field), amounts=AMOUNTS)
            for field, words, end in (
                ("requests", "requests", " at pod level"),
                ("limits", "is limited to", " at pod level"),
                ("overhead", "has an overhead of", ""),
            )
        ),
        _pod_resources,
    ),
    Step(
        "given",
        "resourceClaimTemplate",
        GivenClaim,
        claim_phrases("ResourceClaimTemplate"),
        lambda given, params: given.add(template_of(given, params)),
    ),
)
"""The Given steps of pods and ResourceClaimTemplates."""
