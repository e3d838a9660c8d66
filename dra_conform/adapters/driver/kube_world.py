"""The API servers of real control planes, for drivers under test. Needs the extra `live`."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any
from urllib.parse import urlsplit

from dra_conform.adapters.control_plane.control_plane import ControlPlane
from dra_conform.adapters.control_plane.host import ComponentFailed
from dra_conform.adapters.control_plane.initial_objects import namespace
from dra_conform.adapters.control_plane.processes import SupervisorEnded
from dra_conform.adapters.control_plane.programs import NotBuilt, check_profile, release_of
from dra_conform.adapters.driver.claims import NAMESPACE
from dra_conform.adapters.driver.tcp_proxy import TCPProxy
from dra_conform.adapters.driver.world import CannotOpen, World, WorldError
from dra_conform.adapters.live.api import Api, Unreachable
from dra_conform.adapters.live.api_answers import Answer
from dra_conform.adapters.live.endpoint import CannotRun
from dra_conform.adapters.live.resources import RESOURCES, Address
from dra_conform.adapters.live.write_guards import EveryWrite
from dra_conform.cluster_state.components import APISERVER
from dra_conform.cluster_state.object_keys import key_of
from dra_conform.conformance.implementation import CannotStart
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile


class KubeWorlds:
    """The control planes of a run, one for each scenario that is in progress; only their API servers run.

    The first control plane starts at once and raises CannotStart, others start when a scenario needs one.
    """

    def __init__(self, version: str) -> None:
        self._version = version
        self._release = release_of(version)
        self._started: list[_Plane] = []
        self._idle: SimpleQueue[_Plane] = SimpleQueue()
        try:
            self._idle.put(self._start())
        except (NotBuilt, ComponentFailed, OSError) as error:
            raise CannotStart(str(error)) from None

    def open(self, profile: Profile) -> World:
        """Run an API server with the release and gates of the profile; raises CannotOpen and WorldError."""
        try:
            plane = self._idle.get_nowait()
        except Empty:
            try:
                plane = self._start()
            except (ComponentFailed, OSError) as error:
                raise WorldError(str(error)) from None
        try:
            check_profile(self._release, profile)
            plane.control.run_only((APISERVER,), profile)
        except CannotRun as error:
            self._idle.put(plane)
            raise CannotOpen(str(error)) from None
        except SupervisorEnded as error:
            raise WorldError(str(error)) from None
        return KubeWorld(plane.control, plane.api, lambda: self._idle.put(plane))

    def close(self) -> None:
        """End the control planes."""
        for plane in self._started:
            plane.api.close()
            plane.control.close()

    def _start(self) -> _Plane:
        control = ControlPlane(self._version, one_api_server=True)
        plane = _Plane(control, Api(control.endpoint, EveryWrite()))
        self._started.append(plane)
        return plane


@dataclass(frozen=True, slots=True)
class _Plane:
    """A control plane with a client of its API server."""

    control: ControlPlane
    api: Api


class KubeWorld:
    """The API server for one scenario. The driver reaches it through a proxy, which can be interrupted.

    `release` is called when the scenario has ended and the API server has none of its objects.
    """

    def __init__(self, plane: ControlPlane, api: Api, release: Callable[[], None]) -> None:
        self._plane = plane
        self._api = api
        self._release = release
        url = urlsplit(plane.endpoint.server)
        self._proxy = TCPProxy(url.hostname or "127.0.0.1", url.port or 443)

    def write_kubeconfig(self, path: Path) -> None:
        config = json.loads(self._plane.kubeconfig.read_text())
        for entry in config["clusters"]:
            authority = Path(entry["cluster"].pop("certificate-authority")).read_bytes()
            entry["cluster"]["certificate-authority-data"] = base64.b64encode(authority).decode()
            entry["cluster"]["server"] = f"https://127.0.0.1:{self._proxy.port}"
        path.write_text(json.dumps(config), encoding="utf-8")

    def get(self, kind: str, name: str, namespace: str = "") -> Json | None:
        answer = self._asked("get", _address(kind, namespace, name))
        return answer.body if answer.accepted else None

    def objects(self, kind: str) -> list[Json]:
        answer = self._written("get", _address(kind))
        return [
            {**item, "kind": kind, "apiVersion": answer["apiVersion"]} for item in answer.get("items") or ()
        ]

    def create(self, raw: Json) -> Json:
        return self._written("create", _address(raw["kind"], _namespace(raw)), raw)

    def update(self, raw: Json, subresource: str = "") -> Json:
        address = _address(raw["kind"], _namespace(raw), raw["metadata"]["name"], subresource)
        return self._written("replace", address, raw)

    def delete(self, kind: str, name: str, namespace: str = "") -> None:
        self._asked("delete", _address(kind, namespace, name), now=True)

    def stop_answering(self) -> None:
        self._proxy.interrupt()

    def answer_again(self) -> None:
        self._proxy.resume()

    def restart(self, gates: Mapping[str, bool]) -> None:
        try:
            self._plane.set_gates((APISERVER,), gates)
        except CannotRun as error:
            raise WorldError(str(error)) from None

    def close(self) -> None:
        self._proxy.close()
        self._plane.store.clear(kind for kind in RESOURCES if kind != "Namespace")
        self._plane.store.put(key_of("Namespace", NAMESPACE), namespace(NAMESPACE, {}))
        self._release()

    def _asked(self, verb: str, *arguments: Any, **named: Any) -> Answer:
        try:
            answer: Answer = getattr(self._api, verb)(*arguments, **named)
        except (Unreachable, CannotRun) as error:
            raise WorldError(str(error)) from None
        return answer

    def _written(self, verb: str, *arguments: Any) -> Json:
        answer = self._asked(verb, *arguments)
        if not answer.accepted:
            raise WorldError(f"{answer.reason}: {answer.message}")
        return answer.body


def _address(kind: str, namespace: str = "", name: str = "", subresource: str = "") -> Address:
    return RESOURCES[kind].address("v1", namespace, name, subresource)


def _namespace(raw: Json) -> str:
    name: str = raw["metadata"].get("namespace", "")
    return name
