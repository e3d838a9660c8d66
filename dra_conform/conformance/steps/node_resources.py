"""The node allocatable resources of a device (KEP-5517) in cases and in the API.

Releases have two forms of it. A device is published with both, and each release reads the one it knows.
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

    `accounting_policy` is sketched by the KEP.
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
    """The fields of a device; an amount of overhead is known to the newer form alone."""
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
    """The amounts as the API has them: `perPod`, `perContainer`."""
    said = {"perPod": one.per_pod, "perContainer": one.per_container}
    return {name: str(amount) for name, amount in said.items() if amount is not None}


def mapping_in(text: str) -> dict[str, Json]:
    """`2` for each device, `cores` as much as is consumed, `2 x cores` twice that; `empty` says nothing.

    Each may have a policy, as in `2 as Max`. Raises StepError.
    """
    if text == "empty":
        return {}
    found = _MAPPING.fullmatch(text)
    if found is None:
        raise StepError(f"is {text!r}, expected an amount, a capacity, or both such as 2 x cores")
    said = {
        "multiplier": found["times"],
        "capacityKey": found["of"] or found["capacity"],
        "accountingPolicy": found["policy"],
    }
    return {name: one for name, one in said.items() if one is not None}


def overhead_in(text: str) -> dict[str, Json]:
    """`1 per pod, 100m per container` or one of them; raises StepError."""
    made = {}
    for part in listed(text):
        found = _OVERHEAD.fullmatch(part)
        if found is None:
            raise StepError(f"is {text!r}, expected amounts such as 1 per pod, 100m per container")
        made[f"per{found['each'].capitalize()}"] = found["amount"]
    return made
