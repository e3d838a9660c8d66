"""Break how the simulated cluster serves extended resources (KEP-5004), one rule at a time, and see the suite notice:
`python -m tests.faulty.mutants.extended_resources`.
"""

from __future__ import annotations

import sys

from tests.faulty.mutants.campaign import main
from tests.faulty.mutants.catalogue import mutants_of
from tests.faulty.mutants.subjects import Subject

EXTENDED_RESOURCES = Subject(
    ("cluster",),
    (
        "simulation/extended_resources/*.py",
        "simulation/scheduling/dynamic_resources.py",
        "simulation/scheduling/cycle_factory.py",
        "simulation/scheduling/node_plugins.py",
        "simulation/kubelet.py",
        "cluster_state/kubelet_admission.py",
    ),
    ("cluster_state", "simulation"),
    ("kep", "kubernetes-1.36"),
    ("extended_resources",),
)

MUTANTS = mutants_of("extended-resources", near=("kep-5004",))

if __name__ == "__main__":
    sys.exit(main((EXTENDED_RESOURCES, MUTANTS)))
