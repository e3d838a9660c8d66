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
}
"""Who talks to the API server: name and group."""

PORTS = range(15000, 30000)
"""Below those that the kernel gives to outgoing connections, so that a port is still free at a restart."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The ports of one control plane on the loopback, and its files in a folder of its own."""

    folder: Path
    apiserver: int
    scheduler: int
    controller_manager: int

    @classmethod
    def of(cls, folder: Path) -> Layout:
        """With ports that nobody listens on at this moment."""
        free: list[int] = []
        candidates = random.SystemRandom().sample(PORTS, len(PORTS))
        while len(free) < 3:
            port = candidates.pop()
            if _free(port):
                free.append(port)
        return cls(folder, *free)

    @property
    def server(self) -> str:
        """The address of the API server."""
        return f"https://127.0.0.1:{self.apiserver}"

    @property
    def store(self) -> Path:
        """The socket of etcd. Whoever opens it can change every object; nobody else reaches the folder."""
        return self.folder / "etcd.socket"

    @property
    def peers(self) -> Path:
        """Where other members would reach etcd. There are none."""
        return self.folder / "peers.socket"

    @property
    def certificate(self) -> Path:
        """What all components show, with the authority behind it."""
        return self.folder / "tls.crt"

    @property
    def key(self) -> Path:
        """The key of the certificate; tokens of service accounts are signed with it too."""
        return self.folder / "tls.key"

    @property
    def tokens(self) -> Path:
        """Which token is whose, for the API server."""
        return self.folder / "tokens.csv"

    def kubeconfig(self, user: str) -> Path:
        """The kubeconfig of one of `USERS`."""
        return self.folder / f"{user}.kubeconfig"

    def write_credentials(self) -> None:
        """Give every user a token: in the API server's file, and in a kubeconfig."""
        with self.tokens.open("w", newline="") as file:
            rows = csv.writer(file)
            for user, (name, group) in USERS.items():
                token = secrets.token_urlsafe()
                rows.writerow((token, name, user, group) if group else (token, name, user))
                self.kubeconfig(user).write_text(json.dumps(self._kubeconfig(token)))

    def _kubeconfig(self, token: str) -> dict[str, object]:
        cluster = {"server": self.server, "certificate-authority": str(self.certificate)}
        return {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "own", "cluster": cluster}],
            "users": [{"name": "own", "user": {"token": token}}],
            "contexts": [{"name": "own", "context": {"cluster": "own", "user": "own"}}],
            "current-context": "own",
        }


def _free(port: int) -> bool:
    with socket.socket() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            one.bind(("127.0.0.1", port))
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            return False
    return True
