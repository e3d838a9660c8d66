"""The nodeAllocatableResourceClaimStatuses of a pod (KEP-5517) in cases and in the API.

Entries have quantities in the form of 1.36 and in the form of 1.37. Each release reads its own form.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from dra_conform.conformance.steps.given import Given, claim_key
from dra_conform.conformance.steps.node_resources import ResourceOverhead, overhead_in, overhead_of
from dra_conform.conformance.steps.step import Json, Params, Step, Table, listed, phrase
from dra_conform.conformance.steps.table_cells import columns


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


def _record(given: Given, params: RecordedClaims) -> None:
    status = given.pod(params.pod).setdefault("status", {})
    status["nodeAllocatableResourceClaimStatuses"] = [_entry(one) for one in params.resource_claims]


def _entry(one: RecordedClaim) -> dict[str, Json]:
    amounts = {name: str(amount) for name, amount in one.resources.items()}
    overhead = [{"name": name, **overhead_of(needs)} for name, needs in one.overhead.items()]
    return {
        "resourceClaimName": claim_key(one.resource_claim).partition("/")[2],
        **({"containers": list(one.containers)} if one.containers else {}),
        "resources": amounts,
        "mapping": [{"name": name, "quantity": amount} for name, amount in amounts.items()],
        **({"overhead": overhead} if overhead else {}),
    }


def shown(claims: tuple[RecordedClaim, ...]) -> dict[str, Json]:
    """Return entries by ResourceClaim in one form for all releases, with sorted containers."""
    return {
        one.resource_claim: {
            "containers": sorted(one.containers),
            "resources": {name: str(amount) for name, amount in one.resources.items()},
            **(
                {"overhead": {name: overhead_of(needs) for name, needs in one.overhead.items()}}
                if one.overhead
                else {}
            ),
        }
        for one in claims
    }


def recorded_rows(found: re.Match[str], rows: Table, _: str) -> Json:
    """Return the rows of a table as the parameters of entries."""
    return {
        "pod": found["pod"],
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


def entries_shown(pod: Mapping[str, Json]) -> dict[str, Json]:
    """Return the entries of an observed pod like `shown`; generated claims are `ENTRY of pod NAME`."""
    status = pod.get("status") or {}
    name = (pod.get("metadata") or {}).get("name")
    made = {
        one.get("resourceClaimName"): f"{one.get('name')} of pod {name}"
        for one in status.get("resourceClaimStatuses") or ()
    }
    special = (status.get("extendedResourceClaimStatus") or {}).get("resourceClaimName")
    made[special] = f"extended resources of pod {name}"
    found: dict[str, Json] = {}
    for one in status.get("nodeAllocatableResourceClaimStatuses") or ():
        claim = one.get("resourceClaimName")
        mapped = {entry.get("name"): entry.get("quantity") for entry in one.get("mapping") or ()}
        overhead = {
            entry.get("name"): {part: amount for part, amount in entry.items() if part != "name"}
            for entry in one.get("overhead") or ()
        }
        found[made.get(claim, claim)] = {
            "containers": sorted(one.get("containers") or ()),
            "resources": one.get("resources") or mapped,
            **({"overhead": overhead} if overhead else {}),
        }
    return found


RECORDED: tuple[Step, ...] = (
    Step(
        "given",
        "nodeAllocatableResourceClaimStatuses",
        RecordedClaims,
        (phrase('pod "{pod}" has the nodeAllocatableResourceClaimStatuses', recorded_rows),),
        _record,
    ),
)
"""The Given step of recorded node resource usage."""
