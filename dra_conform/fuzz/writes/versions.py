"""Objects in one of the API versions that a release serves."""

from __future__ import annotations

from copy import deepcopy
from random import Random

from dra_conform.kube.json_values import Json

VERSIONS = ("v1", "v1beta2", "v1beta1")
RULE_VERSIONS = {"1.36": ("v1beta2", "v1alpha3"), "1.37": ("v1", "v1beta2", "v1alpha3")}


def in_a_version(written: Json, random: Random, minor: str) -> Json:
    """Return the object in one version, mostly the newest version."""
    if written["kind"] == "Pod":
        return {"apiVersion": "v1", **_with_images(deepcopy(written))}
    served = versions_of(written["kind"], minor)
    version = random.choice(served) if random.random() < 0.25 else served[0]
    if version == "v1beta1":
        written = _as_v1beta1(deepcopy(written))
    return {"apiVersion": f"resource.k8s.io/{version}", **written}


def versions_of(kind: str, minor: str) -> tuple[str, ...]:
    """Return the versions of a kind in a release, the newest first."""
    if kind == "Pod":
        return ("v1",)
    if kind == "DeviceTaintRule":
        return RULE_VERSIONS.get(minor, ("v1alpha3",))
    return VERSIONS[1:] if minor == "1.33" else VERSIONS


def _with_images(written: Json) -> Json:
    """Add an image to each container: without an image, defaults that are not compared would change."""
    for container in _list(written, "spec", "containers") + _list(written, "spec", "initContainers"):
        if isinstance(container, dict):
            container.setdefault("image", "i")
    return written


def _as_v1beta1(written: Json) -> Json:
    """Remove `exactly` from requests and add `basic` to devices; values of wrong types stay unchanged."""
    for request in _list(written, "spec", "devices", "requests") + _list(
        written, "spec", "spec", "devices", "requests"
    ):
        if isinstance(request, dict) and isinstance(request.get("exactly"), dict):
            request.update(request.pop("exactly"))
    if written["kind"] == "ResourceSlice":
        devices = _list(written, "spec", "devices")
        for index, device in enumerate(devices):
            if isinstance(device, dict):
                basic = {name: value for name, value in device.items() if name != "name"}
                devices[index] = {name: device[name] for name in ("name",) if name in device} | {
                    "basic": basic
                }
    return written


def _list(value: Json, *names: str) -> list[Json]:
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, list) else []
