"""CDI specs that container runtimes reject, and those that they accept."""

from __future__ import annotations

import re
from typing import Any

import pytest

from dra_conform.adapters.driver.cdi_spec import read_spec
from dra_conform.kube.yaml import parse_yaml

ENV = {"env": ["A=b"]}


def spec_with(edits: Any = ENV, name: Any = "a", **more: Any) -> Any:
    devices = [{"name": name, "containerEdits": edits}]
    return {"cdiVersion": "1.1.0", "kind": "example.com/gpu", "devices": devices, **more}


REJECTED = {
    "a list": ([], "Expected `object`, got `array`"),
    "no version": (spec_with(cdiVersion=None), "unknown cdiVersion ''"),
    "a version that does not exist": (spec_with(cdiVersion="0.9.0"), "unknown cdiVersion '0.9.0'"),
    "a version without patch": (spec_with(cdiVersion="0.6"), "unknown cdiVersion '0.6'"),
    "no class": (spec_with(kind="example.com"), "invalid kind"),
    "a vendor that begins with a digit": (spec_with(kind="0.com/gpu"), "invalid kind"),
    "a class that ends with a dot": (spec_with(kind="example.com/gpu."), "invalid kind"),
    "a name with a space": (spec_with(name="a b"), "invalid device name 'a b'"),
    "no name": (spec_with(name=None), "invalid device name ''"),
    "no devices": (spec_with(devices=[]), "the spec has no devices"),
    "two devices of one name": (spec_with(devices=spec_with()["devices"] * 2), "device 'a' is defined twice"),
    "only common edits": (spec_with({}, containerEdits=ENV), "device 'a' has no containerEdits"),
    "unknown field": (spec_with(vendor="x"), "unknown field `vendor`"),
    "unknown field of edits": (
        spec_with({"deviceNode": [{"path": "/dev/null"}]}),
        "unknown field `deviceNode`",
    ),
    "unknown field of a mount": (spec_with({"mounts": [{"source": "/a"}]}), "unknown field `source`"),
    "variable without a name": (spec_with({"env": ["=a"]}), "invalid environment variable '=a'"),
    "variable of common edits": (
        spec_with(containerEdits={"env": ["A"]}),
        "invalid environment variable 'A'",
    ),
    "device node without path": (
        spec_with({"deviceNodes": [{"hostPath": "/a"}]}),
        "a device node has no path",
    ),
    "type of a device node": (spec_with({"deviceNodes": [{"path": "/a", "type": "x"}]}), "invalid type 'x'"),
    "permissions": (
        spec_with({"deviceNodes": [{"path": "/a", "permissions": "q"}]}),
        "invalid permissions 'q'",
    ),
    "string for a number": (
        spec_with({"deviceNodes": [{"path": "/a", "major": "1"}]}),
        "Expected `int`, got `str`",
    ),
    "negative UID": (spec_with({"deviceNodes": [{"path": "/a", "uid": -1}]}), "Expected `int` >= 0"),
    "object for a string": (spec_with({"env": [{}]}), "Expected `str`, got `dict`"),
    "mount without containerPath": (spec_with({"mounts": [{"hostPath": "/a"}]}), "a mount has no"),
    "unknown hook": (spec_with({"hooks": [{"hookName": "x", "path": "/a"}]}), "invalid hookName 'x'"),
    "hook without path": (spec_with({"hooks": [{"hookName": "prestart"}]}), "hook 'prestart' has no path"),
    "variable of a hook": (
        spec_with({"hooks": [{"hookName": "prestart", "path": "/a", "env": ["A"]}]}),
        "invalid environment variable",
    ),
    "network device without name": (
        spec_with({"netDevices": [{"hostInterfaceName": "eth0"}]}),
        "a network device has",
    ),
    "network device twice": (
        spec_with({"netDevices": [{"hostInterfaceName": "eth0", "name": name} for name in "ab"]}),
        "two network devices have one name",
    ),
    "closID": (spec_with({"intelRdt": {"closID": "a/b"}}), "invalid closID"),
}


@pytest.mark.parametrize("case", REJECTED)
def test_a_runtime_rejects(case: str) -> None:
    value, reason = REJECTED[case]
    with pytest.raises(ValueError, match=re.escape(reason)):
        read_spec(value)


NEEDED = {
    "0.4.0": (spec_with({"mounts": [{"hostPath": "/a", "containerPath": "/a", "type": "bind"}]}),),
    "0.5.0": (spec_with(name="0a"), spec_with({"deviceNodes": [{"path": "/a", "hostPath": "/b"}]})),
    "0.6.0": (
        spec_with(kind="example.com/gpu.fast"),
        spec_with(annotations={"a": "b"}),
        spec_with(devices=[{"name": "a", "annotations": {"a": "b"}, "containerEdits": ENV}]),
    ),
    "0.7.0": (
        spec_with({"additionalGids": [1]}),
        spec_with({"intelRdt": {"enableCMT": True}}),
        spec_with(containerEdits={"intelRdt": {"closID": "/"}}),
    ),
    "1.1.0": (
        spec_with({"netDevices": [{"hostInterfaceName": "eth0", "name": "net0"}]}),
        spec_with({"intelRdt": {"enableMonitoring": True}}),
    ),
}
"""Features by the version that added them."""
VERSIONS = ("0.3.0", "0.4.0", "0.5.0", "0.6.0", "0.7.0", "0.8.0", "1.0.0", "1.1.0")


@pytest.mark.parametrize("needed", NEEDED)
def test_a_feature_needs_its_version(needed: str) -> None:
    for spec in NEEDED[needed]:
        for version in VERSIONS:
            if version >= needed:
                read_spec({**spec, "cdiVersion": version})
            else:
                with pytest.raises(ValueError, match=f"cdiVersion is {version}, expected at least {needed}"):
                    read_spec({**spec, "cdiVersion": version})


def test_values_that_go_reads_are_accepted() -> None:
    """Null fields, names of fields in another case, and numbers for strings (sigs.k8s.io/yaml)."""
    text = """
      cdiVersion: v0.7.0
      kind: a/b
      annotations: {version: 1.5, ready: true}
      containerEdits:
      devices:
      - name: 0
        annotations:
        containerEdits:
          additionalGIDs: [5]
          mounts:
          hooks: [{hookName: poststop, path: /bin/true, args: [true, 1], timeout: 3}]
          deviceNodes: [{path: /dev/a, type: c, permissions: rwm, fileMode: 0666, uid: 0}]
    """
    [document] = parse_yaml(text, "spec.yaml")
    [device] = read_spec(document.value).devices
    assert (device.name, device.container_edits.additional_gids) == ("0", (5,))
