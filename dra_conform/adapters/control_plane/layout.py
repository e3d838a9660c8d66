"""The addresses and shared files of the components of one control plane."""

from __future__ import annotations

import csv
import errno
import json
import random
import secrets
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

USERS: Mapping[str, tuple[str, str]] = {
    "admin": ("admin", "system:masters"),
    "scheduler": ("system:kube-scheduler", ""),
    "controller-manager": ("system:kube-controller-manager", ""),
    "component-under-test": ("dra-conform:component-under-test", "system:masters"),
}
"""The users of the API server, each with its name and group."""

PORTS = range(15000, 30000)
"""Ports that the kernel does not use for outgoing connections, so that a port is still free at a restart."""


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
            if _is_free(port):
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
