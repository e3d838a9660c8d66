"""The components of the simulated cluster that an implementation can replace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from dra_conform.controlplane.admitting import admit
from dra_conform.controlplane.allocating import allocate
from dra_conform.kube.profile import Profile

Json = Any
Objects = Mapping[str, Sequence[Json]]
"""Plain v1 objects by the name of their collection."""


class NotSimulated(Exception):  # noqa: N818 - it reads as what happened
    """The story needs something that this cluster, or a part of it, does not do."""


class AllocatorPart(Protocol):
    """The operation `allocate`; `seed` is another one for each question of a story. Raises NotSimulated."""

    def __call__(
        self, objects: Objects, ask: Mapping[str, Json], profile: Profile, seed: int
    ) -> Mapping[str, Json]: ...


class AdmissionPart(Protocol):
    """The operation `admit`. Raises NotSimulated."""

    def __call__(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> Mapping[str, Json]: ...


@dataclass(frozen=True, slots=True)
class Parts:
    """Who allocates for the scheduler, and who admits writes for the API server."""

    allocator: AllocatorPart = allocate
    admission: AdmissionPart = admit
