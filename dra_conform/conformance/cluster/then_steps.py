"""The Then steps of a scenario on a cluster: the outcome of a write, and objects in the steady state."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from dra_conform.conformance.admit.expectation import PRESENT
from dra_conform.conformance.admit.then_steps import THEN_STEPS as ADMISSION
from dra_conform.conformance.admit.when_steps import by_path
from dra_conform.conformance.allocate import steps as allocation
from dra_conform.conformance.cluster.expectation import BEFORE, NEW_SHARES, ClusterExpectationBuilder
from dra_conform.conformance.cluster.extended_resource_steps import OF_EXTENDED_RESOURCE_CLAIMS
from dra_conform.conformance.cluster.observed_scenario import RECORDS
from dra_conform.conformance.cluster.other_observation_steps import OTHER_OBSERVATION_STEPS
from dra_conform.conformance.cluster.quota_use_steps import OF_QUOTAS
from dra_conform.conformance.cluster.references import ObjectReference, of_kind
from dra_conform.conformance.steps.given import claim_key
from dra_conform.conformance.steps.kinds import KINDS, kind_and_name
from dra_conform.conformance.steps.recorded_claims import RecordedClaims, recorded_rows, shown
from dra_conform.conformance.steps.step import Json, Params, Step, StepError, Table, listed, phrase
from dra_conform.kube.field_paths import ABSENT, parts_of

_OF_CLAIMS = (
    *("allocated", "allocatedExactly", "allocatedOneOf", "allocatedAtLeast", "allocatedDevices"),
    *("consumes", "availableOn", "config"),
)
"""The steps of `allocate` about an allocated ResourceClaim."""


class RunningPod(Params, frozen=True, kw_only=True):
    pod: str
    node: str | None = None


class Reserved(Params, frozen=True, kw_only=True):
    """All pods that a ResourceClaim is reserved for."""

    resource_claim: str
    pods: tuple[str, ...] = ()


class ObjectState(ObjectReference, frozen=True, kw_only=True):
    """Fields of an object by path; null means absent."""

    fields: dict[str, Any]


def _running(then: ClusterExpectationBuilder, params: RunningPod) -> None:
    then.expect("Pod", params.pod, "status.phase", "Running")
    if params.node is not None:
        then.expect("Pod", params.pod, "spec.nodeName", params.node)


def _pending(then: ClusterExpectationBuilder, params: str) -> None:
    then.expect("Pod", params, "status.phase", "Pending")


def _not_allocated(then: ClusterExpectationBuilder, params: str) -> None:
    then.expect("ResourceClaim", params, "status.allocation", ABSENT)


def _reserved(then: ClusterExpectationBuilder, params: Reserved) -> None:
    pods = sorted(claim_key(name).partition("/")[2] for name in params.pods)
    then.expect("ResourceClaim", params.resource_claim, "status.reservedFor", pods)


def _claim_statuses(then: ClusterExpectationBuilder, params: RecordedClaims) -> None:
    then.expect("Pod", params.pod, RECORDS, shown(params.resource_claims) or ABSENT)


def _does_not_exist(then: ClusterExpectationBuilder, params: ObjectReference) -> None:
    then.expect(of_kind(params.kind), params.name, "metadata", ABSENT)


def _keeps_allocation(then: ClusterExpectationBuilder, params: str) -> None:
    then.expect("ResourceClaim", params, "status.allocation", BEFORE)


def _new_shares(then: ClusterExpectationBuilder, params: str) -> None:
    then.expect("ResourceClaim", params, "status.allocation", NEW_SHARES)


def _spec_unchanged(then: ClusterExpectationBuilder, params: ObjectReference) -> None:
    then.expect(of_kind(params.kind), params.name, "spec", BEFORE)


def _has_fields(then: ClusterExpectationBuilder, params: ObjectState) -> None:
    for path, value in _fields(params.fields).items():
        then.expect(of_kind(params.kind), params.name, path, value)


def _read(then: ClusterExpectationBuilder, params: dict[str, Any]) -> None:
    for path, value in _fields(params).items():
        then.expect_read(path, value)


def _fields(fields: dict[str, Any]) -> dict[str, Json]:
    for path in fields:
        try:
            parts_of(path)
        except ValueError as error:
            raise StepError(str(error)) from None
    return {path: ABSENT if value is None else value for path, value in fields.items()}


def _pod(found: re.Match[str], _: Table, __: str) -> Json:
    return {"pod": found["pod"], **({"node": found["node"]} if found["node"] else {})}


def _reservations(found: re.Match[str], _: Table, __: str) -> Json:
    return {"resourceClaim": found["claim"], "pods": listed(found.groupdict().get("pods") or "")}


def _meant(found: re.Match[str], _: Table, __: str) -> Json:
    return dict(kind_and_name(found))


def _of_claim(step: Step) -> Step:
    return replace(step, apply=lambda then, params: step.apply(then.claims, params))


def _of_write(step: Step) -> Step:
    return replace(step, apply=lambda then, params: step.apply(then.write, params))


def _version_not_served(then: ClusterExpectationBuilder, _: bool) -> None:
    then.expect_read("metadata", ABSENT)


def _set(then: ClusterExpectationBuilder, params: str) -> None:
    for path in _fields({params: True}):
        then.expect_read(path, PRESENT)


def _of_write_or_read(step: Step, read: Callable[[ClusterExpectationBuilder, Any], None]) -> Step:
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


THEN_STEPS: tuple[Step, ...] = (
    *(
        _of_write_or_read(step, _OF_READS[step.key]) if step.key in _OF_READS else _of_write(step)
        for step in ADMISSION
    ),
    *(_of_claim(step) for step in allocation.STEPS if step.key in _OF_CLAIMS),
    Step(
        "then",
        "running",
        RunningPod,
        (phrase('pod "{pod}" is Running[ on node "{node}"]', _pod),),
        _running,
    ),
    Step(
        "then",
        "pending",
        str,
        (phrase('pod "{pod}" is Pending', lambda found, _, __: found["pod"]),),
        _pending,
    ),
    Step(
        "then",
        "notAllocated",
        str,
        (phrase('ResourceClaim "{claim}" is not allocated', lambda found, _, __: found["claim"]),),
        _not_allocated,
    ),
    Step(
        "then",
        "reservedFor",
        Reserved,
        (
            phrase('ResourceClaim "{claim}" is reserved for pod[s] "{pods}"', _reservations),
            phrase('ResourceClaim "{claim}" is reserved for no pod', _reservations),
        ),
        _reserved,
    ),
    Step(
        "then",
        "nodeAllocatableResourceClaimStatuses",
        RecordedClaims,
        (
            phrase('pod "{pod}" has the nodeAllocatableResourceClaimStatuses', recorded_rows),
            phrase('pod "{pod}" has no nodeAllocatableResourceClaimStatuses', recorded_rows),
        ),
        _claim_statuses,
    ),
    Step(
        "then",
        "keepsAllocation",
        str,
        (phrase('ResourceClaim "{claim}" keeps its allocation', lambda found, _, __: found["claim"]),),
        _keeps_allocation,
    ),
    Step(
        "then",
        "newShareIDs",
        str,
        (phrase('ResourceClaim "{claim}" has new share IDs', lambda found, _, __: found["claim"]),),
        _new_shares,
    ),
    Step(
        "then",
        "specUnchanged",
        ObjectReference,
        (phrase('the spec of {kind} "{name}" is unchanged', _meant, kind=KINDS),),
        _spec_unchanged,
    ),
    Step(
        "then",
        "doesNotExist",
        ObjectReference,
        (phrase('{kind} "{name}" does not exist', _meant, kind=KINDS),),
        _does_not_exist,
    ),
    Step(
        "then",
        "hasFields",
        ObjectState,
        (
            phrase(
                '{kind} "{name}" has',
                lambda found, rows, _: {**kind_and_name(found), "fields": by_path(rows)},
                kind=KINDS,
            ),
        ),
        _has_fields,
    ),
    *OTHER_OBSERVATION_STEPS,
    *OF_EXTENDED_RESOURCE_CLAIMS,
    *OF_QUOTAS,
    Step(
        "then",
        "read",
        dict[str, Any],
        (phrase("the object read has", lambda _, rows, __: by_path(rows)),),
        _read,
    ),
)
"""The Then steps."""
