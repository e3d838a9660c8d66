"""Calling commands in a folder of their own."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from dra_conform.conformance.suite.loading import LoadedSuite, read_suite
from dra_conform.kube.errors import InputError
from tests.support.cli.calling import FEATURE, IMPLEMENTATIONS, Call, Said, code_of
from tests.support.conformance.suite.writing import suite


@pytest.fixture
def call(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Call:
    """Calls a command; whatever it is given, it prints no traceback. The shipped suite is loaded once for all."""

    def read(folder: str | None) -> tuple[LoadedSuite, Sequence[InputError]]:
        return read_suite(folder) if folder is not None else (request.getfixturevalue("shipped_suite"), ())

    monkeypatch.setattr("dra_conform.cli.run.read_suite", read)

    def run(*arguments: str) -> Said:
        code = code_of(arguments)
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return Said(code, out, err)

    return run


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The working folder: a suite in `suite`, implementations in a module `trial_implementations`."""
    suite(tmp_path / "suite", feature_text=FEATURE)
    (tmp_path / "trial_implementations.py").write_text(IMPLEMENTATIONS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    sys.modules.pop("trial_implementations", None)
