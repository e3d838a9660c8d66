"""Reading of CDI specs, as by a container runtime."""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from dra_conform.adapters.driver.observed_strings import shortened
from dra_conform.kube.errors import InputError
from dra_conform.kube.json_values import Json
from dra_conform.kube.yaml import parse_yaml

_VERSION = re.compile(r"v?[01]\.[0-9]+\.[0-9]+")
"""The versions of the CDI specification that exist: 0.x and 1.x."""
MAX_FILE = 2**20
"""The maximum size of a CDI spec in bytes; a larger file is not read."""
MAX_TOTAL = 2**24
"""The maximum total size in bytes of the CDI specs that are read in a folder."""
MAX_FILES = 2000
"""The maximum number of files that are read in a CDI folder, in no particular order."""
MAX_DEVICES = 1000
"""The maximum number of CDI devices that are reported."""
MAX_MOUNTS = 200
"""The maximum number of mounted paths that are reported."""
MAX_UNREADABLE = 20
"""The maximum number of unreadable files that are reported by name."""


@dataclass(frozen=True, slots=True)
class CDIDevices:
    """The devices that a runtime finds, each with a digest of its container edits.

    `mounts`: the paths on the node that devices mount.
    `unreadable`: the names of files that are no CDI spec, and a sentence if there are too many files.
    """

    digests: Mapping[str, str] = field(default_factory=dict)
    unreadable: tuple[str, ...] = ()
    mounts: tuple[str, ...] = ()


def read_cdi(folder: Path) -> CDIDevices:
    """Read all `.json` and `.yaml` files in a CDI folder.

    A device without edits is not found. A device that two files define is a conflict, and not found either.
    """
    digests: dict[str, str] = {}
    conflicts: set[str] = set()
    unreadable: list[str] = []
    mounts: dict[str, None] = {}
    if not folder.is_dir():
        return CDIDevices()
    with os.scandir(folder) as entries:
        names = [entry.name for entry in islice(entries, MAX_FILES + 1)]
    if len(names) > MAX_FILES:
        unreadable.append(f"more than {MAX_FILES} files")
    total = 0
    for name in sorted(names[:MAX_FILES]):
        path = folder / name
        if path.suffix not in (".json", ".yaml") or name.startswith("."):
            continue
        try:
            data = _content(path)
            total += len(data)
            if total > MAX_TOTAL:
                unreadable.append(f"more than {MAX_TOTAL} bytes")
                break
            spec: Json = json.loads(data) if path.suffix == ".json" else _from_yaml(data)
            found = _devices(spec)
            conflicts |= digests.keys() & found.keys()
            digests.update(found)
            if len(digests) > MAX_DEVICES:
                unreadable.append(f"more than {MAX_DEVICES} devices")
                digests = dict(islice(digests.items(), MAX_DEVICES))
                break
            mounts.update(dict.fromkeys(_mounts(spec)))
        except FileNotFoundError:  # The driver removed it in the meantime.
            continue
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, InputError):
            unreadable.append(path.name)
    digests = {name: digest for name, digest in digests.items() if name not in conflicts}
    return CDIDevices(digests, tuple(unreadable[:MAX_UNREADABLE]), tuple(islice(mounts, MAX_MOUNTS)))


def _mounts(spec: Json) -> Iterator[str]:
    """Yield the sources of the mounts of a spec."""
    for edits in (spec.get("containerEdits"), *(device["containerEdits"] for device in spec["devices"])):
        for mount in (edits or {}).get("mounts") or ():
            yield str(mount["hostPath"])


def _devices(spec: Json) -> dict[str, str]:
    """Return the devices of a spec with digests; raises ValueError for a spec that runtimes reject."""
    if not _VERSION.fullmatch(spec["cdiVersion"]):
        raise ValueError(f"unknown cdiVersion {spec['cdiVersion']}")
    names = [device["name"] for device in spec["devices"]]
    if len(set(names)) < len(names):
        raise ValueError("a device is defined twice")
    common = spec.get("containerEdits") or {}
    return {
        shortened(f"{spec['kind']}={device['name']}"): _digest([common, device["containerEdits"]])
        for device in spec["devices"]
        if common or device.get("containerEdits")
    }


def _content(path: Path) -> bytes:
    """Return the content of a regular file; raises OSError and ValueError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    with os.fdopen(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ValueError(f"{path.name} is not a regular file")
        data = stream.read(MAX_FILE + 1)
    if len(data) > MAX_FILE:
        raise ValueError(f"{path.name} is larger than {MAX_FILE} bytes")
    return data


def _from_yaml(data: bytes) -> Json:
    """Return the value of one YAML document, whose aliases are limited; raises InputError and ValueError."""
    [document] = parse_yaml(data.decode(), "CDI spec")
    return document.value


def _digest(edits: Sequence[Json]) -> str:
    """Return a digest of edits in which the order of mounts and of device nodes does not count, because
    runtimes sort mounts."""
    text = _text([{**(each or {}), **_sorted(each or {})} for each in edits])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _sorted(edits: Json) -> dict[str, Json]:
    return {name: sorted(edits[name], key=_text) for name in ("deviceNodes", "mounts") if edits.get(name)}


def _text(value: Json) -> str:
    return json.dumps(value, sort_keys=True, default=str)
