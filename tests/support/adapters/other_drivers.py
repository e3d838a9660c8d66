"""Correct drivers that differ from the reference driver where the documents leave a choice.

`python -m tests.support.adapters.other_drivers NAME` runs one.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import grpc

from dra_conform.kube.json_values import Json
from dra_conform.kube.plugin_api import PLUGIN_SERVICES, Device, PreparedClaim, PrepareResponse
from dra_conform.reference_driver import __main__ as process
from dra_conform.reference_driver import preparing
from dra_conform.reference_driver.prepared_claims import PreparedClaims
from dra_conform.reference_driver.settings import DRIVER, Settings
from tests.faulty.drivers.fault import around


def _with_cdi_names(names: Callable[[Json], tuple[str, ...]]) -> None:
    """Change the CDI names of a result."""

    @around(preparing, "_device")
    def changed(original: Any, uid: str, number: int, result: Json) -> Device:
        device = original(uid, number, result)
        return Device(
            device.request_names, device.pool_name, device.device_name, names(result), device.share_id
        )


def without_cdi() -> None:
    """The driver needs no CDI devices."""
    _with_cdi_names(lambda _: ())
    around(PreparedClaims, "write_cdi")(lambda *_: None)


def common_cdi() -> None:
    """All claims use the same CDI devices, one for each device, which exist from the start."""
    _with_cdi_names(lambda result: (f"{DRIVER}/device={result['device']}",))
    settings = Settings.of(os.environ)
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


OTHER_DRIVERS: Mapping[str, Callable[[], None]] = {
    apply.__name__.replace("_", "-"): apply
    for apply in (without_cdi, common_cdi, errors_of_the_call, answers_without_devices, only_shared_devices)
}
"""The changes of the reference driver by the name of the driver."""


if __name__ == "__main__":
    OTHER_DRIVERS[sys.argv[1]]()
    process.main(Settings.of(os.environ))
