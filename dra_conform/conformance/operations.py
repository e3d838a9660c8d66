"""The table of all operations."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import cast

from dra_conform.conformance.operation import AnyOperation

_CLASSES = {
    "allocate": "Allocate",
    "admit": "Admit",
    "footprint": "Footprint",
    "usage": "Usage",
    "schedule": "Schedule",
    "cluster": "Cluster",
    "driver": "Driver",
    "kubelet": "Kubelet",
}
"""The class of each operation, in the module `operation` of the package with its name."""


class _Operations(MutableMapping[str, AnyOperation]):
    """Operations by name, each imported when it is first looked up.

    One command or one Python implementation needs one or two of them, and all take a second to import.
    """

    def __init__(self) -> None:
        self._known: dict[str, AnyOperation | None] = dict.fromkeys(_CLASSES)

    def __getitem__(self, name: str) -> AnyOperation:
        operation = self._known[name]
        if operation is None:
            module = import_module(f"dra_conform.conformance.{name}.operation")
            operation = self._known[name] = cast("AnyOperation", getattr(module, _CLASSES[name])())
        return operation

    def __setitem__(self, name: str, operation: AnyOperation) -> None:
        self._known[name] = operation

    def __delitem__(self, name: str) -> None:
        del self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    def __contains__(self, name: object) -> bool:
        return name in self._known


OPERATIONS: MutableMapping[str, AnyOperation] = _Operations()
"""All operations by name."""
