"""The allocator's decision on claims: allocated, unallocatable with reasons, or ended by an error."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from dra_conform.kube.category import Category
from dra_conform.kube.listing import counted, listed
from dra_conform.kube.resource import AllocationResult


@dataclass(frozen=True, slots=True)
class FailureReason:
    """A reason why a device, a pool, a ResourceSlice or a whole request cannot be allocated.

    `claim` and `request` are empty for a pool or a slice. `device` is `driver/pool/device`, for a pool
    `driver/pool`, and empty for a whole request.
    """

    category: Category
    message: str
    claim: str = ""
    request: str = ""
    device: str = ""
    slice: str = ""

    def __str__(self) -> str:
        subject = ", ".join(
            f"{kind} {name}"
            for kind, name in (
                ("claim", self.claim),
                ("request", self.request),
                ("slice", self.slice),
                (self._of_device, self.device),
            )
            if name
        )
        return (
            f"{subject}: {self.category}: {self.message}" if subject else f"{self.category}: {self.message}"
        )

    @property
    def _of_device(self) -> str:
        return "device" if self.request else "pool"

    @property
    def depends_on_search(self) -> bool:
        """Whether the search had chosen the device for another request; the final choice can differ."""
        return self.category is Category.DEVICE_IN_USE and self.message.startswith(_CHOSEN)


_CHOSEN = "chosen for request "


def chosen_for(request: str, holder: str, claim: str) -> str:
    """Return why a claim cannot get a device that the search has chosen for a request of `holder`."""
    return f"{_CHOSEN}{request}" if holder == claim else f"{_CHOSEN}{request} of claim {holder}"


class Trace:
    """The reasons found by a search. Backtracking finds a reason many times, but it is kept once."""

    __slots__ = ("_found", "_satisfied")

    def __init__(self) -> None:
        self._found: dict[tuple[str, str, str, str, Category], FailureReason] = {}
        self._satisfied: set[tuple[str, str]] = set()

    def add(self, refusal: FailureReason) -> None:
        """Add a reason, unless one with the same subject and category is known."""
        key = (refusal.claim, refusal.request, refusal.device, refusal.slice, refusal.category)
        self._found.setdefault(key, refusal)

    def satisfied(self, claim: str, request: str) -> None:
        """Record that the search found enough devices for a request, so that a later request fails."""
        self._satisfied.add((claim, request))

    def reasons(self) -> tuple[FailureReason, ...]:
        """Return the reasons in the order in which they were found first.

        A request that had enough devices lacks them only in the rest of the search, which is no reason.
        """
        return tuple(
            reason
            for reason in self._found.values()
            if reason.category is not Category.INSUFFICIENT_DEVICES
            or (reason.claim, reason.request) not in self._satisfied
        )


_GROUPS = 6
"""The most reasons of one category that are listed separately."""


@dataclass(frozen=True, slots=True)
class FailureReasonGroup:
    """The devices or ResourceSlices that one request cannot use for one reason.

    `devices` has `driver/pool/device`, or `driver/pool` for a reason about a pool; it is empty if the request
    fails as a whole. `slices` has names of ResourceSlices.
    """

    claim: str
    request: str
    category: Category
    message: str
    devices: tuple[str, ...] = ()
    slices: tuple[str, ...] = ()

    def __str__(self) -> str:
        reason = f"{self.category}: {self.message}"
        if self.slices:  # several names would differ from node to node, and equal nodes share a message
            named = f" ({self.slices[0]})" if len(self.slices) == 1 else ""
            return f"{counted(len(self.slices), 'slice')}: {reason}{named}"
        if not self.devices or not self.request:
            return reason
        return f"{counted(len(self.devices), 'device')}: {reason} ({listed(_short(self.devices))})"


def grouped(reasons: Iterable[FailureReason]) -> tuple[FailureReasonGroup, ...]:
    """Group reasons by claim, request, category and message, in the order of the first occurrence.

    If one category has more than a few reasons for devices, all further reasons form one group.
    """
    groups: dict[tuple[str, str, Category, str], list[FailureReason]] = {}
    messages: dict[tuple[str, str, Category], set[str]] = {}
    for item in reasons:
        message = "for other nodes" if item.slice else item.message
        known = messages.setdefault((item.claim, item.request, item.category), set())
        if message not in known and len(known) == _GROUPS and item.device:
            message = "similar reasons with other quantities"
        else:
            known.add(message)
        groups.setdefault((item.claim, item.request, item.category, message), []).append(item)
    return tuple(
        FailureReasonGroup(
            *key,
            devices=tuple(item.device for item in members if item.device and not item.slice),
            slices=tuple(item.slice for item in members if item.slice),
        )
        for key, members in groups.items()
    )


def reason_lines(groups: Sequence[FailureReasonGroup]) -> Iterator[str]:
    """Yield lines to print: a heading for each request, and its reasons indented by two."""
    heading = ""
    for group in groups:
        subject = ", ".join(
            f"{kind} {name}" for kind, name in (("claim", group.claim), ("request", group.request)) if name
        )
        if subject != heading:
            heading = subject
            if subject:
                yield subject
        yield f"  {group}" if subject else str(group)


def _short(devices: Sequence[str]) -> tuple[str, ...]:
    """Return only the names of the devices if they are all in one pool."""
    pools = {device.rpartition("/")[0] for device in devices}
    return tuple(device.rpartition("/")[2] for device in devices) if len(pools) == 1 else tuple(devices)


@dataclass(frozen=True, slots=True)
class Allocated:
    """All claims can be allocated.

    `allocations` has one entry per claim, in the order of the claims. `steps` counts the steps of the search.
    """

    allocations: tuple[AllocationResult, ...]
    trace: tuple[FailureReason, ...] = ()
    steps: int = 0


@dataclass(frozen=True, slots=True)
class Unallocatable:
    """The claims are valid, but cannot all be allocated. `reasons` and `trace` need `explain`."""

    reasons: tuple[FailureReason, ...] = ()
    trace: tuple[FailureReason, ...] = ()
    steps: int = 0


@dataclass(frozen=True, slots=True)
class Failed:
    """An error ended the allocation, such as a CEL runtime error or a DeviceClass that does not exist."""

    category: Category
    message: str
    trace: tuple[FailureReason, ...] = ()
    steps: int = 0


Decision = Allocated | Unallocatable | Failed


class Stop(Exception):  # noqa: N818 - it carries a decision to the caller, like StopIteration a value
    """An error that ends the allocation; caught inside the allocator."""

    def __init__(self, decision: Failed) -> None:
        super().__init__(decision)
        self.decision = decision
