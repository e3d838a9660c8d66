"""The control planes of several releases, for an upgrade check on real components."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from dra_conform.adapters.control_plane import programs
from dra_conform.adapters.control_plane.control_plane_file import ControlPlaneFile
from dra_conform.adapters.control_plane.implementation import KubeImplementation
from dra_conform.adapters.implementation_admission import ImplementationAdmission
from dra_conform.conformance.implementation import CannotStart, Implementation
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.previews.dry_run import Question


def control_plane(version: str) -> Implementation:
    """Return a control plane that is not started; the log of a component that cannot start is kept."""
    return KubeImplementation(ControlPlaneFile(version, {}), spec=f"kube:{version}", keep_logs=True)


class ReleaseControlPlanes:
    """The newest built control plane of each release, which starts when first used and ends with `close`.

    Methods raise CannotStart.
    """

    def __init__(self, releases: Iterable[str]) -> None:
        """Find the programs; raises CannotStart with the commands that build what is missing."""
        self.versions: dict[str, str] = {}
        missing: dict[str, None] = {}
        for release in releases:
            try:
                self.versions[release] = programs.newest_of(release)
            except programs.NotBuilt as error:
                missing[str(error)] = None
        if missing:
            raise CannotStart("; ".join(missing))
        self._running: dict[str, ImplementationAdmission] = {}

    def admission(self, questions: Sequence[Question], profile: Profile) -> list[Mapping[str, Json]]:
        """Answer writes by the API server of the profile's release."""
        return list(self._of(profile)(questions, profile))

    def observe(
        self,
        objects: Mapping[str, Sequence[Json]],
        actions: Sequence[Mapping[str, Json]],
        profile: Profile,
    ) -> Sequence[Mapping[str, Json]]:
        """Run actions on a new cluster of the profile; return an observation for each action."""
        return self._of(profile).observe(objects, {"actions": list(actions)}, profile)

    def close(self) -> None:
        """End all processes and remove their files."""
        for running in self._running.values():
            running.close()

    def _of(self, profile: Profile) -> ImplementationAdmission:
        release = str(profile.release)
        if release not in self._running:
            plane = control_plane(self.versions[release])
            self._running[release] = ImplementationAdmission(plane, required=True)
        return self._running[release]
