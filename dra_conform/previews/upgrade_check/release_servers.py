"""The API servers of all releases of an upgrade: the simulation, or real control planes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dra_conform.kube.json_values import Json
from dra_conform.previews.dry_run import Admission, ProposedWrite, builtin
from dra_conform.previews.upgrade_check.findings import UpgradeStep

ReadBack = Callable[[ProposedWrite, UpgradeStep], tuple[Json, Json] | None]
"""Returns an object of a cluster before and after a step, in v1; None if the cluster has no such object."""


@dataclass(frozen=True, slots=True)
class ReleaseServers:
    """The API servers of all releases.

    `admission` answers writes. `read_back` reads existing objects; it is None for the simulation, which
    derives them from the API types of a release.
    """

    admission: Admission
    read_back: ReadBack | None = None

    @property
    def simulated(self) -> bool:
        """Whether the API servers are simulated, so that single switches can be changed."""
        return self.read_back is None


SIMULATED = ReleaseServers(builtin)
