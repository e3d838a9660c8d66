"""The control plane file: the release that runs, and the components that replace those of the release, with
placeholders such as `{kubeconfig}`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from dra_conform.cluster_state.components import CONTROLLER_MANAGER
from dra_conform.cluster_state.pods import DEFAULT_SCHEDULER
from dra_conform.conformance.cluster.judged_parts import (
    CLAIM_CONTROLLER,
    EVICTION_CONTROLLER,
    QUOTA_CONTROLLER,
    SCHEDULER,
)
from dra_conform.kube.input_files import read_typed_file
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import PROFILES
from dra_conform.kube.yaml import written

PLACEHOLDERS = ("kubeconfig", "server", "gates", "config", "port", "certificate", "key", "folder")
"""The path of a kubeconfig, the URL of the API server, feature gates as `A=true,B=false`, the path of the
written configuration, a free port on the loopback, the paths of a serving certificate and its key, and a
folder for files of the component."""

_PLACEHOLDER = re.compile(r"\{([A-Za-z_]+)\}")


def placeholders_in(text: str) -> list[str]:
    """Return the names in braces, known or not."""
    return _PLACEHOLDER.findall(text)


def filled(value: Json, values: Mapping[str, str]) -> Json:
    """Return a value with the placeholders in all its strings replaced; keys of maps stay as they are."""
    match value:
        case str():
            return _PLACEHOLDER.sub(lambda match: values.get(match[1], match[0]), value)
        case Mapping():
            return {name: filled(item, values) for name, item in value.items()}
        case list() | tuple():
            return [filled(item, values) for item in value]
        case _:
            return value


def strings_in(value: Json, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield the strings in a value with their paths."""
    if isinstance(value, str):
        yield path, value
        return
    items: Sequence[tuple[str | int, Json]] = ()
    if isinstance(value, Mapping):
        items = list(value.items())
    elif isinstance(value, (list, tuple)):
        items = list(enumerate(value))
    for key, item in items:
        yield from strings_in(item, (*path, key))


Where = tuple[str | int, ...]

RELEASE_CONTROLLERS: Mapping[str, str] = {
    CLAIM_CONTROLLER: "resourceclaim-controller",
    EVICTION_CONTROLLER: "device-taint-eviction-controller",
    QUOTA_CONTROLLER: "resourcequota-controller",
}
"""The controllers that can be replaced, each with its name in kube-controller-manager."""

REPLACEABLE = (SCHEDULER, *RELEASE_CONTROLLERS)
"""The components that can be replaced."""

VERSION = re.compile(r"v1\.\d+\.\d+")
"""The version of a release, such as `v1.37.1`."""

MAX_SECONDS = 600
"""The longest time that a component may take to start."""
_PROBES = ("url", "lease", "log", "alive_seconds")
_SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?")


class ReadinessProbe(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """When a started component is ready; exactly one field is set.

    `url`: it answers GET with 200. `lease`: the Lease `namespace/name` is renewed after the start. `log`: its
    log contains this string. `aliveSeconds`: it has not ended for that time.
    """

    url: str = ""
    lease: str = ""
    log: str = ""
    alive_seconds: int = 0


class ReplacingComponent(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """A component under test, which replaces the same component of the release.

    `release`: the release whose feature gates the component knows, by default that of the control plane.
    `config`: what is written to the file `{config}`. `schedulerName`: the `spec.schedulerName` of pods that
    the scheduler schedules. `manifests`: files and folders that are applied before the start, relative to
    this file. `metrics`: the URL of metrics in Prometheus format. `readySeconds`: how long a start may take.
    """

    command: tuple[str, ...]
    name: str = ""
    version: str = ""
    env: dict[str, str] = {}
    config: dict[str, Any] | None = None
    release: str = ""
    scheduler_name: str = DEFAULT_SCHEDULER
    ready: ReadinessProbe = ReadinessProbe(alive_seconds=3)
    ready_seconds: int = 60
    manifests: tuple[str, ...] = ()
    metrics: str = ""

    @property
    def takes_gates(self) -> bool:
        """Whether feature gates reach the component, so that it restarts when they change."""
        texts = (self.command, self.env, self.config)
        return any("gates" in placeholders_in(text) for _, text in strings_in(texts))

    @property
    def title(self) -> str:
        """The name and the version of the component for reports."""
        return f"{self.name or Path(self.command[0]).name} {self.version}".strip()


class ControlPlaneFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A control plane of a release in which some components are replaced."""

    version: str
    components: dict[str, ReplacingComponent]


def read_control_plane_file(path: Path) -> ControlPlaneFile:
    """Read a control plane file; raises InputErrors and InputError, with the line of each problem."""
    file, document = read_typed_file(path, ControlPlaneFile, "control plane")
    for where, message in contradictions(file):
        raise document.error(where, message)
    return replace(file, components={name: _located(path, one) for name, one in file.components.items()})


def _located(path: Path, component: ReplacingComponent) -> ReplacingComponent:
    """Return the component with its manifests relative to the current folder, not to the file."""
    return replace(component, manifests=tuple(str(path.parent / name) for name in component.manifests))


def contradictions(file: ControlPlaneFile) -> Iterator[tuple[Where, str]]:
    """Yield what the types do not say: the path in the file, and what is wrong."""
    if not VERSION.fullmatch(file.version):
        yield ("version",), f"is {file.version!r}, expected a version such as v1.37.1"
    if not file.components:
        yield ("components",), f"replaces nothing, expected one of {', '.join(REPLACEABLE)}"
    for name, component in file.components.items():
        if name not in REPLACEABLE:
            yield ("components", name), f"cannot be replaced, expected one of {', '.join(REPLACEABLE)}"
        for where, message in _of_component(component):
            yield ("components", name, *where), message
        if name in RELEASE_CONTROLLERS and component.scheduler_name != DEFAULT_SCHEDULER:
            yield ("components", name, "schedulerName"), "is set for a controller, expected only a scheduler"


def _of_component(component: ReplacingComponent) -> Iterator[tuple[Where, str]]:
    if not component.command or not component.command[0]:
        yield ("command",), "is empty, expected a program and its arguments"
    if component.release and f"kubernetes-{component.release}" not in PROFILES:
        yield ("release",), f"is {component.release!r}, expected a known release such as 1.36"
    if not _SUBDOMAIN.fullmatch(component.scheduler_name):
        yield ("schedulerName",), "is not a DNS subdomain, expected a name such as my-scheduler"
    if "-" in component.manifests:
        yield ("manifests", component.manifests.index("-")), "is '-', expected a file or a folder"
    for name in component.env:
        if not name or "=" in name or "\0" in name:
            yield ("env", name), "is not the name of a variable, expected one without '='"
    given = [field for field in _PROBES if getattr(component.ready, field)]
    if len(given) != 1:
        yield ("ready",), f"has {len(given)} probes, expected one of url, lease, log or aliveSeconds"
    if component.ready.lease.count("/") != 1 and component.ready.lease:
        yield ("ready", "lease"), "is not the name of a Lease, expected namespace/name"
    seconds: dict[Where, int] = {("readySeconds",): component.ready_seconds}
    if component.ready.alive_seconds:
        seconds["ready", "aliveSeconds"] = component.ready.alive_seconds
    for where, value in seconds.items():
        if not 1 <= value <= MAX_SECONDS:
            yield where, f"is {value}, expected 1 to {MAX_SECONDS} seconds"
    urls: dict[Where, str] = {("ready", "url"): component.ready.url, ("metrics",): component.metrics}
    for where, url in urls.items():
        if url and not url.startswith(("http://", "https://")):
            yield where, "is not a URL, expected http:// or https://"
    yield from _texts(component)


def _texts(component: ReplacingComponent) -> Iterator[tuple[Where, str]]:
    known = ", ".join(f"{{{name}}}" for name in PLACEHOLDERS)
    texts = {
        "command": component.command,
        "env": component.env,
        "config": component.config,
        "metrics": component.metrics,
        "manifests": component.manifests,
        "ready": {"url": component.ready.url},
    }
    for where, text in strings_in(texts):
        if "\0" in text:
            yield where, "contains a NUL character, expected none"
        for name in placeholders_in(text):
            if name not in PLACEHOLDERS:
                yield where, f"uses {{{name}}}, expected one of {known}"
            elif name == "config" and component.config is None:
                yield where, "uses {config}, expected a field config with what the file contains"


def inline_component(version: str, name: str, command: tuple[str, ...]) -> ControlPlaneFile:
    """Return a control plane with one replaced component; raises ValueError that says what is wrong."""
    file = ControlPlaneFile(version, {name: ReplacingComponent(command)})
    for where, message in contradictions(file):
        raise ValueError(f"{written(where[1:])}: {message}")
    return file


def gates_owner(name: str) -> str:
    """Return the component of a scenario whose feature gates and restarts a component has."""
    return CONTROLLER_MANAGER if name in RELEASE_CONTROLLERS else name
