"""The reasons why a device or a request cannot be allocated."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.kube.category import Category


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


class Trace:
    """The reasons found by a search. Backtracking finds a reason many times, but it is kept once."""

    __slots__ = ("_found",)

    def __init__(self) -> None:
        self._found: dict[tuple[str, str, str, str, Category], FailureReason] = {}

    def add(self, refusal: FailureReason) -> None:
        """Add a reason, unless one with the same subject and category is known."""
        key = (refusal.claim, refusal.request, refusal.device, refusal.slice, refusal.category)
        self._found.setdefault(key, refusal)

    def reasons(self) -> tuple[FailureReason, ...]:
        """Return all reasons in the order in which they were found first."""
        return tuple(self._found.values())
