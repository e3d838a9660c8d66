"""Multi-step scenarios for partial implementations; the built-in provides the other components.

A part that a story judges is the implementation's; all other parts are the built-in's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from time import perf_counter
from typing import Any

from dra_conform.adapters.answers import MalformedResult, to_reply
from dra_conform.conformance.implementation import Identity, Implementation, Reply, Request, Status, Suite
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.controlplane.parts import Objects, Parts
from dra_conform.controlplane.running_scenarios import tell
from dra_conform.controlplane.simulation import Unsettled
from dra_conform.kube.profile import Profile

Json = Any

STORY = "cluster"
"""The operation that is made of the others."""

PARTS = {"allocator": "allocate", "admission": "admit"}
"""The operation by which each part of a cluster is asked."""


class PartialImplementation:
    """An implementation that can be asked for stories too, if it offers a part of a cluster.

    Which parts a story judges stands in its `judges`; without, it judges them all. One that never asks such a
    part anything says nothing of it. Questions other than stories go through untouched, and before them; so
    does everything of what is a whole cluster itself.
    """

    def __init__(self, implementation: Implementation) -> None:
        self._implementation = implementation
        self._offered: frozenset[str] = frozenset()

    @property
    def warnings(self) -> Iterable[str]:
        """What is odd but no fault of a case."""
        return getattr(self._implementation, "warnings", ())

    def start(self, suite: Suite) -> Identity:
        """Begin; raises CannotStart. Who offers a part of a cluster is said to offer stories."""
        identity = self._implementation.start(suite)
        if STORY in identity.operations:
            return identity
        self._offered = frozenset(part for part, name in PARTS.items() if name in identity.operations)
        return replace(identity, operations=identity.operations | {STORY}) if self._offered else identity

    def run(self, requests: Iterable[Request]) -> Iterator[Reply]:
        """One reply for each request, the stories last."""
        stories: list[Request] = []
        yield from self._implementation.run(self._without(requests, stories))
        yield from map(self._told, stories)

    def close(self) -> None:
        """End."""
        self._implementation.close()

    def _without(self, requests: Iterable[Request], stories: list[Request]) -> Iterator[Request]:
        for request in requests:
            if self._offered and request.operation == STORY:
                stories.append(request)
            else:
                yield request

    def _told(self, story: Request) -> Reply:
        judged = self._offered & set(story.ask.get("judges", PARTS))
        if not judged:
            detail = f"the scenario judges none of {', '.join(sorted(self._offered))}"
            return Reply(story.id, Status.UNDECLARED, detail=detail)
        began = perf_counter()
        asked: set[str] = set()
        try:
            parts = self._parts(judged, story, asked)
            body = tell(story.objects, story.ask, story.profile, story.seed, parts)
        except _NoAnswer as fault:
            return replace(fault.reply, answer=None, seconds=perf_counter() - began)
        except (Unsettled, ValueError, KeyError) as error:
            return Reply(story.id, Status.FAILED, detail=f"{type(error).__name__}: {error}")
        reply = to_reply(story, {"type": "result", "status": "ok", **body}, perf_counter() - began)
        if isinstance(reply, MalformedResult):
            return Reply(story.id, Status.FAILED, detail=reply.problem)
        if reply.status is Status.UNSUPPORTED:
            # What the cluster around it does not do is no claim of the implementation.
            return replace(reply, status=Status.UNDECLARED)
        if not asked:
            detail = f"the scenario never asks it to {' or '.join(sorted(PARTS[part] for part in judged))}"
            return Reply(story.id, Status.UNDECLARED, detail=detail)
        return reply

    def _parts(self, judged: frozenset[str], story: Request, asked: set[str]) -> Parts:
        """The parts of a cluster of which those judged ask the implementation, and then say so in `asked`."""
        parts = Parts()
        if "allocator" in judged:

            def allocate(objects: Objects, ask: Mapping[str, Json], profile: Profile, seed: int) -> Json:
                asked.add("allocator")
                question = replace(story, operation="allocate", ask=ask, profile=profile, seed=seed)
                return self._answered(question, objects, story.profile)

            parts = replace(parts, allocator=allocate)
        if "admission" in judged:

            def admit(objects: Objects, ask: Mapping[str, Json], profile: Profile) -> Json:
                asked.add("admission")
                question = replace(story, operation="admit", ask=ask, profile=profile)
                return self._answered(question, objects, story.profile)

            parts = replace(parts, admission=admit)
        return parts

    def _answered(self, question: Request, objects: Objects, own: Profile) -> Json:
        """The implementation's answer to a question that came up in a story; raises _NoAnswer.

        Who does not know another release than that of the case has claimed nothing of it.
        """
        collections = {name: tuple(found) for name, found in objects.items()}
        reply = next(iter(self._implementation.run([replace(question, objects=collections)])))
        if reply.status is not Status.OK:
            detail = f"asked to {question.operation} in the story: {reply.detail}"
            foreign = reply.status is Status.UNSUPPORTED and question.profile.release != own.release
            status = Status.UNDECLARED if foreign else reply.status
            raise _NoAnswer(replace(reply, status=status, detail=detail))
        return OPERATIONS[question.operation].write(reply.answer)


class _NoAnswer(Exception):  # noqa: N818 - it reads as what happened
    """The implementation did not answer a question that came up in a story."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(reply.detail)
        self.reply = reply
