"""What clusters make up by themselves is called alike."""

from __future__ import annotations

from typing import Any

from dra_conform.fuzz.multi_step.comparison.shared_words import SharedWords

Json = Any


def with_claim(name: str) -> Json:
    entry = {"name": "gpu", "resourceClaimName": name}
    metadata = {"name": "p", "namespace": "default"}
    return {"kind": "Pod", "metadata": metadata, "spec": {}, "status": {"resourceClaimStatuses": [entry]}}


def test_a_pod_names_a_claim_that_was_made_for_it_and_is_gone() -> None:
    said = []
    for name in ("p-gpu-abcde", "p-gpu-vwxyz"):
        words = SharedWords("[]")
        words.learn([with_claim(name)])
        said.append(words.shared(with_claim(name)))
    assert said[0] == said[1]
    assert said[0]["status"]["resourceClaimStatuses"][0]["resourceClaimName"] == "gpu of pod default/p"


def test_a_claim_of_the_story_keeps_its_name() -> None:
    words = SharedWords('{"name":"mine"}')
    words.learn([with_claim("mine")])
    entry = words.shared(with_claim("mine"))["status"]["resourceClaimStatuses"][0]
    assert entry["resourceClaimName"] == "mine"
