"""What a case needs of a DRA driver, ResourceClaims that are allocated devices of the driver, and the actions
that cases of drivers and of kubelets share."""

from __future__ import annotations

from typing import Literal

import msgspec

from dra_conform.kube.plugin_types import DRA_PLUGIN

SERVICES = ("v1.DRAPlugin", "v1beta1.DRAPlugin", "v1.DRAResourceHealth", "v1alpha1.DRAResourceHealth")
"""The default services of a driver, newest first."""


class DriverSetup(msgspec.Struct, frozen=True, omit_defaults=True):
    """A DRA driver on the node, registered with these services before the first action.

    `failures`: how many calls of `GetInfo` fail before one succeeds. `unknown`: how many answers of `GetInfo`
    have only a service that no kubelet knows before one is correct. `failing_notifications`: how many calls
    of `NotifyRegistrationStatus` fail before one succeeds. `type`: the type of plugin that it returns.
    `socket`: the path of its registration socket in the registry folder, by default one that its name is
    part of. `one_socket`: it serves on its registration socket and returns an empty endpoint.
    """

    name: str
    services: tuple[str, ...] = SERVICES
    failures: int = 0
    type: str = DRA_PLUGIN
    unknown: int = 0
    socket: str = ""
    one_socket: bool = False
    failing_notifications: int = 0


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """One result in the allocation of a ResourceClaim.

    `device`: the number of a published device, or a name that the driver has not published, in which `own`
    becomes the name of the first device.
    `pool`: another pool than that of the device, in which `own` becomes the name of that pool.
    `driver`: another driver than the one under test.
    `share`: the number of a share ID; results with the same number have the same one.
    """

    device: int | str
    request: str = "r0"
    pool: str = ""
    driver: str = ""
    share: int = 0


class ClaimSetup(msgspec.Struct, frozen=True, omit_defaults=True):
    """A ResourceClaim of the setup; without results it is not allocated.

    `name` can begin with a namespace and a slash. `configuration`: whether it has the driver's valid
    configuration, the invalid one, or one of another driver. `configured_request`: the request to which it
    applies, empty for all. `class_configuration`: which of them its DeviceClass has. `device_status`: drivers
    other than the one under test with an entry in `status.devices`.
    """

    name: str
    results: tuple[Result, ...] = ()
    admin_access: bool = False
    configuration: Literal["", "good", "bad", "other-driver"] = ""
    device_status: tuple[str, ...] = ()
    class_configuration: Literal["", "good", "bad", "other-driver"] = ""
    configured_request: str = ""


Need = Literal[
    "shares",
    "configuration",
    "rolling-update",
    "state-file",
    "health",
    "exclusive-devices",
    "older-service",
    "api-server-outage",
    "metadata",
    "compatibility-groups",
    "without-devices",
    "fewer-devices",
    "other-groups",
]
"""A property of the driver or the cluster that a case needs; a driver without it declines the case.

With `compatibility-groups`, the groups of device 1 and device 2 exclude each other, those of device 1 and
device 3 do not.
"""


class RestartKubelet(msgspec.Struct, frozen=True, tag_field="do", tag="restart-kubelet"):
    """The kubelet restarts while drivers run on; it registers them again through their existing sockets."""


class ChangeAPIServer(msgspec.Struct, frozen=True, tag_field="do", tag="change-api-server"):
    """The API server becomes unavailable, or available again."""

    to: Literal["unavailable", "available"]
