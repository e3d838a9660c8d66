"""API servers and controllers for claims that get one rule wrong in one circumstance.

They are part of `make mutants-of-circumstances`.
"""

from __future__ import annotations

from tests.faulty.mutants.mutation import Mutant

_SPEC_FIXED = '    if not same(spec, old["spec"]):\n        errors.invalid("spec", None, "field is immutable")\n    if strictness.stored_spec_validated'
_REPORT_ALLOCATED = "        if _key(device) not in allocated:\n"
_GENERATED_FOR = '        if finished(pod) or "deletionTimestamp" in pod["metadata"]:\n            continue\n        recorded = generated(pod)\n'
_IN_USE = '    if pod is None or pod["metadata"]["uid"] != reserved["uid"] or finished(pod):\n        return False\n'
_CLAIM_DONE = '    if pod is not None and pod["metadata"]["uid"] == owner["uid"] and finished(pod):\n'
_RESERVED_FOR_ASSIGNED = (
    "        for _, key in claim_keys(pod):\n            claim = client.get(key) if key else None\n"
)
_TEMPLATE_ANNOTATIONS = '{**(template_metadata.get("annotations") or {}), **metadata.get("annotations", {})}'
_CLASS_STORED = '    spec, stored = tree["spec"], {} if old is None else old["spec"]\n'

CLAIMS = (
    Mutant("claims: the spec may change before there is an allocation", (_SPEC_FIXED, _SPEC_FIXED.replace("old[\"spec\"]):", "old[\"spec\"]) and old.get(\"status\", {}).get(\"allocation\"):"))),
    Mutant("claims: an allocation may change before it is reserved", ("        if not same(allocation, before):", "        if not same(allocation, before) and stored.get(\"reservedFor\"):")),
    Mutant("claims: the nodes of an allocation may change", ("        if not same(allocation, before):", "        if not same(allocation.get(\"devices\"), before.get(\"devices\")):")),
    Mutant("claims: an allocation is taken back under its users", ("    if status.get(\"reservedFor\") and allocation is None:", "    if status.get(\"reservedFor\") and allocation is None and before is None:")),
    Mutant("claims: one user takes the place of another while the claim is deleted", ("    return any(consumer not in stored.get(\"reservedFor\", []) for consumer in status.get(\"reservedFor\", []))", "    return len(status.get(\"reservedFor\", [])) > len(stored.get(\"reservedFor\", []))")),
    Mutant("claims: a report without share for a device that is shared", (_REPORT_ALLOCATED, "        if _key(device)[:3] not in {key[:3] for key in allocated if key[3] == _key(device)[3] or not _key(device)[3]}:\n")),
    Mutant("claims: reports before there is an allocation", (_REPORT_ALLOCATED, "        if allocated and _key(device) not in allocated:\n")),
    Mutant("claims: the first flag decides on admin access", ("if flag is True), None)", "if flag is True and index == 0), None)")),
    Mutant("claims: the label of admin access in any case", ("    elif labels.get(label) != \"true\":", "    elif labels.get(label, \"\").lower() != \"true\":")),
    Mutant("claims: reports stay without their gate when the spec is written", ("    all_but_status(tree, old, review)\n    _clear_device_statuses(tree, review)\n", "    all_but_status(tree, old, review)\n")),
    Mutant("claims: what the spec uses says nothing of the status", ("drop_disabled(tree, old, claim_status.GATED, _ALL_GATED, review.profile)", "drop_disabled(tree, old, claim_status.GATED, claim_status.GATED, review.profile)")),
    Mutant("claims: a write to the status takes finalizers away", ("    subresources={\"status\": Part(_prepare_status, _validate_status)},\n    specs_shared=True,", "    subresources={\"status\": Part(_prepare_status, _validate_status, kept=(\"labels\", \"annotations\", \"ownerReferences\"))},\n    specs_shared=True,")),
    Mutant("claims: alternatives have no amount in v1beta1", ("            default_tolerations(subrequest)\n            _default_count(subrequest)", "            default_tolerations(subrequest)\n            if version != \"v1beta1\":\n                _default_count(subrequest)")),
    Mutant("claims: alternatives of all devices get a count", ("            default_tolerations(subrequest)\n            _default_count(subrequest)", "            default_tolerations(subrequest)\n            _default_count(subrequest)\n            subrequest.setdefault(\"count\", 1)")),
    Mutant("claims: a toleration of everything has no operator", ("        toleration.setdefault(\"operator\", \"Equal\")", "        toleration.setdefault(\"operator\", \"Equal\" if toleration.get(\"key\") else \"Exists\")")),
    Mutant("claims: config for the second driver is not looked at", ("            items(rule, bounds[name])(devices[name], None, f\"{path}.{name}\", errors)", "            items(rule, bounds[name])(devices[name][:1], None, f\"{path}.{name}\", errors)")),
    Mutant("claims: results of the second device are not looked at", ("    devices = fields({}, {\"results\": results,", "    devices = fields({}, {\"results\": lambda value, old, path, errors: results(value[:1], old, path, errors),")),
)  # fmt: skip

OTHERS = (
    Mutant("templates: labels for the claims may change", ("    elif not same(spec, old[\"spec\"]):\n", "    elif not same(spec[\"spec\"], old[\"spec\"][\"spec\"]):\n")),
    Mutant("dropping: another field of the gate in use does not keep this one", ("_in_use(field.gates, used, old)", "_in_use(field.gates, [field], old)")),
    Mutant("classes: the extended resource never changes", (_CLASS_STORED, _CLASS_STORED + "    if stored.get(\"extendedResourceName\") and spec.get(\"extendedResourceName\") != stored[\"extendedResourceName\"]:\n        review.errors.invalid(\"spec.extendedResourceName\", None, \"field is immutable\")\n")),
    Mutant("classes: new selectors of a stored class are not compiled", ("    same_selectors = trusted and same(spec.get(\"selectors\"), stored.get(\"selectors\"))", "    same_selectors = trusted")),
    Mutant("classes: new parameters of a stored class have any size", ("    same_config = trusted and same(spec.get(\"config\"), stored.get(\"config\"))", "    same_config = trusted")),
    Mutant("slices: the pool may change with its generation", ("        if not same(new, old):\n            errors.invalid(f\"spec.{name}\", new,", "        if not same(new, old) and spec[\"pool\"][\"generation\"] == stored[\"pool\"][\"generation\"]:\n            errors.invalid(f\"spec.{name}\", new,")),
    Mutant("slices: a node may be named later", ("        if not same(new, old):\n            errors.invalid(f\"spec.{name}\", new,", "        if old is not None and not same(new, old):\n            errors.invalid(f\"spec.{name}\", new,")),
    Mutant("slices: the second taint has no time", ("        for taint in device.get(\"taints\", []):\n            default_taint", "        for taint in device.get(\"taints\", [])[:1]:\n            default_taint")),
    Mutant("slices: the second device has any mapping", ("        binding_conditions.validate(value, path, errors)\n        node_allocatable.validate(value, path, errors, strictness)", "        binding_conditions.validate(value, path, errors)\n        if path.endswith(\"[0]\"):\n            node_allocatable.validate(value, path, errors, strictness)")),
    Mutant("taint rules: any change of the taint renews its time", ("    changed = new_taint.get(\"effect\") != old_taint.get(\"effect\")\n", "    changed = new_taint != old_taint\n")),
    Mutant("taint rules: a time that is written with the effect is lost", ("    if changed and new_taint[\"timeAdded\"] == old_taint[\"timeAdded\"]:", "    if changed:")),
    Mutant("pods: the special claim serves no init containers", ("for _, container in containers(spec)\n    }\n    mappings", "for place, container in containers(spec) if place[0] == \"c\"\n    }\n    mappings")),
    Mutant("pods: claims of templates have no amounts", ("    known |= {entry.get(\"resourceClaimName\") for entry in status.get(\"resourceClaimStatuses\", [])}\n", "")),
    Mutant("pods: entries for claims may change", ("\"terminationGracePeriodSeconds\", \"tolerations\")", "\"terminationGracePeriodSeconds\", \"tolerations\", \"resourceClaims\")")),
    Mutant("pods: a resize changes which claims are used", ("    resources = dict(container.get(\"resources\", {}))\n    for kind", "    resources = {name: one for name, one in container.get(\"resources\", {}).items() if name != \"claims\"}\n    for kind")),
)  # fmt: skip

LIFECYCLE = (
    Mutant("lifecycle: nothing is generated for pods that have a node", (_GENERATED_FOR, _GENERATED_FOR.replace("if finished(pod) or", "if finished(pod) or pod[\"spec\"].get(\"nodeName\") or"))),
    Mutant("lifecycle: annotations of templates are forgotten", (_TEMPLATE_ANNOTATIONS, 'metadata.get("annotations", {})')),
    Mutant("lifecycle: a template says for which entry its claims are", (_TEMPLATE_ANNOTATIONS, "{**metadata.get(\"annotations\", {}), **(template_metadata.get(\"annotations\") or {})}")),
    Mutant("lifecycle: a claim of an earlier pod of that name is taken", ("    return {(owner[\"uid\"], entry_of(claim))", "    return {(owner[\"name\"], entry_of(claim))"), ("owned_claims.names.get((metadata[\"uid\"], entry[\"name\"]))", "owned_claims.names.get((metadata[\"name\"], entry[\"name\"]))")),
    Mutant("lifecycle: what is freed keeps its finalizer", ("    if freed is not None:\n        release(freed, client)", "    assert freed is None or freed")),
    Mutant("lifecycle: a claim that nobody has reserved is held when it is deleted", ("    elif not users and (reservations or \"deletionTimestamp\" in claim[\"metadata\"]):", "    elif not users and reservations:")),
    Mutant("lifecycle: a claim that nobody has reserved has no devices", ("    elif not users and (reservations or \"deletionTimestamp\" in claim[\"metadata\"]):", "    elif not users and (reservations or allocation_of(claim) or \"deletionTimestamp\" in claim[\"metadata\"]):"), ("    return bool(reservations_of(claim)) or \"deletionTimestamp\"", "    return bool(reservations_of(claim)) or bool(claim.get(\"status\")) or \"deletionTimestamp\"")),
    Mutant("lifecycle: claims of pods that failed stay", (_CLAIM_DONE, _CLAIM_DONE.replace("and finished(pod)", "and finished(pod) and pod[\"status\"][\"phase\"] == \"Succeeded\""))),
    Mutant("lifecycle: pods that failed keep their devices", (_IN_USE, _IN_USE.replace("or finished(pod)", "or (pod.get(\"status\") or {}).get(\"phase\") == \"Succeeded\""))),
    Mutant("lifecycle: pods on their way out of a node lose their devices", ("    return \"deletionTimestamp\" not in pod[\"metadata\"] or bool(pod[\"spec\"].get(\"nodeName\"))", "    return \"deletionTimestamp\" not in pod[\"metadata\"]")),
    Mutant("lifecycle: the first claim of a pod on a node is reserved", (_RESERVED_FOR_ASSIGNED, _RESERVED_FOR_ASSIGNED.replace("claim_keys(pod)", "list(claim_keys(pod))[:1]"))),
    Mutant("lifecycle: what is left of the owners does not matter", ("            if owners and not any(_exists(owner,", "            if owners and not all(_exists(owner,")),
)  # fmt: skip

MUTANTS = (*CLAIMS, *OTHERS, *LIFECYCLE)
