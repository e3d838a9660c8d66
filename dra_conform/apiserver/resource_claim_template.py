"""The strategy of ResourceClaimTemplate: an immutable claim spec."""

from __future__ import annotations

from dra_conform.apiserver import authorization, claim_spec, metadata, naming
from dra_conform.apiserver.gated_fields import drop_disabled
from dra_conform.apiserver.response import FieldErrors
from dra_conform.apiserver.strategy import Part, Review, Strategy
from dra_conform.apiserver.trees import Tree
from dra_conform.apiserver.walk import same
from dra_conform.kube import resource

SPEC_GATED = claim_spec.gated("spec.spec")


def _default(tree: Tree, review: Review) -> None:
    claim_spec.default(tree.setdefault("spec", {}).setdefault("spec", {}), review.version)


def _prepare(tree: Tree, old: Tree | None, review: Review) -> None:
    drop_disabled(tree, old, SPEC_GATED, SPEC_GATED, review.profile)


def _validate(tree: Tree, old: Tree | None, review: Review) -> None:
    spec, errors = tree["spec"], review.errors
    if old is None:
        authorization.authorize_spec(spec["spec"], tree["metadata"], review)
    elif not same(spec, old["spec"]):
        errors.invalid("spec", None, "field is immutable")
    _claim_metadata(spec.get("metadata", {}), errors)
    stored = None if old is None else old["spec"]["spec"]
    claim_spec.validate(spec["spec"], stored, "spec.spec", errors, review.switches)


def _claim_metadata(claim_metadata: Tree, errors: FieldErrors) -> None:
    """Validate the metadata of generated claims: only labels and annotations can be set."""
    metadata.validate_labels(claim_metadata.get("labels", {}), "spec.metadata.labels", errors)
    metadata.validate_annotations(claim_metadata.get("annotations", {}), "spec.metadata.annotations", errors)
    for name in claim_metadata:
        if name not in ("labels", "annotations"):
            # The API server reports this field with its name in Go.
            errors.forbidden(f"spec.metadata.{'uID' if name == 'uid' else name}", "cannot be set")


STRATEGY = Strategy(
    type=resource.ResourceClaimTemplate,
    namespaced=True,
    named=naming.dns_subdomain,
    default=_default,
    main=Part(_prepare, _validate),
)
