"""The table of switches is complete, and nothing but the table asks for a release."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.kube.profile import PROFILES, Profile
from dra_conform.kube.switches.api_fields import EVERYWHERE, FIELDS
from dra_conform.kube.switches.declarations import Reader
from dra_conform.kube.switches.table import Row, rows

PACKAGE = Path(__file__).resolve().parents[2] / "dra_conform"
TABLE = "kube/switches/"
EXPECTATIONS = "sweep/"
"""Sweeps expect what all components do, so they are not the readers that a switch names."""
ROWS = tuple(rows())

READERS: dict[str, Reader] = {
    "adapters/": Reader.KUBELET,
    "adapters/control_plane/allocate_operation.py": Reader.JUDGE,
    "adapters/live/isolation.py": Reader.JUDGE,
    "adapters/live/live_scenarios.py": Reader.SCHEDULER,
    "allocator/": Reader.ALLOCATOR,
    "apiserver/": Reader.API_SERVER,
    "cel/": Reader.EXPRESSIONS,
    "cluster_state/": Reader.SCHEDULER,
    "cluster_state/claim_accounting.py": Reader.NODE_RESOURCES,
    "cluster_state/declared_features.py": Reader.KUBELET,
    "cluster_state/kubelet_admission.py": Reader.KUBELET,
    "conformance/": Reader.JUDGE,
    "footprint/": Reader.NODE_RESOURCES,
    "fuzz/": Reader.FUZZER,
    "previews/cluster_dump/": Reader.NODE_RESOURCES,
    "previews/cluster_dump/quota_rows.py": Reader.QUOTA,
    "previews/cluster_dump/rejected_updates.py": Reader.PREVIEWS,
    "previews/dry_run/": Reader.PREVIEWS,
    "previews/pod_groups.py": Reader.PREVIEWS,
    "previews/rehearsal/": Reader.PREVIEWS,
    "previews/remaining_capacity.py": Reader.PREVIEWS,
    "previews/slice_lint/": Reader.PREVIEWS,
    "previews/upgrade_check/": Reader.PREVIEWS,
    "quota/": Reader.QUOTA,
    "simulation/": Reader.SCHEDULER,
    "simulation/controllers/": Reader.CONTROLLERS,
    "simulation/footprinting.py": Reader.NODE_RESOURCES,
    "simulation/known_fields.py": Reader.API_SERVER,
    "simulation/kubelet.py": Reader.KUBELET,
    "simulation/metrics.py": Reader.METRICS,
    "simulation/server.py": Reader.API_SERVER,
    "simulation/server_side_apply.py": Reader.API_SERVER,
    "simulation/tainted_devices.py": Reader.CONTROLLERS,
}
"""The reader that a module belongs to, by the longest beginning of its path."""


@cache
def variants() -> tuple[Profile, ...]:
    """Each profile with its default gates, all off, all on, and each gate changed."""
    return tuple(
        variant
        for profile in map(Profile.named, PROFILES)
        for variant in (
            profile,
            *(profile.with_gates(dict.fromkeys(profile.gates, on)) for on in (False, True)),
            *(profile.with_gates({gate: not on}) for gate, on in profile.gates.items()),
        )
    )


@cache
def modules() -> dict[str, ast.Module]:
    """The modules outside of the table, by their path in the package."""
    paths = {path.relative_to(PACKAGE).as_posix(): path for path in sorted(PACKAGE.rglob("*.py"))}
    return {
        name: ast.parse(path.read_text("utf-8"))
        for name, path in paths.items()
        if not name.startswith((TABLE, EXPECTATIONS))
    }


def switch_reads(tree: ast.AST) -> Iterator[tuple[str, ...]]:
    """Yield the names after a variable `…switches` or a call `…Switches.of(…)`: `counters`, `scope`."""
    for node in ast.walk(tree):
        base, names = node, list[str]()
        while isinstance(base, ast.Attribute):
            names.insert(0, base.attr)
            base = base.value
        match base:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=table), attr="of")) if table.endswith(
                "Switches"
            ):
                yield tuple(names)
            case ast.Name(id=variable):
                whole = [variable, *names]
                at = [index for index, name in enumerate(whole) if name.endswith("switches")]
                if at:
                    yield tuple(whole[at[-1] + 1 :])


@cache
def readers() -> dict[str, set[Reader]]:
    """The components that read each name of a switch; `area.name` if `name` is also the name of an area."""
    areas = {part for row in ROWS for part in row.path.split(".")[:-1]}
    found: defaultdict[str, set[Reader]] = defaultdict(set)
    for module, tree in modules().items():
        for names in filter(None, switch_reads(tree)):
            reader = READERS[max((start for start in READERS if module.startswith(start)), key=len)]
            for index, name in enumerate(names):
                found[f"{names[index - 1]}.{name}" if name in areas and index else name].add(reader)
    return found


def key(row: Row) -> str:
    areas = {part for other in ROWS for part in other.path.split(".")[:-1]}
    return row.path if row.name in areas else row.name


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.area.__name__}.{row.name}")
def test_each_switch_has_words_and_differs(row: Row) -> None:
    assert row.words.endswith(".")
    assert len({row.value(profile) for profile in variants()}) > 1


@pytest.mark.slow
def test_each_switch_is_read_by_those_who_are_named() -> None:
    assert {row.path: readers()[key(row)] for row in ROWS} == {row.path: set(row.read_by) for row in ROWS}


def test_each_source_is_a_requirement(shipped_suite: LoadedSuite) -> None:
    known = {requirement.id for requirement in shipped_suite.catalogue}
    starts = {name[:end] for name in known for end, char in enumerate(name) if char == "/"}
    sources = {source for row in ROWS for source in row.declaration.source.split(", ") if source}
    assert {source for source in sources if source.removesuffix("/*") not in known | starts} == set()


def test_switches_have_unique_names_in_their_area() -> None:
    assert len({(row.area, row.name) for row in ROWS}) == len(ROWS) > 160
    assert all(row.area.__name__.endswith("Switches") for row in ROWS)


def test_each_listed_field_is_missing_somewhere() -> None:
    everywhere = [profile for profile in variants() if EVERYWHERE.holds(profile)]
    assert len(everywhere) == len(variants())
    assert [name for name, known in FIELDS.items() if all(map(known.holds, variants()))] == []


ASK_FOR_THE_RELEASE = {
    "adapters/control_plane/control_plane.py": "starts components of a release",
    "adapters/control_plane/programs.py": "compares the release of a control plane with that of a profile",
    "adapters/kubelet/implementation.py": "runs a kubelet of a release",
    "adapters/partial_implementation.py": "compares the releases of two components",
    "conformance/case.py": "levels of requirements are those of the specification; cases of a profile",
    "kube/profile.py": "has the ranges of profiles",
    "previews/upgrade_check/live_scenario.py": "replaces components only if the release changes",
    "reports/failure_explanation.py": "names the profile in a report",
}
"""Modules that compare the release or name of a profile, and why."""


@pytest.mark.slow
def test_nothing_else_asks_for_a_release() -> None:
    asking = {module for module, tree in modules().items() if any(map(asks_for_a_release, ast.walk(tree)))}
    assert asking == ASK_FOR_THE_RELEASE.keys()


@pytest.mark.parametrize(
    "code",
    [
        "profile.release >= '1.36'",
        "self.profile.release is not None",
        "cycle.profile.release in {'1.33', '1.34'}",
        "profile.name == KEP",
        "minor_of(profile.release)",
        "profile.release.partition('.')",
        "case_profile.release == '1.33'",
    ],
)
def test_code_that_asks_for_a_release(code: str) -> None:
    assert any(map(asks_for_a_release, ast.walk(ast.parse(code))))


def asks_for_a_release(node: Any) -> bool:
    """Whether an expression compares the release or the name of a profile, or takes the release apart."""
    match node:
        case ast.Compare():
            return any(map(is_of_a_profile, (node.left, *node.comparators)))
        case ast.Call(func=ast.Name(id="minor_of")):
            return True
        case ast.Call(func=ast.Attribute(value=value)):
            return is_of_a_profile(value)
    return False


def is_of_a_profile(node: Any) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(id=name) | ast.Attribute(attr=name), attr="release" | "name"):
            return name.endswith("profile")
        case ast.Name(id="KEP" | "KEP_FUTURE"):
            return True
    return False
