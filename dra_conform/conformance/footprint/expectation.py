"""The expected node resource usage of a pod."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from dra_conform.conformance.footprint.answer import FootprintErrorReason
from dra_conform.conformance.steps.step import StepError
from dra_conform.kube.quantity import Quantity

Amounts = Mapping[str, Quantity]


@dataclass(frozen=True, slots=True)
class ExpectedClaimUsage:
    """The expected usage of a ResourceClaim. A member that is None is not compared.

    Empty resources and overhead mean that there is no entry. `overhead` is by resource, then by `perPod` or
    `perContainer`. `containers` are in any order.
    """

    claim: str
    resources: Amounts | None = None
    overhead: Mapping[str, Amounts] | None = None
    containers: tuple[str, ...] | None = None
    step: int = 0


@dataclass(frozen=True, slots=True)
class FootprintExpectation:
    """The correct answer: the resource usage, or an error. A `reason` of None matches any error."""

    resources: Amounts | None = None
    resources_step: int = 0
    claims: tuple[ExpectedClaimUsage, ...] = ()
    is_error: bool = False
    reason: FootprintErrorReason | None = None
    steps: tuple[str, ...] = ()

    @property
    def accepts(self) -> bool:
        return not self.is_error

    @property
    def rejects(self) -> bool:
        return self.is_error


@dataclass
class FootprintExpectationBuilder:
    """Collects the Then steps of a question for node resource usage."""

    resources: Amounts | None = None
    resources_step: int = 0
    claims: list[ExpectedClaimUsage] = field(default_factory=list)
    is_error: bool | None = None
    reason: FootprintErrorReason | None = None
    steps: list[str] = field(default_factory=list)

    def expect_pod_usage(self, resources: Amounts) -> None:
        """Record the expected usage of the pod; raises StepError after an expected error."""
        self._decide(is_error=False)
        self.resources, self.resources_step = resources, len(self.steps) - 1

    def expect_claim_usage(self, expect_claim_usage: ExpectedClaimUsage) -> None:
        """Record the expected usage of a ResourceClaim; raises StepError after an expected error."""
        self._decide(is_error=False)
        self.claims.append(expect_claim_usage)

    def expect_error(self, reason: FootprintErrorReason | None) -> None:
        """Record an expected error; raises StepError if an earlier Then step expects usage."""
        self._decide(is_error=True)
        self.reason = reason or self.reason

    def _decide(self, *, is_error: bool) -> None:
        if self.is_error not in (None, is_error):
            raise StepError("contradicts the outcome of an earlier Then step, expected the same outcome")
        self.is_error = is_error

    def build(self) -> FootprintExpectation:
        """Return the expectation; raises StepError if no Then step states the outcome."""
        if self.is_error is None:
            raise StepError("has no outcome, expected at least one Then step")
        return FootprintExpectation(
            self.resources,
            self.resources_step,
            tuple(self.claims),
            self.is_error,
            self.reason,
            tuple(self.steps),
        )


def negations(expectation: FootprintExpectation) -> Iterator[tuple[str, FootprintExpectation]]:
    """Yield the other outcome, another error, larger quantities, and one more container."""
    if expectation.is_error:
        yield "its outcome", FootprintExpectation(resources={})
        if expectation.reason is not None:
            other_reason = next(reason for reason in FootprintErrorReason if reason is not expectation.reason)
            yield "its reason", replace(expectation, reason=other_reason)
        return
    yield "its outcome", FootprintExpectation(is_error=True)
    if expectation.resources is not None:
        yield "the usage of the pod", replace(expectation, resources=_more(expectation.resources))
    for index, usage in enumerate(expectation.claims):
        negated = [replace(usage, resources=_more(usage.resources or {}))]
        if usage.containers is not None:
            negated.append(replace(usage, containers=(*usage.containers, "no-such-container")))
        for negated_usage in negated:
            claims = (*expectation.claims[:index], negated_usage, *expectation.claims[index + 1 :])
            yield f"the usage of ResourceClaim {usage.claim}", replace(expectation, claims=claims)


def _more(amounts: Amounts) -> Amounts:
    """Return quantities that are a nano-unit larger, or a quantity of cpu if there are none."""
    if not amounts:
        return {"cpu": Quantity(1)}
    return {name: Quantity(amount.nano + 1, amount.format) for name, amount in amounts.items()}
