"""The built-in implementation: allocator, API server and simulated cluster, with one method per operation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

from dra_conform import __version__
from dra_conform.adapters.builtin import explaining
from dra_conform.conformance.features import FEATURES, RESULT_PARTS
from dra_conform.conformance.implementation import Request
from dra_conform.controlplane.attempts import run_attempts
from dra_conform.controlplane.footprinting import count
from dra_conform.controlplane.parts import admit, allocate
from dra_conform.controlplane.simulation.quotas import count_usage
from dra_conform.controlplane.simulation.simulated_cluster import run_scenario
from dra_conform.kube.column_use import ColumnUse

__all__ = ["Builtin", "builtin_with", "explain"]


class Builtin:
    """The implementation `builtin`, with a method for each operation as `python:` expects it."""

    name = "dra-conform built-in"
    version = __version__
    operations = ("allocate", "admit", "footprint", "usage", "schedule", "cluster")
    features = MappingProxyType(dict.fromkeys((*FEATURES, *RESULT_PARTS), "full"))

    allocate = staticmethod(allocate)
    admit = staticmethod(admit)
    footprint = staticmethod(count)
    usage = staticmethod(count_usage)
    schedule = staticmethod(run_attempts)
    cluster = staticmethod(run_scenario)


def builtin_with(columns: ColumnUse) -> type[Builtin]:
    """Return the built-in implementation that evaluates many rows as columns always, never, or by size.

    `columns` affects `allocate`, `footprint` and `usage`: selectors, request policies, the resource usage of
    pods, and quota usage.
    """
    operations: Mapping[str, Callable[..., object]] = {
        "allocate": allocate,
        "footprint": count,
        "usage": count_usage,
    }
    methods = {name: staticmethod(partial(method, columns=columns)) for name, method in operations.items()}
    return Builtin if columns is ColumnUse.BY_SIZE else type("Builtin", (Builtin,), methods)


_EXPLAIN: Mapping[str, Callable[[Request], tuple[str, ...]]] = {"allocate": explaining.explain}


def explain(request: Request) -> tuple[str, ...]:
    """Return the lines that explain the built-in's answer; empty for operations without explanations."""
    explain_request = _EXPLAIN.get(request.operation)
    return explain_request(request) if explain_request else ()
