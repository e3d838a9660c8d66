"""The expectations and the observations of a scenario as documents that can be compared, by step."""

from __future__ import annotations

from collections.abc import Sequence

from dra_conform.conformance.allocations.checks import Check
from dra_conform.conformance.allocations.documents import expected_result, pair, shown_results
from dra_conform.conformance.case import Case
from dra_conform.conformance.cluster.answer import ClusterAnswer, Done, Observation, Read, SteadyState
from dra_conform.conformance.cluster.expectation import BEFORE, NEW_SHARES, ClusterExpectation
from dra_conform.conformance.cluster.observed_scenario import State, has_new_shares, value_after
from dra_conform.conformance.cluster.other_observations import NOT_REPORTED
from dra_conform.conformance.observed_fields import PRESENT, observed_field, same
from dra_conform.conformance.served_fields import without_empty_fields
from dra_conform.conformance.writes.answer import AdmissionAnswer
from dra_conform.conformance.writes.judging import actual_write, aligned_write, expected_write
from dra_conform.kube.field_paths import ABSENT
from dra_conform.kube.json_values import Json
from dra_conform.kube.listing import counted

READ = "the object read"
ABSENT_SHOWN = "(absent)"
SET_SHOWN = "(set)"
AS_BEFORE = "(as before)"
_NEW_SHARES = "(with new share IDs)"


def expected(expectations: Sequence[ClusterExpectation | None]) -> dict[str, Json]:
    """Return the expected write, ResourceClaims and fields of each step, numbered from 1."""
    return {
        f"step {number}": _demanded(expectation)
        for number, expectation in enumerate(expectations, 1)
        if expectation is not None
    }


def _demanded(expectation: ClusterExpectation) -> dict[str, Json]:
    document: dict[str, Json] = {}
    if expectation.write is not None:
        document["write"] = expected_write(expectation.write)
    for check in expectation.claims:
        document.setdefault(f"ResourceClaim {check.claim}", {})["results"] = _results(check)
    for fact in expectation.facts:
        value = AS_BEFORE if fact.value is BEFORE else _shown(fact.value)
        value = _NEW_SHARES if fact.value is NEW_SHARES else value
        document.setdefault(fact.subject, {})[fact.path] = value
    return document


def _results(check: Check) -> Json:
    if check.count is not None:
        return counted(check.count, "device")
    choices = [[expected_result(result) for result in results] for results in check.choices]
    return choices[0] if len(choices) == 1 else {"one of": choices} if choices else "allocated"


def actual(answer: ClusterAnswer) -> dict[str, Json]:
    """Return the observation of each step, numbered from 1."""
    return {
        f"step {number}": _observed(observation) for number, observation in enumerate(answer.observations, 1)
    }


def _observed(observation: Observation) -> dict[str, Json]:
    match observation:
        case AdmissionAnswer():
            return {"write": actual_write(observation)}
        case Done(outcome=outcome):
            return {"outcome": outcome}
        case Read(object=served):
            return {READ: served}
        case SteadyState(objects=objects):
            others = {
                name: entries
                for name, entries in observation.other_observations.items()
                if entries is not None
            }
            return {"objects": objects, **others}


def align(case: Case, wanted: Json, answer: Json) -> tuple[Json, Json]:
    """Keep only the observations with an expectation, from the newest state of each step."""
    if not isinstance(wanted, dict) or not isinstance(answer, dict):
        return wanted, answer
    left, right = {}, {}
    states = [State.of(-1, case.objects)]
    for step, observed in answer.items():
        if "objects" in observed:
            states.append(State.of(0, observed["objects"], observed))
        if step in wanted:
            sides = {
                subject: _sides(subject, expected_values, observed, states)
                for subject, expected_values in wanted[step].items()
            }
            left[step] = {subject: expected_side for subject, (expected_side, _) in sides.items()}
            right[step] = {subject: actual_side for subject, (_, actual_side) in sides.items()}
    return left, right


def _sides(subject: str, expected_values: Json, observed: Json, states: Sequence[State]) -> tuple[Json, Json]:
    """Return both sides of one subject: the expectation and the observation."""
    if subject == "write":
        return aligned_write(expected_values, observed.get("write", observed))
    if subject == READ:
        served = without_empty_fields(observed.get(READ))
        actual = {path: observed_field(served, path) for path in expected_values}
        equal = {
            path
            for path, value in actual.items()
            if expected_values[path] == SET_SHOWN and value is not ABSENT
        }
        return expected_values, {
            path: SET_SHOWN if path in equal else _shown(value) for path, value in actual.items()
        }
    kind, _, name = subject.partition(" ")
    *earlier, newest = states
    before = earlier[-1] if earlier else newest
    left, right = dict(expected_values), {}
    for path, value in expected_values.items():
        if path == "results":
            left[path], right[path] = _result_sides(value, newest.find(kind, name))
            continue
        actual = value_after(newest, earlier, kind, name, path)
        if actual is NOT_REPORTED:
            right[path] = value
        elif value == AS_BEFORE and same(actual, before.value(kind, name, path), path):
            right[path] = AS_BEFORE
        elif value == _NEW_SHARES and has_new_shares(earlier, actual):
            right[path] = _NEW_SHARES
        else:
            right[path] = _shown(actual)
            right[path] = value if same(value, right[path], path) else right[path]
    return left, right


def _result_sides(wanted: Json, claim: Json) -> tuple[Json, Json]:
    allocation = observed_field(claim, "status.allocation")
    if allocation is ABSENT:
        return wanted, ABSENT_SHOWN
    results = shown_results(allocation)
    if isinstance(wanted, list):
        left, right = pair(wanted, results, (), whole=False)
        return left, right
    if isinstance(wanted, str):
        return wanted, counted(len(results), "device") if wanted != "allocated" else wanted
    return wanted, results


def _shown(value: Json) -> Json:
    return SET_SHOWN if value is PRESENT else ABSENT_SHOWN if value is ABSENT else value
