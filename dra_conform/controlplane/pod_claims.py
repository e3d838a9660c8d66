"""The claims of a pod: those it names, and those made for it from templates, as the claim controller does."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, count

from dra_conform.controlplane.workload_pods import PodToPlace
from dra_conform.kube.core import PodResourceClaim
from dra_conform.kube.errors import InputError
from dra_conform.kube.meta import ObjectMeta, OwnerReference
from dra_conform.kube.resource import ResourceClaim, ResourceClaimTemplate

_POD_CLAIM_NAME = "resource.kubernetes.io/pod-claim-name"


def claims_of(
    wanted: PodToPlace,
    claims: Mapping[str, ResourceClaim],
    templates: Mapping[str, ResourceClaimTemplate],
    taken: Collection[str] = (),
) -> tuple[ResourceClaim, ...]:
    """The claims of one pod, in the order of its entries and each once. The maps go by `namespace/name`.

    A claim that was made for the pod before is used again. A new one is called `POD-ENTRY`, or `POD-ENTRY-2`
    and so on where that key is among the claims or `taken`: Kubernetes appends something random.
    Raises InputError where the pod names a claim or a template that is not in the manifests.
    """
    found: dict[str, ResourceClaim] = {}
    for index, entry in enumerate(wanted.pod.spec.resource_claims):
        claim = _claim(wanted, index, entry, claims, templates, (taken, found))
        if claim is not None:
            found[claim.key] = claim
    return tuple(found.values())


def claims_of_bare_templates(
    claims: Mapping[str, ResourceClaim],
    templates: Mapping[str, ResourceClaimTemplate],
    used: Collection[str],
) -> Iterator[ResourceClaim]:
    """A claim for each template that is not `used`, with its name. The maps go by `namespace/name`.

    A template whose name a claim has already gets none.
    """
    for key, template in templates.items():
        if key in used or key in claims:
            continue
        inner = template.spec.metadata or ObjectMeta()
        namespace, _, name = key.partition("/")
        metadata = ObjectMeta(
            name=name, namespace=namespace, labels=inner.labels, annotations=inner.annotations
        )
        yield ResourceClaim(metadata=metadata, spec=template.spec.spec)


def _claim(
    wanted: PodToPlace,
    index: int,
    entry: PodResourceClaim,
    claims: Mapping[str, ResourceClaim],
    templates: Mapping[str, ResourceClaimTemplate],
    taken: Sequence[Collection[str]],
) -> ResourceClaim | None:
    namespace = wanted.pod.metadata.namespace or "default"
    if entry.resource_claim_name:
        key = f"{namespace}/{entry.resource_claim_name}"
        if key not in claims:
            raise _missing(wanted, f"resourceClaims[{index}].resourceClaimName", f"ResourceClaim {key}")
        return claims[key]
    name = f"{wanted.pod.metadata.name}-{entry.name}"
    for status in wanted.pod.status.resource_claim_statuses if wanted.pod.status else ():
        if status.name == entry.name:
            if not status.resource_claim_name:
                return None  # the controller found that the pod needs none
            name = status.resource_claim_name
            if f"{namespace}/{name}" in claims:
                return claims[f"{namespace}/{name}"]
    for claim in claims.values():
        if _made_for(claim, wanted, namespace, entry.name):
            return claim
    key = f"{namespace}/{entry.resource_claim_template_name}"
    if key not in templates:
        path = f"resourceClaims[{index}].resourceClaimTemplateName"
        raise _missing(wanted, path, f"ResourceClaimTemplate {key}")
    names = chain((name,), (f"{name}-{number}" for number in count(2)))
    free = next(one for one in names if not any(f"{namespace}/{one}" in keys for keys in (claims, *taken)))
    return _from_template(wanted, entry.name, free, templates[key])


def _made_for(claim: ResourceClaim, wanted: PodToPlace, namespace: str, entry: str) -> bool:
    metadata, pod = claim.metadata, wanted.pod.metadata
    return (
        metadata.annotations.get(_POD_CLAIM_NAME) == entry
        and (metadata.namespace or "default") == namespace
        and any(
            owner.kind == "Pod" and owner.controller and owner.name == pod.name and owner.uid == wanted.uid
            for owner in metadata.owner_references
        )
    )


def _error(wanted: PodToPlace, path: str, message: str) -> InputError:
    origin = wanted.origin
    return InputError(origin.file, origin.line, f"{origin.kind} {wanted.key}: spec.{path}", message)


def _missing(wanted: PodToPlace, path: str, what: str) -> InputError:
    return _error(wanted, path, f"there is no {what} in the manifests given, expected one with -f")


def _from_template(
    wanted: PodToPlace, entry: str, name: str, template: ResourceClaimTemplate
) -> ResourceClaim:
    pod = wanted.pod.metadata
    inner = template.spec.metadata
    metadata = ObjectMeta(
        name=name,
        namespace=pod.namespace or "default",
        labels=inner.labels if inner else {},
        annotations={**(inner.annotations if inner else {}), _POD_CLAIM_NAME: entry},
        owner_references=(
            OwnerReference(
                api_version="v1",
                kind="Pod",
                name=pod.name,
                uid=wanted.uid,
                controller=True,
                block_owner_deletion=True,
            ),
        ),
    )
    return ResourceClaim(metadata=metadata, spec=template.spec.spec)
