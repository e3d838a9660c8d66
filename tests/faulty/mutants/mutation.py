"""Changes of the built-in's source, and the suite that is to notice them; no file is touched.

The judge stays as it is: a process forgets the modules of the allocator, and only those, before it imports them
with the change.
"""

from __future__ import annotations

import ast
import importlib
import importlib.machinery
import importlib.util
import re
import sys
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

from dra_conform.adapters.inprocess import InProcessImplementation
from dra_conform.conformance.case import Case, applicable
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.runner import Settings, run
from dra_conform.conformance.suite.loading import LoadedSuite, load_suite
from dra_conform.conformance.verdict import Verdict
from tests.faulty.mutants.subjects import PACKAGE, Subject
from tests.faulty.mutants.tree_changes import Change, Stale, change

Sources = Mapping[str, str]
"""Source text by module name."""

Trees = Mapping[str, ast.Module]
"""The syntax trees of changed modules, by module name."""


class Mutant:
    """Changes of syntax trees, together one fault.

    `near` are words; cases with one of them in their id or requirements are tried first.
    """

    def __init__(self, name: str, *changes: Change, near: tuple[str, ...] = ()) -> None:
        self.name = name
        self.changes = changes
        self.near = near


class Broken(Exception):  # noqa: N818 - it reads as what happened
    """A mutant cannot be run. Every suite would notice it, so it tells nothing of this one."""


@dataclass(frozen=True, slots=True)
class Killing:
    """How the suite noticed a mutant: the first case that fails, empty if none does, and after how many.

    `left_out`: so many cases were not put to it, since they fail without a mutant. `broken`: why it cannot be run
    to its end; no case has noticed such a mutant.
    """

    mutant: str
    case: str
    after: int
    left_out: int = 0
    broken: str = ""


def sources(subject: Subject) -> Sources:
    """The modules that mutants of a subject change."""
    return {
        ".".join(("dra_conform", *path.relative_to(PACKAGE).with_suffix("").parts)): path.read_text("utf-8")
        for part in subject.files
        for path in sorted(PACKAGE.glob(part))
        if path.stem != "__init__"
    }


def changed(mutant: Mutant, texts: Sources) -> Trees:
    """The modules that the mutant changes, changed; raises Stale."""
    found: dict[str, ast.Module] = {}
    for module in dict.fromkeys(one.module for one in mutant.changes):
        if module not in texts:
            raise Stale(f"{mutant.name}: there is no module {module} among those of the subject")
        tree = found[module] = ast.parse(texts[module])
        try:
            change(tree, [one for one in mutant.changes if one.module == module])
        except Stale as stale:
            raise Stale(f"{mutant.name}: {stale}") from None
    return found


class _Finder:
    """Finds the changed modules before anyone else does."""

    def __init__(self, trees: Trees) -> None:
        self._trees = trees

    def find_spec(
        self, name: str, path: object = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        tree = self._trees.get(name)
        if tree is None:
            return None
        file = str(PACKAGE.parent.joinpath(*name.split(".")).with_suffix(".py"))
        return importlib.util.spec_from_file_location(name, file, loader=_Loader(name, file, tree))


class _Loader(importlib.machinery.SourceFileLoader):
    """Compiles the tree it is given, and neither reads nor writes bytecode."""

    def __init__(self, name: str, file: str, tree: ast.Module) -> None:
        super().__init__(name, file)
        self._tree = tree

    def get_code(self, fullname: str) -> object:
        return compile(self._tree, self.path, "exec", dont_inherit=True)


Put = tuple[str, str]  # a profile and the id of a case that is put in it

_SLIP = re.compile(r"(NameError|AttributeError|TypeError): (?!.*NoneType)")
"""What code raises that names or calls what there is not. That something is None, a circumstance may bring about."""


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

    def failing(self, trees: Trees, near: tuple[str, ...] = ()) -> Iterator[tuple[int, Put]]:
        """The cases that do not pass, with their place. With trees, for a process that ends afterwards.

        Raises Broken where the trees cannot be imported, or a case shows that they cannot be run.
        """
        for name in [name for name in sys.modules if name.startswith(self._subject.forgotten)]:
            del sys.modules[name]
        sys.meta_path.insert(0, _Finder(trees))
        implementation = InProcessImplementation(_builtin(trees), spec="builtin")
        place = 0
        for (_, profile), cases in self.cases.items():
            ordered = sorted(cases, key=lambda case: not _is_near(case, near))
            for event in run(implementation, self._suite.as_suite(), ordered, settings=Settings(profile)):
                if isinstance(event, CaseFinished):
                    if event.result.verdict not in (Verdict.PASS, Verdict.UNSUPPORTED):
                        if event.result.verdict is Verdict.ADAPTER_ERROR and _SLIP.match(event.result.detail):
                            raise Broken(f"{event.result.detail}, in {event.result.case.id}")
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


def _builtin(trees: Trees) -> type:
    """The built-in with the changed modules; raises Broken."""
    try:
        from dra_conform.adapters.builtin import Builtin  # noqa: PLC0415 - with the change

        for name in trees:
            importlib.import_module(name)
    except Exception as error:
        raise Broken(f"{type(error).__name__}: {error}, as it is imported") from error
    return Builtin


def _is_near(case: Case, near: tuple[str, ...]) -> bool:
    texts = (case.id, *case.requirements)
    return any(word in text for word in near for text in texts)


def _each_file_in_turn(cases: Sequence[Case]) -> Iterator[Case]:
    """The cases so that every area comes early: the first of each file, then the second of each, ..."""
    by_file = defaultdict(list)
    for case in cases:
        by_file[case.source.file].append(case)
    return (case for case in chain.from_iterable(zip_longest(*by_file.values())) if case is not None)
