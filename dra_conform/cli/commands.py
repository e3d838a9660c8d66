"""The table of commands, and the options of a command from the command line and from a file."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path

from dra_conform import __version__
from dra_conform.cli.parsing import BadUsage, CommandParser, similar_option, suggestion

COMMANDS = {
    "run": "judge implementations against the suite",
    "allocate": "show which devices the ResourceClaims of manifests get",
    "schedule": "show where the pods of manifests would run, with which devices, or why not",
    "usage": "count the quota usage of a cluster, now and after changes",
    "footprint": "count the node resource usage of a cluster, now and after changes",
    "admit": "show what the API server would store from manifests, what it drops, and the errors",
    "upgrade-check": "show what another release stores, allocates, counts or evicts differently",
    "list": "list the values that --select accepts, with the number of cases",
    "show": "print one case with its requirements, or its setup as manifests",
    "explain": "run one case on an implementation, and print the verdict and the reasons",
    "compare": "show the changes between two JSON reports",
    "submit": "write a result for publication, or check published results",
    "requirements": "list the requirements, their cases and their coverage",
    "lint": "check the suite itself",
    "fuzz": "compare two implementations on random scenarios",
    "sweep": "test an implementation with millions of value combinations",
    "schema": "print a JSON Schema: of golden files, requirements, reports, or protocol messages",
    "adapter": "create or check an adapter",
    "plugin": "create a plugin for a KEP with a new field",
    "driver": "write a driver file, or check that a DRA driver registers and prepares a ResourceClaim",
    "completion": "print the shell script that completes commands and options",
    "permissions": "print the RBAC role that a run on a cluster needs",
    "cleanup": "remove the objects that a run has left on a cluster",
}
"""The commands, each with its description."""


def parser(arguments: Sequence[str], known: Iterable[str] = COMMANDS) -> CommandParser:
    """Make the parser of the `known` commands. Only commands that the arguments name get their options."""
    top = CommandParser(
        prog="dra-conform",
        description="Conformance toolkit for Kubernetes Dynamic Resource Allocation (DRA).",
    )
    top.examples = (
        "dra-conform run -i exec:./adapter --level core --html report.html",
        "dra-conform adapter init --lang go my-adapter",
        "dra-conform schedule -f manifests/ --explain",
        "dra-conform COMMAND --help",
    )
    top.add_argument("--version", action="version", version=f"dra-conform {__version__}")
    commands = top.add_subparsers(metavar="COMMAND", required=True)
    for name in known:
        command = commands.add_parser(name, help=COMMANDS[name])
        if name in arguments:  # the import of a command takes longer than its parser
            _configure(name, command)
    return top


def arguments_of_command(given: Sequence[str]) -> argparse.Namespace:
    """Parse arguments and add those of a configuration file. Raises BadUsage and InputError."""
    name = given[0] if given else ""
    if name and not name.startswith("-") and name not in COMMANDS:
        known = ", ".join(COMMANDS)
        message = f"{name!r} is not a command, expected one of {known}{suggestion(name, COMMANDS)}"
        raise BadUsage("dra-conform", message)
    top = parser(given, [name] if name in COMMANDS else COMMANDS)
    try:
        arguments, unknown = top.parse_known_args(given)
    except BadUsage as bad:
        if name not in COMMANDS or " required: " not in bad.args[0]:
            raise
        near = similar_option(command_parser(name).action(given[1:]), given[1:])
        raise BadUsage(bad.program, bad.args[0] + near) from None
    if unknown:
        command = command_parser(name).action(given[1:])
        message = f"unrecognized arguments: {' '.join(unknown)}{similar_option(command, unknown)}"
        raise BadUsage(command.prog, message)
    return _configured(top, given, arguments)


def _configured(
    top: CommandParser, given: Sequence[str], arguments: argparse.Namespace
) -> argparse.Namespace:
    from dra_conform.cli import configuration  # noqa: PLC0415 - --version and --help need no configuration

    name = given[0]
    options = configuration.find(Path.cwd()) if name in configuration.COMMANDS else None
    if options is None:
        return arguments
    own, of_run = command_parser(name), command_parser("run")
    words = list(configuration.arguments_of(options, name, own, of_run))
    return top.parse_args([name, *configuration.without_overridden(words, given[1:], own), *given[1:]])


def command_parser(name: str) -> CommandParser:
    """Make the parser of one command."""
    command = CommandParser(prog=f"dra-conform {name}")
    _configure(name, command)
    return command


def _configure(name: str, command: CommandParser) -> None:
    import_module(f"dra_conform.cli.{name.replace('-', '_')}").configure(command)
