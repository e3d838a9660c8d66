"""The expected quota usage of a namespace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dra_conform.conformance.steps.step import StepError
from dra_conform.kube.quantity import Quantity


@dataclass(frozen=True, slots=True)
class ExpectedUse:
    """What is used of one quota."""

    quota: str
    amount: Quantity
    step: int = 0


@dataclass(frozen=True, slots=True)
class UsageExpectation:
    """What is used of some quotas; the others are left open."""

    uses: tuple[ExpectedUse, ...]
    steps: tuple[str, ...] = ()

    @property
    def accepts(self) -> bool:
        return True

    @property
    def refuses(self) -> bool:
        return False


@dataclass
class UsageExpectationBuilder:
    """What the then steps have said so far."""

    uses: list[ExpectedUse] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)

    def use(self, amounts: Mapping[str, Quantity]) -> None:
        """Take what is used by quota name; raises StepError for a quota that was named before."""
        for quota, amount in amounts.items():
            if any(one.quota == quota for one in self.uses):
                raise StepError(f"names {quota} a second time, expected each quota once")
            self.uses.append(ExpectedUse(quota, amount, len(self.steps) - 1))

    def build(self) -> UsageExpectation:
        """The expectation; raises StepError where no step names a quota."""
        if not self.uses:
            raise StepError("names no quota, expected at least one with its use")
        return UsageExpectation(tuple(self.uses), tuple(self.steps))
