"""Validation of binding conditions in devices and allocation results."""

from __future__ import annotations

from dra_conform.controlplane.apiserver import limits, naming
from dra_conform.controlplane.apiserver.response import FieldErrors
from dra_conform.controlplane.apiserver.trees import Tree
from dra_conform.controlplane.apiserver.walk import string, strings, unique

_CONDITIONS = strings(string(naming.label_key), limits.BINDING_CONDITIONS, distinct=False)


def validate(parent: Tree, path: str, errors: FieldErrors) -> None:
    """Validate that both lists or none are set, and that all conditions are distinct label keys."""
    binding, failure = parent.get("bindingConditions", []), parent.get("bindingFailureConditions", [])
    for name, conditions, other in (
        ("bindingConditions", binding, failure),
        ("bindingFailureConditions", failure, binding),
    ):
        _CONDITIONS(conditions, None, f"{path}.{name}", errors)
        unique(conditions, f"{path}.{name}", errors)
        if other and not conditions:
            errors.invalid(
                f"{path}.{name}", [], "bindingConditions and bindingFailureConditions need each other"
            )
    for index, condition in enumerate(failure):
        if condition in binding:
            condition_path = f"{path}.bindingFailureConditions[{index}]"
            errors.invalid(condition_path, condition, "must not overlap with bindingConditions")
