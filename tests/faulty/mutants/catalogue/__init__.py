"""Tables of mutants, one for each package that they change; a line is a change of one function.

    "module below dra_conform": {
        "Class.function": (
            ("topic", "name of the mutant", "pattern of what is replaced", "new code"),
        ),
    }

`tree_changes.py` says what patterns and new code are. A number at the end of a line says which match of the pattern it is.
After the function and a colon are names for its local variables, where a line needs some. A mutant with several
changes has a line for each; the names of all but the first begin with "& ".
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping

from tests.faulty.mutants.mutation import Mutant
from tests.faulty.mutants.tree_changes import Change

AND = "& "
Table = Mapping[str, Mapping[str, tuple[tuple[str, str, str, str] | tuple[str, str, str, str, int], ...]]]


def mutants_of(topic: str, near: tuple[str, ...] = ()) -> tuple[Mutant, ...]:
    """The mutants of a topic. `near` are words in the cases that are tried first."""
    found: dict[str, list[Change]] = {}
    for of, name, change in lines():
        if of == topic:
            found.setdefault(name.removeprefix(AND), []).append(change)
    return tuple(Mutant(name, *changes, near=near) for name, changes in found.items())


def lines() -> Iterator[tuple[str, str, Change]]:
    """Topic, name and change of every line of the tables."""
    for found in pkgutil.iter_modules(__path__):
        table: Table = importlib.import_module(f"{__name__}.{found.name}").MUTANTS
        for module, functions in table.items():
            for function, several in functions.items():
                scope, _, variables = function.partition(": ")
                for topic, name, old, new, *nth in several:
                    yield (
                        topic,
                        name,
                        Change(f"dra_conform.{module}", scope, old, new, *nth, variables=variables),
                    )
