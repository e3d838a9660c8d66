"""`kubelet:exec:PROGRAM`: a kubelet as an implementation of the operation `kubelet`."""

from __future__ import annotations

import os
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

from dra_conform.adapters.kubelet.program import CommandFailed, KubeletFailed, KubeletProgram
from dra_conform.adapters.kubelet.scenario import KubeletScenario
from dra_conform.adapters.light_api.http_server import LightServer
from dra_conform.adapters.live.isolation import run_concurrently
from dra_conform.adapters.node_replies import OtherRelease, reply_to
from dra_conform.conformance.checked_observations import write
from dra_conform.conformance.implementation import CannotStart, Identity, Reply, Request, Suite
from dra_conform.conformance.kubelet.actions import KubeletQuestion
from dra_conform.kube import codec
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import KEP_FUTURE, Profile

REFERENCE = "reference"
"""The name of the reference kubelet in place of a command."""
KUBELET_GATES = ("ResourceHealthStatus", "ResourceHealthStatusMessage", "DRAOptionalNodeOperations")
"""Gates that no profile has: on in the specification, and by their defaults in releases."""
CONCURRENCY = 8
"""The default number of scenarios that run at the same time, apart from those that mostly wait."""
MOST_WAITING = 24
"""How many scenarios that mostly wait run besides."""
_LONG_SECONDS = 20
CALL_SECONDS = 45
"""How long a kubelet waits for a driver that does not answer."""


class _Description(msgspec.Struct, frozen=True):
    version: str
    gates: frozenset[str]


class KubeletImplementation:
    """A kubelet as an implementation; each request starts it on a new node.

    `command` is a command line that reads commands from stdin (see `program`), or `reference`. Up to
    `side_by_side` requests run at the same time, and besides those that mostly wait. These run first.
    """

    def __init__(self, command: str, *, spec: str, side_by_side: int | None = None) -> None:
        self._is_reference = command == REFERENCE
        reference = (sys.executable, "-P", "-m", "dra_conform.reference_kubelet")
        self._command = reference if self._is_reference else tuple(shlex.split(command))
        search_path = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self._environment = search_path if self._is_reference else {}
        self._spec = spec
        self._side_by_side = side_by_side or CONCURRENCY
        self._version = ""
        self._gates: frozenset[str] = frozenset()
        self._running: set[KubeletScenario] = set()

    def start(self, suite: Suite) -> Identity:
        """Ask the kubelet for its release; raises CannotStart."""
        with tempfile.TemporaryDirectory(prefix="dra-") as folder:
            try:
                program = self._program(Path(folder) / "kubelet.log")
            except KubeletFailed as error:
                raise CannotStart(str(error)) from None
            try:
                try:
                    described = codec.convert(program.ask("describe"), _Description)
                finally:
                    program.kill()
                self._version, self._gates = described.version, described.gates
            except (KubeletFailed, CommandFailed, codec.ConversionError) as error:
                raise CannotStart(f"{self._command[0]}: {error}") from None
        return Identity(
            name="reference kubelet" if self._is_reference else Path(self._command[0]).name,
            version=self._version,
            spec=self._spec,
            operations=frozenset({"kubelet"}),
        )

    def run(self, requests: Iterable[Request]) -> Iterator[Reply]:
        """Yield one reply for each request, in the order in which they finish."""
        longest_first = sorted(requests, key=_waiting_seconds, reverse=True)
        waiting = min(sum(map(_mostly_waits, longest_first)), MOST_WAITING)
        count = self._side_by_side
        with ThreadPoolExecutor(count + waiting) as threads:
            yield from run_concurrently(
                threads, count, longest_first, self._reply, self._interrupt, _mostly_waits
            )

    def close(self) -> None:
        """Do nothing, because each kubelet ends with its request."""

    def _interrupt(self) -> None:
        for scenario in tuple(self._running):
            scenario.interrupt()

    def _program_of(self, profile: Profile) -> Callable[[Path], KubeletProgram]:
        """Return what starts the kubelet of a profile; only the reference kubelet has one for the future."""
        if not self._is_reference or profile.name != KEP_FUTURE:
            return self._program
        return lambda log: KubeletProgram((*self._command, "--future"), log, self._environment)

    def _program(self, log: Path) -> KubeletProgram:
        return KubeletProgram(self._command, log, self._environment)

    def _reply(self, request: Request) -> Reply:
        return reply_to(request, self._answer, failures=(KubeletFailed,), doing="running the kubelet")

    def _answer(self, request: Request) -> Mapping[str, Json]:
        self._require_release(request.profile)
        question = codec.convert(request.ask, KubeletQuestion)
        server = LightServer(request.profile)
        try:
            scenario = KubeletScenario(
                self._program_of(request.profile),
                server,
                request.objects,
                question,
                self._gates_of(request.profile),
            )
            self._running.add(scenario)
            try:
                return write(scenario.run())
            finally:
                self._running.remove(scenario)
                scenario.close()
        finally:
            server.close()

    def _require_release(self, profile: Profile) -> None:
        release = profile.release
        if release and not self._is_reference and not self._version.startswith(f"v{release}."):
            raise OtherRelease(f"the kubelet is {self._version}, and the profile is {profile.name}")

    def _gates_of(self, profile: Profile) -> Mapping[str, bool]:
        """Return the gates of a profile that the kubelet has."""
        own = dict.fromkeys(KUBELET_GATES, True) if profile.release is None else {}
        return {gate: on for gate, on in {**profile.gates, **own}.items() if gate in self._gates}


def _mostly_waits(request: Request) -> bool:
    return _waiting_seconds(request) >= _LONG_SECONDS


def _waiting_seconds(request: Request) -> int:
    """Return how long the actions of a request wait at most, in seconds."""
    return sum(
        CALL_SECONDS if action.get("to") == "hang" else action.get("seconds", 0)
        for action in request.ask["actions"]
    )
