"""Switches of the built-in allocator and of the judge with the same name have the same value."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from dra_conform.allocator.behaviour import Behaviour
from dra_conform.conformance.allocations.rules import Rules
from dra_conform.kube.profile import PROFILES, Profile

ROOT = Path(__file__).resolve().parents[2]


def switches(table: Any, prefix: str = "") -> Iterator[tuple[str, object]]:
    for field in fields(table):
        value = getattr(table, field.name)
        if is_dataclass(value):
            yield from switches(value, f"{prefix}{field.name}.")
        else:
            yield prefix + field.name, value


@pytest.mark.parametrize("name", PROFILES)
def test_the_same_name_has_the_same_value(name: str) -> None:
    profile = Profile.named(name)
    switched = [profile.with_gates({gate: not on}) for gate, on in profile.gates.items()]
    off, on = (profile.with_gates(dict.fromkeys(profile.gates, state)) for state in (False, True))
    for variant in (profile, off, on, *switched):
        builtin, judge = dict(switches(Behaviour.of(variant))), dict(switches(Rules.of(variant)))
        common = builtin.keys() & judge.keys()
        assert len(common) > 30
        assert {name: builtin[name] for name in common} == {name: judge[name] for name in common}


def test_the_page_is_up_to_date() -> None:
    command = [sys.executable, "tools/docs/switches.py"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert (ROOT / "docs" / "switches.md").read_text("utf-8") == printed
