"""Placeholders such as `{kubeconfig}` in what a control plane file says of a component."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Json = Any

PLACEHOLDERS = ("kubeconfig", "server", "gates", "config", "port", "certificate", "key", "folder")
"""The path of a kubeconfig, the URL of the API server, feature gates as `A=true,B=false`, the path of the
written configuration, a free port on the loopback, the paths of a serving certificate and its key, and a
folder for files of the component."""

_PLACEHOLDER = re.compile(r"\{([A-Za-z_]+)\}")


def placeholders_in(text: str) -> list[str]:
    """Return the names in braces, known or not."""
    return _PLACEHOLDER.findall(text)


def filled(value: Json, values: Mapping[str, str]) -> Json:
    """Return a value with the placeholders in all its strings replaced; keys of maps stay as they are."""
    match value:
        case str():
            return _PLACEHOLDER.sub(lambda match: values.get(match[1], match[0]), value)
        case Mapping():
            return {name: filled(item, values) for name, item in value.items()}
        case list() | tuple():
            return [filled(item, values) for item in value]
        case _:
            return value


def strings_in(value: Json, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield the strings in a value with their paths."""
    if isinstance(value, str):
        yield path, value
        return
    items: Sequence[tuple[str | int, Json]] = ()
    if isinstance(value, Mapping):
        items = list(value.items())
    elif isinstance(value, (list, tuple)):
        items = list(enumerate(value))
    for key, item in items:
        yield from strings_in(item, (*path, key))
