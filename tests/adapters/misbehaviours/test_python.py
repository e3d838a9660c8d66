"""Misbehaving Python code: the verdicts of three cases, the exit code, and no remaining process."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest

from dra_conform.adapters.faults import Limits
from tests.support.adapters.misbehaviours.whole_runs import left, whole_run

ADVERSARIES = Path(__file__).parents[2] / "support" / "adapters" / "adversaries"

ROWS = [
    ("os-exit", "pass crash pass", "exit code 0", 1),
    ("sys-exit", "pass adapter-error pass", "SystemExit: 0", 1),
    ("own-base-exception", "pass adapter-error pass", "OwnEnd: it is over", 1),
    ("keyboard-interrupt", "pass adapter-error pass", "KeyboardInterrupt", 1),
    ("generator-exit", "pass adapter-error pass", "GeneratorExit", 1),
    ("mute-exception", "pass adapter-error pass", "MuteError, whose message cannot be read", 1),
    ("recursion", "pass adapter-error pass", "RecursionError: maximum recursion depth exceeded", 1),
    ("exception-group", "pass adapter-error pass", "ExceptionGroup: many", 1),
    ("surrogate-in-error", "pass adapter-error pass", "ValueError: half \\ud800 a letter", 1),
    ("segfault", "pass crash pass", "signal SIGSEGV", 1),
    ("abort", "pass crash pass", "signal SIGABRT", 1),
    ("killed", "pass crash pass", "signal SIGKILL", 1),
    ("kills-its-parent", "pass crash pass", "signal SIGKILL", 1),
    ("stops-itself", "pass timeout pass", "no answer within 2000 ms", 1),
    ("loop", "pass timeout pass", "no answer within 2000 ms", 1),
    ("deaf-loop", "pass timeout pass", "no answer within 2000 ms", 1),
    ("closes-stdout", "pass pass pass", "", 0),
    ("closes-all", "pass crash pass", "", 1),
    ("talks", "pass pass pass", "", 0),
    ("reads-stdin", "pass pass pass", "", 0),
    ("replaces-the-judge", "pass fail pass", "the allocation of ResourceClaim default/bad is missing", 1),
    ("replaces-builtins", "pass pass pass", "", 0),
    ("child-of-its-own-session", "pass pass pass", "", 0),
    ("daemon", "pass pass pass", "", 0),
    ("stays-alive", "pass pass pass", "", 0),
    (
        "answers-nothing",
        "pass protocol pass",
        "allocate returned NoneType, expected a dict with 'outcome'",
        1,
    ),
    (
        "answers-a-trap",
        "pass protocol pass",
        "allocate returned a value that is not JSON: OwnEnd: no keys for you",
        1,
    ),
    (
        "answers-foul",
        "pass protocol pass",
        "allocate returned a value that is not JSON: LookupError: foul",
        1,
    ),
    (
        "answers-itself",
        "pass protocol pass",
        "allocate returned a value that is not JSON: RecursionError: maximum ",
        1,
    ),
    (
        "answers-surrogates",
        "pass protocol pass",
        "allocate returned a value that is not JSON: UnicodeEncodeError",
        1,
    ),
    (
        "answers-no-json",
        "pass protocol pass",
        "allocate returned a value that is not JSON: TypeError: cannot encode builtin_funct",
        1,
    ),
    ("answers-too-much", "pass pass pass", "", 0),
    ("changes-its-input", "pass fail pass", "the implementation changed its input", 1),
    ("puts-objects-in", "pass fail pass", "the implementation changed its input", 1),
    ("no-descriptors", "pass pass pass", "", 0),
    ("changes-folder", "pass pass pass", "", 0),
    ("switches-dumps-on", "pass pass pass", "", 0),
    ("hangs-at-exit", "pass pass pass", "", 0),
    ("exits-at-start", "", "", 3),
    ("leaves-at-start", "", "", 3),
    ("own-end-at-start", "", "", 3),
    ("exits-at-import", "", "", 3),
    ("loops-at-exit", "pass pass pass", "", 0),
]

FEW = ("segfault", "replaces-the-judge", "changes-its-input", "exits-at-start")
"""The behaviours that `make test` runs, one of each kind, because each starts processes."""


@pytest.mark.parametrize(
    ("behaviour", "verdicts", "detail", "code"),
    [pytest.param(*row, id=row[0], marks=() if row[0] in FEW else pytest.mark.slow) for row in ROWS],
)
def test_misbehaving_python_code(
    behaviour: str, verdicts: str, detail: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dra_conform.cli.run.Limits", partial(Limits, bye=0.3, terminate=0.1))
    monkeypatch.setenv("DRA_ADAPTER_MISBEHAVIOUR", behaviour)
    mark = f"{behaviour} of {os.getpid()}"
    monkeypatch.setenv("DRA_ADAPTER_MARK", mark)
    monkeypatch.syspath_prepend(ADVERSARIES)
    monkeypatch.chdir(tmp_path)
    found = whole_run(tmp_path, "python:python_adversary:Adversary", "--memory", "2Gi")
    assert (" ".join(found.verdicts), found.code) == (verdicts, code)
    assert detail in found.detail
    assert left(mark) == []
