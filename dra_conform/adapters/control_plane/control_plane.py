"""A control plane whose components restart with other gates or releases on the same store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from dra_conform.adapters.control_plane import programs
from dra_conform.adapters.control_plane.host import COMMANDS, ComponentFailed, Host
from dra_conform.adapters.control_plane.initial_objects import stored
from dra_conform.adapters.control_plane.store import EtcdStore, etcd_answer
from dra_conform.adapters.live.endpoint import CannotRun, Endpoint
from dra_conform.controlplane.simulation.components import APISERVER, KUBELET, Components
from dra_conform.controlplane.simulation.keys import key_in
from dra_conform.kube.profile import Profile

Json = Any


@dataclass(frozen=True, slots=True)
class _Start:
    """As what a component is started."""

    program: Path
    gates: Mapping[str, bool]


class ControlPlane:
    """A control plane of one version; programs of other releases are taken where a story asks for them.

    It offers `Controls`, whose methods raise CannotRun; `endpoint` is the API server for an administrator,
    `store` what is behind it. When `close` returns, every process has ended and
    the folder is gone; so it is soon after this process was killed.
    """

    def __init__(self, version: str) -> None:
        """Start etcd; raises NotBuilt and ComponentFailed."""
        self._version = version
        self._components = Components({}, Profile.named(f"kubernetes-{programs.release_of(version)}"))
        self._present: frozenset[str] = frozenset()
        self._running: dict[str, _Start] = {}
        self._host = Host(programs.program(version))
        layout = self._host.layout
        self.endpoint = Endpoint.of_kubeconfig(layout.kubeconfig("admin"))
        self.store = EtcdStore(partial(etcd_answer, layout.store))

    def begin(self, profile: Profile, components: Mapping[str, Json]) -> None:
        """Let all components run as a profile says, but for those that `components` of a story names."""
        self._components = Components(components, profile)
        self._present = frozenset(COMMANDS)
        self._bring_about()

    def serve(self, profile: Profile) -> None:
        """Let the API server run as a profile says; of the others only those that need not start for it."""
        self._components = Components({}, profile)
        as_wanted = {name for name, start in self._running.items() if start == self._start_of(name)}
        self._present = frozenset({APISERVER, *(as_wanted if APISERVER in as_wanted else ())})
        self._bring_about()

    def run_only(self, present: Iterable[str], profile: Profile) -> None:
        """Let no other components run than these, as a profile says."""
        self._components = Components({}, profile)
        self._present = frozenset(present)
        self._bring_about()

    def set_gates(self, components: Sequence[str], gates: Mapping[str, bool]) -> None:
        """Start components again with some gates switched, the others as they are."""
        self._components.restart(components, gates)
        self._bring_about(again=components)

    def set_version(self, components: Sequence[str], release: str | None) -> None:
        """Start components of a release, None: that of the profile; what was switched stays so."""
        if release is None:
            self._components.put_back(components)
        else:
            self._components.replace(components, release)
        self._bring_about(again=components)

    def restart(self, components: Sequence[str]) -> None:
        """Start components again as they are."""
        self._bring_about(again=components)

    def kubelet(self) -> Profile:
        """As what the kubelet runs, which is played."""
        return self._components[KUBELET].profile

    def put(self, raw: Json) -> None:
        """Store an object as it is written, neither validated nor defaulted, over what is there."""
        written = stored(raw)
        self.store.put(key_in(written), written)

    def erase(self, prefix: str) -> None:
        """Remove everything whose name, or that of its namespace, is this or begins so before `.` or `-`."""
        self.store.erase(prefix)

    def metrics(self) -> Mapping[str, str]:
        """What scheduler and controllers tell of their metrics, as Prometheus reads it."""
        return {name: self._host.metrics(name) for name in self._running if name != APISERVER}

    def close(self) -> None:
        """End all processes and remove what they left."""
        self._host.close()

    def _bring_about(self, again: Sequence[str] = ()) -> None:
        """Start what does not run as it should, and the components in `again` whatever they are.

        With the API server everything is started again: components that lost it come back only after a pause.
        """
        try:
            wanted = {name: self._start_of(name) for name in COMMANDS if name in self._present}
            kept = {name for name, start in self._running.items() if wanted.get(name) == start}
            kept = {name for name in kept if name not in again and self._host.running(name)}
            if APISERVER not in kept:
                kept = set()
            for name in [name for name in self._running if name not in kept]:
                self._host.stop(name)
                del self._running[name]
            for name, start in wanted.items():
                if name not in kept:
                    self._host.start(name, start.program, start.gates)
                    self._running[name] = start
        except (programs.NotBuilt, ComponentFailed) as error:
            raise CannotRun(str(error)) from None

    def _start_of(self, name: str) -> _Start:
        profile = self._components[name].profile
        own = programs.release_of(self._version)
        version = self._version if profile.release in (None, own) else programs.newest_of(profile.release)
        return _Start(programs.program(version), profile.gates)
