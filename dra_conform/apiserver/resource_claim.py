"""The strategy of ResourceClaim: an immutable spec, and a status subresource."""

from __future__ import annotations

from dra_conform.apiserver import authorization, claim_spec, claim_status, naming
from dra_conform.apiserver.gated_fields import drop_disabled
from dra_conform.apiserver.strategy import Part, Review, Strategy, all_but_status, only_status
from dra_conform.apiserver.trees import SharedTree, Tree
from dra_conform.apiserver.walk import same
from dra_conform.kube import resource

SPEC_GATED = claim_spec.gated("spec")
_ALL_GATED = (*SPEC_GATED, *claim_status.GATED)


def _default(tree: Tree, review: Review) -> None:
    spec = tree.setdefault("spec", {})
    if not isinstance(spec, SharedTree):
        claim_spec.default(spec, review.version)
    claim_status.default(tree.get("status", {}))


def _clear_device_statuses(tree: Tree, review: Review) -> None:
    if review.switches.device_status_cleared and not review.profile.enabled("DRAResourceClaimDeviceStatus"):
        tree.get("status", {}).pop("devices", None)


def _prepare(tree: Tree, old: Tree | None, review: Review) -> None:
    all_but_status(tree, old, review)
    _clear_device_statuses(tree, review)
    used = _ALL_GATED if review.switches.status_keeps_spec else SPEC_GATED
    drop_disabled(tree, old, SPEC_GATED, used, review.profile)


def _validate(tree: Tree, old: Tree | None, review: Review) -> None:
    spec, errors, switches = tree["spec"], review.errors, review.switches
    if old is None:
        authorization.authorize_spec(spec, tree["metadata"], review)
        claim_spec.validate_new(spec, errors, switches)
        return
    if not same(spec, old["spec"]):
        errors.invalid("spec", None, "field is immutable")
    if switches.stored_spec_validated:
        claim_spec.validate(spec, old["spec"], "spec", errors, switches)


def _prepare_status(tree: Tree, old: Tree | None, review: Review) -> None:
    assert old is not None
    only_status(tree, old, review)
    drop_disabled(tree, old, claim_status.GATED, _ALL_GATED, review.profile)
    _clear_device_statuses(tree, review)
    claim_status.drop_deallocated(tree.get("status", {}), old.get("status", {}))


def _validate_status(tree: Tree, old: Tree | None, review: Review) -> None:
    assert old is not None
    claim_status.validate(tree, old.get("status", {}), review)


STRATEGY = Strategy(
    type=resource.ResourceClaim,
    namespaced=True,
    named=naming.dns_subdomain,
    default=_default,
    main=Part(_prepare, _validate),
    subresources={"status": Part(_prepare_status, _validate_status)},
    specs_shared=True,
)
