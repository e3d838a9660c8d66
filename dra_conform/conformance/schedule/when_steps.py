"""The when steps of attempts: pods are tried, writes fail, and objects change in the meantime."""

from __future__ import annotations

import re
from typing import Any, Literal

from dra_conform.conformance.admit.when_steps import by_path, each_by_path
from dra_conform.conformance.cluster.references import Meant, of_kind
from dra_conform.conformance.cluster.write_steps import one_document
from dra_conform.conformance.steps.given import Given
from dra_conform.conformance.steps.step import Json, Params, Step, StepError, Table, listed, phrase
from dra_conform.kube.objects import COLLECTIONS

_KINDS = "|".join(COLLECTIONS)
_VERBS = {"creation": "create", "update": "update", "deletion": "delete"}
_REASONS = "Conflict|Forbidden|ServiceUnavailable|InternalError|Timeout"


class TriedPod(Params, frozen=True, kw_only=True):
    """A pod and how far its attempt goes: the phase after which it stops, if it gets there.

    `nodes`: those that are filtered, in this order; without them all nodes, by name.
    """

    pod: str
    through: Literal["Reserve", "PreBind", "Bind"] = "Bind"
    nodes: tuple[str, ...] = ()


class FailingWrite(Params, frozen=True, kw_only=True):
    """The next writes of this sort by the scheduler, and how they end.

    `Timeout` is the end of a write that is made, and whose answer is lost.
    """

    times: int = 1
    verb: Literal["create", "update", "delete"] = "update"
    kind: str
    subresource: str = ""
    reason: Literal["Conflict", "Forbidden", "ServiceUnavailable", "InternalError", "Timeout"] = "Conflict"


class ChangedObject(Meant, frozen=True, kw_only=True):
    """Fields by path that somebody else changes; null takes a field away."""

    fields: dict[str, Any]


def _key(given: Given, name: str) -> str:
    pod = given.pod(name)
    return f"{pod['metadata'].get('namespace', 'default')}/{pod['metadata'].get('name')}"


def _try(given: Given, params: TriedPod) -> Json:
    known = given.names("Node")
    for node in params.nodes:
        if known and node not in known:
            raise StepError(f"node {node!r} is not given, expected one of {', '.join(known)}")
    nodes = {"nodes": list(params.nodes)} if params.nodes else {}
    through = {} if params.through == "Bind" else {"through": params.through}
    return {"do": "try", "pod": _key(given, params.pod), **through, **nodes}


def _fail(_: Given, params: FailingWrite) -> Json:
    of_kind(params.kind)
    said = {name: getattr(params, name) for name in ("times", "verb", "kind", "reason")}
    return {"do": "fail", **said, **({"subresource": params.subresource} if params.subresource else {})}


def _created(given: Given, params: dict[str, Any]) -> Json:
    missing = [name for name in ("apiVersion", "kind", "metadata") if not params.get(name)]
    if missing:
        raise StepError(f"an object without {', '.join(missing)}, expected a Kubernetes object")
    of_kind(params["kind"])
    return {"do": "create", "object": given.take(params)}


def _failing(found: re.Match[str], _: Table, __: str) -> Json:
    said = {"kind": found["kind"], "reason": found["reason"], "times": int(found["times"])}
    subresource = {name: name for name in ("status", "binding") if found.groupdict().get(name)}
    return {
        **said,
        "verb": _VERBS[found["verb"]],
        **({"subresource": next(iter(subresource))} if subresource else {}),
    }


def _tried(found: re.Match[str], _: Table, __: str) -> Json:
    through = {"through": found["phase"]} if found["phase"] else {}
    nodes = {"nodes": listed(found["nodes"])} if found["nodes"] else {}
    return {"pod": found["pod"], **through, **nodes}


def _pod(found: re.Match[str], _: Table, __: str) -> Json:
    return found["pod"]


def _meant(found: re.Match[str], _: Table, __: str) -> Json:
    return {"kind": found["kind"], "name": found["name"]}


ATTEMPTS: tuple[Step, ...] = (
    Step(
        "when",
        "try",
        TriedPod,
        (
            phrase(
                'pod "{pod}" is tried[ as far as {phase}][ on node[s] "{nodes}"]',
                _tried,
                phase="Reserve|PreBind",
            ),
        ),
        _try,
    ),
    Step(
        "when",
        "bind",
        str,
        (phrase('pod "{pod}" goes on to be bound', _pod),),
        lambda given, params: {"do": "bind", "pod": _key(given, params)},
    ),
    Step(
        "when",
        "give-up",
        str,
        (phrase('the attempt for pod "{pod}" is given up', _pod),),
        lambda given, params: {"do": "give-up", "pod": _key(given, params)},
    ),
    Step(
        "when",
        "fail-write",
        FailingWrite,
        (
            phrase(
                "the next {times} {verb}[s] of[ the{status} of][ the{binding} of] a {kind} by the scheduler"
                " end[s] as {reason}",
                _failing,
                times="[0-9]+",
                verb="|".join(_VERBS),
                status=" status",
                binding=" binding",
                kind=_KINDS,
                reason=_REASONS,
            ),
        ),
        _fail,
    ),
    Step(
        "when",
        "meanwhile-create",
        dict[str, Any],
        (
            phrase(
                "somebody creates this object in the meantime",
                lambda _, __, text: one_document(text, "object"),
            ),
        ),
        _created,
    ),
    Step(
        "when",
        "meanwhile-change",
        ChangedObject,
        (
            phrase(
                'somebody changes the {kind} "{name}" in the meantime',
                lambda found, rows, _: {**found.groupdict(), "fields": by_path(rows)},
                kind=_KINDS,
            ),
        ),
        lambda _, params: {"do": "change", "of": params.reference, "fields": each_by_path(params.fields)},
    ),
    Step(
        "when",
        "meanwhile-delete",
        Meant,
        (phrase('somebody deletes the {kind} "{name}" in the meantime', _meant, kind=_KINDS),),
        lambda _, params: {"do": "delete", "of": params.reference},
    ),
)
"""The when steps."""
