"""`adapter check` says how an adapter ended, also if it wrote a wrong line before."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from dra_conform.adapters.check import check
from dra_conform.adapters.faults import Limits

LIMITS = Limits(start=5, configure=2, bye=1, terminate=0.1, settle=0.002)
FIRST = "the adapter answers a ResourceClaim that can be allocated"
SHAPES = "the adapter writes every field of an allocation in its shape"
CONFIGURE = "the adapter answers configure"
END = "the adapter exits after the bye message"
JUNK = "a line on stdout is not a message"

ADAPTER = """
import json, sys
def write(kind, **fields):
    print(json.dumps({"type": kind, "id": number, **fields}), flush=True)
def crash(line):
    print(line, flush=True)
    sys.exit("the reason of the crash")
runs = 0
for line in sys.stdin:
    message = json.loads(line)
    number = message["id"]
    if message["type"] == "hello" and message["protocol"]["min"] > 1:
        write("error", code="protocol-version", message="only 1")
    elif message["type"] == "hello":
        write("hello", protocol=1, operations=["allocate"], implementation={"name": "x", "version": "1"})
    elif message["type"] == "configure":
        CONFIGURE
        write("configured", accepted=list(message["profiles"]))
    elif message["type"] == "run":
        runs += 1
        RUN
        write("result", status="ok", outcome="unallocatable")
    else:
        break
"""
KEP = '"kep" in [profile["name"] for profile in message["profiles"].values()]'
REFUSES = (
    f'if {KEP}: write("configured", accepted=[], '
    'refused=[{"profile": "p1", "reason": "has other error messages"}]); continue'
)
ERROR = 'write("error", code="x", message="broken"); continue'
ERROR_FOR_RELEASES = (
    f'if {KEP}: write("configured", accepted=[], refused=[{{"profile": "p1", "reason": "no"}}]); continue\n'
    f"        {ERROR}"
)
CRASH = "exit code 1). The stderr of the adapter ends with: the reason of the crash"

ENDINGS = [
    ("pass", "pass", {}),
    (REFUSES, "pass", {}),
    (ERROR, "pass", {CONFIGURE: "it answered configure with an error: x: broken"}),
    (ERROR_FOR_RELEASES, "pass", {CONFIGURE: "it answered configure with an error: x: broken"}),
    ("pass", "sys.exit(3)", {FIRST: "the adapter exited (exit code 3)"}),
    ("pass", "crash('panic: boom')", {FIRST: JUNK, END: f"the adapter exited ({CRASH}"}),
    ("sys.exit(3)", "pass", {CONFIGURE: "the adapter ended before its configured message: exit code 3"}),
    (
        "pass",
        "if runs == 4: print('debug', flush=True)\n        if runs == 7: sys.exit('the reason of the crash')",
        {SHAPES: f"the adapter exited ({CRASH}"},
    ),
    (
        "pass",
        "if runs == 4: print('debug', flush=True)\n        if runs == 7: crash('panic: boom')",
        {SHAPES: JUNK, END: f"the session ended before the bye message: the adapter exited ({CRASH}"},
    ),
    ("pass", "print('x\\n' * 3000, flush=True)", {FIRST: "the check asks no further question"}),
]


@pytest.mark.parametrize(("configure", "run", "expected"), ENDINGS, ids=range(len(ENDINGS)))
def test_endings(configure: str, run: str, expected: dict[str, str], tmp_path: Path) -> None:
    script = tmp_path / "adapter.py"
    script.write_text(ADAPTER.replace("CONFIGURE", configure).replace("RUN", run), encoding="utf-8")
    items = check(f"exec:{sys.executable} -S -E {script}", limits=LIMITS)
    found = {item.title: item.advice for item in items if not item.ok}
    assert list(found) == list(expected)
    for title, advice in expected.items():
        assert advice in found[title]
