"""The probe pod, which fits no node: once it was tried, the scheduler has emptied its queue.

The scheduler takes pods in the order in which they are queued, those that back off after a failed attempt
once nothing else is left. So when a pod that was created after something happened was tried, every pod was
that something happened to. The pod needs a generated claim, so that the controller manager has come round as
well. How long it took says how long reactions take on this cluster now.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace
from typing import Any

from dra_conform.adapters.live.api import Api, Unreachable
from dra_conform.adapters.live.isolation_fields import RUN, STORY
from dra_conform.adapters.live.polling import poll
from dra_conform.adapters.live.resources import RESOURCES
from dra_conform.adapters.live.served_versions import ServedVersions
from dra_conform.adapters.live.single_flight import SingleFlight
from dra_conform.kube.versions import GROUP, V1, from_v1

Json = Any

_TEMPLATE = "canary"
_LOOKS = 1500
"""Half a minute of an idle machine."""


class ProbePod:
    """In a namespace of the run, which must be there."""

    def __init__(self, api: Api, served: ServedVersions, run: str, namespace: str) -> None:
        self._api = api
        self._served = served
        self._labels = {RUN: run}
        self._namespace = namespace
        self.took = 0.0
        """Seconds that the newest one took that came back."""
        self._sent = 0
        self._errand = SingleFlight(self._send_one)

    def count(self) -> int:
        """How many were sent so far."""
        return self._sent

    def begin(self) -> None:
        """Wait for components that may just have been started, and learn how long one takes after that."""
        self.send()
        self.send()

    def send(self) -> float:
        """Seconds from its creation until it was tried; raises Unreachable where it never is.

        Stories that are told side by side share those that they need at the same time.
        """
        return self._errand()

    def _send_one(self) -> float:
        pods = RESOURCES["Pod"].address("v1", self._namespace)
        began = time.monotonic()
        created = self._api.create(pods, self._pod())
        if not created.taken:
            raise Unreachable(f"cannot create a pod in {self._namespace}: {created.message}")
        self._sent += 1
        path = replace(pods, name=created.body["metadata"]["name"])
        try:
            if poll(_LOOKS, lambda: _tried(self._api.get(path).body)):
                self.took = time.monotonic() - began
                return self.took
        finally:
            with suppress(Unreachable):
                self._api.delete(path, now=True)
        raise Unreachable(f"the scheduler does not try a new pod, it was looked for {_LOOKS} times")

    def make_template(self) -> None:
        """The template of its claim, once for the run; the class need not be there."""
        kind = "ResourceClaimTemplate"
        exactly = {"deviceClassName": f"{self._namespace}.{_TEMPLATE}"}
        spec = {"spec": {"devices": {"requests": [{"name": "one", "exactly": exactly}]}}}
        metadata = {"name": _TEMPLATE, "labels": self._labels}
        version = self._served.newest(kind)
        template = {"apiVersion": V1, "kind": kind, "metadata": metadata, "spec": spec}
        path = RESOURCES[kind].address(version, self._namespace)
        made = self._api.create(path, from_v1(template, f"{GROUP}/{version}"))
        if not made.taken:
            raise Unreachable(f"cannot create a template in {self._namespace}: {made.message}")

    def _pod(self) -> Json:
        container = {"name": "main", "image": "none", "resources": {"claims": [{"name": "one"}]}}
        return {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"generateName": "canary-", "labels": self._labels},
            "spec": {
                "containers": [container],
                "resourceClaims": [{"name": "one", "resourceClaimTemplateName": _TEMPLATE}],
                "nodeSelector": {STORY: "none"},
            },
        }


def _tried(pod: Json) -> bool:
    conditions = (pod.get("status") or {}).get("conditions") or ()
    return any(one["type"] == "PodScheduled" for one in conditions)
