"""Trying mutants on many processes and machines: what `make mutants` and its like have in common.

Each worker has a process with the suite in it (`faulty/mutants/host.py`), which it keeps for the mutants of that subject.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter

from dra_conform.cli import exits
from dra_conform.conformance.implementation import CannotStart
from dra_conform.workers.pool import WorkerPool
from tests.faulty.by_workers import by_workers, fingerprint, refuse_other_files
from tests.faulty.mutants.host import HostEnded, MutantHost
from tests.faulty.mutants.mutation import Killing, Mutant, Sources, Stale, changed, sources
from tests.faulty.mutants.subjects import Subject


@dataclass(frozen=True, slots=True)
class PartOfMutants:
    """A mutant of a subject. `tree` is the fingerprint of the files on every machine."""

    subject: Subject
    tree: str
    mutant: Mutant


_hosts: dict[tuple[Subject, str], MutantHost] = {}
_one_at_a_time = threading.Lock()


def try_part(part: PartOfMutants) -> Killing:
    """In a worker: how the suite noticed the mutant. Raises CannotStart."""
    with _one_at_a_time:
        for _ in range(2):  # it may have ended meanwhile
            try:
                return _host(part.subject, part.tree).tried(part.mutant)
            except HostEnded:
                _end_hosts()
    raise CannotStart(f"{part.mutant.name}: the process that tries mutants has ended twice")


def _host(subject: Subject, tree: str) -> MutantHost:
    """The process with the suite in it; the one for another subject ends."""
    if (subject, tree) not in _hosts:
        _end_hosts()
        refuse_other_files(tree)
        _hosts[subject, tree] = MutantHost(subject)
    return _hosts[subject, tree]


def _end_hosts() -> None:
    while _hosts:
        _hosts.popitem()[1].close()


def kill(pool: WorkerPool, subject: Subject, mutants: Sequence[Mutant]) -> Iterator[Killing]:
    """Try every mutant, in the order given. Cases that fail without any change are left out.

    Raises CannotStart.
    """
    tree = fingerprint()
    return pool.in_order(try_part, (PartOfMutants(subject, tree, mutant) for mutant in mutants))


def main(*areas: tuple[Subject, Sequence[Mutant]]) -> int:
    """The command: try the mutants of each subject, or those with one of the words in their names.

    Returns 1 if one survives, or is stale or broken.
    """
    return by_workers(
        "Break the built-in on purpose and see the suite notice.",
        lambda pool, words: max([try_all(pool, subject, mutants, words) for subject, mutants in areas]),
    )


def try_all(pool: WorkerPool, subject: Subject, mutants: Sequence[Mutant], words: Sequence[str]) -> int:
    """Try the mutants of one subject and print what comes of each, then how many were killed; the exit code."""
    began = perf_counter()
    wanted = [one for one in mutants if not words or any(word in one.name for word in words)]
    texts = sources(subject)
    stale = {one.name: why for one in wanted if (why := _stale(one, texts))}
    for why in stale.values():
        print(f"{'stale':9} {why}")
    tried = [one for one in wanted if one.name not in stale]
    survivors, broken, left_out = [], [], 0
    for killing in kill(pool, subject, tried):
        left_out = killing.left_out
        if killing.broken:
            broken.append(killing.mutant)
            print(f"{'BROKEN':9} {killing.mutant:58} {killing.broken}", flush=True)
        elif killing.case:
            print(f"{'killed':9} {killing.mutant:58} {killing.case} (number {killing.after + 1})", flush=True)
        else:
            survivors.append(killing.mutant)
            print(f"{'SURVIVES':9} {killing.mutant}", flush=True)
    if left_out:
        print(f"left out  {left_out} cases that fail without a mutant")
    killed = len(tried) - len(survivors) - len(broken)
    print(f"\n{killed} of {len(wanted)} mutants killed, {perf_counter() - began:.0f} s")
    for how, names in {
        "survives": survivors,
        "is broken": broken,
        "does not fit the source": stale,
    }.items():
        for name in names:
            print(f"  {how}: {name}")
    return exits.OK if killed == len(wanted) else exits.FAILURES


def _stale(mutant: Mutant, texts: Sources) -> str:
    """Why the mutant does not fit the source, empty if it does."""
    try:
        changed(mutant, texts)
    except Stale as stale:
        return str(stale)
    return ""
