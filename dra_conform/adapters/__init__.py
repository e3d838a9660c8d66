"""Implementations to be judged: the built-in one, Python objects, and processes behind the wire protocol."""

from dra_conform.adapters.builtin import explain
from dra_conform.adapters.specs import BadSpec, open_implementation

__all__ = ["BadSpec", "explain", "open_implementation"]
