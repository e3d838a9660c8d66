"""The objects of a real cluster that `usage` and `footprint` count, listed in pages; nothing is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from dra_conform.adapters.live.api import Api, Unreachable
from dra_conform.adapters.live.endpoint import CannotRun, Endpoint
from dra_conform.adapters.live.resources import RESOURCES, Address
from dra_conform.adapters.live.served_versions import ServedVersions
from dra_conform.conformance.implementation import CannotStart
from dra_conform.kube.json_values import Json, UncheckedJson, encode_json
from dra_conform.previews.cluster_dump.cluster_objects import COUNTED_KINDS
from dra_conform.previews.progress import Progress, no_progress

PAGE = 500
"""The number of objects in a page, as in kubectl."""

MAX_PAGES = 20_000
"""The maximum number of pages of a kind, so that a faulty API server cannot continue a list forever."""


@dataclass(frozen=True, slots=True)
class ListPage:
    """The objects of a page, and the number of further objects as far as the API server says."""

    items: Sequence[Json]
    remaining: int


def cluster_lists(
    kubeconfig: Path, context: str = "", progress: Progress = no_progress
) -> Iterator[tuple[str, bytes]]:
    """Yield each page of the counted objects of all namespaces, as its path and a JSON `List`.

    A kind that the API server does not serve is left out. Raises CannotStart if the cluster cannot be
    reached, or the account may not list a kind.
    """
    api = Api(Endpoint.of_kubeconfig(kubeconfig, context))
    try:
        served = ServedVersions(api)
        for kind in (struct.__name__ for struct in COUNTED_KINDS):
            if not served.has(kind):
                continue
            read = 0
            address = RESOURCES[kind].address(served.newest(kind))
            for page in pages_of(api, address):
                read += len(page.items)
                progress(f"reading {address.resource.plural}", read, read + page.remaining)
                yield str(address), encode_json({"kind": "List", "items": page.items})
    except (Unreachable, CannotRun) as error:
        raise CannotStart(str(error)) from None
    finally:
        api.close()


def pages_of(api: Api, address: Address) -> Iterator[ListPage]:
    """Yield the pages of a collection.

    If the token of the next page has expired, the API server sends another one, which continues with the
    present objects. Raises Unreachable, CannotRun.
    """
    token = ""
    for _ in range(MAX_PAGES):
        answer = api.get(address, limit=str(PAGE), **({"continue": token} if token else {}))
        metadata = answer.body.get("metadata")
        following = _text(metadata, "continue")
        if answer.accepted:
            items = answer.body["items"] or []
            own = {"apiVersion": answer.body["apiVersion"], "kind": address.resource.kind}
            yield ListPage([{**own, **item} for item in items], _count(metadata))
        elif answer.reason != "Expired" or not following:
            raise CannotRun(f"GET {address}: {answer.reason}: {answer.message}")
        if not following:
            return
        token = following
    raise CannotRun(f"GET {address}: the list has more than {MAX_PAGES:,} pages")


def _text(metadata: UncheckedJson, name: str) -> str:
    value = metadata.get(name) if isinstance(metadata, dict) else None
    return value if isinstance(value, str) else ""


def _count(metadata: UncheckedJson) -> int:
    value = metadata.get("remainingItemCount") if isinstance(metadata, dict) else None
    return value if isinstance(value, int) and value > 0 else 0
