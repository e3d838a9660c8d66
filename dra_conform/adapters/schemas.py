"""The JSON Schemas of the protocol's messages, shipped beside the code, and validation against them."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any, cast

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

Json = Any

MESSAGES = ("hello", "hello-answer", "configure", "configured", "run", "result", "error", "bye")
_FIRST = 50
_EVERY = 20


@cache
def text(message: str) -> str:
    """The schema file of a message of protocol version 1, as shipped; KeyError for another name."""
    if message not in MESSAGES:
        raise KeyError(message)
    folder = resources.files("dra_conform") / "schemas" / "protocol" / "v1"
    return (folder / f"{message}.schema.json").read_text(encoding="utf-8")


@cache
def _validator(message: str) -> Draft202012Validator:
    schema = json.loads(text(message))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def violations(message: str, frame: Json) -> tuple[str, ...]:
    """What breaks the schema, each as `JSON pointer: problem`; `/` is the frame itself."""
    errors = _validator(message).iter_errors(frame)
    return tuple(_line(error) for error in sorted(errors, key=lambda e: [str(part) for part in e.path]))


def _line(error: ValidationError) -> str:
    parts = (str(part).replace("~", "~0").replace("/", "~1") for part in error.absolute_path)
    problem = error.message if len(error.message) <= 200 else error.message[:200] + "..."
    if error.validator == "required" and isinstance(error.instance, dict):
        missing = [name for name in cast("list[str]", error.validator_value) if name not in error.instance]
        problem = "is missing " + ", ".join(repr(name) for name in missing)
    return f"/{'/'.join(parts)}: {problem}"


class Sampler:
    """Which answers are validated in full: the first 50 and then one in 20; structure is checked always."""

    def __init__(self) -> None:
        self._seen = 0

    def due(self) -> bool:
        self._seen += 1
        return self._seen <= _FIRST or self._seen % _EVERY == 0
