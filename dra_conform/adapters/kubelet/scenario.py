"""A scenario with a kubelet: a node, its emulated drivers, and one observation for each action."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from dra_conform.adapters.driver.temporary_folder import TemporaryFolder
from dra_conform.adapters.kubelet.pod_observations import ShownPods, observed_pods
from dra_conform.adapters.kubelet.program import CommandFailed, KubeletFailed, KubeletProgram
from dra_conform.adapters.kubelet.scenario_drivers import ScenarioDrivers, wait
from dra_conform.adapters.light_api.api import Target
from dra_conform.adapters.light_api.http_server import LightServer
from dra_conform.conformance.kubelet.actions import (
    Action,
    ChangeClaimOfPod,
    ChangeDriver,
    EndPod,
    KubeletQuestion,
    LoseClaimStatuses,
    PreparePods,
    ReportHealth,
    RestartDuringCall,
    SetAnswer,
    UnpreparePods,
    Wait,
)
from dra_conform.conformance.kubelet.answer import (
    KubeletAnswer,
    KubeletObservation,
    PodResult,
    Sample,
)
from dra_conform.conformance.steps.driver_claims import ChangeAPIServer, RestartKubelet
from dra_conform.conformance.steps.given import name_in_case
from dra_conform.kube.json_values import Json

Start = Callable[[Path], KubeletProgram]
"""Starts a process of the kubelet that logs to a file."""

SCENARIO_SECONDS = 600.0
"""The time after which no further call is made and no longer wait begins in a scenario."""
HEALTH_SECONDS = 0.5
"""How long a kubelet may take to process a health report."""
CALL_SECONDS = 10.0
"""How long a kubelet may take from a command to its call to a driver that leaves the call unanswered."""
WIPE_SECONDS = 5.0
"""How long a kubelet may take to delete ResourceSlices when it starts."""
_NODE = "node-1"
_RESOURCE = "resource.k8s.io/v1"


def _by_name(objects: Sequence[Json]) -> dict[str, Json]:
    """Return objects by their names in cases."""
    return {name_in_case(raw["metadata"]["namespace"], raw["metadata"]["name"]): raw for raw in objects}


class KubeletScenario:
    """One scenario on a new node. Call `run` once, then `close`. Another thread may call `interrupt`.

    `objects`: the objects of the request by collection. `gates`: the feature gates of the kubelet.
    """

    def __init__(
        self,
        start: Start,
        server: LightServer,
        objects: Mapping[str, Sequence[Json]],
        question: KubeletQuestion,
        gates: Mapping[str, bool],
    ) -> None:
        self._start_program = start
        self._server = server
        self._question = question
        self._gates = gates
        self._pods = _by_name(objects.get("pods", ()))
        self._claims = _by_name(objects.get("resourceClaims", ()))
        self._slices = [*objects.get("resourceSlices", ())]
        self._node = next((raw["metadata"]["name"] for raw in objects.get("nodes", ())), _NODE)
        self._active = [*self._pods]
        self._folder = TemporaryFolder()
        self._root = self._folder.path
        self._registry, self._plugins, self._state = (self._root / name for name in ("r", "p", "s"))
        for folder in (self._registry, self._plugins, self._state):
            folder.mkdir()
        self._pod_resources = self._root / "pod-resources.sock"
        self._shown = ShownPods(self._pod_resources)
        self._drivers = ScenarioDrivers(question.drivers, (self._registry, self._plugins), self._claims)
        self._kubelet: KubeletProgram | None = None
        self._end = 0.0
        self._interrupted = threading.Event()

    def run(self) -> KubeletAnswer:
        """Start kubelet and drivers, do all actions, and return the observations.

        Raises KubeletFailed if the kubelet does not start. If it fails later, the observation of the action
        says so and the remaining actions are not done.
        """
        self._end = time.monotonic() + SCENARIO_SECONDS
        self._set_up()
        start = self._observe(())
        observations: list[KubeletObservation] = []
        for action in self._question.actions:
            try:
                results = self._do(action)
                observations.append(self._observe(results))
            except KubeletFailed as failed:
                observations.append(KubeletObservation(problem=str(failed)))
                break
        missing = len(self._question.actions) - len(observations)
        skipped = [KubeletObservation(problem="skipped: the kubelet failed in an earlier action")] * missing
        return KubeletAnswer(start, (*observations, *skipped))

    def interrupt(self) -> None:
        """End the kubelet, so that `run` ends soon."""
        self._interrupted.set()
        if self._kubelet is not None:
            self._kubelet.kill()

    def close(self) -> None:
        """End kubelet and drivers and remove the folders."""
        if self._kubelet is not None:
            self._kubelet.kill()
        self._drivers.stop()
        self._folder.close()

    def _set_up(self) -> None:
        node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": self._node}}
        for raw in (node, *self._pods.values(), *self._claims.values()):
            self._load(raw)
        self._server.write_kubeconfig(self._root / "kubeconfig")
        self._drivers.start()
        self._drivers.wait_for_registration(self._start_kubelet)
        if self._slices:
            # The kubelet deletes all ResourceSlices when it starts; drivers publish theirs after that.
            wait(self._has_wiped, WIPE_SECONDS)
            for raw in self._slices:
                self._load(raw)

    def _has_wiped(self) -> bool:
        return any(write.verb == "deletecollection" for write in self._server.writes)

    def _load(self, raw: Json) -> None:
        metadata = {"uid": str(uuid.uuid4()), **raw["metadata"]}
        self._server.api.load({**raw, "metadata": metadata})

    def _start_kubelet(self) -> None:
        self._kubelet = self._start_program(self._root / "kubelet.log")
        if self._interrupted.is_set():
            raise KubeletFailed("the scenario was interrupted")
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

    def _active_uids(self) -> list[str]:
        return [self._pods[name]["metadata"]["uid"] for name in self._active]

    # Actions

    def _do(self, action: Action) -> tuple[PodResult, ...]:
        match action:
            case PreparePods(pods=pods, times=times):
                return tuple(self._call("prepare", name) for _ in range(times) for name in pods)
            case UnpreparePods(pods=pods, times=times):
                return tuple(self._call("unprepare", name) for _ in range(times) for name in pods)
            case RestartKubelet():
                self._restart()
            case RestartDuringCall():
                self._restart_during_call(action)
            case EndPod(pod=name):
                self._active.remove(name)
                self._ask("setActivePods", activePods=self._active_uids())
            case LoseClaimStatuses(pod=name):
                status = {**self._pods[name].get("status", {}), "resourceClaimStatuses": []}
                self._pods[name] = {**self._pods[name], "status": status}
            case ChangeDriver():
                self._drivers.change(action)
            case SetAnswer():
                self._drivers.set_answer(action)
            case ReportHealth():
                self._drivers.report(action)
                time.sleep(HEALTH_SECONDS)
            case ChangeClaimOfPod():
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
        if began > self._end:
            raise KubeletFailed(f"the scenario takes longer than {SCENARIO_SECONDS:g} s")
        try:
            self._ask(call, pod=self._pods[name])
        except CommandFailed as failed:
            error = str(failed)
        return PodResult(call, name, error, round(time.monotonic() - began, 3))

    def _restart(self) -> None:
        self._program().kill()
        wiped = len(self._server.writes)
        self._drivers.wait_for_registration(self._start_kubelet)
        if self._slices:
            wait(lambda: len(self._server.writes) > wiped, WIPE_SECONDS)

    def _restart_during_call(self, action: RestartDuringCall) -> None:
        before = self._drivers.unanswered_count()
        self._program().send(action.call, pod=self._pods[action.pod])
        wait(lambda: self._drivers.unanswered_count() > before, CALL_SECONDS)
        if action.removed and action.pod in self._active:
            self._active.remove(action.pod)
        self._restart()

    def _change_claim(self, action: ChangeClaimOfPod) -> None:
        raw = self._claims[action.claim]
        metadata = raw["metadata"]
        target = Target("ResourceClaim", _RESOURCE, metadata["namespace"], metadata["name"])
        self._server.api.delete(target, None)
        if action.to == "replaced":
            replaced = {**raw, "metadata": {**metadata, "uid": str(uuid.uuid4())}}
            self._load(replaced)

    def _pass_time(self, action: Wait) -> None:
        seconds = min(action.seconds, max(0.0, self._end - time.monotonic()))
        if action.until == "driver-called":
            calls = self._drivers.call_count()
            if self._wait(lambda: self._drivers.call_count() > calls, seconds):
                time.sleep(HEALTH_SECONDS)  # The kubelet still processes the answer.
        elif action.until == "slices-deleted":
            count = len(self._all_slices())
            self._wait(lambda: len(self._all_slices()) < count, seconds)
        else:
            self._interrupted.wait(seconds)

    def _wait(self, done: Callable[[], bool], seconds: float) -> bool:
        return wait(lambda: self._interrupted.is_set() or done(), seconds)

    def _ask(self, do: str, **members: Json) -> Json:
        return self._program().ask(do, **members)

    def _program(self) -> KubeletProgram:
        assert self._kubelet is not None, "the kubelet was not started"
        return self._kubelet

    # Observations

    def _observe(self, results: tuple[PodResult, ...]) -> KubeletObservation:
        calls, registrations = self._drivers.new_calls()
        pods = observed_pods(self._program(), self._pods, self._shown, self._drivers.devices)
        metrics = self._program().ask_for(tuple[Sample, ...], "metrics")
        return KubeletObservation(results, calls, registrations, pods, self._slice_names(), metrics)

    def _all_slices(self) -> list[Json]:
        target = Target("ResourceSlice", _RESOURCE)
        return self._server.api.list_objects(target, lambda _: True)[0]

    def _slice_names(self) -> dict[str, tuple[str, ...]]:
        by_driver: dict[str, list[str]] = {}
        for raw in self._all_slices():
            by_driver.setdefault(raw["spec"]["driver"], []).append(raw["metadata"]["name"])
        return {driver: tuple(sorted(names)) for driver, names in sorted(by_driver.items())}
