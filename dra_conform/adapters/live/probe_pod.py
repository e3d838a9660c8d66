"""The probe pod, which fits no node: once the scheduler has tried it, it has tried all pods queued before.

The scheduler tries pods in the order of the queue, and pods in backoff when the queue is empty. So after an
event a new probe pod is tried only after every pod that the event concerns. The pod needs a generated claim,
so the controller manager has handled the event too. The time until the probe pod is tried shows how fast the
cluster reacts now. Concurrent calls share one probe (single flight).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from dra_conform.adapters.live.api import Api, Unreachable
from dra_conform.adapters.live.isolation_fields import RUN_LABEL, SCENARIO_LABEL
from dra_conform.adapters.live.polling import poll
from dra_conform.adapters.live.resources import RESOURCES, Address
from dra_conform.adapters.live.served_versions import ServedVersions
from dra_conform.kube.json_values import Json
from dra_conform.kube.versions import GROUP, V1, from_v1


class SingleFlight:
    """A function whose concurrent calls share one execution.

    A call during an execution waits for the next execution, which it shares with other waiting calls. `run`
    is the function; it returns its duration in seconds.
    """

    def __init__(self, run: Callable[[], float]) -> None:
        self._run = run
        self._condition = threading.Condition()
        self._running = False
        self._started = 0
        self._done = 0
        """The number of the latest successful execution."""
        self._duration = 0.0

    def __call__(self) -> float:
        """Return the duration of an execution that starts after this call.

        If the execution raises an exception, only the caller that runs it gets the exception.
        """
        with self._condition:
            needed = self._started + 1
            while self._running and self._done < needed:
                self._condition.wait()
            if self._done >= needed:
                return self._duration
            self._running = True
            self._started += 1
        try:
            duration = self._run()
        except BaseException:
            self._end(self._done, self._duration)
            raise
        self._end(self._started, duration)
        return duration

    def _end(self, done: int, duration: float) -> None:
        with self._condition:
            self._running, self._done, self._duration = False, done, duration
            self._condition.notify_all()


_TEMPLATE = "probe"
_POLLS = 1500
"""Polls until the probe pod counts as not tried, half a minute on an idle machine."""


class ProbePod:
    """Creates probe pods in the namespace of the run, which must exist."""

    def __init__(self, api: Api, served: ServedVersions, run: str, namespace: str, scheduler: str) -> None:
        self._api = api
        self._served = served
        self._labels = {RUN_LABEL: run}
        self._namespace = namespace
        self._scheduler = scheduler
        self.seconds = 0.0
        """The time of the latest probe pod that was tried."""
        self._sent = 0
        self._single_flight = SingleFlight(self._create_and_wait)

    def count(self) -> int:
        """Return the number of probe pods created so far."""
        return self._sent

    def begin(self) -> None:
        """Wait for components that were just started, then measure how long a probe pod takes."""
        self.send()
        self.send()

    def send(self) -> float:
        """Create a probe pod; return the seconds until it was tried. Raises Unreachable if it is not tried.

        Concurrent scenarios share a probe pod.
        """
        return self._single_flight()

    def _create_and_wait(self) -> float:
        pods = RESOURCES["Pod"].address("v1", self._namespace)
        began = time.monotonic()
        created = self._api.create(pods, self._pod())
        if not created.accepted:
            raise Unreachable(f"cannot create a pod in {self._namespace}: {created.message}")
        self._sent += 1
        path = replace(pods, name=created.body["metadata"]["name"])
        try:
            if poll(_POLLS, lambda: self._tried(path)):
                self.seconds = time.monotonic() - began
                return self.seconds
        finally:
            with suppress(Unreachable):
                self._api.delete(path, now=True)
        raise Unreachable(f"the scheduler did not try the probe pod within {_POLLS} polls")

    def _tried(self, path: Address) -> bool:
        self._api.check()
        return _has_result(self._api.get(path).body)

    def make_template(self) -> None:
        """Create the ResourceClaimTemplate of the probe pods; its DeviceClass does not need to exist."""
        kind = "ResourceClaimTemplate"
        exactly = {"deviceClassName": f"{self._namespace}.{_TEMPLATE}"}
        spec = {"spec": {"devices": {"requests": [{"name": "one", "exactly": exactly}]}}}
        metadata = {"name": _TEMPLATE, "labels": self._labels}
        version = self._served.newest(kind)
        template = {"apiVersion": V1, "kind": kind, "metadata": metadata, "spec": spec}
        path = RESOURCES[kind].address(version, self._namespace)
        created = self._api.create(path, from_v1(template, f"{GROUP}/{version}"))
        if not created.accepted:
            raise Unreachable(
                f"cannot create a ResourceClaimTemplate in {self._namespace}: {created.message}"
            )

    def _pod(self) -> Json:
        container = {"name": "main", "image": "none", "resources": {"claims": [{"name": "one"}]}}
        return {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"generateName": "probe-", "labels": self._labels},
            "spec": {
                "schedulerName": self._scheduler,
                "containers": [container],
                "resourceClaims": [{"name": "one", "resourceClaimTemplateName": _TEMPLATE}],
                "nodeSelector": {SCENARIO_LABEL: "none"},
            },
        }


def _has_result(pod: Json) -> bool:
    conditions = (pod.get("status") or {}).get("conditions") or ()
    return any(condition["type"] == "PodScheduled" for condition in conditions)
