"""A component under test that runs in place of the release's own: its process, its readiness and its log."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path

import urllib3

from dra_conform.adapters.control_plane.command_lines import gates_string
from dra_conform.adapters.control_plane.control_plane_file import ReplacingComponent, filled
from dra_conform.adapters.supervised_command import ended, kill, logged, scrubbed, supervised
from dra_conform.kube.json_values import encode_json

LOG_TAIL_BYTES = 4000
"""The end of the log that messages and reports have."""
START_TRIES = 2
"""Failed starts with the same feature gates, after which the component is not started with them again."""
_MAX_FILE_BLOCKS = 2**21
"""The largest file that the component can write, in blocks of 512 or 1024 bytes."""
_POLL = 0.05
_HTTP_SECONDS = 5.0
_MAX_METRICS_BYTES = 64 * 2**20
_LONGEST_LINE = 2**20

LeaseRenewal = Callable[[str, str], str]
"""Return the `spec.renewTime` of a Lease by namespace and name, empty if it does not exist."""


class ReplacedFailed(Exception):  # noqa: N818 - it reads as what happened
    """A component under test does not start, does not become ready, or ends; `log` is the end of its log."""

    def __init__(self, message: str, log: str) -> None:
        super().__init__(message)
        self.log = log


class ReplacedComponent:
    """One component under test. All its processes end with `stop`, and with this process.

    `values` are those of the placeholders except `gates` and `config`. `folder` is created.
    """

    def __init__(
        self,
        name: str,
        component: ReplacingComponent,
        folder: Path,
        values: Mapping[str, str],
        lease_renewal: LeaseRenewal,
    ) -> None:
        self._name = name
        self._component = component
        self._values = {**values, "folder": str(folder), "config": str(folder / "config.json")}
        self._log = folder / "log"
        self._lease_renewal = lease_renewal
        # The component makes its own certificate, or has that of the control plane.
        urllib3.disable_warnings(urllib3.exceptions.InsecureRequestWarning)
        self._http = urllib3.PoolManager(cert_reqs="CERT_NONE", retries=False)
        self._running: tuple[int, subprocess.Popen[bytes]] | None = None
        self._failures: dict[str, tuple[int, ReplacedFailed]] = {}
        folder.mkdir()

    def start(self, gates: Mapping[str, bool]) -> None:
        """Start the component with feature gates and wait until it is ready; raises ReplacedFailed."""
        values = {**self._values, "gates": gates_string(gates)}
        tries, failure = self._failures.get(values["gates"], (0, None))
        if failure is not None and tries >= START_TRIES:
            raise failure
        try:
            self._start(values)
        except ReplacedFailed as failed:
            self.stop()
            self._failures[values["gates"]] = (tries + 1, failed)
            raise
        self._failures.pop(values["gates"], None)

    def stop(self) -> None:
        """End all processes of the component at once."""
        self._http.clear()
        if self._running is None:
            return
        control, supervisor = self._running
        self._running = None
        kill(control, supervisor)

    def running(self) -> bool:
        """Whether the started component still runs."""
        return self._running is not None and self._running[1].poll() is None

    def check(self) -> None:
        """Raise ReplacedFailed if the component was started and has ended by itself."""
        if self._running is not None and (code := self._running[1].poll()) is not None:
            raise self._failed(f"ended with {ended(code)}")

    def log_tail(self) -> str:
        """Return the end of the log of the newest start, from the beginning of a line."""
        try:
            with self._log.open("rb") as stream:
                start = max(0, self._log.stat().st_size - LOG_TAIL_BYTES)
                stream.seek(start)
                text = stream.read(LOG_TAIL_BYTES).decode("utf-8", "replace")
        except OSError:
            return ""
        return text.partition("\n")[2] if start and "\n" in text else text

    def metrics(self) -> str | None:
        """Return the metrics, empty if the component does not answer, None if it has no URL for them."""
        if not self._component.metrics:
            return None
        found = self._get(filled(self._component.metrics, self._values))
        return (found or b"").decode("utf-8", "replace")

    def pod_resource_metrics(self) -> str | None:
        """Return the metrics of the resources of pods, which are at the path `resources` below its metrics.

        None: the component does not report them.
        """
        if not self._component.metrics:
            return None
        found = self._get(f"{filled(self._component.metrics, self._values)}/resources")
        return None if found is None else found.decode("utf-8", "replace")

    def _start(self, values: Mapping[str, str]) -> None:
        component = self._component
        if component.config is not None:
            Path(values["config"]).write_bytes(encode_json(filled(component.config, values)))
        self._log.unlink(missing_ok=True)
        words = [filled(word, values) for word in component.command]
        if not shutil.which(words[0]):
            raise ReplacedFailed(f"{self._name}: cannot run {words[0]}: no such program", "")
        began = datetime.now(UTC)
        try:
            environment = {**scrubbed(os.environ), **filled(component.env, values)}
            self._running = supervised(logged(words, self._log, _MAX_FILE_BLOCKS), 0, environment)
        except (OSError, ValueError) as error:
            raise ReplacedFailed(f"{self._name}: cannot run {words[0]}: {error}", "") from None
        self._wait_until_ready(self._probe(values, began))

    def _wait_until_ready(self, ready: Callable[[], bool]) -> None:
        end = time.monotonic() + self._component.ready_seconds
        while True:
            assert self._running is not None
            if (code := self._running[1].poll()) is not None:
                raise self._failed(f"ended with {ended(code)} before it was ready")
            if ready():
                return
            if time.monotonic() > end:
                probe = self._component.ready
                waited = f"{self._component.ready_seconds} seconds"
                awaited = probe.url or probe.lease or probe.log or f"{probe.alive_seconds} seconds"
                raise self._failed(f"is not ready after {waited}, waited for {awaited!r}")
            time.sleep(_POLL)

    def _probe(self, values: Mapping[str, str], began: datetime) -> Callable[[], bool]:
        probe = self._component.ready
        if probe.url:
            url = filled(probe.url, values)
            return lambda: self._get(url) is not None
        if probe.lease:
            namespace, _, name = probe.lease.partition("/")
            return lambda: _is_after(self._lease_renewal(namespace, name), began)
        if probe.log:
            return _LogSearch(self._log, probe.log.encode()).found
        alive_until = time.monotonic() + probe.alive_seconds
        return lambda: time.monotonic() >= alive_until

    def _get(self, url: str) -> bytes | None:
        """Return the body of an answer with status 200, None for any other answer."""
        try:
            answer = self._http.request(
                "GET", url, timeout=_HTTP_SECONDS, redirect=False, preload_content=False
            )
            try:
                return answer.read(_MAX_METRICS_BYTES) if answer.status == HTTPStatus.OK else None
            finally:
                answer.close()
        except (urllib3.exceptions.HTTPError, OSError, ValueError):
            return None

    def _failed(self, what: str) -> ReplacedFailed:
        log = self.log_tail()
        lines = log.rstrip().split("\n")
        last = f"; the last line of its log: {lines[-1][:500]}" if lines[-1] else "; its log is empty"
        return ReplacedFailed(f"{self._name} {self._component.title}: {what}{last}", log)


class _LogSearch:
    """A search for a string in a growing file; each call reads only what is new."""

    def __init__(self, path: Path, wanted: bytes) -> None:
        self._path = path
        self._wanted = wanted
        self._offset = 0

    def found(self) -> bool:
        """Whether the file contains the string by now."""
        try:
            with self._path.open("rb") as stream:
                stream.seek(self._offset)
                for line in iter(lambda: stream.readline(_LONGEST_LINE), b""):
                    if self._wanted in line:
                        return True
                    if line.endswith(b"\n") or len(line) == _LONGEST_LINE:
                        self._offset += len(line)
        except OSError:
            return False
        return False


def _is_after(time_of_lease: str, began: datetime) -> bool:
    try:
        return datetime.fromisoformat(time_of_lease) >= began
    except (ValueError, TypeError):
        return False
