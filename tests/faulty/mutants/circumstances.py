"""Break the simulated control plane as somebody would who has read the documents and not the cases: each change gets one
rule wrong in one circumstance. `make mutants-of-circumstances`; words try only some.
"""

from __future__ import annotations

import sys
from dataclasses import replace

from tests.faulty.mutants.campaign import main
from tests.faulty.mutants.catalogue import mutants_of
from tests.faulty.mutants.subjects import CONTROL_PLANE

AREAS = (
    (replace(CONTROL_PLANE, operations=("admit", "cluster", "schedule")), mutants_of("writes")),
    (replace(CONTROL_PLANE, operations=("cluster", "schedule")), mutants_of("placing")),
    (
        replace(
            CONTROL_PLANE,
            operations=("footprint", "cluster", "schedule"),
            profiles=(*CONTROL_PLANE.profiles, "kep-future", "kubernetes-1.36"),
        ),
        mutants_of("node-amounts"),
    ),
    (replace(CONTROL_PLANE, operations=("usage", "cluster")), mutants_of("charging")),
    (replace(CONTROL_PLANE, operations=("cluster", "schedule", "admit")), mutants_of("histories")),
    (
        replace(CONTROL_PLANE, operations=("usage", "footprint", "schedule", "cluster")),
        mutants_of("second-times"),
    ),
    (replace(CONTROL_PLANE, operations=("usage", "cluster")), mutants_of("counting-for-quotas")),
    (
        replace(
            CONTROL_PLANE,
            operations=("footprint", "cluster", "schedule"),
            profiles=("kep-future", *CONTROL_PLANE.profiles),
        ),
        mutants_of("taking-from-nodes"),
    ),
    (replace(CONTROL_PLANE, operations=("cluster", "schedule", "usage")), mutants_of("serving")),
    (replace(CONTROL_PLANE, operations=("schedule", "cluster")), mutants_of("attempts")),
    (replace(CONTROL_PLANE, operations=("cluster", "schedule")), mutants_of("users-of-devices")),
    (
        replace(
            CONTROL_PLANE,
            operations=("admit", "cluster"),
            profiles=(*CONTROL_PLANE.profiles, "kubernetes-1.36"),
        ),
        mutants_of("admitting"),
    ),
    (replace(CONTROL_PLANE, operations=("cluster", "admit", "schedule")), mutants_of("lifetimes")),
    (
        replace(CONTROL_PLANE, operations=("admit", "footprint", "cluster", "schedule")),
        mutants_of("oversights"),
    ),
)
MUTANTS = tuple(mutant for _, mutants in AREAS for mutant in mutants)

if __name__ == "__main__":
    sys.exit(main(*AREAS))
