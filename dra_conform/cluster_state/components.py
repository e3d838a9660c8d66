"""The components of a cluster with their releases and feature gates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import KEP, Profile

APISERVER = "apiserver"
SCHEDULER = "scheduler"
CONTROLLER_MANAGER = "controller-manager"
KUBELET = "kubelet"
NAMES = (APISERVER, SCHEDULER, CONTROLLER_MANAGER, KUBELET)


@dataclass(frozen=True, slots=True)
class Component:
    """One running component. `switched` are the feature gates that differ from the defaults of its release.

    `started` is the number of its starts.
    """

    profile: Profile
    switched: Mapping[str, bool]
    started: int = 1


class Components:
    """The running components by name; those that a scenario does not name run with the case's profile."""

    def __init__(self, named: Mapping[str, Json], profile: Profile) -> None:
        self._own = profile
        self._running = {name: self._first(named.get(name) or {}) for name in NAMES}

    def __getitem__(self, name: str) -> Component:
        """Return the component with this name; raise ValueError for a name that is not in `NAMES`."""
        try:
            return self._running[name]
        except KeyError:
            raise ValueError(f"unknown component {name!r}, expected one of {', '.join(NAMES)}") from None

    def restart(self, names: Iterable[str], gates: Mapping[str, bool] | None = None) -> None:
        """Restart components, with these feature gates changed."""
        for name in names:
            self._replace(name, Profile.named(self[name].profile.name), gates or {})

    def replace(self, names: Iterable[str], release: str | None) -> None:
        """Replace components with those of a release, None for the specification; changed gates are kept."""
        for name in names:
            self._replace(name, _defaults(release), {})

    def restore(self, names: Iterable[str]) -> None:
        """Replace components with those of the case's profile and keep changed feature gates."""
        defaults = Profile.named(self._own.name)
        own = _switched(defaults, self._own.gates)
        for name in names:
            self._replace(name, defaults, {**own, **self[name].switched})

    def upgrade(self, profile: Profile) -> None:
        """Replace all components with those of a profile and its feature gates, later or earlier."""
        switched = _switched(Profile.named(profile.name), profile.gates)
        for name in NAMES:
            self._running[name] = Component(profile, switched, self[name].started + 1)

    def _first(self, named: Mapping[str, Json]) -> Component:
        if not named:
            return Component(self._own, _switched(Profile.named(self._own.name), self._own.gates))
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
    """Return the profile of a release such as `1.36` with default gates.

    Raises ValueError for an unknown release.
    """
    return Profile.named(KEP if release is None else f"kubernetes-{release}")


def _switched(defaults: Profile, gates: Mapping[str, bool]) -> dict[str, bool]:
    """Return the gates that differ from the defaults, except those that only a disabled dependency turns
    off."""
    differing = {gate: on for gate, on in gates.items() if defaults.gates.get(gate, on) != on}
    return {
        gate: on
        for gate, on in differing.items()
        if on or defaults.with_gates({**differing, gate: True}).enabled(gate)
    }
