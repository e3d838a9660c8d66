"""The question of the operation `driver`: ResourceClaims, and actions of kubelet, node and cluster in order.

Devices are numbers: device 1 is the first that the driver publishes, by pool and name. So a case holds for
every driver with enough devices.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from dra_conform.conformance.steps.driver_claims import ChangeAPIServer, ClaimSetup, Need, RestartKubelet


class Prepare(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="do", tag="prepare"):
    """The kubelet prepares claims in one call, `times` times, or each in a call of its own in parallel.

    `service`: the service to call, such as `v1beta1.DRAPlugin`; by default that which a kubelet takes.
    `predecessor`: the call goes to the instance that was started first.
    """

    claims: tuple[str, ...]
    times: int = 1
    parallel: bool = False
    service: str = ""
    predecessor: bool = False


class Unprepare(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="do", tag="unprepare"):
    """The kubelet unprepares claims in one call, or each in a call of its own in parallel.

    A claim that is not in the setup never existed. `service`: the service to call, by default that which a
    kubelet takes. `earlier`: claims that were recreated are called by their first UID.
    """

    claims: tuple[str, ...]
    times: int = 1
    service: str = ""
    predecessor: bool = False
    parallel: bool = False
    earlier: bool = False


class CallEmpty(msgspec.Struct, frozen=True, tag_field="do", tag="call-empty"):
    """The kubelet calls each service of the driver with an empty list of ResourceClaims."""


class RestartDriver(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="do", tag="restart-driver"):
    """The driver is ended by a signal, started (in a variant if named) and registered, `times` times.

    In a variant, the next action begins when the ResourceSlices have changed, or after 75 seconds.
    """

    signal: Literal["KILL", "TERM"] = "KILL"
    times: int = 1
    variant: Literal["", "without-devices", "fewer-devices", "other-groups"] = ""


class StopDriver(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="do", tag="stop-driver"):
    """The driver is ended by a signal. `predecessor`: the older instance is ended instead."""

    signal: Literal["KILL", "TERM"] = "TERM"
    predecessor: bool = False


class StartDriver(msgspec.Struct, frozen=True, tag_field="do", tag="start-driver"):
    """The driver starts and is registered."""


class StartSuccessor(msgspec.Struct, frozen=True, tag_field="do", tag="start-successor"):
    """Another instance of the driver starts while the first one runs, as in a rolling update."""


class RebootNode(msgspec.Struct, frozen=True, tag_field="do", tag="reboot-node"):
    """The node reboots: the driver is killed, sockets and CDI files are lost, and the driver starts again."""


class RefuseRegistration(msgspec.Struct, frozen=True, tag_field="do", tag="refuse-registration"):
    """The kubelet rejects the registration of the driver, and accepts it a second later."""


class ChangeCDI(msgspec.Struct, frozen=True, tag_field="do", tag="change-cdi"):
    """The files in the CDI folder are lost, or the folder becomes unwritable or writable again."""

    to: Literal["lost", "unwritable", "writable"]


SliceChange = Literal[
    "deleted",
    "last-deleted",
    "edited",
    "attribute-added",
    "capacity-added",
    "device-added",
    "count-raised",
    "foreign-added",
    "newer-added",
]
"""What another client does to the ResourceSlices of the driver."""


class ChangeSlices(msgspec.Struct, frozen=True, tag_field="do", tag="change-slices"):
    """Another client deletes or edits ResourceSlices of the driver, or adds one to its pool.

    `last-deleted`: it deletes the last one. `edited`: it removes the last device of a ResourceSlice.
    `attribute-added`, `capacity-added`: it adds an attribute or a capacity to the first device.
    `device-added`: it adds a device to the last ResourceSlice with devices. `count-raised`: it adds 1 to
    resourceSliceCount in the first ResourceSlice. `newer-added`: it adds a ResourceSlice whose generation is
    higher than that of the pool.
    """

    to: SliceChange


class AwaitSlices(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="do", tag="await-slices"):
    """The kubelet waits up to 75 seconds until the ResourceSlices have the same devices as at the start.

    It also waits until no device has an attribute or capacity of another client, and until as many have
    compatibilityGroups as at the start (`groups`), or none has (`no-groups`).
    """

    until: Literal["devices", "groups", "no-groups"] = "devices"


class RestartAPIServer(msgspec.Struct, frozen=True, tag_field="do", tag="restart-api-server"):
    """The API server restarts with another state of a feature gate."""

    gate: str
    on: bool


class ChangeClaim(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="do", tag="change-claim"):
    """A ResourceClaim is deleted, or replaced by one of the same name; the kubelet keeps the old UID.

    `recreated`: it is replaced by one that is allocated `device`, and the kubelet uses the new UID.
    `reallocated`: it is deallocated, and allocated `device`.
    """

    claim: str
    to: Literal["deleted", "replaced", "recreated", "reallocated"]
    device: int = 0


class CorruptState(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="do", tag="corrupt-state"):
    """The driver's state file is cut in half, emptied, or replaced by an empty JSON object."""

    to: Literal["half", "empty", "another-format"] = "half"


class Rest(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="do", tag="rest"):
    """Nothing happens for some seconds."""

    seconds: int = 5


class WatchHealth(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="do", tag="watch-health"):
    """The kubelet watches the health of the devices.

    It ends after four reports of each device, or after forty seconds. `open`: the stream stays open until the
    driver ends it, and its reports are not observed. `long`: it does not end before forty seconds. `service`:
    the service to call, by default that which a kubelet takes.
    """

    open: bool = False
    long: bool = False
    service: str = ""


Action = (
    Prepare
    | Unprepare
    | CallEmpty
    | RestartDriver
    | StopDriver
    | StartDriver
    | StartSuccessor
    | RebootNode
    | RestartKubelet
    | RefuseRegistration
    | ChangeCDI
    | ChangeSlices
    | AwaitSlices
    | RestartAPIServer
    | ChangeAPIServer
    | ChangeClaim
    | CorruptState
    | Rest
    | WatchHealth
)


class DriverQuestion(msgspec.Struct, frozen=True, omit_defaults=True):
    """A case for a driver with at least `devices` devices."""

    actions: tuple[Action, ...]
    claims: tuple[ClaimSetup, ...] = ()
    devices: int = 1
    needs: tuple[Need, ...] = ()
