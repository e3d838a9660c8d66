"""Break the simulated control plane as somebody would who has read the documents and not the cases: each change gets one
rule wrong in one circumstance. `make mutants-of-circumstances`; words try only some.
"""

from __future__ import annotations

import sys
from dataclasses import replace

from tests.quality import (
    mutants_of_admitting,
    mutants_of_attempts,
    mutants_of_charging,
    mutants_of_counting_for_quotas,
    mutants_of_histories,
    mutants_of_lifetimes,
    mutants_of_node_amounts,
    mutants_of_oversights,
    mutants_of_placing,
    mutants_of_second_times,
    mutants_of_serving,
    mutants_of_taking_from_nodes,
    mutants_of_users_of_devices,
    mutants_of_writes,
)
from tests.quality.mutant_campaign import main
from tests.quality.subjects import CONTROL_PLANE

AREAS = (
    (replace(CONTROL_PLANE, operations=("admit", "cluster", "schedule")), mutants_of_writes.MUTANTS),
    (replace(CONTROL_PLANE, operations=("cluster", "schedule")), mutants_of_placing.MUTANTS),
    (
        replace(
            CONTROL_PLANE,
            operations=("footprint", "cluster", "schedule"),
            profiles=(*CONTROL_PLANE.profiles, "kep-future"),
        ),
        mutants_of_node_amounts.MUTANTS,
    ),
    (replace(CONTROL_PLANE, operations=("usage", "cluster")), mutants_of_charging.MUTANTS),
    (replace(CONTROL_PLANE, operations=("cluster", "schedule", "admit")), mutants_of_histories.MUTANTS),
    (
        replace(CONTROL_PLANE, operations=("usage", "footprint", "schedule", "cluster")),
        mutants_of_second_times.MUTANTS,
    ),
    (replace(CONTROL_PLANE, operations=("usage", "cluster")), mutants_of_counting_for_quotas.MUTANTS),
    (
        replace(
            CONTROL_PLANE,
            operations=("footprint", "cluster", "schedule"),
            profiles=("kep-future", *CONTROL_PLANE.profiles),
        ),
        mutants_of_taking_from_nodes.MUTANTS,
    ),
    (replace(CONTROL_PLANE, operations=("cluster", "schedule", "usage")), mutants_of_serving.MUTANTS),
    (replace(CONTROL_PLANE, operations=("schedule", "cluster")), mutants_of_attempts.MUTANTS),
    (replace(CONTROL_PLANE, operations=("cluster", "schedule")), mutants_of_users_of_devices.MUTANTS),
    (replace(CONTROL_PLANE, operations=("admit", "cluster")), mutants_of_admitting.MUTANTS),
    (replace(CONTROL_PLANE, operations=("cluster", "admit", "schedule")), mutants_of_lifetimes.MUTANTS),
    (
        replace(CONTROL_PLANE, operations=("admit", "footprint", "cluster", "schedule")),
        mutants_of_oversights.MUTANTS,
    ),
)
MUTANTS = tuple(mutant for _, mutants in AREAS for mutant in mutants)

if __name__ == "__main__":
    sys.exit(main(*AREAS))
