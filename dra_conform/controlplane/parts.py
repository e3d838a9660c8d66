"""The parts of the simulated cluster that another implementation can replace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from dra_conform.controlplane.admitting import admit
from dra_conform.controlplane.allocating import allocate
from dra_conform.kube.profile import Profile

Json = Any
Objects = Mapping[str, Sequence[Json]]
"""v1 objects in JSON form by the name of their collection, such as `resourceClaims`."""


class NotSimulated(Exception):  # noqa: N818 - it reads as what happened
    """The scenario has an action that the cluster, or a replaced part of it, does not support."""


class AllocatorPart(Protocol):
    """A function that answers the operation `allocate`; each call has another `seed`. Raises NotSimulated."""

    def __call__(
        self, objects: Objects, ask: Mapping[str, Json], profile: Profile, seed: int
    ) -> Mapping[str, Json]: ...


class AdmissionPart(Protocol):
    """A function that answers the operation `admit`; raises NotSimulated."""

    def __call__(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> Mapping[str, Json]: ...


@dataclass(frozen=True, slots=True)
class Parts:
    """The allocator of the scheduler and the admission of the API server; both default to the built-in."""

    allocator: AllocatorPart = allocate
    admission: AdmissionPart = admit
