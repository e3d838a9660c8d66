"""The summary of a GitHub job, the GitHub action and the pre-commit hooks."""

from __future__ import annotations

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
    modules = ("run_options", "report_options")
    options = "".join((ROOT / "dra_conform" / "cli" / f"{name}.py").read_text("utf-8") for name in modules)
    for name in ("implementation", "profile", "select", "expect", "html"):
        assert f'"--{name}"' in options or f'    "{name}": ' in options


def test_the_hooks_are_commands_that_there_are() -> None:
    for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")):
        assert hook["entry"].split()[:1] == ["dra-conform"]
        assert hook["entry"].split()[1] in COMMANDS
