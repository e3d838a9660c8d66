"""The summary of a GitHub job, the GitHub action and the pre-commit hooks."""

from __future__ import annotations

import os
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from dra_conform.cli import COMMANDS, exits
from tests.support.cli.calling import Call

ROOT = Path(__file__).parents[2]


def test_the_summary_of_a_job(call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "summary.md").write_text("before\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(folder / "summary.md"))
    assert call("run", "--suite", "suite").code == exits.OK
    text = (folder / "summary.md").read_text("utf-8")
    assert text.startswith("before\n# DRA conformance\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(folder / "nowhere" / "summary.md"))
    completed = call("run", "--suite", "suite")
    assert completed.code == exits.OK
    assert completed.err.startswith("GITHUB_STEP_SUMMARY: ")


def test_the_action_passes_its_inputs_as_text() -> None:
    """An input that is pasted into a script would be executed."""
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    assert action["runs"]["using"] == "composite"
    for step in action["runs"]["steps"]:
        assert "${{" not in step.get("run", "")
    modules = ("run_options", "profiles_option")
    options = "".join((ROOT / "dra_conform" / "cli" / f"{name}.py").read_text("utf-8") for name in modules)
    for name in ("implementation", "profile", "select", "expect", "html"):
        assert f'"--{name}"' in options or f'    "{name}": ' in options


def judged_by_the_action(folder: Path, exit_code: int, **inputs: str) -> tuple[list[str], int, str]:
    """Run the step that judges with a stand-in for dra-conform: its arguments, exit code and outputs."""
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    [step] = [step for step in action["runs"]["steps"] if step.get("id") == "judge"]
    program = folder / "dra-conform" / "bin" / "dra-conform"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {folder}/arguments\nexit {exit_code}\n', "utf-8")
    program.chmod(0o755)
    defaults = {name: entry.get("default", "") for name, entry in action["inputs"].items()}
    environment = {name: {**defaults, **inputs}[name.lower().replace("_", "-")] for name in step["env"]}
    environment |= {"RUNNER_TEMP": str(folder), "GITHUB_OUTPUT": str(folder / "outputs"), "PATH": os.defpath}
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], env=environment, check=False
    )
    arguments = (folder / "arguments").read_text("utf-8").splitlines()
    return arguments, done.returncode, (folder / "outputs").read_text("utf-8")


def test_the_action_judges_with_its_inputs_and_keeps_the_exit_code(folder: Path) -> None:
    arguments, code, outputs = judged_by_the_action(
        folder,
        exits.FAILURES,
        implementation="exec:./my adapter; false",
        select="id:a or id:b",
        **{"min-breadth": "80%"},
    )
    assert arguments == [
        "run", "-i", "exec:./my adapter; false", "--profile", "kep", "--level", "all",
        "--html", "dra-conform-report.html", "--select=id:a or id:b", "--min-breadth=80%",
    ]  # fmt: skip
    assert (code, outputs) == (exits.FAILURES, "exit-code=1\n")


def test_the_action_leaves_out_options_without_input(folder: Path) -> None:
    arguments, code, outputs = judged_by_the_action(folder, exits.OK, implementation="builtin")
    assert arguments[-2:] == ["--html", "dra-conform-report.html"]
    assert (code, outputs) == (exits.OK, "exit-code=0\n")


def test_the_container_has_the_parts_of_the_wheel() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {*wheel["packages"], *wheel["force-include"], *wheel["sbom-files"], "README.md", "LICENSE"}
    copies = [
        line.split()[1:-1]
        for line in (ROOT / "Containerfile").read_text("utf-8").splitlines()
        if line.startswith("COPY ") and "--from" not in line
    ]
    copied = {path for paths in copies for path in paths}
    assert needed <= copied
    assert all((ROOT / path).exists() for path in copied)
    kept = (ROOT / ".containerignore").read_text("utf-8").splitlines()
    assert {path.partition("/")[0] for path in copied} == {line[1:] for line in kept if line[:1] == "!"}


def test_the_hooks_are_commands_that_there_are() -> None:
    for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")):
        assert hook["entry"].split()[:1] == ["dra-conform"]
        assert hook["entry"].split()[1] in COMMANDS
