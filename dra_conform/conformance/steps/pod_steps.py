"""The given steps of pods, and of the templates their claims are made from."""

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
    """A pod: the claims it uses, the templates it uses by entry, and the node it is assigned to from the
    start. Each claim is an entry of its own name. `resources` are extended resources by name.

    Without `containers` it has one that uses all its claims. `requests` and `limits` are those of the pod as
    a whole, `overhead` what it takes besides.
    """

    name: str
    claims: tuple[str, ...] = ()
    templates: dict[str, str] = {}
    node: str = ""
    resources: dict[str, Any] = {}
    containers: tuple[GivenContainer, ...] = ()
    requests: dict[str, Any] = {}
    limits: dict[str, Any] = {}
    overhead: dict[str, Any] = {}


class AmountsOfPod(Params, frozen=True, kw_only=True):
    """Amounts that a given pod has as a whole."""

    pod: str
    requests: dict[str, Any] = {}
    limits: dict[str, Any] = {}
    overhead: dict[str, Any] = {}


def pod_of(params: GivenPod) -> dict[str, Json]:
    """The pod as an API object."""
    used = [name for name in entries_used(params.containers) if name not in params.templates]
    entries = [{"name": name, "resourceClaimName": name} for name in dict.fromkeys((*params.claims, *used))]
    entries += [
        {"name": name, "resourceClaimTemplateName": template} for name, template in params.templates.items()
    ]
    if len({*params.claims, *params.templates}) < len(params.claims) + len(params.templates):
        raise StepError("has an entry twice, expected each name once")
    spec: dict[str, Json] = containers_of(params.containers) if params.containers else _one(params, entries)
    if entries:
        spec["resourceClaims"] = entries
    if params.node:
        spec["nodeName"] = params.node
    spec |= _as_a_whole(params)
    return {"apiVersion": "v1", "kind": "Pod", "metadata": _metadata(params.name), "spec": spec}


def _one(params: GivenPod, entries: Sequence[Mapping[str, str]]) -> dict[str, Json]:
    """One container that uses all claims."""
    container: dict[str, Json] = {"name": "main", "image": "registry.k8s.io/pause:3.10"}
    if entries or params.resources:
        claims = {"claims": [{"name": entry["name"]} for entry in entries]} if entries else {}
        limits = {name: str(amount) for name, amount in params.resources.items()}
        container["resources"] = {**claims, **({"limits": limits} if limits else {})}
    return {"containers": [container]}


def _as_a_whole(params: GivenPod | AmountsOfPod) -> dict[str, Json]:
    resources = requirements_of(params.requests, params.limits)
    overhead = {name: str(amount) for name, amount in params.overhead.items()}
    return {**({"resources": resources} if resources else {}), **({"overhead": overhead} if overhead else {})}


def _more_of_pod(given: Given, params: AmountsOfPod) -> None:
    spec = given.pod(params.pod)["spec"]
    for field, said in _as_a_whole(params).items():
        spec[field] = {**spec.get(field, {}), **said}


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
    made["resources"] = amounts(said.get("amounts") or "")
    return {**made, "claims": listed(said.get("claims") or "")}


def _with_containers(found: re.Match[str], rows: Table, text: str) -> Json:
    return {**_using(found, rows, text), "containers": container_rows(rows)}


def _whole(field: str) -> Callable[[re.Match[str], Table, str], Json]:
    return lambda found, _, __: {"pod": found["pod"], field: amounts(found["amounts"])}


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
        phrase(f'{pod} that uses claim[s] "{{claims}}" with the container[s]{ending}', _with_containers),
        phrase(
            f'{pod} that uses the template "{{template}}"[ as "{{entry}}"] with the container[s]{ending}',
            _with_containers,
        ),
    )


PODS: tuple[Step, ...] = (
    Step("given", "pod", GivenPod, pod_phrases(), lambda given, params: given.add(pod_of(params))),
    Step(
        "given",
        "pod-amounts",
        AmountsOfPod,
        tuple(
            phrase(f'pod "{{pod}}" {words} {{amounts}}{end}', _whole(field), amounts=AMOUNTS)
            for field, words, end in (
                ("requests", "requests", " as a whole"),
                ("limits", "is limited to", " as a whole"),
                ("overhead", "has an overhead of", ""),
            )
        ),
        _more_of_pod,
    ),
    Step(
        "given",
        "template",
        GivenClaim,
        claim_phrases("template"),
        lambda given, params: given.add(template_of(given, params)),
    ),
)
"""The given steps of pods and templates."""
