"""The given steps of pods, and of the templates their claims are made from."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from dra_conform.conformance.steps.claim_steps import GivenClaim, claim_phrases, requests_of
from dra_conform.conformance.steps.given import RESOURCE, Given, claim_key
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


class GivenContainer(Params, frozen=True, kw_only=True):
    """One container and what it is limited to, by resource; `init` ends before others start, `sidecar` is an
    init container that keeps running."""

    container: str
    kind: Literal["container", "init", "sidecar"] = "container"
    resources: dict[str, Any] = {}


class GivenPod(Params, frozen=True, kw_only=True):
    """A pod: the claims it uses, the templates it uses by entry, and the node it is assigned to from the
    start. Each claim is an entry of its own name. `resources` are those of its one container, if no
    `containers` are said.
    """

    name: str
    claims: tuple[str, ...] = ()
    templates: dict[str, str] = {}
    node: str = ""
    resources: dict[str, Any] = {}
    containers: tuple[GivenContainer, ...] = ()


def pod_of(params: GivenPod) -> dict[str, Json]:
    """The pod as an API object; every container uses all its claims."""
    entries = [{"name": name, "resourceClaimName": name} for name in params.claims]
    entries += [
        {"name": name, "resourceClaimTemplateName": template} for name, template in params.templates.items()
    ]
    if len({entry["name"] for entry in entries}) < len(entries):
        raise StepError("has an entry twice, expected each name once")
    if params.containers and params.resources:
        raise StepError("has resources beside containers, expected those of each container")
    several = params.containers or (GivenContainer(container="main", resources=params.resources),)
    spec: dict[str, Json] = {
        field: [_container(one, entries) for one in several if (one.kind == "container") == lasting]
        for field, lasting in (("initContainers", False), ("containers", True))
    }
    if not spec["initContainers"]:
        del spec["initContainers"]
    if entries:
        spec["resourceClaims"] = entries
    if params.node:
        spec["nodeName"] = params.node
    return {"apiVersion": "v1", "kind": "Pod", "metadata": _metadata(params.name), "spec": spec}


def _container(params: GivenContainer, entries: Sequence[Mapping[str, str]]) -> dict[str, Json]:
    container: dict[str, Json] = {"name": params.container, "image": "registry.k8s.io/pause:3.10"}
    if params.kind == "sidecar":
        container["restartPolicy"] = "Always"
    if entries or params.resources:
        claims = {"claims": [{"name": entry["name"]} for entry in entries]} if entries else {}
        limits = {name: str(amount) for name, amount in params.resources.items()}
        container["resources"] = {**claims, **({"limits": limits} if limits else {})}
    return container


def template_of(given: Given, params: GivenClaim) -> dict[str, Json]:
    """The template as an API object; its claims ask what a claim with these parameters asks."""
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
        made["templates"] = {said.get("entry") or said["template"]: said["template"]}
    if said.get("amounts"):
        made["resources"] = amounts(said["amounts"] or "")
    return {**made, "claims": listed(said.get("claims") or "")}


def _with_containers(found: re.Match[str], rows: Table, text: str) -> Json:
    """A row is a container; columns that are not its name and kind are resources."""
    containers = []
    for row in rows:
        said = {name: row[name] for name in ("container", "kind") if row.get(name)}
        resources = {name: cell for name, cell in row.items() if name not in ("container", "kind") and cell}
        containers.append({**said, "resources": resources})
    return {**_using(found, rows, text), "containers": containers}


def pod_phrases(ending: str = "") -> tuple[Phrase, ...]:
    """The ways to say a pod."""
    pod = 'a pod "{pod}"[ on node "{node}"]'
    return (
        phrase(f"{pod} without claims{ending}", _using),
        phrase(f'{pod} that uses claim[s] "{{claims}}"{ending}', _using),
        phrase(f'{pod} that uses the template "{{template}}"[ as "{{entry}}"]{ending}', _using),
        phrase(f"{pod} that requests {{amounts}}{ending}", _using, amounts=AMOUNTS),
        phrase(
            f'{pod} that uses claim[s] "{{claims}}" and requests {{amounts}}{ending}', _using, amounts=AMOUNTS
        ),
        phrase(
            f'{pod} that uses the template "{{template}}" and requests {{amounts}}{ending}',
            _using,
            amounts=AMOUNTS,
        ),
        phrase(f"{pod} with the container[s]{ending}", _with_containers),
    )


PODS: tuple[Step, ...] = (
    Step("given", "pod", GivenPod, pod_phrases(), lambda given, params: given.add(pod_of(params))),
    Step(
        "given",
        "template",
        GivenClaim,
        claim_phrases("template"),
        lambda given, params: given.add(template_of(given, params)),
    ),
)
"""The given steps of pods and templates."""
