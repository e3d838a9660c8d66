"""The operation `cluster`: the effect of a sequence of actions on a cluster."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from dra_conform.conformance.case import Case, CaseStep, Objects
from dra_conform.conformance.cluster import answer as wire
from dra_conform.conformance.cluster import documents, question
from dra_conform.conformance.cluster.answer import ClusterAnswer
from dra_conform.conformance.cluster.expectation import (
    ClusterExpectation,
    ClusterExpectationBuilder,
    negations,
    without_declined,
)
from dra_conform.conformance.cluster.judged_parts import with_judges
from dra_conform.conformance.cluster.then_steps import THEN_STEPS
from dra_conform.conformance.cluster.when_steps import WHEN_STEPS
from dra_conform.conformance.operation import Operation, Probe
from dra_conform.conformance.steps.given import Given
from dra_conform.conformance.verdict import Judgement
from dra_conform.kube.json_values import Json, UncheckedJson
from dra_conform.kube.profile import Profile

_Expectations = Sequence[ClusterExpectation | None]

_NODE = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-1"}}
_POD = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "p", "namespace": "default"},
    "spec": {"containers": [{"name": "main", "image": "registry.k8s.io/pause:3.10"}]},
}


class Cluster(Operation[ClusterExpectation, ClusterAnswer]):
    """A multi-step scenario: existing objects, and actions in order, with one observation for each.

    Objects are not converted: a scenario may write them in an old API version.
    """

    name = "cluster"
    steps = (*WHEN_STEPS, *THEN_STEPS)
    multi_step = True
    probes = (
        Probe("an idle cluster", {"nodes": (_NODE,)}, {"actions": [{"do": "settle"}]}),
        Probe(
            "a pod without ResourceClaims",
            {"nodes": (_NODE,)},
            {"actions": [{"do": "create", "object": _POD}, {"do": "settle"}]},
        ),
    )

    def build_question(self, given: Given, actions: Sequence[Json]) -> tuple[Objects, Mapping[str, Json]]:
        return question.build_question(given, actions)

    def features(self, objects: Objects, ask: Mapping[str, Json]) -> frozenset[str]:
        return question.features(objects, ask)

    def gates_turned_on(self, ask: Mapping[str, Json]) -> frozenset[str]:
        return question.gates_turned_on(ask)

    def expect(self, ask: Mapping[str, Json], step_index: int) -> ClusterExpectationBuilder:
        return ClusterExpectationBuilder(ask, step_index)

    def complete_question(
        self, objects: Objects, ask: Mapping[str, Json], case_steps: Sequence[CaseStep]
    ) -> Mapping[str, Json]:
        return with_judges(objects, ask, case_steps)

    def read(self, body: Mapping[str, UncheckedJson]) -> ClusterAnswer:
        return wire.read(body)

    def write(self, answer: ClusterAnswer) -> dict[str, Json]:
        return wire.write(answer)

    def without_declined(
        self, expectation: ClusterExpectation, declined: Set[str]
    ) -> tuple[ClusterExpectation, frozenset[str]]:
        return without_declined(expectation, declined)

    def judge(
        self,
        case: Case,
        profile: Profile,
        expectations: _Expectations,
        answer: ClusterAnswer,
        *,
        strict: bool,
    ) -> Judgement:
        from dra_conform.conformance.cluster import judging  # noqa: PLC0415 - an adapter judges nothing

        return judging.judge(case, profile, expectations, answer, strict=strict)

    def negations(self, expectation: ClusterExpectation) -> Iterator[tuple[str, ClusterExpectation]]:
        return negations(expectation)

    def expected(self, expectations: _Expectations) -> UncheckedJson:
        return documents.expected(expectations)

    def actual(self, answer: ClusterAnswer) -> UncheckedJson:
        return documents.actual(answer)

    def align(
        self, case: Case, profile: str, expected: UncheckedJson, actual: UncheckedJson
    ) -> tuple[UncheckedJson, UncheckedJson]:
        return documents.align(case, expected, actual)
