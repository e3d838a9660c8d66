"""The skeleton of a plugin for a KEP with a new field of devices: the example plugin with other names."""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from dra_conform.adapters.skeletons import files_of, write_files
from dra_conform.conformance.plugins import existing_fields
from dra_conform.kube.listing import aligned_tables
from dra_conform.kube.own_fields import Owner

_FIELD = re.compile(r"[a-z][a-z0-9]*([A-Z][a-z0-9]*)*")
_EXAMPLE = "powerClass"
_EXAMPLE_KEP = "0000"


@dataclass(frozen=True, slots=True)
class PluginNames:
    """The names in a plugin: of the field in camelCase, such as `coolingZone`, of its gate and of its KEP."""

    field: str
    gate: str
    kep: str

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the field in lower case."""
        return tuple(word.lower() for word in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]", self.field))

    @property
    def package(self) -> str:
        """The Python package of the plugin."""
        return "_".join(self.words)

    @property
    def allocator(self) -> str:
        """The spec of the allocator that follows the KEP."""
        return f"python:{self.package}.allocators:{self._class_name}Allocator"

    @property
    def _class_name(self) -> str:
        return "".join(word.capitalize() for word in self.words)

    def renamed(self, text: str) -> str:
        """Return a text of the example with these names, its tables aligned."""
        example = PluginNames(_EXAMPLE, gate_of(_EXAMPLE), _EXAMPLE_KEP)
        names = dict(zip(example._all(), self._all(), strict=True))
        renamed = re.sub("|".join(map(re.escape, names)), lambda match: names[match[0]], text)
        return "\n".join(aligned_tables(renamed.split("\n")))

    def _all(self) -> Iterator[str]:
        yield self.gate
        yield from (self.field, self.package, "-".join(self.words), " ".join(self.words), self._class_name)
        yield from (f"KEP-{self.kep}", f"kep-{self.kep}")


def gate_of(field: str) -> str:
    """Return the usual name of the feature gate of a field."""
    return f"DRADevice{field[:1].upper()}{field[1:]}"


def problem_of_field(field: str) -> str:
    """Return why a field cannot have the plugin's package, empty if it can."""
    if not _FIELD.fullmatch(field):
        return f"{field!r} is not the name of a field, expected camelCase such as {_EXAMPLE}"
    owners: tuple[Owner, ...] = ("device", "request", "result")
    for owner in owners:
        if field in existing_fields(owner):
            return f"{field!r} is a field of a {owner} already, expected a new one"
    package = PluginNames(field, "", "").package
    if keyword.iskeyword(package) or package in sys.stdlib_module_names:
        return f"{field!r} would name the plugin like a module of Python, expected another name"
    return ""


def write_plugin(names: PluginNames, folder: Path) -> list[Path]:
    """Write a plugin into a folder and return its files; raises InputError instead of overwriting a file."""
    example = files_of(resources.files("dra_conform.adapters.skeletons") / "power-class")
    return write_files({folder / names.renamed(path): names.renamed(text) for path, text in example})
