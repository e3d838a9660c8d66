"""`kube:v1.37.1`: control planes of that version, started for the run, as an implementation.

`kube:FILE.yaml`: the same with components under test in place of those of the release.
"""

from __future__ import annotations

import os
import re
import shlex
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue

from dra_conform.adapters.control_plane.control_plane_file import ControlPlaneFile
from dra_conform.adapters.control_plane.host import ComponentFailed
from dra_conform.adapters.control_plane.plane_runner import PlaneRunner, not_run
from dra_conform.adapters.control_plane.programs import NotBuilt, pinned_versions, release_of
from dra_conform.adapters.control_plane.request_groups import PARTS, RequestQueue, batches
from dra_conform.adapters.live.live_cluster import TRIES
from dra_conform.conformance.cluster.judged_parts import SCHEDULER
from dra_conform.conformance.implementation import CannotStart, Identity, Reply, Request, Suite
from dra_conform.kube.errors import InputErrors
from dra_conform.kube.gates import CHECKED_WITH

_SECOND_PLANE_ROUNDS = 25
"""A second control plane, whose start takes ten seconds of CPU, runs if there are as many requests for each
scenario that may run at the same time."""
_PLANE_KIB = 2 * 1024 * 1024
"""The memory in KiB that must be available for a second control plane."""

_Replies = SimpleQueue[Reply | BaseException]
"""The replies to the requests of one call, or an error that ends the call."""


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
        self._queue = RequestQueue()
        self._calls = 0
        """The calls of `run` that are in progress."""
        self._receivers: dict[int, _Replies] = {}
        """Where the reply to each request goes that has none yet."""
        self._runners: list[PlaneRunner] = []
        self._threads: list[threading.Thread] = []

    def start(self, suite: Suite) -> Identity:
        """Start etcd; the components start with the first request that needs them. Raises CannotStart."""
        release = release_of(self._file.version)
        if release not in CHECKED_WITH:
            known = ", ".join(pinned_versions() or CHECKED_WITH)
            raise CannotStart(f"{self._file.version} is of an unknown release, expected one of {known}")
        self._queue = RequestQueue()
        try:
            self._begin(self._started())
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
        """Yield one reply for each request, in the order in which they finish.

        Requests of a call while another call is in progress are run before those of the other call.
        """
        asked = list(requests)
        replies: _Replies = SimpleQueue()
        nested = bool(self._calls)
        self._calls += 1
        try:
            if not nested and len(self._runners) == 1 and self._needs_second_plane(len(asked)):
                with suppress(ComponentFailed, OSError):  # One control plane is enough.
                    self._begin(self._started())
            self._receivers.update((request.id, replies) for request in asked)
            self._queue.add(batches(asked, concurrent=self._side_by_side > 1, urgent=nested))
            self._answer_rest()
            for _ in asked:
                reply = replies.get()
                if isinstance(reply, BaseException):
                    raise reply
                yield reply
        except BaseException:
            self.close()
            raise
        finally:
            self._calls -= 1

    def _begin(self, runner: PlaneRunner) -> None:
        """Let a control plane run batches in a thread of its own."""
        self._runners.append(runner)
        thread = threading.Thread(target=self._work, args=(runner,), name="control-plane", daemon=True)
        self._threads.append(thread)
        thread.start()

    def _work(self, runner: PlaneRunner) -> None:
        while runner.running and (batch := self._queue.next_batch()) is not None:
            try:
                for reply in runner.run(partial(self._queue.take, batch), concurrent=batch.concurrent):
                    self._receivers.pop(reply.id).put(reply)
            except BaseException as error:  # It ends the run in the thread that waits for replies.
                for replies in list(self._receivers.values()):
                    replies.put(error)
            self._queue.leave(batch)
        self._answer_rest()

    def _answer_rest(self) -> None:
        """Answer all requests that are left if all processes have ended."""
        if not any(runner.running for runner in self._runners):
            for request in self._queue.drain():
                self._receivers.pop(request.id).put(not_run(request))

    def _needs_second_plane(self, requests: int) -> bool:
        too_few = requests < _SECOND_PLANE_ROUNDS * self._side_by_side
        if self._file.components or self._side_by_side == 1 or too_few:
            return False
        return len(os.sched_getaffinity(0)) > 1 and _available_kib() >= _PLANE_KIB

    def close(self) -> None:
        """End all processes."""
        self._queue.close()
        runners, self._runners = self._runners, []
        for runner in runners:
            runner.close()
        threads, self._threads = self._threads, []
        for thread in threads:
            thread.join()


def _available_kib() -> int:
    """Return the memory in KiB that programs can use without swapping, 0 if it is not known."""
    try:
        match = re.search(r"^MemAvailable:\s+(\d+) kB$", Path("/proc/meminfo").read_text(), re.MULTILINE)
    except OSError:
        return 0
    return int(match[1]) if match else 0
