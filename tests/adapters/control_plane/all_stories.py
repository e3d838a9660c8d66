"""Tells stories to a real control plane; what does not pass must be known.

`python -m tests.adapters.control_plane.all_stories --version v1.37.1 --select 'id:kep-5963/*'`
"""

from __future__ import annotations

import argparse
from collections import Counter
from fnmatch import fnmatchcase

from dra_conform.adapters import open_implementation
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.runner import Settings, applicable, run
from dra_conform.conformance.suite.loading import load_suite, select
from dra_conform.conformance.verdict import CaseResult, Verdict

RESERVES_FOR_THE_DONE = (
    "while a pod that is done is still there and its claim stays allocated for another one, the claim controller "
    "reserves the claim for it and takes that back, without end: nothing settles"
)
FIVE_MINUTES = (
    "the scheduler is not woken by the deletion of a claim that has no allocation, and tries the pod again only "
    "after five minutes"
)
TIME_OF_ALLOCATION = (
    "with DRADeviceBindingConditions on, the scheduler adds an allocationTimestamp to an allocation that has none when "
    "it reserves the claim for another pod, and the API server refuses any change of an allocation"
)
KNOWN = {
    "kep-5517/kubelet/scheduler-and-kubelet-count-alike-*": TIME_OF_ALLOCATION,
    "kep-5075/scheduling/a-claim-of-6-that-two-pods-share-leaves-*": RESERVES_FOR_THE_DONE,
    "kep-5004/left-over-claims/a-claim-that-is-not-allocated-is-replaced": FIVE_MINUTES,
}
"""Why stories do not pass on the control planes of Kubernetes 1.36 and 1.37, by the patterns of their ids."""


def unknown(results: list[CaseResult]) -> list[CaseResult]:
    """Those that have another answer than the right one, and nobody knows why."""
    wrong = (one for one in results if one.verdict not in (Verdict.PASS, Verdict.UNSUPPORTED))
    return [one for one in wrong if not any(fnmatchcase(one.case.id, pattern) for pattern in KNOWN)]


def told(version: str, expression: str) -> list[CaseResult]:
    """The results of the stories that are selected, in the profile of that release."""
    settings = Settings(profile=f"kubernetes-{version[1:].rpartition('.')[0]}")
    suite = load_suite()
    cases = applicable(select(suite.cases, f"operation:cluster and ({expression})"), settings.profile)
    kube = open_implementation(f"kube:{version}")
    events = run(kube, suite.as_suite(), cases, settings=settings)
    return [event.result for event in events if isinstance(event, CaseFinished)]


def main() -> int:
    """1 if anything does not pass that is not known."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--version", default="v1.37.1")
    parser.add_argument("--select", default="operation:cluster")
    asked = parser.parse_args()
    results = told(asked.version, asked.select)
    print(dict(Counter(one.verdict.value for one in results)))
    found = unknown(results)
    for one in found:
        print(one.verdict.value, one.case.id, one.detail or one.findings)
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
