"""Expectation and observations of a story as documents of one shape, act by act."""

from __future__ import annotations

from typing import Any

from dra_conform.conformance.admit import documents as admission
from dra_conform.conformance.admit.answer import AdmissionAnswer
from dra_conform.conformance.allocate.documents import expected_result, shown_results
from dra_conform.conformance.allocate.expectation import Check
from dra_conform.conformance.case import Case
from dra_conform.conformance.cluster.answer import Done, Observation, Read, Settled, StoryAnswer
from dra_conform.conformance.cluster.expectation import BEFORE, ActExpectation
from dra_conform.conformance.cluster.told import State
from dra_conform.conformance.operation import Expectations
from dra_conform.kube.field_paths import ABSENT, field_at

Json = Any


def expected(expectations: Expectations) -> Json:
    """What is demanded of each act, by its number from 1: what became of its write, claims, and fields."""
    return {
        f"act {number}": _demanded(one)
        for number, one in enumerate(expectations, 1)
        if isinstance(one, ActExpectation)
    }


def _demanded(expectation: ActExpectation) -> dict[str, Json]:
    document: dict[str, Json] = {}
    if expectation.write is not None:
        document["write"] = admission.expected([expectation.write])
    for check in expectation.claims:
        document.setdefault(f"ResourceClaim {check.claim}", {})["results"] = _results(check)
    for fact in expectation.facts:
        value = "(absent)" if fact.value is ABSENT else "(as before)" if fact.value is BEFORE else fact.value
        document.setdefault(fact.subject, {})[fact.path] = value
    return document


def _results(check: Check) -> Json:
    if check.count is not None:
        return f"{check.count} device(s)"
    choices = [[expected_result(one) for one in results] for results in check.choices]
    return choices[0] if len(choices) == 1 else {"one of": choices} if choices else "allocated"


def actual(answer: StoryAnswer) -> Json:
    """What was observed after each act; of a state the pods and the claims."""
    return {f"act {number}": _observed(one) for number, one in enumerate(answer.observations, 1)}


def _observed(observation: Observation) -> Json:
    match observation:
        case AdmissionAnswer():
            return {"write": admission.actual(observation)}
        case Done(outcome=outcome):
            return {"outcome": outcome}
        case Read(object=found):
            return {"what is read": found}
        case Settled(objects=objects):
            state = State(0, objects)
            pods = {f"Pod {key}": _pod(one) for key, one in state.pods.items()}
            return pods | {f"ResourceClaim {key}": _claim(one) for key, one in state.claims.items()}


def _pod(pod: Json) -> dict[str, Json]:
    document = {
        "status.phase": field_at(pod, "status.phase"),
        "spec.nodeName": field_at(pod, "spec.nodeName"),
    }
    return {path: value for path, value in document.items() if value is not ABSENT}


def _claim(claim: Json) -> dict[str, Json]:
    allocation = field_at(claim, "status.allocation")
    reserved = field_at(claim, "status.reservedFor")
    return {
        "results": "(absent)" if allocation is ABSENT else shown_results(allocation),
        "status.reservedFor": [one.get("name") for one in (() if reserved is ABSENT else reserved)],
    }


def align(case: Case, profile: str, wanted: Json, answer: Json) -> tuple[Json, Json]:
    """Only the acts of which something is demanded."""
    if not isinstance(wanted, dict) or not isinstance(answer, dict):
        return wanted, answer
    return wanted, {act: _beside(wanted[act], answer[act]) for act in wanted if act in answer}


def _beside(wanted: Json, answer: Json) -> Json:
    """Of what was observed, what something is demanded of, if that can be seen in this act's observation."""
    if not isinstance(wanted, dict) or not isinstance(answer, dict):
        return answer
    named = {name: answer[name] for name in wanted if name in answer}
    return named or answer
