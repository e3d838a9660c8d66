"""The result of one check of `adapter check` or `driver check`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Item:
    """The result of one check; `advice` tells the author of the adapter what to do if it is not `ok`.

    `warning`: the adapter follows the protocol, and the advice saves failures of cases.
    """

    ok: bool
    title: str
    advice: str = ""
    warning: bool = False
