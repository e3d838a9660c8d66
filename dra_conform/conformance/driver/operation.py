"""The operation `driver`: a DRA driver's answers to the kubelet, ResourceSlices, and files on the node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dra_conform.conformance.case import Objects
from dra_conform.conformance.checked_observations import (
    CheckedObservations,
    CheckedStepBuilder,
    ObservationInvariant,
)
from dra_conform.conformance.driver import answer as answers
from dra_conform.conformance.driver import question
from dra_conform.conformance.driver.answer import DriverAnswer
from dra_conform.conformance.driver.call_history import History
from dra_conform.conformance.driver.preparation_checks import OtherCDIUnchanged, PrepareFails
from dra_conform.conformance.driver.publication_checks import OtherSlicesUnchanged
from dra_conform.conformance.driver.then_steps import THEN_STEPS
from dra_conform.conformance.driver.when_steps import WHEN_STEPS
from dra_conform.conformance.operation import Probe
from dra_conform.conformance.requirement import SHOULD
from dra_conform.conformance.steps.given import Given
from dra_conform.kube.json_values import CheckedJson, Json


class Driver(CheckedObservations[DriverAnswer]):
    """The operation `driver`: its question has ResourceClaims and actions, its answer one observation for
    each action."""

    name = "driver"
    steps = (*WHEN_STEPS, *THEN_STEPS)
    subject = "driver"
    invariants = (
        ObservationInvariant(
            "slices-of-others-unchanged", "DRIVER/slices/others-unchanged", OtherSlicesUnchanged()
        ),
        ObservationInvariant(
            "cdi-spec-of-others-kept", "DRIVER/prepare/cdi-of-others", OtherCDIUnchanged(), SHOULD
        ),
    )
    probes = (Probe("a driver that prepares no claims", {}, {"actions": [{"do": "call-empty"}]}),)

    def build_question(
        self, given: Given, actions: Sequence[CheckedJson]
    ) -> tuple[Objects, Mapping[str, CheckedJson]]:
        return question.build_question(given, actions)

    def features(self, objects: Objects, ask: Mapping[str, CheckedJson]) -> frozenset[str]:
        return question.features(objects, ask)

    def gates_turned_on(self, ask: Mapping[str, CheckedJson]) -> frozenset[str]:
        return question.gates_turned_on(ask)

    def expect(self, ask: Mapping[str, CheckedJson], step_index: int) -> CheckedStepBuilder:
        return CheckedStepBuilder((PrepareFails,))

    def read(self, body: Mapping[str, Json]) -> DriverAnswer:
        return answers.read(body)

    def write(self, answer: DriverAnswer) -> dict[str, CheckedJson]:
        return answers.write(answer)

    def history(self, answer: DriverAnswer, index: int) -> History:
        return History(answer, index)

    def question(self, ask: Mapping[str, CheckedJson]) -> str:
        return question.question_in_words(ask)
