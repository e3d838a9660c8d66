"""Details of failures, compressed within the HTML report. The script of the page unpacks them when opened."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

PART = 60
"""The number of failures of one part, which is unpacked as a whole."""


@dataclass(frozen=True, slots=True)
class PackedDetails:
    """Parts of the page in Base64, and the place of each failure by anchor, such as `3.17`.

    A part is a JSON array of HTML fragments, compressed as RFC 1950 (`deflate` of the Compression Streams).
    """

    parts: tuple[str, ...] = ()
    places: Mapping[str, str] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Return the size of all parts in bytes."""
        return sum(map(len, self.parts))


def pack(fragments_by_cause: Sequence[Mapping[str, str]], budget: int) -> PackedDetails:
    """Pack HTML fragments by anchor, those of one cause next to each other, which compresses best.

    If they do not fit into the `budget` in bytes, each cause keeps only its first failures.
    """
    longest = max(map(len, fragments_by_cause), default=0)
    while longest:
        kept = [list(of_cause.items())[:longest] for of_cause in fragments_by_cause]
        packed = _packed([entry for of_cause in kept for entry in of_cause])
        if packed.size <= budget:
            return packed
        longest //= 2
    return PackedDetails()


def _packed(fragments: Sequence[tuple[str, str]]) -> PackedDetails:
    parts: list[str] = []
    places: dict[str, str] = {}
    for start in range(0, len(fragments), PART):
        of_part = fragments[start : start + PART]
        places |= {anchor: f"{len(parts)}.{at}" for at, (anchor, _) in enumerate(of_part)}
        text = json.dumps([fragment for _, fragment in of_part], ensure_ascii=False)
        parts.append(base64.b64encode(zlib.compress(text.encode(), 9)).decode())
    return PackedDetails(tuple(parts), places)
