"""`driver:FILE`: a DRA driver as an implementation of the operation `driver`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from dra_conform.adapters.driver.device_counts import DeviceCounts
from dra_conform.adapters.driver.driver_file import DriverFile
from dra_conform.adapters.driver.driver_process import DriverFailed
from dra_conform.adapters.driver.reference import driver_of
from dra_conform.adapters.driver.scenario import DriverScenario
from dra_conform.adapters.driver.scenario_needs import NeedDeclined, answers_without_devices
from dra_conform.adapters.driver.world import CannotOpen, LightWorlds, WorldError, Worlds
from dra_conform.adapters.live.isolation import run_concurrently
from dra_conform.adapters.node_replies import reply_to
from dra_conform.conformance.checked_observations import write
from dra_conform.conformance.driver.actions import DriverQuestion, Prepare
from dra_conform.conformance.driver.answer import DriverAnswer
from dra_conform.conformance.implementation import CannotStart, Identity, Reply, Request, Suite
from dra_conform.conformance.steps.driver_claims import ClaimSetup, Result
from dra_conform.kube import codec
from dra_conform.kube.errors import InputError, InputErrors
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile

_ONE_CLAIM = DriverQuestion((Prepare(("c",)),), (ClaimSetup("c", (Result(1),)),))

MAX_RUNS = 3
"""How often a scenario runs at most, if the driver publishes more devices while it runs."""
FAILED_STARTS = 3
"""After so many failed starts, a driver that never started is not started again: each start waits for
`startSeconds`."""


class DriverImplementation:
    """A DRA driver as an implementation; each request starts it on a new node.

    As many requests run at the same time as the driver file allows. A driver that fails to start for the
    first requests is not started for the others.
    `path` is a driver file, or `reference` for the reference driver, whose devices are shared if a case needs
    it. `open_worlds` returns the API servers of the run; it raises CannotStart.
    """

    def __init__(self, path: str, *, spec: str, open_worlds: Callable[[], Worlds] = LightWorlds) -> None:
        self._path = path
        self._spec = spec
        self._open_worlds = open_worlds
        self._worlds: Worlds | None = None
        self._driver: DriverFile | None = None
        self._has_started = False
        self._failed_starts = 0
        self._counts = DeviceCounts()
        self._interrupted = False
        self._prepares_devices: bool | None = None
        self._asking = Lock()
        self._running: set[DriverScenario] = set()

    def start(self, suite: Suite) -> Identity:
        """Read the driver file and start the services that all scenarios use; raises CannotStart."""
        try:
            driver = driver_of(self._path)
        except (InputError, InputErrors) as error:
            raise CannotStart(str(error)) from None
        self._driver = driver
        self._worlds = self._open_worlds()
        return Identity(
            name=driver.name,
            version=driver.version,
            spec=self._spec,
            homepage=driver.homepage,
            operations=frozenset({"driver"}),
        )

    def run(self, requests: Iterable[Request]) -> Iterator[Reply]:
        """Yield one reply for each request, in the order in which they finish."""
        assert self._driver is not None, "start was not called"
        count = self._driver.concurrency
        if count == 1:
            yield from map(self._reply, requests)
            return
        with ThreadPoolExecutor(count) as threads:
            yield from run_concurrently(threads, count, requests, self._reply, self._interrupt)

    def close(self) -> None:
        """Stop the services that all scenarios use; the driver has ended with its request."""
        worlds, self._worlds = self._worlds, None
        if worlds is not None:
            worlds.close()

    def _interrupt(self) -> None:
        self._interrupted = True
        for scenario in tuple(self._running):
            scenario.interrupt()

    def _reply(self, request: Request) -> Reply:
        return reply_to(
            request,
            self._answer,
            failures=(DriverFailed, WorldError),
            undeclared=(CannotOpen,),
            doing="running the driver",
        )

    def _answer(self, request: Request) -> Mapping[str, Json]:
        question = codec.convert(request.ask, DriverQuestion)
        answer = self._observe(request.profile, question)
        if answers_without_devices(question, answer) and not self._answers_have_devices(request.profile):
            message = "the driver answers without devices, as one that uses no CDI may"
            raise NeedDeclined("prepared-devices", message)
        return write(answer)

    def _answers_have_devices(self, profile: Profile) -> bool:
        """Whether the answer for a ResourceClaim of one device has that device; the driver is asked once."""
        with self._asking:
            if self._prepares_devices is None:
                try:
                    answer = self._observe(profile, _ONE_CLAIM)
                    self._prepares_devices = not answers_without_devices(_ONE_CLAIM, answer)
                except DriverFailed:
                    self._prepares_devices = True
            return self._prepares_devices

    def _observe(self, profile: Profile, question: DriverQuestion) -> DriverAnswer:
        """Run a scenario; if the driver published a pool too late for it, with more devices to wait for."""
        for _ in range(MAX_RUNS):
            expected = self._counts.expected(question)
            scenario, answer = self._run(profile, question, expected)
            found = scenario.devices_at_start, scenario.most_devices
            if not self._counts.learn(question, expected, *found) or self._interrupted:
                break
        return answer

    def _run(
        self, profile: Profile, question: DriverQuestion, expected: int
    ) -> tuple[DriverScenario, DriverAnswer]:
        assert self._driver is not None, "start was not called"
        assert self._worlds is not None, "start was not called"
        if not self._has_started and self._failed_starts >= FAILED_STARTS:
            raise DriverFailed(f"the driver is not started again after {FAILED_STARTS} failed starts")
        world = self._worlds.open(profile)
        try:
            scenario = DriverScenario(self._driver, world, question, expected)
            self._running.add(scenario)
            try:
                answer = scenario.run()
                self._has_started = True
                return scenario, answer
            except DriverFailed:
                self._failed_starts += 1
                raise
            finally:
                self._running.remove(scenario)
                scenario.close()
        finally:
            world.close()
