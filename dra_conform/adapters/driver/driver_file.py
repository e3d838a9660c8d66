"""The driver file: how to start a DRA driver, and its optional capabilities.

    name: gpu.example.com
    command: [./gpu-kubelet-plugin, --kubeconfig, $KUBECONFIG, --node-name, $NODE]
    env: {CDI_ROOT: $CDI}
    rolling: {env: {POD_UID: $UID}}
    configuration: {good: {…}, bad: {…}}
    state: $PLUGINS/gpu.example.com/checkpoint.json

`$KUBECONFIG`, `$NODE`, `$REGISTRY`, `$PLUGINS`, `$CDI` and `$UID` are replaced in the command and in the
environment. `state` begins with `$PLUGINS/`, because a scenario damages this file.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from string import Template
from typing import Any

import msgspec

from dra_conform.kube.input_files import read_typed_file

VARIABLES = ("KUBECONFIG", "NODE", "REGISTRY", "PLUGINS", "CDI", "UID")
"""The variables that a driver file can use: the path of a kubeconfig, the name of the node, the kubelet's
folders for registration sockets and for plugins, the CDI folder, and a UID for each start."""


FOLDERS = ("given", "built-in")
"""The ways in which a driver gets its folders: given by options or variables, or built-in."""


MAX_CONCURRENCY = 32
"""The maximum number of scenarios that run at the same time."""


class Variant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A variant of the driver: additional environment variables, and optionally another command."""

    env: dict[str, str] = {}
    command: tuple[str, ...] = ()


VARIANTS = (
    "shares",
    "compatibility-groups",
    "other-groups",
    "metadata",
    "without-devices",
    "fewer-devices",
)
"""The variants that a driver file can have, each with the need of scenarios that it satisfies."""


class Rolling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The environment in which two instances of the driver can run at the same time."""

    env: dict[str, str]


class OpaqueConfiguration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Opaque parameters that the driver accepts, and some that it must reject."""

    good: dict[str, Any]
    bad: dict[str, Any]


class DriverFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """The content of a driver file: how to start the driver under test.

    `folders`: `given` if the driver takes its folders from command or environment, `built-in` if it uses
    those of a kubelet, so that it runs in a mount namespace of its own, which needs root.
    `variants`: how to start the driver so that it offers more: shared devices, compatibilityGroups, other
    ones, metadata files, no devices, or fewer devices.
    `startSeconds`: how long the driver may take until it is registered and has published its devices.
    `concurrency`: how many scenarios may run at the same time, each with a node and a driver of its own.
    """

    name: str
    command: tuple[str, ...]
    env: dict[str, str] = {}
    folders: str = "given"
    rolling: Rolling | None = None
    configuration: OpaqueConfiguration | None = None
    state: str = ""
    variants: dict[str, Variant] = {}
    version: str = ""
    homepage: str = ""
    start_seconds: int = 30
    concurrency: int = 1


def read_driver_file(path: Path, *, to_run: bool = False) -> DriverFile:
    """Read a driver file; raises InputErrors and InputError, with the line of each problem.

    `to_run`: whether the programs in it must exist on this machine.
    """
    file, document = read_typed_file(path, DriverFile, "driver")
    for where, message in (*_contradictions(file), *(_missing_programs(file) if to_run else ())):
        raise document.error(where, message)
    return file


def _missing_programs(file: DriverFile) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield the programs in a driver file that cannot be run."""
    commands = {("command", 0): file.command} | {
        ("variants", name, "command", 0): variant.command for name, variant in file.variants.items()
    }
    for where, command in commands.items():
        program = command[0] if command else ""
        if not program or Template(program).get_identifiers():
            continue
        path = Path(program)
        if "/" not in program:
            if not shutil.which(program, path=file.env.get("PATH")):
                yield where, f"{program!r} is not on the PATH, expected the program of the driver"
        elif not path.exists():
            yield where, f"there is no file {str(path.absolute())!r}, expected the program of the driver"
        elif path.is_dir():
            yield where, f"{program!r} is a folder, expected the program of the driver"
        elif not os.access(path, os.X_OK):
            yield where, f"{program!r} is not executable, expected a program (chmod +x)"


def _contradictions(file: DriverFile) -> list[tuple[tuple[str | int, ...], str]]:
    """Yield the errors of a driver file that its types do not exclude."""
    wrong: list[tuple[tuple[str | int, ...], str]] = []
    if not re.fullmatch(rf"(?!.{{64}}){_LABEL}(\.{_LABEL})*", file.name):
        wrong.append((("name",), "is not a driver name, expected a DNS subdomain of at most 63 characters"))
    if not file.command or not file.command[0]:
        wrong.append((("command",), "is empty, expected a program and its arguments"))
    for name in file.variants:
        if name not in VARIANTS:
            wrong.append((("variants", name), f"is unknown, expected one of {', '.join(VARIANTS)}"))
    if file.folders not in FOLDERS:
        wrong.append((("folders",), f"is {file.folders!r}, expected {' or '.join(FOLDERS)}"))
    if not 1 <= file.start_seconds <= 600:
        wrong.append((("startSeconds",), f"is {file.start_seconds}, expected 1 to 600 seconds"))
    if not 1 <= file.concurrency <= MAX_CONCURRENCY:
        wrong.append((("concurrency",), f"is {file.concurrency}, expected 1 to {MAX_CONCURRENCY} scenarios"))
    for where, text in _strings(file):
        if "\0" in text:
            wrong.append((where, "has a NUL byte, expected none"))
        variable = str(where[-1])
        if "env" in where[:-1] and (not variable or "=" in variable or "\0" in variable):
            wrong.append((where, "is not the name of a variable, expected one without '='"))
        unknown = [name for name in Template(text).get_identifiers() if name not in VARIABLES]
        if unknown:
            known = ", ".join(f"${name}" for name in VARIABLES)
            wrong.append((where, f"uses ${unknown[0]}, expected one of {known}"))
    if file.state and (
        not re.match(r"\$(PLUGINS|\{PLUGINS\})/", file.state) or ".." in file.state.split("/")
    ):
        wrong.append((("state",), f"is {file.state!r}, expected a file below $PLUGINS/"))
    return wrong


def _strings(file: DriverFile) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield the strings of a driver file in which variables are replaced."""
    starts: dict[tuple[str | int, ...], Variant] = {(): Variant(file.env, file.command)}
    if file.rolling:
        starts["rolling",] = Variant(file.rolling.env)
    starts |= {("variants", name): variant for name, variant in file.variants.items()}
    for where, start in starts.items():
        yield from (((*where, "command", index), text) for index, text in enumerate(start.command))
        yield from (((*where, "env", name), text) for name, text in start.env.items())
    yield ("state",), file.state


_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_TEMPLATE = """\
# How to start a DRA driver, for `dra-conform run -i driver:FILE`.
#
# Each scenario starts the driver on a node of its own. These words are replaced:
#   $KUBECONFIG  a kubeconfig for the API server     $REGISTRY  the folder for registration sockets
#   $NODE        the name of the node                $PLUGINS   the folder for folders of drivers
#   $CDI         the folder for CDI specs            $UID       a new UID for each start

# The name of the driver, as in its ResourceSlices.
name: {name}

# The program and its options. A relative path begins in the folder where dra-conform is called.
command: {command}

# The variables of the driver. It gets no others but PATH, HOME and the locale.
env:{env}

# `given`: command or variables say where the folders are. `built-in`: the driver uses /var/lib/kubelet and
# /var/run/cdi. It then runs in a mount namespace, which needs root.
folders: {folders}

# Optional parts; without them some scenarios are skipped.
# - variables with which two instances can run at the same time, as in a rolling update
# rolling: {{env: {{POD_UID: $UID}}}}
# - opaque parameters of a ResourceClaim that the driver accepts, and some that it must reject
# configuration: {{good: {{apiVersion: {name}/v1, kind: Config}}, bad: {{unknown: true}}}}
# - the file in which the driver remembers prepared ResourceClaims
# state: $PLUGINS/{plain_name}/checkpoint.json
# - how long the driver may take to register and to publish its devices, in seconds
# startSeconds: 30
# - how many scenarios may run at the same time; more than 1 for a driver without fixed ports and fixed files
# concurrency: 1
"""

_GIVEN = """
  NODE_NAME: $NODE
  CDI_ROOT: $CDI
  KUBELET_REGISTRAR_DIRECTORY_PATH: $REGISTRY
  KUBELET_PLUGINS_DIRECTORY_PATH: $PLUGINS"""
_BUILT_IN = """
  NODE_NAME: $NODE"""


def driver_file_text(name: str, command: Sequence[str], folders: str) -> str:
    """Return a driver file with comments. Its variables are those of the example driver of Kubernetes.

    A driver that gets no kubeconfig by an option of `command` gets the variable KUBECONFIG.
    """
    return _TEMPLATE.format(
        name=_quoted(name),
        plain_name=name,
        command=f"[{', '.join(map(_quoted, command))}]",
        env=_variables(command, folders),
        folders=_quoted(folders),
    )


def _variables(command: Sequence[str], folders: str) -> str:
    """Return the lines of the variables, with KUBECONFIG unless an option of the command has it."""
    given = any("KUBECONFIG" in Template(word).get_identifiers() for word in command)
    kubeconfig = "" if given else "\n  KUBECONFIG: $KUBECONFIG"
    return kubeconfig + (_GIVEN if folders == "given" else _BUILT_IN)


def _quoted(text: str) -> str:
    """Return a string in YAML, quoted unless it is plain."""
    is_plain = re.fullmatch(r"(?!-?$)[A-Za-z_./$-][A-Za-z0-9_./$-]*", text) and text.lower() not in _WORDS
    return text if is_plain else json.dumps(text)


_WORDS = ("true", "false", "yes", "no", "on", "off", "null", "y", "n", "~", ".inf", ".nan", "-.inf")
"""Words that YAML takes for other values than strings."""
