"""The command lines of the components of a control plane."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dra_conform.adapters.control_plane.layout import Layout
from dra_conform.kube.versions import GROUP, SERVED

_UNUSED_URL = "http://127.0.0.1:1"
"""An address that nobody connects to. etcd before 3.7 does not advertise addresses of sockets."""


def etcd(layout: Layout) -> list[str]:
    """Return the command line of etcd; it does not sync to disk, because the data is temporary."""
    clients, peers = (f"unix://{socket}" for socket in (layout.store, layout.peers))
    return [
        "etcd",
        f"--data-dir={layout.folder / 'etcd'}",
        "--unsafe-no-fsync",
        f"--listen-client-urls={clients}",
        f"--advertise-client-urls={_UNUSED_URL}",
        f"--listen-peer-urls={peers}",
        f"--initial-advertise-peer-urls={_UNUSED_URL}",
        f"--initial-cluster=default={_UNUSED_URL}",
        "--log-level=warn",
    ]


def apiserver(layout: Layout, gates: Mapping[str, bool], port: int) -> list[str]:
    """Return the command line of an API server, which serves every version of resource.k8s.io."""
    versions = sorted({version for versions in SERVED.values() for version in versions})
    return [
        "kube-apiserver",
        f"--etcd-servers=unix://{layout.store}",
        *_serving(layout, port),
        "--advertise-address=127.0.0.1",
        "--endpoint-reconciler-type=none",
        "--service-cluster-ip-range=10.0.0.0/24",
        "--service-account-issuer=https://kubernetes.default.svc",
        f"--service-account-key-file={layout.key}",
        f"--service-account-signing-key-file={layout.key}",
        f"--token-auth-file={layout.tokens}",
        "--authorization-mode=RBAC",
        "--disable-admission-plugins=ServiceAccount",
        "--enable-priority-and-fairness=false",
        "--runtime-config=" + ",".join(f"{GROUP}/{version}=true" for version in versions),
        *_gates(gates),
    ]


def scheduler(layout: Layout, gates: Mapping[str, bool]) -> list[str]:
    """Return the command line of the scheduler."""
    return [
        "kube-scheduler",
        *_client(layout, "scheduler"),
        *_serving(layout, layout.scheduler),
        _open_metrics(),
        *_gates(gates),
    ]


def controller_manager(layout: Layout, gates: Mapping[str, bool], left_out: Sequence[str] = ()) -> list[str]:
    """Return the command line of the controller manager, without node controllers: no kubelet runs.

    `left_out` are controllers that do not run either.
    """
    off = ("node-lifecycle-controller", "node-ipam-controller", *left_out)
    return [
        "kube-controller-manager",
        *_client(layout, "controller-manager"),
        *_serving(layout, layout.controller_manager),
        _open_metrics(),
        "--use-service-account-credentials",  # Otherwise claims are not generated from templates.
        f"--service-account-private-key-file={layout.key}",
        "--controllers=" + ",".join(("*", *(f"-{name}" for name in off))),
        "--kube-api-qps=200",
        "--kube-api-burst=400",
        *_gates(gates),
    ]


def _serving(layout: Layout, port: int) -> list[str]:
    return [
        "--bind-address=127.0.0.1",
        f"--secure-port={port}",
        f"--tls-cert-file={layout.certificate}",
        f"--tls-private-key-file={layout.key}",
    ]


def _open_metrics() -> str:
    """Return the flag that lets clients read health and metrics of a component without authorization."""
    return "--authorization-always-allow-paths=/healthz,/readyz,/livez,/metrics"


def _client(layout: Layout, user: str) -> list[str]:
    return [
        f"--kubeconfig={layout.kubeconfig(user)}",
        "--authentication-skip-lookup",
        "--leader-elect=false",
    ]


def gates_string(gates: Mapping[str, bool]) -> str:
    """Return feature gates in the form of the flag `--feature-gates`."""
    return ",".join(f"{gate}={'true' if on else 'false'}" for gate, on in sorted(gates.items()))


def _gates(gates: Mapping[str, bool]) -> list[str]:
    """Return the flag that sets every gate, because patch releases may have different defaults."""
    return [f"--feature-gates={gates_string(gates)}"] if gates else []
