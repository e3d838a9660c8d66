"""Implementations under test: the built-in, Python objects, adapter processes, and clusters."""

from dra_conform.adapters.builtin import explain
from dra_conform.adapters.specs import BadSpec, open_implementation

__all__ = ["BadSpec", "explain", "open_implementation"]
