"""The When and Then steps of quota usage, and the expectation that they build."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dra_conform.conformance.steps.given import Given
from dra_conform.conformance.steps.quota_steps import quantities
from dra_conform.conformance.steps.step import AMOUNTS, Step, StepError, Table, amounts, then, when
from dra_conform.kube.json_values import UncheckedJson
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
    def rejects(self) -> bool:
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
                raise StepError(f"names the quota {quota} twice, expected each quota once")
            self.uses.append(ExpectedUse(quota, amount, len(self.steps) - 1))

    def build(self) -> UsageExpectation:
        """Return the expectation; raises StepError if no Then step names a quota."""
        if not self.uses:
            raise StepError("names no quota, expected at least one with a quantity")
        return UsageExpectation(tuple(self.uses), tuple(self.steps))


def _amounts(match: re.Match[str], _: Table, __: str) -> UncheckedJson:
    return amounts(match["amounts"])


@when('the quota usage of namespace "{namespace}" is computed')
def quota_usage(_: Given, namespace: str) -> UncheckedJson:
    return {"namespace": namespace}


@then("the namespace uses {amounts}", _amounts, amounts=AMOUNTS)
def namespace_uses(then: UsageExpectationBuilder, params: dict[str, Any]) -> None:
    then.expect(quantities(params))


STEPS: tuple[Step, ...] = (
    quota_usage,
    namespace_uses,
)
"""The When and Then steps."""
