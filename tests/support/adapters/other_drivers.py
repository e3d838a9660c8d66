"""Correct drivers that differ from the reference driver where the documents leave a choice.

`python -m tests.support.adapters.other_drivers NAME` runs one.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import msgspec

from dra_conform.kube.json_values import Json
from dra_conform.kube.plugin_api import (
    GET_INFO,
    PLUGIN_SERVICES,
    DeviceHealth,
    DeviceIdentifier,
    Empty,
    HealthReport,
    PluginDevice,
    PreparedClaim,
    PrepareResponse,
)
from dra_conform.reference_driver import __main__ as process
from dra_conform.reference_driver import preparing, publishing
from dra_conform.reference_driver.api_client import APIClient
from dra_conform.reference_driver.prepared_claims import PreparedClaims
from dra_conform.reference_driver.settings import DRIVER, DriverSettings
from tests.faulty.drivers.fault import around


def _with_cdi_names(names: Callable[[Json], tuple[str, ...]]) -> None:
    """Change the CDI names of a result."""

    @around(preparing, "_device")
    def changed(original: Any, uid: str, number: int, result: Json) -> PluginDevice:
        device = original(uid, number, result)
        return PluginDevice(
            device.request_names, device.pool_name, device.device_name, names(result), device.share_id
        )


def without_cdi() -> None:
    """The driver needs no CDI devices."""
    _with_cdi_names(lambda _: ())
    around(PreparedClaims, "write_cdi")(lambda *_: None)


def common_cdi() -> None:
    """All claims use the same CDI devices, one for each device, which exist from the start."""
    _with_cdi_names(lambda result: (f"{DRIVER}/device={result['device']}",))
    settings = DriverSettings.of(os.environ)
    _write_common(settings.cdi, settings.device_names())

    @around(PreparedClaims, "write_cdi")
    def changed(_: Any, self: Any, *__: Any) -> None:
        _write_common(self._cdi, settings.device_names())


def _write_common(folder: Path, names: list[str]) -> None:
    devices = [{"name": name, "containerEdits": {"env": [f"DEVICE={name}"]}} for name in names]
    temporary = folder / ".common"
    temporary.write_text(json.dumps({"cdiVersion": "0.6.0", "kind": f"{DRIVER}/device", "devices": devices}))
    temporary.replace(folder / "common.json")


def errors_of_the_call() -> None:
    """An error of one claim is an error of the whole call."""
    _with_prepare(_failing_calls)


def answers_without_devices() -> None:
    """The driver uses no CDI, and its answers have no devices."""
    around(PreparedClaims, "write_cdi")(lambda *_: None)
    _with_prepare(_without_devices)


def _with_prepare(changed_handler: Callable[[Any], Any]) -> None:
    """Change the handler of NodePrepareResources of each service."""

    @around(process, "_service_handlers")
    def changed(original: Any, *arguments: Any) -> Any:
        handlers = dict(original(*arguments))
        for methods in PLUGIN_SERVICES.values():
            handlers[methods["prepare"]] = changed_handler(handlers[methods["prepare"]])
        return handlers


def _failing_calls(handler: Any) -> Any:
    def prepare(request: Any, context: Any) -> Any:
        answer = handler(request, context)
        for entry in answer.claims.values():
            if entry.error:
                context.abort(grpc.StatusCode.INTERNAL, entry.error)
        return answer

    return prepare


def _without_devices(handler: Any) -> Any:
    def prepare(request: Any, context: Any) -> Any:
        claims = handler(request, context).claims
        return PrepareResponse({uid: PreparedClaim(error=entry.error) for uid, entry in claims.items()})

    return prepare


def only_shared_devices() -> None:
    """All devices are shared."""
    os.environ["SHARED"] = "1"


def two_cdi_devices_each() -> None:
    """Each device has two CDI devices, in YAML files with names of another form."""

    @around(preparing, "_device")
    def device(original: Any, uid: str, number: int, result: Json) -> PluginDevice:
        one: PluginDevice = original(uid, number, result)
        names = (*one.cdi_device_ids, *(f"{name}-settings" for name in one.cdi_device_ids))
        return msgspec.structs.replace(one, cdi_device_ids=names)

    @around(PreparedClaims, "_cdi_path")
    def path(_: Any, self: Any, uid: str) -> Path:
        return Path(self._cdi, f"of.{uid[::-1]}.yaml")

    @around(PreparedClaims, "_of_cdi")
    def found(original: Any, self: Any) -> Any:
        specs = {path: path.with_name(f"{DRIVER}-{path.stem}.json") for path in self._cdi.glob("of.*.yaml")}
        for path, copy in specs.items():
            shutil.copyfile(path, copy)
        try:
            return original(self)
        finally:
            for copy in specs.values():
                copy.unlink()


def services_on_the_registration_socket() -> None:
    """The services are on the registration socket, which is in a nested folder; the endpoint is empty."""

    @around(process, "_registration_handlers")
    def changed(original: Any, settings: DriverSettings) -> Any:
        handlers = dict(original(settings))
        info = handlers[GET_INFO](Empty(), None)
        handlers[GET_INFO] = lambda _, __: msgspec.structs.replace(info, endpoint="")
        return handlers

    _move_sockets()


def _move_sockets() -> None:
    """Serve everything on the registration socket, and put that into a nested folder."""
    handlers: dict[Any, Any] = {}

    @around(process, "serve")
    def serve(original: Any, socket: Path, of_socket: Mapping[Any, Any]) -> Any:
        handlers.update(of_socket)
        if GET_INFO not in of_socket:
            return grpc.server(ThreadPoolExecutor(1))
        socket.parent.mkdir(parents=True, exist_ok=True)
        return original(socket, handlers)

    def registration_socket(settings: DriverSettings) -> Path:
        return settings.registry / "nested" / f"plugin{settings.pod_uid[:8]}"

    setattr(DriverSettings, "registration_socket", property(registration_socket))  # noqa: B010 - it is read-only


def services_outside_the_folders_of_the_kubelet() -> None:
    """The services are on a socket that is not in the folder for plugins."""
    beside_the_node = DriverSettings.of(os.environ).registry.parents[2]
    folder = Path(tempfile.mkdtemp(dir=beside_the_node))
    setattr(DriverSettings, "service_socket", property(lambda _: folder / "dra.sock"))  # noqa: B010 - it is read-only


POOL = "shelf.example/of-its-own"


def pool_of_its_own() -> None:
    """The pool has a name of its own, each device has its own ResourceSlice, and more attributes."""
    publishing.DEVICES_IN_SLICE = 1

    @around(publishing.Publisher, "_slice")
    def changed(original: Any, self: Any, *arguments: Any) -> Any:
        name, raw = original(self, *arguments)
        raw["spec"]["pool"]["name"] = POOL
        return name, raw

    @around(publishing.Publisher, "_device")
    def device(original: Any, self: Any, name: str, group: str) -> Json:
        published = original(self, name, group)
        published["attributes"] |= {"index": {"int": 1}, "example.org/fast": {"bool": True}}
        return {**published, "capacity": {**published["capacity"], "lanes": {"value": "500m"}}}

    _with_pool(lambda _, __: POOL)


def _with_pool(pool_of: Callable[[DriverSettings, str], str]) -> None:
    """Accept and report each device in the pool that `pool_of` says."""

    @around(preparing.Preparing, "_check")
    def check(original: Any, self: Any, result: Json, claims: Any) -> None:
        known = result["device"] in self._settings.device_names()
        right = known and result["pool"] == pool_of(self._settings, result["device"])
        original(self, {**result, "pool": self._settings.node if right else ""}, claims)

    @around(process, "_reports")
    def reports(original: Any, settings: DriverSettings, *arguments: Any) -> Iterator[HealthReport]:
        for report in original(settings, *arguments):
            yield HealthReport(tuple(_in_pool(settings, device, pool_of) for device in report.devices))


def _in_pool(
    settings: DriverSettings, health: DeviceHealth, pool_of: Callable[[DriverSettings, str], str]
) -> DeviceHealth:
    name = health.device.device_name
    return msgspec.structs.replace(health, device=DeviceIdentifier(pool_of(settings, name), name))


def slow_second_pool() -> None:
    """Devices are in two pools, of which the second is published four seconds after the first."""
    two_pools()
    created: list[Json] = []

    @around(APIClient, "create_slice")
    def create(original: Any, self: Any, raw: Json) -> None:
        if len(created) == 1:
            time.sleep(4.0)
        created.append(raw)
        original(self, raw)


def two_pools() -> None:
    """Devices are in two pools alternately, unless they have groups, whose counters one pool must share."""

    def pool_of(settings: DriverSettings, name: str) -> str:
        number = settings.device_names().index(name) % 2
        return settings.node if settings.groups or not number else f"{settings.node}-second"

    @around(publishing.Publisher, "_slices")
    def slices(original: Any, self: Any, node_uid: str, groups: Any) -> Any:
        names = self._settings.device_names()
        if self._settings.groups or len(names) < 2:
            return original(self, node_uid, groups)
        parts = [{"devices": [self._device(name, "") for name in names[begin::2]]} for begin in (0, 1)]
        found = dict(self._slice(node_uid, index, parts) for index in (0, 1))
        for raw in found.values():
            first = raw["spec"]["devices"][0]["name"]
            raw["spec"]["pool"] |= {"name": pool_of(self._settings, first), "resourceSliceCount": 1}
        return found

    _with_pool(pool_of)


def health_in_parts() -> None:
    """After the first report, each device is reported alone, and not every device is healthy."""

    @around(process, "_reports")
    def reports(original: Any, settings: DriverSettings, *arguments: Any) -> Iterator[HealthReport]:
        for number, report in enumerate(original(settings, *arguments)):
            devices = [
                msgspec.structs.replace(device, health=index % 3, message="a message")
                for index, device in enumerate(report.devices)
            ]
            yield from (
                [HealthReport((device,)) for device in devices] if number else [HealthReport(tuple(devices))]
            )


def health_of_two_sources() -> None:
    """The first device is reported each second with a short timeout, the others seldom with a long one."""

    @around(process, "_reports")
    def reports(original: Any, *arguments: Any) -> Iterator[HealthReport]:
        for number, report in enumerate(original(*arguments)):
            first, *others = report.devices
            fast = msgspec.structs.replace(first, health_check_timeout_seconds=3)
            slow = [msgspec.structs.replace(device, health_check_timeout_seconds=60) for device in others]
            yield HealthReport((fast, *(slow if number % 5 == 0 else ())))


def only_the_older_service() -> None:
    """The driver offers v1beta1.DRAPlugin only."""
    older = "v1beta1.DRAPlugin"
    vars(process)["PLUGIN_SERVICES"] = {older: PLUGIN_SERVICES[older]}


def reversed_answers() -> None:
    """The devices of an answer are in the reverse order, without requests if all have the same."""

    @around(preparing, "_devices")
    def changed(original: Any, claim: Json) -> tuple[PluginDevice, ...]:
        devices: tuple[PluginDevice, ...] = original(claim)[::-1]
        if len({device.request_names for device in devices}) > 1:
            return devices
        return tuple(msgspec.structs.replace(device, request_names=()) for device in devices)


OTHER_DRIVERS: Mapping[str, Callable[[], None]] = {
    apply.__name__.replace("_", "-"): apply
    for apply in (
        without_cdi,
        common_cdi,
        errors_of_the_call,
        answers_without_devices,
        only_shared_devices,
        two_cdi_devices_each,
        services_on_the_registration_socket,
        services_outside_the_folders_of_the_kubelet,
        pool_of_its_own,
        two_pools,
        slow_second_pool,
        health_in_parts,
        health_of_two_sources,
        only_the_older_service,
        reversed_answers,
    )
}
"""The changes of the reference driver by the name of the driver."""


if __name__ == "__main__":
    OTHER_DRIVERS[sys.argv[1]]()
    process.main(DriverSettings.of(os.environ))
