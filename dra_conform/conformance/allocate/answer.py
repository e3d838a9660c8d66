"""The answer of an implementation to an allocation, and its form in the body of a `result`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import msgspec

from dra_conform.conformance.answer_limits import Entries, shortened
from dra_conform.kube.json_values import Json, UncheckedJson


class Outcome(StrEnum):
    """The outcome that an implementation reports."""

    ALLOCATED = "allocated"
    UNALLOCATABLE = "unallocatable"
    """The input is valid, but no allocation is possible."""
    REJECTED = "rejected"
    """The input is rejected before any search."""
    ERRORED = "errored"
    """The implementation reports an error for this input, such as a CEL runtime error."""


NOT_ALLOCATED = frozenset(Outcome) - {Outcome.ALLOCATED}
"""The outcomes without an allocation."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason why nothing is allocated. Only `category` is compared; `message` is for people."""

    category: str
    phase: str = ""
    scope: str = ""
    subject: str = ""
    path: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class AllocationAnswer:
    """The decision of an implementation about an allocation.

    `allocations` maps `namespace/name` of each claim to its `status.allocation`, JSON as in the API;
    empty unless the outcome is `allocated`.
    """

    outcome: Outcome
    allocations: Mapping[str, Json] = field(default_factory=dict)
    reasons: tuple[Reason, ...] = ()


class _Device(msgspec.Struct):
    request: str
    driver: str
    pool: str
    device: str
    consumedCapacity: dict[str, str] | None = None  # noqa: N815 - the API's name
    shareID: str | None = None  # noqa: N815 - the API's name
    adminAccess: bool | None = None  # noqa: N815 - the API's name


class _Devices(msgspec.Struct):
    results: list[_Device] | None = None
    config: list[dict[str, Any]] | None = None


class _Allocation(msgspec.Struct):
    devices: _Devices
    nodeSelector: dict[str, Any] | None = None  # noqa: N815 - the API's name
    allocationTimestamp: str | None = None  # noqa: N815 - the API's name


class _Reason(msgspec.Struct):
    category: str
    phase: str = ""
    scope: str = ""
    subject: str = ""
    path: str = ""
    message: str = ""


class _Body(msgspec.Struct):
    """The fields checked in every answer, at a cost of microseconds. The JSON schema is stricter."""

    outcome: Outcome | None = None
    allocations: dict[str, _Allocation] = {}
    reasons: Entries[_Reason] = []


def read(body: Mapping[str, UncheckedJson]) -> AllocationAnswer:
    """Return the answer in the body of a `result` with status ok; raises ValueError if it is malformed."""
    result = msgspec.convert(body, _Body)
    if result.outcome is None:
        raise ValueError("the reply has status ok but no outcome, expected an outcome")
    allocated = result.outcome is Outcome.ALLOCATED
    if allocated and "allocations" not in body:
        raise ValueError("the reply has outcome allocated but no allocations, expected allocations")
    reasons = tuple(
        Reason(**{name: shortened(text) for name, text in msgspec.structs.asdict(reason).items()})
        for reason in result.reasons
    )
    allocations = body["allocations"] if allocated else {}
    assert isinstance(allocations, Mapping)
    return AllocationAnswer(result.outcome, allocations, reasons)


def write(answer: AllocationAnswer) -> dict[str, Json]:
    """Return the body of a `result` without its status."""
    body: dict[str, Json] = {"outcome": answer.outcome.value}
    if answer.allocations or answer.outcome is Outcome.ALLOCATED:
        body["allocations"] = answer.allocations
    if answer.reasons:
        body["reasons"] = [
            {name: getattr(reason, name) for name in reason.__slots__ if getattr(reason, name)}
            for reason in answer.reasons
        ]
    return body
