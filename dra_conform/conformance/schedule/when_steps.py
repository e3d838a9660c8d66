"""The When steps of scheduling attempts: attempts, writes that fail, and writes of other clients."""

from __future__ import annotations

import re
from typing import Any, Literal

from dra_conform.conformance.object_references import ObjectReference, of_kind
from dra_conform.conformance.steps.given import Given, check_identity, not_in_setup
from dra_conform.conformance.steps.step import Params, Step, StepError, Table, listed, when
from dra_conform.conformance.steps.written_objects import (
    KINDS,
    by_path,
    each_by_path,
    kind_and_name,
    kind_in,
    one_document,
)
from dra_conform.kube.json_values import Json

_VERBS = {"creation": "create", "update": "update", "deletion": "delete"}
_REASONS = "Conflict|Forbidden|ServiceUnavailable|InternalError|Timeout"


class ScheduledPod(Params, frozen=True, kw_only=True):
    """A pod and the phase after which its scheduling attempt stops.

    `nodes` are filtered in this order; without them, all nodes by name.
    """

    pod: str
    up_to: Literal["Reserve", "PreBind", "Bind"] = "Bind"
    nodes: tuple[str, ...] = ()


class FailingWrite(Params, frozen=True, kw_only=True):
    """The next writes by the scheduler that fail, and their error.

    `Timeout`: the write succeeds, but its response is lost.
    """

    times: int = 1
    verb: Literal["create", "update", "delete"] = "update"
    kind: str
    subresource: str = ""
    reason: Literal["Conflict", "Forbidden", "ServiceUnavailable", "InternalError", "Timeout"] = "Conflict"


class ChangedObject(ObjectReference, frozen=True, kw_only=True):
    """Fields by path that another client changes; null removes a field."""

    fields: dict[str, Any]


def _key(given: Given, name: str) -> str:
    pod = given.pod(name)
    return f"{pod['metadata'].get('namespace', 'default')}/{pod['metadata'].get('name')}"


def _failing(match: re.Match[str], _: Table, __: str) -> Json:
    params = {"kind": kind_in(match), "reason": match["reason"], "times": int(match["times"])}
    subresource = {name: name for name in ("status", "binding") if match.groupdict().get(name)}
    return {
        **params,
        "verb": _VERBS[match["verb"]],
        **({"subresource": next(iter(subresource))} if subresource else {}),
    }


def _scheduled(match: re.Match[str], _: Table, __: str) -> Json:
    up_to = {"upTo": match["phase"]} if match["phase"] else {}
    nodes = {"nodes": listed(match["nodes"])} if match["nodes"] else {}
    return {"pod": match["pod"], **up_to, **nodes}


def _pod(match: re.Match[str], _: Table, __: str) -> Json:
    return match["pod"]


def _object_reference(match: re.Match[str], _: Table, __: str) -> Json:
    return dict(kind_and_name(match))


@when(
    'scheduling of pod "{pod}"[ up to {phase}][ on node[s] "{nodes}"] is attempted',
    _scheduled,
    phase="Reserve|PreBind",
)
def schedule(given: Given, params: ScheduledPod) -> Json:
    known = given.names("Node")
    for node in params.nodes:
        if known and node not in known:
            raise StepError(not_in_setup("node", node, ", ".join(known)))
    nodes = {"nodes": list(params.nodes)} if params.nodes else {}
    through = {} if params.up_to == "Bind" else {"through": params.up_to}
    return {"do": "try", "pod": _key(given, params.pod), **through, **nodes}


@when('the binding cycle of pod "{pod}" runs', _pod)
def run_binding_cycle(given: Given, params: str) -> Json:
    return {"do": "bind", "pod": _key(given, params)}


@when('the scheduling attempt of pod "{pod}" is aborted', _pod)
def abort_scheduling(given: Given, params: str) -> Json:
    return {"do": "give-up", "pod": _key(given, params)}


@when(
    "the next {times} {verb}[s] of[ the{status} of][ the{binding} of] a {kind} by the scheduler"
    " fail[s] with {reason}",
    _failing,
    times="[0-9]+",
    verb="|".join(_VERBS),
    status=" status",
    binding=" binding",
    kind=KINDS,
    reason=_REASONS,
)
def fail_scheduler_writes(_: Given, params: FailingWrite) -> Json:
    of_kind(params.kind)
    settings = {name: getattr(params, name) for name in ("times", "verb", "kind", "reason")}
    return {"do": "fail", **settings, **({"subresource": params.subresource} if params.subresource else {})}


@when("another client creates this object", lambda _, __, text: one_document(text, "object"))
def another_client_creates(given: Given, params: dict[str, Any]) -> Json:
    check_identity(params)
    return {"do": "create", "object": given.convert(params)}


@when(
    'another client updates {kind} "{name}" with',
    lambda match, rows, _: {**kind_and_name(match), "fields": by_path(rows)},
    kind=KINDS,
)
def another_client_updates(_: Given, params: ChangedObject) -> Json:
    return {"do": "change", "of": params.reference, "fields": each_by_path(params.fields)}


@when('another client deletes {kind} "{name}"', _object_reference, kind=KINDS)
def another_client_deletes(_: Given, params: ObjectReference) -> Json:
    return {"do": "delete", "of": params.reference}


WHEN_STEPS: tuple[Step, ...] = (
    schedule,
    run_binding_cycle,
    abort_scheduling,
    fail_scheduler_writes,
    another_client_creates,
    another_client_updates,
    another_client_deletes,
)
"""The When steps."""
