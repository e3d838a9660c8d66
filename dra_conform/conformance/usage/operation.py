"""The operation `usage`: the quota usage of the ResourceClaims and pods of a namespace, by quota name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import msgspec

from dra_conform.conformance.case import Case
from dra_conform.conformance.operation import Operation, Probe, only
from dra_conform.conformance.steps.pod_steps import with_derived_requests
from dra_conform.conformance.usage.steps import STEPS, UsageExpectation, UsageExpectationBuilder
from dra_conform.conformance.verdict import PASSED, Finding, Judgement, Kind, Verdict
from dra_conform.kube.json_values import Json, UncheckedJson
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity, QuantityError
from dra_conform.kube.versions import to_v1

_Expectations = Sequence[UsageExpectation | None]


@dataclass(frozen=True, slots=True)
class UsageAnswer:
    """The used quantities by quota name. An absent name means zero."""

    used: Mapping[str, str]


class _Counted(msgspec.Struct):
    outcome: Literal["counted"]
    used: dict[str, str]


_METADATA = {"name": "one", "namespace": "default"}
_CLAIM = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceClaim",
    "metadata": _METADATA,
    "spec": {
        "devices": {
            "requests": [
                {
                    "name": "r0",
                    "exactly": {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 2},
                }
            ]
        }
    },
}
_POD = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": _METADATA,
    "spec": {
        "containers": [{"name": "main", "image": "i", "resources": {"requests": {"example.com/gpu": "1"}}}]
    },
}
_ASK = {"namespace": "default"}


class Usage(Operation[UsageExpectation, UsageAnswer]):
    """The computation of the quota usage of a namespace from DeviceClasses, ResourceClaims and pods."""

    name = "usage"
    steps = STEPS
    probes = (
        Probe("the quota usage of a ResourceClaim for two devices", {"resourceClaims": (_CLAIM,)}, _ASK),
        Probe("the quota usage of a pod that requests an extended resource", {"pods": (_POD,)}, _ASK),
    )

    def convert(self, raw: Mapping[str, Json]) -> dict[str, Json]:
        """Return an object in v1, and pods with the requests that the API server derives from limits."""
        return with_derived_requests(to_v1(dict(raw)))

    def expect(self, ask: Mapping[str, Json], step_index: int) -> UsageExpectationBuilder:
        return UsageExpectationBuilder()

    def read(self, body: Mapping[str, UncheckedJson]) -> UsageAnswer:
        if "outcome" not in body:
            raise ValueError("the reply has status ok but no outcome, expected an outcome")
        return UsageAnswer(msgspec.convert(body, _Counted).used)

    def write(self, answer: UsageAnswer) -> dict[str, Json]:
        return {"outcome": "counted", "used": dict(answer.used)}

    def judge(
        self,
        case: Case,
        profile: Profile,
        expectations: _Expectations,
        answer: UsageAnswer,
        *,
        strict: bool,
    ) -> Judgement:
        """Compare every quota that the case names."""
        findings = tuple(_findings(only(expectations), answer))
        return Judgement(Verdict.FAIL, Kind.WRONG_RESULT, findings) if findings else PASSED

    def negations(self, expectation: UsageExpectation) -> Iterator[tuple[str, UsageExpectation]]:
        """Yield the expectation with one quota increased by 1, for each quota."""
        for index, use in enumerate(expectation.uses):
            more = replace(use, amount=use.amount + Quantity.whole(1))
            uses = (*expectation.uses[:index], more, *expectation.uses[index + 1 :])
            yield f"the used quantity of {use.quota}", replace(expectation, uses=uses)

    def expected(self, expectations: _Expectations) -> UncheckedJson:
        """Return the expected quantities by quota name."""
        uses = {use.quota: str(use.amount) for use in only(expectations).uses}
        return {"outcome": "counted", "used": uses}

    def align(
        self, case: Case, profile: str, expected: UncheckedJson, actual: UncheckedJson
    ) -> tuple[UncheckedJson, UncheckedJson]:
        """Keep only the expected quota names; equal quantities get the expected notation."""
        if not isinstance(expected, dict) or not isinstance(actual, dict):
            return expected, actual
        actual_use = {name: actual["used"].get(name, "0") for name in expected["used"]}
        used = {
            name: expected["used"][name] if _same(expected["used"][name], amount) else amount
            for name, amount in actual_use.items()
        }
        return expected, {**actual, "used": used}


def _findings(expectation: UsageExpectation, answer: UsageAnswer) -> Iterator[Finding]:
    for use in expectation.uses:
        used = answer.used.get(use.quota, "0")
        try:
            got = "" if Quantity.parse(used) == use.amount else used
        except QuantityError as error:
            got = str(error)
        if got:
            message = f"quota usage of {use.quota}: expected {use.amount}, got {got}"
            yield Finding("expectation", message, step=use.step)


def _same(expected: str, actual: str) -> bool:
    try:
        return Quantity.parse(expected) == Quantity.parse(actual)
    except QuantityError:
        return False
