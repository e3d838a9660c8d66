"""Validation of meta/v1 conditions."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from dra_conform.controlplane.apiserver import naming
from dra_conform.controlplane.apiserver.limits import Limit
from dra_conform.controlplane.apiserver.response import FieldErrors
from dra_conform.controlplane.apiserver.walk import Rule, anything, fields, items, one_of, required, string
from dra_conform.kube.errors import ErrorType
from dra_conform.kube.switches.api_server import ApiServerSwitches

_REASON = re.compile(r"[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?")
_REASON_LENGTH = Limit(1024, "conditions[].reason", ErrorType.TOO_LONG)
_MESSAGE_LENGTH = Limit(32 * 1024, "conditions[].message", ErrorType.TOO_LONG)


def _reason(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
    if not _REASON.fullmatch(value):
        errors.invalid(
            path, value, "must start with a letter and consist of letters, digits, '_', ',' and ':'"
        )
    if len(value) > _REASON_LENGTH.bound:
        _REASON_LENGTH.exceeded(path, len(value), errors)


def _message(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
    if len(value) > _MESSAGE_LENGTH.bound:
        _MESSAGE_LENGTH.exceeded(path, len(value), errors)


def _generation(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
    if value < 0:
        errors.invalid(path, value, "must be greater than or equal to zero")


@lru_cache
def conditions(switches: ApiServerSwitches) -> Rule:
    """Return the rule for a list of conditions with distinct types."""
    kind, status = string(naming.label_key), one_of("False", "True", "Unknown")
    by_field = switches.conditions_validated_by_field
    condition = fields(
        {
            "type": required(kind) if by_field else kind,
            "status": required(status) if by_field else status,
            "lastTransitionTime": required(anything),
            "reason": required(_reason),
        },
        {"message": _message, "observedGeneration": _generation},
    )
    return items(condition, key="type", duplicate_at="" if by_field else ".type")
