"""The simulated API server: it admits a write and returns the object, or rejects it with all errors."""

from dra_conform.apiserver.admission import admit
from dra_conform.apiserver.response import Admitted, Rejected, StatusReason
from dra_conform.apiserver.strategy import Surroundings, User, Verb, WriteRequest

__all__ = ["Admitted", "Rejected", "StatusReason", "Surroundings", "User", "Verb", "WriteRequest", "admit"]
