"""The operation `driver`: a DRA driver's answers to the kubelet, ResourceSlices, and files on the node. Its
setup and its When steps form the question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from dra_conform.conformance.case import Objects
from dra_conform.conformance.checked_observations import (
    CheckedObservations,
    CheckedStepBuilder,
    ObservationInvariant,
)
from dra_conform.conformance.driver.actions import (
    Action,
    ChangeCDI,
    CorruptState,
    DriverQuestion,
    Prepare,
    RebootNode,
    RestartAPIServer,
    RestartDriver,
    StartSuccessor,
    WatchHealth,
)
from dra_conform.conformance.driver.answer import DriverAnswer, DriverHistory, DriverObservation
from dra_conform.conformance.driver.cdi_checks import OtherCDIUnchanged
from dra_conform.conformance.driver.preparation_checks import PrepareFails
from dra_conform.conformance.driver.publication_checks import OtherSlicesUnchanged
from dra_conform.conformance.driver.then_steps import THEN_STEPS
from dra_conform.conformance.driver.when_steps import WHEN_STEPS
from dra_conform.conformance.operation import Probe
from dra_conform.conformance.requirement import SHOULD
from dra_conform.conformance.steps.driver_claims import ChangeAPIServer, Need
from dra_conform.conformance.steps.given import Given
from dra_conform.kube.json_values import Json

_NEEDED_BY: Mapping[type, Need] = {
    StartSuccessor: "rolling-update",
    CorruptState: "state-file",
    WatchHealth: "health",
    ChangeAPIServer: "api-server-outage",
}
"""The need of each action: a property of the driver or of the cluster."""


def build_question(given: Given, actions: Sequence[Action]) -> tuple[Objects, Mapping[str, Json]]:
    """Return no objects, and the question of the setup and the actions."""
    implied = [need for action in actions for need in _needed_by(action)]
    needs = tuple(dict.fromkeys((*given.driver_needs, *implied)))
    question = DriverQuestion(tuple(actions), tuple(given.driver_claims), given.driver_devices, needs)
    encoded: dict[str, Json] = msgspec.to_builtins(question)
    return {}, encoded


def _needed_by(action: Action) -> Iterator[Need]:
    if type(action) in _NEEDED_BY:
        yield _NEEDED_BY[type(action)]
    if isinstance(action, RestartDriver) and action.variant:
        yield action.variant


_FEATURES: Mapping[str, tuple[str, ...]] = {
    "shares": ("consumable-capacity",),
    "compatibility-groups": ("partitionable-devices", "compatibility-groups"),
}
"""The API features that a need of the case implies."""


def features(_: Objects, ask: Mapping[str, Json]) -> frozenset[str]:
    """Return the feature ids of what the question needs of a driver and of the API.

    Each question needs devices, and one that prepares claims a driver whose answers have devices. One in
    which the CDI folder cannot be written needs a folder that can be blocked, and a driver that needs CDI
    files to prepare claims. A reboot needs a node with a boot ID that can change.
    """
    question = msgspec.convert(ask, DriverQuestion)
    needs, claims = question.needs, question.claims
    requests = (result.request for claim in claims for result in claim.results)
    blocks_cdi = any(
        isinstance(action, ChangeCDI) and action.to == "unwritable" for action in question.actions
    )
    return frozenset(
        (
            *(f"driver-{need}" for need in ("devices", *needs)),
            *(("driver-prepared-devices",) if _prepares(question) else ()),
            *(("driver-boot-id",) if any(isinstance(each, RebootNode) for each in question.actions) else ()),
            *(("driver-cdi-folder", "driver-cdi-files") if blocks_cdi else ()),
            *(feature for need in needs for feature in _FEATURES.get(need, ())),
            *(("admin-access",) if any(claim.admin_access for claim in claims) else ()),
            *(("prioritized-list",) if any("/" in request for request in requests) else ()),
        )
    )


def _prepares(question: DriverQuestion) -> bool:
    return bool(question.claims) and any(isinstance(action, Prepare) for action in question.actions)


def gates_turned_on(ask: Mapping[str, Json]) -> frozenset[str]:
    """Return the gate that stores device status, if a claim has any, and gates that actions turn on."""
    question = msgspec.convert(ask, DriverQuestion)
    gates = [action.gate for action in question.actions if isinstance(action, RestartAPIServer) and action.on]
    status = any(claim.device_status for claim in question.claims)
    return frozenset((*gates, *(("DRAResourceClaimDeviceStatus",) if status else ())))


class Driver(CheckedObservations[DriverObservation]):
    """The operation `driver`: its question has ResourceClaims and actions, its answer one observation for
    each action."""

    name = "driver"
    steps = (*WHEN_STEPS, *THEN_STEPS)
    subject = "driver"
    observation = DriverObservation
    invariants = (
        ObservationInvariant(
            "slices-of-others-unchanged", "DRIVER/slices/others-unchanged", OtherSlicesUnchanged()
        ),
        ObservationInvariant(
            "cdi-spec-of-others-kept", "DRIVER/prepare/cdi-of-others", OtherCDIUnchanged(), SHOULD
        ),
    )
    probes = (Probe("a driver that prepares no claims", {}, {"actions": [{"do": "call-empty"}]}),)

    def build_question(self, given: Given, actions: Sequence[Json]) -> tuple[Objects, Mapping[str, Json]]:
        return build_question(given, actions)

    def features(self, objects: Objects, ask: Mapping[str, Json]) -> frozenset[str]:
        return features(objects, ask)

    def gates_turned_on(self, ask: Mapping[str, Json]) -> frozenset[str]:
        return gates_turned_on(ask)

    def expect(self, ask: Mapping[str, Json], step_index: int) -> CheckedStepBuilder:
        return CheckedStepBuilder((PrepareFails,))

    def history(self, answer: DriverAnswer, index: int) -> DriverHistory:
        return DriverHistory(answer, index)
