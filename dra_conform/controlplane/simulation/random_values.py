"""Random values of a simulated cluster from a seed: UIDs and suffixes of generated names."""

from __future__ import annotations

import random
import uuid

_LETTERS = "bcdfghjklmnpqrstvwxz2456789"
"""The alphabet of Kubernetes name suffixes; it has no vowels, so that suffixes are never words."""


class RandomValues:
    """Reproducible UIDs and name suffixes: the same seed gives the same sequence."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def uid(self) -> str:
        """Return the next UID, a version 4 UUID."""
        return str(uuid.UUID(int=self._random.getrandbits(128), version=4))

    def suffix(self) -> str:
        """Return the next five-character suffix for `generateName`."""
        return "".join(self._random.choices(_LETTERS, k=5))
