"""The question of the operation `kubelet`: DRA drivers on a node, and actions of node and cluster in order.

The objects of the request are the pods of the node, their ResourceClaims, and the ResourceSlices of drivers.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from dra_conform.conformance.steps.driver_claims import ChangeAPIServer, DriverSetup, RestartKubelet


class PreparePods(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="do", tag="prepare"):
    """The kubelet prepares the ResourceClaims of pods, one pod after the other, `times` times."""

    pods: tuple[str, ...]
    times: int = 1


class UnpreparePods(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="do", tag="unprepare"):
    """The kubelet unprepares the ResourceClaims of pods whose containers have ended."""

    pods: tuple[str, ...]
    times: int = 1


class RestartDuringCall(
    msgspec.Struct, frozen=True, omit_defaults=True, tag_field="do", tag="restart-during-call"
):
    """The kubelet is killed while a driver leaves its call for a pod unanswered, and started again.

    `removed`: the kubelet no longer has the pod when it starts.
    """

    pod: str
    call: Literal["prepare", "unprepare"]
    removed: bool = False


class EndPod(msgspec.Struct, frozen=True, tag_field="do", tag="end-pod"):
    """The kubelet no longer has the pod, as after a forced deletion, and is not told to unprepare it."""

    pod: str


class LoseClaimStatuses(msgspec.Struct, frozen=True, tag_field="do", tag="lose-claim-statuses"):
    """A pod loses `resourceClaimStatuses` in its status, as by an update of another client."""

    pod: str


class ChangeDriver(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="do", tag="change-driver"):
    """An instance of a driver starts, stops, crashes or serves again; a stopped one removes its sockets.

    `crashed`: its services no longer answer, and its registration socket stays. `serving`: they answer
    again, on the same socket. `deregistered`: it removes its registration socket and still serves.
    `shares_endpoint`: it registers the service socket of the first instance. `services`: those that it
    registers when it starts, on a new service socket, by default those of the setup on the one of before.
    """

    driver: str
    to: Literal["started", "stopped", "crashed", "serving", "deregistered"]
    instance: int = 1
    shares_endpoint: bool = False
    services: tuple[str, ...] = ()


class SetAnswer(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="do", tag="set-answer"):
    """The answer of a driver to later calls of `call`.

    `claim-error`: with an error for `claim`. `call-error`: with an error of the whole call.
    `unimplemented`: with the gRPC error UNIMPLEMENTED, as if the driver did not know the call.
    `left-out`: without an entry for `claim`. `unknown-entry`: with an entry for a claim that was not asked,
    instead of that for `claim` if it is given. `claim-error-with-devices`: with an error and devices for
    `claim`. `further-entry`: with an entry for `claim`, which was not asked. `one-device`: with only the
    first device of each claim.
    `without-requests`: devices name no request. `all-requests`: each device names all requests of its claim.
    `two-cdi-names`, `no-cdi-names`: each device has so many CDI names. `late`: after 30 seconds. `hang`: not
    at all. `valid`: correctly.
    """

    driver: str
    call: Literal["prepare", "unprepare"]
    to: Literal[
        "valid",
        "claim-error",
        "call-error",
        "unimplemented",
        "left-out",
        "unknown-entry",
        "claim-error-with-devices",
        "further-entry",
        "one-device",
        "without-requests",
        "all-requests",
        "two-cdi-names",
        "no-cdi-names",
        "late",
        "hang",
    ]
    claim: str = ""


class DeviceReport(msgspec.Struct, frozen=True, omit_defaults=True):
    """The health of a device.

    `timeout`: the seconds for which the report is valid. `pool`: by default that of the first ResourceClaim
    that is allocated a device of this name.
    """

    device: str
    health: Literal["Healthy", "Unhealthy", "Unknown"]
    message: str = ""
    timeout: int = 0
    pool: str = ""


class ReportHealth(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="do", tag="report-health"):
    """An instance of a driver reports the health of devices in one message."""

    driver: str
    devices: tuple[DeviceReport, ...]
    instance: int = 1


class ChangeClaimOfPod(msgspec.Struct, frozen=True, tag_field="do", tag="change-claim"):
    """A ResourceClaim is deleted from the API server, or replaced by one of the same name."""

    claim: str
    to: Literal["deleted", "replaced"]


class Wait(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="do", tag="wait"):
    """Time passes: `seconds`, or until the event `until` if that comes earlier."""

    seconds: int
    until: Literal["", "driver-called", "slices-deleted"] = ""


Action = (
    PreparePods
    | UnpreparePods
    | RestartKubelet
    | RestartDuringCall
    | EndPod
    | LoseClaimStatuses
    | ChangeDriver
    | SetAnswer
    | ReportHealth
    | ChangeClaimOfPod
    | ChangeAPIServer
    | Wait
)


class KubeletQuestion(msgspec.Struct, frozen=True, omit_defaults=True):
    """The drivers on the node, and the actions."""

    actions: tuple[Action, ...]
    drivers: tuple[DriverSetup, ...] = ()
