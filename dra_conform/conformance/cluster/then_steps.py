"""The Then steps of a scenario on a cluster: the outcome of a write, and objects in the steady state."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from dra_conform.conformance.allocations.steps import CLAIM_STEPS
from dra_conform.conformance.cluster.expectation import BEFORE, NEW_SHARES, ClusterExpectationBuilder
from dra_conform.conformance.cluster.other_observation_steps import OTHER_OBSERVATION_STEPS
from dra_conform.conformance.object_references import EXTENDED, ObjectReference, of_kind
from dra_conform.conformance.observed_fields import (
    LISTED,
    MAPPED_RESOURCES,
    MAPPINGS,
    PRESENT,
    RECORDS,
    in_order,
)
from dra_conform.conformance.steps.given import claim_key
from dra_conform.conformance.steps.node_resources import RecordedClaims, entries_by_claim, recorded_rows
from dra_conform.conformance.steps.quota_steps import quantities
from dra_conform.conformance.steps.step import AMOUNTS, Params, Step, StepError, Table, amounts, listed, then
from dra_conform.conformance.steps.written_objects import KINDS, by_path, kind_and_name
from dra_conform.conformance.writes.steps import THEN_STEPS as ADMISSION
from dra_conform.kube.field_paths import ABSENT, parts_of
from dra_conform.kube.json_values import Json


class RequestMapping(Params, frozen=True, kw_only=True):
    """A container, its extended resource, and the request of the ResourceClaim (None: any request)."""

    container_name: str
    resource_name: str
    request_name: str = ""


class RequestMappings(Params, frozen=True, kw_only=True):
    """All request mappings of a pod."""

    pod: str
    mappings: tuple[RequestMapping, ...]


def _rows(match: re.Match[str], rows: Table, _: str) -> Json:
    return {
        "pod": match["pod"],
        "mappings": [{name: cell for name, cell in row.items() if cell} for row in rows],
    }


@then('pod "{pod}" has the requestMappings', _rows)
def request_mappings(then: ClusterExpectationBuilder, params: RequestMappings) -> None:
    mappings = [
        {
            "containerName": mapping.container_name,
            "resourceName": mapping.resource_name,
            "requestName": mapping.request_name,
        }
        for mapping in params.mappings
    ]
    with_request = [bool(mapping.request_name) for mapping in params.mappings]
    if all(with_request):
        then.expect("Pod", params.pod, MAPPINGS, in_order(mappings))
    elif any(with_request):
        raise StepError("has requestName in some mappings, expected requestName in all or in none")
    else:
        mapped = sorted(f"{mapping.container_name}: {mapping.resource_name}" for mapping in params.mappings)
        then.expect("Pod", params.pod, MAPPED_RESOURCES, mapped)


@then('pod "{pod}" has no extended-resource claim')
def no_extended_resource_claim(then: ClusterExpectationBuilder, pod: str) -> None:
    namespace, slash, name = pod.rpartition("/")
    then.expect("ResourceClaim", f"{namespace}{slash}{EXTENDED} of pod {name}", "metadata", ABSENT)
    then.expect("Pod", pod, "status.extendedResourceClaimStatus", ABSENT)


OF_EXTENDED_RESOURCE_CLAIMS: tuple[Step, ...] = (
    request_mappings,
    no_extended_resource_claim,
)
"""The Then steps of extended-resource claims."""


class QuotaUse(Params, frozen=True, kw_only=True):
    """The `status.used` of a ResourceQuota, by resource."""

    resource_quota: str
    used: dict[str, Any]


def _used(match: re.Match[str], _: Table, __: str) -> Json:
    return {"resourceQuota": match["quota"], "used": amounts(match["amounts"])}


@then('ResourceQuota "{quota}" reports {amounts} as used', _used, amounts=AMOUNTS)
def quota_used(then: ClusterExpectationBuilder, params: QuotaUse) -> None:
    for name, amount in quantities(params.used).items():
        then.expect("ResourceQuota", params.resource_quota, f"status.used[{name}]", str(amount))


OF_QUOTAS: tuple[Step, ...] = (quota_used,)
"""The Then step of quotas."""


class RunningPod(Params, frozen=True, kw_only=True):
    """A Running pod and, optionally, its node."""

    pod: str
    node: str | None = None


class Reserved(Params, frozen=True, kw_only=True):
    """All pods that a ResourceClaim is reserved for."""

    resource_claim: str
    pods: tuple[str, ...] = ()


class ObjectState(ObjectReference, frozen=True, kw_only=True):
    """Fields of an object by path; null means absent."""

    fields: dict[str, Any]


def _fields(fields: dict[str, Any]) -> dict[str, Json]:
    for path in fields:
        try:
            parts_of(path)
        except ValueError as error:
            raise StepError(str(error)) from None
    return {path: ABSENT if value is None else value for path, value in fields.items()}


def _pod(match: re.Match[str], _: Table, __: str) -> Json:
    return {"pod": match["pod"], **({"node": match["node"]} if match["node"] else {})}


def _reservations(match: re.Match[str], _: Table, __: str) -> Json:
    return {"resourceClaim": match["claim"], "pods": listed(match.groupdict().get("pods") or "")}


def _object_reference(match: re.Match[str], _: Table, __: str) -> Json:
    return dict(kind_and_name(match))


def _about_write(step: Step) -> Step:
    return replace(step, apply=lambda then, params: step.apply(then.write, params))


def _version_not_served(then: ClusterExpectationBuilder, _: bool) -> None:
    then.expect_read("metadata", ABSENT)


def _set(then: ClusterExpectationBuilder, params: str) -> None:
    for path in _fields({params: True}):
        then.expect_read(path, PRESENT)


def _about_write_or_read(step: Step, read: Callable[[ClusterExpectationBuilder, Any], None]) -> Step:
    """Return a step that is about the read object if the When step reads one."""

    def apply(then: ClusterExpectationBuilder, params: Any) -> None:
        if then.reads:
            read(then, params)
        else:
            step.apply(then.write, params)

    return replace(step, apply=apply)


_OF_READS: Mapping[str, Callable[[ClusterExpectationBuilder, Any], None]] = {
    "versionNotServed": _version_not_served,
    "set": _set,
}


@then('pod "{pod}" is Running[ on node "{node}"]', _pod)
def running(then: ClusterExpectationBuilder, params: RunningPod) -> None:
    then.expect("Pod", params.pod, "status.phase", "Running")
    if params.node is not None:
        then.expect("Pod", params.pod, "spec.nodeName", params.node)


@then('pod "{pod}" is Pending')
def pending(then: ClusterExpectationBuilder, params: str) -> None:
    then.expect("Pod", params, "status.phase", "Pending")


@then('ResourceClaim "{claim}" is not allocated')
def not_allocated(then: ClusterExpectationBuilder, params: str) -> None:
    then.expect("ResourceClaim", params, "status.allocation", ABSENT)


@then('ResourceClaim "{claim}" is reserved for pod[s] "{pods}"', _reservations)
@then('ResourceClaim "{claim}" is reserved for no pod', _reservations)
def reserved_for(then: ClusterExpectationBuilder, params: Reserved) -> None:
    pods = sorted(claim_key(name).partition("/")[2] for name in params.pods)
    then.expect("ResourceClaim", params.resource_claim, "status.reservedFor", pods)


@then('pod "{pod}" has the nodeAllocatableResourceClaimStatuses', recorded_rows)
@then('pod "{pod}" has no nodeAllocatableResourceClaimStatuses', recorded_rows)
def node_allocatable_resource_claim_statuses(then: ClusterExpectationBuilder, params: RecordedClaims) -> None:
    then.expect("Pod", params.pod, RECORDS, entries_by_claim(params.resource_claims) or ABSENT)


@then('ResourceClaim "{claim}" keeps its allocation')
def keeps_allocation(then: ClusterExpectationBuilder, params: str) -> None:
    then.expect("ResourceClaim", params, "status.allocation", BEFORE)


@then('ResourceClaim "{claim}" has new share IDs')
def new_share_ids(then: ClusterExpectationBuilder, params: str) -> None:
    then.expect("ResourceClaim", params, "status.allocation", NEW_SHARES)


@then('the spec of {kind} "{name}" is unchanged', _object_reference, kind=KINDS)
def spec_unchanged(then: ClusterExpectationBuilder, params: ObjectReference) -> None:
    then.expect(of_kind(params.kind), params.name, "spec", BEFORE)


@then('{kind} "{name}" does not exist', _object_reference, kind=KINDS)
def does_not_exist(then: ClusterExpectationBuilder, params: ObjectReference) -> None:
    then.expect(of_kind(params.kind), params.name, "metadata", ABSENT)


@then(
    '{kind} "{name}" has',
    lambda match, rows, _: {**kind_and_name(match), "fields": by_path(rows)},
    kind=KINDS,
)
def has_fields(then: ClusterExpectationBuilder, params: ObjectState) -> None:
    for path, value in _fields(params.fields).items():
        then.expect(of_kind(params.kind), params.name, path, value)


@then("the object read has", lambda _, rows, __: by_path(rows))
def read(then: ClusterExpectationBuilder, params: dict[str, Any]) -> None:
    for path, value in _fields(params).items():
        then.expect_read(path, value)


@then('the list has only ResourceSlice[s] "{names}"', lambda match, _, __: listed(match["names"]))
@then("the list has no ResourceSlice", lambda *_: [])
def list_has(then: ClusterExpectationBuilder, params: tuple[str, ...]) -> None:
    if then.action["do"] != "list":
        raise StepError("checks a list, expected a When step that lists objects")
    then.expect_read(LISTED, sorted(params))


THEN_STEPS: tuple[Step, ...] = (
    *(
        _about_write_or_read(step, _OF_READS[step.key]) if step.key in _OF_READS else _about_write(step)
        for step in ADMISSION
    ),
    *CLAIM_STEPS,
    running,
    pending,
    not_allocated,
    reserved_for,
    node_allocatable_resource_claim_statuses,
    keeps_allocation,
    new_share_ids,
    spec_unchanged,
    does_not_exist,
    has_fields,
    *OTHER_OBSERVATION_STEPS,
    *OF_EXTENDED_RESOURCE_CLAIMS,
    *OF_QUOTAS,
    read,
    list_has,
)
"""The Then steps."""
