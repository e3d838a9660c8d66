"""`dra-conform.yaml` and `[tool.dra-conform]`, and suggestions for unknown words."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from dra_conform.cli import exits
from tests.support.cli.calling import Call

YAML = """\
suite: suite
implementation: python:trial_implementations:never
in-process: true
profile: kep
json: r.json
"""
TOML = """\
[project]
name = "mine"

[tool.dra-conform]
suite = "suite"
implementation = ["builtin", "builtin"]
max-failures = 3
"""


def write(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text, encoding="utf-8")


def test_a_file_has_the_options_of_run(call: Call, folder: Path) -> None:
    write(folder, "dra-conform.yaml", YAML)
    completed = call("run")
    assert (completed.code, completed.err) == (exits.FAILURES, "")
    assert "1 of 2 cases failed" in completed.out
    assert (folder / "r.json").is_file()


def test_a_fraction_is_a_value(call: Call, folder: Path) -> None:
    write(folder, "dra-conform.yaml", YAML.replace("never", "Named") + "deadline: 1.5\nmin-breadth: 99.5\n")
    assert call("run").code != exits.USAGE
    assert "--deadline 1.5" in " ".join(json.loads((folder / "r.json").read_text("utf-8"))["options"])


def test_the_command_line_overrides_the_file(call: Call, folder: Path) -> None:
    write(folder, "dra-conform.yaml", YAML)
    assert call("run", "-i", "builtin").code == exits.OK
    [named] = [json.loads((folder / "r.json").read_text("utf-8"))["implementation"]["name"]]
    assert named == "dra-conform built-in"


def test_a_project_file(call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(folder, "pyproject.toml", TOML)
    (folder / "below").mkdir()
    monkeypatch.chdir(folder / "below")
    completed = call("run")
    assert (completed.code, completed.err) == (exits.OK, "")
    assert completed.out.count("all 2 cases pass") == 2


def test_list_show_and_explain_take_what_they_have(call: Call, folder: Path) -> None:
    write(folder, "dra-conform.yaml", YAML)
    assert call("list").out.endswith("2 cases\n")
    assert call("show", "kep-5075/trial/one").code == exits.OK
    assert call("explain", "kep-5075/trial/one").code == exits.FAILURES


@pytest.mark.parametrize("other", ["[tool.other]\nname = 'dra-conform'\n", "tool = 'tool.dra-conform'\n"])
def test_other_commands_and_projects_are_left_alone(call: Call, folder: Path, other: str) -> None:
    write(folder, "dra-conform.yaml", "no-such: 1\n")
    assert call("schema").code == exits.OK
    assert call("run", "--suite", "suite").code == exits.USAGE
    (folder / "dra-conform.yaml").unlink()
    write(folder, "pyproject.toml", other)
    assert call("run", "--suite", "suite").code == exits.OK


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("dra-conform.yaml", "suite: suite\nprofil: kep\n", "dra-conform.yaml:2: profil: is not an option,"),
        ("dra-conform.yaml", "profil: kep\n", ", did you mean profile?"),
        ("dra-conform.yaml", "update: true\n", "dra-conform.yaml:1: update: is not an option, expected one"),
        ("dra-conform.yaml", "profile: x\n", "dra-conform.yaml:1: profile: invalid choice: 'x'"),
        ("dra-conform.yaml", "deadline: soon\n", "dra-conform.yaml:1: deadline: 'soon' is not a time"),
        ("dra-conform.yaml", "ask-again: 3\n", "dra-conform.yaml:1: ask-again: is 3, expected true or false"),
        ("dra-conform.yaml", "html: [a]\n", "dra-conform.yaml:1: html: is ['a'], expected a string"),
        ("dra-conform.yaml", "[a]\n", "dra-conform.yaml:1: is not a mapping, expected options of `run`"),
        ("dra-conform.yaml", "a: [\n", "dra-conform.yaml:"),
        ("pyproject.toml", TOML + "colour = 1\n", "pyproject.toml:8: tool.dra-conform.colour: is not an"),
        ("pyproject.toml", TOML + "a = [\n", "pyproject.toml: is not valid TOML: "),
        ("pyproject.toml", TOML + f"a = {'9' * 5000}\n", "pyproject.toml: is not valid TOML: "),
        ("pyproject.toml", TOML + f"a = 0x{'f' * 5000}\n", "pyproject.toml: is not valid TOML: "),
        ("pyproject.toml", TOML + f"a = {'[' * 5000}\n", "pyproject.toml: is nested too deeply, "),
        ("pyproject.toml", "tool.dra-conform = 3\n", "pyproject.toml: tool.dra-conform: is not a table, "),
    ],
)
def test_bad_configurations(call: Call, folder: Path, name: str, text: str, message: str) -> None:
    write(folder, name, text)
    completed = call("run")
    assert (completed.code, completed.out) == (exits.USAGE, "")
    assert message in completed.err


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a file of another user")
@pytest.mark.parametrize(("name", "text"), [("dra-conform.yaml", YAML), ("pyproject.toml", TOML)])
@pytest.mark.parametrize("linked", [False, True])
def test_a_file_of_another_user_is_rejected(
    call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str, linked: bool
) -> None:
    write(folder, "options", text)
    (folder / name).symlink_to("options") if linked else (folder / "options").rename(folder / name)
    os.chown(folder / name, 65534, 65534, follow_symlinks=False)
    (folder / "below").mkdir()
    monkeypatch.chdir(folder / "below")
    for command in (["run"], ["list"], ["show", "kep-5075/trial/one"], ["explain", "kep-5075/trial/one"]):
        completed = call(*command)
        assert (completed.code, completed.out) == (exits.USAGE, "")
        assert f"{folder / name}: belongs to another user, expected a file of yours or of" in completed.err
    write(folder / "below", "dra-conform.yaml", "suite: ../suite\n")
    assert call("list").code == exits.OK


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a file of another user")
def test_root_reads_the_file_of_a_checkout_of_another_user(
    call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder, "pyproject.toml", TOML)
    (folder / "below").mkdir()
    for path in (folder / "pyproject.toml", folder, folder / "below"):
        os.chown(path, 65534, 65534)
    for place in (folder, folder / "below"):
        monkeypatch.chdir(place)
        assert call("run").out.count("all 2 cases pass") == 2


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a file of another user")
def test_a_project_of_another_user_without_options_is_left_alone(call: Call, folder: Path) -> None:
    write(folder, "pyproject.toml", "[project]\n")
    os.chown(folder / "pyproject.toml", 65534, 65534)
    assert call("run", "--suite", "suite").code == exits.OK


def test_two_files_in_one_folder(call: Call, folder: Path) -> None:
    write(folder, "dra-conform.yaml", YAML)
    write(folder, "pyproject.toml", TOML)
    completed = call("run")
    assert completed.err == (
        "dra-conform.yaml: exists together with tool.dra-conform in pyproject.toml, expected only one of them\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("rnu",), "'rnu' is not a command, expected one of run, "),
        (("rnu",), ", did you mean run?"),
        (("run", "--selct", "x"), "unrecognized arguments: --selct x, did you mean --select?"),
        (("show", "a", "--manifest"), "did you mean --manifests?"),
        (("adapter", "chek", "x"), "invalid choice: 'chek'"),
        (("adapter", "init", "--language", "go", "x"), "required: --lang, did you mean --lang?"),
        (
            ("driver", "init", "--command", "./driver"),
            "arguments: --command, did you mean --command-line? (see dra-conform driver init --help)\n",
        ),
        (
            ("run", "--profile", "kubernetes-1.40"),
            "kubernetes-1.38, kep-future) (see dra-conform run --help)\n",
        ),
        (("driver",), "arguments are required: ACTION, expected one of init, check, lint (see "),
        (("run", "--zzzz"), "unrecognized arguments: --zzzz (see dra-conform run --help)\n"),
    ],
)
def test_similar_words_are_suggested(call: Call, arguments: tuple[str, ...], message: str) -> None:
    completed = call(*arguments)
    assert (completed.code, completed.out) == (exits.USAGE, "")
    assert completed.err.startswith("dra-conform")
    assert message in completed.err
