"""The claims of a pod: those it names, and those made for it from templates, as the claim controller does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dra_conform.controlplane.workload import Wanted
from dra_conform.kube.errors import InputError
from dra_conform.kube.meta import ObjectMeta, OwnerReference
from dra_conform.kube.resource import ResourceClaim, ResourceClaimTemplate


@dataclass(frozen=True, slots=True)
class PodClaims:
    """`claims` in the order of the pod's entries; `generated` are the keys of those made from templates."""

    claims: tuple[ResourceClaim, ...]
    generated: frozenset[str]


def claims_of(
    wanted: Wanted,
    claims: Mapping[str, ResourceClaim],
    templates: Mapping[str, ResourceClaimTemplate],
) -> PodClaims:
    """The claims of one pod. Both maps go by `namespace/name`.

    Raises InputError where the pod names a claim or a template that is not in the manifests.
    """
    namespace = wanted.pod.metadata.namespace or "default"
    found: list[ResourceClaim] = []
    generated = set()
    for index, entry in enumerate(wanted.pod.spec.resource_claims):
        path = f"{wanted.origin.kind} {wanted.key}: spec.resourceClaims[{index}]"
        if entry.resource_claim_name:
            key = f"{namespace}/{entry.resource_claim_name}"
            if key not in claims:
                raise _missing(wanted, path, "resourceClaimName", f"ResourceClaim {key}")
            found.append(claims[key])
        elif entry.resource_claim_template_name:
            key = f"{namespace}/{entry.resource_claim_template_name}"
            if key not in templates:
                raise _missing(wanted, path, "resourceClaimTemplateName", f"ResourceClaimTemplate {key}")
            claim = _from_template(wanted, entry.name, templates[key])
            found.append(claim)
            generated.add(claim.key)
        else:
            raise InputError(
                wanted.origin.file,
                wanted.origin.line,
                path,
                "names no claim, expected resourceClaimName or resourceClaimTemplateName",
            )
    return PodClaims(tuple({claim.key: claim for claim in found}.values()), frozenset(generated))


def _missing(wanted: Wanted, path: str, field: str, what: str) -> InputError:
    return InputError(
        wanted.origin.file,
        wanted.origin.line,
        f"{path}.{field}",
        f"there is no {what} in the manifests given, expected one with -f",
    )


def _from_template(wanted: Wanted, entry: str, template: ResourceClaimTemplate) -> ResourceClaim:
    pod = wanted.pod.metadata
    inner = template.spec.metadata
    metadata = ObjectMeta(
        name=f"{pod.name}-{entry}",
        namespace=pod.namespace or "default",
        labels=inner.labels if inner else {},
        annotations={
            **(inner.annotations if inner else {}),
            "resource.kubernetes.io/pod-claim-name": entry,
        },
        owner_references=(
            OwnerReference(
                api_version="v1",
                kind="Pod",
                name=pod.name,
                uid=pod.uid,
                controller=True,
                block_owner_deletion=True,
            ),
        ),
    )
    return ResourceClaim(metadata=metadata, spec=template.spec.spec)
