"""The catalogue of requirements, read from `requirements/`."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from dra_conform.conformance.requirement import FUTURE, MAY, MUST, SHOULD, Requirement
from dra_conform.kube.errors import InputError
from dra_conform.kube.objects import DecodeErrors, decode_as
from dra_conform.kube.yaml import parse_yaml

LEVELS = (MUST, SHOULD, MAY, FUTURE)
SHOWN_THROUGH = (
    "consume",
    "allocate",
    "admit",
    "schedule",
    "lifecycle",
    "quota",
    "evict",
    "kubelet-admit",
    "observe",
)
"""The kinds of question through which a requirement can show."""

POLARITIES = ("accepts", "refuses")
_WITH_POLARITY = ("consume", "allocate", "admit", "quota", "evict", "kubelet-admit")


class CatalogueEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: str
    level: str
    area: str
    operation: str
    section: str
    statement: str
    reading: str = ""
    unshowable: str = ""
    polarity: tuple[str, ...] = ()


class CatalogueFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    document: str
    title: str
    link: str = ""
    requirements: tuple[CatalogueEntry, ...]


def requirements_of(text: str, file: str) -> Iterator[Requirement]:
    """The requirements of one catalogue file, such as `requirements/kep-5075.yaml`; raises InputError."""
    documents = parse_yaml(text, file)
    if len(documents) != 1:
        raise InputError(file, 1, "", f"holds {len(documents)} documents, expected one catalogue")
    document = documents[0]
    try:
        content: CatalogueFile = decode_as(CatalogueFile, document.value)
    except DecodeErrors as error:
        problem = error.problems[0]
        raise document.error(problem.path, problem.message) from None
    if content.link and not content.link.startswith(("https://", "http://")):
        raise document.error(("link",), f"is {content.link!r}, expected an address of http or https")
    for index, entry in enumerate(content.requirements):
        wrong = _wrong(entry, content.document)
        if wrong is not None:
            raise document.error(("requirements", index, wrong[0]), wrong[1])
        yield Requirement(
            id=entry.id,
            document=content.document,
            area=entry.area,
            level=entry.level,
            operation=entry.operation,
            section=entry.section,
            statement=entry.statement,
            reading=entry.reading,
            unshowable=entry.unshowable,
            polarity=frozenset(entry.polarity or ("accepts",)),
            link=_link(content.link, entry.section),
        )


def _link(template: str, section: str) -> str:
    """Where a section can be read: `{heading}` in the template is its heading as an anchor, `{type}` itself.

    Sections are paths such as `Design Details / Scheduling enhancement`; of several the first is linked.
    """
    heading = re.split(" / (?!Downgrade)", section.partition("; ")[0])[-1]
    anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
    return template.replace("{heading}", anchor).replace("{type}", heading.split(" ")[0])


def _wrong(entry: CatalogueEntry, document: str) -> tuple[str, str] | None:
    """The first member of an entry that is wrong, and why."""
    if not entry.id.startswith(f"{document}/{entry.area}/"):
        return "id", f"is {entry.id!r}, expected it to begin with {document}/{entry.area}/"
    if entry.level not in LEVELS:
        return "level", f"is {entry.level!r}, expected one of {', '.join(LEVELS)}"
    if entry.operation not in SHOWN_THROUGH:
        return "operation", f"is {entry.operation!r}, expected one of {', '.join(SHOWN_THROUGH)}"
    if entry.operation in _WITH_POLARITY and not entry.polarity:
        return "polarity", f"is missing, expected some of {', '.join(POLARITIES)} for {entry.operation}"
    unknown = set(entry.polarity) - set(POLARITIES)
    if unknown:
        return "polarity", f"has {', '.join(sorted(unknown))}, expected some of {', '.join(POLARITIES)}"
    return None
