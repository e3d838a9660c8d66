"""The when steps of a story: what users, drivers and administrators do, and when the cluster is left alone.

Each gives an action of the wire protocol, but that objects are still named as cases name them; a driver's
`publish` and `republish` become writes of a slice. Writes of a given object are the steps of `admit`.
"""

from __future__ import annotations

import re
from typing import Any, Literal

from dra_conform.conformance.admit.when_steps import CREATE, RESIZE, UPDATE, by_path
from dra_conform.conformance.cluster.references import Meant, of_kind, reference
from dra_conform.conformance.cluster.write_steps import WRITES
from dra_conform.conformance.steps.claim_steps import GivenClaim, claim_phrases, requests_of
from dra_conform.conformance.steps.class_steps import GivenClass, class_of, created_class_phrases
from dra_conform.conformance.steps.component_steps import (
    SOME,
    ComponentParams,
    checked,
    components_in,
    gate_in,
    release_of,
)
from dra_conform.conformance.steps.device_steps import GivenDevice, device_rows, published_of
from dra_conform.conformance.steps.given import DRIVER, POOL, Given, claim_of
from dra_conform.conformance.steps.pod_steps import GivenPod, pod_of, pod_phrases, template_of
from dra_conform.conformance.steps.step import Json, Params, Step, StepError, Table, phrase
from dra_conform.kube.objects import COLLECTIONS

_KINDS = "|".join(COLLECTIONS)
_VERBS = {"creation": "create", "update": "update", "deletion": "delete"}
_REASONS = "Conflict|Forbidden|ServiceUnavailable|InternalError"


class Deleted(Meant, frozen=True, kw_only=True):
    """An object to delete; `force`: at once, whatever holds it."""

    force: bool = False


class ReadObject(Meant, frozen=True, kw_only=True):
    """An object to read, in a version of its API such as `v1beta1`."""

    version: str = "v1"


class Finished(Params, frozen=True, kw_only=True):
    pod: str
    phase: Literal["Succeeded", "Failed"] = "Succeeded"


class ChangedDevice(Params, frozen=True, kw_only=True):
    """A device with some fields that are different from now on; null takes a field away."""

    device: str
    driver: str = DRIVER
    pool: str = POOL
    fields: dict[str, Any]


class Failing(Params, frozen=True, kw_only=True):
    """The next writes of this sort by components, and how they end."""

    times: int = 1
    verb: Literal["create", "update", "delete"] = "update"
    kind: str
    subresource: str = ""
    reason: str = "Conflict"


def _create_claim(given: Given, params: GivenClaim) -> Json:
    return {"do": "create", "object": claim_of(params.name, requests_of(given, params))}


def _delete(_: Given, params: Deleted) -> Json:
    return {"do": "delete", "of": params.reference, **({"force": True} if params.force else {})}


def _finish(_: Given, params: Finished) -> Json:
    of = reference("Pod", params.pod)
    return {"do": "change", "of": of, "fields": {"status.phase": params.phase}, "subresource": "status"}


def _get(_: Given, params: ReadObject) -> Json:
    version = {} if params.version == "v1" else {"version": params.version}
    return {"do": "get", "of": params.reference, **version}


def _set_gates(_: Given, params: ComponentParams) -> Json:
    if not params.gates:
        raise StepError("names no gate, expected at least one")
    return {"do": "set-gates", "components": list(checked(params).components), "gates": params.gates}


def _set_version(_: Given, params: ComponentParams) -> Json:
    """Without a release, that of the profile."""
    release = {} if params.release is None else {"release": params.release}
    return {"do": "set-version", "components": list(checked(params).components), **release}


def _restart(_: Given, params: ComponentParams) -> Json:
    return {"do": "restart", "components": list(checked(params).components)}


def _advance(_: Given, params: int) -> Json:
    if params <= 0:
        raise StepError(f"{params} seconds, expected at least one")
    return {"do": "advance", "seconds": params}


def _fail(_: Given, params: Failing) -> Json:
    of_kind(params.kind)
    said = {name: getattr(params, name) for name in ("times", "verb", "kind", "reason")}
    return {"do": "fail", **said, **({"subresource": params.subresource} if params.subresource else {})}


def _settle(_: Given, params: bool) -> Json:
    if not params:
        raise StepError("is false, expected true")
    return {"do": "settle"}


def _kind_and_name(found: re.Match[str], _: Table, __: str) -> Json:
    return {name: text for name, text in found.groupdict().items() if text}


def _named(kind: str) -> Any:
    return lambda found, _, __: {"kind": kind, "name": found["name"]}


def _components(found: re.Match[str], _: Table, __: str) -> Json:
    return {"components": components_in(found["components"])}


def _failing(found: re.Match[str], _: Table, __: str) -> Json:
    said = {"kind": found["kind"], "reason": found["reason"], "times": int(found["times"])}
    subresource = {"subresource": "status"} if found.groupdict().get("status") else {}
    return {**said, "verb": _VERBS[found["verb"]], **subresource}


STORY: tuple[Step, ...] = (
    CREATE,
    UPDATE,
    RESIZE,
    *WRITES,
    Step("when", "create-claim", GivenClaim, claim_phrases("claim", " is created"), _create_claim),
    Step(
        "when",
        "create-class",
        GivenClass,
        created_class_phrases(),
        lambda _, params: {"do": "create", "object": class_of(params)},
    ),
    Step(
        "when",
        "create-template",
        GivenClaim,
        claim_phrases("template", " is created"),
        lambda given, params: {"do": "create", "object": template_of(given, params)},
    ),
    Step(
        "when",
        "create-pod",
        GivenPod,
        pod_phrases(" is created"),
        lambda _, params: {"do": "create", "object": pod_of(params)},
    ),
    Step(
        "when",
        "publish",
        tuple[GivenDevice, ...],
        (phrase("the driver publishes the device[s]", device_rows),),
        lambda _, params: {"do": "publish", "published": [published_of(one) for one in params]},
    ),
    Step(
        "when",
        "change-device",
        ChangedDevice,
        (
            phrase(
                'the driver changes the device "{device}"',
                lambda found, rows, _: {"device": found["device"], "fields": by_path(rows)},
            ),
        ),
        lambda _, params: {
            "do": "republish",
            "device": (params.driver, params.pool, params.device),
            "fields": params.fields,
        },
    ),
    Step(
        "when",
        "delete",
        Deleted,
        (
            phrase('the {kind} "{name}" is deleted', _kind_and_name, kind=_KINDS),
            phrase('pod "{name}" is deleted', _named("Pod")),
            phrase('claim "{name}" is deleted', _named("ResourceClaim")),
        ),
        _delete,
    ),
    Step(
        "when",
        "finish",
        Finished,
        (
            phrase('pod "{pod}" finishes', lambda found, _, __: {"pod": found["pod"]}),
            phrase('pod "{pod}" fails', lambda found, _, __: {"pod": found["pod"], "phase": "Failed"}),
        ),
        _finish,
    ),
    Step(
        "when",
        "get",
        ReadObject,
        (phrase('the {kind} "{name}" is read[ in version "{version}"]', _kind_and_name, kind=_KINDS),),
        _get,
    ),
    Step(
        "when",
        "set-gates",
        ComponentParams,
        (
            phrase(
                'the feature gate "{gate}" is turned {state}[ in {components}]',
                gate_in,
                state="on|off",
                components=SOME,
            ),
        ),
        _set_gates,
    ),
    Step(
        "when",
        "set-version",
        ComponentParams,
        (
            phrase(
                "{components} now run[s] Kubernetes {release}",
                release_of,
                components=SOME,
                release=r"1\.[0-9]+",
            ),
            phrase("{components} now run[s] the release under test", _components, components=SOME),
        ),
        _set_version,
    ),
    Step(
        "when",
        "restart",
        ComponentParams,
        (phrase("{components} restart[s]", _components, components=SOME),),
        _restart,
    ),
    Step(
        "when",
        "advance",
        int,
        (
            phrase(
                "{seconds} second[s] pass[es]",
                lambda found, _, __: int(found["seconds"]),
                seconds="[0-9]+",
            ),
        ),
        _advance,
    ),
    Step(
        "when",
        "fail",
        Failing,
        (
            phrase(
                "the next {times} {verb}[s] of[ the {status} of] a {kind} by components fail[s] as {reason}",
                _failing,
                times="[0-9]+",
                verb="|".join(_VERBS),
                status="status",
                kind=_KINDS,
                reason=_REASONS,
            ),
        ),
        _fail,
    ),
    Step("when", "settle", bool, (phrase("the cluster settles", lambda *_: True),), _settle),
)
"""The when steps."""
