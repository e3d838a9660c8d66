"""A program that speaks the wire protocol, asked one frame at a time."""

from __future__ import annotations

import json
import subprocess
from typing import Any

from dra_conform.kube.profile import Profile

Json = Any


class AdapterProcess:
    """A running program; its stdin and stdout are text."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._frames = 0

    def say(self, **frame: Any) -> Json:
        """The answer to one frame."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._frames += 1
        text = json.dumps(
            {"id": self._frames, **frame}, separators=(",", ":")
        )  # opaque parameters have a length
        self._process.stdin.write(text + "\n")
        self._process.stdin.flush()
        answer: Json = json.loads(self._process.stdout.readline())
        assert answer["id"] == self._frames
        return answer

    def configure(self, profiles: dict[str, Profile]) -> list[str]:
        """The names of the profiles that the program accepts: locked gates cannot be off."""
        told = {
            name: {"name": one.name, "kubernetes": one.release, "gates": dict(one.gates)}
            for name, one in profiles.items()
        }
        accepted: list[str] = self.say(type="configure", profiles=told)["accepted"]
        return accepted

    def ask(self, operation: str, profile: str, objects: Json, ask: Json) -> Json:
        """The result for one question."""
        case = {"operation": operation, "profile": profile, "objects": objects, "ask": ask}
        return self.say(type="run", case=case)

    def end(self) -> None:
        """Close its input; it must end by itself, without an error."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        assert self._process.wait(timeout=60) == 0
