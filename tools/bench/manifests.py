"""Write the manifests of large clusters."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

SHAPES = 20
"""Number of ResourceClaimTemplates, which pods use in rotation."""

_CLASS = """\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec: {selectors: [{cel: {expression: device.driver == "gpu.example.com"}}]}
"""
_NODE = """\
apiVersion: v1
kind: Node
metadata: {{name: node-{index}, labels: {{kubernetes.io/hostname: node-{index}}}}}
status: {{allocatable: {{cpu: "64", memory: 256Gi, pods: "110"}}}}
"""
_SLICE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {{name: node-{index}-gpu}}
spec:
  driver: gpu.example.com
  nodeName: node-{index}
  pool: {{name: node-{index}, generation: 1, resourceSliceCount: 1}}
  devices:
{devices}"""
_DEVICE = """\
  - {{name: gpu-{place}, attributes: {{model: {{string: A}}}}, capacity: {{memory: {{value: 80Gi}}}}}}
"""
_TEMPLATE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {{name: shape-{shape}}}
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly:
          deviceClassName: gpu
          selectors:
          - cel:
              expression: >-
                device.attributes["gpu.example.com"].model == "A" &&
                device.capacity["gpu.example.com"].memory.compareTo(quantity("{shape}Gi")) > 0
"""
_POD = """\
apiVersion: v1
kind: Pod
metadata: {{name: pod-{number}}}
spec:
  containers:
  - name: main
    image: registry.example.com/work:1
    resources: {{requests: {{cpu: "1", memory: 1Gi}}, claims: [{{name: gpu}}]}}
  resourceClaims: [{{name: gpu, resourceClaimTemplateName: shape-{shape}}}]
"""


def write_manifests(folder: Path, nodes: int, devices: int, pods: int) -> None:
    """Write nodes with `devices` devices each, and pods that request a device by one of SHAPES templates."""
    files = {
        "inventory": (_CLASS, *_nodes(nodes, devices)),
        "pods": (
            *(_TEMPLATE.format(shape=shape) for shape in range(SHAPES)),
            *(_POD.format(number=number, shape=number % SHAPES) for number in range(pods)),
        ),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, documents in files.items():
        (folder / f"{name}.yaml").write_text("---\n".join(documents), "utf-8")


def _nodes(nodes: int, devices: int) -> Iterator[str]:
    listed = "".join(_DEVICE.format(place=place) for place in range(devices))
    for index in range(nodes):
        yield _NODE.format(index=index)
        yield _SLICE.format(index=index, devices=listed)
