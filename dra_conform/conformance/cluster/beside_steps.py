"""The then steps about what a cluster tells beside its objects.

Not every implementation tells it; then these steps count for nothing.
"""

from __future__ import annotations

import re
from typing import Literal

from dra_conform.conformance.cluster.expectation import ActExpectationBuilder
from dra_conform.conformance.cluster.told_beside import (
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


class RefusedPod(Params, frozen=True, kw_only=True):
    """The last refusal of a pod: by the filters on a node, or by the attempt as a whole."""

    pod: str
    node: str | None = None
    code: Literal["Unschedulable", "UnschedulableAndUnresolvable", "Error"]


class PreparedDevice(Params, frozen=True, kw_only=True):
    """A device; `share`: whether the driver is told the share ID that the claim has of it."""

    device: str
    share: bool = False


class PreparedClaim(Params, frozen=True, kw_only=True):
    """What is prepared for a claim on a node, all of it; without a node, that it is prepared nowhere."""

    claim: str
    node: str | None = None
    devices: tuple[PreparedDevice, ...] = ()


class EventOfPod(Params, frozen=True, kw_only=True):
    """An event of a pod; `words` are in its message, in any case."""

    pod: str
    reason: str
    words: str = ""


class GrownMetric(Params, frozen=True, kw_only=True):
    """By how much a metric has grown, all its series with these labels together: `name{label=value}`."""

    metric: str
    by: int


def _refused(then: ActExpectationBuilder, params: RefusedPod) -> None:
    path = REFUSAL if params.node is None else f"{REFUSAL} on {params.node}"
    then.expect("Pod", params.pod, path, params.code)


def _prepared(then: ActExpectationBuilder, params: PreparedClaim) -> None:
    nodes = ABSENT if params.node is None else [params.node]
    then.expect("ResourceClaim", params.claim, PREPARATION, nodes)
    if params.devices:
        devices = sorted(one.device + (" as its share" if one.share else "") for one in params.devices)
        then.expect("ResourceClaim", params.claim, f"{PREPARED} on {params.node}", devices)


def _event(then: ActExpectationBuilder, params: EventOfPod) -> None:
    words = f" with {params.words}" if params.words else ""
    then.expect("Pod", params.pod, f"{EVENT} {params.reason}{words}", True)


def _grown(then: ActExpectationBuilder, params: GrownMetric) -> None:
    if not re.fullmatch(_METRIC, params.metric):
        raise StepError(f"{params.metric!r} is no metric, expected name{{label=value, …}}")
    then.expect(METRIC, params.metric, GROWTH, params.by)


def _refusal(found: re.Match[str], _: Table, __: str) -> Json:
    return {name: text for name, text in found.groupdict().items() if text}


def _preparation(found: re.Match[str], rows: Table, _: str) -> Json:
    devices: list[dict[str, Json]] = [dict(plain(row)) for row in rows]
    for one in devices:
        if "share" in one:
            one["share"] = flag(one["share"])
    return {**{name: text for name, text in found.groupdict().items() if text}, "devices": devices}


BESIDE: tuple[Step, ...] = (
    Step(
        "then",
        "refused",
        RefusedPod,
        (
            phrase('pod "{pod}" is refused as {code}', _refusal, code=_CODES),
            phrase('pod "{pod}" is refused on node "{node}" as {code}', _refusal, code=_CODES),
        ),
        _refused,
    ),
    Step(
        "then",
        "prepared",
        PreparedClaim,
        (
            phrase('claim "{claim}" is prepared on node "{node}"[ with]', _preparation),
            phrase('claim "{claim}" is prepared on no node', _preparation),
        ),
        _prepared,
    ),
    Step(
        "then",
        "event",
        EventOfPod,
        (phrase('an event {reason} is told of pod "{pod}"[ with "{words}"]', _refusal, reason="[A-Za-z]+"),),
        _event,
    ),
    Step(
        "then",
        "grown",
        GrownMetric,
        (
            phrase(
                "the metric {metric} has grown by {by}",
                lambda found, _, __: {"metric": found["metric"], "by": int(found["by"])},
                metric=_METRIC,
                by="-?[0-9]+",
            ),
        ),
        _grown,
    ),
)
"""The then steps."""
