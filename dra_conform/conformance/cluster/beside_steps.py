"""The then steps of scheduling failures, prepared devices, events and metrics.

Not every implementation tells it; then these steps count for nothing.
"""

from __future__ import annotations

import re
from typing import Literal

from dra_conform.conformance.cluster.expectation import ActExpectationBuilder
from dra_conform.conformance.cluster.other_observations import (
    EVENT,
    GROWTH,
    METRIC,
    PREPARATION,
    PREPARED,
    REFUSAL,
)
from dra_conform.conformance.steps.step import Json, Params, Step, StepError, Table, phrase
from dra_conform.conformance.steps.table_cells import flag, plain
from dra_conform.kube.field_paths import ABSENT

_METRIC = r"[a-z_]+(?:\{[a-z_]+=[a-z_-]*(?:, ?[a-z_]+=[a-z_-]*)*\})?"
_CODES = "Unschedulable|UnschedulableAndUnresolvable|Error"


class FailedScheduling(Params, frozen=True, kw_only=True):
    """How the last attempt to schedule a pod fails, or the filters on a node."""

    pod: str
    node: str | None = None
    code: Literal["Unschedulable", "UnschedulableAndUnresolvable", "Error"]


class PreparedDevice(Params, frozen=True, kw_only=True):
    """A device; `share_id`: whether the driver is told the share ID of the allocation."""

    device: str
    share_id: bool = False


class PreparedClaim(Params, frozen=True, kw_only=True):
    """All that is prepared for a ResourceClaim on a node; without a node it is prepared nowhere."""

    resource_claim: str
    node: str | None = None
    devices: tuple[PreparedDevice, ...] = ()


class EventOfPod(Params, frozen=True, kw_only=True):
    """An event of a pod; `message` is in its message, in any case."""

    pod: str
    reason: str
    message: str = ""


class MetricChange(Params, frozen=True, kw_only=True):
    """By how much a metric changes, all its series with these labels together: `name{label=value}`."""

    metric: str
    by: int


def _refused(then: ActExpectationBuilder, params: FailedScheduling) -> None:
    path = REFUSAL if params.node is None else f"{REFUSAL} on {params.node}"
    then.expect("Pod", params.pod, path, params.code)


def _prepared(then: ActExpectationBuilder, params: PreparedClaim) -> None:
    nodes = ABSENT if params.node is None else [params.node]
    then.expect("ResourceClaim", params.resource_claim, PREPARATION, nodes)
    if params.devices:
        devices = sorted(one.device + (" as its share" if one.share_id else "") for one in params.devices)
        then.expect("ResourceClaim", params.resource_claim, f"{PREPARED} on {params.node}", devices)


def _event(then: ActExpectationBuilder, params: EventOfPod) -> None:
    words = f" with {params.message}" if params.message else ""
    then.expect("Pod", params.pod, f"{EVENT} {params.reason}{words}", True)


def _grown(then: ActExpectationBuilder, params: MetricChange) -> None:
    if not re.fullmatch(_METRIC, params.metric):
        raise StepError(f"{params.metric!r} is no metric, expected name{{label=value, …}}")
    then.expect(METRIC, params.metric, GROWTH, params.by)


def _refusal(found: re.Match[str], _: Table, __: str) -> Json:
    return {name: text for name, text in found.groupdict().items() if text}


def _preparation(found: re.Match[str], rows: Table, _: str) -> Json:
    devices: list[dict[str, Json]] = [dict(plain(row)) for row in rows]
    for one in devices:
        if "shareID" in one:
            one["shareID"] = flag(one["shareID"])
    node = {"node": node} if (node := found.groupdict().get("node")) else {}
    return {"resourceClaim": found["claim"], **node, "devices": devices}


BESIDE: tuple[Step, ...] = (
    Step(
        "then",
        "schedulingFails",
        FailedScheduling,
        (
            phrase('scheduling of pod "{pod}" fails with {code}', _refusal, code=_CODES),
            phrase('filtering of node "{node}" for pod "{pod}" fails with {code}', _refusal, code=_CODES),
        ),
        _refused,
    ),
    Step(
        "then",
        "prepared",
        PreparedClaim,
        (
            phrase('ResourceClaim "{claim}" is prepared on node "{node}"[ with]', _preparation),
            phrase('ResourceClaim "{claim}" is prepared on no node', _preparation),
        ),
        _prepared,
    ),
    Step(
        "then",
        "event",
        EventOfPod,
        (
            phrase(
                'pod "{pod}" has an event {reason}[ with the message "{message}"]',
                _refusal,
                reason="[A-Za-z]+",
            ),
        ),
        _event,
    ),
    Step(
        "then",
        "metricChange",
        MetricChange,
        (
            phrase(
                "the metric {metric} changes by {by}",
                lambda found, _, __: {"metric": found["metric"], "by": int(found["by"])},
                metric=_METRIC,
                by="-?[0-9]+",
            ),
        ),
        _grown,
    ),
)
"""The then steps."""
