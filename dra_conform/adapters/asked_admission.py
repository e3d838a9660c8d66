"""An implementation asked, write by write, what becomes of manifests."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Any

from dra_conform.conformance.implementation import CannotStart, Implementation, Request, Status, Suite
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.controlplane.dry_run import Unanswered
from dra_conform.controlplane.parts import Objects
from dra_conform.kube.profile import Profile

Json = Any

_ADMIT = "admit"
_SUITE = Suite("manifests", "1", "sha256:none")


class AskedAdmission:
    """The operation `admit` of an implementation as the admission of a dry run."""

    def __init__(self, implementation: Implementation) -> None:
        """Start the implementation; raises CannotStart, also if it does not offer the operation."""
        identity = implementation.start(_SUITE)
        self._implementation = implementation
        self._numbers = count()
        if _ADMIT not in identity.operations:
            self.close()
            raise CannotStart(f"{identity.name} does not offer the operation {_ADMIT}")

    def __call__(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> Mapping[str, Json]:
        """The body of its result; raises Unanswered."""
        number = next(self._numbers)
        collections = {name: tuple(found) for name, found in objects.items()}
        request = Request(number, f"manifests/{number}", _ADMIT, profile, collections, ask)
        [reply] = self._implementation.run([request])
        if reply.status is not Status.OK:
            raise Unanswered(f"{reply.status}: {reply.detail}")
        return OPERATIONS[_ADMIT].write(reply.answer)

    def close(self) -> None:
        """End the implementation."""
        self._implementation.close()
