"""`cluster:KUBECONFIG`: an existing cluster as an implementation."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter
from typing import Any

from dra_conform.adapters.answers import MalformedResult, to_reply
from dra_conform.adapters.live.api import Api, Unreachable
from dra_conform.adapters.live.concurrent_scenarios import SIDE_BY_SIDE, side_by_side
from dra_conform.adapters.live.enabled_gates import enabled_gates, obstacle
from dra_conform.adapters.live.endpoint import CannotRun, Endpoint
from dra_conform.adapters.live.live_scenarios import LiveScenarios
from dra_conform.adapters.live.settling import StillBusy
from dra_conform.conformance.implementation import CannotStart, Identity, Reply, Request, Status, Suite
from dra_conform.conformance.unexpected_errors import unexpected_error_message
from dra_conform.kube.profile import PROFILES, Profile

Json = Any

TRIES = 3


class LiveCluster:
    """Stories on a cluster that has other users, and whose components nobody may touch."""

    def __init__(
        self, spec: str, kubeconfig: Path, context: str = "", side_by_side: int = SIDE_BY_SIDE
    ) -> None:
        self._spec = spec
        self._kubeconfig = kubeconfig
        self._context = context
        self._side_by_side = side_by_side
        self.run_id = secrets.token_hex(3)
        self.warnings: list[str] = []
        self._stories: LiveScenarios | None = None
        self._pool = ThreadPoolExecutor(side_by_side, thread_name_prefix="story")
        self._release = ""
        self._gates: Mapping[str, bool] = {}

    def start(self, suite: Suite) -> Identity:
        """Connect, and make the namespace of the run; raises CannotStart."""
        endpoint = Endpoint.of_kubeconfig(self._kubeconfig, self._context)
        try:
            version = self._look_at(Api(endpoint))
            stories = LiveScenarios(endpoint, run=self.run_id)
            stories.open()
            self._stories = stories
        except (Unreachable, CannotRun) as error:
            raise CannotStart(f"{self._spec}: {error}") from None
        return Identity(
            name="Kubernetes cluster",
            version=version,
            spec=self._spec,
            operations=frozenset({"cluster"}),
            tries=TRIES,
        )

    def _look_at(self, api: Api) -> str:
        """The version of the cluster; its release and its gates are remembered."""
        answer = api.version()
        if not answer.taken:
            raise CannotStart(f"{self._spec}: {answer.message or answer.reason}")
        self._release = f"{answer.body['major']}.{answer.body['minor'].rstrip('+')}"
        gates = enabled_gates(api)
        if gates is None:
            self.warnings.append("its metrics cannot be read: feature gates are taken to be as by default")
            gates = Profile.named(f"kubernetes-{self._release}").gates if self._is_known else {}
        self._gates = gates
        api.close()
        return str(answer.body["gitVersion"])

    def run(self, requests: Iterable[Request]) -> Iterator[Reply]:
        """One reply for each request, as they come; several stories are told side by side."""
        yield from side_by_side(self._pool, self._side_by_side, requests, self._reply)

    def close(self) -> None:
        """Remove everything the run has made; what is left is a warning."""
        if self._stories is None:
            return
        self._stories.end()
        self._pool.shutdown(wait=True, cancel_futures=True)
        try:
            left = self._stories.close()
        except Unreachable as error:
            left = [str(error)]
        if left:
            again = f"dra-conform cleanup --kubeconfig {self._kubeconfig} --run {self.run_id}"
            self.warnings.append(f"not everything could be removed, try {again}: {', '.join(left)}")

    def _reply(self, request: Request) -> Reply:
        problem = self._problem(request)
        if problem or self._stories is None:
            return Reply(request.id, Status.UNDECLARED, detail=problem)
        began = perf_counter()
        try:
            observations = self._stories.tell(request.objects, request.ask, request.profile)
        except CannotRun as what:
            return Reply(request.id, Status.UNDECLARED, detail=str(what))
        except StillBusy as error:
            return Reply(request.id, Status.TIMEOUT, detail=str(error), seconds=perf_counter() - began)
        except Unreachable as error:
            return Reply(request.id, Status.FAILED, detail=str(error), seconds=perf_counter() - began)
        except Exception as error:
            # A scenario may say anything: what nobody foresaw costs its own verdict, never the run.
            detail = unexpected_error_message(error, "running the scenario")
            return Reply(request.id, Status.FAILED, detail=detail, seconds=perf_counter() - began)
        body = {"type": "result", "status": "ok", "outcome": "told", "observations": observations}
        reply = to_reply(request, body, perf_counter() - began)
        if isinstance(reply, MalformedResult):
            return Reply(request.id, Status.FAILED, detail=reply.problem)
        return reply

    def _problem(self, request: Request) -> str:
        """Why a story cannot be told here, empty if it can be tried."""
        release = request.profile.release
        if release is not None and release != self._release:
            return f"the cluster runs Kubernetes {self._release}, the profile is {request.profile.name}"
        if request.ask.get("components"):
            return "the scenario needs components with other gates or releases than this cluster has"
        return obstacle(request.objects, request.ask, request.profile, self._gates)

    @property
    def _is_known(self) -> bool:
        return f"kubernetes-{self._release}" in PROFILES
