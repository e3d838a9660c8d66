"""No process or file of a control plane remains, however it ends. `starts_and_ends` checks that 200 times."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.support.adapters.control_plane.planes import RELEASES, build, chosen
from tests.support.adapters.control_plane.starts_and_ends import starts


@pytest.mark.live
@pytest.mark.slow
def test_nothing_is_left_of_a_control_plane() -> None:
    newest = chosen(RELEASES)[-1]
    build(newest)
    found = list(starts(newest, count=5, seed=1))
    assert [ended.left for ended in found] == [""] * 5
    assert Counter(ended.how for ended in found) == {
        "closed": 3,
        "killed while starting": 1,
        "killed when ready": 1,
    }
