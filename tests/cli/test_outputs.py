"""Output files: standard output and pipes work, and no output overwrites an input."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from dra_conform.cli import exits
from tests.support.cli.calling import Call

SUITE = ("run", "--suite", "suite")


@pytest.mark.parametrize("path", ["-", "/dev/stdout"])
def test_a_report_on_standard_output_stands_there_alone(call: Call, folder: Path, path: str) -> None:
    completed = call(*SUITE, "--json", path)
    assert completed.code == exits.OK
    assert json.loads(completed.out)["summary"]["pass"] == 2
    assert "all 2 cases pass" in completed.err


def test_events_on_standard_output(call: Call, folder: Path) -> None:
    events = [json.loads(line)["event"] for line in call(*SUITE, "--events", "-").out.splitlines()]
    assert events == ["run-started", "case-finished", "case-finished", "run-finished", "end"]


def test_without_a_standard_output_a_run_is_a_run(folder: Path) -> None:
    command = [sys.executable, "-m", "dra_conform", *SUITE, "--events", "e"]
    ended = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", *command], stderr=subprocess.PIPE, check=False)
    assert (ended.returncode, ended.stderr) == (exits.OK, b"")
    assert json.loads((folder / "e").read_text("utf-8").splitlines()[-1])["event"] == "end"


def test_a_pipe_without_a_reader_is_an_error(call: Call, folder: Path) -> None:
    os.mkfifo("pipe")
    completed = call(*SUITE, "--json", "pipe")
    assert completed.code == exits.USAGE
    assert "pipe: cannot be written: No such device or address" in completed.err


@pytest.mark.parametrize("option", ["--events", "--json", "--html", "--junit", "--markdown"])
@pytest.mark.parametrize("path", ["suite/golden/kep-5075/trial.yaml", "suite/features/new", "link"])
def test_an_input_is_not_overwritten(call: Call, folder: Path, option: str, path: str) -> None:
    golden = folder / "suite" / "golden" / "kep-5075" / "trial.yaml"
    (folder / "link").symlink_to(golden)
    before = golden.read_bytes()
    completed = call(*SUITE, option, path)
    assert (completed.code, completed.out) == (exits.USAGE, "")
    assert f"{path}: is read by this command, expected a different file" in completed.err
    assert golden.read_bytes() == before


@pytest.mark.parametrize("option", ["--events", "--json"])
def test_an_input_is_not_overwritten_by_another_name(call: Call, folder: Path, option: str) -> None:
    golden = folder / "suite" / "golden" / "kep-5075" / "trial.yaml"
    before = golden.read_bytes()
    (folder / "second-name").hardlink_to(golden)
    assert "second-name: is read by this command" in call(*SUITE, option, "second-name").err
    assert golden.read_bytes() == before


@pytest.mark.parametrize(
    ("spec", "read"),
    [
        ("python:trial_implementations:never", "trial_implementations.py"),
        ("exec:./adapter --fast", "adapter"),
        ("cluster:kubeconfig#here", "kubeconfig"),
    ],
)
def test_an_implementation_is_read_too(call: Call, folder: Path, spec: str, read: str) -> None:
    path = folder / read
    if not path.exists():
        path.write_text("what it was", "utf-8")
    before = path.read_bytes()
    assert f"{read}: is read by this command" in call(*SUITE, "-i", spec, "--json", read).err
    assert path.read_bytes() == before


@pytest.mark.parametrize("option", ["--json", "--events"])
@pytest.mark.parametrize(
    ("name", "text", "more"),
    [
        ("known.yaml", "", ("--expect", "known.yaml", "--update")),
        ("dra-conform.yaml", "profile: kep\n", ()),
        ("pyproject.toml", '[tool.dra-conform]\nprofile = "kep"\n', ()),
    ],
)
def test_files_that_a_run_reads_are_not_overwritten(
    call: Call, folder: Path, option: str, name: str, text: str, more: tuple[str, ...]
) -> None:
    if text:
        (folder / name).write_text(text, "utf-8")
    assert f"{name}: is read by this command" in call(*SUITE, *more, option, name).err
    assert not text or (folder / name).read_text("utf-8") == text


def test_the_list_of_requirements_is_not_written_over_the_suite(call: Call, folder: Path) -> None:
    completed = call("requirements", "--suite", "suite", "--json", "suite/golden/kep-5075/trial.yaml")
    assert (completed.code, completed.out) == (exits.USAGE, "")
    assert "is read by this command" in completed.err


@pytest.mark.parametrize("what", [(), ("--pairs",), ("--triples",), ("--deviations",)])
def test_a_list_on_standard_output_stands_there_alone(
    call: Call, folder: Path, what: tuple[str, ...]
) -> None:
    json.loads(call("requirements", "--suite", "suite", *what, "--json", "-").out)


@pytest.mark.parametrize(
    "arguments",
    [
        (*SUITE, "--prof", "kep"),
        ("allocate", "--file", "m.yaml"),
        ("schedule", "--file", "m.yaml"),
        ("admit", "--file", "m.yaml"),
        ("fuzz", "--case", "3"),
        ("requirements", "--pair"),
        ("adapter", "check", "--hel"),
    ],
)
def test_options_are_written_out(call: Call, folder: Path, arguments: tuple[str, ...]) -> None:
    assert call(*arguments).code == exits.USAGE


def test_a_fixture_is_one_of_the_suite(call: Call, folder: Path) -> None:
    (folder / "outside.yaml").write_text(
        "{apiVersion: v1, kind: Node, metadata: {name: n}}", encoding="utf-8"
    )
    golden = folder / "suite" / "golden" / "kep-5075" / "trial.yaml"
    text = golden.read_text("utf-8").replace("given:\n", "given:\n      - fixture: ../../outside\n")
    golden.write_text(text, encoding="utf-8")
    completed = call(*SUITE)
    assert completed.code == exits.SUITE_BROKEN
    expected = "unknown fixture '../../outside', expected the name of a file in fixtures, without .yaml"
    assert re.search(
        rf"trial\.yaml:\d+: cases\[0\]\.given\[0\]\.fixture: {re.escape(expected)}", completed.err
    )


def test_a_pipe_in_a_suite_is_not_waited_for(call: Call, folder: Path) -> None:
    os.mkfifo(folder / "suite" / "golden" / "kep-5075" / "pipe.yaml")
    completed = call(*SUITE)
    assert completed.code == exits.SUITE_BROKEN
    assert "golden/kep-5075/pipe.yaml: is not a regular file, expected a regular file" in completed.err


def test_an_implementation_that_fails_every_case_equally_could_not_be_run(call: Call, folder: Path) -> None:
    (folder / "trial_library.py").write_text(
        "def allocate(objects, ask, profile):\n"
        "    return {'status': 'failed', 'message': f'no library {id(ask)}'}\n",
        encoding="utf-8",
    )
    completed = call(*SUITE, "-i", "python:trial_library:allocate")
    assert completed.code == exits.NOT_RUNNABLE
    reason = "all 2 cases that were run fail for the same reason: adapter-error: no library [1-9][0-9]+"
    assert re.search(reason, " ".join(completed.out.split()))


def test_an_input_that_is_a_loop_of_links_is_not_an_output(call: Call, folder: Path) -> None:
    (folder / "loop").symlink_to("loop")
    completed = call("usage", "-f", "loop", "--html", "page.html")
    assert (completed.code, completed.out) == (exits.USAGE, "")
    assert completed.err == "loop: cannot be read: Too many levels of symbolic links\n"
    assert not (folder / "page.html").exists()
