"""`kube:v1.37.1`: a control plane of that version, started for the run, as an implementation.

`kube:FILE.yaml`: the same with components under test in place of those of the release.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from time import perf_counter

import urllib3

from dra_conform.adapters.answers import reply_with
from dra_conform.adapters.control_plane.admit_operation import AdmitOperation
from dra_conform.adapters.control_plane.allocate_operation import AllocateOperation, Unanswered
from dra_conform.adapters.control_plane.cluster_operation import ClusterOperation
from dra_conform.adapters.control_plane.control_plane import ControlPlane, check_profile
from dra_conform.adapters.control_plane.control_plane_file import ControlPlaneFile
from dra_conform.adapters.control_plane.host import ComponentFailed
from dra_conform.adapters.control_plane.initial_objects import Objects
from dra_conform.adapters.control_plane.manifests import read_manifests
from dra_conform.adapters.control_plane.processes import SupervisorEnded
from dra_conform.adapters.control_plane.programs import NotBuilt, release_of
from dra_conform.adapters.control_plane.replaced_component import ReplacedFailed
from dra_conform.adapters.live.api import Api, Unreachable
from dra_conform.adapters.live.endpoint import CannotRun
from dra_conform.adapters.live.isolation import Isolation, isolation_of, run_concurrently
from dra_conform.adapters.live.live_cluster import TRIES
from dra_conform.adapters.live.settling import NoSteadyState
from dra_conform.adapters.live.write_guards import EveryWrite
from dra_conform.conformance.cluster.judged_parts import SCHEDULER
from dra_conform.conformance.implementation import (
    CannotStart,
    Identity,
    Reply,
    Request,
    Status,
    Suite,
)
from dra_conform.conformance.verdict import unexpected_error_message
from dra_conform.kube.errors import InputErrors
from dra_conform.kube.gates import CHECKED_WITH
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile

Operation = Callable[[Objects, Mapping[str, Json], Profile], Mapping[str, Json]]
"""A function from objects, `ask` and profile to the body of a `result`; raises CannotRun."""

PARTS = {"admit": 0, "allocate": 1}
"""The operations that need only some components, with their order in a run before multi-step scenarios."""

CONCURRENT_CLUSTER = "concurrent cluster"
"""The key of the operation `cluster` for scenarios that run at the same time."""


class KubeImplementation:
    """A real control plane that is started for the run and ends with it.

    Requests with equal gates are grouped, because components restart when gates change. The store is emptied
    after each request. With `side_by_side`, up to that many scenarios of a group run at the same time if they
    do not restart components. With components under test only requests about what they decide are sent; a
    component that fails costs the verdict of the request. With `keep_logs` the log of a component of the
    release that does not start is kept, and the message names it.
    """

    def __init__(
        self, file: ControlPlaneFile, *, spec: str, side_by_side: int = 1, keep_logs: bool = False
    ) -> None:
        self._version = file.version
        self._replaced = file.components
        self._release = release_of(file.version)
        self._spec = spec
        self._side_by_side = side_by_side
        self._keep_logs = keep_logs
        self._plane: ControlPlane | None = None
        self._operations: Mapping[str, Operation] = {}

    def start(self, suite: Suite) -> Identity:
        """Start etcd; the components start with the first request that needs them. Raises CannotStart."""
        if self._release not in CHECKED_WITH:
            known = ", ".join(CHECKED_WITH)
            raise CannotStart(f"{self._version} is of an unknown release, expected one of {known}")
        try:
            paths = [path for component in self._replaced.values() for path in component.manifests]
            plane = ControlPlane(
                self._version, self._replaced, read_manifests(paths), keep_logs=self._keep_logs
            )
        except (NotBuilt, ComponentFailed, OSError, InputErrors) as error:
            raise CannotStart(str(error)) from None
        self._operations = _operations(plane)
        self._plane = plane
        return Identity(
            name=self._name(),
            version=self._version,
            spec=self._spec,
            language="go",
            homepage="https://kubernetes.io/",
            source="https://github.com/kubernetes/kubernetes",
            operations=self._operation_names(),
            tries=TRIES,
            components={name: shlex.join(one.command) for name, one in self._replaced.items()},
        )

    def _name(self) -> str:
        replaced = [f"{component.title} as {name}" for name, component in self._replaced.items()]
        return f"{', '.join(replaced)} of Kubernetes" if replaced else "Kubernetes"

    def _operation_names(self) -> frozenset[str]:
        """Return the operations of a control plane, or those in which a component under test decides."""
        if not self._replaced:
            return frozenset({*PARTS, "cluster"})
        return frozenset({"cluster", *(["allocate"] if SCHEDULER in self._replaced else [])})

    def run(self, requests: Iterable[Request]) -> Iterator[Reply]:
        """Yield one reply for each request, grouped by gates."""
        for group in grouped(requests):
            parts = by_isolation(group) if self._side_by_side > 1 else [(None, group)]
            for isolation, scenarios in parts:
                if isolation in (Isolation.ONLY_WRITES, Isolation.OWN_OBJECTS):
                    yield from self._run_concurrently(scenarios)
                else:
                    yield from map(self._reply, scenarios)

    def close(self) -> None:
        """End all processes."""
        plane, self._plane = self._plane, None
        if plane is not None:
            plane.close()

    def _run_concurrently(self, scenarios: Sequence[Request]) -> Iterator[Reply]:
        with ThreadPoolExecutor(self._side_by_side, thread_name_prefix="scenario") as threads:
            reply = partial(self._reply, concurrent=True)
            yield from run_concurrently(threads, self._side_by_side, scenarios, reply, self.close)

    def _check_subject(self, request: Request) -> None:
        """Raise CannotRun for a scenario that judges none of the components under test."""
        judged = request.ask.get("judges", self._replaced)
        if self._replaced and request.operation == "cluster" and not self._replaced.keys() & set(judged):
            raise CannotRun(f"the scenario judges nothing that the {' or '.join(self._replaced)} decides")

    def _reply(self, request: Request, *, concurrent: bool = False) -> Reply:
        """Return the reply to a request, with the end of the logs of the components under test."""
        reply = self._answered(request, concurrent=concurrent)
        if self._plane is None or not self._replaced or reply.status in (Status.UNDECLARED, Status.CRASH):
            return reply
        try:
            self._plane.check_replaced()
        except ReplacedFailed as failed:
            return Reply(request.id, Status.CRASH, detail=str(failed), log=failed.log, seconds=reply.seconds)
        return replace(reply, log=self._plane.replaced_logs())

    def _answered(self, request: Request, *, concurrent: bool) -> Reply:
        if self._plane is None:
            return Reply(request.id, Status.NOT_RUN, detail="the control plane was not started")
        began = perf_counter()
        try:
            check_profile(self._release, request.profile)
            self._check_subject(request)
            operation = self._operations[CONCURRENT_CLUSTER if concurrent else request.operation]
            body = operation(request.objects, request.ask, request.profile)
        except CannotRun as error:
            # A request that cannot be sent to a cluster is no failure of it.
            return Reply(request.id, Status.UNDECLARED, detail=str(error))
        except NoSteadyState as error:
            return Reply(request.id, Status.TIMEOUT, detail=str(error), seconds=perf_counter() - began)
        except (Unanswered, Unreachable, urllib3.exceptions.HTTPError, OSError) as error:
            body = {"status": "failed", "message": f"{type(error).__name__}: {error}"}
        except ReplacedFailed as failed:
            seconds = perf_counter() - began
            return Reply(request.id, Status.CRASH, detail=str(failed), log=failed.log, seconds=seconds)
        except ComponentFailed as failed:
            return Reply(request.id, Status.CRASH, detail=str(failed), seconds=perf_counter() - began)
        except SupervisorEnded as error:
            self.close()
            return Reply(request.id, Status.CRASH, detail=str(error))
        except Exception as error:  # A server may answer what nobody has thought of.
            body = {
                "status": "failed",
                "message": unexpected_error_message(error, "asking the control plane"),
            }
        return reply_with(request, body, perf_counter() - began)


def grouped(requests: Iterable[Request]) -> list[list[Request]]:
    """Group requests by gates: single operations before multi-step scenarios, smaller groups before larger.

    Results are reported in the order of the suite, so with the largest group last an interrupted run loses
    few results.
    """
    groups: dict[Json, list[Request]] = {}
    for request in requests:
        gates = tuple(sorted(request.profile.gates.items()))
        is_scenario = request.operation not in PARTS
        groups.setdefault((is_scenario, request.profile.name, gates), []).append(request)
    return [
        sorted(groups[key], key=lambda request: PARTS.get(request.operation, 0))
        for key in sorted(groups, key=lambda key: (key[0], len(groups[key])))
    ]


def by_isolation(group: Sequence[Request]) -> list[tuple[Isolation | None, list[Request]]]:
    """Group scenarios by the isolation that they need; the key None has the requests of other operations.

    Scenarios that let much time pass come first, so that none of them runs alone at the end of its group.
    """
    parts: dict[Isolation | None, list[Request]] = {None: []}
    for request in group:
        isolation = isolation_of(request.objects, request.ask) if request.operation == "cluster" else None
        parts.setdefault(isolation, []).append(request)
    for requests in parts.values():
        requests.sort(key=_advanced_seconds, reverse=True)
    return sorted(parts.items(), key=lambda part: -1 if part[0] is None else part[0])


def _advanced_seconds(request: Request) -> int:
    return sum(action.get("seconds", 0) for action in request.ask.get("actions", ()))


def _operations(plane: ControlPlane) -> dict[str, Operation]:
    api, cluster = Api(plane.endpoint, EveryWrite()), ClusterOperation(plane)
    return {
        "admit": AdmitOperation(plane, api).admit,
        "allocate": AllocateOperation(plane, api).allocate,
        "cluster": cluster.run,
        CONCURRENT_CLUSTER: cluster.run_concurrently,
    }
