"""A scenario with a kubelet: a node, its emulated drivers, and one observation for each action."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from dra_conform.adapters.driver.plugin_client import CallFailed, pod_resources
from dra_conform.adapters.driver.temporary_folder import TemporaryFolder
from dra_conform.adapters.kubelet.emulated_driver import EmulatedDriver, Record
from dra_conform.adapters.kubelet.program import CommandFailed, KubeletFailed, KubeletProgram
from dra_conform.adapters.light_api.api import Target
from dra_conform.adapters.light_api.http_server import LightServer
from dra_conform.conformance.kubelet.actions import (
    Action,
    ChangeAPIServer,
    ChangeClaim,
    ChangeDriver,
    EndPod,
    Prepare,
    Question,
    ReportHealth,
    RestartKubelet,
    SetAnswer,
    Unprepare,
    Wait,
)
from dra_conform.conformance.kubelet.answer import (
    Cgroup,
    ClaimInUse,
    Container,
    Device,
    DeviceHealth,
    KubeletAnswer,
    Observation,
    Pod,
    PodResult,
    Sample,
)
from dra_conform.kube import plugin_api
from dra_conform.kube.pod_resources_api import ContainerResources, DynamicResource

Json = Any
Start = Callable[[Path], KubeletProgram]
"""Starts a process of the kubelet that logs to a file."""

REGISTRATION_SECONDS = 10.0
"""How long a kubelet may take to register a driver."""
STOP_SECONDS = 2.5
"""How long a kubelet may take to notice that a socket is gone; it looks every second."""
HEALTH_SECONDS = 0.5
"""How long a kubelet may take to process a health report."""
WIPE_SECONDS = 5.0
"""How long a kubelet may take to delete ResourceSlices when it starts."""
_POLL_SECONDS = 0.05
_NODE = "node-1"
_RESOURCE = "resource.k8s.io/v1"


class KubeletScenario:
    """One scenario on a new node. Call `run` once, then `close`.

    `objects`: the objects of the request by collection. `gates`: the feature gates of the kubelet.
    """

    def __init__(
        self,
        start: Start,
        server: LightServer,
        objects: Mapping[str, Sequence[Json]],
        question: Question,
        gates: Mapping[str, bool],
    ) -> None:
        self._start_program = start
        self._server = server
        self._question = question
        self._gates = gates
        self._pods: dict[str, Json] = {raw["metadata"]["name"]: raw for raw in objects.get("pods", ())}
        self._claims = {raw["metadata"]["name"]: raw for raw in objects.get("resourceClaims", ())}
        self._slices = [*objects.get("resourceSlices", ())]
        self._node = next((raw["metadata"]["name"] for raw in objects.get("nodes", ())), _NODE)
        self._active = [*self._pods]
        self._folder = TemporaryFolder()
        self._root = self._folder.path
        self._registry, self._plugins, self._state = (self._root / name for name in ("r", "p", "s"))
        for folder in (self._registry, self._plugins, self._state):
            folder.mkdir()
        self._pod_resources = self._root / "pod-resources.sock"
        self._record = Record()
        self._drivers: dict[tuple[str, int], EmulatedDriver] = {}
        self._devices: dict[str, Device] = {}
        self._kubelet: KubeletProgram | None = None
        self._seen_calls = self._seen_registrations = 0

    def run(self) -> KubeletAnswer:
        """Start kubelet and drivers, do all actions, and return the observations.

        Raises KubeletFailed if the kubelet does not start. If it fails later, the observation of the action
        says so and the remaining actions are not done.
        """
        self._set_up()
        start = self._observe(())
        observations: list[Observation] = []
        for action in self._question.actions:
            try:
                results = self._do(action)
                observations.append(self._observe(results))
            except KubeletFailed as failed:
                observations.append(Observation(problem=str(failed)))
                break
        missing = len(self._question.actions) - len(observations)
        skipped = [Observation(problem="skipped: the kubelet failed in an earlier action")] * missing
        return KubeletAnswer(start, (*observations, *skipped))

    def close(self) -> None:
        """End kubelet and drivers and remove the folders."""
        if self._kubelet is not None:
            self._kubelet.kill()
        for driver in self._drivers.values():
            if driver.running:
                driver.stop()
        self._folder.close()

    def _set_up(self) -> None:
        node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": self._node}}
        for raw in (node, *self._pods.values(), *self._claims.values()):
            self._load(raw)
        self._server.write_kubeconfig(self._root / "kubeconfig")
        for setup in self._question.drivers:
            self._driver(setup.name, 1).start()
        self._start_kubelet()
        if self._slices:
            # The kubelet deletes all ResourceSlices when it starts; drivers publish theirs after that.
            self._wait(self._has_wiped, WIPE_SECONDS)
            for raw in self._slices:
                self._load(raw)

    def _has_wiped(self) -> bool:
        return any(write.verb == "deletecollection" for write in self._server.writes)

    def _load(self, raw: Json) -> None:
        metadata = {"uid": str(uuid.uuid4()), **raw["metadata"]}
        self._server.api.load({**raw, "metadata": metadata})

    def _start_kubelet(self) -> None:
        running = [driver for driver in self._drivers.values() if driver.running]
        before = [driver.registrations() for driver in running]
        self._kubelet = self._start_program(self._root / "kubelet.log")
        try:
            self._kubelet.ask(
                "start",
                registry=str(self._registry),
                state=str(self._state),
                podResources=str(self._pod_resources),
                kubeconfig=str(self._root / "kubeconfig"),
                node=self._node,
                gates=dict(self._gates),
                activePods=self._active_uids(),
            )
        except CommandFailed as failed:
            raise KubeletFailed(f"the kubelet does not start: {failed}") from None
        self._wait_for_registration(running, before)

    def _wait_for_registration(self, drivers: Sequence[EmulatedDriver], before: Sequence[int]) -> None:
        self._wait(
            lambda: all(
                driver.registrations() > count for driver, count in zip(drivers, before, strict=True)
            ),
            REGISTRATION_SECONDS,
        )

    def _active_uids(self) -> list[str]:
        return [self._pods[name]["metadata"]["uid"] for name in self._active]

    def _driver(self, name: str, instance: int) -> EmulatedDriver:
        if (name, instance) not in self._drivers:
            setup = next(driver for driver in self._question.drivers if driver.name == name)
            folders = self._registry, self._plugins
            driver = EmulatedDriver(setup, instance, folders, self._prepared, self._record)
            self._drivers[name, instance] = driver
        return self._drivers[name, instance]

    def _prepared(self, driver: str, claim: str) -> tuple[plugin_api.Device, ...]:
        """Return the devices that a driver prepares for a ResourceClaim, each with a CDI name."""
        return tuple(
            plugin_api.Device(
                (result["request"].partition("/")[0],),
                result["pool"],
                result["device"],
                (self._cdi_name(driver, claim, result),),
                result.get("shareID"),
            )
            for result in self._results(claim)
            if result["driver"] == driver
        )

    def _results(self, claim: str) -> list[Json]:
        status = self._claims.get(claim, {}).get("status") or {}
        results: list[Json] = status.get("allocation", {}).get("devices", {}).get("results", [])
        return results

    def _cdi_name(self, driver: str, claim: str, result: Json) -> str:
        request, device = result["request"].replace("/", "."), result["device"]
        name = f"{driver}/device={claim}-{request}-{device}"
        self._devices[name] = Device(driver, result["pool"], device)
        return name

    # Actions

    def _do(self, action: Action) -> tuple[PodResult, ...]:
        match action:
            case Prepare(pods=pods, times=times):
                return tuple(self._call("prepare", name) for _ in range(times) for name in pods)
            case Unprepare(pods=pods, times=times):
                return tuple(self._call("unprepare", name) for _ in range(times) for name in pods)
            case RestartKubelet():
                self._program().kill()
                wiped = len(self._server.writes)
                self._start_kubelet()
                if self._slices:
                    self._wait(lambda: len(self._server.writes) > wiped, WIPE_SECONDS)
            case EndPod(pod=name):
                self._active.remove(name)
                self._ask("setActivePods", activePods=self._active_uids())
            case ChangeDriver():
                self._change_driver(action)
            case SetAnswer():
                for (name, _), driver in self._drivers.items():
                    if name == action.driver:
                        driver.set_answer(action)
            case ReportHealth():
                pool = action.pool or self._pool(action.driver, action.device)
                self._driver(action.driver, 1).report(action, pool)
                time.sleep(HEALTH_SECONDS)
            case ChangeClaim():
                self._change_claim(action)
            case ChangeAPIServer(to="available"):
                self._server.answer_again()
            case ChangeAPIServer():
                self._server.stop_answering()
            case Wait():
                self._pass_time(action)
        return ()

    def _call(self, call: Literal["prepare", "unprepare"], name: str) -> PodResult:
        began, error = time.monotonic(), ""
        try:
            self._ask(call, pod=self._pods[name])
        except CommandFailed as failed:
            error = str(failed)
        return PodResult(call, name, error, round(time.monotonic() - began, 3))

    def _change_driver(self, action: ChangeDriver) -> None:
        driver = self._driver(action.driver, action.instance)
        if action.to == "stopped":
            driver.stop()
            time.sleep(STOP_SECONDS)
            return
        if action.to == "crashed":
            driver.crash()
            time.sleep(STOP_SECONDS)
            return
        before = driver.registrations()
        driver.start(self._driver(action.driver, 1).endpoint if action.shares_endpoint else None)
        self._wait_for_registration([driver], [before])

    def _pool(self, driver: str, device: str) -> str:
        """Return the pool of a device that is allocated to a ResourceClaim."""
        pools = (
            result["pool"]
            for claim in self._claims
            for result in self._results(claim)
            if (result["driver"], result["device"]) == (driver, device)
        )
        return next(pools, "")

    def _change_claim(self, action: ChangeClaim) -> None:
        raw = self._claims[action.claim]
        metadata = raw["metadata"]
        target = Target("ResourceClaim", _RESOURCE, metadata["namespace"], metadata["name"])
        self._server.api.delete(target, None)
        if action.to == "replaced":
            replaced = {**raw, "metadata": {**metadata, "uid": str(uuid.uuid4())}}
            self._load(replaced)

    def _pass_time(self, action: Wait) -> None:
        if action.until == "driver-called":
            calls = len(self._record.calls)
            if self._wait(lambda: len(self._record.calls) > calls, action.seconds):
                time.sleep(HEALTH_SECONDS)  # The kubelet still processes the answer.
        elif action.until == "slices-deleted":
            count = len(self._all_slices())
            self._wait(lambda: len(self._all_slices()) < count, action.seconds)
        else:
            time.sleep(action.seconds)

    def _ask(self, do: str, **members: Json) -> Json:
        return self._program().ask(do, **members)

    def _program(self) -> KubeletProgram:
        assert self._kubelet is not None, "the kubelet was not started"
        return self._kubelet

    @staticmethod
    def _wait(done: Callable[[], bool], seconds: float) -> bool:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if done():
                return True
            time.sleep(_POLL_SECONDS)
        return False

    # Observations

    def _observe(self, results: tuple[PodResult, ...]) -> Observation:
        with self._record.lock:
            calls = tuple(self._record.calls[self._seen_calls :])
            registrations = tuple(self._record.registrations[self._seen_registrations :])
            self._seen_calls += len(calls)
            self._seen_registrations += len(registrations)
        shown = self._shown_pods()
        pods = {
            name: self._observed_pod(raw, shown.get((raw["metadata"]["namespace"], name)))
            for name, raw in self._pods.items()
        }
        metrics = tuple(
            Sample(sample["name"], sample["labels"], sample["value"]) for sample in self._ask("metrics")
        )
        return Observation(results, calls, registrations, pods, self._slice_names(), metrics)

    def _shown_pods(self) -> Mapping[tuple[str, str], Mapping[str, ContainerResources]]:
        """Return what the PodResources API shows, by namespace and name of the pod and by container."""
        try:
            return {
                (pod.namespace, pod.name): {container.name: container for container in pod.containers}
                for pod in pod_resources(self._pod_resources)
            }
        except CallFailed:
            return {}

    def _observed_pod(self, raw: Json, shown: Mapping[str, ContainerResources] | None) -> Pod:
        devices, health = (self._of_pod(do, raw) for do in ("devices", "health"))
        spec = raw["spec"]
        names = [container["name"] for container in (*spec.get("initContainers", ()), *spec["containers"])]
        containers = {
            name: self._observed_container(
                (devices or {}).get(name) or {},
                None if shown is None or name not in shown else shown[name].dynamic_resources,
                (health or {}).get(name) or (),
            )
            for name in names
        }
        return Pod(containers, bool(self._ask("mustUnprepare", pod=raw)), self._cgroup(raw))

    def _cgroup(self, raw: Json) -> Cgroup | None:
        """Return the settings of a pod's cgroup, None if the kubelet does not have this command."""
        settings = self._of_pod("cgroup", raw)
        if settings is None:
            return None
        return Cgroup(settings.get("cpuShares"), settings.get("cpuQuota"), settings.get("memory"))

    def _of_pod(self, do: str, raw: Json) -> Mapping[str, Json] | None:
        """Return the kubelet's answer for a pod, None if it does not have this command."""
        try:
            answer: Mapping[str, Json] = self._ask(do, pod=raw)
        except CommandFailed:
            return None
        return answer

    def _observed_container(
        self, devices: Json, claims: Iterable[DynamicResource] | None, health: Iterable[Json]
    ) -> Container:
        names = devices.get("cdi") or ()
        return Container(
            devices.get("error") or "",
            tuple(self._devices[name] for name in names if name in self._devices),
            tuple(name for name in names if name not in self._devices),
            None if claims is None else tuple(map(_claim_in_use, claims)),
            tuple(
                self._health(entry["name"], device)
                for entry in health
                for device in entry.get("resources") or ()
            ),
        )

    def _health(self, resource: str, entry: Json) -> DeviceHealth:
        named = self._devices.get(entry["resourceID"])
        device = named.device if named else entry["resourceID"]
        return DeviceHealth(resource, device, entry.get("health") or "", entry.get("message") or "")

    def _all_slices(self) -> list[Json]:
        target = Target("ResourceSlice", _RESOURCE)
        return self._server.api.list_objects(target, lambda _: True)[0]

    def _slice_names(self) -> dict[str, tuple[str, ...]]:
        by_driver: dict[str, list[str]] = {}
        for raw in self._all_slices():
            by_driver.setdefault(raw["spec"]["driver"], []).append(raw["metadata"]["name"])
        return {driver: tuple(sorted(names)) for driver, names in sorted(by_driver.items())}


def _claim_in_use(claim: DynamicResource) -> ClaimInUse:
    devices = (
        Device(resource.driver_name, resource.pool_name, resource.device_name)
        for resource in claim.claim_resources
    )
    return ClaimInUse(claim.claim_name, tuple(sorted(devices)))
