"""Implementations to be judged: the built-in one, Python objects, and processes behind the wire protocol."""

from dra_conform.adapters.explain import explain
from dra_conform.adapters.registry import BadSpec, open_implementation

__all__ = ["BadSpec", "explain", "open_implementation"]
