"""Changes of the built-in's source, tried on the suite: each in a process of its own, without touching a file.

The judge stays as it is: a child forgets the modules of the allocator, and only those, before it imports them
with the change.
"""

from __future__ import annotations

import gc
import importlib.machinery
import importlib.util
import multiprocessing
import os
import signal
import sys
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from time import perf_counter

from dra_conform.adapters.inprocess import InProcessImplementation
from dra_conform.conformance.case import Case
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.runner import Settings, applicable, run
from dra_conform.conformance.suite.loading import LoadedSuite, load_suite
from dra_conform.conformance.verdict import Verdict
from tests.quality.subjects import PACKAGE, Subject

_SECONDS = 60

Sources = Mapping[str, str]
"""Source text by module name."""


class Mutant:
    """A change: every `old` becomes its `new`. Each `old` must stand once in one module.

    `near` are words; cases with one of them in their id or requirements are tried first.
    """

    def __init__(self, name: str, *changes: tuple[str, str], near: tuple[str, ...] = ()) -> None:
        self.name = name
        self.changes = changes
        self.near = near


class Stale(Exception):  # noqa: N818 - it reads as what happened
    """A mutant does not fit the source text any more."""


@dataclass(frozen=True, slots=True)
class Killing:
    """How the suite noticed a mutant: the first case that fails, empty if none does, and after how many."""

    mutant: str
    case: str
    after: int


def sources(subject: Subject) -> Sources:
    """The modules that mutants of a subject change."""
    return {
        ".".join(("dra_conform", *path.relative_to(PACKAGE).with_suffix("").parts)): path.read_text("utf-8")
        for part in subject.parts
        for path in sorted(PACKAGE.glob(part))
        if path.stem != "__init__"
    }


def changed(mutant: Mutant, texts: Sources) -> Sources:
    """The modules that the mutant changes, changed; raises Stale."""
    found: dict[str, str] = {}
    for old, new in mutant.changes:
        holders = [name for name, text in texts.items() if old in text]
        if len(holders) != 1 or texts[holders[0]].count(old) != 1:
            places = ", ".join(holders) or "no module"
            raise Stale(f"{mutant.name}: {old!r} is in {places}, expected it once in one module")
        [name] = holders
        found[name] = found.get(name, texts[name]).replace(old, new)
    return found


class _Finder:
    """Finds the changed modules before anyone else does."""

    def __init__(self, texts: Sources) -> None:
        self._texts = texts

    def find_spec(
        self, name: str, path: object = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        text = self._texts.get(name)
        if text is None:
            return None
        file = str(PACKAGE.parent.joinpath(*name.split(".")).with_suffix(".py"))
        return importlib.util.spec_from_file_location(name, file, loader=_Loader(name, file, text))


class _Loader(importlib.machinery.SourceFileLoader):
    """Compiles the text it is given, and neither reads nor writes bytecode."""

    def __init__(self, name: str, file: str, text: str) -> None:
        super().__init__(name, file)
        self._text = text

    def get_code(self, fullname: str) -> object:
        return compile(self._text, self.path, "exec", dont_inherit=True)


Put = tuple[str, str]  # a profile and the id of a case that is put in it


class Trial:
    """The suite in the profiles of a subject, ready to be run on many mutants of it."""

    def __init__(self, subject: Subject, suite: LoadedSuite | None = None) -> None:
        self._subject = subject
        self._suite = suite or load_suite()
        self.cases = {
            (operation, profile): list(_each_file_in_turn(self._put(operation, profile)))
            for operation in subject.operations
            for profile in subject.profiles
        }
        self.texts = sources(subject)

    def failing(self, texts: Sources, near: tuple[str, ...] = ()) -> Iterator[tuple[int, Put]]:
        """The cases that do not pass, with their place. With texts, for a process that ends afterwards."""
        for name in [name for name in sys.modules if name.startswith(self._subject.forgotten)]:
            del sys.modules[name]
        sys.meta_path.insert(0, _Finder(texts))
        from dra_conform.adapters.builtin import Builtin  # noqa: PLC0415 - with the change

        implementation = InProcessImplementation(Builtin, spec="builtin")
        place = 0
        for (_, profile), cases in self.cases.items():
            ordered = sorted(cases, key=lambda case: not _is_near(case, near))
            for event in run(implementation, self._suite.as_suite(), ordered, settings=Settings(profile)):
                if isinstance(event, CaseFinished):
                    if event.result.verdict not in (Verdict.PASS, Verdict.UNSUPPORTED):
                        yield place, (profile, event.result.case.id)
                    place += 1

    def without(self, broken: Collection[Put]) -> None:
        """Leave out cases that fail without a mutant."""
        self.cases = {
            (operation, profile): [case for case in cases if (profile, case.id) not in broken]
            for (operation, profile), cases in self.cases.items()
        }

    def __len__(self) -> int:
        return sum(map(len, self.cases.values()))

    def _put(self, operation: str, profile: str) -> list[Case]:
        cases = [one for one in self._suite.cases if one.operation == operation]
        return applicable(cases, profile)


def _is_near(case: Case, near: tuple[str, ...]) -> bool:
    texts = (case.id, *case.requirements)
    return any(word in text for word in near for text in texts)


def _each_file_in_turn(cases: Sequence[Case]) -> Iterator[Case]:
    """The cases so that every area comes early: the first of each file, then the second of each, ..."""
    by_file = defaultdict(list)
    for case in cases:
        by_file[case.source.file].append(case)
    return (case for case in chain.from_iterable(zip_longest(*by_file.values())) if case is not None)


_trial: Trial


def _kill(mutant: Mutant) -> Killing:
    """In a child: the first case that fails."""
    signal.signal(signal.SIGVTALRM, _give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, _SECONDS)  # of its own work: others may keep the processors busy
    try:
        found = _trial.failing(changed(mutant, _trial.texts), mutant.near)
        place, (_, case) = next(found, (len(_trial), ("", "")))
    except _TooLong:
        return Killing(mutant.name, f"(does not end in {_SECONDS} seconds of work)", 0)
    return Killing(mutant.name, case, place)


class _TooLong(BaseException):
    """Nothing in the allocator or the adapter catches it."""


def _give_up(signum: int, frame: object) -> None:
    raise _TooLong


def kill(trial: Trial, mutants: Sequence[Mutant]) -> Iterator[Killing]:
    """Try every mutant, as many at a time as there are processors; in the order given.

    Cases that fail without any change are left out; they are in `trial.cases` no more.
    """
    global _trial  # noqa: PLW0603 - children inherit it
    trial.without({put for _, put in trial.failing({})})  # here: children inherit what it makes ready
    _trial = trial
    gc.collect()
    gc.freeze()  # so that children share these pages
    with multiprocessing.get_context("fork").Pool(os.cpu_count(), maxtasksperchild=1) as pool:
        yield from pool.imap(_kill, mutants)


def try_all(subject: Subject, mutants: Sequence[Mutant], words: Sequence[str]) -> int:
    """Try the mutants whose names have one of the words, all without words, and say so; 0 if all are killed."""
    began = perf_counter()
    trial = Trial(subject)
    total = len(trial)
    wanted = []
    for mutant in mutants:
        if words and not any(word in mutant.name for word in words):
            continue
        try:
            changed(mutant, trial.texts)
        except Stale as stale:
            print(f"stale     {stale}")
            continue
        wanted.append(mutant)
    survivors = []
    for killing in kill(trial, wanted):
        how = f"{killing.case} (number {killing.after + 1})" if killing.case else ""
        print(f"{'killed' if how else 'SURVIVES':9} {killing.mutant:58} {how}", flush=True)
        if not how:
            survivors.append(killing.mutant)
    if len(trial) < total:
        print(f"left out  {total - len(trial)} cases that fail without a mutant")
    print(f"\n{len(wanted) - len(survivors)} of {len(wanted)} mutants killed, {perf_counter() - began:.0f} s")
    for name in survivors:
        print(f"  survives: {name}")
    return 1 if survivors else 0
