"""Each misbehaving adapter: the verdicts of three cases, the exit code, and no remaining process."""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path

import pytest

from dra_conform.adapters.faults import Limits
from tests.support.adapters.misbehaviours.whole_runs import left, whole_run

ADVERSARIES = Path(__file__).parents[2] / "support" / "adapters" / "adversaries"

ROWS = [
    ("exit", "pass crash pass", "exit code 3", 1),
    ("segfault", "pass crash pass", "signal SIGSEGV", 1),
    ("exception", "pass crash pass", "exit code 1", 1),
    ("hang", "pass timeout pass", "no answer within 2000 ms", 1),
    ("stubborn", "pass timeout pass", "no answer within 2000 ms", 1),
    ("hang-with-child", "pass timeout pass", "no answer within 2000 ms", 1),
    ("leaves-child", "pass crash pass", "exit code 4", 1),
    ("endless-line", "pass protocol pass", "a line on stdout has more than 1000000 bytes", 1),
    (
        "flood-stdout",
        "pass protocol pass",
        "more than 1000 lines on stdout are not the answer, such as 'la la la'",
        1,
    ),
    (
        "closes-stdin",
        "pass crash pass",
        "after the answer: the adapter closed its stdin before all requests were sent",
        1,
    ),
    ("closes-stdout", "pass crash pass", "the adapter closed its stdout", 1),
    ("exit-after-answer", "pass crash pass", "after the answer: exit code 5", 1),
    ("junk-before", "pass protocol pass", "a line on stdout is not a message", 1),
    ("junk-after", "pass protocol pass", "after the answer: a line on stdout is not a message", 1),
    ("junk-instead", "pass protocol pass", "a line on stdout is not a message", 1),
    ("half-a-frame", "pass protocol pass", "a line on stdout is not a message", 1),
    ("not-utf-8", "pass protocol pass", "a line on stdout is not a message", 1),
    ("not-an-object", "pass protocol pass", "a line on stdout is not a message", 1),
    ("nested", "pass protocol pass", "a line on stdout is not a message", 1),
    ("wrong-id", "pass protocol pass", "that no request has", 1),
    ("text-id", "pass protocol pass", "a message without a valid id", 1),
    ("bool-id", "pass protocol pass", "a message without a valid id", 1),
    ("no-id", "pass protocol pass", "a message without a valid id", 1),
    ("doubled-id", "pass protocol pass", "id 3 was answered more than once", 1),
    ("wrong-type", "pass protocol pass", "'result' was expected", 1),
    ("no-status", "pass protocol pass", "violates the schema: /: is missing 'status'", 1),
    ("no-outcome", "pass protocol pass", "violates the schema: /: is missing 'outcome'", 1),
    ("odd-outcome", "pass protocol pass", "violates the schema: /outcome", 1),
    ("no-allocations", "pass protocol pass", "violates the schema: /: is missing 'allocations'", 1),
    (
        "number-as-quantity",
        "pass protocol pass",
        "violates the schema: /allocations/default~1c/devices/results/0/consumedC",
        1,
    ),
    ("long-frame", "pass protocol pass", "a line on stdout has more than 1000000 bytes", 1),
    ("failed", "pass adapter-error pass", "my own bug", 1),
    ("unsupported", "pass unsupported pass", "some-feature: link", 0),
    ("stops-itself", "pass timeout pass", "no answer within 2000 ms", 1),
    ("kills-its-supervisor", "pass crash pass", "signal SIGKILL", 1),
    ("kills-its-group", "pass crash pass", "signal SIGKILL", 1),
    ("stops-its-supervisor", "pass timeout pass", "no answer within 2000 ms", 1),
    ("leaves-sleeper", "pass pass pass", "", 0),
    ("leaves-many-sleepers", "pass pass pass", "", 0),
    ("hangs-with-sleeper", "pass timeout pass", "no answer within 2000 ms", 1),
    ("dies-with-sleeper", "pass crash pass", "exit code 3", 1),
    ("hoards", "pass crash pass", "exit code 1", 1),
    ("drips", "pass timeout pass", "no answer within 2000 ms", 1),
    ("blank-lines", "pass timeout pass", "no answer within 2000 ms", 1),
    ("no-line-end", "pass timeout pass", "no answer within 2000 ms, but 71 bytes without a line end (LF)", 1),
    ("stops-reading", "pass pass timeout", "", 1),
    ("closes-all", "pass crash pass", "the adapter closed its stdout", 1),
    ("late", "pass timeout pass", "no answer within 2000 ms", 1),
    ("crlf", "pass pass pass", "", 0),
    ("nul", "pass protocol pass", "a line on stdout is not a message", 1),
    ("byte-order-mark", "pass protocol pass", "a line on stdout is not a message", 1),
    ("latin-1", "pass protocol pass", "a line on stdout is not a message", 1),
    ("huge-id", "pass protocol pass", "a message without a valid id", 1),
    ("negative-id", "pass protocol pass", "a message without a valid id", 1),
    ("fraction-id", "pass protocol pass", "a message without a valid id", 1),
    ("nan", "pass protocol pass", "a line on stdout is not a message", 1),
    ("half-a-letter", "pass protocol pass", "a line on stdout is not a message", 1),
    ("nested-answer", "pass protocol pass", "a line on stdout is not a message", 1),
    ("answers-ahead", "pass protocol pass", "that no request has", 1),
    ("error-for-run", "pass protocol pass", "violates the schema: /: is missing 'status', expected", 1),
    ("null", "pass protocol pass", "a line on stdout is not a message", 1),
    ("two-frames-a-line", "pass protocol pass", "a line on stdout is not a message", 1),
    ("broken-pipe", "pass timeout pass", "no answer within 2000 ms", 1),
    ("escapes", "pass adapter-error pass", "title", 1),
    ("unknown-fields", "pass pass pass", "", 0),
    ("never-hello", "", "", 3),
    ("dies-at-start", "", "", 3),
    ("junk-before-hello", "pass pass pass", "", 0),
    ("bad-hello", "", "", 3),
    ("other-protocol", "", "", 3),
    ("result-for-hello", "", "", 3),
    ("protocol-error", "", "", 3),
    ("window-of-nothing", "", "", 3),
    ("hello-without-end", "", "", 3),
    ("sleeper-at-start", "", "", 3),
    ("claims-all", "overclaim overclaim overclaim", "consumable-capacity", 1),
    (
        "dies-after-hello",
        "crash crash crash",
        "the adapter ended before its configured message: exit code 6",
        3,
    ),
    (
        "dies-at-configure",
        "crash crash crash",
        "the adapter ended before its configured message: exit code 7",
        3,
    ),
    (
        "hangs-at-configure",
        "timeout not-run not-run",
        "the adapter does not answer configure for profile kep: no configured message within 0.3 s",
        3,
    ),
    ("refuses", "pass pass pass", "", 0),
    (
        "refuses-all",
        "unsupported unsupported unsupported",
        "the adapter declines profile kep: not in the mood",
        5,
    ),
    (
        "forgets-profiles",
        "protocol protocol protocol",
        "the answer to configure names p1 (profile kep) neither in accepted nor in refused",
        3,
    ),
    (
        "error-at-configure",
        "unsupported unsupported unsupported",
        "the adapter declines profile kep: it answered configure with an error: no: cannot d",
        5,
    ),
    ("crash-on-fifth", "pass pass pass", "", 0),
    ("crash-always", "crash crash crash", "exit code 9", 3),
    ("crash-every-third", "pass pass crash", "", 1),
    ("fails-always", "adapter-error adapter-error adapter-error", "cannot find library 3", 3),
    ("flood-stderr", "pass pass pass", "", 0),
    ("big-answers", "pass pass pass", "", 0),
    ("always-wrong", "fail fail fail", "expected unallocatable, got allocated", 1),
    ("out-of-order", "pass pass pass", "", 0),
    ("after-bye", "pass pass pass", "", 0),
    ("ignores-bye", "pass pass pass", "", 0),
    ("sleeper-at-bye", "pass pass pass", "", 0),
    ("exit-code", "pass pass pass", "", 0),
]

FEW = (
    "segfault",
    "stubborn",
    "leaves-child",
    "endless-line",
    "flood-stdout",
    "closes-stdin",
    "junk-before",
    "wrong-id",
    "no-outcome",
    "kills-its-group",
    "leaves-many-sleepers",
    "hoards",
    "dies-at-start",
    "hangs-at-configure",
    "crash-on-fifth",
    "always-wrong",
)
"""The behaviours that `make test` runs, one of each kind, because each starts processes or waits for a limit."""


@pytest.mark.parametrize(
    ("behaviour", "verdicts", "detail", "code"),
    [pytest.param(*row, id=row[0], marks=() if row[0] in FEW else pytest.mark.slow) for row in ROWS],
)
def test_a_misbehaving_adapter(
    behaviour: str, verdicts: str, detail: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = 60.0 if verdicts else 5.0
    quick = partial(Limits, start=start, configure=0.3, bye=0.3, terminate=0.1, max_frame=1_000_000)
    monkeypatch.setattr("dra_conform.cli.run.Limits", quick)
    monkeypatch.setenv("DRA_ADAPTER_MISBEHAVIOUR", behaviour)
    mark = f"{behaviour} of {os.getpid()}"
    monkeypatch.setenv("DRA_ADAPTER_MARK", mark)
    spec = f"exec:{sys.executable} -S -E {ADVERSARIES / 'adversary.py'} {behaviour}"
    found = whole_run(tmp_path, spec, "--memory", "64Mi")
    assert (" ".join(found.verdicts), found.code) == (verdicts, code)
    assert detail in found.detail
    assert left(mark) == []
