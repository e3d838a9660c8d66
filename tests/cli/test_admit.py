"""`dra-conform admit`: what the API server would store of manifests, and their errors."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Mapping
from importlib import resources
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from dra_conform.cli import exits
from tests.support.cli.calling import Call

PAGE = (Path(__file__).parents[2] / "docs" / "admit.md").read_text("utf-8")

CLAIMS = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: nic}
spec:
  devices:
    requests:
    - name: r
      exactly: {deviceClassName: nic,
        capacity: {requests: {bandwidth: 1G}}}
---
# A slip of the pen.
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: gpu}
spec:
  devices:
    requests:
    - name: r
      exacty: {deviceClassName: gpu}
"""
OTHERS = """\
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: ServiceAccount, metadata: {name: a}}
- {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: a}}
- {apiVersion: v1, kind: ServiceAccount, metadata: {name: b}}
"""
SLICE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: d.example.com
  nodeName: worker
  pool: {name: p, generation: 1, resourceSliceCount: 1}
  devices:
  - {name: d, allowMultipleAllocations: true, capacity: {mem: {value: 1024Mi}}}
"""
ADMIN = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: t, namespace: ns}
spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: c, adminAccess: true}}]}}}
"""
NAMESPACE = "{apiVersion: v1, kind: Namespace, metadata: {name: ns, labels: {resource.k8s.io/admin-access: 'true'}}}\n"
DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: ns}
spec:
  template:
    metadata: {labels: {app: web}}
    spec:
      resourceClaims: [{name: gpu, resourceClaimTemplateName: t}]
      containers:
      - name: c
        image: x
        resources: {claims: [{name: cpu}]}
"""
ALLOCATED = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c, namespace: ns}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: nic}}]}}
status:
  allocation: {devices: {results: [{request: r, driver: d.example.com, pool: p, device: %s}]}}
"""


@pytest.fixture
def manifest_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder with a file for each manifest above."""
    monkeypatch.chdir(tmp_path)
    files = {
        "claims": CLAIMS,
        "others": OTHERS,
        "slice": SLICE,
        "admin": ADMIN,
        "namespace": NAMESPACE,
        "deployment": DEPLOYMENT,
        "allocated": ALLOCATED % "d",
    }
    for name, text in files.items():
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    return tmp_path


def test_the_example_of_the_page(call: Call, manifest_folder: Path) -> None:
    completed = call("admit", "-f", "claims.yaml", "-f", "others.yaml", "--profile", "kubernetes-1.35")
    assert (completed.code, completed.err) == (exits.FAILURES, "")
    shown = "".join(f"    {line}\n" for line in completed.out.splitlines())
    assert shown in PAGE


def test_an_unchanged_object_is_one_line(call: Call, manifest_folder: Path) -> None:
    completed = call("admit", "-f", "namespace.yaml")
    assert (completed.code, completed.out) == (
        exits.OK,
        "namespace.yaml:1: Namespace ns: admitted\n1 admitted, 0 rejected\n",
    )


@pytest.mark.parametrize(
    ("profile", "gates", "off"),
    [
        ("kep", "DRAConsumableCapacity=false", "turned off by --gates"),
        ("kubernetes-1.35", "", "off by default in kubernetes-1.35"),
        ("kubernetes-1.36", "DRADeviceTaints=true, DRAConsumableCapacity=false", "turned off by --gates"),
        ("kubernetes-1.35", "DRAConsumableCapacity=true", ""),
        ("kubernetes-1.36", "", ""),
    ],
)
def test_a_gate_that_is_off_drops_its_field(
    call: Call, manifest_folder: Path, profile: str, gates: str, off: str
) -> None:
    completed = call("admit", "-f", "slice.yaml", "--profile", profile, "--gates", gates)
    dropped = "  - spec.devices[0].allowMultipleAllocations: dropped, DRAConsumableCapacity is %s (line 9)"
    assert completed.code == exits.OK
    assert [line for line in completed.out.splitlines() if line.startswith("  - ")] == (
        [dropped % off] if off else []
    )
    assert '  ~ spec.devices[0].capacity.mem.value: "1024Mi" becomes "1Gi" (line 9)' in completed.out


def test_many_changes_of_one_kind_are_one_line(call: Call, manifest_folder: Path) -> None:
    devices = "".join(f"  - {{name: d{number}, allowMultipleAllocations: true}}\n" for number in range(4))
    (manifest_folder / "many.yaml").write_text(SLICE.partition("  - ")[0] + devices, encoding="utf-8")
    completed = call("admit", "-f", "many.yaml", "--profile", "kubernetes-1.35")
    why = "dropped, DRAConsumableCapacity is off by default in kubernetes-1.35 (4 times, first in line 9)"
    assert f"  - spec.devices[*].allowMultipleAllocations: {why}\n" in completed.out


def test_the_labels_of_namespaces_count(call: Call, manifest_folder: Path) -> None:
    alone = call("admit", "-f", "admin.yaml")
    assert alone.code == exits.FAILURES
    assert "  admin.yaml:4: spec.devices.requests[0].adminAccess: Forbidden: admin access" in alone.out
    assert call("admit", "-f", "admin.yaml", "-f", "namespace.yaml").code == exits.OK
    assert call("admit", "-f", "admin.yaml", "--old", "namespace.yaml").code == exits.OK


def test_the_pods_of_a_workload_are_checked(call: Call, manifest_folder: Path) -> None:
    completed = call("admit", "-f", "deployment.yaml", "-f", "others.yaml")
    path = "spec.template.spec.containers[0].resources.claims[0]"
    assert completed.out.splitlines() == [
        "deployment.yaml:1: Deployment ns/web, pod template: rejected (Invalid)",
        f'  deployment.yaml:12: {path}: NotFound: "cpu": expected an existing name',
        "0 admitted, 1 rejected",
        "not checked: v1 ServiceAccount (2), rbac.authorization.k8s.io/v1 ClusterRole",
        "note: rejected by the specification (kep); --profile kubernetes-1.37 shows what that release does",
    ]


def test_every_type_that_is_wrong_has_its_line(call: Call, manifest_folder: Path) -> None:
    text = CLAIMS.partition("---")[0].replace("name: r", "name: 1").replace("1G}", "[]}")
    (manifest_folder / "types.yaml").write_text(text, encoding="utf-8")
    completed = call("admit", "-f", "types.yaml")
    request = "spec.devices.requests[0]"
    assert completed.out.splitlines()[:3] == [
        "types.yaml:1: ResourceClaim default/nic: rejected (BadRequest)",
        f"  types.yaml:7: {request}.name: TypeInvalid: is a number ('1'), expected a string",
        f"  types.yaml:9: {request}.exactly.capacity.requests.bandwidth: TypeInvalid: "
        "is a list, expected a quantity such as 10, 500m or 1Gi",
    ]


def test_a_version_that_the_release_does_not_serve(call: Call, manifest_folder: Path) -> None:
    completed = call("admit", "-f", "slice.yaml", "--profile", "kubernetes-1.33")
    assert completed.code == exits.FAILURES
    assert completed.out.splitlines()[1] == (
        "  slice.yaml:1: apiVersion: NotFound: ResourceSlice in resource.k8s.io/v1 is not served by "
        "kubernetes-1.33, expected resource.k8s.io/v1beta2 or resource.k8s.io/v1beta1"
    )


def test_a_version_that_is_off_by_default(call: Call, manifest_folder: Path) -> None:
    (manifest_folder / "beta.yaml").write_text(SLICE.replace("/v1", "/v1beta2"), encoding="utf-8")
    completed = call("admit", "-f", "beta.yaml", "--profile", "kubernetes-1.36")
    why = "is off by default, the API server needs --runtime-config=resource.k8s.io/v1beta2=true"
    assert (completed.code, f"  warning: resource.k8s.io/v1beta2 {why}\n" in completed.out) == (
        exits.OK,
        True,
    )


def test_an_update(call: Call, manifest_folder: Path) -> None:
    """A stored field is kept although its gate is off. A change of an immutable field is rejected."""
    completed = call("admit", "-f", "slice.yaml", "--old", "slice.yaml", "--profile", "kubernetes-1.35")
    assert completed.code == exits.OK
    assert completed.out.startswith("slice.yaml:1: ResourceSlice s: admitted, updated\n")
    assert "allowMultipleAllocations" not in completed.out
    (manifest_folder / "moved.yaml").write_text(
        SLICE.replace("d.example.com", "e.example.com"), encoding="utf-8"
    )
    completed = call("admit", "-f", "moved.yaml", "--old", "slice.yaml")
    assert completed.code == exits.FAILURES
    assert '  moved.yaml:5: spec.driver: Invalid: "e.example.com": field is immutable\n' in completed.out


def test_an_update_names_the_fields_that_it_removes(call: Call, manifest_folder: Path) -> None:
    labeled = SLICE.replace("metadata: {", "metadata: {labels: {a: b}, ")
    (manifest_folder / "labeled.yaml").write_text(labeled, encoding="utf-8")
    completed = call("admit", "-f", "slice.yaml", "--old", "labeled.yaml")
    assert completed.code == exits.OK
    assert '  - metadata.labels: removed by the update: {"a": "b"}\n' in completed.out
    document = json.loads(call("admit", "-f", "slice.yaml", "--old", "labeled.yaml", "-o", "json").out)
    change = document["objects"][0]["changes"][-1]
    assert (change["change"], change["path"], change["stored"]) == ("removed", "metadata.labels", {"a": "b"})


@pytest.mark.parametrize(
    ("stored", "warning"),
    [
        (
            "",
            "warning: metadata.resourceVersion is 7, so a cluster rejects the create: resourceVersion should not",
        ),
        ("8", "is 7, and 8 in the stored object, so a cluster rejects the update: 409 Conflict"),
        ("7", ""),
    ],
)
def test_a_resource_version_has_a_warning(
    call: Call, manifest_folder: Path, stored: str, warning: str
) -> None:
    for name, version in (("new", "7"), ("old", stored)):
        text = SLICE.replace("metadata: {", f'metadata: {{resourceVersion: "{version}", ')
        (manifest_folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    completed = call("admit", "-f", "new.yaml", *(("--old", "old.yaml") if stored else ()))
    assert completed.code == exits.OK
    assert (warning or "admitted, updated") in completed.out
    assert ("resourceVersion" in completed.out) is bool(warning)


@pytest.mark.parametrize(
    ("old", "has"),
    [
        ("", "no object"),
        (SLICE.replace("{name: s}", "{name: other}"), "ResourceSlice other"),
        (SLICE.replace("{name: s}", "{name: 5}"), "ResourceSlice 5"),
        (SLICE.replace("ResourceSlice", "ResourceSlcie"), "ResourceSlcie s"),
    ],
    ids=["empty", "other-name", "number", "other-kind"],
)
def test_stored_objects_without_an_update_are_an_error(
    call: Call, manifest_folder: Path, old: str, has: str
) -> None:
    (manifest_folder / "old.yaml").write_text(old, encoding="utf-8")
    completed = call("admit", "-f", "slice.yaml", "--old", "old.yaml")
    assert (completed.code, completed.out) == (exits.USAGE, "")
    assert completed.err.startswith("old.yaml: has no object that a manifest of --filename updates, expected")
    assert completed.err.endswith(f"; it has: {has}\n")


@pytest.mark.parametrize("count", [1, 6])
def test_a_stored_object_without_an_update_has_a_note(call: Call, manifest_folder: Path, count: int) -> None:
    names = (f"{{name: x{number}}}" for number in range(count))
    (manifest_folder / "old.yaml").write_text(
        "---\n".join(SLICE.replace("{name: s}", name) for name in names)
    )
    completed = call("admit", "-f", "slice.yaml", "--old", "slice.yaml", "--old", "old.yaml")
    assert "ResourceSlice s: admitted, updated" in completed.out
    notes = completed.err.splitlines()
    assert (completed.code, len(notes)) == (exits.OK, count)
    assert notes[-1].startswith("note: old.yaml:")
    assert notes[-1].endswith(f"ResourceSlice x{count - 1}: no manifest of --filename updates it")


def test_many_stored_objects_without_an_update_have_one_note(call: Call, manifest_folder: Path) -> None:
    names = (f"{{name: x{number}}}" for number in range(9))
    (manifest_folder / "old.yaml").write_text(
        "---\n".join(SLICE.replace("{name: s}", name) for name in names)
    )
    completed = call("admit", "-f", "slice.yaml", "--old", "slice.yaml", "--old", "old.yaml")
    assert len(completed.err.splitlines()) == 6
    assert completed.err.endswith("note: no manifest of --filename updates 4 further objects of --old\n")


def test_a_status_is_written_apart(call: Call, manifest_folder: Path) -> None:
    created = call("admit", "-f", "allocated.yaml")
    assert created.code == exits.OK
    line = "  - status: dropped, it is only written with --subresource status (line 5)\n"
    assert line in created.out
    (manifest_folder / "stored.yaml").write_text(ALLOCATED.partition("status:")[0] % (), encoding="utf-8")
    written = call("admit", "-f", "allocated.yaml", "--old", "stored.yaml", "--subresource", "status")
    assert (written.code, "status: dropped" in written.out) == (exits.OK, False)
    assert "ResourceClaim ns/c: admitted, status updated" in written.out
    (manifest_folder / "wrong.yaml").write_text(ALLOCATED % "D", encoding="utf-8")
    wrong = call("admit", "-f", "wrong.yaml", "--old", "stored.yaml", "--subresource", "status")
    assert wrong.code == exits.FAILURES
    assert '  wrong.yaml:6: status.allocation.devices.results[0].device: Invalid: "D": must be' in wrong.out


def test_yaml_is_what_is_stored(call: Call, manifest_folder: Path) -> None:
    completed = call("admit", "-f", "claims.yaml", "-f", "deployment.yaml", "-o", "yaml")
    assert completed.code == exits.FAILURES
    [stored] = yaml.safe_load_all(completed.out)
    assert stored["metadata"] == {"name": "nic", "namespace": "default"}
    assert stored["spec"]["devices"]["requests"][0]["exactly"]["count"] == 1
    assert [line.partition(": ")[0] for line in completed.err.splitlines()] == [
        "claims.yaml:18",
        "deployment.yaml:12",
    ]


def test_json_has_everything_and_keeps_its_schema(call: Call, manifest_folder: Path) -> None:
    completed = call("admit", "-f", ".", "-o", "json", "--profile", "kubernetes-1.35")
    assert (completed.code, completed.err) == (exits.FAILURES, "")
    document = json.loads(completed.out)
    schema = json.loads(
        (resources.files("dra_conform") / "schemas" / "dry-run.schema.json").read_text("utf-8")
    )
    Draft202012Validator.check_schema(schema)
    assert list(Draft202012Validator(schema).iter_errors(document)) == []
    assert document["passedOver"] == {"v1 ServiceAccount": 2, "rbac.authorization.k8s.io/v1 ClusterRole": 1}
    found = {f"{item['kind']} {item['name']}": item for item in document["objects"]}
    assert {name: item["outcome"] for name, item in found.items() if item["outcome"] != "admitted"} == {
        "ResourceClaimTemplate t": "rejected",
        "ResourceClaim gpu": "rejected",
        "Pod web": "rejected",
    }
    assert found["Pod web"]["templateOf"] == "Deployment"
    assert found["ResourceClaim gpu"]["errors"] == [
        {
            "line": 18,
            "path": "spec.devices.requests[0]",
            "type": "Required",
            "value": None,
            "detail": "exactly one of `exactly` or `firstAvailable` is required",
        }
    ]
    assert found["ResourceSlice s"]["changes"][0] == {
        "change": "dropped",
        "path": "spec.devices[0].allowMultipleAllocations",
        "line": 9,
        "written": True,
        "gates": ["DRAConsumableCapacity"],
    }


def test_standard_input(call: Call, manifest_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(NAMESPACE.encode())))
    assert call("admit", "-f", "-").out.startswith("<stdin>:1: Namespace ns: admitted\n")


ADMISSIONS = """\
from dra_conform.adapters.builtin import Builtin


class Refuses:
    operations = ("admit",)

    def admit(self, objects, ask, profile):
        errors = [{"path": "spec.driver", "type": "FieldValueInvalid", "detail": ask["user"]["name"]}]
        return {"outcome": "rejected", "reason": "Invalid", "errors": errors}


class Namespaces(Refuses):
    def admit(self, objects, ask, profile):
        name = ask["object"]["metadata"]["name"]
        assert name not in [one["metadata"]["name"] for one in objects["namespaces"]]
        return {"outcome": "admitted", "object": ask["object"]}


class Declines(Refuses):
    def admit(self, objects, ask, profile):
        return {"status": "unsupported", "message": "not today"}


class Allocates:
    allocate = staticmethod(Builtin.allocate)
"""


@pytest.mark.slow
def test_another_implementation(call: Call, manifest_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (manifest_folder / "trial_admissions.py").write_text(ADMISSIONS, encoding="utf-8")
    monkeypatch.syspath_prepend(str(manifest_folder))

    def ask(name: str) -> tuple[int, str]:
        asked = f"python:trial_admissions:{name}"
        output = call(
            "admit", "-f", "slice.yaml", "-i", asked, "--user", "kubelet", "--group", "system:nodes"
        )
        return output.code, output.out + output.err

    code, output = ask("Refuses")
    assert (code, "  slice.yaml:5: spec.driver: Invalid: kubelet\n" in output) == (exits.FAILURES, True)
    code, output = ask("Declines")
    assert (code, "0 admitted, 0 rejected, 1 without an answer" in output) == (exits.INCOMPLETE, True)
    assert "slice.yaml:1: ResourceSlice s: no answer: unsupported: not today\n" in output
    code, output = ask("Allocates")
    assert (code, "does not offer the operation admit" in output) == (exits.NOT_RUNNABLE, True)
    assert ask("Nobody")[0] == exits.NOT_RUNNABLE
    assert call("admit", "-f", "namespace.yaml", "-i", "python:trial_admissions:Namespaces").code == exits.OK


BAD: Mapping[str, tuple[tuple[str, ...], str]] = {
    "no such file": (("-f", "none.yaml"), "none.yaml: cannot be read: No such file or directory"),
    "no YAML": (("-f", "slice.yaml", "-f", "broken.yaml"), "broken.yaml:2: not YAML: "),
    "nothing": (("-f", "empty.yaml"), "empty.yaml: has no object, expected at least one"),
    "a chart": (
        ("-f", "chart"),
        "chart: is a Helm chart, expected manifests, such as the output of helm template CHART",
    ),
    "an unknown gate": (
        ("-f", "slice.yaml", "--gates", "DRAMagic=true"),
        "--gates: DRAMagic: is not a feature gate",
    ),
    "no switch": (("-f", "slice.yaml", "--gates", "DRAAdminAccess"), "expected DRAAdminAccess=true or"),
    "a gate of a later release": (
        ("-f", "slice.yaml", "--profile", "kubernetes-1.34", "--gates", "DRADeviceTaintRules=true"),
        "--gates: DRADeviceTaintRules: is not in kubernetes-1.34, expected one of",
    ),
    "a gate without the one it needs": (
        ("-f", "slice.yaml", "--gates", "DRADeviceTaints=false,DRADeviceTaintRules=true"),
        "--gates: DRADeviceTaintRules: depends on a feature gate that is off",
    ),
    "a locked gate": (
        ("-f", "slice.yaml", "--profile", "kubernetes-1.37", "--gates", "DRAExtendedResource=false"),
        "--gates: DRAExtendedResource=false: kubernetes-1.37 locks this gate to true, expected true",
    ),
    "an unknown profile": (("-f", "slice.yaml", "--profile", "kubernetes-2.0"), "invalid choice"),
    "a status of nothing": (
        ("-f", "slice.yaml", "--subresource", "status"),
        "slice.yaml:1: ResourceSlice s is not in --old, expected the stored object",
    ),
    "a group of nobody": (("-f", "slice.yaml", "--group", "a"), "--group: a: is a group without a user"),
    "no implementation": (("-f", "slice.yaml", "-i", "nobody"), "--implementation: 'nobody' "),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input(call: Call, manifest_folder: Path, name: str) -> None:
    arguments, message = BAD[name]
    (manifest_folder / "broken.yaml").write_text("a: [\n", encoding="utf-8")
    (manifest_folder / "empty.yaml").write_text("# nothing\n", encoding="utf-8")
    (manifest_folder / "chart" / "templates").mkdir(parents=True)
    (manifest_folder / "chart" / "Chart.yaml").write_text("apiVersion: v2\nname: x\n", encoding="utf-8")
    completed = call("admit", *arguments)
    assert (completed.code, completed.out) == (exits.USAGE, "")
    assert message in completed.err


def test_a_pod_template_has_no_namespace_and_its_workload_a_version(call: Call, tmp_path: Path) -> None:
    text = (
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d, resourceVersion: '5'}\nspec: {template: {spec: "
        "{containers: [{name: c, image: i}]}}}\n"
    )
    (tmp_path / "d.yaml").write_text(text, "utf-8")
    completed = call("admit", "-f", str(tmp_path / "d.yaml"))
    assert "namespace" not in completed.out
    assert "warning: metadata.resourceVersion is 5, so a cluster rejects the create" in completed.out
