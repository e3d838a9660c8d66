"""Run a program that speaks the adapter protocol, and send it frames one at a time."""

from __future__ import annotations

import json
import subprocess
from typing import Any

from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile


class AdapterProcess:
    """Running adapter, with stdin and stdout in text mode."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._frames = 0

    def say(self, **frame: Any) -> Json:
        """Send a frame, and return its answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._frames += 1
        text = json.dumps(
            {"id": self._frames, **frame}, separators=(",", ":")
        )  # The length of opaque parameters matters, so the JSON has no spaces.
        self._process.stdin.write(text + "\n")
        self._process.stdin.flush()
        answer: Json = json.loads(self._process.stdout.readline())
        assert answer["id"] == self._frames
        return answer

    def configure(self, profiles: dict[str, Profile]) -> list[str]:
        """Return the names of the profiles that the program accepts. It rejects profiles with a locked gate off."""
        answer = {
            name: {"name": profile.name, "kubernetes": profile.release, "gates": dict(profile.gates)}
            for name, profile in profiles.items()
        }
        accepted: list[str] = self.say(type="configure", profiles=answer)["accepted"]
        return accepted

    def ask(self, operation: str, profile: str, objects: Json, ask: Json) -> Json:
        """Return the result of a request."""
        case = {"operation": operation, "profile": profile, "objects": objects, "ask": ask}
        return self.say(type="run", case=case)

    def end(self) -> None:
        """Close stdin, and check that the program exits without an error."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        assert self._process.wait(timeout=60) == 0
