"""Specs: the strings that name an implementation on the command line.

    builtin                              the allocator and the API server that come with dra-conform
    builtin:columns=always               the same, with all quantities computed as columns, or `never`
    python:my.package:Allocator          a class, an object or a function to import, in its own process
    'exec:./my-adapter --fast'           a process that speaks the wire protocol on stdin and stdout
    cluster:KUBECONFIG#CONTEXT           a real cluster; without #CONTEXT that of the current context
    kube:v1.37.1                         a control plane of that version, started for the run
    'kube:v1.37.1,scheduler=exec:./my-scheduler --kubeconfig {kubeconfig}'  the same with your scheduler
    kube:control-plane.yaml              the same, with what the file replaces
    driver:driver.yaml                   a DRA driver, started as the file says, with an emulated kubelet
    driver:reference                     the DRA driver that comes with dra-conform
    driver:driver.yaml,world=kube:v1.37.1  the same, on the API server of a real control plane
    'kubelet:exec:./my-kubelet --fast'   a kubelet that reads commands on stdin, with emulated DRA drivers
    kubelet:reference                    the kubelet that comes with dra-conform

`SPECS` has the function that opens a spec, by the word before the colon. Each imports only what its
kind needs, so that the process of a `python:` implementation starts at once.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial, reduce
from itertools import islice
from pathlib import Path

from dra_conform.adapters.faults import Limits
from dra_conform.adapters.inprocess import InProcessImplementation
from dra_conform.conformance.implementation import CannotStart, Implementation
from dra_conform.extras import missing_client_error, missing_grpc_error
from dra_conform.kube.column_use import ColumnUse


class BadSpec(ValueError):  # noqa: N818 - it reads as what happened
    """The spec does not name an implementation; the message contains the spec."""


@dataclass(frozen=True, slots=True)
class OpenOptions:
    """Options for opening an implementation; None means the default of its kind."""

    limits: Limits | None = None
    side_by_side: int | None = None


def open_implementation(
    spec: str, *, limits: Limits | None = None, in_process: bool = False, side_by_side: int | None = None
) -> Implementation:
    """Return the implementation that a spec names, not yet started; raises BadSpec.

    `limits` are for adapter processes. With `in_process` Python code runs in this process, for a debugger,
    without protection against crashes and deadlines; other programs cannot run there. Partial
    implementations can run multi-step scenarios too, see `partial_implementation`. `side_by_side` is the
    number of scenarios that a cluster runs at the same time; the default depends on the kind of spec.
    """
    from dra_conform.adapters.partial_implementation import PartialImplementation

    if in_process and spec.startswith("python:"):
        return PartialImplementation(InProcessImplementation(_loader(spec), spec=spec))
    if in_process and spec.partition(":")[0] in SPECS.keys() - {"builtin"}:
        raise BadSpec(f"{spec!r} cannot run in this process, expected {_IN_PYTHON} with --in-process")
    return PartialImplementation(_opened(spec, OpenOptions(limits, side_by_side)))


def open_for_serving(spec: str) -> InProcessImplementation:
    """Return the Python implementation of a spec for a process that only serves it; raises BadSpec."""
    if spec.partition(":")[0] == "builtin":
        return InProcessImplementation(_load_builtin(spec), spec=spec, alone=True)
    if spec.startswith("python:"):
        return InProcessImplementation(_loader(spec), spec=spec, alone=True)
    raise BadSpec(f"{spec!r} names no implementation in Python, expected {_IN_PYTHON}")


def _opened(spec: str, options: OpenOptions) -> Implementation:
    kind = spec.partition(":")[0]
    if kind not in SPECS:
        program = next(iter(spec.split()), "")
        meant = f", did you mean 'exec:{spec}'?" if shutil.which(program) else ""
        if spec.endswith((".yaml", ".yml")):
            meant = f", did you mean 'driver:{spec}'?"
        raise BadSpec(f"{spec!r} names no implementation, expected {_KNOWN}{meant}")
    return SPECS[kind](spec, options)


def _builtin(spec: str, _: OpenOptions) -> Implementation:
    return InProcessImplementation(_load_builtin(spec), spec=spec)


def _load_builtin(spec: str) -> Callable[[], object]:
    """Return a factory of the built-in implementation with the options of a spec; raises BadSpec."""
    known = {"builtin": ColumnUse.BY_SIZE, **{f"builtin:columns={use}": use for use in ColumnUse}}
    if spec not in known:
        raise BadSpec(f"{spec!r} names no implementation, expected {', '.join(map(repr, known))}")
    from dra_conform.adapters.builtin import builtin_with

    return partial(builtin_with, known[spec])


def _python(spec: str, options: OpenOptions) -> Implementation:
    _loader(spec)
    command = (sys.executable, "-P", "-m", "dra_conform.adapters.serve", spec)
    # The code is as trusted as in this process, so it gets the same modules and the whole environment.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return _process(command, spec, options, environment)


def _exec(spec: str, options: OpenOptions) -> Implementation:
    return _process(command_of(spec), spec, options)


def _process(
    command: tuple[str, ...], spec: str, options: OpenOptions, environment: Mapping[str, str] | None = None
) -> Implementation:
    from dra_conform.adapters.exec import ExecImplementation

    return ExecImplementation(command, spec=spec, limits=options.limits, environment=environment)


def _cluster(spec: str, options: OpenOptions) -> Implementation:
    path, _, context = spec.removeprefix("cluster").removeprefix(":").partition("#")
    if not path:
        raise BadSpec(f"{spec!r} is incomplete, expected 'cluster:kubeconfig'")
    _require(spec, missing_client_error())
    from dra_conform.adapters.live.isolation import DEFAULT_CONCURRENCY
    from dra_conform.adapters.live.live_cluster import LiveCluster

    return LiveCluster(spec, Path(path).expanduser(), context, options.side_by_side or DEFAULT_CONCURRENCY)


def _kube(spec: str, options: OpenOptions) -> Implementation:
    rest = spec.removeprefix("kube").removeprefix(":")
    version, comma, replaced = rest.partition(",")
    if not _VERSION.fullmatch(version) and not _is_file(rest):
        raise BadSpec(f"{spec!r} names no version, expected a spec such as 'kube:v1.37.1'")
    _require(spec, missing_client_error())
    from dra_conform.adapters.control_plane.control_plane_file import (
        ControlPlaneFile,
        inline_component,
        read_control_plane_file,
    )
    from dra_conform.adapters.control_plane.implementation import KubeImplementation
    from dra_conform.adapters.live.isolation import DEFAULT_CONCURRENCY

    if _is_file(rest):
        file = read_control_plane_file(Path(rest).expanduser())
    elif comma:
        name, _, command = replaced.partition("=")
        try:
            file = inline_component(version, name, command_of(command))
        except ValueError as error:
            raise BadSpec(f"{spec!r}: {error}") from None
    else:
        file = ControlPlaneFile(version, {})
    # A failure of a component under test costs the verdict of one scenario only if no other runs.
    default = 1 if file.components else DEFAULT_CONCURRENCY
    return KubeImplementation(file, spec=spec, side_by_side=options.side_by_side or default)


def _driver(spec: str, _: OpenOptions) -> Implementation:
    path, version = _driver_and_version(spec)
    _require(spec, missing_grpc_error())
    from dra_conform.adapters.driver.implementation import DriverImplementation

    if not version:
        return DriverImplementation(path, spec=spec)
    _require(spec, missing_client_error())
    from dra_conform.adapters.driver.kube_world import KubeWorlds

    return DriverImplementation(path, spec=spec, open_worlds=partial(KubeWorlds, version))


def _driver_and_version(spec: str) -> tuple[str, str]:
    """Return the driver file and the control plane's version, empty for the simulated API server."""
    path, separator, world = spec.removeprefix("driver").removeprefix(":").partition(",world=")
    if not path:
        raise BadSpec(f"{spec!r} is incomplete, expected 'driver:driver.yaml'")
    if not separator or world == "light":
        return path, ""
    version = world.removeprefix("kube:")
    if not _VERSION.fullmatch(version) or version == world:
        raise BadSpec(f"{spec!r} has the world {world!r}, expected 'light' or one such as 'kube:v1.37.1'")
    return path, version


def _kubelet(spec: str, options: OpenOptions) -> Implementation:
    rest = spec.removeprefix("kubelet").removeprefix(":")
    command = rest.removeprefix("exec:")
    if not command or (command == rest and rest != "reference"):
        raise BadSpec(f"{spec!r} is incomplete, expected 'kubelet:exec:command' or 'kubelet:reference'")
    _require(spec, missing_grpc_error())
    from dra_conform.adapters.kubelet.implementation import KubeletImplementation

    return KubeletImplementation(command, spec=spec, side_by_side=options.side_by_side)


def _require(spec: str, problem: str) -> None:
    """Raise BadSpec if there is a problem with the packages of an extra."""
    if problem:
        raise BadSpec(f"{spec!r}: {problem}")


SPECS: Mapping[str, Callable[[str, OpenOptions], Implementation]] = {
    "builtin": _builtin,
    "python": _python,
    "exec": _exec,
    "cluster": _cluster,
    "kube": _kube,
    "driver": _driver,
    "kubelet": _kubelet,
}
"""The function that opens a spec, by the word before the colon."""


def _is_file(rest: str) -> bool:
    """Whether the rest of a `kube:` spec names a control plane file."""
    return rest.endswith((".yaml", ".yml", ".json"))


_VERSION = re.compile(r"v1\.\d+\.\d+")
_IN_PYTHON = "'builtin' or 'python:module:attribute'"
_KNOWN = (
    "'builtin', 'python:module:attribute', 'exec:command arguments', 'cluster:kubeconfig', 'kube:version',"
    " 'kube:file', 'driver:file' or 'kubelet:exec:command'"
)


def command_of(spec: str) -> tuple[str, ...]:
    """Return the command of an `exec:` spec, split into words as in a shell; raises BadSpec."""
    if not spec.startswith("exec:"):
        raise BadSpec(f"{spec!r} names no program, expected 'exec:command arguments'")
    try:
        command = tuple(shlex.split(spec.removeprefix("exec:")))
    except ValueError as error:
        raise BadSpec(f"cannot split the command of {spec!r}: {error}") from None
    if not command or not command[0]:
        raise BadSpec(f"{spec!r} names no command, expected 'exec:command arguments'")
    if "\0" in spec:
        raise BadSpec(f"the command of {spec!r} contains a NUL character, expected none")
    return command


def files_of(spec: str) -> list[Path]:
    """Return the files and folders that a spec names, so that outputs do not overwrite them.

    For `python:` it is the file or folder from which the module is imported. Raises BadSpec.
    """
    kind, _, rest = spec.partition(":")
    if kind == "exec":
        return [path for path in map(Path, command_of(spec)) if path.is_file()]
    if kind == "kubelet" and rest.startswith("exec:"):
        return files_of(rest)
    if kind == "kube":
        command = rest.partition("=")[2]
        return [Path(rest).expanduser()] if _is_file(rest) else files_of(command) if command else []
    if kind == "driver":
        return [Path(_driver_and_version(spec)[0]).expanduser()]
    if kind == "cluster":
        return [Path(rest.partition("#")[0]).expanduser()]
    if kind == "python":
        name = rest.partition(":")[0].replace(".", "/")
        candidates = [Path(folder) / name for folder in (str(Path.cwd()), *sys.path)]
        existing = (
            path for candidate in candidates for path in (candidate, Path(f"{candidate}.py")) if path.exists()
        )
        return list(islice(existing, 1))
    return []


def _loader(spec: str) -> Callable[[], object]:
    """Return a function that imports the Python object of a `python:` spec; raises BadSpec."""
    module, colon, attribute = spec.removeprefix("python").removeprefix(":").partition(":")
    if not (colon and module and attribute) or "\0" in spec:
        raise BadSpec(f"{spec!r} is incomplete, expected 'python:module:attribute'")
    if module.startswith(".") or "/" in module:
        raise BadSpec(f"{spec!r} names no module, expected one such as 'python:package.module:Allocator'")

    def load() -> object:
        if str(Path.cwd()) not in sys.path and "" not in sys.path:
            sys.path.insert(0, str(Path.cwd()))  # `python -m` imports from the current folder too.
        try:
            imported: object = importlib.import_module(module)
        except ModuleNotFoundError as error:
            raise CannotStart(f"{spec}: no module named {error.name!r}") from error
        try:
            return reduce(getattr, attribute.split("."), imported)
        except AttributeError:
            raise CannotStart(f"{spec}: {module} has no attribute {attribute!r}") from None

    return load
