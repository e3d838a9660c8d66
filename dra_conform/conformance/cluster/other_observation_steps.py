"""The Then steps of scheduling failures, prepared devices, events, metrics, write requests and logs.

If an implementation does not report them, these steps are not judged.
"""

from __future__ import annotations

import re
from typing import Literal

from dra_conform.conformance.cluster.expectation import ClusterExpectationBuilder
from dra_conform.conformance.cluster.other_observations import (
    COMPONENT,
    EVENT,
    GROWTH,
    INCREASE,
    METRIC,
    MORE_WRITES,
    NEW_WRITE_KINDS,
    PREPARED_DEVICES,
    PREPARED_NODES,
    SCHEDULER,
    SCHEDULING_FAILURE,
    log_path,
)
from dra_conform.conformance.steps.step import Params, Step, StepError, Table, then
from dra_conform.conformance.steps.table_cells import flag, plain
from dra_conform.kube.field_paths import ABSENT
from dra_conform.kube.json_values import Json

_LABEL_VALUE = r"[A-Za-z0-9_./-]*"
_METRIC = rf"[a-z_]+(?:\{{[a-z_]+={_LABEL_VALUE}(?:, ?[a-z_]+={_LABEL_VALUE})*\}})?"
_MAX_VERBOSITY = 9
_CODES = "Unschedulable|UnschedulableAndUnresolvable|Error"


class FailedScheduling(Params, frozen=True, kw_only=True):
    """The failure code of the last scheduling attempt of a pod, or of its filters on a node."""

    pod: str
    node: str | None = None
    code: Literal["Unschedulable", "UnschedulableAndUnresolvable", "Error"]


class ExpectedPreparedDevice(Params, frozen=True, kw_only=True):
    """A prepared device; `share_id`: whether the driver gets the share ID of the allocation."""

    device: str
    share_id: bool = False


class ExpectedPreparedClaim(Params, frozen=True, kw_only=True):
    """All devices prepared for a ResourceClaim on a node, or, without a node, that no device is prepared."""

    resource_claim: str
    node: str | None = None
    devices: tuple[ExpectedPreparedDevice, ...] = ()


class EventOfPod(Params, frozen=True, kw_only=True):
    """An event of a pod with this reason, whose message contains `message`, ignoring case.

    Without a reason, an event with any reason.
    """

    pod: str
    reason: str = ""
    message: str = ""


class MetricChange(Params, frozen=True, kw_only=True):
    """The change of a metric, summed over all series with these labels: `name{label=value}`."""

    metric: str
    by: int


class MetricIncrease(Params, frozen=True, kw_only=True):
    """A metric whose sum over all series with these labels increases: `name{label=value}`."""

    metric: str


class MoreSchedulerWrites(Params, frozen=True, kw_only=True):
    """How many write requests more for a resource, such as `pods/status`, the scheduler sends than before the
    previous steady state."""

    resource: str
    count: int


class OnlyKnownSchedulerWrites(Params, frozen=True, kw_only=True):
    """The scheduler sends only write requests with a verb and a resource of its earlier requests."""


class SchedulerLogs(Params, frozen=True, kw_only=True):
    """Words that one line of the log of the scheduler has at this verbosity, or that no line has."""

    words: tuple[str, ...]
    verbosity: int
    logged: bool = True


def _present_groups(match: re.Match[str], _: Table, __: str) -> Json:
    return {name: text for name, text in match.groupdict().items() if text}


def _preparation(match: re.Match[str], rows: Table, _: str) -> Json:
    devices: list[dict[str, Json]] = [dict(plain(row)) for row in rows]
    for device in devices:
        if "shareID" in device:
            device["shareID"] = flag(device["shareID"])
    node = {"node": node} if (node := match.groupdict().get("node")) else {}
    return {"resourceClaim": match["claim"], **node, "devices": devices}


@then('scheduling of pod "{pod}" fails with {code}', _present_groups, code=_CODES)
@then('filtering of node "{node}" for pod "{pod}" fails with {code}', _present_groups, code=_CODES)
def scheduling_fails(then: ClusterExpectationBuilder, params: FailedScheduling) -> None:
    path = SCHEDULING_FAILURE if params.node is None else f"{SCHEDULING_FAILURE} on {params.node}"
    then.expect("Pod", params.pod, path, params.code)


@then('ResourceClaim "{claim}" is prepared on node "{node}"[ with]', _preparation)
@then('ResourceClaim "{claim}" is prepared on no node', _preparation)
def prepared(then: ClusterExpectationBuilder, params: ExpectedPreparedClaim) -> None:
    nodes = ABSENT if params.node is None else [params.node]
    then.expect("ResourceClaim", params.resource_claim, PREPARED_NODES, nodes)
    if params.devices:
        devices = sorted(
            device.device + (" with its share ID" if device.share_id else "") for device in params.devices
        )
        then.expect("ResourceClaim", params.resource_claim, f"{PREPARED_DEVICES} on {params.node}", devices)


@then(
    'pod "{pod}" has an event[ {reason}][ with the message "{message}"]',
    _present_groups,
    reason="[A-Z][A-Za-z]*",
)
def event(then: ClusterExpectationBuilder, params: EventOfPod) -> None:
    if not params.reason and not params.message:
        raise StepError("has no reason and no message, expected at least one")
    words = f" with {params.message}" if params.message else ""
    then.expect("Pod", params.pod, f"{EVENT} {params.reason}{words}", True)


@then(
    "the metric {metric} changes by {by}",
    lambda match, _, __: {"metric": match["metric"], "by": int(match["by"])},
    metric=_METRIC,
    by="-?[0-9]+",
)
def metric_change(then: ClusterExpectationBuilder, params: MetricChange) -> None:
    if not re.fullmatch(_METRIC, params.metric):
        raise StepError(f"metric {params.metric!r} is malformed, expected name{{label=value, …}}")
    then.expect(METRIC, params.metric, GROWTH, params.by)


@then("the metric {metric} increases", _present_groups, metric=_METRIC)
def metric_increase(then: ClusterExpectationBuilder, params: MetricIncrease) -> None:
    if not re.fullmatch(_METRIC, params.metric):
        raise StepError(f"metric {params.metric!r} is malformed, expected name{{label=value, …}}")
    then.expect(METRIC, params.metric, INCREASE, True)


@then(
    "the scheduler sends {count} more write request[s] for {resource} than before",
    lambda match, _, __: {
        "count": 0 if match["count"] == "no" else int(match["count"]),
        "resource": match["resource"],
    },
    count="no|[0-9]+",
    resource="[a-z]+(?:/[a-z]+)?",
)
def more_scheduler_writes(then: ClusterExpectationBuilder, params: MoreSchedulerWrites) -> None:
    then.expect(COMPONENT, SCHEDULER, f"{MORE_WRITES} for {params.resource}", params.count)


@then("the scheduler sends no new kind of write request", lambda _, __, ___: {})
def only_known_scheduler_writes(then: ClusterExpectationBuilder, _: OnlyKnownSchedulerWrites) -> None:
    then.expect(COMPONENT, SCHEDULER, NEW_WRITE_KINDS, ABSENT)


def _logged(match: re.Match[str], _: Table, __: str) -> Json:
    words = [word for word in (match["words"], match["more"]) if word]
    logged = {"logged": False} if "does not log" in match[0] else {}
    return {"words": words, "verbosity": int(match["verbosity"]), **logged}


@then('the scheduler logs "{words}"[ with "{more}"] at verbosity {verbosity}', _logged, verbosity="[0-9]+")
@then(
    'the scheduler does not log "{words}"[ with "{more}"] at verbosity {verbosity}',
    _logged,
    verbosity="[0-9]+",
)
def scheduler_logs(then: ClusterExpectationBuilder, params: SchedulerLogs) -> None:
    if not params.words or not all(params.words):
        raise StepError("has no words, expected at least one text of a line")
    if not 1 <= params.verbosity <= _MAX_VERBOSITY:
        raise StepError(f"has the verbosity {params.verbosity}, expected 1 to {_MAX_VERBOSITY}")
    path = log_path(params.verbosity, params.words)
    then.expect(COMPONENT, SCHEDULER, path, True if params.logged else ABSENT)


OTHER_OBSERVATION_STEPS: tuple[Step, ...] = (
    scheduling_fails,
    prepared,
    event,
    metric_change,
    metric_increase,
    more_scheduler_writes,
    only_known_scheduler_writes,
    scheduler_logs,
)
"""The Then steps."""
