"""Valid manifests: files and standard input, lines, nulls, lists, and other kinds."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from dra_conform.kube.codec import to_builtins
from dra_conform.kube.core import Node, Pod
from dra_conform.kube.errors import InputErrors
from dra_conform.kube.manifests import OtherObject, load, loads
from dra_conform.kube.objects import KINDS, DecodeErrors, decode, encode
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import DeviceTaintRule, ResourceClaim, ResourceSlice
from dra_conform.kube.workloads import Deployment

NODE = "apiVersion: v1\nkind: Node\nmetadata: {name: %s}\n"
INVENTORY = """\
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: d.example.com
  nodeName: worker
  pool: {name: p, generation: 1, resourceSliceCount: 1}
  devices:
  - name: a
    allowMultipleAllocations: true
    attributes: {model: {string: x}, sizes: {ints: [1, 2]}}
    capacity:
      memory: {value: 80Gi, requestPolicy: {default: 1Gi, validRange: {min: 1Gi, max: 80Gi, step: 1Gi}}}
      lanes: {value: 1.5}
    taints: [{key: a, effect: NoSchedule}]
"""
WORKLOAD = """\
apiVersion: v1
kind: Namespace
metadata: {name: team}
---
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: team, name: d}
spec:
  replicas: 2
  selector: {matchLabels: {app: d}}
  template:
    metadata: {labels: {app: d}}
    spec:
      tolerations: [{key: k, operator: Exists}]
      initContainers: [{name: i, image: x, restartPolicy: Always}]
      containers:
      - name: c
        image: x
        env: [{name: A, value: b}]
        resources: {limits: {cpu: 0.5, memory: 1Gi}, claims: [{name: gpu, request: r}]}
      resourceClaims: [{name: gpu, resourceClaimTemplateName: t}]
---
apiVersion: v1
kind: Service
metadata: {name: s}
spec: {whatever: [1, 2.5]}
---
apiVersion: scheduling.k8s.io/v1alpha2
kind: PodGroup
metadata: {name: g}
---
apiVersion: resource.k8s.io/v1beta2
kind: DeviceTaintRule
metadata: {name: r}
spec: {deviceSelector: {driver: d}, taint: {key: k, effect: NoExecute, value: v}}
"""


def test_kinds_in_order_with_their_lines() -> None:
    loaded = loads(WORKLOAD, "f")
    assert [(one.kind, one.file, one.line) for one in loaded] == [
        ("Namespace", "f", 1),
        ("Deployment", "f", 5),
        ("Service", "f", 23),
        ("PodGroup", "f", 28),
        ("DeviceTaintRule", "f", 32),
    ]
    assert [type(one.object) for one in loaded[1:]] == [Deployment, OtherObject, OtherObject, DeviceTaintRule]
    pod = loaded[1].object.spec.template.spec
    assert pod.containers[0].resources.limits["cpu"] == Quantity.parse("500m")
    assert pod.containers[0].resources.claims[0].request == "r"
    assert loaded[4].api_version == "resource.k8s.io/v1"


def test_json_gives_the_same_objects_as_yaml() -> None:
    [from_yaml] = loads(INVENTORY)
    raw = encode(from_yaml.object) | {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice"}
    [from_json] = loads(json.dumps(raw, indent=1))
    assert from_json.object == from_yaml.object
    assert isinstance(from_json.object, ResourceSlice)
    assert from_json.object.spec.devices[0].capacity["lanes"].value == Quantity.parse("1500m")


def test_json_with_all_its_escapes() -> None:
    [loaded] = loads(r'{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a\/\ud83d\ude00"}}')
    assert loaded.object.metadata.name == "a/\U0001f600"
    assert loaded.line == 1


def test_items_of_a_list_have_their_lines() -> None:
    entries = [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}} for name in "ab"]
    text = json.dumps({"apiVersion": "v1", "kind": "List", "items": entries}, indent=0)
    loaded = loads(text)
    assert [one.object.metadata.name for one in loaded] == ["a", "b"]
    opened = [number for number, line in enumerate(text.splitlines(), 1) if line == "{"]
    assert [one.line for one in loaded] == opened[1:]


def test_a_null_field_is_absent() -> None:
    [loaded] = loads(
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\n"
        "metadata: {name: c, labels: null, creationTimestamp: null, namespace: null}\n"
        "spec: {devices: {requests: [{name: r, firstAvailable: null, exactly: {deviceClassName: x, count: null}}],"
        " constraints: null, config: [{opaque: {driver: d, parameters: {kept: null}}}]}}\nstatus: null\n"
    )
    claim = loaded.object
    assert isinstance(claim, ResourceClaim)
    assert claim.spec.devices.requests[0].exactly is not None
    assert claim.spec.devices.requests[0].exactly.count == 0
    assert claim.spec.devices.constraints == ()
    assert claim.spec.devices.config[0].opaque is not None
    assert claim.spec.devices.config[0].opaque.parameters == {"kept": None}


def test_null_is_not_a_value_of_a_map() -> None:
    with pytest.raises(DecodeErrors, match="is nothing, expected a quantity"):
        decode(
            {
                "apiVersion": "v1",
                "kind": "Node",
                "metadata": {"name": "a"},
                "status": {"capacity": {"x": None}},
            }
        )


def test_directories_files_and_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "b.yml").write_text(NODE % "b")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "c.json").write_text(
        '{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "c"}}'
    )
    (tmp_path / "a.yaml").write_text(NODE % "a" + "---\n---\n# nothing\n---\n" + NODE % "a2")
    (tmp_path / "README.md").write_text("no manifest")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbf" + (NODE % "in").encode())))
    loaded = load([str(tmp_path), "-"])
    assert [one.object.metadata.name for one in loaded] == ["a", "a2", "b", "c", "in"]
    assert loaded[1].line == 8
    assert loaded[-1].file == "<stdin>"


def test_empty_input_has_no_objects() -> None:
    assert loads("") == ()
    assert loads("# only a comment\n---\n") == ()


def test_encoded_objects_decode_to_the_same_value() -> None:
    for loaded in loads(INVENTORY + "---\n" + WORKLOAD):
        if (loaded.api_version, loaded.kind) in KINDS:
            plain = json.loads(json.dumps(encode(loaded.object)))
            assert decode({**plain, "apiVersion": loaded.api_version, "kind": loaded.kind}) == loaded.object


def test_defaults_are_not_encoded() -> None:
    [loaded] = loads(NODE % "a" + "status: {allocatable: {memory: 1024Mi, cpu: '1.50'}}\n")
    assert isinstance(loaded.object, Node)
    assert encode(loaded.object) == {
        "metadata": {"name": "a"},
        "status": {"allocatable": {"memory": "1Gi", "cpu": "1500m"}},
    }
    assert to_builtins(Pod(metadata=loaded.object.metadata)) == {"metadata": {"name": "a"}}


def test_fractions_in_untyped_fields() -> None:
    [loaded] = loads(
        "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: c}\n"
        "spec: {config: [{opaque: {driver: d, parameters: {share: 0.5, much: 1e999}}}]}\n"
    )
    parameters = encode(loaded.object)["spec"]["config"][0]["opaque"]["parameters"]
    assert parameters == {"share": 0.5, "much": "1e999"}


def test_an_empty_path_is_not_the_current_folder() -> None:
    with pytest.raises(InputErrors, match='"": is not a path, expected a file or a directory'):
        load([""])
