"""The operation `kubelet`: a kubelet's calls to DRA drivers and the devices of its containers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dra_conform.conformance.case import Objects
from dra_conform.conformance.checked_observations import CheckedObservations, CheckedStepBuilder
from dra_conform.conformance.kubelet import answer as answers
from dra_conform.conformance.kubelet import question
from dra_conform.conformance.kubelet.answer import KubeletAnswer
from dra_conform.conformance.kubelet.call_history import History
from dra_conform.conformance.kubelet.container_checks import CannotStart
from dra_conform.conformance.kubelet.node_checks import RegistrationRejected
from dra_conform.conformance.kubelet.pod_checks import Fails
from dra_conform.conformance.kubelet.then_steps import THEN_STEPS
from dra_conform.conformance.kubelet.when_steps import WHEN_STEPS
from dra_conform.conformance.operation import Probe
from dra_conform.conformance.steps.given import Given
from dra_conform.kube.json_values import CheckedJson, Json


class Kubelet(CheckedObservations[KubeletAnswer]):
    """The operation `kubelet`: its question has pods, ResourceClaims, drivers and actions, its answer one
    observation for each action."""

    name = "kubelet"
    steps = (*WHEN_STEPS, *THEN_STEPS)
    subject = "kubelet"
    probes = (Probe("a kubelet that is restarted", {}, {"actions": [{"do": "restart-kubelet"}]}),)

    def convert(self, raw: Mapping[str, CheckedJson]) -> dict[str, CheckedJson]:
        return question.convert(raw)

    def build_question(
        self, given: Given, actions: Sequence[CheckedJson]
    ) -> tuple[Objects, Mapping[str, CheckedJson]]:
        return question.build_question(given, actions)

    def features(self, objects: Objects, ask: Mapping[str, CheckedJson]) -> frozenset[str]:
        return question.features(objects, ask)

    def expect(self, ask: Mapping[str, CheckedJson], step_index: int) -> CheckedStepBuilder:
        return CheckedStepBuilder((Fails, RegistrationRejected, CannotStart))

    def read(self, body: Mapping[str, Json]) -> KubeletAnswer:
        return answers.read(body)

    def write(self, answer: KubeletAnswer) -> dict[str, CheckedJson]:
        return answers.write(answer)

    def history(self, answer: KubeletAnswer, index: int) -> History:
        return History(answer, index)

    def question(self, ask: Mapping[str, CheckedJson]) -> str:
        return question.question_in_words(ask)
