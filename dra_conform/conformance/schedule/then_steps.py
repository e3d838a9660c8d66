"""The then steps of attempts: how phases end, what is stored and in flight after them, who is tried again."""

from __future__ import annotations

import re
from typing import Any, Literal

from dra_conform.conformance.admit.when_steps import by_path, checked_path
from dra_conform.conformance.cluster.references import of_kind
from dra_conform.conformance.schedule.answer import AttemptCode, AttemptPhase
from dra_conform.conformance.schedule.expectation import (
    DEVICES,
    ExpectedEnd,
    ExpectedInFlight,
    ExpectedRetry,
    ScheduleExpectationBuilder,
    StoredAfter,
)
from dra_conform.conformance.steps.given import claim_key
from dra_conform.conformance.steps.step import Json, Params, Step, Table, listed, phrase
from dra_conform.kube.field_paths import ABSENT
from dra_conform.kube.objects import COLLECTIONS

_KINDS = "|".join(COLLECTIONS)
_PHASES = "|".join(AttemptPhase)
_CODES = "|".join(AttemptCode)
_CHANGING = "PostFilter|Reserve|PreBind|Bind|Unreserve"
"""The phases after which something may be otherwise than before."""

_Phase = Literal["PreEnqueue", "PreFilter", "Filter", "PostFilter", "Reserve", "PreBind", "Bind", "Unreserve"]
_Changing = Literal["PostFilter", "Reserve", "PreBind", "Bind", "Unreserve"]


class EndedPhase(Params, frozen=True, kw_only=True):
    """How a phase ends, on one node or on all that it is about; `because` is in a reason, in any case."""

    phase: _Phase
    code: Literal["Success", "Unschedulable", "UnschedulableAndUnresolvable", "Error", "Wait"]
    node: str = ""
    because: str = ""


class ClaimsInFlight(Params, frozen=True, kw_only=True):
    """The claims that are in flight after a phase, all of them."""

    after: _Changing
    claims: tuple[str, ...] = ()


class HeldAfter(Params, frozen=True, kw_only=True):
    """The devices that a claim has in the store after a phase; none where it is not allocated."""

    after: _Changing
    claim: str
    devices: tuple[str, ...] = ()


class ReservedAfter(Params, frozen=True, kw_only=True):
    """The pods that a claim is reserved for after a phase, all of them."""

    after: _Changing
    claim: str
    pods: tuple[str, ...] = ()


class ObjectAfter(Params, frozen=True, kw_only=True):
    """Fields of an object after a phase, by path; null is a field that is not there. Without any the object
    does not exist."""

    after: _Changing
    kind: str
    name: str
    fields: dict[str, Any] = {}


class RetriedPod(Params, frozen=True, kw_only=True):
    """Whether a pod is tried again."""

    pod: str
    again: bool = True


def _ends(then: ScheduleExpectationBuilder, params: EndedPhase) -> None:
    then.of_attempt()
    phase, code = AttemptPhase(params.phase), AttemptCode(params.code)
    then.ends.append(ExpectedEnd(phase, code, params.node, params.because, then.step))


def _unreached(then: ScheduleExpectationBuilder, params: _Phase) -> None:
    then.of_attempt()
    then.ends.append(ExpectedEnd(AttemptPhase(params), None, step=then.step))


def _in_flight(then: ScheduleExpectationBuilder, params: ClaimsInFlight) -> None:
    then.of_attempt()
    then.in_flight.append(ExpectedInFlight(AttemptPhase(params.after), params.claims, then.step))


def _stored(
    then: ScheduleExpectationBuilder, after: str, kind: str, name: str, fields: dict[str, Json]
) -> None:
    then.of_attempt()
    for path, value in fields.items():
        then.stored.append(StoredAfter(AttemptPhase(after), kind, name, path, value, then.step))


def _holds(then: ScheduleExpectationBuilder, params: HeldAfter) -> None:
    value = sorted(params.devices) or ABSENT
    _stored(then, params.after, "ResourceClaim", params.claim, {DEVICES: value})


def _reserved(then: ScheduleExpectationBuilder, params: ReservedAfter) -> None:
    pods = sorted(claim_key(name).partition("/")[2] for name in params.pods)
    _stored(then, params.after, "ResourceClaim", params.claim, {"status.reservedFor": pods})


def _object(then: ScheduleExpectationBuilder, params: ObjectAfter) -> None:
    fields = {checked_path(path): ABSENT if value is None else value for path, value in params.fields.items()}
    _stored(then, params.after, of_kind(params.kind), params.name, fields or {"metadata": ABSENT})


def _retried(then: ScheduleExpectationBuilder, params: RetriedPod) -> None:
    then.of_change()
    then.retries.append(ExpectedRetry(claim_key(params.pod), params.again, then.step))


def _end(found: re.Match[str], _: Table, __: str) -> Json:
    said = {name: found[name] for name in ("phase", "code")}
    return {**said, **{name: text for name in ("node", "because") if (text := found[name])}}


def _flying(found: re.Match[str], _: Table, __: str) -> Json:
    return {"after": found["phase"], "claims": listed(found.groupdict().get("claims") or "")}


def _of_claim(several: str) -> Any:
    def said(found: re.Match[str], _: Table, __: str) -> Json:
        listing = listed(found.groupdict().get(several) or "")
        return {"after": found["phase"], "claim": found["claim"], several: listing}

    return said


def _fields(found: re.Match[str], rows: Table, _: str) -> Json:
    meant = {"after": found["phase"], "kind": found["kind"], "name": found["name"]}
    return {**meant, **({"fields": by_path(rows)} if rows else {})}


def _retry(again: bool) -> Any:
    return lambda found, _, __: {"pod": found["pod"], "again": again}


OBSERVED_PHASES: tuple[Step, ...] = (
    Step(
        "then",
        "ends",
        EndedPhase,
        (
            phrase(
                '{phase}[ on node "{node}"] ends with {code}[ because "{because}"]',
                _end,
                phase=_PHASES,
                code=_CODES,
            ),
        ),
        _ends,
    ),
    Step(
        "then",
        "unreached",
        _Phase,
        (phrase("{phase} is not reached", lambda found, _, __: found["phase"], phase=_PHASES),),
        _unreached,
    ),
    Step(
        "then",
        "in-flight",
        ClaimsInFlight,
        (
            phrase('after {phase} only claim[s] "{claims}" [is][are] in flight', _flying, phase=_CHANGING),
            phrase("after {phase} nothing is in flight", _flying, phase=_CHANGING),
        ),
        _in_flight,
    ),
    Step(
        "then",
        "holds",
        HeldAfter,
        (
            phrase(
                'after {phase} claim "{claim}" holds exactly "{devices}"',
                _of_claim("devices"),
                phase=_CHANGING,
            ),
            phrase('after {phase} claim "{claim}" holds nothing', _of_claim("devices"), phase=_CHANGING),
        ),
        _holds,
    ),
    Step(
        "then",
        "reserved-after",
        ReservedAfter,
        (
            phrase(
                'after {phase} claim "{claim}" is reserved for pod[s] "{pods}"',
                _of_claim("pods"),
                phase=_CHANGING,
            ),
            phrase(
                'after {phase} claim "{claim}" is reserved for nobody', _of_claim("pods"), phase=_CHANGING
            ),
        ),
        _reserved,
    ),
    Step(
        "then",
        "after",
        ObjectAfter,
        (
            phrase('after {phase} the {kind} "{name}" has', _fields, phase=_CHANGING, kind=_KINDS),
            phrase('after {phase} the {kind} "{name}" does not exist', _fields, phase=_CHANGING, kind=_KINDS),
        ),
        _object,
    ),
    Step(
        "then",
        "retried",
        RetriedPod,
        (
            phrase('pod "{pod}" is tried again', _retry(again=True)),
            phrase('pod "{pod}" is not tried again', _retry(again=False)),
        ),
        _retried,
    ),
)
"""The then steps."""
