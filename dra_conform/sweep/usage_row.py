"""Rows of sweeps about quota usage: ResourceClaims for one DeviceClass, and one quota that counts them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from dra_conform.conformance.steps.given import RESOURCE
from dra_conform.kube.json_values import Json
from dra_conform.sweep.api_objects import claim_object

USAGE_FACTORS = ("requests", "count", "quota")
"""The factors of a row about quota usage. A sweep combines their value classes."""

ALL = -1
"""The count that means `allocationMode: All`."""

DEVICES, IMPLICIT, REQUESTED = "devices of the DeviceClass", "implicit resource", "extended resource"
"""The quotas that count claims for a DeviceClass which backs an extended resource."""

Alternatives = tuple[int, ...]
"""The counts of the subrequests of a request; a single count is that of a request without subrequests."""

Claims = tuple[tuple[Alternatives, ...], ...]
"""Claims, each with requests."""

SHAPES: Mapping[str, Callable[[int], Claims]] = MappingProxyType(
    {
        "one request": lambda count: (((count,),),),
        "two requests": lambda count: (((count,), (count,)),),
        "32 requests": lambda count: (((count,),) * 32,),
        "two claims": lambda count: (((count,),), ((count,),)),
        "larger alternative first": lambda count: (((count, 1),),),
        "larger alternative last": lambda count: (((1, count),),),
        "two prioritized lists": lambda count: (((1, count), (count, 2)),),
        "All": lambda count: (((ALL,), (count,)),),
        "All or a count": lambda count: (((ALL, count),),),
    }
)
"""The claims of each value class, made from a count."""

COUNTS: Mapping[str, int] = MappingProxyType(
    {
        **{str(count): count for count in (1, 2, 31, 32, 33)},
        **{
            f"2^{bits}{'+' if off > 0 else ''}{off or ''}": 2**bits + off
            for bits in (31, 32, 53)
            for off in (-1, 0, 1)
        },
        "2^62": 2**62,
        "2^63-2": 2**63 - 2,
        "2^63-1": 2**63 - 1,
    }
)
"""The count of each value class; the last one is the maximum of the API."""


@dataclass(frozen=True, slots=True, eq=False)
class UsageRow:
    """A row: claims for the same DeviceClass, and the quota whose usage is compared."""

    claims: Claims
    quota: str
    policy_class: str
    value_class: str

    @property
    def classes(self) -> tuple[str, str, str]:
        """The value class of each factor of `USAGE_FACTORS`."""
        return (self.policy_class, self.value_class, self.quota)

    @property
    def family(self) -> str:
        """The quota whose usage is compared, by which differences are grouped."""
        return self.quota

    def complexity(self) -> tuple[int, int]:
        """Return the number of counts and of digits of the row, by which the simplest row is found."""
        counts = [count for claim in self.claims for request in claim for count in request]
        return len(counts), sum(len(str(count)) for count in counts)

    def texts(self) -> dict[str, str | None]:
        """Return the counts: `|` separates claims, `,` requests and `/` subrequests."""
        claims = (", ".join("/".join(map(_text, counts)) for counts in claim) for claim in self.claims)
        return {"claims": " | ".join(claims)}

    def quota_name(self, number: int) -> str:
        """Return the name of the quota of the row with this number."""
        if self.quota == DEVICES:
            return f"{device_class(number)}.deviceclass.resource.k8s.io/devices"
        if self.quota == IMPLICIT:
            return f"requests.deviceclass.resource.kubernetes.io/{device_class(number)}"
        return f"requests.{extended_resource(number)}"

    def objects(self, number: int) -> tuple[Json, Sequence[Json]]:
        """Return the DeviceClass of the row with this number, and its claims."""
        backing = {
            "apiVersion": RESOURCE,
            "kind": "DeviceClass",
            "metadata": {"name": device_class(number)},
            "spec": {"extendedResourceName": extended_resource(number)},
        }
        return backing, [
            claim_object(
                f"claim-{number}-{place}",
                [_request(f"r{index}", request, number) for index, request in enumerate(claim)],
            )
            for place, claim in enumerate(self.claims)
        ]


def _text(count: int) -> str:
    return "All" if count == ALL else str(count)


def device_class(number: int) -> str:
    """Return the DeviceClass of a row."""
    return f"class-{number}"


def extended_resource(number: int) -> str:
    """Return the extended resource that the DeviceClass of a row backs."""
    return f"example.com/device-{number}"


def _request(name: str, counts: Alternatives, number: int) -> Json:
    if len(counts) == 1:
        return {"name": name, "exactly": _asked(counts[0], number)}
    subrequests = [{"name": f"s{place}", **_asked(count, number)} for place, count in enumerate(counts)]
    return {"name": name, "firstAvailable": subrequests}


def _asked(count: int, number: int) -> dict[str, Json]:
    asked: dict[str, Json] = {"deviceClassName": device_class(number)}
    if count == ALL:
        return {**asked, "allocationMode": "All"}
    return {**asked, "allocationMode": "ExactCount", "count": count}
