"""CDI specs as a container runtime reads them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

Json = Any

MAX_FILE = 2**22
"""The size of a CDI spec that is read, in bytes."""


@dataclass(frozen=True, slots=True)
class CDIDevices:
    """The devices that a runtime finds, each with a digest of its container edits.

    `unreadable`: the names of files that are no CDI spec.
    """

    digests: Mapping[str, str] = field(default_factory=dict)
    unreadable: tuple[str, ...] = ()


def read_cdi(folder: Path) -> CDIDevices:
    """Read all `.json` and `.yaml` files in a CDI folder. A device without edits is not found."""
    digests: dict[str, str] = {}
    unreadable: list[str] = []
    if not folder.is_dir():
        return CDIDevices()
    for path in sorted(folder.iterdir()):
        if path.suffix not in (".json", ".yaml") or path.name.startswith("."):
            continue
        try:
            digests.update(_devices(path))
        except FileNotFoundError:  # The driver removed it in the meantime.
            continue
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, yaml.YAMLError):
            unreadable.append(path.name)
    return CDIDevices(digests, tuple(unreadable))


def _devices(path: Path) -> dict[str, str]:
    with path.open("rb") as stream:
        data = stream.read(MAX_FILE + 1)
    if len(data) > MAX_FILE:
        raise ValueError(f"{path.name} is larger than {MAX_FILE} bytes")
    spec: Json = json.loads(data) if path.suffix == ".json" else yaml.load(data, yaml.CSafeLoader)
    common = spec.get("containerEdits") or {}
    return {
        f"{spec['kind']}={device['name']}": _digest([common, device["containerEdits"]])
        for device in spec["devices"]
        if common or device.get("containerEdits")
    }


def _digest(edits: Json) -> str:
    text = json.dumps(edits, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
