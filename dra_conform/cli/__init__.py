"""The command line. Each command is the module of its name: `configure(parser)` names a function that returns
an exit code: 0 all pass, 1 conformance failures, 2 bad usage or input, 3 the implementation could not be run,
4 the suite is broken, 5 incomplete."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress

from dra_conform.cli.commands import COMMANDS, arguments_of_command, parser
from dra_conform.cli.exits import BROKEN_PIPE, INTERRUPTED, USAGE
from dra_conform.cli.parsing import BadUsage
from dra_conform.cli.printing import printable_streams
from dra_conform.cli.signal_handling import ToldToEnd, told_by_signals
from dra_conform.kube.errors import InputError, InputErrors

__all__ = ["COMMANDS", "main", "parser"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; bad input prints one line a problem on stderr and exits with 2."""
    _open_standard_streams()
    with printable_streams():
        return _command_of(sys.argv[1:] if argv is None else argv)


def _command_of(given: Sequence[str]) -> int:
    try:
        arguments = arguments_of_command(given)
        with told_by_signals():
            code: int = arguments.command(arguments)
            sys.stdout.flush()
    except (BadUsage, InputError) as error:
        print(error, file=sys.stderr)
        return USAGE
    except InputErrors as several:
        print(several, file=sys.stderr)
        return USAGE
    except ToldToEnd as end:
        print(f"dra-conform: ended by {signal.Signals(end.number).name}", file=sys.stderr)
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
