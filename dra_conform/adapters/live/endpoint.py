"""The API server of a cluster, found by a kubeconfig file, and the control of its components. The structure
of the file is checked here, credentials are loaded by the Kubernetes client."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import msgspec
from kubernetes.client import Configuration
from kubernetes.config import load_kube_config
from urllib3 import disable_warnings
from urllib3.exceptions import InsecureRequestWarning

from dra_conform.conformance.implementation import CannotStart
from dra_conform.kube.errors import InputError
from dra_conform.kube.input_files import read_input
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import DecodeErrors, decode_as
from dra_conform.kube.profile import Profile
from dra_conform.kube.yaml import parse_yaml


class _Cluster(msgspec.Struct, frozen=True, rename="kebab"):
    server: str
    certificate_authority: str = ""
    certificate_authority_data: str = ""
    insecure_skip_tls_verify: bool = False
    tls_server_name: str = ""
    proxy_url: str = ""


class _User(msgspec.Struct, frozen=True, rename="kebab"):
    client_certificate: str = ""
    client_certificate_data: str = ""
    client_key: str = ""
    client_key_data: str = ""
    token: str = ""
    token_file: str = msgspec.field(name="tokenFile", default="")
    username: str = ""
    password: str = ""
    exec: dict[str, Json] | None = None
    auth_provider: dict[str, Json] | None = None


class _Context(msgspec.Struct, frozen=True):
    cluster: str
    user: str
    namespace: str = ""


class _NamedCluster(msgspec.Struct, frozen=True):
    name: str
    cluster: _Cluster


class _NamedUser(msgspec.Struct, frozen=True):
    name: str
    user: _User


class _NamedContext(msgspec.Struct, frozen=True):
    name: str
    context: _Context


class _Kubeconfig(msgspec.Struct, frozen=True, rename="kebab"):
    clusters: tuple[_NamedCluster, ...]
    contexts: tuple[_NamedContext, ...]
    users: tuple[_NamedUser, ...] = ()
    current_context: str = ""


def read_kubeconfig(path: Path, context: str = "") -> Configuration:
    """Load a context of a kubeconfig, by default the current context; raises InputError."""
    _check(path)
    configuration = Configuration()
    try:
        load_kube_config(str(path), context or None, configuration, persist_config=False)
    except Exception as error:
        # The client reads certificates and runs exec plugins, which may raise any exception.
        raise InputError(str(path), None, "", f"{type(error).__name__}: {error}") from None
    return configuration


def _check(path: Path) -> None:
    """Raise InputError unless the file has the structure of a kubeconfig."""
    file = str(path)
    if path.is_fifo():  # A pipe can be read only once, and the client must read it too.
        raise InputError(file, None, "", "is a pipe, expected a kubeconfig")
    try:
        text = read_input(path).decode("utf-8")
    except OSError as error:
        message = f"cannot be read: {error.strerror or error}, expected a kubeconfig"
        raise InputError(file, None, "", message) from None
    except UnicodeDecodeError:
        raise InputError(file, None, "", "is not UTF-8, expected a kubeconfig") from None
    documents = parse_yaml(text, file)
    if len(documents) != 1:
        raise InputError(file, None, "", f"has {len(documents)} documents, expected one kubeconfig")
    try:
        decode_as(_Kubeconfig, documents[0].value)
    except DecodeErrors as error:
        problem = error.problems[0]
        raise documents[0].error(problem.path, problem.message) from None


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


@dataclass(frozen=True, slots=True)
class SentWrite:
    """A write request that a component has sent, as an API server has logged it.

    `verb` is `create`, `update`, `patch` or `delete`, `resource` for example `pods/status`.
    """

    component: str
    verb: str
    resource: str
    namespace: str
    name: str


@dataclass(frozen=True, slots=True)
class RejectedWrite:
    """A write by the scheduler or a controller that is rejected on purpose, with a reason such as `Conflict`.

    `verb` is `create`, `update` (also for patches) or `delete`, `resource` for example `pods/status`.
    """

    verb: str
    resource: str
    reason: str


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

    def metrics_with(self, names: Sequence[str]) -> Mapping[str, str] | None:
        """Return the metrics of all components that have metrics of these names.

        None: one of them reports no metrics.
        """
        ...

    def new_writes(self) -> Sequence[SentWrite] | None:
        """Return the write requests of the scheduler since the last call, None if they are not known."""
        ...

    def fail_writes(self, scenario: str, namespaces: Sequence[str], write: RejectedWrite, times: int) -> None:
        """Let the next writes of components in the namespaces of a scenario fail, until it is erased.

        `scenario` is the prefix of its names.
        """
        ...

    def failed_writes(self, scenario: str) -> int:
        """Return how many writes have failed that `fail_writes` let fail in a scenario."""
        ...

    def set_verbosity(self, component: str, verbosity: int) -> bool:
        """Set the verbosity of the log of a component, also after restarts; return False if that failed."""
        ...

    def log(self, component: str) -> str:
        """Return the log of a component so far."""
        ...

    def check_running(self) -> None:
        """Raise an exception of the controls if a component, not the API server, has ended by itself."""
        ...

    def put(self, raw: Json) -> None:
        """Store an object without validation and defaults, replacing the existing object."""
        ...

    def erase(self, prefix: str) -> None:
        """Remove all objects whose name or namespace is the prefix, or the prefix followed by `.` or `-`."""
        ...


class CannotRun(Exception):  # noqa: N818 - it reads as what happened
    """The cluster cannot run the scenario or the request; the message says why."""
