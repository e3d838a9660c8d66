"""A scenario with a driver: a node, its ResourceClaims, and one observation for each action."""

from __future__ import annotations

import signal
import threading
import time
import uuid
from collections.abc import Callable
from contextlib import suppress

from dra_conform.adapters.driver.claims import Devices, device_class
from dra_conform.adapters.driver.driver_file import DriverFile
from dra_conform.adapters.driver.driver_process import DriverFailed, DriverInstance, RegisteredDriver
from dra_conform.adapters.driver.kubelet_calls import KubeletCalls, timed_out, watch_health
from dra_conform.adapters.driver.node import DriverNode
from dra_conform.adapters.driver.node_slices import NodeSlices, all_complete, count_of_driver, edited_devices
from dra_conform.adapters.driver.plugin_client import CallFailed, notify
from dra_conform.adapters.driver.scenario_claims import ScenarioClaims
from dra_conform.adapters.driver.scenario_needs import (
    START_VARIANTS,
    NeedDeclined,
    ordered_by_needs,
    require_of_devices,
    require_of_file,
    require_of_node,
)
from dra_conform.adapters.driver.state_file import damage
from dra_conform.adapters.driver.world import World
from dra_conform.conformance.driver.actions import (
    Action,
    AwaitSlices,
    CallEmpty,
    ChangeCDI,
    ChangeClaim,
    ChangeSlices,
    CorruptState,
    DriverQuestion,
    Prepare,
    RebootNode,
    RefuseRegistration,
    Rest,
    RestartAPIServer,
    RestartDriver,
    StartDriver,
    StartSuccessor,
    StopDriver,
    Unprepare,
    WatchHealth,
)
from dra_conform.conformance.driver.answer import (
    DriverAnswer,
    DriverObservation,
    HealthWatch,
    KubeletCall,
)
from dra_conform.conformance.steps.driver_claims import ChangeAPIServer, RestartKubelet

REPAIR_SECONDS = 75.0
"""How long a driver may take to repair its ResourceSlices; client-go's helper waits for 30 seconds first."""
SCENARIO_SECONDS = 600.0
"""The time after which a scenario starts no further action."""
END_SECONDS = 1.0
"""The time to wait for the end of a driver after a call without an answer."""
REFUSED_SECONDS = 1.0
_POLL_SECONDS = 0.05
_SIGNALS = {"KILL": signal.SIGKILL, "TERM": signal.SIGTERM}


class DriverScenario:
    """One scenario on a new node. Call `run` once, then `close`. Another thread may call `interrupt`.

    `expected`: how many devices the driver is expected to publish, 0 if that is unknown. After `run`,
    `devices_at_start` and `most_devices` are how many it had published at the start, and at most.
    """

    def __init__(self, driver: DriverFile, world: World, question: DriverQuestion, expected: int) -> None:
        self.devices_at_start = self.most_devices = 0
        self._expected = expected
        self._driver = driver
        self._world = world
        self._question = question
        reboots = any(isinstance(action, RebootNode) for action in question.actions)
        self._node = DriverNode(driver, f"node-{uuid.uuid4().hex[:8]}", reboots=reboots)
        self._slices = NodeSlices(world, driver.name, self._node.name)
        self._claims = ScenarioClaims(world, driver, self._node.name)
        self._calls = KubeletCalls(self._claims)
        self._cdi_is_writable = True
        self._health: HealthWatch | None = None
        self._interrupted = threading.Event()

    def run(self) -> DriverAnswer:
        """Start the driver, do all actions, and return the observations.

        Raises NeedDeclined, and DriverFailed if the driver does not start or publish. If it fails later, the
        observation of the action says so and the remaining actions are not done.
        """
        require_of_file(self._driver, self._question)
        require_of_node(self._node)
        self._set_up()
        start = self._observe(())
        observations: list[DriverObservation] = []
        end = time.monotonic() + SCENARIO_SECONDS
        for action in self._question.actions:
            try:
                if self._interrupted.is_set():
                    raise DriverFailed("the scenario was interrupted")
                if time.monotonic() > end:
                    raise DriverFailed(f"the scenario takes longer than {SCENARIO_SECONDS:g} s")
                calls = self._do(action)
                self._decline_calls(calls)
                if any(call.error.startswith("UNAVAILABLE") for call in calls):
                    self._wait(lambda: False, END_SECONDS)  # The observation shows the driver's end.
                observations.append(self._observe(calls))
            except DriverFailed as failed:
                observations.append(DriverObservation(problem=str(failed)))
                break
            if any(map(timed_out, calls)):
                break
        missing = len(self._question.actions) - len(observations)
        skipped = [DriverObservation(problem="skipped: the driver failed in an earlier action")] * missing
        return DriverAnswer(start, (*observations, *skipped))

    def interrupt(self) -> None:
        """End the driver, so that `run` ends soon."""
        self._interrupted.set()
        self._node.interrupt()

    def close(self) -> None:
        """End the driver and remove its folders."""
        self._node.close()

    def _set_up(self) -> None:
        node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": self._node.name}}
        self._slices.node_uid = self._world.create(node)["metadata"]["uid"]
        self._world.create(device_class(self._driver.name))
        self._slices.create_others()
        self._world.write_kubeconfig(self._node.kubeconfig)
        self._start()
        self._published()
        self._slices.await_all_pools(self._driver.start_seconds, self._expected)
        self._published()
        devices = ordered_by_needs(self._driver, self._question, Devices.of(self._slices.all()))
        self.devices_at_start = len(devices)
        require_of_devices(self._driver, self._question, devices, self._registered().info.supported_versions)
        self._claims.devices = devices
        for claim in self._question.claims:
            self._claims.create_namespace(claim)
            self._claims.create(claim)
        self._slices.see()

    def _decline_calls(self, calls: tuple[KubeletCall, ...]) -> None:
        """Decline a scenario that makes the CDI folder unwritable if the driver does not use that folder."""
        results = [result for call in calls if call.call == "prepare" for result in call.claims.values()]
        if not self._cdi_is_writable and any(not result.error for result in results):
            raise NeedDeclined("cdi-files", "the driver prepares ResourceClaims without a CDI file")

    # Actions

    def _do(self, action: Action) -> tuple[KubeletCall, ...]:
        match action:
            case Prepare() | Unprepare():
                instance = self._node.predecessor if action.predecessor else self._node.newest
                return self._calls.of(action, self._registered(instance))
            case CallEmpty():
                return self._calls.empty(self._registered())
            case RestartDriver():
                self._restart(action)
            case StopDriver(signal=name, predecessor=predecessor):
                instance = self._node.predecessor if predecessor else self._node.newest
                self._node.stop(instance, _SIGNALS[name])
            case StartDriver() | StartSuccessor():
                self._start()
            case AwaitSlices(until=until):
                self._wait(lambda: self._are_awaited(until), REPAIR_SECONDS)
            case RestartAPIServer(gate=gate, on=on):
                self._world.restart({gate: on})
            case RebootNode():
                self._node.stop(self._node.newest, signal.SIGKILL)
                self._node.reboot()
                self._start()
            case RestartKubelet():
                self._node.register(self._node.newest)
            case RefuseRegistration():
                self._refuse()
            case ChangeCDI(to="lost"):
                self._node.lose_cdi_files()
            case ChangeCDI(to=to):
                self._cdi_is_writable = to == "writable"
                self._node.set_cdi_writable(writable=self._cdi_is_writable)
            case ChangeSlices(to=to):
                self._slices.change(to)
            case ChangeAPIServer(to="available"):
                self._world.answer_again()
            case ChangeAPIServer():
                self._world.stop_answering()
            case ChangeClaim():
                self._change_claim(action)
            case CorruptState(to=to):
                damage(self._node.state_file(), to, self._node.plugins)
            case Rest(seconds=seconds):
                self._interrupted.wait(seconds)
            case WatchHealth(open=True):
                self._registered().keep_watching_health()
            case WatchHealth(long=whole, service=service):
                self._health = watch_health(self._registered(), self._claims.devices, service, whole=whole)
        return ()

    def _start(self, *variants: str) -> None:
        needs = self._question.needs
        of_needs = (need for need in needs if need in START_VARIANTS)
        self._node.start(rolling="rolling-update" in needs, variants=(*of_needs, *variants))

    def _restart(self, action: RestartDriver) -> None:
        before = self._slices.specs()
        for _ in range(action.times):
            self._node.stop(self._node.newest, _SIGNALS[action.signal])
            self._start(*filter(None, (action.variant,)))
            self._published()
        if action.variant:
            self._wait(lambda: self._slices.have_changed(before), REPAIR_SECONDS)

    def _refuse(self) -> None:
        socket = self._registered().socket
        with suppress(CallFailed):  # Drivers may answer a refusal with an error.
            notify(socket, registered=False, error="rejected by the kubelet")
        time.sleep(REFUSED_SECONDS)
        self._node.register(self._node.newest)

    def _change_claim(self, action: ChangeClaim) -> None:
        if action.to == "deleted":
            self._claims.delete(action.claim)
            return
        claim = next(claim for claim in self._question.claims if claim.name == action.claim)
        match action.to:
            case "recreated":
                self._claims.recreate(claim, action.device)
            case "reallocated":
                self._claims.reallocate(claim, action.device)
            case "replaced":
                self._claims.replace(claim)

    def _registered(self, instance: DriverInstance | None = None) -> RegisteredDriver:
        registered = (instance or self._node.newest).registered
        if registered is None or not registered.service:
            raise DriverFailed("the driver advertises no service that a kubelet knows")
        return registered

    # Observations

    def _observe(self, calls: tuple[KubeletCall, ...]) -> DriverObservation:
        pools, writes, damaged = self._slices.observe(self._claims.devices)
        self.most_devices = max(self.most_devices, count_of_driver(pools))
        cdi = self._node.cdi_devices()
        health, self._health = self._health, None
        return DriverObservation(
            calls,
            dict(cdi.digests),
            cdi.unreadable,
            self._claims.cdi_names(cdi.digests),
            pools,
            writes,
            damaged,
            self._node.newest.ended(),
            len(self._node.sockets()),
            len(self._node.service_sockets()),
            self._node.has_other_socket(),
            self._node.has_other_cdi_file(),
            self._node.mounted_files(cdi.mounts),
            self._node.left_files(cdi.mounts),
            self._node.registration(),
            health,
            self._claims.device_status(),
        )

    def _published(self) -> None:
        """Wait until the driver has published complete pools; raises DriverFailed."""
        seconds = self._driver.start_seconds
        if not self._wait(lambda: all_complete(self._slices.all()), seconds):
            message = f"the driver has not published a complete pool within {seconds} s"
            raise DriverFailed(message + self._node.log_tail())

    def _are_awaited(self, until: str) -> bool:
        slices, devices = self._slices.all(), self._claims.devices
        if not all_complete(slices) or edited_devices(slices):
            return False
        if {*Devices.of(slices).definitions} != {*devices.definitions}:
            return False
        grouped = {number for pool in self._slices.pools(slices, devices, {}) for number in pool.groups}
        return until == "devices" or (len(grouped) >= devices.grouped() if until == "groups" else not grouped)

    def _wait(self, done: Callable[[], bool], seconds: float) -> bool:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if done():
                return True
            if not self._node.running():
                return False
            time.sleep(_POLL_SECONDS)
        return False
