"""API servers that keep running when a control plane uses one with other gates."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from dra_conform.adapters.control_plane.api_servers import ApiServer, ApiServers

PROGRAM = Path("kube-v1.37.1")
ON, OFF, OTHER = {"DRADeviceTaints": True}, {"DRADeviceTaints": False}, {"DRAAdminAccess": False}


class Processes:
    """API servers that only record their starts and ends."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.unready: set[str] = set()
        self.failing = False

    def start(self, server: ApiServer, program: Path, gates: Mapping[str, bool]) -> None:
        if self.failing:
            raise RuntimeError(program)
        self.done.append(f"start {server.process} {gates}")

    def stop(self, server: ApiServer) -> None:
        self.done.append(f"stop {server.process}")

    def ready(self, server: ApiServer) -> bool:
        return server.process not in self.unready

    def take(self) -> list[str]:
        done, self.done = self.done, []
        return done


def pool(ports: int) -> tuple[ApiServers, Processes]:
    processes = Processes()
    return ApiServers(range(ports), processes.start, processes.stop, processes.ready), processes


def test_an_api_server_is_used_again_when_its_gates_return() -> None:
    servers, processes = pool(2)
    first, second = servers.use(PROGRAM, ON), servers.use(PROGRAM, OFF)
    assert first.port != second.port
    assert len(processes.take()) == 2
    assert (servers.use(PROGRAM, ON), servers.use(PROGRAM, OFF)) == (first, second)
    assert processes.take() == []
    assert servers.use(Path("kube-v1.36.3"), ON) == first
    assert processes.take() == ["stop apiserver-1", f"start apiserver-1 {ON}"]


def test_the_api_server_not_used_for_the_longest_time_ends() -> None:
    servers, processes = pool(2)
    for gates in (ON, OFF, ON, OTHER):
        servers.use(PROGRAM, gates)
    assert processes.take()[2:] == ["stop apiserver-2", f"start apiserver-2 {OTHER}"]


def test_an_api_server_that_is_not_ready_or_was_ended_starts_again() -> None:
    servers, processes = pool(2)
    server = servers.use(PROGRAM, ON)
    processes.unready = {server.process}
    servers.use(PROGRAM, ON)
    assert processes.take()[1:] == ["stop apiserver-1", f"start apiserver-2 {ON}"]
    servers.end(servers.use(PROGRAM, ON))
    servers.use(PROGRAM, ON)
    assert processes.take() == ["stop apiserver-2", f"start apiserver-1 {ON}"]


def test_a_failed_start_leaves_the_port_free() -> None:
    servers, processes = pool(1)
    processes.failing = True
    with pytest.raises(RuntimeError):
        servers.use(PROGRAM, ON)
    processes.failing = False
    assert servers.use(PROGRAM, ON).process == "apiserver-1"
