"""Reports of runs: each output format is a handler of the events of a run."""

from dra_conform.reports.failure import failure_lines
from dra_conform.reports.files import write_text
from dra_conform.reports.handlers import handlers_for

__all__ = ["failure_lines", "handlers_for", "write_text"]
