"""The correct allocators of `tests/reference` as the allocator of a scheduler."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Mapping, Sequence

from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.simulation.parts import AllocatorPart
from tests.reference.textbook import Textbook


def as_part(allocator: type[Textbook], shift: int = 0) -> AllocatorPart:
    """Return the allocator as a part of a cluster; `shift` is added to its seed."""
    textbook = allocator()
    seeded = "seed" in inspect.signature(textbook.allocate).parameters

    def allocate(
        objects: Mapping[str, Sequence[Json]], ask: Mapping[str, Json], profile: Profile, seed: int = 0
    ) -> Mapping[str, Json]:
        options = {"seed": seed + shift} if seeded else {}
        answer: Mapping[str, Json] = textbook.allocate(copy.deepcopy(objects), ask, profile, **options)
        return answer

    return allocate
