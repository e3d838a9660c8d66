"""Argument parsers that suggest similar values, and raise where argparse would end the process. Also the
option --wait, a time in seconds."""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NoReturn

from dra_conform.kube.listing import quoted

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

_COMMAND = re.compile(r"`[^`]*`")
"""A command in the text of a help."""
_LONGEST = 366 * 24 * 60 * 60
"""The maximum of simulated seconds, one year."""


def add_wait_option(command: argparse.ArgumentParser, what: str) -> None:
    """Add the option with its help text `what`."""
    command.add_argument("--wait", type=_seconds, default=0, metavar="SECONDS", help=what)


def add_filename_option(
    command: argparse.ArgumentParser | argparse._MutuallyExclusiveGroup,
    objects: str = "manifests",
    *,
    required: bool = True,
) -> None:
    """Add the option for `objects` in files to a command, or to options of which one is required."""
    command.add_argument(
        "-f",
        "--filename",
        action="append",
        default=[],
        required=required,
        metavar="PATH",
        help=f"{objects}: a file, a directory, or - for standard input; may be repeated",
    )


def _seconds(text: str) -> int:
    if not (text.isdecimal() and text.isascii() and len(text) < 12 and int(text) <= _LONGEST):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds, expected 0 to {_LONGEST}")
    return int(text)


class BadUsage(Exception):  # noqa: N818 - the name says what happened
    """An error in the arguments of a command."""

    def __init__(self, program: str, message: str) -> None:
        super().__init__(message)
        self.program = program

    def __str__(self) -> str:
        return f"{self.program}: {self.args[0]} (see {self.program} --help)"


class HelpLines(argparse.HelpFormatter):
    """A formatter of help texts that breaks no line within a command in quotes or at a hyphen."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        kept = _COMMAND.sub(lambda command: command[0].replace(" ", "\xa0"), " ".join(text.split()))
        lines = textwrap.wrap(kept, width, break_on_hyphens=False, break_long_words=False)
        return [line.replace("\xa0", " ") for line in lines]

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        lines = (line for part in text.split("\n") for line in self._split_lines(part, width - len(indent)))
        return "\n".join(f"{indent}{line}" for line in lines)


class CommandParser(argparse.ArgumentParser):
    """A parser that raises BadUsage and accepts no abbreviated options.

    Its help ends with `examples`, lines to paste into a shell, and with the meaning of its `exit_codes`.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"allow_abbrev": False, "formatter_class": HelpLines, **options})
        self.examples: Sequence[str] = ()
        self.exit_codes: Mapping[int, str] = {}

    def format_help(self) -> str:
        parts = [super().format_help()]
        if self.examples:
            parts.append("examples:\n" + "".join(f"  {line}\n" for line in self.examples))
        if self.exit_codes:
            codes = (f"  {code}  {meaning}\n" for code, meaning in self.exit_codes.items())
            parts.append("exit codes:\n" + "".join(codes))
        return "\n".join(parts)

    def error(self, message: str) -> NoReturn:
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction) and message.endswith(f": {action.metavar}"):
                message += f", expected one of {', '.join(action.choices)}"
        raise BadUsage(self.prog, message)

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        """Write a help or the version. Raises OSError, which argparse ignores, as for a full disk."""
        (file or sys.stderr).write(message)
        sys.stdout.flush()

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """Raise ArgumentError for an option with the value `--`, which argparse drops."""
        if action.option_strings and action.nargs is None and arg_strings == ["--"]:
            raise argparse.ArgumentError(action, "is '--', expected a value")
        return super()._get_values(action, arg_strings)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Raise ArgumentError for a value that is none of the choices, or for such an item of a list."""
        for each in value if isinstance(value, list) else [value]:
            if action.choices is not None and each not in action.choices:
                if not isinstance(value, list) and set(str(each).split(",")) <= set(map(str, action.choices)):
                    raise argparse.ArgumentError(action, f"is {each!r}, expected only one of them")
                known = ", ".join(map(str, action.choices))
                near = suggestion(str(each), map(str, action.choices))
                raise argparse.ArgumentError(action, f"invalid choice: {each!r} (choose from {known}){near}")

    def action(self, given: Iterable[str]) -> CommandParser:
        """Return the parser of the action that the arguments name, such as `init`, or this one."""
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                return next((action.choices[word] for word in given if word in action.choices), self)
        return self

    def options(self) -> list[str]:
        """Return the long options."""
        return [name for action in self._actions for name in action.option_strings if name.startswith("--")]


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return `, did you mean ...?` if a known word is similar or only lacks its prefix, otherwise nothing.

    So `1.37`, `v1.37` and `1.37.1` suggest kubernetes-1.37. A word with a version suggests no other version.
    """
    version = re.search(r"\d+\.\d+", word)
    names = [name for name in known if not version or version[0] in name]
    bare = re.sub(r"^v?(\d+\.\d+)(\.\d+)?$", r"\1", word)
    ending = [name for name in names if name.endswith(f"-{bare}")]
    near = ending if len(ending) == 1 else get_close_matches(word, names, 1)
    return f", did you mean {near[0]}?" if near else ""


def similar_option(parser: CommandParser, given: Iterable[str]) -> str:
    """Return the suggestion for the first unknown option that is similar to one of the parser."""
    known = [name.removeprefix("--") for name in parser.options()]
    options = (word.partition("=")[0].lstrip("-") for word in given if word.startswith("-"))
    near = (suggestion(word, known) for word in options if word not in known)
    return next((hint.replace("mean ", "mean --") for hint in near if hint), "")


def positive(text: str) -> int:
    """Parse a positive integer, as the type of an argument."""
    number = natural_number(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number, expected 1 or more")
    return number


def natural_number(text: str) -> int:
    """Parse an integer that is not negative, as the type of an argument."""
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is not a number, expected 0 or more")
    return whole_number(text)


def whole_number(text: str) -> int:
    """Parse an integer, as the type of an argument."""
    try:
        return int(text)
    except ValueError:  # also for more digits than Python converts
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not a whole number") from None
