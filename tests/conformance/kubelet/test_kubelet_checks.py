"""The checks of kubelets: each accepts observations that meet it, and says what is wrong with others."""

from __future__ import annotations

import pytest

from dra_conform.conformance.checked_observations import ObservationCheck
from dra_conform.conformance.kubelet import container_checks, node_checks, pod_checks
from dra_conform.conformance.kubelet.answer import (
    Cgroup,
    ClaimInUse,
    DriverCall,
    KubeletAnswer,
    KubeletHistory,
    KubeletObservation,
    ObservedContainer,
    ObservedDevice,
    ObservedHealth,
    ObservedPod,
    PodResult,
    Registration,
    Sample,
)
from dra_conform.conformance.kubelet.operation import Kubelet

V1 = "v1.DRAPlugin"
GPU = ObservedDevice("d", "pool", "gpu-0")


def problem(check: ObservationCheck, *observations: KubeletObservation) -> str:
    """Return what a check says about the last of some observations."""
    return check.problem(
        KubeletHistory(KubeletAnswer(KubeletObservation(), observations), len(observations) - 1)
    )


def result(error: str = "", call: str = "prepare", seconds: float = 1.0) -> KubeletObservation:
    return KubeletObservation((PodResult(call, "p", error, seconds),))  # type: ignore[arg-type]


def called(*claims: str, service: str = V1, instance: int = 1) -> DriverCall:
    return DriverCall("d", "prepare", claims, service, instance)


def container(**parts: object) -> KubeletObservation:
    return KubeletObservation(pods={"p": ObservedPod({"main": ObservedContainer(**parts)})})  # type: ignore[arg-type]


def shown_alone(claims: dict[str, tuple[ClaimInUse, ...]]) -> KubeletObservation:
    listed = ObservedContainer(claims=(ClaimInUse("c", (GPU,)),))
    return KubeletObservation(pods={"p": ObservedPod({"main": listed}, alone=claims)})


def registration_status(registered: bool, instance: int = 1) -> KubeletObservation:
    return KubeletObservation(registrations=(Registration("d", registered, "no", instance),))


def metric(value: float, **labels: str) -> KubeletObservation:
    return KubeletObservation(metrics=(Sample("m", labels, value), Sample("other", labels, 7)))


NOTHING = KubeletObservation()
MAIN = {"pod": "p", "container": "main"}
HEALTHY = container(health=(ObservedHealth("claim:c", "gpu-0", "Healthy", "fine"),))
IN_USE = container(claims=(ClaimInUse("c", (GPU,)),))
CASES: dict[str, tuple[ObservationCheck, KubeletObservation, tuple[KubeletObservation, ...]]] = {
    "succeeds": (pod_checks.Succeeds(pod="p"), result(), (NOTHING, result("no"), result(call="unprepare"))),
    "unprepared": (pod_checks.Succeeds(pod="p", call="unprepare"), result(call="unprepare"), (result(),)),
    "fails": (
        pod_checks.Fails(pod="p", names="c"),
        result("c is bad"),
        (NOTHING, result(), result("cc is a-c")),
    ),
    "time to unprepare": (
        pod_checks.EndsWithin(pod="p", seconds=2, call="unprepare"),
        result(call="unprepare"),
        (NOTHING, result(), result(call="unprepare", seconds=3)),
    ),
    "time": (pod_checks.EndsWithin(pod="p", seconds=2), result(), (NOTHING, result(seconds=3))),
    "called": (
        pod_checks.Called(driver="d", call="prepare", resource_claims=("b", "a")),
        KubeletObservation(calls=(called("a", "b"),)),
        (
            NOTHING,
            KubeletObservation(calls=(called("a"),)),
            KubeletObservation(calls=(called("a", "b"),) * 2),
        ),
    ),
    "service": (
        pod_checks.Called(driver="d", call="prepare", resource_claims=("a",), service=V1),
        KubeletObservation(calls=(called("a"),)),
        (KubeletObservation(calls=(called("a", service="v1beta1.DRAPlugin"),)),),
    ),
    "instance": (
        pod_checks.Called(driver="d", call="prepare", resource_claims=("a",), instance=2),
        KubeletObservation(calls=(called("a", instance=2),)),
        (KubeletObservation(calls=(called("a"),)),),
    ),
    "not called": (pod_checks.NotCalled(), NOTHING, (KubeletObservation(calls=(called("a"),)),)),
    "not called to prepare": (
        pod_checks.NotCalled(driver="d", call="prepare"),
        KubeletObservation(calls=(DriverCall("d", "unprepare", ("a",), V1),)),
        (KubeletObservation(calls=(called("a"),)),),
    ),
    "devices": (
        container_checks.ExactDevices(**MAIN, devices=("gpu-0",)),
        container(devices=(GPU,)),
        (
            NOTHING,
            container(),
            container(devices=(GPU, GPU)),
            container(devices=(GPU,), unknown=("x",)),
            container(error="no"),
        ),
    ),
    "repeated": (
        container_checks.RepeatedDevice(**MAIN, device="gpu-0"),
        container(devices=(GPU, GPU)),
        (NOTHING, container(devices=(GPU,))),
    ),
    "no device": (
        container_checks.NoDevices(**MAIN),
        container(error="no"),
        (NOTHING, container(devices=(GPU,)), container(unknown=("x",))),
    ),
    "cannot start": (
        container_checks.ContainerCannotStart(**MAIN),
        container(error="no"),
        (NOTHING, container()),
    ),
    "claims": (
        container_checks.ClaimsInUse(**MAIN, resource_claim="c", devices=("d/pool/gpu-0",)),
        IN_USE,
        (
            NOTHING,
            container(),
            container(claims=()),
            container(claims=(ClaimInUse("c"),)),
            container(claims=(ClaimInUse("c", (ObservedDevice("d", "", "gpu-0"),)),)),
        ),
    ),
    "claim not shown": (
        container_checks.ClaimsInUse(**MAIN, resource_claim="c", absent=True),
        container(claims=(ClaimInUse("d"),)),
        (NOTHING, IN_USE),
    ),
    "as listed": (
        pod_checks.AsListed(pod="p"),
        shown_alone({"main": (ClaimInUse("c", (GPU,)),)}),
        (NOTHING, IN_USE, shown_alone({}), shown_alone({"main": (ClaimInUse("d", (GPU,)),)})),
    ),
    "own CDI devices": (
        container_checks.OwnCDIDevices(**MAIN, resource_claim="c"),
        container(claims=(ClaimInUse("c", (GPU,), {"d/pool/gpu-0": ("d/pool/gpu-0",) * 2}),)),
        (
            NOTHING,
            container(),
            IN_USE,
            container(claims=(ClaimInUse("c"),)),
            container(claims=(ClaimInUse("c", (GPU,), {"d/pool/gpu-0": ()}),)),
            container(claims=(ClaimInUse("c", (GPU,), {"d/pool/gpu-0": ("d/pool/gpu-0", "x")}),)),
        ),
    ),
    "cgroup": (
        pod_checks.CgroupSettings(pod="p", shares=1024, cpu_limit="500m", memory_limit="1Gi"),
        KubeletObservation(pods={"p": ObservedPod(cgroup=Cgroup(1024, 50_000, 2**30))}),
        (
            NOTHING,
            KubeletObservation(pods={"p": ObservedPod()}),
            KubeletObservation(pods={"p": ObservedPod(cgroup=Cgroup(1024))}),
            KubeletObservation(pods={"p": ObservedPod(cgroup=Cgroup(1025, 50_000, 2**30))}),
            KubeletObservation(pods={"p": ObservedPod(cgroup=Cgroup(1024, 100_000, 2**30))}),
            KubeletObservation(pods={"p": ObservedPod(cgroup=Cgroup(1024, 50_000))}),
        ),
    ),
    "needs unprepare": (
        pod_checks.MustUnprepare(pod="p"),
        KubeletObservation(pods={"p": ObservedPod(must_unprepare=True)}),
        (NOTHING, KubeletObservation(pods={"p": ObservedPod()})),
    ),
    "registered": (
        node_checks.Registered(driver="d"),
        registration_status(True),
        (NOTHING, registration_status(False), registration_status(True, instance=2)),
    ),
    "rejected": (
        node_checks.RegistrationRejected(driver="d", instance=2),
        registration_status(False, instance=2),
        (NOTHING, registration_status(True, instance=2), registration_status(False)),
    ),
    "slices": (node_checks.SlicesExist(driver="d"), KubeletObservation(slices={"d": ("s",)}), (NOTHING,)),
    "no slices": (
        node_checks.SlicesExist(driver="d", exist=False),
        KubeletObservation(slices={"e": ("s",)}),
        (KubeletObservation(slices={"d": ("s",)}),),
    ),
    "health": (
        container_checks.HealthInStatus(**MAIN, device="gpu-0", health="Healthy", message="fine"),
        HEALTHY,
        (NOTHING, container(), container(health=(ObservedHealth("claim:c", "gpu-0", "Healthy", "bad"),))),
    ),
    "no health": (
        container_checks.HealthInStatus(**MAIN, device="gpu-1", absent=True),
        HEALTHY,
        (NOTHING, container(health=(ObservedHealth("claim:c", "gpu-1", "Healthy"),))),
    ),
    "sick": (
        container_checks.HealthInStatus(**MAIN, device="gpu-0", health="Unhealthy"),
        container(health=(ObservedHealth("claim:c", "gpu-0", "Unhealthy"),)),
        (HEALTHY,),
    ),
    "metric": (
        node_checks.MetricValue(metric="m", labels={"a": "1"}, value=2),
        metric(2, a="1", b="2"),
        (NOTHING, metric(3, a="1"), metric(2, a="2")),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_check_accepts_what_it_demands(name: str) -> None:
    check, good, _ = CASES[name]
    assert problem(check, good) == ""


@pytest.mark.parametrize(
    ("name", "number"), [(name, number) for name, case in CASES.items() for number in range(len(case[2]))]
)
def test_a_check_says_what_is_wrong(name: str, number: int) -> None:
    check, _, bad = CASES[name]
    assert problem(check, bad[number])


def test_the_newest_registration_of_the_step_counts() -> None:
    check = node_checks.Registered(driver="d")
    yes, no = (Registration("d", registered) for registered in (True, False))
    assert problem(check, KubeletObservation(registrations=(no, yes))) == ""
    assert problem(check, KubeletObservation(registrations=(yes, no)))
    assert problem(check, registration_status(True), NOTHING)


def test_a_registration_from_before_the_first_step_counts() -> None:
    answer = KubeletAnswer(registration_status(True), (NOTHING, NOTHING))
    check = node_checks.Registered(driver="d")
    assert check.problem(KubeletHistory(answer, 0)) == ""
    assert check.problem(KubeletHistory(answer, 1))


def test_only_calls_of_the_step_count() -> None:
    assert problem(pod_checks.NotCalled(), KubeletObservation(calls=(called("a"),)), NOTHING) == ""


def test_an_answer_is_read_as_it_was_written() -> None:
    observation = KubeletObservation(
        (PodResult("prepare", "p", "no", 1.5),),
        (called("a"),),
        (Registration("d", False, "no"),),
        {
            "p": ObservedPod(
                {"main": ObservedContainer("no", (GPU,), ("x",), (ClaimInUse("c", (GPU,), {"x": ("y",)}),))},
                True,
            )
        },
        {"d": ("s",)},
        (Sample("m", {"a": "1"}, 2.0),),
        "it ended",
    )
    answer = KubeletAnswer(NOTHING, (observation, HEALTHY))
    assert Kubelet().read(Kubelet().write(answer)) == answer
