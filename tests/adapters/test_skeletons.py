"""The adapters that `adapter init` writes follow the protocol, and their answers pass or are declined."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from dra_conform.adapters.check import check
from dra_conform.adapters.skeletons import SKELETONS, write
from dra_conform.adapters.specs import open_implementation
from dra_conform.conformance.case import applicable
from dra_conform.conformance.events import CaseFinished, RunStarted
from dra_conform.conformance.features import FEATURES, RESULT_PARTS
from dra_conform.conformance.runner import Settings, run
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, Verdict
from dra_conform.kube.errors import InputError
from dra_conform.kube.profile import KEP

TOOLS = {"python": "python3", "go": "go", "node": "node", "rust": "cargo"}


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(language, marks=() if language == "python" else pytest.mark.slow)
        for language in SKELETONS
    ],
)
def skeleton(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """Return a language and the folder with its built skeleton."""
    language: str = request.param
    if shutil.which(TOOLS[language]) is None:
        pytest.skip(f"{TOOLS[language]} is not here")
    folder = tmp_path_factory.mktemp(language)
    write(language, folder)
    build = SKELETONS[language].build
    if build:
        done = subprocess.run(build.split(), cwd=folder, capture_output=True, text=True, check=False)
        if language == "rust" and "crates.io" in done.stderr and done.returncode:
            pytest.skip("serde_json cannot be had")
        assert done.returncode == 0, done.stderr
    return language, folder


def test_a_skeleton_follows_the_protocol_and_passes(
    skeleton: tuple[str, Path],
    shipped_suite: LoadedSuite,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    language, folder = skeleton
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(str(folder))
    spec = SKELETONS[language].spec
    assert [item for item in check(spec) if not item.ok] == []
    cases = [
        case
        for case in applicable(shipped_suite.cases, KEP)
        if case.operation == "allocate" and not case.features - {"cel-selectors"}
    ]
    events = list(
        run(open_implementation(spec), shipped_suite.as_suite(), cases, settings=Settings(deadline_ms=20000))
    )
    [declared] = [event.implementation.features for event in events if isinstance(event, RunStarted)]
    assert set(declared) == {*FEATURES, *RESULT_PARTS}
    results = [event.result for event in events if isinstance(event, CaseFinished)]
    wrong = {
        one.case.id: (one.detail, one.findings) for one in results if one.verdict in CONFORMANCE_FAILURES
    }
    assert wrong == {}
    assert sum(one.verdict is Verdict.PASS for one in results) > 100


def test_the_file_to_change_is_written(tmp_path: Path) -> None:
    for language, skeleton in SKELETONS.items():
        assert tmp_path / language / skeleton.allocator in write(language, tmp_path / language)


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "adapter.mjs").write_text("mine", encoding="utf-8")
    with pytest.raises(
        InputError, match=r"adapter\.mjs: exists already, expected a folder without this file"
    ):
        write("node", tmp_path)
    assert [one.name for one in tmp_path.iterdir()] == ["adapter.mjs"]


def test_a_link_without_a_target_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "adapter.mjs").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match=r"adapter\.mjs: exists already"):
        write("node", tmp_path / "new")
    assert not (tmp_path / "elsewhere").exists()


def test_after_an_error_no_file_is_left(tmp_path: Path) -> None:
    (tmp_path / "src").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match="src: cannot be written: File exists, expected a folder"):
        write("rust", tmp_path)
    assert [one.name for one in tmp_path.iterdir()] == ["src"]
