"""The catalogue of requirements, read from `requirements/`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote

import msgspec

from dra_conform.conformance.requirement import FUTURE, MAY, MUST, SHOULD, Requirement
from dra_conform.kube.input_files import decode_document

LEVELS = (MUST, SHOULD, MAY, FUTURE)
TEST_OPERATIONS = (
    "consume",
    "allocate",
    "admit",
    "schedule",
    "lifecycle",
    "quota",
    "evict",
    "kubelet-admit",
    "driver",
    "kubelet",
    "observe",
)
"""The kinds of question that can test a requirement."""

POLARITIES = ("accepts", "rejects")
_WITH_POLARITY = ("consume", "allocate", "admit", "quota", "evict", "kubelet-admit")

_URL = re.compile(r"https?://[^\s\x00-\x1f<>\"'\\`]+")
"""The pattern of a template of URLs; other characters must be percent-encoded."""


class CatalogueEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A requirement as written; `Requirement` describes its members."""

    id: str
    level: str
    area: str
    operation: str
    section: str
    statement: str
    interpretation: str = ""
    untestable: str = ""
    polarity: tuple[str, ...] = ()


class CatalogueFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file with the requirements of a document; `link` is a template of the URLs of its sections.

    `sources`: the templates for sections whose path begins with another source, such as `KEP-4381`.
    `anchors`: the anchors of sections that the template does not give, such as of text without a heading. An
    anchor also applies to all sections below its section.
    """

    document: str
    title: str
    link: str = ""
    sources: dict[str, str] = {}
    anchors: dict[str, str] = {}
    requirements: tuple[CatalogueEntry, ...]


def requirements_of(text: str, file: str) -> Iterator[Requirement]:
    """Yield the requirements of a catalogue file such as `requirements/kep-5075.yaml`; raises InputError."""
    content, document = decode_document(text, file, CatalogueFile, "catalogue")
    for where, link in (
        (("link",), content.link),
        *((("sources", name), link) for name, link in content.sources.items()),
    ):
        if link and not _URL.fullmatch(link):
            raise document.error(where, f"is {link!r}, expected a URL with http or https")
    sections = [_first_section(entry.section) for entry in content.requirements]
    for path in content.anchors:
        if not any(_contains(path, section) for section in sections):
            raise document.error(("anchors", path), "has no requirement, expected a section of a requirement")
    for index, entry in enumerate(content.requirements):
        problem_of_entry = _first_problem(entry, content.document)
        if problem_of_entry is not None:
            raise document.error(("requirements", index, problem_of_entry[0]), problem_of_entry[1])
        yield Requirement(
            id=entry.id,
            document=content.document,
            area=entry.area,
            level=entry.level,
            operation=entry.operation,
            section=entry.section,
            statement=entry.statement,
            interpretation=entry.interpretation,
            untestable=entry.untestable,
            polarity=frozenset(entry.polarity or ("accepts",)),
            link=_link(content, sections[index]),
        )


def _first_section(sections: str) -> str:
    return sections.partition("; ")[0]


def _contains(path: str, section: str) -> bool:
    """Return whether a section is at a path or below it."""
    return f"{section} / ".startswith(f"{path} / ")


def _link(content: CatalogueFile, section: str) -> str:
    """Return the URL of a section: in the template, `{heading}` is the anchor of its heading, `{type}` its
    type. An anchor of `anchors` replaces both. If several apply, the one with the longest path is used.

    Sections are paths such as `Design Details / Scheduling enhancement`.
    """
    template = content.sources.get(section.partition(" / ")[0], content.link)
    heading = re.split(" / (?!Downgrade)", section)[-1]
    anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
    paths = [path for path in content.anchors if _contains(path, section)]
    mapped = quote(content.anchors[max(paths, key=len)], safe="/%:;,=&?@!$+*") if paths else ""
    name = quote(heading.split(" ")[0])
    return template.replace("{heading}", mapped or anchor).replace("{type}", mapped or name)


def _first_problem(entry: CatalogueEntry, document: str) -> tuple[str, str] | None:
    """Return the first invalid member of an entry, and the problem."""
    if not entry.id.startswith(f"{document}/{entry.area}/"):
        return "id", f"is {entry.id!r}, expected an id that begins with {document}/{entry.area}/"
    if entry.level not in LEVELS:
        return "level", f"is {entry.level!r}, expected one of {', '.join(LEVELS)}"
    if entry.operation not in TEST_OPERATIONS:
        return "operation", f"is {entry.operation!r}, expected one of {', '.join(TEST_OPERATIONS)}"
    if entry.operation in _WITH_POLARITY and not entry.polarity:
        return (
            "polarity",
            f"is missing, expected {' or '.join(POLARITIES)} or both for operation {entry.operation}",
        )
    unknown = set(entry.polarity) - set(POLARITIES)
    if unknown:
        return "polarity", f"has {', '.join(sorted(unknown))}, expected only {' or '.join(POLARITIES)}"
    return None
