"""The expectation of one step of a kubelet's case: checks that all must be met."""

from __future__ import annotations

from dataclasses import dataclass, field

from dra_conform.conformance.kubelet.checks import REJECTIONS, Check, History
from dra_conform.conformance.steps.step import StepError


@dataclass(frozen=True, slots=True)
class ExpectedCheck:
    """A check and the index of its Then. A negated check is met if the check is not."""

    check: Check
    step: int
    negated: bool = False

    def problem(self, history: History) -> str:
        """Return what is wrong, empty if the demand is met."""
        problem = history.now.problem or self.check.problem(history)
        if not self.negated:
            return problem
        return "" if problem else "the demand is met, expected it not to be"


@dataclass(frozen=True, slots=True)
class KubeletExpectation:
    """The checks of one step."""

    checks: tuple[ExpectedCheck, ...]
    steps: tuple[str, ...] = ()

    @property
    def accepts(self) -> bool:
        return any(not isinstance(expected.check, REJECTIONS) for expected in self.checks)

    @property
    def refuses(self) -> bool:
        return any(isinstance(expected.check, REJECTIONS) for expected in self.checks)


@dataclass
class KubeletExpectationBuilder:
    """Collects the Then steps of one step."""

    steps: list[str] = field(default_factory=list)
    checks: list[ExpectedCheck] = field(default_factory=list)

    def expect(self, check: Check) -> None:
        """Add the check of the newest Then step; raises StepError for the same check twice."""
        if any(expected.check == check for expected in self.checks):
            raise StepError("is demanded twice in the step, expected it once")
        self.checks.append(ExpectedCheck(check, len(self.steps) - 1))

    def build(self) -> KubeletExpectation:
        """Return the expectation."""
        return KubeletExpectation(tuple(self.checks), tuple(self.steps))
