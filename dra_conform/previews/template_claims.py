"""ResourceClaims of ResourceClaimTemplates that no pod names."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from dra_conform.kube.manifests import LoadedObject
from dra_conform.kube.objects import decode
from dra_conform.previews.workload_pods import template_names
from dra_conform.simulation.controllers.claim_generation import claim_of


def claims_of_bare_templates(loaded: Sequence[LoadedObject], used: Collection[str]) -> Iterator[LoadedObject]:
    """Yield a claim for each ResourceClaimTemplate that no pod or workload names, with the name of the
    template.

    `used` are templates (`namespace/name`) that other objects name. A template with the name of an existing
    claim gets none.
    """
    named = {*used, *chain.from_iterable(map(template_names, loaded))}
    named |= {_key(item) for item in loaded if item.kind == "ResourceClaim"}
    for item in loaded:
        if item.kind == "ResourceClaimTemplate" and _key(item) not in named:
            namespace, _, name = _key(item).partition("/")
            raw = claim_of(item.raw, {"name": name, "namespace": namespace})
            yield replace(item, object=decode(raw), kind="ResourceClaim", raw=raw)


def _key(item: LoadedObject) -> str:
    metadata = item.raw["metadata"]
    return f"{metadata.get('namespace') or 'default'}/{metadata.get('name', '')}"
