"""Broken manifests: each gives one message with file, line and path."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from time import process_time

import pytest

from dra_conform.kube.errors import InputErrors
from dra_conform.kube.manifests import load, loads

SLICE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: d.example.com
  nodeName: worker
  pool: {name: p, generation: 1, resourceSliceCount: 1}
  devices:
  - name: a
"""
CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c}
spec:
  devices:
    requests:
    - name: r
"""


def _slice(device: str) -> str:
    return SLICE + "".join(f"    {line}\n" for line in dedent(device).strip().splitlines())


SHAPE = {
    "not a map": ("- 1\n", "f:1: is not an object, expected a map with apiVersion and kind"),
    "no kind": ("apiVersion: v1\n", "f:1: has no kind, expected a Kubernetes object"),
    "a number as kind": ("apiVersion: v1\nkind: 7\n", "f:2: kind: is a number ('7'), expected a string"),
    "a list as apiVersion": ("apiVersion: [v1]\nkind: 7\n", "f:1: apiVersion: is a list, expected a string"),
    "lower case": (
        "apiversion: v1\nkind: Pod\n",
        "f:1: has no apiVersion, expected a Kubernetes object (apiversion should be written apiVersion)",
    ),
    "no version and no kind": ("a: 1\n", "f:1: has no apiVersion and no kind, expected a Kubernetes object"),
    "no name": (
        "apiVersion: v1\nkind: Node\nmetadata: {}\n",
        "f:3: metadata.name: is empty, expected a name",
    ),
    "metadata of an unknown kind": (
        "apiVersion: example.com/v1\nkind: Odd\nmetadata: [x]\n",
        "f:3: metadata: is a list, expected a map",
    ),
    "no metadata": ("apiVersion: v1\nkind: Node\n", "f:1: metadata: is missing, expected a value"),
    "unknown kind": (
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClass\nmetadata: {name: x}\n",
        "f:2: kind: ResourceClass is not a kind of resource.k8s.io, expected one of DeviceClass, ResourceClaim, "
        "ResourceClaimTemplate, ResourceSlice, DeviceTaintRule",
    ),
    "unknown version": (
        "apiVersion: resource.k8s.io/v1alpha2\nkind: ResourceClaim\nmetadata: {name: x}\n",
        "f:1: apiVersion: v1alpha2 of ResourceClaim is not served, expected one of v1, v1beta2, v1beta1",
    ),
    "unknown field": (
        _slice("capasity: {}"),
        "f:10: spec.devices[0].capasity: is an unknown field, expected capacity",
    ),
    "unknown field in a capacity": (
        _slice("capacity:\n  example.com/mem: {value: 1, bogus: 2}"),
        "f:11: spec.devices[0].capacity[example.com/mem].bogus: is an unknown field, expected one of "
        "requestPolicy, value",
    ),
    "a quantity without sense": (
        _slice("capacity:\n  mem: {value: 80GB}"),
        "f:11: spec.devices[0].capacity.mem.value: '80GB' is not a quantity, expected a quantity such as 10, 500m or 1Gi",
    ),
    "a quantity of the wrong type": (
        _slice("capacity:\n  mem: {value: [1]}"),
        "f:11: spec.devices[0].capacity.mem.value: is a list, expected a quantity such as 10, 500m or 1Gi",
    ),
    "a capacity without a value": (
        _slice("capacity:\n  mem: {}"),
        "f:11: spec.devices[0].capacity.mem.value: is missing, expected a value",
    ),
    "a text for a flag": (
        _slice("allowMultipleAllocations: 'true'"),
        "f:10: spec.devices[0].allowMultipleAllocations: is a string ('true'), expected true or false",
    ),
    "a number for a flag": (
        _slice("allowMultipleAllocations: 1"),
        "f:10: spec.devices[0].allowMultipleAllocations: is a number ('1'), expected true or false",
    ),
    "a yes for a text": (
        _slice("attributes: {x: {string: y}}"),
        "f:10: spec.devices[0].attributes.x.string: is true or false (as YAML reads y, n, yes, no, on, off), expected a quoted string",
    ),
    "a fraction for a whole number": (
        _slice("attributes: {x: {int: 1.5}}"),
        "f:10: spec.devices[0].attributes.x.int: is the number 1.5, expected a whole number",
    ),
    "a number beyond 64 bits": (
        _slice("attributes: {x: {int: 9223372036854775808}}"),
        "f:10: spec.devices[0].attributes.x.int: is a number of more than 64 bits, expected a smaller number",
    ),
    "a map for a list": (
        CLAIM.replace("    - name: r\n", "      name: r\n"),
        "f:6: spec.devices.requests: is a map, expected a list",
    ),
    "a request without a name": (
        CLAIM.replace("- name: r", "- exactly: {deviceClassName: x}"),
        "f:7: spec.devices.requests[0].name: is missing, expected a value",
    ),
    "a duplicate key": (SLICE + "    name: b\n", "f:10: duplicate key 'name', expected each key once"),
    "a tab": (
        SLICE + "\tattributes: {}\n",
        "f:10: not YAML: the line is indented with a tab, expected spaces",
    ),
    "broken YAML": (SLICE + "  x: [1\n", None),
    "an unknown alias": ("a: *b\n", "f:1: not YAML: found undefined alias"),
    "an alias in itself": (
        "a: &a [*a]\n",
        "f:1: an alias refers to a node that contains it, expected no recursion",
    ),
    "a tag": ("a: !ruby 1\n", "f:1: the tag '!ruby' is not supported, expected no tag"),
    "a python tag": (
        "a: !!python/object:os.system x\n",
        "f:1: the tag 'tag:yaml.org,2002:python/object:os.system' is not supported, expected no tag",
    ),
    "a list as a key": ("? [a]\n: 1\n", "f:1: a list or map as a key, expected a string"),
    "deep flow": ("a: " + "[" * 150 + "]" * 150, "f:1: nested deeper than 100 levels, expected fewer"),
    "deep block": ("- " * 150 + "1\n", "f:1: nested deeper than 100 levels, expected fewer"),
    "an alias bomb": (
        "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
        + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 9)),
        None,
    ),
    "a text of 10 MB": (
        f"a: {'x' * 10_000_000}\n",
        "f:1: a string of 10000000 characters, expected at most 1000000",
    ),
    "a NUL byte": ("a: 1\nb: \x00\n", "f:2: contains a NUL byte, expected text"),
    "a text made by a tag": (
        "a: !!str 1\n",
        "f:1: the tag 'tag:yaml.org,2002:str' is not supported, expected no tag",
    ),
    "a number made by a tag": (
        "a: !!int '5'\n",
        "f:1: the tag 'tag:yaml.org,2002:int' is not supported, expected no tag",
    ),
    "deep block with wide steps": (
        "-  " * 100_000 + "1\n",
        "f:1: nested deeper than 100 levels, expected fewer",
    ),
    "deep block of two kinds": (
        "- ? " * 50_000 + "1\n",
        "f:1: nested deeper than 100 levels, expected fewer",
    ),
    "deep JSON": ('{"a":' * 5_000 + "1" + "}" * 5_000, "f:1: nested deeper than 100 levels, expected fewer"),
    "a duplicate key in JSON": (
        '{"apiVersion": "v1",\n"kind": "Node",\n"kind": "Pod"}',
        "f:3: duplicate key 'kind', expected each key once",
    ),
    "an unknown field in JSON": (
        '{"apiVersion": "v1", "kind": "Node",\n"metadata": {\n"name": "a", "lables": {}}}',
        "f:3: metadata.lables: is an unknown field, expected labels",
    ),
    "half of a surrogate pair": ('{"a": "\\ud83d"}', None),
    "a claim of the wrong group": (
        "apiVersion: v1\nkind: ResourceClaim\nmetadata: {name: c}\n",
        "f:1: apiVersion: v1 has no ResourceClaim, expected resource.k8s.io/v1",
    ),
    "a deployment of long ago": (
        "kind: Deployment\napiVersion: extensions/v1beta1\nmetadata: {name: c}\n",
        "f:2: apiVersion: extensions/v1beta1 has no Deployment, expected apps/v1",
    ),
    "a null for a name": (
        CLAIM.replace("- name: r", "- name: null"),
        "f:7: spec.devices.requests[0].name: is missing, expected a value",
    ),
    "broken JSON": ('{"apiVersion": "v1",\n "kind": }', None),
    "a merge of a text": (
        "a:\n  <<: x\n",
        "f:2: wrong value of a merge key <<, expected a map or a list of maps",
    ),
    "a list without items": (
        "apiVersion: v1\nkind: List\nitmes: []\n",
        "f:1: has no list of items, expected items with Kubernetes objects",
    ),
    "a list with a map of items": (
        "apiVersion: v1\nkind: List\nitems: {}\n",
        "f:1: has no list of items, expected items with Kubernetes objects",
    ),
    "a bad object in a list": (
        "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Node\n  metadata: {name: a, lables: {}}\n",
        "f:6: items[0].metadata.lables: is an unknown field, expected labels",
    ),
}


@pytest.mark.parametrize("name", SHAPE)
def test_a_broken_manifest_has_one_message(name: str) -> None:
    text, message = SHAPE[name]
    with pytest.raises(InputErrors) as caught:
        loads(text, "f")
    messages = [str(error) for error in caught.value.errors]
    assert len(messages) == 1
    assert all(ord(letter) >= 32 for letter in messages[0])
    if message is None:
        assert messages[0].startswith("f:")
    else:
        assert messages[0] == message


def test_every_problem_of_an_object_is_reported() -> None:
    text = _slice("capasity: {}\nattributes: {x: {int: a}}") + "  - nam: b\n"
    with pytest.raises(InputErrors) as caught:
        loads(text, "f")
    assert [error.line for error in caught.value.errors] == [10, 11, 12, 12]


def test_the_time_of_an_object_grows_with_its_number_of_problems() -> None:
    count, start = 20_000, process_time()
    labels = "".join(f"\n    k{number}: {number}" for number in range(count))
    with pytest.raises(InputErrors) as problems:
        loads(f"apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n  labels:{labels}\n", "f")
    assert [error.line for error in problems.value.errors[:count]] == list(range(6, 6 + count))
    assert process_time() - start < 5


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "latin.yaml").write_bytes(b"a: \xe4\n")
    (tmp_path / "empty").mkdir()
    for path, message in (
        ("nowhere.yaml", "cannot be read: No such file or directory"),
        ("latin.yaml", "is not UTF-8, expected UTF-8 text"),
        ("empty", "contains no manifest"),
    ):
        with pytest.raises(InputErrors) as caught:
            load([str(tmp_path / path)])
        assert message in str(caught.value)


def test_a_folder_that_cannot_be_read_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The preview would be wrong without its manifests."""
    (tmp_path / "locked").mkdir()
    (tmp_path / "claim.yaml").write_text("{apiVersion: v1, kind: Node, metadata: {name: one}}\n", "utf-8")
    scandir = os.scandir

    def denied(path: str) -> Iterator[os.DirEntry[str]]:
        if os.fspath(path).endswith("locked"):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", denied)
    for path in (tmp_path, tmp_path / "locked"):
        with pytest.raises(InputErrors) as caught:
            load([str(path)])
        [error] = caught.value.errors
        assert str(error) == f"{tmp_path}/locked: cannot be read: Permission denied"
