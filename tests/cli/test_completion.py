"""`dra-conform completion`: each shell accepts its script, and completes."""

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
def test_other_shells_accept_their_script(call: Call, shell: str) -> None:
    completed = call("completion", shell)
    assert completed.code == exits.OK
    assert all(name in completed.out for name in (*COMMANDS, "strict-choice", "kubernetes-1.37"))
    run_shell(shell, completed.out if shell == "fish" else f"compdef() {{ }}\n{completed.out}")


def test_a_shell_that_is_not_known(call: Call) -> None:
    completed = call("completion", "cmd")
    assert (completed.code, completed.out) == (exits.USAGE, "")
    assert "invalid choice: 'cmd' (choose from" in completed.err
