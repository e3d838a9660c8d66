"""Whether the allocations of an adapter have every field in its shape, for `adapter check`."""

from __future__ import annotations

from collections.abc import Iterator

from dra_conform.adapters import schemas
from dra_conform.adapters.answers import MalformedResult, to_reply
from dra_conform.adapters.check_advice import location, overclaim
from dra_conform.adapters.check_answers import Answers
from dra_conform.adapters.check_item import Item
from dra_conform.adapters.checked_allocations import shape_problems, shape_requests
from dra_conform.adapters.wire import Frame
from dra_conform.conformance.features import features_of
from dra_conform.conformance.implementation import Identity, Implementation, Reply, Request, Status
from dra_conform.conformance.operations import OPERATIONS

_TITLE = "the adapter writes every field of an allocation in its shape"
_NOTHING = "no answer has an allocated device, so the shape of allocations was not checked"
_ADVICE = (
    "The check asks about ResourceClaims that can all be allocated. Answer `allocated` with their devices, "
    "otherwise most cases fail."
)
_PROBLEMS = 4
"""The most problems with shapes in one advice."""


def shapes_in_process(implementation: Implementation, identity: Identity) -> Iterator[Item]:
    """Yield the check of an implementation that is started already."""
    shapes = _Shapes(identity)
    requests = [request for _, request in shapes.asked]
    for (title, request), reply in zip(shapes.asked, implementation.run(requests), strict=True):
        shapes.add(title, request, reply)
    yield from shapes.items()


def shapes(answers: Answers, profile: str) -> Iterator[Item]:
    """Yield the check of an adapter process that has accepted the profile."""
    shapes = _Shapes(answers.session.identity)
    lines = ""  # Unexpected lines of several answers usually have one cause.
    for title, request in shapes.asked:
        answer, problem = answers.ask(request, profile)
        if problem and (not lines or answer is None):
            lines = lines or problem
            shapes.problems.setdefault(problem, title)
        if answer is not None:
            shapes.add(title, request, _reply(request, answer))
        if (problem and answer is None) or answers.ended or answers.unusable:
            break  # Each further question would wait for an answer, too.
    yield from shapes.items()


def _reply(request: Request, answer: Frame) -> Reply:
    problems = schemas.result_violations(request.operation, answer.body)
    reply = to_reply(request, answer.body)
    if isinstance(reply, MalformedResult) or problems:
        problem = "; ".join(problems) or (reply.problem if isinstance(reply, MalformedResult) else "")
        detail = f"the result violates the schema: {problem}"
        return Reply(request.id, Status.PROTOCOL, detail=detail)
    return reply


class _Shapes:
    """The problems of the answers that have every field of an allocation."""

    def __init__(self, identity: Identity) -> None:
        self.asked = list(shape_requests(identity))
        self.problems: dict[str, str] = {}
        """The problems, each with the title of the first question that has it."""
        self._identity = identity
        self._allocated = False

    def add(self, title: str, request: Request, reply: Reply) -> None:
        """Check one reply. A declined question is only a problem if its features are declared as full."""
        if reply.status is Status.OK:
            allocations = OPERATIONS[request.operation].write(reply.answer).get("allocations", {})
            self._allocated = self._allocated or any(
                allocation["devices"].get("results") for allocation in allocations.values()
            )
            found = list(shape_problems(allocations))
        elif reply.status is Status.UNSUPPORTED:
            problem = overclaim(self._identity, request)
            found = [problem] if problem and features_of(request.objects) else []
        elif reply.status is Status.UNDECLARED:
            found = []
        else:
            found = [f"{reply.status}: {reply.detail}{location(reply.log)}"]
        for problem in found:
            self.problems.setdefault(problem, title)

    def items(self) -> Iterator[Item]:
        """Yield the result of the check; nothing if no question was asked."""
        if self.problems:
            more = f"; and {len(self.problems) - _PROBLEMS} more" if len(self.problems) > _PROBLEMS else ""
            problems = [f"{title}: {problem}" for problem, title in self.problems.items()]
            yield Item(False, _TITLE, "; ".join(problems[:_PROBLEMS]) + more)
        elif self._allocated:
            yield Item(True, _TITLE)
        elif self.asked:
            yield Item(True, _NOTHING, _ADVICE, warning=True)
