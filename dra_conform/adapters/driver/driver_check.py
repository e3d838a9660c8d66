"""The command `driver check`: start a driver once and report the first check that fails."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from typing import Any

from dra_conform.adapters.check_item import Item
from dra_conform.adapters.driver.claims import NAMESPACE, ClaimWriter, Devices, device_class
from dra_conform.adapters.driver.driver_file import DriverFile
from dra_conform.adapters.driver.driver_process import DriverFailed, RegisteredDriver
from dra_conform.adapters.driver.node import DriverNode
from dra_conform.adapters.driver.node_slices import all_complete, incomplete_pools
from dra_conform.adapters.driver.plugin_client import CallFailed
from dra_conform.adapters.driver.world import LightWorld, World
from dra_conform.conformance.steps.driver_claims import ClaimSetup, Result
from dra_conform.kube.json_values import Json
from dra_conform.kube.listing import counted
from dra_conform.kube.plugin_api import Claim, PreparedClaim
from dra_conform.kube.profile import KEP, Profile

_POLL_SECONDS = 0.05

_REGISTRATION = (
    "The driver needs a registration socket in $REGISTRY, whose name does not begin with a dot, and its\n"
    "service in $PLUGINS. A driver with these folders built in needs `folders: built-in`, and root."
)
_ENDED = (
    "The driver must keep running until SIGTERM. Compare `command` and `env` in the driver file with the\n"
    "options of the driver."
)
_PUBLICATION = (
    "The driver must publish complete pools of ResourceSlices with `nodeName: $NODE` through the API server\n"
    "of $KUBECONFIG: as many ResourceSlices of a pool as its resourceSliceCount says.\n"
    "A driver needs hardware, or a setting that makes it emulate hardware."
)
_PREPARATION = (
    "The ResourceClaim has no configuration. A driver that needs opaque parameters\n"
    "needs them as `configuration.good` in the driver file."
)
_CDI = "The driver must write a CDI spec with these devices to $CDI before it returns from the call."


class DriverCheck:
    """One run of a driver on a node of its own. `run` yields the checks up to the first failure."""

    def __init__(self, driver: DriverFile) -> None:
        self._driver = driver

    def run(self) -> Iterator[Item]:
        """Start the driver, prepare and unprepare one ResourceClaim, and end the driver."""
        world = LightWorld(Profile.named(KEP))
        try:
            node = DriverNode(self._driver, "node-1")
            try:
                for item in self._steps(world, node):
                    yield item
                    if not item.ok:
                        return
            finally:
                node.close()
        finally:
            world.close()

    def _steps(self, world: World, node: DriverNode) -> Iterator[Item]:
        world.create({"apiVersion": "v1", "kind": "Node", "metadata": {"name": node.name}})
        world.create(device_class(self._driver.name))
        world.write_kubeconfig(node.kubeconfig)
        began = time.monotonic()
        try:
            instance = node.start()
        except DriverFailed as failed:
            advice = _REGISTRATION if node.running() else _ENDED
            yield Item(False, "the driver starts and registers", f"{advice}\n{failed}")
            return
        registered = instance.registered
        assert registered is not None, "start has registered the driver"
        seconds = time.monotonic() - began
        yield self._registration(node, registered, seconds)
        devices = self._published(world, node)
        if not devices:
            yield Item(False, "the driver publishes devices", self._publication(world, node))
            return
        yield Item(
            True,
            f"the driver publishes {counted(len(devices), 'device')}, "
            f"the first is {'/'.join(devices.numbered(1))}",
        )
        claim = self._create_claim(world, node, devices)
        prepared = _answered(registered, "prepare", claim)
        if isinstance(prepared, str):
            yield Item(
                False, "the driver prepares a ResourceClaim", f"{prepared}\n{_PREPARATION}{node.log_tail()}"
            )
            return
        yield Item(True, f"the driver prepares a ResourceClaim with {_devices(prepared)}")
        names = [name for device in prepared.devices for name in device.cdi_device_ids]
        cdi = node.cdi_devices()
        missing = [name for name in names if name not in cdi.digests]
        rejected = "".join(f"\ncontainer runtimes reject {file}" for file in cdi.unreadable)
        found = f"{_CDI}\nmissing: {', '.join(missing)}{rejected}"
        yield Item(not missing, f"a container runtime finds {counted(len(names), 'CDI device')}", found)
        unprepared = _answered(registered, "unprepare", claim)
        problem = unprepared if isinstance(unprepared, str) else ""
        yield Item(not problem, "the driver unprepares the ResourceClaim", f"{problem}{node.log_tail()}")
        try:
            node.stop(instance, signal.SIGTERM)
        except DriverFailed as failed:
            yield Item(False, "the driver ends after SIGTERM", str(failed))
            return
        left = [path.name for path in node.sockets()]
        yield Item(
            not left,
            "the driver ends after SIGTERM and removes its socket",
            f"still there: {', '.join(left)}",
        )

    def _registration(self, node: DriverNode, registered: RegisteredDriver, seconds: float) -> Item:
        info, name = registered.info, self._driver.name
        services = ", ".join(info.supported_versions)
        if info.name != name:
            advice = f"The driver file has `name: {name}`. Both must be the driver of its ResourceSlices."
            return Item(False, f"the driver registers as {info.name[:100]}", advice)
        if not registered.service:
            advice = "A kubelet needs v1.DRAPlugin or v1beta1.DRAPlugin in supported_versions of GetInfo."
            return Item(False, f"the driver registers with the services {services[:200] or 'none'}", advice)
        if not registered.reachable:
            advice = f"GetInfo returns the endpoint {info.endpoint[:200]}, on which nothing listens."
            return Item(False, "the driver registers with a socket that answers", advice)
        title = f"the driver registers as {name} after {seconds:.1f} s, services: {services[:200]}"
        if info.endpoint and not node.outside(info.endpoint).is_relative_to(node.root):
            title += (
                f"; its socket {info.endpoint[:200]} is outside $PLUGINS, so files may stay between scenarios"
            )
        return Item(True, title)

    def _published(self, world: World, node: DriverNode) -> Devices:
        """Wait for complete pools of the node, and return their devices."""
        end = time.monotonic() + self._driver.start_seconds
        while time.monotonic() < end and node.running():
            slices = self._slices(world, node)
            devices = Devices.of(slices)
            if devices and all_complete(slices):
                return devices
            time.sleep(_POLL_SECONDS)
        return Devices({})

    def _slices(self, world: World, node: DriverNode) -> list[Json]:
        return [raw for raw in world.objects("ResourceSlice") if self._is_own(raw, node.name)]

    def _is_own(self, raw: Json, node: str) -> bool:
        spec = raw["spec"]
        return bool(spec["driver"] == self._driver.name and spec.get("nodeName", node) == node)

    def _publication(self, world: World, node: DriverNode) -> str:
        others = {
            f"{raw['spec']['driver']} on {raw['spec'].get('nodeName', 'several nodes')}"
            for raw in world.objects("ResourceSlice")
        }
        seen = f"\nThese ResourceSlices exist: {', '.join(sorted(others))}." if others else ""
        incomplete = "".join(f"\n{pool}." for pool in incomplete_pools(self._slices(world, node)))
        ended = "" if node.running() else f"\nThe driver ended ({node.newest.ended()})."
        return f"{_PUBLICATION}{seen}{incomplete}{ended}{node.log_tail()}"

    def _create_claim(self, world: World, node: DriverNode, devices: Devices) -> Claim:
        setup = ClaimSetup("claim", (Result(1),), configuration="good" if self._driver.configuration else "")
        writer = ClaimWriter(self._driver, node.name, devices, {})
        created = world.create(writer.spec(setup))
        world.update({**created, "status": writer.status(setup)}, "status")
        return Claim(NAMESPACE, created["metadata"]["uid"], setup.name)


def _answered(registered: RegisteredDriver, call: str, claim: Claim) -> PreparedClaim | str:
    """Call the driver and return its answer for a ResourceClaim, or a message that says what is wrong."""
    try:
        entry: Any
        if call == "prepare":
            entry = registered.client.prepare(registered.service, (claim,)).claims.get(claim.uid)
        else:
            entry = registered.client.unprepare(registered.service, (claim,)).claims.get(claim.uid)
    except CallFailed as failed:
        return f"the call fails: {failed}"
    if entry is None:
        return "the answer has no entry for the UID of the ResourceClaim"
    if entry.error:
        return f"the answer has an error: {entry.error[:2000]}"
    return entry if isinstance(entry, PreparedClaim) else PreparedClaim()


def _devices(prepared: PreparedClaim) -> str:
    names = [f"{device.pool_name}/{device.device_name}"[:200] for device in prepared.devices[:5]]
    return ", ".join(names) or "no devices"
