"""Faults of registration and of the driver's sockets."""

from __future__ import annotations

import dataclasses
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import msgspec

from dra_conform.kube.plugin_api import (
    GET_INFO,
    NOTIFY,
    PluginInfo,
)
from dra_conform.reference_driver import __main__ as process
from dra_conform.reference_driver.settings import DRIVER, DriverSettings
from tests.faulty.drivers.fault import around, fault


def _change_info(**fields: Any) -> None:
    """Make GetInfo return other fields."""

    @around(process, "PluginInfo")
    def changed(original: Any, *arguments: Any) -> PluginInfo:
        return msgspec.structs.replace(original(*arguments), **fields)


def change_services(change: Any) -> None:
    """Make GetInfo return other services."""

    @around(process, "PluginInfo")
    def changed(original: Any, *arguments: Any) -> PluginInfo:
        info = original(*arguments)
        return msgspec.structs.replace(info, supported_versions=tuple(change(info.supported_versions)))


@fault("DRIVER/registration/socket", starts=False)
def hidden_registration_socket() -> None:
    """The name of the registration socket begins with a dot."""

    @around(process, "serve")
    def changed(original: Any, path: Path, *arguments: Any) -> Any:
        hidden = path.name.endswith("-reg.sock")
        return original(path.with_name(f".{path.name}") if hidden else path, *arguments)


@fault("DRIVER/registration/info")
def type_of_the_kep() -> None:
    """The type is ResourcePlugin, as KEP-4381 still says."""
    _change_info(type="ResourcePlugin")


@fault("DRIVER/registration/info")
def other_name() -> None:
    """The name is not that of the driver in its ResourceSlices."""
    _change_info(name="other.dra-conform.example")


@fault("DRIVER/registration/info", "DRIVER/registration/services-answer", "DRIVER/prepare/devices")
def endpoint_of_nobody() -> None:
    """GetInfo names a socket that does not exist."""
    _change_info(endpoint="/run/nobody.sock")


@fault("DRIVER/registration/within-a-second", starts=False)
def slow_info() -> None:
    """GetInfo takes longer than a kubelet waits."""

    @around(process, "_registration_handlers")
    def changed(original: Any, settings: DriverSettings) -> Any:
        handlers = dict(original(settings))
        info = handlers[GET_INFO]

        def slow(*arguments: Any) -> Any:
            time.sleep(1.5)
            return info(*arguments)

        return {**handlers, GET_INFO: slow}


@fault("DRIVER/registration/known-service", starts=False)
def unknown_services() -> None:
    """No service is one that kubelets know."""
    _change_info(supported_versions=("v2.DRAPlugin", "v1.DRAResourceHealth"))


@fault("DRIVER/registration/newest-first")
def oldest_service_first() -> None:
    """The older service comes first, so kubelets use it, and share IDs are lost."""
    change_services(lambda services: ["v1beta1.DRAPlugin", "v1.DRAPlugin", *services[2:]])


@fault("DRIVER/registration/services-answer")
def service_without_methods() -> None:
    """GetInfo names v1beta1, but nothing serves it."""

    @around(process, "_service_handlers")
    def changed(original: Any, *arguments: Any) -> Any:
        handlers = original(*arguments)
        return {method: handler for method, handler in handlers.items() if "v1beta1" not in method.path}


@fault("DRIVER/registration/ready-before", "DRIVER/prepare/devices")
def registers_before_it_serves() -> None:
    """The service starts some seconds after the registration socket exists."""
    delayed: list[Any] = []

    @around(process, "serve")
    def changed(original: Any, path: Path, *arguments: Any) -> Any:
        server = original(path, *arguments)
        if not path.name.endswith("-reg.sock"):
            path.rename(path.with_suffix(".later"))
            delayed.append(path)
        return server

    @around(process.Publisher, "start")
    def started(original: Any, self: Any) -> None:
        original(self)
        time.sleep(4.0)
        for path in delayed:
            path.with_suffix(".later").rename(path)


@fault("DRIVER/registration/refusal")
def ends_when_not_registered() -> None:
    """The driver ends when the kubelet does not register it."""

    @around(process, "_notified")
    def changed(original: Any, status: Any) -> Any:
        if not status.plugin_registered:
            os._exit(1)
        return original(status)


@fault("DRIVER/registration/again", "DRIVER/slices/owner")
def registers_once() -> None:
    """The registration socket is gone after the driver was registered."""

    @around(process, "_registration_handlers")
    def changed(original: Any, settings: DriverSettings) -> Any:
        handlers = dict(original(settings))
        notify = handlers[NOTIFY]

        def notified(*arguments: Any) -> Any:
            settings.registration_socket.unlink(missing_ok=True)
            return notify(*arguments)

        return {**handlers, NOTIFY: notified}


@fault("DRIVER/registration/stale-socket", "DRIVER/prepare/same-after-restart")
def stale_socket_ends_it() -> None:
    """The driver does not start if an earlier run has left its sockets."""

    @around(process, "serve")
    def changed(original: Any, path: Path, *arguments: Any) -> Any:
        if path.exists():
            raise SystemExit(f"bind {path}: address already in use")
        return original(path, *arguments)


@fault("DRIVER/registration/cleanup")
def leaves_sockets() -> None:
    """The sockets stay when the driver ends."""

    @around(process, "main")
    def changed(original: Any, settings: DriverSettings) -> None:
        original(settings)
        for path in (settings.registration_socket, settings.service_socket):
            socket.socket(socket.AF_UNIX).bind(str(path))


@fault("DRIVER/registration/cleanup")
def ignores_sigterm() -> None:
    """The driver runs on after SIGTERM."""
    around(process.signal, "signal")(lambda original, number, _: original(number, lambda *_: None))


@fault("DRIVER/registration/others-sockets", "DRIVER/upgrade/old-goes")
def removes_all_sockets() -> None:
    """At its end the driver empties the registry folder."""

    @around(process, "main")
    def changed(original: Any, settings: DriverSettings) -> None:
        original(settings)
        for path in settings.registry.iterdir():
            path.unlink()


@fault("DRIVER/upgrade/old-goes")
def removes_sockets_of_the_other_instance() -> None:
    """At its end the driver removes all registration sockets with its name."""

    @around(process, "main")
    def changed(original: Any, settings: DriverSettings) -> None:
        original(settings)
        for path in settings.registry.glob(f"{DRIVER}*"):
            path.unlink()


@fault("DRIVER/upgrade/unique-sockets", "DRIVER/upgrade/old-goes", "DRIVER/upgrade/either-serves")
def one_socket_for_two_instances() -> None:
    """Both instances of an update use the same sockets."""

    @around(process, "main")
    def changed(original: Any, settings: DriverSettings) -> None:
        original(dataclasses.replace(settings, pod_uid=""))


@fault("DRIVER/upgrade/path-length", "DRIVER/upgrade/unique-sockets", "DRIVER/upgrade/either-serves")
def socket_paths_are_too_long() -> None:
    """The name of a socket in an update has everything that is known, so its path is too long."""

    def long(self: DriverSettings) -> Path:
        unique = f"-{self.pod_uid}-{self.node}-{'0' * 40}" if self.pod_uid else ""
        return self.registry / f"{DRIVER}{unique}-reg.sock"

    setattr(DriverSettings, "registration_socket", property(long))  # noqa: B010 - it is a property


@fault("DRIVER/registration/again")
def second_notification_ends_the_driver() -> None:
    """The driver ends when it is told a second time that it is registered."""
    seen: list[bool] = []

    @around(process, "_registration_handlers")
    def changed(original: Any, settings: DriverSettings) -> Any:
        handlers = dict(original(settings))
        notified = handlers[NOTIFY]

        def once(status: Any, context: Any) -> Any:
            seen.append(status.plugin_registered)
            if len(seen) > 1:
                os._exit(1)
            return notified(status, context)

        handlers[NOTIFY] = once
        return handlers


@fault("DRIVER/upgrade/unique-sockets", "DRIVER/upgrade/old-goes")
def sockets_of_the_older_instance_are_removed() -> None:
    """A new instance takes the sockets of the older one for left-over files and removes them."""

    @around(process, "main")
    def changed(original: Any, settings: DriverSettings) -> None:
        if settings.pod_uid:
            for path in settings.registry.glob(f"{DRIVER}*"):
                path.unlink()
        original(settings)


@fault("DRIVER/registration/cleanup")
def ends_only_when_all_streams_have_ended() -> None:
    """The end waits for streams, and a kubelet that watches health does not end its stream."""
    streams: list[grpc.ServicerContext] = []

    @around(process, "_reports")
    def reports(
        original: Any, settings: DriverSettings, context: grpc.ServicerContext, _: threading.Event
    ) -> Iterator[Any]:
        streams.append(context)
        try:
            yield from original(settings, context, threading.Event())
        finally:
            streams.remove(context)

    @around(process, "serve")
    def serve(original: Callable[..., grpc.Server], *arguments: Any) -> grpc.Server:
        server: Any = original(*arguments)
        stop = server.stop

        def graceful(grace: float) -> threading.Event:
            while streams:
                time.sleep(0.1)
            stopped: threading.Event = stop(grace)
            return stopped

        server.stop = graceful
        return server
