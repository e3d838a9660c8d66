"""The operation `admit`: whether a write is accepted, and what is stored or reported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dra_conform.conformance.case import Case, Objects
from dra_conform.conformance.features import features_of
from dra_conform.conformance.operation import Operation, Probe, only
from dra_conform.conformance.steps.given import NODE, Given, collected, in_v1, not_in_setup
from dra_conform.conformance.steps.step import StepError
from dra_conform.conformance.steps.written_objects import with_fields
from dra_conform.conformance.verdict import Judgement
from dra_conform.conformance.writes import answer as wire
from dra_conform.conformance.writes.answer import AdmissionAnswer
from dra_conform.conformance.writes.expectation import (
    AdmissionExpectation,
    AdmissionExpectationBuilder,
    negated_writes,
)
from dra_conform.conformance.writes.judging import actual_write, aligned_write, expected_write, judge_write
from dra_conform.conformance.writes.steps import THEN_STEPS, WHEN_STEPS
from dra_conform.kube.json_values import Json, UncheckedJson
from dra_conform.kube.profile import Profile

_Expectations = Sequence[AdmissionExpectation | None]


def _probe(title: str, selector: dict[str, Json]) -> Probe:
    written = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": "any"},
        "spec": {"selectors": [selector]},
    }
    return Probe(title, {}, {"verb": "create", "object": written})


class Admit(Operation[AdmissionExpectation, AdmissionAnswer]):
    """One write to the API server: the answer is the stored object or all errors.

    Objects are not converted: they may have unknown fields, wrong types or an old API version.
    """

    name = "admit"
    steps = (*WHEN_STEPS, *THEN_STEPS)
    probes = (
        _probe("a valid DeviceClass", {"cel": {"expression": "true"}}),
        _probe("an invalid DeviceClass", {}),
    )

    def build_question(self, given: Given, actions: Sequence[Json]) -> tuple[Objects, Mapping[str, Json]]:
        """Return the existing objects, and the write. The written object is removed from existing objects.

        For an update, the object of the setup with the same kind and name is the stored object.
        """
        [action] = actions
        objects = given.all_objects((given.names("Node") or [NODE])[0])
        existing = _object_of_setup(objects, action)
        written = action.get("object", existing)
        ask: dict[str, Json] = {
            "verb": action["verb"],
            "object": with_fields(written, action["fields"]),
        }
        if existing is not None:
            objects.remove(existing)
        if action["verb"] == "update":
            ask["old"] = existing
        ask |= {name: action[name] for name in ("subresource", "user") if name in action}
        return collected(objects), ask

    def features(self, objects: Objects, ask: Mapping[str, Json]) -> frozenset[str]:
        """Return the feature ids of the written and of the stored object."""
        written = (raw for raw in (ask["object"], ask.get("old")) if raw is not None)
        return features_of(collected(in_v1(written)))

    def expect(self, ask: Mapping[str, Json], step_index: int) -> AdmissionExpectationBuilder:
        return AdmissionExpectationBuilder(ask)

    def read(self, body: Mapping[str, UncheckedJson]) -> AdmissionAnswer:
        return wire.read(body)

    def write(self, answer: AdmissionAnswer) -> dict[str, Json]:
        return wire.write(answer)

    def judge(
        self,
        case: Case,
        profile: Profile,
        expectations: _Expectations,
        answer: AdmissionAnswer,
        *,
        strict: bool,
    ) -> Judgement:
        return judge_write(only(expectations), case.ask["object"], answer, strict)

    def negations(self, expectation: AdmissionExpectation) -> Iterator[tuple[str, AdmissionExpectation]]:
        return negated_writes(expectation)

    def expected(self, expectations: _Expectations) -> UncheckedJson:
        return expected_write(only(expectations))

    def actual(self, answer: AdmissionAnswer) -> UncheckedJson:
        return actual_write(answer)

    def align(
        self, case: Case, profile: str, expected: UncheckedJson, actual: UncheckedJson
    ) -> tuple[UncheckedJson, UncheckedJson]:
        return aligned_write(expected, actual)


def _object_of_setup(
    objects: Sequence[dict[str, Json]], action: Mapping[str, Json]
) -> dict[str, Json] | None:
    """Return the object of the setup that is created or updated; None if the When step has the object."""
    if "kind" in action:
        return _find_by_name(objects, action["kind"], action["name"])
    if action["verb"] == "create":
        return None
    written = action["object"]
    metadata = written.get("metadata")
    name = metadata.get("name") if isinstance(metadata, Mapping) else None
    return _find_by_name(objects, str(written.get("kind")), str(name))


def _find_by_name(objects: Sequence[dict[str, Json]], kind: str, name: str) -> dict[str, Json]:
    known = [raw for raw in objects if raw["kind"] == kind]
    for raw in known:
        if raw["metadata"].get("name") == name:
            return raw
    names = ", ".join(str(raw["metadata"].get("name")) for raw in known)
    raise StepError(not_in_setup(kind, name, names))
