"""The kubelet's side of the plugin API over Unix sockets, and a client of its PodResources API."""

from __future__ import annotations

import os
import socket
import stat
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import grpc

from dra_conform.kube import pod_resources_api
from dra_conform.kube.plugin_api import (
    GET_INFO,
    HEALTH_SERVICES,
    NOTIFY,
    PLUGIN_SERVICES,
    Claim,
    Claims,
    Empty,
    HealthReport,
    MessageError,
    Method,
    PluginInfo,
    PrepareResponse,
    RegistrationStatus,
    Struct,
    UnprepareResponse,
    decode,
    encode,
)

T = TypeVar("T", bound=Struct)

GET_INFO_SECONDS = 1.0
"""How long a kubelet waits for the answer to `GetInfo`."""
NOTIFY_SECONDS = 5.0
"""How long a kubelet waits for the answer to `NotifyRegistrationStatus`."""
CALL_SECONDS = 45.0
"""How long a kubelet waits for `NodePrepareResources` and `NodeUnprepareResources`."""
LIST_SECONDS = 10.0
"""How long a kubelet may take to list the resources of its pods."""
END_SECONDS = 5.0
"""How long the end of a watch may take."""
MAX_MESSAGE = 4 * 2**20
"""The maximum size in bytes of a message from a driver."""

MAX_SOCKETS = 100
"""The maximum number of sockets that are read in a folder."""
MAX_DEPTH = 5
"""The maximum depth of nested folders in the search for sockets."""
MAX_REPORTS = 10_000
"""The number of health reports after which a watch ends."""
MAX_REPORTED_BYTES = 2**24
"""The total size of health reports after which a watch ends, in bytes."""

_OPTIONS = (
    ("grpc.enable_retries", 0),
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.max_receive_message_length", MAX_MESSAGE),
)


class CallFailed(Exception):  # noqa: N818 - it reads as what happened
    """A call ended with a gRPC status, or with an answer that cannot be decoded."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code = code


@dataclass(frozen=True, slots=True)
class TimedReport:
    """A health report, and the seconds since the watch began."""

    seconds: float
    report: HealthReport


def registration_sockets(folder: Path) -> list[Path]:
    """Return the sockets in the registry folder as a kubelet finds them: without hidden files, by path."""
    return [
        path
        for path in sockets_in(folder)
        if not any(part.startswith(".") for part in path.relative_to(folder).parts)
    ]


def sockets_in(folder: Path) -> list[Path]:
    """Return the sockets in a folder and its subfolders by path: the first `MAX_SOCKETS` that are found."""
    sockets: list[Path] = []
    for parent, folders, names in os.walk(folder):
        if parent.count(os.sep) - str(folder).count(os.sep) >= MAX_DEPTH:
            folders.clear()
        for name in names:
            path = Path(parent, name)
            with suppress(OSError):  # The driver may have removed it in the meantime.
                if stat.S_ISSOCK(path.lstat().st_mode):
                    sockets.append(path)
            if len(sockets) == MAX_SOCKETS:
                return sorted(sockets)
    return sorted(sockets)


def is_listening(path: Path) -> bool:
    """Return whether a process listens on a socket with an absolute path, as a kubelet needs it."""
    with socket.socket(socket.AF_UNIX) as client, suppress(OSError):
        client.settimeout(GET_INFO_SECONDS)
        client.connect(str(path))
        return path.is_absolute()
    return False


def get_info(path: Path) -> PluginInfo:
    """Ask a registration socket for the driver behind it; raises CallFailed."""
    with _channel(path) as channel:
        return _call(channel, GET_INFO, Empty(), PluginInfo, GET_INFO_SECONDS)


def notify(path: Path, *, registered: bool, error: str = "") -> None:
    """Tell a driver whether it is registered; raises CallFailed."""
    with _channel(path) as channel:
        _call(channel, NOTIFY, RegistrationStatus(registered, error), Empty, NOTIFY_SECONDS)


def pod_resources(path: Path) -> tuple[pod_resources_api.PodResources, ...]:
    """Ask a kubelet for the resources of its pods by the PodResources API; raises CallFailed."""
    with _channel(path) as channel:
        method, response = pod_resources_api.LIST, pod_resources_api.PodResourcesList
        return _call(channel, method, Empty(), response, LIST_SECONDS).pod_resources


def resources_of_pod(path: Path, namespace: str, name: str) -> pod_resources_api.PodResources | None:
    """Ask a kubelet for the resources of one pod by the PodResources API; raises CallFailed."""
    with _channel(path) as channel:
        request, response = pod_resources_api.PodRequest(name, namespace), pod_resources_api.PodResponse
        return _call(channel, pod_resources_api.GET, request, response, LIST_SECONDS).pod_resources


def service_of(info: PluginInfo) -> str:
    """Return the first service of a driver that a kubelet supports, empty for none."""
    return next((service for service in info.supported_versions if service in PLUGIN_SERVICES), "")


class PluginClient:
    """Calls of the kubelet to a registered driver; they can be made from several threads."""

    def __init__(self, endpoint: Path) -> None:
        self._channel = grpc.insecure_channel(f"unix:{endpoint}", options=_OPTIONS)

    def prepare(self, service: str, claims: tuple[Claim, ...]) -> PrepareResponse:
        """Call `NodePrepareResources` of a service in `PLUGIN_SERVICES`; raises CallFailed."""
        method = PLUGIN_SERVICES[service]["prepare"]
        return _call(self._channel, method, Claims(claims), PrepareResponse, CALL_SECONDS)

    def unprepare(self, service: str, claims: tuple[Claim, ...]) -> UnprepareResponse:
        """Call `NodeUnprepareResources` of a service in `PLUGIN_SERVICES`; raises CallFailed."""
        method = PLUGIN_SERVICES[service]["unprepare"]
        return _call(self._channel, method, Claims(claims), UnprepareResponse, CALL_SECONDS)

    def watch_health(
        self, service: str, seconds: float, enough: Callable[[list[TimedReport]], bool]
    ) -> tuple[list[TimedReport], str]:
        """Watch the health of devices; return the reports, and the status if the driver ends the stream.

        The watch ends after some seconds at the latest. The status is empty if the stream still ran then.
        """
        method = HEALTH_SERVICES[service]["watch"]
        stream = self._channel.unary_stream(
            method.path, request_serializer=encode, response_deserializer=bytes
        )
        began, reports, size = time.monotonic(), [], 0
        # The kubelet ends the watch, because at a deadline the driver, too, ends the stream.
        call = stream(Empty(), timeout=seconds + END_SECONDS)
        timer = threading.Timer(seconds, call.cancel)
        timer.start()
        try:
            for data in call:
                report = decode(HealthReport, data)
                reports.append(TimedReport(time.monotonic() - began, report))
                size += len(data)
                if enough(reports):
                    call.cancel()
                    return reports, ""
                if len(reports) >= MAX_REPORTS or size > MAX_REPORTED_BYTES:
                    call.cancel()
                    return reports, f"{len(reports)} reports with {size} bytes in {seconds:g} seconds"
        except MessageError as error:
            call.cancel()
            return reports, str(error)
        except grpc.RpcError as error:
            over = time.monotonic() - began >= seconds
            return reports, "" if over else error.code().name
        finally:
            timer.cancel()
        return reports, "OK"

    def health_reports(self, service: str) -> Iterator[HealthReport]:
        """Yield the health reports of a driver until it ends the stream; raises CallFailed."""
        method = HEALTH_SERVICES[service]["watch"]
        stream = self._channel.unary_stream(
            method.path, request_serializer=encode, response_deserializer=bytes
        )
        try:
            for data in stream(Empty()):
                yield decode(HealthReport, data)
        except MessageError as error:
            raise CallFailed("INTERNAL", str(error)) from None
        except grpc.RpcError as error:
            raise CallFailed(error.code().name, error.details() or "") from None
        except ValueError as error:  # The connection was closed.
            raise CallFailed("CANCELLED", str(error)) from None

    def watch_connection(self, changed: Callable[[bool], None]) -> None:
        """Connect, and call `changed` from another thread whenever the driver is connected or no longer.

        A connection that is lost is made again, also if no call is made meanwhile.
        """

        def watch(state: grpc.ChannelConnectivity) -> None:
            changed(state is grpc.ChannelConnectivity.READY)
            if state is grpc.ChannelConnectivity.IDLE:
                self._connect()

        self._channel.subscribe(watch, try_to_connect=True)

    def _connect(self) -> None:
        """Let an idle channel connect: only a new subscription can ask for this."""
        self._channel.subscribe(_ignore, try_to_connect=True)
        self._channel.unsubscribe(_ignore)

    def close(self) -> None:
        """Close the connection."""
        self._channel.close()


def _ignore(_: grpc.ChannelConnectivity) -> None:
    """Do nothing with the state of a channel."""


@contextmanager
def _channel(path: Path) -> Iterator[grpc.Channel]:
    channel = grpc.insecure_channel(f"unix:{path}", options=_OPTIONS)
    try:
        yield channel
    finally:
        channel.close()


def _call(channel: grpc.Channel, method: Method, request: Struct, response: type[T], seconds: float) -> T:
    """Make a call and decode its answer; raises CallFailed."""
    call = channel.unary_unary(method.path, request_serializer=encode, response_deserializer=bytes)
    try:
        return decode(response, call(request, timeout=seconds))
    except MessageError as error:
        raise CallFailed("INTERNAL", str(error)) from None
    except grpc.RpcError as error:
        raise CallFailed(error.code().name, error.details() or "") from None
