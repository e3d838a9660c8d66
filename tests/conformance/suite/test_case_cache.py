"""The cache of cases: it gives what would be read, and nothing of a file that cannot be trusted."""

from __future__ import annotations

import os
import pickle
import resource
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import msgspec
import pytest

from dra_conform.conformance import plugin_entries
from dra_conform.conformance.suite import case_cache, loading
from dra_conform.conformance.suite.loading import LoadedSuite, load_suite, read_suite
from tests.support.conformance.suite.writing import GOLDEN_FILE, suite


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return suite(tmp_path / "suite")


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The golden files that were read, not taken from the cache."""
    files: list[str] = []
    original = loading.golden_cases

    def reading(text: str, file: str, fixture: loading.Fixture) -> tuple[loading.Case, ...]:
        files.append(file)
        return tuple(original(text, file, fixture))

    monkeypatch.setattr(loading, "golden_cases", reading)
    return files


def cache_folder() -> Path:
    return Path(os.environ["XDG_CACHE_HOME"]) / "dra-conform"


def cache_file() -> Path:
    (found,) = cache_folder().glob("*.cases")
    return found


@pytest.mark.slow
def test_the_shipped_suite_from_the_cache_equals_the_suite_as_read(shipped_suite: LoadedSuite) -> None:
    assert load_suite(cached=True) == shipped_suite == load_suite()


def test_an_unchanged_file_is_not_read_again(folder: Path, read: list[str]) -> None:
    first = load_suite(folder, cached=True)
    assert read == [GOLDEN_FILE]
    assert load_suite(folder, cached=True) == first
    assert read == [GOLDEN_FILE]


def test_a_changed_file_is_read_again(folder: Path, read: list[str]) -> None:
    before = load_suite(folder, cached=True)
    path = folder / GOLDEN_FILE
    path.write_text(path.read_text("utf-8").replace("10", "11"), "utf-8")
    assert load_suite(folder, cached=True) == load_suite(folder) != before
    assert len(read) == 3


def test_each_set_of_plugins_has_its_own_files(
    folder: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Commands with and without a plugin that take turns read each file once."""
    trial = (EntryPoint("trial", "no_such_module:PLUGIN", plugin_entries.GROUP),)
    for entries in ((), trial, (), trial):
        monkeypatch.setattr(plugin_entries, "entries", lambda entries=entries: entries)
        load_suite(folder, cached=True)
    assert len(read) == 2


def test_requirements_are_taken_from_the_cache_until_their_file_changes(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files: list[str] = []
    original = loading.requirements_of

    def reading(text: str, file: str) -> Iterator[loading.Requirement]:
        files.append(file)
        return original(text, file)

    monkeypatch.setattr(loading, "requirements_of", reading)
    first = load_suite(folder, cached=True)
    (file,) = files
    assert load_suite(folder, cached=True) == first
    assert files == [file]
    path = folder / file
    path.write_text(path.read_text("utf-8").replace("statement: ", "statement: Always, "), "utf-8")
    assert load_suite(folder, cached=True).catalogue != first.catalogue
    assert files == [file] * 2


def test_a_fifo_is_a_problem_and_is_not_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "requirements" / "kep-1.yaml")
    os.mkfifo(folder / "features" / "kep-1.feature")
    _, problems = read_suite(folder, cached=True)
    assert {problem.file for problem in problems} == {"requirements/kep-1.yaml", "features/kep-1.feature"}


def test_a_file_with_problems_is_not_kept(folder: Path) -> None:
    (folder / GOLDEN_FILE).write_text("cases: [\n", "utf-8")
    for _ in range(2):
        _, problems = read_suite(folder, cached=True)
        assert [problem.file for problem in problems] == [GOLDEN_FILE]


class Hostile:
    """Runs a command when it is unpickled."""

    def __init__(self, command: str) -> None:
        self.command = command

    def __reduce__(self) -> tuple[Callable[[str], int], tuple[str]]:
        return os.system, (self.command,)


def test_a_hostile_cache_runs_no_code(folder: Path, tmp_path: Path, read: list[str]) -> None:
    first = load_suite(folder, cached=True)
    content = msgspec.msgpack.decode(cache_file().read_bytes())
    hostile = pickle.dumps(Hostile(f"touch {tmp_path}/run"))
    content["cases"] = dict.fromkeys(content["cases"], hostile)
    cache_file().write_bytes(msgspec.msgpack.encode(content))
    assert load_suite(folder, cached=True) == first
    assert len(read) == 2
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("content", [b"", b"\xff" * 100, b'{"cases": 1}'])
def test_a_damaged_cache_is_read_anew(folder: Path, read: list[str], content: bytes) -> None:
    first = load_suite(folder, cached=True)
    cache_file().write_bytes(content)
    assert load_suite(folder, cached=True) == first
    assert len(read) == 2


def test_a_cache_that_others_can_write_is_not_used(folder: Path, read: list[str]) -> None:
    load_suite(folder, cached=True)
    cache_file().chmod(0o666)
    load_suite(folder, cached=True)
    assert len(read) == 2


def test_without_a_folder_to_write_there_is_no_cache(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = folder / "file"
    file.write_text("", "utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(file))
    assert load_suite(folder, cached=True) == load_suite(folder)


def test_a_file_that_does_not_fit_on_the_disk_is_removed(folder: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        load_suite(folder, cached=True)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert [*cache_folder().iterdir()] == []


def test_the_oldest_files_are_removed_from_a_full_cache(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_suite(folder, cached=True)
    old = cache_file()
    os.utime(old, (2, 2))
    monkeypatch.setattr(case_cache, "MAX_BYTES", old.stat().st_size * 3 // 2)
    load_suite(suite(tmp_path / "other"), cached=True)
    assert cache_file() != old


def test_without_a_home_folder_there_is_no_cache(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home(path: str) -> str:
        return path

    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(os.path, "expanduser", no_home)
    with pytest.raises(RuntimeError):
        Path.home()
    assert load_suite(folder, cached=True) == load_suite(folder)
