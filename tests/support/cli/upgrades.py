"""Calls of `dra-conform upgrade-check`."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from tests.support.cli.calling import Call


def checked_upgrade(
    call: Call, manifest: str, first: str, last: str, *options: str
) -> tuple[int, list[dict[str, Any]]]:
    """Check a manifest, written to `m.yaml` in the current folder; return the exit code and the findings.

    The report must be valid by its schema.
    """
    Path("m.yaml").write_text(manifest, encoding="utf-8")
    completed = call("upgrade-check", "-f", "m.yaml", "--from", first, "--to", last, "-o", "json", *options)
    document = json.loads(completed.out)
    schema = resources.files("dra_conform") / "schemas" / "upgrade-check.schema.json"
    validator = Draft202012Validator(json.loads(schema.read_text("utf-8")))
    assert list(validator.iter_errors(document)) == []
    return completed.code, document["findings"]
