"""Seeded random values of a cluster: UIDs and the suffixes of generated names."""

from __future__ import annotations

import random
import uuid

_LETTERS = "bcdfghjklmnpqrstvwxz2456789"
"""Those that Kubernetes uses, of which no words are made."""


class Chance:
    """One source for a whole story."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def uid(self) -> str:
        return str(uuid.UUID(int=self._random.getrandbits(128), version=4))

    def suffix(self) -> str:
        """The five characters that end a generated name."""
        return "".join(self._random.choices(_LETTERS, k=5))
