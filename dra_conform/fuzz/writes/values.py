"""Values of fields that several kinds have."""

from __future__ import annotations

from dra_conform.fuzz.writes.shapes import Entries, Items, Scalar, StructShape

LONG = "x" * 300
BOOLEAN = Scalar((True, False))
LABEL = Scalar(("a", "b", "abc-1"), ("", "Upper", "under_score", "-a", "a.b", "a" * 64, LONG))
NAME = Scalar(("a", "a.b", "abc-1"), ("", "Upper", "a..b", "a/b", LONG))
DRIVER = Scalar(
    ("dra.example.com", "dra.example.com", "d"),
    ("", "_", "Dra.Example.com", "-x", "a" * 63, "a" * 64, f"{'a' * 40}.{'b' * 40}"),
)
POOL = Scalar(("a", "a/b", "pool.x"), ("", "/", "a//b", "a/B", "a" * 253, "a/" * 127 + "a", "_"))
QUALIFIED = Scalar(
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
FULL = Scalar(("dra.example.com/model", "x/y"), (*QUALIFIED.invalid, "model"))
QUANTITY = Scalar(
    ("1", "2", "10", "1Gi", "100m", "0", 5, "1500m", "1e3"),
    ("-1", "-100m", "", "abc", "1.5", True, "1000000000000000000000", "9223372036854775807", "1n", "10Ei"),
)
UID = Scalar(("u", "6ba7b810-9dad-41d1-80b4-00c04fd430c8"), ("", LONG))
SHARE_ID = Scalar(
    ("6ba7b810-9dad-41d1-80b4-00c04fd430c8", "6ba7b810-9dad-41d1-80b4-00c04fd430c9"),
    ("", "x", "6BA7B810-9DAD-41D1-80B4-00C04FD430C8", "6ba7b8109dad41d180b400c04fd430c8", LONG),
)
TIME = Scalar(("2026-02-03T04:05:06Z", "2025-06-07T08:09:10Z"), ("", "yesterday", "2026-01-01", 7))
LABEL_KEY = Scalar(("key", "example.com/key"), ("", "/", "a b", "a/b/c", "Up.X/key", "a" * 64))
LABEL_VALUE = Scalar(("v", "", "V-1"), ("a b", "a" * 64, "-"))
EFFECT = Scalar(("NoSchedule", "NoExecute"), ("None", "", "PreferNoSchedule", "noschedule"))

EXPRESSION = Scalar(
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
SELECTORS = Items(StructShape({"cel": StructShape({"expression": EXPRESSION})}), limit=32)
TOLERATIONS = Items(
    StructShape(
        either=(
            {"operator": Scalar(("Exists",), ("Never", "")), "key": LABEL_KEY},
            {"key": LABEL_KEY, "value": LABEL_VALUE},
            {"operator": Scalar(("Equal",), ("equal",)), "key": LABEL_KEY, "value": LABEL_VALUE},
            {"operator": Scalar(("Exists",))},
        ),
        optional={"effect": EFFECT, "tolerationSeconds": Scalar((0, 5, -1), ("5", 1.5))},
    ),
    limit=16,
)
PARAMETERS = Scalar(
    ({"a": 1}, {}, {"x": {"y": ["z"]}}),
    (None, "text", [1], 7, {"x": "y" * 10240}, {"x": "y" * 10233}, {"x": "y" * 10232}),
)
OPAQUE = StructShape({"driver": DRIVER, "parameters": PARAMETERS})
REFERENCE = Scalar(("a",), ("b", "a/a", "a/b", "c", "", "a/b/c", "Upper", "A/b"))
REFERENCES = Items(REFERENCE, most=1, limit=32)

CONDITION = StructShape(
    {
        "type": Scalar(("Ready", "example.com/Ready"), ("", "a b", "/")),
        "status": Scalar(("True", "False", "Unknown"), ("", "true", "Maybe")),
        "reason": Scalar(("Because",), ("", "a b", "9x", "x" * 1025)),
        "message": Scalar(("", "words"), ("x" * 32769,)),
        "lastTransitionTime": TIME,
    },
    {"observedGeneration": Scalar((0, 3), (-1, "3"))},
)

REQUIREMENT = StructShape(
    {"key": LABEL_KEY},
    either=(
        {"operator": Scalar(("In",), ("", "Is", "Gt", "DoesNotExist")), "values": Items(LABEL_VALUE)},
        {"operator": Scalar(("Exists", "DoesNotExist"), ("In", "NotIn"))},
        {
            "operator": Scalar(("Gt", "Lt"), ("In", "Exists")),
            "values": Scalar((["1"],), (["x"], [], ["1", "2"])),
        },
    ),
)
NODE_FIELD = StructShape(
    {
        "key": Scalar(("metadata.name",), ("", "metadata.labels")),
        "operator": Scalar(("In",), ("Exists", "NotIn", "Gt")),
        "values": Scalar((["node-1"],), ([], ["a", "b"], ["Upper"])),
    }
)
TERM = StructShape(
    either=(
        {"matchExpressions": Items(REQUIREMENT)},
        {"matchFields": Items(NODE_FIELD, most=1)},
        {"matchExpressions": Items(REQUIREMENT), "matchFields": Items(NODE_FIELD, most=1)},
    )
)
NODE_SELECTOR = StructShape({"nodeSelectorTerms": Items(TERM, most=1, limit=1)})

_OWNER = StructShape(
    {
        "apiVersion": Scalar(("v1", "apps/v1"), ("", "a/b/c", "/")),
        "kind": Scalar(("Pod",), ("", "Event")),
        "name": Scalar(("p",), ("",)),
        "uid": Scalar(("u",), ("",)),
    },
    {"controller": BOOLEAN, "blockOwnerDeletion": BOOLEAN},
)
METADATA = StructShape(
    {"name": Scalar(("x",), ("", "Upper", "a..b", "a/b", LONG, "x" * 253, "x" * 254))},
    {
        "labels": Entries(LABEL_KEY, LABEL_VALUE),
        "annotations": Entries(LABEL_KEY, Scalar(("", "some words"))),
        "finalizers": Items(Scalar(("example.com/f", "foregroundDeletion"), ("", "f", "a b", "orphan"))),
        "ownerReferences": Items(_OWNER),
        "generateName": Scalar(("x-",), ("Upper-", "a..")),
    },
)
