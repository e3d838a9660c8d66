"""`dra-conform completion`: each script is one that its shell takes, and completes."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from dra_conform.cli import COMMANDS, exits
from tests.support.cli.calling import Call


def run_shell(shell: str, script: str) -> str:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not here")
    done = subprocess.run([shell], input=script, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (["sch"], ["schedule", "schema"]),
        (["run", "--prof"], ["--profile"]),
        (["run", "--profile", "kubernetes-1.37"], ["kubernetes-1.37"]),
        (["adapter", "in"], ["init"]),
        (["adapter", "init", "--lang", "r"], ["rust"]),
        (["list", "oper"], ["operation"]),
    ],
)
def test_bash_completes(call: Call, typed: list[str], expected: list[str]) -> None:
    script = call("completion", "bash").out
    words = " ".join(["dra-conform", *typed])
    asked = f"COMP_WORDS=({words}); COMP_CWORD={len(typed)}; _dra_conform; echo ${{COMPREPLY[@]}}\n"
    assert run_shell("bash", script + asked).split() == expected


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_take_their_script(call: Call, shell: str) -> None:
    said = call("completion", shell)
    assert said.code == exits.OK
    assert all(name in said.out for name in (*COMMANDS, "strict-choice", "kubernetes-1.37"))
    run_shell(shell, said.out if shell == "fish" else f"compdef() {{ }}\n{said.out}")


def test_a_shell_that_is_not_known(call: Call) -> None:
    said = call("completion", "cmd")
    assert (said.code, said.out) == (exits.USAGE, "")
    assert "invalid choice: 'cmd' (choose from" in said.err
