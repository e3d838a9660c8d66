"""Damage of the file in which a driver keeps its state."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from dra_conform.adapters.driver.scenario_needs import NeedDeclined

Damage = Literal["half", "empty", "another-format"]


def damage(path: Path, how: Damage, folder: Path) -> None:
    """Cut a state file in half, empty it, or replace it by an empty JSON object.

    Raises NeedDeclined if it does not exist in the folder; a link to a file elsewhere does not count.
    """
    if not path.is_file() or not path.resolve().is_relative_to(folder.resolve()):
        raise NeedDeclined("state-file", f"the driver has no file {path.name}")
    path.write_bytes(_DAMAGED[how](path.read_bytes()))


_DAMAGED: dict[Damage, Callable[[bytes], bytes]] = {
    "half": lambda content: content[: len(content) // 2],
    "empty": lambda _: b"",
    "another-format": lambda _: b"{}",
}
