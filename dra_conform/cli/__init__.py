"""The command line. Each command is the module of its name: `configure(parser)` names a function that returns
an exit code: 0 all pass, 1 conformance failures, 2 bad usage or input, 3 the implementation could not be run,
4 the suite is broken, 5 incomplete."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module

from dra_conform import __version__
from dra_conform.cli.ending import ToldToEnd, told_by_signals
from dra_conform.cli.exits import BROKEN_PIPE, INTERRUPTED, USAGE
from dra_conform.cli.printing import printable_streams
from dra_conform.kube.errors import InputError, InputErrors

COMMANDS = {
    "run": "judge implementations against the suite",
    "allocate": "allocate the claims of real manifests with the built-in allocator",
    "schedule": "say where the pods of real manifests would run, with which devices, or why not",
    "admit": "say what the API server would store of manifests, what it drops, and what is wrong where",
    "list": "list what can be selected, with the number of cases",
    "show": "print one case in words, or what it is given as manifests",
    "explain": "put one case to an implementation, and tell what comes of it and why",
    "compare": "say what has changed between two JSON reports",
    "requirements": "list the requirements, their cases, and what is covered",
    "lint": "check the suite itself",
    "fuzz": "put random scenarios to two implementations and compare",
    "schema": "print a JSON Schema: of golden files, requirements, reports, or protocol messages",
    "adapter": "help with writing an adapter",
    "permissions": "print what an account needs to tell stories to a cluster",
    "cleanup": "remove what a run has left on a cluster",
}
"""What each command does, in one line."""


def parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of these arguments: every command with its line, and the options of those that are named."""
    top = argparse.ArgumentParser(
        prog="dra-conform",
        allow_abbrev=False,
        description="Conformance toolkit for Kubernetes Dynamic Resource Allocation (DRA).",
    )
    top.add_argument("--version", action="version", version=f"dra-conform {__version__}")
    commands = top.add_subparsers(metavar="COMMAND", required=True)
    for name, line in COMMANDS.items():
        command = commands.add_parser(name, help=line, allow_abbrev=False)
        if name in arguments:  # to import a command takes longer than most of what it does
            import_module(f"dra_conform.cli.{name}").configure(command)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; bad input prints one line a problem on stderr and exits with 2."""
    _open_standard_streams()
    with printable_streams():
        return _command_of(sys.argv[1:] if argv is None else argv)


def _command_of(given: Sequence[str]) -> int:
    arguments = parser(given).parse_args(given)
    try:
        with told_by_signals():
            code: int = arguments.command(arguments)
            sys.stdout.flush()
    except InputError as error:
        print(error, file=sys.stderr)
        return USAGE
    except InputErrors as several:
        print(several, file=sys.stderr)
        return USAGE
    except ToldToEnd as end:
        return 128 + end.number
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _give_up_output()
        return BROKEN_PIPE
    except OSError as error:  # a full disk behind standard output, a file that vanished
        _give_up_output()
        print(f"dra-conform: {error}", file=sys.stderr)
        return USAGE
    return code


def _open_standard_streams() -> None:
    """Where we were started without one, as by `>&-`: else the first file we open would take its place."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            with suppress(OSError):
                os.fstat(number)
                continue
            mode = "r" if number == 0 else "w"
            os.open(os.devnull, os.O_RDWR)  # it takes the lowest number that is free
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))


def _give_up_output() -> None:
    """Print what can still be printed, and keep the interpreter from trying again at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
