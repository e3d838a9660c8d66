"""One control plane of a run: it takes requests from batches and yields replies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from time import perf_counter

import urllib3

from dra_conform.adapters.answers import reply_with
from dra_conform.adapters.control_plane.admit_operation import AdmitOperation
from dra_conform.adapters.control_plane.allocate_operation import AllocateOperation, Unanswered
from dra_conform.adapters.control_plane.cluster_operation import ClusterOperation
from dra_conform.adapters.control_plane.control_plane import ControlPlane
from dra_conform.adapters.control_plane.control_plane_file import ControlPlaneFile
from dra_conform.adapters.control_plane.host import ComponentFailed
from dra_conform.adapters.control_plane.initial_objects import Objects
from dra_conform.adapters.control_plane.manifests import read_manifests
from dra_conform.adapters.control_plane.processes import SupervisorEnded
from dra_conform.adapters.control_plane.programs import check_profile, release_of
from dra_conform.adapters.control_plane.replaced_component import ReplacedFailed
from dra_conform.adapters.control_plane.request_groups import mostly_waits
from dra_conform.adapters.live.api import Api, Unreachable
from dra_conform.adapters.live.endpoint import CannotRun
from dra_conform.adapters.live.isolation import run_concurrently
from dra_conform.adapters.live.settling import NoSteadyState
from dra_conform.adapters.live.write_guards import EveryWrite
from dra_conform.conformance.implementation import Reply, Request, Status
from dra_conform.conformance.verdict import unexpected_error_message
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile

Operation = Callable[[Objects, Mapping[str, Json], Profile], Mapping[str, Json]]
"""A function from objects, `ask` and profile to the body of a `result`; raises CannotRun."""

MOST_WAITING = 16
"""The most scenarios that mostly wait and run besides those that work."""

CONCURRENT_CLUSTER = "concurrent cluster"
"""The key of the operation `cluster` for scenarios that run at the same time."""


class PlaneRunner:
    """A control plane that runs requests; its store is emptied after each request.

    With components under test only requests about what they decide are sent; a component that fails costs
    the verdict of the request.
    """

    def __init__(self, file: ControlPlaneFile, side_by_side: int, *, keep_logs: bool) -> None:
        """Start etcd; the components start with the first request that needs them.

        Up to `side_by_side` scenarios of a concurrent batch run at the same time. Raises NotBuilt,
        ComponentFailed, OSError and InputErrors.
        """
        self._replaced = file.components
        self._release = release_of(file.version)
        self._side_by_side = side_by_side
        paths = [path for component in self._replaced.values() for path in component.manifests]
        self._plane: ControlPlane | None = ControlPlane(
            file.version, self._replaced, read_manifests(paths), keep_logs=keep_logs
        )
        self._operations = _operations(self._plane)

    def run(self, take: Callable[[], Request | None], *, concurrent: bool) -> Iterator[Reply]:
        """Take requests until there is none or all processes have ended; yield their replies."""
        requests = iter(lambda: take() if self.running else None, None)
        if not concurrent:
            yield from map(self._reply, requests)
            return
        count = self._side_by_side
        with ThreadPoolExecutor(count + MOST_WAITING, thread_name_prefix="scenario") as threads:
            reply = partial(self._reply, concurrent=True)
            yield from run_concurrently(threads, count, requests, reply, self.close, mostly_waits)

    @property
    def running(self) -> bool:
        """Whether the processes have not been ended."""
        return self._plane is not None

    def close(self) -> None:
        """End all processes."""
        plane, self._plane = self._plane, None
        if plane is not None:
            plane.close()

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
            return not_run(request)
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


def not_run(request: Request) -> Reply:
    """Return the reply to a request that no control plane runs."""
    return Reply(request.id, Status.NOT_RUN, detail="the control plane was not started")


def _operations(plane: ControlPlane) -> dict[str, Operation]:
    api, cluster = Api(plane.endpoint, EveryWrite()), ClusterOperation(plane)
    return {
        "admit": AdmitOperation(plane, api).admit,
        "allocate": AllocateOperation(plane, api).allocate,
        "cluster": cluster.run,
        CONCURRENT_CLUSTER: cluster.run_concurrently,
    }
