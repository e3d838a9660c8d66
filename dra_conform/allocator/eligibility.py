"""The devices that the selectors of a DeviceClass and a request accept.

With few devices, each device is evaluated when the search reaches it. With many devices, each distinct
selector is evaluated once over columns of all devices, and the search visits only the devices that the
selector may match.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import msgspec

from dra_conform import cel
from dra_conform.allocator.allocation_decision import Failed, Stop
from dra_conform.allocator.node_devices import NodeDevices
from dra_conform.kube.category import Category
from dra_conform.kube.column_use import ColumnUse
from dra_conform.kube.resource import Device, DeviceClass, DeviceSelector
from dra_conform.kube.switches.allocation import SelectorSwitches

LARGE = 256
"""The number of devices from which selectors are evaluated over columns."""

NO, YES, ERROR = 0, 1, 2
_VERDICT: dict[bool | None, int | None] = {True: YES, False: NO, None: ERROR}

Chain = tuple[tuple[str, int, str], ...]
"""Selectors as tuples of DeviceClass name (empty for a request), index there, and expression."""


class Selectors:
    """The selectors of a DeviceClass and a request, evaluated on the devices of a node.

    `verdicts` has YES, NO or ERROR for each device, None if not evaluated yet. `order` has the devices that
    the search must visit, in total order.
    """

    __slots__ = ("_chain", "_views", "order", "verdicts")

    def __init__(self, chain: Chain, views: DeviceViews) -> None:
        self._chain = chain
        self._views = views
        count = len(views)
        self.order: Sequence[int] = range(count)
        self.verdicts: list[int | None]
        if not chain:
            self.verdicts = [YES] * count
        elif not views.by_columns:
            self.verdicts = [None] * count
        else:
            self.verdicts = views.verdicts([expression for _, _, expression in chain])
        for index in views.hidden:
            self.verdicts[index] = NO
        if views.by_columns:
            self.order = [index for index, verdict in enumerate(self.verdicts) if verdict != NO]

    def accepts(self, index: int, claim: str) -> bool:
        """Whether all selectors match the device.

        Raise Stop if a selector cannot be compiled or evaluated.
        """
        verdict = self.verdicts[index]
        if verdict is None or verdict == ERROR:
            verdict = self.verdicts[index] = self._evaluate(index, claim)
        return verdict == YES

    @property
    def fail(self) -> bool:
        """Whether a selector does not compile, or its evaluation fails on one of the devices."""
        if not self._chain:
            return False
        verdicts = self._views.verdicts([expression for _, _, expression in self._chain])
        return any(
            verdict == ERROR and index not in self._views.hidden for index, verdict in enumerate(verdicts)
        )

    def why_not_matched(self, index: int) -> str:
        """Return a message that names the first selector that is false for the device."""
        for owner, place, expression in self._chain:
            if not self._views.compiled(expression).evaluate(self._views.of(index)):
                where = f"class {owner}" if owner else "request"
                return f"{where}, selector #{place} is false: {expression}"
        return ""

    def _evaluate(self, index: int, claim: str) -> int:
        for owner, place, expression in self._chain:
            try:
                if not self._views.compiled(expression).evaluate(self._views.of(index)):
                    return NO
            except cel.CompileError as error:
                message = f"{_where(owner, place, claim)}: CEL compile error: {error}"
                raise Stop(Failed(Category.SELECTOR_COMPILE_ERROR, message)) from error
            except cel.EvaluationError as error:
                device = self._views.label(index)
                message = f"{_where(owner, place, claim)}: CEL runtime error on device {device}: {error}"
                raise Stop(Failed(Category.SELECTOR_RUNTIME_ERROR, message)) from error
        return YES


def _where(owner: str, place: int, claim: str) -> str:
    return f"{f'class {owner}' if owner else f'claim {claim}'}: selector #{place}"


class DeviceViews:
    """The devices of a node as values of the CEL variable `device`, built when needed."""

    def __init__(self, devices: NodeDevices, switches: SelectorSwitches, columns: ColumnUse) -> None:
        self._devices = devices
        self._columns = columns
        self.hidden = devices.hidden
        self._environment = cel.Environment.stored(switches.expressions)
        self._sharing = switches.see_sharing
        self._lists = not switches.lists_are_errors
        self._views: list[cel.DeviceView | None] = [None] * len(devices.keys)
        self._table: cel.DeviceTable | None = None
        self._programs: dict[str, cel.Program] = {}
        self._masks: dict[str, Sequence[bool | None]] = {}

    def __len__(self) -> int:
        return len(self._views)

    @property
    def by_columns(self) -> bool:
        """Whether each distinct selector is evaluated over all devices at once."""
        return self._columns.applies(len(self), LARGE)

    def label(self, index: int) -> str:
        """Return the label of a device, `driver/pool/device`."""
        return self._devices.label(index)

    def of(self, index: int) -> cel.DeviceView:
        """Return one device. Raise EvaluationError if an attribute has an unsupported value."""
        view = self._views[index]
        if view is None:
            device = self._devices.devices[index]
            unreadable = None if self._lists else _list_of(device)
            if unreadable is not None:
                raise cel.EvaluationError(f"attribute {unreadable}: unsupported attribute value")
            view = cel.device_of(self._devices.keys[index][0], self._seen(device))
            self._views[index] = view
        return view

    def compiled(self, expression: str) -> cel.Program:
        """Return the program of an expression. Raise CompileError."""
        program = self._programs.get(expression)
        if program is None:
            program = self._programs[expression] = cel.compile(expression, self._environment)
        return program

    def verdicts(self, expressions: Sequence[str]) -> list[int | None]:
        """Return YES, NO or ERROR for each device. Each distinct expression is evaluated once.

        The list of expressions must not be empty.
        """
        verdicts = [_VERDICT[matched] for matched in self._mask(expressions[0])]
        for expression in expressions[1:]:
            mask = self._mask(expression)
            verdicts = [
                _VERDICT[matched] if verdict == YES else verdict
                for verdict, matched in zip(verdicts, mask, strict=True)
            ]
        return verdicts

    def _mask(self, expression: str) -> Sequence[bool | None]:
        mask = self._masks.get(expression)
        if mask is None:
            mask = self._masks[expression] = self._match(expression)
        return mask

    def _match(self, expression: str) -> Sequence[bool | None]:
        try:
            program = self.compiled(expression)
        except cel.CompileError:
            return [None] * len(self)
        if self._table is None:
            devices = (
                (key[0], self._seen(device))
                for key, device in zip(self._devices.keys, self._devices.devices, strict=True)
            )
            self._table = cel.DeviceTable(devices, self._columns)
        mask = cel.match(program, self._table)
        if self._lists or not self._with_lists:
            return mask
        return [None if index in self._with_lists else matched for index, matched in enumerate(mask)]

    @cached_property
    def _with_lists(self) -> frozenset[int]:
        """The devices that have a list attribute."""
        devices = enumerate(self._devices.devices)
        return frozenset(index for index, device in devices if _list_of(device) is not None)

    def _seen(self, device: Device) -> Device:
        """Return the device as selectors see it; some releases hide allowMultipleAllocations."""
        if self._sharing or not device.allow_multiple_allocations:
            return device
        return msgspec.structs.replace(device, allow_multiple_allocations=None)


def _list_of(device: Device) -> str | None:
    """Return the name of the first list attribute, None if there is none."""
    for name, attribute in device.attributes.items():
        if attribute.ints is not None or attribute.bools is not None:
            return name
        if attribute.strings is not None or attribute.versions is not None:
            return name
    return None


def chain_of(device_class: DeviceClass, selectors: Sequence[DeviceSelector]) -> Chain:
    """Return the selectors of a DeviceClass, then those of a request, in their order."""
    groups = ((device_class.metadata.name, device_class.spec.selectors), ("", selectors))
    return tuple(
        (owner, place, selector.cel.expression)
        for owner, group in groups
        for place, selector in enumerate(group)
        if selector.cel is not None
    )
