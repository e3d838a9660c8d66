"""Run scenarios or other cases on real control planes; every failure must be known.

`python -m tests.support.adapters.control_plane.all_scenarios --version v1.37.1 --select 'operation:cluster and id:kep-5963/*'`
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence

from dra_conform.adapters.specs import open_implementation
from dra_conform.conformance.case import applicable
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.implementation import Identity
from dra_conform.conformance.runner import Settings, run
from dra_conform.conformance.suite.folders import shipped
from dra_conform.conformance.suite.loading import load_suite, select
from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, CaseResult, Verdict
from dra_conform.reports.ledger import KnownPattern, Ledger
from dra_conform.reports.published_ledgers import published_ledgers
from tests.support.adapters.control_plane.area_table import area_table


def ledger_of(version: str) -> Ledger:
    """Return the published ledger of a release."""
    ledger = published_ledgers(shipped(), lambda case: case)(Identity("Kubernetes", version))
    assert ledger is not None, version
    return ledger


def patterns_of(version: str, profile: str) -> list[KnownPattern]:
    """Return the patterns of the failures that are known of a release, in a profile."""
    groups = ledger_of(version).groups
    return [pattern for group in groups if group.profile in ("", profile) for pattern in group.matching]


def unknown_failures(patterns: Sequence[KnownPattern], results: list[CaseResult]) -> list[CaseResult]:
    """Return the failures that no pattern matches."""
    failed = (result for result in results if result.verdict in CONFORMANCE_FAILURES)
    return [result for result in failed if not any(pattern.is_about(result) for pattern in patterns)]


def passing_known_failures(patterns: Sequence[KnownPattern], results: list[CaseResult]) -> list[str]:
    """Return the cases that pass although a pattern matches them."""
    passed = (result for result in results if result.verdict is Verdict.PASS)
    return [result.case.id for result in passed if any(pattern.is_about(result) for pattern in patterns)]


def run_cases(version: str, expression: str, profile: str) -> list[CaseResult]:
    """Run the selected cases on control planes of a version; return the results."""
    suite = load_suite()
    cases = applicable(select(suite.cases, expression), profile)
    kube = open_implementation(f"kube:{version}")
    events = run(kube, suite.as_suite(), cases, settings=Settings(profile=profile))
    return [event.result for event in events if isinstance(event, CaseFinished)]


def main() -> int:
    """Return 1 if there is an unknown failure, or a known failure passes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--version", default="v1.37.1")
    parser.add_argument("--profile", help="the profile (default: the release of the version)")
    parser.add_argument("--select", default="operation:cluster")
    parser.add_argument("--table", action="store_true", help="also print a Markdown table of the areas")
    arguments = parser.parse_args()
    profile = arguments.profile or f"kubernetes-{arguments.version[1:].rpartition('.')[0]}"
    began = time.monotonic()
    results = run_cases(arguments.version, arguments.select, profile)
    counts = dict(Counter(result.verdict.value for result in results))
    print(f"{arguments.version}, {profile}: {counts} in {(time.monotonic() - began) / 60:.0f} minutes")
    for line in area_table(results) if arguments.table else ():
        print(line)
    unsupported = Counter(result.detail for result in results if result.verdict is Verdict.UNSUPPORTED)
    for detail, count in unsupported.items():
        print(f"unsupported: {count} x {detail}")
    patterns = patterns_of(arguments.version, profile)
    failures, passing = unknown_failures(patterns, results), passing_known_failures(patterns, results)
    for case in passing:
        print(f"passes, but is a known failure: {case}")
    for result in failures:
        print(result.verdict.value, result.case.id, result.detail or result.findings)
    return 1 if failures or passing else 0


if __name__ == "__main__":
    raise SystemExit(main())
