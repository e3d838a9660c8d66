"""The supervisor of one adapter process: starts it, sends profiles, restarts it, and gives up in time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dra_conform.adapters.faults import Broken, Fault, FaultKind, Limits
from dra_conform.adapters.session import Session
from dra_conform.conformance.implementation import Identity, Suite
from dra_conform.kube.profile import Profile

_Key = tuple[str, tuple[tuple[str, bool], ...]]


class AdapterSupervisor:
    """The process behind an `exec:` implementation. `gave_up` says why no process is started any more."""

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
        """The first start; raises Broken."""
        self._suite = suite
        self.session = self._open()
        return self.session.identity

    def name(self, profile: Profile) -> str:
        """The name a profile goes by on the wire: one per distinct gate map."""
        key = (profile.name, tuple(sorted(profile.gates.items())))
        return self._names.setdefault(key, f"p{len(self._names) + 1}")

    def ready(self, profile: Profile) -> bool:
        """Whether a case in this profile could be sent (or declined) at once."""
        return self.session is not None and self.name(profile) in self.session.refused

    def prepare(self, profile: Profile) -> Fault | None:
        """See to it that a process runs that knows the profile; the fault where it cannot be taught.

        Without a fault `session` is still None where it gave up.
        """
        if self.session is None and not self.gave_up:
            self._reopen()
        if self.session is None or self.ready(profile):
            return None
        name = self.name(profile)
        try:
            self.session.configure({name: profile})
        except Broken as broken:
            if broken.fault.kind is FaultKind.HANG:  # as long again for every case would help nobody
                self._give_up(f"it could not be taught the profile {profile.name}: {broken}")
            self.restart()
            return broken.fault
        self._profiles[name] = profile
        return None

    def refusal(self, profile: Profile) -> str | None:
        """Why the adapter refused the profile, None where it did not."""
        return self.session.refused.get(self.name(profile)) if self.session else None

    def restart(self) -> None:
        """End the process; the next `prepare` starts another one."""
        if self.session is not None:
            self.drop()
            self._restarts += 1
            if self._restarts > self._limits.restarts:
                self._give_up(f"it had to be restarted more than {self._limits.restarts} times")

    def drop(self) -> None:
        """End the process at once, through no fault of its own."""
        session, self.session = self.session, None
        if session is not None:
            session.stop()

    def count(self, *, crashed: bool) -> None:
        """Note how a case went: too many crashes in a row end it all."""
        self._crashes = self._crashes + 1 if crashed else 0
        if self._crashes >= self._limits.crashes_in_a_row:
            self._give_up(f"it crashed in {self._crashes} cases in a row")

    def close(self) -> None:
        """Say bye; no process is left afterwards."""
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
            detail = f"cannot run {self._command[0]!r}: {error.strerror or error}"
            raise Broken(Fault(FaultKind.CRASH, detail)) from None
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
        except Broken as broken:
            if session is not None:
                session.stop()
            self._give_up(f"it could not be started again: {broken}")
