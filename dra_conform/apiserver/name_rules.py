"""Validation of names of drivers, pools, attributes and capacities."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dra_conform.apiserver import limits, naming
from dra_conform.apiserver.response import FieldErrors
from dra_conform.apiserver.walk import Rule
from dra_conform.kube.errors import ErrorType, FieldError
from dra_conform.kube.switches.api_server import ApiServerSwitches


def driver(switches: ApiServerSwitches) -> Rule:
    """Return the rule for a driver name: a DNS subdomain of at most 63 characters, in any case."""

    def rule(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        if not value:
            errors.required(path)
        if value or switches.empty_driver_invalid_too:
            _domain(value or "", None, path, errors)

    return rule


def _domain(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
    if len(value) > limits.DRIVER_LENGTH.bound:
        limits.DRIVER_LENGTH.exceeded(path, len(value), errors)
    for message in naming.dns_subdomain(value.lower()):
        errors.invalid(path, value, message)


def pool(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
    """Validate a pool name: DNS subdomains separated by slashes, at most 253 characters in total."""
    if not value:
        errors.required(path)
        return
    if len(value) > limits.POOL_LENGTH.bound:
        limits.POOL_LENGTH.exceeded(path, len(value), errors)
    for part in value.split("/"):
        for message in naming.dns_subdomain(part):
            errors.invalid(path, part, message)


def pool_of_result(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
    """Validate the pool name of an allocation result, with an error for each invalid part."""
    found = FieldErrors()
    pool(value, old, path, found)
    errors.extend(
        replace(error, detail=f"part {number}: {error.detail}") for number, error in enumerate(found)
    )


def qualified_name(switches: ApiServerSwitches) -> Rule:
    """Return the rule for a qualified name: a C identifier of at most 32 characters with an optional domain.

    Without the switch `one_slash`, a name with several slashes is valid.
    """
    identifier = _identifier(switches.identifier_error)

    def rule(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        match value.split("/"):
            case [name] if name or not switches.empty_is_required:
                identifier(name, None, path, errors)
            case [domain, name]:
                part(domain, _domain, "domain", path, errors)
                part(name, identifier, "name", path, errors)
            case [_]:
                errors.required(path, "name required")
            case _ if switches.one_slash:
                errors.invalid(path, value, "must not contain more than one slash")

    def part(value: str, rule: Rule, part_name: str, path: str, errors: FieldErrors) -> None:
        if value:
            rule(value, None, path, errors)
        elif switches.empty_is_required:
            errors.required(path, f"the {part_name} must not be empty")
        else:
            errors.invalid(path, "", f"the {part_name} must not be empty")

    return rule


def fully_qualified_name(switches: ApiServerSwitches, any_case: bool) -> Rule:
    """Return the rule for a qualified name with a domain; `any_case`: the domain need not be lower case."""
    qualified = qualified_name(switches)

    def rule(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        qualified(value, old, path, errors)
        if "/" not in value and (value or not switches.empty_is_required):
            message = "a fully qualified name must be a domain and a name separated by a slash"
            errors.invalid(path, value, message)
        domain = value.partition("/")[0]
        if not any_case and "/" in value and domain != domain.lower():
            errors.invalid(path, value, "the domain must be in lower case")

    return rule


def _identifier(error: ErrorType) -> Rule:
    def rule(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        if len(value) > limits.IDENTIFIER_LENGTH.bound:
            limits.IDENTIFIER_LENGTH.exceeded(path, len(value), errors)
        for message in naming.c_identifier(value):
            errors.append(FieldError(path, error, value, message))

    return rule
