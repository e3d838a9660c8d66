"""`kube:v1.37.1`: a control plane of that version, started for the run, as an implementation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from time import perf_counter
from typing import Any

import urllib3

from dra_conform.adapters.answers import MalformedResult, to_reply
from dra_conform.adapters.control_plane.admitting import Admitting
from dra_conform.adapters.control_plane.allocating import Allocating, Unanswered
from dra_conform.adapters.control_plane.control_plane import ControlPlane
from dra_conform.adapters.control_plane.host import ComponentFailed
from dra_conform.adapters.control_plane.initial_objects import Objects
from dra_conform.adapters.control_plane.processes import WardenGone
from dra_conform.adapters.control_plane.programs import NotBuilt, release_of
from dra_conform.adapters.control_plane.running_scenarios import RunningScenarios
from dra_conform.adapters.live.api import Api, EveryWrite, Unreachable
from dra_conform.adapters.live.concurrent_scenarios import side_by_side
from dra_conform.adapters.live.endpoint import CannotRun
from dra_conform.adapters.live.isolation import Isolation, isolation_of
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
"""Objects, question and profile give the body of a result; raises CannotRun."""

PARTS = {"admit": 0, "allocate": 1}
"""The operations that need only some components, in the order in which they are asked; stories come last."""

TOLD_BESIDE = "cluster beside others"
"""How a story is told at the same time as others."""


class KubeImplementation:
    """A real control plane that is started when the run begins and gone when it ends.

    Questions are asked in groups with equal gates, since components start again when gates change. Between
    questions the store is emptied. With `side_by_side` so many stories of a group are told at the same time,
    as far as they do not touch components.
    """

    def __init__(self, version: str, *, spec: str, side_by_side: int = 1) -> None:
        self._version = version
        self._release = release_of(version)
        self._spec = spec
        self._side_by_side = side_by_side
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
            for company, several in by_company(group) if self._side_by_side > 1 else [(None, group)]:
                if company in (Isolation.ONLY_WRITES, Isolation.OWN_OBJECTS):
                    yield from self._told_together(several)
                else:
                    yield from map(self._reply, several)

    def close(self) -> None:
        """End all processes."""
        plane, self._plane = self._plane, None
        if plane is not None:
            plane.close()

    def _told_together(self, stories: Sequence[Request]) -> Iterator[Reply]:
        with ThreadPoolExecutor(self._side_by_side, thread_name_prefix="story") as threads:
            tell = partial(self._reply, beside=True)
            try:
                yield from side_by_side(threads, self._side_by_side, stories, tell)
            except BaseException:
                self.close()  # else the stories that are being told are waited for
                raise

    def _reply(self, request: Request, *, beside: bool = False) -> Reply:
        if self._plane is None:
            return Reply(request.id, Status.NOT_RUN, detail="it was not started")
        began = perf_counter()
        try:
            self._check(request.profile)
            asked = self._operations[TOLD_BESIDE if beside else request.operation]
            body = asked(request.objects, request.ask, request.profile)
        except CannotRun as why:
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
            raise CannotRun("no release has what the documents sketch for later")
        if profile.release is None and not defaults(self._release).keys() >= set(GATES):
            raise CannotRun(f"Kubernetes {self._release} has not all gates of the documents")
        if profile.release not in (None, self._release):
            raise CannotRun(f"this is Kubernetes {self._release}")


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


def by_company(group: Sequence[Request]) -> list[tuple[Isolation | None, list[Request]]]:
    """Stories of a group by whom they can be told beside, each in the order that it was in, other questions
    first."""
    parties: dict[Isolation | None, list[Request]] = {None: []}
    for request in group:
        company = isolation_of(request.objects, request.ask) if request.operation == "cluster" else None
        parties.setdefault(company, []).append(request)
    return sorted(parties.items(), key=lambda one: -1 if one[0] is None else one[0])


def _operations(plane: ControlPlane) -> dict[str, Operation]:
    api, telling = Api(plane.endpoint, EveryWrite()), RunningScenarios(plane)
    return {
        "admit": Admitting(plane, api).admit,
        "allocate": Allocating(plane, api).allocate,
        "cluster": telling.tell,
        TOLD_BESIDE: telling.tell_beside,
    }
