"""The Given steps of pods and of ResourceClaimTemplates."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dra_conform.conformance.steps.claim_steps import GivenClaim, claim_phrases, requests_of
from dra_conform.conformance.steps.given import RESOURCE, Given, claim_key
from dra_conform.conformance.steps.pod_containers import (
    GivenContainer,
    container_rows,
    containers_of,
    entries_used,
    requirements_of,
)
from dra_conform.conformance.steps.step import (
    AMOUNTS,
    Json,
    Params,
    Phrase,
    Step,
    StepError,
    Table,
    amounts,
    listed,
    phrase,
)


class GivenPod(Params, frozen=True, kw_only=True):
    """A pod with its ResourceClaims, each with an entry of its name, and its ResourceClaimTemplates by entry.

    `node`: the node of the pod. `resources`: extended resources by name. `requests` and `limits`: those at
    pod level. Without `containers`, the pod has one container that uses all ResourceClaims.
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
    spec: dict[str, Json] = containers_of(params.containers) if params.containers else _one(params, entries)
    if entries:
        spec["resourceClaims"] = entries
    if params.node:
        spec["nodeName"] = params.node
    spec |= _pod_level(params)
    return {"apiVersion": "v1", "kind": "Pod", "metadata": _metadata(params.name), "spec": spec}


def _one(params: GivenPod, entries: Sequence[Mapping[str, str]]) -> dict[str, Json]:
    """Return one container that uses all ResourceClaims."""
    container: dict[str, Json] = {"name": "main", "image": "registry.k8s.io/pause:3.10"}
    if entries or params.resources:
        claims = {"claims": [{"name": entry["name"]} for entry in entries]} if entries else {}
        limits = {name: str(amount) for name, amount in params.resources.items()}
        container["resources"] = {**claims, **({"limits": limits} if limits else {})}
    return {"containers": [container]}


def _pod_level(params: GivenPod | PodResources) -> dict[str, Json]:
    resources = requirements_of(params.requests, params.limits)
    overhead = {name: str(amount) for name, amount in params.overhead.items()}
    return {**({"resources": resources} if resources else {}), **({"overhead": overhead} if overhead else {})}


def _pod_resources(given: Given, params: PodResources) -> None:
    spec = given.pod(params.pod)["spec"]
    for field, said in _pod_level(params).items():
        spec[field] = {**spec.get(field, {}), **said}


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


def _using(found: re.Match[str], _: Table, __: str) -> Json:
    said: Mapping[str, str | None] = found.groupdict()
    made: dict[str, Json] = {"name": said["pod"], "node": said.get("node") or ""}
    if said.get("template"):
        made["resourceClaimTemplates"] = {said.get("entry") or said["template"]: said["template"]}
    made["resources"] = amounts(said.get("amounts") or "")
    return {**made, "resourceClaims": listed(said.get("claims") or "")}


def _with_containers(found: re.Match[str], rows: Table, text: str) -> Json:
    return {**_using(found, rows, text), "containers": container_rows(rows)}


def _whole(field: str) -> Callable[[re.Match[str], Table, str], Json]:
    return lambda found, _, __: {"pod": found["pod"], field: amounts(found["amounts"])}


def pod_phrases(ending: str = "") -> tuple[Phrase, ...]:
    """Return the phrases of a pod."""
    pod = 'a pod "{pod}"[ on node "{node}"]'
    claims = f'{pod} that uses ResourceClaim[s] "{{claims}}"'
    template = f'{pod} that uses the ResourceClaimTemplate "{{template}}"'
    entry = f'{template}[ as "{{entry}}"]'
    return (
        phrase(f"{pod} without ResourceClaims{ending}", _using),
        phrase(f"{claims}{ending}", _using),
        phrase(f"{entry}{ending}", _using),
        phrase(f"{pod} that requests {{amounts}}{ending}", _using, amounts=AMOUNTS),
        phrase(f"{claims} and requests {{amounts}}{ending}", _using, amounts=AMOUNTS),
        phrase(f"{template} and requests {{amounts}}{ending}", _using, amounts=AMOUNTS),
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
            phrase(f'pod "{{pod}}" {words} {{amounts}}{end}', _whole(field), amounts=AMOUNTS)
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
