"""Components under test: their start, their readiness, their ends, and messages with the end of their logs."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dra_conform.adapters.control_plane.control_plane_file import ReadinessProbe, ReplacingComponent
from dra_conform.adapters.control_plane.replaced_component import (
    LOG_TAIL_BYTES,
    ReplacedComponent,
    ReplacedFailed,
)
from tests.support.adapters.control_plane.leftovers import processes_in

Open = Callable[..., ReplacedComponent]

SERVER = """
import http.server, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path in ("/readyz", "/metrics") else 404)
        self.end_headers()
        self.wfile.write(b"scheduled_total 1\\n")
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""
SLEEP = "import time; time.sleep(1000)"


def script(text: str, *arguments: str) -> tuple[str, ...]:
    return (sys.executable, "-c", text, *arguments)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    """A function that returns a component with a command and other fields of the file."""
    with ExitStack() as stack:

        def open_component(
            *command: str,
            values: Mapping[str, str] | None = None,
            renewal: Callable[[str, str], str] = lambda namespace, name: "",
            **fields: Any,
        ) -> ReplacedComponent:
            fields = {"ready": ReadinessProbe(alive_seconds=1), "ready_seconds": 20, **fields}
            component = ReplacingComponent(command, **fields)
            folder = tmp_path / "scheduler"
            replaced = ReplacedComponent("scheduler", component, folder, values or {}, renewal)
            stack.callback(replaced.stop)
            return replaced

        yield open_component


def waits(path: Path) -> str:
    end = time.monotonic() + 20
    while not path.exists() or not path.read_text():
        assert time.monotonic() < end
        time.sleep(0.02)
    return path.read_text()


def test_placeholders_reach_command_environment_and_configuration(opened: Open, tmp_path: Path) -> None:
    text = (
        "import os, sys, time\n"
        "content = [*sys.argv[1:], os.environ['GATES'], open(sys.argv[3]).read()]\n"
        "open(os.path.join(sys.argv[2], 'seen'), 'w').write('|'.join(content))\n"
        "time.sleep(1000)\n"
    )
    component = opened(
        *script(text, "{kubeconfig}", "{folder}", "{config}"),
        values={"kubeconfig": "/k"},
        env={"GATES": "{gates}"},
        config={"port": 1, "kubeconfig": "{kubeconfig}"},
    )
    component.start({"B": False, "A": True})
    folder = tmp_path / "scheduler"
    config = folder / "config.json"
    seen = waits(folder / "seen").split("|")
    assert seen[:4] == ["/k", str(folder), str(config), "A=true,B=false"]
    assert msgspec.json.decode(seen[4]) == {"port": 1, "kubeconfig": "/k"}


def test_the_environment_of_the_run_is_not_passed_on(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "secret")
    component = opened(*script("import os, time; print(os.environ, flush=True); time.sleep(1000)"))
    component.start({})
    assert "PATH" in component.log_tail()
    assert "secret" not in component.log_tail()


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def test_a_url_makes_a_component_ready_and_has_its_metrics(opened: Open) -> None:
    root = "http://127.0.0.1:{port}"
    component = opened(
        *script(SERVER, "{port}"),
        values={"port": str(free_port())},
        ready=ReadinessProbe(url=f"{root}/readyz"),
        metrics=f"{root}/metrics",
    )
    component.start({})
    assert component.running()
    assert component.metrics() == "scheduled_total 1\n"
    component.stop()
    assert component.metrics() == ""


def test_a_component_without_url_has_no_metrics(opened: Open) -> None:
    assert opened(*script(SLEEP)).metrics() is None


def test_a_line_of_the_log_makes_a_component_ready(opened: Open) -> None:
    text = "import time; print('x' * 3_000_000); time.sleep(0.5); print('I am leading', flush=True); time.sleep(1000)"
    component = opened(*script(text), ready=ReadinessProbe(log="am leading"))
    component.start({})
    assert component.running()


def test_only_a_lease_renewed_after_the_start_makes_a_component_ready(opened: Open) -> None:
    answers = iter(["", "2026-01-01T00:00:00.000000Z", "not a time", "2026-01-01T00:00:00"])

    def renewal(namespace: str, name: str) -> str:
        assert (namespace, name) == ("kube-system", "mine")
        return next(answers, datetime.now(UTC).isoformat())

    component = opened(*script(SLEEP), ready=ReadinessProbe(lease="kube-system/mine"), renewal=renewal)
    component.start({})
    assert next(answers, None) is None


def failure(component: ReplacedComponent, gates: Mapping[str, bool] | None = None) -> ReplacedFailed:
    with pytest.raises(ReplacedFailed) as raised:
        component.start(gates or {})
    assert not component.running()
    return raised.value


def test_a_component_that_ends_before_it_is_ready_shows_its_log(opened: Open) -> None:
    failed = failure(
        opened(*script("import sys; print('no such flag'); sys.exit(3)"), name="mine", version="2")
    )
    assert str(failed) == (
        "scheduler mine 2: ended with exit code 3 before it was ready; the last line of its log: no such flag"
    )
    assert failed.log == "no such flag\n"


def test_a_component_that_never_gets_ready_is_ended(opened: Open, tmp_path: Path) -> None:
    failed = failure(opened(*script(SLEEP), ready=ReadinessProbe(log="ready"), ready_seconds=1, name="mine"))
    assert str(failed) == (
        "scheduler mine: is not ready after 1 seconds, waited for 'ready'; its log is empty"
    )
    assert processes_in(tmp_path) == []


@pytest.mark.parametrize("program", ["./no-such-program", "no-such-program", "/dev/null"])
def test_a_program_that_cannot_run_is_named(program: str, opened: Open) -> None:
    assert str(failure(opened(program))) == f"scheduler: cannot run {program}: no such program"


def test_a_failed_start_is_tried_twice_with_the_same_gates(opened: Open, tmp_path: Path) -> None:
    text = "import os, sys; open(os.path.join(sys.argv[1], 'starts'), 'a').write('x'); sys.exit(1)"
    component = opened(*script(text, "{folder}", "{gates}"))
    messages = {str(failure(component, {"A": True})) for _ in range(5)}
    failure(component, {"A": False})
    assert len(messages) == 1
    assert (tmp_path / "scheduler" / "starts").read_text() == "xxx"


def test_a_component_that_ends_later_is_a_failure_until_it_is_stopped(opened: Open) -> None:
    component = opened(*script("import os, time; time.sleep(1.5); print('panic', flush=True); os.abort()"))
    component.start({})
    component.check()
    while component.running():
        time.sleep(0.02)
    with pytest.raises(ReplacedFailed, match=r"scheduler python.*: ended with signal 6; .*: panic"):
        component.check()
    component.stop()
    component.check()


def test_processes_of_other_sessions_end_with_the_component(opened: Open, tmp_path: Path) -> None:
    text = (
        "import subprocess, sys, time\n"
        f"subprocess.Popen([sys.executable, '-c', {SLEEP!r}, sys.argv[1]], start_new_session=True)\n"
        "time.sleep(1000)\n"
    )
    component = opened(*script(text, "{folder}"))
    component.start({})
    folder = tmp_path / "scheduler"
    assert len(processes_in(folder)) >= 2
    component.stop()
    assert processes_in(folder) == []


@pytest.mark.slow
def test_processes_end_if_the_run_is_killed(tmp_path: Path) -> None:
    owner = f"""
import sys
from pathlib import Path
from dra_conform.adapters.control_plane.control_plane_file import ReadinessProbe, ReplacingComponent
from dra_conform.adapters.control_plane.replaced_component import ReplacedComponent
component = ReplacingComponent(
    (sys.executable, "-c", {SLEEP!r}, "{{folder}}"), ready=ReadinessProbe(alive_seconds=1)
)
folder = Path({str(tmp_path / "scheduler")!r})
ReplacedComponent("scheduler", component, folder, {{}}, lambda namespace, name: "").start({{}})
print("ready", flush=True)
sys.stdin.read()
"""
    command = [sys.executable, "-c", owner]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        process.kill()
    end = time.monotonic() + 20
    while processes_in(tmp_path / "scheduler"):
        assert time.monotonic() < end
        time.sleep(0.02)


def test_only_the_end_of_a_long_log_is_kept(opened: Open) -> None:
    text = "import sys, time; print('\\n'.join(map(str, range(100_000))), flush=True); time.sleep(1000)"
    component = opened(*script(text))
    component.start({})
    tail = component.log_tail()
    assert tail.endswith("99998\n99999\n")
    assert tail.startswith("99")
    assert len(tail) <= LOG_TAIL_BYTES
