"""The node allocatable resources of a device (KEP-5517) in cases and in the API.

Releases have two forms. A device is published with both forms, and each release reads its own form.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from dra_conform.conformance.steps.step import Amount, Json, Params, StepError, listed

_MAPPING = re.compile(
    r"(?:(?P<times>[-+.0-9]\S*)(?: x (?P<of>\S+))?|(?P<capacity>\S+?))(?: as (?P<policy>\S+))?"
)
_OVERHEAD = re.compile(r"(?P<amount>\S+) per (?P<each>pod|container)")


class ResourceMapping(Params, frozen=True, kw_only=True):
    """The quantity of one resource: `multiplier` for each device, or for each unit consumed of a capacity.

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
) -> dict[str, dict[str, Json]]:
    """Return the fields of a device. Only the newer form has overhead."""
    fields: dict[str, dict[str, Json]] = {}
    if mappings:
        fields["nodeAllocatableResourceMappings"] = {name: _until_1_36(one) for name, one in mappings.items()}
    if mappings or overhead:
        fields["nodeAllocatableResources"] = {
            name: {
                **({"mapping": _since_1_37(mappings[name])} if name in mappings else {}),
                **({"overhead": overhead_of(overhead[name])} if name in overhead else {}),
            }
            for name in dict.fromkeys([*mappings, *overhead])
        }
    return fields


def _until_1_36(one: ResourceMapping) -> dict[str, Json]:
    times = None if one.multiplier is None else str(one.multiplier)
    said = {
        "capacityKey": one.capacity_key,
        "allocationMultiplier": times,
        "accountingPolicy": one.accounting_policy,
    }
    return {name: value for name, value in said.items() if value is not None}


def _since_1_37(one: ResourceMapping) -> dict[str, Json]:
    times = "1" if one.multiplier is None else str(one.multiplier)
    if one.capacity_key is None:
        return {"deviceMultiplier": times}
    return {"capacityKey": one.capacity_key, "capacityMultiplier": times}


def overhead_of(one: ResourceOverhead) -> dict[str, Json]:
    """Return the API fields `perPod` and `perContainer`."""
    said = {"perPod": one.per_pod, "perContainer": one.per_container}
    return {name: str(amount) for name, amount in said.items() if amount is not None}


def mapping_in(text: str) -> dict[str, Json]:
    """Return the mapping of a cell; raises StepError.

    `2` is for each device, `cores` the consumed quantity of this capacity, `2 x cores` twice this quantity.
    `empty` has no fields. Each may have an accounting policy, such as `2 as Max`.
    """
    if text == "empty":
        return {}
    found = _MAPPING.fullmatch(text)
    if found is None:
        raise StepError(f"the cell is {text!r}, expected a quantity, a capacity, or both such as 2 x cores")
    said = {
        "multiplier": found["times"],
        "capacityKey": found["of"] or found["capacity"],
        "accountingPolicy": found["policy"],
    }
    return {name: one for name, one in said.items() if one is not None}


def overhead_in(text: str) -> dict[str, Json]:
    """Return the overhead of `1 per pod, 100m per container`, or of one of them; raises StepError."""
    made = {}
    for part in listed(text):
        found = _OVERHEAD.fullmatch(part)
        if found is None:
            raise StepError(
                f"the cell is {text!r}, expected quantities such as 1 per pod, 100m per container"
            )
        made[f"per{found['each'].capitalize()}"] = found["amount"]
    return made
