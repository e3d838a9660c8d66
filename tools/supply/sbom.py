"""Print the bill of materials of the wheel, as CycloneDX: the packages that are installed with it."""

from __future__ import annotations

import json
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from licences import licence_of
from locked import RUNTIME, locked_packages
from packageurl import PackageURL

from dra_conform import __version__


def bill() -> str:
    """Return the SBOM as CycloneDX JSON; the same lock file gives the same SBOM, which has no date."""
    of = LicenseFactory()
    packages = tuple(locked_packages(RUNTIME))
    root = Component(
        name="dra-conform",
        version=__version__,
        type=ComponentType.APPLICATION,
        bom_ref="dra-conform",
        licenses=[of.make_from_string("Apache-2.0")],
    )
    bom = Bom(serial_number=uuid5(NAMESPACE_URL, RUNTIME.read_text("utf-8")))
    bom.metadata.component = root
    parts = []
    for package in packages:
        purl = PackageURL("pypi", None, package.name, package.version)
        part = Component(
            name=package.name,
            version=package.version,
            type=ComponentType.LIBRARY,
            bom_ref=str(purl),
            purl=purl,
            licenses=[of.make_from_string(licence_of(package.name))],
        )
        bom.components.add(part)
        parts.append(part)
    bom.register_dependency(root, parts)
    document = json.loads(JsonV1Dot6(bom).output_as_string())
    del document["metadata"]["timestamp"]
    return json.dumps(document, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    print(bill(), end="")
