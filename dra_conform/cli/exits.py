"""The exit codes of the command line."""

OK = 0
FAILURES = 1
USAGE = 2
NOT_RUNNABLE = 3
SUITE_BROKEN = 4
INCOMPLETE = 5
INTERRUPTED = 130
BROKEN_PIPE = 141
"""The exit code after the reader of standard output has closed it, as in shells for SIGPIPE."""
