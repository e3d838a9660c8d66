from __future__ import annotations

from pathlib import Path

import pytest

from dra_conform.adapters.exec import ExecImplementation
from dra_conform.adapters.inprocess import InProcessImplementation
from dra_conform.adapters.specs import SPECS, BadSpec, OpenOptions, command_of, open_implementation
from dra_conform.conformance.implementation import CannotStart, Suite

SUITE = Suite("tests", "1", "sha256:0")


@pytest.mark.parametrize(
    ("spec", "kind"),
    [
        ("builtin", InProcessImplementation),
        ("builtin:columns=always", InProcessImplementation),
        ("builtin:columns=never", InProcessImplementation),
        ("python:os.path:join", ExecImplementation),
        ("exec:./adapter --flag", ExecImplementation),
    ],
)
def test_specs(spec: str, kind: type) -> None:
    assert isinstance(SPECS[spec.partition(":")[0]](spec, OpenOptions()), kind)


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ("", "names no implementation"),
        ("built-in", "names no implementation, expected 'builtin', 'python:module:attribute'"),
        ("builtin:", "names no implementation, expected 'builtin'"),
        ("builtin:columns=often", "expected 'builtin', 'builtin:columns=always'"),
        ("container:image", "names no implementation"),
        ("./adapter", "names no implementation"),
        ("python:", "is incomplete, expected 'python:module:attribute'"),
        ("python:./mine:Allocator", "names no module, expected one such as"),
        ("python:module", "is incomplete"),
        ("python:module:", "is incomplete"),
        ("python::attribute", "is incomplete"),
        ("exec:", "names no command"),
        ("exec:  ", "names no command"),
        ("exec:''", "names no command"),
        ("exec:./adapter 'half", "No closing quotation"),
        ("exec:a\0b", "NUL"),
    ],
)
def test_bad_specs(spec: str, problem: str) -> None:
    with pytest.raises(BadSpec) as caught:
        open_implementation(spec)
    assert problem in str(caught.value)
    assert repr(spec) in str(caught.value)


def test_the_command_is_split_as_a_shell_does() -> None:
    assert command_of("exec:'./my adapter' --a=b \"c d\" $HOME") == ("./my adapter", "--a=b", "c d", "$HOME")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("python:no_such_module_at_all:x", "no module named 'no_such_module_at_all'"),
        ("python:os.path:no_such_thing", "os.path has no attribute 'no_such_thing'"),
    ],
)
def test_a_missing_python_module_or_attribute(spec: str, message: str) -> None:
    with pytest.raises(CannotStart, match=message):
        open_implementation(spec).start(SUITE)


def test_modules_of_the_current_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "allocator_of_a_test.py").write_text(
        "class Outer:\n    @staticmethod\n    def mine(objects, ask, profile):\n        return {}\n",
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [entry for entry in __import__("sys").path if entry])
    implementation = open_implementation("python:allocator_of_a_test:Outer.mine")
    identity = implementation.start(SUITE)
    implementation.close()
    assert identity.name == "allocator_of_a_test:Outer.mine"


def test_a_module_that_raises_on_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_allocator.py").write_text("1 / 0\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(CannotStart, match="ZeroDivisionError"):
        open_implementation("python:broken_allocator:x").start(SUITE)


def test_a_program_without_exec_is_suggested(tmp_path: Path) -> None:
    program = tmp_path / "adapter"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    for spec in (str(program), f"{program} --flag"):
        with pytest.raises(BadSpec, match=f", did you mean 'exec:{spec}'\\?$"):
            open_implementation(spec)
    with pytest.raises(BadSpec, match=r"'driver:file' or 'kubelet:exec:command'$"):
        open_implementation(f"{program}-missing")


def test_a_control_plane_of_an_unknown_release_cannot_start() -> None:
    with pytest.raises(
        CannotStart, match=r"v1\.1\.1 is of an unknown release, expected one of v1\.33\.13, v1\.34\.4, "
    ):
        open_implementation("kube:v1.1.1").start(Suite("s", "1", "sha256:none"))
