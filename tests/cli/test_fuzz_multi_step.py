"""`dra-conform fuzz --multi-step`."""

from __future__ import annotations

from pathlib import Path

import pytest

from dra_conform.cli import exits, main

TWICE = ["fuzz", "-i", "builtin", "-i", "builtin", "--profile", "kubernetes-1.37"]


def test_the_built_in_agrees_with_itself(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    options = ["--multi-step", "writes", "--cases", "8", "--reached", "--out", str(tmp_path / "finds")]
    assert main([*TWICE, *options]) == exits.OK
    output = capsys.readouterr().out
    assert "8 agreed, 0 choices between valid answers, 0 unsupported, 0 disagreements" in output
    assert "DRAConsumableCapacity" in output
    assert not (tmp_path / "finds").exists()


@pytest.mark.slow
def test_two_releases_differ_in_a_feature_that_one_lacks(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    options = ["--multi-step", "pods", "--cases", "30", "--shrink", "0", "--out", str(tmp_path)]
    assert main([*TWICE, "--against", "kubernetes-1.36", *options]) == exits.FAILURES
    finds = capsys.readouterr().out.split("disagreement in scenario")[1:]
    assert len(finds) == len(list(tmp_path.iterdir())) == 4
    for words in (
        "compatibilityGroups: builtin (kubernetes-1.37) ['",
        "nodeAllocatableResources: builtin (kubernetes-",
        "spec.resources.limits: builtin (kubernetes-",
        "DeviceTaintRule: outcome\n    builtin (kubernetes-1.37) ",
    ):
        assert any(words in find for find in finds), words
