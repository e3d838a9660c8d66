"""Run scenarios or other cases on real control planes; every failure must be known.

`python -m tests.support.adapters.control_plane.all_scenarios --version v1.37.1 --planes 3 --select 'operation:cluster and id:kep-5963/*'`
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatchcase
from functools import partial

from dra_conform.adapters import open_implementation
from dra_conform.conformance.case import Case, applicable
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.runner import Settings, run
from dra_conform.conformance.suite.loading import LoadedSuite, load_suite, select
from dra_conform.conformance.verdict import CaseResult, Verdict
from tests.kube_allocator.test_releases import known_failures
from tests.support.adapters.control_plane.area_table import area_table

RESERVED_FOR_FINISHED_POD = (
    "while a finished pod stays and another pod uses its claim, the claim controller reserves the claim for the "
    "finished pod and removes that again, repeatedly: there is no steady state"
)
REQUEUED_AFTER_FIVE_MINUTES = (
    "the scheduler does not requeue the pod when a claim without allocation is deleted, and tries it again only "
    "after five minutes"
)
ALLOCATION_TIMESTAMP_ADDED = (
    "with DRADeviceBindingConditions on, the scheduler adds an allocationTimestamp to an allocation that has "
    "none when it reserves the claim for another pod, and the API server rejects any change of an allocation"
)
RETRIED_FOREVER = (
    "the API server rejects what the scheduler of 1.37 writes for an extended-resource claim with node allocatable "
    "resources, and the scheduler creates and deletes that claim every ten seconds: there is no steady state"
)
RESERVED_TWICE = (
    "at every attempt the scheduler reserves the claim for the first of its names in the pod, and removes that when "
    "the write for the second is rejected: there is no steady state"
)
NOT_REQUEUED = (
    "the scheduler of 1.36 does not requeue the pod when a claim is deleted, and tries it again only after five "
    "minutes"
)
WAITS_FOR_DELETED_POD = (
    "the scheduler waits ten minutes for the devices of a pod that is deleted meanwhile; in 1.37 its claim stays in "
    "flight as long, so that no other pod gets it"
)
LIST_ATTRIBUTES_OFF = (
    "the scheduler of 1.36.3 does not enable DRAListTypeAttributes in its allocator, so that list-type attributes "
    "match nothing"
)
FIXED_LATER = (
    "1.36.3 is older than the allocator builds: it mixes the counters of two drivers' pools with the same name, and "
    "adds counts in 64 bits"
)
ZEROS_DROPPED = "the API server stores a quantity that ends in 21 zeros or more without these zeros"
KNOWN = {
    "v1.36": {
        "dra/shared-claims/pod-runs": RESERVED_TWICE,
        "dra/claim-lifetime/generated-claim-used-by-other-pod*": RESERVED_FOR_FINISHED_POD,
        "dra/eviction/noschedule-second-claim*": ALLOCATION_TIMESTAMP_ADDED,
        "dra/shared-claims/completed-pod-removed*": RESERVED_FOR_FINISHED_POD,
        "dra/shared-claims/completed-pod-not-reserved-again*": RESERVED_FOR_FINISHED_POD,
        "kep-5517/kubelet/claim-placed-by-scheduler-counts*": ALLOCATION_TIMESTAMP_ADDED,
        "kep-5517/node-fit/allocated-claim-counts[[]5[]]": ALLOCATION_TIMESTAMP_ADDED,
        "kep-5004/left-over-claims/unallocated-claim-replaced": NOT_REQUEUED,
        "kep-5004/left-over-claims/node-cordoned-claim-replaced*": NOT_REQUEUED,
        "kep-5004/left-over-claims/device-gone-claim-replaced": NOT_REQUEUED,
        "kep-5004/left-over-claims/device-tainted-claim-replaced": NOT_REQUEUED,
        "kep-5004/left-over-claims/valid-claim-reused": NOT_REQUEUED,
        "kep-5004/left-over-claims/claim-reused-despite-admin-access*": NOT_REQUEUED,
        "kep-5004/left-over-claims/init-container-claim-reused": NOT_REQUEUED,
        "kep-5004/left-over-claims/device-in-use-claim-replaced*": NOT_REQUEUED,
        "kep-5004/left-over-claims/deleted-claim-replaced": NOT_REQUEUED,
        "kep-5004/left-over-claims/foreign-finalizer-kept*": NOT_REQUEUED,
        "kep-5004/left-over-claims/claim-without-finalizer*": NOT_REQUEUED,
        "kep-5004/left-over-claims/newer-class-claim-replaced": NOT_REQUEUED,
        "kep-5075/scheduling/claim-of-two-pods-until-both-finish*": RESERVED_FOR_FINISHED_POD,
        "kep-5517/sharing/finished-pod-frees-claim": RESERVED_FOR_FINISHED_POD,
        **known_failures("v0.36.6"),
        "api/list-attributes/lists-share-a-value-match*": LIST_ATTRIBUTES_OFF,
        "api/list-attributes/three-lists-share-a-value-match": LIST_ATTRIBUTES_OFF,
        "api/list-attributes/single-value-in-list-matches*": LIST_ATTRIBUTES_OFF,
        "api/list-attributes/distinct-lists-allocated*": LIST_ATTRIBUTES_OFF,
        "api/list-attributes/backtracked-device-distinct": LIST_ATTRIBUTES_OFF,
        "dra/interactions/list-value-*": LIST_ATTRIBUTES_OFF,
        "dra/interactions/partition-list-value-and-fit": LIST_ATTRIBUTES_OFF,
        "dra/sizes/lists-share-last-value": LIST_ATTRIBUTES_OFF,
        "kep-5075/other-features/list-attribute-and-enough-left": LIST_ATTRIBUTES_OFF,
        "dra/interactions/all-partitions-of-two-drivers": FIXED_LATER,
        "dra/limits/subrequest-count-near-64-bits": FIXED_LATER,
        "dra/limits/sum-of-counts-beyond-64-bits[[]2-62-twice[]]": FIXED_LATER,
        "dra/limits/sum-of-counts-beyond-64-bits[[]1-and-2-63-*": FIXED_LATER,
        "dra/partitionable-devices/same-pool-name-other-driver*": FIXED_LATER,
        "dra/partitionable-devices/other-driver-counters-do-not-help*": FIXED_LATER,
        "kep-5075/extreme-amounts/capacity-beyond-64-bits-filled[[]1[]]": ZEROS_DROPPED,
    },
    "v1.37": {
        "api/binding/deleted-while-waiting[[]running[]]": WAITS_FOR_DELETED_POD,
        "dra/shared-claims/pod-runs": RESERVED_TWICE,
        "dra/claim-lifetime/generated-claim-used-by-other-pod*": RESERVED_FOR_FINISHED_POD,
        "dra/eviction/noschedule-second-claim*": ALLOCATION_TIMESTAMP_ADDED,
        "dra/shared-claims/completed-pod-removed*": RESERVED_FOR_FINISHED_POD,
        "dra/shared-claims/completed-pod-not-reserved-again*": RESERVED_FOR_FINISHED_POD,
        "kep-5517/status/extended-resource-adds-cpus": RETRIED_FOREVER,
        "kep-5004/left-over-claims/unallocated-claim-replaced": REQUEUED_AFTER_FIVE_MINUTES,
        "kep-5075/extreme-amounts/capacity-beyond-64-bits-filled[[]1[]]": ZEROS_DROPPED,
        "kep-5075/scheduling/claim-of-two-pods-until-both-finish*": RESERVED_FOR_FINISHED_POD,
        "kep-5517/sharing/finished-pod-frees-claim": RESERVED_FOR_FINISHED_POD,
    },
}
"""The reasons why cases fail on the control plane of a release, by pattern of their ids."""


def unknown_failures(version: str, results: list[CaseResult]) -> list[CaseResult]:
    """Return the failures without a known reason."""
    known = KNOWN.get(version.rpartition(".")[0], {})
    failed = (result for result in results if result.verdict not in (Verdict.PASS, Verdict.UNSUPPORTED))
    return [result for result in failed if not any(fnmatchcase(result.case.id, pattern) for pattern in known)]


def passing_known_failures(version: str, results: list[CaseResult]) -> list[str]:
    """Return the patterns of known failures whose cases pass."""
    return [
        pattern
        for pattern in KNOWN.get(version.rpartition(".")[0], {})
        for result in results
        if result.verdict is Verdict.PASS and fnmatchcase(result.case.id, pattern)
    ]


def run_cases(version: str, expression: str, profile: str, planes: int) -> list[CaseResult]:
    """Run the selected cases on several control planes at the same time; return the results."""
    suite = load_suite()
    cases = applicable(select(suite.cases, expression), profile)
    parts = [cases[first::planes] for first in range(planes)]
    with ThreadPoolExecutor(planes) as pool:
        results_of_parts = pool.map(partial(_run_cases, version, suite, profile), parts)
        return [result for results in results_of_parts for result in results]


def _run_cases(version: str, suite: LoadedSuite, profile: str, cases: Sequence[Case]) -> list[CaseResult]:
    kube = open_implementation(f"kube:{version}")
    events = run(kube, suite.as_suite(), cases, settings=Settings(profile=profile))
    return [event.result for event in events if isinstance(event, CaseFinished)]


def main() -> int:
    """Return 1 if there is an unknown failure, or a known failure passes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--version", default="v1.37.1")
    parser.add_argument("--profile", help="the profile (default: the release of the version)")
    parser.add_argument(
        "--planes", type=int, default=2, help="the number of control planes, two gigabytes of memory each (2)"
    )
    parser.add_argument("--select", default="operation:cluster")
    parser.add_argument("--table", action="store_true", help="also print a Markdown table of the areas")
    arguments = parser.parse_args()
    profile = arguments.profile or f"kubernetes-{arguments.version[1:].rpartition('.')[0]}"
    began = time.monotonic()
    results = run_cases(arguments.version, arguments.select, profile, arguments.planes)
    counts = dict(Counter(result.verdict.value for result in results))
    print(f"{arguments.version}, {profile}: {counts} in {(time.monotonic() - began) / 60:.0f} minutes")
    for line in area_table(results) if arguments.table else ():
        print(line)
    unsupported = Counter(result.detail for result in results if result.verdict is Verdict.UNSUPPORTED)
    for detail, count in unsupported.items():
        print(f"unsupported: {count} x {detail}")
    failures, passing = (
        unknown_failures(arguments.version, results),
        passing_known_failures(arguments.version, results),
    )
    for pattern in passing:
        print(f"passes, but is a known failure: {pattern}")
    for result in failures:
        print(result.verdict.value, result.case.id, result.detail or result.findings)
    return 1 if failures or passing else 0


if __name__ == "__main__":
    raise SystemExit(main())
