"""A small client of the Kubernetes API with the kubeconfig of the driver."""

from __future__ import annotations

import base64
import json
import ssl
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import yaml

from dra_conform.kube.json_values import Json

SLICES = "/apis/resource.k8s.io/v1/resourceslices"
TIMEOUT_SECONDS = 10.0
WATCH_SECONDS = 300


class APIError(Exception):
    """The API server answers with an error status, or cannot be reached; `code` is 0 then."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(f"{code}: {message}" if code else message)
        self.code = code


class APIClient:
    """Requests to the API server of a kubeconfig's current context."""

    def __init__(self, kubeconfig: Path) -> None:
        config = yaml.safe_load(kubeconfig.read_text(encoding="utf-8"))
        context = _named(config["contexts"], config["current-context"])["context"]
        cluster = _named(config["clusters"], context["cluster"])["cluster"]
        user = _named(config["users"], context["user"])["user"]
        self._server = cluster["server"].rstrip("/")
        self._headers = {"User-Agent": "reference-driver", "Accept": "application/json"}
        if user.get("token"):
            self._headers["Authorization"] = f"Bearer {user['token']}"
        self._tls = _tls(cluster, user) if self._server.startswith("https:") else None

    def node(self, name: str) -> Json:
        """Return a node; raises APIError."""
        return self._request("GET", f"/api/v1/nodes/{quote(name)}")

    def claim(self, namespace: str, name: str) -> Json:
        """Return a ResourceClaim; raises APIError."""
        path = f"/apis/resource.k8s.io/v1/namespaces/{quote(namespace)}/resourceclaims/{quote(name)}"
        return self._request("GET", path)

    def slices(self, selector: str) -> tuple[list[Json], str]:
        """Return the ResourceSlices that a field selector selects, and the resource version of the list."""
        answer = self._request("GET", f"{SLICES}?fieldSelector={quote(selector)}")
        return answer["items"], answer["metadata"]["resourceVersion"]

    def create_slice(self, raw: Json) -> None:
        """Create a ResourceSlice; raises APIError."""
        self._request("POST", SLICES, raw)

    def keeps_groups(self, raw: Json) -> bool:
        """Return whether the API server keeps the compatibilityGroups of a ResourceSlice; raises APIError.

        It drops them if its feature gate is off. Nothing is stored.
        """
        unused = {**raw["metadata"], "name": f"{raw['metadata']['name']}-rehearsal"}
        kept = self._request("POST", f"{SLICES}?dryRun=All", {**raw, "metadata": unused})
        return any(
            entry.get("compatibilityGroups")
            for device in kept["spec"].get("devices") or ()
            for entry in device.get("consumesCounters") or ()
        )

    def update_slice(self, raw: Json) -> None:
        """Replace a ResourceSlice; raises APIError."""
        self._request("PUT", f"{SLICES}/{quote(raw['metadata']['name'])}", raw)

    def delete_slice(self, raw: Json) -> None:
        """Delete a ResourceSlice unless it was replaced in the meantime; raises APIError."""
        options = {
            "apiVersion": "v1",
            "kind": "DeleteOptions",
            "preconditions": {"uid": raw["metadata"]["uid"]},
        }
        self._request("DELETE", f"{SLICES}/{quote(raw['metadata']['name'])}", options)

    def delete_slices(self, selector: str) -> None:
        """Delete the ResourceSlices that a field selector selects; raises APIError."""
        self._request("DELETE", f"{SLICES}?fieldSelector={quote(selector)}")

    def watch_slices(self, selector: str, version: str) -> Iterator[Json]:
        """Yield the changes of ResourceSlices after a resource version until the server ends the watch.

        Raises APIError.
        """
        query = f"watch=true&resourceVersion={version}&timeoutSeconds={WATCH_SECONDS}"
        request = self._prepared("GET", f"{SLICES}?{query}&fieldSelector={quote(selector)}")
        try:
            with urllib.request.urlopen(request, timeout=WATCH_SECONDS, context=self._tls) as answer:
                for line in answer:
                    yield json.loads(line)
        except (OSError, ValueError) as error:
            raise APIError(0, str(error)) from None

    def _prepared(self, method: str, path: str, body: Json = None) -> urllib.request.Request:
        data = None if body is None else json.dumps(body).encode()
        headers = {**self._headers, **({} if data is None else {"Content-Type": "application/json"})}
        return urllib.request.Request(self._server + path, data, headers, method=method)

    def _request(self, method: str, path: str, body: Json = None) -> Json:
        request = self._prepared(method, path, body)
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS, context=self._tls) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise APIError(error.code, error.read().decode(errors="replace")[:500]) from None
        except (OSError, ValueError) as error:
            raise APIError(0, str(error)) from None


def _named(items: list[Json], name: str) -> Json:
    return next(item for item in items if item["name"] == name)


def _tls(cluster: Json, user: Json) -> ssl.SSLContext:
    """Return the TLS settings of a kubeconfig: its CA, and a client certificate if the user has one."""
    authority = cluster.get("certificate-authority-data")
    context = ssl.create_default_context(
        cafile=cluster.get("certificate-authority"),
        cadata=base64.b64decode(authority).decode() if authority else None,
    )
    if "client-certificate-data" in user:
        with tempfile.NamedTemporaryFile() as file:
            for name in ("client-certificate-data", "client-key-data"):
                file.write(base64.b64decode(user[name]) + b"\n")
            file.flush()
            context.load_cert_chain(file.name)
    elif "client-certificate" in user:
        context.load_cert_chain(user["client-certificate"], user["client-key"])
    return context
