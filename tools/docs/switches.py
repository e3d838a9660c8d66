"""Print docs/switches.md: the switches of the built-in allocator and of the judge, by release."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from typing import Any, get_type_hints

from dra_conform.allocator.behaviour import Behaviour
from dra_conform.conformance.allocations.rules import Rules
from dra_conform.kube.profile import PROFILES, Profile
from dra_conform.kube.switches import RULE, OneOf

HEAD = """# Switches

You want to know in which releases the built-in allocator or the judge behaves differently. Each
difference between releases, or from the specification, is one switch. It is declared with its profiles in
`dra_conform/allocator/behaviour.py` for the built-in allocator, and in
`dra_conform/conformance/allocations/rules.py` for the judge. The table has the values with the default gates
of each profile. If other gates change a value, the last column has the condition. `make switches`
generates this page.
"""


@dataclass(frozen=True, slots=True)
class Row:
    """Row of a switch: name with area, value in each profile, condition on gates, meaning."""

    name: str
    values: tuple[str, ...]
    gates: str
    meaning: str


def rows(table: type, settled: tuple[Any, ...], prefix: str = "") -> Iterator[Row]:
    """Yield the switches of a table. `settled` are its values in each profile, in the order of PROFILES."""
    kinds = get_type_hints(table)
    meanings = dict(_meanings(table))
    for switch in fields(table):
        name, kind = f"{prefix}{switch.name}", kinds[switch.name]
        values = tuple(getattr(item, switch.name) for item in settled)
        if is_dataclass(kind) and any(RULE in field.metadata for field in fields(kind)):
            yield from rows(kind, values, f"{name}.")
        elif kind is bool or issubclass(kind, StrEnum):
            meaning = meanings.get(switch.name) or inspect.getdoc(kind) or ""
            yield Row(
                name, tuple(map(_shown, values)), _gates(switch.metadata[RULE]), " ".join(meaning.split())
            )


def _meanings(table: type) -> Iterator[tuple[str, str]]:
    [definition] = ast.parse(textwrap.dedent(inspect.getsource(table))).body
    assert isinstance(definition, ast.ClassDef)
    for line, below in zip(definition.body, definition.body[1:], strict=False):
        match line, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                yield name, text


def _shown(value: object) -> str:
    return ("yes" if value else "") if isinstance(value, bool) else str(value)


def _gates(rule: object) -> str:
    """Return the conditions on gates, in words."""
    if not isinstance(rule, OneOf):
        return "computed from the gates"
    conditions = [(value, condition.words) for value, condition in rule.cases if value is not False]
    if not any("DRA" in words or "allocator" in words for _, words in conditions):
        return ""
    return "; ".join(words if value is True else f"{value}: {words}" for value, words in conditions)


def main() -> None:
    profiles = [Profile.named(name) for name in PROFILES]
    builtin = {row.name: row for row in rows(Behaviour, tuple(map(Behaviour.of, profiles)))}
    judge = {row.name: row for row in rows(Rules, tuple(map(Rules.of, profiles)))}
    print(HEAD)
    titles = [name.removeprefix("kubernetes-") for name in PROFILES]
    print("|", " | ".join(["Switch", "Read by", *titles, "Gates"]), "|")
    print("|", " | ".join(["---"] * (len(titles) + 3)), "|")
    rows_by_name = {**builtin, **judge, **builtin}
    for name, row in sorted(rows_by_name.items()):
        readers = "both" if name in builtin and name in judge else "built-in" if name in builtin else "judge"
        print("|", " | ".join([f"`{name}`", readers, *row.values, row.gates]), "|")
    print("\n## What they mean\n")
    for name, row in sorted(rows_by_name.items()):
        print(f"- `{name}`: {row.meaning}")


if __name__ == "__main__":
    main()
