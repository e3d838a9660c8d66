"""The built-in answer to `admit`: namespaces and a write in, the body of a `result` out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dra_conform.controlplane.apiserver import Admitted, Rejected, Surroundings, User, Verb, Write
from dra_conform.controlplane.apiserver import admit as decide
from dra_conform.kube.profile import Profile

Json = Any

_ADMIN = User()
_NOTHING = Surroundings()


def admit(
    objects: Mapping[str, Sequence[Json]], ask: Mapping[str, Json], profile: Profile
) -> dict[str, Json]:
    """The body of a result; raises ValueError for a verb that is not known."""
    user = ask.get("user")
    write = Write(
        Verb(ask["verb"]),
        ask["object"],
        ask.get("old"),
        ask.get("subresource", ""),
        User(user.get("name", _ADMIN.name), tuple(user.get("groups", _ADMIN.groups))) if user else _ADMIN,
    )
    surroundings = Surroundings.of(objects.get("namespaces", ()), ask.get("time", _NOTHING.time))
    match decide(write, surroundings, profile):
        case Admitted(object=stored, warnings=warnings):
            return {"outcome": "admitted", "object": stored, "warnings": list(warnings)}
        case Rejected(reason=reason, message=message, errors=errors):
            told = [
                {"path": one.path, "type": one.type, "value": one.value, "detail": one.detail}
                for one in errors
            ]
            return {"outcome": "rejected", "reason": reason, "message": message, "errors": told}
