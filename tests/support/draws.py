"""What hypothesis draws: the same examples in each run, in `make test` a quarter of those in `make check`.

`make faults` draws new ones each time, so that what they find stops nobody's change.
"""

from __future__ import annotations

from hypothesis import settings

_CHECK = 100
_TEST = 25


def register_profiles() -> None:
    """Register a profile for each command, and load that of `make test`. No example has a time limit."""
    settings.register_profile("check", max_examples=_CHECK, deadline=None, derandomize=True)
    settings.register_profile("test", max_examples=_TEST, deadline=None, derandomize=True)
    settings.register_profile("random", max_examples=_CHECK * 10, deadline=None)
    settings.load_profile("test")


def examples(count: int) -> settings:
    """Return settings that draw `count` examples in `make check`."""
    return settings(max_examples=count * settings().max_examples // _CHECK)
