"""The emulated DRA drivers of a scenario with a kubelet, and the devices that they prepare."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from dra_conform.adapters.kubelet.emulated_driver import EmulatedDriver, Record
from dra_conform.adapters.kubelet.scripted_answers import second
from dra_conform.conformance.kubelet.actions import ChangeDriver, ReportHealth, SetAnswer
from dra_conform.conformance.kubelet.answer import DriverCall, ObservedDevice, Registration
from dra_conform.conformance.steps.driver_claims import DriverSetup
from dra_conform.kube import plugin_api
from dra_conform.kube.json_values import Json

REGISTRATION_SECONDS = 10.0
"""How long a kubelet may take to register a driver."""
STOP_SECONDS = 2.5
"""How long a kubelet may take to notice that a socket is gone; it looks every second."""
_POLL_SECONDS = 0.05
_SETTLE_SECONDS = 0.3
_CONNECTED = "03"
"""The state of a connected socket in `/proc/net/unix`."""


def wait(done: Callable[[], bool], seconds: float) -> bool:
    """Wait until `done` returns true, at most some seconds; return whether it did."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if done():
            return True
        time.sleep(_POLL_SECONDS)
    return False


def _has_client(socket: Path) -> bool:
    """Return whether a process is connected to a Unix socket."""
    rows = (line.split() for line in Path("/proc/net/unix").read_text().splitlines())
    return any(row[5] == _CONNECTED and row[7:] == [str(socket)] for row in rows)


def _wait_for_connection(driver: EmulatedDriver) -> None:
    """Wait until a kubelet is connected to the services of a driver and knows it."""
    wait(lambda: _has_client(driver.endpoint), REGISTRATION_SECONDS)
    time.sleep(_SETTLE_SECONDS)


class ScenarioDrivers:
    """The instances of drivers on a node.

    `folders` are those for registration sockets and for services. `claims` are the ResourceClaims by their
    names in the case.
    `devices` are the prepared devices by their CDI name.
    """

    def __init__(
        self, setups: Sequence[DriverSetup], folders: tuple[Path, Path], claims: Mapping[str, Json]
    ) -> None:
        self.devices: dict[str, ObservedDevice] = {}
        self._setups = setups
        self._folders = folders
        self._claims = claims
        self._record = Record()
        self._instances: dict[tuple[str, int], EmulatedDriver] = {}
        self._seen_calls = self._seen_registrations = 0

    def start(self) -> None:
        """Start the first instance of each driver."""
        for setup in self._setups:
            self._instance(setup.name, 1).start()

    def stop(self) -> None:
        """Stop all instances."""
        for driver in self._instances.values():
            if driver.running:
                driver.stop()

    def wait_for_registration(self, start_kubelet: Callable[[], None]) -> None:
        """Start a kubelet, and wait until it has told all running instances their registration status."""
        running = [driver for driver in self._instances.values() if driver.running]
        before = [driver.registrations() for driver in running]
        start_kubelet()
        self._wait_for(running, before)

    def change(self, action: ChangeDriver) -> None:
        """Start, stop or crash an instance, and wait until the kubelet has noticed it."""
        driver = self._instance(action.driver, action.instance)
        if action.to == "started":
            before = driver.registrations()
            first = self._instance(action.driver, 1)
            driver.start(first.endpoint if action.shares_endpoint else None, action.services)
            self._wait_for([driver], [before])
            others = (one for one in self._instances.values() if one is not driver and one.running)
            if driver.registered() and any(one.name == driver.name for one in others):
                _wait_for_connection(driver)  # Until then the kubelet may call the older instance.
            return
        if action.to == "serving":
            driver.serve_again()
            _wait_for_connection(driver)
            return
        match action.to:
            case "stopped":
                driver.stop()
            case "deregistered":
                driver.deregister()
            case _:
                driver.crash()
        time.sleep(STOP_SECONDS)

    def set_answer(self, action: SetAnswer) -> None:
        """Set the answers of all instances of a driver to later calls."""
        for (name, _), driver in self._instances.items():
            if name == action.driver:
                driver.set_answer(action)

    def report(self, action: ReportHealth) -> None:
        """Send a health report of devices."""
        pools = (each.pool or self._pool(action.driver, each.device) for each in action.devices)
        self._instance(action.driver, action.instance).report(zip(action.devices, pools, strict=True))

    def call_count(self) -> int:
        """Return the number of calls so far."""
        return len(self._record.calls)

    def unanswered_count(self) -> int:
        """Return the number of calls so far that a driver answers late or not at all."""
        return self._record.unanswered

    def new_calls(self) -> tuple[tuple[DriverCall, ...], tuple[Registration, ...]]:
        """Return the calls and registration statuses since this was asked last."""
        with self._record.lock:
            calls = tuple(self._record.calls[self._seen_calls :])
            registrations = tuple(self._record.registrations[self._seen_registrations :])
            self._seen_calls += len(calls)
            self._seen_registrations += len(registrations)
        return calls, registrations

    @staticmethod
    def _wait_for(drivers: Sequence[EmulatedDriver], before: Sequence[int]) -> None:
        wait(
            lambda: all(
                driver.registrations() > count for driver, count in zip(drivers, before, strict=True)
            ),
            REGISTRATION_SECONDS,
        )

    def _instance(self, name: str, instance: int) -> EmulatedDriver:
        if (name, instance) not in self._instances:
            setup = next(driver for driver in self._setups if driver.name == name)
            driver = EmulatedDriver(
                setup, instance, self._folders, self._prepared, self._uid_of, self._record
            )
            self._instances[name, instance] = driver
        return self._instances[name, instance]

    def _prepared(self, driver: str, claim: str) -> tuple[plugin_api.PluginDevice, ...]:
        """Return the devices that a driver prepares for a ResourceClaim, each with a CDI name."""
        return tuple(
            plugin_api.PluginDevice(
                (result["request"].partition("/")[0],),
                result["pool"],
                result["device"],
                (self._cdi_name(driver, claim, result),),
                result.get("shareID"),
            )
            for result in self._results(claim)
            if result["driver"] == driver
        )

    def _uid_of(self, claim: str) -> str:
        uid: str = self._claims[claim]["metadata"]["uid"]
        return uid

    def _results(self, claim: str) -> list[Json]:
        status = self._claims.get(claim, {}).get("status") or {}
        results: list[Json] = status.get("allocation", {}).get("devices", {}).get("results", [])
        return results

    def _cdi_name(self, driver: str, claim: str, result: Json) -> str:
        prefix = f"{claim}-{result['request']}".replace("/", ".")
        name = f"{driver}/device={prefix}-{result['device']}"
        observed = ObservedDevice(driver, result["pool"], result["device"])
        self.devices.update({name: observed, second(name): observed})
        return name

    def _pool(self, driver: str, device: str) -> str:
        """Return the pool of a device that is allocated to a ResourceClaim."""
        pools = (
            result["pool"]
            for claim in self._claims
            for result in self._results(claim)
            if (result["driver"], result["device"]) == (driver, device)
        )
        return next(pools, "")
