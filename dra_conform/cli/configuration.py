"""Options from a file: `dra-conform.yaml`, or `[tool.dra-conform]` in `pyproject.toml`.

The file names options of `run` without dashes. `list`, `show` and `explain` use those options of the file
that they have too. Options of the command line override the file.
"""

from __future__ import annotations

import argparse
import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from dra_conform.cli.parsing import BadUsage, CommandParser, suggestion
from dra_conform.kube.errors import InputError
from dra_conform.kube.json_values import Json
from dra_conform.kube.scalars import Number
from dra_conform.kube.yaml import parse_yaml

FILE = "dra-conform.yaml"
_PROJECT = "pyproject.toml"
_TABLE = "tool.dra-conform"

COMMANDS = ("run", "list", "show", "explain")
"""The commands that read the file."""

_NOT_HERE = frozenset({"help", "update", "reason", "resume", "shard", "list", "plan", "exitfirst"})
"""Options of a single run, which the configuration file must not have."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """The options of a file, each with its value and line."""

    file: Path
    options: Mapping[str, tuple[Json, int]]
    path: str = ""
    """The path of the options inside the file."""

    def error(self, name: str, message: str) -> InputError:
        """Make an error with the line of an option."""
        where = f"{self.path}.{name}" if self.path else name
        return InputError(_shown(self.file), self.options[name][1], where, message)


def find(folder: Path) -> Configuration | None:
    """Return the configuration of a folder or its nearest parent that has one. Raises InputError."""
    for place in (folder, *folder.parents):
        own, project = place / FILE, place / _PROJECT
        configurations = [
            candidate for candidate in (_of_yaml(own), _of_project(project)) if candidate is not None
        ]
        if len(configurations) > 1:
            message = f"exists together with {_TABLE} in {_PROJECT}, expected only one of them"
            raise InputError(_shown(own), None, "", message)
        if configurations:
            return configurations[0]
    return None


def arguments_of(
    configuration: Configuration, command: str, parser: CommandParser, of_run: CommandParser
) -> Iterator[str]:
    """Yield the options as arguments of a command.

    Raises InputError for an option that `run` does not have.
    """
    for name, (value, _) in configuration.options.items():
        option = f"--{name}"
        if option not in of_run.options() or name in _NOT_HERE:
            known = [option[2:] for option in of_run.options() if option[2:] not in _NOT_HERE]
            raise configuration.error(
                name, f"is not an option, expected one of {', '.join(known)}{suggestion(name, known)}"
            )
        words = list(_words(configuration, of_run, name, value))
        try:
            of_run.parse_args(words)
        except BadUsage as bad:
            raise configuration.error(name, str(bad.args[0]).partition(": ")[2]) from None
        if option in parser.options():
            if command == "explain" and name == "implementation" and len(words) > 2:
                continue  # explain runs a case on one implementation
            yield from words


def _words(configuration: Configuration, of_run: CommandParser, name: str, value: Json) -> Iterator[str]:
    action = next(action for action in of_run._actions if f"--{name}" in action.option_strings)
    several = isinstance(action, argparse._AppendAction)
    if action.nargs == 0:
        if not isinstance(value, bool):
            raise configuration.error(name, f"is {value!r}, expected true or false")
        yield from [f"--{name}"] if value else []
        return
    for item in value if several and isinstance(value, list) else [value]:
        if isinstance(item, bool) or not isinstance(item, (str, int, float, Number)):
            raise configuration.error(
                name, f"is {item!r}, expected a string{' or a list' if several else ''}"
            )
        text = str(item)
        if name in _path_options() and text != "-":
            folder = "/" if text.endswith("/") else ""
            text = _shown(configuration.file.parent / text) + folder
        yield f"--{name}={text}"


@cache
def _path_options() -> Set[str]:
    """Return the options whose values are paths, relative to the folder of the file."""
    from dra_conform.cli.run_options import REPORTS  # noqa: PLC0415 - imports all reports

    return {"suite", "expect", "report-dir", *REPORTS}


def without_overridden(words: Sequence[str], given: Sequence[str], parser: CommandParser) -> list[str]:
    """Return the arguments from a file without the options that the command line sets under any name."""
    names = {name: action.option_strings for action in parser._actions for name in action.option_strings}
    taken = {other for word in given for name in [word.partition("=")[0]] for other in names.get(name, ())}
    if any(word.startswith("-i") and not word.startswith("--") for word in given):  # as in -iSPEC
        taken.add("--implementation")
    return [word for word in words if word.partition("=")[0] not in taken]


def _of_yaml(path: Path) -> Configuration | None:
    text = _text(path)
    if text is None:
        return None
    documents = parse_yaml(text, _shown(path))
    if len(documents) > 1 or (documents and not isinstance(documents[0].value, dict)):
        raise InputError(_shown(path), 1, "", "is not a mapping, expected options of `run` with their values")
    if not documents:
        return Configuration(path, {})
    document = documents[0]
    return Configuration(
        path, {str(name): (value, document.line_of((name,))) for name, value in document.value.items()}
    )


def _of_project(path: Path) -> Configuration | None:
    text = _text(path, _TABLE)
    if text is None:
        return None
    try:
        tools = tomllib.loads(text).get("tool")
        table = tools.get("dra-conform") if isinstance(tools, dict) else None
        repr(table)  # raises ValueError for an integer of more than 4300 digits, which nothing can print
    except RecursionError:
        raise InputError(_shown(path), None, "", "is nested too deeply, expected options of `run`") from None
    except ValueError as error:  # also TOMLDecodeError
        raise InputError(_shown(path), None, "", f"is not valid TOML: {error}") from None
    if table is None:
        return None
    if not isinstance(table, dict):
        raise InputError(_shown(path), None, _TABLE, "is not a table, expected options of `run`")
    begin = text.find(f"[{_TABLE}]")
    options = {name: (value, _line(text, begin, name)) for name, value in table.items()}
    return Configuration(path, options, _TABLE)


def _line(text: str, begin: int, name: str) -> int:
    """Return the line of a key in its table, or the line of the table if the key is not found."""
    match = re.compile(rf"^\s*[\"']?{re.escape(name)}[\"']?\s*=", re.MULTILINE).search(text, max(begin, 0))
    place = match.end() if match else max(begin, 0)
    return text.count("\n", 0, place) + 1


def _text(path: Path, part: str = "") -> str | None:
    """Return the string of a file, or None if there is no such file with this part.

    Raises InputError, also for a file of another user, whose options could start any program. The owner of
    the current folder is trusted, because root in a container often runs in a checkout of another user.
    """
    try:
        if not path.is_file():
            return None
        with path.open(encoding="utf-8") as stream:
            text = stream.read()
            owners = {path.lstat().st_uid, os.fstat(stream.fileno()).st_uid}
        trusted = {0, os.geteuid(), Path.cwd().stat().st_uid}
    except OSError as error:
        raise InputError(_shown(path), None, "", f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(_shown(path), None, "", "is not UTF-8, expected UTF-8 text") from None
    if part not in text:
        return None
    if not owners <= trusted:
        message = "belongs to another user, expected a file of yours or of the owner of the current folder"
        raise InputError(_shown(path), None, "", message)
    return text


def _shown(path: Path) -> str:
    """Return a path relative to the current folder, if it is inside."""
    current = Path.cwd()
    return str(path.relative_to(current)) if path.is_relative_to(current) else str(path)
