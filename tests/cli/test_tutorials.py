"""The tutorials, followed literally: write their files, run their commands, and compare the output."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))

_BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.DOTALL | re.MULTILINE)
_CODE = re.compile(r"\s+# exit code (\d)$")


@dataclass(frozen=True)
class Command:
    """A command line after `$`, with the exit code and the output lines that the page shows."""

    line: str
    code: int
    shown: tuple[str, ...]


def _steps(text: str) -> Iterator[tuple[str, str] | Command]:
    """Yield files with their content, and commands, in the order of the page."""
    for language, title, body in _BLOCK.findall(text):
        if title:
            yield title, body
        elif language == "console":
            for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
                line, *shown = part.rstrip("\n").split("\n")
                code = _CODE.search(line)
                yield Command(
                    _CODE.sub("", line),
                    int(code[1]) if code else 0,
                    tuple(line for line in shown if line),
                )


def _first_missing(shown: Sequence[str], printed: Sequence[str]) -> str | None:
    """Return the first shown line that no printed line begins with, after those of the lines before it."""
    left = iter(printed)
    return next((line for line in shown if not any(found.startswith(line) for found in left)), None)


def test_a_line_that_is_not_printed_in_its_place_is_missing() -> None:
    printed = ["first: 1", "second: 2", "third: 3"]
    assert _first_missing(["first", "third"], printed) is None
    assert _first_missing(["first", "fourth"], printed) == "fourth"
    assert _first_missing(["second", "first"], printed) == "first"


@pytest.mark.parametrize("tutorial", TUTORIALS, ids=lambda path: path.stem)
def test_a_tutorial_can_be_followed(tutorial: Path, tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
    }
    folder, commands = tmp_path, 0
    for step in _steps(tutorial.read_text("utf-8")):
        if not isinstance(step, Command):
            name, text = step
            (folder / name).write_text(text, "utf-8")
            continue
        if step.line.startswith("cd "):
            folder /= step.line.removeprefix("cd ")
            continue
        commands += 1
        done = subprocess.run(
            step.line, shell=True, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == step.code, f"{step.line}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
        printed = [line.rstrip() for line in (done.stderr + done.stdout).splitlines()]
        missing = _first_missing(step.shown, printed)
        assert missing is None, f"{step.line}\ndoes not print {missing!r}, but\n" + "\n".join(printed[-60:])
    assert commands >= 2, "no commands were found in the tutorial"
