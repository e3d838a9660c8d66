"""The node allocatable resources of a device (KEP-5517) in cases and in the API.

Releases have two forms. A device is published with both forms, and each release reads its own form.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from dra_conform.conformance.steps.step import Amount, Params, StepError, listed
from dra_conform.kube.json_values import Json

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
) -> dict[str, dict[str, Json]]:
    """Return the fields of a device. Only the newer form has overhead."""
    fields: dict[str, dict[str, Json]] = {}
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


def _until_1_36(mapping: ResourceMapping) -> dict[str, Json]:
    multiplier = None if mapping.multiplier is None else str(mapping.multiplier)
    fields = {
        "capacityKey": mapping.capacity_key,
        "allocationMultiplier": multiplier,
        "accountingPolicy": mapping.accounting_policy,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _since_1_37(mapping: ResourceMapping) -> dict[str, Json]:
    multiplier = "1" if mapping.multiplier is None else str(mapping.multiplier)
    if mapping.capacity_key is None:
        return {"deviceMultiplier": multiplier}
    return {"capacityKey": mapping.capacity_key, "capacityMultiplier": multiplier}


def overhead_of(overhead: ResourceOverhead) -> dict[str, Json]:
    """Return the API fields `perPod` and `perContainer`."""
    fields = {"perPod": overhead.per_pod, "perContainer": overhead.per_container}
    return {name: str(amount) for name, amount in fields.items() if amount is not None}


def mapping_in(text: str) -> dict[str, Json]:
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


def overhead_in(text: str) -> dict[str, Json]:
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
