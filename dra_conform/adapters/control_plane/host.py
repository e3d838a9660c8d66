"""The processes of a control plane on the loopback: etcd and the components."""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import partial
from http import HTTPStatus
from pathlib import Path
from types import MappingProxyType

import urllib3

from dra_conform.adapters.control_plane import command_lines
from dra_conform.adapters.control_plane.api_servers import ApiServer, ApiServers
from dra_conform.adapters.control_plane.audit_log import AuditLog, sent_write
from dra_conform.adapters.control_plane.command_lines import Layout
from dra_conform.adapters.control_plane.control_plane_file import RELEASE_CONTROLLERS, ReplacingComponent
from dra_conform.adapters.control_plane.processes import Processes
from dra_conform.adapters.control_plane.replaced_component import LeaseRenewal, ReplacedComponent
from dra_conform.adapters.control_plane.store import etcd_answer
from dra_conform.adapters.live.endpoint import SentWrite
from dra_conform.adapters.supervised_command import ended
from dra_conform.cluster_state.components import APISERVER, CONTROLLER_MANAGER, SCHEDULER

CommandLine = Callable[[Layout, Mapping[str, bool]], list[str]]
"""A function that returns the command line of a component for a layout and feature gates."""

_READY_SECONDS = 180.0
"""Time for a component to become ready, also on a busy machine."""
_POLL = 0.05
_API_SERVERS = 3
"""The number of API servers that run at the same time; scenarios alternate between few sets of gates."""

_NOT_SERVED = "could not find the requested resource"
"""What a component logs again and again if the API server does not serve a resource that it needs."""
_NOT_SERVED_TRIES = 4
"""Tries after which a component counts as never ready."""
_POLLS_PER_LOG = 20

_REASON = re.compile(r'"command failed" err="(.*)"')
_ERROR = re.compile(r'err="((?:[^"\\]|\\.)*)"')
_PANIC = re.compile(r"^panic: .*$", re.MULTILINE)


class ComponentFailed(Exception):  # noqa: N818 - it reads as what happened
    """A component ended or did not become ready; the message has the reason from its log."""


class Host:
    """The processes of one control plane. Methods raise ComponentFailed; `close` ends all processes.

    `replaced` are the components under test, which run in place of those of the release.
    """

    def __init__(
        self,
        program: Path,
        replaced: Mapping[str, ReplacingComponent] = MappingProxyType({}),
        lease_renewal: LeaseRenewal = lambda namespace, name: "",
        *,
        one_api_server: bool = False,
        keep_logs: bool = False,
    ) -> None:
        """Write the credentials of all components and start etcd.

        With `one_api_server`, and with components under test, no API server keeps running without use. With
        `keep_logs` the log of a component that does not start remains as a temporary file.
        """
        self._keep_logs = keep_logs
        self._processes = Processes()
        self._replaced: dict[str, ReplacedComponent] = {}
        try:
            servers = 1 if replaced or one_api_server else _API_SERVERS
            self.layout = Layout.of(self._processes.folder, servers, len(replaced))
            self._make_certificate(program)
            self.layout.write_credentials()
            self._audit = AuditLog(self.layout.folder)
            self.http = urllib3.PoolManager(ca_certs=str(self.layout.certificate), retries=False)
            for port, (name, component) in zip(self.layout.replaced, replaced.items(), strict=True):
                values = self._values(port)
                folder = self.layout.folder / name
                self._replaced[name] = ReplacedComponent(name, component, folder, values, lease_renewal)
            left_out = [own for name, own in RELEASE_CONTROLLERS.items() if name in replaced]
            self._command_lines: Mapping[str, CommandLine] = {
                SCHEDULER: command_lines.scheduler,
                CONTROLLER_MANAGER: partial(command_lines.controller_manager, left_out=left_out),
            }
            self._api_servers = ApiServers(
                self.layout.apiservers,
                self._start_api_server,
                lambda server: self._processes.stop(server.process),
                self._api_server_ready,
            )
            self._api_server: ApiServer | None = None
            self._start("etcd", [str(program), *command_lines.etcd(self.layout)], self._store_ready)
        except BaseException:
            self.close()
            raise

    def start(self, component: str, program: Path | None, gates: Mapping[str, bool]) -> None:
        """Start a component with feature gates and wait until it is ready.

        A component under test has no program of a release. It raises ReplacedFailed.
        """
        if component in self._replaced:
            self._replaced[component].start(gates)
        elif component == APISERVER:
            assert program is not None
            self._api_server = self._api_servers.use(program, gates)
            self.layout.use_server(self._api_server.port)
        else:
            command = [str(program), *self._command_lines[component](self.layout, gates)]
            self._start(component, command, self._ready_check(component))

    @property
    def server(self) -> str:
        """The URL of the API server in use."""
        assert self._api_server is not None
        return self.layout.server(self._api_server.port)

    def stop(self, component: str, *, restarts: bool = True) -> None:
        """End a component at once; an API server may keep running without use, unless it `restarts`."""
        if component in self._replaced:
            self._replaced[component].stop()
        elif component != APISERVER:
            self._processes.stop(component)
        elif self._api_server is not None and restarts:
            self._api_servers.end(self._api_server)

    def running(self, component: str) -> bool:
        """Whether a started component is still running."""
        if component in self._replaced:
            return self._replaced[component].running()
        process = self._api_server.process if component == APISERVER and self._api_server else component
        return self._processes.exit_code(process) is None

    def check_running(self, component: str) -> None:
        """Raise ComponentFailed if a started component has ended by itself, ReplacedFailed if it is under
        test.
        """
        if component in self._replaced:
            self._replaced[component].check()
        elif (code := self._processes.exit_code(component)) is not None:
            panics = _PANIC.findall(self._processes.log(component))
            raise ComponentFailed(f"the {component} ended with {ended(code)}{': '.join(['', *panics[-1:]])}")

    def check_replaced(self) -> None:
        """Raise ReplacedFailed if a component under test has ended by itself."""
        for component in self._replaced.values():
            component.check()

    def replaced_logs(self) -> str:
        """Return the ends of the logs of all components under test."""
        return "\n".join(component.log_tail() for component in self._replaced.values()).strip("\n")

    def metrics(self, component: str) -> str | None:
        """Return the metrics of a running component in Prometheus format, empty if it does not answer.

        None: the component is under test and has no URL for metrics.
        """
        if component in self._replaced:
            return self._replaced[component].metrics()
        return self._text(f"{self._address(component)}/metrics") or ""

    def pod_resource_metrics(self) -> str | None:
        """Return the metrics of the resources of pods, None if the scheduler does not report them."""
        if SCHEDULER in self._replaced:
            return self._replaced[SCHEDULER].pod_resource_metrics()
        return self._text(f"{self._address(SCHEDULER)}/metrics/resources")

    def new_writes(self) -> list[SentWrite] | None:
        """Return the write requests of the scheduler since the last call.

        None: the scheduler is one of several components under test, which have one user.
        """
        users = self._scheduler_users()
        entries = [entry for entry in self._audit.new_entries() if entry["user"]["username"] in users]
        return [sent_write(entry, SCHEDULER) for entry in entries] if users else None

    def set_verbosity(self, component: str, verbosity: int) -> bool:
        """Set the verbosity of the log of a component of the release; return False if that failed."""
        if component in self._replaced:
            return False
        url = f"{self._address(component)}/debug/flags/v"
        try:
            answer = self.http.request("PUT", url, body=str(verbosity), timeout=5.0)
        except urllib3.exceptions.HTTPError:
            return False
        return answer.status == HTTPStatus.OK

    def log(self, component: str) -> str:
        """Return the log of a component of the release so far."""
        return self._processes.log(component)

    def _scheduler_users(self) -> tuple[str, ...]:
        """Return the user of the scheduler, none if it shares its user with other components."""
        if SCHEDULER not in self._replaced:
            return (command_lines.USERS["scheduler"][0],)
        return (command_lines.USERS["component-under-test"][0],) if len(self._replaced) == 1 else ()

    def close(self) -> None:
        """End all processes and remove their files."""
        for component in self._replaced.values():
            component.stop()
        self._processes.close()

    def _values(self, port: int) -> dict[str, str]:
        """Return the values of the placeholders that say where the control plane is."""
        return {
            "kubeconfig": str(self.layout.kubeconfig("component-under-test")),
            "server": self.layout.server(self.layout.apiservers[0]),
            "port": str(port),
            "certificate": str(self.layout.certificate),
            "key": str(self.layout.key),
        }

    def _make_certificate(self, program: Path) -> None:
        name = "certificate"
        self._processes.start(name, [str(program), name, str(self.layout.folder)])
        while (code := self._processes.exit_code(name)) is None:
            time.sleep(_POLL)
        if code:
            raise self._failure(name, name)

    def _start_api_server(self, server: ApiServer, program: Path, gates: Mapping[str, bool]) -> None:
        audit = self._audit.flags(server.port, self._scheduler_users())
        command = [str(program), *command_lines.apiserver(self.layout, gates, server.port), *audit]
        self._start(APISERVER, command, partial(self._api_server_ready, server), server.process)

    def _start(
        self, name: str, command: list[str], ready: Callable[[], bool], process: str | None = None
    ) -> None:
        process = process or name
        self._processes.start(process, command)
        began = time.monotonic()
        known = self._processes.log(process).count(_NOT_SERVED)
        polls = 0
        while not ready():
            polls += 1
            runs = self._processes.exit_code(process) is None
            seconds = time.monotonic() - began
            hopeless = polls % _POLLS_PER_LOG == 0 and (
                self._processes.log(process).count(_NOT_SERVED) - known >= _NOT_SERVED_TRIES
            )
            if not runs or hopeless or seconds > _READY_SECONDS:
                self._processes.stop(process)
                raise self._failure(name, process, unready=runs)
            time.sleep(_POLL)

    def _failure(self, name: str, process: str, *, unready: bool = False) -> ComponentFailed:
        log, kept_as = self._processes.log(process), ""
        if self._keep_logs:
            prefix = f"dra-conform-{name}-"
            with tempfile.NamedTemporaryFile("w", prefix=prefix, suffix=".log", delete=False) as file:
                file.write(log)
            kept_as = file.name
        reasons = (
            _REASON.findall(log) or _ERROR.findall(log) or log.split("\n")[-2:-1] or ["its log is empty"]
        )
        state = "does not become ready: " if unready else ""
        kept = f" (log: {kept_as})" if kept_as else ""
        return ComponentFailed(f"{name}: {state}{reasons[-1]}{kept}")

    def _store_ready(self) -> bool:
        try:
            return etcd_answer(self.layout.store, "GET", "/health")[0] == HTTPStatus.OK
        except OSError:
            return False

    def _api_server_ready(self, server: ApiServer) -> bool:
        return self._says_ok(f"{self.layout.server(server.port)}/readyz")

    def _ready_check(self, component: str) -> Callable[[], bool]:
        path = "readyz" if component == SCHEDULER else "healthz"
        return lambda: self._says_ok(f"{self._address(component)}/{path}")

    def _address(self, component: str) -> str:
        ports = {SCHEDULER: self.layout.scheduler, CONTROLLER_MANAGER: self.layout.controller_manager}
        return f"https://127.0.0.1:{ports[component]}"

    def _text(self, url: str) -> str | None:
        """Return the body of an answer with status 200, None for any other answer."""
        try:
            answer = self.http.request("GET", url, timeout=5.0)
        except urllib3.exceptions.HTTPError:
            return None
        return answer.data.decode() if answer.status == HTTPStatus.OK else None

    def _says_ok(self, url: str) -> bool:
        return self._text(url) is not None
