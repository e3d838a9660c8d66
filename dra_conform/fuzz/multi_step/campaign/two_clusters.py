"""Two implementations that run the same scenarios."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from dra_conform import __version__
from dra_conform.conformance.implementation import CannotStart, Implementation, Reply, Status, Suite
from dra_conform.fuzz.multi_step.campaign.reached import Reached
from dra_conform.fuzz.multi_step.cluster_scenario import RandomStory
from dra_conform.fuzz.multi_step.comparison.compared_observations import Untold, compare_stories
from dra_conform.fuzz.multi_step.comparison.known_cluster_differences import unexplained
from dra_conform.fuzz.multi_step.comparison.step_difference import StoryDifference, StoryDifferenceKind

_FAULTS = (Status.TIMEOUT, Status.FAILED)
"""What a real cluster that has much to do may end a story with, which is then told once more."""

ROUNDS = 4
"""So many times as many stories as are told side by side are asked before the replies are compared."""


@dataclass(frozen=True, slots=True)
class ComparedStory:
    """A story, what came of telling it to both, and what it has reached in the second.

    `passing`: a difference that was there at first was gone when the story was told again by itself.
    """

    story: RandomStory
    comparison: Untold | tuple[StoryDifference, ...]
    reached: Reached
    passing: bool = False

    @property
    def difference(self) -> StoryDifference | None:
        """The first that nothing explains."""
        return None if isinstance(self.comparison, Untold) else unexplained(self.comparison)


class TwoTellers:
    """Two implementations of the operation `cluster`, each asked in a profile of its own.

    They are started when the first story is told: a control plane takes a while, and not everybody tells one.
    `names` are as the user gave them; `deadline_ms` is the time that a story has; `side_by_side` is how many
    stories implementations may tell at the same time.
    """

    def __init__(
        self,
        implementations: tuple[Implementation, Implementation],
        names: tuple[str, str],
        profiles: tuple[str, str],
        *,
        seed: int = 0,
        deadline_ms: int = 60_000,
        side_by_side: int = 1,
    ) -> None:
        self.names = names
        self.profiles = profiles
        self._implementations = implementations
        self._started = False
        self._restless: set[str] = set()
        """Those that may answer otherwise another time, as real clusters do."""
        self._seed = seed
        self._deadline_ms = deadline_ms
        self._at_once = ROUNDS * side_by_side

    def close(self) -> None:
        """Stop both."""
        for one in self._implementations:
            one.close()

    def compare_one(self, story: RandomStory) -> ComparedStory:
        """Tell one story to both; raises CannotStart if one of them cannot be started or has given up."""
        return next(iter(self._together([story])))

    def compare(self, stories: Iterable[RandomStory]) -> Iterator[ComparedStory]:
        """Tell stories to both, some at a time; raises CannotStart as `compare_one`."""
        source = iter(stories)
        while together := list(islice(source, self._at_once)):
            for compared in self._together(together):
                yield self._seen_again(compared)

    def _seen_again(self, compared: ComparedStory) -> ComparedStory:
        """A difference of a real cluster counts if it is there as well when nothing else is told; a fault
        was seen twice already."""
        found = compared.difference
        if found is None or found.kind is StoryDifferenceKind.FAULT or not self._restless:
            return compared
        again = self.compare_one(compared.story)
        return again if again.difference else replace(again, passing=True)

    def _start(self) -> None:
        """Start both; raises CannotStart, also for one that tells no stories."""
        digest = hashlib.sha256(f"stories {self._seed}".encode()).hexdigest()
        suite = Suite("dra-conform fuzz", __version__, f"sha256:{digest}")
        for one, name in zip(self._implementations, self.names, strict=True):
            identity = one.start(suite)
            if "cluster" not in identity.operations:
                raise CannotStart(f"{name} does not offer the operation cluster")
            if identity.tries > 1:
                self._restless.add(name)
        self._started = True

    def _together(self, stories: Sequence[RandomStory]) -> Iterator[ComparedStory]:
        if not self._started:
            self._start()
        first, second = (
            self._replies(stories, *one)
            for one in zip(self._implementations, self.names, self.profiles, strict=True)
        )
        for number, story in enumerate(stories):
            compared = compare_stories(story, self.profiles, first[number], second[number])
            reached = Reached()
            reached.take(story, second[number].answer)
            yield ComparedStory(story, compared if isinstance(compared, Untold) else tuple(compared), reached)

    def _replies(
        self, stories: Sequence[RandomStory], implementation: Implementation, name: str, profile: str
    ) -> dict[int, Reply]:
        requests = [
            story.request(number, profile, seed=self._seed, deadline_ms=self._deadline_ms)
            for number, story in enumerate(stories)
        ]
        replies = {reply.id: reply for reply in implementation.run(requests)}
        if name in self._restless:
            again = [one for one in requests if one.id in replies and replies[one.id].status in _FAULTS]
            replies |= {reply.id: reply for reply in implementation.run(again)}
        for request in requests:
            reply = replies.get(request.id)
            if reply is None or reply.status is Status.NOT_RUN:
                raise CannotStart(f"{name}: gave up: {reply.detail if reply else 'no reply'}")
        return replies
