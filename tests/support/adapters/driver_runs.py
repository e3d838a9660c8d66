"""Runs of the driver suite on drivers of `tests.faulty.drivers`."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from dra_conform.adapters.driver.driver_file import DriverFile
from dra_conform.adapters.driver.implementation import DriverImplementation
from dra_conform.adapters.driver.reference import reference_driver
from dra_conform.conformance.case import Case
from dra_conform.conformance.verdict import CaseResult
from tests.support.conformance.runs import results_by_case

ROOT = Path(__file__).resolve().parents[3]


def faulty_driver(name: str, *, start_seconds: int = 30) -> DriverFile:
    """Return how to start a driver of `tests.faulty.drivers`."""
    reference = reference_driver()
    path = os.pathsep.join((str(ROOT), reference.env["PYTHONPATH"]))
    return msgspec.structs.replace(
        reference,
        command=(sys.executable, "-P", "-m", "tests.faulty.drivers", name),
        env={**reference.env, "PYTHONPATH": path},
        start_seconds=start_seconds,
    )


def write_driver_file(driver: DriverFile, folder: Path) -> Path:
    """Write a driver file and return its path; JSON is YAML, too."""
    path = folder / "driver.yaml"
    path.write_text(json.dumps(msgspec.to_builtins(driver)))
    return path


def judged(driver: DriverFile, folder: Path, cases: Sequence[Case]) -> dict[str, CaseResult]:
    """Judge a driver by its file, and return the results by case."""
    path = str(write_driver_file(driver, folder))
    return results_by_case(DriverImplementation(path, spec="driver:driver.yaml"), cases)
