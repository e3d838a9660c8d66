"""The audit log of API servers: which write requests the scheduler has sent."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from dra_conform.adapters.live.endpoint import SentWrite
from dra_conform.kube.json_values import Json

_VERBS = ("create", "update", "patch", "delete")


class AuditLog:
    """The audit logs of all API servers of a control plane, one file for each port in its folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[Path, int] = {}
        """The number of bytes that were read of each file."""

    def flags(self, port: int, users: Sequence[str]) -> list[str]:
        """Return the flags of an API server that logs the writes of these users, except events."""
        events = [{"group": group, "resources": ["events"]} for group in ("", "events.k8s.io")]
        policy = {
            "apiVersion": "audit.k8s.io/v1",
            "kind": "Policy",
            "omitStages": ["RequestReceived"],
            "rules": [
                {"level": "None", "resources": events},
                *({"level": "Metadata", "users": [user], "verbs": list(_VERBS)} for user in users),
                {"level": "None"},
            ],
        }
        file = self._folder / "audit-policy.json"
        file.write_text(json.dumps(policy))
        return [f"--audit-policy-file={file}", f"--audit-log-path={self._folder / f'audit-{port}.log'}"]

    def new_entries(self) -> Iterator[Mapping[str, Json]]:
        """Yield the entries since the last call."""
        for file in sorted(self._folder.glob("audit-*.log")):
            if not file.stem.removeprefix("audit-").isdecimal():
                continue  # A full file that the API server has renamed; it was read before.
            with file.open("rb") as log:
                start = self._read.get(file, 0)
                if file.stat().st_size < start:  # The API server has begun a new file.
                    start = 0
                log.seek(start)
                complete, _, __ = log.read().rpartition(b"\n")
            self._read[file] = start + len(complete) + (1 if complete else 0)
            yield from map(json.loads, complete.splitlines())


def sent_write(entry: Mapping[str, Json], component: str) -> SentWrite:
    """Return the write request of an entry of a component."""
    target = entry.get("objectRef") or {}
    resource = "/".join(filter(None, (target.get("resource"), target.get("subresource"))))
    return SentWrite(component, entry["verb"], resource, target.get("namespace", ""), target.get("name", ""))
