"""The command line.

Each command is a module of the same name; its `configure(parser)` sets a function that returns an exit code:
0 all pass, 1 conformance failures, 2 bad usage or input, 3 the implementation could not be run, 4 the suite
is broken, 5 incomplete.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress

from dra_conform.cli.commands import COMMANDS, arguments_of_command, parser
from dra_conform.cli.exits import BROKEN_PIPE, INTERRUPTED, USAGE, Terminated, signals_raise
from dra_conform.cli.parsing import BadUsage
from dra_conform.cli.printing import discard_if_stuck, printable_streams
from dra_conform.conformance import plugin_entries
from dra_conform.kube.errors import InputError, InputErrors

__all__ = ["COMMANDS", "main", "parser"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code. Bad input prints one line for each problem on stderr."""
    _open_standard_streams()
    with printable_streams():
        return _run_command(sys.argv[1:] if argv is None else argv)


def _run_command(given: Sequence[str]) -> int:
    try:
        plugin_entries.load()
        arguments = arguments_of_command(given)
        with signals_raise():
            code: int = arguments.command(arguments)
            sys.stdout.flush()
    except (BadUsage, InputError, plugin_entries.BadPlugin) as error:
        print(error, file=sys.stderr)
        return USAGE
    except InputErrors as several:
        print(several, file=sys.stderr)
        return USAGE
    except Terminated as end:
        print(f"dra-conform: terminated by {signal.Signals(end.number).name}", file=sys.stderr)
        return 128 + end.number
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        discard_if_stuck(sys.stdout)
        return BROKEN_PIPE
    except OSError as error:  # a full disk behind standard output, a file that vanished
        discard_if_stuck(sys.stdout)
        full = error.errno == errno.ENOSPC and not error.filename
        problem = f"cannot write to standard output: {error.strerror}" if full else error
        print(f"dra-conform: {problem}", file=sys.stderr)
        return USAGE
    return code


def _open_standard_streams() -> None:
    """Open missing standard streams (as after `>&-`), so that no other file takes their descriptors."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            with suppress(OSError):
                os.fstat(number)
                continue
            mode = "r" if number == 0 else "w"
            os.open(os.devnull, os.O_RDWR)  # the kernel assigns the lowest free number
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))
