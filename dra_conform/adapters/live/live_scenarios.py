"""Scenarios on a real cluster: actions become requests, observations come from the API."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from typing import Any

from dra_conform.adapters.live.api import Api, EveryWrite, Unreachable
from dra_conform.adapters.live.cleanup import Cleaning
from dra_conform.adapters.live.emulated_kubelet import PlayedKubelet
from dra_conform.adapters.live.emulated_nodes import beating
from dra_conform.adapters.live.endpoint import Controls, Endpoint
from dra_conform.adapters.live.given_objects import put_givens, put_quotas, release_givens
from dra_conform.adapters.live.isolation import has_only_writes
from dra_conform.adapters.live.isolation_fields import RUN, STORY
from dra_conform.adapters.live.live_actions import LiveActions
from dra_conform.adapters.live.metric_deltas import MetricsGrowth
from dra_conform.adapters.live.own_writes import OwnWrites
from dra_conform.adapters.live.probe_pod import ProbePod
from dra_conform.adapters.live.resources import RESOURCES
from dra_conform.adapters.live.scenario_names import PREFIX, ScenarioNames
from dra_conform.adapters.live.scenario_namespace import ScenarioNamespace
from dra_conform.adapters.live.scenario_watch import ScenarioWatch
from dra_conform.adapters.live.served_versions import ServedVersions
from dra_conform.adapters.live.settled_state import SettledState
from dra_conform.adapters.live.settling import Settling
from dra_conform.adapters.live.user_rights import grant_rights
from dra_conform.controlplane.simulation.components import KUBELET, Components
from dra_conform.kube.profile import Profile

Json = Any


class LiveScenarios:
    """Tells stories, also side by side from several threads; with controls, those of one `Isolation`.

    Where there are controls the cluster is there for nothing else, and users of stories get rights on it.
    Everything a story makes has names of its own and is removed when it ends. The nodes of a story are Node
    objects that this makes ready, and the kubelet on them is played: pods that were assigned to them run when
    their claims are ready, and go when they are deleted.
    """

    def __init__(self, endpoint: Endpoint, controls: Controls | None = None, run: str = "run") -> None:
        self._controls = controls
        self._run = run
        self._numbers = itertools.count(1)
        self._api = Api(endpoint, EveryWrite() if controls else OwnWrites(run))
        self._served = ServedVersions(self._api)
        self._cleaning = Cleaning(self._api, self._served)
        self._canary = ProbePod(self._api, self._served, run, f"{PREFIX}{run}")
        self._starting = threading.Lock()
        self._serves: Profile | None = None
        """As what the API server is known to run, None where a story may have changed it."""

    def open(self) -> None:
        """Make the namespace of the run; raises Unreachable."""
        metadata = {"name": f"{PREFIX}{self._run}", "labels": {RUN: self._run}}
        namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": metadata}
        made = self._api.create(RESOURCES["Namespace"].address("v1"), namespace)
        if not made.taken:
            raise Unreachable(f"cannot create the namespace {metadata['name']}: {made.message}")
        self._canary.make_template()
        if self._controls:
            grant_rights(self._api, self._run)

    def end(self) -> None:
        """Let the stories that are being told come to nothing."""
        self._api.end()

    def close(self) -> list[str]:
        """Remove all that the run has made; what could not be removed."""
        try:
            return self._cleaning.finish(f"{RUN}={self._run}")
        finally:
            self._api.close()

    def tell(
        self,
        objects: Mapping[str, Sequence[Json]],
        ask: Mapping[str, Json],
        profile: Profile,
        *,
        alone: bool = False,
    ) -> list[dict[str, Json]]:
        """One observation for each action of the operation `cluster`.

        `alone`: no other story is told meanwhile, so that what metrics grow by is this one's doing.
        Raises CannotRun for a story that this cluster cannot be told, StillBusy where it does not come to
        rest, Unreachable where its API server does not answer.
        """
        names = ScenarioNames(self._run, str(next(self._numbers)), [objects, ask])
        room = ScenarioNamespace(self._api, self._served, names)
        with ExitStack() as story:
            of_writes = has_only_writes(objects, ask)
            self._start(profile, of_writes=of_writes, alone=alone)
            story.callback(self._remove, names)
            put = self._controls.put if self._controls else None
            put_givens(room, objects, Components(ask.get("components") or {}, profile)[KUBELET].profile, put)
            if not of_writes:
                self._canary.begin() if alone else self._canary.send()
            put_quotas(room, objects, put)
            if self._controls and ask.get("components"):
                self._controls.begin(profile, ask["components"])
                self._served.forget()
            if self._controls is None:
                story.enter_context(beating(room))
            watch = story.enter_context(ScenarioWatch.open(room))
            runs_as = self._controls.kubelet if self._controls else lambda: profile
            kubelet = PlayedKubelet(self._api, runs_as)
            settling = Settling(watch, kubelet, self._canary)
            begin = partial(release_givens, room, objects)
            state = SettledState(room, watch, self._metrics() if alone else None)
            actions = LiveActions(room, settling, state, self._controls, runs_as, begin)
            return [actions.do(action) for action in ask["actions"]]

    def _start(self, profile: Profile, *, of_writes: bool, alone: bool) -> None:
        """Let components run as the story wants them from its beginning, as those beside it do."""
        if self._controls is None:
            return
        with self._starting:
            if of_writes:
                self._controls.serve(profile)
            else:
                self._controls.begin(profile, {})
            if profile != self._serves:
                self._served.forget()
            self._serves = None if alone else profile

    def _metrics(self) -> MetricsGrowth | None:
        return MetricsGrowth(self._controls.metrics, self._canary.count) if self._controls else None

    def _remove(self, names: ScenarioNames) -> None:
        """What cannot be removed now is removed when the run ends."""
        with suppress(Unreachable):
            if self._controls:
                self._controls.erase(names.prefix)
            else:
                self._cleaning.remove(f"{STORY}={names.story}")
