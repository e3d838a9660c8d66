"""The campaign loop of all kinds of scenarios: it counts differences, and shrinks some of each signature."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Protocol, TypeVar


class SignedDifference(Protocol):
    """A difference of two implementations. Differences with equal signatures most likely have one cause."""

    @property
    def signature(self) -> tuple[str, ...]: ...


class ShrunkDifference(Protocol):
    """A difference with its smallest scenario. Of several with equal causes only the first is reported."""

    @property
    def cause(self) -> Hashable: ...


_Compared = TypeVar("_Compared")
_Difference = TypeVar("_Difference", bound=SignedDifference)
_Counterexample = TypeVar("_Counterexample", bound=ShrunkDifference)


def find_counterexamples(
    compared_scenarios: Iterable[_Compared],
    counted: Callable[[_Compared], _Difference | None],
    shrunk: Callable[[int, _Compared, _Difference], _Counterexample],
    *,
    per_signature: int,
    go_on: Callable[[], bool],
) -> Iterator[_Counterexample | None]:
    """Yield a counterexample or None for each scenario until `go_on` is false.

    `counted` counts a compared scenario, and returns its difference unless that is known or valid. `shrunk`
    gets the index of the scenario, and is called for at most `per_signature` differences of one signature. A
    counterexample whose cause was yielded before is left out.
    """
    signatures: Counter[tuple[str, ...]] = Counter()
    causes: set[Hashable] = set()
    for number, compared in enumerate(compared_scenarios):
        found: _Counterexample | None = None
        difference = counted(compared)
        if difference is not None:
            signatures[difference.signature] += 1
            if signatures[difference.signature] <= per_signature:
                counterexample = shrunk(number, compared, difference)
                if counterexample.cause not in causes:
                    causes.add(counterexample.cause)
                    found = counterexample
        yield found
        if not go_on():
            return
