"""The types of plugins that a kubelet registers. Without protobuf, for what only names them."""

from __future__ import annotations

DRA_PLUGIN = "DRAPlugin"
"""The plugin type that a DRA driver has in `GetInfo`, and the name of its service."""
