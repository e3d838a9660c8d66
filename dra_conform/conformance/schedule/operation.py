"""The operation `schedule`: scheduling attempts phase by phase, and the changes that cause retries."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence

from dra_conform.conformance.case import Case, Objects
from dra_conform.conformance.features import features_of
from dra_conform.conformance.operation import Operation, Probe
from dra_conform.conformance.schedule import answer as wire
from dra_conform.conformance.schedule import judging
from dra_conform.conformance.schedule.answer import ScheduleAnswer
from dra_conform.conformance.schedule.expectation import (
    ScheduleExpectation,
    ScheduleExpectationBuilder,
    negations,
)
from dra_conform.conformance.schedule.then_steps import THEN_STEPS
from dra_conform.conformance.schedule.when_steps import WHEN_STEPS
from dra_conform.conformance.steps.given import NAMESPACE, NODE, Given
from dra_conform.conformance.steps.pod_steps import with_derived_requests
from dra_conform.conformance.verdict import Judgement
from dra_conform.kube.json_values import Json, UncheckedJson
from dra_conform.kube.objects import COLLECTIONS
from dra_conform.kube.profile import Profile
from dra_conform.kube.versions import to_v1

_Expectations = Sequence[ScheduleExpectation | None]

_UIDS = uuid.UUID("0d3f4c52-6a55-4f7b-8a17-5a6c1e6f5d04")
_NAMESPACED = ("Pod", "ResourceClaim")
_NODE = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-1"}}


def _probe(title: str, claims: list[Json]) -> Probe:
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p", "namespace": "default", "uid": "6a1f2b34-5c1d-4d5e-8f90-0a1b2c3d4e5f"},
        "spec": {
            "containers": [{"name": "main", "image": "registry.k8s.io/pause:3.10"}],
            **({"resourceClaims": claims} if claims else {}),
        },
    }
    return Probe(title, {"nodes": (_NODE,), "pods": (pod,)}, {"actions": [{"do": "try", "pod": "default/p"}]})


class Schedule(Operation[ScheduleExpectation, ScheduleAnswer]):
    """Scheduling attempts of pods, phase by phase, with one observation for each action."""

    name = "schedule"
    steps = (*WHEN_STEPS, *THEN_STEPS)
    multi_step = True
    probes = (
        _probe("a pod without ResourceClaims", []),
        _probe("a pod whose ResourceClaim is missing", [{"name": "gpu", "resourceClaimName": "missing"}]),
    )

    def convert(self, raw: Mapping[str, Json]) -> dict[str, Json]:
        """Return an object in v1, and pods with the requests that the API server derives from limits."""
        return with_derived_requests(to_v1(dict(raw)))

    def build_question(self, given: Given, actions: Sequence[Json]) -> tuple[Objects, Mapping[str, Json]]:
        """Return all objects and the actions.

        Pods and ResourceClaims get a UID. If the setup has no node, a default node is added.
        """
        objects = dict(given.objects_by_collection())
        if not given.names("Node"):
            objects["nodes"] = ({"apiVersion": "v1", "kind": "Node", "metadata": {"name": NODE}},)
        for kind in _NAMESPACED:
            if kind in {raw["kind"] for items in objects.values() for raw in items}:
                objects[COLLECTIONS[kind]] = tuple(map(_with_uid, objects[COLLECTIONS[kind]]))
        identified = [
            {**action, "object": _with_uid(action["object"])}
            if action["do"] == "create" and action["object"]["kind"] in _NAMESPACED
            else dict(action)
            for action in actions
        ]
        return objects, {"actions": identified}

    def features(self, objects: Objects, ask: Mapping[str, Json]) -> frozenset[str]:
        """Return the feature ids of all objects, including those that actions create."""
        all_objects: dict[str, list[Json]] = {name: list(items) for name, items in objects.items()}
        for action in ask["actions"]:
            if action["do"] == "create":
                all_objects.setdefault(COLLECTIONS[action["object"]["kind"]], []).append(action["object"])
        return features_of(all_objects)

    def expect(self, ask: Mapping[str, Json], step_index: int) -> ScheduleExpectationBuilder:
        return ScheduleExpectationBuilder(ask, step_index)

    def read(self, body: Mapping[str, UncheckedJson]) -> ScheduleAnswer:
        return wire.read(body)

    def write(self, answer: ScheduleAnswer) -> dict[str, Json]:
        return wire.write(answer)

    def judge(
        self,
        case: Case,
        profile: Profile,
        expectations: _Expectations,
        answer: ScheduleAnswer,
        *,
        strict: bool,
    ) -> Judgement:
        choice_counts = strict or not case.order
        return judging.judge(case.ask["actions"], expectations, answer, choice_counts=choice_counts)

    def negations(self, expectation: ScheduleExpectation) -> Iterator[tuple[str, ScheduleExpectation]]:
        return negations(expectation)

    def expected(self, expectations: _Expectations) -> UncheckedJson:
        return judging.expected(expectations)

    def actual(self, answer: ScheduleAnswer) -> UncheckedJson:
        return judging.actual(answer)

    def align(
        self, case: Case, profile: str, expected: UncheckedJson, actual: UncheckedJson
    ) -> tuple[UncheckedJson, UncheckedJson]:
        return judging.align(expected, actual)


def _with_uid(raw: Mapping[str, Json]) -> dict[str, Json]:
    metadata = {"namespace": NAMESPACE, **raw["metadata"]}
    name = f"{raw['kind']} {metadata['namespace']}/{metadata.get('name')}"
    return {**raw, "metadata": {"uid": str(uuid.uuid5(_UIDS, name)), **metadata}}
