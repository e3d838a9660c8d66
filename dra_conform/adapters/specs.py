"""The specifications of implementations on the command line, such as `exec:` and `kube:`.

    builtin                              the allocator and the API server that come with the project
    builtin:columns=always               the same, with all quantities computed as columns, or `never`
    python:my.package:Allocator          a class, an object or a function that can be imported (in a process
                                         of its own)
    'exec:./my-adapter --fast'           a process that speaks the wire protocol on stdin and stdout
    cluster:KUBECONFIG#CONTEXT           a real cluster; without #CONTEXT the current one
    kube:v1.37.1                         a control plane of that version, started for the run

The word before the colon is looked up in `SPECS`; what follows it is for the function found there.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial, reduce
from itertools import islice
from pathlib import Path

from dra_conform.adapters.builtin import Builtin
from dra_conform.adapters.exec import ExecImplementation
from dra_conform.adapters.faults import Limits
from dra_conform.adapters.inprocess import InProcessImplementation
from dra_conform.adapters.live.concurrent_scenarios import SIDE_BY_SIDE
from dra_conform.adapters.partial_implementation import PartialImplementation
from dra_conform.conformance.implementation import CannotStart, Implementation
from dra_conform.kube.column_use import ColumnUse


class BadSpec(ValueError):  # noqa: N818 - it reads as what happened
    """`spec` names no implementation."""

    def __init__(self, spec: str, problem: str) -> None:
        super().__init__(problem)
        self.spec = spec


@dataclass(frozen=True, slots=True)
class Opening:
    """What is asked of an implementation beside its spec; None leaves it to the implementation."""

    limits: Limits | None = None
    side_by_side: int | None = None


def open_implementation(
    spec: str, *, limits: Limits | None = None, in_process: bool = False, side_by_side: int | None = None
) -> Implementation:
    """The implementation a spec names, not yet started; raises BadSpec. `limits` are for processes.

    With `in_process`, Python code runs in this process, where a debugger finds it and nothing guards us.
    What is only a part of a cluster can be asked for stories too, as `lifting` has it. `side_by_side` is how
    many stories a cluster is told at the same time; without it, what suits its kind.
    """
    if in_process and spec.startswith("python:"):
        return PartialImplementation(InProcessImplementation(_loader(spec), spec=spec))
    return PartialImplementation(_opened(spec, Opening(limits, side_by_side)))


def open_alone(spec: str) -> InProcessImplementation:
    """What a spec names, for the process that is there for nothing else; raises BadSpec."""
    if spec.partition(":")[0] == "builtin":
        return InProcessImplementation(_load_builtin(spec), spec=spec, alone=True)
    if spec.startswith("python:"):
        return InProcessImplementation(_loader(spec), spec=spec, alone=True)
    raise BadSpec(spec, f"{spec!r} names no implementation in Python, expected {_IN_PYTHON}")


def _opened(spec: str, how: Opening) -> Implementation:
    kind = spec.partition(":")[0]
    if kind not in SPECS:
        raise BadSpec(spec, f"{spec!r} names no implementation, expected {_KNOWN}")
    return SPECS[kind](spec, how)


def _builtin(spec: str, _: Opening) -> Implementation:
    return InProcessImplementation(_load_builtin(spec), spec=spec)


def _load_builtin(spec: str) -> Callable[[], object]:
    """What makes a built-in implementation with the options of a spec; raises BadSpec."""
    known = {"builtin": ColumnUse.BY_SIZE, **{f"builtin:columns={use}": use for use in ColumnUse}}
    if spec not in known:
        raise BadSpec(spec, f"{spec!r} names no implementation, expected {', '.join(map(repr, known))}")
    return partial(Builtin, known[spec])


def _python(spec: str, how: Opening) -> Implementation:
    _loader(spec)
    command = (sys.executable, "-P", "-m", "dra_conform.adapters.serve", spec)
    # It is ours as much as if it ran here: the same modules, and the whole environment.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return ExecImplementation(command, spec=spec, limits=how.limits, environment=environment)


def _exec(spec: str, how: Opening) -> Implementation:
    return ExecImplementation(command_of(spec), spec=spec, limits=how.limits)


def needs_client() -> str:
    """What is wrong where the client of Kubernetes is not installed, which is an extra; else empty."""
    missing = importlib.util.find_spec("kubernetes") is None
    return (
        "the Kubernetes client is not installed, expected: pip install 'dra-conform[live]'" if missing else ""
    )


def _cluster(spec: str, how: Opening) -> Implementation:
    path, _hash, context = spec.removeprefix("cluster").removeprefix(":").partition("#")
    if not path:
        raise BadSpec(spec, f"{spec!r} is incomplete, expected 'cluster:kubeconfig'")
    _need_client(spec)
    from dra_conform.adapters.live.live_cluster import LiveCluster  # noqa: PLC0415 - takes half a second

    return LiveCluster(spec, Path(path).expanduser(), context, how.side_by_side or SIDE_BY_SIDE)


def _kube(spec: str, how: Opening) -> Implementation:
    version = spec.removeprefix("kube").removeprefix(":")
    if not re.fullmatch(r"v1\.\d+\.\d+", version):
        raise BadSpec(spec, f"{spec!r} names no version, expected such as 'kube:v1.37.1'")
    _need_client(spec)
    from dra_conform.adapters.control_plane.implementation import (  # noqa: PLC0415 - likewise
        KubeImplementation,
    )

    return KubeImplementation(version, spec=spec, side_by_side=how.side_by_side or 1)


def _need_client(spec: str) -> None:
    if importlib.util.find_spec("kubernetes") is None:
        raise BadSpec(
            spec, f"{spec!r} needs the Kubernetes client, expected: pip install 'dra-conform[live]'"
        )


SPECS: Mapping[str, Callable[[str, Opening], Implementation]] = {
    "builtin": _builtin,
    "python": _python,
    "exec": _exec,
    "cluster": _cluster,
    "kube": _kube,
}
"""What opens a spec, by the word before its colon."""

_IN_PYTHON = "'builtin' or 'python:module:attribute'"
_KNOWN = (
    "'builtin', 'python:module:attribute', 'exec:command arguments', 'cluster:kubeconfig' or 'kube:version'"
)


def command_of(spec: str) -> tuple[str, ...]:
    """The command of an `exec:` spec, split as a shell splits words; raises BadSpec."""
    if not spec.startswith("exec:"):
        raise BadSpec(spec, f"{spec!r} is not an adapter process, expected 'exec:command arguments'")
    try:
        command = tuple(shlex.split(spec.removeprefix("exec:")))
    except ValueError as error:
        raise BadSpec(spec, f"cannot split the command of {spec!r}: {error}") from None
    if not command or not command[0]:
        raise BadSpec(spec, f"{spec!r} names no command, expected 'exec:command arguments'")
    if "\0" in spec:
        raise BadSpec(spec, "a command cannot hold a NUL character")
    return command


def files_of(spec: str) -> list[Path]:
    """The files and folders that a spec reads or runs, as far as its words name them, for outputs to spare.

    For `python:` the module or package where it would be imported from first. Raises BadSpec.
    """
    kind, _, rest = spec.partition(":")
    if kind == "exec":
        return [path for path in map(Path, command_of(spec)) if path.is_file()]
    if kind == "cluster":
        return [Path(rest.partition("#")[0]).expanduser()]
    if kind == "python":
        name = rest.partition(":")[0].replace(".", "/")
        places = [Path(folder) / name for folder in (str(Path.cwd()), *sys.path)]
        found = (one for place in places for one in (place, Path(f"{place}.py")) if one.exists())
        return list(islice(found, 1))
    return []


def _loader(spec: str) -> Callable[[], object]:
    """What loads the object that a `python:` spec names; raises BadSpec."""
    module, colon, attribute = spec.removeprefix("python").removeprefix(":").partition(":")
    if not (colon and module and attribute) or "\0" in spec:
        raise BadSpec(spec, f"{spec!r} is incomplete, expected 'python:module:attribute'")

    def load() -> object:
        if str(Path.cwd()) not in sys.path and "" not in sys.path:
            sys.path.insert(0, str(Path.cwd()))  # as `python -m` has it
        try:
            found: object = importlib.import_module(module)
        except ModuleNotFoundError as error:
            raise CannotStart(f"{spec}: no module named {error.name!r}") from error
        try:
            return reduce(getattr, attribute.split("."), found)
        except AttributeError:
            raise CannotStart(f"{spec}: {module} has no attribute {attribute!r}") from None

    return load
