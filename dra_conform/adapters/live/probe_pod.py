"""The probe pod, which fits no node: once the scheduler has tried it, it has tried all pods queued before.

The scheduler tries pods in the order of the queue, and pods in backoff when the queue is empty. So after an
event a new probe pod is tried only after every pod that the event concerns. The pod needs a generated claim,
so the controller manager has handled the event too. The time until the probe pod is tried shows how fast the
cluster reacts now. Concurrent calls share one probe (single flight).

The scheduler watches DeviceClasses apart from pods, and can see them later. After a change of DeviceClasses
the probe pod needs a new DeviceClass: it counts as tried when the scheduler does not miss that any more.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial

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


_KIND = "ResourceClaimTemplate"
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
        self._class_flight = SingleFlight(self._create_class_and_wait)

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

    def send_with_class(self) -> float:
        """Do as `send`, and wait until the scheduler has seen all DeviceClasses that were written so far."""
        return self._class_flight()

    def _create_and_wait(self) -> float:
        return self._wait_for(self._pod(_TEMPLATE), _has_result)

    def _create_class_and_wait(self) -> float:
        template = f"{_TEMPLATE}-{self._sent}"
        name = self._class_of(template)
        with self._created("DeviceClass", name, {}), self._created(_KIND, template, _requests(name)):
            # A scheduler that has not seen the class names it in its message.
            return self._wait_for(self._pod(template), partial(_has_result, without=name))

    def _wait_for(self, pod: Json, tried: Callable[[Json], bool]) -> float:
        """Create a pod and return the seconds until it was tried; remove it."""
        pods = RESOURCES["Pod"].address("v1", self._namespace)
        began = time.monotonic()
        created = self._api.create(pods, pod)
        if not created.accepted:
            raise Unreachable(f"cannot create a pod in {self._namespace}: {created.message}")
        self._sent += 1
        path = replace(pods, name=created.body["metadata"]["name"])
        try:
            if poll(_POLLS, lambda: self._read(path, tried)):
                self.seconds = time.monotonic() - began
                return self.seconds
        finally:
            with suppress(Unreachable):
                self._api.delete(path, now=True)
        raise Unreachable(f"the scheduler did not try the probe pod within {_POLLS} polls")

    def _read(self, path: Address, tried: Callable[[Json], bool]) -> bool:
        self._api.check()
        return tried(self._api.get(path).body)

    def make_template(self) -> None:
        """Create the ResourceClaimTemplate of the probe pods; its DeviceClass does not need to exist."""
        self._create(_KIND, _TEMPLATE, _requests(self._class_of(_TEMPLATE)))

    def _class_of(self, template: str) -> str:
        return f"{self._namespace}.{template}"

    @contextmanager
    def _created(self, kind: str, name: str, spec: Json) -> Iterator[None]:
        """Create an object and remove it at the end."""
        path = self._create(kind, name, spec)
        try:
            yield
        finally:
            with suppress(Unreachable):
                self._api.delete(path, now=True)

    def _create(self, kind: str, name: str, spec: Json) -> Address:
        version = self._served.newest(kind)
        metadata = {"name": name, "labels": self._labels}
        raw = {"apiVersion": V1, "kind": kind, "metadata": metadata, "spec": spec}
        path = RESOURCES[kind].address(version, self._namespace)
        created = self._api.create(path, from_v1(raw, f"{GROUP}/{version}"))
        if not created.accepted:
            raise Unreachable(f"cannot create a {kind} in {self._namespace}: {created.message}")
        return replace(path, name=name)

    def _pod(self, template: str) -> Json:
        container = {"name": "main", "image": "none", "resources": {"claims": [{"name": "one"}]}}
        return {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"generateName": "probe-", "labels": self._labels},
            "spec": {
                "schedulerName": self._scheduler,
                "containers": [container],
                "resourceClaims": [{"name": "one", "resourceClaimTemplateName": template}],
                "nodeSelector": {SCENARIO_LABEL: "none"},
            },
        }


def _requests(class_name: str) -> Json:
    """Return the spec of a ResourceClaimTemplate for one device of a class."""
    exactly = {"deviceClassName": class_name}
    return {"spec": {"devices": {"requests": [{"name": "one", "exactly": exactly}]}}}


def _has_result(pod: Json, without: str = "") -> bool:
    """Whether the scheduler has tried the pod; with `without`, in a message that does not have this name."""
    conditions = (pod.get("status") or {}).get("conditions") or ()
    messages = [one.get("message", "") for one in conditions if one["type"] == "PodScheduled"]
    return bool(messages) and not (without and without in messages[0])
