"""Hostile drivers, which hang, flood, or try to outlive a run.

Each must get a verdict within a bounded time and leave no process, socket or file.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

from dra_conform.kube import plugin_server
from dra_conform.kube.plugin_api import (
    GET_INFO,
    HEALTH_SERVICES,
    NOTIFY,
    PLUGIN_SERVICES,
    DeviceHealth,
    DeviceIdentifier,
    HealthReport,
    PluginInfo,
)
from dra_conform.reference_driver import __main__ as process
from dra_conform.reference_driver import preparing
from dra_conform.reference_driver.api_client import APIClient, APIError
from dra_conform.reference_driver.preparing import Preparing
from dra_conform.reference_driver.settings import DRIVER, DriverSettings
from tests.faulty.drivers.fault import around

FOREVER = 10**6
FOLDER_OF_OTHERS = "FOLDER_OF_OTHERS"
"""The variable with a folder that a driver must not be able to change by accident."""


@dataclass(frozen=True, slots=True)
class Hostile:
    """A hostile driver. `starts`: whether it registers and publishes, so that calls reach it."""

    run: Callable[[DriverSettings], None]
    starts: bool


HOSTILE: dict[str, Hostile] = {}
"""All hostile drivers by name."""


def hostile(
    *, starts: bool
) -> Callable[[Callable[[DriverSettings], None]], Callable[[DriverSettings], None]]:
    """Return a decorator that adds a driver to `HOSTILE`, with dashes in its name."""

    def add(run: Callable[[DriverSettings], None]) -> Callable[[DriverSettings], None]:
        HOSTILE[run.__name__.replace("_", "-")] = Hostile(run, starts)
        return run

    return add


def _wait_forever(*_: Any) -> Any:
    time.sleep(FOREVER)


def _replace_handlers(name: str, change: Callable[[dict[Any, Any]], None]) -> None:
    """Change the handlers of the service or of the registration."""

    @around(process, name)
    def changed(original: Any, *arguments: Any) -> Any:
        handlers = dict(original(*arguments))
        change(handlers)
        return handlers


def _hang(methods: tuple[str, ...]) -> Callable[[dict[Any, Any]], None]:
    def change(handlers: dict[Any, Any]) -> None:
        for services in (PLUGIN_SERVICES, HEALTH_SERVICES):
            for service in services.values():
                for name in methods:
                    if name in service:
                        handlers[service[name]] = _wait_forever

    return change


# The process


@hostile(starts=False)
def ends_at_once(_: DriverSettings) -> None:
    sys.exit(3)


@hostile(starts=False)
def does_nothing(_: DriverSettings) -> None:
    _wait_forever()


@hostile(starts=True)
def ends_in_a_call(settings: DriverSettings) -> None:
    around(Preparing, "prepare")(lambda *_: os._exit(9))
    process.main(settings)


@hostile(starts=True)
def stops_itself_in_a_call(settings: DriverSettings) -> None:
    around(Preparing, "prepare")(lambda *_: os.kill(os.getpid(), signal.SIGSTOP))
    process.main(settings)


@hostile(starts=False)
def stops_its_supervisor(_: DriverSettings) -> None:
    os.kill(os.getppid(), signal.SIGSTOP)
    _wait_forever()


@hostile(starts=True)
def leaves_children(settings: DriverSettings) -> None:
    """Children in sessions of their own, which ignore SIGTERM and write to all folders again and again."""
    script = (
        "import os, signal, sys, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "while True:\n"
        "    for folder in sys.argv[1:]:\n"
        "        try:\n"
        "            os.makedirs(folder, exist_ok=True)\n"
        "            open(os.path.join(folder, str(os.getpid())), 'w').close()\n"
        "        except OSError:\n"
        "            pass\n"
        "    time.sleep(0.01)\n"
    )
    folders = map(str, (settings.registry, settings.data, settings.cdi))
    for _ in range(3):
        subprocess.Popen([sys.executable, "-S", "-c", script, *folders], start_new_session=True)
    process.main(settings)


@hostile(starts=True)
def ignores_all_signals(settings: DriverSettings) -> None:
    around(process.signal, "signal")(lambda original, number, _: original(number, signal.SIG_IGN))
    process.main(settings)


# Registration


@hostile(starts=False)
def socket_without_answer(settings: DriverSettings) -> None:
    listener = _listen(settings.registration_socket)
    kept = []
    while True:
        kept.append(listener.accept())


@hostile(starts=False)
def socket_with_noise(settings: DriverSettings) -> None:
    listener = _listen(settings.registration_socket)
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=_send_noise, args=(connection,), daemon=True).start()


def _send_noise(connection: socket.socket) -> None:
    noise = os.urandom(2**16)
    try:
        while True:
            connection.sendall(noise)
    except OSError:
        connection.close()


def _listen(path: Path) -> socket.socket:
    path.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen(64)
    return listener


@hostile(starts=False)
def get_info_hangs(settings: DriverSettings) -> None:
    _replace_handlers("_registration_handlers", lambda handlers: handlers.update({GET_INFO: _wait_forever}))
    process.main(settings)


@hostile(starts=False)
def notify_hangs(settings: DriverSettings) -> None:
    _replace_handlers("_registration_handlers", lambda handlers: handlers.update({NOTIFY: _wait_forever}))
    process.main(settings)


@hostile(starts=False)
def get_info_is_garbage(settings: DriverSettings) -> None:
    around(plugin_server, "encode")(lambda *_: b"\xff" * 1000)
    process.main(settings)


@hostile(starts=True)
def get_info_is_huge(settings: DriverSettings) -> None:
    services = (*PLUGIN_SERVICES, *(f"v{number}.Service" for number in range(100_000)))
    around(process, "PluginInfo")(
        lambda *_: PluginInfo("x" * 10**6, "y" * 10**6, str(settings.service_socket), services)
    )
    process.main(settings)


@hostile(starts=False)
def get_info_is_too_large(settings: DriverSettings) -> None:
    around(process, "PluginInfo")(lambda *_: PluginInfo("x" * 2**25))
    process.main(settings)


@hostile(starts=False)
def endpoint_is_endless(settings: DriverSettings) -> None:
    around(process, "PluginInfo")(
        lambda *_: PluginInfo("DRAPlugin", DRIVER, f"/{'long/' * 10_000}", ("v1.DRAPlugin",))
    )
    process.main(settings)


@hostile(starts=False)
def thousands_of_sockets(settings: DriverSettings) -> None:
    """Sockets that accept connections and never answer."""
    kept = [_listen(settings.registry / f"{number:04}-reg.sock") for number in range(900)]
    _wait_forever(kept)


@hostile(starts=False)
def files_for_sockets(settings: DriverSettings) -> None:
    """Pipes, folders, links in a circle and sockets of nobody in the registry folder."""
    os.mkfifo(settings.registry / "pipe.sock")
    (settings.registry / "circle").symlink_to(settings.registry)
    (settings.registry / "folder.sock").mkdir()
    for number in range(500):
        _listen(settings.registry / f"{number}.sock").close()
    _wait_forever()


# Calls


@hostile(starts=True)
def prepare_hangs(settings: DriverSettings) -> None:
    _replace_handlers("_service_handlers", _hang(("prepare",)))
    process.main(settings)


@hostile(starts=True)
def unprepare_hangs(settings: DriverSettings) -> None:
    _replace_handlers("_service_handlers", _hang(("unprepare",)))
    process.main(settings)


@hostile(starts=True)
def health_hangs(settings: DriverSettings) -> None:
    _replace_handlers("_service_handlers", _hang(("watch",)))
    process.main(settings)


@hostile(starts=True)
def answers_are_garbage(settings: DriverSettings) -> None:
    @around(plugin_server, "encode")
    def changed(original: Any, message: Any) -> bytes:
        encoded: bytes = original(message)
        return encoded if type(message).__name__ in ("PluginInfo", "Empty") else b"\xff" * 100

    process.main(settings)


@hostile(starts=True)
def answers_are_too_large(settings: DriverSettings) -> None:
    @around(plugin_server, "encode")
    def changed(original: Any, message: Any) -> bytes:
        encoded: bytes = original(message)
        return encoded if type(message).__name__ in ("PluginInfo", "Empty") else b"\x00" * 2**25

    process.main(settings)


@hostile(starts=True)
def answers_have_many_devices(settings: DriverSettings) -> None:
    around(preparing, "_devices")(lambda original, claim: original(claim) * 10_000)
    process.main(settings)


@hostile(starts=True)
def errors_are_long(settings: DriverSettings) -> None:
    def fail(*_: Any) -> Any:
        raise preparing.CannotPrepare("no " * 10**6)

    around(Preparing, "_prepared_devices")(fail)
    process.main(settings)


@hostile(starts=True)
def floods_health(settings: DriverSettings) -> None:
    around(process, "_reports")(_flood)
    process.main(settings)


def _flood(_: Any, settings: DriverSettings, *__: Any) -> Iterator[HealthReport]:
    devices = tuple(
        DeviceHealth(DeviceIdentifier(settings.node, f"gpu-{number}"), message="x" * 100)
        for number in range(10_000)
    )
    report = HealthReport(devices)
    while True:
        yield report


# Files and output


@hostile(starts=True)
def floods_its_log(settings: DriverSettings) -> None:
    noise = os.urandom(2**16)

    def write() -> None:
        while True:
            os.write(1, noise)
            time.sleep(0.001)

    threading.Thread(target=write, daemon=True).start()
    process.main(settings)


@hostile(starts=True)
def fills_the_cdi_folder(settings: DriverSettings) -> None:
    """Thousands of specs, a pipe, an endless device file, a link to itself, aliases that expand without end."""
    device = '{"name": "d", "containerEdits": {"env": ["A=B"]}}'
    for number in range(20_000):
        (settings.cdi / f"{number:05}.json").write_text(f'{{"kind": "a.b/c{number}", "devices": [{device}]}}')
    os.mkfifo(settings.cdi / "pipe.json")
    (settings.cdi / "zero.json").symlink_to("/dev/zero")
    (settings.cdi / "self.yaml").symlink_to("self.yaml")
    laughs = ["a0: &a0 [ha, ha, ha, ha, ha, ha, ha, ha, ha]"]
    laughs += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 20)]
    spec = "kind: a.b/c\ndevices: [{name: d, containerEdits: {env: *a19}}]\n"
    (settings.cdi / "laughs.yaml").write_text("\n".join([*laughs, spec]))
    (settings.cdi / "deep.json").write_text("[" * 10**6)
    process.main(settings)


@hostile(starts=True)
def finds_no_end_of_cdi_devices(settings: DriverSettings) -> None:
    """Valid specs with 150,000 devices, and one whose device has an endless name."""
    for number in range(10):
        devices = [{"name": f"d{n}", "containerEdits": {"env": ["A=B"]}} for n in range(15_000)]
        spec = {"cdiVersion": "0.6.0", "kind": f"a.b/c{number}", "devices": devices}
        (settings.cdi / f"many-{number}.json").write_text(json.dumps(spec))
    named = {"name": "n" * 900_000, "containerEdits": {"env": ["A=B"]}}
    spec = {"cdiVersion": "0.6.0", "kind": "a.b/long", "devices": [named]}
    (settings.cdi / "a.json").write_text(json.dumps(spec))
    process.main(settings)


@hostile(starts=False)
def replaces_its_log_by_a_pipe(settings: DriverSettings) -> None:
    """Nobody writes to the pipe."""
    log = settings.registry.parents[1] / "driver.log"
    log.unlink()
    os.mkfifo(log)
    sys.exit(3)


@hostile(starts=True)
def leaves_temporary_files(settings: DriverSettings) -> None:
    Path(tempfile.mkdtemp(), "file").write_text("left")
    process.main(settings)


@hostile(starts=True)
def mounts_a_folder_of_others(settings: DriverSettings) -> None:
    """The folder `FOLDER_OF_OTHERS` is mounted in that of the driver and stays mounted."""
    target = settings.data / "mounted"
    target.mkdir()
    subprocess.run(["mount", "--bind", os.environ[FOLDER_OF_OTHERS], str(target)], check=True)
    process.main(settings)


@hostile(starts=True)
def replaces_its_state_by_a_link(settings: DriverSettings) -> None:
    """The link refers to `victim` in the folder of others."""

    @around(Preparing, "prepare")
    def changed(original: Any, self: Any, request: Any) -> Any:
        answer = original(self, request)
        settings.checkpoint.unlink()
        settings.checkpoint.symlink_to(Path(os.environ[FOLDER_OF_OTHERS], "victim"))
        return answer

    process.main(settings)


@hostile(starts=True)
def nests_folders(settings: DriverSettings) -> None:
    """Folders within folders, deeper than the longest path, the last of them without permissions."""
    before = Path.cwd()
    os.chdir(settings.data)
    for _ in range(3000):
        Path("d").mkdir()
        os.chdir("d")
    Path("locked").mkdir(mode=0)
    os.chdir(before)
    process.main(settings)


@hostile(starts=True)
def removes_its_folders(settings: DriverSettings) -> None:
    """The driver removes all folders of the node after it has registered."""

    @around(Preparing, "prepare")
    def changed(original: Any, self: Any, request: Any) -> Any:
        shutil.rmtree(settings.registry.parents[1], ignore_errors=True)
        return original(self, request)

    process.main(settings)


# The API server


@hostile(starts=True)
def publishes_many_devices(settings: DriverSettings) -> None:
    """38,400 devices in 300 pools, before the driver registers."""
    api = APIClient(settings.kubeconfig)
    for number in range(300):
        api.create_slice(_slice(settings, number))
    process.main(settings)


@hostile(starts=True)
def floods_the_api_server(settings: DriverSettings) -> None:
    """From the first call on: connections that send half a request, and ResourceSlices without end."""
    floods = (_send_half_requests, _create_slices)

    @around(Preparing, "prepare")
    def changed(original: Any, self: Any, request: Any) -> Any:
        for flood in floods:
            threading.Thread(target=flood, args=(settings,), daemon=True).start()
        time.sleep(0.5)
        return original(self, request)

    process.main(settings)


def _send_half_requests(settings: DriverSettings) -> None:
    config = yaml.safe_load(settings.kubeconfig.read_text())
    url = urlsplit(config["clusters"][0]["cluster"]["server"])
    kept = []
    while len(kept) < 800:
        try:
            connection = socket.create_connection((url.hostname, url.port))
            connection.sendall(b"POST /api/v1/nodes HTTP/1.1\r\nContent-Length: 100\r\n\r\n{")
            kept.append(connection)
        except OSError:
            time.sleep(0.01)
    _wait_forever(kept)


def _create_slices(settings: DriverSettings) -> None:
    api = APIClient(settings.kubeconfig)
    for number in itertools.count():
        with contextlib.suppress(APIError):
            api.create_slice(_slice(settings, number))


def _slice(settings: DriverSettings, number: int) -> Any:
    pool = {"name": f"pool-{number}", "generation": 1, "resourceSliceCount": 1}
    devices = [{"name": f"device-{index}"} for index in range(128)]
    spec = {"driver": DRIVER, "nodeName": settings.node, "pool": pool, "devices": devices}
    kind = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice"}
    return {**kind, "metadata": {"name": f"flood-{number}"}, "spec": spec}
