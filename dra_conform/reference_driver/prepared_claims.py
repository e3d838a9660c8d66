"""The persistent state of the driver: a checkpoint of prepared ResourceClaims, and a CDI spec for each.

The checkpoint outlives a reboot, the CDI specs do not. If the checkpoint is damaged, the CDI specs have what
is needed to go on.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from dra_conform.kube.json_values import Json
from dra_conform.reference_driver.settings import DRIVER

CDI_KIND = f"{DRIVER}/claim"
_ANNOTATION = f"{DRIVER}/claim"


class PreparedClaims:
    """The prepared claims by UID.

    Each has its devices as `prepare` answered them, and for each device whether the claim is admin and the
    compatibility group of the device. If `metadata` is a folder, it has a file about each device, which
    containers see. Use it within `locked`, so that two instances of the driver do not disturb each other.
    """

    def __init__(self, checkpoint: Path, cdi: Path, metadata: Path | None = None) -> None:
        self._checkpoint = checkpoint
        self._cdi = cdi
        self._metadata = metadata

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the lock that all instances of the driver on this node share."""
        with self._checkpoint.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def all(self) -> dict[str, Json]:
        """Return all prepared claims."""
        try:
            claims: dict[str, Json] = json.loads(self._checkpoint.read_text(encoding="utf-8"))["claims"]
            return claims
        except FileNotFoundError:
            return {}
        except (ValueError, KeyError, TypeError) as error:
            logging.warning("the checkpoint is damaged, so the CDI specs are read: %s", error)
            return self._of_cdi()

    def add(self, uid: str, claim: Json) -> None:
        """Write the CDI spec of a ResourceClaim, then the checkpoint; OSError leaves neither."""
        self.write_cdi(uid, claim)
        try:
            self._write({**self.all(), uid: claim})
        except OSError:
            self._cdi_path(uid).unlink(missing_ok=True)
            raise

    def remove(self, uid: str) -> None:
        """Remove the CDI spec of a claim, then free its devices; raises OSError."""
        claims = self.all()
        self._cdi_path(uid).unlink(missing_ok=True)
        for path in self._metadata_paths(uid, len((claims.get(uid) or {"devices": ()})["devices"])):
            path.unlink(missing_ok=True)
        if claims.pop(uid, None) is not None or not self._readable():
            self._write(claims)

    def write_cdi(self, uid: str, claim: Json) -> None:
        """Write the CDI spec of a claim, after the files that it mounts; raises OSError."""
        paths = self._metadata_paths(uid, len(claim["devices"]))
        for path, device in zip(paths, claim["devices"], strict=False):
            path.parent.mkdir(parents=True, exist_ok=True)
            _write_atomically(path, {"device": device["device_name"], "pool": device["pool_name"]})
        devices = [
            {"name": name.partition("=")[2], "containerEdits": _edits(number, device, paths)}
            for number, device in enumerate(claim["devices"])
            for name in device["cdi_device_ids"]
        ]
        spec = {
            "cdiVersion": "0.6.0",
            "kind": CDI_KIND,
            "annotations": {_ANNOTATION: json.dumps({uid: claim})},
            "devices": devices,
        }
        _write_atomically(self._cdi_path(uid), spec)

    def _metadata_paths(self, uid: str, count: int) -> list[Path]:
        """Return the paths of the metadata files of a claim with `count` devices, none without metadata."""
        return [self._metadata / f"{uid}-{number}.json" for number in range(count)] if self._metadata else []

    def _of_cdi(self) -> dict[str, Json]:
        claims: dict[str, Json] = {}
        for path in sorted(self._cdi.glob(f"{DRIVER}-*.json")):
            try:
                claims.update(
                    json.loads(json.loads(path.read_text(encoding="utf-8"))["annotations"][_ANNOTATION])
                )
            except (OSError, ValueError, KeyError, TypeError):
                continue
        return claims

    def _readable(self) -> bool:
        try:
            return isinstance(json.loads(self._checkpoint.read_text(encoding="utf-8")), Mapping)
        except FileNotFoundError:
            return True
        except ValueError:
            return False

    def _write(self, claims: Mapping[str, Json]) -> None:
        _write_atomically(self._checkpoint, {"version": 1, "claims": claims})

    def _cdi_path(self, uid: str) -> Path:
        return self._cdi / f"{DRIVER}-{uid}.json"


def groups_in_use(claims: Mapping[str, Json]) -> dict[str, str]:
    """Return the groups with which the devices in use were prepared."""
    return {
        device["device_name"]: group
        for claim in claims.values()
        for admin, group, device in zip(claim["admin"], claim["groups"], claim["devices"], strict=True)
        if not admin
    }


def _edits(number: int, device: Json, metadata: Sequence[Path]) -> Json:
    """Return the container edits of a device: a variable, and the mount of its metadata file if any."""
    edits: dict[str, Json] = {"env": [f"DRA_DEVICE_{number}={device['device_name']}"]}
    if metadata:
        inside = f"/var/run/{DRIVER}/{number}.json"
        edits["mounts"] = [
            {"hostPath": str(metadata[number]), "containerPath": inside, "options": ["ro", "bind"]}
        ]
    return edits


def _write_atomically(path: Path, value: Json) -> None:
    """Write a file so that readers see the old or the new content, never a part."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_text(json.dumps(value), encoding="utf-8")
    temporary.replace(path)
