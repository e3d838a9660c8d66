"""docs/live.md shows what `dra-conform permissions` prints."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from dra_conform.adapters.live.resources import RESOURCES
from dra_conform.cli import main

PAGE = (Path(__file__).parents[3] / "docs" / "live.md").read_text("utf-8")


def test_the_page_has_the_role(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["permissions"]) == 0
    role = capsys.readouterr().out.partition("---\n")[0]
    assert f"```yaml\n{role}```\n" in PAGE


def test_the_role_has_every_kind_of_scenarios(capsys: pytest.CaptureFixture[str]) -> None:
    main(["permissions"])
    role, *_ = yaml.safe_load_all(capsys.readouterr().out)
    created = {
        name for rule in role["rules"] if "create" in rule["verbs"] for name in rule.get("resources", ())
    }
    assert created == {"events", *(one.plural for one in RESOURCES.values())}


def test_a_plan_lists_every_object(capsys: pytest.CaptureFixture[str]) -> None:
    case = "change-reaches-all-slices"
    assert main(["run", "--plan", "--select", case]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Namespace dra-conform-RUN",
        "dra/published-changes/change-reaches-all-slices",
        "  Namespace dra-conform-RUN-1-default",
        "  Node dra-conform-RUN-1.node-1",
        "  DeviceClass dra-conform-RUN-1.any",
        "  Pod p in dra-conform-RUN-1-default",
        "  ResourceSlice dra-conform-RUN-1.a",
        "  ResourceSlice dra-conform-RUN-1.b",
        "  ResourceClaim c in dra-conform-RUN-1-default",
    ]
