"""Run the suite on faulty implementations in many processes: `make misreadings`, `make faulty-wrappers`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dra_conform.cli import exits
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.workers.pool import WorkerPool
from tests.faulty.by_workers import by_workers, fingerprint, suite_of
from tests.faulty.changed_builtin.catalogue import FAULTY_ALLOCATORS
from tests.faulty.changed_builtin.faulty_allocator import failing
from tests.faulty.implementations.wrappers import wrappers
from tests.faulty.implementations.wrapping import failing_wrapper

_ALLOCATORS = {faulty.name: faulty for faulty in FAULTY_ALLOCATORS}


def _first_failure_of_allocator(suite: LoadedSuite, name: str) -> str:
    return " ".join(next(failing(suite, _ALLOCATORS[name]), ()))


def _first_failure_of_wrapper(suite: LoadedSuite, name: str) -> str:
    [wrapper] = (
        wrapper_of_name for wrapper_of_name in wrappers() if wrapper_of_name.name == name
    )  # A new wrapper, because some count their requests.
    return next(failing_wrapper(suite, wrapper), "")


_SORTS: dict[str, tuple[Sequence[str], Callable[[LoadedSuite, str], str]]] = {
    "misreadings": (tuple(_ALLOCATORS), _first_failure_of_allocator),
    "faulty wrappers": (tuple(each.name for each in wrappers()), _first_failure_of_wrapper),
}


@dataclass(frozen=True, slots=True)
class PartOfFaulty:
    """Faulty implementation of a sort, by name. `tree` is the fingerprint of the files on every machine."""

    sort: str
    name: str
    tree: str


def catch_part(part: PartOfFaulty) -> str:
    """In a worker: return the first case that fails, empty if all pass. Raises CannotStart."""
    return _SORTS[part.sort][1](suite_of(part.tree), part.name)


def main(sort: str) -> int:
    """Run the command: run the suite on all of a sort, or on those with one of the words in their names.

    Return 1 if an implementation passes.
    """
    return by_workers(
        f"Run the suite on {sort}. If one passes, the suite lacks a case.",
        lambda pool, words: _try(pool, sort, words),
    )


def _try(pool: WorkerPool, sort: str, words: Sequence[str]) -> int:
    tree = fingerprint()
    names = [name for name in _SORTS[sort][0] if not words or any(word in name for word in words)]
    missed = 0
    cases = pool.in_order(catch_part, (PartOfFaulty(sort, name, tree) for name in names))
    for name, case in zip(names, cases, strict=True):
        missed += not case
        print(f"{'caught' if case else 'PASSES':7} {name:66} {case}", flush=True)
    print(f"{len(names)} {sort}, {len(names) - missed} caught")
    return exits.FAILURES if missed else exits.OK
