"""Questions about manifests, answered by an implementation of `admit` or `cluster`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dra_conform.conformance.implementation import (
    CannotStart,
    Implementation,
    Reply,
    Request,
    Status,
    Suite,
)
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.previews.dry_run import Question

_ADMIT = "admit"
_CLUSTER = "cluster"
_SUITE = Suite("manifests", "1", "sha256:none")


class ImplementationAdmission:
    """The admission of a dry run, answered by the operation `admit` of an implementation."""

    def __init__(self, implementation: Implementation, *, required: bool = False) -> None:
        """Start the implementation; raises CannotStart, also if it does not offer `admit`.

        `required`: a question without an answer raises CannotStart, unless it is not supported.
        """
        self._required = required
        identity = implementation.start(_SUITE)
        self._implementation = implementation
        if _ADMIT not in identity.operations:
            self.close()
            raise CannotStart(f"{identity.name} does not offer the operation {_ADMIT}")

    def __call__(self, questions: Sequence[Question], profile: Profile) -> Iterator[Mapping[str, Json]]:
        """Return the bodies of the results, in the order of the questions."""
        replies = self._replies(_ADMIT, questions, profile)
        for reply in replies if self._required else ():
            if reply.status not in (Status.OK, Status.UNSUPPORTED):
                raise CannotStart(reply.detail or str(reply.status))
        return map(_body, replies)

    def observe(
        self, objects: Mapping[str, Sequence[Json]], ask: Mapping[str, Json], profile: Profile
    ) -> Sequence[Mapping[str, Json]]:
        """Return the observations of the operation `cluster`; raises CannotStart if there are none."""
        [reply] = self._replies(_CLUSTER, [(objects, ask)], profile)
        if reply.status is not Status.OK:
            raise CannotStart(reply.detail or str(reply.status))
        observations: Sequence[Mapping[str, Json]] = OPERATIONS[_CLUSTER].write(reply.answer)["observations"]
        return observations

    def _replies(self, operation: str, questions: Sequence[Question], profile: Profile) -> list[Reply]:
        requests = [
            Request(number, f"manifests/{number}", operation, profile, _frozen(objects), ask)
            for number, (objects, ask) in enumerate(questions)
        ]
        replies = {reply.id: reply for reply in self._implementation.run(requests)}
        return [replies[request.id] for request in requests]

    def close(self) -> None:
        """End the implementation."""
        self._implementation.close()


def _frozen(objects: Mapping[str, Sequence[Json]]) -> dict[str, tuple[Json, ...]]:
    return {name: tuple(items) for name, items in objects.items()}


def _body(reply: Reply) -> Mapping[str, Json]:
    if reply.status is not Status.OK:
        return {"outcome": "unanswered", "message": f"{reply.status}: {reply.detail}"}
    return OPERATIONS[_ADMIT].write(reply.answer)
