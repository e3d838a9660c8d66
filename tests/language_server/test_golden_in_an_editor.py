"""Diagnostics of yaml-language-server, which editors use, for golden files with the printed schema."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dra_conform.cli import main
from dra_conform.kube.json_values import Json
from tests.support.conformance.suite.writing import GOLDEN

SERVER = shutil.which("yaml-language-server")
pytestmark = pytest.mark.skipif(SERVER is None, reason="yaml-language-server is not installed")


class Editor:
    """Client of the language server that behaves as an editor."""

    def __init__(self, server: subprocess.Popen[bytes]) -> None:
        self._server = server
        self._last = 0

    def send(self, method: str, params: Json, *, asks: bool = False) -> int:
        """Send a notification, or a request (`asks`), and return the number of the request."""
        self._last += asks
        body = {"jsonrpc": "2.0", "method": method, "params": params, **({"id": self._last} if asks else {})}
        self._write(body)
        return self._last

    def _write(self, body: Json) -> None:
        text = json.dumps(body).encode()
        assert self._server.stdin is not None
        self._server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self._server.stdin.flush()

    def _read(self) -> Json:
        assert self._server.stdout is not None
        length = 0
        while line := self._server.stdout.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        return json.loads(self._server.stdout.read(length))

    def until(self, method: str = "", answer: int = 0) -> Json:
        """Return the next message of a method, or the answer to a request. Requests of the server get no answer."""
        while True:
            message = self._read()
            if answer and message.get("id") == answer and "method" not in message:
                return message["result"]
            if method and message.get("method") == method:
                return message["params"]
            if "id" in message and "method" in message:
                items = message["params"].get("items", []) if isinstance(message["params"], dict) else []
                self._write({"jsonrpc": "2.0", "id": message["id"], "result": [None] * len(items)})


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[Editor]:
    assert SERVER is not None
    server = subprocess.Popen(
        [SERVER, "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path
    )
    client = Editor(server)
    client.until(
        answer=client.send("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, asks=True)
    )
    client.send("initialized", {})
    yield client
    server.kill()
    server.communicate()


@pytest.fixture
def opened(editor: Editor, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Return a function that opens a text with the schema and returns its URI."""
    assert main(["schema", "golden"]) == 0
    (tmp_path / "golden.schema.json").write_text(capsys.readouterr().out, encoding="utf-8")

    def open_text(text: str) -> str:
        rest = text.partition("\n")[2]
        text = f"# yaml-language-server: $schema={tmp_path / 'golden.schema.json'}\n{rest}"
        uri = (tmp_path / "trial.yaml").as_uri()
        document = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
        editor.send("textDocument/didOpen", {"textDocument": document})
        return uri

    return open_text


def test_a_valid_file_has_no_diagnostics(editor: Editor, opened: Any) -> None:
    opened(GOLDEN)
    assert editor.until("textDocument/publishDiagnostics")["diagnostics"] == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("title: One case passes", "titel: One case passes", "titel"),
        ("rounding/step-up", "rounding/step-upp", "Value is not accepted"),
        ("consumes:", "consums:", "consums"),
    ],
)
def test_a_mistake_has_a_diagnostic(editor: Editor, opened: Any, old: str, new: str, said: str) -> None:
    assert old in GOLDEN
    opened(GOLDEN.replace(old, new))
    diagnostics = editor.until("textDocument/publishDiagnostics")["diagnostics"]
    assert any(said in diagnostic["message"] for diagnostic in diagnostics), diagnostics


def test_requirements_are_completed(editor: Editor, opened: Any) -> None:
    text = GOLDEN.replace("[KEP-5075/rounding/step-up]", "[]")
    uri = opened(text)
    editor.until("textDocument/publishDiagnostics")
    line = next(
        number for number, text_of_line in enumerate(text.splitlines()) if "requirements: []" in text_of_line
    )
    position = {"line": line, "character": text.splitlines()[line].index("]")}
    request = editor.send(
        "textDocument/completion", {"textDocument": {"uri": uri}, "position": position}, asks=True
    )
    answer = editor.until(answer=request)
    items = answer["items"] if isinstance(answer, dict) else answer
    assert "KEP-5075/rounding/step-up" in {item["label"] for item in items}


def test_a_member_is_explained(editor: Editor, opened: Any) -> None:
    uri = opened(GOLDEN)
    editor.until("textDocument/publishDiagnostics")
    line = next(
        number
        for number, text_of_line in enumerate(GOLDEN.splitlines())
        if "title: One case passes" in text_of_line
    )
    request = editor.send(
        "textDocument/hover",
        {"textDocument": {"uri": uri}, "position": {"line": line, "character": 6}},
        asks=True,
    )
    assert "The behaviour in one sentence" in str(editor.until(answer=request))
