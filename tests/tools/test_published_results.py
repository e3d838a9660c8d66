"""Published results can be run again from what they say."""

from __future__ import annotations

from pathlib import Path

from tools.docs.published_results import REPORTS, published_results


def test_each_folder_has_one_result_to_run_again(tmp_path: Path) -> None:
    results = list(published_results(tmp_path))
    folders = {file.parent for file in REPORTS.rglob("*.yaml")}
    assert {REPORTS / Path(result.submission.path).parent for result in results} == folders
    assert len({result.report for result in results}) == len(results)
    assert all(result.run[0] == "run" for result in results)


def test_a_driver_runs_in_its_own_folder(tmp_path: Path) -> None:
    by_name = {result.submission.implementation.name: result for result in published_results(tmp_path)}
    folder = tmp_path / "dra-driver-cpu"
    assert by_name["dra.cpu"].missing() == str(folder / "driver.yaml")
    folder.mkdir()
    (folder / "driver.yaml").touch()
    assert by_name["dra.cpu"].missing() == ""
    assert by_name["reference kubelet"].missing() == ""
