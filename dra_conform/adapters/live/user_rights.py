"""The rights of a scenario's users, on a control plane of its own.

Stories are about what admission makes of a user's write; who may write at all is not their subject. So every
user may write everything that stories write, but nothing that DRA asks special permissions for.
"""

from __future__ import annotations

from dra_conform.adapters.live.api import Api, Unreachable
from dra_conform.adapters.live.resources import RESOURCES, Resource
from dra_conform.adapters.live.scenario_names import PREFIX

_GROUP = "rbac.authorization.k8s.io"
_VERBS = ["create", "get", "list", "update", "patch", "delete"]


def grant_rights(api: Api, run: str) -> None:
    """Let everybody write the kinds of stories and their status; raises Unreachable."""
    name = f"{PREFIX}{run}"
    plurals = [one.plural for one in RESOURCES.values()]
    resources = [*plurals, *(f"{plural}/status" for plural in plurals)]
    groups = sorted({one.group for one in RESOURCES.values()})
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
        made = api.create(address, {**header, **content})
        if not made.taken:
            raise Unreachable(f"cannot create the {kind} {name}: {made.message}")
