"""The type of JSON values, also of YAML values that are read as JSON."""

from __future__ import annotations

from typing import Any

Json = Any
