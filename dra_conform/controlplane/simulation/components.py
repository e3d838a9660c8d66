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


class Components:
    """Which component runs as what. Those that a story does not name run with the profile of the case."""

    def __init__(self, named: Mapping[str, Json], profile: Profile) -> None:
        self._own = profile
        self._running = {name: self._first(named.get(name) or {}) for name in NAMES}

    def __getitem__(self, name: str) -> Component:
        """Raises ValueError for a name that is none of `NAMES`."""
        try:
            return self._running[name]
        except KeyError:
            raise ValueError(f"there is no component {name!r}, expected one of {', '.join(NAMES)}") from None

    def restart(self, names: Iterable[str], gates: Mapping[str, bool] | None = None) -> None:
        """Start components again, with some gates switched."""
        for name in names:
            self._replace(name, Profile.named(self[name].profile.name), gates or {})

    def replace(self, names: Iterable[str], release: str | None) -> None:
        """Start components of another release (None: the documents), the gates switched so far kept."""
        for name in names:
            self._replace(name, _defaults(release), {})

    def put_back(self, names: Iterable[str]) -> None:
        """Start components of the case's own release with its gates, those switched so far kept."""
        defaults = Profile.named(self._own.name)
        own = _switched(defaults, self._own.gates)
        for name in names:
            self._replace(name, defaults, {**own, **self[name].switched})

    def _first(self, named: Mapping[str, Json]) -> Component:
        release = named.get("release", self._own.release)
        is_own = release == self._own.release
        defaults = Profile.named(self._own.name) if is_own else _defaults(release)
        gates = self._own.gates if is_own else {}
        switched = _switched(defaults, {**gates, **named.get("gates", {})})
        return Component(defaults.with_gates(switched), switched)

    def _replace(self, name: str, defaults: Profile, gates: Mapping[str, bool]) -> None:
        before = self[name]
        switched = {**before.switched, **gates}
        self._running[name] = Component(defaults.with_gates(switched), switched, before.started + 1)


def _defaults(release: str | None) -> Profile:
    """A release such as `1.36` with its default gates; ValueError for an unknown one."""
    return Profile.named(KEP if release is None else f"kubernetes-{release}")


def _switched(defaults: Profile, gates: Mapping[str, bool]) -> dict[str, bool]:
    """The gates that differ from the defaults, without those that are off only because of another."""
    differing = {gate: on for gate, on in gates.items() if defaults.gates.get(gate, on) != on}
    return {
        gate: on
        for gate, on in differing.items()
        if on or defaults.with_gates({**differing, gate: True}).enabled(gate)
    }
