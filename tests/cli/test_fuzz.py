"""`dra-conform fuzz`: exit codes, output and written files."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from dra_conform.cli import main
from dra_conform.fuzz.generation.random_scenario import KNOWN_FEATURES
from tests.support.rows import mostly_slow

TEXTBOOK = "python:tests.reference.textbook:Textbook"
WRONG = "python:tests.faulty.implementations.allocators:ForgetsDefault"


def _fuzz(*arguments: str, out: Path) -> int:
    return main(["fuzz", *arguments, "--out", str(out)])


def test_agreement_is_0_and_leaves_nothing_behind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _fuzz("-i", "builtin", "-i", "builtin", "--cases", "40", out=tmp_path / "finds") == 0
    printed = capsys.readouterr().out
    assert "40 scenarios" in printed
    assert "0 disagreements" in printed
    assert not (tmp_path / "finds").exists()


@pytest.mark.slow
def test_a_disagreement_is_1_printed_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    features = ("--features", "consumable-capacity")
    assert _fuzz("-i", "builtin", "-i", WRONG, "--cases", "40", "--seed", "3", *features, out=tmp_path) == 1
    printed = capsys.readouterr().out
    assert "disagreement (" in printed
    assert "  ForgetsDefault 1: allocated" in printed
    assert "  ForgetsDefault 1:   violates consumed-capacity-complete" in printed
    written = sorted(path.name for path in tmp_path.iterdir())
    assert written
    assert all(name in printed for name in written)


def test_features_restrict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        _fuzz("-i", "builtin", "-i", "builtin", "--cases", "5", "--features", "match-attribute", out=tmp_path)
        == 0
    )
    assert "features match-attribute\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("profile", "lacks"),
    mostly_slow(
        [
            ("kubernetes-1.34", {"compatibility-groups", "list-attributes"}),
            ("kubernetes-1.36", {"compatibility-groups"}),
            ("kubernetes-1.37", set()),
            ("kep", set()),
        ]
    ),
)
def test_only_features_of_the_profile(
    profile: str, lacks: set[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _fuzz("-i", "builtin", "-i", "builtin", "--cases", "1", "--profile", profile, out=tmp_path)
    listed = capsys.readouterr().out.splitlines()[0].partition("features ")[2].split(", ")
    assert KNOWN_FEATURES - set(listed) == lacks


def test_a_budget_ends_the_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _fuzz("-i", "builtin", "-i", "builtin", "--cases", "100000", "--budget", "0", out=tmp_path) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("1 scenario in")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        pytest.param(["-i", "builtin"], 2, "is given 1 time, expected exactly two", id="one implementation"),
        pytest.param(["-i", "builtin", "-i", "nonsense"], 2, "names no implementation", id="a bad spec"),
        pytest.param(
            ["-i", "builtin", "-i", TEXTBOOK, "--features", "x"],
            2,
            "is not a feature id, expected",
            id="no such feature",
        ),
        pytest.param(["-i", "builtin", "-i", "python:no.such:Thing"], 3, "cannot be run", id="not there"),
        pytest.param(["-i", "builtin", "-i", "exec:false"], 3, "cannot be run", id="does not start"),
    ],
)
def test_bad_usage_is_one_line(
    arguments: list[str], code: int, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _fuzz(*arguments, out=tmp_path) == code
    error = capsys.readouterr().err
    assert message in error
    assert len(error.splitlines()) == 1


def test_without_hypothesis_it_says_how_to_get_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    monkeypatch.delitem(sys.modules, "dra_conform.fuzz.generation.strategies", raising=False)
    assert _fuzz("-i", "builtin", "-i", TEXTBOOK, out=tmp_path) == 2
    assert capsys.readouterr().err == (
        "fuzz needs hypothesis, expected: pip install 'hypothesis<7,>=6.170'\n"
    )


def test_an_unwritable_folder_is_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    features = ("--features", "consumable-capacity")
    assert _fuzz("-i", "builtin", "-i", WRONG, "--cases", "40", *features, out=tmp_path / "file") == 2
    assert "cannot be written" in capsys.readouterr().err
