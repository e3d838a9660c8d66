"""Mutants of what the simulated API server checks of claims, templates, classes and taint rules."""

from __future__ import annotations

from tests.faulty.mutants.mutation import Mutant

_SPEC = (
    Mutant("requests: any name", ('        _label(value.get("name"), None, f"{path}.name", errors)\n', "")),
    Mutant("requests: two of one name", ('    return fields({}, {"requests": items(request, limits.REQUESTS, "name", at)})', '    return fields({}, {"requests": items(request, limits.REQUESTS)})')),
    Mutant("requests: of no kind", ("        if set_kinds == 0:\n", "        if False:\n")),
    Mutant("requests: of both kinds", ("        elif set_kinds == 2:\n", "        elif False:\n")),
    Mutant("requests: alternatives are not looked into", ('                subrequests(subs, None, f"{path}.firstAvailable", errors)', "                pass")),
    Mutant("requests: without class", ("fields({\"deviceClassName\": required(string(naming.dns_subdomain))}, optional)", "fields({}, optional)")),
    Mutant("requests: any mode", ("    if mode not in _MODES:", "    if False:")),
    Mutant("requests: a count beside All", ('    elif mode == "All" and count != 0:', "    elif False:")),
    Mutant("requests: a count of zero", ('    elif mode == "ExactCount" and count <= 0:', "    elif False:")),
    Mutant("requests: no default mode", ('    if request.setdefault("allocationMode", "ExactCount") == "ExactCount":', '    if request.get("allocationMode") == "ExactCount":')),
    Mutant("requests: no default count", ('        request.setdefault("count", 1)', "        pass")),
    Mutant("requests: alternatives have no defaults", ("            default_tolerations(subrequest)\n            _default_count(subrequest)", "            pass")),
    Mutant("requests: All has a count too", ('    if request.setdefault("allocationMode", "ExactCount") == "ExactCount":', '    if request.setdefault("allocationMode", "ExactCount"):')),
    Mutant("constraints: of any request", ('        references(value.get("requests", []), None, f"{path}.requests", errors)\n', "")),
    Mutant("constraints: both attributes", ("        if match is not None and distinct is not None and strictness.one_attribute_per_constraint:", "        if False:")),
    Mutant("constraints: no attribute", ("            errors.required(path, detail)\n        else:\n            errors.required(f\"{path}.matchAttribute\")", "            pass\n        else:\n            pass")),
    Mutant("constraints: any match attribute", ('            attribute(match, None, f"{path}.matchAttribute", errors)', "            pass")),
    Mutant("constraints: any distinct attribute", ('            attribute(distinct, None, f"{path}.distinctAttribute", errors)', "            pass")),
    Mutant("constraints: attributes without domain", ('        if "/" not in value and (value or not strictness.empty_is_required):', "        if False:")),
    Mutant("config: of any driver", ('    opaque = fields({"driver": driver(strictness), "parameters": parameters})', '    opaque = fields({"parameters": parameters})')),
    Mutant("config: without parameters", ("        if value is None:\n            errors.required(path)\n        elif limit", "        if value is None:\n            pass\n        elif limit")),
    Mutant("config: parameters of any type", ("        elif not isinstance(value.value, dict):", "        elif False:")),
    Mutant("selectors: anything compiles", ('            errors.invalid(path, text, f"compilation failed: {error}")', "            return")),
    Mutant("selectors: without CEL", ('            errors.required(f"{path}.cel")', "            pass")),
    Mutant("claims: the spec may change", ('        errors.invalid("spec", None, "field is immutable")\n    if strictness.stored_spec_validated', "        pass\n    if strictness.stored_spec_validated")),
    Mutant("templates: the spec may change", ("        errors.invalid(\"spec\", None, \"field is immutable\")\n    _claim_metadata", "        pass\n    _claim_metadata")),
    Mutant("claims: never validated", ("        claim_spec.validate_new(spec, errors, strictness)", "        pass")),
    Mutant("templates: never validated", ('    claim_spec.validate(spec["spec"], stored, "spec.spec", errors, review.strictness)', "    pass")),
    Mutant("classes: never validated", ('    _rule(review.strictness, same_selectors, same_config)(spec, None, "spec", review.errors)', "    pass")),
    Mutant("classes: any extended resource", ("            \"extendedResourceName\": string(naming.extended_resource),\n", "")),
    Mutant("taint rules: never validated", ('    rule(tree["spec"], stored, "spec", review.errors)', "    pass")),
    Mutant("taint rules: the time stays when the effect changes", ('    if changed and new_taint["timeAdded"]', '    if False and new_taint["timeAdded"]')),
)  # fmt: skip

_ADMIN = (
    Mutant("admin access: in every namespace", ('    elif labels.get(label) != "true":', "    elif False:")),
    Mutant("admin access: in no namespace", ('    elif labels.get(label) != "true":', "    else:")),
    Mutant("admin access: the label is enough", ('    elif labels.get(label) != "true":', "    elif label not in labels:")),
    Mutant("admin access: asked and not granted alike", ("if flag is True), None)", "if flag is not None), None)")),
    Mutant("admin access: claims do not ask", ('        admin_access.authorize_spec(spec, tree["metadata"], review)', "        pass")),
    Mutant("admin access: templates do not ask", ('        admin_access.authorize_spec(spec["spec"], tree["metadata"], review)', "        pass")),
    Mutant("admin access: statuses do not ask", ('        admin_access.authorize(flags, "status.allocation.devices.results", claim["metadata"], review)', "        pass")),
    Mutant("admin access: what is allocated asks again", ('    if not any(result.get("adminAccess") for result in _results(stored)):', "    if True:")),
    Mutant("admin access: the label of 1.34", ('    domain = "resource.k8s.io" if kep or', '    domain = "resource.k8s.io" if False or')),
)  # fmt: skip

_STATUS = (
    Mutant("status: devices that are not allocated", ("        if _key(device) not in allocated:\n", "        if False:\n")),
    Mutant("status: devices of another share", ("device.get(\"shareID\") or None)", "None)")),
    Mutant("status: devices twice", ("    unique([_key(device) for device in devices], \"status.devices\", errors, at)\n", "")),
    Mutant("status: entries of deallocated devices stay", ("    if removed and \"devices\" in status:", "    if False:")),
    Mutant("status: the allocation may change", ('            errors.invalid("status.allocation", None, "field is immutable")', "            pass")),
    Mutant("status: the allocation cannot be taken back", ("    if allocation is not None and before is not None:\n", "    if before is not None:\n")),
    Mutant("status: reserved without allocation", ('    if status.get("reservedFor") and allocation is None:', "    if False:")),
    Mutant("status: reserved while deleted", ('    elif claim["metadata"].get("deletionTimestamp") and _reservations_added(status, stored):', "    elif False:")),
    Mutant("status: reserved by anything", ("    mandatory = dict.fromkeys((\"resource\", \"name\", \"uid\"), required(anything))", "    mandatory = {}")),
    Mutant("status: reserved twice", ('limits.RESERVED_FOR, "uid", at)', "limits.RESERVED_FOR)")),
    Mutant("status: results of any request", ("    mandatory = {\"request\": reference, \"driver\"", "    mandatory = {\"driver\"")),
    Mutant("status: any share ID in results", ("    optional = {\"shareID\": _uuid}\n", "    optional = {}\n")),
    Mutant("status: any share ID of devices", ("    optional = {\"shareID\": _uuid, \"conditions\"", "    optional = {\"conditions\"")),
    Mutant("status: any IP", ("    if value != canonical:\n", "    if False:\n")),
    Mutant("status: conditions of one type", ('    return items(condition, key="type", duplicate_at', "    return items(condition, duplicate_at")),
    Mutant("status: data is not looked at", ('"conditions": limited, "data": data,', '"conditions": limited,')),
    Mutant("status: binding conditions of results are not looked at", ("every(fields(mandatory, optional), binding)", "every(fields(mandatory, optional))")),
)  # fmt: skip

CLAIMS = (*_SPEC, *_ADMIN, *_STATUS)
