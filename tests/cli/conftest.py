"""Fixtures that call commands in a temporary folder."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from dra_conform.conformance.suite.loading import LoadedSuite, read_suite
from dra_conform.kube.errors import InputError
from tests.support.cli.calling import FEATURE, IMPLEMENTATIONS, Call, CompletedCommand, code_of
from tests.support.conformance.suite.writing import suite


@pytest.fixture
def call(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Call:
    """Return a function that calls a command, and fails if it prints a traceback.

    The shipped suite is loaded only once.
    """

    def read(folder: str | None, *, cached: bool) -> tuple[LoadedSuite, Sequence[InputError]]:
        return read_suite(folder) if folder is not None else (request.getfixturevalue("shipped_suite"), ())

    monkeypatch.setattr("dra_conform.cli.suite_option.read_suite", read)

    def run(*arguments: str) -> CompletedCommand:
        code = code_of(arguments)
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return CompletedCommand(code, out, err)

    return run


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Change to a folder with a suite in `suite`, and implementations in the module `trial_implementations`."""
    suite(tmp_path / "suite", feature_text=FEATURE)
    (tmp_path / "trial_implementations.py").write_text(IMPLEMENTATIONS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    sys.modules.pop("trial_implementations", None)
