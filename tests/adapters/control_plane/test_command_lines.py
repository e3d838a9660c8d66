"""Command lines of the components of a control plane."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from dra_conform.adapters.control_plane.command_lines import Layout, etcd


def test_etcd_listens_on_sockets_and_advertises_what_all_releases_of_etcd_accept() -> None:
    layout = Layout.of(Path("/run/plane"), apiservers=1, replaced=0)
    options = dict(option.split("=", 1) for option in etcd(layout) if "=" in option)
    listens = [options["--listen-client-urls"], options["--listen-peer-urls"]]
    advertises = [options["--advertise-client-urls"], options["--initial-advertise-peer-urls"]]
    assert [urlsplit(url).scheme for url in listens] == ["unix", "unix"]
    assert all(urlsplit(url).hostname and urlsplit(url).port for url in advertises)
    assert options["--initial-cluster"] == f"default={options['--initial-advertise-peer-urls']}"
