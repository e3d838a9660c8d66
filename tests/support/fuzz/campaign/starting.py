"""Start the built-in together with another implementation."""

from __future__ import annotations

from dra_conform.adapters.specs import open_implementation
from dra_conform.fuzz.campaign.two_implementations import TwoImplementations


def started(other: str) -> TwoImplementations:
    """Start the built-in and a Python implementation `module:attribute`, in profile kep."""
    specs = ("builtin", f"python:{other}")
    both = TwoImplementations(
        (open_implementation(specs[0], in_process=True), open_implementation(specs[1], in_process=True)),
        specs,
        profile="kep",
    )
    both.start()
    return both
