"""The metrics of the reference kubelet; of histograms it has only the counts."""

from __future__ import annotations

import threading
from collections import Counter

from dra_conform.kube.json_values import Json

OPERATIONS = "dra_operations_duration_seconds"
GRPC_OPERATIONS = "dra_grpc_operations_duration_seconds"
CLAIMS_IN_USE = "dra_resource_claims_in_use"
ANY_DRIVER = "<any>"


class Metrics:
    """Counters by name and labels. All methods can be called from any thread."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, tuple[tuple[str, str], ...]]] = Counter()
        self._lock = threading.Lock()

    def count(self, name: str, **labels: str) -> None:
        """Add 1 to a counter."""
        with self._lock:
            self._counts[name, tuple(labels.items())] += 1

    def samples(self) -> list[Json]:
        """Return all counters."""
        with self._lock:
            return [sample(name, dict(labels), count) for (name, labels), count in self._counts.items()]


def sample(name: str, labels: dict[str, str], value: float) -> Json:
    """Return a sample as in the answer to the command `metrics`."""
    return {"name": name, "labels": labels, "value": value}
