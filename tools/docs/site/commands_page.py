"""The page of commands, generated from their argument parsers."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from dra_conform.cli.commands import COMMANDS, command_parser
from dra_conform.cli.parsing import CommandParser

HEAD = """# Commands

You want to look up an option. This page has the text of `dra-conform COMMAND --help`. To find a command
for a task, see [commands by task](../how-to/commands.md).

| exit code | meaning |
|---|---|
| 0 | all judged cases pass |
| 1 | a case fails |
| 2 | wrong usage or bad input |
| 3 | the implementation cannot be started |
| 4 | the suite is broken |
| 5 | incomplete: the run was cut short, or judged nothing |
"""


def commands_page() -> str:
    """Return the page of every command with its options."""
    return "\n".join([HEAD, *(line for name in COMMANDS for line in _command(name))]) + "\n"


def _command(name: str) -> Iterator[str]:
    yield from _parser(command_parser(name), f"dra-conform {name}", COMMANDS[name])


def _subparsers(of: CommandParser) -> dict[str, CommandParser]:
    for action in of._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def _parser(parser: CommandParser, name: str, line: str, depth: int = 2) -> Iterator[str]:
    yield f"{'#' * depth} `{name}`"
    yield ""
    text = _filled(parser, parser.description or "") or f"{line[0].upper()}{line[1:]}."
    yield from (_escaped(text), "")
    options = [action for action in parser._actions if action.dest != "help"]
    inner = _subparsers(parser)
    rows = [action for action in options if not isinstance(action, argparse._SubParsersAction)]
    if rows:
        yield from ("| option | meaning |", "|---|---|")
        yield from (f"| `{_spelled(action)}` | {_meaning(parser, action)} |" for action in rows)
        yield ""
    if parser.examples:
        yield from ("```", *parser.examples, "```", "")
    if parser.exit_codes:
        codes = "; ".join(f"{code} {meaning}" for code, meaning in parser.exit_codes.items())
        yield from (f"Exit codes: {_escaped(codes)}.", "")
    for child, child_parser in inner.items():
        yield from _parser(child_parser, f"{name} {child}", child, depth + 1)


def _spelled(action: argparse.Action) -> str:
    value = action.metavar or action.dest.upper()
    if not action.option_strings:
        return str(value)
    names = ", ".join(action.option_strings)
    if action.nargs == 0:
        return names
    return f"{names} {value}" if action.metavar or not action.choices else names


def _meaning(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    text = _filled(parser, action.help or "", action)
    choices = (
        "" if action.metavar or not action.choices else f"; one of {', '.join(map(str, action.choices))}"
    )
    return (_escaped(text).replace("|", "\\|") + choices).replace("\n", " ")


def _filled(parser: argparse.ArgumentParser, text: str, action: argparse.Action | None = None) -> str:
    """Return a help text with the placeholders of argparse replaced."""
    values = {"prog": parser.prog, **(vars(action) if action else {})}
    return text % values if "%" in text else text


def _escaped(text: str) -> str:
    return text.replace("<", "&lt;").replace("*", "\\*")
