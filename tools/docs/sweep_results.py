"""Print docs/sweep-results.md from the folders of sweeps: `sweep_results.py FOLDER ...`, each written by
`dra-conform sweep --out`."""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from dra_conform.kube.quantity import Quantity
from dra_conform.sweep.outputs import RecordedPart, SweepHeader
from dra_conform.sweep.part import Found, SweepSettings
from dra_conform.sweep.totals import CauseFound

HEAD = """# Results of sweeps

You want to know which quantities the released components of Kubernetes compute wrongly, and see it yourself.
[Sweeps](sweeps.md) tested the components with the rows below. Each difference is a deviation from the
specification with a known reason; `known` counts the rows that differ.
`python tools/docs/sweep_results.py FOLDER ...` makes this page from the folders of `--out`."""

PROGRAMS = {
    "kube-scheduler allocator": "tools/kube-allocator/bin/kube-allocator",
    "kube-apiserver admission": "tools/kube-control-plane/bin/kube-admission",
    "kube-parts": "tools/kube-control-plane/bin/kube-parts",
}
"""The folder and the name of each program without its version, by the name that it declares."""

_VERSION = re.compile(r" (v[0-9.]+)")


@dataclass(frozen=True, slots=True)
class Example:
    """The simplest row of a known fault that one part of a sweep found."""

    implementation: str
    settings: SweepSettings
    cause: CauseFound

    @property
    def found(self) -> Found:
        """The row, with its difference."""
        return self.cause.found

    @property
    def rows(self) -> int:
        """The number of rows of a sweep that has the row, in thousands."""
        return -(-(self.found.row + 1) // 1000) * 1000

    @property
    def order(self) -> tuple[object, ...]:
        """The key by which the best example comes first: in the first part, newest release, simplest row."""
        release = [-int(part) for part in re.findall(r"\d+", self.implementation)]
        return (self.cause.part, release, self.found.complexity, self.implementation)


@dataclass(slots=True)
class Tested:
    """The rows of one implementation in one area."""

    rows: int = 0
    known: int = 0
    different: int = 0
    declined: int = 0


@dataclass(slots=True)
class Results:
    """All sweeps: rows by implementation and area, and examples and implementations by known fault."""

    tested: defaultdict[tuple[str, str], Tested] = field(default_factory=lambda: defaultdict(Tested))
    examples: defaultdict[str, list[Example]] = field(default_factory=lambda: defaultdict(list))
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, folder: Path) -> None:
        """Add the sweep of a folder; raises OSError and msgspec.DecodeError."""
        first, *lines = (folder / "parts.ndjson").read_bytes().splitlines()
        header = msgspec.json.decode(first, type=SweepHeader)
        settings, name = header.settings, header.implementation.removesuffix(" auto")
        tested = self.tested[name, settings.area]
        for line in lines:
            result = msgspec.json.decode(line, type=RecordedPart).result
            known = sum(found.count for found in result.found if found.reason)
            tested.rows += result.rows
            tested.known += known
            tested.declined += result.declined
            tested.different += result.rows - result.equal - result.declined - known
            for found in result.found:
                if found.reason and not name.startswith("dra-conform"):
                    self.counts[found.reason] += found.count
                    self.examples[found.reason].append(
                        Example(name, settings, CauseFound(result.part, result.rows, found))
                    )


def page(results: Results) -> Iterator[str]:
    """Yield the lines of the page."""
    yield HEAD
    yield ""
    titles = ("implementation", "area", "rows", "known", "different", "declined")
    yield from table(titles, _tested(results.tested))
    for reason, count in results.counts.most_common():
        yield ""
        yield from _fault(reason, count, sorted(results.examples[reason], key=lambda example: example.order))


def table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a table."""
    yield f"| {' | '.join(titles)} |"
    yield f"| {' | '.join(['---'] * len(titles))} |"
    for cells in rows:
        yield f"| {' | '.join(cells)} |"


def _tested(tested: Mapping[tuple[str, str], Tested]) -> Iterator[Sequence[str]]:
    for (name, area), each in sorted(tested.items()):
        counts = (each.rows, each.known, each.different, each.declined)
        yield (name, f"`{area}`", *(f"{count:,}" for count in counts))


def _fault(reason: str, count: int, examples: Sequence[Example]) -> Iterator[str]:
    """Yield the section of a known fault: where it was found, its simplest row, and the command."""
    example = examples[0]
    found, settings = example.found, example.settings
    where = sorted({(each.implementation, each.settings.area) for each in examples})
    areas: defaultdict[str, list[str]] = defaultdict(list)
    for name, area in where:
        areas[name].append(f"`{area}`")
    row = example.cause.row(settings)
    inputs = ", ".join(f"{name} {text}" for name, text in row.texts().items() if text is not None)
    yield f"## {reason[0].upper()}{reason[1:]}"
    yield ""
    yield f"{count:,} rows, found in:"
    yield ""
    yield from (f"- {name}: {', '.join(areas[name])}" for name in areas)
    yield ""
    yield f"A simple row: {inputs}. Expected {_words(found.expected)}, got {_words(found.actual)}."
    yield ""
    yield (
        f"    dra-conform sweep -i exec:{_program(example.implementation)} --profile {settings.profile} "
        f"--area {settings.area} --rows {example.rows} --seed {settings.seed}"
        f"{' --inadmissible' if settings.inadmissible else ''} --out out/sweep"
    )


def _words(decision: tuple[str, str]) -> str:
    outcome, nano = decision
    return f"{outcome} {Quantity(int(nano))}" if nano else outcome


def _program(name: str) -> str:
    version = _VERSION.search(name)
    prefix = name[: version.start()] if version else name
    return f"{PROGRAMS.get(prefix, prefix)}-{version[1]}" if version else prefix


def main(folders: Sequence[str]) -> None:
    results = Results()
    for folder in folders:
        results.add(Path(folder))
    print("\n".join(page(results)))


if __name__ == "__main__":
    main(sys.argv[1:])
