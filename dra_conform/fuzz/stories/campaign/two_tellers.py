"""Two implementations that are told the same stories."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from dra_conform import __version__
from dra_conform.conformance.implementation import CannotStart, Implementation, Reply, Status, Suite
from dra_conform.fuzz.stories.comparison.story_difference import StoryDifference
from dra_conform.fuzz.stories.comparison.told_stories import Untold, compare_stories
from dra_conform.fuzz.stories.random_story import RandomStory

_FAULTS = (Status.TIMEOUT, Status.FAILED)
"""What a real cluster that has much to do may end a story with, which is then told once more."""

ROUNDS = 4
"""So many times as many stories as are told side by side are asked before the replies are compared."""


@dataclass(frozen=True, slots=True)
class ComparedStory:
    """A story, both replies, and what came of them."""

    story: RandomStory
    replies: tuple[Reply, Reply]
    comparison: Untold | tuple[StoryDifference, ...]


class TwoTellers:
    """Two implementations of the operation `cluster`, each asked in a profile of its own.

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
        self._restless: set[str] = set()
        """Those that may answer otherwise another time, as real clusters do."""
        self._seed = seed
        self._deadline_ms = deadline_ms
        self._at_once = ROUNDS * side_by_side

    def start(self) -> None:
        """Start both; raises CannotStart, also for one that tells no stories."""
        digest = hashlib.sha256(f"stories {self._seed}".encode()).hexdigest()
        suite = Suite("dra-conform fuzz", __version__, f"sha256:{digest}")
        for one, name in zip(self._implementations, self.names, strict=True):
            identity = one.start(suite)
            if "cluster" not in identity.operations:
                raise CannotStart(f"{name} does not offer the operation cluster")
            if identity.tries > 1:
                self._restless.add(name)

    def close(self) -> None:
        """Stop both."""
        for one in self._implementations:
            one.close()

    def compare_one(self, story: RandomStory) -> ComparedStory:
        """Tell one story to both; raises CannotStart if one of them has given up."""
        return next(iter(self._together([story])))

    def compare(self, stories: Iterable[RandomStory]) -> Iterator[ComparedStory]:
        """Tell stories to both, some at a time; raises CannotStart if one of them has given up."""
        source = iter(stories)
        while together := list(islice(source, self._at_once)):
            yield from self._together(together)

    def _together(self, stories: Sequence[RandomStory]) -> Iterator[ComparedStory]:
        first, second = (
            self._replies(stories, *one)
            for one in zip(self._implementations, self.names, self.profiles, strict=True)
        )
        for number, story in enumerate(stories):
            replies = (first[number], second[number])
            compared = compare_stories(story, self.profiles, *replies)
            yield ComparedStory(story, replies, compared if isinstance(compared, Untold) else tuple(compared))

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
