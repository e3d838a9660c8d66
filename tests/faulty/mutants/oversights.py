"""Control planes that overlook what is rare: a claim that somebody deletes, a device that is named and withdrawn, a gate
that is off for a neighbour.

They are part of `make mutants-of-circumstances`.
"""

from __future__ import annotations

from tests.faulty.mutants.mutation import Mutant

_LACKING = '    return client.get(key_of("ResourceClaim", name, pod["metadata"]["namespace"])) is None\n'
_KNOWN = '    statuses = [status for status in known if status["name"] not in new]\n'
_LABELS = '"labels": template_metadata.get("labels") or {}, '
_NO_TEMPLATE = "    if template is None:\n        raise WriteFailed("
_MEANT = (
    "    return all(name is None or name == actual for name, actual in zip(expected, device, strict=True))\n"
)
_WITHOUT_TAINTS = '    if not profile.enabled("DRADeviceTaints"):\n        return {}\n'
_GENERATIONS = (
    "        generations[pool] = max(generations.get(pool, 0), slice_.spec.pool.generation)\n    return ["
)

CONTROLLERS = (
    Mutant("generated: a claim that somebody deletes is not made again", (_LACKING, "    return False\n")),
    Mutant("generated: the status goes on naming a claim that was deleted", (_KNOWN, "    statuses = [*known]\n")),
    Mutant("generated: a claim has the labels of the template itself", (_LABELS, "\"labels\": {**(template[\"metadata\"].get(\"labels\") or {}), **(template_metadata.get(\"labels\") or {})}, ")),
    Mutant("generated: a template that is younger than the pod is not for it", (_NO_TEMPLATE, _NO_TEMPLATE.replace("template is None", 'template is None or template["metadata"]["creationTimestamp"] > metadata["creationTimestamp"]'))),
    Mutant("eviction: a rule for one device is for published devices", (_MEANT, _MEANT.replace("return all(", "return selector.device is None and all("))),
    Mutant("eviction: a rule for one device is for that name in any pool", (_MEANT, _MEANT.replace("zip(expected, device, strict=True)", "list(zip(expected, device, strict=True))[2 if selector.device else 0 :]"))),
    Mutant("eviction: drivers evict nobody while rules are off", (_WITHOUT_TAINTS, _WITHOUT_TAINTS.replace('profile.enabled("DRADeviceTaints")', '(profile.enabled("DRADeviceTaints") and profile.enabled("DRADeviceTaintRules"))'))),
    Mutant("eviction: a pool may not be of an older generation than those before it", (_GENERATIONS, _GENERATIONS.replace("max(generations.get(pool, 0), slice_.spec.pool.generation)", "max((*generations.values(), slice_.spec.pool.generation))"))),
)  # fmt: skip

SPECIAL = (
    Mutant("allocating: what somebody else writes into a claim is not seen", ("                elif self._session is not None:\n                    self._session.hold(now)\n", "")),
    Mutant("special: a pod with claims of its own has none of an earlier attempt", ("        if requests_backed_resource(cycle.typed, cycle.backing_classes):\n            self._leftover", "        if requests_backed_resource(cycle.typed, cycle.backing_classes) and not cycle.claims:\n            self._leftover")),
    Mutant("special: it stays until its pod is deleted", ('owner["uid"] and finished(pod):\n        client.delete(key)\n', 'owner["uid"] and finished(pod) and entry_of(claim):\n        client.delete(key)\n'), ("from dra_conform.controlplane.simulation.keys import Key, key_in, key_of\nfrom dra_conform.controlplane.simulation.pods import (\n    MOST_RESERVATIONS,\n    allocation_of,\n    claim_keys,\n    finished,\n    owner_of,\n    reservation,", "from dra_conform.controlplane.simulation.controllers.claim_generation import entry_of\nfrom dra_conform.controlplane.simulation.keys import Key, key_in, key_of\nfrom dra_conform.controlplane.simulation.pods import (\n    MOST_RESERVATIONS,\n    allocation_of,\n    claim_keys,\n    finished,\n    owner_of,\n    reservation,")),
)  # fmt: skip

_NODE = '        ("nodeName", spec.get("nodeName"), stored.get("nodeName")),\n'
_UNCHANGED = "    if stored is not None:\n        _unchanged(spec, stored, errors)\n"
_RULE_STATUS = (
    '    main=Part(_prepare, _validate),\n    subresources={"status": Part(only_status, _validate_status)},\n'
)
_FLAGS = '        flags = (result.get("adminAccess") for result in _results(status))\n'
_HAD_ACCESS = '    if not any(result.get("adminAccess") for result in _results(stored)):\n'
_TEMPLATE_FIXED = '    elif not same(spec, old["spec"]):\n        errors.invalid("spec", None, "field is immutable")\n    _claim_metadata'
_CLAIM_FIXED = '    if not same(spec, old["spec"]):\n        errors.invalid("spec", None, "field is immutable")\n    if strictness.stored_spec_validated'
_OPERATORS = '    for toleration in parent.get("tolerations", []):\n        toleration.setdefault'
_EACH = '            items(rule, bounds[name])(devices[name], None, f"{path}.{name}", errors)\n'
_SAME_SELECTORS = '    same_selectors = trusted and same(spec.get("selectors"), stored.get("selectors"))\n'
_STALE = (
    '        status["devices"] = [device for device in status["devices"] if _key(device) not in removed]\n'
)
_NO_KEY = "    elif key is not None and key not in capacity:\n"
_TO_LIMITS = '        resources["requests"] = {**resources["limits"], **resources.get("requests", {})}\n'
_SUBREQUEST_RULE = '        _label(value.get("name"), None, f"{path}.name", errors)\n        exactly, subs'

ADMISSION = (
    Mutant("slices: the labels of their nodes are fixed", (_NODE, _NODE + _NODE.replace("nodeName", "nodeSelector"))),
    Mutant("slices: all nodes stay all nodes", (_NODE, _NODE + _NODE.replace("nodeName", "allNodes"))),
    Mutant("slices: a generation does not go back", (_UNCHANGED, _UNCHANGED + "        if spec[\"pool\"][\"generation\"] < stored[\"pool\"][\"generation\"]:\n            errors.invalid(\"spec.pool.generation\", None, \"must not decrease\")\n")),
    Mutant("rules: who writes a status writes the spec", (_RULE_STATUS, _RULE_STATUS.replace("only_status", "lambda tree, old, review: None"))),
    Mutant("admin access: the first result is looked at", (_FLAGS, _FLAGS.replace("_results(status)", "_results(status)[:1]"))),
    Mutant("admin access: what was asked for with a label is given without", (_HAD_ACCESS, '    if not any((one.get("exactly") or {}).get("adminAccess") for one in claim["spec"].get("devices", {}).get("requests", [])):\n')),
    Mutant("admin access: templates need the label whenever they are written", (_TEMPLATE_FIXED, '    else:\n        admin_access.authorize_spec(spec["spec"], tree["metadata"], review)\n' + _TEMPLATE_FIXED.replace("elif not", "if old is not None and not"))),
    Mutant("admin access: claims need the label whenever they are written", (_CLAIM_FIXED, '    admin_access.authorize_spec(spec, tree["metadata"], review)\n' + _CLAIM_FIXED)),
    Mutant("tolerations: those of alternatives get no operator", ("            default_tolerations(subrequest)\n", "")),
    Mutant("tolerations: the second of a request gets no operator", (_OPERATORS, _OPERATORS.replace("[]):", "[])[:1]:"))),
    Mutant("constraints: the second is not looked at", (_EACH, _EACH.replace("(devices[name],", '(devices[name][:1] if name == "constraints" and len(devices[name]) < 9 else devices[name],'))),
    Mutant("classes: a new selector beside a stored one is stored", (_SAME_SELECTORS, _SAME_SELECTORS.replace('same(spec.get("selectors"), stored.get("selectors"))', 'any(one in (stored.get("selectors") or []) for one in spec.get("selectors") or [])'))),
    Mutant("reports: all go with the allocation", (_STALE, '        status.pop("devices")\n')),
    Mutant("policies: a step may exceed the capacity where max is given", ("    if least + step > value:\n", '    if least + step > value and "max" not in given:\n')),
    Mutant("policies: steps reach max or else the default", ('    for name in ("default", "max"):\n', '    for name in ("max",) if "max" in given else ("default",):\n')),
    Mutant("node resources: a capacity is found whatever its domain", (_NO_KEY, '    elif key is not None and key.split("/")[-1] not in [one.split("/")[-1] for one in capacity]:\n')),
    Mutant("pods: init containers do not request what they are limited to", ("    for _, container in containers(spec):\n        default_requests", '    for place, container in containers(spec):\n        if place.startswith("init"):\n            continue\n        default_requests')),
    Mutant("pods: who requests something requests nothing of limits", (_TO_LIMITS, '        resources["requests"] = resources.get("requests") or {**resources["limits"]}\n')),
    Mutant("pods: less of an extended resource than the limit is requested", ("(quantity > limit or (exact and quantity != limit))", "quantity > limit")),
    Mutant("pods: of a class the limit must be requested", ('    return ("/" not in name or "kubernetes.io/" in name) and not name', '    return "/" not in name and not name')),
    Mutant("claims: an alternative may not have the name of its request", (_SUBREQUEST_RULE, _SUBREQUEST_RULE.replace("        exactly, subs", '        if any(one.get("name") == value.get("name") for one in value.get("firstAvailable") or ()):\n            errors.duplicate(f"{path}.name", value.get("name"))\n        exactly, subs'))),
    Mutant("allocations: devices of one name are one device", ("binding), limits.RESULTS)\n", 'binding), limits.RESULTS, "device")\n')),
    Mutant("pods: a status may name an entry by its claim", ("        if status.get(\"name\", \"\") not in entries:\n", "        if status.get(\"name\", \"\") not in entries and status.get(\"resourceClaimName\") not in entries:\n")),
)  # fmt: skip

_CLAIMS_BLOCK = "    if claims and review.strictness.claim_status_blocks_resize:\n"

WITH_CLAIMS = (
    Mutant("resize: pods with memory of claims are resized", (_CLAIMS_BLOCK, _CLAIMS_BLOCK.replace("if claims and", 'if any("cpu" in one.get("resources", {}) for one in claims or ()) and'))),
    Mutant("resize: pods with two such claims are resized", (_CLAIMS_BLOCK, _CLAIMS_BLOCK.replace("if claims and", "if claims and len(claims) < 2 and"))),
    Mutant("annotations: the second is not looked at", ("    for key in annotations:\n        for message", "    for key in list(annotations)[:1]:\n        for message")),
    Mutant("footprint: of what is not consumed one counts", ("            yield name, multiplied(consumed, times)\n", "            yield name, multiplied(consumed, times) if consumed.nano else times\n")),
    Mutant("footprint: a capacity is what its name says after the domain", ("        return result.consumed_capacity.get(key)\n", '        return {one.split("/")[-1]: amount for one, amount in result.consumed_capacity.items()}.get(key.split("/")[-1])\n')),
)  # fmt: skip

_CONFLICTS = "        if conflicts and not force:\n"

MANAGERS = (
    Mutant("apply: by force only what one other has is taken", (_CONFLICTS, _CONFLICTS.replace("not force", "(not force or len({who for who, _ in conflicts}) > 1)"))),
    Mutant("apply: who applies a status gives up what is not the status", ("        others = {other: paths - changed for other, paths in others.items()}\n", "        others = {other: paths - changed for other, paths in others.items() if other[0] != manager[0]}\n")),
    Mutant("patches: null is let be", ("    return {**{name: item for name, item in members.items() if name not in patch}, **patched}\n", "    return {**members, **patched}\n")),
    Mutant("apply: finalizers are replaced as a whole", ('    "metadata.finalizers": _SET,\n', "")),
    Mutant("apply: reports are told apart without their shares", ('("driver", "device", "pool", "shareID"),\n', '("driver", "device", "pool"),\n')),
    Mutant("apply: conditions of devices are replaced as a whole", ('    "status.devices[].conditions": ("type",),\n', "")),
    Mutant("apply: users of claims are replaced as a whole", ('    "status.reservedFor": ("uid",),\n', "")),
    Mutant("apply: devices of slices are put together by name", ('    "spec.initContainers": _BY_NAME,\n', '    "spec.initContainers": _BY_NAME,\n    "spec.devices": _BY_NAME,\n')),
)  # fmt: skip

MUTANTS = (*CONTROLLERS, *SPECIAL, *ADMISSION, *WITH_CLAIMS, *MANAGERS)
