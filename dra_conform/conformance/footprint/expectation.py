"""The expected node resource usage of a pod."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dra_conform.conformance.footprint.answer import FootprintRefusal
from dra_conform.conformance.steps.step import StepError
from dra_conform.kube.quantity import Quantity, QuantityError

Json = Any
Amounts = Mapping[str, Quantity]


@dataclass(frozen=True, slots=True)
class ExpectedShare:
    """What a claim takes; None leaves it open. Without resources and overhead it has no entry.

    `overhead` is by resource and `perPod` or `perContainer`, `containers` in any order.
    """

    claim: str
    resources: Amounts | None = None
    overhead: Mapping[str, Amounts] | None = None
    containers: tuple[str, ...] | None = None
    step: int = 0


@dataclass(frozen=True, slots=True)
class FootprintExpectation:
    """What is right: amounts and claims, or a refusal, for which `reason` None is any."""

    resources: Amounts | None = None
    resources_step: int = 0
    claims: tuple[ExpectedShare, ...] = ()
    refused: bool = False
    reason: FootprintRefusal | None = None
    steps: tuple[str, ...] = ()

    @property
    def accepts(self) -> bool:
        return not self.refused

    @property
    def refuses(self) -> bool:
        return self.refused


@dataclass
class FootprintExpectationBuilder:
    """What the then steps have said so far."""

    resources: Amounts | None = None
    resources_step: int = 0
    claims: list[ExpectedShare] = field(default_factory=list)
    refused: bool | None = None
    reason: FootprintRefusal | None = None
    steps: list[str] = field(default_factory=list)

    def take(self, resources: Amounts) -> None:
        """Take all that the pod takes; raises StepError."""
        self._decide(refused=False)
        self.resources, self.resources_step = resources, len(self.steps) - 1

    def share(self, share: ExpectedShare) -> None:
        """Take what a claim takes; raises StepError."""
        self._decide(refused=False)
        self.claims.append(share)

    def refuse(self, reason: FootprintRefusal | None) -> None:
        """Take that nothing is counted; raises StepError."""
        self._decide(refused=True)
        self.reason = reason or self.reason

    def _decide(self, *, refused: bool) -> None:
        if self.refused not in (None, refused):
            raise StepError("contradicts the outcome of a step before it, expected one outcome")
        self.refused = refused

    def build(self) -> FootprintExpectation:
        """The expectation; raises StepError where no step says an outcome."""
        if self.refused is None:
            raise StepError("has no outcome, expected at least one Then step")
        return FootprintExpectation(
            self.resources,
            self.resources_step,
            tuple(self.claims),
            self.refused,
            self.reason,
            tuple(self.steps),
        )


def amounts_of(said: Mapping[str, Json]) -> dict[str, Quantity]:
    """Amounts as written; raises StepError for one that is no quantity."""
    try:
        return {name: Quantity.parse(str(amount)) for name, amount in said.items()}
    except QuantityError as error:
        raise StepError(str(error)) from None
