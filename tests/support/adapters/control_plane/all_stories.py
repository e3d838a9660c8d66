"""Puts stories, or other cases, to real control planes; what does not pass must be known.

`python -m tests.support.adapters.control_plane.all_stories --version v1.37.1 --planes 3 --select 'operation:cluster and id:kep-5963/*'`
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
from dra_conform.conformance.case import Case
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.runner import Settings, applicable, run
from dra_conform.conformance.suite.loading import LoadedSuite, load_suite, select
from dra_conform.conformance.verdict import CaseResult, Verdict
from tests.kube_allocator.test_releases import DEPARTURES

RESERVES_FOR_THE_DONE = (
    "while a pod that is done is still there and its claim stays allocated for another one, the claim controller "
    "reserves the claim for it and takes that back, without end: nothing settles"
)
FIVE_MINUTES = (
    "the scheduler is not woken by the deletion of a claim that has no allocation, and tries the pod again only "
    "after five minutes"
)
TIME_OF_ALLOCATION = (
    "with DRADeviceBindingConditions on, the scheduler adds an allocationTimestamp to an allocation that has "
    "none when it reserves the claim for another pod, and the API server rejects any change of an allocation"
)
TRIED_FOR_EVER = (
    "the API server rejects what the scheduler of 1.37 writes of a special claim that takes of its node, and "
    "the scheduler makes and deletes that claim every ten seconds: nothing settles"
)
WRITTEN_TWICE = (
    "at every attempt the scheduler reserves the claim for the first of its names and, refused for the second, "
    "takes that back: nothing settles"
)
NO_WAKING = "the scheduler of 1.36 is not woken by the deletion of a claim at all, and tries the pod again only after five minutes"
WAITS_FOR_THE_GONE = (
    "a pod that is deleted while the scheduler waits for its devices is waited for all the same, ten minutes; in 1.37 "
    "its claim stays in flight as long, so that no other pod gets it"
)
LISTS_NOT_TOLD = (
    "the scheduler of 1.36.3 does not tell its allocator that DRAListTypeAttributes is on, so that a list "
    "matches nothing"
)
MENDED_SINCE = (
    "1.36.3 is older than the allocator builds: it mixes the counters of pools of one name of two drivers, and adds "
    "counts up in 64 bits"
)
ZEROS_LOST = "the API server stores an amount that ends in 21 zeros or more without them"
KNOWN = {
    "v1.36": {
        "dra/shared-claims/pod-runs": WRITTEN_TWICE,
        "dra/claim-lifetime/generated-claim-used-by-other-pod*": RESERVES_FOR_THE_DONE,
        "dra/eviction/noschedule-second-claim*": TIME_OF_ALLOCATION,
        "dra/shared-claims/completed-pod-removed*": RESERVES_FOR_THE_DONE,
        "dra/shared-claims/completed-pod-not-reserved-again*": RESERVES_FOR_THE_DONE,
        "kep-5517/kubelet/claim-placed-by-scheduler-counts*": TIME_OF_ALLOCATION,
        "kep-5517/node-fit/allocated-claim-counts[[]5[]]": TIME_OF_ALLOCATION,
        "kep-5004/left-over-claims/unallocated-claim-replaced": NO_WAKING,
        "kep-5004/left-over-claims/node-cordoned-claim-replaced*": NO_WAKING,
        "kep-5004/left-over-claims/device-gone-claim-replaced": NO_WAKING,
        "kep-5004/left-over-claims/device-tainted-claim-replaced": NO_WAKING,
        "kep-5004/left-over-claims/valid-claim-reused": NO_WAKING,
        "kep-5004/left-over-claims/claim-reused-despite-admin-access*": NO_WAKING,
        "kep-5004/left-over-claims/init-container-claim-reused": NO_WAKING,
        "kep-5004/left-over-claims/device-in-use-claim-replaced*": NO_WAKING,
        "kep-5004/left-over-claims/deleted-claim-replaced": NO_WAKING,
        "kep-5004/left-over-claims/foreign-finalizer-kept*": NO_WAKING,
        "kep-5004/left-over-claims/claim-without-finalizer*": NO_WAKING,
        "kep-5004/left-over-claims/newer-class-claim-replaced": NO_WAKING,
        "kep-5075/scheduling/claim-of-two-pods-until-both-finish*": RESERVES_FOR_THE_DONE,
        "kep-5517/sharing/finished-pod-frees-claim": RESERVES_FOR_THE_DONE,
        **DEPARTURES["v0.36.6"],
        "api/list-attributes/lists-share-a-value-match*": LISTS_NOT_TOLD,
        "api/list-attributes/three-lists-share-a-value-match": LISTS_NOT_TOLD,
        "api/list-attributes/single-value-in-list-matches*": LISTS_NOT_TOLD,
        "api/list-attributes/distinct-lists-allocated*": LISTS_NOT_TOLD,
        "api/list-attributes/backtracked-device-distinct": LISTS_NOT_TOLD,
        "dra/interactions/list-value-*": LISTS_NOT_TOLD,
        "dra/interactions/partition-list-value-and-fit": LISTS_NOT_TOLD,
        "dra/sizes/lists-share-last-value": LISTS_NOT_TOLD,
        "kep-5075/other-features/list-attribute-and-enough-left": LISTS_NOT_TOLD,
        "dra/interactions/all-partitions-of-two-drivers": MENDED_SINCE,
        "dra/limits/subrequest-count-near-64-bits": MENDED_SINCE,
        "dra/limits/sum-of-counts-beyond-64-bits[[]2-62-twice[]]": MENDED_SINCE,
        "dra/limits/sum-of-counts-beyond-64-bits[[]1-and-2-63-*": MENDED_SINCE,
        "dra/partitionable-devices/same-pool-name-other-driver*": MENDED_SINCE,
        "dra/partitionable-devices/other-driver-counters-do-not-help*": MENDED_SINCE,
        "kep-5075/extreme-amounts/capacity-beyond-64-bits-filled[[]1[]]": ZEROS_LOST,
    },
    "v1.37": {
        "api/binding/deleted-while-waiting[[]the-cluster-reaches-a-steady-state[]]": WAITS_FOR_THE_GONE,
        "dra/shared-claims/pod-runs": WRITTEN_TWICE,
        "dra/claim-lifetime/generated-claim-used-by-other-pod*": RESERVES_FOR_THE_DONE,
        "dra/eviction/noschedule-second-claim*": TIME_OF_ALLOCATION,
        "dra/shared-claims/completed-pod-removed*": RESERVES_FOR_THE_DONE,
        "dra/shared-claims/completed-pod-not-reserved-again*": RESERVES_FOR_THE_DONE,
        "kep-5517/kubelet/claim-placed-by-scheduler-counts*": TIME_OF_ALLOCATION,
        "kep-5517/node-fit/allocated-claim-counts[[]5[]]": TIME_OF_ALLOCATION,
        "kep-5517/status/extended-resource-adds-cpus": TRIED_FOR_EVER,
        "kep-5004/left-over-claims/unallocated-claim-replaced": FIVE_MINUTES,
        "kep-5075/extreme-amounts/capacity-beyond-64-bits-filled[[]1[]]": ZEROS_LOST,
        "kep-5075/scheduling/claim-of-two-pods-until-both-finish*": RESERVES_FOR_THE_DONE,
        "kep-5517/sharing/finished-pod-frees-claim": RESERVES_FOR_THE_DONE,
    },
}
"""Why cases do not pass on the control planes of a release, by the patterns of their ids."""


def unknown(version: str, results: list[CaseResult]) -> list[CaseResult]:
    """Those that have another answer than the right one, and nobody knows why."""
    known = KNOWN.get(version.rpartition(".")[0], {})
    wrong = (one for one in results if one.verdict not in (Verdict.PASS, Verdict.UNSUPPORTED))
    return [one for one in wrong if not any(fnmatchcase(one.case.id, pattern) for pattern in known)]


def outlived(version: str, results: list[CaseResult]) -> list[str]:
    """The patterns of stories that are said not to pass, and do."""
    return [
        pattern
        for pattern in KNOWN.get(version.rpartition(".")[0], {})
        for one in results
        if one.verdict is Verdict.PASS and fnmatchcase(one.case.id, pattern)
    ]


def told(version: str, expression: str, profile: str, planes: int) -> list[CaseResult]:
    """The results of the cases that are selected, put to so many control planes side by side."""
    suite = load_suite()
    cases = applicable(select(suite.cases, expression), profile)
    shares = [cases[first::planes] for first in range(planes)]
    with ThreadPoolExecutor(planes) as pool:
        several = pool.map(partial(_told, version, suite, profile), shares)
        return [result for results in several for result in results]


def _told(version: str, suite: LoadedSuite, profile: str, cases: Sequence[Case]) -> list[CaseResult]:
    kube = open_implementation(f"kube:{version}")
    events = run(kube, suite.as_suite(), cases, settings=Settings(profile=profile))
    return [event.result for event in events if isinstance(event, CaseFinished)]


def main() -> int:
    """1 if anything does not pass that is not known, or passes that is known not to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--version", default="v1.37.1")
    parser.add_argument("--profile", help="that of the version's release, where none is named")
    parser.add_argument("--planes", type=int, default=3, help="how many control planes, a gigabyte each (3)")
    parser.add_argument("--select", default="operation:cluster")
    asked = parser.parse_args()
    profile = asked.profile or f"kubernetes-{asked.version[1:].rpartition('.')[0]}"
    began = time.monotonic()
    results = told(asked.version, asked.select, profile, asked.planes)
    counts = dict(Counter(one.verdict.value for one in results))
    print(f"{asked.version}, {profile}: {counts} in {(time.monotonic() - began) / 60:.0f} minutes")
    for why, several in Counter(one.detail for one in results if one.verdict is Verdict.UNSUPPORTED).items():
        print(f"unsupported: {several} x {why}")
    found, passing = unknown(asked.version, results), outlived(asked.version, results)
    for pattern in passing:
        print(f"passes, and is known not to: {pattern}")
    for one in found:
        print(one.verdict.value, one.case.id, one.detail or one.findings)
    return 1 if found or passing else 0


if __name__ == "__main__":
    raise SystemExit(main())
