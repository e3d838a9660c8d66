"""An emulated DRA driver: its sockets, its scripted answers, and a record of the calls to it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NoReturn

import grpc
import msgspec

from dra_conform.adapters.kubelet.scripted_answers import (
    UIDOf,
    claim_name,
    prepare_response,
    unprepare_response,
)
from dra_conform.conformance.kubelet.actions import DeviceReport, SetAnswer
from dra_conform.conformance.kubelet.answer import DriverCall, Registration
from dra_conform.conformance.steps.driver_claims import DriverSetup
from dra_conform.kube.plugin_api import (
    GET_INFO,
    HEALTH_SERVICES,
    NOTIFY,
    PLUGIN_SERVICES,
    Claim,
    DeviceHealth,
    DeviceIdentifier,
    Empty,
    Health,
    HealthReport,
    Method,
    PluginDevice,
    PluginInfo,
    PrepareResponse,
    RegistrationStatus,
    UnprepareResponse,
)
from dra_conform.kube.plugin_server import Handler, serve

UNKNOWN_SERVICE = "v9.DRAPlugin"
"""A service that no kubelet knows."""
_HANG_SECONDS = 90.0
_LATE_SECONDS = 30.0
_HEALTH = {"Healthy": Health.HEALTHY, "Unhealthy": Health.UNHEALTHY, "Unknown": Health.UNKNOWN}

Call = Literal["prepare", "unprepare"]
Prepared = Callable[[str, str], tuple[PluginDevice, ...]]
"""A function that returns the devices that a driver prepares, by the names of driver and ResourceClaim."""


@dataclass
class Record:
    """The calls of the kubelet to all drivers, in order.

    `uids` are those of the ResourceClaims that a driver was last called to prepare, by driver and claim.
    `unanswered` counts the calls whose answers come late or not at all.
    """

    calls: list[DriverCall] = field(default_factory=list)
    uids: dict[tuple[str, str], str] = field(default_factory=dict)
    registrations: list[Registration] = field(default_factory=list)
    unanswered: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


class EmulatedDriver:
    """An instance of a driver. `endpoint` is the socket of its services, which it may share with another."""

    def __init__(
        self,
        setup: DriverSetup,
        instance: int,
        folders: tuple[Path, Path],
        prepared: Prepared,
        uid_of: UIDOf,
        record: Record,
    ) -> None:
        registry, plugins = folders
        suffix = "" if instance == 1 else f"-{instance}"
        self.name = setup.name
        self.instance = instance
        self.endpoint = plugins / f"{setup.name}{suffix}.sock"
        self.running = False
        self._setup = setup
        first, slash, rest = setup.socket.partition("/")
        own = f"{first}{suffix}{slash}{rest}" if first else f"{setup.name}{suffix}-reg.sock"
        self._socket = registry / own
        self._prepared = prepared
        self._uid_of = uid_of
        self._record = record
        self._failures, self._unknown = setup.failures, setup.unknown
        self._failing_notifications = setup.failing_notifications
        self._was_asked = False
        self._answers: dict[str, SetAnswer] = {}
        self._servers: list[grpc.Server] = []
        self._stopped = threading.Event()
        self._reports: list[HealthReport] = []
        self._watchers = 0
        self._changed = threading.Condition()

    def start(self, endpoint: Path | None = None, services: tuple[str, ...] = ()) -> None:
        """Serve on the sockets of the driver.

        `endpoint` is the socket to register instead of its own. `services` are those to register instead of
        the setup's, on a new service socket.
        """
        if services:
            self.endpoint = self.endpoint.with_suffix(".new.sock")
        self._stopped.clear()
        self._socket.parent.mkdir(parents=True, exist_ok=True)
        left = self._servers  # That of a crashed driver: its end would remove the new socket of its name.
        one_socket = self._setup.one_socket
        self._servers = [] if endpoint or one_socket else [serve(self.endpoint, self._services())]
        registered = "" if one_socket else str(endpoint or self.endpoint)
        info = PluginInfo(self._setup.type, self.name, registered, services or self._setup.services)
        handlers: Mapping[Method, Handler] = {
            GET_INFO: lambda _, context: self._info(info, context),
            NOTIFY: self._notified,
            **(self._services() if one_socket else {}),
        }
        self._servers += [serve(self._socket, handlers), *left]
        self.running = True

    def stop(self) -> None:
        """Remove the sockets and end all calls."""
        self._socket.unlink(missing_ok=True)
        self._stopped.set()
        for server in reversed(self._servers):
            server.stop(0).wait()
        self.endpoint.unlink(missing_ok=True)
        self._servers, self.running = [], False

    def crash(self) -> None:
        """End the services; the registration socket stays."""
        self._stopped.set()
        self._servers.pop(0).stop(0).wait()
        self.endpoint.unlink(missing_ok=True)

    def deregister(self) -> None:
        """Remove the registration socket; the services still answer."""
        self._socket.unlink()

    def serve_again(self) -> None:
        """Serve on the service socket again after a crash."""
        self._stopped.clear()
        self._servers.insert(0, serve(self.endpoint, self._services()))

    def set_answer(self, answer: SetAnswer) -> None:
        """Set the scripted answer for later calls."""
        self._answers[answer.call] = answer

    def report(self, devices: Iterable[tuple[DeviceReport, str]]) -> None:
        """Send one message about devices with their pools, after waiting a little for a watch."""
        now = int(time.time())
        report = HealthReport(
            tuple(
                DeviceHealth(
                    DeviceIdentifier(pool, each.device), _HEALTH[each.health], now, each.timeout, each.message
                )
                for each, pool in devices
            )
        )
        with self._changed:
            self._changed.wait_for(lambda: self._watchers > 0, 10.0)
            self._reports.append(report)
            self._changed.notify_all()

    def registrations(self) -> int:
        """Return how often the kubelet has told the instance its registration status."""
        return len(self._told())

    def registered(self) -> bool:
        """Return whether the newest registration status says that the instance is registered."""
        return any(told.registered for told in self._told()[-1:])

    def _told(self) -> list[Registration]:
        with self._record.lock:
            return [
                told
                for told in self._record.registrations
                if (told.driver, told.instance) == (self.name, self.instance)
            ]

    # Calls

    def _services(self) -> Mapping[Method, Handler]:
        handlers: dict[Method, Handler] = {}
        for service, methods in PLUGIN_SERVICES.items():
            handlers[methods["prepare"]] = self._handler(self._prepare, service)
            handlers[methods["unprepare"]] = self._handler(self._unprepare, service)
        for methods in HEALTH_SERVICES.values():
            handlers[methods["watch"]] = lambda _, context: self._watch(context)
        return handlers

    @staticmethod
    def _handler(
        answer: Callable[[str, tuple[Claim, ...], grpc.ServicerContext], object], service: str
    ) -> Handler:
        return lambda request, context: answer(service, request.claims, context)

    def _info(self, info: PluginInfo, context: grpc.ServicerContext) -> PluginInfo:
        self._was_asked = True
        if self._failures > 0:
            self._failures -= 1
            context.abort(grpc.StatusCode.UNAVAILABLE, "the driver is not ready")
        if self._unknown > 0:
            self._unknown -= 1
            return msgspec.structs.replace(info, supported_versions=(UNKNOWN_SERVICE,))
        return info

    def _notified(self, status: RegistrationStatus, context: grpc.ServicerContext) -> Empty:
        if not self._was_asked:
            context.abort(grpc.StatusCode.FAILED_PRECONDITION, "the notification does not follow GetInfo")
        self._was_asked = False
        if self._failing_notifications > 0:
            self._failing_notifications -= 1
            context.abort(grpc.StatusCode.UNAVAILABLE, "the driver is not ready")
        told = Registration(self.name, status.plugin_registered, status.error, self.instance)
        with self._record.lock:
            self._record.registrations.append(told)
        return Empty()

    def _prepare(
        self, service: str, claims: tuple[Claim, ...], context: grpc.ServicerContext
    ) -> PrepareResponse:
        script = self._called("prepare", service, claims, context)
        return prepare_response(script, claims, lambda claim: self._prepared(self.name, claim), self._uid_of)

    def _unprepare(
        self, service: str, claims: tuple[Claim, ...], context: grpc.ServicerContext
    ) -> UnprepareResponse:
        script = self._called("unprepare", service, claims, context)
        return unprepare_response(script, claims, self._uid_of)

    def _called(
        self, call: Call, service: str, claims: tuple[Claim, ...], context: grpc.ServicerContext
    ) -> SetAnswer | None:
        """Record a call and return the script of its answer; a call that fails as a whole ends here."""
        with self._record.lock:
            names = tuple(sorted(self._named(call, claim) for claim in claims))
            self._record.calls.append(DriverCall(self.name, call, names, service, self.instance))
            script = self._answers.get(call)
            self._record.unanswered += bool(script and script.to in ("late", "hang"))
        if script and script.to == "late":
            self._stopped.wait(_LATE_SECONDS)
        if script and script.to == "call-error":
            _abort(context, "the driver is broken")
        if script and script.to == "unimplemented":
            _abort(context, "the driver does not know this call", grpc.StatusCode.UNIMPLEMENTED)
        if script and script.to == "hang":
            self._stopped.wait(_HANG_SECONDS)
            _abort(context, "the driver was stopped")
        return script

    def _named(self, call: Call, claim: Claim) -> str:
        """Return the name of a claim in the record, marked if it was prepared with another UID."""
        key = self.name, claim_name(claim)
        if call == "prepare":
            self._record.uids[key] = claim.uid
        same = self._record.uids.get(key, claim.uid) == claim.uid
        return claim_name(claim) if same else f"{claim_name(claim)} with another UID"

    def _watch(self, context: grpc.ServicerContext) -> Iterator[HealthReport]:
        """Yield each report that is sent while the kubelet watches."""
        with self._changed:
            sent = len(self._reports)
            self._watchers += 1
        try:
            while context.is_active() and not self._stopped.is_set():
                with self._changed:
                    self._changed.wait(0.2)
                    new, sent = self._reports[sent:], len(self._reports)
                yield from new
        finally:
            with self._changed:
                self._watchers -= 1


def _abort(
    context: grpc.ServicerContext, message: str, code: grpc.StatusCode = grpc.StatusCode.INTERNAL
) -> NoReturn:
    with suppress(ValueError):  # The call may be over.
        context.abort(code, message)
    raise RuntimeError(message)
