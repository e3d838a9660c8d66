"""Commands that install optional dependencies."""

from __future__ import annotations

import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from dra_conform.extras import install_command

DECLARED = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))


@pytest.mark.parametrize("extra", DECLARED["project"]["optional-dependencies"])
def test_the_command_names_the_packages_of_the_extra(extra: str) -> None:
    pip, install, *packages = shlex.split(install_command(extra))
    names = [package.partition("<")[0].partition(">")[0] for package in packages]
    declared = DECLARED["project"]["optional-dependencies"][extra]
    assert (pip, install) == ("pip", "install")
    assert names == [package.partition(">")[0] for package in declared]


def test_an_unknown_extra_is_named() -> None:
    assert install_command("nothing") == "the extra 'nothing' of dra-conform"


def test_commands_need_no_package_of_an_extra() -> None:
    blocked = ["grpc", "google.protobuf", "hypothesis", "distributed"]
    code = f"import sys; sys.modules.update(dict.fromkeys({blocked})); import dra_conform.cli.run, dra_conform.cli.list"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=100)
