"""Node allocatable resources (KEP-5517) in cases and in the API: those of a device, and the
nodeAllocatableResourceClaimStatuses of a pod.

Quantities have the form of 1.36 and the form of 1.37. Both are published, and each release reads its own
form.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from dra_conform.conformance.steps.given import Given, claim_key
from dra_conform.conformance.steps.step import Amount, Params, Step, StepError, Table, given, listed
from dra_conform.conformance.steps.table_cells import columns
from dra_conform.kube.json_values import Json, UncheckedJson

_MAPPING = re.compile(
    r"(?:(?P<times>[-+.0-9]\S*)(?: x (?P<of>\S+))?|(?P<capacity>\S+?))(?: as (?P<policy>\S+))?"
)
_OVERHEAD = re.compile(r"(?P<amount>\S+) per (?P<each>pod|container)")


class ResourceMapping(Params, frozen=True, kw_only=True):
    """The quantity of one resource: `multiplier` for each device, or for each consumed unit of a capacity.

    `accounting_policy` is a future extension of the KEP.
    """

    capacity_key: str | None = None
    multiplier: Amount = None
    accounting_policy: str | None = None


class ResourceOverhead(Params, frozen=True, kw_only=True):
    """The quantity of one resource that pods and containers need in addition, in releases since 1.37."""

    per_pod: Amount = None
    per_container: Amount = None


def node_resources(
    mappings: Mapping[str, ResourceMapping], overhead: Mapping[str, ResourceOverhead]
) -> dict[str, dict[str, UncheckedJson]]:
    """Return the fields of a device. Only the newer form has overhead."""
    fields: dict[str, dict[str, UncheckedJson]] = {}
    if mappings:
        fields["nodeAllocatableResourceMappings"] = {
            name: _until_1_36(mapping) for name, mapping in mappings.items()
        }
    if mappings or overhead:
        fields["nodeAllocatableResources"] = {
            name: {
                **({"mapping": _since_1_37(mappings[name])} if name in mappings else {}),
                **({"overhead": overhead_of(overhead[name])} if name in overhead else {}),
            }
            for name in dict.fromkeys([*mappings, *overhead])
        }
    return fields


def _until_1_36(mapping: ResourceMapping) -> dict[str, UncheckedJson]:
    multiplier = None if mapping.multiplier is None else str(mapping.multiplier)
    fields = {
        "capacityKey": mapping.capacity_key,
        "allocationMultiplier": multiplier,
        "accountingPolicy": mapping.accounting_policy,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _since_1_37(mapping: ResourceMapping) -> dict[str, UncheckedJson]:
    multiplier = "1" if mapping.multiplier is None else str(mapping.multiplier)
    if mapping.capacity_key is None:
        return {"deviceMultiplier": multiplier}
    return {"capacityKey": mapping.capacity_key, "capacityMultiplier": multiplier}


def overhead_of(overhead: ResourceOverhead) -> dict[str, UncheckedJson]:
    """Return the API fields `perPod` and `perContainer`."""
    fields = {"perPod": overhead.per_pod, "perContainer": overhead.per_container}
    return {name: str(amount) for name, amount in fields.items() if amount is not None}


def mapping_in(text: str) -> dict[str, UncheckedJson]:
    """Return the mapping of a cell; raises StepError.

    `2` is for each device, `cores` the consumed quantity of this capacity, `2 x cores` twice this quantity.
    `empty` has no fields. Each may have an accounting policy, such as `2 as Max`.
    """
    if text == "empty":
        return {}
    match = _MAPPING.fullmatch(text)
    if match is None:
        raise StepError(f"the cell is {text!r}, expected a quantity, a capacity, or both such as 2 x cores")
    params = {
        "multiplier": match["times"],
        "capacityKey": match["of"] or match["capacity"],
        "accountingPolicy": match["policy"],
    }
    return {name: value for name, value in params.items() if value is not None}


def overhead_in(text: str) -> dict[str, UncheckedJson]:
    """Return the overhead of `1 per pod, 100m per container`, or of one of them; raises StepError."""
    params = {}
    for part in listed(text):
        match = _OVERHEAD.fullmatch(part)
        if match is None:
            raise StepError(
                f"the cell is {text!r}, expected quantities such as 1 per pod, 100m per container"
            )
        params[f"per{match['each'].capitalize()}"] = match["amount"]
    return params


class RecordedClaim(Params, frozen=True, kw_only=True):
    """One entry: the ResourceClaim, the containers that use it, and its node resources."""

    resource_claim: str
    containers: tuple[str, ...] = ()
    resources: dict[str, Any] = {}
    overhead: dict[str, ResourceOverhead] = {}


class RecordedClaims(Params, frozen=True, kw_only=True):
    """All entries of a pod."""

    pod: str
    resource_claims: tuple[RecordedClaim, ...] = ()


def _entry(entry: RecordedClaim) -> dict[str, Json]:
    amounts = {name: str(amount) for name, amount in entry.resources.items()}
    overhead = [
        {"name": name, **overhead_of(amounts_of_resource)}
        for name, amounts_of_resource in entry.overhead.items()
    ]
    return {
        "resourceClaimName": claim_key(entry.resource_claim).partition("/")[2],
        **({"containers": list(entry.containers)} if entry.containers else {}),
        "resources": amounts,
        "mapping": [{"name": name, "quantity": amount} for name, amount in amounts.items()],
        **({"overhead": overhead} if overhead else {}),
    }


def entries_by_claim(claims: tuple[RecordedClaim, ...]) -> dict[str, Json]:
    """Return entries by ResourceClaim in one form for all releases, with sorted containers."""
    return {
        entry.resource_claim: {
            "containers": sorted(entry.containers),
            "resources": {name: str(amount) for name, amount in entry.resources.items()},
            **(
                {
                    "overhead": {
                        name: overhead_of(resource_overhead)
                        for name, resource_overhead in entry.overhead.items()
                    }
                }
                if entry.overhead
                else {}
            ),
        }
        for entry in claims
    }


def recorded_rows(match: re.Match[str], rows: Table, _: str) -> Json:
    """Return the rows of a table as the parameters of entries."""
    return {
        "pod": match["pod"],
        "resourceClaims": [
            {
                "resourceClaim": row.get("resourceClaim", ""),
                "containers": listed(row.get("containers", "")),
                "resources": columns(row, "resource"),
                "overhead": {name: overhead_in(text) for name, text in columns(row, "overhead").items()},
            }
            for row in rows
        ],
    }


def observed_entries(pod: Mapping[str, Json]) -> dict[str, Json]:
    """Return the entries of an observed pod in the form of `entries_by_claim`.

    A generated ResourceClaim has the name `ENTRY of pod NAME`.
    """
    status = pod.get("status") or {}
    name = (pod.get("metadata") or {}).get("name")
    names = {
        entry.get("resourceClaimName"): f"{entry.get('name')} of pod {name}"
        for entry in status.get("resourceClaimStatuses") or ()
    }
    extended_claim = (status.get("extendedResourceClaimStatus") or {}).get("resourceClaimName")
    names[extended_claim] = f"extended resources of pod {name}"
    entries: dict[str, Json] = {}
    for entry in status.get("nodeAllocatableResourceClaimStatuses") or ():
        claim = entry.get("resourceClaimName")
        mapped = {item.get("name"): item.get("quantity") for item in entry.get("mapping") or ()}
        overhead = {
            item.get("name"): {part: amount for part, amount in item.items() if part != "name"}
            for item in entry.get("overhead") or ()
        }
        entries[names.get(claim, claim)] = {
            "containers": sorted(entry.get("containers") or ()),
            "resources": entry.get("resources") or mapped,
            **({"overhead": overhead} if overhead else {}),
        }
    return entries


@given('pod "{pod}" has the nodeAllocatableResourceClaimStatuses', recorded_rows)
def node_allocatable_resource_claim_statuses(given: Given, params: RecordedClaims) -> None:
    status = given.pod(params.pod).setdefault("status", {})
    status["nodeAllocatableResourceClaimStatuses"] = [_entry(entry) for entry in params.resource_claims]


RECORDED: tuple[Step, ...] = (node_allocatable_resource_claim_statuses,)
"""The Given step of recorded node resource usage."""
