"""The DRA drivers on the node of a kubelet under test."""

from __future__ import annotations

import msgspec

SERVICES = ("v1.DRAPlugin", "v1beta1.DRAPlugin", "v1.DRAResourceHealth", "v1alpha1.DRAResourceHealth")
"""The default services of a driver, newest first."""


class DriverSetup(msgspec.Struct, frozen=True, omit_defaults=True):
    """A DRA driver on the node, registered with these services before the first action.

    `failures`: how many calls of `GetInfo` fail before one succeeds.
    """

    name: str
    services: tuple[str, ...] = SERVICES
    failures: int = 0
