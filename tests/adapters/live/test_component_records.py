"""Write requests and logs of components: only those of one scenario, since the previous observation."""

from __future__ import annotations

from dra_conform.adapters.live.component_records import ComponentLog, WriteRequests
from dra_conform.adapters.live.endpoint import SentWrite

HEADER = "I1129 17:00:00.000000   4242 scheduler.go:12] "


def write(namespace: str, name: str = "p", resource: str = "pods/status") -> SentWrite:
    return SentWrite("scheduler", "patch", resource, namespace, name)


def test_only_requests_for_objects_of_the_scenario_count() -> None:
    sent = [write("run-1-default")]

    def read() -> list[SentWrite]:
        taken = sent[:]
        sent.clear()
        return taken

    requests = WriteRequests(read, "run-1")
    sent += [
        write("run-1-default"),
        write("run-1-default"),
        write("run-12-default"),
        write("run", "run-1-p"),
        write("", "run-1.node", "nodes"),
    ]
    entry = {"component": "scheduler", "verb": "patch"}
    assert requests.observe() == [
        {**entry, "resource": "nodes", "count": 1},
        {**entry, "resource": "pods/status", "count": 2},
    ]
    assert requests.observe() == []


def test_a_log_gives_its_new_lines_once_without_headers() -> None:
    text = f"{HEADER}old\n"
    log = ComponentLog("scheduler", lambda: text, "run/")
    text += f'{HEADER}"One" pod="p"\ngoroutine 1\n{HEADER}"One" pod="p"\n{HEADER}"Probe" pod="run/p"\n'
    assert log.observe() == [{"component": "scheduler", "line": '"One" pod="p"'}]
    assert log.observe() == []
