"""Random attributes (equal, similar, lists or missing), and selectors that read them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dra_conform.conformance.steps.given import DRIVER
from dra_conform.fuzz.generation.chance import Choose, happens
from dra_conform.kube.json_values import Json

READERS = ("match-attribute", "match-attribute", "distinct-attribute", "cel-selectors")
"""The features that read attributes; the most complex one is listed twice."""

CONSTRAINED = (*(f"{DRIVER}/numa",) * 4, f"{DRIVER}/model")
"""The attributes that constraints name."""

_DOMAINS: dict[str, tuple[Json, ...]] = {
    "int": (0, 1, 2),
    "string": ("0", "1", "2"),
    "bool": (False, True, True),
    "version": ("1.0.0", "1.0.1", "1.0.0+build"),
}
_KINDS = ("int", "int", "int", "string", "bool", "version")
_SUBSETS = ((0,), (0, 1), (1, 2), (2, 0), (1, 0), (2, 1), (0, 1, 2), (1,), (2,))
_MODELS: tuple[Json, ...] = ({"string": "a"}, {"string": "a"}, {"string": "b"}, None)


@dataclass(frozen=True, slots=True)
class NumaAttribute:
    """The attribute `numa` of a scenario, with possible values and values of another type.

    `kind` is the type in the words of the API: int, string, bool, version. If `lists`, values are lists.
    `name` is the name of the attribute, with or without its domain.
    """

    kind: str
    name: str
    lists: bool

    @property
    def options(self) -> tuple[Json, ...]:
        """Return the values to choose from; None means no attribute."""
        values = _DOMAINS[self.kind]
        scalars = [
            {self.kind: values[index]} for index in ((0, 1, 2) if self.lists else (0, 1, 0, 1, 0, 1, 2))
        ]
        other_types = [{"string": "0"} if self.kind != "string" else {"int": 0}, None]
        lists = [{f"{self.kind}s": [values[at] for at in subset]} for subset in _SUBSETS]
        other_lists = [{"strings": ["0", "1"]} if self.kind != "string" else {"ints": [0, 1]}]
        return (*scalars, *(lists + other_lists if self.lists else []), *other_types)

    @property
    def literals(self) -> tuple[str, str]:
        """Return two values of the attribute in CEL notation."""
        return _literal(self.kind, 0), _literal(self.kind, 1)


def numa_attribute(choose: Choose, features: frozenset[str]) -> NumaAttribute | None:
    """Choose the attribute `numa` of a scenario, None if no feature reads attributes."""
    if not features & {*READERS, "list-attributes"}:
        return None
    name = f"{DRIVER}/numa" if happens(choose, 6) else "numa"
    return NumaAttribute(choose(_KINDS), name, "list-attributes" in features)


def device_attributes(choose: Choose, numa: NumaAttribute) -> dict[str, Json]:
    """Choose the attributes of one device, by name."""
    attributes: dict[str, Json] = {numa.name: choose(numa.options), "model": choose(_MODELS)}
    return {name: dict(value) for name, value in attributes.items() if value is not None}


def attribute_selectors(numa: NumaAttribute | None, features: frozenset[str]) -> tuple[str, ...]:
    """Return CEL expressions that match some devices of the scenario, or end in an error for some."""
    if "cel-selectors" not in features:
        return ()
    return tuple(_selectors(numa, features))


def _selectors(numa: NumaAttribute | None, features: frozenset[str]) -> Iterator[str]:
    value = f'device.attributes["{DRIVER}"].numa'
    has = f'"numa" in device.attributes["{DRIVER}"]'
    yield f'device.driver == "{DRIVER}"'
    yield f'device.attributes["{DRIVER}"].?model.orValue("") == "a"'
    yield f'"bw" in device.capacity["{DRIVER}"]'
    zero, one = numa.literals if numa else ("0", "1")
    if numa and numa.lists:
        yield f"{has} && {value}.includes({zero})"
        yield f"{value}.includes({one})"
        yield f"{has} && type({value}) == list && {one} in {value}"
        yield f"{has} && type({value}) == list && {value}.exists(x, x == {zero})"
    else:
        yield f"{has} && {value} == {zero}"
        yield f"{value} == {one}"
    if "consumable-capacity" in features:
        yield "device.allowMultipleAllocations == true"
        yield "!device.allowMultipleAllocations"


def _literal(kind: str, index: int) -> str:
    value = _DOMAINS[kind][index]
    match kind:
        case "string":
            return f'"{value}"'
        case "version":
            return f'semver("{value}")'
        case "bool":
            return "true" if value else "false"
        case _:
            return str(value)
