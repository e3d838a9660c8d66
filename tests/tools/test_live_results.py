"""docs/live-results.md is made from the JSON reports of runs, and the page is current."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from dra_conform.cli import main
from dra_conform.conformance.suite.loading import LoadedSuite
from tools.docs.live_results import PAGE, RELEASES, page, read_runs

KNOWN = "dra/shared-claims/completed-pod-removed"
OTHER = "dra/shared-claims/pod-joins-job"


@pytest.mark.slow
def test_failures_are_known_by_the_ledger_of_the_release(tmp_path: Path, shipped_suite: LoadedSuite) -> None:
    file = tmp_path / "v1.37.1.json"
    run = ["run", "--select", "id:dra/shared-claims/*", "--profile", "kubernetes-1.37", "--json", str(file)]
    assert main(run) == 0
    report = json.loads(file.read_text("utf-8"))
    report["implementation"] |= {"name": "Kubernetes", "version": "v1.37.1"}
    report["seconds"] = 125.0
    failed, unsupported = {KNOWN, OTHER}, 0
    for result in report["results"]:
        if result["case"] in failed:
            result |= {"verdict": "fail", "kind": "wrong-result"}
        elif not unsupported:
            unsupported = 1
            result |= {"verdict": "unsupported", "detail": "the gate a | b"}
    file.write_text(json.dumps(report), "utf-8")

    text = "\n".join(page(read_runs(tmp_path, shipped_suite)))

    count = len(report["results"])
    assert f"| v1.37.1 | `cluster` | {count} | {count - 3} | 1 | 1 | 1 |  |" in text
    assert f"|  | all | {count} | {count - 3} | 1 | 1 | 1 | 2 |" in text
    assert re.search(r"^\| while a finished pod stays .* \| 1 \|$", text, re.MULTILINE)
    assert r"| the gate a \| b | 1 |" in text
    assert f"## Other failures of v1.37.1\n\n- `{OTHER}`" in text


def test_the_page_has_runs_of_releases_without_other_failures() -> None:
    text = PAGE.read_text("utf-8")
    versions = re.findall(r"^\| (v\S+) \|", text, re.MULTILINE)
    assert versions
    assert set(versions) <= set(RELEASES)
    assert "## Other failures" not in text
