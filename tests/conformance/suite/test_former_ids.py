from __future__ import annotations

from pathlib import Path

import pytest

from dra_conform.cli import main
from dra_conform.conformance.suite.case_ids import FormerIds, read_former_ids, wrong_ids
from dra_conform.conformance.suite.loading import shipped
from dra_conform.kube.errors import InputError
from tests.support.conformance.suite.writing import suite as own_suite


def _suite(folder: Path, former: str, released: str = "") -> Path:
    (folder / "requirements").mkdir(parents=True)
    (folder / "requirements" / "former-ids.txt").write_text(former)
    if released:
        (folder / "requirements" / "released-ids.txt").write_text(released)
    return folder


def test_a_former_id_maps_to_the_present_id(tmp_path: Path) -> None:
    former = read_former_ids(_suite(tmp_path, "# moved\nkep/a/old kep/a/new\nkep/a/one[1] kep/a/two[x]\n"))
    assert former.present("kep/a/old") == "kep/a/new"
    assert former.present("kep/a/old[3]") == "kep/a/new[3]"
    assert former.present("kep/a/one[1]") == "kep/a/two[x]"
    assert former.present("kep/a/other") == "kep/a/other"
    assert next(iter(former.notes())) == "kep/a/old is now kep/a/new"


def test_a_line_without_present_id(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"former-ids.txt:1: is 'kep/a/old', expected a former id, a blank and"
    ):
        read_former_ids(_suite(tmp_path, "kep/a/old\n"))
    with pytest.raises(InputError, match="is listed twice, expected one line"):
        read_former_ids(_suite(tmp_path / "b", "a b\na c\n"))


def test_each_released_id_is_still_known(tmp_path: Path) -> None:
    root = _suite(tmp_path, "kep/a/old kep/a/new\n", "kep/a/old[1]\nkep/a/new[2]\nkep/a/gone\n")
    (problem,) = wrong_ids(root, read_former_ids(root), ["kep/a/new[1]", "kep/a/new[2]"])
    assert str(problem).startswith("requirements/released-ids.txt:3: kep/a/gone: is not the id of a case")


def test_former_ids_without_a_case_or_in_use(tmp_path: Path) -> None:
    wrong = wrong_ids(tmp_path, FormerIds({"kep/a/x": "kep/a/y", "kep/a/new": "kep/a/new"}), ["kep/a/new"])
    assert [problem.message.partition(",")[0] for problem in wrong] == [
        "maps to kep/a/y",
        "is the id of a case",
    ]


def test_the_former_ids_of_the_shipped_suite_are_valid() -> None:
    assert read_former_ids(shipped()).present_ids == {}


def test_commands_find_a_case_by_its_former_id(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite, case = own_suite(tmp_path), "kep-5075/trial/one"
    (suite / "requirements" / "former-ids.txt").write_text(f"kep-5075/trial/before {case}\n")
    assert main(["show", "kep-5075/trial/before", "--suite", str(suite)]) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith(case)
    assert shown.err == f"kep-5075/trial/before is now {case}\n"
    assert main(["run", "--select", "id:kep-5075/trial/before", "--suite", str(suite)]) == 0
    assert f"kep-5075/trial/before is now {case}\n" in capsys.readouterr().err
