"""The webhook that lets writes of components fail, without an API server that asks it."""

from __future__ import annotations

import socket
import threading
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from dra_conform.adapters.control_plane import failing_writes
from dra_conform.adapters.control_plane.failing_writes import FailingWritesWebhook
from dra_conform.adapters.live.endpoint import CannotRun, RejectedWrite
from dra_conform.adapters.live.live_scenarios import run_order
from dra_conform.kube.json_values import Json

SCHEDULER = "system:kube-scheduler"
CLAIM_CONTROLLER = "system:serviceaccount:kube-system:resource-claim-controller"
STATUS_UPDATE = RejectedWrite("update", "resourceclaims/status", "Conflict")


class Api:
    """An API server that asks the webhook about writes, unless it is not to know it."""

    def __init__(self, webhook: FailingWritesWebhook, *, asks: bool = True) -> None:
        self.webhook: Any = webhook
        self.asks = asks
        self.configurations: list[Json] = []

    def create(self, address: Any, body: Json) -> Any:
        self.configurations.append(body)
        return SimpleNamespace(accepted=True)

    def write(self, method: str, address: Any, body: Json, query: Json) -> Any:
        if self.asks:
            self.review(
                self.configurations[-1]["metadata"]["name"], "CREATE", "configmaps", "admin", dryRun=True
            )
        return SimpleNamespace(message="")

    def review(self, scenario: str, operation: str, resource: str, user: str, **more: Json) -> Any:
        """Return the response to a review; `resource` may have a subresource."""
        plural, _, subresource = resource.partition("/")
        request = {
            "uid": "u-1",
            "operation": operation,
            "resource": {"group": "resource.k8s.io", "version": "v1", "resource": plural},
            "subResource": subresource,
            "userInfo": {"username": user, "groups": []},
            **more,
        }
        path = f"/{self.webhook._secret}/{scenario}?timeout=10s"
        answer = self.webhook._answer(path, msgspec.json.encode({"request": request}))
        return msgspec.json.decode(answer)["response"]


@pytest.fixture
def webhook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FailingWritesWebhook:
    (tmp_path / "tls.crt").write_text("certificate")
    monkeypatch.setattr(FailingWritesWebhook, "_started", lambda _: SimpleNamespace(server_port=1))
    return FailingWritesWebhook(tmp_path / "tls.crt", tmp_path / "tls.key")


def test_the_next_writes_of_components_fail(webhook: FailingWritesWebhook) -> None:
    api: Any = Api(webhook)
    webhook.add(api, "run-1", ["run-1-default"], STATUS_UPDATE, 2)
    webhook.add(api, "run-1", ["run-1-default"], RejectedWrite("delete", "resourceclaims", "Forbidden"), 1)
    assert len(api.configurations) == 1

    def allowed(operation: str, resource: str, user: str, scenario: str = "run-1") -> bool:
        answered: bool = api.review(scenario, operation, resource, user)["allowed"]
        return answered

    assert allowed("UPDATE", "resourceclaims", SCHEDULER)
    assert allowed("UPDATE", "resourceclaims/status", "admin")
    assert allowed("UPDATE", "resourceclaims/status", SCHEDULER, "run-2")
    assert webhook.failed("run-1") == 0
    refused = api.review("run-1", "UPDATE", "resourceclaims/status", SCHEDULER)
    assert (refused["uid"], refused["allowed"], refused["status"]["code"]) == ("u-1", False, 409)
    assert refused["status"]["reason"] == "Conflict"
    assert not allowed("UPDATE", "resourceclaims/status", CLAIM_CONTROLLER)
    assert allowed("UPDATE", "resourceclaims/status", SCHEDULER)
    assert not allowed("DELETE", "resourceclaims", SCHEDULER)
    assert allowed("DELETE", "resourceclaims", SCHEDULER)
    assert webhook.failed("run-1") == 3


def test_reports_of_the_scheduler_do_not_count(webhook: FailingWritesWebhook) -> None:
    api: Any = Api(webhook)
    webhook.add(api, "run-1", ["run-1-default"], RejectedWrite("update", "pods/status", "InternalError"), 1)

    def allowed(**status: Json) -> bool:
        written = {
            "object": {"status": {"phase": "Pending", **status}},
            "oldObject": {"status": {"phase": "Pending"}},
        }
        answered: bool = api.review("run-1", "UPDATE", "pods/status", SCHEDULER, **written)["allowed"]
        return answered

    assert allowed(nominatedNodeName="node-1", conditions=[{"type": "PodScheduled", "status": "False"}])
    assert not allowed(conditions=[{"type": "DisruptionTarget", "status": "True"}])
    assert allowed(resourceClaimStatuses=[])


def test_an_api_server_that_does_not_ask_cannot_run_the_scenario(
    webhook: FailingWritesWebhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(failing_writes, "_REGISTRATION_SECONDS", 0.1)
    api: Any = Api(webhook, asks=False)
    with pytest.raises(CannotRun, match="does not ask the webhook"):
        webhook.add(api, "run-1", ["run-1-default"], STATUS_UPDATE, 1)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/guess/run-1", b'{"request": {}}'),
        ("", b""),
        ("/\xe4/run-1", b"{}"),
        ("/SECRET/run-1", b'{"request": 1}'),
    ],
)
def test_other_requests_have_no_answer(webhook: FailingWritesWebhook, path: str, body: bytes) -> None:
    opened: Any = webhook
    assert opened._answer(path.replace("SECRET", opened._secret), body) is None


@pytest.mark.parametrize("length", ["-1", "many", "99"])
def test_a_connection_of_another_program_ends(length: str, capfd: pytest.CaptureFixture[str]) -> None:
    answers: list[bytes] = []
    server = failing_writes._Server(
        ("127.0.0.1", 0), partial(failing_writes._Handler, lambda _, body: answers.append(body))
    )
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        with socket.create_connection(server.server_address[:2], timeout=10) as connection:
            connection.sendall(
                f"POST /x HTTP/1.1\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n".encode()
            )
            if length == "99":
                connection.shutdown(socket.SHUT_WR)
            received = connection.recv(100)
    finally:
        server.shutdown()
        server.server_close()
    assert received.startswith(b"HTTP/1.1 400") or (length == "many" and not received)
    assert set(answers) <= {b""}
    assert capfd.readouterr().err == ""


def test_failing_writes_of_a_step_come_before_its_other_actions() -> None:
    actions = [
        {"do": name} for name in ("create", "fail", "settle", "delete", "advance", "fail", "create", "fail")
    ]
    assert run_order(actions) == [1, 0, 2, 3, 4, 5, 7, 6]
