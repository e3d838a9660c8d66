"""The process of the reference kubelet: commands on stdin, answers on stdout."""

from __future__ import annotations

import json
import logging
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import grpc

from dra_conform.kube.gates import GATES
from dra_conform.kube.json_values import Json
from dra_conform.kube.plugin_api import Empty
from dra_conform.kube.plugin_server import serve
from dra_conform.kube.pod_resources_api import GET, LIST, PodRequest, PodResourcesList, PodResponse
from dra_conform.reference_driver.api_client import APIClient
from dra_conform.reference_kubelet.cgroups import cgroup
from dra_conform.reference_kubelet.claim_states import ClaimStates
from dra_conform.reference_kubelet.errors import KubeletError
from dra_conform.reference_kubelet.health import HealthReports
from dra_conform.reference_kubelet.manager import Manager
from dra_conform.reference_kubelet.metrics import Metrics
from dra_conform.reference_kubelet.plugins import Plugins

VERSION = "reference"
HEALTH_GATE = "ResourceHealthStatus"
OPTIONAL_OPERATIONS_GATE = "DRAOptionalNodeOperations"
FUTURE_OPTION = "--future"
"""The command-line option for profile kep-future."""
RECONCILE_SECONDS = 20.0
"""The pause between two searches for pods that the kubelet no longer has."""


class ReferenceKubelet:
    """A kubelet that executes commands. `future`: with what the KEPs plan for later."""

    def __init__(self, *, future: bool = False) -> None:
        self._future = future
        self._manager: Manager | None = None
        self._pod_resources: grpc.Server | None = None

    def answer(self, command: Mapping[str, Json]) -> Json:
        """Return the value of the answer to a command; raises KubeletError."""
        do = command.get("do")
        if do == "describe":
            return {"version": VERSION, "gates": sorted((*GATES, HEALTH_GATE, OPTIONAL_OPERATIONS_GATE))}
        if do == "start":
            return self._start(command)
        if self._manager is None:
            raise KubeletError(f"{do!r} before 'start'")
        return self._manager_answer(self._manager, do, command)

    def _start(self, command: Mapping[str, Json]) -> None:
        gates, metrics = command["gates"], Metrics()
        api = APIClient(Path(command["kubeconfig"]))
        health = HealthReports() if gates.get(HEALTH_GATE, True) else None
        plugins = Plugins(Path(command["registry"]), api, command["node"], health, metrics)
        states = ClaimStates(Path(command["state"]) / "claims.json")
        extended = gates.get("DRAExtendedResource", True)
        optional = gates.get(OPTIONAL_OPERATIONS_GATE, False)
        self._manager = Manager(
            api,
            plugins,
            states,
            health,
            metrics,
            extended_resources=extended,
            optional_operations=optional,
        )
        self._manager.set_active_pods(command["activePods"])
        self._pod_resources = serve(Path(command["podResources"]), {LIST: self._listed, GET: self._got})
        plugins.start()
        threading.Thread(target=self._reconcile, args=(self._manager,), daemon=True).start()

    def _listed(self, _: Empty, __: Any) -> PodResourcesList:
        assert self._manager is not None
        return PodResourcesList(self._manager.pod_resources())

    def _got(self, request: PodRequest, context: grpc.ServicerContext) -> PodResponse:
        listed = {(pod.namespace, pod.name): pod for pod in self._listed(Empty(), context).pod_resources}
        return PodResponse(listed.get((request.pod_namespace, request.pod_name)))

    @staticmethod
    def _reconcile(manager: Manager) -> None:
        pause = threading.Event()
        while True:
            manager.reconcile()
            pause.wait(RECONCILE_SECONDS)

    def _manager_answer(self, manager: Manager, do: Json, command: Mapping[str, Json]) -> Json:
        match do:
            case "setActivePods":
                return manager.set_active_pods(command["activePods"])
            case "metrics":
                return manager.metrics()
            case "prepare":
                return manager.prepare(command["pod"])
            case "unprepare":
                return manager.unprepare(command["pod"])
            case "mustUnprepare":
                return manager.must_unprepare(command["pod"])
            case "devices":
                return manager.devices.cdi_names(command["pod"])
            case "health":
                return manager.devices.health(command["pod"])
            case "cgroup":
                return cgroup(command["pod"], with_claims=self._future)
        raise KubeletError(f"unknown command {do!r}")


def main() -> None:
    """Answer commands until stdin ends."""
    kubelet = ReferenceKubelet(future=FUTURE_OPTION in sys.argv[1:])
    for line in sys.stdin:
        try:
            answer = {"value": kubelet.answer(json.loads(line))}
        except (KubeletError, OSError) as error:
            answer = {"error": str(error)}
        except (KeyError, TypeError, ValueError) as error:
            answer = {"error": f"malformed command: {type(error).__name__}: {error}"}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    main()
