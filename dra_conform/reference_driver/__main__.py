"""The process of the reference driver: its services, its sockets, and its end."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Mapping

import grpc

from dra_conform.kube.plugin_api import (
    GET_INFO,
    HEALTH_SERVICES,
    NOTIFY,
    PLUGIN_SERVICES,
    DeviceHealth,
    DeviceIdentifier,
    Empty,
    Health,
    HealthReport,
    Method,
    PluginInfo,
    RegistrationStatus,
)
from dra_conform.kube.plugin_server import Handler, serve
from dra_conform.reference_driver.api_client import APIClient
from dra_conform.reference_driver.preparing import Preparing
from dra_conform.reference_driver.publishing import Publisher
from dra_conform.reference_driver.settings import DRIVER, DriverSettings

HEALTH_SECONDS = 1.0
"""The pause between two health reports."""
HEALTH_TIMEOUT = 30
"""How long a report is valid, in seconds."""


def main(settings: DriverSettings) -> None:
    """Serve until SIGTERM, then remove the sockets."""
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    for folder in (settings.data, settings.cdi):
        folder.mkdir(parents=True, exist_ok=True)
    api = APIClient(settings.kubeconfig)
    service = serve(settings.service_socket, _service_handlers(settings, Preparing(settings, api), ended))
    registration = serve(settings.registration_socket, _registration_handlers(settings))
    publisher = Publisher(settings, api)
    publisher.start()
    while not ended.wait(1.0):
        pass
    publisher.stop()
    for server in (registration, service):
        server.stop(grace=2.0).wait()
    for socket in (settings.registration_socket, settings.service_socket):
        socket.unlink(missing_ok=True)


def _service_handlers(
    settings: DriverSettings, preparing: Preparing, ended: threading.Event
) -> Mapping[Method, Handler]:
    handlers: dict[Method, Handler] = {}
    for methods in PLUGIN_SERVICES.values():
        handlers[methods["prepare"]] = lambda request, _: preparing.prepare(request)
        handlers[methods["unprepare"]] = lambda request, _: preparing.unprepare(request)
    for methods in HEALTH_SERVICES.values():
        handlers[methods["watch"]] = lambda _, context: _reports(settings, context, ended)
    return handlers


def _registration_handlers(settings: DriverSettings) -> Mapping[Method, Handler]:
    services = (*PLUGIN_SERVICES, *HEALTH_SERVICES)
    info = PluginInfo("DRAPlugin", DRIVER, str(settings.service_socket), services)
    return {GET_INFO: lambda _, __: info, NOTIFY: lambda status, _: _notified(status)}


def _notified(status: RegistrationStatus) -> Empty:
    if not status.plugin_registered:
        logging.warning("the kubelet has not registered the driver: %s", status.error)
    return Empty()


def _reports(
    settings: DriverSettings, context: grpc.ServicerContext, ended: threading.Event
) -> Iterator[HealthReport]:
    """Yield the health of all devices repeatedly while the kubelet watches."""
    while context.is_active() and not ended.is_set():
        now = int(time.time())
        yield HealthReport(
            tuple(
                DeviceHealth(DeviceIdentifier(settings.node, name), Health.HEALTHY, now, HEALTH_TIMEOUT)
                for name in settings.device_names()
            )
        )
        ended.wait(HEALTH_SECONDS)


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    try:
        settings = DriverSettings.of(os.environ)
    except KeyError as missing:
        sys.exit(f"the environment variable {missing.args[0]} is not set")
    except ValueError as malformed:
        sys.exit(f"an environment variable is malformed: {malformed}")
    main(settings)
