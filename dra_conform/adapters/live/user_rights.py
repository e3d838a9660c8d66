"""The rights of a scenario's users, on a control plane started for the run.

Scenarios test admission, not who may write at all. So every user may write the kinds that scenarios write,
but has none of the special permissions of DRA.
"""

from __future__ import annotations

from dra_conform.adapters.live.api import Api, Unreachable
from dra_conform.adapters.live.resources import RESOURCES, Resource
from dra_conform.adapters.live.scenario_names import PREFIX

_GROUP = "rbac.authorization.k8s.io"
_VERBS = ["create", "get", "list", "update", "patch", "delete"]


def grant_rights(api: Api, run: str) -> None:
    """Let every user write the kinds of scenarios and their status; raises Unreachable."""
    name = f"{PREFIX}{run}"
    plurals = [resource.plural for resource in RESOURCES.values()]
    resources = [*plurals, *(f"{plural}/status" for plural in plurals)]
    groups = sorted({resource.group for resource in RESOURCES.values()})
    role = {"rules": [{"apiGroups": groups, "resources": resources, "verbs": _VERBS}]}
    binding = {
        "roleRef": {"apiGroup": _GROUP, "kind": "ClusterRole", "name": name},
        "subjects": [{"apiGroup": _GROUP, "kind": "Group", "name": "system:authenticated"}],
    }
    for kind, plural, content in (
        ("ClusterRole", "clusterroles", role),
        ("ClusterRoleBinding", "clusterrolebindings", binding),
    ):
        header = {"apiVersion": f"{_GROUP}/v1", "kind": kind, "metadata": {"name": name}}
        address = Resource(kind, _GROUP, plural, namespaced=False).address("v1")
        created = api.create(address, {**header, **content})
        if not created.accepted:
            raise Unreachable(f"cannot create the {kind} {name}: {created.message}")
