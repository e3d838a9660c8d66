"""Supervision of an adapter process: start, configuration, restart, and a limit for repeated faults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dra_conform.adapters.faults import Fault, FaultKind, Limits, SessionFailed
from dra_conform.adapters.session import Session
from dra_conform.adapters.supervised_command import start_error
from dra_conform.conformance.implementation import Identity, Suite
from dra_conform.kube.profile import Profile

_Key = tuple[str, tuple[tuple[str, bool], ...]]


class AdapterSupervisor:
    """The supervisor of one adapter process; `gave_up` says why it does not start the process again."""

    def __init__(
        self, command: Sequence[str], limits: Limits, environment: Mapping[str, str] | None = None
    ) -> None:
        self.warnings: list[str] = []
        self.gave_up = ""
        self.session: Session | None = None
        self._command = tuple(command)
        self._limits = limits
        self._environment = environment
        self._suite = Suite("", "", "")
        self._restarts = 0
        self._crashes = 0
        self._names: dict[_Key, str] = {}
        self._profiles: dict[str, Profile] = {}

    def start(self, suite: Suite) -> Identity:
        """Start the process for the first time; raises SessionFailed."""
        self._suite = suite
        self.session = self._open()
        return self.session.identity

    def name(self, profile: Profile) -> str:
        """Return the name of a profile in frames; profiles with different gates have different names."""
        key = (profile.name, tuple(sorted(profile.gates.items())))
        return self._names.setdefault(key, f"p{len(self._names) + 1}")

    def ready(self, profile: Profile) -> bool:
        """Whether the adapter has answered `configure` for the profile."""
        return self.session is not None and self.name(profile) in self.session.refused

    def prepare(self, profile: Profile) -> Fault | None:
        """Start the process if needed and send it the profile; return the fault if that fails.

        Also returns None if the supervisor has given up; then `session` is None.
        """
        if self.session is None and not self.gave_up:
            self._reopen()
        if self.session is None or self.ready(profile):
            return None
        name = self.name(profile)
        try:
            self.session.configure({name: profile})
        except SessionFailed as failure:
            if failure.fault.kind is FaultKind.HANG:  # Every case would wait for the timeout again.
                self._give_up(f"the adapter does not answer configure for profile {profile.name}: {failure}")
            self.restart()
            return failure.fault
        self._profiles[name] = profile
        return None

    def refusal(self, profile: Profile) -> str | None:
        """Return why the adapter does not support the profile, None if the adapter accepted the profile."""
        return self.session.refused.get(self.name(profile)) if self.session else None

    def restart(self) -> None:
        """End the process; the next `prepare` starts a new one."""
        if self.session is not None:
            self.drop()
            self._restarts += 1
            if self._restarts > self._limits.restarts:
                self._give_up(f"the adapter was restarted more than {self._limits.restarts} times")

    def drop(self) -> None:
        """End the process at once, without counting a restart."""
        session, self.session = self.session, None
        if session is not None:
            session.stop()

    def count(self, *, crashed: bool) -> None:
        """Count the crashes of consecutive cases up to a limit; `crashed` says whether this case crashed."""
        self._crashes = self._crashes + 1 if crashed else 0
        if self._crashes >= self._limits.crashes_in_a_row:
            self._give_up(f"the adapter crashed in {self._crashes} cases in a row")

    def close(self) -> None:
        """Send bye and end the process."""
        session, self.session = self.session, None
        if session is not None and session.child.ended:
            session.stop()
        elif session is not None:
            self.warnings.extend(session.bye())

    def _give_up(self, reason: str) -> None:
        self.gave_up = self.gave_up or reason
        self.drop()

    def _open(self) -> Session:
        try:
            session = Session(self._command, self._limits, self._environment)
        except OSError as error:
            raise SessionFailed(Fault(FaultKind.CRASH, start_error(self._command, error))) from None
        try:
            session.greet(self._suite)
        except BaseException:
            session.stop()
            raise
        self.warnings.extend(session.warnings)
        return session

    def _reopen(self) -> None:
        session: Session | None = None
        try:
            session = self._open()
            if self._profiles:
                session.configure(self._profiles)
            self.session = session
        except SessionFailed as failure:
            if session is not None:
                session.stop()
            self._give_up(f"the adapter could not be started again: {failure}")
