"""The built-in implementation: an allocator, an API server and a cluster, one method per operation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

from dra_conform import __version__
from dra_conform.adapters.builtin import explaining
from dra_conform.conformance.features import FEATURES, RESULT_PARTS
from dra_conform.conformance.implementation import Request
from dra_conform.controlplane.admitting import admit
from dra_conform.controlplane.allocating import allocate
from dra_conform.controlplane.attempts import tell_attempts
from dra_conform.controlplane.counting_usage import count_usage
from dra_conform.controlplane.footprinting import count
from dra_conform.controlplane.running_scenarios import tell
from dra_conform.kube.column_use import ColumnUse

__all__ = ["Builtin", "explain"]


class Builtin:
    """What is behind `builtin`, as `python:` expects an implementation.

    `columns` decides whether `allocate`, `footprint` and `usage` compute with columns: selectors, request
    policies, the resource usage of pods, and quota usage.
    """

    name = "dra-conform built-in"
    version = __version__
    operations = ("allocate", "admit", "footprint", "usage", "schedule", "cluster")
    features = MappingProxyType(dict.fromkeys((*FEATURES, *RESULT_PARTS), "full"))

    def __init__(self, columns: ColumnUse = ColumnUse.BY_SIZE) -> None:
        self.allocate = partial(allocate, columns=columns)
        self.footprint = partial(count, columns=columns)
        self.usage = partial(count_usage, columns=columns)

    admit = staticmethod(admit)
    schedule = staticmethod(tell_attempts)
    cluster = staticmethod(tell)


_EXPLAINED: Mapping[str, Callable[[Request], tuple[str, ...]]] = {"allocate": explaining.explain}


def explain(request: Request) -> tuple[str, ...]:
    """What the built-in has to say on how it comes to its answer; nothing where it only answers."""
    told = _EXPLAINED.get(request.operation)
    return told(request) if told else ()
