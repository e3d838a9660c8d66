"""The help of each command: examples that can be pasted, and exit codes."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Iterator

import pytest

from dra_conform.cli.commands import COMMANDS, command_parser, parser
from dra_conform.cli.parsing import CommandParser
from dra_conform.cli.suite_option import load_case, load_requirement


def leaves(command: CommandParser) -> Iterator[CommandParser]:
    """Yield the parsers that run something: the command itself, or its actions."""
    inner = [action for action in command._actions if isinstance(action, argparse._SubParsersAction)]
    if not inner:
        yield command
    for action in inner:
        for child in action.choices.values():
            yield from leaves(child)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_examples_that_its_parser_accepts(name: str) -> None:
    for command in leaves(command_parser(name)):
        assert command.examples, command.prog
        assert command.description, command.prog
        assert command.description[0].isupper(), command.prog
        for example in command.examples:
            assert example in command.format_help()
            assert command.prog in example
            # an argument of eval, a pipe and a redirection belong to the shell
            line = example.replace('eval "$(', "").replace(')"', "").partition(" > ")[0]
            mine = next(part for part in line.split("|") if "dra-conform" in part)
            words = shlex.split(mine)
            arguments = parser(words).parse_args(words[1:])
            assert arguments.command
            if name == "show" and arguments.case[0].isupper():
                assert load_requirement(None, arguments.case)
            elif name in ("show", "explain"):
                assert load_case(None, arguments.case, name)


@pytest.mark.parametrize(
    "words", ["run", "compare", "schedule", "admit", "usage", "lint", "adapter check", "driver lint"]
)
def test_commands_that_judge_explain_their_exit_codes(words: str) -> None:
    [command] = [
        each for each in leaves(command_parser(words.split(maxsplit=1)[0])) if each.prog.endswith(words)
    ]
    assert {0, 2} < set(command.exit_codes)
    assert "exit codes:\n  0  " in command.format_help()


def test_help_names_a_first_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parser(()).parse_args(["--help"])
    assert "dra-conform run -i exec:./adapter --level core" in capsys.readouterr().out


def test_profile_is_one_word_in_the_usage() -> None:
    assert "--profile NAME" in command_parser("run").format_usage()
    assert "kubernetes-1.36" in command_parser("run").format_help()


@pytest.mark.parametrize("release", ["1.37", "v1.37", "kubernetes-1.37"])
def test_releases_of_upgrade_check_can_have_the_name_of_a_profile(release: str) -> None:
    words = ["upgrade-check", "--from", "1.35", "--to", release, "-f", "x.yaml"]
    assert parser(words).parse_args(words).to_release == "1.37"


@pytest.mark.parametrize("columns", ["40", "80"])
def test_no_line_breaks_within_a_command_or_a_hyphenated_word(
    monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    for name in COMMANDS:
        for command in leaves(command_parser(name)):
            text = command.format_help()
            assert not [line for line in text.splitlines() if re.search(r"\w-$", line)]
            assert text.count("`") == 2 * sum(line.count("`") // 2 for line in text.splitlines())
