"""A dry run of manifests: what an API server would store, or what is wrong and in which line."""

from dra_conform.controlplane.dry_run.dry_run_result import DryRunResult
from dra_conform.controlplane.dry_run.proposed_writes import Proposal, ProposedWrite, propose
from dra_conform.controlplane.dry_run.stored_manifests import as_stored
from dra_conform.controlplane.dry_run.trial import Admission, Question, builtin, dry_run

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
]
