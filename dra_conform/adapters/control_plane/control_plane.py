"""A control plane whose components can restart with other gates or releases on the same store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType

from dra_conform.adapters.control_plane import programs
from dra_conform.adapters.control_plane.command_lines import gates_string
from dra_conform.adapters.control_plane.control_plane_file import (
    ReplacingComponent,
    gates_owner,
)
from dra_conform.adapters.control_plane.failing_writes import FailingWritesWebhook
from dra_conform.adapters.control_plane.host import ComponentFailed, Host
from dra_conform.adapters.control_plane.initial_objects import namespace, stored
from dra_conform.adapters.control_plane.manifests import CannotApply, apply_manifests
from dra_conform.adapters.control_plane.replaced_component import ReplacedFailed
from dra_conform.adapters.control_plane.store import EtcdStore, etcd_answer
from dra_conform.adapters.live.api import Api
from dra_conform.adapters.live.endpoint import CannotRun, Endpoint, RejectedWrite, SentWrite
from dra_conform.adapters.live.resources import LEASES
from dra_conform.adapters.live.write_guards import EveryWrite
from dra_conform.cluster_state.components import (
    APISERVER,
    CONTROLLER_MANAGER,
    KUBELET,
    SCHEDULER,
    Components,
)
from dra_conform.cluster_state.object_keys import key_in
from dra_conform.cluster_state.pods import DEFAULT_SCHEDULER
from dra_conform.kube.gates import defaults
from dra_conform.kube.json_values import Json
from dra_conform.kube.manifest_files import Manifest
from dra_conform.kube.profile import Profile


@dataclass(frozen=True, slots=True)
class _Start:
    """The program and the gates of a running component; one under test has no program of a release."""

    program: Path | None
    gates: Mapping[str, bool]


_OF_APISERVER, _OF_PODS = "apiserver_", "kube_pod_resource_"
"""Beginnings of the names of metrics that other endpoints than those of `metrics` have."""


class ControlPlane:
    """A control plane of one version; a scenario can run components of other releases.

    It implements `Controls`, whose methods raise CannotRun. `endpoint` is the API server for an
    administrator, `kubeconfig` the path of its kubeconfig, `store` is its etcd. After `close` every process
    has ended and the folder is removed; the same happens soon after this process is killed.

    `replaced` are components under test by name, which run in place of those of the release, and `manifests`
    what they need on the API server. With them, each method also raises ReplacedFailed.
    """

    def __init__(
        self,
        version: str,
        replaced: Mapping[str, ReplacingComponent] = MappingProxyType({}),
        manifests: Sequence[Manifest] = (),
        *,
        one_api_server: bool = False,
        keep_logs: bool = False,
    ) -> None:
        """Start etcd; raises NotBuilt and ComponentFailed.

        `one_api_server`: the API server keeps its address, because a program outside uses it. `keep_logs`:
        the log of a component that does not start is kept.
        """
        self._version = version
        self._replaced = replaced
        self._manifests = manifests
        self._names = tuple(dict.fromkeys((APISERVER, SCHEDULER, CONTROLLER_MANAGER, *replaced)))
        """All components, in the order in which they start."""
        self.scheduler_name = (
            replaced[SCHEDULER].scheduler_name if SCHEDULER in replaced else DEFAULT_SCHEDULER
        )
        self._components = Components({}, Profile.named(f"kubernetes-{programs.release_of(version)}"))
        self._present: frozenset[str] = frozenset()
        self._running: dict[str, _Start] = {}
        self._verbosities: dict[str, int] = {}
        self._host = Host(
            programs.program(version),
            replaced,
            self._lease_renewal,
            one_api_server=one_api_server,
            keep_logs=keep_logs,
        )
        layout = self._host.layout
        self.kubeconfig = layout.kubeconfig("admin")
        self.endpoint = Endpoint.of_kubeconfig(self.kubeconfig)
        self._api = Api(self.endpoint, EveryWrite())
        self.store = EtcdStore(partial(etcd_answer, layout.store))
        self.emptied = 0
        """How often all objects were removed."""
        self._failing_writes = FailingWritesWebhook(layout.certificate, layout.key)

    def begin(self, profile: Profile, components: Mapping[str, Json]) -> None:
        """Run all components with the profile of a scenario; `components` has the exceptions."""
        self._components = Components(components, profile)
        self._present = frozenset(self._names)
        self._apply()

    def serve(self, profile: Profile) -> None:
        """Run the API server with the profile, and end all components that do not fit the profile."""
        self._components = Components({}, profile)
        fitting = {name for name, start in self._running.items() if start == self._start_of(name)}
        self._present = frozenset({APISERVER, *(fitting if APISERVER in fitting else ())})
        self._apply()

    def run_only(self, present: Iterable[str], profile: Profile) -> None:
        """Run only these components, with the gates of the profile, and end all other components."""
        self._components = Components({}, profile)
        self._present = frozenset(present)
        self._apply()

    def set_gates(self, components: Sequence[str], gates: Mapping[str, bool]) -> None:
        """Restart components with some gates changed."""
        self._components.restart(components, gates)
        self._apply(restart=components)

    def set_version(self, components: Sequence[str], release: str | None) -> None:
        """Restart components with a release, None for the profile's release; changed gates stay changed."""
        if release is None:
            self._components.restore(components)
        else:
            self._components.replace(components, release)
        self._apply(restart=components)

    def restart(self, components: Sequence[str]) -> None:
        """Restart components without changes."""
        self._apply(restart=components)

    def kubelet(self) -> Profile:
        """Return the profile of the emulated kubelet."""
        return self._components[KUBELET].profile

    def put(self, raw: Json) -> None:
        """Store an object without validation and defaults, replacing the existing object."""
        written = stored(raw)
        self.store.put(key_in(written), written)

    def erase(self, prefix: str) -> None:
        """Remove all objects whose name or namespace is the prefix, or the prefix followed by `.` or `-`."""
        self.store.erase(prefix)

    def metrics(self) -> Mapping[str, str] | None:
        """Return the metrics of scheduler and controllers in Prometheus format, by component.

        None: a component under test reports no metrics.
        """
        found = {name: self._host.metrics(name) for name in self._running if name != APISERVER}
        reported = {name: text for name, text in found.items() if text is not None}
        return reported if reported.keys() == found.keys() else None

    def metrics_with(self, names: Sequence[str]) -> Mapping[str, str] | None:
        """Return the metrics of all components that have metrics of these names.

        None: a component under test does not report them.
        """
        found = self.metrics()
        if found is None:
            return None
        further: dict[str, str | None] = {}
        if any(name.startswith(_OF_APISERVER) for name in names):
            further[APISERVER] = self._api.text("/metrics") or ""
        if any(name.startswith(_OF_PODS) for name in names):
            further[_OF_PODS] = self._host.pod_resource_metrics()
        reported = {name: text for name, text in further.items() if text is not None}
        return {**found, **reported} if reported.keys() == further.keys() else None

    def new_writes(self) -> list[SentWrite] | None:
        """Return the write requests of the scheduler since the last call, None if they are not known."""
        return self._host.new_writes()

    def fail_writes(self, scenario: str, namespaces: Sequence[str], write: RejectedWrite, times: int) -> None:
        """Let the next writes of components in the namespaces of a scenario fail, until it is erased."""
        self._failing_writes.add(self._api, scenario, namespaces, write, times)

    def failed_writes(self, scenario: str) -> int:
        """Return how many writes have failed that `fail_writes` let fail in a scenario."""
        return self._failing_writes.failed(scenario)

    def set_verbosity(self, component: str, verbosity: int) -> bool:
        """Set the verbosity of the log of a component, also after restarts; return False if that failed."""
        self._verbosities[component] = verbosity
        return component in self._running and self._host.set_verbosity(component, verbosity)

    def log(self, component: str) -> str:
        """Return the log of a component so far."""
        return self._host.log(component)

    def empty(self) -> None:
        """Remove all objects that requests write; restore the manifests and the usual namespaces."""
        self.emptied += 1
        self.store.clear()
        for name in ("default", "kube-system"):  # A controller manager ends if it finds no kube-system.
            self.store.put(("Namespace", "", name), namespace(name, {}))
        self._apply_manifests()

    def check_running(self) -> None:
        """Raise ComponentFailed or ReplacedFailed if a component, not the API server, has ended by itself."""
        for name in tuple(self._running):
            if name != APISERVER:
                self._host.check_running(name)

    def check_replaced(self) -> None:
        """Raise ReplacedFailed if a component under test has ended by itself."""
        self._host.check_replaced()

    def replaced_logs(self) -> str:
        """Return the ends of the logs of the components under test."""
        return self._host.replaced_logs()

    def close(self) -> None:
        """End all processes and remove their files."""
        self._failing_writes.close()
        self._api.close()
        self._host.close()

    def _apply(self, restart: Sequence[str] = ()) -> None:
        """Start, restart and end components so that they run as wanted; the components in `restart` always
        restart.

        If the API server restarts, all components restart, because they reconnect only after a pause.
        """
        try:
            wanted = {name: self._start_of(name) for name in self._names if name in self._present}
            restarts = {name for name in self._names if gates_owner(name) in restart}
            unchanged = {name for name, start in self._running.items() if wanted.get(name) == start}
            unchanged = {name for name in unchanged if name not in restarts and self._host.running(name)}
            if APISERVER not in unchanged:
                unchanged = set()
            for name in [name for name in self._running if name not in unchanged]:
                restarts_equal = name in restarts and wanted.get(name) == self._running[name]
                del self._running[name]
                self._host.stop(name, restarts=restarts_equal)
            for name, start in wanted.items():
                if name not in unchanged:
                    if start.program is None:
                        self._apply_manifests()
                    self._host.start(name, start.program, start.gates)
                    self._running[name] = start
                    if self._verbosities.get(name):
                        self._host.set_verbosity(name, self._verbosities[name])
                    if name == APISERVER:
                        self.endpoint.server = self._host.server
        except (programs.NotBuilt, ComponentFailed) as error:
            raise CannotRun(str(error)) from None

    def _apply_manifests(self) -> None:
        try:
            apply_manifests(self._api, self._manifests)
        except CannotApply as error:
            raise ReplacedFailed(str(error), "") from None

    def _lease_renewal(self, namespace: str, name: str) -> str:
        answer = self._api.get(LEASES.address("v1", namespace, name))
        return str((answer.body.get("spec") or {}).get("renewTime") or "") if answer.accepted else ""

    def _start_of(self, name: str) -> _Start:
        if name in self._replaced:
            return _Start(None, self._gates_of(name))
        profile = self._components[name].profile
        own = programs.release_of(self._version)
        version = self._version if profile.release in (None, own) else programs.newest_of(profile.release)
        return _Start(programs.program(version), profile.gates)

    def _gates_of(self, name: str) -> Mapping[str, bool]:
        """Return the gates of a component under test; raises CannotRun if it cannot have them."""
        component, running = self._replaced[name], self._components[gates_owner(name)]
        switched = running.switched
        if running.profile.release not in (None, programs.release_of(self._version)):
            raise CannotRun(
                f"the scenario runs release {running.profile.release} of the {gates_owner(name)}, "
                f"but the {name} is under test"
            )
        if not component.takes_gates:
            if switched:
                settings = gates_string(switched)
                raise CannotRun(f"the {name} under test takes no feature gates, expected {settings}")
            return {}
        if not component.release:
            return running.profile.gates
        known = defaults(component.release)
        unknown = [gate for gate, on in switched.items() if on and gate not in known]
        if unknown:
            raise CannotRun(f"the {name} under test does not know the feature gate {unknown[0]}")
        own = {gate: on for gate, on in switched.items() if gate in known}
        return Profile.named(f"kubernetes-{component.release}").with_gates(own).gates
