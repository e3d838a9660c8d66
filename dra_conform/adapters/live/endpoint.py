"""The address of a cluster, and the control of its components."""

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


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An API server: its address, with the credentials and the CA that the official library has read."""

    server: str
    configuration: Configuration

    @classmethod
    def of_kubeconfig(cls, path: Path, context: str = "") -> Endpoint:
        """That of a context of a kubeconfig, the current one if none is named; raises CannotStart."""
        try:
            configuration = read_kubeconfig(path, context)
        except InputError as error:
            raise CannotStart(str(error)) from None
        if not configuration.verify_ssl:
            disable_warnings(InsecureRequestWarning)  # as the kubeconfig has it
        return cls(str(configuration.host), configuration)


class Controls(Protocol):
    """What can be done to the components of a cluster. The address of its API server stays the same.

    Components are `apiserver`, `scheduler`, `controller-manager` and `kubelet`, as stories name them; the
    kubelet of the nodes of a story is played, so that there is none to be started again. Each method comes
    back when all components are ready, and raises CannotRun for what cannot be had.
    """

    def begin(self, profile: Profile, components: Mapping[str, Json]) -> None:
        """Let each component run as a profile says, but for those that `components` of a story names."""
        ...

    def serve(self, profile: Profile) -> None:
        """Let the API server run as a profile says; of the others only those that need not start for it."""
        ...

    def set_gates(self, components: Sequence[str], gates: Mapping[str, bool]) -> None:
        """Start components again with some gates switched, the others as they are."""
        ...

    def set_version(self, components: Sequence[str], release: str | None) -> None:
        """Start components of a release (`1.36`), None: that of the profile; what was switched stays so."""
        ...

    def restart(self, components: Sequence[str]) -> None:
        """Start components again as they are."""
        ...

    def kubelet(self) -> Profile:
        """As what the kubelet runs, which is played."""
        ...

    def metrics(self) -> Mapping[str, str]:
        """What scheduler and controllers tell of their metrics, as Prometheus reads it."""
        ...

    def put(self, raw: Json) -> None:
        """Store an object as it is written, neither validated nor defaulted, over what is there."""
        ...

    def erase(self, prefix: str) -> None:
        """Remove everything whose name, or that of its namespace, is this or begins so before `.` or `-`."""
        ...


class CannotRun(Exception):  # noqa: N818 - it reads as what happened
    """The story needs something that this cluster cannot do; the message says what."""
