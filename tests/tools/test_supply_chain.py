"""Installed packages are pinned with hashes, listed in the wheel, and have accepted licences."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

of_all_packages = pytest.mark.skipif(
    sys.version_info >= (3, 12), reason="a newer Python does not install all packages of the lock"
)

ROOT = Path(__file__).resolve().parents[2]
RUNTIME, DEVELOPMENT = (ROOT / "locks" / name for name in ("runtime.txt", "development.txt"))
PINNED = re.compile(
    r"(?P<name>[a-z0-9-]+)==(?P<version>\S+)(?: ; [^\\\n]+)?(?: \\\n    --hash=sha256:[0-9a-f]{64})+\n"
)


def pinned(lock: Path) -> dict[str, str]:
    """Return the versions of a lock, and check that it has no other lines."""
    text = re.sub(r"(?m)^#.*\n", "", lock.read_text("utf-8"))
    assert PINNED.sub("", text) == ""
    return {match["name"]: match["version"] for match in PINNED.finditer(text)}


def wanted(*, all_of_it: bool) -> Iterator[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    texts = list(project["project"]["dependencies"])
    if all_of_it:
        texts += [
            requirement
            for extra in project["project"]["optional-dependencies"].values()
            for requirement in extra
        ]
        texts += project["dependency-groups"]["dev"] + project["build-system"]["requires"]
    return map(Requirement, texts)


@pytest.mark.parametrize(("lock", "all_of_it"), [(RUNTIME, False), (DEVELOPMENT, True)])
def test_locks_pin_the_packages_of_the_project(lock: Path, all_of_it: bool) -> None:
    versions = pinned(lock)
    for requirement in wanted(all_of_it=all_of_it):
        assert requirement.specifier.contains(versions[canonicalize_name(requirement.name)]), (
            f"{requirement}: run make lock"
        )


def test_both_locks_agree() -> None:
    assert pinned(RUNTIME).items() <= pinned(DEVELOPMENT).items()


def test_the_gate_installs_from_locks_only() -> None:
    for name in ("Makefile", ".ci/run"):
        for line in re.findall(r".*pip install.*", (ROOT / name).read_text("utf-8")):
            assert "--require-hashes" in line or "--no-deps" in line, f"{name}: {line}"


def test_the_bill_of_materials_agrees_with_the_lock() -> None:
    bill = json.loads((ROOT / "locks" / "sbom.cdx.json").read_text("utf-8"))
    assert {component["name"]: component["version"] for component in bill["components"]} == pinned(RUNTIME)
    assert all(component["licenses"] for component in bill["components"])
    assert bill["bomFormat"] == "CycloneDX"


@pytest.mark.parametrize(
    ("tool", "file"),
    [
        ("sbom.py", "locks/sbom.cdx.json"),
        pytest.param("licences.py", "docs/licences.md", marks=of_all_packages),
    ],
)
def test_files_generated_from_the_lock_are_current(tool: str, file: str) -> None:
    done = subprocess.run(
        [sys.executable, f"tools/supply/{tool}"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == (ROOT / file).read_text("utf-8"), "run make lock"


@of_all_packages
def test_a_licence_that_is_not_accepted_is_an_error(tmp_path: Path) -> None:
    package = tmp_path / "yarl-9.dist-info"
    package.mkdir()
    (package / "METADATA").write_text(
        "Metadata-Version: 2.4\nName: yarl\nVersion: 9\nLicense-Expression: AGPL-3.0-only\n", "utf-8"
    )
    done = subprocess.run(
        [sys.executable, "tools/supply/licences.py"],
        cwd=ROOT,
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "yarl: the licence AGPL-3.0-only is not accepted, expected Apache-2.0, " in done.stderr
