"""The given steps of pods, and of the templates their claims are made from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from dra_conform.conformance.steps.claim_steps import GivenClaim, claim_phrases, requests_of
from dra_conform.conformance.steps.given import RESOURCE, Given, claim_key
from dra_conform.conformance.steps.step import Json, Params, Phrase, Step, StepError, Table, listed, phrase


class GivenPod(Params, frozen=True, kw_only=True):
    """A pod: the claims it uses, the templates it uses by entry, and the node it is assigned to from the
    start. Each claim is an entry of its own name. `resources` are extended resources by name.
    """

    name: str
    claims: tuple[str, ...] = ()
    templates: dict[str, str] = {}
    node: str = ""
    resources: dict[str, Any] = {}


def pod_of(params: GivenPod) -> dict[str, Json]:
    """The pod as an API object, with one container that uses all its claims."""
    entries = [{"name": name, "resourceClaimName": name} for name in params.claims]
    entries += [
        {"name": name, "resourceClaimTemplateName": template} for name, template in params.templates.items()
    ]
    if len({entry["name"] for entry in entries}) < len(entries):
        raise StepError("has an entry twice, expected each name once")
    container: dict[str, Json] = {"name": "main", "image": "registry.k8s.io/pause:3.10"}
    if entries or params.resources:
        claims = {"claims": [{"name": entry["name"]} for entry in entries]} if entries else {}
        limits = {name: str(amount) for name, amount in params.resources.items()}
        container["resources"] = {**claims, **({"limits": limits} if limits else {})}
    spec: dict[str, Json] = {"containers": [container]}
    if entries:
        spec["resourceClaims"] = entries
    if params.node:
        spec["nodeName"] = params.node
    return {"apiVersion": "v1", "kind": "Pod", "metadata": _metadata(params.name), "spec": spec}


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
    return {**made, "claims": listed(said.get("claims") or "")}


def pod_phrases(ending: str = "") -> tuple[Phrase, ...]:
    """The ways to say a pod."""
    pod = 'a pod "{pod}"[ on node "{node}"]'
    return (
        phrase(f"{pod} without claims{ending}", _using),
        phrase(f'{pod} that uses claim[s] "{{claims}}"{ending}', _using),
        phrase(f'{pod} that uses the template "{{template}}"[ as "{{entry}}"]{ending}', _using),
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
