"""The When steps of a scenario on a cluster: actions of users, drivers and administrators, and the steady
state.

Each step gives an action of the wire protocol, in which objects still have their names in the case. The
actions `publish` and `republish` of a driver become writes of a ResourceSlice. Writes of an object of the
setup are the steps of `admit`.
"""

from __future__ import annotations

import re
from typing import Any, Literal

from dra_conform.conformance.cluster.write_steps import WRITES
from dra_conform.conformance.object_references import ObjectReference, of_kind, reference
from dra_conform.conformance.steps.claim_requests import (
    DEVICE_COUNT,
    GivenClaim,
    capacity_request_params,
    device_request_params,
    empty_capacity_params,
    request_rows,
    requests_of,
)
from dra_conform.conformance.steps.claim_steps import claim_name
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
from dra_conform.conformance.steps.pod_steps import GivenPod, pod_of, pod_params, pod_rows, template_of
from dra_conform.conformance.steps.step import AMOUNTS, Params, Step, StepError, Table, when
from dra_conform.conformance.steps.world_steps import GivenClass, class_of, class_params
from dra_conform.conformance.steps.written_objects import KINDS, by_path, kind_and_name, kind_in
from dra_conform.conformance.writes.steps import create, resize, update
from dra_conform.kube.json_values import Json

_VERBS = {"creation": "create", "update": "update", "deletion": "delete"}
_REASONS = "Conflict|Forbidden|ServiceUnavailable|InternalError|TooManyRequests"


class Deleted(ObjectReference, frozen=True, kw_only=True):
    """An object to delete; `force`: immediately, even with finalizers or a grace period."""

    force: bool = False


class ReadObject(ObjectReference, frozen=True, kw_only=True):
    """An object to read, in a version of its API such as `v1beta1`."""

    version: str = "v1"


class ListedSlices(Params, frozen=True, kw_only=True):
    """The values of the spec fields that ResourceSlices are listed by."""

    driver: str | None = None
    node_name: str | None = None


class FinishedPod(Params, frozen=True, kw_only=True):
    """A pod and the phase that it ends in."""

    pod: str
    phase: Literal["Succeeded", "Failed"] = "Succeeded"


class ChangedDevice(Params, frozen=True, kw_only=True):
    """A device and its changed fields; null removes a field."""

    device: str
    driver: str = DRIVER
    pool: str = POOL
    fields: dict[str, Any]


class Failing(Params, frozen=True, kw_only=True):
    """The next writes by components that fail, and their error."""

    times: int = 1
    verb: Literal["create", "update", "delete"] = "update"
    kind: str
    subresource: str = ""
    reason: str = "Conflict"


def _kind_and_name(match: re.Match[str], _: Table, __: str) -> Json:
    version = {"version": match["version"]} if match.groupdict().get("version") else {}
    return {**kind_and_name(match), **version}


def _components(match: re.Match[str], _: Table, __: str) -> Json:
    return {"components": components_in(match["components"])}


def _failing(match: re.Match[str], _: Table, __: str) -> Json:
    params = {"kind": kind_in(match), "reason": match["reason"], "times": int(match["times"])}
    subresource = {"subresource": "status"} if match.groupdict().get("status") else {}
    return {**params, "verb": _VERBS[match["verb"]], **subresource}


@when('a ResourceClaim "{claim}" requesting {amounts} is created', capacity_request_params, amounts=AMOUNTS)
@when('a ResourceClaim "{claim}" requesting no capacity is created', claim_name)
@when('a ResourceClaim "{claim}" requesting an empty capacity is created', empty_capacity_params)
@when(
    'a ResourceClaim "{claim}" requesting {count}[ of class "{class}"] is created',
    device_request_params,
    count=DEVICE_COUNT,
)
@when('a ResourceClaim "{claim}" with the request[s] is created', request_rows)
def create_resource_claim(given: Given, params: GivenClaim) -> Json:
    return {"do": "create", "object": claim_of(params.name, requests_of(given, params))}


@when(
    'a DeviceClass "{name}"[ for extended resource "{resource}"] is created[ with the selector]', class_params
)
def create_device_class(_: Given, params: GivenClass) -> Json:
    return {"do": "create", "object": class_of(params)}


@when(
    'a ResourceClaimTemplate "{claim}" requesting {amounts} is created',
    capacity_request_params,
    amounts=AMOUNTS,
)
@when('a ResourceClaimTemplate "{claim}" requesting no capacity is created', claim_name)
@when('a ResourceClaimTemplate "{claim}" requesting an empty capacity is created', empty_capacity_params)
@when(
    'a ResourceClaimTemplate "{claim}" requesting {count}[ of class "{class}"] is created',
    device_request_params,
    count=DEVICE_COUNT,
)
@when('a ResourceClaimTemplate "{claim}" with the request[s] is created', request_rows)
def create_resource_claim_template(given: Given, params: GivenClaim) -> Json:
    return {"do": "create", "object": template_of(given, params)}


@when('a pod "{pod}"[ on node "{node}"] without ResourceClaims is created', pod_params)
@when('a pod "{pod}"[ on node "{node}"] that uses ResourceClaim[s] "{claims}" is created', pod_params)
@when(
    'a pod "{pod}"[ on node "{node}"]'
    ' that uses the ResourceClaimTemplate "{template}"[ as "{entry}"] is created',
    pod_params,
)
@when('a pod "{pod}"[ on node "{node}"] that requests {amounts} is created', pod_params, amounts=AMOUNTS)
@when(
    'a pod "{pod}"[ on node "{node}"]'
    ' that uses ResourceClaim[s] "{claims}" and requests {amounts} is created',
    pod_params,
    amounts=AMOUNTS,
)
@when(
    'a pod "{pod}"[ on node "{node}"]'
    ' that uses the ResourceClaimTemplate "{template}" and requests {amounts} is created',
    pod_params,
    amounts=AMOUNTS,
)
@when('a pod "{pod}"[ on node "{node}"] with the container[s] is created', pod_rows)
@when(
    'a pod "{pod}"[ on node "{node}"] that uses ResourceClaim[s] "{claims}" with the container[s] is created',
    pod_rows,
)
@when(
    'a pod "{pod}"[ on node "{node}"]'
    ' that uses the ResourceClaimTemplate "{template}"[ as "{entry}"] with the container[s] is created',
    pod_rows,
)
def create_pod(_: Given, params: GivenPod) -> Json:
    return {"do": "create", "object": pod_of(params)}


@when("the driver publishes the device[s]", device_rows)
def publish(_: Given, params: tuple[GivenDevice, ...]) -> Json:
    return {"do": "publish", "published": [published_of(device) for device in params]}


@when(
    'the driver updates the device "{device}" with',
    lambda match, rows, _: {"device": match["device"], "fields": by_path(rows)},
)
def update_device(_: Given, params: ChangedDevice) -> Json:
    return {
        "do": "republish",
        "device": (params.driver, params.pool, params.device),
        "fields": params.fields,
    }


@when('{kind} "{name}" is deleted', _kind_and_name, kind=KINDS)
def delete(_: Given, params: Deleted) -> Json:
    return {"do": "delete", "of": params.reference, **({"force": True} if params.force else {})}


@when('pod "{pod}" finishes', lambda match, _, __: {"pod": match["pod"]})
@when('pod "{pod}" fails', lambda match, _, __: {"pod": match["pod"], "phase": "Failed"})
def finish(_: Given, params: FinishedPod) -> Json:
    of = reference("Pod", params.pod)
    return {"do": "change", "of": of, "fields": {"status.phase": params.phase}, "subresource": "status"}


@when('{kind} "{name}" is read[ in version "{version}"]', _kind_and_name, kind=KINDS)
def get(_: Given, params: ReadObject) -> Json:
    version = {} if params.version == "v1" else {"version": params.version}
    return {"do": "get", "of": params.reference, **version}


@when(
    'ResourceSlices are listed by {field} "{value}"',
    lambda match, _, __: {match["field"].removeprefix("spec."): match["value"]},
    field=r"spec\.driver|spec\.nodeName",
)
def list_resource_slices(_: Given, params: ListedSlices) -> Json:
    fields = {"driver": params.driver, "nodeName": params.node_name}
    spec = {name: value for name, value in fields.items() if value is not None}
    if not spec:
        raise StepError("names no field, expected driver or nodeName")
    return {"do": "list", "kind": "ResourceSlice", "spec": spec}


@when(
    'the feature gate "{gate}" is turned {state}[ in {components}]', gate_in, state="on|off", components=SOME
)
def set_feature_gates(_: Given, params: ComponentParams) -> Json:
    if not params.feature_gates:
        raise StepError("names no feature gate, expected at least one")
    return {"do": "set-gates", "components": list(checked(params).components), "gates": params.feature_gates}


@when("{components} restart[s] with Kubernetes {release}", release_of, components=SOME, release=r"1\.[0-9]+")
@when("{components} restart[s] with the release under test", _components, components=SOME)
def set_release(_: Given, params: ComponentParams) -> Json:
    """Return the action; without a release, components run the release of the profile."""
    release = {} if params.release is None else {"release": params.release}
    return {"do": "set-version", "components": list(checked(params).components), **release}


@when("{components} restart[s]", _components, components=SOME)
def restart(_: Given, params: ComponentParams) -> Json:
    return {"do": "restart", "components": list(checked(params).components)}


@when("{seconds} second[s] pass[es]", lambda match, _, __: int(match["seconds"]), seconds="[0-9]+")
def pass_seconds(_: Given, params: int) -> Json:
    if params <= 0:
        raise StepError(f"is {params} seconds, expected at least one")
    return {"do": "advance", "seconds": params}


@when(
    "the next {times} {verb}[s] of[ the {status} of] a {kind} by components fail[s] with {reason}",
    _failing,
    times="[0-9]+",
    verb="|".join(_VERBS),
    status="status",
    kind=KINDS,
    reason=_REASONS,
)
def fail_writes(_: Given, params: Failing) -> Json:
    of_kind(params.kind)
    settings = {name: getattr(params, name) for name in ("times", "verb", "kind", "reason")}
    return {"do": "fail", **settings, **({"subresource": params.subresource} if params.subresource else {})}


@when("the cluster reaches a steady state")
def reach_steady_state(_: Given, params: bool) -> Json:
    if not params:
        raise StepError("is false, expected true")
    return {"do": "settle"}


WHEN_STEPS: tuple[Step, ...] = (
    create,
    update,
    resize,
    *WRITES,
    create_resource_claim,
    create_device_class,
    create_resource_claim_template,
    create_pod,
    publish,
    update_device,
    delete,
    finish,
    get,
    list_resource_slices,
    set_feature_gates,
    set_release,
    restart,
    pass_seconds,
    fail_writes,
    reach_steady_state,
)
"""The When steps."""
