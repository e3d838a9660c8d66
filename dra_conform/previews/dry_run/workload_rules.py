"""The rules for pod templates of workloads, which a pod alone does not have."""

from __future__ import annotations

from collections.abc import Mapping

from dra_conform.kube.errors import ErrorType, FieldError
from dra_conform.previews.dry_run.proposed_writes import ProposedWrite
from dra_conform.previews.dry_run.written_fields import value_at

_RESTART_POLICY = ("spec", "restartPolicy")
_ALWAYS = ("Always",)
_ENDING = ("OnFailure", "Never")
_ALLOWED: Mapping[str, tuple[str, ...]] = {
    "Deployment": _ALWAYS,
    "ReplicaSet": _ALWAYS,
    "StatefulSet": _ALWAYS,
    "DaemonSet": _ALWAYS,
    "ReplicationController": _ALWAYS,
    "Job": _ENDING,
    "CronJob": _ENDING,
}
"""The restart policies of a kind of workload, without PodTemplate, which allows all."""


def template_error(write: ProposedWrite) -> FieldError | None:
    """Return the error of a workload whose pods have another restartPolicy, with its path in the pod."""
    allowed = _ALLOWED.get(write.manifest.kind) if write.within else None
    policy = value_at(write.object, _RESTART_POLICY) or "Always"
    if allowed is None or policy in allowed:
        return None
    path, values = ".".join(_RESTART_POLICY), ", ".join(f'"{value}"' for value in allowed)
    if allowed == _ENDING and policy == "Always":
        return FieldError(path, ErrorType.REQUIRED, None, f"valid values: {values}")
    return FieldError(path, ErrorType.NOT_SUPPORTED, policy, f"supported values: {values}")
