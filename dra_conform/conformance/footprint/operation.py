"""The operation `footprint`: the node resource usage of a pod and of its ResourceClaims."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dra_conform.conformance.case import Case
from dra_conform.conformance.footprint import answer as wire
from dra_conform.conformance.footprint import judging
from dra_conform.conformance.footprint.answer import FootprintAnswer
from dra_conform.conformance.footprint.expectation import (
    FootprintExpectation,
    FootprintExpectationBuilder,
    negations,
)
from dra_conform.conformance.footprint.steps import STEPS
from dra_conform.conformance.operation import Operation, Probe, only
from dra_conform.conformance.verdict import Judgement
from dra_conform.kube.json_values import Json, UncheckedJson
from dra_conform.kube.profile import Profile
from dra_conform.kube.versions import to_v1

_Expectations = Sequence[FootprintExpectation | None]


def _probe(title: str, requests: dict[str, str]) -> Probe:
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p", "namespace": "default"},
        "spec": {"containers": [{"name": "main", "image": "i", "resources": {"requests": requests}}]},
    }
    return Probe(title, {"pods": (pod,)}, {"pod": "default/p", "from": "claims"})


class Footprint(Operation[FootprintExpectation, FootprintAnswer]):
    """The computation of a pod's node resource usage, by resource and by ResourceClaim, or its error."""

    name = "footprint"
    steps = STEPS
    probes = (
        _probe("the node resource usage of a pod that requests 1 cpu", {"cpu": "1"}),
        _probe("the node resource usage of a pod without requests", {}),
    )

    def convert(self, raw: Mapping[str, Json]) -> dict[str, Json]:
        """Return an object in v1."""
        return to_v1(dict(raw))

    def expect(self, ask: Mapping[str, Json], step_index: int) -> FootprintExpectationBuilder:
        return FootprintExpectationBuilder()

    def read(self, body: Mapping[str, UncheckedJson]) -> FootprintAnswer:
        return wire.read(body)

    def write(self, answer: FootprintAnswer) -> dict[str, Json]:
        return wire.write(answer)

    def judge(
        self,
        case: Case,
        profile: Profile,
        expectations: _Expectations,
        answer: FootprintAnswer,
        *,
        strict: bool,
    ) -> Judgement:
        return judging.judge(only(expectations), answer)

    def negations(self, expectation: FootprintExpectation) -> Iterator[tuple[str, FootprintExpectation]]:
        return negations(expectation)

    def expected(self, expectations: _Expectations) -> UncheckedJson:
        return judging.expected(only(expectations))

    def actual(self, answer: FootprintAnswer) -> UncheckedJson:
        return judging.actual(answer)

    def align(
        self, case: Case, profile: str, expected: UncheckedJson, actual: UncheckedJson
    ) -> tuple[UncheckedJson, UncheckedJson]:
        return judging.align(expected, actual)
