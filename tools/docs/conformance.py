"""Run every build of kube-scheduler's allocator in the profile of its release, and write docs/conformance.md.

`make conformance` calls it, after `make kube-allocator`. `--from FOLDER` reads reports of earlier runs.
"""

from __future__ import annotations

import argparse
import html
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dra_conform.conformance.suite.loading import load_suite
from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, Verdict
from dra_conform.kube.json_values import Json

ROOT = Path(__file__).resolve().parents[2]
BUILDS = ROOT / "tools" / "kube-allocator" / "bin"
PAGE = ROOT / "docs" / "conformance.md"

HEAD = """# What each release does

You want to know what kube-scheduler's own allocator does in a release. Each column is the allocator of a
release (`make kube-allocator` builds it), judged with the profile of that release. Each row is a
requirement for which at least one release answered a case. `make conformance` runs all of them and
generates this page.

| mark | meaning |
|---|---|
| ✓ | every case passes, and the release follows the specification |
| ≠ | every case passes; some show a known [deviation](deviations.md) of the release |
| ✗ | a case fails: the release follows neither the specification nor a known deviation |
| - | the release does not have the feature |

The number after a mark is the number of cases; after ✗, the number of passing cases and of all answered
cases.
"""

_FAILED = {verdict.value for verdict in CONFORMANCE_FAILURES}
_ANSWERED = {*_FAILED, Verdict.PASS.value}


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the page: a release and the JSON report of its run."""

    release: str
    report: Mapping[str, Json]

    def results(self) -> Mapping[str, list[Json]]:
        """Return the results with an answer, by requirement."""
        by_requirement: dict[str, list[Json]] = {}
        for result in self.report["results"]:
            if result["verdict"] in _ANSWERED:
                for name in result["requirements"]:
                    by_requirement.setdefault(name, []).append(result)
        return by_requirement


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument(
        "--from", dest="folder", type=Path, help="folder with the JSON report of each release, RELEASE.json"
    )
    folder = options.parse_args().folder or _run_all(ROOT / "out" / "conformance")
    columns = [
        Column(path.stem, json.loads(path.read_text("utf-8"))) for path in sorted(folder.glob("1.*.json"))
    ]
    for column in columns:
        if not column.report["complete"]:
            sys.exit(
                f"{column.release}: the run is incomplete, expected all cases: {column.report['aborted']}"
            )
    PAGE.write_text("\n".join(_lines(columns)) + "\n", "utf-8")


def _run_all(folder: Path) -> Path:
    builds = sorted(BUILDS.glob("kube-allocator-v0.*"))
    if not builds:
        sys.exit("tools/kube-allocator/bin has no build; run `make kube-allocator`")
    folder.mkdir(parents=True, exist_ok=True)
    for build in builds:
        release = f"1.{build.name.split('.')[1]}"
        print(f"{build.name} in kubernetes-{release}", flush=True)
        command = [sys.executable, "-m", "dra_conform", "run", "-i", f"exec:{build}"]
        report = folder / f"{release}.json"
        done = subprocess.run(
            [*command, "--profile", f"kubernetes-{release}", "--deadline", "60", "--json", str(report)],
            check=False,
            stdout=subprocess.DEVNULL,
        )
        if done.returncode not in (0, 1):
            sys.exit(f"{build.name}: the run exited with {done.returncode}, expected 0 or 1")
    return folder


def _lines(columns: Sequence[Column]) -> Iterator[str]:
    catalogue = load_suite().catalogue
    results_of_columns = [column.results() for column in columns]
    yield HEAD
    yield from _totals(columns)
    documents: dict[str, list[Json]] = {}
    for requirement in catalogue:
        if any(requirement.id in results for results in results_of_columns):
            documents.setdefault(requirement.document, []).append(requirement)
    for document, rows in documents.items():
        yield ""
        yield f"## {document}"
        yield ""
        yield f"| requirement | {' | '.join(column.release for column in columns)} |"
        yield "|---|" + ":-:|" * len(columns)
        for row in rows:
            cells = " | ".join(_cell(results.get(row.id, [])) for results in results_of_columns)
            yield f"| `{row.id}` | {cells} |"

    yield from ("", "## What fails")
    for column in columns:
        yield from _failures(column)


def _failures(column: Column) -> Iterator[str]:
    failed = [result for result in column.report["results"] if result["verdict"] in _FAILED]
    if failed:
        yield from ("", f"<details><summary>{column.release}: {len(failed)} cases</summary><ul>")
        for result in failed:
            detail = result.get("detail") or "; ".join(
                finding["message"] for finding in result.get("findings", ())
            )
            reason = html.escape(detail.splitlines()[0], quote=False)
            yield f"<li><code>{html.escape(result['case'])}</code> {reason}</li>"
        yield "</ul></details>"


def _totals(columns: Sequence[Column]) -> Iterator[str]:
    yield "| release | build | pass | deviations among these | fail | not answered |"
    yield "|---|---|--:|--:|--:|--:|"
    for column in columns:
        results = column.report["results"]
        passed = [result for result in results if result["verdict"] == "pass"]
        failed = [result for result in results if result["verdict"] in _FAILED]
        deviating = sum("deviation" in result for result in passed)
        unanswered = len(results) - len(passed) - len(failed)
        build = column.report["implementation"]["version"]
        yield f"| {column.release} | {build} | {len(passed)} | {deviating} | {len(failed)} | {unanswered} |"


def _cell(results: Sequence[Json]) -> str:
    if not results:
        return "-"
    passed = sum(result["verdict"] == "pass" for result in results)
    if passed < len(results):
        return f"✗ {passed}/{len(results)}"
    return f"{'≠' if any('deviation' in result for result in results) else '✓'} {passed}"


if __name__ == "__main__":
    main()
