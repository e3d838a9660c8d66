"""The word list of docstrings and pages: what it reads, and what it leaves out."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = "tools/lint/plain_words.py"


def lint(root: Path, files: dict[str, str]) -> list[str]:
    """Return the lines that the word list prints for a tree with these files, without the last one."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for page in ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"):
        (root / page).touch()
    (root / "docs").mkdir(exist_ok=True)
    script = root / SCRIPT
    script.parent.mkdir(parents=True, exist_ok=True)
    script.write_text((ROOT / SCRIPT).read_text())
    done = subprocess.run([sys.executable, script], cwd=root, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    *lines, figures = done.stdout.splitlines()
    problems = [line for line in lines if "NOT_YET" not in line]
    assert figures.endswith(f" {len(problems)} discouraged words")
    assert done.returncode == (1 if problems else 0)
    return problems


def test_public_docstrings_are_read(tmp_path: Path) -> None:
    module = '''"""A story."""

LIMIT = 1
"""Patience,
in seconds: of a company."""


class Run:
    """A canary."""

    def start(self) -> None:
        """Refuse."""

    def _start(self) -> None:
        """Refuse."""


class _Run:
    """A canary."""
'''
    assert lint(tmp_path, {"dra_conform/run.py": module}) == [
        'dra_conform/run.py:1: "story", expected the standard term: multi-step scenario',
        'dra_conform/run.py:4: "patience", expected the standard term: polling limits',
        'dra_conform/run.py:5: "company", expected the standard term: isolation, or scenario namespace',
        'dra_conform/run.py:9: "canary", expected the standard term: probe pod',
        'dra_conform/run.py:12: "refuse", expected the standard term: rejected (a write), or cannot be allocated',
    ]


def test_comments_and_messages_are_not_read(tmp_path: Path) -> None:
    module = '"""A run."""\n\n\ndef start() -> None:\n    raise ValueError("refused")  # a refusal\n'
    assert lint(tmp_path, {"dra_conform/run.py": module}) == []


def test_code_and_quotations_are_left_out(tmp_path: Path) -> None:
    page = """
A message is `refused`, or "refused", or <code>refused</code>: [it](refused.md).

```
refused
```
> refused

A user story.
"""
    assert lint(tmp_path, {"docs/page.md": page, "dra_conform/run.py": '"""The step `refused`."""\n'}) == []


def test_pages_are_read(tmp_path: Path) -> None:
    page = "```\nrefused\n```\n\nThe claim gets\nnothing, and the claim gets nothing.\n"
    problem = '"gets nothing", expected the standard term: cannot be allocated'
    assert lint(tmp_path, {"docs/page.md": page}) == [f"docs/page.md:{line}: {problem}" for line in (5, 6)]


def test_descriptions_of_schemas_are_read(tmp_path: Path) -> None:
    schema = (
        '{\n  "title": "refused",\n  "description": "Of `refused` ones: \\"x\\"",\n  "enum": ["refused"]\n}\n'
    )
    [problem] = lint(tmp_path, {"dra_conform/schemas/protocol/run.schema.json": schema})
    assert problem.startswith('dra_conform/schemas/protocol/run.schema.json:2: "refused", ')
