"""`dra-conform completion`: print the shell script that completes commands, options and values."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from dra_conform.cli import exits
from dra_conform.cli.parsing import CommandParser


@dataclass(frozen=True, slots=True)
class Completed:
    """Completions of a command: its options with their possible values, and other words.

    The values are None for an option without a value, and empty for an option with any value. Without a
    completion, the shell offers files.
    """

    options: Mapping[str, tuple[str, ...] | None]
    words: tuple[str, ...]


def configure(command: CommandParser) -> None:
    """Describe the command and its options."""
    command.description = (
        "Print a script that completes commands, options and values. In zsh, load it after compinit."
    )
    command.add_argument("shell", choices=_SCRIPTS, metavar="SHELL", help=", ".join(_SCRIPTS))
    command.examples = (
        'eval "$(dra-conform completion bash)"',
        'eval "$(dra-conform completion zsh)"',
        "dra-conform completion fish | source",
    )
    command.set_defaults(command=_command)


def _command(arguments: argparse.Namespace) -> int:
    from dra_conform.cli.commands import COMMANDS, command_parser  # noqa: PLC0415 - a cycle otherwise

    commands = {name: _completed(command_parser(name)) for name in COMMANDS}
    sys.stdout.write("\n".join(_SCRIPTS[arguments.shell](commands, COMMANDS)) + "\n")
    return exits.OK


def _completed(parser: argparse.ArgumentParser) -> Completed:
    options: dict[str, tuple[str, ...] | None] = {}
    words: list[str] = []
    for action in parser._actions:
        choices = tuple(map(str, action.choices)) if action.choices else ()
        for name in action.option_strings:
            options[name] = None if action.nargs == 0 else choices
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                options |= _completed(inner).options
        if not action.option_strings:
            words += choices
    return Completed(options, tuple(words))


Commands = Mapping[str, Completed]


def _bash(commands: Commands, _: Mapping[str, str]) -> Iterator[str]:
    yield "_dra_conform() {"
    yield '  local current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" words=""'
    yield f'  if [ "$COMP_CWORD" -eq 1 ]; then words="{" ".join(commands)} --help --version"'
    yield '  else case "${COMP_WORDS[1]}" in'
    for name, command in commands.items():
        yield f'    {name}) case "$before" in'
        for option, values in command.options.items():
            if values is not None:
                yield f'      {option}) words="{" ".join(values)}" ;;'
        yield f'      *) words="{" ".join((*command.words, *command.options))}" ;;'
        yield "    esac ;;"
    yield "  esac; fi"
    yield '  COMPREPLY=($(compgen -W "$words" -- "$current"))'
    yield "}"
    yield "complete -o default -F _dra_conform dra-conform"


def _zsh(commands: Commands, lines: Mapping[str, str]) -> Iterator[str]:
    """Yield the zsh script."""
    yield "#compdef dra-conform"
    yield "_dra_conform() {"
    yield "  local -a found; local before=${words[CURRENT-1]}"
    yield "  if (( CURRENT == 2 )); then"
    described = " ".join(f"'{name}:{line.replace(':', ' -')}'" for name, line in lines.items())
    yield f"    found=({described}); _describe command found; return"
    yield "  fi"
    yield '  case "${words[2]}" in'
    for name, command in commands.items():
        yield f'    {name}) case "$before" in'
        for option, values in command.options.items():
            if values is not None:
                yield f"      {option}) found=({' '.join(values)}) ;;"
        yield f"      *) found=({' '.join((*command.words, *command.options))}) ;;"
        yield "    esac ;;"
    yield "  esac"
    yield "  compadd -a found; (( ${#found} )) && [[ $PREFIX == -* ]] || _files"
    yield "}"
    yield "compdef _dra_conform dra-conform"


def _fish(commands: Commands, lines: Mapping[str, str]) -> Iterator[str]:
    begin = "complete -c dra-conform"
    for name, line in lines.items():
        yield f"{begin} -n __fish_use_subcommand -f -a {name} -d '{line}'"
    for name, command in commands.items():
        of_command = f"{begin} -n '__fish_seen_subcommand_from {name}'"
        if command.words:
            yield f"{of_command} -a '{' '.join(command.words)}'"
        for option, values in command.options.items():
            kind = f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}"
            taken = "" if values is None else f" -x -a '{' '.join(values)}'" if values else " -r"
            yield f"{of_command} {kind}{taken}"


_SCRIPTS: Mapping[str, Callable[[Commands, Mapping[str, str]], Iterator[str]]] = {
    "bash": _bash,
    "zsh": _zsh,
    "fish": _fish,
}
