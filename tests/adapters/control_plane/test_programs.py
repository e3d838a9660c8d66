"""The program of a version, and the errors if it is not built."""

from __future__ import annotations

from pathlib import Path

import pytest

from dra_conform.adapters.control_plane import programs
from dra_conform.adapters.specs import BadSpec, open_implementation
from dra_conform.conformance.implementation import CannotStart, Suite


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(programs.FOLDER, str(tmp_path))
    return tmp_path


def build(folder: Path, *versions: str) -> None:
    for version in versions:
        (folder / f"kube-{version}").touch(mode=0o755)


def test_a_program_is_found_by_its_version(folder: Path) -> None:
    build(folder, "v1.36.3", "v1.37.1")
    assert programs.program("v1.37.1") == folder / "kube-v1.37.1"


def test_the_newest_built_patch_of_a_release_is_used(folder: Path) -> None:
    build(folder, "v1.36.9", "v1.36.10", "v1.37.1")
    assert programs.newest_of("1.36") == "v1.36.10"


def test_a_release_is_not_matched_by_prefix(folder: Path) -> None:
    build(folder, "v1.36.3")
    with pytest.raises(
        programs.NotBuilt, match=r"no control plane of 1\.3 is in .*build\.sh` builds v1\.33\.13, v1\.34\.4, "
    ):
        programs.newest_of("1.3")


def test_a_missing_release_names_the_command_that_builds_its_newest_patch(folder: Path) -> None:
    with pytest.raises(
        programs.NotBuilt, match=r"no control plane of 1\.36 is in .*build\.sh kube-v1\.36\.3`"
    ):
        programs.newest_of("1.36")


@pytest.mark.parametrize("version", ["v1.38.0", "v1.38.0-beta.0"])
def test_a_version_that_cannot_be_built_names_those_that_can(folder: Path, version: str) -> None:
    with pytest.raises(programs.NotBuilt) as found:
        programs.program(version)
    assert str(found.value).endswith(
        "build.sh` builds v1.33.13, v1.34.4, v1.35.4, v1.36.3, v1.37.1; "
        "`build.sh --pin VERSION` pins another version"
    )


def test_a_file_that_is_not_executable_is_not_a_build(folder: Path) -> None:
    (folder / "kube-v1.37.1").touch(mode=0o644)
    with pytest.raises(programs.NotBuilt):
        programs.program("v1.37.1")


def test_the_error_has_the_build_command(folder: Path) -> None:
    missing = open_implementation("kube:v1.37.1")
    with pytest.raises(CannotStart, match=r"kube-v1\.37\.1 is not in .*build\.sh kube-v1\.37\.1` builds it"):
        missing.start(Suite("", "", ""))


@pytest.mark.parametrize("spec", ["kube", "kube:", "kube:1.37", "kube:v1.37", "kube:v1.37.1 ", "kube:newest"])
def test_a_spec_without_a_full_version_is_rejected(spec: str) -> None:
    with pytest.raises(BadSpec, match="names no version, expected a spec such as"):
        open_implementation(spec)


def test_an_installed_package_says_where_the_build_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(programs, "_tool", lambda: tmp_path / "absent")
    with pytest.raises(
        programs.NotBuilt, match=r"in a clone of the repository, .*; set DRA_CONFORM_KUBE to "
    ):
        programs.program("v1.37.1")
