"""The Then steps of scheduling attempts: returned codes, stored objects, claims in flight, retries."""

from __future__ import annotations

import re
from typing import Any, Literal

from dra_conform.conformance.object_references import of_kind
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
from dra_conform.conformance.steps.step import Params, Step, Table, listed, then
from dra_conform.conformance.steps.written_objects import KINDS, by_path, checked_path, kind_and_name
from dra_conform.kube.field_paths import ABSENT
from dra_conform.kube.json_values import Json

_PHASES = "|".join(AttemptPhase)
_CODES = "|".join(AttemptCode)
_CHANGING = "PostFilter|Reserve|PreBind|Bind|Unreserve"
"""The phases that can change objects."""

_Phase = Literal["PreEnqueue", "PreFilter", "Filter", "PostFilter", "Reserve", "PreBind", "Bind", "Unreserve"]
_Changing = Literal["PostFilter", "Reserve", "PreBind", "Bind", "Unreserve"]


class PhaseReturns(Params, frozen=True, kw_only=True):
    """The code that a phase returns, on one node or on all nodes.

    One of the reasons contains `reason`, ignoring case.
    """

    phase: _Phase
    code: Literal["Success", "Unschedulable", "UnschedulableAndUnresolvable", "Error", "Wait"]
    node: str = ""
    reason: str = ""


class ClaimsInFlight(Params, frozen=True, kw_only=True):
    """All ResourceClaims that are in flight after a phase."""

    after: _Changing
    resource_claims: tuple[str, ...] = ()


class AllocatedAfter(Params, frozen=True, kw_only=True):
    """The stored allocation of a ResourceClaim after a phase; without devices it is not allocated."""

    after: _Changing
    resource_claim: str
    devices: tuple[str, ...] = ()


class ReservedAfter(Params, frozen=True, kw_only=True):
    """All pods that a ResourceClaim is reserved for after a phase."""

    after: _Changing
    resource_claim: str
    pods: tuple[str, ...] = ()


class ObjectAfter(Params, frozen=True, kw_only=True):
    """Fields of an object after a phase, by path; null means absent.

    Without fields, the object does not exist.
    """

    after: _Changing
    kind: str
    name: str
    fields: dict[str, Any] = {}


class RetriedPod(Params, frozen=True, kw_only=True):
    """Whether scheduling of a pod is retried."""

    pod: str
    again: bool = True


def _stored(
    then: ScheduleExpectationBuilder, after: str, kind: str, name: str, fields: dict[str, Json]
) -> None:
    then.require_attempt()
    for path, value in fields.items():
        then.stored.append(StoredAfter(AttemptPhase(after), kind, name, path, value, then.step))


def _end(match: re.Match[str], _: Table, __: str) -> Json:
    params = {name: match[name] for name in ("phase", "code")}
    return {**params, **{name: text for name in ("node", "reason") if (text := match[name])}}


def _claims_in_flight(match: re.Match[str], _: Table, __: str) -> Json:
    return {"after": match["phase"], "resourceClaims": listed(match.groupdict().get("claims") or "")}


def _of_claim(list_name: str) -> Any:
    def params(match: re.Match[str], _: Table, __: str) -> Json:
        names = listed(match.groupdict().get(list_name) or "")
        return {"after": match["phase"], "resourceClaim": match["claim"], list_name: names}

    return params


def _fields(match: re.Match[str], rows: Table, _: str) -> Json:
    return {"after": match["phase"], **kind_and_name(match), **({"fields": by_path(rows)} if rows else {})}


def _retry(again: bool) -> Any:
    return lambda match, _, __: {"pod": match["pod"], "again": again}


@then('{phase}[ on node "{node}"] returns {code}[ with reason "{reason}"]', _end, phase=_PHASES, code=_CODES)
def phase_returns(then: ScheduleExpectationBuilder, params: PhaseReturns) -> None:
    then.require_attempt()
    phase, code = AttemptPhase(params.phase), AttemptCode(params.code)
    then.ends.append(ExpectedEnd(phase, code, params.node, params.reason, then.step))


@then("{phase} is not reached", phase=_PHASES)
def not_reached(then: ScheduleExpectationBuilder, params: _Phase) -> None:
    then.require_attempt()
    then.ends.append(ExpectedEnd(AttemptPhase(params), None, step=then.step))


@then(
    'after {phase} only ResourceClaim[s] "{claims}" [is][are] in flight', _claims_in_flight, phase=_CHANGING
)
@then("after {phase} no ResourceClaim is in flight", _claims_in_flight, phase=_CHANGING)
def in_flight(then: ScheduleExpectationBuilder, params: ClaimsInFlight) -> None:
    then.require_attempt()
    then.in_flight.append(ExpectedInFlight(AttemptPhase(params.after), params.resource_claims, then.step))


@then(
    'after {phase} ResourceClaim "{claim}" is allocated exactly "{devices}"',
    _of_claim("devices"),
    phase=_CHANGING,
)
@then('after {phase} ResourceClaim "{claim}" is not allocated', _of_claim("devices"), phase=_CHANGING)
def allocated_after(then: ScheduleExpectationBuilder, params: AllocatedAfter) -> None:
    value = sorted(params.devices) or ABSENT
    _stored(then, params.after, "ResourceClaim", params.resource_claim, {DEVICES: value})


@then(
    'after {phase} ResourceClaim "{claim}" is reserved for pod[s] "{pods}"',
    _of_claim("pods"),
    phase=_CHANGING,
)
@then('after {phase} ResourceClaim "{claim}" is reserved for no pod', _of_claim("pods"), phase=_CHANGING)
def reserved_for_after(then: ScheduleExpectationBuilder, params: ReservedAfter) -> None:
    pods = sorted(claim_key(name).partition("/")[2] for name in params.pods)
    _stored(then, params.after, "ResourceClaim", params.resource_claim, {"status.reservedFor": pods})


@then('after {phase} {kind} "{name}" has', _fields, phase=_CHANGING, kind=KINDS)
@then('after {phase} {kind} "{name}" does not exist', _fields, phase=_CHANGING, kind=KINDS)
def object_after(then: ScheduleExpectationBuilder, params: ObjectAfter) -> None:
    fields = {checked_path(path): ABSENT if value is None else value for path, value in params.fields.items()}
    _stored(then, params.after, of_kind(params.kind), params.name, fields or {"metadata": ABSENT})


@then('pod "{pod}" is retried', _retry(again=True))
@then('pod "{pod}" is not retried', _retry(again=False))
def retried(then: ScheduleExpectationBuilder, params: RetriedPod) -> None:
    then.require_change()
    then.retries.append(ExpectedRetry(claim_key(params.pod), params.again, then.step))


THEN_STEPS: tuple[Step, ...] = (
    phase_returns,
    not_reached,
    in_flight,
    allocated_after,
    reserved_for_after,
    object_after,
    retried,
)
"""The Then steps."""
