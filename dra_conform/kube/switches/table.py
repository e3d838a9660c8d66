"""The table of all switches: their names, words, profiles, sources and readers."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, get_type_hints

from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.allocation import AllocationSwitches
from dra_conform.kube.switches.api_server import ApiServerSwitches
from dra_conform.kube.switches.controllers import ClaimMetricSwitches, ControllerSwitches
from dra_conform.kube.switches.declarations import DECLARATION, Declaration, Reader, Switches
from dra_conform.kube.switches.expressions import ExpressionSwitches
from dra_conform.kube.switches.extended_resources import ExtendedResourceSwitches
from dra_conform.kube.switches.features import FeatureSwitches
from dra_conform.kube.switches.fuzzer import FuzzerSwitches
from dra_conform.kube.switches.kubelet import DeclaredFeatureSwitches
from dra_conform.kube.switches.node_resources import NodeResourceSwitches
from dra_conform.kube.switches.quota import QuotaSwitches
from dra_conform.kube.switches.scheduler import BindingSwitches, PodWriteSwitches, SchedulerSwitches

AREAS: tuple[type[Switches], ...] = (
    FeatureSwitches,
    ExpressionSwitches,
    AllocationSwitches,
    ApiServerSwitches,
    SchedulerSwitches,
    PodWriteSwitches,
    BindingSwitches,
    ExtendedResourceSwitches,
    NodeResourceSwitches,
    QuotaSwitches,
    ControllerSwitches,
    ClaimMetricSwitches,
    DeclaredFeatureSwitches,
    FuzzerSwitches,
)
"""The areas in the order of docs/switches.md. Areas within an area follow it."""


@dataclass(frozen=True, slots=True)
class Row:
    """A switch: its area, its name there, its words in one line, and its declaration.

    `path` is the name below the outermost area, such as `counters.scope` of AllocationSwitches.
    """

    area: type[Switches]
    path: str
    words: str
    kind: type
    declaration: Declaration

    @property
    def name(self) -> str:
        """The name of the field."""
        return self.path.rpartition(".")[2]

    @property
    def value(self) -> Callable[[Profile], Any]:
        """The function from a profile to the value."""
        return self.declaration.value

    @property
    def read_by(self) -> tuple[Reader, ...]:
        """The components that read the switch."""
        return self.declaration.read_by or self.area.READ_BY


def rows() -> Iterator[Row]:
    """Yield every switch once."""
    listed: set[type[Switches]] = set()
    for table in AREAS:
        yield from _rows(table, "", listed)


def _rows(table: type[Switches], prefix: str, listed: set[type[Switches]]) -> Iterator[Row]:
    listed.add(table)
    kinds, words = get_type_hints(table), dict(_words(table))
    inner = []
    for field in fields(table):  # type: ignore[arg-type] # every subclass is a dataclass
        kind = kinds[field.name]
        if not issubclass(kind, Switches):
            path = f"{prefix}{field.name}"
            yield Row(table, path, words.get(field.name, ""), kind, field.metadata[DECLARATION])
        elif kind not in listed and kind not in AREAS:
            inner.append((kind, f"{prefix}{field.name}."))
    for kind, path in inner:
        yield from _rows(kind, path, listed)


def meanings(values: type[StrEnum]) -> Iterator[tuple[str, str]]:
    """Yield the values of a switch with more than two values, and what each means."""
    for name, text in _words(values):
        yield values[name].value, text


def _words(table: type) -> Iterator[tuple[str, str]]:
    """Yield the docstrings below the fields of a class, each in one line."""
    [definition] = ast.parse(textwrap.dedent(inspect.getsource(table))).body
    assert isinstance(definition, ast.ClassDef)
    for line, below in zip(definition.body, definition.body[1:], strict=False):
        match line, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                yield name, " ".join(text.split())
