"""The exit status of a session in which no case was judged, as of `dra-conform run`: nothing was shown."""

from __future__ import annotations

import pytest

_JUDGED = "dra_conform_judged"
"""The attribute of the report of a skipped case; pytest-xdist sends it to the controller."""


def mark_skipped(report: pytest.TestReport, *, judged: bool) -> None:
    """Note in the report of a skipped case whether the implementation was judged."""
    setattr(report, _JUDGED, judged)


class UnjudgedSession:
    """Hooks that end a session with NO_TESTS_COLLECTED if it skips cases and runs no case or other test."""

    def __init__(self) -> None:
        self._unjudged = 0
        self._has_run = False
        self._shows_nothing = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        judged = getattr(report, _JUDGED, None)
        if judged is False:
            self._unjudged += 1
        elif (
            judged
            or hasattr(report, "wasxfail")
            or report.failed
            or (report.when == "call" and report.passed)
        ):
            self._has_run = True

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(session.config, "workerinput"):  # The controller of pytest-xdist has all reports.
            return
        self._shows_nothing = bool(self._unjudged) and not self._has_run
        if self._shows_nothing and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.NO_TESTS_COLLECTED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self._shows_nothing:
            cases = "1 case was" if self._unjudged == 1 else f"{self._unjudged:,} cases were"
            terminalreporter.line(f"dra-conform: no case was judged, {cases} skipped (-rs shows why)")
