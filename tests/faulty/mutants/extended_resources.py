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
        "controlplane/simulation/extended_resources/*.py",
        "controlplane/simulation/scheduling/dynamic_resources.py",
        "controlplane/simulation/scheduling/cycle_factory.py",
        "controlplane/simulation/scheduling/node_plugins.py",
        "controlplane/simulation/kubelet.py",
        "controlplane/simulation/kubelet_admission.py",
    ),
    ("controlplane",),
    ("kep", "kubernetes-1.36"),
    ("extended_resources",),
)

MUTANTS = mutants_of("extended-resources", near=("kep-5004",))

if __name__ == "__main__":
    sys.exit(main((EXTENDED_RESOURCES, MUTANTS)))
