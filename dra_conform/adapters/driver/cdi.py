"""Reading of CDI specs, as by a container runtime."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import msgspec

from dra_conform.adapters.driver.cdi_spec import CDIContainerEdits, CDISpec, read_spec
from dra_conform.adapters.driver.observed_strings import shortened
from dra_conform.kube.errors import InputError
from dra_conform.kube.json_values import Json
from dra_conform.kube.yaml import parse_yaml

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
"""The maximum number of unreadable files that are reported."""


@dataclass(frozen=True, slots=True)
class CDIDevices:
    """The devices that a runtime finds, each with a digest of its container edits.

    `mounts`: the paths on the node that devices mount.
    `unreadable`: the files that runtimes reject, each with the reason, and a sentence if there are too many.
    """

    digests: Mapping[str, str] = field(default_factory=dict)
    unreadable: tuple[str, ...] = ()
    mounts: tuple[str, ...] = ()


def read_cdi(folder: Path) -> CDIDevices:
    """Read all `.json` and `.yaml` files in a CDI folder.

    Of a spec that runtimes reject, no device is found. A device that two files define is a conflict, and not
    found either.
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
            spec = read_spec(_value(data, name))
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
        except InputError as error:
            unreadable.append(shortened(str(error)))
        except (OSError, ValueError) as error:
            unreadable.append(shortened(f"{name}: {getattr(error, 'strerror', None) or error}"))
    digests = {name: digest for name, digest in digests.items() if name not in conflicts}
    return CDIDevices(digests, tuple(unreadable[:MAX_UNREADABLE]), tuple(islice(mounts, MAX_MOUNTS)))


def _mounts(spec: CDISpec) -> Iterator[str]:
    """Yield the sources of the mounts of a spec."""
    for edits in (spec.container_edits, *(device.container_edits for device in spec.devices)):
        yield from (mount.host_path for mount in edits.mounts)


def _devices(spec: CDISpec) -> dict[str, str]:
    """Return the devices of a spec with digests of their edits and of the common edits."""
    common = _ordered(spec.container_edits)
    return {
        shortened(f"{spec.kind}={device.name}"): _digest([common, _ordered(device.container_edits)])
        for device in spec.devices
    }


def _content(path: Path) -> bytes:
    """Return the content of a regular file; raises OSError and ValueError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    with os.fdopen(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ValueError("is no regular file")
        data = stream.read(MAX_FILE + 1)
    if len(data) > MAX_FILE:
        raise ValueError(f"is larger than {MAX_FILE} bytes")
    return data


def _value(data: bytes, name: str) -> Json:
    """Return the value of the first YAML document, as runtimes do; raises InputError and ValueError."""
    documents = parse_yaml(data.decode(), name)
    if not documents:
        raise ValueError("is empty")
    return documents[0].value


def _digest(edits: Sequence[CDIContainerEdits]) -> str:
    return hashlib.sha256(repr(edits).encode()).hexdigest()[:16]


def _ordered(edits: CDIContainerEdits) -> CDIContainerEdits:
    """Return edits in which the order of mounts and of device nodes does not count: runtimes sort mounts."""
    return msgspec.structs.replace(
        edits,
        mounts=tuple(sorted(edits.mounts, key=repr)),
        device_nodes=tuple(sorted(edits.device_nodes, key=repr)),
    )
