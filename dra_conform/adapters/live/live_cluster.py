"""`cluster:KUBECONFIG`: an existing cluster as an implementation, for scenarios that can run with its enabled
feature gates."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter

from dra_conform.adapters.answers import MalformedResult, to_reply
from dra_conform.adapters.live.api import Api, Unreachable
from dra_conform.adapters.live.endpoint import CannotRun, Endpoint
from dra_conform.adapters.live.isolation import DEFAULT_CONCURRENCY, run_concurrently
from dra_conform.adapters.live.live_scenarios import LiveScenarios
from dra_conform.adapters.live.settling import NoSteadyState
from dra_conform.conformance.features import gates_of
from dra_conform.conformance.implementation import CannotStart, Identity, Reply, Request, Status, Suite
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.conformance.verdict import unexpected_error_message
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import PROFILES, Profile

_ENABLED = re.compile(r'^kubernetes_feature_enabled\{name="(\w+)"[^}]*\} (\d)', re.MULTILINE)


def enabled_gates(api: Api) -> Mapping[str, bool] | None:
    """Return the gates of the API server from its metrics; None if the user may not read metrics."""
    metrics = api.text("/metrics")
    return None if metrics is None else {name: on == "1" for name, on in _ENABLED.findall(metrics)}


def gate_conflict(
    objects: Mapping[str, Sequence[Json]],
    ask: Mapping[str, Json],
    profile: Profile,
    on: Mapping[str, bool],
) -> str:
    """Return which gate of the cluster differs from what a scenario needs, empty if none does.

    The function compares the gates of the features that the scenario uses, and the gates that the scenario
    sets to a value other than the default. A gate that the cluster does not have is off.
    """
    used = gates_of(
        OPERATIONS["cluster"].features({name: tuple(items) for name, items in objects.items()}, ask)
    )
    defaults = Profile.named(profile.name).gates
    relevant = used | {gate for gate, needed in profile.gates.items() if defaults.get(gate) != needed}
    for gate in sorted(relevant & profile.gates.keys()):
        needed, actual = profile.gates[gate], on.get(gate, False)
        if needed != actual:
            return f"{gate} is {_state(actual)} in this cluster, the scenario needs it {_state(needed)}"
    return ""


def _state(on: bool) -> str:
    return "on" if on else "off"


TRIES = 3
"""The number of tries for a scenario whose result timing may affect."""


class LiveCluster:
    """Scenarios on a cluster that has other users and whose components are not changed."""

    def __init__(
        self, spec: str, kubeconfig: Path, context: str = "", side_by_side: int = DEFAULT_CONCURRENCY
    ) -> None:
        self._spec = spec
        self._kubeconfig = kubeconfig
        self._context = context
        self._side_by_side = side_by_side
        self.run_id = secrets.token_hex(3)
        self.warnings: list[str] = []
        self._scenarios: LiveScenarios | None = None
        self._pool = ThreadPoolExecutor(side_by_side, thread_name_prefix="scenario")
        self._release = ""
        self._gates: Mapping[str, bool] = {}

    def start(self, suite: Suite) -> Identity:
        """Connect, and create the namespace of the run; raises CannotStart."""
        endpoint = Endpoint.of_kubeconfig(self._kubeconfig, self._context)
        try:
            version = self._read_version(Api(endpoint))
            scenarios = LiveScenarios(endpoint, run=self.run_id)
            scenarios.open()
            self._scenarios = scenarios
        except (Unreachable, CannotRun) as error:
            raise CannotStart(f"{self._spec}: {error}") from None
        return Identity(
            name="Kubernetes cluster",
            version=version,
            spec=self._spec,
            operations=frozenset({"cluster"}),
            tries=TRIES,
        )

    def _read_version(self, api: Api) -> str:
        """Return the version of the cluster; store its release and its gates."""
        answer = api.version()
        if not answer.accepted:
            raise CannotStart(f"{self._spec}: {answer.message or answer.reason}")
        self._release = f"{answer.body['major']}.{answer.body['minor'].rstrip('+')}"
        gates = enabled_gates(api)
        if gates is None:
            self.warnings.append(
                "cannot read the metrics of the API server; feature gates are assumed to have their defaults"
            )
            gates = Profile.named(f"kubernetes-{self._release}").gates if self._is_known else {}
        self._gates = gates
        api.close()
        return str(answer.body["gitVersion"])

    def run(self, requests: Iterable[Request]) -> Iterator[Reply]:
        """Run scenarios concurrently; yield the replies in the order in which they finish."""
        yield from run_concurrently(self._pool, self._side_by_side, requests, self._reply, self._end)

    def close(self) -> None:
        """Remove all objects of the run; remaining objects are a warning."""
        if self._scenarios is None:
            return
        self._end()
        self._pool.shutdown(wait=True, cancel_futures=True)
        try:
            left = self._scenarios.close()
        except Unreachable as error:
            left = [str(error)]
        if left:
            command = f"dra-conform cleanup --kubeconfig {self._kubeconfig} --run {self.run_id}"
            self.warnings.append(f"some objects could not be removed, try {command}: {', '.join(left)}")

    def _end(self) -> None:
        if self._scenarios is not None:
            self._scenarios.end()

    def _reply(self, request: Request) -> Reply:
        problem = self._problem(request)
        if problem or self._scenarios is None:
            return Reply(request.id, Status.UNDECLARED, detail=problem)
        began = perf_counter()
        try:
            observations = self._scenarios.run(request.objects, request.ask, request.profile)
        except CannotRun as error:
            return Reply(request.id, Status.UNDECLARED, detail=str(error))
        except NoSteadyState as error:
            return Reply(request.id, Status.TIMEOUT, detail=str(error), seconds=perf_counter() - began)
        except Unreachable as error:
            return Reply(request.id, Status.FAILED, detail=str(error), seconds=perf_counter() - began)
        except Exception as error:
            # A scenario may have any content; an unexpected error fails this scenario and not the run.
            detail = unexpected_error_message(error, "running the scenario")
            return Reply(request.id, Status.FAILED, detail=detail, seconds=perf_counter() - began)
        body = {"type": "result", "status": "ok", "outcome": "observed", "observations": observations}
        reply = to_reply(request, body, perf_counter() - began)
        if isinstance(reply, MalformedResult):
            return Reply(request.id, Status.FAILED, detail=reply.problem)
        return reply

    def _problem(self, request: Request) -> str:
        """Return why this cluster cannot run a scenario, empty if the cluster can."""
        release = request.profile.release
        if release is not None and release != self._release:
            return f"the cluster runs Kubernetes {self._release}, expected {release}"
        if request.ask.get("components"):
            return "the scenario needs components with other gates or releases than this cluster has"
        return gate_conflict(request.objects, request.ask, request.profile, self._gates)

    @property
    def _is_known(self) -> bool:
        return f"kubernetes-{self._release}" in PROFILES
