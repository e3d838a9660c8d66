"""Discovery of the simulated API server: its version, health, API groups and resources."""

from __future__ import annotations

from dra_conform.adapters.light_api.api import KINDS
from dra_conform.apiserver.kinds import STRATEGIES, versions_served
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile


def discovery(path: str, profile: Profile) -> Json | None:
    """Return the answer to a discovery request, None for a request that names a resource."""
    match [part for part in path.split("/") if part]:
        case ["version"]:
            release = profile.release or "1.37"
            return {"major": "1", "minor": release.partition(".")[2], "gitVersion": f"v{release}.0"}
        case ["readyz" | "healthz" | "livez"]:
            return {}
        case ["api"]:
            return {"kind": "APIVersions", "versions": ["v1"]}
        case ["apis"]:
            return {"kind": "APIGroupList", "apiVersion": "v1", "groups": [_group(profile)]}
        case ["api", version]:
            return _resources(version, profile)
        case ["apis", group, version]:
            return _resources(f"{group}/{version}", profile)
    return None


def _group(profile: Profile) -> Json:
    versions = [
        {"groupVersion": version, "version": version.rpartition("/")[2]}
        for version in versions_served("ResourceSlice", profile)
    ]
    return {"name": "resource.k8s.io", "versions": versions, "preferredVersion": versions[0]}


def _resources(group_version: str, profile: Profile) -> Json:
    resources = [
        {
            "name": plural,
            "singularName": kind.lower(),
            "kind": kind,
            "verbs": _VERBS,
            "namespaced": STRATEGIES[kind].namespaced,
        }
        for plural, kind in KINDS.items()
        if group_version in versions_served(kind, profile)
    ]
    return {"kind": "APIResourceList", "groupVersion": group_version, "resources": resources}


_VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"]
