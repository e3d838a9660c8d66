"""The campaign loop for scenarios: counts differences, and shrinks the first of each sort."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from dra_conform.fuzz.multi_step.campaign.reached import Reached
from dra_conform.fuzz.multi_step.campaign.two_clusters import ComparedStory, TwoTellers
from dra_conform.fuzz.multi_step.cluster_scenario import RandomStory
from dra_conform.fuzz.multi_step.comparison.compared_observations import Untold
from dra_conform.fuzz.multi_step.comparison.known_cluster_differences import why_known
from dra_conform.fuzz.multi_step.comparison.step_difference import StoryDifference, StoryDifferenceKind
from dra_conform.fuzz.multi_step.shrinking.shrink_scenario import shrink_story


@dataclass(frozen=True, slots=True)
class StoryFind:
    """A difference in its smallest story; `number` is that of the story in which it was met."""

    number: int
    story: RandomStory
    difference: StoryDifference


@dataclass(slots=True)
class StoryCounts:
    """What stories ended in so far; `choices`: other devices, as good; `known` by reason, `untold`
    by reason, `disagreements` by kind; `passing` were not there when the story was told again."""

    stories: int = 0
    agreed: int = 0
    choices: int = 0
    passing: int = 0
    known: Counter[str] = field(default_factory=Counter)
    untold: Counter[str] = field(default_factory=Counter)
    disagreements: Counter[StoryDifferenceKind] = field(default_factory=Counter)
    reached: Reached = field(default_factory=Reached)


def find_story_differences(
    both: TwoTellers,
    compared_stories: Iterable[ComparedStory],
    counts: StoryCounts,
    *,
    first: int = 0,
    shrinks: int,
    go_on: Callable[[], bool],
) -> Iterator[StoryFind | None]:
    """One item for each story, a find or None, until `go_on` is false; `counts` is kept up to date.

    The first story has the number `first`. Differences of a signature that was met before are only counted.
    `shrinks` is how often `both` are asked at most to make a story small. Raises CannotStart.
    """
    met: set[tuple[str, ...]] = set()
    for number, compared in enumerate(compared_stories, first):
        counts.stories += 1
        counts.reached.add(compared.reached)
        found = _counted(compared, counts)
        if found is None or found.signature in met:
            yield None
        else:
            met.add(found.signature)
            yield _smallest(both, number, compared.story, found, shrinks)
        if not go_on():
            return


def _counted(compared: ComparedStory, counts: StoryCounts) -> StoryDifference | None:
    """The first difference of a story that nothing explains."""
    if isinstance(compared.comparison, Untold):
        counts.untold[compared.comparison.reason] += 1
        return None
    counts.passing += compared.passing
    found = compared.difference
    for one in compared.comparison:
        if one is found:
            counts.disagreements[one.kind] += 1
            return one
        if one.kind is StoryDifferenceKind.CHOICE:
            counts.choices += 1
        else:
            counts.known[why_known(one)] += 1
    counts.agreed += not compared.comparison
    return None


def _smallest(
    both: TwoTellers, number: int, story: RandomStory, difference: StoryDifference, shrinks: int
) -> StoryFind:
    def shown(candidate: RandomStory) -> StoryDifference | None:
        compared = both.compare_one(candidate).comparison
        if isinstance(compared, Untold):
            return None
        return next((one for one in compared if one.signature == difference.signature), None)

    small = shrink_story(story, difference.act, lambda candidate: shown(candidate) is not None, limit=shrinks)
    return StoryFind(number, small, shown(small) or difference)
