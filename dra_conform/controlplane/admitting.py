"""The operation `admit`: decide on a write, and return the body of a `result`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dra_conform.controlplane.apiserver import Admitted, Rejected, Surroundings, User, Verb, Write
from dra_conform.controlplane.apiserver import admit as decide
from dra_conform.kube.profile import Profile

Json = Any

_ADMIN = User()
_DEFAULTS = Surroundings()


def admit(
    objects: Mapping[str, Sequence[Json]], ask: Mapping[str, Json], profile: Profile
) -> dict[str, Json]:
    """Decide on the write `ask`, and return the body of a `result`; raise ValueError for an unknown verb.

    Only the namespaces of `objects` are used.
    """
    user = ask.get("user")
    write = Write(
        Verb(ask["verb"]),
        ask["object"],
        ask.get("old"),
        ask.get("subresource", ""),
        User(user.get("name", _ADMIN.name), tuple(user.get("groups", _ADMIN.groups))) if user else _ADMIN,
    )
    surroundings = Surroundings.of(objects.get("namespaces", ()), ask.get("time", _DEFAULTS.time))
    match decide(write, surroundings, profile):
        case Admitted(object=stored, warnings=warnings):
            return {"outcome": "admitted", "object": stored, "warnings": list(warnings)}
        case Rejected(reason=reason, message=message, errors=errors):
            encoded = [
                {"path": error.path, "type": error.type, "value": error.value, "detail": error.detail}
                for error in errors
            ]
            return {"outcome": "rejected", "reason": reason, "message": message, "errors": encoded}
