"""Put wrong wrappers to the suite, one after the other: `make wrong-wrappers`.

A wrapper that no case fails is a hole in the suite: write the case. Only questions at which it is wrong are
asked, since at all others it is the textbook, which is right (`test_wrong_allocators.py`).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from dra_conform.adapters.inprocess import InProcessImplementation
from dra_conform.conformance.case import Case
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.runner import Settings, applicable, run
from dra_conform.conformance.suite.loading import LoadedSuite, load_suite, select
from dra_conform.conformance.verdict import Verdict
from tests.quality.wrong_wrappers import WrongWrapper, wrappers


def survivors(suite: LoadedSuite, tried: Sequence[WrongWrapper]) -> list[str]:
    """The names of those that no case fails."""
    cases = applicable(select(suite.cases, "operation:allocate"), "kep")
    return [one.name for one in tried if not _killed(suite, one, cases)]


def _killed(suite: LoadedSuite, wrapper: WrongWrapper, cases: Sequence[Case]) -> bool:
    asked = [case for case in cases if wrapper.when(case.objects, case.ask)]
    implementation = InProcessImplementation(lambda: wrapper.other, spec=wrapper.name)
    events = run(implementation, suite.as_suite(), asked, settings=Settings(max_failures=1))
    return any(isinstance(event, CaseFinished) and event.result.verdict is Verdict.FAIL for event in events)


def main(words: Sequence[str]) -> int:
    """Try all, or those with one of the words in their names; the exit code."""
    tried = [one for one in wrappers() if not words or any(word in one.name for word in words)]
    found = survivors(load_suite(), tried)
    sys.stdout.writelines(f"survives: {name}\n" for name in found)
    sys.stdout.write(f"{len(tried)} wrong wrappers, {len(tried) - len(found)} caught\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
