"""Dry run of manifests: the objects that an API server would store, or its errors with their lines."""

from dra_conform.previews.dry_run.dry_run_result import DryRunResult
from dra_conform.previews.dry_run.execution import Admission, Question, builtin, dry_run
from dra_conform.previews.dry_run.proposed_writes import Proposal, ProposedWrite, propose
from dra_conform.previews.dry_run.stored_manifests import as_stored, stored_in, stored_pod_spec

__all__ = [
    "Admission",
    "DryRunResult",
    "Proposal",
    "ProposedWrite",
    "Question",
    "as_stored",
    "builtin",
    "dry_run",
    "propose",
    "stored_in",
    "stored_pod_spec",
]
