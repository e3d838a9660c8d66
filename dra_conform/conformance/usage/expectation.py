"""The expected quota usage of a namespace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dra_conform.conformance.steps.step import StepError
from dra_conform.kube.quantity import Quantity


@dataclass(frozen=True, slots=True)
class ExpectedUse:
    """The expected used quantity of one quota."""

    quota: str
    amount: Quantity
    step: int = 0


@dataclass(frozen=True, slots=True)
class UsageExpectation:
    """The expected used quantities of some quotas. Other quotas are not compared."""

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
    """Collects the Then steps of a question for quota usage."""

    uses: list[ExpectedUse] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)

    def expect(self, amounts: Mapping[str, Quantity]) -> None:
        """Record the expected used quantities by quota name; raises StepError for a duplicate name."""
        for quota, amount in amounts.items():
            if any(use.quota == quota for use in self.uses):
                raise StepError(f"names the quota {quota} twice, expected it once")
            self.uses.append(ExpectedUse(quota, amount, len(self.steps) - 1))

    def build(self) -> UsageExpectation:
        """Return the expectation; raises StepError if no Then step names a quota."""
        if not self.uses:
            raise StepError("names no quota, expected at least one with a quantity")
        return UsageExpectation(tuple(self.uses), tuple(self.steps))
