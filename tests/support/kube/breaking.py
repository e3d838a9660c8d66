"""Manifests of every kind, and random changes that may make them invalid."""

from __future__ import annotations

import random
from collections.abc import Callable

MANIFESTS = (
    """\
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: worker-1-nic, labels: {a: b}}
spec:
  driver: net.example.com
  nodeName: worker-1
  pool: {name: worker-1, generation: 1, resourceSliceCount: 1}
  devices:
  - name: nic-0
    allowMultipleAllocations: true
    attributes:
      model: {string: LATEST}
      numa: {int: 0}
      driverVersion: {version: 1.0.0}
    capacity:
      bandwidth:
        value: 100G
        requestPolicy: {default: 1G, validRange: {min: 100M, max: 100G, step: 1M}}
      vfs: {value: '100', requestPolicy: {default: '1', validValues: ['1', 2]}}
""",
    """\
apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaimTemplate
metadata: {name: nic}
spec:
  spec:
    devices:
      requests:
      - name: nic
        deviceClassName: net.example.com
        count: 2
        selectors:
        - cel: {expression: "device.driver == 'net.example.com'"}
        capacity: {requests: {bandwidth: 5G}}
      constraints:
      - {requests: [nic], matchAttribute: net.example.com/numa}
      config:
      - opaque: {driver: net.example.com, parameters: {a: [1, 2.5, {b: c}]}}
""",
    """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: c, image: x, resources: {limits: {cpu: 500m}, claims: [{name: nic}]}}
      resourceClaims:
      - {name: nic, resourceClaimTemplateName: nic}
---
{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "worker-1"}, "status": {"allocatable": {"cpu": "16"}}}
""",
    """\
{
  "apiVersion": "resource.k8s.io/v1",
  "kind": "ResourceClaim",
  "metadata": {"name": "c", "annotations": {"a": "\\ud83d\\ude00"}},
  "spec": {"devices": {"requests": [
    {"name": "r", "exactly": {"deviceClassName": "x", "count": 2, "capacity": {"requests": {"m": 1.5}}}}
  ], "constraints": null}}
}
""",
)

VALUES = (
    "null", "[]", "{}", "true", "-1", "1e400", "0x10", "''", "'\\u0000'", "99999999999999999999", "1.5", "!!str 1",
    "*a", "&a [*a]", "|", "<<: 1", "[[[[", "}", "\t", "\x00", "\ud7ff", "80Gx", "\"\\ud800\"", "2001-01-01", "~",
)  # fmt: skip


def _flip(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text))
    return (
        text[:at] + chr(chance.choice((chance.randrange(1, 128), chance.randrange(0xD7FF)))) + text[at + 1 :]
    )


def _cut(text: str, chance: random.Random) -> str:
    return text[: chance.randrange(len(text))]


def _swap_value(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    head, colon, _ = lines[at].partition(":")
    lines[at] = head + colon + " " + chance.choice(VALUES)
    return "\n".join(lines)


def _drop_line(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    del lines[chance.randrange(len(lines))]
    return "\n".join(lines)


def _double_line(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    return "\n".join([*lines[:at], lines[at], *lines[at:]])


def _shift_line(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    lines[at] = " " * chance.randrange(8) + lines[at].lstrip()
    return "\n".join(lines)


def _rename(text: str, chance: random.Random) -> str:
    words = [word for word in text.replace("{", " ").split() if word.endswith(":")] or [text[:1]]
    return text.replace(chance.choice(words), chance.choice(words) if chance.random() < 0.5 else "bogus:", 1)


def _deepen(text: str, chance: random.Random) -> str:
    depth = chance.choice((5, 99, 150, 2000))
    return text.replace(": ", ": " + "[" * depth, 1) + "]" * depth


MUTATIONS: tuple[Callable[[str, random.Random], str], ...] = (
    _flip, _cut, _swap_value, _swap_value, _drop_line, _double_line, _shift_line, _rename, _rename, _deepen,
)  # fmt: skip


def broken(chance: random.Random) -> str:
    """Return a manifest with one to three random changes. Some results are still valid."""
    text = chance.choice(MANIFESTS)
    for _ in range(chance.randrange(1, 4)):
        text = chance.choice(MUTATIONS)(text, chance) or "a: 1"
    return text
