"""The types of JSON values, also of YAML values that are read as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, Union

Json: TypeAlias = Union[bool, int, float, str, Sequence["Json"], Mapping[str, "Json"], None]  # noqa: UP007
"""Any JSON value. A reader checks the type of each part, or decodes the value."""

CheckedJson: TypeAlias = Any
"""A JSON value of a known shape, such as a validated API object or a question. Readers index it."""
