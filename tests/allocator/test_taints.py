"""Device taints, tolerations and DeviceTaintRules (DRA/taint, toleration, taint-rule)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from dra_conform.allocator import Unallocatable
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import Device, DeviceTaintRule, DeviceToleration
from tests.support.allocator.worlds import (
    DRIVER,
    KEP,
    allocated_claim,
    allocated_devices,
    allocator,
    claim,
    class_of,
    device,
    first_of,
    match,
    node,
    release,
    request,
    results,
    rule,
    slice_of,
    sub,
    tolerating,
)

NODE = node()
BAD = "broken=fan:NoSchedule"
ANY = tolerating(operator="Exists")
OTHER = "net.example.com"


def bad(name: str = "a", *taints: str, **more: str) -> Device:
    return device(name, taints=taints or (BAD,), **more)


def fits(published: Device, *tolerations: DeviceToleration, profile: Profile = KEP) -> bool:
    decision = allocator(slice_of(published), profile=profile).allocate(
        NODE, [claim("c", request(tolerations=tolerations))]
    )
    return not isinstance(decision, Unallocatable)


# Effects.


@pytest.mark.parametrize(
    ("effect", "kep", "first"),
    [
        ("NoSchedule", False, False),
        ("NoExecute", False, False),
        ("None", True, False),
        ("PreferNoSchedule", True, False),
    ],
)
def test_effects_that_prevent_allocation(effect: str, kep: bool, first: bool) -> None:
    """1.34 rejects a tainted device for every effect."""
    tainted = bad("a", f"broken:{effect}")
    assert fits(tainted) is kep
    assert fits(tainted, profile=release("1.36")) is kep
    assert fits(tainted, profile=release("1.34", DRADeviceTaints=True)) is first


def test_with_the_gate_off() -> None:
    for profile in (KEP.with_gates({"DRADeviceTaints": False}), release("1.36", DRADeviceTaints=False)):
        assert fits(bad(), profile=profile)


def test_a_tainted_device_is_skipped() -> None:
    world = allocator(slice_of(bad("a"), device("b"), bad("c")))
    assert allocated_devices(world.allocate(NODE, [claim("c")])) == [["r0 b"]]
    assert isinstance(world.allocate(NODE, [claim("c", request(count=2))]), Unallocatable)


def test_all_needs_every_taint_tolerated() -> None:
    world = allocator(slice_of(bad("a"), device("b")))
    assert isinstance(world.allocate(NODE, [claim("c", request(mode="All"))]), Unallocatable)
    tolerant = claim("c", request(mode="All", tolerations=[ANY]))
    assert allocated_devices(world.allocate(NODE, [tolerant])) == [["r0 a", "r0 b"]]


# Tolerations.


@pytest.mark.parametrize(
    ("toleration", "tolerated"),
    [
        (tolerating(), True),
        (tolerating(operator="Exists"), True),
        (tolerating(operator="Equal"), True),
        (tolerating("broken", "Exists"), True),
        (tolerating("broken", "Equal", "fan"), True),
        (tolerating("broken", value="fan"), True),
        (tolerating("broken", value="fans"), False),
        (tolerating("broken", value="Fan"), False),
        (tolerating("broken"), False),
        (tolerating("Broken", "Exists"), False),
        (tolerating("broke", "Exists"), False),
        (tolerating(value="fan"), True),
        (tolerating(value="belt"), False),
        (tolerating("broken", "Exists", "belt"), True),
        (tolerating("broken", "Near", "fan"), False),
        (tolerating("broken", "Exists", effect="NoSchedule"), True),
        (tolerating("broken", "Exists", effect="NoExecute"), False),
        (tolerating(operator="Exists", effect="NoSchedule"), True),
        (tolerating(operator="Exists", effect="NoExecute"), False),
        (tolerating(effect="NoSchedule"), True),
        (tolerating(effect="NoExecute"), False),
    ],
)
def test_what_a_toleration_tolerates(toleration: DeviceToleration, tolerated: bool) -> None:
    assert fits(bad(), toleration) is tolerated


@pytest.mark.parametrize("profile", [KEP, release("1.36")], ids=["kep", "1.36"])
def test_an_empty_toleration(profile: Profile) -> None:
    """By the specification it tolerates everything; releases compare the empty value."""
    assert fits(bad(), tolerating(), profile=profile) is (profile is KEP)
    assert fits(bad("a", "broken:NoSchedule"), tolerating(), profile=profile)


def test_every_taint_must_be_tolerated() -> None:
    two = bad("a", BAD, "cold:NoExecute")
    fan, cold = tolerating("broken", "Exists"), tolerating("cold", "Exists")
    assert not fits(two, fan)
    assert not fits(two, cold)
    assert fits(two, fan, cold)
    assert fits(two, cold, fan)
    assert fits(bad("a", BAD, "cold:None"), fan)


def test_tolerations_apply_to_one_request_or_subrequest() -> None:
    world = allocator(slice_of(bad("a"), device("b"), bad("c")))
    mine = claim("c", request("x", tolerations=[ANY]), request("y"))
    assert allocated_devices(world.allocate(NODE, [mine])) == [["x a", "y b"]]
    apart = [claim("c", request(tolerations=[ANY])), claim("d"), claim("e")]
    assert isinstance(world.allocate(NODE, apart), Unallocatable)
    listed = claim("c", first_of("r", sub("two", count=2), sub("bold", count=2, tolerations=[ANY])))
    assert allocated_devices(world.allocate(NODE, [listed])) == [["r/bold a", "r/bold b"]]


@pytest.mark.parametrize(("minor", "recorded"), [("kep", True), ("1.34", False), ("1.35", True)])
def test_tolerations_are_recorded(minor: str, recorded: bool) -> None:
    profile = KEP if minor == "kep" else release(minor, DRADeviceTaints=True)
    asked = (tolerating("broken", "Exists"), tolerating("cold", value="x", effect="NoExecute"))
    world = allocator(slice_of(device("a")), profile=profile)
    [result] = results(world.allocate(NODE, [claim("c", request(tolerations=asked))]))
    assert result.tolerations == (asked if recorded else ())
    if profile is KEP:
        listed = claim(
            "c", first_of("r", sub("no", {"bw": "1"}, tolerations=[ANY]), sub("s", tolerations=asked))
        )
        [other] = results(world.allocate(NODE, [listed]))
        assert (other.request, other.tolerations) == ("r/s", asked)


def test_taints_are_checked_before_constraints() -> None:
    tainted = device("a", taints=[BAD], attributes={"kind": 1})
    world = allocator(
        slice_of(tainted, device("b", attributes={"kind": 2}), device("c", attributes={"kind": 2}))
    )
    alike = claim("c", request(count=2), constraints=[match(f"{DRIVER}/kind")])
    assert allocated_devices(world.allocate(NODE, [alike])) == [["r0 b", "r0 c"]]


# DeviceTaintRules.


PLACES = {"a": ("pool-1", DRIVER), "b": ("pool-1", DRIVER), "c": ("pool-2", DRIVER), "d": ("pool-1", OTHER)}


def left(*rules: DeviceTaintRule, profile: Profile = KEP) -> str:
    """Return the devices that the rules do not taint, of a and b in pool-1, c in pool-2, d of another driver."""
    world = allocator(
        slice_of(device("a", attributes={"id": 1}), device("b", attributes={"id": 2})),
        slice_of(device("c", attributes={"id": 1}), pool="pool-2"),
        slice_of(device("d", attributes={"id": 2}), driver=OTHER),
        class_of("ours", f'device.driver == "{DRIVER}"', f'device.attributes["{DRIVER}"].id == 1'),
        *rules,
        profile=profile,
    )
    found = ""
    for name in PLACES:
        others = [
            allocated_claim(other_name, pool=pool, driver=driver)
            for other_name, (pool, driver) in PLACES.items()
            if other_name != name
        ]
        if not isinstance(world.allocate(NODE, [claim("c")], others), Unallocatable):
            found += name
    return found


BY_ID = [f'device.driver == "{DRIVER}" && device.attributes["{DRIVER}"].id == 1']


@pytest.mark.parametrize(
    ("taint_rule", "remaining"),
    [
        pytest.param(rule(BAD), "abcd", id="no selector"),
        pytest.param(rule(BAD, everywhere=True), "", id="an empty selector"),
        pytest.param(rule(BAD, driver=DRIVER), "d", id="driver"),
        pytest.param(rule(BAD, driver="none.example.com"), "abcd", id="no such driver"),
        pytest.param(rule(BAD, pool="pool-1"), "c", id="pool"),
        pytest.param(rule(BAD, device="a"), "bcd", id="device"),
        pytest.param(rule(BAD, driver=DRIVER, pool="pool-1"), "cd", id="driver and pool"),
        pytest.param(rule(BAD, driver=OTHER, device="a"), "abcd", id="driver and a device of another"),
        pytest.param(rule(BAD, driver=DRIVER, pool="pool-1", device="b"), "acd", id="all three"),
        pytest.param(rule(BAD, device_class_name="ours"), "bd", id="class"),
        pytest.param(rule(BAD, device_class_name="ours", pool="pool-2"), "abd", id="class and pool"),
        pytest.param(rule(BAD, device_class_name="none"), "abcd", id="no such class"),
        pytest.param(rule(BAD, where=BY_ID), "bd", id="expression"),
        pytest.param(rule(BAD, where=[*BY_ID, "false"]), "abcd", id="two expressions, one false"),
        pytest.param(rule(BAD, where=["device.nonsense"]), "abcd", id="an expression that is wrong"),
        pytest.param(
            rule(BAD, where=[f'device.attributes["{DRIVER}"].id == 1']),
            "bd",
            id="an expression that fails on one",
        ),
        pytest.param(rule("broken=fan:None", everywhere=True), "abcd", id="an effect that keeps nobody away"),
    ],
)
def test_which_devices_a_rule_taints(taint_rule: DeviceTaintRule, remaining: str) -> None:
    assert left(taint_rule) == remaining


def test_rules_add_up() -> None:
    two = (rule(BAD, name="one", device="a"), rule("cold:NoExecute", name="two", device="b"))
    assert left(*two) == "cd"
    fan, cold = tolerating("broken", "Exists"), tolerating("cold", "Exists")
    both = (rule(BAD, name="one", device="a"), rule("cold:NoExecute", name="two", device="a"))
    world = allocator(slice_of(device("a", taints=["own:NoSchedule"])), *both)
    for tolerations, enough in (([fan, cold], False), ([fan, cold, tolerating("own", "Exists")], True)):
        decision = world.allocate(NODE, [claim("c", request(tolerations=tolerations))])
        assert isinstance(decision, Unallocatable) is not enough


def test_rules_do_not_change_the_input() -> None:
    published = slice_of(device("a"))
    allocator(published, rule(BAD, everywhere=True)).allocate(NODE, [claim("c")])
    assert published == slice_of(device("a"))


@pytest.mark.parametrize(
    ("profile", "remaining"),
    [
        (KEP.with_gates({"DRADeviceTaintRules": False}), "abcd"),
        (KEP.with_gates({"DRADeviceTaints": False}), "abcd"),
        (release("1.36"), "abcd"),
        (release("1.36", DRADeviceTaintRules=True), "bcd"),
        (release("1.37"), "bcd"),
        (release("1.37", DRADeviceTaintRules=False), "abcd"),
        (release("1.34"), "abcd"),
        (release("1.34", DRADeviceTaints=True), "bcd"),
        (release("1.35", DRADeviceTaints=True), "abcd"),
    ],
)
def test_the_gates_of_rules(profile: Profile, remaining: str) -> None:
    assert left(rule(BAD, device="a"), profile=profile) == remaining


IN = {
    "kep": KEP,
    "1.34": release("1.34", DRADeviceTaints=True),
    "1.36": release("1.36", DRADeviceTaintRules=True),
    "1.37": release("1.37"),
}


@pytest.mark.parametrize(
    ("taint_rule", "remaining"),
    [
        pytest.param(rule(BAD), {"kep": "abcd", "1.34": "", "1.36": "", "1.37": "abcd"}, id="no selector"),
        pytest.param(rule(BAD, everywhere=True), dict.fromkeys(IN, ""), id="an empty selector"),
        pytest.param(
            rule(BAD, device_class_name="ours"),
            {"kep": "bd", "1.34": "bd", "1.36": "", "1.37": ""},
            id="class",
        ),
        pytest.param(
            rule(BAD, where=BY_ID, pool="pool-1"),
            {"kep": "bcd", "1.34": "bcd", "1.36": "c", "1.37": "c"},
            id="expression",
        ),
    ],
)
def test_rules_in_releases(taint_rule: DeviceTaintRule, remaining: Mapping[str, str]) -> None:
    assert {name: left(taint_rule, profile=profile) for name, profile in IN.items()} == remaining


# Explanations.


@pytest.mark.parametrize(
    ("taint", "words"), [(BAD, "broken=fan:NoSchedule"), ("cold:NoExecute", "cold:NoExecute")]
)
def test_the_reason_names_the_taint(taint: str, words: str) -> None:
    for world in (
        allocator(slice_of(bad("a", taint))),
        allocator(slice_of(device("a")), rule(taint, device="a")),
    ):
        decision = world.allocate(NODE, [claim("c")], explain=True)
        assert isinstance(decision, Unallocatable)
        assert decision.reasons[0].category == "TaintNotTolerated"
        assert words in decision.reasons[0].message
        assert decision.reasons[0].device == f"{DRIVER}/pool-1/a"
