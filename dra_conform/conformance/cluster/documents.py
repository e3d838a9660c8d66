"""The expectations and the observations of a scenario as documents that can be compared, by step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dra_conform.conformance.admit import documents as admission
from dra_conform.conformance.admit.answer import AdmissionAnswer
from dra_conform.conformance.admit.expectation import PRESENT
from dra_conform.conformance.admit.judging import same
from dra_conform.conformance.allocate.alignment import pair
from dra_conform.conformance.allocate.documents import expected_result, shown_results
from dra_conform.conformance.allocate.expectation import Check
from dra_conform.conformance.case import Case
from dra_conform.conformance.cluster.answer import ClusterAnswer, Done, Observation, Read, SteadyState
from dra_conform.conformance.cluster.expectation import BEFORE, NEW_SHARES, ClusterExpectation
from dra_conform.conformance.cluster.observed_scenario import State, has_new_shares, seen
from dra_conform.conformance.cluster.other_observations import NOT_REPORTED
from dra_conform.conformance.operation import Expectations
from dra_conform.kube.field_paths import ABSENT

Json = Any

READ = "the object read"
ABSENT_SHOWN = "(absent)"
SET_SHOWN = "(set)"
AS_BEFORE = "(as before)"
_NEW_SHARES = "(with new share IDs)"


def expected(expectations: Expectations) -> Json:
    """Return the expected write, ResourceClaims and fields of each step, numbered from 1."""
    return {
        f"step {number}": _demanded(one)
        for number, one in enumerate(expectations, 1)
        if isinstance(one, ClusterExpectation)
    }


def _demanded(expectation: ClusterExpectation) -> dict[str, Json]:
    document: dict[str, Json] = {}
    if expectation.write is not None:
        document["write"] = admission.expected([expectation.write])
    for check in expectation.claims:
        document.setdefault(f"ResourceClaim {check.claim}", {})["results"] = _results(check)
    for fact in expectation.facts:
        value = AS_BEFORE if fact.value is BEFORE else _shown(fact.value)
        value = _NEW_SHARES if fact.value is NEW_SHARES else value
        document.setdefault(fact.subject, {})[fact.path] = value
    return document


def _results(check: Check) -> Json:
    if check.count is not None:
        return f"{check.count} device(s)"
    choices = [[expected_result(one) for one in results] for results in check.choices]
    return choices[0] if len(choices) == 1 else {"one of": choices} if choices else "allocated"


def actual(answer: ClusterAnswer) -> Json:
    """Return the observation of each step, numbered from 1."""
    return {f"step {number}": _observed(one) for number, one in enumerate(answer.observations, 1)}


def _observed(observation: Observation) -> dict[str, Json]:
    match observation:
        case AdmissionAnswer():
            return {"write": admission.actual(observation)}
        case Done(outcome=outcome):
            return {"outcome": outcome}
        case Read(object=found):
            return {READ: found}
        case SteadyState(objects=objects):
            others = {name: one for name, one in observation.other_observations.items() if one is not None}
            return {"objects": objects, **others}


def align(case: Case, profile: str, wanted: Json, answer: Json) -> tuple[Json, Json]:
    """Keep only the observations with an expectation, from the newest state of each step."""
    if not isinstance(wanted, dict) or not isinstance(answer, dict):
        return wanted, answer
    left, right = {}, {}
    states = [State(-1, case.objects)]
    for act, observed in answer.items():
        if "objects" in observed:
            states.append(State(0, observed["objects"], observed))
        if act in wanted:
            sides = {
                subject: _sides(case, profile, subject, said, observed, states)
                for subject, said in wanted[act].items()
            }
            left[act] = {subject: one for subject, (one, _) in sides.items()}
            right[act] = {subject: other for subject, (_, other) in sides.items()}
    return left, right


def _sides(
    case: Case, profile: str, subject: str, said: Json, observed: Json, states: Sequence[State]
) -> tuple[Json, Json]:
    """Return both sides of one subject: the expectation and the observation."""
    if subject == "write":
        return admission.align(case, profile, said, observed.get("write", observed))
    if subject == READ:
        found = {path: seen(observed.get(READ), path) for path in said}
        equal = {path for path, value in found.items() if said[path] == SET_SHOWN and value is not ABSENT}
        return said, {path: SET_SHOWN if path in equal else _shown(value) for path, value in found.items()}
    kind, _, name = subject.partition(" ")
    *earlier, newest = states
    before = earlier[-1] if earlier else newest
    left, right = dict(said), {}
    for path, value in said.items():
        if path == "results":
            left[path], right[path] = _result_sides(value, newest.find(kind, name))
            continue
        found = newest.value(kind, name, path)
        if found is NOT_REPORTED:
            right[path] = value
        elif value == AS_BEFORE and same(found, before.value(kind, name, path)):
            right[path] = AS_BEFORE
        elif value == _NEW_SHARES and has_new_shares(earlier, found):
            right[path] = _NEW_SHARES
        else:
            right[path] = _shown(found)
            right[path] = value if same(value, right[path]) else right[path]
    return left, right


def _result_sides(wanted: Json, claim: Json) -> tuple[Json, Json]:
    allocation = seen(claim, "status.allocation")
    if allocation is ABSENT:
        return wanted, ABSENT_SHOWN
    results = shown_results(allocation)
    if isinstance(wanted, list):
        left, right = pair(wanted, results, (), whole=False)
        return left, right
    if isinstance(wanted, str):
        return wanted, f"{len(results)} device(s)" if wanted != "allocated" else wanted
    return wanted, results


def _shown(value: Json) -> Json:
    return SET_SHOWN if value is PRESENT else ABSENT_SHOWN if value is ABSENT else value
