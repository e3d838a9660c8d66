"""The simulated API server: the stored object or the errors of a write."""

from dra_conform.controlplane.apiserver.admission import admit
from dra_conform.controlplane.apiserver.response import Admitted, Rejected, StatusReason
from dra_conform.controlplane.apiserver.write import Surroundings, User, Verb, Write

__all__ = ["Admitted", "Rejected", "StatusReason", "Surroundings", "User", "Verb", "Write", "admit"]
