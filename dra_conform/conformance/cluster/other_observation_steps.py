"""The Then steps of scheduling failures, prepared devices, events and metrics.

If an implementation does not report them, these steps are not judged.
"""

from __future__ import annotations

import re
from typing import Literal

from dra_conform.conformance.cluster.expectation import ClusterExpectationBuilder
from dra_conform.conformance.cluster.other_observations import (
    EVENT,
    GROWTH,
    METRIC,
    PREPARED_DEVICES,
    PREPARED_NODES,
    SCHEDULING_FAILURE,
)
from dra_conform.conformance.steps.step import Params, Step, StepError, Table, then
from dra_conform.conformance.steps.table_cells import flag, plain
from dra_conform.kube.field_paths import ABSENT
from dra_conform.kube.json_values import Json

_LABEL_VALUE = r"[A-Za-z_-]*"
_METRIC = rf"[a-z_]+(?:\{{[a-z_]+={_LABEL_VALUE}(?:, ?[a-z_]+={_LABEL_VALUE})*\}})?"
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


OTHER_OBSERVATION_STEPS: tuple[Step, ...] = (
    scheduling_fails,
    prepared,
    event,
    metric_change,
)
"""The Then steps."""
