"""In a GitHub job the Markdown report is added to the summary of the job; the action and the hooks are whole."""

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
    said = call("run", "--suite", "suite")
    assert said.code == exits.OK
    assert said.err.startswith("GITHUB_STEP_SUMMARY: ")


def test_the_action_passes_its_inputs_as_text() -> None:
    """An input in a script would be run as part of it."""
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    assert action["runs"]["using"] == "composite"
    for step in action["runs"]["steps"]:
        assert "${{" not in step.get("run", "")
    options = (ROOT / "dra_conform" / "cli" / "run_options.py").read_text("utf-8")
    for name in ("implementation", "profile", "select", "expect", "html"):
        assert f'"--{name}"' in options or f'("{name}", ' in options


def test_the_hooks_are_commands_that_there_are() -> None:
    for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")):
        assert hook["entry"].split()[:1] == ["dra-conform"]
        assert hook["entry"].split()[1] in COMMANDS
