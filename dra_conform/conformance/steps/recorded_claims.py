"""The nodeAllocatableResourceClaimStatuses of a pod (KEP-5517) in cases and in the API.

Entries have quantities in the form of 1.36 and in the form of 1.37. Each release reads its own form.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from dra_conform.conformance.steps.given import Given, claim_key
from dra_conform.conformance.steps.node_resources import ResourceOverhead, overhead_in, overhead_of
from dra_conform.conformance.steps.step import Params, Step, Table, given, listed
from dra_conform.conformance.steps.table_cells import columns
from dra_conform.kube.json_values import CheckedJson


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


def _entry(entry: RecordedClaim) -> dict[str, CheckedJson]:
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


def entries_by_claim(claims: tuple[RecordedClaim, ...]) -> dict[str, CheckedJson]:
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


def recorded_rows(match: re.Match[str], rows: Table, _: str) -> CheckedJson:
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


def observed_entries(pod: Mapping[str, CheckedJson]) -> dict[str, CheckedJson]:
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
    entries: dict[str, CheckedJson] = {}
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
