"""The command lines of the components of a control plane, and the addresses and shared files that they
name."""

from __future__ import annotations

import csv
import errno
import json
import random
import secrets
import socket
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dra_conform.kube.versions import GROUP, SERVED

USERS: Mapping[str, tuple[str, str]] = {
    "admin": ("admin", "system:masters"),
    "scheduler": ("system:kube-scheduler", ""),
    "controller-manager": ("system:kube-controller-manager", ""),
    "component-under-test": ("dra-conform:component-under-test", "system:masters"),
}
"""The users of the API server, each with its name and group."""

PORTS = range(15000, 30000)
"""Ports that the kernel does not use for outgoing connections, so that a port is still free at a restart."""

_given: deque[int] = deque(maxlen=100)
"""The ports that layouts of this process got last, which may not be in use yet."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The ports of one control plane on the loopback, and its files in its folder."""

    folder: Path
    apiservers: tuple[int, ...]
    """The ports of API servers."""
    scheduler: int
    controller_manager: int
    replaced: tuple[int, ...]
    """A port for each component that replaces one of the release."""

    @classmethod
    def of(cls, folder: Path, apiservers: int, replaced: int) -> Layout:
        """Return a layout with free ports for these numbers of API servers and replaced components."""
        free: list[int] = []
        candidates = random.SystemRandom().sample(PORTS, len(PORTS))
        while len(free) < 2 + apiservers + replaced:
            port = candidates.pop()
            if port not in _given and _is_free(port):
                _given.append(port)
                free.append(port)
        scheduler, controller_manager, *rest = free
        return cls(folder, tuple(rest[:apiservers]), scheduler, controller_manager, tuple(rest[apiservers:]))

    def server(self, port: int) -> str:
        """Return the URL of the API server with this port."""
        return f"https://127.0.0.1:{port}"

    @property
    def store(self) -> Path:
        """The socket of etcd. It gives access to every object, so only this user can open its folder."""
        return self.folder / "etcd.socket"

    @property
    def peers(self) -> Path:
        """The socket for other members of etcd, which etcd requires even if it is the only member."""
        return self.folder / "peers.socket"

    @property
    def certificate(self) -> Path:
        """The serving certificate of all components, with its CA."""
        return self.folder / "tls.crt"

    @property
    def key(self) -> Path:
        """The key of the certificate, which also signs tokens of service accounts."""
        return self.folder / "tls.key"

    @property
    def tokens(self) -> Path:
        """The token file of the API server."""
        return self.folder / "tokens.csv"

    def kubeconfig(self, user: str) -> Path:
        """Return the kubeconfig of one of `USERS`."""
        return self.folder / f"{user}.kubeconfig"

    def use_server(self, port: int) -> None:
        """Write the URL of the API server with this port to the kubeconfig of every user."""
        for user in USERS:
            path = self.kubeconfig(user)
            kubeconfig = json.loads(path.read_text())
            kubeconfig["clusters"][0]["cluster"]["server"] = self.server(port)
            written = path.with_suffix(".new")
            written.write_text(json.dumps(kubeconfig))
            written.replace(path)

    def write_credentials(self) -> None:
        """Write a token for every user, to the token file and to the kubeconfig of the user."""
        with self.tokens.open("w", newline="") as file:
            rows = csv.writer(file)
            for user, (name, group) in USERS.items():
                token = secrets.token_urlsafe()
                rows.writerow((token, name, user, group) if group else (token, name, user))
                self.kubeconfig(user).write_text(json.dumps(self._kubeconfig(token)))

    def _kubeconfig(self, token: str) -> dict[str, object]:
        cluster = {"server": self.server(self.apiservers[0]), "certificate-authority": str(self.certificate)}
        return {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "own", "cluster": cluster}],
            "users": [{"name": "own", "user": {"token": token}}],
            "contexts": [{"name": "own", "context": {"cluster": "own", "user": "own"}}],
            "current-context": "own",
        }


def _is_free(port: int) -> bool:
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            return False
    return True


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
        "--disable-admission-plugins=RuntimeClass,ServiceAccount",
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
    """Return the flag that lets clients read health and metrics of a component without authorization, and
    set the verbosity of its log."""
    paths = ("/healthz", "/readyz", "/livez", "/metrics", "/metrics/resources", "/debug/flags/v")
    return f"--authorization-always-allow-paths={','.join(paths)}"


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
