"""What mutants change: parts of the built-in, and the cases that must notice."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[3] / "dra_conform"


@dataclass(frozen=True, slots=True)
class Subject:
    """What mutants change, and the operations whose cases must notice.

    `parts` are files below the package; what the judge needs of them it has in its own copy. `packages` are
    forgotten before a change is imported. The cases are put in each of the `profiles`,
    those of the first operation before those of the next. `switches` are areas of `kube/switches` that mutants
    change and that are forgotten, too.
    """

    operations: tuple[str, ...]
    parts: tuple[str, ...]
    packages: tuple[str, ...]
    profiles: tuple[str, ...] = ("kep",)
    switches: tuple[str, ...] = ()

    @property
    def files(self) -> tuple[str, ...]:
        """The patterns of the files that mutants change."""
        return (*self.parts, *(f"kube/switches/{name}.py" for name in self.switches))

    @property
    def forgotten(self) -> tuple[str, ...]:
        """The beginnings of the names of modules."""
        switches = (f"kube.switches.{name}" for name in self.switches)
        return tuple(f"dra_conform.{name}" for name in (*self.packages, *switches, "adapters.builtin"))


ALLOCATOR = Subject(
    ("allocate", "cluster"),
    ("allocator/*.py", "capacity/*.py", "kube/node_selectors.py"),
    ("allocator", "capacity", "kube.node_selectors", "apiserver", "cluster_state", "simulation"),
    ("kep", "kubernetes-1.37"),
    ("allocation", "features"),
)
NOTATION = Subject(
    ("allocate",),
    ("kube/quantity.py", "cel/values/*.py", "cel/evaluation/logic.py", "cel/functions/*.py"),
    (
        "kube",
        "capacity",
        "cel",
        "footprint",
        "quota",
        "allocator",
        "apiserver",
        "cluster_state",
        "simulation",
    ),
    ("kep", "kubernetes-1.37"),
)
API_SERVER = Subject(
    ("admit", "cluster"),
    ("apiserver/*.py", "kube/versions.py"),
    ("apiserver", "cluster_state", "simulation", "kube.versions"),
    ("kep", "kubernetes-1.37", "kubernetes-1.36", "kubernetes-1.33"),
    ("api_server",),
)
QUOTA = Subject(
    ("usage", "cluster"),
    (
        "quota/*.py",
        "footprint/containers.py",
        "footprint/pod_footprint.py",
        "simulation/quotas.py",
        "simulation/controllers/quota_usage.py",
    ),
    ("quota", "footprint", "apiserver", "cluster_state", "simulation"),
    ("kep", "kubernetes-1.36"),
    ("quota", "node_resources"),
)
SCHEDULING = Subject(
    ("cluster", "schedule"),
    (
        "cluster_state/*.py",
        "simulation/*.py",
        "simulation/controllers/*.py",
        "simulation/scheduling/*.py",
        "footprint/device_amounts.py",
    ),
    ("apiserver", "cluster_state", "simulation", "footprint"),
    ("kep", "kubernetes-1.36"),
    ("scheduler", "controllers"),
)
FOOTPRINT = Subject(
    ("footprint", "cluster"),
    (
        "footprint/*.py",
        "cluster_state/claim_accounting.py",
        "cluster_state/kubelet_admission.py",
        "simulation/scheduling/node_allocatable.py",
    ),
    ("footprint", "apiserver", "cluster_state", "simulation"),
    ("kep", "kep-future", "kubernetes-1.36", "kubernetes-1.37"),
    ("node_resources",),
)
CONTROL_PLANE = Subject(
    ("cluster", "schedule", "admit", "usage", "footprint"),
    (
        "cluster_state/*.py",
        "apiserver/*.py",
        "simulation/**/*.py",
        "footprint/*.py",
        "quota/*.py",
        "kube/merge_patch.py",
    ),
    ("apiserver", "cluster_state", "simulation", "footprint", "quota", "kube.merge_patch"),
    ("kep", "kubernetes-1.37"),
    ("scheduler", "controllers", "extended_resources", "kubelet", "api_server", "quota", "node_resources"),
)
