"""Values that several kinds have."""

from __future__ import annotations

from tests.kube_control_plane.writes.shapes import Entries, Items, Struct, Value

LONG = "x" * 300
BOOLEAN = Value((True, False))
LABEL = Value(("a", "b", "abc-1"), ("", "Upper", "under_score", "-a", "a.b", "a" * 64, LONG))
NAME = Value(("a", "a.b", "abc-1"), ("", "Upper", "a..b", "a/b", LONG))
DRIVER = Value(
    ("dra.example.com", "dra.example.com", "d"),
    ("", "_", "Dra.Example.com", "-x", "a" * 63, "a" * 64, f"{'a' * 40}.{'b' * 40}"),
)
POOL = Value(("a", "a/b", "pool.x"), ("", "/", "a//b", "a/B", "a" * 253, "a/" * 127 + "a", "_"))
QUALIFIED = Value(
    ("model", "dra.example.com/model", "M_1"),
    (
        "",
        "/",
        "/x",
        "x/",
        "a-b",
        "1a",
        "a" * 32,
        "a" * 33,
        "a/b/c",
        f"{'d' * 64}/a",
        "Up.x/a",
        "under_score/a",
        "ä",
    ),
)
FULL = Value(("dra.example.com/model", "x/y"), (*QUALIFIED.invalid, "model"))
QUANTITY = Value(
    ("1", "2", "10", "1Gi", "100m", "0", 5, "1500m", "1e3"),
    ("-1", "-100m", "", "abc", "1.5", True, "1000000000000000000000", "9223372036854775807", "1n", "10Ei"),
)
UID = Value(("u", "6ba7b810-9dad-41d1-80b4-00c04fd430c8"), ("", LONG))
SHARE_ID = Value(
    ("6ba7b810-9dad-41d1-80b4-00c04fd430c8", "6ba7b810-9dad-41d1-80b4-00c04fd430c9"),
    ("", "x", "6BA7B810-9DAD-41D1-80B4-00C04FD430C8", "6ba7b8109dad41d180b400c04fd430c8", LONG),
)
TIME = Value(("2026-02-03T04:05:06Z", "2025-06-07T08:09:10Z"), ("", "yesterday", "2026-01-01", 7))
LABEL_KEY = Value(("key", "example.com/key"), ("", "/", "a b", "a/b/c", "Up.X/key", "a" * 64))
LABEL_VALUE = Value(("v", "", "V-1"), ("a b", "a" * 64, "-"))
EFFECT = Value(("NoSchedule", "NoExecute"), ("None", "", "PreferNoSchedule", "noschedule"))

EXPRESSION = Value(
    (
        "true",
        'device.driver == "dra.example.com"',
        'device.attributes["dra.example.com"].model == "a"',
        'device.capacity["dra.example.com"].mem.isGreaterThan(quantity("1Gi"))',
        "device.allowMultipleAllocations == true",
    ),
    (
        "",
        "device.driver ==",
        "1",
        "device.unknown",
        "x" * 10241,
        'device.attributes["dra.example.com"].models.includes("a")',
        'device.attributes.all(a, device.attributes.all(b, device.attributes.all(c, "x".matches("x*"))))',
    ),
)
SELECTORS = Items(Struct({"cel": Struct({"expression": EXPRESSION})}), limit=32)
TOLERATIONS = Items(
    Struct(
        either=(
            {"operator": Value(("Exists",), ("Never", "")), "key": LABEL_KEY},
            {"key": LABEL_KEY, "value": LABEL_VALUE},
            {"operator": Value(("Equal",), ("equal",)), "key": LABEL_KEY, "value": LABEL_VALUE},
            {"operator": Value(("Exists",))},
        ),
        optional={"effect": EFFECT, "tolerationSeconds": Value((0, 5, -1), ("5", 1.5))},
    ),
    limit=16,
)
PARAMETERS = Value(
    ({"a": 1}, {}, {"x": {"y": ["z"]}}),
    (None, "text", [1], 7, {"x": "y" * 10240}, {"x": "y" * 10233}, {"x": "y" * 10232}),
)
OPAQUE = Struct({"driver": DRIVER, "parameters": PARAMETERS})
REFERENCE = Value(("a",), ("b", "a/a", "a/b", "c", "", "a/b/c", "Upper", "A/b"))
REFERENCES = Items(REFERENCE, most=1, limit=32)

CONDITION = Struct(
    {
        "type": Value(("Ready", "example.com/Ready"), ("", "a b", "/")),
        "status": Value(("True", "False", "Unknown"), ("", "true", "Maybe")),
        "reason": Value(("Because",), ("", "a b", "9x", "x" * 1025)),
        "message": Value(("", "words"), ("x" * 32769,)),
        "lastTransitionTime": TIME,
    },
    {"observedGeneration": Value((0, 3), (-1, "3"))},
)

REQUIREMENT = Struct(
    {"key": LABEL_KEY},
    either=(
        {"operator": Value(("In",), ("", "Is", "Gt", "DoesNotExist")), "values": Items(LABEL_VALUE)},
        {"operator": Value(("Exists", "DoesNotExist"), ("In", "NotIn"))},
        {
            "operator": Value(("Gt", "Lt"), ("In", "Exists")),
            "values": Value((["1"],), (["x"], [], ["1", "2"])),
        },
    ),
)
NODE_FIELD = Struct(
    {
        "key": Value(("metadata.name",), ("", "metadata.labels")),
        "operator": Value(("In",), ("Exists", "NotIn", "Gt")),
        "values": Value((["node-1"],), ([], ["a", "b"], ["Upper"])),
    }
)
TERM = Struct(
    either=(
        {"matchExpressions": Items(REQUIREMENT)},
        {"matchFields": Items(NODE_FIELD, most=1)},
        {"matchExpressions": Items(REQUIREMENT), "matchFields": Items(NODE_FIELD, most=1)},
    )
)
NODE_SELECTOR = Struct({"nodeSelectorTerms": Items(TERM, most=1, limit=1)})

_OWNER = Struct(
    {
        "apiVersion": Value(("v1", "apps/v1"), ("", "a/b/c", "/")),
        "kind": Value(("Pod",), ("", "Event")),
        "name": Value(("p",), ("",)),
        "uid": Value(("u",), ("",)),
    },
    {"controller": BOOLEAN, "blockOwnerDeletion": BOOLEAN},
)
METADATA = Struct(
    {"name": Value(("x",), ("", "Upper", "a..b", "a/b", LONG, "x" * 253, "x" * 254))},
    {
        "labels": Entries(LABEL_KEY, LABEL_VALUE),
        "annotations": Entries(LABEL_KEY, Value(("", "some words"))),
        "finalizers": Items(Value(("example.com/f", "foregroundDeletion"), ("", "f", "a b", "orphan"))),
        "ownerReferences": Items(_OWNER),
        "generateName": Value(("x-",), ("Upper-", "a..")),
    },
)
