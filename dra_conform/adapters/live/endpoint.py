"""The API server of a cluster, and the control of its components."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from kubernetes.client import Configuration
from urllib3 import disable_warnings
from urllib3.exceptions import InsecureRequestWarning

from dra_conform.adapters.live.kubeconfig import read_kubeconfig
from dra_conform.conformance.implementation import CannotStart
from dra_conform.kube.errors import InputError
from dra_conform.kube.profile import Profile

Json = Any


@dataclass(slots=True)
class Endpoint:
    """An API server: its URL, and the credentials and CA that the Kubernetes client has loaded.

    `server` may change to another API server of the cluster, which then gets all further requests.
    """

    server: str
    configuration: Configuration

    @classmethod
    def of_kubeconfig(cls, path: Path, context: str = "") -> Endpoint:
        """Load a context of a kubeconfig, by default the current context; raises CannotStart."""
        try:
            configuration = read_kubeconfig(path, context)
        except InputError as error:
            raise CannotStart(str(error)) from None
        if not configuration.verify_ssl:
            disable_warnings(InsecureRequestWarning)  # The kubeconfig asks for it.
        return cls(str(configuration.host), configuration)


class Controls(Protocol):
    """Control of the components of a cluster. It may change the URL of its API server in its endpoint.

    Components are `apiserver`, `scheduler`, `controller-manager` and `kubelet`, as in scenarios. The kubelet
    is emulated, so it does not restart. Each method returns when all components are ready, and raises
    CannotRun if that is impossible.
    """

    def begin(self, profile: Profile, components: Mapping[str, Json]) -> None:
        """Run all components with the profile of a scenario; `components` has the exceptions."""
        ...

    def serve(self, profile: Profile) -> None:
        """Run the API server with the profile, and end all components that do not fit the profile."""
        ...

    def set_gates(self, components: Sequence[str], gates: Mapping[str, bool]) -> None:
        """Restart components with some gates changed."""
        ...

    def set_version(self, components: Sequence[str], release: str | None) -> None:
        """Restart components with a release (`1.36`), None for the profile's release.

        Changed gates stay changed.
        """
        ...

    def restart(self, components: Sequence[str]) -> None:
        """Restart components without changes."""
        ...

    def kubelet(self) -> Profile:
        """Return the profile of the emulated kubelet."""
        ...

    def metrics(self) -> Mapping[str, str] | None:
        """Return the metrics of scheduler and controllers in Prometheus format, by component.

        None: one of them reports no metrics.
        """
        ...

    def put(self, raw: Json) -> None:
        """Store an object without validation and defaults, replacing the existing object."""
        ...

    def erase(self, prefix: str) -> None:
        """Remove all objects whose name or namespace is the prefix, or the prefix followed by `.` or `-`."""
        ...


class CannotRun(Exception):  # noqa: N818 - it reads as what happened
    """The cluster cannot run the scenario or the request; the message says why."""
