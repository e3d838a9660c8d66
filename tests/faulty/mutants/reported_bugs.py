"""Bugs that users have reported of schedulers, controllers and kubelets, each as a change of the built-in.

They are about claims with several users: pods, other consumers, and one pod under several names. `near` has the
cases made for each; `tests/quality/test_reported_bugs.py` puts these to it. `make mutants-of-scheduling` tries them on all.
"""

from __future__ import annotations

import sys

from tests.faulty.mutants.campaign import main
from tests.faulty.mutants.catalogue import mutants_of
from tests.faulty.mutants.mutation import Mutant
from tests.faulty.mutants.subjects import SCHEDULING, Subject

REPORTED = Subject(
    ("cluster", "schedule"),
    (
        *SCHEDULING.parts,
        "simulation/attempts/*.py",
        "simulation/extended_resources/*.py",
    ),
    SCHEDULING.packages,
    ("kep", "kubernetes-1.37"),
    SCHEDULING.switches,
)

CASES = {
    "scoring wants an allocation of every claim": ("dra/shared-claims/shared-claim-and-first-choice",),
    "a claim named twice is allocated twice": (
        "dra/shared-claims/allocated-and-reserved-once",
        "dra/shared-claims/next-attempt-after-unreserve",
    ),
    "a claim named twice is written twice": ("dra/shared-claims/pod-runs",),
    "an allocated claim is in flight once more": ("dra/scheduling-phases/allocated-claim-stays-allocated",),
    "a pod whose status names its claim is not tried again": (
        "dra/scheduling-phases/status-names-generated-claim",
    ),
    "any change of a pod makes it be tried again": ("dra/scheduling-phases/status-names-generated-claim",),
    "a special claim is used again though its device is tainted": (
        "kep-5004/left-over-claims/device-tainted-claim-replaced",
    ),
    "claims that no container uses are left out": ("dra/shared-claims/unused-by-containers",),
    "another consumer keeps the reservations of pods": ("dra/shared-claims/completed-pod-removed",),
    "other consumers are taken for pods that are gone": ("dra/shared-claims/job-keeps-allocation",),
    "pods that are done are reserved for again": (
        "dra/shared-claims/completed-pod",
        "dra/shared-claims/completed-pod-not-reserved",
    ),
    "claims that are being deleted are left alone": (
        "dra/shared-claims/deleted-claim-waits",
        "dra/shared-claims/cleanup-after-downtime",
    ),
    "a claim made before for an entry is not found": ("dra/shared-claims/conflict-on-pod-status",),
    "special claims do not evict": ("dra/eviction/extended-resource-pod",),
    "eviction looks at the first user of a claim only": ("dra/shared-claims/pod-evicted-job-stays",),
    "preparing ends at a claim that is in use": ("dra/shared-claims/second-pod-prepares",),
    "what is prepared goes by the name of the claim": ("dra/shared-claims/recreated-claim-prepared",),
}
"""The cases made for each bug."""

MUTANTS = tuple(Mutant(one.name, *one.changes, near=CASES[one.name]) for one in mutants_of("reported"))

if __name__ == "__main__":
    sys.exit(main((REPORTED, MUTANTS)))
