"""`dra-conform run` on a suite of three cases, the second of which is `bad`, and its remaining processes."""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass
from pathlib import Path

from dra_conform.cli import main
from tests.support.conformance.suite.writing import suite

_CASE = """\
  - case: {name}
    title: A {name} case
    requirements: [KEP-5075/rounding/step-up]
    given: [{{resourceClaim: {{name: {name}, capacity: {{bw: 3}}}}}}]
    when: {{allocate: {{resourceClaims: [{name}]}}}}
    then: [{{unallocatable: true}}]
"""
_GOLDEN = "document: KEP-5075\narea: rounding\ntitle: A trial\ncases:\n" + "".join(
    _CASE.format(name=name) for name in ("first", "bad", "last")
)


@dataclass(frozen=True)
class WholeRun:
    """The verdicts of the three cases, the detail of the second, and the exit code."""

    verdicts: tuple[str, ...]
    detail: str
    code: int


def whole_run(folder: Path, spec: str, *options: str) -> WholeRun:
    """Run the suite in a folder; the verdicts are empty without a report."""
    suite(folder / "suite", golden_text=_GOLDEN)
    report = folder / "report.json"
    code = main(["run", "--suite", str(folder / "suite"), "-i", spec, "--json", str(report), *options])
    if not report.exists():
        return WholeRun((), "", code)
    document = json.loads(report.read_text("utf-8"))
    _, bad, _ = document["results"]
    detail = bad.get("detail", "") or "; ".join(one["message"] for one in bad.get("findings", ()))
    return WholeRun(tuple(one["verdict"] for one in document["results"]), detail, code)


def left(mark: str) -> list[int]:
    """Wait up to 5 s for the processes with the mark in their environment to end; return those that remain."""
    end = time.monotonic() + 5
    while (found := marked(mark)) and time.monotonic() < end:
        time.sleep(0.02)
    return found


def marked(mark: str) -> list[int]:
    """Return the processes with the mark in their environment, without this process."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                if mark.encode() in (folder / "environ").read_bytes():
                    found.append(int(folder.name))
            except OSError:
                continue
    return found
