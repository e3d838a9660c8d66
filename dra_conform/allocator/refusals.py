"""The reasons why a device or a request fails, as values."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.kube.category import Category


@dataclass(frozen=True, slots=True)
class Refusal:
    """One refusal. `claim` and `request` are empty where it concerns a pool or a slice, `device` is
    `driver/pool/device`, `driver/pool` of a pool, and empty where it concerns the request as a whole."""

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
    """Collects refusals; backtracking meets the same one many times and it is kept once."""

    __slots__ = ("_found",)

    def __init__(self) -> None:
        self._found: dict[tuple[str, str, str, str, Category], Refusal] = {}

    def add(self, refusal: Refusal) -> None:
        key = (refusal.claim, refusal.request, refusal.device, refusal.slice, refusal.category)
        self._found.setdefault(key, refusal)

    def refusals(self) -> tuple[Refusal, ...]:
        """All refusals in the order in which they were met first."""
        return tuple(self._found.values())
