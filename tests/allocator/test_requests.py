"""Requests: counts, classes, selectors, subrequests, allocationMode All, configuration, and their errors."""

from __future__ import annotations

import msgspec
import pytest

from dra_conform.allocator import Allocated, Decision, Failed, Unallocatable
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import (
    Device,
    DeviceClass,
    DeviceConstraint,
    DeviceRequest,
    DeviceSelector,
    ResourceClaim,
)
from tests.support.allocator.worlds import (
    DRIVER,
    KEP,
    allocated_claim,
    allocated_devices,
    allocator,
    claim,
    claim_config,
    class_of,
    device,
    first_of,
    match,
    node,
    request,
    slice_of,
    sub,
)

NODE = node()
SIZE = f'device.attributes["{DRIVER}"].size'
MODEL = f'device.attributes["{DRIVER}"].model'


def sized(name: str, size: int) -> Device:
    return device(name, attributes={"size": size})


def failed(decision: Decision) -> Failed:
    assert isinstance(decision, Failed), decision
    return decision


def test_no_claims_and_no_requests() -> None:
    world = allocator(slice_of(device("a")))
    assert world.allocate(NODE, []) == Allocated((), steps=1)
    bare = claim("c")
    bare = msgspec.structs.replace(
        bare,
        spec=msgspec.structs.replace(
            bare.spec, devices=msgspec.structs.replace(bare.spec.devices, requests=())
        ),
    )
    decision = world.allocate(NODE, [bare])
    assert allocated_devices(decision) == [[]]
    assert decision.allocations[0].node_selector is None  # type: ignore[union-attr] # checked by given


def test_claims_are_allocated_together_or_not_at_all() -> None:
    world = allocator(slice_of(device("a")))
    assert isinstance(world.allocate(NODE, [claim("c"), claim("d")]), Unallocatable)
    assert allocated_devices(world.allocate(NODE, [claim("c")])) == [["r0 a"]]


def test_the_search_backtracks_within_a_claim_and_across_claims() -> None:
    world = allocator(slice_of(sized("large", 9), sized("small", 1)))
    small, large = request("small"), request("large", where=[f"{SIZE} > 5"])
    assert allocated_devices(world.allocate(NODE, [claim("c", small, large)])) == [
        ["small small", "large large"]
    ]
    assert allocated_devices(world.allocate(NODE, [claim("c", small), claim("d", large)])) == [
        ["small small"],
        ["large large"],
    ]


def test_devices_in_use_are_not_allocated() -> None:
    world = allocator(slice_of(device("a"), device("b")))
    assert allocated_devices(world.allocate(NODE, [claim("c")], [allocated_claim("a")])) == [["r0 b"]]
    assert allocated_devices(world.allocate(NODE, [claim("c")], [allocated_claim("a", pool="pool-2")])) == [
        ["r0 a"]
    ]
    assert isinstance(
        world.allocate(NODE, [claim("c")], [allocated_claim("a"), allocated_claim("b")]), Unallocatable
    )


def test_the_limit_of_32_devices() -> None:
    world = allocator(slice_of(*(device(f"d{n}") for n in range(40))))
    assert len(allocated_devices(world.allocate(NODE, [claim("c", request(count=32))]))[0]) == 32
    for requests in ([request(count=33)], [request("a", count=32), request("b")]):
        decision = failed(world.allocate(NODE, [claim("c", *requests)]))
        assert decision.category == "ClaimLimitExceeded"
        assert decision.message == (
            "claim default/c: number of requested devices 33 exceeds the claim limit of 32"
        )


def test_selectors_of_class_and_request_all_apply() -> None:
    world = allocator(
        slice_of(sized("a", 1), sized("b", 3), sized("c", 9)), class_of("mid", f"{SIZE} > 1", f"{SIZE} < 9")
    )
    assert allocated_devices(world.allocate(NODE, [claim("c", request(of="mid"))])) == [["r0 b"]]
    none = world.allocate(NODE, [claim("c", request(of="mid", where=[f"{SIZE} > 3"]))])
    assert isinstance(none, Unallocatable)


@pytest.mark.parametrize(
    ("asked", "category", "words"),
    [
        (request(of="ghost"), "ClassNotFound", "request r0: could not retrieve device class ghost"),
        (request(of=""), "UnsupportedRequest", "request r0: missing device class name"),
        (request(mode="Some"), "UnsupportedRequest", "request r0: unsupported count mode Some"),
        (DeviceRequest(name="r0"), "UnsupportedRequest", "request r0: unknown request type"),
        (
            first_of("r0", sub("s0"), sub("s1", of="ghost")),
            "ClassNotFound",
            "request s1: could not retrieve device class ghost",
        ),
        (
            request(where=["device.nothing"]),
            "SelectorCompileError",
            "claim default/c: selector #0: CEL compile error",
        ),
        (
            request(where=[f"{MODEL} == 'x'"]),
            "SelectorRuntimeError",
            f"claim default/c: selector #0: CEL runtime error on device {DRIVER}/pool-1/a: no such key: model",
        ),
    ],
)
def test_errors(asked: DeviceRequest, category: str, words: str) -> None:
    decision = failed(allocator(slice_of(device("a"))).allocate(NODE, [claim("c", asked)]))
    assert decision.category == category
    assert words in decision.message


def test_a_selector_without_cel() -> None:
    asked = request()
    exactly = msgspec.structs.replace(asked.exactly, selectors=(DeviceSelector(),))  # type: ignore[type-var] # an exact request
    wrong = msgspec.structs.replace(asked, exactly=exactly)
    decision = failed(allocator(slice_of(device("a"))).allocate(NODE, [claim("c", wrong)]))
    assert "selector #0: CEL expression empty" in decision.message


def test_a_selector_error_counts_only_if_the_search_reaches_the_device() -> None:
    broken = request(where=[f"{MODEL} == 'x'"])
    modelled = device("m", attributes={"model": "x"})
    assert allocated_devices(
        allocator(slice_of(modelled, device("a"))).allocate(NODE, [claim("c", broken)])
    ) == [["r0 m"]]
    world = allocator(slice_of(device("a"), modelled))
    assert failed(world.allocate(NODE, [claim("c", broken)])).category == "SelectorRuntimeError"
    assert allocated_devices(world.allocate(NODE, [claim("c", broken)], [allocated_claim("a")])) == [["r0 m"]]
    nonsense = request(where=["device.nothing"])
    assert isinstance(allocator().allocate(NODE, [claim("c", nonsense)]), Unallocatable)


def test_a_class_selector_error_names_the_class() -> None:
    world = allocator(slice_of(device("a")), class_of("x", "true", f"{MODEL} == 'x'"))
    decision = failed(world.allocate(NODE, [claim("c", request(of="x"))]))
    assert decision.message.startswith("class x: selector #1: CEL runtime error")


def test_errors_are_found_in_requests_then_the_limit_then_constraints() -> None:
    world = allocator(slice_of(device("a")))
    empty = DeviceConstraint()
    both = claim("c", request("a", count=33), request("b", of="ghost"), constraints=[empty])
    assert failed(world.allocate(NODE, [both])).category == "ClassNotFound"
    big = claim("c", request("a", count=33), constraints=[empty])
    assert failed(world.allocate(NODE, [big])).category == "ClaimLimitExceeded"
    only = failed(world.allocate(NODE, [claim("c", constraints=[match("x/y"), empty])]))
    assert (only.category, only.message) == (
        "ConstraintInvalid",
        "claim default/c, constraint #1: empty constraint (unsupported constraint type?)",
    )


# Prioritized lists.


def test_the_first_subrequest_that_fits_is_chosen() -> None:
    world = allocator(slice_of(sized("a", 1), sized("b", 5)))
    asked = first_of("r", sub("huge", where=[f"{SIZE} > 9"]), sub("large", where=[f"{SIZE} > 3"]), sub("any"))
    assert allocated_devices(world.allocate(NODE, [claim("c", asked)])) == [["r/large b"]]
    assert allocated_devices(world.allocate(NODE, [claim("c", asked)], [allocated_claim("b")])) == [
        ["r/any a"]
    ]


def test_an_earlier_prioritized_list_falls_back_for_a_later_request() -> None:
    world = allocator(slice_of(sized("a", 5), sized("b", 1)))
    asked = claim("c", first_of("r", sub("two", count=2), sub("one")), request("s", where=[f"{SIZE} > 3"]))
    assert allocated_devices(world.allocate(NODE, [asked])) == [["r/one b", "s a"]]


def test_a_list_with_the_gate_off() -> None:
    off = KEP.with_gates({"DRAPrioritizedList": False})
    decision = failed(
        allocator(slice_of(device("a")), profile=off).allocate(NODE, [claim("c", first_of("r", sub("s")))])
    )
    assert decision.category == "FeatureDisabled"
    assert decision.message == (
        "claim default/c, request r: has subrequests, but the DRAPrioritizedList feature is disabled"
    )


# Mode All.


def test_all_takes_every_matching_device() -> None:
    world = allocator(
        slice_of(sized("a", 1), sized("b", 2)),
        slice_of(sized("c", 3), pool="pool-2"),
        class_of("big", f"{SIZE} > 1"),
    )
    asked = claim("c", request(of="big", mode="All"))
    assert allocated_devices(world.allocate(NODE, [asked])) == [["r0 b", "r0 c"]]
    assert isinstance(world.allocate(NODE, [asked], [allocated_claim("b")]), Unallocatable)
    assert allocated_devices(world.allocate(NODE, [asked], [allocated_claim("a")])) == [["r0 b", "r0 c"]]


def test_an_earlier_request_backtracks_for_mode_all() -> None:
    world = allocator(slice_of(sized("a", 5), sized("b", 1)))
    asked = claim("c", request("one"), request("rest", mode="All", where=[f"{SIZE} > 3"]))
    assert allocated_devices(world.allocate(NODE, [asked])) == [["one b", "rest a"]]


def test_mode_all_fails_if_no_device_matches() -> None:
    world = allocator(slice_of(device("a")))
    none = request(mode="All", where=["false"])
    assert isinstance(world.allocate(NODE, [claim("c", none)]), Unallocatable)
    listed = first_of("r", sub("all", mode="All", where=["false"]), sub("one"))
    assert allocated_devices(world.allocate(NODE, [claim("c", listed)])) == [["r/one a"]]


def test_all_does_not_see_an_obsolete_pool() -> None:
    moved = (
        slice_of(device("a"), pool="z", name="s1", of=2),
        slice_of(device("b"), pool="z", name="s2", on="node-2", generation=2),
    )
    decision = allocator(slice_of(device("c")), *moved).allocate(NODE, [claim("c", request(mode="All"))])
    assert allocated_devices(decision) == [["r0 c"]]


def test_all_needs_every_visible_pool() -> None:
    for extra, category, word in (
        (
            slice_of(device("b"), pool="z", driver="other.example.com", of=2),
            "PoolIncomplete",
            "being updated",
        ),
        (slice_of(device("b"), device("b"), pool="z"), "PoolInvalid", "invalid"),
    ):
        decision = failed(
            allocator(slice_of(device("a")), extra).allocate(NODE, [claim("c", request(mode="All"))])
        )
        assert decision.category == category
        assert decision.message.endswith(f"is currently {word}")


# Configuration.


def _recorded(decision: Decision) -> list[tuple[str, tuple[str, ...], str]]:
    allocated_devices(decision)
    entries = decision.allocations[0].devices.config  # type: ignore[union-attr] # checked by given
    return [
        (entry.source, entry.requests, entry.opaque.parameters["set"]) for entry in entries if entry.opaque
    ]


def _configured(profile: Profile, asked: ResourceClaim) -> list[tuple[str, tuple[str, ...], str]]:
    classes: list[DeviceClass] = [class_of("x", config="of x"), class_of("y", config="of y")]
    world = allocator(slice_of(device("a"), device("b"), device("c")), *classes, profile=profile)
    return _recorded(world.allocate(NODE, [asked]))


def test_configuration_of_classes_comes_before_that_of_the_claim() -> None:
    asked = claim(
        "c",
        request("r0", of="x"),
        first_of("r1", sub("no", of="x", where=["false"]), sub("yes", of="y")),
        config=[
            claim_config("all"),
            claim_config("r1 only", "r1"),
            claim_config("not chosen", "r1/no"),
            claim_config("chosen", "r1/yes"),
        ],
    )
    assert _configured(KEP, asked) == [
        ("FromClass", ("r0",), "of x"),
        ("FromClass", ("r1/yes",), "of y"),
        ("FromClaim", (), "all"),
        ("FromClaim", ("r1",), "r1 only"),
        ("FromClaim", ("r1/yes",), "chosen"),
    ]


@pytest.mark.parametrize(
    ("profile", "of_class", "of_claim"),
    [
        ("kep", ("r0", "r1"), [("r0", "r1")]),
        ("kubernetes-1.34", ("r0", "r1"), [("r0", "r1"), ("r0", "r1")]),
        ("kubernetes-1.35", ("r0", "r1"), [("r0", "r1"), ("r0", "r1")]),
        ("kubernetes-1.36", ("r0", "r1"), [("r0", "r1"), ("r0", "r1")]),
        ("kubernetes-1.37", (), [()]),
    ],
)
def test_configuration_of_two_requests(
    profile: str, of_class: tuple[str, ...], of_claim: list[tuple[str, ...]]
) -> None:
    asked = claim(
        "c", request("r0", of="x"), request("r1", of="x"), config=[claim_config("both", "r0", "r1")]
    )
    assert _configured(Profile.named(profile), asked) == [
        ("FromClass", of_class, "of x"),
        *(("FromClaim", requests, "both") for requests in of_claim),
    ]
