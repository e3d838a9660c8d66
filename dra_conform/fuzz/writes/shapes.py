"""Descriptions of the values of API fields, from which valid and invalid values are generated.

Only the API server decides which objects are valid.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from random import Random
from typing import Any

from dra_conform.kube.json_values import Json

ShapePlace = tuple[Any, Any, "Shape"]
"""The container of a value, its key or index there, and its shape."""


@dataclass(frozen=True)
class Scalar:
    """A scalar or another value that is generated as a whole."""

    valid: tuple[Json, ...]
    invalid: tuple[Json, ...] = ()

    def make(self, random: Random) -> Json:
        return deepcopy(random.choice(self.valid))

    def places(self, value: Json) -> Iterator[ShapePlace]:
        yield from ()


@dataclass(frozen=True)
class StructShape:
    """A struct with required fields, optional fields, and the group `either`, of which one field is set."""

    needed: Mapping[str, Shape] = field(default_factory=dict)
    optional: Mapping[str, Shape] = field(default_factory=dict)
    either: tuple[Mapping[str, Shape], ...] = ({},)

    def fields(self) -> dict[str, Shape]:
        """Return all fields of the struct."""
        either = {name: shape for group in self.either for name, shape in group.items()}
        return {**self.needed, **self.optional, **either}

    def make(self, random: Random) -> Json:
        chosen = {**self.needed, **random.choice(self.either)}
        rare = random.choice((0.1, 0.3, 0.7))
        chosen |= {name: shape for name, shape in self.optional.items() if random.random() < rare}
        return {name: shape.make(random) for name, shape in chosen.items()}

    def places(self, value: Json) -> Iterator[ShapePlace]:
        if isinstance(value, dict):
            for name, shape in self.fields().items():
                if name in value:
                    yield value, name, shape
                    yield from shape.places(value[name])


@dataclass(frozen=True)
class Items:
    """A list with at most `most` generated items; `limit` is the maximum of the API.

    `key` is the field with a unique name.
    """

    item: Shape
    most: int = 2
    limit: int = 0
    key: str = ""
    least: int = 1

    def make(self, random: Random) -> Json:
        items = [self.item.make(random) for _ in range(random.randint(self.least, self.most))]
        if self.key:
            for number, item in enumerate(items):
                item[self.key] = named(number)
        elif not isinstance(self.item, StructShape):
            items = [item for number, item in enumerate(items) if item not in items[:number]]
        return items

    def filled(self, random: Random, count: int) -> Json:
        """Generate a list of `count` items, distinct if possible."""
        items = [self.item.make(random) for _ in range(count)]
        for number, item in enumerate(items):
            if self.key:
                item[self.key] = named(number)
            elif isinstance(item, str):
                items[number] = named(number)
        return items

    def places(self, value: Json) -> Iterator[ShapePlace]:
        if isinstance(value, list):
            for index, item in enumerate(value):
                yield value, index, self.item
                yield from self.item.places(item)


@dataclass(frozen=True)
class Entries:
    """A map with at most `most` generated entries; `limit` is the maximum of the API."""

    keys: Scalar
    item: Shape
    most: int = 2
    limit: int = 0

    def make(self, random: Random) -> Json:
        return {self.keys.make(random): self.item.make(random) for _ in range(random.randint(1, self.most))}

    def filled(self, random: Random, count: int) -> Json:
        """Generate a map of `count` entries."""
        return {named(number): self.item.make(random) for number in range(count)}

    def places(self, value: Json) -> Iterator[ShapePlace]:
        if isinstance(value, dict):
            for name, item in value.items():
                yield value, name, self.item
                yield from self.item.places(item)


@dataclass(frozen=True)
class Choice:
    """A value that has one of several shapes."""

    shapes: tuple[StructShape, ...]

    def fields(self) -> dict[str, Shape]:
        """Return the fields of all shapes of the choice."""
        return {name: shape for choice in self.shapes for name, shape in choice.fields().items()}

    def make(self, random: Random) -> Json:
        return random.choice(self.shapes).make(random)

    def places(self, value: Json) -> Iterator[ShapePlace]:
        yield from StructShape(optional=self.fields()).places(value)


Shape = Scalar | StructShape | Items | Entries | Choice


def named(number: int) -> str:
    """Return the generated name of an item by its number: `a`, `b`, `n2`, and so on."""
    return "ab"[number] if number < 2 else f"n{number}"
