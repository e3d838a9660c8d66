"""Values that clusters generate are normalized."""

from __future__ import annotations

from dra_conform.fuzz.multi_step.object_normalizer import ObjectNormalizer
from dra_conform.kube.json_values import Json


def with_claim(name: str) -> Json:
    entry = {"name": "gpu", "resourceClaimName": name}
    metadata = {"name": "p", "namespace": "default"}
    return {"kind": "Pod", "metadata": metadata, "spec": {}, "status": {"resourceClaimStatuses": [entry]}}


def test_a_pod_names_a_deleted_generated_claim() -> None:
    normalized = []
    for name in ("p-gpu-abcde", "p-gpu-vwxyz"):
        normalizer = ObjectNormalizer("[]")
        normalizer.learn([with_claim(name)])
        normalized.append(normalizer.normalized(with_claim(name)))
    assert normalized[0] == normalized[1]
    assert normalized[0]["status"]["resourceClaimStatuses"][0]["resourceClaimName"] == "gpu of pod default/p"


def test_a_claim_of_the_scenario_keeps_its_name() -> None:
    normalizer = ObjectNormalizer('{"name":"mine"}')
    normalizer.learn([with_claim("mine")])
    entry = normalizer.normalized(with_claim("mine"))["status"]["resourceClaimStatuses"][0]
    assert entry["resourceClaimName"] == "mine"
