"""The JSON Schemas of the protocol's messages, and validation against them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence, Sized
from functools import cache
from importlib import resources
from typing import cast

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from dra_conform.conformance.operations import OPERATIONS
from dra_conform.kube.json_values import Json

MESSAGES = ("hello", "hello-answer", "configure", "configured", "run", "result", "error", "bye")
_FIRST = 50
_EVERY = 20

_FOLDER = resources.files("dra_conform") / "schemas" / "protocol" / "v1"


@cache
def text(name: str) -> str:
    """Return the JSON Schema of a message of protocol version 1, or of an operation, named `operations/NAME`.

    Raises KeyError for a name without a schema.
    """
    file = _FOLDER / f"{name}.schema.json"
    operations = (f"operations/{operation}" for operation in OPERATIONS)
    if name not in (*MESSAGES, *operations) or not file.is_file():
        raise KeyError(name)
    return file.read_text(encoding="utf-8")


@cache
def _validator(name: str, part: str = "") -> Draft202012Validator:
    """Return the validator of a schema, or of one of its `$defs`."""
    schema = json.loads(text(name))
    if part:
        schema = {"$schema": schema["$schema"], "$defs": schema["$defs"], "$ref": f"#/$defs/{part}"}
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def violations(message: str, frame: Json) -> tuple[str, ...]:
    """Return the schema violations of a message as `JSON pointer: problem`; `/` is the whole frame."""
    return _lines(_validator(message), frame)


def ask_violations(operation: str, ask: Json) -> tuple[str, ...]:
    """Return the schema violations of the `ask` of an operation; empty if the operation has no schema."""
    return _of_operation(operation, "ask", ask)


def result_violations(operation: str, frame: Json) -> tuple[str, ...]:
    """Return the schema violations of a result and of its answer, if its operation has a schema."""
    problems = violations("result", frame)
    if frame.get("status") != "ok" or (problems and "outcome" in frame):
        return problems
    found = _of_operation(operation, "answer", frame)  # It lists the outcomes of the operation.
    if problems and not all(problem.startswith("/: is missing 'outcome'") for problem in found):
        return problems  # The alternatives of an operation say less.
    return found or problems


def _of_operation(operation: str, part: str, value: Json) -> tuple[str, ...]:
    try:
        validator = _validator(f"operations/{operation}", part)
    except KeyError:
        return ()
    return _lines(validator, value)


def _lines(validator: Draft202012Validator, value: Json) -> tuple[str, ...]:
    errors = [leaf for error in validator.iter_errors(value) for leaf in _leaves(error)]
    if len(errors) > 1:  # without a constant that selects one, all alternatives accept a value
        errors = [error for error in errors if error.validator != "oneOf" or error.context]
    errors.sort(key=lambda error: [str(part) for part in error.absolute_path])
    return tuple(dict.fromkeys(map(_line, errors)))


def _leaves(error: ValidationError) -> Iterator[ValidationError]:
    """Yield the violations of an alternative if its constants, such as `outcome`, select exactly one."""
    alternatives: dict[object, list[ValidationError]] = {}
    for inner in error.context or ():
        alternatives.setdefault(inner.schema_path[0], []).append(inner)
    selected = [found for found in alternatives.values() if all(each.validator != "const" for each in found)]
    if len(selected) != 1:
        yield error
        return
    for inner in selected[0]:
        yield from _leaves(inner)


def _constants(error: ValidationError) -> tuple[ValidationError, str] | None:
    """Return a member that has the constant of no alternative, and the constants; None if there is none."""
    constants = [inner for inner in error.context or () if inner.validator == "const"]
    if not constants or len({tuple(inner.absolute_path) for inner in constants}) > 1:
        return None
    return constants[0], " or ".join(dict.fromkeys(json.dumps(inner.validator_value) for inner in constants))


def _line(error: ValidationError) -> str:
    constants = _constants(error)
    if constants is not None:
        member, expected = constants
        return f"{_pointer(member)}: is {_shortened(json.dumps(member.instance))}, expected {expected}"
    enums = [inner for inner in error.context or () if inner.validator == "enum"]
    if error.validator == "oneOf" and enums:
        wrong = max(enums, key=lambda inner: len(inner.absolute_path))
        expected = " or ".join(map(json.dumps, cast("list[str]", wrong.validator_value)))
        return f"{_pointer(wrong)}: is {_shortened(json.dumps(wrong.instance))}, expected {expected}"
    problem = _shortened(error.message)
    if error.validator == "type" and (error.instance is None or isinstance(error.instance, bool)):
        types = [error.validator_value] if isinstance(error.validator_value, str) else error.validator_value
        problem = f"is {json.dumps(error.instance)}, expected {' or '.join(cast('list[str]', types))}"
    if error.validator == "maxItems":
        problem = (
            f"has {len(cast('Sized', error.instance))} entries, expected at most {error.validator_value}"
        )
    if error.validator == "required" and isinstance(error.instance, dict):
        missing = [name for name in cast("list[str]", error.validator_value) if name not in error.instance]
        problem = "is missing " + ", ".join(repr(name) for name in missing) + _choices(error, missing)
    return f"{_pointer(error)}: {problem}"


def _choices(error: ValidationError, missing: Sequence[str]) -> str:
    """Return the values that the schema lists for the only missing member, empty without such a list."""
    schema = error.schema if isinstance(error.schema, dict) else {}
    values = schema.get("properties", {}).get(missing[0], {}).get("enum", ()) if len(missing) == 1 else ()
    return ", expected " + " or ".join(map(json.dumps, values)) if values else ""


def _pointer(error: ValidationError) -> str:
    return "/" + "/".join(str(part).replace("~", "~0").replace("/", "~1") for part in error.absolute_path)


def _shortened(text: str) -> str:
    return text if len(text) <= 200 else text[:200] + "..."


class Sampler:
    """The selection of answers that are validated against the schema: the first 50, then every 20th.

    The structure of an answer is always checked when it is decoded.
    """

    def __init__(self) -> None:
        self._seen = 0

    def due(self) -> bool:
        """Count an answer; return whether it must be validated."""
        self._seen += 1
        return self._seen <= _FIRST or self._seen % _EVERY == 0
