"""Print docs/switches.md: the table of release switches, a section for each area."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import groupby

from dra_conform.kube.profile import PROFILES, Profile
from dra_conform.kube.switches.api_fields import FIELDS, VERSIONS
from dra_conform.kube.switches.declarations import OneOf
from dra_conform.kube.switches.table import Row, meanings, rows

HEAD = """# Switches

You want to know on which points Kubernetes releases differ from each other, or from the specification. Each
point is one switch, declared once in `dra_conform/kube/switches`. There is a section for each area.

- `yes`: the switch is on in the profile with its default gates. A switch with more than two values shows the
  value.
- *Read by*: the components that follow the switch.
- *Gates*: the condition, if other gates change the value.
- *Source*: the requirements about the switch. Without them, only the releases show the difference.

`make switches` generates this page.
"""
RELEASES = tuple(name.removeprefix("kubernetes-") for name in PROFILES)


def table(titles: Iterable[str], lines: Iterable[Iterable[str]]) -> Iterator[str]:
    """Yield the lines of a table."""
    titles = tuple(titles)
    yield f"| {' | '.join(titles)} |"
    yield f"| {' | '.join(['---'] * len(titles))} |"
    for cells in lines:
        yield f"| {' | '.join(cells)} |"


def section(area: type, members: Iterable[Row]) -> Iterator[str]:
    """Yield the lines of the section of an area."""
    title = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", area.__name__).capitalize().replace("Api", "API")
    yield f"\n## {title}\n"
    yield f"{(inspect.getdoc(area) or '').rstrip()}\n\nClass: `{area.__name__}`.\n"
    titles = ("Switch", "What is done", *RELEASES, "Read by", "Gates", "Source")
    listed = tuple(members)
    yield from table(titles, map(_cells, listed))
    for row in listed:
        values = tuple(meanings(row.kind)) if issubclass(row.kind, StrEnum) else ()
        if values:
            yield f"\nValues of `{row.path}`:\n"
            yield from (f"- `{value}`: {text}" for value, text in values)


def _cells(row: Row) -> Iterator[str]:
    yield f"`{row.path}`"
    yield row.words
    yield from (_shown(row.value(Profile.named(name))) for name in PROFILES)
    yield ", ".join(row.read_by)
    yield _gates(row)
    yield ", ".join(f"`{source}`" for source in row.declaration.source.split(", ") if source)


def _shown(value: object) -> str:
    return ("yes" if value else "") if isinstance(value, bool) else str(value)


def _gates(row: Row) -> str:
    """Return the conditions on gates, in words."""
    assert isinstance(row.value, OneOf)
    conditions = [(value, condition.words) for value, condition in row.value.cases if value is not False]
    if not any("DRA" in words or "allocator" in words for _, words in conditions):
        return ""
    return "; ".join(words if value is True else f"{value}: {words}" for value, words in conditions)


def fields() -> Iterator[str]:
    """Yield the sections of the fields and API versions that not every profile has."""
    profiles = [Profile.named(name) for name in PROFILES]
    yield "\n## Fields of the API\n"
    yield "A field of this table is unknown in the other profiles. Read by: API server.\n"
    known = {f"`{name}`": condition for name, condition in FIELDS.items()}
    yield from table(
        ("Field", *RELEASES), ((name, *map(_shown, map(c.holds, profiles))) for name, c in known.items())
    )
    yield "\n## API versions\n"
    yield "The API versions that a profile serves. Read by: API server.\n"
    served = {f"{kind} `{v}`": condition for kind, of in VERSIONS.items() for v, condition in of.items()}
    yield from table(
        ("Kind and version", *RELEASES),
        ((name, *map(_shown, map(c.holds, profiles))) for name, c in served.items()),
    )


def main() -> None:
    print(HEAD, end="")
    for area, members in groupby(rows(), key=lambda row: row.area):
        print("\n".join(section(area, members)))
    print("\n".join(fields()))


if __name__ == "__main__":
    main()
