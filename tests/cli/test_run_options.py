from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from dra_conform.cli.run_options import REPORTS, add_report_options, report_paths
from dra_conform.kube.errors import InputError


def parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_report_options(parser)
    return parser.parse_args(words)


def test_several_reports_get_names_in_the_folder_which_is_created(tmp_path: Path) -> None:
    out = tmp_path / "out"
    paths = report_paths(parsed("--report", "html,junit", "--report", "json", "--report-dir", str(out)))
    assert out.is_dir()
    assert {name: path for name, path in paths.items() if path} == {
        "html": f"{out}/report.html",
        "junit": f"{out}/junit.xml",
        "json": f"{out}/report.json",
    }


def test_a_report_has_one_path(tmp_path: Path) -> None:
    words = ("--report", "json", "--report", "json", "--html", "pages/", "--report-dir", str(tmp_path))
    paths = report_paths(parsed(*words))
    assert (paths["html"], paths["json"]) == ("pages/", f"{tmp_path}/report.json")
    assert set(report_paths(parsed())) == set(REPORTS)
    with pytest.raises(InputError) as caught:
        report_paths(parsed(*words, "--report", "html"))
    assert str(caught.value) == "--report: html: is also requested by --html, expected one of these options"


def test_a_folder_without_names_and_an_unknown_name_are_rejected(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(InputError, match="needs the names of reports"):
        report_paths(parsed("--report-dir", str(tmp_path)))
    with pytest.raises(SystemExit):
        parsed("--report", "html,pdf")
    assert "'pdf' is not a report, expected some of json,html" in capsys.readouterr().err
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="is a file, expected a folder"):
        report_paths(parsed("--report", "html", "--report-dir", str(tmp_path / "file")))
