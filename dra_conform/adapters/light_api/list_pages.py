"""Paging of lists with `limit` and `continue`, as in the Kubernetes API."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence

from dra_conform.kube.json_values import CheckedJson


class BadPage(ValueError):  # noqa: N818 - it reads as what it is
    """`limit` or `continue` is malformed."""


def page_of(
    items: Sequence[CheckedJson], query: Mapping[str, str], revision: int
) -> tuple[Sequence[CheckedJson], dict[str, CheckedJson]]:
    """Return the requested page of a list and its metadata; raise BadPage.

    A continue token has the key of the last object of its page. Later pages show the present objects, while
    those of a real API server show the objects at the time of the first page.
    """
    metadata: dict[str, CheckedJson] = {"resourceVersion": str(revision)}
    if "limit" not in query and "continue" not in query:
        return items, metadata
    try:
        limit = int(query.get("limit") or 0)
        after = base64.b64decode(query.get("continue", ""), b"-_", validate=True).decode()
    except ValueError as error:
        raise BadPage(f"limit or continue is malformed: {error}") from None
    rest = sorted((item for item in items if _key(item) > after), key=_key)
    if not 0 < limit < len(rest):
        return rest, metadata
    metadata["continue"] = base64.urlsafe_b64encode(_key(rest[limit - 1]).encode()).decode()
    metadata["remainingItemCount"] = len(rest) - limit
    return rest[:limit], metadata


def _key(item: CheckedJson) -> str:
    metadata = item["metadata"]
    return f"{metadata.get('namespace', '')}/{metadata['name']}"
