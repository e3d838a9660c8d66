"""API servers that forget one rule about what is written: a default, a rule, a gate, an update.

They are part of `make mutants-of-circumstances`.
"""

from __future__ import annotations

from tests.faulty.mutants.mutation import Mutant

_ADDED = '    return any(consumer not in stored.get("reservedFor", []) for consumer in status.get("reservedFor", []))'
_SEEN = "any(other == name and (not request or not part or part == request) for other, part in seen)"
_KNOWN = "        elif resource not in requests[container]:\n"

MUTANTS = (
    Mutant("admitting: reservations stay as they are while a claim is deleted", (_ADDED, "    return status.get(\"reservedFor\", []) != stored.get(\"reservedFor\", [])")),
    Mutant("admitting: two users of a claim have two names", ("items(fields(mandatory), limits.RESERVED_FOR, \"uid\", at)", "items(fields(mandatory), limits.RESERVED_FOR, \"name\", at)")),
    Mutant("admitting: templates get no defaults", ("    claim_spec.default(tree.setdefault(\"spec\", {}).setdefault(\"spec\", {}), review.version)", "    tree.setdefault(\"spec\", {}).setdefault(\"spec\", {})")),
    Mutant("admitting: names that only contain the domain of Kubernetes serve", ("or \"kubernetes.io/\" in value or", "or value.startswith(\"kubernetes.io/\") or")),
    Mutant("admitting: templates ask for admin access anywhere", ("        admin_access.authorize_spec(spec[\"spec\"], tree[\"metadata\"], review)", "        pass")),
    Mutant("admitting: init containers name any claim", ("        if name not in names:\n            errors.not_found(place, name)", "        if name not in names and \"initContainers\" not in path:\n            errors.not_found(place, name)")),
    Mutant("admitting: a container names a claim and one of its requests", (_SEEN, "any(other == name and part == request for other, part in seen)")),
    Mutant("admitting: an entry without a source is one", ("    if (\"resourceClaimName\" in value) == (\"resourceClaimTemplateName\" in value):", "    if \"resourceClaimName\" in value and \"resourceClaimTemplateName\" in value:")),
    Mutant("admitting: a resource that another container requests will do", (_KNOWN, "        elif not any(resource in one for one in requests.values()):\n")),
    Mutant("admitting: addresses of any notation", ("    if value != canonical:\n", "    if canonical is None:\n")),
    Mutant("admitting: classes lose the name they serve in any update", ("    drop_disabled(tree, old, GATED, GATED, review.profile)\n\n\ndef _validate(tree: Tree, old: Tree | None, review: Review) -> None:\n    spec, stored", "    drop_disabled(tree, old, GATED, (), review.profile)\n\n\ndef _validate(tree: Tree, old: Tree | None, review: Review) -> None:\n    spec, stored")),
    Mutant("admitting: pods lose what is told of claims in any update", ("    drop_disabled(tree, old, pod_status.GATED, pod_status.GATED, review.profile)", "    drop_disabled(tree, old, pod_status.GATED, (), review.profile)")),
    Mutant("admitting: told amounts may be of resources that nodes do not have", ("        node_allocatable.validate_name(resource, place, errors, strictness)\n        _not_negative(quantity, place, errors)", "        _not_negative(quantity, place, errors)")),
    Mutant("admitting: pods are told of claims that only others name", ("    if name not in known and (name or strictness.claim_status_by_resource):\n", "    if False:\n")),
    Mutant("admitting: a pod whose claims take of its node is resized", ("    if claims and review.strictness.claim_status_blocks_resize:\n", "    if claims and len(claims) > 1 and review.strictness.claim_status_blocks_resize:\n")),
)  # fmt: skip
