"""Reports: one event handler per output. `handlers_for` gives those a command line asks for."""

from dra_conform.reports.failure import failure_lines
from dra_conform.reports.files import write_text
from dra_conform.reports.handlers import handlers_for

__all__ = ["failure_lines", "handlers_for", "write_text"]
