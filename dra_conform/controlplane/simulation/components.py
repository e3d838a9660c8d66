"""The components of a cluster, each with a release and feature gates of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from dra_conform.kube.profile import KEP, Profile

Json = Any

APISERVER = "apiserver"
SCHEDULER = "scheduler"
CONTROLLER_MANAGER = "controller-manager"
KUBELET = "kubelet"
NAMES = (APISERVER, SCHEDULER, CONTROLLER_MANAGER, KUBELET)


@dataclass(frozen=True, slots=True)
class Component:
    """One started component. `switched` are the gates set apart from the defaults of its release.

    `started` counts how often it was started.
    """

    profile: Profile
    switched: Mapping[str, bool]
    started: int = 1

    def restarted(self, release: Profile | None = None, gates: Mapping[str, bool] | None = None) -> Component:
        """The component started again, of another release or with other gates if they are given."""
        switched = {**self.switched, **(gates or {})}
        defaults = release or Profile.named(self.profile.name)
        return Component(defaults.with_gates(switched), switched, self.started + 1)


class Components:
    """Which component runs as what. Those that a story does not name run with the profile of the case."""

    def __init__(self, named: Mapping[str, Json], profile: Profile) -> None:
        self._running = {name: _started(named.get(name) or {}, profile) for name in NAMES}

    def __getitem__(self, name: str) -> Component:
        """Raises ValueError for a name that is none of `NAMES`."""
        if name not in self._running:
            raise ValueError(f"there is no component {name!r}, expected one of {', '.join(NAMES)}")
        return self._running[name]

    def restart(
        self,
        names: Iterable[str],
        release: Profile | None = None,
        gates: Mapping[str, bool] | None = None,
    ) -> None:
        """Start components again, the store being what it was."""
        for name in names:
            self._running[name] = self[name].restarted(release, gates)


def release_named(release: str | None) -> Profile:
    """The profile of a release such as `1.36`, of the documents for None; ValueError for an unknown one."""
    return Profile.named(KEP if release is None else f"kubernetes-{release}")


def _started(named: Mapping[str, Json], profile: Profile) -> Component:
    release = named.get("release", profile.release)
    defaults = release_named(release)
    gates = {} if release != profile.release else dict(profile.gates)
    switched = _switched(defaults, {**gates, **named.get("gates", {})})
    return Component(defaults.with_gates(switched), switched)


def _switched(defaults: Profile, gates: Mapping[str, bool]) -> dict[str, bool]:
    """The gates that differ from the defaults, without those that are off only because of another."""
    differing = {gate: on for gate, on in gates.items() if defaults.gates.get(gate, on) != on}
    return {
        gate: on
        for gate, on in differing.items()
        if on or defaults.with_gates({**differing, gate: True}).enabled(gate)
    }
