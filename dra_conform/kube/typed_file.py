"""Reading of a YAML file with one document of a known type, such as a driver file."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from dra_conform.kube.codec import ConversionError, convert, plain
from dra_conform.kube.errors import InputError, InputErrors
from dra_conform.kube.input_files import read_input
from dra_conform.kube.objects import problems
from dra_conform.kube.yaml import Document, parse_yaml

T = TypeVar("T")


def read_typed_file(path: Path, kind: type[T], what: str) -> tuple[T, Document]:
    """Return the value of a file, and its document, which locates further errors.

    `what` names the content in errors. Raises InputErrors and InputError, with the line of each problem.
    """
    shown = str(path)
    try:
        text = read_input(path).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(shown, None, "", f"cannot be read: {error}") from None
    documents = parse_yaml(text, shown)
    if len(documents) != 1:
        raise InputError(shown, None, "", f"has {len(documents)} YAML documents, expected one {what}")
    [document] = documents
    try:
        return convert(plain(document.value), kind), document
    except ConversionError as error:
        found = [document.error(where, message) for where, message in problems(document.value, kind)]
        raise InputErrors(found or [document.error((), str(error))]) from None
