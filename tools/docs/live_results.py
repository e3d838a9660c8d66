"""Run the whole suite on control planes of each release, and write docs/live-results.md.

`make live-results` calls it, after `make kube-control-plane`. `--from FOLDER` reads JSON reports of earlier
runs.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from dra_conform.conformance.suite.folders import shipped
from dra_conform.conformance.suite.loading import LoadedSuite, load_suite
from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, CaseResult, Verdict
from dra_conform.reports.ledger import Ledger
from dra_conform.reports.ledger_check import known_reason, unexpected_results
from dra_conform.reports.published_ledgers import published_ledgers
from dra_conform.reports.recorded_runs import run_of_report
from dra_conform.reports.runs import Run

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "live-results.md"
RELEASES = ("v1.34.4", "v1.35.4", "v1.36.3", "v1.37.1")

HEAD = """# Results of real control planes

You want to know what API server, scheduler and controllers of a release do when they answer the suite.
`make live-results` runs the whole suite on [a control plane](live.md#a-control-plane-of-a-release) of each
release, in the profile of that release, and makes this page from the JSON reports. *Known failures* are in
the [ledger](how-to/known-failures.md#releases-of-kubernetes) of the release, so that a run expects them."""

_REASONS = {
    "the API server rejects ": "the API server rejects an object of the setup",
    "the API server does not answer ": "the API server does not answer the write of an object of the setup",
    "the scenario advances by ": "the scenario advances by one second, or by more than 300",
}
"""Reasons that name an object or a number, by their beginning."""


@dataclass(frozen=True, slots=True)
class ReleaseRun:
    """The run of a release, with the known reason of each failure, empty if a failure is not known."""

    run: Run
    reasons: dict[str, str]

    @classmethod
    def of(cls, run: Run, ledger: Ledger | None) -> ReleaseRun:
        """Return a run with the reasons of its ledger."""
        failed = [result for result in run.results if result.verdict in CONFORMANCE_FAILURES]
        reasons = {result.case.id: known_reason(ledger, run, result) if ledger else "" for result in failed}
        differ = unexpected_results(ledger, run, None) if ledger else ()
        return cls(run, reasons | {found.case: "" for found in differ if found.case in reasons})

    @property
    def version(self) -> str:
        return self.run.started.implementation.version

    def results(self) -> dict[str, list[CaseResult]]:
        """Return the results by operation, of those that a control plane answers."""
        by_operation: dict[str, list[CaseResult]] = defaultdict(list)
        for result in self.run.results:
            if result.case.operation in self.run.started.implementation.operations:
                by_operation[result.case.operation].append(result)
        return dict(sorted(by_operation.items()))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument(
        "--from", dest="folder", type=Path, help="folder with the JSON reports of whole runs, one a release"
    )
    folder = options.parse_args().folder or _run_all(ROOT / "out" / "live")
    suite = load_suite()
    PAGE.write_text("\n".join(page(read_runs(folder, suite))) + "\n", "utf-8")


def _run_all(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for version in RELEASES:
        print(version, flush=True)
        profile = f"kubernetes-{version[1:].rpartition('.')[0]}"
        command = [sys.executable, "-m", "dra_conform", "run", "-i", f"kube:{version}", "--profile", profile]
        done = subprocess.run([*command, "--json", str(folder / f"{version}.json")], check=False)
        if done.returncode not in (0, 1):
            sys.exit(f"{version}: the run exited with {done.returncode}, expected 0 or 1")
    return folder


def read_runs(folder: Path, suite: LoadedSuite) -> list[ReleaseRun]:
    """Return the runs of a folder, the newest release first."""
    ledger_of = published_ledgers(shipped(), suite.former_ids.present)
    runs = [run_of_report(str(path), suite) for path in folder.glob("*.json")]
    runs.sort(key=lambda run: run.started.implementation.version, reverse=True)
    return [ReleaseRun.of(run, ledger_of(run.started.implementation)) for run in runs]


def page(runs: Sequence[ReleaseRun]) -> Iterator[str]:
    """Yield the lines of the page."""
    yield HEAD
    yield ""
    yield from _totals(runs)
    yield from ("", "## Known failures")
    yield from _table(runs, [Counter(filter(None, run.reasons.values())) for run in runs])
    yield from ("", "## What is not judged")
    yield "The control plane cannot run these cases, or reports nothing that they judge."
    yield from _table(runs, [_unsupported(run) for run in runs])
    for run in runs:
        unknown = [case for case, reason in run.reasons.items() if not reason]
        yield from _list(f"## Other failures of {run.version}", unknown) if unknown else ()


def _totals(runs: Sequence[ReleaseRun]) -> Iterator[str]:
    yield "| release | operation | cases | pass | not judged | known failures | other failures | minutes |"
    yield "|---|---|--:|--:|--:|--:|--:|--:|"
    for run in runs:
        of_operations = run.results()
        rows = [*of_operations.items(), ("all", [one for some in of_operations.values() for one in some])]
        for number, (operation, results) in enumerate(rows):
            minutes = f"{run.run.seconds / 60:.0f}" if operation == "all" else ""
            cells = "".join(f" {count:,} |" for count in _counts(run, results))
            name = operation if operation == "all" else f"`{operation}`"
            yield f"| {'' if number else run.version} | {name} |{cells} {minutes} |"


def _counts(run: ReleaseRun, results: Sequence[CaseResult]) -> tuple[int, ...]:
    """Return how many results there are, pass, are not judged, are known failures, and are other failures."""
    failed = [result.case.id for result in results if result.verdict in CONFORMANCE_FAILURES]
    passed = sum(result.verdict in (Verdict.PASS, Verdict.OPTIONAL) for result in results)
    known = sum(bool(run.reasons[case]) for case in failed)
    return len(results), passed, len(results) - passed - len(failed), known, len(failed) - known


def _unsupported(run: ReleaseRun) -> Counter[str]:
    details = (
        result.detail
        for results in run.results().values()
        for result in results
        if result.verdict is Verdict.UNSUPPORTED
    )
    return Counter(map(_reason, details))


def _reason(detail: str) -> str:
    """Return why a case was not judged, without names of objects and of folders of this machine."""
    known = next((reason for start, reason in _REASONS.items() if detail.startswith(start)), detail)
    return re.sub(r" is in /.*", " is built", known)


def _table(runs: Sequence[ReleaseRun], counts: Sequence[Counter[str]]) -> Iterator[str]:
    """Yield a table with a column for each release and a row for each reason, the most frequent first."""
    total: Counter[str] = sum(counts, Counter())
    yield ""
    yield f"| reason | {' | '.join(run.version for run in runs)} |"
    yield "|---|" + "--:|" * len(runs)
    for reason in sorted(total, key=lambda reason: (-total[reason], reason)):
        cells = " | ".join(str(found[reason] or "-") for found in counts)
        yield f"| {reason.replace('|', chr(92) + '|')} | {cells} |"


def _list(title: str, cases: Sequence[str]) -> Iterator[str]:
    yield from ("", title, "")
    yield from (f"- `{case}`" for case in cases)


if __name__ == "__main__":
    main()
