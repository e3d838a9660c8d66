"""`kube:v1.37.1`: control planes of that version, started for the run, as an implementation.

`kube:FILE.yaml`: the same with components under test in place of those of the release.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue

from dra_conform.adapters.control_plane.control_plane_file import ControlPlaneFile
from dra_conform.adapters.control_plane.host import ComponentFailed
from dra_conform.adapters.control_plane.plane_runner import PlaneRunner, not_run
from dra_conform.adapters.control_plane.programs import NotBuilt, release_of
from dra_conform.adapters.control_plane.request_groups import PARTS, RequestQueue, batches
from dra_conform.adapters.live.live_cluster import TRIES
from dra_conform.conformance.cluster.judged_parts import SCHEDULER
from dra_conform.conformance.implementation import CannotStart, Identity, Reply, Request, Suite
from dra_conform.kube.errors import InputErrors
from dra_conform.kube.gates import CHECKED_WITH

_SECOND_PLANE_ROUNDS = 25
"""How often `side_by_side` requests must be left for a second control plane, whose start takes ten seconds of
CPU."""
_PLANE_KIB = 2 * 1024 * 1024
"""The memory in KiB that must be available for a second control plane."""


class KubeImplementation:
    """Real control planes that are started for the run and end with it.

    Requests with equal gates are grouped, because components restart when gates change. Many requests run on
    two control planes, if the machine has the cores and the memory. With `side_by_side`, up to that many
    scenarios of a group run at the same time on each if they do not restart components. With components
    under test only requests about what they decide are sent, to one control plane; a component that fails
    costs the verdict of the request. With `keep_logs` the log of a component of the release that does not
    start is kept, and the message names it.
    """

    def __init__(
        self, file: ControlPlaneFile, *, spec: str, side_by_side: int = 1, keep_logs: bool = False
    ) -> None:
        self._file = file
        self._spec = spec
        self._side_by_side = side_by_side
        self._keep_logs = keep_logs
        self._runners: list[PlaneRunner] = []

    def start(self, suite: Suite) -> Identity:
        """Start etcd; the components start with the first request that needs them. Raises CannotStart."""
        release = release_of(self._file.version)
        if release not in CHECKED_WITH:
            known = ", ".join(CHECKED_WITH)
            raise CannotStart(f"{self._file.version} is of an unknown release, expected one of {known}")
        try:
            self._runners = [self._started()]
        except (NotBuilt, ComponentFailed, OSError, InputErrors) as error:
            raise CannotStart(str(error)) from None
        components = self._file.components
        return Identity(
            name=self._name(),
            version=self._file.version,
            spec=self._spec,
            language="go",
            homepage="https://kubernetes.io/",
            source="https://github.com/kubernetes/kubernetes",
            operations=self._operation_names(),
            tries=TRIES,
            components={name: shlex.join(one.command) for name, one in components.items()},
        )

    def _started(self) -> PlaneRunner:
        return PlaneRunner(self._file, self._side_by_side, keep_logs=self._keep_logs)

    def _name(self) -> str:
        replaced = [f"{component.title} as {name}" for name, component in self._file.components.items()]
        return f"{', '.join(replaced)} of Kubernetes" if replaced else "Kubernetes"

    def _operation_names(self) -> frozenset[str]:
        """Return the operations of a control plane, or those in which a component under test decides."""
        replaced = self._file.components
        if not replaced:
            return frozenset({*PARTS, "cluster"})
        return frozenset({"cluster", *(["allocate"] if SCHEDULER in replaced else [])})

    def run(self, requests: Iterable[Request]) -> Iterator[Reply]:
        """Yield one reply for each request, in the order in which they finish."""
        queue = RequestQueue(batches(requests, concurrent=self._side_by_side > 1))
        if len(self._runners) == 1 and self._needs_second_plane(len(queue)):
            with suppress(ComponentFailed, OSError):  # One control plane is enough.
                self._runners.append(self._started())
        yield from self._replies(queue)
        while request := queue.take():  # All processes have ended early.
            yield not_run(request)

    def _needs_second_plane(self, requests: int) -> bool:
        too_few = requests < _SECOND_PLANE_ROUNDS * self._side_by_side
        if self._file.components or self._side_by_side == 1 or too_few:
            return False
        return (os.cpu_count() or 1) > 1 and _available_kib() >= _PLANE_KIB

    def _replies(self, queue: RequestQueue) -> Iterator[Reply]:
        found: SimpleQueue[Reply | None] = SimpleQueue()
        """The replies, and None from each control plane that ends."""
        with ThreadPoolExecutor(len(self._runners) or 1, thread_name_prefix="control-plane") as threads:
            working = [threads.submit(_work, runner, queue, found) for runner in self._runners]
            try:
                ended = 0
                while ended < len(working):
                    reply = found.get()
                    if reply is not None:
                        yield reply
                    else:
                        ended += 1
            except BaseException:
                queue.clear()
                self.close()
                raise
        for one in working:
            one.result()

    def close(self) -> None:
        """End all processes."""
        runners, self._runners = self._runners, []
        for runner in runners:
            runner.close()


def _work(runner: PlaneRunner, queue: RequestQueue, found: SimpleQueue[Reply | None]) -> None:
    try:
        while runner.running and (batch := queue.next_batch()) is not None:
            for reply in runner.run(batch):
                found.put(reply)
    finally:
        found.put(None)


def _available_kib() -> int:
    """Return the memory in KiB that programs can use without swapping, 0 if it is not known."""
    try:
        match = re.search(r"^MemAvailable:\s+(\d+) kB$", Path("/proc/meminfo").read_text(), re.MULTILINE)
    except OSError:
        return 0
    return int(match[1]) if match else 0
