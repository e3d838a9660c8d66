"""Random request with the answers of the built-in and of Kubernetes."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.kube.json_values import Json


@dataclass(frozen=True)
class AnsweredRequest:
    """Request by its number, with both answers. `difference` describes in a line what differs, empty if equal."""

    number: int
    profile: str
    objects: Json
    ask: Json
    ours: Json
    real: Json
    difference: str
