"""`kube:v1.37.1`: a control plane of that version, started for the run, as an implementation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from time import perf_counter
from typing import Any

import urllib3

from dra_conform.adapters.answers import MalformedResult, to_reply
from dra_conform.adapters.control_plane.admitting import Admitting
from dra_conform.adapters.control_plane.allocating import Allocating, Unanswered
from dra_conform.adapters.control_plane.control_plane import ControlPlane
from dra_conform.adapters.control_plane.host import ComponentFailed
from dra_conform.adapters.control_plane.processes import WardenGone
from dra_conform.adapters.control_plane.programs import NotBuilt, release_of
from dra_conform.adapters.control_plane.telling import Telling
from dra_conform.adapters.control_plane.world import Objects
from dra_conform.adapters.live.api import Api, Unreachable
from dra_conform.adapters.live.endpoint import Untellable
from dra_conform.adapters.live.live_cluster import TRIES
from dra_conform.adapters.live.settling import StillBusy
from dra_conform.conformance.implementation import (
    CannotStart,
    Identity,
    Reply,
    Request,
    Status,
    Suite,
)
from dra_conform.kube.gates import GATES, defaults
from dra_conform.kube.profile import KEP_FUTURE, Profile

Json = Any

Operation = Callable[[Objects, Mapping[str, Json], Profile], Mapping[str, Json]]
"""Objects, question and profile give the body of a result; raises Untellable."""

PARTS = {"admit": 0, "allocate": 1}
"""The operations that need only some components, in the order in which they are asked; stories come last."""


class KubeImplementation:
    """A real control plane that is started when the run begins and gone when it ends.

    Questions are asked in groups with equal gates, since components start again when gates change. Between
    questions the store is emptied.
    """

    def __init__(self, version: str, *, spec: str) -> None:
        self._version = version
        self._release = release_of(version)
        self._spec = spec
        self._plane: ControlPlane | None = None
        self._operations: Mapping[str, Operation] = {}

    def start(self, suite: Suite) -> Identity:
        """Start etcd; the components start with the first question that needs them. Raises CannotStart."""
        try:
            plane = ControlPlane(self._version)
        except (NotBuilt, ComponentFailed, OSError) as error:
            raise CannotStart(str(error)) from None
        self._operations = _operations(plane)
        self._plane = plane
        return Identity(
            name="Kubernetes",
            version=self._version,
            spec=self._spec,
            language="go",
            homepage="https://kubernetes.io/",
            source="https://github.com/kubernetes/kubernetes",
            operations=frozenset({*PARTS, "cluster"}),
            tries=TRIES,
        )

    def run(self, requests: Iterable[Request]) -> Iterator[Reply]:
        """One reply for each request, those with equal gates one after the other."""
        for group in grouped(requests):
            yield from map(self._reply, group)

    def close(self) -> None:
        """End all processes."""
        plane, self._plane = self._plane, None
        if plane is not None:
            plane.close()

    def _reply(self, request: Request) -> Reply:
        if self._plane is None:
            return Reply(request.id, Status.NOT_RUN, detail="it was not started")
        began = perf_counter()
        try:
            self._check(request.profile)
            asked = self._operations[request.operation]
            body = asked(request.objects, request.ask, request.profile)
        except Untellable as why:
            # What a cluster cannot be asked is no claim that it would not keep.
            return Reply(request.id, Status.UNDECLARED, detail=str(why))
        except StillBusy as error:
            return Reply(request.id, Status.TIMEOUT, detail=str(error), seconds=perf_counter() - began)
        except (Unanswered, Unreachable, urllib3.exceptions.HTTPError, OSError) as error:
            body = {"status": "failed", "message": f"{type(error).__name__}: {error}"}
        except WardenGone as error:
            self.close()
            return Reply(request.id, Status.CRASH, detail=str(error))
        seconds = perf_counter() - began
        reply = to_reply(request, {"type": "result", "status": "ok", **body}, seconds)
        if isinstance(reply, MalformedResult):
            return Reply(request.id, Status.PROTOCOL, detail=reply.problem, seconds=seconds)
        return reply

    def _check(self, profile: Profile) -> None:
        """Its own profile is right for it, and the documents if its release has all their gates."""
        if profile.name == KEP_FUTURE:
            raise Untellable("no release has what the documents sketch for later")
        if profile.release is None and not defaults(self._release).keys() >= set(GATES):
            raise Untellable(f"Kubernetes {self._release} has not all gates of the documents")
        if profile.release not in (None, self._release):
            raise Untellable(f"this is Kubernetes {self._release}")


def grouped(requests: Iterable[Request]) -> list[list[Request]]:
    """Those with equal gates together, stories last, and the largest group last of each.

    Results are told in the order of the suite: what is asked last waits for nothing, so that a run that is
    ended loses few answers.
    """
    groups: dict[Json, list[Request]] = {}
    for request in requests:
        gates = tuple(sorted(request.profile.gates.items()))
        of_a_part = request.operation in PARTS
        groups.setdefault((not of_a_part, request.profile.name, gates), []).append(request)
    return [
        sorted(groups[key], key=lambda one: PARTS.get(one.operation, 0))
        for key in sorted(groups, key=lambda key: (key[0], len(groups[key])))
    ]


def _operations(plane: ControlPlane) -> dict[str, Operation]:
    api = Api(plane.endpoint)
    return {
        "admit": Admitting(plane, api).admit,
        "allocate": Allocating(plane, api).allocate,
        "cluster": Telling(plane).tell,
    }
