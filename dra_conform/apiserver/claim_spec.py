"""The spec of ResourceClaims and ResourceClaimTemplates: defaults, gated fields, validation."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from dra_conform.apiserver import limits, naming
from dra_conform.apiserver.common_fields import config, selectors
from dra_conform.apiserver.device_capacity import named_quantities
from dra_conform.apiserver.device_taints import default_tolerations, tolerations
from dra_conform.apiserver.gated_fields import GatedField, is_filled
from dra_conform.apiserver.name_rules import fully_qualified_name
from dra_conform.apiserver.response import FieldErrors
from dra_conform.apiserver.trees import SharedTree, Tree
from dra_conform.apiserver.walk import (
    Rule,
    every,
    fields,
    items,
    required,
    same,
    string,
    strings,
)
from dra_conform.kube.switches.api_server import ApiServerSwitches

_TAINTS = ("DRADeviceTaints",)
_SHARING = ("DRAConsumableCapacity",)
_DERIVED = ("DRADerivedAttributes",)
_MODES = ("All", "ExactCount")


def _drops_tolerations(switches: ApiServerSwitches) -> bool:
    return switches.tolerations_dropped


def _drops_distinct(switches: ApiServerSwitches) -> bool:
    return switches.distinct_attribute_dropped


def gated(spec: str) -> tuple[GatedField, ...]:
    """Return the gated fields of the claim spec at a path."""
    requests = f"{spec}.devices.requests.*"
    return (
        GatedField(("DRAPrioritizedList",), f"{requests}.firstAvailable", is_filled),
        GatedField(_TAINTS, f"{requests}.exactly.tolerations", is_filled, dropped_if=_drops_tolerations),
        GatedField(
            _TAINTS, f"{requests}.firstAvailable.*.tolerations", is_filled, dropped_if=_drops_tolerations
        ),
        GatedField(("DRAAdminAccess",), f"{requests}.exactly.adminAccess"),
        GatedField(_SHARING, f"{requests}.exactly.capacity"),
        GatedField(_SHARING, f"{requests}.firstAvailable.*.capacity"),
        GatedField(_SHARING, f"{spec}.devices.constraints.*.distinctAttribute", dropped_if=_drops_distinct),
        GatedField(_DERIVED, f"{requests}.exactly.derivedAttributes", is_filled),
        GatedField(_DERIVED, f"{requests}.firstAvailable.*.derivedAttributes", is_filled),
    )


def default(spec: Tree, version: str) -> None:
    """Set the default allocationMode and count of every request.

    A v1beta1 request without a DeviceClass gets no defaults, since it may have only subrequests.
    """
    for request in spec.get("devices", {}).get("requests", []):
        exactly = request.get("exactly")
        if exactly is not None:
            default_tolerations(exactly)
            if version != "v1beta1" or exactly.get("deviceClassName"):
                _default_count(exactly)
        for subrequest in request.get("firstAvailable", []):
            default_tolerations(subrequest)
            _default_count(subrequest)


def _default_count(request: Tree) -> None:
    if request.setdefault("allocationMode", "ExactCount") == "ExactCount":
        request.setdefault("count", 1)


def validate(
    spec: Tree, stored: Tree | None, path: str, errors: FieldErrors, switches: ApiServerSwitches
) -> None:
    """Validate a claim spec; declarative rules are not applied to stored constraints."""
    devices, before = spec.get("devices", {}), (stored or {}).get("devices", {})
    same_constraints = same(devices.get("constraints"), before.get("constraints"))
    path = f"{path}.devices"
    requests_rule(switches)(devices, None, path, errors)
    reference = request_reference(devices)
    rules = {
        "constraints": _constraint(reference, switches, same_constraints),
        "config": _config(reference, switches),
    }
    bounds = {"constraints": limits.CONSTRAINTS, "config": limits.CONFIG}
    for name, rule in rules.items():
        if name in devices:
            items(rule, bounds[name])(devices[name], None, f"{path}.{name}", errors)


def validate_new(spec: Tree, errors: FieldErrors, switches: ApiServerSwitches) -> None:
    """Validate the spec of a new claim; a spec shared by many claims is validated once."""
    if isinstance(spec, SharedTree) and spec.valid:
        return
    before = len(errors)
    validate(spec, None, "spec", errors, switches)
    if isinstance(spec, SharedTree):
        spec.valid = len(errors) == before


def request_reference(devices: Tree) -> Rule:
    """Return the rule for references: `REQUEST` or `REQUEST/SUBREQUEST` of the claim."""
    return _reference(
        tuple(
            (
                request.get("name", ""),
                tuple(subrequest.get("name", "") for subrequest in request.get("firstAvailable", [])),
            )
            for request in devices.get("requests", [])
        )
    )


@lru_cache(maxsize=256)
def _reference(requests: tuple[tuple[str, tuple[str, ...]], ...]) -> Rule:
    """Return the cached rule for the names of requests and their subrequests."""
    names = dict(requests)
    message = "must be the name of a request in the claim or the name of a request and a subrequest"

    def rule(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        parts = (value or "").split("/")
        if len(parts) <= 2:
            for part in parts:
                _label(part, None, path, errors)
        request, *rest = parts
        if request not in names or len(rest) > 1 or (rest and rest[0] not in names[request]):
            errors.invalid(path, value or "", message)

    return rule


def request_references(reference: Rule) -> Rule:
    """Return the rule for a list of distinct references."""
    return strings(reference, limits.REQUEST_REFERENCES)


@lru_cache
def requests_rule(switches: ApiServerSwitches) -> Rule:
    """Return the rule for the requests in `spec.devices`."""
    at = ".name" if switches.unique_at_key else ""
    common = _common(switches)
    subrequests = items(every(fields({"name": _label}), common), limits.SUBREQUESTS, "name", at)

    def request(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        _label(value.get("name"), None, f"{path}.name", errors)
        exactly, subs = value.get("exactly"), value.get("firstAvailable")
        set_kinds = bool(subs) + (exactly is not None)
        detail = "exactly one of `exactly` or `firstAvailable` is required"
        if set_kinds == 0:
            errors.required(path, detail)
        elif set_kinds == 2:
            errors.invalid(path, None, f"{detail}, but multiple fields are set")
        if set_kinds == 1 or switches.both_request_kinds_validated:
            if subs:
                subrequests(subs, None, f"{path}.firstAvailable", errors)
            if exactly is not None:
                common(exactly, None, f"{path}.exactly", errors)

    return fields({}, {"requests": items(request, limits.REQUESTS, "name", at)})


def _common(switches: ApiServerSwitches) -> Rule:
    """Return the rule for the fields common to `exactly` and subrequests."""
    optional = {
        "capacity": fields({}, {"requests": named_quantities(switches)}),
        "selectors": selectors(switches),
        "tolerations": tolerations(switches),
    }
    return every(fields({"deviceClassName": required(string(naming.dns_subdomain))}, optional), _count)


def _count(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
    mode, count = value.get("allocationMode", ""), value.get("count", 0)
    if mode not in _MODES:
        errors.not_supported(f"{path}.allocationMode", mode, _MODES)
    elif mode == "All" and count != 0:
        errors.invalid(f"{path}.count", count, "must not be specified when allocationMode is 'All'")
    elif mode == "ExactCount" and count <= 0:
        errors.invalid(f"{path}.count", count, "must be greater than zero")


def _constraint(reference: Rule, switches: ApiServerSwitches, stored: bool) -> Rule:
    references = request_references(reference)
    attribute = fully_qualified_name(switches, any_case=stored or not switches.domains_lower_case)

    def rule(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        references(value.get("requests", []), None, f"{path}.requests", errors)
        match, distinct = value.get("matchAttribute"), value.get("distinctAttribute")
        detail = "exactly one of matchAttribute and distinctAttribute is required"
        if match is not None and distinct is not None and switches.one_attribute_per_constraint:
            errors.invalid(path, None, f"{detail}, but both are set")
        if match is not None:
            attribute(match, None, f"{path}.matchAttribute", errors)
        if distinct is not None and (match is None or (switches.both_attributes_validated and not stored)):
            attribute(distinct, None, f"{path}.distinctAttribute", errors)
        if match is not None or distinct is not None:
            return
        if switches.features.consumable_capacity:
            errors.required(path, detail)
        else:
            errors.required(f"{path}.matchAttribute")

    return rule


def _config(reference: Rule, switches: ApiServerSwitches) -> Rule:
    return every(fields({}, {"requests": request_references(reference)}), config(switches))


_label = string(naming.dns_label)
