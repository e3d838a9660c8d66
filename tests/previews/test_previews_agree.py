"""`dra-conform allocate` and `dra-conform schedule` report equal allocations."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from dra_conform.cli import main
from dra_conform.kube.json_values import Json
from tests.support.previews.clusters import CLASS, TEMPLATE, claim, named, node, pod, templated

WANTED = "containers: [{name: c, image: i, resources: {requests: {cpu: '%s'}}}]"


def machine(name: str, cpu: int, devices: int, *, tainted: bool = False) -> str:
    """Return a node with CPU and devices."""
    taints = "spec: {taints: [{key: k, effect: NoSchedule}]}\n" if tainted else ""
    return node(name, devices=devices).replace(
        "---\n", f"{taints}status: {{allocatable: {{cpu: '{cpu}'}}}}\n---\n", 1
    )


def asking(name: str, cpu: int, *entries: str, tolerant: bool = False) -> str:
    """Return a pod with a CPU request and claims."""
    tolerations = ", tolerations: [{operator: Exists}]" if tolerant else ""
    return pod(name, *entries, more=WANTED % cpu + tolerations)


class Previews:
    """Runs both commands on the same files."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._folder = folder
        self._capsys = capsys

    def __call__(self, command: str, *files: str) -> Mapping[str, Json]:
        """Return the allocation of each claim by name, None if it is unallocated."""
        paths = []
        for number, text in enumerate(files):
            path = self._folder / f"{number}.yaml"
            path.write_text(text, "utf-8")
            paths += ["-f", str(path)]
        assert main([command, *paths, "-o", "json"]) in (0, 1)
        items = json.loads(self._capsys.readouterr().out)["items"]
        return {
            one["metadata"]["name"]: one.get("status", {}).get("allocation")
            for one in items
            if one["kind"] == "ResourceClaim"
        }


@pytest.fixture
def previews(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Previews:
    return Previews(tmp_path, capsys)


def pool_of(allocation: Json) -> str:
    return "" if allocation is None else allocation["devices"]["results"][0]["pool"]


def test_full_and_tainted_nodes(previews: Previews) -> None:
    """Neither preview allocates free devices to a pod that the node rejects."""
    documents = (
        CLASS,
        TEMPLATE,
        machine("small", 4, 2),
        machine("closed", 64, 2, tainted=True),
        machine("empty", 64, 0),
        *map(claim, ("large", "tolerant", "shared", "alone")),
        asking("large", 9, named("c", "large")),
        asking("tolerant", 9, named("c", "tolerant"), tolerant=True),
        asking("first", 2, named("c", "shared")),
        asking("second", 1, named("c", "shared"), templated("own")),
        asking("third", 2, templated("own")),
    )
    allocated = previews("allocate", "---\n".join(documents))
    pools = {name.rpartition("-own-")[0] or name: pool_of(one) for name, one in allocated.items()}
    assert pools == {
        "large": "",
        "tolerant": "closed",
        "shared": "small",
        "second": "small",
        "third": "",
        "alone": "",
    }
    scheduled = previews("schedule", "---\n".join(documents))
    assert scheduled == allocated


@pytest.mark.parametrize("seed", range(25))
def test_random_manifests(seed: int, previews: Previews) -> None:
    """A claim that no pod uses is allocated as if a pod without requests came last."""
    chance = random.Random(seed)
    names = [f"c{number}" for number in range(4)]
    used = chance.sample(names, 2)
    documents = [
        CLASS,
        TEMPLATE,
        *_machines(chance),
        *map(claim, names),
        asking("first", 1, templated("own")),
        *(_asking(chance, number, used) for number in range(chance.randint(2, 6))),
    ]
    users = [name for name in names if not any(f"resourceClaimName: {name}}}" in one for one in documents)]
    last = "---\n".join(pod(f"last-{name}", named("c", name)) for name in users)
    allocated = previews("allocate", "---\n".join(documents))
    assert previews("schedule", "---\n".join(documents), *([last] if last else [])) == allocated


def _machines(chance: random.Random) -> Iterator[str]:
    for number in range(3):
        name = f"node-{number}"
        yield machine(name, chance.randint(1, 4), chance.randint(0, 2), tainted=chance.random() < 0.3)


def _asking(chance: random.Random, number: int, claims: list[str]) -> str:
    entries = [templated("own")] if chance.random() < 0.6 else []
    entries += [named("shared", chance.choice(claims))] if chance.random() < 0.6 else []
    return asking(f"p{number}", chance.randint(1, 5), *entries, tolerant=chance.random() < 0.3)
