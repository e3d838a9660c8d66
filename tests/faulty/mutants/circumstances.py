"""Break the simulated control plane as somebody would who has read the documents and not the cases: each change gets one
rule wrong in one circumstance. `make mutants-of-circumstances`; words try only some.
"""

from __future__ import annotations

import sys
from dataclasses import replace

from tests.faulty.mutants import (
    admitting,
    attempts,
    charging,
    counting_for_quotas,
    histories,
    lifetimes,
    node_amounts,
    oversights,
    placing,
    second_times,
    serving,
    taking_from_nodes,
    users_of_devices,
    writes,
)
from tests.faulty.mutants.campaign import main
from tests.faulty.mutants.subjects import CONTROL_PLANE

AREAS = (
    (replace(CONTROL_PLANE, operations=("admit", "cluster", "schedule")), writes.MUTANTS),
    (replace(CONTROL_PLANE, operations=("cluster", "schedule")), placing.MUTANTS),
    (
        replace(
            CONTROL_PLANE,
            operations=("footprint", "cluster", "schedule"),
            profiles=(*CONTROL_PLANE.profiles, "kep-future"),
        ),
        node_amounts.MUTANTS,
    ),
    (replace(CONTROL_PLANE, operations=("usage", "cluster")), charging.MUTANTS),
    (replace(CONTROL_PLANE, operations=("cluster", "schedule", "admit")), histories.MUTANTS),
    (
        replace(CONTROL_PLANE, operations=("usage", "footprint", "schedule", "cluster")),
        second_times.MUTANTS,
    ),
    (replace(CONTROL_PLANE, operations=("usage", "cluster")), counting_for_quotas.MUTANTS),
    (
        replace(
            CONTROL_PLANE,
            operations=("footprint", "cluster", "schedule"),
            profiles=("kep-future", *CONTROL_PLANE.profiles),
        ),
        taking_from_nodes.MUTANTS,
    ),
    (replace(CONTROL_PLANE, operations=("cluster", "schedule", "usage")), serving.MUTANTS),
    (replace(CONTROL_PLANE, operations=("schedule", "cluster")), attempts.MUTANTS),
    (replace(CONTROL_PLANE, operations=("cluster", "schedule")), users_of_devices.MUTANTS),
    (replace(CONTROL_PLANE, operations=("admit", "cluster")), admitting.MUTANTS),
    (replace(CONTROL_PLANE, operations=("cluster", "admit", "schedule")), lifetimes.MUTANTS),
    (
        replace(CONTROL_PLANE, operations=("admit", "footprint", "cluster", "schedule")),
        oversights.MUTANTS,
    ),
)
MUTANTS = tuple(mutant for _, mutants in AREAS for mutant in mutants)

if __name__ == "__main__":
    sys.exit(main(*AREAS))
