"""The ResourceClaims that templates describe."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dra_conform.controlplane.workload_pods import pods
from dra_conform.kube.core import Node
from dra_conform.kube.manifests import Loaded
from dra_conform.kube.objects import decode
from dra_conform.kube.versions import V1

Json = Any


def claim_of(template: Json, metadata: Mapping[str, Json]) -> Json:
    """A claim with the labels, annotations and spec of a template, and with metadata of its own."""
    inner = template["spec"].get("metadata") or {}
    annotations = {**(inner.get("annotations") or {}), **metadata.get("annotations", {})}
    return {
        "apiVersion": V1,
        "kind": "ResourceClaim",
        "metadata": {**metadata, "labels": inner.get("labels") or {}, "annotations": annotations},
        "spec": template["spec"].get("spec") or {},
    }


def claims_of_bare_templates(
    loaded: Sequence[Loaded], nodes: Sequence[Node], used: Collection[str]
) -> Iterator[Loaded]:
    """A claim with the name of its template for each template that no pod names.

    `nodes` are all there are, `used` the templates (`namespace/name`) that something else names. A template
    whose name a claim of the manifests has already gets none.
    """
    named = {*used, *(key for wanted in pods(loaded, nodes) for key in wanted.templates)}
    named |= {_key(item) for item in loaded if item.kind == "ResourceClaim"}
    for item in loaded:
        if item.kind == "ResourceClaimTemplate" and _key(item) not in named:
            namespace, _, name = _key(item).partition("/")
            raw = claim_of(item.raw, {"name": name, "namespace": namespace})
            yield replace(item, object=decode(raw), kind="ResourceClaim", raw=raw)


def _key(item: Loaded) -> str:
    metadata = item.raw["metadata"]
    return f"{metadata.get('namespace') or 'default'}/{metadata.get('name', '')}"
