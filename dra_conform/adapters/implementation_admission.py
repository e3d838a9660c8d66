"""Admission of manifests by an implementation of the operation `admit`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dra_conform.conformance.implementation import (
    CannotStart,
    Implementation,
    Reply,
    Request,
    Status,
    Suite,
)
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.kube.profile import Profile
from dra_conform.previews.dry_run import Question

Json = Any

_ADMIT = "admit"
_SUITE = Suite("manifests", "1", "sha256:none")


class ImplementationAdmission:
    """The admission of a dry run, answered by the operation `admit` of an implementation."""

    def __init__(self, implementation: Implementation) -> None:
        """Start the implementation; raises CannotStart, also if it does not offer `admit`."""
        identity = implementation.start(_SUITE)
        self._implementation = implementation
        if _ADMIT not in identity.operations:
            self.close()
            raise CannotStart(f"{identity.name} does not offer the operation {_ADMIT}")

    def __call__(self, questions: Sequence[Question], profile: Profile) -> Iterator[Mapping[str, Json]]:
        """Return the bodies of the results, in the order of the questions."""
        requests = [
            Request(number, f"manifests/{number}", _ADMIT, profile, _frozen(objects), ask)
            for number, (objects, ask) in enumerate(questions)
        ]
        replies = {reply.id: reply for reply in self._implementation.run(requests)}
        return (_body(replies[request.id]) for request in requests)

    def close(self) -> None:
        """End the implementation."""
        self._implementation.close()


def _frozen(objects: Mapping[str, Sequence[Json]]) -> dict[str, tuple[Json, ...]]:
    return {name: tuple(items) for name, items in objects.items()}


def _body(reply: Reply) -> Mapping[str, Json]:
    if reply.status is not Status.OK:
        return {"outcome": "unanswered", "message": f"{reply.status}: {reply.detail}"}
    return OPERATIONS[_ADMIT].write(reply.answer)
