"""Multi-step scenarios on a real cluster: actions become requests, observations are read from the API."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from itertools import accumulate, count

from dra_conform.adapters.live.api import Api, Unreachable
from dra_conform.adapters.live.cleanup import Cleanup
from dra_conform.adapters.live.component_records import ComponentLog, WriteRequests
from dra_conform.adapters.live.emulated_nodes import EmulatedKubelet, heartbeats, retry_pending_pods
from dra_conform.adapters.live.endpoint import CannotRun, Controls, Endpoint
from dra_conform.adapters.live.isolation import has_only_writes
from dra_conform.adapters.live.isolation_fields import RUN_LABEL, SCENARIO_LABEL
from dra_conform.adapters.live.live_actions import WAITS, LiveActions
from dra_conform.adapters.live.own_writes import OwnWrites
from dra_conform.adapters.live.pending_work import ComponentQueues
from dra_conform.adapters.live.probe_pod import ProbePod
from dra_conform.adapters.live.resources import RESOURCES
from dra_conform.adapters.live.scenario_names import PREFIX, ScenarioNames
from dra_conform.adapters.live.scenario_namespace import ScenarioNamespace
from dra_conform.adapters.live.scenario_setup import (
    create_quotas,
    create_setup,
    time_before_setup,
    ungate_setup_pods,
    with_allocation_times,
)
from dra_conform.adapters.live.scenario_watch import ScenarioWatch
from dra_conform.adapters.live.served_versions import ServedVersions
from dra_conform.adapters.live.settled_state import MetricDeltas, SettledState
from dra_conform.adapters.live.settling import Settling
from dra_conform.adapters.live.user_rights import grant_rights
from dra_conform.adapters.live.write_guards import EveryWrite
from dra_conform.cluster_state.binding_conditions import binding_counts
from dra_conform.cluster_state.components import (
    APISERVER,
    CONTROLLER_MANAGER,
    KUBELET,
    SCHEDULER,
    Components,
)
from dra_conform.cluster_state.pods import DEFAULT_SCHEDULER
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.scheduler import SchedulerSwitches

_DRA = "DynamicResourceAllocation"


class LiveScenarios:
    """A runner of scenarios that several threads can use.

    With controls, scenarios that run at the same time must need the same `Isolation`. With controls the
    cluster is used for nothing else, and the users of scenarios get rights on it. The objects of each
    scenario have unique names and are removed at its end. Nodes of a scenario are Node objects that are kept
    Ready, with an emulated kubelet: assigned pods run when their claims are ready, and end when deleted.
    `scheduler` is the name of the scheduler that schedules pods of the default scheduler.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        controls: Controls | None = None,
        run: str = "run",
        scheduler: str = DEFAULT_SCHEDULER,
    ) -> None:
        self._controls = controls
        self._scheduler = scheduler
        self._run = run
        self._numbers = count(1)
        self._api = (
            Api(endpoint, EveryWrite(), controls.check_running) if controls else Api(endpoint, OwnWrites(run))
        )
        self._served = ServedVersions(self._api)
        self._cleaning = Cleanup(self._api, self._served)
        self._probe = ProbePod(self._api, self._served, run, f"{PREFIX}{run}", scheduler)
        self._starting = threading.Lock()
        self._serves: Profile | None = None
        """The profile of the API server, None if a scenario may have changed it."""

    def open(self) -> None:
        """Create the namespace of the run, and let users write; raises Unreachable."""
        self.make_namespace()
        if self._controls:
            grant_rights(self._api, self._run)

    def make_namespace(self) -> None:
        """Create the namespace of the run with what it contains; raises Unreachable."""
        metadata = {"name": f"{PREFIX}{self._run}", "labels": {RUN_LABEL: self._run}}
        namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": metadata}
        created = self._api.create(RESOURCES["Namespace"].address("v1"), namespace)
        if not created.accepted:
            raise Unreachable(f"cannot create the namespace {metadata['name']}: {created.message}")
        self._probe.make_template()

    def end(self) -> None:
        """Abort the running scenarios."""
        self._api.end()

    def close(self) -> list[str]:
        """Remove all objects of the run; return those that could not be removed."""
        try:
            return self._cleaning.finish(f"{RUN_LABEL}={self._run}")
        finally:
            self._api.close()

    def run(
        self,
        objects: Mapping[str, Sequence[Json]],
        ask: Mapping[str, Json],
        profile: Profile,
        *,
        alone: bool = False,
    ) -> list[dict[str, Json]]:
        """Run a scenario; return one observation for each action of the operation `cluster`.

        With `alone` no other scenario runs at the same time, so that changes of metrics belong to this
        scenario. Raises CannotRun if the cluster cannot run the scenario, NoSteadyState if it does not reach
        a steady state, and Unreachable if its API server does not answer.
        """
        names = ScenarioNames(self._run, str(next(self._numbers)), [objects, ask], self._scheduler)
        scenario = ScenarioNamespace(self._api, self._served, names)
        time = time_before_setup()
        changed = ask.get("components") or {}
        components = Components(changed, profile)
        generates_claims = components[CONTROLLER_MANAGER].profile.enabled(_DRA)
        if components[APISERVER].profile.enabled(_DRA) and not generates_claims:
            raise CannotRun(f"without {_DRA} in the controller manager, no probe pod gets its claim")
        if all(binding_counts(components[name].profile) for name in (APISERVER, SCHEDULER)):
            objects = with_allocation_times(objects, time)
        with ExitStack() as stack:
            only_writes = has_only_writes(objects, ask)
            self._start(profile, only_writes=only_writes, alone=alone)
            stack.callback(self._remove, names)
            if self._controls and CONTROLLER_MANAGER in changed and APISERVER not in changed:
                # Controllers generate claims as soon as the pods and templates of the setup exist.
                self._controls.begin(profile, {CONTROLLER_MANAGER: changed[CONTROLLER_MANAGER]})
            put = self._controls.put if self._controls else None
            create_setup(scenario, objects, components[KUBELET].profile, put)
            if not only_writes:
                self._probe.begin() if alone else self._probe.send()
            create_quotas(scenario, objects, put)
            if self._controls and changed:
                self._controls.begin(profile, changed)
                self._served.forget()
            if self._controls is None:
                stack.enter_context(heartbeats(scenario))
            watch = stack.enter_context(ScenarioWatch.open(scenario))
            runs_as = self._controls.kubelet if self._controls else lambda: profile
            kubelet = EmulatedKubelet(self._api, runs_as)
            queues = ComponentQueues(self._controls.metrics) if self._controls else None
            deletions_retried = SchedulerSwitches.of(profile).deletions_retried
            retry = None if deletions_retried else partial(retry_pending_pods, scenario)
            failed = partial(self._controls.failed_writes, names.prefix) if self._controls else lambda: 0
            settling = Settling(watch, kubelet, self._probe, queues, retry, failed)
            begin = None if only_writes else partial(ungate_setup_pods, scenario, objects)
            others = self._other_observations(ask, profile, names) if alone else {}
            if "log" in others:
                stack.callback(self._quiet)
            state = SettledState(scenario, watch, time, others)
            actions = LiveActions(scenario, settling, state, self._controls, runs_as, begin)
            observations = {
                number: actions.do(ask["actions"][number]) for number in run_order(ask["actions"])
            }
            return [observations[number] for number in sorted(observations)]

    def _start(self, profile: Profile, *, only_writes: bool, alone: bool) -> None:
        """Start the components with the profile, which concurrent scenarios share."""
        if self._controls is None:
            return
        with self._starting:
            if only_writes:
                self._controls.serve(profile)
            else:
                self._controls.begin(profile, {})
            if profile != self._serves:
                self._served.forget()
            self._serves = None if alone else profile

    def _other_observations(
        self, ask: Mapping[str, Json], profile: Profile, names: ScenarioNames
    ) -> dict[str, Callable[[], list[Json]]]:
        """Return the functions for those observations of components that the scenario needs and that this
        cluster can give."""
        controls = self._controls
        found: dict[str, Callable[[], list[Json]]] = {}
        if controls is None:
            return found
        metrics = ask.get("metrics") or ()
        if metrics and controls.metrics_with(metrics) is not None:
            counted = not SchedulerSwitches.of(profile).deleted_pods_uncounted
            read = partial(controls.metrics_with, metrics)
            found["metrics"] = MetricDeltas(read, self._probe.count, deleted_pods_counted=counted).observe
        if ask.get("requests") and controls.new_writes() is not None:
            found["requests"] = WriteRequests(lambda: controls.new_writes() or (), names.prefix).observe
        if ask.get("log") and controls.set_verbosity(SCHEDULER, ask["log"]):
            probes = f"{PREFIX}{self._run}/"
            found["log"] = ComponentLog(SCHEDULER, lambda: controls.log(SCHEDULER), probes).observe
        return found

    def _quiet(self) -> None:
        """Set the verbosity of the scheduler's log to that at its start."""
        if self._controls:
            self._controls.set_verbosity(SCHEDULER, 0)

    def _remove(self, names: ScenarioNames) -> None:
        """Remove the objects of a scenario; objects that remain are removed at the end of the run."""
        with suppress(Unreachable):
            if self._controls:
                self._controls.erase(names.prefix)
            else:
                self._cleaning.remove(f"{SCENARIO_LABEL}={names.scenario_id}")


def run_order(actions: Sequence[Json]) -> list[int]:
    """Return the indices of actions in the order in which they run.

    Those that let writes fail come before the other actions of a step, because components work at once and
    not only when the scenario waits for a steady state.
    """
    steps = accumulate((action["do"] in WAITS for action in actions), initial=0)
    keys = [(step, action["do"] != "fail") for step, action in zip(steps, actions, strict=False)]
    return sorted(range(len(actions)), key=keys.__getitem__)
